"""Readings: how a rulebook is read where its document leaves room, and the policies that choose."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from matchledger_projections.rulebook.section import RulebookPart


class Readings(RulebookPart):
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
    # From here on: readings of the games of today.
    # Whether a bye is a win in one's own match win percentage, or in neither part of it.
    bye_in_match_percentage: Literal["win", "ignored"] = "win"
    # Whether the floor raises the game win percentage that ranks its own player.
    own_game_percentage: Literal["floored", "bare"] = "floored"
    # What the sum of a strength of schedule is divided by.
    schedule_divisor: Literal["real-opponents", "own-rounds"] = "real-opponents"
    # What a drawn match counts in a win percentage: what [win_percentage] says, half a win, or nothing.
    draw_in_win_percentage: Literal["rulebook", "half", "nothing"] = "rulebook"
    # After how many rounds day 1 is over, so that leaving no longer caps the win percentage; 0: never.
    day_1_rounds: Annotated[str, Field(pattern=r"^\d{1,2}$")] = "0"
    # Whether byes are among the matches that a loss percentage divides by.
    bye_in_loss_percentage: Literal["left-out", "counted"] = "left-out"
    # The least that a match or game win percentage counts: what the rulebook's section says, or another value.
    percentage_floor: Literal["rulebook", "0", "1/4", "33/100", "1/3"] = "rulebook"
    # Whether the decimals that a tiebreaker is printed with are the ones that it ranks with.
    tiebreak_decimals: Literal["printed", "exact"] = "printed"

    @classmethod
    def values_of(cls, reading: str) -> tuple[str, ...]:
        """The values that a reading can take; () where any number can stand."""
        return tuple(str(value) for value in get_args(cls.model_fields[reading].annotation))


class Policy(RulebookPart):
    """A named choice between readings, and the rule that leaves it open."""

    reading: str
    default: str
    rule: str

    @model_validator(mode="after")
    def _names_a_reading(self) -> Self:
        if self.reading not in Readings.model_fields:
            msg = f"unknown reading {self.reading!r}; known are {', '.join(Readings.model_fields)}"
            raise ValueError(msg)
        return self
