"""The tiebreaker by the standing of the last opponent (PKM-3.1.5.1-LASTOPP)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from matchledger_projections.standings.settled import StandingOfLastOpponent


def settled(groups: list[list[int]], opponents: list[list[int]]) -> list[list[int]]:
    readings = SimpleNamespace(last_opponent_cycle="draw")
    ranking: Any = SimpleNamespace(
        table=SimpleNamespace(opponents=opponents),
        rulebook=SimpleNamespace(readings=readings),
        settled={},
        after_a_split=lambda _, split: split,
    )
    return StandingOfLastOpponent().settle(ranking, groups)


def test_a_tie_is_broken_only_after_the_tie_of_the_last_opponents_is_broken() -> None:
    """Players 4 and 5 last met players 2 and 3, who are tied until players 1 and 6 separate them."""
    assert settled([[1], [4, 5], [2, 3], [6]], [[], [2], [6], [1], [2], [3], [2]]) == [[1], [5], [4], [3], [2], [6]]


def test_a_bye_does_not_count_as_the_last_opponent() -> None:
    """Player 2 met player 1, and had a bye after that."""
    assert settled([[1], [3, 2], [4]], [[], [2], [1, 0], [1, 4], [1, 3]]) == [[1], [2], [3], [4]]
