"""Mutants of the L5R tournament regulations of 2018."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

_BOOK = "rulebooks/l5r-2018.toml"

MUTANTS = (
    Mutant(
        "L5R-IV.4-POINTS",
        "A loss is worth nothing.",
        "win = { winner = 10, loser = 1,",
        "win = { winner = 10, loser = 0,",
        _BOOK,
    ),
    Mutant(
        "L5R-IV.3b-EJ",
        "Broken provinces give up to eight points.",
        "FOR_HONOR, FOR_FAVOR = 2, 6, 2, 1",
        "FOR_HONOR, FOR_FAVOR = 2, 8, 2, 1",
    ),
)
