"""Lateness: the kind of result depends on two times, when the game ended and when its slip came in.

Both times are compared with the marks of the table. If a time is unknown, it decides nothing, and the words on the
slip count.
"""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from matchledger.events import EmperorsJudgment
from matchledger_projections.message import sentence, word
from matchledger_projections.record.judgment import JUDGMENT, judge_values
from matchledger_projections.record.round_clock import Due, RoundClock, clock_face

# A match with one of these results is not played until the end of the round.
NEVER_LATE = frozenset({"no-show", "double-loss", "time-tiebreak"})
LOST = ("game-loss", "match-loss")  # the kinds of result that a penalty gives
ABSENT = ("no-show", "double-loss")
WITHOUT_PLAY = frozenset({"concession", *ABSENT, *LOST})  # a match can end so before its round starts
When = int | datetime


class Claim(Struct, frozen=True):
    """The claim on a slip: kind and winner, when the game ended, when the slip came in, and the values for a
    judgment.
    """

    kind: str
    winner: int | None
    ended: When | None
    received: When | None
    judgment: EmperorsJudgment | None


class Verdict(Struct, frozen=True):
    """What a slip means after the clock has judged it: kind and winner, each reason with its rule, and the kind
    and winner as written.
    """

    kind: str
    winner: int | None
    why: tuple[tuple[str, str], ...]
    claimed_kind: str
    claimed_winner: int | None


def judge(
    claim: Claim, *, clock: RoundClock, table: int, players: tuple[int, int], decider: int | None = None
) -> Verdict:
    """Return the verdict on a slip. `decider` is the player who chose the first player, or None if no entry names
    the decider.
    """
    winner, why = _winner(claim, clock, players, decider)
    kind, reason = _kind(claim, clock, table)
    if reason is not None:
        why = (*why, reason)
    return Verdict(kind, winner, why, claim.kind, claim.winner)


def _winner(
    claim: Claim, clock: RoundClock, players: tuple[int, int], decider: int | None
) -> tuple[int | None, tuple[tuple[str, str], ...]]:
    if claim.judgment is None or clock.judgment is None:
        return claim.winner, ()
    found = judge_values(claim.judgment, None if decider is None else players.index(decider))
    first, second = found.points
    if found.by_decider:
        said = sentence(
            "judged %(first)s to %(second)s, tied: the player who decided the first player wins",
            first=first,
            second=second,
        )
    else:
        said = sentence("judged %(first)s to %(second)s", first=first, second=second)
    winner = claim.winner if found.winner is None else players[found.winner]
    return winner, ((said, clock.judgment),)


def _kind(claim: Claim, clock: RoundClock, table: int) -> tuple[str, tuple[str, str] | None]:
    """Return the kind of result that the times give, and the mark that decided.

    A game without a winner when play stops is judged (L5R-IV.3a-75). A slip after the last call is late, no
    matter when the game ended (L5R-IV.3a-70). A slip without a time arrived no earlier than the end of its game.
    """
    due = clock.due(table)
    named = {kind for each in due for kind in (each.mark.late_slip, each.mark.unfinished)}
    ended, received = times(claim, clock)
    came = max((time for time in (ended, received) if time is not None), default=None)
    if (claim.winner is None and claim.judgment is None) or claim.kind in NEVER_LATE or came is None:
        return claim.kind, None
    judged = claim.judgment is not None or claim.kind == JUDGMENT or claim.kind in _unfinished(due)
    for each in reversed(due):
        mark, face = each.mark, clock_face(each.at)
        if mark.unfinished is not None and judged:
            if ended is None and claim.kind == mark.unfinished:
                return claim.kind, None
            if ended is not None and ended >= each.at:
                return mark.unfinished, (
                    sentence("not won by %(time)s, %(mark)s", time=face, mark=word(mark.title.lower())),
                    mark.rule,
                )
        if mark.late_slip is not None and came > each.at:
            return mark.late_slip, (
                sentence(
                    "%(what)s at %(time)s, after %(mark)s at %(due)s",
                    what=sentence("slip came") if received is not None else sentence("game ended"),
                    time=clock_face(came),
                    mark=word(mark.title.lower()),
                    due=face,
                ),
                mark.rule,
            )
    if claim.kind not in named:
        return claim.kind, None
    return JUDGMENT if claim.judgment is not None else "win", None


def _unfinished(due: tuple[Due, ...]) -> set[str | None]:
    return {each.mark.unfinished for each in due}


def times(claim: Claim, clock: RoundClock) -> tuple[int | None, int | None]:
    """Return when the game ended and when the slip arrived, in seconds on the clock, if known."""
    ended = None if claim.ended is None else clock.on_clock(claim.ended)
    received = None if claim.received is None else clock.on_clock(claim.received)
    return ended, received
