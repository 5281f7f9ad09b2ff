"""Options that several commands share."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from matchledger.commands.draft import now
from matchledger.events import Stage
from matchledger.notation.problems import UsageProblem
from matchledger.service.window import Moment
from matchledger_projections.views.sight import stage_in_play


def _in_a_file(location: str) -> str:
    """Return the location of a ledger. Refuse SQLite's name for memory, because every entry would be lost (A-1)."""
    if location == ":memory:":
        raise typer.BadParameter("a ledger in memory would lose every entry: name a file")
    return location


LedgerOption = Annotated[
    str,
    typer.Option(
        "--ledger",
        "-l",
        callback=_in_a_file,
        envvar="MATCHLEDGER_LEDGER",
        help="The ledger: a file, or postgresql://...",
        show_default=False,
    ),
]
TournamentOption = Annotated[
    str | None, typer.Option("--tournament", "-t", help="Name or id, if the ledger holds several tournaments.")
]
TokenOption = Annotated[
    str | None,
    typer.Option(
        "--token",
        envvar="MATCHLEDGER_TOKEN",
        help="The station's token; it sets actor, role and station.",
        show_default=False,
    ),
]

MirrorOption = Annotated[
    Path | None,
    typer.Option(
        "--mirror",
        envvar="MATCHLEDGER_MIRROR",
        help="A folder on another disk: the ledger is copied there at the end of each round.",
        show_default=False,
    ),
]
# Every command writes its file with this one option. Each command sets its own default file.
OUT = ("--out", "-o")
OutOption = Annotated[
    Path | None, typer.Option(*OUT, help="The file to write, or - for stdout.", show_default=False)
]
OutputOption = Annotated[
    Path | None, typer.Option(*OUT, help="The file to write; by default stdout.", show_default=False)
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON document.")]
RulebookOption = Annotated[
    str | None, typer.Option("--rulebook", "-b", help="Rank under another rulebook, as a hypothesis.")
]
PlayerArgument = Annotated[str, typer.Argument(help="Name, beginning of a name, or #number.")]
# With this option, the --round of a showing command is a round of the elimination stage.
EliminationOption = Annotated[bool, typer.Option("--elimination", help="The elimination stage.")]
NamesInClearOption = Annotated[
    bool,
    typer.Option(
        "--names-in-clear",
        help="Store personal data unencrypted, without a key file: the data can never be erased.",
    ),
]


def stage_of(*, elimination: bool) -> Stage:
    """Return the stage that the option --elimination names."""
    return "elimination" if elimination else "swiss"


def stage_asked(moment: Moment, *, elimination: bool = False) -> Stage:
    """Return the elimination stage if --elimination is given. Otherwise return the Swiss stage if --round is given,
    else the stage being played.
    """
    return "elimination" if elimination else stage_in_play(moment.record, moment.round)


def day(text: str | None) -> date:
    """Return the day in an ISO 8601 text. An empty text means today."""
    if text is None:
        return now().astimezone().date()
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UsageProblem(f"{text!r} is not a day: write it as 2026-05-02") from None


def named_file(named: Path | None, out: Path | None) -> Path:
    """Return the file named with --out or as an argument. Raises UsageProblem if no file is named, or two."""
    found = [file for file in (named, out) if file is not None]
    if len(found) != 1:
        raise UsageProblem(
            "name the file to write: --out FILE" if not found else "name one file to write, by --out"
        )
    return found[0]
