"""The roster: registration, late arrivals, drops, rejoining and disqualification."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, ClassVar

from matchledger.commands.command import PLAYER, Command, Context, Player, Text, known, option
from matchledger.commands.divisions import join_flight, place_in_division
from matchledger.commands.eliminations import enter_late, leave
from matchledger.commands.refusal import Refusal, departing, late_rule, name_of, need_active, need_open
from matchledger.commands.seats import award_byes
from matchledger.commands.staff import need_leave_to_play, need_leave_to_return
from matchledger.commands.structures import has_begun
from matchledger.events import (
    AnyFact,
    CutMade,
    PairingAmended,
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    Seating,
    Stage,
)
from matchledger_projections.divisions.grouping import division_mode, division_of
from matchledger_projections.message import Sentence, demanding, numbered, sentence
from matchledger_projections.pairing.seats import table_after
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player as Entrant
from matchledger_projections.record.roster import memberships
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import in_elimination
from matchledger_projections.stages.departures import of_late_entry
from matchledger_projections.stages.flights import PAIRED_BY


def comes_late(record: Record) -> bool:
    """Return whether a new player is late: round 1 is paired, or a bracket or flights are drawn."""
    return has_begun(record) or record.bracket_drawn is not None or bool(record.flights_drawn)


def register(
    record: Record,
    *,
    person: Person,
    division: str | None = None,
    attributes: Mapping[str, str] | None = None,
    byes: int = 0,
    deviating: bool = False,
) -> list[AnyFact]:
    """Register a player before round 1 is paired, with `byes` awarded byes in the first rounds.

    If the rulebook has divisions, the year of birth decides the player's division. A different division needs
    `deviating`.
    """
    need_open(record)
    need_to_be_new(record, person)
    if comes_late(record):
        raise Refusal(_late(record, person))
    division, deviations = place_in_division(record, person, division, deviating=deviating)
    person, paired_by = _told_apart(person, attributes or {})
    number = _next_number(record)
    return [
        PlayerRegistered(
            number=number,
            person=person,
            division=division,
            attributes=paired_by,
            deviations=deviations,
        ),
        *(award_byes(record, player=number, rounds=byes, name=person.name, deviating=deviating) if byes else ()),
    ]


def _late(record: Record, person: Person) -> Sentence:
    if record.flights_drawn and not has_begun(record):
        said = sentence(
            "flights are drawn: enter %(player)s as a late arrival, or retract the draw", player=person.name
        )
    else:
        said = sentence("round 1 is paired: enter %(player)s as a late arrival", player=person.name)
    return demanding(said, "a late arrival")


def arrive_late(
    record: Record,
    *,
    person: Person,
    rounds_started: int | None = None,
    losses: Sequence[int] | None = None,
    division: str | None = None,
    attributes: Mapping[str, str] | None = None,
    deviating: bool = False,
    secret: Callable[[], bytes] | None = None,
) -> list[AnyFact]:
    """Register a player during the event, with a loss for every round that has started.

    Rules: PKM-3.1.4-LATE, and PKM-3.3.4-LATE before a cut.

    By default, `rounds_started` is counted from the log. The organizer may add a player to a posted round before
    the round begins, or wait until the round has begun. A player who is added to a posted round meets the player
    with the bye. If the round has no bye, the player is charged with a loss, unless the organizer amends the round
    before its start. `losses` are the charged rounds, given only by an import that lists them. `secret` returns the
    organizer's secret, which is needed if chance chooses the player's flight. A player for whom no round is left
    needs `deviating`.
    """
    need_open(record)
    need_to_be_new(record, person)
    division, deviations = place_in_division(record, person, division, deviating=deviating)
    if record.cut is not None:
        raise Refusal(
            sentence("the cut is made: %(player)s can no longer enter", player=person.name), late_rule(record)
        )
    person, paired_by = _told_apart(person, attributes or {})
    if record.bracket_drawn is not None or record.rounds("elimination"):
        return enter_late(
            record,
            person=person,
            number=_next_number(record),
            division=division,
            attributes=paired_by,
        )
    latest = record.latest_round()
    if latest is None and not record.flights_drawn:
        raise Refusal(sentence("no round is paired yet: register %(player)s as on time", player=person.name))
    paired = latest.number if latest is not None else 0
    started = paired if latest is None or latest.has_started else paired - 1
    held = None if latest is None or started == paired else bye_to_play(record, latest, division)
    due = started if held is not None or started == paired else paired
    count = due if rounds_started is None else rounds_started
    if not started <= count <= paired:
        allowed = sentence("%(first)s or %(last)s", first=started, last=paired) if started != paired else started
        raise Refusal(
            sentence(
                "%(paired)s and %(started)s: charge a late player with %(allowed)s, not %(count)s",
                paired=numbered("%(count)s round is paired", "%(count)s rounds are paired", paired),
                started=numbered("%(count)s has started", "%(count)s have started", started),
                allowed=allowed,
                count=count,
            ),
            late_rule(record),
        )
    charged = tuple(range(1, count + 1) if losses is None else losses)
    over = departing(of_late_entry(record, division, charged), deviating=deviating)
    number = _next_number(record)
    seat_now = losses is None and count < paired and held is not None and latest is not None
    return [
        PlayerArrivedLate(
            number=number,
            person=person,
            division=division,
            attributes=paired_by,
            losses=charged,
            deviations=(*deviations, *over),
        ),
        *(join_flight(record, player=number, division=division, secret=secret) if secret is not None else ()),
        *(
            [_seated(record, latest, number, held, division)]
            if seat_now and latest is not None and held is not None
            else ()
        ),
    ]


def bye_to_play(record: Record, latest: Round, division: str | None) -> int | None:
    """Return the player with the bye in a posted round, whom a late player can meet.

    Return None if the round has no suitable bye, or if the players are in flights.
    """
    if record.flights_drawn:
        return None
    apart = division_mode(record) == "separated"
    awarded = record.awarded_byes(latest.number)
    same = (
        bye.player
        for bye in latest.byes
        if bye.player not in awarded and record.status(bye.player) == "active"
        if not apart or division_of(record, bye.player) == (division or "").casefold()
    )
    return next(same, None)


def _seated(record: Record, latest: Round, late: int, opponent: int, division: str | None) -> PairingAmended:
    """Seat a late player in the posted round, against the player who had the bye (PKM-3.1.4-LATE)."""
    fixed = record.fixed_tables.get(opponent)
    same = division if division_of(record, opponent) == (division or "").casefold() else None
    table = fixed if fixed and fixed not in latest.tables else table_after(record, latest, same)
    return PairingAmended(
        round=latest.number,
        removed=(),
        added=(Seating(table=table, players=(opponent, late)),),
        byes_removed=(opponent,),
    )


def _told_apart(person: Person, attributes: Mapping[str, str]) -> tuple[Person, dict[str, str]]:
    """Return the person with the private columns of a roster, and the columns for pairing, left unencrypted."""
    paired_by = {name: value for name, value in attributes.items() if name in PAIRED_BY}
    details = {name: value for name, value in attributes.items() if name not in PAIRED_BY}
    return (person.model_copy(update={"details": details}) if details else person), paired_by


def _rounds(count: int) -> str:
    return "1 round is" if count == 1 else f"{count} rounds are"


def need_to_be_new(record: Record, person: Person) -> None:
    """Refuse a name that is taken, and a leader who may not play in the event."""
    if record.named(person.name) is not None:
        raise Refusal(
            sentence(
                "%(player)s is registered already: add something to a second player's name to tell them apart",
                player=person.name,
            )
        )
    need_leave_to_play(record, person.name)


def numbers_taken(record: Record) -> dict[tuple[str, str], Entrant]:
    """The player with each membership number, by the column and the number."""
    players = record.entered()
    return {number: player for player in players for number in memberships(player.person.details)}


def need_own_numbers(
    taken: Mapping[tuple[str, str], Entrant], columns: Mapping[str, str], *, name: str, player: int | None = None
) -> None:
    """Refuse a membership number that another player has in the same column, because a number belongs to one
    person.
    """
    for number in memberships(columns):
        other = taken.get(number)
        if other is not None and other.number != player:
            raise Refusal(
                sentence(
                    "%(player)s would have the number %(number)s of %(other)s (#%(entered)s): correct one of them",
                    player=name,
                    number=number[1],
                    other=other.name,
                    entered=other.number,
                )
            )


def _next_number(record: Record) -> int:
    return len(record.players) + 1


def drop(record: Record, *, player: int, cause: str = "request", during: bool = False) -> list[AnyFact]:
    """Take a player out of the coming rounds (L5R-IV.2-DROP).

    Played results stay.

    In an elimination stage the opponent gets a bye, or the player loses the match. `during` says that the player
    leaves during the match just reported, and so loses that match.
    """
    need_open(record)
    if record.status(player) == "dropped":
        raise Refusal(sentence("%(player)s has dropped already", player=name_of(record, player)))
    need_active(record, player)
    stage = _stage_left(record)
    dropped = PlayerDropped(player=player, after_round=last_round_of(record, player), cause=cause, stage=stage)
    return _left(record, dropped, during=during)


def rejoin(record: Record, *, player: int, losses: Sequence[int] | None = None) -> list[AnyFact]:
    """Bring a dropped player back, with an unpaired loss for each missed round (L5R-IV.2-REJOIN).

    `losses` are the charged rounds, given only by an import that lists them.
    """
    need_open(record)
    name = name_of(record, player)
    status, left_after = record.standing_of(player)
    if status == "active":
        raise Refusal(sentence("%(player)s has not dropped", player=name))
    if status == "disqualified":
        raise Refusal(
            sentence("%(player)s is disqualified and cannot come back", player=name),
            record.rulebook.permission_rule("disqualify"),
        )
    if record.cut is not None:
        raise Refusal(_no_return(record, player), record.rulebook.permission_rule("rejoin"))
    need_leave_to_return(record, player)
    missed = rounds_missed(record, player, left_after)
    return [PlayerRejoined(player=player, losses=tuple(missed if losses is None else losses))]


def _no_return(record: Record, player: int) -> Sentence:
    """Say that no player rejoins after the cut. Name the entry of a drop after the cut: it can be a mistake."""
    said = sentence(
        "the stage that %(player)s left is over: no player rejoins after the cut", player=name_of(record, player)
    )
    cut = max(at for at, _ in record.counting(CutMade))
    dropped = [at for at, _ in record.movements.get(player, ()) if at > cut and not record.is_dead(at)]
    if not dropped:
        return said
    return sentence(
        "%(problem)s; to take back a mistaken drop, retract entry %(entry)s", problem=said, entry=dropped[-1]
    )


def rounds_missed(record: Record, player: int, left_after: int | None) -> list[int]:
    """Return the rounds that were paired since a player left. A player who returns gets a loss for each missed
    round (L5R-IV.2-REJOIN). A round that was paired again since the player left also counts as missed.
    """
    left = max(
        (at for at, _ in record.movements.get(player, ()) if not record.is_dead(at)), default=record.position
    )
    return [
        round_.number
        for round_ in record.rounds()
        if round_.number > (left_after or 0) or (round_.position > left and player not in round_.players)
    ]


def disqualify(
    record: Record, *, player: int, recommended_by: str | None = None, during: bool = False
) -> list[AnyFact]:
    """Remove a player for good. Recorded results still count for the opponents (L5R-IV.2-DQ)."""
    need_open(record)
    if record.status(player) == "disqualified":
        raise Refusal(sentence("%(player)s is disqualified already", player=name_of(record, player)))
    stage = _stage_left(record)
    removed = PlayerDisqualified(
        player=player, after_round=last_round_of(record, player), recommended_by=recommended_by, stage=stage
    )
    return _left(record, removed, during=during)


def _left(record: Record, movement: PlayerDropped | PlayerDisqualified, *, during: bool) -> list[AnyFact]:
    if movement.stage == "elimination":
        return leave(record, movement, during=during)
    if during:
        raise Refusal(
            sentence("a player who leaves loses only an elimination match: in a Swiss match, correct the slip")
        )
    return [movement]


def _stage_left(record: Record) -> Stage:
    return "elimination" if in_elimination(record) else "swiss"


def last_round_of(record: Record, player: int) -> int:
    """Return the last Swiss round that a player played or was charged with. The round may be in progress."""
    rounds = record.rounds()
    charged = max(record.charged_rounds(player, len(rounds)), default=0)
    played = (round_.number for round_ in reversed(rounds) if player in round_.players)
    return max(next(played, 0), charged)


During = Annotated[
    bool,
    option("--during", "In elimination: the player left during the match just reported, and loses that match."),
]


class DropPlayer(Command):
    """Take a player out of the rounds to come."""

    shown_first: ClassVar = True
    stands_alone: ClassVar = True
    player: Annotated[Player, PLAYER]
    cause: Annotated[Text, option("--cause", "Why the player leaves: request, no-show, lost-card, ...")] = "request"
    during: During = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        return drop(record, player=known(record, self.player)[0], cause=self.cause, during=self.during)


class RejoinPlayer(Command):
    """Bring a dropped player back. Charge the missed rounds to the player as losses."""

    shown_first: ClassVar = True
    stands_alone: ClassVar = True
    player: Annotated[Player, PLAYER]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        return rejoin(record, player=known(record, self.player)[0])


class DisqualifyPlayer(Command):
    """Remove a player for good."""

    shown_first: ClassVar = True
    stands_alone: ClassVar = True
    asks: ClassVar = "always"
    player: Annotated[Player, PLAYER]
    recommended_by: Annotated[Text | None, option("--recommended-by", "The marshal who recommended this.")] = None
    during: During = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        return disqualify(
            record,
            player=known(record, self.player)[0],
            recommended_by=self.recommended_by,
            during=self.during,
        )
