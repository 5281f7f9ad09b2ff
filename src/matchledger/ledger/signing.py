"""Signing: checkpoints of a log, each linked to the checkpoint before it."""

from __future__ import annotations

from uuid import UUID

from matchledger.commands.draft import Clerk
from matchledger.events import AnyFact, CheckpointCosigned, CheckpointSigned, Entry
from matchledger.ledger.application import Ledger
from matchledger.ledger.problems import LedgerError
from matchledger.ledger.tree import Tree, sound_tree
from matchledger.proof.checkpoint import Checkpoint, Posted, Signature, SignedNote, matches_line, origin_of
from matchledger.proof.keys import COSIGNATURE, CheckpointError, SigningKey, VerificationKey, to_base64
from matchledger.proof.match_map import MatchMap
from matchledger.proof.merkle import is_consistent
from matchledger.proof.witness import Sighting, sighting
from matchledger_projections.record.record import Record


def sign_checkpoint(
    ledger: Ledger, tournament: UUID, key: SigningKey, *, clerk: Clerk, command: str | None = None
) -> Entry:
    """Sign the log in its present state, and record the checkpoint as the next entry.

    If the log has not grown since its last checkpoint, return the entry of that checkpoint. Raises LedgerError if
    the log was altered, or does not extend its last checkpoint.
    """
    record = ledger.record(tournament)
    if record.checkpoints and record.checkpoints[-1][0] == record.position:
        return ledger.entry(tournament, record.position)
    entries = ledger.decide(
        tournament,
        lambda record: [_checkpoint(ledger, tournament, record, key)],
        clerk=clerk,
        command=command,
    )
    return entries[0]


def _checkpoint(ledger: Ledger, tournament: UUID, record: Record, key: SigningKey) -> AnyFact:
    tree = sound_tree(ledger, tournament, record.position)
    mapped = MatchMap(ledger.entries(tournament, through=record.position))
    lines = (*_posted_lines(record, tree), matches_line(mapped.head.root))
    note = Checkpoint(origin_of(tournament), tree.head, lines).signed(key)
    if not record.checkpoints:
        return CheckpointSigned(note=str(note), key=str(key.verification))
    previous, fact = record.checkpoints[-1]
    earlier = Checkpoint.parse(SignedNote.parse(fact.note).text).head
    proof = tree.consistency(earlier.size)
    if not is_consistent(earlier, tree.head, proof):
        raise LedgerError(f"the log does not go on from the checkpoint in entry {previous}: run verify")
    return CheckpointSigned(
        note=str(note),
        key=str(key.verification),
        previous=previous,
        consistency=tuple(map(to_base64, proof)),
    )


def sighting_of(fact: CheckpointCosigned, note: SignedNote | None) -> Sighting | None:
    """Return the witness's sighting, which a cosignature signs under a checkpoint's note, or None if the
    cosignature is false.
    """
    if note is None:
        return None
    try:
        key = VerificationKey.parse(fact.key, types=(COSIGNATURE,))
        return sighting(note.cosigned(Signature.parse(fact.line)), key)
    except CheckpointError:
        return None


def _posted_lines(record: Record, tree: Tree) -> tuple[str, ...]:
    if not record.postings:
        return ()
    position, fact = record.postings[-1]
    return Posted(fact.round, position, tree.leaf(position)).lines
