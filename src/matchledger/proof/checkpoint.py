"""Checkpoints: a signed tree head, in a form that fits on a printed sheet.

The format is C2SP `tlog-checkpoint` over `signed-note`: a text with an origin, a size and a root, then a blank
line, then a line for each signature. `docs/checkpoints.md` describes the format, so that a program in any language
can verify a checkpoint.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from msgspec import Struct

from matchledger.proof.keys import (
    DASH,
    KEY_ID_BYTES,
    CheckpointError,
    SigningKey,
    VerificationKey,
    check_name,
    from_base64,
    shown,
    to_base64,
)
from matchledger.proof.merkle import HASH_BYTES, TreeHead

MAX_SIGNATURES = 16
_MATCHES = "matches "


class Posted(Struct, frozen=True):
    """The posted standings that a checkpoint covers: the round, the position of the entry, and the entry's leaf
    hash.
    """

    round: int
    position: int
    leaf: bytes

    @property
    def lines(self) -> tuple[str, str]:
        return f"round {self.round}", f"standings {self.position} {to_base64(self.leaf)}"


def matches_line(root: bytes) -> str:
    """Return the line of a checkpoint that has the root of the map of matches."""
    return f"{_MATCHES}{to_base64(root)}"


class Checkpoint(Struct, frozen=True):
    """A tree head with the name of its log. `extensions` are further lines.

    This program's extensions are the lines of `Posted`, followed by the root of the map of matches.
    """

    origin: str
    head: TreeHead
    extensions: tuple[str, ...] = ()

    @property
    def matches(self) -> bytes | None:
        """Return the root of the map of matches, or None if the checkpoint signs no map. Raises ValueError for
        bad Base64.
        """
        last = self.extensions[-1] if self.extensions else ""
        return from_base64(last.removeprefix(_MATCHES)) if last.startswith(_MATCHES) else None

    @property
    def text(self) -> str:
        """The signed text."""
        lines = (self.origin, str(self.head.size), to_base64(self.head.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Return the checkpoint in a text in exactly the format of `text`."""
        lines = text.split("\n")
        try:
            origin, size, root, *extensions, end = lines
            checkpoint = cls(origin, TreeHead(int(size), from_base64(root)), tuple(extensions))
        except ValueError:
            raise CheckpointError(
                "this is not a checkpoint: it has the name of a log, a size and a root, a line each"
            ) from None
        well_formed = origin and all(extensions) and not end and checkpoint.text == text
        if not well_formed or checkpoint.head.size < 0 or len(checkpoint.head.root) != HASH_BYTES:
            raise CheckpointError("this is not a checkpoint: its name, size or root is not of the right form")
        return checkpoint

    def signed(self, key: SigningKey) -> SignedNote:
        return SignedNote.parse(f"{self.text}\n{key.sign(self.text)}")


def origin_of(tournament: UUID) -> str:
    """Return the name of a tournament's log, which every checkpoint contains."""
    return f"matchledger/{tournament}"


class Signature(Struct, frozen=True):
    """One signature line: the name and id of the key, and the signature itself."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"{DASH}{self.name} {to_base64(self.key_id + self.signature)}"

    @classmethod
    def parse(cls, line: str) -> Signature:
        """Return the signature in a line in the format of `str`. Raises CheckpointError for a line without this
        format.
        """
        try:
            name, encoded = line.removeprefix(DASH).split(" ")
            data = from_base64(encoded if line.startswith(DASH) else "-")
            check_name(name)
        except ValueError:
            raise CheckpointError(
                f"{shown(line)} is not a signature line: it has a dash, a name and Base64"
            ) from None
        if len(data) <= KEY_ID_BYTES:
            raise CheckpointError(f"{shown(line)} is not a signature line: the signature is missing")
        return cls(name, data[:KEY_ID_BYTES], data[KEY_ID_BYTES:])


class SignedNote(Struct, frozen=True):
    """A text with signatures under it. A note proves nothing until one of its signatures is verified."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, note: str) -> SignedNote:
        """Return the note in a text. Raises CheckpointError for a text that is not a signed note."""
        if not note.endswith("\n") or any(letter < " " and letter != "\n" for letter in note):
            raise CheckpointError("this is not a signed note: it ends with a line break and has no other controls")
        text, blank, signatures = note.rpartition("\n\n")
        lines = signatures.removesuffix("\n").split("\n")
        if not blank or not text:
            raise CheckpointError("this is not a signed note: no blank line stands before the signatures")
        if len(lines) > MAX_SIGNATURES:
            raise CheckpointError(f"this note has more than {MAX_SIGNATURES} signatures")
        return cls(f"{text}\n", tuple(map(Signature.parse, lines)))

    @classmethod
    def typed(cls, note: str) -> SignedNote:
        """Return the note in a text that was typed, scanned or sent by a form, with any line endings."""
        return cls.parse("".join(f"{line.rstrip()}\n" for line in note.strip().split("\n")))

    def __str__(self) -> str:
        return "\n".join((self.text, *map(str, self.signatures), ""))

    def cosigned(self, *lines: Signature) -> SignedNote:
        """Return the note with more signature lines."""
        return SignedNote(self.text, (*self.signatures, *lines))

    def signers(self, keys: Iterable[VerificationKey]) -> Sequence[VerificationKey]:
        """Return the keys, among `keys`, that have signed the note.

        Signatures by other keys do not count, because anyone can make them.

        A false signature in the name of a known key makes the whole note count as unsigned.
        """
        known = {(key.name, key.id): key for key in keys}
        signers = []
        for line in self.signatures:
            key = known.get((line.name, line.key_id))
            if key is None:
                continue
            if not key.verifies(self.text, line.signature):
                return []
            signers.append(key)
        return signers
