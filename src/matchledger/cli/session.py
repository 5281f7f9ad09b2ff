"""Sessions: the ledger, tournament, moment and clerk of each command.

`reading` and `writing` add the session's options to a command's own options.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO
from uuid import UUID

import typer
from msgspec import Struct, field
from msgspec.structs import replace

from matchledger.cli.files import give
from matchledger.cli.options import (
    EliminationOption,
    JsonOption,
    LedgerOption,
    MirrorOption,
    OutputOption,
    TokenOption,
    TournamentOption,
    stage_of,
)
from matchledger.cli.ways import said_here
from matchledger.commands.draft import parts_of
from matchledger.events import ROLES, AnyFact, BracketDrawn, Entry, EntryRetracted
from matchledger.ledger import Clerk, Decision, Ledger, LedgerError, open_ledger
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.location import pick_tournament
from matchledger.ledger.lost_names import naming_key_file
from matchledger.ledger.problems import after_recording
from matchledger.notation.player_lookup import find_player
from matchledger.notation.problems import UsageProblem
from matchledger.service.window import Moment, Window, moment_of, open_window
from matchledger_projections.message import Sentence
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record
from matchledger_projections.views.sight import Sight

if TYPE_CHECKING:
    from matchledger.commands.command import Command
    from matchledger.proof.keys import SigningKey
    from matchledger.service.execute import Done, Request


class Session(Struct):
    """An open ledger, a tournament in it, and its clerk."""

    ledger: Ledger
    tournament: UUID
    clerk: Clerk = field(default_factory=Clerk)
    command: str | None = None
    reason: str | None = None
    recorded: list[int] = field(default_factory=list)  # the positions of the entries so far

    @property
    def record(self) -> Record:
        return self.ledger.record(self.tournament)

    @property
    def secret(self) -> bytes:
        return self.ledger.secret(self.tournament)

    def execute(self, command: Command, *, seen: int | None = None, key: SigningKey | None = None) -> Done:
        """Execute a command in the clerk's name, and print the notes that any command can have."""
        from matchledger.service.execute import execute  # noqa: PLC0415 - only recording needs it

        request = self.request(command, seen=seen)
        done = execute(self.ledger, self.tournament, request, key=key)
        self.recorded += [entry.position for entry in done.entries]
        self._say_notes(done.entries, done.warnings, repeated=done.repeated and not done.same)
        return done

    def request(self, command: Command, *, seen: int | None = None) -> Request:
        """A command with its clerk and context."""
        from matchledger.service.execute import Request  # noqa: PLC0415 - only recording needs it

        return Request(command, self.clerk, self.command, self.reason, seen)

    def parts(self, number: int) -> list[Session]:
        """Return a session for each command of one line. Each command has its own id, and one undo takes all
        the commands back.
        """
        if number == 1:
            return [self]
        return [replace(self, command=command) for command in parts_of(self.command, number)]

    def decide(self, decision: Decision) -> list[Entry]:
        """Record the facts of a decision in the clerk's name. If the same command has already recorded these facts,
        print a note.
        """
        from matchledger.service.warnings import warnings  # noqa: PLC0415 - only recording needs it

        repeated = self.command in self.record.commands
        entries = self.ledger.decide(
            self.tournament, decision, clerk=self.clerk, command=self.command, reason=self.reason
        )
        self.recorded += [entry.position for entry in entries]
        self._say_notes(entries, list(warnings(self.record, entries)), repeated=repeated)
        return entries

    def _say_notes(self, entries: Sequence[Entry], warned: Sequence[Sentence], *, repeated: bool) -> None:
        if repeated:
            from matchledger_projections.narration import tell  # noqa: PLC0415 - few commands come twice

            first = entries[0]
            typer.echo(
                f"note: command {self.command} is in the log as entry {first.position} "
                f"({tell(self.record, first.fact)}): "
                "nothing was recorded again",
                err=True,
            )
        elif len(entries) > 1 and any(self._takes_bracket_back(entry.fact) for entry in entries):
            typer.echo("The bracket is taken back: pair draws it again.")
        for line in warned:
            typer.echo(f"note: {said_here(line)}", err=True)

    def _takes_bracket_back(self, fact: AnyFact) -> bool:
        return isinstance(fact, EntryRetracted) and self.record.kind_at(fact.retracts) is BracketDrawn

    def player(self, name: str) -> int:
        """Return a player's number by name, by the beginning of a unique name, or as #7."""
        return find_player(self.record, name).number


def window_of(session: Session, moment: Moment) -> Window:
    """Return a view of the tournament at a moment that hides nothing, because the file's owner can read everything
    anyway.
    """
    return open_window(session.ledger, session.tournament, moment)


def show(sight: Sight, view: object, lines: Iterable[str], *, as_json: bool, out: Path | None = None) -> None:
    """Print a view as its JSON document or as lines, or write it to the file of --out."""
    give([json.dumps(sight.document(view), ensure_ascii=False)] if as_json else lines, out)


class Output(Struct, frozen=True):
    """The form of a table: lines, one JSON document or CSV, on stdout or in the file `out`."""

    as_json: bool
    as_csv: bool
    out: Path | None

    def show(self, sight: Sight, view: object, lines: Iterable[str], csv: Iterable[str]) -> None:
        """Write a view as its JSON document, as CSV, or as lines."""
        show(sight, view, csv if self.as_csv else lines, as_json=self.as_json, out=self.out)


_Command = Callable[..., None]

_SHARED = {"ledger": (LedgerOption, inspect.Parameter.empty), "tournament": (TournamentOption, None)}
_WRITING: dict[str, tuple[Any, Any]] = _SHARED | {
    "actor": (
        Annotated[
            str | None,
            typer.Option(
                "--actor", envvar="MATCHLEDGER_ACTOR", help="Who records this.", show_default="scorekeeper"
            ),
        ],
        None,
    ),
    "role": (
        Annotated[
            str | None,
            typer.Option(
                "--role",
                envvar="MATCHLEDGER_ROLE",
                help=f"Your role: {', '.join(ROLES)}.",
                show_default="scorekeeper",
            ),
        ],
        None,
    ),
    "station": (
        Annotated[
            str | None,
            typer.Option(
                "--station",
                envvar="MATCHLEDGER_STATION",
                help="The desk, terminal or laptop that records this.",
                show_default="desk",
            ),
        ],
        None,
    ),
    "token": (TokenOption, None),
    "mirror": (MirrorOption, None),
    "reason": (
        Annotated[
            str | None,
            typer.Option("--reason", help="The reason, which the log keeps."),
        ],
        None,
    ),
    "command_id": (
        Annotated[
            str | None,
            typer.Option(
                "--command-id", help="A command sent twice under one id is recorded once.", show_default=False
            ),
        ],
        None,
    ),
}
_READING: dict[str, tuple[Any, Any]] = _SHARED | {
    "round_": (Annotated[int | None, typer.Option("--round", "-r", min=0, help="Look at this round.")], None),
    "as_of": (
        Annotated[str | None, typer.Option("--as-of", help="Look at the log up to a position or a time.")],
        None,
    ),
    "as_known": (
        Annotated[
            bool | None,
            typer.Option(
                "--as-known/--as-corrected",
                help="Use what was known at that time, or all later corrections too.",
                show_default=False,
            ),
        ],
        None,
    ),
}

_OUTPUT: dict[str, tuple[Any, Any]] = {
    "as_json": (JsonOption, False),
    "as_csv": (Annotated[bool, typer.Option("--csv", help="The table as CSV.")], False),
    "out": (OutputOption, None),
}


def writing(command: _Command) -> _Command:
    """Add a Session to a command that records something, with the session's options."""

    def run(own: dict[str, Any], shared: dict[str, Any]) -> None:
        said = {name: shared[name] for name in _CLERK if shared[name] is not None}
        if said.get("role", ROLES[0]) not in ROLES:
            raise UsageProblem(f"there is no role {said['role']!r}: there are {', '.join(ROLES)}")
        with open_ledger(shared["ledger"], mirror=shared["mirror"]) as ledger:
            tournament = pick_tournament(ledger, shared["tournament"])
            clerk = _clerk(ledger, tournament, said, shared["token"])
            session = Session(ledger, tournament, clerk, shared["command_id"], shared["reason"])
            with naming_key_file(ledger, tournament), _read_or_not(), after_recording(session.recorded):
                command(session, **own)
            if ledger.mirror is not None and ledger.mirror.problem is not None:
                typer.echo(f"note: {ledger.mirror.problem}", err=True)
            _say_missing_keys(session)

    return _with_options(command, _WRITING, run, skip=1)


_CLERK = ("actor", "role", "station")


def _clerk(ledger: Ledger, tournament: UUID, said: dict[str, Any], token: str | None) -> Clerk:
    if token is None:
        return replace(Clerk(), **said)
    return ledger.admit(tournament, token, **said)


def reading(command: _Command) -> _Command:
    """Add a Session, a Moment and (for a table) an Output to a command that shows something, with their options."""
    found = inspect.signature(command, eval_str=True).parameters.values()
    staged = [parameter.name for parameter in found if parameter.annotation == EliminationOption]
    output = _OUTPUT if any(parameter.annotation is Output for parameter in found) else {}

    def run(own: dict[str, Any], shared: dict[str, Any]) -> None:
        with open_ledger(shared["ledger"]) as ledger:
            session = Session(ledger, pick_tournament(ledger, shared["tournament"]))
            moment = moment_of(
                ledger,
                session.tournament,
                shared["round_"],
                shared["as_of"],
                as_known=shared["as_known"],
                stage=stage_of(elimination=any(own[name] for name in staged)),
            )
            with only_shown(), naming_key_file(ledger, session.tournament):
                outputs = [Output(**{name: shared[name] for name in output})] if output else []
                command(session, moment, *outputs, **own)
            _say_missing_keys(session)

    return _with_options(command, output | _READING, run, skip=3 if output else 2)


class _Unread:
    """The output of a recording command. After the reader has closed the pipe, further output is dropped."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self._kept(lambda: self._stream.write(text)) or 0

    def flush(self) -> None:
        self._kept(self._stream.flush)

    def _kept(self, act: Callable[[], int | None]) -> int | None:
        try:
            return act()
        except BrokenPipeError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
            return None


@contextmanager
def _read_or_not() -> Iterator[None]:
    """Let a command record everything, even if the reader of its output goes away early."""
    stream = sys.stdout
    sys.stdout = _Unread(stream)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stdout = stream


@contextmanager
def only_shown() -> Iterator[None]:
    """Report a failed write of a command that records nothing as an output error. Also a decorator."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise UsageProblem(f"the output cannot be written: {problem.strerror}") from None


def _say_missing_keys(session: Session) -> None:
    """If the keys to some names are missing, print why numbers replace the names."""
    ring = session.ledger.ring
    asked = {player for tournament, player in ring.missed if tournament == session.tournament.int}
    if missing := asked - erased(session.record).keys():
        typer.echo(missing_keys(len(missing), ring), err=True)


def missing_keys(count: int, ring: KeyRing) -> str:
    """Return a note about names whose keys a key file lacks."""
    keys, numbers = ("key to 1 name", "a number") if count == 1 else (f"keys to {count} names", "numbers")
    are, stand = ("is", "stands for it") if count == 1 else ("are", "stand for them")
    if ring.path is None:
        return f"note: MATCHLEDGER_KEYS names no file with the {keys}: {numbers} {stand}"
    elsewhere = "; copy that file from the machine that has it, or set MATCHLEDGER_KEYS to the file with the keys"
    remedy = "" if ring.path.exists() else elsewhere
    return f"note: the {keys} {are} not in {ring.path}: {numbers} {stand}{remedy}"


def _with_options(
    command: _Command,
    options: dict[str, tuple[Any, Any]],
    run: Callable[[dict[str, Any], dict[str, Any]], None],
    *,
    skip: int,
) -> _Command:
    """Return a command with its own parameters except the first `skip`, and with the shared options."""
    own = list(inspect.signature(command, eval_str=True).parameters.values())[skip:]
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in options.items()
    ]

    @functools.wraps(command)
    def wrapped(**given: Any) -> None:
        run(
            {parameter.name: given[parameter.name] for parameter in own},
            {name: given[name] for name in options},
        )

    kept = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    wrapped.__signature__ = inspect.Signature([*kept, *shared])  # type: ignore[attr-defined] # read by typer
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in [*kept, *shared]}
    return wrapped


__all__ = [
    "LedgerError",
    "Moment",
    "Output",
    "Session",
    "UsageProblem",
    "find_player",
    "only_shown",
    "pick_tournament",
    "reading",
    "show",
    "window_of",
    "writing",
]
