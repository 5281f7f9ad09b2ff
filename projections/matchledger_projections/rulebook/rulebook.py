"""Rulebooks: the definitions that turn facts into tables. Each rulebook is a TOML file.

A rulebook says what each result is worth, how a bye is given, and how players are ranked. If its document has
several readings, the rulebook names a policy. The default reading is in the file; a tournament can choose another
reading when it is opened. A house rulebook is a copy of a file with other values, without code.
"""

import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib import resources
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationError, model_validator

from matchledger.events import Action, Games, Stage
from matchledger_projections.message import Sentence, one_line, sentence
from matchledger_projections.rulebook.clock import ClockRules
from matchledger_projections.rulebook.games import GameRules
from matchledger_projections.rulebook.policies import Policy, Readings
from matchledger_projections.rulebook.scoring import (
    BloodPoints,
    ByeRule,
    NoShowRule,
    PercentageRule,
    ResultKind,
    WinPercentage,
)
from matchledger_projections.rulebook.sections import (
    UNWRITTEN,
    ConductRules,
    DeckRules,
    DivisionRule,
    FlightRule,
    PairingRules,
    Permission,
    RatingRule,
    RulebookPart,
    StaffRules,
    Tier,
)
from matchledger_projections.rulebook.sources import Grade, Source
from matchledger_projections.rulebook.stages import EliminationRules, Structures

TiebreakName = Literal[
    "strength_of_schedule",
    "extended_strength_of_schedule",
    "tardiness",
    "opponents_win_percentage",
    "opponents_opponents_win_percentage",
    "head_to_head",
    "standing_of_last_opponent",
    "defeated_opponents_points",
    "undefeated_opponents_points",
    "first_loss_or_draw",
    "opponents_wins",
    "blood_points",
    "random_draw",
    "rock_paper_scissors",
    "match_win_percentage",
    "opponents_match_win_percentage",
    "opponents_opponents_match_win_percentage",
    "game_win_percentage",
    "opponents_game_win_percentage",
    "lost_round_squares",
    "cumulative_tiebreak",
    "match_loss_percentage",
    "opponents_match_loss_percentage",
    "opponents_cumulative_tiebreak",
]
# For each tiebreaker, the sections of a rulebook that it reads.
NEEDED: dict[TiebreakName, tuple[str, ...]] = {
    "opponents_win_percentage": ("win_percentage",),
    "opponents_opponents_win_percentage": ("win_percentage",),
    "blood_points": ("blood_points",),
    "match_win_percentage": ("match_win_percentage",),
    "opponents_match_win_percentage": ("match_win_percentage",),
    "opponents_opponents_match_win_percentage": ("match_win_percentage",),
    "game_win_percentage": ("game_win_percentage", "games"),
    "opponents_game_win_percentage": ("game_win_percentage", "games"),
}


_LONGEST_LAW, _LONGEST_LINE, _LONGEST_MESSAGE = 100_000, 1000, 2000  # characters


class RulebookError(ValueError):
    """A rulebook, or a choice of policies, cannot be used.

    The message is one line.

    Text from the rulebook can neither break the line nor steer a terminal.
    """

    def __init__(self, said: Sentence) -> None:
        super().__init__(one_line(said, _LONGEST_MESSAGE))
        self.said = said


class Rulebook(RulebookPart):
    """A rulebook as its file defines it, under the policies chosen for a tournament."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")] = Field(
        description="small letters, digits and hyphens"
    )
    title: str = Field(description="the document, or the game")
    edition: str = Field(description="the version of the document")
    scope: str | None = Field(default=None, description="the rule about the purpose of the document")
    unit: str = Field(description="the name of points on a standings sheet")
    tiebreaks: tuple[TiebreakName, ...] = Field(
        description="the tiebreakers for players with equal points, in order"
    )
    tiebreak_rules: dict[TiebreakName, str] = Field(
        default_factory=dict, description="the rule behind each tiebreaker"
    )
    readings: Readings = Field(
        default=Readings.model_construct(), description="readings that no policy flag chooses"
    )
    policies: dict[str, Policy] = Field(
        default_factory=dict, description="policy flags: each lets the organizer choose a reading"
    )
    results: dict[str, ResultKind] = Field(description="the points for each kind of result; `win` is needed")
    pairing: PairingRules = Field(
        default=PairingRules.model_construct(), description="the rules behind the pairing"
    )
    bye: ByeRule = Field(description="what a bye scores, and who gets it")
    no_show: NoShowRule = Field(description="what happens to a player who does not appear")
    win_percentage: WinPercentage | None = Field(
        default=None, description="the bounds of an opponent's win percentage"
    )
    blood_points: BloodPoints | None = Field(default=None, description="the blood points of a winner and of a bye")
    divisions: DivisionRule | None = Field(default=None, description="age divisions")
    flights: FlightRule | None = Field(default=None, description="flights of a large division")
    rating: RatingRule | None = Field(default=None, description="which events are rated")
    structures: Structures | None = Field(default=None, description="rounds and cuts by attendance")
    elimination: EliminationRules = Field(
        default=EliminationRules.model_construct(),
        description="how a bracket is filled, how players leave it, and their places",
    )
    clock: ClockRules = Field(
        default=ClockRules.model_construct(), description="how long rounds last, and their marks"
    )
    conduct: ConductRules = Field(
        default=ConductRules.model_construct(), description="penalties, rulings and cards"
    )
    # None in an old log, whose rulebook has no permissions.
    permissions: dict[Action, Permission] | None = Field(default=None, description="who may do what")
    staff: StaffRules | None = Field(default=None, description="the rules about the leaders of the event")
    games: GameRules | None = Field(default=None, description="games inside a match")
    match_win_percentage: PercentageRule | None = Field(
        default=None, description="the lowest match win percentage that counts"
    )
    game_win_percentage: PercentageRule | None = Field(
        default=None, description="the lowest game win percentage that counts"
    )
    tiebreak_decimals: dict[TiebreakName, Annotated[int, Field(ge=0, le=12)]] = Field(
        default_factory=dict, description="the decimals to which a tiebreaker is rounded before it ranks"
    )
    decks: DeckRules | None = Field(default=None, description="the counts that decks are checked against")
    grade: Grade | None = Field(default=None, description="how reliable the rulebook is")
    sources: dict[str, Source] = Field(
        default_factory=dict, description="the sources of the values; a value names its source as its rule"
    )

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if "win" not in self.results or self.results["win"].winner is None:
            raise ValueError("results.win is missing, or does not name winner and loser")
        if len(set(self.tiebreaks)) != len(self.tiebreaks):
            raise ValueError("a tiebreaker is named twice")
        for name in self.tiebreaks:
            for section in NEEDED.get(name, ()):
                if getattr(self, section) is None:
                    raise ValueError(f"tiebreaker {name} needs the section [{section}]")
        if self.games is not None and any(kind.as_written for kind in self.results.values()):
            raise ValueError("a slip has games or points as written, not both: leave [games] or as_written out")
        if self.match_win_percentage is not None and not self.win_points:
            raise ValueError("[match_win_percentage] needs a win that scores points")
        if unknown := sorted(self.clock.kinds() - set(self.results)):
            raise ValueError(f"a mark of the clock names {unknown[0]}, which is no result of this rulebook")
        if self.divisions is None and any(policy.reading == "divisions" for policy in self.policies.values()):
            raise ValueError("a policy about divisions needs the section [divisions]")
        return self

    def under(self, choices: Mapping[str, str]) -> Self:
        """Return this rulebook with `choices` (policy -> value) instead of the defaults.

        Raises RulebookError for a policy or a value that the rulebook does not have.
        """
        readings: dict[str, str] = self.readings.model_dump()
        readings |= {policy.reading: policy.default for policy in self.policies.values()}
        for flag, value in choices.items():
            if (policy := self.policies.get(flag)) is None:
                raise RulebookError(
                    sentence(
                        "%(id)s has no policy %(flag)s; it has %(listed)s",
                        id=self.id,
                        flag=flag,
                        listed=_listed(self.policies),
                    )
                )
            if not policy.takes_numbers and value not in policy.values:
                raise RulebookError(
                    sentence(
                        "%(flag)s cannot be %(value)r; it can be %(listed)s",
                        flag=flag,
                        value=value,
                        listed=_listed(policy.values),
                    )
                )
            readings[policy.reading] = value
        try:
            return self.model_copy(update={"readings": Readings.model_validate(readings)})
        except ValidationError as error:
            raise RulebookError(
                sentence("%(id)s: %(problem)s", id=self.id, problem=_first_problem(error))
            ) from None

    def policy_rule(self, flag: str) -> str | None:
        """Return the rule that leaves a policy open. Return None if this rulebook does not have the policy."""
        policy = self.policies.get(flag)
        return policy.rule if policy is not None else None

    def reading_rule(self, reading: str) -> str | None:
        """Return the rule that leaves a reading open to a policy. Return None if no policy decides the reading."""
        return next((policy.rule for policy in self.policies.values() if policy.reading == reading), None)

    def default_of(self, reading: str) -> str | None:
        """Return the rulebook's own value of a reading. Return None if no policy decides the reading."""
        return next((policy.default for policy in self.policies.values() if policy.reading == reading), None)

    def permission_rule(self, action: Action) -> str | None:
        """Return the rule about who may do an action, or None if the document has no such rule."""
        permission = (self.permissions or {}).get(action)
        return None if permission is None else permission.rule

    @property
    def judges_unfinished(self) -> bool:
        """Return whether time alone can decide a match without a winner, so that a slip can say unfinished."""
        return any(mark.unfinished is not None for mark in self.clock.marks)

    def is_unfinished(self, games: Games, stage: Stage) -> bool:
        """Return whether both players lose a match with these games, because time ended it before a player had
        won enough games.
        """
        marks = (mark for mark in self.clock.marks if mark.stage in (None, stage))
        lost_by_both = any(mark.unfinished == "double-loss" for mark in marks)
        return self.games is not None and lost_by_both and max(games[:2]) < self.games.needed(stage)

    @cached_property
    def knows_draws(self) -> bool:
        return "draw" in self.results or any(kind.as_written for kind in self.results.values())

    @property
    def tier(self) -> Tier | None:
        """Return the tier of the event (L5R-VI-TIER). Return None if the document has no tiers."""
        return None if self.readings.tier == "none" else self.readings.tier

    @property
    def win_points(self) -> int:
        """Return the points for a plain win."""
        return self.results["win"].winner or 0

    @property
    def drops_absent(self) -> bool:
        """Return whether an absent player is dropped at once."""
        chosen = self.readings.after_no_show
        return self.no_show.drops if chosen == "rulebook" else chosen == "drops"

    def decimals(self, step: str) -> int | None:
        """Return to how many decimals a tiebreaker is rounded before it ranks players.

        Return None for an exact tiebreaker, and for points.
        """
        if self.readings.tiebreak_decimals == "exact":
            return None
        return next((places for name, places in self.tiebreak_decimals.items() if name == step), None)

    def percentage_floor(self, name: TiebreakName) -> Fraction:
        """Return the floor: the lowest value of a match or game win percentage."""
        if self.readings.percentage_floor != "rulebook":
            return Fraction(self.readings.percentage_floor)
        return self._percentage_rule(name).floor

    def floor_rule(self, name: TiebreakName) -> str:
        """Return the rule or policy behind the floor of win percentages."""
        flags = (flag for flag, policy in self.policies.items() if policy.reading == "percentage_floor")
        chosen = self.readings.percentage_floor != "rulebook"
        return next(flags, UNWRITTEN) if chosen else self._percentage_rule(name).rule

    def _percentage_rule(self, name: TiebreakName) -> PercentageRule:
        rule = self.game_win_percentage if name == "game_win_percentage" else self.match_win_percentage
        if rule is None:
            raise LookupError(f"{self.id} has no section [{name}]")
        return rule

    @property
    def draw_in_win_percentage(self) -> Fraction:
        """Return what a drawn match counts in a win percentage, as part of a win."""
        match self.readings.draw_in_win_percentage:
            case "half":
                return Fraction(1, 2)
            case "nothing":
                return Fraction()
            case "rulebook":
                return Fraction() if self.win_percentage is None else self.win_percentage.draw

    @property
    def day_1_rounds(self) -> int:
        """Return after how many rounds leaving no longer limits a win percentage, or 0 for never."""
        return int(self.readings.day_1_rounds)

    @property
    def keeps_points_found(self) -> bool:
        """Return whether points in another program's file count as written, although nobody may type them."""
        return self.readings.points_found == "as-written"

    @property
    def unpaired_loss_points(self) -> int:
        # The value is not cached, because a copy of the rulebook with other policies would keep the old value.
        return int(self.readings.unpaired_loss)

    def points(
        self, kind: str, winner: int | None, scores: tuple[int, int] | None, players: tuple[int, int]
    ) -> tuple[int, int]:
        """Return the points of a result for the two players of a table, in table order.

        A kind that this rulebook does not name counts as a plain win, or as a draw if there is no winner. A log
        can therefore be replayed under a rulebook other than its own.
        """
        worth = self.results.get(kind)
        if scores is not None and (self.keeps_points_found if worth is None else worth.as_written):
            return scores
        if winner is None:
            if worth is None or worth.each is None:
                worth = self.results.get("draw")
            each = 0 if worth is None or worth.each is None else worth.each
            return each, each
        if worth is None or worth.winner is None or worth.loser is None:
            worth = self.results["win"]
        points = (worth.winner or 0, worth.loser or 0)
        return points if winner == players[0] else (points[1], points[0])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    message = problem["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


@lru_cache(maxsize=64)
def parse_rulebook(text: str) -> Rulebook:
    """Return the rulebook in a TOML text, with its default policies.

    Raises RulebookError, with the key, for a text that is not TOML or not a valid rulebook.
    """
    if len(text) > _LONGEST_LAW or max(map(len, text.splitlines()), default=0) > _LONGEST_LINE:
        raise RulebookError(
            sentence(
                "this text is too long for a rulebook: %(law)s characters at most, and %(line)s in a line",
                law=_LONGEST_LAW,
                line=_LONGEST_LINE,
            )
        )
    try:
        return Rulebook.model_validate(tomllib.loads(text)).under({})
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(sentence("the rulebook is not valid TOML: %(error)s", error=error)) from None
    except RecursionError:
        raise RulebookError(sentence("the rulebook is nested too deeply")) from None
    except ValidationError as error:
        raise RulebookError(
            sentence("the rulebook is not valid: %(problem)s", problem=_first_problem(error))
        ) from None


def shipped_rulebooks() -> tuple[str, ...]:
    """Return the ids of the shipped rulebooks."""
    folder = resources.files("matchledger_projections") / "rulebooks"
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    )


def rulebook_text(rulebook: str) -> str:
    """Return the TOML text of a shipped rulebook. Raises RulebookError for an unknown id."""
    if rulebook not in shipped_rulebooks():
        raise RulebookError(
            sentence(
                "there is no rulebook %(rulebook)r; there are %(listed)s, or give a .toml file",
                rulebook=rulebook,
                listed=_listed(shipped_rulebooks()),
            )
        )
    return (resources.files("matchledger_projections") / "rulebooks" / f"{rulebook}.toml").read_text("utf-8")
