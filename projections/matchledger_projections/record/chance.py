"""Chance that anyone can check: every draw follows from a secret that was fixed before the first round.

The opening entry has the SHA-256 of a 32-byte secret. The closing entry has the secret itself. The seed of a draw
is an HMAC-SHA256 with the secret as key. The hashed text contains the purpose and the inputs of the draw. From
the seed, SHAKE-256 makes a 64-bit word for each player. Sorting the players by their random words gives the order
of the draw. `docs/chance.md` describes both versions of the derivation, for any language.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from operator import itemgetter

from matchledger.events import BeaconRead, Chain, Derivation
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.round import Round

DERIVATION: Derivation = 2  # the version of the draws in new tournaments
# The date on which the chain published round 1, and the length of a round.
BEACONS: Mapping[Chain, tuple[datetime, timedelta]] = {
    "quicknet": (datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC), timedelta(seconds=3))
}


def commitment(secret: bytes) -> str:
    """Return the commitment to a secret, in hexadecimal, which the opening entry contains."""
    return hashlib.sha256(secret).hexdigest()


def draw_seed(secret: bytes, purpose: str, *digests: str) -> bytes:
    """Return the seed of one draw: 32 bytes that nobody can foresee without the secret.

    Version 1 has one digest, of the results. Version 2 has two digests, of the basis and of the points.
    """
    text = "|".join((f"matchledger/draw/{len(digests)}", purpose, *digests))
    return hmac.new(secret, text.encode(), hashlib.sha256).digest()


def lots(seed: bytes, registered: Sequence[int]) -> tuple[bytes, ...]:
    """Return the lots that a seed gives to players in order of registration.

    The smallest lot comes first.

    A lot is the player's word followed by the player's number, in big-endian order. Therefore lots compare like
    numbers, and each lot contains the number of its player.
    """
    size = len(registered)
    # Each player has three parts of four bytes: two parts of the random word, and the player's number.
    words = array("I", hashlib.shake_256(seed).digest(8 * size))
    parts = array("I", bytes(12 * size))
    parts[::3], parts[1::3] = words[::2], words[1::2]
    parts[2::3] = array("I", struct.pack(f">{size}I", *registered))
    return struct.unpack("12s" * size, parts)


def by_lot(drawn: Iterable[bytes]) -> list[int]:
    """Return the players of some lots, in the order of the lots."""
    numbers = array("I", b"".join(sorted(drawn)))[2::3]
    return list(struct.unpack(f">{len(numbers)}I", numbers))


def random_order(seed: bytes, players: Iterable[int]) -> list[int]:
    """Return players in the random order of a seed."""
    return by_lot(lots(seed, sorted(players)))


def derivation_of(record: Record) -> Derivation:
    """Return the version of the derivation with which the tournament was opened."""
    return 1 if record.opening is None else record.opening.derivation


def pairing_purpose(round_: int, pool: str = "") -> str:
    """Return the purpose of the draw for a round's pairing. A pool that is paired by itself has its own purpose."""
    return f"pairing/{round_}/{pool}" if pool else f"pairing/{round_}"


def tie_purpose(round_: int, players: Iterable[int]) -> str:
    """Return the purpose of the draw for a tie after a round."""
    return f"tie/{round_}/" + ",".join(map(str, sorted(players)))


def flights_purpose(division: str, flights: int, players: Iterable[int]) -> str:
    """Return the purpose of the draw of a division into flights. The purpose names the players, so other players
    give another draw.
    """
    return f"flights/{division}/{flights}/" + ",".join(map(str, sorted(players)))


def late_flight_purpose(player: int) -> str:
    """Return the purpose of the draw among equal flights for a late player."""
    return f"flight/{player}"


def bracket_purpose(players: Iterable[int]) -> str:
    """Return the purpose of the draw that fills a bracket. The purpose names the players, so other players give
    another draw.
    """
    return "bracket/" + ",".join(map(str, sorted(players)))


def game_numbers_purpose(players: Iterable[int]) -> str:
    """Return the purpose of the draw that numbers the games of a bracket (L5R-IV.2c-STARTBYE)."""
    return "game-numbers/" + ",".join(map(str, sorted(players)))


def registrations_digest(leaves: Iterable[bytes]) -> str:
    """Return the SHA-256, in hexadecimal, of the sorted leaf hashes of the entries that entered players.

    Each leaf is the hash of an entry's encrypted bytes. Neither the order of a roster nor an erasure changes the
    digest.
    """
    return hashlib.sha256(b"".join(sorted(leaves))).hexdigest()


def out_at(chain: Chain, number: int) -> datetime:
    """Return the moment at which a beacon publishes a round."""
    first, period = BEACONS[chain]
    return first + (number - 1) * period


def randomness(read: BeaconRead) -> bytes:
    """Return the randomness of a beacon round: the SHA-256 of its signature."""
    return hashlib.sha256(bytes.fromhex(read.signature)).digest()


def word_digest(word: str) -> str:
    """Return a player's pledge: the SHA-256 of a word in UTF-8, in hexadecimal."""
    return hashlib.sha256(word.encode()).hexdigest()


def results_digest(record: Record, through: int) -> str:
    """Return the SHA-256, in hexadecimal, of all Swiss results up to a round: a line for each table and each bye,
    in order.

    Only version 1 of the derivation uses this digest.
    """
    digest = hashlib.sha256()
    for round_ in record.rounds():
        if round_.number > through:
            break
        digest.update("".join(_result_lines(round_)).encode())
    return digest.hexdigest()


def _result_lines(round_: Round) -> Iterator[str]:
    number = round_.number
    for table, (first, second), report in sorted(round_.results(), key=itemgetter(0)):
        yield f"{number} {table} {first} {second} {_slip_text(report)}\n"
    for bye in round_.byes:
        yield f"{number} bye {bye.player}\n"


def _slip_text(report: Report | None) -> str:
    if report is None:
        return ""
    scores = "-" if report.scores is None else f"{report.scores[0]}-{report.scores[1]}"
    blood = "-" if report.blood_points is None else report.blood_points
    return f"{report.kind} {report.winner or '-'} {scores} {blood}"
