"""Crowds: a few stand-ins for a large group of players must give the same pairing as all players of the group."""

import random

import pytest

from matchledger_projections.pairing.crowds import read_crowded
from matchledger_projections.pairing.matching import Unmatchable
from matchledger_projections.pairing.piles import Reading, Slate
from matchledger_projections.pairing.tangles import Tangle, read_tangle


def random_slate(chance: random.Random) -> tuple[Slate, dict[int, str]]:
    """Up to 40 players in a few groups and divisions. One division is small, and its players have often met."""
    players = chance.sample(range(100), 2 * chance.randint(8, 20))
    names = chance.choice(("JM", "JSM", "M"))
    few = chance.sample(players, chance.randint(0, 6))
    divisions = {player: "J" if player in few else chance.choice(names[-2:]) for player in players}
    groups: list[list[int]] = [[] for _ in range(chance.randint(1, 4))]
    for player in players:
        groups[min(chance.randrange(4), len(groups) - 1)].append(player)
    met: dict[int, set[int]] = {}
    density = chance.choice((0.0, 0.03, 0.08, 0.2))
    for one in players:
        for other in players:
            inside = divisions[one] == divisions[other] == "J" and chance.random() < 0.9
            if one < other and (inside or chance.random() < density):
                met.setdefault(one, set()).add(other)
                met.setdefault(other, set()).add(one)
    slate = Slate(
        [group for group in groups if group],
        range(sum(map(bool, groups))),
        met,
        twice=chance.random() < 0.2,
        seed=bytes(32),
    )
    return slate, divisions


def whole(slate: Slate, divisions: dict[int, str]) -> Reading:
    tangle = Tangle(slate.groups, slate.levels, slate.met, (), {}, divisions=divisions, twice=slate.twice)
    return read_tangle(tangle, tangle.optimum(), slate)


@pytest.mark.parametrize("seed", range(6))
def test_stand_ins_for_a_crowd_give_the_pairing_of_the_whole_field(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 -- test data, not secrets
    for _ in range(60):
        slate, divisions = random_slate(chance)
        try:
            expected = whole(slate, divisions)
        except Unmatchable:
            with pytest.raises(Unmatchable):
                read_crowded(slate, divisions)
            continue
        assert read_crowded(slate, divisions) == expected, (slate, divisions)
