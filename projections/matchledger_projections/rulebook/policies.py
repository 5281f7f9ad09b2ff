"""Readings: how a rulebook decides where its document leaves room, and the policies that choose.

Each reading is declared once: its default, its question, and one sentence for each value. A log without the policy
has the default of a reading, so a new reading begins with the old behaviour.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, computed_field, model_validator

from matchledger_projections.rulebook.section import RulebookPart


def _read(default: str, decides: str, /, **values: str) -> Any:
    """A reading: its default, its question, and the meaning of each value (written with `_` for `-`)."""
    return Field(default=default, description=decides, json_schema_extra={"values": dict(values)})


class Readings(RulebookPart):
    """The readings of a rulebook where its document leaves room. The rule behind each policy flag explains it."""

    # Scoring and tiebreakers.
    denominator: Literal["all-rounds", "paired-rounds", "attended-rounds"] = _read(
        "all-rounds",
        "Which rounds of an opponent count in the strength of schedule?",
        all_rounds="Every round on the opponent's record counts.",
        paired_rounds="Only rounds with an opponent count.",
        attended_rounds="All rounds count except those charged for coming late or coming back.",
    )
    empty_schedule: Literal["0", "last"] = _read(
        "0",
        "What is the strength of schedule of a player without opponents?",
        **{"0": "It is 0.", "last": "The player ranks behind everybody else on equal points."},
    )
    unpaired_loss: Annotated[str, Field(pattern=r"^\d{1,3}$")] = _read(
        "0", "How many points does a missed round give (0 to 999)?"
    )
    no_show: Literal["loss", "bye"] = _read(
        "loss",
        "What does a player get if the opponent does not appear?",
        loss="A win; the absent player loses and counts as an opponent.",
        bye="A bye; the absent player does not count as an opponent.",
    )
    after_no_show: Literal["rulebook", "stays", "drops"] = _read(
        "rulebook",
        "What happens to a player who does not appear?",
        rulebook="The rulebook's section about no-shows decides.",
        stays="The player lost the match and is paired again.",
        drops="The player lost the match and is dropped.",
    )
    bye_in_win_percentage: Literal["removed", "win", "numerator"] = _read(
        "removed",
        "How does a bye count in the win percentage?",
        removed="The bye counts neither as a win nor as a round.",
        win="The bye counts as a win and as a round.",
        numerator="The bye counts as a round, but not as a win.",
    )
    participated: Literal["on-record", "paired"] = _read(
        "on-record",
        "Which rounds did a dropped player take part in?",
        on_record="All rounds on the record except byes, late losses included.",
        paired="Only rounds with an opponent.",
    )
    dropped_percentages: Literal["frozen", "moving", "behind"] = _read(
        "moving",
        "What happens to the percentages of a dropped player?",
        frozen="They stay as they were when the player dropped.",
        moving="They go on changing with the opponents' results.",
        behind="They go on changing, and the player ranks behind everybody else on equal points.",
    )
    missed_rounds: Literal["nobody", "floor"] = _read(
        "nobody",
        "What does a missed round add to the opponents' percentages of a late player?",
        nobody="Nothing.",
        floor="An opponent with the lowest possible percentage.",
    )
    late_arrivals: Literal["among", "behind"] = _read(
        "among",
        "Where do late players rank on equal points?",
        among="Among the others.",
        behind="Behind the others.",
    )
    tardy: Literal["charged", "any"] = _read(
        "charged",
        "Which late players rank below players on time?",
        charged="Late players with a loss for a missed round.",
        any="All late players, even without a missed round.",
    )
    head_to_head_residue: Literal["reapplied", "once"] = _read(
        "once",
        "Is head-to-head compared again if a later tiebreaker leaves exactly two players tied?",
        reapplied="Yes, each time.",
        once="No, only at its place in the order.",
    )
    last_opponent_cycle: Literal["draw", "registration"] = _read(
        "draw",
        "What orders players whose last opponents form a circle?",
        draw="A recorded draw.",
        registration="The order of registration.",
    )
    # Pairing.
    bye_among_weakest: Literal["random", "lowest-ranked"] = _read(
        "random",
        "Who of the weakest players gets the bye?",
        random="Chance decides.",
        lowest_ranked="The lowest in the standings.",
    )
    first_bye: Literal["weakest", "random"] = _read(
        "weakest",
        "Who gets the first bye if it falls after round 1?",
        weakest="A player with the weakest record, as for every later bye.",
        random="Anybody, by chance.",
    )
    bye_before_rematches: Literal["avoid-rematch", "by-rank"] = _read(
        "avoid-rematch",
        "Who gets a bye by rank if the other players could then only be paired with a rematch?",
        avoid_rematch="The lowest-ranked player whose bye leaves a pairing without a rematch.",
        by_rank="The lowest-ranked player all the same.",
    )
    double_pair_down: Literal["last-resort", "any"] = _read(
        "last-resort",
        "May a player be paired down twice in one round?",
        last_resort="Only if no legal pairing exists otherwise.",
        any="Yes, like any player of the group.",
    )
    rematch_fallback: Literal["refuse", "fewest"] = _read(
        "refuse",
        "What happens when no round without a rematch exists?",
        refuse="The round is refused until somebody allows rematches.",
        fewest="The pairing with the fewest rematches is made, and each is recorded.",
    )
    correction_window: Literal["until-cut", "until-next-posting", "any"] = _read(
        "until-cut",
        "How long may a Swiss result be corrected without an override?",
        until_cut="Until an elimination game has a result.",
        until_next_posting="Until the standings after a later round are posted.",
        any="Always.",
    )
    repair: Literal["before-start", "discretion", "never"] = _read(
        "before-start",
        "May a posted round be paired again after a correction?",
        before_start="Yes, until play has begun.",
        discretion="Yes, also later, at the tables without a result.",
        never="No, posted pairings stay.",
    )
    redraw: Literal["allowed", "refused"] = _read(
        "allowed",
        "May such a repair draw the whole round anew?",
        allowed="Yes, before play has begun.",
        refused="No, it moves as few players as possible, or none.",
    )
    # Roles.
    silent_roles: Literal["organizer", "staff", "anyone"] = _read(
        "staff",
        "Who may do an action that the document does not mention?",
        organizer="The organizer alone.",
        staff="The whole staff.",
        anyone="Anybody; a player only for their own person or match.",
    )
    delegation: Literal["scorekeeper", "staff", "none"] = _read(
        "scorekeeper",
        "Who may act in the organizer's name?",
        scorekeeper="Scorekeepers, who record decisions.",
        staff="Scorekeepers, judges and marshals.",
        none="Nobody.",
    )
    # Elimination, structures, clock and decks.
    final_clock: Literal["offsets", "literal"] = _read(
        "offsets",
        "When do the marks of the final's clock come?",
        offsets="As long after time as in every other round.",
        literal="At the minutes that the document names for other rounds.",
    )
    elimination_placing: Literal["seed", "shared"] = _read(
        "seed",
        "How are players placed who lose in the same elimination round?",
        seed="In the order of their seeds.",
        shared="They share the places.",
    )
    small_event_rounds: Literal["3", "host"] = _read(
        "3",
        "How many rounds has an event that is too small for the table?",
        **{"3": "Three rounds and no cut.", "host": "As many as the host announces."},
    )
    cut_bracket: Literal["seeded", "random"] = _read(
        "seeded",
        "How is the bracket filled?",
        seeded="By Swiss rank: the best meets the lowest.",
        random="By chance.",
    )
    empty_division: Literal["ignored", "modified"] = _read(
        "ignored",
        "Does a division without players count as small?",
        ignored="No.",
        modified="Yes: the event is Age Modified.",
    )
    without_division: Literal["division", "ask"] = _read(
        "division",
        "What happens to players without a division?",
        division="They are a division of their own.",
        ask="Round 1 is not paired before they have a division.",
    )
    flight_sizes: Literal["even", "plain"] = _read(
        "even",
        "How large are the flights?",
        even="Even numbers, except for one flight at most.",
        plain="As equal as possible.",
    )
    late_flight: Literal["smallest", "random"] = _read(
        "smallest",
        "Which flight does a late player join when all flights have their original size?",
        smallest="A flight with the fewest players, counting late players.",
        random="Any flight, by chance.",
    )
    divisions: Literal["none", "automatic", "separated", "modified"] = _read(
        "none",
        "How are the age divisions paired?",
        none="Without regard to divisions.",
        automatic="By their sizes: each by itself, or together if one division has too few players.",
        separated="Each by itself.",
        modified="Together, with a preference for opponents of the own division.",
    )
    flights: Literal["none", "apart"] = _read(
        "none",
        "Do flights play apart?",
        none="No.",
        apart="Yes.",
    )
    posting_order: Literal["free", "said", "demanded"] = _read(
        "free",
        "What happens if standings or pairings are not posted in time?",
        free="Nothing.",
        said="A warning, and a line in the integrity report.",
        demanded="The command is refused.",
    )
    chained_list: Literal["on", "off"] = _read(
        "off",
        "Do deck checks use the Chained List?",
        on="Yes.",
        off="No.",
    )
    tier: Literal["none", "relaxed", "formal", "premier"] = _read(
        "none",
        "At which tier is the event played?",
        none="The document has no tiers.",
        relaxed="Relaxed: leaders can play.",
        formal="Formal: no leader plays.",
        premier="Premier: no leader plays, and new products become legal later.",
    )
    approved_host: Literal["yes", "no"] = _read(
        "yes",
        "Is the host approved for rated events?",
        yes="The event is rated if it has enough players.",
        no="The event is not rated.",
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
    ] = _read(
        "none",
        "What are decks checked against?",
        **{
            "none": "Nothing: no document gives rules for decks.",
            "l5r-2018": "The deck rules of the L5R regulations of 2018.",
            "legacy": "The Legacy format of the old L5R game.",
            "legacy-bigdeck": "The Legacy format with its BigDeck option.",
            "legacy-draft": "The Legacy format for drafts.",
            "ashes-2022": "The deck rules of Ashes Organized Play.",
            "street-warriors-2004": "The factions of Street Warriors.",
            "counts": "The numbers of cards and copies that the rulebook gives.",
        },
    )
    missed_as_lost: Literal["no", "yes"] = _read(
        "no",
        "Is a round that a late player missed a lost match?",
        no="No, neither in the match win percentage nor in the lost rounds.",
        yes="Yes, in the match win percentage and in the lost rounds.",
    )
    bye_in_match_percentage: Literal["win", "ignored"] = _read(
        "win",
        "How does a bye count in the match win percentage?",
        win="It counts as a match won.",
        ignored="It counts neither as a match nor as a win.",
    )
    own_game_percentage: Literal["floored", "bare"] = _read(
        "floored",
        "Does the floor raise a player's own game win percentage?",
        floored="Yes.",
        bare="No, only the percentages of opponents.",
    )
    schedule_divisor: Literal["real-opponents", "own-rounds"] = _read(
        "real-opponents",
        "What is the strength of schedule divided by?",
        real_opponents="The number of opponents met.",
        own_rounds="The number of the player's own rounds.",
    )
    points_found: Literal["refused", "as-written"] = _read(
        "refused",
        "What do points count that no result of the rulebook gives, in the file of another program?",
        refused="Nothing: such a file is refused.",
        as_written="As many as the file says.",
    )
    draw_in_win_percentage: Literal["rulebook", "half", "nothing"] = _read(
        "rulebook",
        "How does a draw count in a win percentage?",
        rulebook="The rulebook's section about win percentages decides.",
        half="Half a win.",
        nothing="No win.",
    )
    day_1_rounds: Annotated[str, Field(pattern=r"^\d{1,2}$")] = _read(
        "0", "After how many rounds does leaving no longer cap the win percentage (0 for never)?"
    )
    bye_in_loss_percentage: Literal["left-out", "counted"] = _read(
        "left-out",
        "Do byes count in the loss percentage?",
        left_out="No.",
        counted="Yes.",
    )
    percentage_floor: Literal["rulebook", "0", "1/4", "33/100", "1/3"] = _read(
        "rulebook",
        "What is the least that a win percentage counts?",
        **{
            "rulebook": "The rulebook's section about win percentages decides.",
            "0": "There is no floor.",
            "1/4": "A quarter.",
            "33/100": "33 percent.",
            "1/3": "A third.",
        },
    )
    cumulative_after_leaving: Literal["moving", "frozen"] = _read(
        "moving",
        "What happens to the cumulative tiebreaker of a dropped player?",
        moving="Each later round counts, without points.",
        frozen="It stays as it was when the player dropped.",
    )
    tiebreak_decimals: Literal["printed", "half-up", "exact"] = _read(
        "printed",
        "Which decimals of a tiebreaker rank players?",
        printed="The printed decimals; a half goes to the even neighbour.",
        half_up="The printed decimals; a half is rounded up.",
        exact="All decimals: the exact value.",
    )

    @classmethod
    def values_of(cls, reading: str) -> tuple[str, ...]:
        """The possible values of a reading; () if any number is allowed."""
        return tuple(str(value) for value in get_args(cls.model_fields[reading].annotation))

    @classmethod
    def decides(cls, reading: str) -> str:
        """The question that a reading decides, in one sentence."""
        return cls.model_fields[reading].description or ""

    @classmethod
    def meaning_of(cls, reading: str, value: str) -> str:
        """The meaning of one value of a reading, in one sentence; "" if any number is allowed."""
        extra = cls.model_fields[reading].json_schema_extra
        values = extra.get("values") if isinstance(extra, dict) else None
        return str(values.get(value.replace("-", "_"), values.get(value, ""))) if isinstance(values, dict) else ""

    @classmethod
    def meanings(cls, reading: str) -> dict[str, str]:
        """Each value of a reading with its sentence; {} where any number can stand."""
        return {value: cls.meaning_of(reading, value) for value in cls.values_of(reading)}


class Policy(RulebookPart):
    """A named choice between readings, and the rule that leaves it open."""

    reading: str = Field(description="the reading that the flag chooses")
    default: str = Field(description="the value unless another is chosen")
    rule: str = Field(description="the rule that leaves it open")
    without: tuple[str, ...] = Field(default=(), description="values that contradict the document")

    @computed_field(description="what the flag decides, in one sentence")  # type: ignore[prop-decorator]  # pydantic/1833
    @property
    def decides(self) -> str:
        return Readings.decides(self.reading)

    @computed_field(description="each value with its meaning; empty where any number can stand")  # type: ignore[prop-decorator]  # as above
    @property
    def values(self) -> dict[str, str]:
        return {value: text for value, text in Readings.meanings(self.reading).items() if value not in self.without}

    @model_validator(mode="before")
    @classmethod
    def _reads_back(cls, given: Any) -> Any:
        """A rulebook that was printed as JSON has the sentences, and reads back without them."""
        told = ("decides", "values")
        return {key: value for key, value in given.items() if key not in told} if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _names_a_reading(self) -> Self:
        if self.reading not in Readings.model_fields:
            msg = f"unknown reading {self.reading!r}; known are {', '.join(Readings.model_fields)}"
            raise ValueError(msg)
        return self
