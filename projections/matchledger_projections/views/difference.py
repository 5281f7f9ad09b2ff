"""Differences: the changes between two moments of a tournament, or between a round as known and as corrected, and
the entries behind the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct

from matchledger.events import Entry
from matchledger_projections.document import SPREAD, UNSAID, As, Player
from matchledger_projections.fractions import as_text
from matchledger_projections.record.record import fold
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.attribution import LARGEST_REPLAY, Cause, Seen, View, causes
from matchledger_projections.views.sight import title

Measured = Literal["rank", "points", "status", "tied"] | TiebreakName
Value = Fraction | int | str | bool | None


Cell = str | int | bool | None


class Change(NamedTuple):
    """One cell of a player's line, before and after. `before` or `after` is None if the line had no such cell."""

    name: Measured
    before: Value
    after: Value


def changes_written(changes: Sequence[Change], _: object) -> dict[str, tuple[Cell, Cell]]:
    """Return the changed cells by name, each before and after."""
    return {change.name: (_cell(change.before), _cell(change.after)) for change in changes}


def _cell(value: Value) -> Cell:
    return as_text(value) if isinstance(value, Fraction) else value


Changes = Annotated[tuple[Change, ...], As(changes_written, dict[str, tuple[Cell, Cell]])]


class Move(Struct, frozen=True):
    """A player whose line changed, the changed cells, and the entries that changed them.

    `before` or `after` is None for a player who was not in the standings at that moment.
    """

    player: Player
    changes: Changes
    cause: Annotated[Cause, SPREAD]
    before: Annotated[Row | None, UNSAID]
    after: Annotated[Row | None, UNSAID]


class Difference(Struct, frozen=True):
    """The players who moved between two moments, in the order of the second standings, as `matchledger diff --json`
    prints them. `unit` names what the points count, such as half points.
    """

    tournament: str
    rulebook: str
    unit: str
    hypothetical: bool
    from_: View
    to: View
    moves: tuple[Move, ...]


def difference(
    entries: Sequence[Entry],
    first: View,
    second: View,
    rulebook: Rulebook | None = None,
    largest: int = LARGEST_REPLAY,
) -> Difference:
    """Return the changes from one view of a log to another, and their causes.

    An entry is a cause for a player if only one view has the entry, and the player's line there would differ
    without the entry. If replaying without each entry would take more than `largest` entries times players,
    dependency decides instead. Every cause names the method by which it was found.
    """
    whole = fold(entries)
    seen_first, seen_second = (Seen.of(view, whole.as_of(view.position), rulebook) for view in (first, second))
    changed = changed_lines(seen_first.rows.values(), seen_second.rows.values())
    found = causes(entries, seen_first, seen_second, changed.keys(), rulebook, largest)
    moves = [
        Move(player, changes, found[player], seen_first.rows.get(player), seen_second.rows.get(player))
        for player, changes in changed.items()
    ]
    record, law = seen_second.record, rulebook or seen_second.record.rulebook
    return Difference(title(record), law.id, law.unit, rulebook is not None, first, second, tuple(moves))


def changed_lines(before: Iterable[Row], after: Iterable[Row]) -> dict[int, tuple[Change, ...]]:
    """Return the players whose lines differ between two standings, in the order of the second, with the changed
    cells.
    """
    rows_before = {row.player: row for row in before}
    rows_after = {row.player: row for row in after}
    changed: dict[int, tuple[Change, ...]] = {}
    for player in dict.fromkeys([*rows_after, *rows_before]):
        changes = _changes(rows_before.get(player), rows_after.get(player))
        if changes:
            changed[player] = changes
    return changed


def _changes(before: Row | None, after: Row | None) -> tuple[Change, ...]:
    cells_before, cells_after = _cells(before), _cells(after)
    return tuple(
        Change(name, cells_before.get(name), cells_after.get(name))
        for name in dict.fromkeys([*cells_before, *cells_after])
        if cells_before.get(name) != cells_after.get(name)
    )


def _cells(row: Row | None) -> dict[Measured, Value]:
    if row is None:
        return {}
    numbers: dict[Measured, Value] = {name: value for name, value in row.tiebreaks.items()}  # noqa: C416 - for a wider type
    return {"rank": row.rank, "points": row.points, "status": row.status, "tied": row.tied, **numbers}
