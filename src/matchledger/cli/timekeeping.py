"""Messages about the clock of a round."""

from __future__ import annotations

import typer

from matchledger.cli.clock_text import sudden_death_line
from matchledger.cli.recording import Printer
from matchledger.cli.session import Session, UsageProblem
from matchledger.commands import round_clock as clocks
from matchledger.commands.draft import now
from matchledger.commands.round_clock import CallMark, ExtendTime, SetFirstPlayer, StartRound
from matchledger.service.execute import Done
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import RoundClock, clock_face
from matchledger_projections.record.sudden_death import sudden_deaths


def _started(session: Session, _: StartRound, __: Done) -> None:
    round_, clock = in_play(session.record)
    length = "" if clock.seconds is None else f", {clock_face(clock.seconds)} on the clock"
    typer.echo(f"Round {round_.number} has started{length}.")


def _extended(session: Session, command: ExtendTime, _: Done) -> None:
    table = command.table
    _round, clock = in_play(session.record)
    marks = ", ".join(f"{due.mark.title.lower()} {clock_face(due.at)}" for due in clock.due(table))
    minutes = clock.more(table) // 60
    typer.echo(
        f"Table {table} has {minutes} minute{'' if minutes == 1 else 's'} more{f': {marks}' if marks else ''} "
        f"(entry {session.record.position})."
    )


def _clock(what: str) -> Printer:
    def told(session: Session, _: object, __: Done) -> None:
        _round, clock = in_play(session.record)
        typer.echo(f"{what} at {clock_face(clock.elapsed(now()) or 0)} (entry {session.record.position}).")

    return told


def _called(session: Session, command: CallMark, _: Done) -> None:
    round_, clock = in_play(session.record)
    said = next(each for each in clock.marks if each.name == command.mark)
    typer.echo(f"{said.says} ({said.rule}, entry {session.record.position})")
    if command.table is not None and clock.sudden_death is not None:
        found = next((each for each in sudden_deaths(round_, clock) if each.table == command.table), None)
        if found is not None:
            typer.echo(sudden_death_line(session.record, found, clock.sudden_death))


def _first(session: Session, command: SetFirstPlayer, _: Done) -> None:
    round_, _clock = in_play(session.record)
    name, table = session.record.players[command.player].name, round_.table_of(command.player)
    typer.echo(f"Table {table}: {name} is the first player (entry {session.record.position}).")


def in_play(record: Record) -> tuple[Round, RoundClock]:
    """Return the current round and its clock. Raises UsageProblem if no round is paired."""
    round_ = clocks.round_in_play(record)
    if round_ is None:
        raise UsageProblem("no round is paired: pair one first")
    return round_, record.clock(round_)


PRINTERS: dict[str, Printer] = {
    "start": _started,
    "extend": _extended,
    "pause": _clock("The clock is stopped"),
    "resume": _clock("The clock goes on"),
    "mark": _called,
    "first-player": _first,
}
