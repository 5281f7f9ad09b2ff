"""Witnesses: a second machine signs a checkpoint if the log still contains every entry that the machine saw before.

The formats are C2SP `tlog-witness` for the request and `tlog-cosignature` (Ed25519) for the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct

from matchledger.proof.checkpoint import Checkpoint, Signature, SignedNote
from matchledger.proof.keys import CheckpointError, VerificationKey, cosigned_at, from_base64, to_base64
from matchledger.proof.merkle import TreeHead, is_consistent

PATH = "/add-checkpoint"  # the path of a witness's server
MOST_HASHES = 63  # the most hashes that a proof has in the C2SP form
_OLD = "old "
_SIZE = re.compile(rf"{_OLD}(0|[1-9][0-9]{{0,17}})")


class RolledBack(Exception):
    """The log no longer contains every entry that a witness saw. The message is one line."""


class Submission(Struct, frozen=True):
    """A checkpoint for a witness, with the proof that it extends the log of `old` entries."""

    old: int
    proof: tuple[bytes, ...]
    note: SignedNote

    def __str__(self) -> str:
        """Return the body of an `add-checkpoint` request."""
        lines = [f"{_OLD}{self.old}", *map(to_base64, self.proof)]
        return "".join(f"{line}\n" for line in lines) + f"\n{self.note}"

    @classmethod
    def parse(cls, text: str) -> Submission:
        """Return the submission in the body of a request, or in the text of a checkpoint alone. Raises
        CheckpointError for a text that is neither.
        """
        if not text.startswith(_OLD):
            return cls(0, (), SignedNote.parse(text))
        begin, _, note = text.partition("\n\n")
        first, *lines = begin.split("\n")
        try:
            proof = tuple(map(from_base64, lines))
        except ValueError:
            proof = None
        old = _SIZE.fullmatch(first)
        if old is None or proof is None:
            raise CheckpointError("this is not a checkpoint with a proof: its first lines are wrong")
        if len(proof) > MOST_HASHES:
            raise CheckpointError(f"this proof has more than {MOST_HASHES} hashes")
        return cls(int(old[1]), proof, SignedNote.parse(note))


def need_extension(submission: Submission, keys: Iterable[VerificationKey], seen: TreeHead | None) -> Checkpoint:
    """Return the submitted checkpoint if a witness may sign it.

    `keys` are the log's keys, and `seen` is the last head that the witness saw. Raises CheckpointError for a
    checkpoint without a valid signature or proof. Raises RolledBack if the log does not contain every entry that
    the witness saw.
    """
    if not submission.note.signers(keys):
        raise CheckpointError("the checkpoint is not signed with the key given")
    checkpoint = Checkpoint.parse(submission.note.text)
    head = checkpoint.head
    if seen is None:
        return checkpoint
    if head.size < seen.size:
        raise RolledBack(f"you saw {seen.size} entries, and the checkpoint has {head.size}")
    if head.size > seen.size and submission.old != seen.size:
        raise CheckpointError(f"a proof from entry {seen.size} is needed, and this one begins at {submission.old}")
    if not is_consistent(seen, head, submission.proof if head.size > seen.size else ()):
        raise RolledBack(f"the first {seen.size} of {head.size} entries are not those that you saw")
    return checkpoint


class Sighting(Struct, frozen=True):
    """The content of a cosignature: at a certain time, the witness saw the first `size` entries."""

    witness: str
    size: int
    at: datetime


def sighting(note: SignedNote, key: VerificationKey) -> Sighting | None:
    """Return the sighting that a witness's key signed, or None without a valid cosignature."""
    line = line_of(note, key)
    if line is None or not key.is_of_witness or not key.verifies(note.text, line.signature):
        return None
    try:
        at = datetime.fromtimestamp(cosigned_at(line.signature), UTC)
        return Sighting(str(key), Checkpoint.parse(note.text).head.size, at)
    except (CheckpointError, OverflowError, OSError, ValueError):
        return None


def line_of(note: SignedNote, key: VerificationKey) -> Signature | None:
    """Return the note's signature line in the name of a key, or None. The signature is not verified."""
    return next((line for line in note.signatures if (line.name, line.key_id) == (key.name, key.id)), None)
