"""Fairness by counting: in 20,000 orders derived as for a draw, every outcome is equally frequent.

The critical values are chi-square at 0.1 %. The seeds are fixed, so each test passes always or never.
"""

from collections import Counter
from hashlib import shake_256

from matchledger_projections.pairing.pairings import ByeInLowestGroup, ByeTakenFirst, Field, Pairing, pair

SEEDS = 20_000
CRITICAL = {2: 13.816, 4: 18.467, 8: 26.124, 11: 31.264, 14: 36.123}


def order(players: range, seed: int, group: int = 0) -> list[int]:
    """Return the players in the order of their 64-bit words of SHAKE-256, as docs/chance.md defines a draw."""
    words = shake_256(f"{seed}|{group}".encode()).digest(8 * len(players))
    return sorted(players, key=lambda player: words[8 * (player - players.start) :][:8])


def chi_square(outcomes: Counter[object], kinds: int) -> float:
    assert len(outcomes) == kinds
    expected = outcomes.total() / kinds
    return sum((count - expected) ** 2 / expected for count in outcomes.values())


def outcome(pairing: Pairing) -> object:
    return pairing.bye, frozenset(map(frozenset, pairing.tables))


def test_every_first_round_of_six_players_is_equally_likely() -> None:
    outcomes: Counter[object] = Counter(
        outcome(pair(Field([order(range(6), seed)], {}, ByeTakenFirst(())))) for seed in range(SEEDS)
    )
    assert chi_square(outcomes, 15) < CRITICAL[14]


def test_every_first_round_of_five_players_with_a_bye_is_equally_likely() -> None:
    outcomes: Counter[object] = Counter(
        outcome(pair(Field([order(range(5), seed)], {}, ByeInLowestGroup(range(5))))) for seed in range(SEEDS)
    )
    assert chi_square(outcomes, 15) < CRITICAL[14]


def two_groups(seed: int) -> Pairing:
    groups = [order(range(3), seed, 0), order(range(3, 6), seed, 1)]
    return pair(Field(groups, {}, ByeTakenFirst(())))


def test_the_odd_player_and_the_opponent_are_equally_likely() -> None:
    pairings = [two_groups(seed) for seed in range(SEEDS)]
    assert chi_square(Counter(map(outcome, pairings)), 9) < CRITICAL[8]
    assert chi_square(Counter(pairing.pair_downs[0].player for pairing in pairings), 3) < CRITICAL[2]
    assert chi_square(Counter(pairing.pair_downs[0].opponent for pairing in pairings), 3) < CRITICAL[2]


def test_the_exact_matching_gives_all_opponents_the_same_chance() -> None:
    """The players of the top group have all met, so all of them go down. All opponents of the players who go down
    are equally likely.
    """
    history = {0: {1}, 1: {0}}
    outcomes: Counter[object] = Counter()
    for seed in range(SEEDS):
        pairing = pair(Field([order(range(2), seed, 0), order(range(2, 6), seed, 1)], history, ByeTakenFirst(())))
        assert pairing.exact
        outcomes[outcome(pairing)] += 1
    assert chi_square(outcomes, 12) < CRITICAL[11]


def test_in_a_pile_with_a_player_paired_down_the_pass_is_fair() -> None:
    """SWR-SWISS-PASS: the five players of the pile's own group are equally likely to take the pass, and nobody else
    is.
    """
    passes: Counter[object] = Counter()
    for seed in range(SEEDS):
        groups = [order(range(3), seed, 0), order(range(3, 9), seed, 1)]
        passes[pair(Field(groups, {}, ByeInLowestGroup(range(3, 8)))).bye] += 1
    assert chi_square(passes, 5) < CRITICAL[4]


def test_any_player_of_the_pile_is_equally_likely_to_go_down_again() -> None:
    """POL-SWR-DOUBLE-DOWN = any."""
    down: Counter[object] = Counter()
    for seed in range(SEEDS):
        groups = [order(range(1), seed, 0), order(range(1, 3), seed, 1), order(range(3, 4), seed, 2)]
        pairing = pair(Field(groups, {}, ByeTakenFirst(()), any_may_go_down_twice=True, seed=seed.to_bytes(4)))
        down[next(one for one, other in pairing.tables if other == 3)] += 1
    assert chi_square(down, 3) < CRITICAL[2]
