"""The command that copies a ledger into another store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from matchledger.cli.session import UsageProblem, missing_keys
from matchledger.commands.refusal import counted
from matchledger.evidence.migration import copy_ledger
from matchledger.ledger import open_ledger


def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A ledger: a file, or postgresql://...")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The ledger to copy to; made if it does not exist.")],
) -> None:
    """Copy all tournaments with their keys into another ledger, and verify the copy."""
    if source == target:
        raise UsageProblem("FROM and TO are the same ledger")
    with open_ledger(source, own_keys=True) as here, open_ledger(target, create=True) as there:
        left = here.quarantined()
        done = list(copy_ledger(here, there))
        ring = there.ring
    for copied in done:
        said = "was there already" if copied.found_there else "copied"
        typer.echo(f"{copied.name}: {said}, tree head {copied.head.size}:{copied.head.root.hex()}")
        if copied.lost_names:
            typer.echo(missing_keys(copied.lost_names, ring), err=True)
    for tournament, problem in left.items():
        typer.echo(f"note: tournament {tournament} was not copied, because it cannot be read: {problem}", err=True)
    typer.echo(f"{counted(len(done), 'tournament')}, every tree head unchanged.")


COMMANDS: dict[str, Callable[..., None]] = {"migrate": migrate}
