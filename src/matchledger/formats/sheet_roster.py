"""The players of a score sheet: the registered names, and the players of the current round."""

from __future__ import annotations

import re

from msgspec import Struct, field

from matchledger.events import Stage
from matchledger.formats.sheet_words import OPERATORS, SLIP_FORMS, Line, Word, WrittenBye, WrittenSlip, checked_name
from matchledger.formats.text import FormatError, did_you_mean
from matchledger.formats.transcript import ByeLine, Game, MoreTime, PlayRound


class Roster:
    """The players' names in a score sheet, each with the line that registers the player."""

    def __init__(self) -> None:
        self._lines: dict[str, int] = {}

    def enter(self, name: Word, line: Line) -> None:
        """Add a new name."""
        if name.is_sign(*OPERATORS):
            raise line.refuse(f'{name.text} is a sign; write a player of that name in quotes: "{name.text}"')
        checked_name(name.text, line)
        if name.text in self._lines:
            raise line.refuse(f"{name.text!r} is already registered (line {self._lines[name.text]})")
        self._lines[name.text] = line.number

    def known(self, name: str, line: Line) -> str:
        """Return the name if it is registered. Raises FormatError for an unknown name."""
        if name not in self._lines:
            brackets = re.fullmatch(r"(.+)(\(\d+(?:-\d+)?\))", name)
            if brackets and brackets[1] in self._lines:
                raise line.refuse(f"put a blank before the bracket: {brackets[1]} {brackets[2]}")
            raise line.refuse(f"{name[:60]!r} is not registered{did_you_mean(name[:60], self._lines)}")
        return name


class OpenRound(Struct):
    """The round of a score sheet whose slips are being read."""

    line: int
    stage: Stage
    number: int
    games: list[Game] = field(default_factory=list)
    byes: list[ByeLine] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)  # the roster's players, with the line of each
    minutes: int | None = None
    extensions: list[MoreTime] = field(default_factory=list)

    @property
    def title(self) -> str:
        return f"{'round' if self.stage == 'swiss' else 'elimination'} {self.number}"

    def take(self, slip: WrittenSlip | WrittenBye, roster: Roster, line: Line) -> None:
        """Seat the players of a slip. A player can be in a round only once."""
        if isinstance(slip, WrittenBye):
            self._seat(roster.known(slip.player, line), line)
            self.byes.append(ByeLine(line.number, slip.player, slip.points))
            return
        self._seat(roster.known(slip.first, line), line)
        self._seat(roster.known(slip.second, line), line)
        table = len(self.games) + 1
        self.games.append(Game(line.number, slip.first, slip.second, slip.outcome, table, slip.rematch))

    def step(self) -> PlayRound:
        """Return the round as a step of the transcript."""
        if not self.lines:
            raise FormatError(f"{self.title} has no slips; a slip is {SLIP_FORMS}", self.line)
        return PlayRound(
            self.line,
            self.stage,
            self.number,
            tuple(self.games),
            tuple(self.byes),
            self.minutes,
            tuple(self.extensions),
        )

    def _seat(self, name: str, line: Line) -> None:
        if (earlier := self.lines.get(name)) is not None:
            raise line.refuse(f"{name} is already in {self.title} (line {earlier})")
        self.lines[name] = line.number
