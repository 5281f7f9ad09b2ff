"""Messages after a correction."""

from __future__ import annotations

import typer

from matchledger.cli.clock_text import round_title
from matchledger.cli.recording import Printer, tell_entries
from matchledger.cli.results import match_as_reported, why
from matchledger.cli.session import Session
from matchledger.commands.command import Command
from matchledger.commands.results import CorrectSlip
from matchledger.events import EntryRetracted
from matchledger.service.execute import Done
from matchledger_projections.pairing.repair import late_corrections
from matchledger_projections.record.record import Record


def _corrected(session: Session, command: CorrectSlip, done: Done) -> None:
    record, first = session.record, done.entries[0]
    said = match_as_reported(record, command.table, command.round, stage=command.stage)
    match first.fact:
        case EntryRetracted():
            refused = (str(each.fact.retracts) for each in done.entries if isinstance(each.fact, EntryRetracted))
            noted = f"stays; refused slip settled: entry {', '.join(refused)}"
        case fact:
            noted = f"entry {first.position} replaces entry {getattr(fact, 'supersedes', None)}"
    typer.echo(f"{round_title(command.stage, command.round)}, table {command.table}: {said} ({noted})")
    for line in why(record, command.table, command.round, stage=command.stage):
        typer.echo(f"  {line}")
    _say_repairable(record, done)


def _taken_back(session: Session, command: Command, done: Done) -> None:
    tell_entries(session, command, done)
    _say_repairable(done.record, done)


def _say_repairable(record: Record, done: Done) -> None:
    """Tell the desk if the new entries changed results from which the current round was paired."""
    latest = record.latest_round()
    if latest is None or record.cut is not None or not latest.outstanding:
        return
    if not {entry.position for entry in done.entries}.isdisjoint(late_corrections(record, latest)):
        typer.echo(f"Round {latest.number} was paired before: matchledger repair lists your options.")


PRINTERS: dict[str, Printer] = {
    "correct": _corrected,
    "retract": _taken_back,
    "undo": _taken_back,
    "redo": _taken_back,
}
