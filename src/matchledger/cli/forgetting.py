"""The command that forgets a person."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption, PlayerArgument
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.evidence.erasure import erase as forget


@writing
def erase(
    session: Session,
    player: PlayerArgument,
    certificate: Annotated[
        Path | None,
        typer.Option("--certificate", help="Where the certificate goes; else erasure-N.txt.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Destroy the key to a player's name, birth year, contact and deck lists, for good; --reason is needed."""
    number = session.player(player)
    file = Path(f"erasure-{number}.txt") if certificate is None else certificate
    if file.exists():
        raise UsageProblem(f"{file} is there already: name another file with --certificate; nobody was erased")
    if not file.absolute().parent.is_dir():
        raise UsageProblem(f"there is no folder for {file}: name another file; nobody was erased")
    done = forget(
        session.ledger,
        session.tournament,
        number,
        clerk=session.clerk,
        reason=session.reason,
        command=session.command,
    )
    text = "".join(f"{line}\n" for line in done.lines())
    typer.echo(json.dumps(done.document(), ensure_ascii=False) if as_json else text, nl=as_json)
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        raise UsageProblem(f"the player is erased, but {file} cannot be written: {error.strerror}") from None
    typer.echo(f"The certificate is saved as {file}.", err=True)


COMMANDS: dict[str, Callable[..., None]] = {"erase": erase}
