"""House rulebooks: a valid TOML text from a few answers, for any game without a shipped rulebook."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated, Literal, Self

import msgspec
from pydantic import BeforeValidator, Field, PositiveInt, ValidationError, model_validator

from matchledger_projections.message import joined
from matchledger_projections.rulebook.clock import LONGEST
from matchledger_projections.rulebook.games import BestOf
from matchledger_projections.rulebook.rulebook import NEEDED, RulebookError, TiebreakName, parse_rulebook
from matchledger_projections.rulebook.scoring import HALF_POINTS
from matchledger_projections.rulebook.sections import RulebookPart

_RULE = "HOUSE"
MOST_POINTS = 1000
_HALF = 2  # the denominator of half a point
_UNITS = {1: "points", _HALF: HALF_POINTS}
_WRITTEN = re.compile(r"(?=.)(?P<whole>[0-9]{0,20})(?:[.,]0|(?P<half>[.,]5|½|(?<![0-9])1/2))?")
_OF_MATCHES: tuple[TiebreakName, ...] = (
    "opponents_match_win_percentage",
    "opponents_opponents_match_win_percentage",
)
_OF_GAMES: tuple[TiebreakName, ...] = (
    "opponents_match_win_percentage",
    "game_win_percentage",
    "opponents_game_win_percentage",
)


def _listed(value: object) -> object:
    return [name for name in value.replace(",", " ").split() if name] if isinstance(value, str) else value


def _points(value: object) -> object:
    """Return points as a fraction. People write half a point as `1/2`, `0.5`, `0,5` or `½`."""
    if not isinstance(value, str):
        return value
    if (found := _WRITTEN.fullmatch(value.strip())) is None:
        raise ValueError("write a whole or half number, such as 3 or 0.5")
    return Fraction(found["whole"] or 0) + (Fraction(1, 2) if found["half"] else 0)


Points = Annotated[Fraction, BeforeValidator(_points), Field(ge=0, le=MOST_POINTS)]


def _counted(value: object) -> object:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


class HouseRules(RulebookPart):
    """The answers for a house rulebook."""

    id: str = Field(description="the id of the rulebook: small letters, digits and hyphens")
    title: str = Field(default="House rules", description="the name of the game and its rules")
    win: Annotated[Points, Field(ge=1)] = Field(default=Fraction(3), description="points for a won match")
    loss: Points = Field(default=Fraction(0), description="points for a lost match")
    draw: Points | None = Field(default=Fraction(1), description="points for a drawn match; none: no draws")
    bye: Points = Field(default_factory=lambda said: said.get("win", Fraction(3)), description="points for a bye")
    best_of: Annotated[BestOf | None, BeforeValidator(_counted)] = Field(
        default=3, description="games of a match: 1, 3 or 5; none: slips give no games"
    )
    tiebreaks: Annotated[tuple[TiebreakName, ...], BeforeValidator(_listed)] = Field(
        default_factory=lambda answers: _OF_MATCHES if answers.get("best_of") is None else _OF_GAMES,
        description="tiebreakers in order; a random draw decides the remaining ties",
    )
    floor: Fraction = Field(default=Fraction(1, 3), ge=0, le=1, description="the lowest percentage that counts")
    minutes: PositiveInt | None = Field(
        default=None, le=LONGEST, description="minutes of a Swiss round; none: the organizer decides"
    )
    unfinished: Literal["draw", "double-loss"] = Field(
        default_factory=lambda said: "double-loss" if said.get("draw", 1) is None else "draw",
        description="the result of a match without a winner at time: draw or double-loss",
    )

    @property
    def count(self) -> int:
        """Return what the rulebook counts for one point: 2 if a result gives half a point, so that every number
        of points is whole.
        """
        return max(points.denominator for points in (self.win, self.loss, self.draw or Fraction(), self.bye))

    @model_validator(mode="after")
    def _points_are_whole_or_half(self) -> Self:
        if self.count > _HALF:
            raise ValueError("points: write whole or half numbers")
        return self

    @model_validator(mode="after")
    def _a_win_is_worth_most(self) -> Self:
        for name in ("loss", "draw", "bye"):
            if (getattr(self, name) or 0) > self.win:
                raise ValueError(f"{name}: more than the {self.win} points of a win")
        if self.unfinished == "draw" and self.draw is None:
            raise ValueError("unfinished: this game has no draws, so write double-loss")
        return self


def house_rules(**answers: object) -> HouseRules:
    """Return the checked answers. An answer "none" counts as missing. Raises RulebookError with the answer that
    cannot be used.
    """
    try:
        return HouseRules.model_validate({key: None if said == "none" else said for key, said in answers.items()})
    except ValidationError as error:
        problem = error.errors()[0]
        message = problem["msg"].removeprefix("Value error, ")
        raise RulebookError(joined((*map(str, problem["loc"][:1]), message), ": ")) from None


def house_rulebook(house: HouseRules) -> str:
    """Return the TOML text of a house rulebook. Raises RulebookError for answers that contradict each other."""
    text = "\n".join(_lines(house)) + "\n"
    parse_rulebook(text)
    return text


def _lines(house: HouseRules) -> list[str]:
    chain = list(house.tiebreaks)
    if "random_draw" not in chain:
        chain.append("random_draw")
    needed = {section for name in chain for section in NEEDED.get(name, ())}
    won = f'{{ winner = {house.win * house.count}, loser = {house.loss * house.count}, rule = "{_RULE}" }}'
    lines = [
        f"id = {_text(house.id)}",
        f"title = {_text(house.title)}",
        'edition = "house"',
        f"unit = {_text(_UNITS[house.count])}",
        f"tiebreaks = [{', '.join(map(_text, chain))}]",
        *_section("bye", rule=_RULE, points=int(house.bye * house.count), choice="lowest-group"),
        *_section("no_show", rule=_RULE, drops=False),
        *_games(house),
    ]
    if "win_percentage" in needed:
        drawn = "0" if house.draw is None else str(house.draw / house.win)
        floor = str(house.floor)
        lines += _section(
            "win_percentage", rule=_RULE, floor=floor, cap_if_dropped="1", draw=drawn, rounds="player"
        )
    for name in ("match_win_percentage", "game_win_percentage"):
        if name in needed:
            lines += _section(name, rule=_RULE, floor=str(house.floor))
    if "blood_points" in needed:
        lines += _section("blood_points", rule=_RULE, winner=0, bye=0)
    lines += ["", "[results]", f"win = {won}"]
    if house.draw is not None:
        lines.append(f'draw = {{ each = {house.draw * house.count}, rule = "{_RULE}" }}')
    lines += [f"{kind} = {won}" for kind in ("concession", "game-loss", "match-loss", "no-show")]
    lines.append(f'double-loss = {{ each = 0, rule = "{_RULE}" }}')
    lines += _section("clock", rule=_RULE, **({} if house.minutes is None else {"swiss": house.minutes}))
    mark = {"name": "time", "title": "Time", "rule": _RULE, "says": "Time.", "unfinished": house.unfinished}
    lines += ["", "[[clock.marks]]", *(f"{key} = {_text(value)}" for key, value in mark.items())]
    lines += ["", "[permissions]", "", "[policies]", *(_policy(*each) for each in _POLICIES)]
    return lines


def _games(house: HouseRules) -> list[str]:
    """Return the section about games.

    A draw without games counts as one drawn game for each possible game of the match.
    """
    if house.best_of is None:
        return []
    drawn = f"draw_without_games = [0, 0, {house.best_of}]"
    return [*_section("games", rule=_RULE, best_of=house.best_of), drawn]


_POLICIES = (
    ("POL-ALL-REMATCH-FALLBACK", "rematch_fallback", "refuse"),
    ("POL-ALL-CORRECTION-WINDOW", "correction_window", "until-cut"),
    ("POL-ALL-REPAIR", "repair", "before-start"),
    ("POL-ALL-SILENT-ROLES", "silent_roles", "staff"),
    ("POL-ALL-DELEGATION", "delegation", "scorekeeper"),
)


def _policy(flag: str, reading: str, default: str) -> str:
    return f'{flag} = {{ reading = "{reading}", default = "{default}", rule = "POLICY" }}'


def _section(name: str, **values: str | int | bool) -> list[str]:
    return ["", f"[{name}]", *(f"{key} = {_text(value)}" for key, value in values.items())]


def _text(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    return msgspec.json.encode(value).decode()  # every JSON text is valid TOML
