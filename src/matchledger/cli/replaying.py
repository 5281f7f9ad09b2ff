"""The command that steps through a tournament."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Literal

import typer

from matchledger.cli.comparing import change_cells
from matchledger.cli.session import Moment, Session, UsageProblem, reading
from matchledger.cli.tables import columns, pairings_table, standings_table
from matchledger.cli.terminal import steered
from matchledger.events import Entry
from matchledger.text.columns import recorded_text
from matchledger_projections.message import plain
from matchledger_projections.narration import tell
from matchledger_projections.views.attribution import View
from matchledger_projections.views.replay import Frame, entry_steps, frame, frames, round_steps

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
    """Show one step at a time on a terminal. The reader stays at the same entry when the pace changes."""
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
        yield from columns([f"* after round {shown.view.round}", "Place", law.unit, "What else changed"], cells)


COMMANDS: dict[str, Callable[..., None]] = {"replay": replay}
