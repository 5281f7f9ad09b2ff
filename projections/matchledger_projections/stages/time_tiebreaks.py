"""Decide elimination games that run out of time by the state of the game (SWR-SE-TIME).

Play stops at once. Six comparisons follow, and the first difference decides: more matches won in the game, more
power points left, more cards of the BOSS's faction in the registered deck, fewer cards in the discard pile, the
lower number on the top card that both players discard (again as often as needed), and rock-paper-scissors.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from matchledger.events import Stage, TimeTiebreak
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.rulebook.rulebook import Rulebook

_FLIPS, _ROCK_PAPER_SCISSORS = 5, 6


class Undecided(ValueError):
    """Raised if the counts do not decide the game. `said` names the count that is missing or not needed."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)
        self.said = said


class Decision(NamedTuple):
    """The winner's side (0 or 1), and the number of the comparison that decided (1 to 6)."""

    winner: int
    step: int


def decide(written: TimeTiebreak) -> Decision:
    """Return the winner by the counts on the slip. Raise Undecided if the counts end before the players differ."""
    higher = ((1, "matches", written.matches), (2, "power", written.power), (3, "faction", written.faction))
    for step, name, values in higher:
        if values is None:
            raise Undecided(
                sentence("the players are tied before step %(step)s: give %(value)s", step=step, value=name)
            )
        if values[0] != values[1]:
            return Decision(0 if values[0] > values[1] else 1, step)
    if written.discard is None:
        raise Undecided(
            sentence("the players are tied before step %(step)s: give %(value)s", step=4, value="discard")
        )
    if written.discard[0] != written.discard[1]:
        return Decision(0 if written.discard[0] < written.discard[1] else 1, 4)
    return _flipped(written)


def _flipped(written: TimeTiebreak) -> Decision:
    for first, second in written.flips:
        if first is None and second is None:
            return _by_hand_game(written)
        if first is None or second is None:
            return Decision(0 if second is None else 1, _FLIPS)
        if first != second:
            return Decision(0 if first < second else 1, _FLIPS)
    raise Undecided(
        sentence("the players are tied before step 5: flip more cards, or write none for a player without a card")
    )


def _by_hand_game(written: TimeTiebreak) -> Decision:
    if written.rock_paper_scissors is None:
        raise Undecided(sentence("neither player has a card to discard: give the winner of rock-paper-scissors"))
    return Decision(written.rock_paper_scissors, _ROCK_PAPER_SCISSORS)


BY_TIME = "time-tiebreak"  # the kind of result by SWR-SE-TIME, only in elimination


def kinds_of(rulebook: Rulebook, stage: Stage) -> Iterator[str]:
    """Yield the kinds of result that a match of a stage can have, in the order of the rulebook. An elimination
    match has a winner, unless both players lose.
    """
    for kind, worth in rulebook.results.items():
        undecided = worth.winner is None and kind != "double-loss"
        if kind != "win" and not (undecided if stage == "elimination" else kind == BY_TIME):
            yield kind
