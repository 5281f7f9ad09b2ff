"""Messages after players left or returned."""

from __future__ import annotations

import typer

from matchledger.cli.recording import Printer
from matchledger.cli.session import Session
from matchledger.commands.roster import DisqualifyPlayer, DropPlayer, RejoinPlayer
from matchledger.service.execute import Done
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.stages.leaving import in_line, may_replace


def _moved(what: str) -> Printer:
    def told(session: Session, command: DropPlayer | RejoinPlayer | DisqualifyPlayer, _: Done) -> None:
        record, number = session.record, command.player
        typer.echo(f"{record.players[number].name} {what} (entry {record.position}).")
        latest = record.current_round
        table = latest.table_of(number) if latest is not None else None
        if latest is not None and table in latest.outstanding:
            typer.echo(f"Table {table} is still open: report its result.")
        if number in qualifiers(record) and record.status(number) != "active" and may_replace(record):
            typer.echo(f"No elimination game has been played: replace gives the place to {_next(record, number)}.")

    return told


def _next(record: Record, leaver: int) -> str:
    """Name the next player to offer the free place in the bracket to, or several players who are tied."""
    line = in_line(record, leaver)
    return " or ".join(record.players[number].name for number in line[0]) if line else "the next in line"


PRINTERS: dict[str, Printer] = {
    "drop": _moved("has dropped"),
    "rejoin": _moved("is back"),
    "disqualify": _moved("is disqualified"),
}
