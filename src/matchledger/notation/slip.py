"""The words on a slip, before any rulebook reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, time

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import Games
from matchledger_projections.message import sentence

NotedTime = int | datetime | time  # seconds on the round's clock, a moment, or the time on a watch
UNFINISHED = "unfinished"  # this word on a slip says that time ended the game


class Noted(Struct, frozen=True):
    """A slip's notes about the end of its game.

    Sides are 0 and 1, and pairs are in table order.

    `broken` are the numbers of provinces that each player broke, and `favor` is the side with the Imperial Favor.
    `decider` is the side that chose the first player, and `first_player` is the chosen side.
    """

    ended: NotedTime | None = None
    received: NotedTime | None = None
    broken: tuple[int, int] | None = None
    honor: tuple[int, int] | None = None
    favor: int | None = None
    decider: int | None = None
    first_player: int | None = None

    def turned(self) -> Noted:
        """Return the notes with the two sides of the table exchanged."""
        return replace(
            self,
            broken=None if self.broken is None else self.broken[::-1],
            honor=None if self.honor is None else self.honor[::-1],
            favor=None if self.favor is None else 1 - self.favor,
            decider=None if self.decider is None else 1 - self.decider,
            first_player=None if self.first_player is None else 1 - self.first_player,
        )


NOTHING_NOTED = Noted()


class Written(Struct, frozen=True):
    """The words on a slip, before a rulebook reads them.

    `winner` is 0 for the first player of the table, 1 for the second, or None without a winner. `scores` and
    `games` are in table order, with drawn games last. `winner_blood_points` is set only if the slip has the
    winner's blood points. `noted` are the slip's notes about the end of the game. With `as_found`, an imported
    result is kept even if it breaks the rulebook.
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
        """Return the slip with the two sides of the table exchanged."""
        winner = None if self.winner is None else 1 - self.winner
        scores = None if self.scores is None else (self.scores[1], self.scores[0])
        games = None if self.games is None else (self.games[1], self.games[0], self.games[2])
        return replace(self, winner=winner, scores=scores, games=games, noted=self.noted.turned())


HELP = sentence(
    "ended=69:59 slip=70:01 (on the round's clock, or @15:12 by a watch); for a judgment "
    "broken=2-1 honor=8-9 favor=a decider=b first=a"
)

_ON_CLOCK = re.compile(r"^(?P<minutes>[0-9]{1,3}):(?P<seconds>[0-5][0-9])$")
_PAIR = re.compile(r"^([0-9]{1,3})-([0-9]{1,3})$")
_NAMES = {"ended": "ended", "slip": "received", "favor": "favor", "decider": "decider", "first": "first_player"}


def is_note(word: str) -> bool:
    """Return whether a word is a note about the end of a game: a name, an equals sign and a value."""
    name, sign, _ = word.partition("=")
    return bool(sign) and name.isalpha()


def read_notes(words: Sequence[str], sides: tuple[str, str] = ("a", "b")) -> Noted:
    """Return the notes in words such as `ended=69:59`. `sides` are the names of the two players. Raises ValueError
    with a sentence.
    """
    said: dict[str, object] = {}
    for word in words:
        name, _, value = word.partition("=")
        name = name.casefold()
        field = _NAMES.get(name, name)
        if field in said:
            raise ValueError(sentence("%(name)s appears twice", name=name))
        said[field] = _value(name, value, sides)
    return Noted(**said) if said else NOTHING_NOTED  # type: ignore[arg-type] # each name has a value of its own kind


def _value(name: str, value: str, sides: tuple[str, str]) -> object:
    match name:
        case "ended" | "slip":
            return read_time(value)
        case "broken" | "honor":
            if (pair := _PAIR.match(value)) is None:
                raise ValueError(
                    sentence(
                        "%(name)s needs a number for each player, such as %(name)s=2-1, not %(value)r",
                        name=name,
                        value=value,
                    )
                )
            return int(pair[1]), int(pair[2])
        case "favor" | "decider" | "first":
            if value not in sides:
                raise ValueError(
                    sentence(
                        "%(name)s is %(first)s or %(second)s, not %(value)r",
                        name=name,
                        first=sides[0],
                        second=sides[1],
                        value=value,
                    )
                )
            return sides.index(value)
        case _:
            raise ValueError(sentence("%(name)r is not a part of a slip: write %(help)s", name=name, help=HELP))


def read_time(text: str) -> int | time:
    """Return seconds on the round's clock for 69:59, or the time of day for @15:12. Raises ValueError with a
    sentence.
    """
    if found := _ON_CLOCK.match(text):
        return int(found["minutes"]) * 60 + int(found["seconds"])
    if text.startswith("@"):
        try:
            return time.fromisoformat(text[1:])
        except ValueError:
            pass
    raise ValueError(
        sentence("%(text)r is not a time: write 69:59 as on the round's clock, or @15:12 as on a watch", text=text)
    )
