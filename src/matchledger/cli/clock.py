"""The command that shows the clock of a round."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

import typer

from matchledger.cli.clock_live import show_live
from matchledger.cli.clock_text import clock_lines
from matchledger.cli.options import JsonOption, stage_of
from matchledger.cli.session import Moment, Session, reading, window_of
from matchledger.cli.timekeeping import in_play
from matchledger.commands.draft import now
from matchledger.service.readings import clock as clock_of
from matchledger.service.readings import round_on_clock
from matchledger.service.window import look


@reading
def clock(
    session: Session,
    moment: Moment,
    elimination: Annotated[bool, typer.Option("--elimination", help="A round of the elimination stage.")] = False,
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


COMMANDS: dict[str, Callable[..., None]] = {"clock": clock}
