"""Authorship: the part of an entry that a station signs, and the place of the signature in the stored bytes.

A station signs the stored bytes of its entry without the position: tournament, time, actor, role, station, command,
reason, token and fact. Personal data are encrypted in these bytes, so an erasure does not change them. The
signature is the last member of the stored JSON.

The member in front of the signature is `after`: the leaf hash of the entry before. A fact that names an entry means
an entry of its own log, so an entry that was signed in another copy must not count here.
"""

from __future__ import annotations

import binascii
import re

from matchledger.proof.keys import from_base64, to_base64
from matchledger.proof.station_token import StationToken

# This text comes before the signed bytes, so that a signature for any other purpose never fits.
LABEL = b"matchledger/entry/1\n"
_SIGNATURE_BYTES = 64
_BEGIN = b',"signature":"'
_END = b'"}'
_LENGTH = len(_BEGIN) + 88 + len(_END)  # 64 bytes are 88 letters in base64
_AFTER = b',"after":"'
_AFTER_LENGTH = len(_AFTER) + 64 + len(_END)  # a hash in hexadecimal
_POSITION = re.compile(rb'(\{"tournament":"[0-9a-f-]{36}",)"position":[0-9]{1,18},')


def signed(state: bytes, token: StationToken, after: bytes | None = None) -> bytes:
    """Return the stored bytes of an entry with its station's signature, and with the leaf hash of the entry before.
    If the token has no seed, the bytes are unchanged.
    """
    stated = state if after is None else b"%b%b%b%b" % (state[:-1], _AFTER, after.hex().encode(), _END)
    signature = token.signature(signed_text(stated))
    return state if signature is None else b"%b%b%b%b" % (stated[:-1], _BEGIN, to_base64(signature).encode(), _END)


def unsigned(state: bytes) -> bytes:
    """Return the stored bytes of the entry alone: without its signature, and without the hash in front of that."""
    if not _is_signed(state):
        return state
    stated = without_signature(state)
    return b"%b}" % stated[:-_AFTER_LENGTH] if _has_after(stated) else stated


def without_signature(state: bytes) -> bytes:
    """Return the stored bytes that `signed_text` is made of."""
    return b"%b}" % state[:-_LENGTH] if _is_signed(state) else state


def after_of(state: bytes) -> bytes | None:
    """Return the leaf hash that a signed entry names as the entry before, or None if the entry names no leaf
    hash.
    """
    stated = without_signature(state)
    if not (_is_signed(state) and _has_after(stated)):
        return None
    try:
        return bytes.fromhex(stated[len(_AFTER) - _AFTER_LENGTH : -len(_END)].decode("ascii"))
    except ValueError:
        return None


def signature_of(state: bytes) -> bytes | None:
    """Return the signature in stored bytes. Return None if the bytes have no well-formed signature."""
    if not _is_signed(state):
        return None
    try:
        found = from_base64(state[len(_BEGIN) - _LENGTH : -len(_END)].decode("ascii"))
    except (UnicodeDecodeError, binascii.Error, ValueError):
        return None
    return found if len(found) == _SIGNATURE_BYTES else None


def signed_text(state: bytes) -> bytes:
    """Return the text that a station signs, from stored bytes without a signature."""
    return LABEL + _POSITION.sub(rb"\1", state, count=1)


def _has_after(stated: bytes) -> bool:
    return stated.endswith(_END) and stated.startswith(_AFTER, len(stated) - _AFTER_LENGTH)


def _is_signed(state: bytes) -> bool:
    return state.endswith(_END) and state.startswith(_BEGIN, len(state) - _LENGTH)
