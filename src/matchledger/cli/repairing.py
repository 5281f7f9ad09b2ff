"""The command for a round that was paired before a wrong slip was found."""

from __future__ import annotations

from typing import Annotated, cast, get_args

import typer

from matchledger.cli.foresight_text import repair_lines
from matchledger.cli.options import JsonOption
from matchledger.cli.session import Session, UsageProblem, show, writing
from matchledger.cli.tables import pairings_table
from matchledger.commands.repairs import ChooseRepair, plan_repair, repair_clock
from matchledger.events import RepairChoice, RepairChosen
from matchledger_projections.record.record import Record
from matchledger_projections.views.sight import Sight

CHOICES: tuple[str, ...] = get_args(RepairChoice)


@writing
def repair(
    session: Session,
    round_: Annotated[
        int | None, typer.Option("--round", "-r", min=1, help="The round; by default the last round.")
    ] = None,
    choose: Annotated[
        str | None, typer.Option("--choose", help=f"The option to choose: {', '.join(CHOICES)}; needs --reason.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List your options when a round was paired from a wrong result, or choose one."""
    if choose is not None:
        _choose(session, choose, round_, as_json=as_json)
        return
    record = session.record
    plan = plan_repair(record, clock=repair_clock(record), number=round_)
    show(Sight.of(record), plan, repair_lines(record, plan), as_json=as_json)


def _choose(session: Session, choice: str, number: int | None, *, as_json: bool) -> None:
    if choice not in CHOICES:
        raise UsageProblem(f"there is no choice {choice!r}: there are {', '.join(CHOICES)}")
    if as_json:
        raise UsageProblem("--json shows the choices: leave out --choose")
    command = ChooseRepair(choice=cast(RepairChoice, choice), round=number)
    entries = session.execute(command).entries
    chosen = next(entry for entry in entries if isinstance(entry.fact, RepairChosen))
    _say_chosen(session.record, choice, chosen.position)


def _say_chosen(record: Record, choice: str, position: int) -> None:
    latest = record.latest_round()
    if latest is None:
        return
    if choice == "leave":
        typer.echo(f"Round {latest.number} stays as posted (entry {position}).")
        return
    typer.echo(f"Round {latest.number} is paired again, {choice} (entry {position}). Post it again.")
    for line in pairings_table(record, latest):
        typer.echo(line)
