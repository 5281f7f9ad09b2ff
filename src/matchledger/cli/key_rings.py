"""Commands about key files, which open the players' names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.files import need_plain
from matchledger.cli.options import LedgerOption
from matchledger.cli.terminal import agreed
from matchledger.commands.refusal import counted
from matchledger.ledger import LedgerError, open_ledger
from matchledger.ledger.keyring import KeyRing, KeyRingError
from matchledger.ledger.merged_keys import merge_keys
from matchledger.notation.problems import UsageProblem

HELP = "The file with the keys to the players' names."


def merge(
    file: Annotated[Path, typer.Argument(help="The other key file, such as copy.ledger.keys.")],
    ledger: LedgerOption,
) -> None:
    """Add the keys of another key file to the ledger's own."""
    need_plain(file)
    if not file.exists():
        raise UsageProblem(f"there is no {file}: name the other key file")
    with open_ledger(ledger) as kept:
        try:
            theirs = KeyRing(file, instead="name the key file of the other copy")
            if (others := theirs.tournaments()) and others.isdisjoint(kept.tournaments()):
                raise UsageProblem(
                    f"{file} has keys to other events alone: name the key file of a copy of {ledger}"
                )
            merged = [merge_keys(kept, theirs, tournament) for tournament in kept.readable()]
        except KeyRingError as problem:
            raise LedgerError(str(problem)) from None
        new = sum(one.new for one in merged)
        typer.echo(f"{counted(new, 'key')} added to {kept.ring.path}.")
    if differing := _listed(one.differing for one in merged):
        typer.echo(f"note: {differing} has another key in each file: keep {file} too, for its names", err=True)
    if unfit := _listed(one.unfit for one in merged):
        typer.echo(f"note: the keys of {unfit} in {file} open nothing in this log: they were left out", err=True)
    if living := _listed(one.living for one in merged):
        typer.echo(
            f"note: {file} has destroyed the key of {living}, and this log has no erasure: the key stays", err=True
        )


def _listed(players: Iterable[Sequence[int]]) -> str:
    return ", ".join(f"#{player}" for some in players for player in some)


def new(
    ledger: LedgerOption,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Start a second key file on a machine that has no copy of the first; merge the two later.

    Without a terminal, this command needs --yes.
    """
    with open_ledger(ledger) as kept:
        try:
            file = kept.ring.need_no_file()
            if not yes and not sys.stdin.isatty():
                raise UsageProblem(
                    f"{file} would be a second key file: copy the first, or add --yes to start a second"
                )
            if not yes and not agreed(f"Start {file} as a second key file, without the keys of the first?"):
                return
            kept.ring.begin()
        except KeyRingError as problem:
            raise LedgerError(str(problem)) from None
        typer.echo(f"{kept.ring.path} is a second key file. Other names show as numbers until you merge.")


COMMANDS: dict[str, Callable[..., None]] = {"merge": merge, "new": new}
