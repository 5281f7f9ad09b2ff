"""Authorship: the part of an entry that a station signs, and the place of the signature in the stored bytes.

A station signs the stored bytes of its entry without the position: tournament, time, actor, role, station, command,
reason, token and fact. Therefore the signature is valid at any position, also in a merged copy. Personal data are
encrypted in the signed bytes, so an erasure does not change the bytes. The signature is the last member of the
stored JSON.
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
_POSITION = re.compile(rb'(\{"tournament":"[0-9a-f-]{36}",)"position":[0-9]{1,18},')


def signed(state: bytes, token: StationToken) -> bytes:
    """Return the stored bytes of an entry with its station's signature. If the token has no seed for a signing key,
    the bytes are returned unchanged.
    """
    signature = token.signature(signed_text(state))
    return state if signature is None else b"%b%b%b%b" % (state[:-1], _BEGIN, to_base64(signature).encode(), _END)


def unsigned(state: bytes) -> bytes:
    """Return stored bytes without their signature. The JSON of an unsigned entry ends with the fact."""
    return b"%b}" % state[:-_LENGTH] if _is_signed(state) else state


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


def _is_signed(state: bytes) -> bool:
    return state.endswith(_END) and state.startswith(_BEGIN, len(state) - _LENGTH)
