"""The command that lists every entry about a player, a match or an entry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption, stage_of
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading, show, window_of
from matchledger.cli.tables import table
from matchledger.service.window import look
from matchledger.text.columns import HISTORY, Column, because, entry_columns
from matchledger_projections.record.record import Record
from matchledger_projections.views.history import HistoryPage, Touch, entry_history, match_history, player_history


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
    """Show every entry about a player, a match or an entry, and whether it still counts."""
    record = moment.record
    if [player, table, entry].count(None) != 2:  # noqa: PLR2004 - exactly one of the three is given
        raise UsageProblem("name one thing: a PLAYER, --table ROUND TABLE, or --entry POSITION")
    window = window_of(session, moment)
    if player is not None:
        found = look(window, player_history, player=find_player(record, player).number)
    elif table is not None:
        stage = stage_of(elimination=elimination)
        found = look(window, match_history, stage=stage, round_number=table[0], table=table[1])
    else:
        found = look(window, entry_history, entry=entry or 0)
    show(window, found, _history_lines(record, found), as_json=as_json)


def _history_lines(record: Record, found: HistoryPage) -> Iterator[str]:
    yield f"{found.about}, entries up to {found.position}"
    fate: Column[Touch] = Column("", lambda touch: _fate(record, touch))
    yield from table([*entry_columns(HISTORY, _what, attrgetter("entry")), fate], found.entries)


def _what(touch: Touch) -> str:
    return because(touch.what, touch.entry.reason)


def _fate(record: Record, touch: Touch) -> str:
    """The fate of an entry; empty if the entry counts and never changed."""
    parts = ["" if touch.counts else "no longer counts"]
    for word, positions in (("superseded", touch.superseded_by), ("retracted", touch.retracted_by)):
        for position in positions:
            undone = ", which was taken back" if record.is_dead(position) else ""
            parts.append(f"{word} by entry {position}{undone}")
    return "; ".join(part for part in parts if part)


COMMANDS: dict[str, Callable[..., None]] = {"history": history}
