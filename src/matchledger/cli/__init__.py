"""The command line: `matchledger`, one command for each thing that is done at a tournament."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from matchledger.cli import (
    calling,
    citing,
    clock,
    comparing,
    conduct,
    copying,
    decks,
    desk,
    divisions,
    drawing,
    explaining,
    forgetting,
    importing,
    paper,
    printing,
    proving,
    publishing,
    reading,
    recounting,
    repairing,
    replaying,
    results,
    rounds,
    serving,
    setup,
    staff,
    stages,
    supposing,
    tokens,
)
from matchledger.cli.contents import Contents, first_sentence, misread
from matchledger.cli.session import CheckFailed, UsageProblem
from matchledger.formats.transcript import FormatError
from matchledger.ledger import Conflict, LedgerError
from matchledger.tokens import TokenDemanded, TokenRefused
from matchledger.tournament.refusal import Refusal
from matchledger_projections.rulebook import RulebookError

app = typer.Typer(
    name="matchledger",
    cls=Contents,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"matchledger {metadata.version('matchledger')}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
]


@app.callback()
def _program(_: VersionOption = False) -> None:
    """A tournament ledger: every slip is an entry, and every table is replayed from the log."""


COMMANDS: dict[str, Callable[..., None]] = {
    **setup.COMMANDS,
    **divisions.COMMANDS,
    **rounds.COMMANDS,
    **clock.COMMANDS,
    **results.COMMANDS,
    **desk.COMMANDS,
    **stages.COMMANDS,
    **calling.COMMANDS,
    **conduct.COMMANDS,
    **repairing.COMMANDS,
    **reading.COMMANDS,
    **explaining.COMMANDS,
    **recounting.COMMANDS,
    **comparing.COMMANDS,
    **replaying.COMMANDS,
    **supposing.COMMANDS,
    **paper.COMMANDS,
    **importing.COMMANDS,
    **proving.COMMANDS,
    **publishing.COMMANDS,
    **forgetting.COMMANDS,
    **serving.COMMANDS,
    **citing.COMMANDS,
    **copying.COMMANDS,
}
for name, command in COMMANDS.items():
    app.command(name, short_help=first_sentence(command.__doc__))(command)
# Commands of several words, by their first.
GROUPS: dict[str, ModuleType] = {"deck": decks, "token": tokens, "draw": drawing, "print": printing, "staff": staff}
for name, group in GROUPS.items():
    app.add_typer(group.app, name=name, short_help=first_sentence(str(group.app.info.help)))

DONE, FAILED, BAD_INPUT, REFUSED, CONFLICT, INTERRUPTED = 0, 1, 2, 3, 4, 130


_CODES: tuple[tuple[tuple[type[BaseException], ...], int], ...] = (
    ((UsageProblem, FormatError, LedgerError, RulebookError), BAD_INPUT),
    ((Refusal, TokenRefused), REFUSED),
    ((Conflict,), CONFLICT),
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Carries a command line out and returns its exit code; whatever goes wrong is one line on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(args=given or ["--help"], prog_name="matchledger", standalone_mode=False)
        sys.stdout.flush()
    except CheckFailed:
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:  # whoever read the output has seen enough
        code = DONE
    except Exception as problem:  # noqa: BLE001 - whatever goes wrong, nobody at a desk has use for a traceback
        return _say(*_said_of(problem))
    if code == INTERRUPTED:  # typer makes an exit code of a KeyboardInterrupt, and says nothing
        return _say("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else DONE


def _said_of(problem: Exception) -> tuple[str, int]:
    """What is said of something that went wrong, and the exit code."""
    if isinstance(problem, TokenDemanded):  # how a token is shown here; a browser has a link for it
        return f"{problem}, and give it with --token or MATCHLEDGER_TOKEN", REFUSED
    for kinds, code in _CODES:
        if isinstance(problem, kinds):
            return str(problem), code
    if isinstance(problem, typer.TyperException):
        return misread(problem), BAD_INPUT
    if isinstance(problem, OSError):  # files that are read are looked after there: this is what is written
        return f"the output cannot be written: {problem.strerror}; log shows what is recorded", BAD_INPUT
    if os.environ.get("MATCHLEDGER_TRACEBACK"):
        raise problem
    # Where it went wrong, without what it was about: that may be a name, or a key.
    last = traceback.extract_tb(problem.__traceback__)[-1]
    where = f"{type(problem).__name__} in {Path(last.filename).name}, line {last.lineno}"
    return (
        (
            f"this went wrong inside ({where}): log shows what is recorded, verify whether the ledger is sound; "
            "MATCHLEDGER_TRACEBACK=1 shows more, for a report"
        ),
        BAD_INPUT,
    )


def _say(message: str, code: int) -> int:
    line = " ".join(message.split())
    print(f"matchledger: {line}", file=sys.stderr)
    return code


def prepare_streams() -> None:
    """Text is UTF-8 whatever the locale says; what is not is escaped, and a stream that is closed is empty.

    No name in a table, and no byte from a keyboard, may stop a command half way.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            empty = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - open until the program ends
            setattr(sys, name, empty)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def main() -> None:
    """The console script."""
    prepare_streams()
    code = run()
    try:
        sys.stdout.flush()
    except OSError:
        # What cannot be written has been said; Python would try once more at its end, and say it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)
