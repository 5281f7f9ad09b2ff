"""Cosigning: a witness signs that a log only grew, and keeps what it saw on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from matchledger.commands.draft import now
from matchledger.proof.checkpoint import Checkpoint, Signature, SignedNote
from matchledger.proof.keys import SigningKey, VerificationKey
from matchledger.proof.merkle import TreeHead
from matchledger.proof.witness import Submission, need_extension


@dataclass(frozen=True, slots=True)
class Witness:
    """The key of a witness, the keys of the logs that it knows, and the folder for what it saw."""

    key: SigningKey
    logs: Sequence[VerificationKey]
    folder: Path

    def seen(self, origin: str) -> TreeHead | None:
        """The head of the last checkpoint of a log that was cosigned, or None. Raises CheckpointError, OSError."""
        file = self._file(origin)
        if not file.exists():
            return None
        return Checkpoint.parse(SignedNote.parse(file.read_text("utf-8", "replace")).text).head

    def cosign(self, submission: Submission) -> Signature:
        """Sign a checkpoint that extends what was seen. The checkpoint is on disk before anybody gets the
        signature.

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
