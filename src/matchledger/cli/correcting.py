"""Messages after a correction."""

from __future__ import annotations

import typer

from matchledger.cli.recording import Printer
from matchledger.cli.results import match_as_reported, why
from matchledger.cli.session import Session
from matchledger.commands.command import Command
from matchledger.commands.results import CorrectSlip, RetractEntry
from matchledger.events import EntryRetracted
from matchledger.service.execute import Done
from matchledger_projections.narration import tell
from matchledger_projections.pairing.repair import late_corrections
from matchledger_projections.record.record import Record


def _corrected(session: Session, command: CorrectSlip, done: Done) -> None:
    record, first = session.record, done.entries[0]
    superseded = getattr(first.fact, "supersedes", None)
    typer.echo(
        f"Round {command.round}, table {command.table}: "
        f"{match_as_reported(record, command.table, command.round, stage=command.stage)} "
        f"(entry {first.position} replaces entry {superseded})"
    )
    for line in why(record, command.table, command.round, stage=command.stage):
        typer.echo(f"  {line}")
    _say_repairable(record, done)


def _retracted(session: Session, command: RetractEntry, done: Done) -> None:
    entry = session.ledger.entry(session.tournament, command.position)
    typer.echo(
        f"Entry {command.position} no longer counts (entry {done.record.position}): {tell(done.record, entry.fact)}"
    )
    _say_repairable(done.record, done)


def _undone(session: Session, command: Command, done: Done) -> None:  # noqa: ARG001 - the main message is enough
    record = done.record
    for made in done.entries:
        if not isinstance(made.fact, EntryRetracted):
            typer.echo(f"{tell(record, made.fact)} (entry {made.position})")
            continue
        about = session.ledger.entry(session.tournament, record.root_of(made.fact.retracts))
        counts = "no longer counts" if record.is_dead(about.position) else "counts again"
        typer.echo(f"Entry {about.position} {counts} (entry {made.position}): {tell(record, about.fact)}")
    _say_repairable(record, done)


def _say_repairable(record: Record, done: Done) -> None:
    """Tell the desk that the new entries changed the records behind the current pairings."""
    latest = record.latest_round()
    if latest is None or record.cut is not None or not latest.outstanding:
        return
    if not {entry.position for entry in done.entries}.isdisjoint(late_corrections(record, latest)):
        typer.echo(f"Round {latest.number} was paired before: matchledger repair lists your options.")


PRINTERS: dict[str, Printer] = {"correct": _corrected, "retract": _retracted, "undo": _undone, "redo": _undone}
