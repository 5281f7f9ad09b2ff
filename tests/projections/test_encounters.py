"""Earlier opponents, for pairs of players and for a whole line at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

import pytest

from matchledger.service.importing import Transcription
from matchledger_projections.record.opponents import Encounters, ReplacedOpponents, neighbours_met
from matchledger_projections.standings.crosstable import RoundColumn, crosstable

Replay = Callable[[str], Transcription]

SHEET = """
rulebook pokemon-2009
players A B C D E
round 1
  A > B
  C > D
  E bye
round 2
  A > C
  E > B
  D bye
"""


def _drawn(players: int, rounds: int, chance: random.Random) -> Encounters:
    """Return rounds in which everybody has an opponent, except the odd player and a few who are absent."""
    columns = []
    for _ in range(rounds):
        column = RoundColumn(players + 1).opponents
        line = chance.sample(range(1, players + 1), players - players // 8)
        for one, other in zip(line[::2], line[1::2], strict=False):
            column[one], column[other] = other, one
        columns.append(column)
    return Encounters(players + 1, columns)


def _one_by_one(met: Mapping[int, Sequence[int]], line: Sequence[int]) -> list[int]:
    return [place for place in range(0, len(line) - 1, 2) if line[place + 1] in met[line[place]]]


@pytest.mark.parametrize(("players", "rounds", "lines"), [(9, 6, 300), (300, 40, 100), (70_000, 9, 2)])
def test_looking_up_many_opponents_at_once_equals_looking_up_each_pair(
    players: int, rounds: int, lines: int
) -> None:
    chance = random.Random(players)  # noqa: S311 - rounds of a made-up event
    met = _drawn(players, rounds, chance)
    found = 0
    for _ in range(lines):
        line = chance.sample(range(1, players + 1), chance.randint(0, players))
        clashes = _one_by_one(met, line)
        assert neighbours_met(met, line) == clashes
        assert neighbours_met(dict(met), line) == clashes
        found += len(clashes)
    assert found, "no line had anything to find"


def test_parts_of_two_packed_numbers_are_never_read_as_one_opponent() -> None:
    column = RoundColumn(300).opponents
    # Packed numbers: 17 and 16 differ in the last byte, 261 and 5 in the byte before it.
    column[1], column[2], column[3], column[4] = 17, 261, 18, 262
    others = range(20, 300)
    assert neighbours_met(Encounters(300, [column]), [1, 16, 2, 5, *others]) == []
    assert neighbours_met(Encounters(300, [column]), [3, 18, 4, 6, 1, 17, 2, 5, *others]) == [0, 4]


def test_two_players_without_opponents_have_not_met() -> None:
    assert neighbours_met(Encounters(5, [RoundColumn(5).opponents]), [1, 2, 3, 4]) == []
    assert neighbours_met(Encounters(5, []), [1, 2, 3, 4]) == []


def test_a_crosstable_knows_who_met_whom(replay: Replay) -> None:
    record = replay(SHEET).draft.record
    met = crosstable(record, record.rulebook, 2).encounters
    assert [met[player] for player in range(1, 6)] == [(2, 3), (1, 5), (4, 1), (3, 0), (0, 2)]
    assert met.get(99) is None
    assert set(met) >= {1, 2, 3, 4, 5}


def test_earlier_opponents_can_be_replaced_for_a_few_players() -> None:
    met = ReplacedOpponents({1: (3,)}, {1: (2,), 2: (1,)})
    assert dict(met) == {1: (3,), 2: (1,)}
    assert len(met) == 2
    assert met.get(9, ()) == ()
