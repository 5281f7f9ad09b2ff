"""Checkpoints: a signed tree head, in a form that fits on a printed sheet.

The form is C2SP `tlog-checkpoint` over `signed-note`: a text with an origin, a size and a root, then a blank line,
then a line for each signature. Keys are written as in Go's `note` package. `docs/checkpoints.md` describes the
form, so that any language can verify a checkpoint.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from matchledger.proof.merkle import HASH_BYTES, TreeHead

ED25519 = b"\x01"  # the type of signature, in the registry of the signed-note form
KEY_ID_BYTES = 4
KEY_BYTES = 32
MAX_NAME = 48  # bytes of a key name, so that a checkpoint stays a small QR code
MAX_SIGNATURES = 16
_LONGEST_SHOWN = 200  # characters
_PRIVATE = "PRIVATE+KEY+"
_MATCHES = "matches "
_DASH = "\N{EM DASH} "


class CheckpointError(ValueError):
    """An unreadable key or checkpoint. The message is one line."""


def _shown(text: str) -> str:
    """The given text, short enough for a line."""
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}...")


def to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def from_base64(text: str) -> bytes:
    """Decode the output of `to_base64`, and no other spelling of it. Raises ValueError for anything else."""
    data = base64.b64decode(text, validate=True)
    if to_base64(data) != text:
        raise ValueError("not the one way to write these bytes in Base64")
    return data


@dataclass(frozen=True, slots=True)
class VerificationKey:
    """The public key. It checks whether the holder of the signing key made a signature."""

    name: str
    public: bytes

    def __post_init__(self) -> None:
        _check_name(self.name)

    @property
    def id(self) -> bytes:
        """Four bytes that tell keys apart; they prove nothing."""
        return hashlib.sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:KEY_ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(ED25519 + self.public)}"

    @classmethod
    def parse(cls, text: str) -> VerificationKey:
        """Read the output of `str`."""
        name, key_id, public = _key_parts(text.strip())
        key = cls(name, public)
        if key.id.hex() != key_id:
            raise CheckpointError(f"{_shown(text.strip())} is not a verification key: a letter of it must be wrong")
        return key

    def verifies(self, text: str, signature: bytes) -> bool:
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


def readable_keys(texts: Iterable[str]) -> list[VerificationKey]:
    """Return the verification keys in some texts. An invalid text is skipped, so it admits no one."""
    found = []
    for text in texts:
        try:
            found.append(VerificationKey.parse(text))
        except CheckpointError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The organizer's secret key, in a file outside every ledger."""

    name: str
    seed: bytes

    @classmethod
    def generate(cls, name: str) -> SigningKey:
        _check_name(name)
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @property
    def verification(self) -> VerificationKey:
        return VerificationKey(self.name, self._private.public_key().public_bytes_raw())

    def __str__(self) -> str:
        """The content of a key file. It is the secret itself: never show it."""
        return f"{_PRIVATE}{self.name}+{self.verification.id.hex()}+{to_base64(ED25519 + self.seed)}"

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r})"

    @classmethod
    def parse(cls, text: str) -> SigningKey:
        """Read the output of `str`. Errors never repeat the secret."""
        rest = text.strip()
        if not rest.startswith(_PRIVATE):
            raise CheckpointError("this is not a signing key: make one with `matchledger key`")
        try:
            name, key_id, seed = _key_parts(rest.removeprefix(_PRIVATE))
            key = cls(name, seed)
            intact = key.verification.id.hex() == key_id
        except CheckpointError:
            intact = False
        if not intact:
            raise CheckpointError("this signing key is damaged: use a copy, or make a new one")
        return key

    def sign(self, text: str) -> str:
        """The signature line under a text."""
        return f"{_DASH}{self.name} {to_base64(self.verification.id + self.signature(text))}\n"

    def signature(self, text: str) -> bytes:
        """The bare signature of a text, for `VerificationKey.verifies`."""
        return self._private.sign(text.encode())

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)


@dataclass(frozen=True, slots=True)
class Posted:
    """The standings that a checkpoint covers: the round, the entry, and its leaf hash."""

    round: int
    position: int
    leaf: bytes

    @property
    def lines(self) -> tuple[str, str]:
        return f"round {self.round}", f"standings {self.position} {to_base64(self.leaf)}"


def matches_line(root: bytes) -> str:
    """The line of a checkpoint that holds the root of the map of matches."""
    return f"{_MATCHES}{to_base64(root)}"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A tree head with the name of its log; `extensions` are further lines.

    Ours are those of `Posted`, and behind them the root of the map of matches.
    """

    origin: str
    head: TreeHead
    extensions: tuple[str, ...] = ()

    @property
    def matches(self) -> bytes | None:
        """The root of the map of matches, if the checkpoint has one. Raises ValueError for bad Base64."""
        last = self.extensions[-1] if self.extensions else ""
        return from_base64(last.removeprefix(_MATCHES)) if last.startswith(_MATCHES) else None

    @property
    def text(self) -> str:
        """The signed text."""
        lines = (self.origin, str(self.head.size), to_base64(self.head.root), *self.extensions)
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def parse(cls, text: str) -> Checkpoint:
        """Read a text in exactly the form of `text`."""
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
    """The name of a tournament's log in every checkpoint, for any signer."""
    return f"matchledger/{tournament}"


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: the name and id of the key, and the signature itself."""

    name: str
    key_id: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class SignedNote:
    """A text with signatures under it. It proves nothing until one of them is verified."""

    text: str
    signatures: tuple[Signature, ...]

    @classmethod
    def parse(cls, note: str) -> SignedNote:
        """Read a whole note. Raises CheckpointError for any other form."""
        if not note.endswith("\n") or any(letter < " " and letter != "\n" for letter in note):
            raise CheckpointError("this is not a signed note: it ends with a line break and has no other controls")
        text, blank, signatures = note.rpartition("\n\n")
        lines = signatures.removesuffix("\n").split("\n")
        if not blank or not text:
            raise CheckpointError("this is not a signed note: no blank line stands before the signatures")
        if len(lines) > MAX_SIGNATURES:
            raise CheckpointError(f"this note has more than {MAX_SIGNATURES} signatures")
        return cls(f"{text}\n", tuple(_signature(line) for line in lines))

    def __str__(self) -> str:
        lines = (f"{_DASH}{line.name} {to_base64(line.key_id + line.signature)}\n" for line in self.signatures)
        return f"{self.text}\n{''.join(lines)}"

    def signers(self, keys: Iterable[VerificationKey]) -> Sequence[VerificationKey]:
        """The keys that have signed.

        Signatures by other keys count for nothing, because anyone can make one.

        A false signature in the name of a known key spoils the note: it then counts as unsigned.
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


def _signature(line: str) -> Signature:
    try:
        name, encoded = line.removeprefix(_DASH).split(" ")
        data = from_base64(encoded if line.startswith(_DASH) else "-")
        _check_name(name)
    except ValueError:
        raise CheckpointError(f"{_shown(line)} is not a signature line: it has a dash, a name and Base64") from None
    if len(data) <= KEY_ID_BYTES:
        raise CheckpointError(f"{_shown(line)} is not a signature line: the signature is missing")
    return Signature(name, data[:KEY_ID_BYTES], data[KEY_ID_BYTES:])


def _key_parts(text: str) -> tuple[str, str, bytes]:
    """Name, id and the 32 bytes of a written key. The name has no plus, but Base64 may."""
    problem = CheckpointError(
        f"{_shown(text)} is not a verification key: it is NAME+ID+BASE64, as `matchledger key` says"
    )
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        data = from_base64(encoded)
    except (ValueError, binascii.Error):
        raise problem from None
    if len(data) != len(ED25519) + KEY_BYTES or not data.startswith(ED25519):
        raise problem
    _check_name(name)
    return name, key_id, data[len(ED25519) :]


def _check_name(name: str) -> None:
    """The note format forbids spaces and plus signs in key names. A control character would break the line."""
    forbidden = any(letter == "+" or letter.isspace() or unicodedata.category(letter) == "Cc" for letter in name)
    if not name or forbidden or len(name.encode(errors="replace")) > MAX_NAME:
        raise CheckpointError(
            f"{_shown(name)} cannot name a key: 1 to {MAX_NAME} bytes without spaces and pluses, "
            "such as example.org/judges"
        )
