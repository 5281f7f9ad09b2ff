"""Commands that hand out what a log says: the bundle of one match, the export of the whole."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from matchledger.bundle import Match, bundle_text, covering, entries_about
from matchledger.cli.keys import KeyOption, read_key
from matchledger.cli.session import (
    Session,
    UsageProblem,
    pick_tournament,
    writing,
)
from matchledger.events import CheckpointSigned, Entry, Stage
from matchledger.exchange import export_lines
from matchledger.ledger import open_ledger, sign_checkpoint, sound_tree
from matchledger.tournament import privacy
from matchledger_projections.record import Record


@contextmanager
def unread_session(ledger: str, tournament: str | None) -> Iterator[Session]:
    """A session that reads nothing yet: what is altered can still be verified."""
    with open_ledger(ledger) as kept:
        yield Session(kept, pick_tournament(kept, tournament))


@writing
def bundle(
    session: Session,
    round_: Annotated[int, typer.Argument(help="The round of the match.", metavar="ROUND")],
    table: Annotated[int, typer.Argument(help="Its table.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")],
    key_file: KeyOption = None,
    elimination: Annotated[bool, typer.Option("--elimination", help="A match of the elimination stage.")] = False,
    numbers_only: Annotated[
        bool, typer.Option("--numbers-only", help="Without the registrations: numbers for names.")
    ] = False,
) -> None:
    """Write a dispute file for one match, which docs/verify.py verifies without the ledger."""
    signing_key = None if key_file is None else read_key(key_file)
    match = _match(session.record, round_, table, "elimination" if elimination else "swiss")
    _need_new(output)
    entries = _about(session, match, names=not numbers_only)
    keys = session.ledger.person_keys(session.tournament, entries)
    if keys:
        _note_handed_out(session, "bundle", output, players=keys)
    if signing_key is not None and covering(entries, _checkpoints(session.record)) is None:
        sign_checkpoint(session.ledger, session.tournament, signing_key, clerk=session.clerk)
    checkpoints = _checkpoints(session.record)
    tree = sound_tree(session.ledger, session.tournament, covering(entries, checkpoints))
    positions = {entry.position for entry in entries}
    rows = [
        row
        for row in session.ledger.recorder.entry_rows(session.tournament, through=tree.head.size)
        if row.position in positions
    ]
    _write(output, [bundle_text(match, entries, rows, tree, checkpoints, keys=keys)])
    typer.echo(f"{output}: {len(entries)} of {tree.head.size} entries, {len(checkpoints)} checkpoints.")
    for note in _notes(session.record, match, entries, signed=covering(entries, checkpoints) is not None):
        typer.echo(f"note: {note}", err=True)


def _match(record: Record, number: int, table: int, stage: Stage) -> Match:
    round_ = record.round(number, stage)
    if round_ is None:
        raise UsageProblem(f"{stage} round {number} is not paired")
    if table not in round_.tables:
        raise UsageProblem(f"{stage} round {number} has no table {table}")
    return Match(stage, number, table, round_.tables[table])


def _about(session: Session, match: Match, *, names: bool) -> list[Entry]:
    return entries_about(match, session.ledger.entries(session.tournament), session.record, names=names)


def _checkpoints(record: Record) -> list[CheckpointSigned]:
    return [fact for _, fact in record.checkpoints]


def _notes(record: Record, match: Match, entries: list[Entry], *, signed: bool) -> Iterator[str]:
    """What whoever gives the bundle away should know about it."""
    if not signed:
        yield "no checkpoint covers all of these entries: give a --key, or the bundle proves little"
    for player in match.players:
        person = record.players[player].person
        private = [name for name in ("born", "contact") if getattr(person, name) is not None]
        if private and any(entry.position == record.players[player].position for entry in entries):
            yield f"the registration of {person.name} gives {' and '.join(private)}: --numbers-only leaves it out"
    others = [other for other in record.entered() if other.number not in match.players]
    for entry in entries:
        free_text = f"{entry.actor} {entry.reason or ''}"
        for other in others:
            if len(other.name) > 1 and re.search(rf"\b{re.escape(other.name)}\b", free_text, re.IGNORECASE):
                yield f"what was written with entry {entry.position} names {other.name}, and cannot be taken out"


@writing
def export(
    session: Session,
    file: Annotated[Path, typer.Argument(help="The file to write, or - for stdout.")],
    with_names: Annotated[
        bool | None,
        typer.Option(
            "--with-names/--without-names",
            help="The keys to names and deck lists go along; without them, numbers stand for names.",
            show_default="without",
        ),
    ] = None,
) -> None:
    """Write the whole log as JSON Lines, byte for byte; import reads it back with its tree head unchanged."""
    opening = session.ledger.record_as_of(session.tournament, 1).opening
    sealed = opening is not None and opening.sealed
    if with_names is False and not sealed:
        raise UsageProblem(
            "names stand in clear in this log, and cannot be left out without breaking its hashes: "
            "give its standings away instead"
        )
    if sealed and with_names:
        _need_new(file)
        _note_handed_out(session, "export", file)
    lines = export_lines(session.ledger, session.tournament, names=sealed and bool(with_names))
    first = next(lines)
    _write(file, [first, *lines])
    head = session.ledger.head(session.tournament)
    typer.echo(f"{file}: {head.size} entries, tree head {head}", err=True)
    if not sealed:
        typer.echo("note: names and deck lists stand in it in clear", err=True)
    elif with_names:
        typer.echo("note: the keys to names and deck lists are in it: keep it as you keep them", err=True)
    else:
        typer.echo("note: names and deck lists are sealed in it, without their keys: see --with-names", err=True)


def _note_handed_out(
    session: Session, form: Literal["export", "bundle"], file: Path, players: Iterable[int] = ()
) -> None:
    """A copy with names is noted before it is made, so that none is missing from a certificate of erasure."""
    session.ledger.decide(
        session.tournament,
        partial(privacy.hand_names_out, form=form, to=file.name, players=players),
        clerk=session.clerk,
        command=None if session.command is None else f"{session.command}/names",
        reason=session.reason,
    )


def _need_new(file: Path) -> None:
    if str(file) != "-" and file.exists():
        raise UsageProblem(f"{file} is there already: name another file")


def _write(file: Path, texts: Iterable[str]) -> None:
    """What is there is never overwritten: it might be a ledger."""
    if str(file) == "-":
        sys.stdout.writelines(texts)
        sys.stdout.flush()  # what is said after it must be true
        return
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.writelines(texts)
    except FileExistsError:
        raise UsageProblem(f"{file} is there already: name another file") from None
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None


COMMANDS: dict[str, Callable[..., None]] = {
    "bundle": bundle,
    "export": export,
}
