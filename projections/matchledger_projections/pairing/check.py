"""The check before a round is posted: everything that a player at the wall would object to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal

from msgspec import Struct

from matchledger.events import DeskCalled, DropAsked, JudgeCalled, PairingAmended, RoundPaired, Seating
from matchledger_projections.conduct.penalties import missing
from matchledger_projections.conduct.staff import unruled
from matchledger_projections.decks.registered import lacking_list, list_rule, rounds_with_lists
from matchledger_projections.divisions.grouping import (
    division_mode,
    division_of,
    finished_divisions,
    rounds_of,
)
from matchledger_projections.message import Sentence, both, demanding, joined, numbered, sentence
from matchledger_projections.pairing.footing import beacons, pledges
from matchledger_projections.pairing.lineup import left_out, lineup, pools, to_be_paired
from matchledger_projections.pairing.soundness import may_have_bye
from matchledger_projections.record.desk_calls import open_calls, open_contradictions, question_said
from matchledger_projections.record.phones import open_requests
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import as_seated
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.flights import flight_names
from matchledger_projections.stages.postings import posted_rows, standings_missing
from matchledger_projections.stages.structure import rules_of_own_rounds
from matchledger_projections.standings.crosstable import Crosstable, crosstable

Kind = Literal[
    "repeat",
    "missing",
    "doubled",
    "not playing",
    "second bye",
    "unreported",
    "standings changed",
    "not posted",
    "no leader",
    "card missing",
    "no deck list",
    "not announced",
    "open call",
    "contradicted",
    "drop asked",
    "judge called",
    "draw not mixed",
    "refused",
]


class Objection(Struct, frozen=True):
    """An objection to posting a round, with the players, rounds and tables concerned.

    `round` is the earlier round that the objection is about: there the players met, had the bye or have no result,
    or its posted standings (entry `entry`) have changed. For some kinds, `said` is the whole message: matchledger
    `refused` the round, a call or a contradicting slip is open, a player asked to be dropped or called a judge, or
    a word or a beacon is not in the draw.
    """

    kind: Kind
    players: tuple[int, ...] = ()
    round: int | None = None
    tables: tuple[int, ...] = ()
    entry: int | None = None
    said: Sentence | None = None


def of_seating(record: Record, fact: RoundPaired | PairingAmended) -> list[Departure]:
    """Return the rules that a round seated by hand departs from. Rematches are left out, because each has an entry
    of its own.

    Such rules forbid a second bye; a bye that the number of players does not need, or that is due to another
    player; a game across flights or across divisions that play apart; a player in a round that is already over;
    and a division in a round beyond its own.
    """
    if not record.is_live:
        return []
    games, byes = (
        (fact.tables, [bye.player for bye in fact.byes])
        if isinstance(fact, RoundPaired)
        else (fact.added, fact.byes_added)
    )
    found = _byes_again(record, fact.round, byes)
    found += [departure for seating in games for departure in _across(record, seating)]
    seated = {player for seating in games for player in seating.players} | set(byes)
    if isinstance(fact, PairingAmended):
        found += _after_the_round(record, fact)
        seated -= _sat_before(record, fact)
    found += _beyond_their_rounds(record, fact.round, seated)
    return found + list(_wrong_byes(record, fact) if byes else ())


def of_drawn(record: Record, paired: RoundPaired) -> list[Departure]:
    """Return the rules that a drawn round departs from: a second bye, if everybody has had a bye. An awarded bye is
    an entry of its own.
    """
    if not record.is_live:
        return []
    awarded = record.awarded_byes(paired.round)
    return _byes_again(record, paired.round, [bye.player for bye in paired.byes if bye.player not in awarded])


def _byes_again(record: Record, number: int, byes: Sequence[int]) -> list[Departure]:
    """Return the departures of byes for players who have had a bye before a round (L5R-IV.2a-BYE,
    SWR-SWISS-ONEPASS, PKM-3.1-ONEBYE, ASH-BYE).
    """
    table = crosstable(record, record.rulebook, number - 1)
    return [
        Departure(
            record.rulebook.pairing.second_bye,
            sentence("%(player)s has had a bye", player=record.players[player].name),
        )
        for player in byes
        if table.had_bye(player)
    ]


def _after_the_round(record: Record, fact: PairingAmended) -> Iterator[Departure]:
    """Yield the departure if players enter a round that is already over: a late player is charged with that
    round (PKM-3.1.4-LATE).
    """
    posted = record.round(fact.round)
    if posted is None or posted.outstanding:
        return
    seated = {player for seating in fact.added for player in seating.players} | set(fact.byes_added)
    if new := sorted(seated - posted.players):
        said = sentence(
            "round %(round)s is over, and %(players)s did not take part in it",
            round=fact.round,
            players=both(record.players[player].name for player in new),
        )
        yield Departure(record.rulebook.permission_rule("accept-late") or UNWRITTEN, said)


def _sat_before(record: Record, fact: PairingAmended) -> frozenset[int] | set[int]:
    posted = record.round(fact.round)
    return posted.players if posted is not None else frozenset()


def _beyond_their_rounds(record: Record, number: int, seated: set[int]) -> Iterator[Departure]:
    """The players of divisions that have played all their rounds (PKM-3.1.3-ROUNDS), which were announced
    (PKM-2-ANNOUNCE) or follow from the rulebook's table.
    """
    finished = finished_divisions(record, number)
    for division in sorted({division_of(record, player) for player in seated} & finished if finished else ()):
        said = sentence(
            "round %(round)s is beyond the %(count)s announced rounds of %(division)s",
            round=number,
            count=rounds_of(record, division),
            division=division,
        )
        if record.structure is None:
            said = sentence(
                "the rulebook's table gives %(division)s %(count)s rounds, not %(round)s",
                round=number,
                count=rounds_of(record, division),
                division=division,
            )
        yield from (Departure(rule, said) for rule in rules_of_own_rounds(record))


def _wrong_byes(record: Record, fact: RoundPaired | PairingAmended) -> Iterator[Departure]:
    """Byes given by hand against the rule, in each group of players who are paired together.

    L5R-IV.2a-BYE, SWR-SWISS-PASS, PKM-3.1-BYE, ASH-BYE: a group has one bye if its number of players is odd,
    for the player to whom it is due. Awarded byes do not count here, and `of_seating` reports a second bye.
    """
    games, byes = as_seated(record.round(fact.round, fact.stage), fact)
    rule, awarded = record.rulebook.bye.rule, record.awarded_byes(fact.round)
    table = crosstable(record, record.rulebook, fact.round - 1)
    seated = [player for player in (*byes, *chain.from_iterable(games)) if player not in awarded]
    for pool in pools(record, seated):
        given = [player for player in pool.players if player in byes]
        count = len(pool.players)
        if len(given) > count % 2:
            said = sentence("%(count)s byes for %(players)s players", count=len(given), players=count)
            yield Departure(rule, said)
        elif given and not table.had_bye(given[0]) and not may_have_bye(lineup(record, fact.round, pool), given[0]):
            name = record.players[given[0]].name
            yield Departure(rule, sentence("this round's bye is due to another player, not %(name)s", name=name))


def _across(record: Record, seating: Seating) -> Iterator[Departure]:
    """A game between two players whose divisions or flights play apart."""
    rule, law = record.rulebook.divisions, record.rulebook.flights
    one, other = (division_of(record, player) for player in seating.players)
    names = joined(record.players[player].name for player in seating.players)
    if rule is not None and one != other and division_mode(record) == "separated":
        yield Departure(rule.rule, sentence("%(players)s are in divisions that play separately", players=names))
        return
    flights = flight_names(record)
    if law is not None and len({flights.get(player) for player in seating.players}) > 1:
        yield Departure(law.rule, sentence("%(players)s are in different flights", players=names))


def objections(record: Record, number: int, paired: RoundPaired | None) -> list[Objection]:
    """Return the objections to posting a round, by the record before that round. Without `paired`, return the
    objections that exist before pairing.
    """
    found = [*_unreported(record, number), *standings_changed(record, number), *_not_posted(record, number)]
    found += [*_not_announced(record, number), *_not_settled(record)]
    if paired is not None:
        found += [each for each in unready(record, paired) if rule_of(record, each) not in paired.deviations]
        table = crosstable(record, record.rulebook, number - 1)
        found += [*_seated_wrongly(record, paired), *_met_before(table, paired), *_second_byes(table, paired)]
        found += without_leader(record, paired)
    return found


def without_leader(record: Record, paired: RoundPaired) -> list[Objection]:
    """The games of a round that no leader can rule in (L5R-I.6-LEADERPLAY), unless they were allowed."""
    rules = record.rulebook.staff
    return (
        [] if rules is None or rules.playing in paired.deviations else games_without_leader(record, paired.tables)
    )


def games_without_leader(record: Record, seatings: Iterable[Seating]) -> list[Objection]:
    """The games that a leader plays and no other leader can rule in."""
    tables = {seating.players: seating.table for seating in seatings}
    return [Objection("no leader", players, tables=(tables[players],)) for players in unruled(record, tables)]


def unready(record: Record, paired: RoundPaired) -> list[Objection]:
    """The players who may not begin a round, for a message before the pairing.

    A missing card must be found or replaced by the start of the next round; otherwise the player is dropped
    (L5R-II.2d-LOST). If the event announced deck lists, each player submits one before the first round after the
    announcement (L5R-II.2-PLAYERMAT).
    """
    seated = {player for seating in paired.tables for player in seating.players}
    seated |= {bye.player for bye in paired.byes}
    found = []
    if record.rulebook.conduct.lost_card is not None:
        lost = ((incident.position, incident.fact.player) for incident in missing(record))
        found += [Objection("card missing", (player,), entry=entry) for entry, player in lost if player in seated]
    if without := lacking_list(record, _newcomers(record, seated)):
        found.append(Objection("no deck list", tuple(without)))
    return found


def _newcomers(record: Record, seated: set[int]) -> Iterator[int]:
    """Yield the seated players who have had no table and no bye since lists are needed, by number."""
    played = {player for round_ in rounds_with_lists(record) for player in round_.posted_players}
    yield from sorted(seated - played)


def rule_of(record: Record, objection: Objection) -> str:
    """The rule that keeps a player of `unready` from beginning the round."""
    if objection.kind == "card missing":
        return record.rulebook.conduct.lost_card or UNWRITTEN
    return list_rule(record)


def lacking(record: Record, objection: Objection) -> Sentence:
    """Return a sentence about what the players of an objection from `unready` still lack: a card or a deck list."""
    names = both(record.players[player].name for player in objection.players)
    if objection.kind == "card missing":
        return sentence(
            "a card of %(players)s has been missing since entry %(entry)s", players=names, entry=objection.entry
        )
    return sentence("no deck list from %(players)s", players=names)


def why_unready(record: Record, objection: Objection) -> Sentence:
    """Return what to do before the players of an objection from `unready` can be paired."""
    problem = lacking(record, objection)
    said = (
        sentence("%(problem)s: record that the card was found, or that the card is still missing", problem=problem)
        if objection.kind == "card missing"
        else sentence("%(problem)s: hand the lists in", problem=problem)
    )
    return demanding(sentence("%(problem)s, or give a reason and pair", problem=said), "a reason")


def _not_settled(record: Record) -> Iterator[Objection]:
    """Yield the calls without an answer, and the slips that contradict the counting result (C-D3)."""
    found = [(call.position, call.fact) for call in open_calls(record)] + open_contradictions(record)
    for entry, fact in found:
        kind: Kind = "open call" if isinstance(fact, DeskCalled) else "contradicted"
        yield Objection(kind, fact.players, fact.round, (fact.table,), entry, question_said(entry, fact))


def waiting(record: Record, paired: RoundPaired) -> Iterator[Objection]:
    """Yield what a clerk may have forgotten before a pairing: players who asked to be dropped or called a judge,
    and contributions to the draw that are not in it.
    """
    seated = {player for seating in paired.tables for player in seating.players}
    seated |= {bye.player for bye in paired.byes}
    for entry, fact in open_requests(record):
        if isinstance(fact, DropAsked) and fact.player in seated:
            said = sentence(
                "%(player)s asked to be dropped (entry %(entry)s): drop the player, or answer the request",
                player=record.players[fact.player].name,
                entry=entry,
            )
            yield Objection("drop asked", (fact.player,), entry=entry, said=said)
        elif isinstance(fact, JudgeCalled):
            said = sentence(
                "%(player)s called a judge (entry %(entry)s): answer the call",
                player=record.players[fact.by].name,
                entry=entry,
            )
            yield Objection("judge called", (fact.by,), fact.round, (fact.table,), entry, said)
    if paired.seed is None:
        return
    if pledged := len(pledges(record)):
        said = numbered(
            "%(count)s pledged word is not opened: the draw does not depend on it",
            "%(count)s pledged words are not opened: the draw does not depend on them",
            pledged,
        )
        yield Objection("draw not mixed", said=said)
    for beacon in beacons(record):
        if beacon.read is None:
            said = sentence(
                "round %(number)s of the beacon is not read: the draw does not depend on it", number=beacon.number
            )
            yield Objection("draw not mixed", entry=beacon.named, said=said)


def _not_announced(record: Record, number: int) -> Iterator[Objection]:
    """L5R-IV.2-ANNOUNCE, PKM-2-ANNOUNCE: the structure is announced before round 1 of a live event."""
    structures = record.rulebook.structures
    demanded = structures is not None and structures.announce is not None
    if number == 1 and demanded and record.structure is None and record.is_live:
        yield Objection("not announced")


def _unreported(record: Record, number: int) -> Iterator[Objection]:
    for round_ in record.rounds():
        if round_.number < number and (tables := round_.outstanding):
            yield Objection("unreported", round=round_.number, tables=tables)


def standings_changed(record: Record, number: int) -> Iterator[Objection]:
    """Name the posted standings before round `number` if they have changed since. A later drop is no change."""
    posted = [(position, fact) for position, fact in record.postings if fact.round == number - 1]
    if not posted:
        return
    position, posting = posted[-1]
    rows = posted_rows(record, posting.round)
    was, now = ([row.model_copy(update={"status": ""}) for row in all_rows] for all_rows in (posting.rows, rows))
    if was != now:
        yield Objection("standings changed", round=posting.round, entry=position)


def _not_posted(record: Record, number: int) -> Iterator[Objection]:
    """PKM-4-POST: standings that were not posted before the next round."""
    # If standings were posted and changed later, `standings_changed` reports the change.
    posted = any(posting.round == number - 1 for _, posting in record.postings)
    if not posted and (missing := standings_missing(record, number)) is not None:
        yield Objection("not posted", round=missing)


def _seated_wrongly(record: Record, paired: RoundPaired) -> Iterator[Objection]:
    seats = Counter(player for seating in paired.tables for player in seating.players)
    seats.update(bye.player for bye in paired.byes)
    playing = to_be_paired(record, paired.round)
    missing = left_out(record, paired)
    for player, count in seats.items():
        if count > 1:
            yield Objection("doubled", (player,))
    told = set(rules_of_own_rounds(record)) <= set(paired.deviations)
    finished = finished_divisions(record, paired.round) if told else frozenset()
    strangers = seats.keys() - set(playing)
    if unknown := tuple(sorted(player for player in strangers if division_of(record, player) not in finished)):
        yield Objection("not playing", unknown)
    if missing:
        yield Objection("missing", tuple(missing))


def _met_before(table: Crosstable, paired: RoundPaired) -> Iterator[Objection]:
    encounters = table.encounters
    for seating in paired.tables:
        first, second = seating.players
        if second in encounters.get(first, ()):
            met = table.opponents[first].index(second) + 1
            yield Objection("repeat", seating.players, round=met, tables=(seating.table,))


def _second_byes(table: Crosstable, paired: RoundPaired) -> Iterator[Objection]:
    for bye in paired.byes:
        if table.had_bye(bye.player):
            yield Objection("second bye", (bye.player,), round=table.outcomes[bye.player].index("bye") + 1)
