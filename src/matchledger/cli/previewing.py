"""Seeing before acting: commands that reach further than their own match say what would follow, and ask."""

from __future__ import annotations

import functools
import inspect
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from matchledger.cli.foresight_text import consequence_lines
from matchledger.cli.session import Session, UsageProblem
from matchledger.events import Entry
from matchledger.ledger import Decision
from matchledger.service.preview import Foreseen, Moved, foresee, foreseen_document, if_unmoved, posted_at


@dataclass(frozen=True, slots=True)
class Foresight:
    """How somebody wants to see before acting: only to look, to be asked, or to go ahead."""

    preview: bool
    as_json: bool
    yes: bool
    cut: int | None

    def decide(self, session: Session, decision: Decision) -> Sequence[Entry]:
        """Records what a decision leads to; after a preview, nothing, and the command is over.

        On a terminal somebody is asked first, if the decision reaches further than its own match.
        """
        if self.as_json and not self.preview:
            raise UsageProblem("--json shows a preview: give --preview with it")
        if self.preview:
            self._show(session, _foresee(session, decision, cut=self.cut))
            raise typer.Exit
        if self.yes or not sys.stdin.isatty():
            return session.decide(decision)
        return self._ask_and_decide(session, decision)

    def _ask_and_decide(self, session: Session, decision: Decision) -> Sequence[Entry]:
        while True:
            seen = session.record.position
            foreseen = _foresee(session, decision, cut=self.cut)
            if foreseen.consequences.reaches_further:
                self._show(session, foreseen)
                if not typer.confirm("Record this?"):
                    typer.echo("Nothing was recorded.")
                    raise typer.Abort
            try:
                return session.decide(if_unmoved(decision, seen))
            except Moved:
                typer.echo("Another station has recorded something since: look again.")

    def _show(self, session: Session, foreseen: Foreseen) -> None:
        found = foreseen.consequences
        if self.as_json:
            document = foreseen_document(session.ledger, session.tournament, foreseen)
            typer.echo(json.dumps(document, ensure_ascii=False))
            return
        said_at = posted_at(session.ledger, session.tournament, found)
        if self.preview:
            typer.echo("PREVIEW: nothing is recorded.")
        for line in consequence_lines(foreseen.record, found, said_at):
            typer.echo(line)


def _foresee(session: Session, decision: Decision, *, cut: int | None) -> Foreseen:
    return foresee(
        session.ledger,
        session.tournament,
        decision,
        clerk=session.clerk,
        reason=session.reason,
        command=session.command,
        cut=cut,
    )


_OPTIONS: dict[str, tuple[Any, Any]] = {
    "preview": (Annotated[bool, typer.Option("--preview", help="Show what would follow; record nothing.")], False),
    "as_json": (Annotated[bool, typer.Option("--json", help="With --preview: one JSON document.")], False),
    "yes": (Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, however far it reaches.")], False),
    "cut": (
        Annotated[int | None, typer.Option("--cut", min=2, help="A cut to look at, if none is announced.")],
        None,
    ),
}


def foreseeing(command: Callable[..., None]) -> Callable[..., None]:
    """Gives a command, after its session, a Foresight, and the options that make one."""
    first, _, *own = inspect.signature(command, eval_str=True).parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _OPTIONS.items()
    ]

    @functools.wraps(command)
    def wrapped(session: Session, **given: Any) -> None:
        foresight = Foresight(**{name: given.pop(name) for name in _OPTIONS})
        command(session, foresight, **given)

    kept = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    wrapped.__signature__ = inspect.Signature([first, *kept, *options])  # type: ignore[attr-defined] # read by writing
    return wrapped
