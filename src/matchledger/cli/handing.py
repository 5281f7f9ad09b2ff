"""Commands that hand out what a log says: the bundle of one match, the export of the whole."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.keys import KeyOption, read_key
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.ways import said_here
from matchledger.evidence.dispute_release import find_match, hand_bundle_out, note_names_handed_out
from matchledger.evidence.export import export_lines


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
    match = find_match(session.record, round_, table, "elimination" if elimination else "swiss")
    _need_new(output)
    made = hand_bundle_out(
        session.ledger,
        session.tournament,
        match,
        to=output.name,
        names=not numbers_only,
        clerk=session.clerk,
        command=session.command,
        reason=session.reason,
        key=signing_key,
    )
    _write(output, [made.text])
    typer.echo(f"{output}: {made.entries} of {made.size} entries, {made.checkpoints} checkpoints.")
    for note in made.notes:
        typer.echo(f"note: {said_here(note)}", err=True)


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
        note_names_handed_out(
            session.ledger,
            session.tournament,
            form="export",
            to=file.name,
            clerk=session.clerk,
            command=session.command,
            reason=session.reason,
        )
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
