"""Registrations: merge two registrations of one person, or transfer a registration to another person."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import PLAYER, Command, Context, Deviating, Player, Text, argument, known, option
from matchledger.commands.decklists import need_registered
from matchledger.commands.divisions import place_in_division
from matchledger.commands.people import correct_person, need_not_erased
from matchledger.commands.refusal import Refusal, departing, name_of, need_active, need_open
from matchledger.commands.roster import need_to_be_new, rounds_missed
from matchledger.commands.swiss import meeting
from matchledger.events import (
    AnyFact,
    ByesAwarded,
    CheckedIn,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    EntryRetracted,
    FirstPlayerSet,
    PairingAmended,
    PenaltyGiven,
    Person,
    PlayerArrivedLate,
    PlayerRegistered,
    PlayerRejoined,
    RematchAllowed,
    ResultReported,
    Seating,
    TableFixed,
    TimeExtended,
    Two,
)
from matchledger.notation.player_lookup import person_named
from matchledger.notation.problems import UsageProblem
from matchledger_projections.conduct.staff import leaders_in
from matchledger_projections.decks.registered import registered
from matchledger_projections.message import demanding, sentence
from matchledger_projections.pairing.check import of_seating
from matchledger_projections.record.phones import checked_in
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.flights import flight_names


def _need_mergeable(record: Record, kept: int, merged: int) -> None:
    need_open(record)
    if kept == merged:
        raise UsageProblem(sentence("both are the same registration: name two registrations of one person"))
    if record.cut is not None or record.bracket_drawn is not None or record.rounds("elimination"):
        raise Refusal(sentence("the Swiss rounds are over, and registrations can be merged only before the cut"))
    for player in (kept, merged):
        need_not_erased(record, player)
        if record.status(player) == "disqualified":
            raise Refusal(sentence("%(player)s is disqualified", player=name_of(record, player)))
    if leaders_in(record, [merged]):
        raise Refusal(
            sentence(
                "%(player)s is on the staff: keep that registration, and merge the other one into it",
                player=name_of(record, merged),
            )
        )
    flights = flight_names(record)
    if flights.get(kept) != flights.get(merged):
        raise Refusal(
            sentence(
                "%(first)s and %(second)s are in different flights",
                first=name_of(record, kept),
                second=name_of(record, merged),
            )
        )


def _need_one_seat(record: Record, round_: Round, kept: int, merged: int) -> None:
    first, second = name_of(record, kept), name_of(record, merged)
    if kept in round_.players:
        raise Refusal(
            sentence(
                "%(first)s and %(second)s were both seated in round %(round)s: drop %(second)s instead",
                first=first,
                second=second,
                round=round_.number,
            )
        )
    if round_.number in record.charged_rounds(kept, round_.number):
        raise Refusal(
            sentence(
                (
                    "%(first)s is charged with a loss for round %(round)s, but %(second)s was seated in it: merge "
                    "%(first)s into %(second)s instead"
                ),
                first=first,
                second=second,
                round=round_.number,
            )
        )


def _reseated(record: Record, round_: Round, was: int, now: int, *, deviating: bool) -> Iterator[AnyFact]:
    """Yield the facts that give one player's seat in a round to another player, with the facts about the seat's
    match.
    """
    table = round_.table_of(was)
    if table is None:
        amended = PairingAmended(round=round_.number, removed=(), added=(), byes_removed=(was,), byes_added=(now,))
    else:
        old = round_.tables[table]
        new = _replaced(old, was, now)
        if meeting(record, *new) is not None:
            yield RematchAllowed(round=round_.number, players=new)
        amended = PairingAmended(
            round=round_.number,
            removed=(Seating(table=table, players=old),),
            added=(Seating(table=table, players=new),),
        )
    rules = departing(of_seating(record, amended), deviating=deviating)
    yield amended.model_copy(update={"deviations": rules})
    if table is not None:
        yield from _about_match(round_, table, was, now)


def _about_match(round_: Round, table: int, was: int, now: int) -> Iterator[AnyFact]:
    """Yield the log's facts about a match, with the new player in the old player's seat."""
    old = round_.tables[table]
    new = _replaced(old, was, now)
    for _, fact, _ in round_.clock_notes:
        if isinstance(fact, TimeExtended) and fact.players == old:
            yield fact.model_copy(update={"players": new})
        elif isinstance(fact, FirstPlayerSet) and fact.players == old:
            two = {"first_player": fact.first_player, "decider": fact.decider}
            mapped = {name: now if player == was else player for name, player in two.items()}
            yield fact.model_copy(update={"players": new, **mapped})
    if (report := round_.report(table, old)) is not None:
        slip = report.written
        winner = now if slip.winner == was else slip.winner
        yield ResultReported(
            round=round_.number, table=table, players=new, slip=slip.model_copy(update={"winner": winner})
        )


def _replaced(two: Two, was: int, now: int) -> Two:
    first, second = two
    return (now if first == was else first, now if second == was else second)


def _returned(record: Record, kept: int, merged: int, played: set[int]) -> list[AnyFact]:
    """Bring a dropped player back if the other registration still plays. The rounds that the player missed count as
    losses.
    """
    status, left_after = record.standing_of(kept)
    if status == "active" or record.status(merged) != "active":
        return []
    missed = rounds_missed(record, kept, left_after)
    return [PlayerRejoined(player=kept, losses=tuple(number for number in missed if number not in played))]


def _carried(record: Record, kept: int, merged: int) -> Iterator[AnyFact]:
    """Yield the facts that move to the kept registration: penalties, deck list, check-in, awarded byes and fixed
    table.
    """
    for position, given in record.counting(PenaltyGiven):
        if given.player == merged:
            yield EntryRetracted(retracts=position)
            yield given.model_copy(update={"player": kept})
    yield from _list_carried(record, kept, merged)
    if {kept, merged} & checked_in(record) == {merged}:
        yield CheckedIn(player=kept)
    yield from _privileges_ended(record, merged)
    if kept not in (fixed := record.fixed_tables) and merged in fixed:
        yield TableFixed(player=kept, table=fixed[merged])
    byes = record.byes_awarded
    if merged in byes and (kept not in byes or byes[kept].rounds < byes[merged].rounds):
        yield byes[merged].model_copy(update={"player": kept})


def _privileges_ended(record: Record, player: int) -> Iterator[EntryRetracted]:
    """Yield the facts that end a registration's awarded byes and fixed table."""
    granted: list[tuple[int, ByesAwarded | TableFixed]] = [
        *record.counting(ByesAwarded),
        *record.counting(TableFixed),
    ]
    for position, fact in granted:
        if fact.player == player:
            yield EntryRetracted(retracts=position)


def _list_carried(record: Record, kept: int, merged: int) -> Iterator[AnyFact]:
    """Yield the deck list of `merged` with its amendments and checks, for `kept`. Refuse if both registrations
    have a deck list.
    """
    if registered(record, merged) is None:
        return
    listed = need_registered(record, merged)
    if registered(record, kept) is not None:
        raise Refusal(
            sentence(
                "%(first)s and %(second)s each have a deck list: retract one of them (entry %(entry)s), or drop "
                "%(second)s instead",
                first=name_of(record, kept),
                second=name_of(record, merged),
                entry=listed.position,
            )
        )
    yield from _list_ended(record, merged)
    for _, fact in _listed(record, merged):
        yield fact.model_copy(update={"player": kept})


def _list_ended(record: Record, player: int) -> Iterator[EntryRetracted]:
    for position, _ in reversed(_listed(record, player)):
        yield EntryRetracted(retracts=position)


def _listed(record: Record, player: int) -> list[tuple[int, DeckSubmitted | DeckAmended | DeckChecked]]:
    """Return the counting entries about a player's deck list, in order."""
    found = [*record.decks.get(player, ()), *record.deck_checks(player)]
    return sorted((entry for entry in found if not record.is_dead(entry[0])), key=itemgetter(0))


def _completed(record: Record, kept: int, merged: int) -> Person:
    """Return the personal data of the kept registration. The merged registration's data fills the gaps."""
    person, other = record.players[kept].person, record.players[merged].person
    return person.model_copy(
        update={
            "born": person.born or other.born,
            "contact": person.contact or other.contact,
            "details": other.details | person.details,
        }
    )


def _seat_given(round_: Round, was: int, now: int) -> Iterator[AnyFact]:
    table = round_.table_of(was)
    if table is None:
        yield PairingAmended(round=round_.number, removed=(), added=(), byes_removed=(was,), byes_added=(now,))
        return
    old = round_.tables[table]
    yield PairingAmended(
        round=round_.number,
        removed=(Seating(table=table, players=old),),
        added=(Seating(table=table, players=_replaced(old, was, now)),),
    )
    yield from _about_match(round_, table, was, now)


class MergePlayers(Command):
    """Merge two registrations of one person, as long as they were never seated in the same round.

    The first registration keeps its number and name. The first registration also gets the rounds, penalties, deck
    list, byes and fixed table of the second.
    """

    shown_first: ClassVar = True
    asks: ClassVar = "terminal"
    player: Annotated[Player, argument("The registration to keep: name or #number.")]
    other: Annotated[Player, argument("The registration that is merged into the kept one.")]
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Merge two registrations: the rounds of `merged` go to `kept`, and `merged` no longer counts.

        Both registrations may have played, but never in the same round. A result that breaks a pairing rule, such
        as a second bye, needs `deviating`.
        """
        kept, merged = (known(record, player)[0] for player in (self.player, self.other))
        _need_mergeable(record, kept, merged)
        met = next((round_ for round_ in record.rounds() if round_.table_between(kept, merged) is not None), None)
        if met is not None:
            raise Refusal(
                sentence(
                    "%(first)s and %(second)s meet in round %(round)s: they are not one person",
                    first=name_of(record, kept),
                    second=name_of(record, merged),
                    round=met.number,
                )
            )
        rounds = [round_ for round_ in record.rounds() if merged in round_.players]
        for round_ in rounds:
            _need_one_seat(record, round_, kept, merged)
        facts = [
            fact for round_ in rounds for fact in _reseated(record, round_, merged, kept, deviating=self.deviating)
        ]
        return [
            *_returned(record, kept, merged, {round_.number for round_ in rounds}),
            *facts,
            *_carried(record, kept, merged),
            EntryRetracted(retracts=record.players[merged].position, player=kept),
            *correct_person(record, player=kept, person=_completed(record, kept, merged)),
        ]


class TransferRegistration(Command):
    """Give the registration of a player to another person, if the player has not played."""

    shown_first: ClassVar = True
    asks: ClassVar = "terminal"
    player: Annotated[Player, PLAYER]
    name: Annotated[Text, argument("Who plays instead.")]
    born: Annotated[
        Annotated[int, Field(ge=1900, le=2100)] | None, option("--born", "The year of birth.", "YEAR")
    ] = None
    division: Annotated[Text | None, option("--division", "The new player's division, if it differs.")] = None
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Transfer a registration to another person, together with the seat in a posted first round.

        A player with a result has played, and keeps the registration. The other person is as late as the player,
        and is charged with the same rounds. Awarded byes and a fixed table belong to the person, so they end. The
        deck list and its checks end too, because the other person hands in a new list.
        """
        player = known(record, self.player)[0]
        need_not_erased(record, player)
        person = person_named(self.name, born=self.born)
        need_open(record)
        holder = need_active(record, player)
        if record.flights_drawn:
            raise Refusal(
                sentence("flights are drawn: drop %(player)s, and enter the other late", player=holder.name)
            )
        rounds = record.rounds()
        table = rounds[0].table_of(player) if rounds else None
        reported = table is not None and rounds[0].report(table, rounds[0].tables[table]) is not None
        if len(rounds) > 1 or reported or record.rounds("elimination") or record.bracket_drawn is not None:
            raise Refusal(
                demanding(
                    sentence(
                        "%(player)s has played: drop the player, and enter the other as a late arrival",
                        player=holder.name,
                    ),
                    "a late arrival",
                )
            )
        need_to_be_new(record, person)
        wanted = self.division or (holder.division if person.born is None else None)
        placed, rules = place_in_division(record, person, wanted, deviating=self.deviating)
        number = len(record.players) + 1
        losses = record.late_losses(player)
        entered = (
            PlayerRegistered(
                number=number, person=person, division=placed, attributes=holder.attributes, deviations=rules
            )
            if losses is None
            else PlayerArrivedLate(
                number=number,
                person=person,
                division=placed,
                attributes=holder.attributes,
                losses=losses,
                deviations=rules,
            )
        )
        seated = rounds and player in rounds[0].players
        return [
            entered,
            *(_seat_given(rounds[0], player, number) if seated else ()),
            *_privileges_ended(record, player),
            *_list_ended(record, player),
            EntryRetracted(retracts=holder.position, player=number),
        ]
