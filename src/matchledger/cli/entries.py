"""Commands that show the entries of the log: `log` and `history`."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from operator import attrgetter
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption, stage_of
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading, show, window_of
from matchledger.cli.tables import fitted, table
from matchledger.events import Entry
from matchledger.service.window import look
from matchledger.text.columns import HISTORY, LOG, Column, because, entry_columns
from matchledger_projections.document import PRIVATE
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.views.history import HistoryPage, Touch, entry_history, match_history, player_history


@reading
def log(
    session: Session,
    moment: Moment,
    as_json: Annotated[bool, typer.Option("--json", help="One entry per line, as JSON.")] = False,
    tail: Annotated[
        int | None, typer.Option("--tail", min=1, help="Show only this many of the last entries.")
    ] = None,
) -> None:
    """Show the log: every entry, who made it, when, and whether it still counts."""
    entries = session.ledger.entries(session.tournament, through=moment.position)
    if moment.through is not None:
        entries = iter(about_rounds(entries, moment.through))
    if tail is not None:
        entries = iter(deque(entries, maxlen=tail))
    if as_json:
        for entry in entries:
            typer.echo(entry.model_dump_json(exclude={"fact": PRIVATE}))
        return
    record = moment.record
    fate: Column[Entry] = Column("", lambda entry: "no longer counts" if record.is_dead(entry.position) else "")

    def what(entry: Entry) -> str:
        return because(tell(record, entry.fact), entry.reason)

    for line in fitted(table([*entry_columns(LOG, what, lambda entry: entry), fate], entries)):
        typer.echo(line)


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
    elimination: Annotated[
        bool, typer.Option("--elimination", help="The match is in the elimination stage.")
    ] = False,
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
    show(window, found, fitted(_history_lines(record, found)), as_json=as_json)


def _history_lines(record: Record, found: HistoryPage) -> Iterator[str]:
    yield f"{found.about}, entries up to {found.position}"
    fate: Column[Touch] = Column("", lambda touch: _fate(record, touch))
    yield from table([*entry_columns(HISTORY, _what, attrgetter("entry")), fate], found.entries)


def _what(touch: Touch) -> str:
    return because(touch.what, touch.entry.reason)


def _fate(record: Record, touch: Touch) -> str:
    """Say what happened to an entry later. The text is empty if the entry counts and never changed."""
    parts = ["" if touch.counts else "no longer counts"]
    for word, positions in (("superseded", touch.superseded_by), ("retracted", touch.retracted_by)):
        for position in positions:
            undone = ", which was taken back" if record.is_dead(position) else ""
            parts.append(f"{word} by entry {position}{undone}")
    return "; ".join(part for part in parts if part)
