"""Aesop's Tables: the JSON export of single-sided Netrunner events, under the rulebook `netrunner-aesops`.

The export has the same players, ranks and seeds as Cobra's export. Only the tables differ from a Cobra file.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, FailFast, Field

from matchledger.formats.cobra import NetrunnerEvent
from matchledger.formats.cobra_file import Export, Match, Side, parse_export
from matchledger.formats.json_values import Flag, Id, Part, Placed, Signed, items, parse_json
from matchledger.formats.transcript import Outcome, Transcript

_BYE = {"(bye)", "bye"}  # the name of the opponent of a bye, in small letters
# The kind of result for each pair of points. Any other pair of points is kept as points, with a note.
_KINDS = {(3, 0): "win", (1, 1): "draw", (0, 0): "double-loss"}


class AesopsMatch(Part):
    """A table of a round. In the cut, a table has a winner but no points."""

    table_number: Placed = None
    corp_player: Id = None
    runner_player: Id = None
    corp_score: Signed = None
    runner_score: Signed = None
    elimination_game: Flag = False
    winner: Id = Field(default=None, alias="winner_id")
    loser: Id = Field(default=None, alias="loser_id")

    def as_cobra(self) -> Match:
        """Return the table in Cobra's form, with the corp first."""
        return Match(
            table=self.table_number,
            player1=self._side(self.corp_player, self.corp_score),
            player2=self._side(self.runner_player, self.runner_score),
            eliminationGame=self.elimination_game,
        )

    def _side(self, player: str | None, score: int | None) -> Side:
        won = None if self._won is None else self._won == player
        return Side(
            id=None if player is not None and player.casefold() in _BYE else player, combinedScore=score, winner=won
        )

    @property
    def _won(self) -> str | None:
        """Return the id of the winner, or the file's other text, or None. An older export may give the winner's
        place in the cut, or only the loser.
        """
        players = (self.corp_player, self.runner_player)
        if self.winner in players or self.loser not in players:
            return self.winner
        return players[players[0] == self.loser]


class AesopsFile(Export):
    """A whole export."""

    rounds: Annotated[
        list[Annotated[list[AesopsMatch], FailFast(), BeforeValidator(items)]], FailFast(), BeforeValidator(items)
    ]


def read_aesops(data: bytes) -> Transcript:
    """Read the tournament of an Aesop's Tables export. Raises FormatError with the path in the JSON."""
    file = parse_export(AesopsFile, parse_json(data))
    return _AesopsEvent(file, [[match.as_cobra() for match in matches] for matches in file.rounds]).transcript()


class _AesopsEvent(NetrunnerEvent):
    format = "aesops"
    rulebook = "netrunner-aesops"
    decimals = 3
    readings = ({}, {"POL-AESOP-DIVISOR": "real-opponents"})
    ids = ("corpPlayer", "runnerPlayer")
    ranks_may_be_final = False

    def outcome(self, scores: tuple[int, int], winner: str | None, match: str) -> Outcome:
        """Return the rulebook's plain result that gives these points, or the points as written."""
        if (kind := _KINDS.get((max(scores), min(scores)))) is not None:
            return Outcome(kind, winner)
        if min(scores) >= 0:
            self._notes.append(f"{match}: {scores[0]}-{scores[1]} is no result of a game, kept as written")
        return Outcome("score", winner, scores, as_found=True)
