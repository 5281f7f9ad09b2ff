"""Emperor's Judgment: if a game has no winner when play stops, the values on the slip decide."""

from __future__ import annotations

from msgspec import Struct

from matchledger.events import EmperorsJudgment

JUDGMENT = "judgment"  # the kind of result that a judgment gives
PER_PROVINCE, MOST_FOR_PROVINCES, FOR_HONOR, FOR_FAVOR = 2, 6, 2, 1


class Judged(Struct, frozen=True):
    """Both players' points in table order, the winner's side, and whether the decider won a tied judgment.

    The winner is None if the points are tied and no slip or entry names the decider.
    """

    points: tuple[int, int]
    winner: int | None
    by_decider: bool


def judge_values(written: EmperorsJudgment, decider: int | None = None) -> Judged:
    """Judge a game by L5R-IV.3b-EJ: points for each broken province of the opponent, for more honor and for the
    favor; the decider wins a tie.

    `decider` is the side that chose the first player, used if the slip does not name the decider.
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
