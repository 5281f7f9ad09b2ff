"""The command that verifies one tournament, or all tournaments of a ledger."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer
from msgspec import Struct

from matchledger.cli.codes import CheckFailed
from matchledger.cli.files import read_text
from matchledger.cli.keys import VerificationKeyOption, read_verification_keys
from matchledger.cli.options import JsonOption, LedgerOption, TournamentOption
from matchledger.cli.session import UsageProblem, only_shown
from matchledger.commands.refusal import counted
from matchledger.ledger import Ledger, LedgerError, open_ledger
from matchledger.ledger.location import pick_tournament
from matchledger.ledger.verification import remarks
from matchledger.proof.checkpoint import Checkpoint, SignedNote
from matchledger.proof.keys import COSIGNATURE, ED25519, CheckpointError, VerificationKey
from matchledger.proof.merkle import TreeHead
from matchledger.service.verification import Verified, is_damaged, tree_head, verification
from matchledger.text.columns import moment_text
from matchledger_projections.document import Document, document
from matchledger_projections.pairing.rederivation import Rederivation, Rederived
from matchledger_projections.record.record import Record

_SECRETS = {
    "revealed": "The revealed secret matches the opening entry.",
    "not revealed": "The secret is not revealed yet: seeds are taken as recorded until the tournament is closed.",
    "held here": "The secret is not revealed yet. This ledger holds it, and every draw was made again with it.",
    "not the one committed to": "The revealed secret does NOT match the opening entry.",
}


def rederivation_lines(record: Record, found: Rederivation) -> Iterator[str]:
    """Yield a line for every draw, with its notes below."""
    yield _SECRETS[found.revelation]
    for draw in found.draws:
        yield f"{_subject(record, draw)}: {'DIFFERENT' if draw.verdict == 'different' else draw.verdict}"
        if not draw.counts:
            yield f"  taken back since (entry {draw.position})"
        yield from (f"  {difference}" for difference in draw.differences)
        if draw.amendments:
            yield f"  amended since by {_entries(draw.amendments)}"
    yield from (f"{unchecked} not checked" for unchecked in found.unchecked)


def _subject(record: Record, draw: Rederived) -> str:
    if draw.stage == "elimination":
        return f"Elimination round {draw.round}"
    if draw.bracket is not None:
        return f"Bracket of {draw.bracket}" if draw.bracket else "Bracket"
    if draw.flights:
        return f"Flights of {draw.flights}" if draw.round == 0 else f"Flight of {draw.flights}, who came late"
    if not draw.players:
        return f"Round {draw.round}"
    names = ", ".join(record.players[player].name for player in sorted(draw.players))
    return f"Tie after round {draw.round} of {names}"


def _entries(positions: tuple[int, ...]) -> str:
    return ("entry " if len(positions) == 1 else "entries ") + ", ".join(map(str, positions))


class Asked(Struct, frozen=True):
    """The evidence against which to check a log."""

    keys: Sequence[VerificationKey]
    known: TreeHead | None = None
    note: SignedNote | None = None
    draws: bool = False

    def of(self, ledger: Ledger, tournament: UUID, *, others: bool = True) -> Verified:
        """Verify one tournament's log against this evidence, and return the findings. With `others`, also check the
        ledger's tables other than the log.
        """
        return verification(
            ledger,
            tournament,
            known=self.known,
            note=self.note,
            keys=self.keys,
            draws=self.draws,
            others=others,
        )


@only_shown()
def verify(
    ledger: LedgerOption,
    tournament: TournamentOption = None,
    head: Annotated[
        str | None, typer.Option("--head", help="A tree head from outside, such as SIZE:ROOT on posted standings.")
    ] = None,
    note_file: Annotated[
        Path | None, typer.Option("--checkpoint", help="A signed checkpoint from outside; needs --vkey.")
    ] = None,
    vkey: VerificationKeyOption = None,
    pairings: Annotated[
        bool, typer.Option("--pairings", help="Also repeat every draw: rounds, ties and brackets.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Every tournament of the ledger, one after the other.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check the log for tampering: every hash, every checkpoint, every signature."""
    keys = read_verification_keys(vkey, types=(ED25519, COSIGNATURE))
    if note_file is not None and not keys:
        raise UsageProblem("a checkpoint proves nothing without the key of who signed it: give its --vkey")
    if every and (tournament, head, note_file) != (None, None, None):
        raise UsageProblem("--all is about every log: --tournament, --head and --checkpoint are about one")
    note = None if note_file is None else read_note(note_file)
    asked = Asked(keys, tree_head(head), note, pairings)
    with open_ledger(ledger) as kept:
        if every:
            _verify_all(kept, asked, as_json=as_json)
            return
        picked = _named_by_id(kept, tournament) or pick_tournament(kept, tournament)
        found = asked.of(kept, picked)
        lines = list(_lines(kept, picked, found, asked))
        shown = _document(kept, picked, found)
    if as_json:
        typer.echo(json.dumps(shown, ensure_ascii=False))
    else:
        typer.echo("\n".join(lines))
    if not _holds(found):
        raise CheckFailed


def _document(ledger: Ledger, tournament: UUID, found: Verified) -> Document:
    """Return the findings as JSON. An altered log shows no names."""
    record = Record() if found.drawn is None else ledger.record(tournament)
    made: Document = document(found.page, record)
    return made


def _verify_all(ledger: Ledger, asked: Asked, *, as_json: bool) -> None:
    """Check each tournament separately, so that a damaged tournament does not hide the findings of the others."""
    documents: list[Document] = []
    holds, unread = True, 0
    for tournament in ledger.tournaments():
        name = _name(ledger, tournament)
        try:
            found = asked.of(ledger, tournament, others=False)
            shown, lines = _document(ledger, tournament, found), list(_lines(ledger, tournament, found, asked))
            holds = holds and _holds(found)
        except LedgerError as problem:
            shown, lines = {"problem": str(problem)}, [str(problem)]
            unread += 1
        documents.append({"tournament": str(tournament), "name": name, **shown})
        if not as_json:
            typer.echo(f"{name or 'without a name that can be read'} ({tournament})")
            typer.echo("\n".join(f"  {line}" for line in lines))
    if as_json:
        typer.echo(json.dumps({"tournaments": documents}, ensure_ascii=False))
    elif not documents:
        typer.echo("The ledger holds no tournament.")
    if unread:
        raise UsageProblem(f"{unread} of {len(documents)} logs have nothing to be compared with: see above")
    if not holds:
        raise CheckFailed


def set_aside(
    tournament: Annotated[UUID, typer.Argument(metavar="ID", help="The id as verify prints it.")],
    ledger: LedgerOption,
) -> None:
    """Exclude an unreadable tournament, so that verify passes for the other tournaments."""
    with open_ledger(ledger) as kept:
        kept.set_aside(tournament)
    typer.echo(f"Tournament {tournament} is set aside. Nothing was deleted.")


def _named_by_id(ledger: Ledger, wanted: str | None) -> UUID | None:
    """Return a tournament by its id, even if it is unreadable."""
    return next((tournament for tournament in ledger.tournaments() if str(tournament) == wanted), None)


def _name(ledger: Ledger, tournament: UUID) -> str | None:
    """Return the name of a tournament, or None if its opening entry is unreadable."""
    try:
        opening = ledger.record_as_of(tournament, 1).opening
    except LedgerError:
        return None
    return None if opening is None else opening.name


_UNCHECKED = " (not checked with a --vkey)"


def _holds(found: Verified) -> bool:
    return not found.findings and (found.drawn is None or found.drawn.holds)


def _lines(ledger: Ledger, tournament: UUID, found: Verified, asked: Asked) -> Iterator[str]:
    yield from map(str, found.findings)
    if not found.findings:
        yield f"{counted(found.head.size, 'entry', 'entries')}, none altered. Tree head {found.head}"
        if (known := asked.known) is not None:
            yield f"Entries 1 to {known.size} match the tree head {known}."
        if asked.note is not None:
            size = Checkpoint.parse(asked.note.text).head.size
            yield f"Entries 1 to {size} match the signed checkpoint."
    if not is_damaged(found.findings):
        yield from (f"note: {remark}" for remark in remarks(ledger, tournament))
    if not found.findings:
        given = {str(key) for key in asked.keys}
        for signer in found.page.keys:
            yield f"Checkpoints are signed with {signer}{'' if signer in given else _UNCHECKED}"
        for seen in found.page.witnesses:
            told = f"Witness {seen.key} saw entries 1 to {seen.size} at {moment_text(seen.at)}"
            yield f"{told}{'' if seen.key in given else _UNCHECKED}"
    if found.drawn is not None:
        yield from rederivation_lines(ledger.record(tournament), found.drawn)


def read_note(file: Path) -> SignedNote:
    """Return the signed note from the text of a typed or scanned checkpoint, with any line endings."""
    try:
        note = SignedNote.typed(read_text(file))
        Checkpoint.parse(note.text)
    except CheckpointError as error:
        raise UsageProblem(f"{file}: {error}") from None
    return note
