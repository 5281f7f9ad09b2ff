"""Chance that anyone can check: every draw follows from a secret that was committed to before the first round.

The opening entry holds the SHA-256 of a 32-byte secret, the closing entry the secret itself. The seed of a draw is
HMAC-SHA256 under the secret of a text that names the purpose of the draw and the results before it; a random order
of players is their order by the 64-bit words that SHAKE-256 makes of the seed. `docs/chance.md` says it so that it
can be carried out in any language.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable

from matchledger.events import Slip
from matchledger_projections.record import Record

PREFIX = "matchledger/draw/1|"


def commitment(secret: bytes) -> str:
    """What the opening entry says of a secret, in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def draw_seed(secret: bytes, purpose: str, digest: str) -> bytes:
    """The seed of one draw: 32 bytes that nobody can foresee without the secret."""
    return hmac.new(secret, f"{PREFIX}{purpose}|{digest}".encode(), hashlib.sha256).digest()


def random_order(seed: bytes, players: Iterable[int]) -> list[int]:
    """Players in the order that a seed gives them; the words are dealt out in order of registration."""
    registered = sorted(players)
    words = struct.unpack(f">{len(registered)}Q", hashlib.shake_256(seed).digest(8 * len(registered)))
    return [player for _, player in sorted(zip(words, registered, strict=True))]


def pairing_purpose(round_: int) -> str:
    """What the draw for a round's pairing is called."""
    return f"pairing/{round_}"


def tie_purpose(round_: int, players: Iterable[int]) -> str:
    """What the draw for a tie after a round is called."""
    return f"tie/{round_}/" + ",".join(map(str, sorted(players)))


def results_digest(record: Record, through: int) -> str:
    """SHA-256, in hexadecimal, of all Swiss results up to a round: a line for each table and each bye, in order."""
    lines: list[str] = []
    for round_ in record.rounds():
        if round_.number > through:
            break
        for table, players, report in round_.results():
            slip = "" if report is None else _slip_text(report.slip)
            lines.append(f"{round_.number} {table} {players[0]} {players[1]} {slip}\n")
        lines += [f"{round_.number} bye {bye.player}\n" for bye in round_.byes]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _slip_text(slip: Slip) -> str:
    scores = "-" if slip.scores is None else f"{slip.scores[0]}-{slip.scores[1]}"
    blood = "-" if slip.blood_points is None else slip.blood_points
    return f"{slip.kind} {slip.winner or '-'} {scores} {blood}"
