"""The command that tells every entry about a player, a match or an entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption, stage_of
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading, window_of
from matchledger.cli.tables import columns
from matchledger.questions.log import entry_history, match_history, player_history
from matchledger_projections.record.record import Record
from matchledger_projections.views.history import Touch


@reading
def history(
    session: Session,
    moment: Moment,
    player: Annotated[str | None, typer.Argument(help="Name, beginning of a name, or #number.")] = None,
    table: Annotated[
        tuple[int, int] | None,
        typer.Option("--table", help="A match: its round and its table.", metavar="ROUND TABLE"),
    ] = None,
    entry: Annotated[int | None, typer.Option("--entry", min=1, help="An entry: its position in the log.")] = None,
    elimination: Annotated[bool, typer.Option("--elimination", help="A match of the elimination stage.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show every entry that touched a player, a match or an entry, and what became of it."""
    record = moment.record
    if [player, table, entry].count(None) != 2:  # noqa: PLR2004 - exactly one of the three is there
        raise UsageProblem("name one thing: a PLAYER, --table ROUND TABLE, or --entry POSITION")
    window = window_of(session, moment)
    if player is not None:
        found = player_history(window, find_player(record, player).number)
    elif table is not None:
        found = match_history(window, stage_of(elimination=elimination), *table)
    else:
        found = entry_history(window, entry or 0)
    if as_json:
        typer.echo(json.dumps(found.document(window), ensure_ascii=False))
        return
    about, touches = found
    typer.echo(f"{about}, entries up to {record.position}")
    for line in _history_lines(record, touches):
        typer.echo(line)


def _history_lines(record: Record, touches: Sequence[Touch]) -> Iterator[str]:
    rows = [
        [
            str(touch.entry.position),
            touch.entry.recorded_at.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
            f"{touch.entry.actor} ({touch.entry.role}, {touch.entry.station})",
            touch.what + (f"; {touch.entry.reason}" if touch.entry.reason else ""),
            _fate(record, touch),
        ]
        for touch in touches
    ]
    yield from columns(["Entry", "Recorded", "By", "What", ""], rows, right=[0])


def _fate(record: Record, touch: Touch) -> str:
    """What became of an entry: nothing, if it counts and nobody ever touched it."""
    parts = ["" if touch.counts else "no longer counts"]
    for word, positions in (("superseded", touch.superseded_by), ("retracted", touch.retracted_by)):
        for position in positions:
            undone = ", which was taken back" if record.is_dead(position) else ""
            parts.append(f"{word} by entry {position}{undone}")
    return "; ".join(part for part in parts if part)


COMMANDS: dict[str, Callable[..., None]] = {"history": history}
