"""Draws that anyone can check: the tests compute each draw again with only hashlib."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st
from tests.event import SECRET

from matchledger.service.importing import Transcription
from matchledger_projections.record.chance import (
    commitment,
    draw_seed,
    pairing_purpose,
    random_order,
    results_digest,
    tie_purpose,
)

Replay = Callable[[str], Transcription]

SHEET = """
rulebook ashes-2022
players A B C D E
round 1
  A > B (10)
  C > D (12)
  E bye
round 2
  A > C (8)
  B > E no-show
  D bye
"""


def _hmac_sha256(key: bytes, message: bytes) -> bytes:
    """Compute HMAC as in RFC 2104, for a key that is at most one block long."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def _order(seed: bytes, players: list[int]) -> list[int]:
    """Return the players sorted by eight-byte words of SHAKE-256, which they get in order of registration."""
    stream = hashlib.shake_256(seed).digest(8 * len(players))
    dealt = enumerate(sorted(players))
    words = {player: int.from_bytes(stream[8 * index :][:8], "big") for index, player in dealt}
    return sorted(players, key=words.__getitem__)


def test_the_commitment_is_the_sha_256_of_the_secret() -> None:
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_a_seed_is_the_hmac_of_the_purpose_and_the_results() -> None:
    digest = hashlib.sha256(b"").hexdigest()
    seed = draw_seed(SECRET, "pairing/1", digest)
    assert seed == _hmac_sha256(SECRET, f"matchledger/draw/1|pairing/1|{digest}".encode())
    assert seed.hex() == "6196ef54d132d5db0f17c47d13a215d147287ba4529fcb4a4732eff9682bf3c0"


def test_the_random_words_from_the_seed_give_the_order_of_players() -> None:
    seed = draw_seed(SECRET, "pairing/1", hashlib.sha256(b"").hexdigest())
    assert random_order(seed, range(1, 9)) == _order(seed, list(range(1, 9))) == [6, 8, 1, 4, 5, 2, 7, 3]


def test_a_purpose_names_the_round_and_the_players_in_order_of_registration() -> None:
    assert pairing_purpose(3) == "pairing/3"
    assert tie_purpose(3, [9, 4, 7]) == "tie/3/4,7,9"


@given(st.binary(min_size=32, max_size=32), st.sets(st.integers(1, 10_000), max_size=40))
def test_a_random_order_is_a_permutation_that_depends_only_on_seed_and_players(
    seed: bytes, players: set[int]
) -> None:
    order = random_order(seed, players)
    assert sorted(order) == sorted(players)
    assert order == random_order(seed, sorted(players, reverse=True)) == _order(seed, list(players))


def test_every_order_of_four_players_comes_up_as_often_as_any_other() -> None:
    draws = 24_000
    counts = Counter(
        tuple(random_order(draw_seed(SECRET, f"test/{number}", ""), [1, 2, 3, 4])) for number in range(draws)
    )
    expected = draws / 24
    chi_square = sum((counts[order] - expected) ** 2 / expected for order in permutations([1, 2, 3, 4]))
    # A chi-square with 23 degrees of freedom: a fair draw exceeds it once in a thousand times.
    assert chi_square < 49.73


def test_the_digest_of_results_has_a_line_for_every_table_and_bye(replay: Replay) -> None:
    record = replay(SHEET).draft.record
    after_one = "1 1 1 2 win 1 - 10\n1 2 3 4 win 3 - 12\n1 bye 5\n"
    after_two = after_one + "2 1 1 3 win 1 - 8\n2 2 2 5 no-show 2 - -\n2 bye 4\n"
    assert results_digest(record, 0) == hashlib.sha256(b"").hexdigest()
    assert results_digest(record, 1) == hashlib.sha256(after_one.encode()).hexdigest()
    assert results_digest(record, 2) == hashlib.sha256(after_two.encode()).hexdigest()


def test_the_digest_includes_open_and_drawn_and_scored_tables(replay: Replay) -> None:
    record = replay(
        "rulebook netrunner-2023\nplayers A B C D E F\nround 1\n A 4-1 B\n C = D\n E - F\n"
    ).draft.record
    lines = "1 1 1 2 score 1 4-1 -\n1 2 3 4 draw - - -\n1 3 5 6 \n"
    assert results_digest(record, 1) == hashlib.sha256(lines.encode()).hexdigest()


def test_a_correction_changes_the_digest_and_its_retraction_restores_it(replay: Replay) -> None:
    plain, corrected, restored = (
        results_digest(replay(SHEET + more).draft.record, 2)
        for more in ("", "correct 1 B > A (16)\n", "correct 1 B > A (16)\nretract 1 A B\n")
    )
    assert corrected != plain
    assert restored == plain
