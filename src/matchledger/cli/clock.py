"""The round's clock as text, and in large digits on a terminal, where it runs until Ctrl-C."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from matchledger.cli.clock_text import clock_lines, mark_lines, state, sudden_death_lines, table_lines, title
from matchledger.cli.options import JsonOption, stage_of
from matchledger.cli.session import Moment, Session, reading, window_of
from matchledger.cli.terminal import steered
from matchledger.cli.timekeeping import in_play
from matchledger.commands.draft import now
from matchledger.service.readings import clock as clock_of
from matchledger.service.readings import round_on_clock
from matchledger.service.window import look
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import RoundClock, clock_face
from matchledger_projections.views.sight import title as name_of_event


@reading
def clock(
    session: Session,
    moment: Moment,
    elimination: Annotated[
        bool, typer.Option("--elimination", help="Take the round from the elimination stage.")
    ] = False,
    once: Annotated[
        bool, typer.Option("--once", help="Print the clock once and exit, as when the output is not a terminal.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the round's clock; in a terminal it runs until Ctrl-C."""
    stage = stage_of(elimination=elimination)
    window = window_of(session, moment)
    record, round_ = moment.record, round_on_clock(window, stage)
    if as_json:
        typer.echo(json.dumps(window.document(look(window, clock_of, stage=stage)), ensure_ascii=False))
    elif once or moment.round is not None or record is not session.record or not sys.stdout.isatty():
        for line in clock_lines(record, round_, now()):
            typer.echo(line)
    else:
        _live(session)


def _live(session: Session) -> None:
    with suppress(KeyboardInterrupt):
        show_live(lambda: (session.record, in_play(session.record)[0]), now)


# Each character of the large digits has five rows. A terminal's letters are narrow, so every column is drawn twice
# as wide.
_FONT = {
    "0": ("###", "# #", "# #", "# #", "###"),
    "1": ("  #", "  #", "  #", "  #", "  #"),
    "2": ("###", "  #", "###", "#  ", "###"),
    "3": ("###", "  #", "###", "  #", "###"),
    "4": ("# #", "# #", "###", "  #", "  #"),
    "5": ("###", "#  ", "###", "  #", "###"),
    "6": ("###", "#  ", "###", "# #", "###"),
    "7": ("###", "  #", "  #", "  #", "  #"),
    "8": ("###", "# #", "###", "# #", "###"),
    "9": ("###", "# #", "###", "  #", "###"),
    ":": (" ", "#", " ", "#", " "),
    "-": ("   ", "   ", "###", "   ", "   "),
}
_BLOCK = "\N{FULL BLOCK}"
_ROWS = 5


def show_live(
    look: Callable[[], tuple[Record, Round]], now: Callable[[], datetime], *, beats: int | None = None
) -> None:
    """Draw the clock once a second until interrupted, or `beats` times. `look` reads the log again before each
    drawing.
    """
    console = Console(highlight=False, file=steered())
    with Live(console=console, screen=True, auto_refresh=False) as live:
        while beats is None or beats > 0:
            record, round_ = look()
            live.update(_styled(record, round_, now(), console), refresh=True)
            beats = None if beats is None else beats - 1
            if beats != 0:
                time.sleep(1 - now().microsecond / 1_000_000)


def _styled(record: Record, round_: Round, now: datetime, console: Console) -> Text:
    lines = picture(record, round_, now, width=console.width, height=console.height)
    over = (record.clock(round_).remaining(now) or 0) < 0
    text = Text(no_wrap=True, overflow="ellipsis")
    for line in lines:
        text.append(line + "\n", style=("bold red" if over else "bold") if _BLOCK in line else "")
    text.rstrip()
    return text


def picture(record: Record, round_: Round, now: datetime, *, width: int, height: int) -> list[str]:
    """Return the clock as lines for a terminal of `width` columns and `height` lines. If some tables do not fit, a
    note gives their number.
    """
    clock = record.clock(round_)
    lines = [f"{name_of_event(record)}  {title(round_)}".strip(), ""]
    lines += _digits(_face(clock, now), width)
    lines += ["", state(clock, now)]
    if (said := _last_said(clock, now)) is not None:
        lines += ["", said]
    lines += ["", *mark_lines(clock, now)]
    waiting, tables = len(round_.outstanding), len(round_.tables)
    end = ["", f"{tables - waiting} of {tables} tables reported.  Ctrl-C ends."]
    extended = list(table_lines(record, round_, clock, now)) or list(sudden_death_lines(record, round_, clock, now))
    room = height - len(lines) - len(end) - 1
    if len(extended) > room:
        missing = len(extended) - max(room - 1, 1)  # the table's headings take lines too
        extended = [*(extended[: room - 1] if room > 1 else ()), f"... and {missing} more, see clock --once"]
    lines += ["", *extended] if extended else []
    return [*lines, *end][:height]


def _face(clock: RoundClock, now: datetime) -> str:
    """Return the time that the large digits show: the time left, or the time played if the round has no limit."""
    remaining, elapsed = clock.remaining(now), clock.elapsed(now)
    if remaining is not None:
        return clock_face(remaining)
    return clock_face(clock.seconds if elapsed is None and clock.seconds is not None else elapsed or 0)


def _last_said(clock: RoundClock, now: datetime) -> str | None:
    """Return the announcement of the latest mark that the clock has passed, or None before the first mark."""
    elapsed = clock.elapsed(now)
    reached = [due.mark.says for due in clock.due() if elapsed is not None and elapsed >= due.at]
    return reached[-1] if reached else None


def _digits(face: str, width: int) -> Iterator[str]:
    """Yield the lines of a time in block letters, or as plain text in a narrow terminal."""
    rows = ["  ".join(_wide(_FONT[sign][row]) for sign in face) for row in range(_ROWS)]
    if len(rows[0]) > width:
        yield face
        return
    yield from (" " * ((width - len(row)) // 2) + row for row in rows)


def _wide(row: str) -> str:
    return "".join(_BLOCK * 2 if dot == "#" else "  " for dot in row)
