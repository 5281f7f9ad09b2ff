"""Emperor's Judgment: who wins a game that nobody had won when play stopped, by what stands on the slip."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import EmperorsJudgment

JUDGMENT = "judgment"  # the kind of such a result
PER_PROVINCE, MOST_FOR_PROVINCES, FOR_HONOR, FOR_FAVOR = 2, 6, 2, 1


class Judged(NamedTuple):
    """The points of both players in table order, the winner's side, and whether the decider won a level judgment.

    The winner is None where the points are level and nobody said who decided the first player.
    """

    points: tuple[int, int]
    winner: int | None
    by_decider: bool


def judge_values(written: EmperorsJudgment, decider: int | None = None) -> Judged:
    """L5R-IV.3b-EJ: provinces that a player broke of the opponent's, more honor, the favor; level, the decider.

    `decider` is the side that determined the first player, where the slip itself does not say.
    """
    first, second = (_points(written, side) for side in (0, 1))
    if first != second:
        return Judged((first, second), 0 if first > second else 1, by_decider=False)
    return Judged((first, second), decider if written.decider is None else written.decider, by_decider=True)


def _points(written: EmperorsJudgment, side: int) -> int:
    provinces = min(PER_PROVINCE * written.broken[side], MOST_FOR_PROVINCES)
    honor = FOR_HONOR if written.honor[side] > written.honor[1 - side] else 0
    favor = FOR_FAVOR if written.favor == side else 0
    return provinces + honor + favor
