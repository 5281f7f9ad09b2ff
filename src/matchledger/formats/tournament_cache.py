"""Tournament cache: the JSON in which the community keeps results of melee.gg and others, under `magic-melee`.

A match is three numbers from the first player's side: games won, games lost, games drawn. A drawn match is listed
twice, once from each side. Rounds named "Round N" are Swiss; all others belong to the elimination stage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, ConfigDict, FailFast, Field
from pydantic.alias_generators import to_pascal

from matchledger.events import Stage
from matchledger.formats.attendance import Attendance, players_of, refuse_player_twice, with_rematches, with_tables
from matchledger.formats.json_values import Part, Placed, Text, WrittenNumber, checked, items, parse_json
from matchledger.formats.problem import FormatError
from matchledger.formats.text import problem_with_name
from matchledger.formats.transcript import (
    ByeLine,
    Cut,
    Entrant,
    Game,
    OfficialNumbers,
    Outcome,
    PlayRound,
    Step,
    Transcript,
)

_MOST_DECIMALS = 6
NOISE = Fraction(1, 10**6)
_NOBODY = {"", "-"}
_SWISS = re.compile(r"Round ([0-9]{1,4})")
_TOP = re.compile(r"Top ([0-9]{1,4})")
_SIZES = {"Quarterfinals": 8, "Semifinals": 4, "Finals": 2, "Final": 2}
_RESULT = re.compile(r"([0-9]{1,2})\s*-\s*([0-9]{1,2})(?:\s*-\s*([0-9]{1,2}))?")


class _Pascal(Part):
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_pascal)


class Match(_Pascal):
    """A match as one side lists it; the second player is missing where the first has a bye."""

    player1: Text = ""
    player2: Text = ""
    result: Text = ""


class Round(_Pascal):
    round_name: Text = ""
    matches: Annotated[list[Match], FailFast(), BeforeValidator(items)] = Field(default_factory=list)


class Standing(_Pascal):
    """A player's line of the official standings."""

    rank: Placed = None
    player: Text
    points: WrittenNumber = None
    omwp: WrittenNumber = Field(default=None, alias="OMWP")
    gwp: WrittenNumber = Field(default=None, alias="GWP")
    ogwp: WrittenNumber = Field(default=None, alias="OGWP")

    @property
    def numbers(self) -> dict[str, str]:
        found = {
            "points": self.points,
            "opponents_match_win_percentage": self.omwp,
            "game_win_percentage": self.gwp,
            "opponents_game_win_percentage": self.ogwp,
        }
        return {name: text for name, text in found.items() if text is not None}

    @property
    def decimals(self) -> int:
        """How many decimals the percentages of this line show."""
        return max(len((text or "").partition(".")[2]) for text in (self.omwp, self.gwp, self.ogwp))


class Heading(_Pascal):
    name: Text = ""


class CacheFile(_Pascal):
    """The whole file; deck lists and whatever else stands beside are left aside."""

    tournament: Heading = Heading()
    rounds: Annotated[list[Round], FailFast(), BeforeValidator(items)] = Field(default_factory=list)
    standings: Annotated[list[Standing], FailFast(), BeforeValidator(items)] = Field(default_factory=list)


def read_tournament_cache(data: bytes) -> Transcript:
    """The tournament that a cache file tells. Raises FormatError with the path in the JSON."""
    return _Event(checked(CacheFile, parse_json(data))).transcript()


class _Event:
    """One file on its way to a transcript; `notes` grows while it is read."""

    def __init__(self, file: CacheFile) -> None:
        self._file = file
        self._notes: list[str] = []

    def transcript(self) -> Transcript:
        swiss = with_rematches(tuple(self._rounds("swiss")), self._notes)
        elimination = tuple(self._rounds("elimination"))
        seeds = self._seeds(elimination)
        attendance = Attendance(
            [Entrant(name) for name in self._names(swiss + elimination)], swiss, staying=frozenset(seeds)
        )
        steps: list[Step] = list(attendance.steps(self._notes))
        if elimination:
            steps += [Cut(None, len(seeds), seeds), *elimination]
        return Transcript(
            "melee",
            "magic-melee",
            self._file.tournament.name,
            tuple(steps),
            notes=tuple(self._notes),
            official=self._official(frozenset(seeds)),
            readings=({}, {"POL-MELEE-OWN-GW": "bare"}),
        )

    def _names(self, rounds: tuple[PlayRound, ...]) -> list[str]:
        """Everybody, in the order of the first mention; each name is checked once."""
        listed = [name for round_ in rounds for name in players_of(round_)]
        names = dict.fromkeys([*listed, *(_name(line.player) for line in self._file.standings)])
        if not names:
            raise FormatError("neither Rounds nor Standings name a player")
        for name in names:
            if problem := problem_with_name(name):
                raise FormatError(f"{name[:40]!r}: {problem}")
        return list(names)

    def _rounds(self, stage: Stage) -> Iterator[PlayRound]:
        number = 0
        for index, round_ in sorted(enumerate(self._file.rounds), key=lambda found: _turn(found[1])):
            if bool(_SWISS.fullmatch(round_.round_name.strip())) != (stage == "swiss"):
                continue
            path = f"Rounds[{index}].Matches"
            found = list(self._pairings(round_, path, stage))
            if not found:
                self._notes.append(f"{round_.round_name}: no matches, left out")
                continue
            number += 1
            games = with_tables([one for one in found if isinstance(one, Game)], path, self._notes)
            played = PlayRound(None, stage, number, games, tuple(one for one in found if isinstance(one, ByeLine)))
            refuse_player_twice(played, path)
            yield played

    def _pairings(self, round_: Round, path: str, stage: Stage) -> Iterator[Game | ByeLine]:
        listed: set[frozenset[str]] = set()
        for index, match in enumerate(round_.matches):
            first, second = _name(match.player1), _name(match.player2)
            if first in _NOBODY or second in _NOBODY:
                player = second if first in _NOBODY else first
                if player not in _NOBODY and frozenset((player,)) not in listed:
                    listed.add(frozenset((player,)))
                    yield ByeLine(None, player)
                continue
            if frozenset((first, second)) in listed:
                continue  # a drawn match, from its other side
            listed.add(frozenset((first, second)))
            outcome = self._outcome(match, first, second, f"{path}[{index}]", stage)
            yield Game(None, first, second, outcome)

    def _outcome(self, match: Match, first: str, second: str, path: str, stage: Stage) -> Outcome | None:
        text = match.result.strip()
        if text in _NOBODY:
            return None
        found = _RESULT.fullmatch(text)
        if found is None:
            raise FormatError(f"{path}.Result: games won, lost and drawn belong here, not {text[:40]!r}")
        won, lost, drawn = (int(part or 0) for part in found.groups())
        if won == lost and stage == "elimination":
            self._notes.append(f"{first} - {second}: {text} in the elimination stage, so no result")
            return None
        games = (won, lost, drawn)
        if won == lost:
            return Outcome("draw" if any(games) else "double-loss", games=games, as_found=True)
        return Outcome("win", first if won > lost else second, games=games, as_found=True)

    def _seeds(self, elimination: tuple[PlayRound, ...]) -> tuple[str, ...]:
        """Who went on, by the official numbers: the file writes no seeds, and its places may be the final ones."""
        playing = dict.fromkeys(name for round_ in elimination for name in players_of(round_))
        numbers = {
            _name(line.player): [Fraction(line.numbers.get(key, "0")) for key in line.numbers]
            for line in self._file.standings
        }
        return tuple(sorted(playing, key=lambda name: numbers.get(name, []), reverse=True))

    def _official(self, seeds: frozenset[str]) -> OfficialNumbers | None:
        lines = self._file.standings
        values = {_name(line.player): line.numbers for line in lines if line.numbers}
        ranked = sorted((line.rank, _name(line.player)) for line in lines if line.rank is not None)
        order = tuple(name for _, name in ranked if name not in seeds)
        if not values and not order:
            return None
        return OfficialNumbers(
            values,
            {"": order} if order else {},
            decimals=min(_MOST_DECIMALS, max((line.decimals for line in lines), default=0)),
            noise=NOISE,
            may_lack_matches=True,
        )


def _turn(round_: Round) -> int:
    """Where a round comes among those of its stage: by its number, or by how many players were left."""
    name = round_.round_name.strip()
    if (swiss := _SWISS.fullmatch(name)) is not None:
        return int(swiss[1])
    top = _TOP.fullmatch(name)
    return -(int(top[1]) if top is not None else _SIZES.get(name, 0))


def _name(text: str) -> str:
    return " ".join(text.split())
