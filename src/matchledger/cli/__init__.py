"""The command line: `matchledger`, with one command for each task at a tournament."""

from __future__ import annotations

import atexit
import io
import os
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import typer

from matchledger.cli.codes import BAD_INPUT, CONFLICT, DONE, FAILED, INTERRUPTED, REFUSED, CheckFailed
from matchledger.cli.contents import Contents, misread
from matchledger.cli.index import COMMANDS, GROUPS
from matchledger.cli.terminal import PlainStream

app = typer.Typer(
    name="matchledger",
    cls=Contents,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata  # noqa: PLC0415 - only `--version` needs it, and it is slow to import

        typer.echo(f"matchledger {metadata.version('matchledger')}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit.")
]


@app.callback()
def _program(_: VersionOption = False) -> None:
    """A tournament ledger: every slip is an entry, and every table is computed from the log."""


@cache
def _program_as_typed() -> Any:
    """Return the whole command line, built by typer. The command line is built once per process."""
    return typer.main.get_command(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code. An error is printed as one line on stderr."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _program_as_typed()(args=given or ["--help"], prog_name="matchledger", standalone_mode=False)
        sys.stdout.flush()
    except CheckFailed:
        return FAILED
    except typer.Abort:  # the user pressed Ctrl-C or Ctrl-D at a question
        return _say("interrupted: nothing was recorded", INTERRUPTED)
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:  # the program that reads our output has closed the pipe
        code = DONE
    except typer.TyperException as problem:
        return _say(misread(problem), BAD_INPUT)
    except Exception as problem:  # noqa: BLE001 - a desk has no use for a traceback
        from matchledger.cli.problems import said_of  # noqa: PLC0415 - only an error needs it

        return _say(*said_of(problem))
    if code == INTERRUPTED:  # typer turns a KeyboardInterrupt into an exit code and prints no message
        return _say("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else DONE


def _say(message: str, code: int) -> int:
    line = " ".join(message.split())
    print(f"matchledger: {line}", file=sys.stderr)
    return code


def prepare_streams() -> None:
    """Read and write UTF-8 in every locale.

    Bytes that are not UTF-8 are escaped. A closed standard stream counts as empty.

    Odd characters in a player's name or in typed text can neither stop a command halfway nor control the terminal.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            empty = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - open until the program ends
            setattr(sys, name, empty)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        if name != "stdin":
            setattr(sys, name, PlainStream(getattr(sys, name)))


def main() -> None:
    """The console script."""
    code = FAILED

    def leave() -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)

    # The system frees the memory faster than Python, which destroys every module. Other exit handlers come first.
    atexit.register(leave)
    # Pydantic would search the metadata of every installed package for plugins. There are none.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    prepare_streams()
    code = run()
    try:
        sys.stdout.flush()
    except OSError:
        # The write error was already reported. Close the output here, or Python would write again at exit and
        # report the error a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


__all__ = [
    "BAD_INPUT",
    "COMMANDS",
    "CONFLICT",
    "DONE",
    "FAILED",
    "GROUPS",
    "INTERRUPTED",
    "REFUSED",
    "app",
    "main",
    "prepare_streams",
    "run",
]
