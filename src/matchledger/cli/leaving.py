"""Commands about players who leave, and come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from matchledger.cli.options import PlayerArgument
from matchledger.cli.previewing import Foresight, foreseeing
from matchledger.cli.session import Session, writing
from matchledger.commands import roster
from matchledger.commands.replacements import may_replace
from matchledger_projections.stages.bracket import qualifiers

DuringOption = Annotated[
    bool, typer.Option("--during", help="Elimination: in the match just reported, which counts as lost.")
]


@writing
@foreseeing
def drop(
    session: Session,
    foresight: Foresight,
    player: PlayerArgument,
    cause: Annotated[str, typer.Option("--cause", help="request, no-show, lost-card, ...")] = "request",
    during: DuringOption = False,
) -> None:
    """Take a player out of the rounds to come."""
    number = session.player(player)
    foresight.decide(session, lambda record: roster.drop(record, player=number, cause=cause, during=during))
    _say_moved(session, number, "has dropped")


@writing
@foreseeing
def rejoin(session: Session, foresight: Foresight, player: PlayerArgument) -> None:
    """Bring a dropped player back, charged for the rounds missed."""
    number = session.player(player)
    foresight.decide(session, lambda record: roster.rejoin(record, player=number))
    _say_moved(session, number, "is back")


@writing
@foreseeing
def disqualify(
    session: Session,
    foresight: Foresight,
    player: PlayerArgument,
    recommended_by: Annotated[
        str | None, typer.Option("--recommended-by", help="The marshal who asked for it.")
    ] = None,
    during: DuringOption = False,
) -> None:
    """Remove a player for good."""
    number = session.player(player)
    foresight.decide(
        session,
        lambda record: roster.disqualify(record, player=number, recommended_by=recommended_by, during=during),
    )
    _say_moved(session, number, "is disqualified")


def _say_moved(session: Session, number: int, what: str) -> None:
    record = session.record
    typer.echo(f"{record.players[number].name} {what} (entry {record.position}).")
    latest = record.latest_round("elimination") or record.latest_round()
    table = latest.table_of(number) if latest is not None else None
    if latest is not None and table in latest.outstanding:
        typer.echo(f"Table {table} is still open: report its result.")
    if number in qualifiers(record) and record.status(number) != "active" and may_replace(record):
        typer.echo("No elimination game has been played: replace gives the place to the next in line.")


COMMANDS: dict[str, Callable[..., None]] = {"drop": drop, "rejoin": rejoin, "disqualify": disqualify}
