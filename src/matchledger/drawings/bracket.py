"""The bracket as a picture: each round is a column, and games whose winners meet are next to each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matchledger.drawings.svg import SMALL, Say, Sheet, english, fitted, width
from matchledger_projections.document import Document

_ROW = 22  # the height of one player's row in a game
_GAP = 14  # the gap between two games of the first round
_JOINT = 28  # the gap between two rounds
_EDGE = 8
_HEAD = 30  # the height of the line of round titles
_NUMBER = 30  # the space for a game's number, left of the game
_SCORE = 14  # the space for a player's number of won games
_WIDEST, _NARROWEST = 260, 110


def bracket(document: Document, *, say: Say = english) -> str:
    """Draw a bracket with seeds. Winners are bold and marked, and future games are empty."""
    return _Bracket(document, say).drawn()


class _Bracket:
    """One drawing of a bracket. All positions follow from the number of games in the first round and from the
    longest name.
    """

    def __init__(self, document: Document, say: Say) -> None:
        self._document = document
        self._say = say
        self._rounds = [_from_the_top(round_) for round_ in document["rounds"]]
        self._seeds = {player: seed for seed, player in enumerate(document["seeds"], 1)}
        self._out = {*document.get("disqualified", ())}
        longest = max(
            (
                width(self._label(game, side) + self._mark(game["players"][side]), bold=True)
                for game in self._rounds[0]
                for side in (0, 1)
            ),
            default=0,
        )
        scored = any(game["games"] for games in self._rounds for game in games)
        self._tail = 28 + (_SCORE if scored else 0)
        self._room = min(max(longest + self._tail + 4, _NARROWEST), _WIDEST)
        self._column = _NUMBER + self._room + _JOINT
        self._game = 2 * _ROW
        self._pitch = self._game + _GAP

    def drawn(self) -> str:
        playoff = self._document["playoff"]
        high = _EDGE + _HEAD + len(self._rounds[0]) * self._pitch + _EDGE
        below = high + _HEAD if playoff else high
        sheet = Sheet(
            2 * _EDGE + len(self._rounds) * self._column - _JOINT,
            below + (self._game + _EDGE if playoff else 0),
            title=self._say("Bracket, %(tournament)s") % {"tournament": ", ".join(self._whose())},
            description=self._told(),
        )
        for level, games in enumerate(self._rounds):
            self._draw_round(sheet, level, games)
        if playoff:
            left = _EDGE + (len(self._rounds) - 1) * self._column + _NUMBER
            sheet.text(left, below - 10, self._say("3rd and 4th place"), size=SMALL, bold=True)
            self._draw_game(sheet, left, below, playoff)
        return str(sheet)

    def _whose(self) -> list[str]:
        return [name for name in (self._document["tournament"], self._document["division"]) if name]

    def _draw_round(self, sheet: Sheet, level: int, games: Sequence[Document]) -> None:
        left = _EDGE + level * self._column + _NUMBER
        title = self._say(self._document["rounds"][level]["title"])
        sheet.text(
            left, _EDGE + 14, fitted(title, self._room, SMALL, bold=True), size=SMALL, bold=True, whole=title
        )
        for place, game in enumerate(games):
            top = self._top(level, place)
            self._draw_game(sheet, left, top, game)
            if level + 1 < len(self._rounds):
                self._draw_joint(
                    sheet, left + self._room, top + self._game / 2, self._middle(level + 1, place // 2)
                )

    def _draw_joint(self, sheet: Sheet, x: float, y: float, to: float) -> None:
        """Draw a line from a game to the winner's next game."""
        turn = x + _JOINT / 2
        sheet.line([(x, y), (turn, y), (turn, to)])
        sheet.line([(turn, to), (x + _JOINT, to)])

    def _draw_game(self, sheet: Sheet, left: float, top: float, game: Document) -> None:
        number = str(game.get("table") or game["number"])
        sheet.text(left - 5, top + self._game / 2 + 4, number, anchor="end", size=SMALL, faint=True)
        sheet.frame(left, top, self._room, self._game)
        sheet.line([(left, top + _ROW), (left + self._room, top + _ROW)], faint=True)
        for side in (0, 1):
            label, mark = self._label(game, side), self._mark(game["players"][side])
            won = game["winner"] is not None and game["winner"] == game["players"][side]
            base = top + side * _ROW + 16
            sheet.text(
                left + 8,
                base,
                fitted(label, self._room - self._tail - width(mark, bold=won), bold=won) + mark,
                bold=won,
                faint=game["winner"] is not None and not won,
                whole=label + mark,
            )
            if game["games"]:
                right = left + self._room - 22
                sheet.text(right, base, str(game["games"][side]), anchor="end", bold=won)
            if won:  # an outline marks the winner too, because bold alone is not enough
                tick = left + self._room - 16
                sheet.line([(tick, base - 5), (tick + 4, base - 1), (tick + 10, base - 10)], thick=2)

    def _label(self, game: Document, side: int) -> str:
        player = game["players"][side]
        if player is not None:
            return f"{self._seeds[player]}  {player}" if player in self._seeds else player
        return self._say("bye") if game["empty"][side] else ""

    def _mark(self, player: str | None) -> str:
        """Return the words beside the name of a disqualified player (L5R-IV.2-DQ)."""
        return f" ({self._say('disqualified')})" if player in self._out else ""

    def _top(self, level: int, place: int) -> float:
        return self._middle(level, place) - self._game / 2

    def _middle(self, level: int, place: int) -> float:
        """Return the height halfway between the two games whose winners meet in a game."""
        apart = self._pitch * (1 << level)
        return _EDGE + _HEAD + apart * place + (apart - self._pitch) / 2 + self._game / 2

    def _told(self) -> str:
        """Describe the bracket in words, round by round."""
        told = []
        for round_ in self._document["rounds"]:
            games = "; ".join(self._game_told(game) for game in round_["games"])
            told.append(f"{self._say(round_['title'])}: {games}.")
        if self._document["playoff"]:
            told.append(f"{self._say('3rd and 4th place')}: {self._game_told(self._document['playoff'])}.")
        return " ".join(told)

    def _game_told(self, game: Document) -> str:
        known: list[str] = [player for player in game["players"] if player is not None]
        named = [player + self._mark(player) for player in known]
        words: Mapping[str, object] = {
            "number": game["number"],
            "first": [*named, ""][0],
            "second": [*named, "", ""][1],
        }
        if game["outcome"] == "nobody" or all(game["empty"]):
            return self._say("game %(number)s, nobody") % words
        if any(game["empty"]) and known:
            return self._say("game %(number)s, %(first)s has a bye") % words
        if len(known) < 2:  # noqa: PLR2004 - a game has two players
            return self._say("game %(number)s, to come") % words
        if game["winner"] is None:
            return self._say("game %(number)s, %(first)s against %(second)s") % words
        loser = next((player for player in known if player != game["winner"]), "")
        return self._say("game %(number)s, %(winner)s beat %(loser)s") % {
            "number": game["number"],
            "winner": game["winner"] + self._mark(game["winner"]),
            "loser": loser + self._mark(loser),
        }


def _from_the_top(round_: Document) -> list[Document]:
    games = {game["number"]: game for game in round_["games"]}
    return [games[number] for number in round_["from_the_top"]]
