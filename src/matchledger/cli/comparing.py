"""Commands that compare two moments of a tournament."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

import typer

from matchledger.cli.files import other_rulebook
from matchledger.cli.options import JsonOption, RulebookOption
from matchledger.cli.session import Moment, Session, UsageProblem, reading, show, window_of
from matchledger.cli.tables import columns, pairings_table, standings_table, table
from matchledger.cli.terminal import steered
from matchledger.events import Entry, EntryRetracted
from matchledger.service.comparing import MOMENTS, compare, labelled
from matchledger.service.window import Window, look
from matchledger.text.columns import HISTORY, because, entry_columns, place_text, recorded_text
from matchledger.text.labels import HEADINGS, value_text
from matchledger_projections.fractions import as_text
from matchledger_projections.message import plain
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.scoring import points_text, unit_name
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.attribution import Cause, View
from matchledger_projections.views.difference import Change, Difference, Measured, Move
from matchledger_projections.views.replay import Frame, entry_steps, frame, frames, round_steps

_LISTED = 8  # the most entries that are listed for a player who moved


@reading
def diff(
    session: Session,
    moment: Moment,
    first: Annotated[str, typer.Argument(help=f"A moment: {MOMENTS}", metavar="FROM")],
    second: Annotated[str, typer.Argument(help="The other moment, written like FROM.", metavar="TO")] = "now",
    rulebook: RulebookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who moved between two moments, or through later corrections, and the entries that moved them."""
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
        ["Player", "Place", unit_name(law.unit), "What else changed", "Moved by entry"],
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
    """Describe a player who moved: name, place, points and other changes, each before and after."""
    changed = {change.name: change for change in changes}
    others = [_tiebreak_change(name, changed[name], law) for name in law.tiebreaks if name in changed]
    if (status := changed.get("status")) is not None:
        others.append(f"{status.before or 'not in'} -> {status.after or 'not in'}")
    return [
        record.players[player].name,
        _rank_change(changed, after),
        _points_change(changed.get("points"), after, law),
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


def _points_change(change: Change | None, after: Row | None, law: Rulebook) -> str:
    if change is None:
        return "" if after is None else points_text(after.points, law.unit)
    counts = (value if isinstance(value, int) else None for value in (change.before, change.after))
    return " -> ".join("-" if count is None else points_text(count, law.unit) for count in counts)


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
    """Describe an entry in words. For a retraction, add the entry that the retraction took back or restored."""
    said = tell(record, entry.fact)
    if isinstance(entry.fact, EntryRetracted):
        return f"{said} ({tell(record, entries[record.root_of(entry.position) - 1].fact)})"
    return said


Pace = Literal["round", "entry"]
_CLEAR = "\x1b[2J\x1b[H"
KEYS = "n next, p previous, r rounds or entries, q quit"


@reading
def replay(
    session: Session,
    moment: Moment,
    by: Annotated[str, typer.Option("--by", help="round or entry.")] = "round",
) -> None:
    """Step through the tournament: n next, p previous, r rounds or entries, q quit; a pipe gets every step."""
    if by not in ("round", "entry"):
        raise UsageProblem(f"--by is round or entry, not {by!r}")
    entries = list(session.ledger.entries(session.tournament, through=moment.position))
    pace: Pace = "round" if by == "round" else "entry"
    if sys.stdin.isatty() and sys.stdout.isatty():
        _step_through(entries, moment, pace)
        return
    steps = _steps(entries, moment, pace)
    if not steps:
        raise UsageProblem("no round is played yet: step through the entries with --by entry")
    for number, shown in enumerate(frames(entries, steps), 1):
        for line in _shown(shown, pace, moment, number, len(steps)):
            typer.echo(line)
        typer.echo()


def _steps(entries: list[Entry], moment: Moment, pace: Pace) -> list[View]:
    return entry_steps(entries) if pace == "entry" else round_steps(entries, moment.clock)


def _step_through(entries: list[Entry], moment: Moment, pace: Pace) -> None:
    """Show one step at a time on a terminal. The reader stays at the same entry when switching between rounds and
    entries.
    """
    if not (steps := _steps(entries, moment, pace)):
        pace, steps = "entry", _steps(entries, moment, "entry")
    index = 0
    while True:
        typer.echo(_CLEAR, nl=False, file=steered())
        for line in _shown(frame(entries, steps, index), pace, moment, index + 1, len(steps)):
            typer.echo(line)
        typer.echo(f"[{KEYS}]")
        match typer.getchar().casefold():
            case "n" | " " | "\r" | "\n":
                index = min(index + 1, len(steps) - 1)
            case "p":
                index = max(index - 1, 0)
            case "r":
                position = steps[index].position
                other: Pace = "entry" if pace == "round" else "round"
                if found := _steps(entries, moment, other):
                    pace, steps = other, found
                    reached = (at for at, step in enumerate(steps) if step.position >= position)
                    index = next(reached, len(steps) - 1)
            case "q" | "\x03" | "\x04" | "\x1b":
                return
            case _:
                pass


def _shown(shown: Frame, pace: Pace, moment: Moment, number: int, of: int) -> Iterator[str]:
    return _round(shown, moment, number, of) if pace == "round" else _entry(shown, number, of)


def _round(shown: Frame, moment: Moment, number: int, of: int) -> Iterator[str]:
    record, law = shown.record, shown.record.rulebook
    clock = moment.clock.replace("-", " ")
    yield f"Step {number} of {of}: after round {shown.view.round}, {clock}, entry {shown.view.position}"
    played = record.round(shown.view.round)
    if played is not None:
        yield from pairings_table(record, played)
        yield ""
    moved = {
        player for player, changes in shown.changes.items() if any(change.name == "rank" for change in changes)
    }
    heads, *rows = standings_table(record, shown.table, law)
    yield f"  {heads}"
    for row, line in zip(shown.table.rows, rows, strict=True):
        yield f"{'*' if row.player in moved else ' '} {line}"
    if moved:
        yield "* another place than at the step before"


def _entry(shown: Frame, number: int, of: int) -> Iterator[str]:
    entry, record = shown.entry, shown.record
    when = recorded_text(entry)
    yield f"Step {number} of {of}: entry {entry.position}, {when}, {entry.actor} ({entry.role}, {entry.station})"
    yield tell(record, entry.fact) + (f"; {plain(entry.reason)}" if entry.reason else "")
    played = record.opening is not None and shown.view.round > 0
    if played and shown.changes:
        law = record.rulebook
        rows = {row.player: row for row in shown.table.rows}
        cells = [
            change_cells(record, player, changes, rows.get(player), law)
            for player, changes in shown.changes.items()
        ]
        yield from columns(
            [f"* after round {shown.view.round}", "Place", unit_name(law.unit), "What else changed"], cells
        )
