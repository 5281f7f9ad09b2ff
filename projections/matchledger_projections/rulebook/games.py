"""Games inside a match: how many there are, what they are worth, and how a match can end."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger.events import Games, Stage
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.rulebook.sections import RulebookPart

BestOf = Literal[1, 3, 5]


class GameRules(RulebookPart):
    """How many games a match has, and how they count.

    Games are a triple: won by the first player, won by the second, drawn. A slip without games counts as a plain
    win, or as an intentional draw (`draw_without_games`). A double loss has no games.
    """

    rule: str = Field(description="the rule that says how many games a match has")
    best_of: BestOf = Field(description="the most games of a Swiss match, without drawn games")
    elimination: BestOf | None = Field(
        default=None, description="the most games of an elimination match, if different"
    )
    win: int = Field(default=3, ge=1, description="game points of a won game")
    draw: int = Field(default=1, ge=0, description="game points of a drawn game")
    draw_without_games: Games = Field(
        default=(0, 0, 3), description="the games of a draw whose slip gives none: won, lost, drawn"
    )

    @property
    def plain_win(self) -> Games:
        """Return the games of a match won without a lost game, which also count for a bye."""
        return self.needed("swiss"), 0, 0

    def needed(self, stage: Stage) -> int:
        """Return how many games win a match."""
        best_of = self.best_of if stage == "swiss" or self.elimination is None else self.elimination
        return best_of // 2 + 1

    def points(self, games: Games) -> int:
        """Return the game points of the player who won the first number of games."""
        return self.win * games[0] + self.draw * games[2]

    def played(self, kind: str, games: Games | None, first_won: bool | None) -> Games:
        """Return the games of a match: those on its slip, or those that a slip without games means.

        `first_won` is None if no one won.
        """
        if games is not None:
            return games
        if first_won is not None:
            won, lost, drawn = self.plain_win
            return (won, lost, drawn) if first_won else (lost, won, drawn)
        return (0, 0, 0) if kind == "double-loss" else self.draw_without_games

    def problem(self, games: Games, stage: Stage = "swiss") -> Sentence | None:
        """Return why a match cannot end with these games, or None if it can."""
        first, second, drawn = games
        needed = self.needed(stage)
        best_of = 2 * needed - 1
        if max(first, second) > needed:
            return sentence(
                "%(games)s is impossible: a match ends with %(needed)s won games (best of %(best_of)s)",
                games=games_text(games),
                needed=needed,
                best_of=best_of,
            )
        if first == second == needed:
            return sentence(
                "%(games)s is impossible: only one player can win %(needed)s games",
                games=games_text(games),
                needed=needed,
            )
        if drawn > max(best_of, self.draw_without_games[2]):
            return sentence(
                "%(games)s is impossible: a match has at most %(count)s drawn games",
                games=games_text(games),
                count=max(best_of, self.draw_without_games[2]),
            )
        return None


def turned(games: Games) -> Games:
    """Return the games as seen from the other player's side."""
    return games[1], games[0], games[2]


def games_text(games: Games) -> str:
    """Return games as on a slip: 2-1, or 2-1-1 with drawn games."""
    first, second, drawn = games
    return f"{first}-{second}-{drawn}" if drawn else f"{first}-{second}"
