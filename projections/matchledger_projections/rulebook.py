"""Rulebooks: the definitions by which facts become tables, one TOML file each.

A rulebook says what a result is worth, how a bye is given and how players are ranked. Wherever its document
can be read in more than one way it names a policy flag; the default reading stands in the file, another can be
chosen when a tournament is opened. A house rulebook is a copy of a file with other values: no code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from importlib import resources
from typing import Annotated, Literal, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from matchledger_projections.clock.clock_rules import ClockRules
from matchledger_projections.conduct.conduct_rules import ConductRules
from matchledger_projections.conduct.permission_rules import Action, Permission
from matchledger_projections.conduct.staff_rules import StaffRules
from matchledger_projections.decks.occasion import Tier
from matchledger_projections.pairing.pairing_rules import PairingRules
from matchledger_projections.stages.stage_rules import EliminationRules, Structures

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
]
ByeChoice = Literal["lowest-ranked", "weakest-record", "lowest-group"]


class RulebookError(ValueError):
    """A rulebook or a choice of policies that cannot be used; the message is one line."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Readings(_Part):
    """How the rulebook is read where it leaves room. Each is explained by the rule its policy flag cites."""

    # Which of an opponent's rounds the average in the strength of schedule divides by: all on the record, those
    # with an opponent, or all but those charged for coming late or coming back.
    denominator: Literal["all-rounds", "paired-rounds", "attended-rounds"] = "all-rounds"
    # What the strength of schedule of a player without an opponent is.
    empty_schedule: Literal["0", "last"] = "0"
    # What an unpaired loss (a round missed before a late arrival or a rejoining) scores.
    unpaired_loss: Annotated[str, Field(pattern=r"^\d{1,3}$")] = "0"
    # Whether the player whose opponent did not appear has beaten an opponent or had a bye.
    no_show: Literal["loss", "bye"] = "loss"
    # What a bye does to the win percentage of the player who had it.
    bye_in_win_percentage: Literal["removed", "win", "numerator"] = "removed"
    # Which rounds a player who dropped has taken part in.
    participated: Literal["on-record", "paired"] = "on-record"
    # Whether the percentages that rank a dropped player stay as they were at the drop, go on changing, or go
    # on changing behind everybody on equal points.
    dropped_percentages: Literal["frozen", "moving", "behind"] = "moving"
    # Whether a round charged to a late arrival adds nobody to the opponents, or somebody at the floor.
    missed_rounds: Literal["nobody", "floor"] = "nobody"
    # Whether late arrivals rank among the others on equal points, or behind them.
    late_arrivals: Literal["among", "behind"] = "among"
    # Whether head-to-head is applied again when a later tiebreaker leaves exactly two players level.
    head_to_head_residue: Literal["reapplied", "once"] = "once"
    # What orders players whose last opponents' standings depend on each other in a circle.
    last_opponent_cycle: Literal["draw", "registration"] = "draw"
    # Which of several equally weak records gets the bye.
    bye_among_weakest: Literal["random", "lowest-ranked"] = "random"
    # Whether a player who was paired down may be paired down again in the same round.
    double_pair_down: Literal["last-resort", "any"] = "last-resort"
    # What happens when no pairing without a rematch exists.
    rematch_fallback: Literal["refuse", "fewest"] = "refuse"
    # How long a Swiss result may be corrected without an override: until an elimination game is played, until the
    # standings after a later round are posted, or for ever.
    correction_window: Literal["until-cut", "until-next-posting", "any"] = "until-cut"
    # Whether a posted round may be paired anew when an earlier record was wrong: before play has begun, also later
    # at the tables that have no result, or never.
    repair: Literal["before-start", "discretion", "never"] = "before-start"
    # Who may do what the document says nothing about; a player, only for the player's own person or match.
    silent_roles: Literal["organizer", "staff", "anyone"] = "staff"
    # Who may do what the organizer may, in the organizer's name: those who only write down what was decided, also
    # judges and marshals, or nobody.
    delegation: Literal["scorekeeper", "staff", "none"] = "scorekeeper"
    # From here on: readings of the elimination stage, structures, clock and decks.
    final_clock: Literal["offsets", "literal"] = "offsets"
    elimination_placing: Literal["seed", "shared"] = "seed"
    small_event_rounds: Literal["3", "host"] = "3"
    cut_bracket: Literal["seeded", "random"] = "seeded"
    empty_division: Literal["ignored", "modified"] = "ignored"
    flight_sizes: Literal["even", "plain"] = "even"
    # Whether age divisions are paired by themselves, together with a preference for one's own, as their sizes ask
    # for, or not looked at.
    divisions: Literal["none", "automatic", "separated", "modified"] = "none"
    # Whether the attribute `flight` of a player keeps the flights apart.
    flights: Literal["none", "apart"] = "none"
    # Whether standings must hang before the next round is paired, and pairings before it starts: not looked at,
    # said where they do not, or refused.
    posting_order: Literal["free", "said", "demanded"] = "free"
    chained_list: Literal["on", "off"] = "off"
    # The tier of an event, where the document knows tiers.
    tier: Literal["none", "relaxed", "formal", "premier"] = "none"
    # Whether the host is one whose events can be rated.
    approved_host: Literal["yes", "no"] = "yes"
    # What decks are checked against; "none" where no document at hand says how a deck is built.
    deck_format: Literal[
        "none",
        "l5r-2018",
        "legacy",
        "legacy-bigdeck",
        "legacy-draft",
        "ashes-2022",
        "street-warriors-2004",
    ] = "none"

    @classmethod
    def values_of(cls, reading: str) -> tuple[str, ...]:
        """The values that a reading can take; () where any number can stand."""
        return tuple(str(value) for value in get_args(cls.model_fields[reading].annotation))


class Policy(_Part):
    """A named choice between readings, and the rule that leaves it open."""

    reading: str
    default: str
    rule: str

    @model_validator(mode="after")
    def _names_a_reading(self) -> Self:
        if self.reading not in Readings.model_fields:
            msg = f"unknown reading {self.reading!r}; known are {_listed(Readings.model_fields)}"
            raise ValueError(msg)
        return self


class ResultKind(_Part):
    """What a kind of result is worth: to winner and loser, or to each where nobody wins, or as written."""

    rule: str
    winner: int | None = None
    loser: int | None = None
    each: int | None = None
    as_written: bool = False

    @model_validator(mode="after")
    def _is_one_of_three(self) -> Self:
        decided = self.winner is not None and self.loser is not None
        halves = (self.winner is None) != (self.loser is None)
        if halves or (decided + (self.each is not None) + self.as_written) != 1:
            msg = "a result names winner and loser, or each, or as_written = true"
            raise ValueError(msg)
        return self


class ByeRule(_Part):
    """What a bye scores, and who gets it."""

    rule: str
    name: str = Field(default="bye", description="what the document calls it")
    points: int
    choice: ByeChoice


class NoShowRule(_Part):
    """Whether a player who does not appear is dropped at once."""

    rule: str
    drops: bool


class WinPercentage(_Part):
    """How one opponent's win percentage is bounded, and what a drawn match counts, as a part of a win."""

    rule: str
    floor: Fraction
    cap_if_dropped: Fraction
    draw: Fraction
    # "tournament": a player who stayed divides by all rounds so far; "player": by the rounds on the record.
    rounds: Literal["tournament", "player"]


class BloodPoints(_Part):
    """What the winner of a match, and a player with a bye, score in blood points."""

    rule: str
    winner: int
    bye: int


class DivisionRule(_Part):
    """The age divisions of a rulebook, the youngest first, and how many players let a division play by itself.

    `born_from` is the first year of birth of every division but the oldest; without it, no year of birth tells a
    division. `modified_rule` is what makes one division of few players bring them all together.
    """

    rule: str
    modified_rule: str = "POLICY"
    names: tuple[str, ...] = Field(min_length=1)
    born_from: dict[str, int] = {}
    own_pod: int = Field(ge=2, description="players in every division from which on each is paired by itself")

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        years = [self.born_from[name] for name in self.names[:-1] if name in self.born_from]
        if self.born_from and (
            self.born_from.keys() != set(self.names[:-1]) or years != sorted(set(years), reverse=True)
        ):
            raise ValueError("born_from gives every division but the last a year, the youngest the latest")
        return self


class FlightRule(_Part):
    """When a division may be drawn into flights, and into how many (PKM-3.3.3)."""

    rule: str
    restrict_rule: str
    count_rule: str
    size_rule: str
    late_rule: str
    finals_rule: str
    counts: tuple[int, ...] = Field(min_length=1)
    division: int = Field(ge=2, description="players that the division must have")
    flight: int = Field(ge=2, description="players that every flight must have")
    qualifiers: int = Field(ge=1, description="players who go on from every flight at least")


class RatingRule(_Part):
    """When an event is rated: with how many participants, and in how many days its paper is to be sent in."""

    rule: str
    participants: int = Field(ge=1)
    days: int = Field(ge=0, description="after the last day of the event, that day included")


class Rulebook(_Part):
    """A rulebook as its file defines it, under the policies chosen for a tournament."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,60}$")]
    title: str
    edition: str
    scope: str | None = Field(default=None, description="the rule that says what the document is for")
    unit: str = Field(description="what points are called on a standings sheet")
    tiebreaks: tuple[TiebreakName, ...]
    tiebreak_rules: dict[TiebreakName, str] = {}
    readings: Readings = Readings()
    policies: dict[str, Policy] = {}
    results: dict[str, ResultKind]
    pairing: PairingRules = PairingRules()
    bye: ByeRule
    no_show: NoShowRule
    win_percentage: WinPercentage | None = None
    blood_points: BloodPoints | None = None
    divisions: DivisionRule | None = None
    flights: FlightRule | None = None
    rating: RatingRule | None = None
    structures: Structures | None = None
    elimination: EliminationRules = EliminationRules()
    clock: ClockRules = ClockRules()
    conduct: ConductRules = ConductRules()
    # None in the laws of logs that were recorded before rulebooks said who may do what.
    permissions: dict[Action, Permission] | None = None
    staff: StaffRules | None = None

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if "win" not in self.results or self.results["win"].winner is None:
            raise ValueError("results.win is missing, or does not name winner and loser")
        if len(set(self.tiebreaks)) != len(self.tiebreaks):
            raise ValueError("a tiebreaker is named twice")
        for name, needs, what in (
            ("opponents_win_percentage", self.win_percentage, "[win_percentage]"),
            ("opponents_opponents_win_percentage", self.win_percentage, "[win_percentage]"),
            ("blood_points", self.blood_points, "[blood_points]"),
        ):
            if name in self.tiebreaks and needs is None:
                raise ValueError(f"tiebreaker {name} needs the section {what}")
        if unknown := sorted(self.clock.kinds() - set(self.results)):
            raise ValueError(f"a mark of the clock names {unknown[0]}, which is no result of this rulebook")
        if self.divisions is None and any(policy.reading == "divisions" for policy in self.policies.values()):
            raise ValueError("a policy about divisions needs the section [divisions]")
        return self

    def under(self, choices: Mapping[str, str]) -> Rulebook:
        """This rulebook with `choices` (policy flag -> value) instead of the defaults.

        Raises RulebookError for a flag or a value that the rulebook does not know.
        """
        readings: dict[str, str] = self.readings.model_dump()
        readings |= {policy.reading: policy.default for policy in self.policies.values()}
        for flag, value in choices.items():
            if (policy := self.policies.get(flag)) is None:
                raise RulebookError(f"{self.id} has no policy {flag}; it has {_listed(self.policies)}")
            known = Readings.values_of(policy.reading)
            if known and value not in known:
                raise RulebookError(f"{flag} cannot be {value!r}; it can be {_listed(known)}")
            readings[policy.reading] = value
        try:
            return self.model_copy(update={"readings": Readings.model_validate(readings)})
        except ValidationError as error:
            raise RulebookError(f"{self.id}: {_first_problem(error)}") from None

    @cached_property
    def knows_draws(self) -> bool:
        return "draw" in self.results or any(kind.as_written for kind in self.results.values())

    @property
    def tier(self) -> Tier | None:
        """The tier of the event (L5R-VI-TIER); None where the document knows none."""
        return None if self.readings.tier == "none" else self.readings.tier

    @property
    def unpaired_loss_points(self) -> int:
        # Not cached: a copy under other policies would take the old value with it.
        return int(self.readings.unpaired_loss)

    def points(
        self, kind: str, winner: int | None, scores: tuple[int, int] | None, players: tuple[int, int]
    ) -> tuple[int, int]:
        """What a result is worth to the two players of its table, in table order.

        A kind that this rulebook does not name is read as its plain win, or its draw where nobody won, so that
        a log can be replayed under another rulebook than the one it was recorded under.
        """
        worth = self.results.get(kind)
        if worth is not None and worth.as_written and scores is not None:
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
    """The rulebook that a TOML text defines, under its default policies.

    Raises RulebookError, naming the key, for a text that is not TOML or defines no valid rulebook.
    """
    try:
        return Rulebook.model_validate(tomllib.loads(text)).under({})
    except tomllib.TOMLDecodeError as error:
        raise RulebookError(f"the rulebook is not valid TOML: {error}") from None
    except ValidationError as error:
        raise RulebookError(f"the rulebook is not valid: {_first_problem(error)}") from None


def shipped_rulebooks() -> tuple[str, ...]:
    """The ids of the rulebooks that come with the package."""
    folder = resources.files("matchledger_projections") / "rulebooks"
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    )


def rulebook_text(rulebook: str) -> str:
    """The TOML text of a shipped rulebook. Raises RulebookError for an unknown id."""
    if rulebook not in shipped_rulebooks():
        raise RulebookError(
            f"there is no rulebook {rulebook!r}; there are {_listed(shipped_rulebooks())}, or give a .toml file"
        )
    return (resources.files("matchledger_projections") / "rulebooks" / f"{rulebook}.toml").read_text("utf-8")
