"""Sealing: personal data are stored encrypted with the player's own key.

A person, a deck list, an amendment's cards or a check's finding is stored as `{"of": PLAYER, "sealed": BASE64}`: a
nonce and AES-256-GCM. The key for each of these fields is derived from the player's key, so that one field's key
can be disclosed alone. The associated data name the tournament, the position, the player and the field, so an
encrypted text can be opened only in its own place. Padding hides most of the text's length. The hashes of the log
cover the encrypted bytes, so checking the hashes never needs a key.
"""

from __future__ import annotations

import base64
import hmac
import json
import os
import re
from binascii import a2b_base64
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import get_args
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from matchledger.events import (
    AnyFact,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    Entry,
    PersonCorrected,
    PlayerArrivedLate,
    PlayerRegistered,
)
from matchledger_projections.record.roster import pseudonym

NONCE_BYTES = 12
PADDED_TO = 64  # bytes
_Sealed = PlayerRegistered | PlayerArrivedLate | PersonCorrected | DeckSubmitted | DeckAmended | DeckChecked
# Only these kinds of facts may have encrypted fields.
PERSONAL = frozenset(kind.model_fields["kind"].default for kind in get_args(_Sealed))
_FIELDS = ("person", "deck", "difference", "finding")
# Data outside the log: people who wait for a place, phones that get news, and links of stations.
WAITING, PUSH, STATION = "waiting", "push", "station"
_LABELS = {field: f"matchledger/seal/1|{field}".encode() for field in (*_FIELDS, WAITING, PUSH, STATION)}
_SEALED = re.compile(rb'"(person|deck|difference|finding)":\{"of":([0-9]{1,9}),"sealed":"([A-Za-z0-9+/=]+)"\}')
_MARK = b'"sealed":"'

# A function that returns the key to a field, for a tournament, a player and the field's name. The function returns
# None if the key is missing or was destroyed.
FieldKeys = Callable[[UUID, int, str], bytes | None]


class SealBroken(Exception):
    """An encrypted text was altered or moved to another place."""


def field_key(key: bytes, field: str) -> bytes:
    """Return the key for one field, derived from a player's key (HMAC-SHA256)."""
    return hmac.digest(key, _LABELS[field], "sha256")


def shut(key: bytes, text: bytes, place: bytes) -> bytes:
    """Encrypt a text for one place in the log, and return a nonce and the AES-256-GCM ciphertext."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, text.ljust(-(-len(text) // PADDED_TO) * PADDED_TO), place)


def unshut(key: bytes, data: bytes, place: bytes) -> bytes:
    """Decrypt a text that was encrypted for this place in the log. Raises InvalidTag for a text from another
    place or with another key, and ValueError for a text that is too short.
    """
    return AESGCM(key).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], place).rstrip()


def players_in(facts: Iterable[AnyFact]) -> set[int]:
    """Return the players whose personal data are in some facts."""
    return {_player(fact) for fact in facts if isinstance(fact, _Sealed)}


def sealed(entry: Entry, state: bytes, keys: FieldKeys) -> bytes:
    """Return the stored bytes of an entry, with its personal data encrypted. The key of every player in the entry
    must be available.
    """
    fact = entry.fact
    if not isinstance(fact, _Sealed):
        return state
    player = _player(fact)
    for field in _FIELDS:
        value = getattr(fact, field, None)
        if value is None:
            continue
        key = keys(entry.tournament, player, field)
        assert key is not None  # noqa: S101 - keys are made before entries are sealed
        plain = value.__pydantic_serializer__.to_json(value)
        text = shut(key, plain, _place(entry.tournament, entry.position, player, field))
        name = f'"{field}":'.encode()
        body = json.dumps({"of": player, "sealed": base64.b64encode(text).decode()}, separators=(",", ":"))
        # JSON escapes each quotation mark inside a text, so this pattern finds only the name of the field.
        assert state.count(name + plain) == 1  # noqa: S101 - the entry was serialised by the same library
        state = state.replace(name + plain, name + body.encode())
    return state


def is_sealed(state: bytes) -> bool:
    """Return whether stored bytes may contain an encrypted text. Bytes without an encrypted text need no
    decryption.
    """
    return _MARK in state


def sealed_for(topic: str, state: bytes) -> set[int]:
    """Return the players with encrypted data in stored bytes, with or without an available key."""
    return {int(found[2]) for found in _SEALED.finditer(state)} if topic in PERSONAL and is_sealed(state) else set()


def opened(
    tournament: UUID,
    position: int,
    state: bytes,
    keys: FieldKeys,
    reject: Callable[[UUID, int], object] | None = None,
) -> bytes:
    """Return stored bytes with decrypted personal data, or with a placeholder for each missing key.

    A key that does not open its text is rejected, and the player's next key is tried. Without `reject`, it raises
    SealBroken.
    """

    def clear(found: re.Match[bytes]) -> bytes:
        field, player = found[1].decode(), int(found[2])
        key = keys(tournament, player, field)
        if key is None:
            return b'"%b":%b' % (found[1], _instead(field, player))
        try:
            plain = unshut(key, a2b_base64(found[3]), _place(tournament, position, player, field))
        except (InvalidTag, ValueError):
            if reject is not None:
                reject(tournament, player)
                return clear(found)
            raise SealBroken from None
        return b'"%b":%b' % (found[1], plain)

    return _SEALED.sub(clear, state)


Row = tuple[int, str, bytes]  # position, topic and state


def fitting(tournament: UUID, rows: Iterable[Row], keys: Mapping[int, bytes]) -> dict[int, bytes]:
    """Return the keys, by player, that open the player's data in some rows.

    An unknown key that opens nothing may be a stranger's key for a player who registers later.
    """

    def key(_: UUID, player: int, field: str) -> bytes | None:
        return field_key(keys[player], field) if player in keys else None

    found: dict[int, bytes] = {}
    for position, topic, state in rows:
        for player in sealed_for(topic, state) & (keys.keys() - found.keys()):
            with suppress(SealBroken):
                opened(tournament, position, state, key)
                found[player] = keys[player]
    return found


def _place(tournament: UUID, position: int, player: int, field: str) -> bytes:
    return b"%b|%d|%d|%b" % (_named(tournament), position, player, field.encode())


@lru_cache(maxsize=16)
def _named(tournament: UUID) -> bytes:
    return str(tournament).encode()


def _instead(field: str, player: int) -> bytes:
    return json.dumps({"name": pseudonym(player)}).encode() if field == "person" else b"null"


def _player(fact: _Sealed) -> int:
    return fact.number if isinstance(fact, PlayerRegistered | PlayerArrivedLate) else fact.player
