"""The check of a round before it is posted: what somebody at the wall would object to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from matchledger.events import RoundPaired, Seating
from matchledger_projections.conduct.staff import unruled
from matchledger_projections.pairing.lineup import to_be_paired
from matchledger_projections.record.record import Record
from matchledger_projections.standings.crosstable import Crosstable, crosstable
from matchledger_projections.views.posting_order import standings_missing
from matchledger_projections.views.postings import posted_rows

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
]


@dataclass(frozen=True, slots=True)
class Objection:
    """What speaks against posting a round: the players, rounds and tables that it is about.

    `round` is where they met, had the bye, are not reported, or whose standings changed since they were posted as
    entry `entry`.
    """

    kind: Kind
    players: tuple[int, ...] = ()
    round: int | None = None
    tables: tuple[int, ...] = ()
    entry: int | None = None


def objections(record: Record, number: int, paired: RoundPaired | None) -> list[Objection]:
    """What speaks against posting a round, as the record stands before it; without `paired`, before pairing it."""
    found = [*_unreported(record, number), *_standings_changed(record, number), *_not_posted(record, number)]
    if paired is not None:
        table = crosstable(record, record.rulebook, number - 1)
        found += [*_seated_wrongly(record, paired), *_met_before(table, paired), *_second_byes(table, paired)]
        found += without_leader(record, paired)
    return found


def without_leader(record: Record, paired: RoundPaired) -> list[Objection]:
    """The games of a round that nobody can rule in (L5R-I.6-LEADERPLAY), unless they were let stand."""
    rules = record.rulebook.staff
    return (
        [] if rules is None or rules.playing in paired.deviations else games_without_leader(record, paired.tables)
    )


def games_without_leader(record: Record, seatings: Iterable[Seating]) -> list[Objection]:
    """The games in which a leader plays and no other leader can rule."""
    tables = {seating.players: seating.table for seating in seatings}
    return [Objection("no leader", players, tables=(tables[players],)) for players in unruled(record, tables)]


def _unreported(record: Record, number: int) -> Iterator[Objection]:
    for round_ in record.rounds():
        if round_.number < number and (tables := round_.outstanding):
            yield Objection("unreported", round=round_.number, tables=tables)


def _standings_changed(record: Record, number: int) -> Iterator[Objection]:
    """Standings that were posted for this round and are others by now; who has dropped since changes nothing."""
    posted = [(position, fact) for position, fact in record.postings if fact.round == number - 1]
    if not posted:
        return
    position, posting = posted[-1]
    rows = posted_rows(record, posting.round)
    was, now = ([row.model_copy(update={"status": ""}) for row in all_rows] for all_rows in (posting.rows, rows))
    if was != now:
        yield Objection("standings changed", round=posting.round, entry=position)


def _not_posted(record: Record, number: int) -> Iterator[Objection]:
    """PKM-4-POST, where the log is of a live event: what a file tells was not posted from here."""
    if not record.imports and (missing := standings_missing(record, number)) is not None:
        yield Objection("not posted", round=missing)


def _seated_wrongly(record: Record, paired: RoundPaired) -> Iterator[Objection]:
    seats = Counter(player for seating in paired.tables for player in seating.players)
    seats.update(bye.player for bye in paired.byes)
    playing = to_be_paired(record, paired.round)
    for player, count in seats.items():
        if count > 1:
            yield Objection("doubled", (player,))
    if strangers := tuple(sorted(seats.keys() - set(playing))):
        yield Objection("not playing", strangers)
    if missing := tuple(player for player in playing if player not in seats):
        yield Objection("missing", missing)


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
