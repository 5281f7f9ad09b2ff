"""Commands that keep a round's time: starting and stopping its clock, giving a table time, noting its marks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

import typer

from matchledger.cli.clock_text import sudden_death_line
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.commands import round_clock as clocks
from matchledger.commands.draft import now
from matchledger.commands.round_clock import time_of_today
from matchledger_projections.clock.sudden_death import sudden_deaths
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import RoundClock, clock_face

AtOption = Annotated[
    str | None,
    typer.Option("--at", help="When it was, where that was not now: 14:05, or 14:05:30.", metavar="TIME"),
]
TableArgument = Annotated[int, typer.Argument(help="The table.", min=1)]


@writing
def start(
    session: Session,
    minutes: Annotated[
        int | None, typer.Option("--minutes", min=1, help="How long the round lasts; as the rulebook has it.")
    ] = None,
    at: AtOption = None,
) -> None:
    """Start the clock: play in the round has begun."""
    session.decide(lambda record: clocks.start_round(record, minutes=minutes, at=_moment(at)))
    round_, clock = in_play(session.record)
    length = "" if clock.seconds is None else f", {clock_face(clock.seconds)} on the clock"
    typer.echo(f"Round {round_.number} has started{length}.")


@writing
def extend(
    session: Session,
    table: TableArgument,
    minutes: Annotated[int, typer.Argument(help="How many minutes more.", min=1, max=600)],
) -> None:
    """Give the players of a table more time; say why with --reason."""
    session.decide(lambda record: clocks.extend(record, table=table, minutes=minutes, reason=session.reason))
    _, clock = in_play(session.record)
    marks = ", ".join(f"{due.mark.title.lower()} {clock_face(due.at)}" for due in clock.due(table))
    typer.echo(
        f"Table {table} has {clock.more(table) // 60} minutes more{f': {marks}' if marks else ''} "
        f"(entry {session.record.position})."
    )


@writing
def pause(session: Session, at: AtOption = None) -> None:
    """Stop the clock for everybody."""
    session.decide(lambda record: clocks.pause(record, at=_moment(at)))
    _say_clock(session.record, "The clock stands still")


@writing
def resume(session: Session, at: AtOption = None) -> None:
    """Let the clock go on."""
    session.decide(lambda record: clocks.resume(record, at=_moment(at)))
    _say_clock(session.record, "The clock goes on")


def _say_clock(record: Record, what: str) -> None:
    _, clock = in_play(record)
    typer.echo(f"{what} at {clock_face(clock.elapsed(now()) or 0)} (entry {record.position}).")


@writing
def mark(
    session: Session,
    name: Annotated[str, typer.Argument(help="Which mark, such as time.")],
    table: Annotated[int | None, typer.Option("--table", help="At one table only.", min=1)] = None,
    turn: Annotated[str | None, typer.Option("--turn", help="Whose turn it was at that table.")] = None,
) -> None:
    """Note that a mark of the round was announced."""
    if turn is not None and table is None:
        raise UsageProblem("--turn says whose turn it was at a table: give --table with it")
    player = None if turn is None else session.player(turn)
    session.decide(lambda record: clocks.call_mark(record, mark=name, table=table, turn=player))
    round_, clock = in_play(session.record)
    said = next(each for each in clock.marks if each.name == name)
    typer.echo(f"{said.says} ({said.rule}, entry {session.record.position})")
    if table is not None and clock.sudden_death is not None:
        found = next((each for each in sudden_deaths(round_, clock) if each.table == table), None)
        if found is not None:
            typer.echo(sudden_death_line(session.record, found, clock.sudden_death))


@writing
def first_player(
    session: Session,
    player: Annotated[str, typer.Argument(help="Who goes first: name, or #number.")],
    decided_by: Annotated[
        str | None, typer.Option("--decided-by", help="Who won the draw and decided so; may be the other player.")
    ] = None,
) -> None:
    """Note who is the first player of a game, and who decided that."""
    number = session.player(player)
    decider = None if decided_by is None else session.player(decided_by)
    session.decide(lambda record: clocks.set_first_player(record, first_player=number, decider=decider))
    round_, _ = in_play(session.record)
    name = session.record.players[number].name
    typer.echo(f"Table {round_.table_of(number)}: {name} is the first player (entry {session.record.position}).")


def in_play(record: Record) -> tuple[Round, RoundClock]:
    """The round that is being played, and its clock. Raises UsageProblem where none is paired."""
    round_ = clocks.round_in_play(record)
    if round_ is None:
        raise UsageProblem("no round is paired: pair one first")
    return round_, record.clock(round_)


def _moment(at: str | None) -> datetime | None:
    return None if at is None else time_of_today(at)


COMMANDS: dict[str, Callable[..., None]] = {
    "start": start,
    "extend": extend,
    "pause": pause,
    "resume": resume,
    "mark": mark,
    "first-player": first_player,
}
