"""Places: the standings on a page, with a section for each division that is ranked separately.

A page shows the places of the posted paper: if divisions play apart, a place counts within the division.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from matchledger.text.labels import shown_tiebreaks
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.divisions.tables import DivisionTable, division_tables, ranked_apart
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.stages.bracket import seeds_of_cut
from matchledger_projections.stages.cut import flights_in
from matchledger_projections.stages.structure import cuts_of
from matchledger_projections.standings.crosstable import Crosstable, Outcome
from matchledger_projections.standings.standings import Row, Standings, standings
from matchledger_projections.views.cutline import cut_line as line_of_cut

LETTERS: dict[Outcome, str] = {"win": "W", "bye": "B", "draw": "D", "loss": "L", "absence": "L"}


class Tally(NamedTuple):
    """Matches won, lost and drawn. A bye is a win, and an absence is a loss."""

    won: int
    lost: int
    drawn: int

    def __str__(self) -> str:
        return "\N{EN DASH}".join(map(str, self))


class Met(NamedTuple):
    """A player's round as a letter: W, L, D, B for a bye, N for the current match. The opponent is None for a bye
    and for a missed round.
    """

    letter: str
    opponent: int | None


class Moved(NamedTuple):
    """How a line of the standings has changed since an earlier moment, and the entries behind the change.

    `before` is the place at the earlier moment, or None.
    """

    before: int | None
    entries: tuple[int, ...]


class Line(NamedTuple):
    """A player's line in the standings. `climbed` is the number of places that the player gained since the round
    before, as both places are printed, or None if unknown. `moved` is None if nothing in the line has changed since
    the earlier moment.
    """

    row: Row
    name: str
    tally: Tally
    met: tuple[Met, ...]
    climbed: int | None
    moved: Moved | None


class Edge(NamedTuple):
    """The line that divides the places below place `last`, for a cut to `places` players. `players` who can make
    the cut are above the line: more than the places if they are tied.
    """

    places: int
    last: int
    players: int


class Section(Struct, frozen=True):
    """Players who are ranked together. `division` is "" for everybody. `cut` is None where no line divides the
    places.
    """

    division: str
    round: int
    cut: Edge | None
    tiebreaks: list[TiebreakName]
    lines: list[Line]
    tied: bool


def ranked(record: Record, round_: int | None = None) -> list[DivisionTable]:
    """Return one table of standings for everybody, or one for each division that plays apart."""
    if ranked_apart(record):
        return division_tables(record, round_)
    table = standings(record, round_)
    return [DivisionTable("", table.round, table, tuple(table.rows))]


def rows_of(tables: Iterable[DivisionTable]) -> dict[int, Row]:
    """Return every player's line, best first, division after division."""
    return {row.player: row for table in tables for row in table.rows}


def tally(table: Crosstable, player: int, through: int | None = None) -> Tally:
    """Count a player's results over the rounds of a table, or only through a round."""
    if player >= table.size:
        return Tally(0, 0, 0)
    outcomes = table.outcomes[player][:through]
    won = outcomes.count("win") + outcomes.count("bye")
    return Tally(won, outcomes.count("loss") + outcomes.count("absence"), outcomes.count("draw"))


def cut_of_division(record: Record, division: str) -> int | None:
    """Return the size of a division's cut, made or announced, or None without a cut."""
    made = [len(cut.seeds) for cut in record.cuts if cut.division in (division or None, None)]
    if made or record.structure is None:
        return made[0] if made else None
    cuts = cuts_of(record.structure)
    return cuts.get(division, cuts.get(None))


def cut_line(record: Record, one: DivisionTable) -> Edge | None:
    """Return the line of a division's cut, or None where no line divides the places: without a cut, or if each
    flight sends its own best players (PKM-3.3.3.2-FINALS). A player who left takes no place inside. After a
    disqualification, others than the qualifiers can be above the line: then there is none.
    """
    size = cut_of_division(record, one.division)
    if not size or flights_sending(record, one.division, size):
        return None
    made = next((cut for cut in record.cuts if cut.division in (one.division or None, None)), None)
    if made is not None and made.round == one.round:
        last = max((row.rank or 0 for row in one.rows if row.player in made.seeds), default=size)
        above = [row for row in one.rows if row.rank is not None and row.rank <= last and row.status == "active"]
        return Edge(size, last, size) if all(row.player in made.seeds for row in above) else None
    ranks = [row.rank for row in one.rows if row.rank is not None and row.status == "active"]
    last = ranks[size - 1] if len(ranks) >= size else max(size, *ranks, 0)
    return Edge(size, last, sum(rank <= last for rank in ranks))


def inside_by_flights(record: Record, one: DivisionTable) -> frozenset[int]:
    """Return the players of a division who are inside the cut, if each flight sends its own best players. Otherwise
    return an empty set, because a line divides the places.
    """
    size = cut_of_division(record, one.division)
    if not size or not flights_sending(record, one.division, size):
        return frozenset()
    made = next((cut for cut in record.cuts if cut.division in (one.division or None, None)), None)
    if made is not None:
        return frozenset(seeds_of_cut(record, made))
    return frozenset(line_of_cut(record, one.table, size, one.division or None).inside)


def flights_sending(record: Record, division: str, size: int) -> list[frozenset[int]]:
    """Return the flights of a division that each send their own best players to a cut, or an empty list."""
    flights = flights_in(record, division or None)
    return flights if len(flights) > 1 and size % len(flights) == 0 else []


def flights_of_players(record: Record, tables: Iterable[DivisionTable]) -> dict[int, int]:
    """Return the number of each player's flight within the division, for divisions with several flights."""
    drawn = [flights_in(record, one.division or None) for one in tables]
    return {
        player: number
        for flights in drawn
        for number, flight in enumerate(flights, 1)
        for player in flight
        if len(flights) > 1
    }


class Planned(NamedTuple):
    """The announced structure of a division (or "" for all players): players, Swiss rounds, and the size of the
    cut.
    """

    division: str
    players: int
    rounds: int
    cut: int | None


def structure_of(record: Record) -> list[Planned]:
    """Return the announced structure, one line for each division that plays apart, or an empty list without an
    announcement.
    """
    plan = record.structure
    if plan is None:
        return []
    sizes = Counter(division_of(record, player.number) for player in record.entered())
    apart = ranked_apart(record)
    return [
        Planned(
            division,
            sizes[division] if apart else sizes.total(),
            plan.division_rounds.get(division, plan.rounds),
            cut_of_division(record, division),
        )
        for division in apart or ("",)
    ]


def sections(
    record: Record, names: Record, tables: list[DivisionTable], moved: Mapping[int, Moved], now: int | None = None
) -> list[Section]:
    """Return the sections of a standings page.

    `names` is the record with public names.

    `now` is the current round, whose opponent is at the end of each line.
    """
    before = rows_of(ranked(record, tables[0].round - 1)) if tables and tables[0].round > 1 else {}
    return [
        Section(
            one.division,
            one.round,
            cut_line(record, one),
            shown_tiebreaks(record.rulebook, one.table),
            [
                _line(
                    record,
                    names,
                    one.table,
                    row,
                    _climbed(before, row),
                    moved,
                    now,
                )
                for row in one.rows
            ],
            any(row.tied for row in one.rows),
        )
        for one in tables
    ]


def _climbed(before: Mapping[int, Row], row: Row) -> int | None:
    """Return how many places a player gained, from the printed place to the printed place."""
    then = before.get(row.player)
    return None if then is None or then.rank is None or row.rank is None else then.rank - row.rank


def _line(
    record: Record,
    names: Record,
    table: Standings,
    row: Row,
    climbed: int | None,
    moved: Mapping[int, Moved],
    now: int | None,
) -> Line:
    change = moved.get(row.player)
    return Line(
        row,
        names.players[row.player].name,
        tally(table.table, row.player),
        tuple(_met(record, table.table, row.player, now)),
        climbed,
        change if change and change.before != row.rank else None,
    )


def _met(record: Record, table: Crosstable, player: int, now: int | None) -> Iterable[Met]:
    if player >= table.size:
        return
    for line in table.lines(player):
        yield Met(LETTERS[line.outcome], line.opponent)
    if now is None or now <= table.through or (round_ := record.round(now)) is None:
        return
    if (seat := round_.table_of(player)) is not None:
        first, second = round_.tables[seat]
        yield Met("N", second if first == player else first)


def letter_of(record: Record, player: int) -> str:
    """Return the division of a player as a letter, or "" without a division."""
    return division_of(record, player)[:1].upper()
