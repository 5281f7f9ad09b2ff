"""The desk: slips typed one after the other, or scanned."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import typer

from matchledger.cli.results import match_as_reported, report_slip, say_outstanding
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.ways import problem_here
from matchledger.commands.refusal import Refusal
from matchledger.commands.results import RetractEntry
from matchledger.ledger import Conflict
from matchledger.notation.outcomes import HELP, came_at, is_table, read_came
from matchledger.notation.slip_code import SlipCodeError, is_slip_code, table_of_slip


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
    say_outstanding(session.record)
    while (line := _ask("table")) is not None and line not in ("q", "quit"):
        if line:
            _attempt(lambda words=line.split(): _desk_line(session, words, last, pile))  # type: ignore[misc] # bound now
            say_outstanding(session.record)


@dataclass(slots=True)
class Pile:
    """Slips that lay there before they are entered: when they came; None for those that come now."""

    came: str | None = None


def _desk_line(session: Session, words: list[str], last: list[int], pile: Pile) -> None:
    if words == ["u"]:
        _undo(session, last)
        return
    if len(words) == 1 and words[0].startswith("slip="):
        came = words[0].removeprefix("slip=")
        pile.came = None if came == "now" else came
        if pile.came is not None:
            read_came(came)
        return
    table = _table_meant(session, words[0])
    if match := match_as_reported(session.record, table):
        typer.echo(f"  {match}")
    # Who is not understood begins with the table again: whoever types on without looking gives it next.
    outcome = words[1:] or (_ask(f"table {table}") or "").split()
    if not outcome:
        raise UsageProblem(f"table {table}: nothing entered, nothing recorded")
    before = session.record.position
    report_slip(session, table, came_at(outcome, pile.came))
    last[:] = range(session.record.position, before, -1)


def _table_meant(session: Session, word: str) -> int:
    """The table that is typed, or whose slip is scanned."""
    if is_slip_code(word):
        try:
            return table_of_slip(session.record, word)
        except SlipCodeError as problem:
            raise UsageProblem(problem.args[0]) from None
    if not is_table(word):
        raise UsageProblem(f"{word!r} is not a table number")
    return int(word)


def _undo(session: Session, last: list[int]) -> None:
    if not last:
        raise UsageProblem("there is no slip to take back")
    for position in last:
        session.execute(RetractEntry(position=position))
    typer.echo(f"Entry {last[-1]} no longer counts.")
    last.clear()


def _attempt(step: Callable[[], None]) -> None:
    """A refused slip is said so in one line, and the next one can come."""
    try:
        step()
    except (Refusal, UsageProblem, Conflict) as problem:
        typer.echo(f"! {problem_here(problem)}", err=True)


def _ask(prompt: str) -> str | None:
    """A line from the keyboard or a pipe; None at its end."""
    typer.echo(f"{prompt}> ", nl=False)
    line = sys.stdin.readline()
    if not line:  # whatever is printed next begins a line of its own
        typer.echo()
        return None
    return line.strip().casefold()


COMMANDS: dict[str, Callable[..., None]] = {"desk": desk}
