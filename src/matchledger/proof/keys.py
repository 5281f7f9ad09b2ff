"""Keys: the signers of checkpoints and tokens, and the text form of a key.

Keys are written as in Go's `note` package. `docs/checkpoints.md` describes the format.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import unicodedata
from collections.abc import Iterable, Sequence

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import Struct
from msgspec.structs import replace

# The type bytes of signatures, from the registry of the signed-note format.
ED25519 = b"\x01"
COSIGNATURE = b"\x04"  # a witness also signs the time (C2SP tlog-cosignature)
TIME_BYTES = 8
KEY_ID_BYTES = 4
KEY_BYTES = 32
MAX_NAME = 48  # the most bytes of a key name, so that a checkpoint fits a small QR code
_LONGEST_SHOWN = 200  # characters
_PRIVATE = "PRIVATE+KEY+"
DASH = "\N{EM DASH} "


class CheckpointError(ValueError):
    """A key or a checkpoint is unreadable. The message is one line."""


def shown(text: str) -> str:
    """Return the beginning of a text, quoted, short enough for an error message of one line."""
    return repr(text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}...")


def to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def from_base64(text: str) -> bytes:
    """Return the bytes in a Base64 text. Only the spelling of `to_base64` is accepted. Raises ValueError for a
    text that `to_base64` would write differently.
    """
    data = base64.b64decode(text, validate=True)
    if to_base64(data) != text:
        raise ValueError("not the one way to write these bytes in Base64")
    return data


class VerificationKey(Struct, frozen=True):
    """A public key. It checks whether the holder of the signing key made a signature."""

    name: str
    public: bytes
    type: bytes = ED25519

    def __post_init__(self) -> None:
        check_name(self.name)

    @property
    def id(self) -> bytes:
        """Return four bytes that tell keys apart, but prove nothing."""
        return hashlib.sha256(self.name.encode() + b"\n" + self.type + self.public).digest()[:KEY_ID_BYTES]

    @property
    def is_of_witness(self) -> bool:
        """Return whether the key verifies cosignatures."""
        return self.type == COSIGNATURE

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{to_base64(self.type + self.public)}"

    @classmethod
    def parse(cls, text: str, *, types: Sequence[bytes] = (ED25519,)) -> VerificationKey:
        """Return the verification key in a text in the format of `str`, if the key has one of these types."""
        name, key_id, data = _key_parts(text.strip(), types)
        key = cls(name, data[1:], data[:1])
        if key.id.hex() != key_id:
            raise CheckpointError(f"{shown(text.strip())} is not a verification key: a letter of it must be wrong")
        return key

    def verifies(self, text: str, signature: bytes) -> bool:
        if self.is_of_witness:
            text, signature = cosigned_text(text, cosigned_at(signature)), signature[TIME_BYTES:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


def cosigned_at(signature: bytes) -> int:
    """Return the time of a cosignature in seconds since 1970 (UTC)."""
    return int.from_bytes(signature[:TIME_BYTES], "big")


def cosigned_text(text: str, time: int) -> str:
    """Return the text that a witness signs at a time."""
    return f"cosignature/v1\ntime {time}\n{text}"


def readable_keys(texts: Iterable[str]) -> list[VerificationKey]:
    """Return the verification keys that are written in some texts. A text without a valid key is skipped."""
    found = []
    for text in texts:
        try:
            found.append(VerificationKey.parse(text))
        except CheckpointError:
            continue
    return found


class SigningKey(Struct, frozen=True):
    """The organizer's secret key, in a file outside every ledger."""

    name: str
    seed: bytes

    @classmethod
    def generate(cls, name: str) -> SigningKey:
        check_name(name)
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @property
    def verification(self) -> VerificationKey:
        return VerificationKey(self.name, self._private.public_key().public_bytes_raw())

    @property
    def of_witness(self) -> VerificationKey:
        """Return the key that verifies this key's cosignatures."""
        return replace(self.verification, type=COSIGNATURE)

    def __str__(self) -> str:
        """Return the content of a key file. The text contains the secret key: never show this text."""
        return f"{_PRIVATE}{self.name}+{self.verification.id.hex()}+{to_base64(ED25519 + self.seed)}"

    def __repr__(self) -> str:
        return f"SigningKey({self.name!r})"

    @classmethod
    def parse(cls, text: str) -> SigningKey:
        """Return the signing key in the content of a key file. Error messages never repeat the secret."""
        rest = text.strip()
        if not rest.startswith(_PRIVATE):
            raise CheckpointError("this is not a signing key: make one with `matchledger key`")
        try:
            name, key_id, data = _key_parts(rest.removeprefix(_PRIVATE), (ED25519,))
            key = cls(name, data[1:])
            intact = key.verification.id.hex() == key_id
        except CheckpointError:
            intact = False
        if not intact:
            raise CheckpointError("this signing key is damaged: use a copy, or make a new one")
        return key

    def sign(self, text: str) -> str:
        """Return the signature line under a text."""
        return f"{DASH}{self.name} {to_base64(self.verification.id + self.signature(text))}\n"

    def cosign(self, text: str, time: int) -> str:
        """Return a witness's signature line under a text, at a time in seconds since 1970 (UTC)."""
        signature = time.to_bytes(TIME_BYTES, "big") + self.signature(cosigned_text(text, time))
        return f"{DASH}{self.name} {to_base64(self.of_witness.id + signature)}\n"

    def signature(self, text: str) -> bytes:
        """Return the plain signature of a text, for `VerificationKey.verifies`."""
        return self._private.sign(text.encode())

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.seed)


def _key_parts(text: str, types: Sequence[bytes]) -> tuple[str, str, bytes]:
    """Return a written key's name, its id, and its type and key as 33 bytes. Only Base64 text may contain a plus
    sign, never the name.
    """
    problem = CheckpointError(
        f"{shown(text)} is not a verification key: it is NAME+ID+BASE64, as `matchledger key` says"
    )
    name, _, rest = text.partition("+")
    key_id, _, encoded = rest.partition("+")
    try:
        data = from_base64(encoded)
    except (ValueError, binascii.Error):
        raise problem from None
    if len(data) != 1 + KEY_BYTES or data[:1] not in types:
        raise problem
    check_name(name)
    return name, key_id, data


def check_name(name: str) -> None:
    """Refuse a name with spaces or plus signs, which the note format forbids. A control character would break the
    line.
    """
    forbidden = any(letter == "+" or letter.isspace() or unicodedata.category(letter) == "Cc" for letter in name)
    if not name or forbidden or len(name.encode(errors="replace")) > MAX_NAME:
        raise CheckpointError(
            f"{shown(name)} cannot name a key: 1 to {MAX_NAME} bytes without spaces and pluses, "
            "such as example.org/judges"
        )
