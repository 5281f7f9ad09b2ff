"""Commands that take results in, and put wrong ones right."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import time
from typing import Annotated

import typer

from matchledger.cli.previewing import Foresight, foreseeing
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.setup import PlayerArgument
from matchledger.cli.tables import result_text
from matchledger.events import Stage
from matchledger.ledger import Conflict
from matchledger.ledger.draft import now
from matchledger.outcomes import HELP, came_at, is_table, read_came, read_outcome, read_slips
from matchledger.slip_code import SlipCodeError, is_slip_code, table_of_slip
from matchledger.tournament import slips
from matchledger.tournament.refusal import Refusal
from matchledger.tournament.written import Written
from matchledger_projections.pairing.repair import late_corrections
from matchledger_projections.record import Record
from matchledger_projections.round import Round

_LISTED = 12  # outstanding tables named in one line


@writing
def report(
    session: Session,
    words: Annotated[list[str], typer.Argument(help=f"Table and outcome, several in one line: 12 a 13 b. {HELP}.")],
    round_: Annotated[int | None, typer.Option("--round", "-r", min=1, help="A round that is still open.")] = None,
    came: Annotated[
        str | None, typer.Option("--slip", help="When these slips came, where that was not now: 69:30, or @15:09.")
    ] = None,
) -> None:
    """Report slips, by table number."""
    given = read_slips(words)
    if came is not None:
        received = read_came(came)
        given = [(table, came_at(written, received)) for table, written in given]
    for index, (table, written) in enumerate(given):
        if session.command is not None and len(given) > 1:
            # One id for several slips: each slip needs its own, derived so that the whole line can be repeated.
            part = Session(
                session.ledger, session.tournament, session.clerk, f"{session.command}/{index}", session.reason
            )
        else:
            part = session
        _report(part, table, written, round_)
    _say_outstanding(session.record)


def _report(session: Session, table: int, written: Written, round_: int | None = None) -> None:
    entries = session.decide(
        lambda record: slips.report(record, table=table, written=written, round_=round_, now=now())
    )
    typer.echo(f"Table {table}: {_said(session.record, table, round_)} (entry {entries[0].position})")
    for line in _why(session.record, table, round_):
        typer.echo(f"  {line}")


def _why(record: Record, table: int, round_: int | None, *, stage: Stage = "swiss") -> list[str]:
    """Why the result of a table is another than its slip says in its own words."""
    where = _latest(record) if round_ is None else record.round(round_, stage)
    report = None if where is None or table not in where.tables else where.report(table, where.tables[table])
    if report is None or report.verdict is None:
        return []
    return [f"{text} ({rule})" for text, rule in report.verdict.why]


def _said(record: Record, table: int, round_: int | None = None, *, stage: Stage = "swiss") -> str:
    where = _latest(record) if round_ is None else record.round(round_, stage)
    if where is None or table not in where.tables:
        return ""
    players = where.tables[table]
    names = " - ".join(record.players[player].name for player in players)
    return f"{names}  {result_text(record, players, where.report(table, players))}"


def _latest(record: Record) -> Round | None:
    return record.latest_round("elimination") or record.latest_round()


def _say_outstanding(record: Record) -> None:
    latest = _latest(record)
    if latest is not None:
        typer.echo(outstanding_line(latest))


def outstanding_line(latest: Round) -> str:
    """Which tables are still to come."""
    waiting, tables = latest.outstanding, len(latest.tables)
    if not waiting:
        return f"Round {latest.number}: {'its table' if tables == 1 else f'all {tables} tables'} reported."
    listed = ", ".join(map(str, waiting[:_LISTED])) + (", ..." if len(waiting) > _LISTED else "")
    return f"Round {latest.number}: {tables - len(waiting)}/{tables} reported, outstanding: {listed}"


@writing
def concede(
    session: Session,
    player: PlayerArgument,
    blood_points: Annotated[int | None, typer.Option("--blood-points", min=0, help="The loser's.")] = None,
) -> None:
    """Record that a player concedes the match in progress."""
    number = session.player(player)
    session.decide(lambda record: slips.concede(record, by=number, blood_points=blood_points, now=now()))
    typer.echo(f"{session.record.players[number].name} concedes (entry {session.record.position}).")
    _say_outstanding(session.record)


@writing
def no_show(
    session: Session,
    players: Annotated[
        list[str], typer.Argument(help="Who did not appear; both players of a table, if neither did.")
    ],
    stays: Annotated[bool, typer.Option("--stays", help="Lost, and not dropped.")] = False,
) -> None:
    """Record who did not appear."""
    absent = tuple(dict.fromkeys(session.player(name) for name in players))
    session.decide(lambda record: slips.no_show(record, absent=absent, stays=stays))
    for number in absent:
        name = session.record.players[number].name
        gone = "and has dropped" if session.record.status(number) == "dropped" else "and is still in"
        typer.echo(f"{name} did not appear, {gone}.")
    _say_outstanding(session.record)


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
        ),
    )
    superseded = getattr(entries[0].fact, "supersedes", None)
    typer.echo(
        f"Round {round_}, table {table}: {_said(session.record, table, round_, stage=stage)} "
        f"(entry {entries[0].position} replaces entry {superseded})"
    )
    for line in _why(session.record, table, round_, stage=stage):
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
    typer.echo(f"Entry {position} ({entry.fact.kind}) no longer counts (entry {session.record.position}).")
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


@writing
def desk(session: Session) -> None:
    """Enter slips one after the other: table (or the code of its slip, scanned), Enter, outcome, Enter."""
    if session.command is not None:
        raise UsageProblem(
            "one id cannot stand for the many slips of a desk: leave --command-id out, or use report"
        )
    typer.echo(f"Table, Enter, outcome, Enter. An outcome is {HELP}.")
    typer.echo(
        "u takes the last slip back, slip=69:30 says when those that follow came, slip=now ends that, q ends."
    )
    last: list[int] = []
    pile = Pile()
    _say_outstanding(session.record)
    while (line := _ask("table")) is not None and line not in ("q", "quit"):
        if line:
            _attempt(lambda words=line.split(): _desk_line(session, words, last, pile))  # type: ignore[misc] # bound now
            _say_outstanding(session.record)


@dataclass(slots=True)
class Pile:
    """Slips that lay there before they are entered: when they came; None for those that come now."""

    received: int | time | None = None


def _desk_line(session: Session, words: list[str], last: list[int], pile: Pile) -> None:
    if words == ["u"]:
        _undo(session, last)
        return
    if len(words) == 1 and words[0].startswith("slip="):
        came = words[0].removeprefix("slip=")
        pile.received = None if came == "now" else read_came(came)
        return
    table = _table_meant(session, words[0])
    typer.echo(f"  {_said(session.record, table)}" if _said(session.record, table) else "")
    outcome = words[1:] or (_ask(f"table {table}") or "").split()
    if not outcome:
        raise UsageProblem(f"table {table}: nothing entered, nothing recorded")
    before = session.record.position
    _report(session, table, came_at(read_outcome(outcome), pile.received))
    last[:] = range(session.record.position, before, -1)


def _table_meant(session: Session, word: str) -> int:
    """The table that is typed, or whose slip is scanned."""
    if is_slip_code(word):
        try:
            return table_of_slip(session.record, word)
        except SlipCodeError as problem:
            raise UsageProblem(str(problem)) from None
    if not is_table(word):
        raise UsageProblem(f"{word!r} is not a table number")
    return int(word)


def _undo(session: Session, last: list[int]) -> None:
    if not last:
        raise UsageProblem("there is no slip to take back")
    for position in last:
        entry = session.ledger.entry(session.tournament, position)
        session.decide(lambda record, entry=entry: slips.retract(record, entry=entry))  # type: ignore[misc]
    typer.echo(f"Entry {last[-1]} no longer counts.")
    last.clear()


def _attempt(step: Callable[[], None]) -> None:
    """A refused slip is said so in one line, and the next one can come."""
    try:
        step()
    except (Refusal, UsageProblem, Conflict) as problem:
        typer.echo(f"! {problem}", err=True)


def _ask(prompt: str) -> str | None:
    """A line from the keyboard or a pipe; None at its end."""
    typer.echo(f"{prompt}> ", nl=False)
    line = sys.stdin.readline()
    if not line:  # whatever is printed next begins a line of its own
        typer.echo()
        return None
    return line.strip().casefold()


COMMANDS: dict[str, Callable[..., None]] = {
    "report": report,
    "desk": desk,
    "concede": concede,
    "no-show": no_show,
    "correct": correct,
    "retract": retract,
}
