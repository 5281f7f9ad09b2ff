"""The command that erases a person's data."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.options import OUT, JsonOption
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.terminal import agreed
from matchledger.commands import privacy
from matchledger.commands.draft import now
from matchledger.evidence.erasure import erase as forget
from matchledger.ledger import Draft
from matchledger.ledger.admission import need_admitted
from matchledger.notation.player_lookup import find_exactly
from matchledger_projections.record.roster import Player


@writing
def erase(
    session: Session,
    player: Annotated[str, typer.Argument(help="The whole name, or #number.")],
    certificate: Annotated[
        Path | None,
        typer.Option(*OUT, help="The file for the certificate; by default erasure-N.txt.", show_default=False),
    ] = None,
    as_json: JsonOption = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Destroy the key to a player's name, year of birth, contact and deck lists, for good.

    Only an organizer may do this, with a --reason, and with --yes without a terminal.
    """
    found = find_exactly(session.record, player)
    number = found.number
    _need_allowed(session, number)
    file = Path(f"erasure-{number}.txt") if certificate is None else certificate
    if file.exists():
        raise UsageProblem(f"{file} is there already: name another file with --out; no player was erased")
    if not file.absolute().parent.is_dir():
        raise UsageProblem(f"there is no folder for {file}: name another file; no player was erased")
    if not yes:
        _ask(found)
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


def _need_allowed(session: Session, player: int) -> None:
    """Refuse an erasure that the rules forbid, or a clerk without a required token, before opening files and
    asking.
    """
    record = session.ledger.record_as_of(session.tournament, session.record.position)
    need_admitted(record, session.clerk, now())
    draft = Draft(session.tournament, record, session.clerk)
    draft.decide(partial(privacy.erase, player=player, reason=session.reason), reason=session.reason)


def _ask(player: Player) -> None:
    """Name the player to erase, and ask for confirmation. Without a terminal, refuse."""
    if not sys.stdin.isatty():
        raise UsageProblem("this cannot be undone: add --yes to do it without a question")
    typer.echo(f"The name, birth year, contact and deck lists of {player.name} (#{player.number}) will be")
    typer.echo("unreadable for ever, here and in every mirror. The results stay, under the number.")
    if not agreed("Erase this person?"):
        raise typer.Exit
