"""Commands that read whole events from files."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.codes import CheckFailed
from matchledger.cli.files import in_file, need_plain, read_file
from matchledger.cli.options import JsonOption, LedgerOption, NamesInClearOption
from matchledger.cli.session import UsageProblem, only_shown
from matchledger.cli.setup import SECRET_BYTES
from matchledger.commands.refusal import counted
from matchledger.evidence.export import MAX_EXPORT_BYTES, is_export, read_export, restore
from matchledger.formats.reader import FORMATS, read_transcript
from matchledger.formats.text import listed
from matchledger.formats.transcript import Transcript
from matchledger.ledger import Clerk, open_ledger
from matchledger.ledger.location import without_password
from matchledger.service.importing import Transcription, transcribe
from matchledger.service.official_numbers import Comparison, best_reading

JSON_LINES = "jsonl"  # our own export. It needs no transcript

FileArgument = Annotated[
    Path, typer.Argument(help="A score sheet, or a file of Cobra, NRTM, TOM, Aesop's Tables or a melee.gg cache.")
]
FormatOption = Annotated[
    str | None,
    typer.Option("--format", "-f", help=f"The format: {', '.join((*FORMATS, JSON_LINES))}; guessed if not given."),
]


def import_(
    file: FileArgument,
    ledger: LedgerOption,
    format_: FormatOption = None,
    names_in_clear: NamesInClearOption = False,
    actor: Annotated[str, typer.Option("--actor", envvar="MATCHLEDGER_ACTOR")] = "importer",
    station: Annotated[str, typer.Option("--station", envvar="MATCHLEDGER_STATION")] = "desk",
) -> None:
    """Read a whole event into a new ledger, or nothing at all."""
    if format_ == JSON_LINES or (format_ is None and is_export(_beginning(file))):
        _import_export(file, ledger)
        return
    transcript, transcription, _ = _transcribe(
        file, format_, Clerk(actor, "organizer", station), sealed=not names_in_clear
    )
    with open_ledger(ledger, create=True) as kept:
        if kept.tournaments():
            raise UsageProblem(f"{without_password(ledger)} holds a tournament already: import into a new ledger")
        kept.keep(transcription.draft, secret=transcription.secret)
        head = kept.head(transcription.draft.tournament)
    for note in transcription.notes:
        typer.echo(f"note: {note}", err=True)
    record = transcription.draft.record
    name = record.name or file.stem
    typer.echo(
        f"{name}: {counted(len(record.entered()), 'player')}, {counted(len(record.rounds()), 'Swiss round')}, "
        f"{counted(head.size, 'entry', 'entries')} under {transcript.rulebook}."
    )


def _import_export(file: Path, ledger: str) -> None:
    """Import the entries of an export unchanged, without deciding any command again."""
    with in_file(file):
        export = read_export(read_file(file, most=MAX_EXPORT_BYTES))
    rulebook = export.record.rulebook.id
    with open_ledger(ledger, create=True) as kept:
        if kept.tournaments():
            raise UsageProblem(f"{without_password(ledger)} holds a tournament already: import into a new ledger")
        restore(kept, export)
        head = kept.head(export.tournament)
    typer.echo(f"{counted(head.size, 'entry', 'entries')} under {rulebook}, as exported. Tree head {head}")


def _beginning(file: Path) -> bytes:
    need_plain(file)
    try:
        with file.open("rb") as stream:
            return stream.read(100)
    except OSError as error:
        raise UsageProblem(f"{file} cannot be read: {error.strerror}") from None


def _transcribe(
    file: Path, format_: str | None, clerk: Clerk, *, sealed: bool = True
) -> tuple[Transcript, Transcription, Comparison]:
    data = read_file(file)
    secret = secrets.token_bytes(SECRET_BYTES)
    # A file name consists of bytes, but the log stores text.
    source = os.fsencode(file.name).decode("utf-8", "replace")
    with in_file(file):
        transcript = read_transcript(data, format_)
        carried, comparison = best_reading(
            transcript,
            lambda read: transcribe(read, data=data, source=source, secret=secret, clerk=clerk, sealed=sealed),
        )
        return transcript, carried, comparison


@only_shown()
def check(file: FileArgument, format_: FormatOption = None, as_json: JsonOption = False) -> None:
    """Recompute an event of another program, and compare with the official numbers in its file."""
    if format_ is None and is_export(_beginning(file)):
        raise UsageProblem(
            f"{file} is an export, which holds no numbers of others: import it, and verify the ledger"
        )
    transcript, transcription, comparison = _transcribe(file, format_, Clerk("checker", "organizer"))
    if as_json:
        document = {
            "players": comparison.players,
            "compared": {name: list(counts) for name, counts in comparison.compared.items()},
            "order": list(comparison.order),
            "mismatches": comparison.mismatches,
            "not_comparable": comparison.not_comparable,
            "unranked": list(comparison.unranked),
        }
        typer.echo(json.dumps(document, ensure_ascii=False))
    else:
        for line in _report(transcript, transcription, comparison, file.name):
            typer.echo(line)
    if comparison.mismatches:
        raise CheckFailed


def _report(
    transcript: Transcript, transcription: Transcription, comparison: Comparison, name: str
) -> Iterator[str]:
    """Yield the lines of `check`."""
    for note in transcription.notes:
        yield f"note: {note}"
    if transcript.official is None:
        yield f"{name} holds no official number: there is nothing to compare with."
    for number, (matched, total) in comparison.compared.items():
        yield f"{number}: {matched} of {total} match"
    for number in comparison.not_comparable:
        yield f"{number}: not comparable, because the file lacks matches"
    if transcript.official is not None and not comparison.not_comparable:
        yield "order: {} of {} neighbours not contradicted".format(*comparison.order)
    if comparison.unranked:
        yield f"order: the file has no rank for {listed(comparison.unranked)}"
    for mismatch in comparison.mismatches:
        yield f"MISMATCH {mismatch}"
