"""Commands that export parts of the log: the dispute file of one match, and the export."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.keys import KeyOption, read_key
from matchledger.cli.options import OUT, OutOption, named_file
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.ways import said_here
from matchledger.commands.refusal import counted
from matchledger.evidence.dispute_release import find_match, hand_bundle_out, note_names_handed_out
from matchledger.evidence.export import export_lines
from matchledger.formats.log_transcript import transcript_of
from matchledger.formats.writer import WRITERS, write_transcript

JSON_LINES = "jsonl"


@writing
def bundle(
    session: Session,
    round_: Annotated[int, typer.Argument(help="The round of the match.", metavar="ROUND")],
    table: Annotated[int, typer.Argument(help="The table of the match.")],
    output: Annotated[Path, typer.Option(*OUT, help="The file to write.")],
    key_file: KeyOption = None,
    elimination: Annotated[
        bool, typer.Option("--elimination", help="The match is in the elimination stage.")
    ] = False,
    numbers_only: Annotated[
        bool, typer.Option("--numbers-only", help="Leave the registrations out: numbers replace names.")
    ] = False,
) -> None:
    """Write a dispute file for one match; docs/verify.py checks it without the ledger."""
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
    _write(output, [made.text], alone=not numbers_only)
    signed = counted(made.checkpoints, "checkpoint")
    typer.echo(f"{output}: {made.entries} of {counted(made.size, 'entry', 'entries')}, {signed}.")
    for note in made.notes:
        typer.echo(f"note: {said_here(note)}", err=True)


@writing
def export(
    session: Session,
    named: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The same as --out.", show_default=False)
    ] = None,
    out: OutOption = None,
    with_names: Annotated[
        bool | None,
        typer.Option(
            "--with-names/--without-names",
            help="Include the keys to names and deck lists; without them, numbers replace names.",
            show_default="without",
        ),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", "-f", help=f"The format: {', '.join((JSON_LINES, *WRITERS))}.")
    ] = JSON_LINES,
) -> None:
    """Export the log as JSON Lines, or the event for another program."""
    file = named_file(named, out)
    if form != JSON_LINES:
        _export_as(session, file, form, with_names=with_names)
        return
    opening = session.ledger.record_as_of(session.tournament, 1).opening
    sealed = opening is not None and opening.sealed
    if with_names is False and not sealed:
        raise UsageProblem(
            "this log holds unencrypted names, and its hashes need them: give away its standings instead"
        )
    if sealed and with_names:
        _note_names(session, file)
    lines = export_lines(session.ledger, session.tournament, names=sealed and bool(with_names))
    first = next(lines)
    _write(file, [first, *lines], alone=sealed and bool(with_names))
    head = session.ledger.head(session.tournament)
    typer.echo(f"{file}: {counted(head.size, 'entry', 'entries')}, tree head {head}", err=True)
    if not sealed:
        typer.echo("note: it contains readable names and deck lists", err=True)
    elif with_names and (lost := session.ledger.lost_names(session.tournament)):
        typer.echo(f"note: it lacks the keys to {counted(len(lost), 'name')}", err=True)
    elif with_names:
        typer.echo("note: the keys to names and deck lists are in it: keep it as you keep them", err=True)
    else:
        typer.echo("note: names and deck lists are sealed in it, without their keys: see --with-names", err=True)


def _export_as(session: Session, file: Path, form: str, *, with_names: bool | None) -> None:
    """Write the event as a file for another program, and record first that the file gives names out."""
    if form not in WRITERS:
        raise UsageProblem(f"there is no format {form!r}: there are {', '.join((JSON_LINES, *WRITERS))}")
    if with_names is False:
        raise UsageProblem(f"a {form} file names the players: leave --without-names out, or write {JSON_LINES}")
    _note_names(session, file)
    data, left_out = write_transcript(transcript_of(session.record), form)
    _write(file, [data.decode()])
    typer.echo(f"{file}: {session.record.name} as {form}", err=True)
    for line in left_out:
        typer.echo(f"note: left out: {line}", err=True)


def _need_new(file: Path) -> None:
    if str(file) != "-" and file.exists():
        raise UsageProblem(f"{file} is there already: name another file")


def _write(file: Path, texts: Iterable[str], *, alone: bool = False) -> None:
    """Write a new file. With `alone`, for a file that contains keys, only the file's owner can read it. Never
    overwrite a file.
    """
    if str(file) == "-":
        # Use the terminal's line ending for CSV too.
        sys.stdout.writelines(text.replace("\r\n", "\n") for text in texts)
        sys.stdout.flush()  # flush the file first, because the message says that the file is written
        return
    try:
        new = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if alone else 0o666)
        with os.fdopen(new, "w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(texts)
    except FileExistsError:
        raise UsageProblem(f"{file} is there already: name another file") from None
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None


def _note_names(session: Session, file: Path) -> None:
    """Refuse an existing file. Before a new file is written, record that the file gives names out."""
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
