"""The hall on the desk's page: a tile for each table of the current round, by division."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.events import JudgeCalled
from matchledger.notation.outcomes import outcome_keys
from matchledger.web.naming import tile_name
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.divisions.tables import ranked_apart
from matchledger_projections.record.desk_calls import open_calls, open_contradictions
from matchledger_projections.record.phones import contested as differing
from matchledger_projections.record.phones import open_requests
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE

State = Literal["open", "in", "extra", "call", "conflict"]
Answering = Literal["", "corrections", "phones"]


class Tile(NamedTuple):
    """A table: its number, its players with their scores (None without scores), the winner, and its state."""

    table: int
    state: State
    is_out: bool
    names: tuple[str, str]
    scores: tuple[int, ...] | None
    winner: int | None  # the winner's side: 0 or 1
    more: int  # extra minutes at this table
    answered_on: Answering  # the page of the desk where the table's question is answered


class Zone(Struct, frozen=True):
    """The tables of a division, in order. `division` is "" if everybody is ranked together."""

    division: str
    tiles: list[Tile]
    byes: list[str]

    @property
    def out(self) -> int:
        """Return how many tables have no result."""
        return sum(tile.is_out for tile in self.tiles)

    @property
    def unsettled(self) -> int:
        """Return how many tables have two slips or reports that differ."""
        return sum(tile.state == "conflict" for tile in self.tiles)


class Key(NamedTuple):
    """A key of the pad for one table: its outcome, and the names of the winner and of the kind of result.

    `winner` is "" for a draw, and `kind` is "" for a plain win.
    """

    key: str
    outcome: str
    winner: str
    kind: str


class Chosen(Struct, frozen=True):
    """The selected table on the plan of the hall, with the keys for its slip."""

    tile: Tile
    division: str
    players: tuple[tuple[int, str], tuple[int, str]]
    keys: list[Key]


def chosen_table(record: Record, round_: Round, halls: list[Zone], table: int | None) -> Chosen | None:
    """Return the selected table of the round, or None if the round has no such table."""
    found = next(((zone, tile) for zone in halls for tile in zone.tiles if tile.table == table), None)
    if found is None:
        return None
    zone, tile = found
    first, second = round_.tables[tile.table]
    sides = {"a": tile.names[0], "b": tile.names[1]}
    keys = [
        Key(key.key, key.outcome, sides.get(key.side or "", ""), "" if key.kind == "win" else key.kind)
        for key in outcome_keys(record.rulebook, round_.stage)
    ]
    names = record.players
    return Chosen(tile, zone.division, ((first, names[first].name), (second, names[second].name)), keys)


def zones(record: Record, round_: Round) -> list[Zone]:
    """Return one zone for each division that plays apart, or one zone for everybody. After the tournament is
    closed, no table is shown as waiting.
    """
    apart = ranked_apart(record)
    found: dict[str, Zone] = {}

    def zone(player: int) -> Zone:
        division = division_of(record, player) if apart else ""
        return found.setdefault(division, Zone(division, [], []))

    clock, waiting = record.clock(round_), asking(record, round_)
    for table, players, report in round_.results():
        seated = [record.players[player] for player in players]
        first, second = map(tile_name, seated)
        if first == second:
            first, second = (player.name for player in seated)
        more = clock.more(table) // MINUTE
        state: State = "open" if report is None else "in"
        if report is None and more:
            state = "extra"
        state, page = waiting.get(table, (state, ""))
        winner = None if report is None or report.winner is None else players.index(report.winner)
        scores = None if report is None else report.score
        tile = Tile(table, state, report is None, (first, second), scores, winner, more, page)
        zone(players[0]).tiles.append(tile)
    for bye in round_.byes:
        zone(bye.player).byes.append(record.players[bye.player].name)
    return list(found.values())


def asking(record: Record, round_: Round) -> dict[int, tuple[State, Answering]]:
    """Return the tables of a round that wait for an answer, with their state and the page that answers them. A
    conflict goes before a call. After the end nobody waits.
    """
    if record.closing is not None:
        return {}
    here = (round_.stage, round_.number)
    found: dict[int, tuple[State, Answering]] = {}
    for request in open_requests(record):
        if isinstance(request.fact, JudgeCalled) and (table := round_.table_of(request.fact.by)) is not None:
            found[table] = ("call", "phones")
    for call in open_calls(record):
        if (call.fact.stage, call.fact.round) == here:
            found[call.fact.table] = ("call", "corrections")
    for pair in differing(record, round_):
        found[pair.first[1].table] = ("conflict", "phones")
    for _, fact in open_contradictions(record):
        if (fact.stage, fact.round) == here:
            found[fact.table] = ("conflict", "corrections")
    return found
