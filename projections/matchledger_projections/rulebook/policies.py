"""Readings: how a rulebook is read where its document leaves room, and the policies that choose."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from matchledger_projections.rulebook.section import RulebookPart


class Readings(RulebookPart):
    """How the rulebook is read where it leaves room. Each is explained by the rule its policy flag cites."""

    denominator: Literal["all-rounds", "paired-rounds", "attended-rounds"] = Field(
        default="all-rounds",
        description=(
            "Which of an opponent's rounds the average in the strength of schedule divides by: all on the "
            "record, those with an opponent, or all but those charged for coming late or coming back"
        ),
    )
    empty_schedule: Literal["0", "last"] = Field(
        default="0",
        description="What the strength of schedule of a player without an opponent is",
    )
    unpaired_loss: Annotated[str, Field(pattern=r"^\d{1,3}$")] = Field(
        default="0",
        description="What an unpaired loss (a round missed before a late arrival or a rejoining) scores",
    )
    no_show: Literal["loss", "bye"] = Field(
        default="loss",
        description="Whether the player whose opponent did not appear has beaten an opponent or had a bye",
    )
    bye_in_win_percentage: Literal["removed", "win", "numerator"] = Field(
        default="removed",
        description="What a bye does to the win percentage of the player who had it",
    )
    participated: Literal["on-record", "paired"] = Field(
        default="on-record",
        description="Which rounds a player who dropped has taken part in",
    )
    dropped_percentages: Literal["frozen", "moving", "behind"] = Field(
        default="moving",
        description=(
            "Whether the percentages that rank a dropped player stay as they were at the drop, go on "
            "changing, or go on changing behind everybody on equal points"
        ),
    )
    missed_rounds: Literal["nobody", "floor"] = Field(
        default="nobody",
        description=(
            "Whether a round charged to a late arrival adds nobody to the opponents, or somebody at the floor"
        ),
    )
    late_arrivals: Literal["among", "behind"] = Field(
        default="among",
        description="Whether late arrivals rank among the others on equal points, or behind them",
    )
    head_to_head_residue: Literal["reapplied", "once"] = Field(
        default="once",
        description=(
            "Whether head-to-head is applied again when a later tiebreaker leaves exactly two players level"
        ),
    )
    last_opponent_cycle: Literal["draw", "registration"] = Field(
        default="draw",
        description="What orders players whose last opponents' standings depend on each other in a circle",
    )
    bye_among_weakest: Literal["random", "lowest-ranked"] = Field(
        default="random",
        description="Which of several equally weak records gets the bye",
    )
    double_pair_down: Literal["last-resort", "any"] = Field(
        default="last-resort",
        description="Whether a player who was paired down may be paired down again in the same round",
    )
    rematch_fallback: Literal["refuse", "fewest"] = Field(
        default="refuse",
        description="What happens when no pairing without a rematch exists",
    )
    correction_window: Literal["until-cut", "until-next-posting", "any"] = Field(
        default="until-cut",
        description=(
            "How long a Swiss result may be corrected without an override: until an elimination game is "
            "played, until the standings after a later round are posted, or for ever"
        ),
    )
    repair: Literal["before-start", "discretion", "never"] = Field(
        default="before-start",
        description=(
            "Whether a posted round may be paired anew when an earlier record was wrong: before play has "
            "begun, also later at the tables that have no result, or never"
        ),
    )
    silent_roles: Literal["organizer", "staff", "anyone"] = Field(
        default="staff",
        description=(
            "Who may do what the document says nothing about; a player, only for the player's own person or match"
        ),
    )
    delegation: Literal["scorekeeper", "staff", "none"] = Field(
        default="scorekeeper",
        description=(
            "Who may do what the organizer may, in the organizer's name: those who only write down what "
            "was decided, also judges and marshals, or nobody"
        ),
    )
    final_clock: Literal["offsets", "literal"] = Field(
        default="offsets",
        description="Whether the marks of a longer final are offsets from its end, or the literal minutes",
    )
    elimination_placing: Literal["seed", "shared"] = Field(
        default="seed",
        description="Whether players who go out in the same round are placed by seed, or share the place",
    )
    small_event_rounds: Literal["3", "host"] = Field(
        default="3",
        description="Whether a small event has 3 rounds, or its host decides",
    )
    cut_bracket: Literal["seeded", "random"] = Field(
        default="seeded",
        description="Whether the bracket after a cut is seeded by place, or drawn",
    )
    empty_division: Literal["ignored", "modified"] = Field(
        default="ignored",
        description="Whether a division without players makes all play together",
    )
    flight_sizes: Literal["even", "plain"] = Field(default="even", description="Whether flights are made even")
    divisions: Literal["none", "automatic", "separated", "modified"] = Field(
        default="none",
        description=(
            "Whether age divisions are paired by themselves, together with a preference for one's own, as "
            "their sizes ask for, or not looked at"
        ),
    )
    flights: Literal["none", "apart"] = Field(
        default="none",
        description="Whether the attribute `flight` of a player keeps the flights apart",
    )
    posting_order: Literal["free", "said", "demanded"] = Field(
        default="free",
        description=(
            "Whether standings must hang before the next round is paired, and pairings before it starts: "
            "not looked at, said where they do not, or refused"
        ),
    )
    chained_list: Literal["on", "off"] = Field(default="off", description="Whether the Chained List applies")
    tier: Literal["none", "relaxed", "formal", "premier"] = Field(
        default="none",
        description="The tier of an event, where the document knows tiers",
    )
    approved_host: Literal["yes", "no"] = Field(
        default="yes",
        description="Whether the host is one whose events can be rated",
    )
    deck_format: Literal[
        "none",
        "l5r-2018",
        "legacy",
        "legacy-bigdeck",
        "legacy-draft",
        "ashes-2022",
        "street-warriors-2004",
        "counts",
    ] = Field(
        default="none",
        description="What decks are checked against; none where no document at hand says how a deck is built",
    )
    bye_in_match_percentage: Literal["win", "ignored"] = Field(
        default="win",
        description="Whether a bye is a win in one's own match win percentage, or in neither part of it",
    )
    own_game_percentage: Literal["floored", "bare"] = Field(
        default="floored",
        description="Whether the floor raises the game win percentage that ranks its own player",
    )
    schedule_divisor: Literal["real-opponents", "own-rounds"] = Field(
        default="real-opponents",
        description="What the sum of a strength of schedule is divided by",
    )
    draw_in_win_percentage: Literal["rulebook", "half", "nothing"] = Field(
        default="rulebook",
        description=(
            "What a drawn match counts in a win percentage: what [win_percentage] says, half a win, or nothing"
        ),
    )
    day_1_rounds: Annotated[str, Field(pattern=r"^\d{1,2}$")] = Field(
        default="0",
        description=(
            "After how many rounds day 1 is over, so that leaving no longer caps the win percentage; 0: never"
        ),
    )
    bye_in_loss_percentage: Literal["left-out", "counted"] = Field(
        default="left-out",
        description="Whether byes are among the matches that a loss percentage divides by",
    )
    percentage_floor: Literal["rulebook", "0", "1/4", "33/100", "1/3"] = Field(
        default="rulebook",
        description=(
            "The least that a match or game win percentage counts: what the rulebook's section says, or "
            "another value"
        ),
    )
    tiebreak_decimals: Literal["printed", "exact"] = Field(
        default="printed",
        description="Whether the decimals that a tiebreaker is printed with are the ones that it ranks with",
    )

    @classmethod
    def values_of(cls, reading: str) -> tuple[str, ...]:
        """The values that a reading can take; () where any number can stand."""
        return tuple(str(value) for value in get_args(cls.model_fields[reading].annotation))


class Policy(RulebookPart):
    """A named choice between readings, and the rule that leaves it open."""

    reading: str = Field(description="the reading that the flag chooses")
    default: str = Field(description="the value unless another is chosen")
    rule: str = Field(description="the rule that leaves it open")

    @model_validator(mode="after")
    def _names_a_reading(self) -> Self:
        if self.reading not in Readings.model_fields:
            msg = f"unknown reading {self.reading!r}; known are {', '.join(Readings.model_fields)}"
            raise ValueError(msg)
        return self
