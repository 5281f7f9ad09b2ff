"""The desk: slips typed one after the other, or scanned."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import typer
from msgspec import Struct
from msgspec.structs import replace

from matchledger.cli.problems import said_of
from matchledger.cli.results import Match, at_table, match_as_reported, report_slip, say_outstanding
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.terminal import typed_lines
from matchledger.cli.ways import problem_here
from matchledger.commands.refusal import Refusal, players_at
from matchledger.commands.results import SeatedAnew
from matchledger.events import EntryRetracted, SlipRefused
from matchledger.ledger import Conflict
from matchledger.notation.outcomes import (
    came_at,
    is_side,
    is_table,
    outcome_help,
    outcome_keys,
    outcome_of_key,
    read_came,
    read_outcome,
)
from matchledger.notation.slip_code import SlipCodeError, is_slip_code, table_of_slip
from matchledger.service.readings import compare
from matchledger_projections.message import demands_of
from matchledger_projections.record.record import Record

_COMMANDS = """u takes the last slip back, again and again.
check starts the second pass: type the pile once more; check ends it.
slip=69:30 says when the following slips came, slip=now ends that.
Escape or an empty line leaves a table, ? shows this, q ends."""


_ENDS = ("q", "quit")


class Pile(Struct):
    """The state of a pile of slips: the typed lines, the pile's time of arrival, and the tables of a second pass.

    `came` is the time of arrival, or None if the slips come in now. `checked` has the tables that were typed a
    second time, and is None outside a second pass. `over` ends the desk.
    """

    lines: Iterator[str]
    came: str | None = None
    checked: set[int] | None = None
    over: bool = False


@writing
def desk(session: Session) -> None:
    """Enter slips one after the other: table, player or code, Enter, then outcome or key, Enter."""
    if session.command is not None:
        raise UsageProblem(
            "one id cannot stand for the many slips of a desk: leave --command-id out, or use report"
        )
    _say_help(session.record)
    say_outstanding(session.record)
    with typed_lines() as lines:
        pile = Pile(lines)
        refused = 0
        while not pile.over and (line := _ask_word(pile, "table")) is not None and line not in _ENDS:
            if line:
                refused = _take(session, line.split(), pile) or refused
                say_outstanding(session.record)
    if refused and not sys.stdin.isatty():  # a script needs an exit code, because no person reads the refusals
        raise typer.Exit(refused)


def _say_help(record: Record) -> None:
    typer.echo(f"Table, Enter, outcome, Enter. An outcome is {outcome_help(record.rulebook)}.")
    keys = (f"{key.key} {key.outcome}" for key in outcome_keys(record.rulebook, record.current_stage))
    typer.echo(f"Keys for the outcome: {', '.join(keys)}.")
    typer.echo(_COMMANDS)


def _desk_line(session: Session, words: list[str], pile: Pile) -> None:
    match words:
        case ["?"]:
            _say_help(session.record)
        case ["u"]:
            _undo(session)
        case ["check"]:
            _second_pass(session.record, pile)
        case [word] if word.startswith("slip="):
            came = word.removeprefix("slip=")
            if came != "now":
                read_came(came)
            pile.came = None if came == "now" else came
        case [who, *outcome]:
            _slip(session, who, outcome, pile)


def _slip(session: Session, who: str, outcome: list[str], pile: Pile) -> None:
    """Take one slip: find its table before asking for the outcome, and ask until an outcome is accepted.

    A result that needs a reason asks for the reason at the prompt.
    """
    record = session.record
    who = _meant(record, who)
    table, _ = at_table(record, who, [])
    latest = record.current_round
    if latest is None:
        raise UsageProblem("no round is paired: pair one first")
    shown = Match(table, latest.number, latest.stage, players_at(latest, table))
    typer.echo(f"  {match_as_reported(record, table, sides=True)}")
    if outcome:
        _take_slip(session, shown, _read(record, who, outcome), pile)
        return
    while True:
        typed = _ask_outcome(table, pile)
        if typed == ["?"]:
            _say_help(record)
            continue
        try:
            read = _read(record, str(table) if _names_side(record, typed[0]) else who, typed)
            _take_slip(session, shown, read, pile)
        except SeatedAnew:
            raise
        except (Refusal, UsageProblem) as problem:
            # In a pipe, the next line is a new table, not an answer to a question. In a second pass, the slip was
            # read already.
            if pile.checked is not None or not sys.stdin.isatty():
                raise
            typer.echo(f"! {problem_here(problem)}", err=True)
        else:
            return


def _ask_outcome(table: int, pile: Pile) -> list[str]:
    nothing = f"table {table}: nothing entered, nothing recorded"
    try:
        typed = (_ask_word(pile, f"table {table}") or "").split()
    except KeyboardInterrupt:
        typer.echo(f"\n! {nothing}", err=True)
        raise
    pile.over = typed in ([word] for word in _ENDS)
    if pile.over or not typed:
        raise UsageProblem(nothing)
    return typed


def _take_slip(session: Session, match: Match, outcome: list[str], pile: Pile) -> None:
    """Record a slip. In a second pass, compare the slip with the recorded result instead."""
    said = came_at(outcome, pile.came)
    if pile.checked is not None:
        _compare(session.record, match.table, said, pile.checked)
        return
    try:
        report_slip(session, match, said)
    except Refusal as problem:
        if "a reason" not in demands_of(problem.args[0]) or not sys.stdin.isatty():
            raise
        typer.echo(f"! {problem}", err=True)
        reason = _ask(pile, f"table {match.table}, reason")
        if not reason:
            raise UsageProblem(f"table {match.table}: no reason entered, nothing recorded") from None
        report_slip(replace(session, reason=reason), match, said)


def _meant(record: Record, who: str) -> str:
    """Return the table of a scanned slip code, or the same text if it is not a slip code."""
    if not is_slip_code(who):
        return who
    try:
        return str(table_of_slip(record, who))
    except SlipCodeError as problem:
        raise UsageProblem(problem.args[0]) from None


def _names_side(record: Record, word: str) -> bool:
    """Return whether a word names side a or b of the table: by its letter, or by a key of the numeric pad. Such
    words name the table's sides even if the slip begins with a player's name.
    """
    return is_side(word) or outcome_of_key(record.rulebook, word, record.current_stage) is not None


def _read(record: Record, who: str, words: list[str]) -> list[str]:
    """Return the typed outcome in words, translated from a key of the numeric pad or from a named player's view."""
    outcome = outcome_of_key(record.rulebook, words[0], record.current_stage) if words else None
    if outcome is not None and is_table(who):
        words = [*outcome.split(), *words[1:]]
    _, said = at_table(record, who, words)
    read_outcome(said, record.rulebook)
    return said


def _second_pass(record: Record, pile: Pile) -> None:
    """Begin the second pass, or end the second pass and name the tables that were not typed again."""
    if pile.checked is None:
        pile.checked = set()
        typer.echo("Second pass: type the pile once more; nothing is recorded until check ends it.")
        return
    latest = record.current_round
    left = [str(table) for table in (() if latest is None else latest.tables) if table not in pile.checked]
    typer.echo(f"Second pass ended. Not compared: {', '.join(left) or 'none'}.")
    pile.checked = None


def _compare(record: Record, table: int, outcome: str, checked: set[int]) -> None:
    found = compare(record, table, outcome)
    checked.add(table)
    if found.agrees:
        typer.echo(f"Table {table} agrees.")
        return
    recorded = "nothing" if found.recorded is None else f"{found.recorded} (entry {found.entry})"
    raise UsageProblem(f"table {table} differs: this slip says {found.typed}, the log says {recorded}")


def _undo(session: Session) -> None:
    """Take back the last action of this station if it was a slip."""
    from matchledger.commands.undo import SLIPS, UndoLast  # noqa: PLC0415 - only `u` needs it

    for undone in session.execute(UndoLast(slip=True)).entries:
        assert isinstance(undone.fact, EntryRetracted)  # noqa: S101 - an undo records nothing else
        entry = session.ledger.entry(session.tournament, undone.fact.retracts)
        if isinstance(entry.fact, SLIPS):
            now = "loses its refused slip" if isinstance(entry.fact, SlipRefused) else "is open again"
            typer.echo(f"Table {entry.fact.table} {now}: entry {entry.position} no longer counts.")


def _take(session: Session, words: list[str], pile: Pile) -> int:
    """Carry out a typed line. If the line is refused, print the reason in one line. Return the exit code of this
    line.
    """
    try:
        _desk_line(session, words, pile)
    except (Refusal, UsageProblem, Conflict) as problem:
        typer.echo(f"! {problem_here(problem)}", err=True)
        return said_of(problem)[1]
    return 0


def _ask_word(pile: Pile, prompt: str) -> str | None:
    """Return the next typed line in small letters, or None at the end of input."""
    line = _ask(pile, prompt)
    return None if line is None else line.casefold()


def _ask(pile: Pile, prompt: str) -> str | None:
    """Return the next typed line, or None at the end of input."""
    typer.echo(f"{prompt}> ", nl=False)
    line = next(pile.lines, None)
    if line is None:  # the user pressed Ctrl-D: begin a new line
        typer.echo()
        return None
    return line.strip()
