"""Commands that record results."""

from __future__ import annotations

from typing import Annotated

import typer
from msgspec import Struct
from msgspec.structs import asdict

from matchledger.cli.outstanding import earlier_lines, outstanding_line
from matchledger.cli.recording import Printer, command_of, tell_entries
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.commands.refusal import Refusal
from matchledger.commands.results import ConcedeMatch, RecordNoShow, ReportSlip
from matchledger.events import Stage
from matchledger.ledger import Conflict
from matchledger.notation.outcomes import (
    HELP,
    came_at,
    from_side,
    is_table,
    need_one_result,
    read_came,
    read_outcome,
    read_slips,
)
from matchledger.notation.player_lookup import find_player
from matchledger.service.execute import Done
from matchledger.text.columns import result_text
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


@writing
def report(
    session: Session,
    words: Annotated[
        list[str],
        typer.Argument(
            help=f"Table and outcome, several in one line: 12 a 13 b; or a player and that player's side: "
            f"ann 2-1, ann win. {HELP}."
        ),
    ],
    round_: Annotated[int | None, typer.Option("--round", "-r", min=1, help="A round that is still open.")] = None,
    came: Annotated[
        str | None,
        typer.Option(
            "--slip", help="When these slips came: 69:30 on the clock, or @15:09 by a watch; by default now."
        ),
    ] = None,
) -> None:
    """Report slips, by table number or by a player's name."""
    if came is not None:
        read_came(came)
    record = session.record
    read = [at_table(record, who, outcome, round_) for who, outcome in read_slips(words)]
    need_one_result([(table, read_outcome(typed, record.rulebook)) for table, typed in read])
    given = [(table, came_at(typed, came)) for table, typed in read]
    for index, ((table, outcome), part) in enumerate(zip(given, session.parts(len(given)), strict=True)):
        try:
            report_slip(part, Match(table, round_), outcome)
        except (Refusal, Conflict) as problem:
            if later := ", ".join(str(unread) for unread, _ in given[index + 1 :]):
                problem.add_note(f"not recorded after table {table}: table {later}")
            raise
    say_outstanding(session.record)


def at_table(record: Record, who: str, outcome: list[str], round_: int | None = None) -> tuple[int, list[str]]:
    """Return the table with this number or player, and the outcome from the table's first side."""
    if is_table(who):
        return int(who), outcome
    number = find_player(record, who).number
    where = _latest(record) if round_ is None else record.round(round_)
    table = None if where is None else where.table_of(number)
    if where is None or table is None:
        raise UsageProblem(f"{record.players[number].name} has no table in this round: give the table's number")
    return table, from_side(outcome, where.tables[table].index(number)) if outcome else []


class Match(Struct, frozen=True):
    """The match of a slip. `players` are the players that the clerk saw as a and b. Without a round, the match is
    in the current round.
    """

    table: int
    round: int | None = None
    stage: Stage | None = None
    players: tuple[int, int] | None = None


def report_slip(session: Session, match: Match, outcome: str) -> None:
    """Record the slip of a table, and print it. If the same slip is recorded already, name its entry and record
    nothing.
    """
    done = session.execute(command_of(session, ReportSlip, asdict(match) | {"outcome": outcome}))
    entries = done.entries
    if done.same:
        typer.echo(f"Table {match.table}: the same slip is there already (entry {entries[0].position}).")
        return
    stage = match.stage or "swiss"
    said = match_as_reported(session.record, match.table, match.round, stage=stage)
    typer.echo(f"Table {match.table}: {said} (entry {entries[0].position})")
    for line in why(session.record, match.table, match.round, stage=stage):
        typer.echo(f"  {line}")


def why(record: Record, table: int, round_: int | None, *, stage: Stage = "swiss") -> list[str]:
    """Say why the result of a table differs from the words on its slip."""
    where = _latest(record) if round_ is None else record.round(round_, stage)
    report = None if where is None or table not in where.tables else where.report(table, where.tables[table])
    if report is None or report.verdict is None:
        return []
    return [f"{text} ({rule})" for text, rule in report.verdict.why]


def match_as_reported(
    record: Record, table: int, round_: int | None = None, *, stage: Stage = "swiss", sides: bool = False
) -> str:
    """Return the players of a table and the result that counts.

    Return an empty text if the table does not exist.

    With `sides`, write a and b before the names.
    """
    where = _latest(record) if round_ is None else record.round(round_, stage)
    if where is None or table not in where.tables:
        return ""
    players = where.tables[table]
    names = " - ".join(
        f"{side}{record.players[player].name}"
        for side, player in zip(("a ", "b ") if sides else ("", ""), players, strict=True)
    )
    return f"{names}  {result_text(record, players, where.report(table, players))}"


def _latest(record: Record) -> Round | None:
    return record.current_round


def say_outstanding(record: Record) -> None:
    """Print the tables without a result."""
    latest = _latest(record)
    if latest is not None:
        for line in (*earlier_lines(record, latest), outstanding_line(latest)):
            typer.echo(line)


def _conceded(session: Session, command: ConcedeMatch, done: Done) -> None:
    tell_entries(session, command, done)
    say_outstanding(session.record)


def _absent(session: Session, command: RecordNoShow, _: Done) -> None:
    for number in command.players:
        name = session.record.players[number].name
        gone = "and has dropped" if session.record.status(number) == "dropped" else "and is still in"
        typer.echo(f"{name} did not appear, {gone}.")
    say_outstanding(session.record)


PRINTERS: dict[str, Printer] = {"concede": _conceded, "no-show": _absent}
