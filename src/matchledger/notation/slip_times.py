"""The words of a slip about the end of its game, as typed: ended=69:59 slip=70:01 broken=2-1 favor=a."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import time

from matchledger.notation.slip import NOTHING_NOTED, Noted
from matchledger_projections.message import sentence

HELP = sentence(
    "ended=69:59 slip=70:01 (on the round's clock, or @15:12 by a watch); for a judgment "
    "broken=2-1 honor=8-9 favor=a decider=b first=a"
)

_ON_CLOCK = re.compile(r"^(?P<minutes>[0-9]{1,3}):(?P<seconds>[0-5][0-9])$")
_PAIR = re.compile(r"^([0-9]{1,3})-([0-9]{1,3})$")
_NAMES = {"ended": "ended", "slip": "received", "favor": "favor", "decider": "decider", "first": "first_player"}


def is_note(word: str) -> bool:
    """Whether a word is a note on the end of a game: a name, an equals sign and a value."""
    name, sign, _ = word.partition("=")
    return bool(sign) and name.isalpha()


def read_notes(words: Sequence[str], sides: tuple[str, str] = ("a", "b")) -> Noted:
    """The content of such words. `sides` are the names of the two players. Raises ValueError with a sentence."""
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
    """Seconds on the round's clock for 69:59, or the time of day for @15:12. Raises ValueError with a sentence."""
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
