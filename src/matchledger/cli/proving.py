"""Commands that prove: postings and signed checkpoints, verification, bundles, exports, the integrity report."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from matchledger.bundle import Match, bundle_text, covering, entries_about
from matchledger.checkpoint import Checkpoint, CheckpointError, SignedNote
from matchledger.cli.keys import KeyOption, VerificationKeyOption, key, read_key, read_verification_keys
from matchledger.cli.reading import CheckFailed, describe
from matchledger.cli.rounds import JsonOption
from matchledger.cli.session import (
    LedgerOption,
    Moment,
    Session,
    TournamentOption,
    UsageProblem,
    pick_tournament,
    reading,
    writing,
)
from matchledger.cli.tables import columns
from matchledger.documents import integrity_document
from matchledger.events import AnyFact, CheckpointSigned, Entry, RoundPaired, Stage
from matchledger.exchange import export_lines
from matchledger.ledger import open_ledger, sign_checkpoint, sound_tree
from matchledger.ledger import verify as verify_log
from matchledger.proof import TreeHead
from matchledger.tournament import opening
from matchledger_projections.integrity import Item
from matchledger_projections.integrity import integrity as interventions
from matchledger_projections.record import Record
from matchledger_projections.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.timeline import about_rounds


@contextmanager
def _session(ledger: str, tournament: str | None) -> Iterator[Session]:
    """A session that reads nothing yet: what is altered can still be verified."""
    with open_ledger(ledger) as kept:
        yield Session(kept, pick_tournament(kept, tournament))


@writing
def post(session: Session, key_file: KeyOption = None) -> None:
    """Put the standings on the wall: they are kept exactly as they hang there, and signed for with a key."""
    signing_key = None if key_file is None else read_key(key_file)
    [posting] = session.decide(opening.post_standings)
    round_ = getattr(posting.fact, "round", 0)
    typer.echo(f"Standings after round {round_} are posted as entry {posting.position}.")
    typer.echo(f"Tree head {session.ledger.head(session.tournament, posting.position)}")
    if signing_key is not None:
        command = None if session.command is None else f"{session.command}/checkpoint"
        entry = sign_checkpoint(
            session.ledger, session.tournament, signing_key, clerk=session.clerk, command=command
        )
        _show_checkpoint(entry)


@writing
def checkpoint(session: Session, key_file: KeyOption = None) -> None:
    """Sign the log as it stands; without a key, show the last checkpoint."""
    if key_file is not None:
        signing_key = read_key(key_file)
        entry = sign_checkpoint(
            session.ledger, session.tournament, signing_key, clerk=session.clerk, command=session.command
        )
    elif session.record.checkpoints:
        entry = session.ledger.entry(session.tournament, session.record.checkpoints[-1][0])
    else:
        raise UsageProblem("no checkpoint was signed yet: give a --key to sign one")
    _show_checkpoint(entry)


def _show_checkpoint(entry: Entry) -> None:
    """The note alone goes to stdout, so that it can be kept as it is, printed, or made a QR code."""
    fact = entry.fact
    assert isinstance(fact, CheckpointSigned)  # noqa: S101 - only signing makes these entries
    typer.echo(f"Checkpoint, kept as entry {entry.position}; it verifies with {fact.key}", err=True)
    typer.echo(fact.note, nl=False)


def verify(
    ledger: LedgerOption,
    tournament: TournamentOption = None,
    head: Annotated[
        str | None, typer.Option("--head", help="A tree head from outside, such as SIZE:ROOT on posted standings.")
    ] = None,
    note_file: Annotated[
        Path | None, typer.Option("--checkpoint", help="A signed checkpoint from outside; give its --vkey.")
    ] = None,
    vkey: VerificationKeyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hold every entry against its hash, every checkpoint against its key, and the log against both."""
    keys = read_verification_keys(vkey)
    if note_file is not None and not keys:
        raise UsageProblem("a checkpoint proves nothing without the key of who signed it: give its --vkey")
    known = _read_head(head)
    note = None if note_file is None else _read_note(note_file)
    with _session(ledger, tournament) as session:
        findings = verify_log(session.ledger, session.tournament, known=known, note=note, keys=keys)
        tree = session.ledger.head(session.tournament)
        signers = [] if findings else sorted({fact.key for _, fact in session.record.checkpoints})
    if as_json:
        found = [{"position": finding.position, "what": finding.what} for finding in findings]
        typer.echo(json.dumps({"size": tree.size, "root": tree.root.hex(), "keys": signers, "findings": found}))
    else:
        for finding in findings:
            typer.echo(str(finding))
        if not findings:
            typer.echo(f"{tree.size} entries, all as they were recorded. Tree head {tree}")
            for signer in signers:
                typer.echo(f"Checkpoints are signed with {signer}{'' if keys else ' (not held against a --vkey)'}")
    if findings:
        raise CheckFailed


def _read_head(text: str | None) -> TreeHead | None:
    try:
        return None if text is None else TreeHead.parse(text)
    except ValueError:
        raise UsageProblem(
            f"{text!r} is not a tree head: it is SIZE:ROOT, as printed on posted standings"
        ) from None


def _read_note(file: Path) -> SignedNote:
    """A checkpoint as somebody typed or scanned it: how its lines end is not held against it."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
        note = SignedNote.parse("".join(f"{line.rstrip()}\n" for line in text.strip().split("\n")))
        Checkpoint.parse(note.text)
    except OSError as error:
        raise UsageProblem(f"the checkpoint {file} cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, CheckpointError) as error:
        raise UsageProblem(f"{file}: {error}") from None
    return note


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
    entries = _about(session, match, names=not numbers_only)
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
    _write(output, [bundle_text(match, entries, rows, tree, checkpoints)])
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


def export(
    file: Annotated[Path, typer.Argument(help="The file to write, or - for stdout.")],
    ledger: LedgerOption,
    tournament: TournamentOption = None,
) -> None:
    """Write the whole log as JSON Lines, byte for byte; import reads it back with its tree head unchanged."""
    with _session(ledger, tournament) as session:
        lines = export_lines(session.ledger, session.tournament)
        first = next(lines)
        _write(file, [first, *lines])
        head = session.ledger.head(session.tournament)
    typer.echo(f"{file}: {head.size} entries, tree head {head}", err=True)


def _write(file: Path, texts: Iterable[str]) -> None:
    """What is there is never overwritten: it might be a ledger."""
    if str(file) == "-":
        sys.stdout.writelines(texts)
        return
    try:
        with file.open("x", encoding="utf-8", newline="\n") as stream:
            stream.writelines(texts)
    except FileExistsError:
        raise UsageProblem(f"{file} is there already: name another file") from None
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None


@reading
def integrity(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """List every pairing by hand, correction, retraction, import and choice of rules, with who, when and why."""
    entries: Iterable[Entry] = session.ledger.entries(session.tournament, through=moment.position)
    if moment.through is not None:
        entries = about_rounds(entries, moment.through)
    items = interventions(entries, shipped_laws=map(rulebook_text, shipped_rulebooks()))
    if as_json:
        typer.echo(json.dumps(integrity_document(moment.record, items), ensure_ascii=False))
        return
    if not items:
        typer.echo("Nothing was done by hand: every entry follows the rulebook.")
        return
    lines = columns(["", "recorded", "by", "what"], map(_integrity_row, items), right=[0])
    typer.echo(next(lines))
    for item, line in zip(items, lines, strict=True):
        typer.echo(line)
        typer.echo(f"      {_in_brief(moment.record, item.entry.fact)}")
        typer.echo(f"      {item.entry.reason or 'no reason given'}")


def _integrity_row(item: Item) -> list[str]:
    entry = item.entry
    return [
        str(entry.position),
        entry.recorded_at.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
        f"{entry.actor} ({entry.role}, {entry.station})",
        item.kind + ("" if item.counts else ", taken back since"),
    ]


def _in_brief(record: Record, fact: AnyFact) -> str:
    """What an entry says, on one line; of a whole round only that it was paired."""
    if isinstance(fact, RoundPaired):
        return f"{fact.stage} round {fact.round}, {len(fact.tables)} tables, {len(fact.byes)} byes"
    return describe(record, fact).removeprefix(f"{fact.kind}: ")


COMMANDS: dict[str, Callable[..., None]] = {
    "post": post,
    "verify": verify,
    "key": key,
    "checkpoint": checkpoint,
    "bundle": bundle,
    "export": export,
    "integrity": integrity,
}
