"""Station tokens: a person, a role, a station and an end time, signed by the organizer.

A token is a text that fits in a link or a QR code. A token is signed with Ed25519, by a key in a file outside every
ledger. A tournament's log names the verification keys that it trusts. Therefore a station can check a token against
the log, but cannot make a token. There is only one form and one algorithm, so that a token cannot choose a weaker
algorithm. A token has two parts. The certificate of a token is public: the person, role and station, and the
station's key, signed by the organizer. The seed in a token is secret, and signs the entries of the station. The log
stores certificates, but never a seed. A token is like a badge: everyone who holds the token is admitted.
`docs/security.md` explains the limits of a copied token.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated, Literal
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, PrivateAttr, ValidationError

from matchledger.events import Role
from matchledger.proof.keys import KEY_ID_BYTES, SigningKey, VerificationKey, readable_keys
from matchledger_projections.message import Sentence, demanding, sentence

TokenRole = Role | Literal["read-only"]
VERSION = "mlt2"
LONGEST = 4096  # the most characters of a token
LEEWAY = timedelta(minutes=2)  # the largest difference expected between the clocks of two laptops
_ID_BYTES = 6
_SHOWN = "%Y-%m-%d %H:%M %Z"
# The latest signatures of this process, each with its key and the signed bytes. To check a signature takes twice as
# long as to sign.
_made: dict[bytes, tuple[str, bytes]] = {}
_MOST_MADE = 256


class TokenRefused(Exception):
    """The refusal of a token, with a message of one line that never repeats the token."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)


class TokenDemanded(TokenRefused):
    """A request lacks a required token. The command line, the pages and the API each say how to send a token."""

    def __init__(self) -> None:
        super().__init__(
            demanding(
                sentence("this tournament records nothing without a station token: ask the organizer for one"),
                "a token",
            )
        )


def _printable(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise ValueError("must have letters that can be printed")
    return text


_Name = Annotated[str, Field(min_length=1, max_length=100), AfterValidator(_printable)]


def new_id() -> str:
    """Return a new id for a token, by which the token can be revoked. The id is not secret."""
    return os.urandom(_ID_BYTES).hex()


class StationToken(BaseModel):
    """The contents of a token.

    A token proves nothing until `read` or `certified` has checked its signature.

    `tournament` is None for a token that every tournament with the key accepts. If an actor and a station have two
    tokens, the later token replaces the earlier from its first use on. A token with `once` works only once.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    id: str = Field(default_factory=new_id, pattern="^[0-9a-f]{12}$")
    role: TokenRole
    actor: _Name
    station: _Name
    tournament: UUID | None = None
    issued: AwareDatetime
    not_before: AwareDatetime
    expires: AwareDatetime
    once: bool = False
    key: str = Field("", pattern="^[A-Za-z0-9_-]*$", max_length=43, description="the key of the station's entries")

    _certificate: str = PrivateAttr("")
    _private: Ed25519PrivateKey | None = PrivateAttr(None)

    def hold(self, certificate: str, private: Ed25519PrivateKey) -> None:
        """Keep the certificate that the organizer signed, and the private key that signs the station's entries."""
        self._certificate, self._private = certificate, private

    @property
    def certificate(self) -> str | None:
        """Return the token's certificate, which is public. Return None if the token was not read from text."""
        return self._certificate or None

    def signature(self, data: bytes) -> bytes | None:
        """Return the station's signature under some bytes, or None without the station's seed."""
        if self._private is None:
            return None
        signature = self._private.sign(data)
        if len(_made) >= _MOST_MADE:
            _made.clear()
        _made[signature] = self.key, data
        return signature

    def verifies(self, data: bytes, signature: bytes) -> bool:
        """Return whether the station's key has signed these bytes."""
        if _made.get(signature) == (self.key, data):
            return True
        try:
            _public(self.key).verify(signature, data)
        except (InvalidSignature, ValueError):
            return False
        return True

    def need_current(self, now: datetime) -> None:
        """Refuse a token before its start or after its end."""
        if now + LEEWAY < self.not_before:
            raise TokenRefused(
                sentence(
                    "this token is not valid before %(moment)s: wait, or check the clock of this machine",
                    moment=f"{self.not_before.astimezone():{_SHOWN}}",
                )
            )
        if now >= self.expires:
            raise TokenRefused(
                sentence(
                    "this token expired at %(moment)s: ask the organizer for a new one",
                    moment=f"{self.expires.astimezone():{_SHOWN}}",
                )
            )


def issue(key: SigningKey, token: StationToken) -> str:
    """Return the token as a text with a new key for the station: letters, digits, dots, dashes and underscores."""
    station = Ed25519PrivateKey.generate()
    named = token.model_copy(update={"key": _to_text(station.public_key().public_bytes_raw())})
    return signed(key, named.model_dump_json().encode(), station.private_bytes_raw())


def signed(key: SigningKey, said: bytes, seed: bytes) -> str:
    """Return the given contents as the text of a token, signed with the key. The contents are checked in `read`,
    not here.
    """
    text = f"{VERSION}.{_to_text(said)}"
    return f"{text}.{_to_text(key.verification.id + key.signature(text))}.{_to_text(seed)}"


def read(
    keys: Iterable[VerificationKey], text: str, now: datetime, *, tournament: UUID | None = None
) -> StationToken:
    """Return the token in a text, if one of the keys has signed the token, and if it is for the given tournament.

    Raises TokenRefused for a token that is forged, expired, not valid yet, for another tournament, or of an unknown
    version. Only the log of a tournament knows whether the token was revoked or replaced: see `Ledger.admit`.
    """
    token = _opened(tuple(keys), text.strip())
    token.need_current(now)
    if None not in (token.tournament, tournament) and token.tournament != tournament:
        raise TokenRefused(
            sentence("this token is for another tournament: ask the organizer for one of this tournament")
        )
    return token


def certified(keys: Iterable[VerificationKey], certificate: str) -> StationToken:
    """Return the contents of a token's certificate, if one of the keys has signed the certificate. Raises
    TokenRefused.
    """
    version, body, seal = _parts(certificate, 3)
    return _token_of(tuple(keys), version, body, seal)


@lru_cache(maxsize=256)
def is_certified(keys: tuple[str, ...], certificate: str) -> bool:
    """Return whether one of some keys, given as text, has signed a token's certificate."""
    try:
        certified(readable_keys(keys), certificate)
    except TokenRefused:
        return False
    return True


@lru_cache(maxsize=64)  # a server reads the token of a station with each request
def _opened(keys: tuple[VerificationKey, ...], text: str) -> StationToken:
    """Return the contents of a token. The contents are parsed only after the signature was checked."""
    version, body, seal, seed_text = _parts(text, 4)
    token = _token_of(keys, version, body, seal)
    try:
        private = Ed25519PrivateKey.from_private_bytes(_from_text(seed_text))
    except ValueError:
        private = None
    if private is None or _to_text(private.public_key().public_bytes_raw()) != token.key:
        raise TokenRefused(sentence("this token is damaged: copy it again, the whole line"))
    token.hold(text.rpartition(".")[0], private)
    return token


def is_token(text: str) -> bool:
    """Return whether a text begins like a token of any version."""
    return re.match(r"mlt[0-9]{1,3}\.", text) is not None


def _parts(text: str, count: int) -> list[str]:
    version, *rest = text.split(".")
    if len(text) > LONGEST or not re.fullmatch(r"mlt[0-9]{1,3}", version) or not rest:
        raise TokenRefused(sentence("this is not a station token: copy the whole line"))
    if version != VERSION:
        raise TokenRefused(
            sentence(
                "this token has version %(version)s; only %(known)s is accepted: issue it again",
                version=version,
                known=VERSION,
            )
        )
    if len(rest) != count - 1:
        raise TokenRefused(sentence("this is not a station token: copy the whole line"))
    return [version, *rest]


def _token_of(keys: tuple[VerificationKey, ...], version: str, body: str, signature: str) -> StationToken:
    if not keys:
        raise TokenRefused(
            demanding(
                sentence("this tournament accepts no tokens yet: trust a key that signs them"), "a trusted key"
            )
        )
    try:
        data, seal = _from_text(body), _from_text(signature)
    except ValueError:
        raise TokenRefused(sentence("this token is damaged: copy it again, the whole line")) from None
    said = f"{version}.{body}"
    named = [key for key in keys if key.id == seal[:KEY_ID_BYTES]]
    if not named:
        raise TokenRefused(sentence("this tournament does not trust the key of this token"))
    if not any(key.verifies(said, seal[KEY_ID_BYTES:]) for key in named):
        raise TokenRefused(
            sentence("this token is forged or damaged: its signature does not come from the key it names")
        )
    try:
        return StationToken.model_validate_json(data)
    except ValidationError:
        raise TokenRefused(sentence("this token cannot be read: issue it again")) from None


@lru_cache(maxsize=64)
def _public(text: str) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(_from_text(text))


def _to_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _from_text(text: str) -> bytes:
    """Return the bytes in a text in exactly the spelling of `_to_text`."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None
    if _to_text(data) != text:
        raise ValueError("not the one way to write these bytes")
    return data
