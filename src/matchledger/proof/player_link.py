"""Player links: the code that identifies a player's phone, made from the key to the player's personal data.

No code is stored. The key file gives every code again, and an erased player has no code.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from hashlib import sha256
from uuid import UUID

CODE_BYTES = 10


def link_code(key: bytes, tournament: UUID, player: int, age: int) -> str:
    """The code of a player in a tournament, such as `7-mfzwi3dbnqxgk3tu`. `age` counts its renewals."""
    said = f"matchledger player link\n{tournament} {player} {age}".encode()
    made = b32encode(hmac.digest(key, said, sha256)[:CODE_BYTES]).decode().lower()
    return f"{player}-{made}"


def number_in(code: str) -> int | None:
    """The number of the player in a code, or None for any other text."""
    number, dash, rest = code.partition("-")
    is_number = number.isascii() and number.isdecimal() and len(number) < 7  # noqa: PLR2004 - no player has more digits
    return int(number) if dash and rest and is_number else None
