"""The words on a slip, before any rulebook reads them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, time

from matchledger.events import Games

NotedTime = int | datetime | time  # seconds on the clock, a moment, or the time on a watch
UNFINISHED = "unfinished"  # a slip's notes on a game that time ended


@dataclass(frozen=True, slots=True)
class Noted:
    """The notes on a slip about the end of its game.

    Sides are 0 and 1; pairs are in table order.

    `broken` are the provinces that each player broke, `favor` is the side with the Imperial Favor. `decider`
    is the side that chose the first player, and `first_player` the chosen side.
    """

    ended: NotedTime | None = None
    received: NotedTime | None = None
    broken: tuple[int, int] | None = None
    honor: tuple[int, int] | None = None
    favor: int | None = None
    decider: int | None = None
    first_player: int | None = None

    def turned(self) -> Noted:
        """The values of the slip, seen from the other side of the table."""
        return replace(
            self,
            broken=None if self.broken is None else self.broken[::-1],
            honor=None if self.honor is None else self.honor[::-1],
            favor=None if self.favor is None else 1 - self.favor,
            decider=None if self.decider is None else 1 - self.decider,
            first_player=None if self.first_player is None else 1 - self.first_player,
        )


NOTHING_NOTED = Noted()


@dataclass(frozen=True, slots=True)
class Written:
    """The words on a slip, before the rulebook reads them.

    `winner` is 0 or 1, for the first or the second player of the table, or None without a winner. `scores`
    and `games` are in table order, with drawn games last. `winner_blood_points` is set only if the slip gives
    it. `noted` are its notes on the end of the game. A result marked `as_found` in a file is kept even if it
    is odd.
    """

    kind: str = "win"
    winner: int | None = None
    scores: tuple[int, int] | None = None
    blood_points: int | None = None
    winner_blood_points: int | None = None
    noted: Noted = NOTHING_NOTED
    games: Games | None = None
    as_found: bool = False

    def turned(self) -> Written:
        """The slip, seen from the other side of the table."""
        winner = None if self.winner is None else 1 - self.winner
        scores = None if self.scores is None else (self.scores[1], self.scores[0])
        games = None if self.games is None else (self.games[1], self.games[0], self.games[2])
        return replace(self, winner=winner, scores=scores, games=games, noted=self.noted.turned())
