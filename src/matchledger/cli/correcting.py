"""Commands that put wrong results and entries right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from matchledger.cli.previewing import Foresight, foreseeing
from matchledger.cli.results import match_as_reported, why
from matchledger.cli.session import Session, writing
from matchledger.commands import results as slips
from matchledger.commands.draft import now
from matchledger.events import Stage
from matchledger.notation.outcomes import HELP, read_outcome
from matchledger_projections.narration import tell
from matchledger_projections.pairing.repair import late_corrections
from matchledger_projections.record.record import Record


@writing
@foreseeing
def correct(
    session: Session,
    foresight: Foresight,
    round_: Annotated[int, typer.Argument(help="The round of the wrong slip.", metavar="ROUND")],
    table: Annotated[int, typer.Argument(help="Its table.")],
    outcome: Annotated[list[str], typer.Argument(help=HELP)],
    elimination: Annotated[bool, typer.Option("--elimination", help="A match of the elimination stage.")] = False,
    override: Annotated[bool, typer.Option("--override", help="Even where the cut has been played on.")] = False,
) -> None:
    """Replace the result of a match; the wrong slip stays in the log."""
    written = read_outcome(outcome)
    stage: Stage = "elimination" if elimination else "swiss"
    entries = foresight.decide(
        session,
        lambda record: slips.correct(
            record,
            table=table,
            round_=round_,
            written=written,
            stage=stage,
            override=override,
            now=now(),
        ),
    )
    superseded = getattr(entries[0].fact, "supersedes", None)
    typer.echo(
        f"Round {round_}, table {table}: {match_as_reported(session.record, table, round_, stage=stage)} "
        f"(entry {entries[0].position} replaces entry {superseded})"
    )
    for line in why(session.record, table, round_, stage=stage):
        typer.echo(f"  {line}")
    _say_repairable(session.record)


@writing
@foreseeing
def retract(
    session: Session,
    foresight: Foresight,
    position: Annotated[int, typer.Argument(help="Position of the entry in the log.", min=1)],
    override: Annotated[
        bool, typer.Option("--override", help="Even where the cut has been played on, or a round was missed.")
    ] = False,
) -> None:
    """Take an entry back that was made by mistake; it stays in the log."""
    entry = session.ledger.entry(session.tournament, position)
    foresight.decide(session, lambda record: slips.retract(record, entry=entry, override=override))
    typer.echo(
        f"Entry {position} no longer counts (entry {session.record.position}): {tell(session.record, entry.fact)}"
    )
    _say_repairable(session.record)


def _say_repairable(record: Record) -> None:
    """That the entry just recorded changed what the round in progress was paired on."""
    latest = record.latest_round()
    if latest is None or record.cut is not None or record.position not in late_corrections(record, latest):
        return
    if latest.outstanding:
        typer.echo(
            f"Round {latest.number} was paired before: matchledger repair lays out what can be done about it."
        )


COMMANDS: dict[str, Callable[..., None]] = {"correct": correct, "retract": retract}
