"""Previews: a command that affects more than its own match shows the consequences and asks first."""

from __future__ import annotations

import functools
import inspect
import json
import sys
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from msgspec import Struct

from matchledger.cli.foresight_text import consequence_lines
from matchledger.cli.session import Session, UsageProblem
from matchledger.cli.terminal import agreed
from matchledger.cli.ways import said_here
from matchledger.commands.command import Command, Moved
from matchledger.events import PlayerDisqualified, TournamentClosed
from matchledger.service.execute import Done, preview
from matchledger.service.preview import Foreseen, facts_in_words, foreseen_document
from matchledger_projections.record.record import Record
from matchledger_projections.record.returning import returns


class Foresight(Struct, frozen=True):
    """The clerk's options for a preview: only show it, ask before recording, or record without a question."""

    preview: bool
    as_json: bool
    yes: bool
    cut: int | None

    def execute(self, session: Session, command: Command) -> Done:
        """Execute a command.

        With --preview, print the consequences and exit without recording.

        On a terminal, ask first if the command affects more than its own match.
        """
        if self.as_json and not self.preview:
            raise UsageProblem("--json shows a preview: give --preview with it")
        if self.preview:
            self._show(session, command, self._foresee(session, command))
            raise typer.Exit
        if self.yes:
            return session.execute(command)
        if not sys.stdin.isatty():
            if self._is_always_asked(session, command):
                raise UsageProblem("this is asked first: add --yes to do it without a question")
            return session.execute(command)
        return self._ask_and_execute(session, command)

    def _is_always_asked(self, session: Session, command: Command) -> bool:
        """Return whether a command always needs an answer or --yes. A command that the rules refuse raises its
        refusal here.
        """
        if command.asks != "always" and not command.takes_back:
            return False
        foreseen = self._foresee(session, command)
        return command.asks == "always" or _closes_again(session.record, foreseen)

    def _ask_and_execute(self, session: Session, command: Command) -> Done:
        while True:
            seen = session.record.position
            foreseen = self._foresee(session, command)
            if (
                foreseen.consequences.reaches_further
                or command.asks != "far"
                or _closes_again(session.record, foreseen)
            ):
                self._show(session, command, foreseen)
                if not agreed("Record this?"):
                    raise typer.Exit
            try:
                return session.execute(command, seen=seen)
            except Moved:
                typer.echo("Another station has recorded something since: look again.")

    def _foresee(self, session: Session, command: Command) -> Foreseen:
        return preview(session.ledger, session.tournament, session.request(command), cut=self.cut)

    def _show(self, session: Session, command: Command, foreseen: Foreseen) -> None:
        found = foreseen.consequences
        if self.as_json:
            document = foreseen_document(session.ledger, session.tournament, foreseen)
            typer.echo(json.dumps(document, ensure_ascii=False))
            return
        if self.preview:
            typer.echo("PREVIEW: nothing is recorded.")
        for words in facts_in_words(session.ledger, session.tournament, foreseen):
            typer.echo(f"Will record: {words}")
        for line in consequence_lines(foreseen.record, found, partial(session.ledger.entry, session.tournament)):
            typer.echo(line)
        if command.lasting is not None:
            typer.echo(said_here(command.lasting))


def _closes_again(record: Record, foreseen: Foreseen) -> bool:
    """Return whether the command makes a closing or a disqualification count again. Such a command asks the clerk
    first, as the original command did.
    """
    back = (returns(record, fact) for fact in foreseen.consequences.facts)
    kinds = {record.kind_at(position) for position in back if position is not None}
    return not kinds.isdisjoint((PlayerDisqualified, TournamentClosed))


_OPTIONS: dict[str, tuple[Any, Any]] = {
    "preview": (Annotated[bool, typer.Option("--preview", help="Show the effects; record nothing.")], False),
    "as_json": (Annotated[bool, typer.Option("--json", help="With --preview: one JSON document.")], False),
    "yes": (
        Annotated[bool, typer.Option("--yes", "-y", help="Do not ask, even if other matches change.")],
        False,
    ),
    "cut": (
        Annotated[
            int | None, typer.Option("--cut", min=2, help="Size of the cut to look at, if none is announced.")
        ],
        None,
    ),
}


def foreseeing(command: Callable[..., None]) -> Callable[..., None]:
    """Add a Foresight to a command after its session, with the options of previews."""
    first, _, *own = inspect.signature(command, eval_str=True).parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _OPTIONS.items()
    ]

    @functools.wraps(command)
    def wrapped(session: Session, **given: Any) -> None:
        foresight = Foresight(**{name: given.pop(name) for name in _OPTIONS})
        command(session, foresight=foresight, **given)

    kept = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    wrapped.__signature__ = inspect.Signature([first, *kept, *options])  # type: ignore[attr-defined] # read by writing
    return wrapped
