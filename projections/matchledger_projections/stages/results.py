"""Results by stage: the kinds of result that a match of a stage can have, besides a plain win."""

from __future__ import annotations

from collections.abc import Iterator

from matchledger.events import Stage
from matchledger_projections.rulebook.rulebook import Rulebook

BY_TIME = "time-tiebreak"  # SWR-SE-TIME: elimination only


def kinds_of(rulebook: Rulebook, stage: Stage) -> Iterator[str]:
    """The kinds in the order of the rulebook. An elimination match has a winner, unless both players have lost."""
    for kind, worth in rulebook.results.items():
        undecided = worth.winner is None and kind != "double-loss"
        if kind != "win" and not (undecided if stage == "elimination" else kind == BY_TIME):
            yield kind
