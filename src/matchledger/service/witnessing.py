"""Witnesses: the tree head and the proofs for a witness, and the witness's cosignature."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from msgspec import Struct

from matchledger.commands.draft import now
from matchledger.ledger import Ledger, LedgerError
from matchledger.proof.checkpoint import Checkpoint, Signature, SignedNote
from matchledger.proof.keys import SigningKey, VerificationKey, to_base64
from matchledger.proof.merkle import TreeHead, consistency_proof
from matchledger.proof.witness import Submission, need_extension
from matchledger.service.window import Window
from matchledger_projections.message import sentence
from matchledger_projections.views.sight import Asked, answers


class SubmittedCheckpoint(Struct, frozen=True):
    """The last signed checkpoint, its key, and the proof that it extends the earlier log."""

    note: str
    key: str
    proof: tuple[str, ...]


class ConsistencyPage(Struct, frozen=True):
    """The log's present head, and the proof that the log still begins with its first `earlier` entries.

    A proof is a list of hashes in Base64 (RFC 6962). The list is empty if the log is not longer than `earlier`.
    """

    size: int
    root: str
    earlier: int
    proof: tuple[str, ...]
    checkpoint: SubmittedCheckpoint | None


@answers("consistency", timeless=True)
def consistency(
    window: Window,
    *,
    earlier: Annotated[int, Asked("The number of entries when you last looked.", least=0, most=10**9)] = 0,
) -> ConsistencyPage:
    """Return the tree head, the last checkpoint, and proofs that both extend the log of `earlier` entries."""
    head = window.ledger.head(window.tournament, window.position)
    proof = tuple(map(to_base64, _proof(window.ledger, window.tournament, earlier, head.size)))
    submission = submission_of(window.ledger, window.tournament, earlier)
    checkpoint = None
    if submission is not None:
        key = window.ledger.record(window.tournament).checkpoints[-1][1].key
        checkpoint = SubmittedCheckpoint(str(submission.note), key, tuple(map(to_base64, submission.proof)))
    return ConsistencyPage(head.size, head.root.hex(), earlier, proof, checkpoint)


def submission_of(ledger: Ledger, tournament: UUID, earlier: int) -> Submission | None:
    """Return the last checkpoint of a log for a witness who saw its first `earlier` entries. Return None if there
    is no checkpoint.
    """
    checkpoints = ledger.record(tournament).checkpoints
    if not checkpoints:
        return None
    note = SignedNote.parse(checkpoints[-1][1].note)
    size = Checkpoint.parse(note.text).head.size
    return Submission(earlier, _proof(ledger, tournament, earlier, size), note)


def _proof(ledger: Ledger, tournament: UUID, earlier: int, size: int) -> tuple[bytes, ...]:
    """Return the hashes that prove that the log of `size` entries extends the log of `earlier` entries. Return no
    hashes if `earlier` is 0 or not below `size`.
    """

    def nodes_at(position: int) -> Sequence[bytes]:
        row = ledger.recorder.tree_row(tournament, position)
        if row is None:
            raise LedgerError(sentence("the hash of entry %(entry)s is missing: run verify", entry=position))
        return row.nodes

    return tuple(consistency_proof(earlier, size, nodes_at)) if 0 < earlier < size else ()


class Witness(Struct, frozen=True):
    """A witness: its key, the keys of the logs that it knows, and the folder with its cosigned checkpoints."""

    key: SigningKey
    logs: Sequence[VerificationKey]
    folder: Path

    def seen(self, origin: str) -> TreeHead | None:
        """Return the tree head of the last checkpoint that this witness cosigned for a log, or None. Raises
        CheckpointError, OSError.
        """
        file = self._file(origin)
        if not file.exists():
            return None
        return Checkpoint.parse(SignedNote.parse(file.read_text("utf-8", "replace")).text).head

    def cosign(self, submission: Submission) -> Signature:
        """Cosign a checkpoint that extends the log that the witness saw. The checkpoint is on the disk before the
        signature is returned.

        Raises CheckpointError or RolledBack for a checkpoint that must not be signed, and OSError if the folder
        cannot be used.
        """
        origin = Checkpoint.parse(submission.note.text).origin
        need_extension(submission, self.logs, self.seen(origin))
        line = Signature.parse(self.key.cosign(submission.note.text, int(now().timestamp())).removesuffix("\n"))
        self._keep(origin, submission.note.cosigned(line))
        return line

    def _keep(self, origin: str, note: SignedNote) -> None:
        file = self._file(origin)
        new = file.with_suffix(".new")
        self.folder.mkdir(mode=0o700, exist_ok=True)
        with new.open("w", encoding="utf-8") as stream:
            stream.write(str(note))
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)

    def _file(self, origin: str) -> Path:
        return self.folder / f"{quote(origin, safe='')}.checkpoint"
