"""Commands that compare two moments of a tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

import typer

from matchledger.cli.files import other_rulebook
from matchledger.cli.options import JsonOption, RulebookOption
from matchledger.cli.session import Moment, Session, reading, show, window_of
from matchledger.cli.tables import columns, table
from matchledger.events import Entry, EntryRetracted
from matchledger.service.comparing import MOMENTS, compare, labelled
from matchledger.service.window import Window, look
from matchledger.text.columns import HISTORY, because, entry_columns, place_text
from matchledger.text.labels import HEADINGS, value_text
from matchledger_projections.fractions import as_text
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.attribution import Cause
from matchledger_projections.views.difference import Change, Difference, Measured, Move

_LISTED = 8  # entries named one by one for a player who moved


@reading
def diff(
    session: Session,
    moment: Moment,
    first: Annotated[str, typer.Argument(help=f"A moment: {MOMENTS}", metavar="FROM")],
    second: Annotated[str, typer.Argument(help="The other moment, written like FROM.", metavar="TO")] = "now",
    rulebook: RulebookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who moved between two moments or two clocks, and the entries that moved them."""
    window, other_law = window_of(session, moment), other_rulebook(rulebook)
    found = look(window, compare, first=first, second=second, rulebook=other_law)
    labels = [sight.label for sight in labelled(window, first, second)]
    show(window, found, _lines(window, found, labels, other_law), as_json=as_json)


def _lines(window: Window, found: Difference, labels: Sequence[str], law: Rulebook | None) -> Iterator[str]:
    record = window.record
    yield f"{found.tournament}, {found.rulebook}"
    if found.hypothetical:
        yield f"HYPOTHETICAL: the tournament was played under {record.rulebook.id}."
    for word, label in zip(("From", "To  "), labels, strict=True):
        yield f"{word} {label}"
    yield from _difference(record, found, law or record.rulebook, window.log())


def _difference(record: Record, found: Difference, law: Rulebook, entries: list[Entry]) -> Iterator[str]:
    if not found.moves:
        yield "No player moved."
        return
    yield ""
    yield from columns(
        ["Player", "Place", law.unit, "What else changed", "Moved by entry"],
        [_move_row(record, move, law) for move in found.moves],
    )
    how = {move.cause.how for move in found.moves}
    yield ""
    if "removal" in how:
        yield "An entry is named where the line would be another without it."
    if "together" in how:
        yield "*  no single entry changes the line: these do so together."
    if "dependency" in how:
        yield "~  named by dependency: too many entries to replay the table without each."
    named = {position for move in found.moves for position in move.cause.entries[:_LISTED]}
    yield ""
    yield from _entries(record, named, entries)


def _move_row(record: Record, move: Move, law: Rulebook) -> list[str]:
    return [*change_cells(record, move.player, move.changes, move.after, law), _cause(move.cause)]


def change_cells(
    record: Record, player: int, changes: Iterable[Change], after: Row | None, law: Rulebook
) -> list[str]:
    """A player who moved, in words: name, place, points, and other changes, each before and after."""
    changed = {change.name: change for change in changes}
    others = [_tiebreak_change(name, changed[name], law) for name in law.tiebreaks if name in changed]
    if (status := changed.get("status")) is not None:
        others.append(f"{status.before or 'not in'} -> {status.after or 'not in'}")
    return [
        record.players[player].name,
        _rank_change(changed, after),
        _from_to(changed.get("points"), after.points if after is not None else ""),
        ", ".join(others),
    ]


def _tiebreak_change(name: TiebreakName, change: Change, law: Rulebook) -> str:
    before, after = (value if isinstance(value, Fraction) else None for value in (change.before, change.after))
    words = [value_text(name, value, law.decimals(name)) or "-" for value in (before, after)]
    if words[0] == words[1]:
        words = ["-" if value is None else as_text(value) for value in (before, after)]
    return f"{HEADINGS[name]} {words[0]} -> {words[1]}"


def _rank_change(changed: Mapping[Measured, Change], after: Row | None) -> str:
    rank_, tied = changed.get("rank"), changed.get("tied")
    now = place_text(after.rank, tied=after.tied) if after is not None else "-"
    if rank_ is None and tied is None:
        return now
    rank_before = rank_.before if rank_ is not None else after.rank if after is not None else None
    was_tied = tied.before if tied is not None else after is not None and after.tied
    return f"{place_text(rank_before, tied=bool(was_tied))} -> {now}"


def _from_to(change: Change | None, unchanged: object) -> str:
    if change is None:
        return str(unchanged)
    before, after = ("-" if value is None else str(value) for value in (change.before, change.after))
    return f"{before} -> {after}"


def _cause(cause: Cause) -> str:
    mark = {"removal": "", "together": "* ", "dependency": "~ "}[cause.how]
    listed = ", ".join(map(str, cause.entries[:_LISTED]))
    more = len(cause.entries) - _LISTED
    return f"{mark}{listed}" + (f" and {more} more" if more > 0 else "")


def _entries(record: Record, named: Iterable[int], entries: list[Entry]) -> Iterator[str]:
    wanted = set(named)

    def what(entry: Entry) -> str:
        return because(_told(record, entry, entries), entry.reason)

    shown = entry_columns(HISTORY, what, lambda entry: entry)
    yield from table(shown, (entry for entry in entries if entry.position in wanted))


def _told(record: Record, entry: Entry, entries: list[Entry]) -> str:
    """An entry in words. A retraction also names the entry that it took back or brought back."""
    said = tell(record, entry.fact)
    if isinstance(entry.fact, EntryRetracted):
        return f"{said} ({tell(record, entries[record.root_of(entry.position) - 1].fact)})"
    return said


COMMANDS: dict[str, Callable[..., None]] = {"diff": diff}
