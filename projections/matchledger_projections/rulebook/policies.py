"""Readings: how a rulebook decides what its document leaves open. A policy chooses between the values of a
reading.

Each reading is declared once: its default, its question, and one sentence for each value. For a log that does not
record the policy, the default applies. The default of a new reading is therefore the earlier behaviour.
"""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, computed_field, model_validator

from matchledger_projections.rulebook.sections import RulebookPart


def _read(default: str, decides: str, /, **values: str) -> Any:
    """Declare a reading: its default, the question that it decides, and what each value means (a name with `_`
    for `-`).
    """
    return Field(default=default, description=decides, json_schema_extra={"values": dict(values)})


def _of_event(default: str, decides: str, /, **values: str) -> Any:
    """Declare a reading that says what kind of event this is. No value of a reading about the kind of event
    departs from the document.
    """
    return Field(default=default, description=decides, json_schema_extra={"values": dict(values), "of_event": True})


NUMBER = "number"
"""The word for every value of a reading that can be any number, besides the values with a sentence of their own."""


class Readings(RulebookPart):
    """The readings of a rulebook: each decides a point that the document leaves open."""

    # Scoring and tiebreakers.
    denominator: Literal["all-rounds", "paired-rounds", "attended-rounds"] = _read(
        "all-rounds",
        "Which of an opponent's rounds count when the opponent's points are divided for the strength of schedule.",
        all_rounds="Every round on the opponent's record counts.",
        paired_rounds="Only rounds with an opponent count.",
        attended_rounds="All rounds count except those charged for coming late or coming back.",
    )
    empty_schedule: Literal["0", "last"] = _read(
        "0",
        "The strength of schedule of a player without opponents.",
        **{"0": "It is 0.", "last": "The player ranks behind everybody else on equal points."},
    )
    unpaired_loss: Annotated[str, Field(pattern=r"^\d{1,3}$")] = _read(
        "0",
        "The points for a round missed before a late arrival or a return.",
        **{"0": "A missed round gives no points.", "1": "A missed round gives one point."},
        number="A missed round gives that many points, from 0 to 999.",
    )
    no_show: Literal["loss", "bye"] = _read(
        "loss",
        "What a player gets if the opponent does not appear.",
        loss="A win; the absent player loses and counts as an opponent.",
        bye="A bye; the absent player does not count as an opponent.",
    )
    after_no_show: Literal["rulebook", "stays", "drops"] = _read(
        "rulebook",
        "What happens to a player who does not appear.",
        rulebook="What the rulebook's section about no-shows says.",
        stays="The player lost the match and is paired again.",
        drops="The player lost the match and is dropped.",
    )
    bye_in_win_percentage: Literal["removed", "win", "numerator"] = _read(
        "removed",
        "What a bye does to the win percentage of the player who had it.",
        removed="The bye counts neither as a win nor as a round.",
        win="The bye counts as a win and as a round.",
        numerator="The bye counts as a round, but not as a win.",
    )
    participated: Literal["on-record", "paired"] = _read(
        "on-record",
        "The rounds that a player who dropped took part in.",
        on_record="All rounds on the record, with late losses but without byes.",
        paired="Only rounds with an opponent.",
    )
    dropped_percentages: Literal["frozen", "moving", "behind"] = _read(
        "moving",
        "What happens to the percentages of a player who dropped.",
        frozen="The percentages stay as at the moment of the drop.",
        moving="The percentages keep changing with the opponents' results.",
        behind="The percentages keep changing, and the player ranks behind everybody else on equal points.",
    )
    missed_rounds: Literal["nobody", "floor"] = _read(
        "nobody",
        "What a round charged to a late player adds to the opponents' percentages.",
        nobody="A charged round adds nothing.",
        floor="A charged round counts as an opponent with the lowest percentage.",
    )
    late_arrivals: Literal["among", "behind"] = _read(
        "among",
        "Where late players rank on equal points.",
        among="Among the others.",
        behind="Behind the others.",
    )
    tardy: Literal["charged", "any"] = _read(
        "charged",
        "Which late players rank below those who came on time (tardiness).",
        charged="Players charged with a loss for a missed round.",
        any="Everybody who was entered as late, even without a missed round.",
    )
    head_to_head_residue: Literal["reapplied", "once"] = _read(
        "once",
        "Whether head-to-head applies again when a later tiebreaker leaves exactly two players tied.",
        reapplied="Yes, each time.",
        once="No, head-to-head applies only at its place in the order.",
    )
    last_opponent_cycle: Literal["draw", "registration"] = _read(
        "draw",
        "How to order players when the places of their last opponents depend on each other in a circle.",
        draw="A recorded draw.",
        registration="The order of registration.",
    )
    # Pairing.
    bye_among_weakest: Literal["random", "lowest-ranked"] = _read(
        "random",
        "Which of several players with the fewest wins gets the bye.",
        random="Chance decides.",
        lowest_ranked="The lowest in the standings.",
    )
    first_bye: Literal["weakest", "random"] = _read(
        "weakest",
        "Who gets the first bye of the event if it falls after round 1.",
        weakest="A player with the weakest record, as for every later bye.",
        random="Any player, chosen by chance.",
    )
    bye_before_rematches: Literal["avoid-rematch", "by-rank"] = _read(
        "avoid-rematch",
        "Who gets a bye by rank if the others could then be paired only with a rematch.",
        avoid_rematch="The lowest player whose bye lets all others be paired without a rematch.",
        by_rank="The lowest-ranked player, even if others must then meet again.",
    )
    double_pair_down: Literal["last-resort", "any"] = _read(
        "last-resort",
        "Whether a player who was paired down can be paired down again in the same round.",
        last_resort="Only if there is no other legal pairing.",
        any="Yes, like any player of the group.",
    )
    rematch_fallback: Literal["refuse", "fewest"] = _read(
        "refuse",
        "What happens when every pairing would repeat a match.",
        refuse="The round is refused until somebody allows rematches.",
        fewest="The pairing with the fewest rematches is made, and each is recorded.",
    )
    correction_window: Literal["until-cut", "until-next-posting", "any"] = _read(
        "until-cut",
        "How long a Swiss result can be corrected without an override.",
        until_cut="Until an elimination game has a result.",
        until_next_posting="Until the standings after a later round are posted.",
        any="A result can always be corrected.",
    )
    repair: Literal["before-start", "discretion", "never"] = _read(
        "before-start",
        "Whether a posted round can be paired again when an earlier record was wrong.",
        before_start="Yes, until play has begun.",
        discretion="Yes, also later, at the tables that have no result.",
        never="No, posted pairings stay.",
    )
    redraw: Literal["allowed", "refused"] = _read(
        "allowed",
        "Whether the repair of a posted round can redraw the whole round.",
        allowed="Before play has begun, the whole round can be redrawn.",
        refused="The repair moves as few players as possible, or none.",
    )
    # Roles.
    silent_roles: Literal["organizer", "staff", "anyone"] = _read(
        "staff",
        "Who can do what the document does not mention.",
        organizer="The organizer alone.",
        staff="The whole staff.",
        anyone="Anybody may, but players only for themselves and their own match.",
    )
    delegation: Literal["scorekeeper", "staff", "none"] = _read(
        "scorekeeper",
        "Who can act in the organizer's name.",
        scorekeeper="Scorekeepers, who write down what was decided.",
        staff="Scorekeepers, judges and marshals.",
        none="Nobody else.",
    )
    # Policies about elimination, structures, the clock and decks.
    final_clock: Literal["offsets", "literal"] = _read(
        "offsets",
        "When the time marks of a final are called.",
        offsets="As many minutes after time as in every other round.",
        literal="At the same minutes of the clock as in other rounds.",
    )
    elimination_placing: Literal["seed", "shared"] = _read(
        "seed",
        "The places of players who lost in the same elimination round.",
        seed="In the order of their seeds.",
        shared="Players who lost in the same round share the places.",
    )
    small_event_rounds: Literal["3", "host"] = _read(
        "3",
        "The number of rounds of an event that is too small for the rulebook's table.",
        **{"3": "Three rounds and no cut.", "host": "As many rounds as the host announces."},
    )
    cut_bracket: Literal["seeded", "random"] = _read(
        "seeded",
        "How the bracket after the cut is filled.",
        seeded="By Swiss rank: the best meets the lowest.",
        random="By chance.",
    )
    empty_division: Literal["ignored", "modified"] = _read(
        "ignored",
        "Whether an age division without players counts as a small one.",
        ignored="An empty division does not make the event Age Modified.",
        modified="An empty division makes the event Age Modified.",
    )
    without_division: Literal["division", "ask"] = _read(
        "division",
        "What happens when an event has age divisions and a player has none.",
        division="Players without a division are a division of their own.",
        ask="Round 1 is not paired before all players have a division.",
    )
    flight_sizes: Literal["even", "plain"] = _read(
        "even",
        "The sizes of flights.",
        even="The flights have even numbers of players, with one exception at most.",
        plain="The flights are as equal as possible.",
    )
    late_flight: Literal["smallest", "random"] = _read(
        "smallest",
        "The flight of a late player when all flights have their original size.",
        smallest="A flight with the fewest players, late players included.",
        random="Any flight, chosen by chance.",
    )
    divisions: Literal["automatic", "separated", "modified", "none"] = _read(
        "none",
        "How age divisions are paired.",
        automatic="By their sizes: apart, or together if one of them has too few players.",
        separated="Apart: each division is a tournament of its own.",
        modified="Together, preferably with opponents of the same division.",
        none="Together, and the divisions do not matter for the pairings.",
    )
    flights: Literal["none", "apart"] = _read(
        "none",
        "Whether players with different `flight` attributes are kept separate.",
        none="Players of different flights can meet.",
        apart="Players meet only players of their own flight.",
    )
    posting_order: Literal["free", "said", "demanded"] = _read(
        "free",
        "What happens if a round is paired before standings are posted, or starts before pairings are posted.",
        free="Nothing happens.",
        said="A warning, and a line in the integrity report.",
        demanded="The command is refused.",
    )
    chained_list: Literal["on", "off"] = _read(
        "off",
        "Whether deck checks use the Chained List.",
        on="A deck must follow the Chained List.",
        off="A deck need not follow the Chained List.",
    )
    tier: Literal["none", "relaxed", "formal", "premier"] = _of_event(
        "none",
        "The tier of the event.",
        none="The document has no tiers.",
        relaxed="Relaxed: leaders can play.",
        formal="Formal: no leader plays.",
        premier="Premier: no leader plays, and new products become legal later.",
    )
    approved_host: Literal["yes", "no"] = _of_event(
        "yes",
        "Whether the host is approved, so that the event can be rated.",
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
        "The rules that decks are checked against.",
        **{
            "none": "None: no rule document says how a deck is built.",
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
        "Whether a round charged to a late player counts as a lost match in the match win percentage and the lost "
        "rounds.",
        no="No, a charged round counts in neither.",
        yes="Yes, in both.",
    )
    bye_in_match_percentage: Literal["win", "ignored"] = _read(
        "win",
        "What a bye does to the match win percentage of the player who had it.",
        win="The bye counts as a match won.",
        ignored="The bye counts neither as a match nor as a win.",
    )
    own_game_percentage: Literal["floored", "bare"] = _read(
        "floored",
        "Whether the floor also raises the player's own game win percentage.",
        floored="The floor raises this percentage and those of opponents.",
        bare="The floor raises only the percentages of opponents.",
    )
    schedule_divisor: Literal["real-opponents", "own-rounds"] = _read(
        "real-opponents",
        "What the sum of a strength of schedule is divided by.",
        real_opponents="The number of opponents met.",
        own_rounds="The number of the player's own rounds.",
    )
    points_found: Literal["refused", "as-written"] = _read(
        "refused",
        "How to count points in another program's file that no result of the rulebook gives.",
        refused="A file with such points is refused.",
        as_written="The points count as written in the file.",
    )
    draw_in_win_percentage: Literal["rulebook", "half", "nothing"] = _read(
        "rulebook",
        "How a drawn match counts in a win percentage.",
        rulebook="What the rulebook's section about win percentages says.",
        half="Half a win.",
        nothing="No win.",
    )
    day_1_rounds: Annotated[str, Field(pattern=r"^\d{1,2}$")] = _of_event(
        "0",
        "The number of rounds of day 1: leaving after it does not cap the win percentage.",
        **{"0": "Leaving caps the win percentage after every round."},
        number="Leaving caps the win percentage only before the end of that round, from 1 to 99.",
    )
    bye_in_loss_percentage: Literal["left-out", "counted"] = _read(
        "left-out",
        "Whether a loss percentage counts a bye as a match.",
        left_out="A bye does not count as a match.",
        counted="A bye counts as a match that was not lost.",
    )
    percentage_floor: Literal["rulebook", "0", "1/4", "33/100", "1/3"] = _read(
        "rulebook",
        "The lowest match or game win percentage that counts.",
        **{
            "rulebook": "What the rulebook's section about win percentages says.",
            "0": "There is no floor.",
            "1/4": "A quarter.",
            "33/100": "33 percent.",
            "1/3": "A third.",
        },
    )
    cumulative_after_leaving: Literal["moving", "frozen"] = _read(
        "moving",
        "What happens to the cumulative tiebreaker of a player who dropped.",
        moving="Each later round counts, without points.",
        frozen="The tiebreaker stays as at the moment of the drop.",
    )
    tiebreak_decimals: Literal["printed", "half-up", "exact"] = _read(
        "printed",
        "Whether players are ranked by a tiebreaker's printed decimals or by its exact value.",
        printed="The decimals as printed; an exact half is rounded to the even digit.",
        half_up="The decimals as printed; an exact half is rounded up.",
        exact="The exact value.",
    )

    @classmethod
    def values_of(cls, reading: str) -> tuple[str, ...]:
        """Return the possible values of a reading, or () if any number is allowed."""
        return tuple(str(value) for value in get_args(cls.model_fields[reading].annotation))

    @classmethod
    def decides(cls, reading: str) -> str:
        """Return the question that a reading decides, in one sentence."""
        return cls.model_fields[reading].description or ""

    @classmethod
    def describes_event(cls, reading: str) -> bool:
        """Return whether a reading says what kind of event this is, such as its tier, and not how to read the
        rules.
        """
        extra = cls.model_fields[reading].json_schema_extra
        return isinstance(extra, dict) and "of_event" in extra

    @classmethod
    def meaning_of(cls, reading: str, value: str) -> str:
        """Return what one value of a reading means, in one sentence."""
        extra = cls.model_fields[reading].json_schema_extra
        values = extra.get("values") if isinstance(extra, dict) else None
        if not isinstance(values, dict):
            return ""
        return str(values.get(value.replace("-", "_"), values.get(value, values.get(NUMBER, ""))))

    @classmethod
    def meanings(cls, reading: str) -> dict[str, str]:
        """Return each value of a reading with its sentence. `NUMBER` has the sentence of all other numbers."""
        extra = cls.model_fields[reading].json_schema_extra
        declared = extra["values"] if isinstance(extra, dict) else {}
        values = cls.values_of(reading) or (tuple(declared) if isinstance(declared, dict) else ())
        return {value: cls.meaning_of(reading, value) for value in values}


class Policy(RulebookPart):
    """A named choice between readings, and the rule that leaves it open."""

    reading: str = Field(description="the reading that the flag chooses")
    default: str = Field(description="the value unless another is chosen")
    rule: str = Field(description="the rule that leaves it open")
    without: tuple[str, ...] = Field(
        default=(), description="values that contradict the document; `number` is every number without a meaning"
    )

    @computed_field(description="what the flag decides, in one sentence")  # type: ignore[prop-decorator]  # pydantic/1833
    @property
    def decides(self) -> str:
        return Readings.decides(self.reading)

    @property
    def takes_numbers(self) -> bool:
        """Return whether a value can be any number."""
        return not Readings.values_of(self.reading) and NUMBER not in self.without

    @computed_field(description="each value with its meaning; `number` stands for every other number")  # type: ignore[prop-decorator]  # as above
    @property
    def values(self) -> dict[str, str]:
        return {value: text for value, text in Readings.meanings(self.reading).items() if value not in self.without}

    @model_validator(mode="before")
    @classmethod
    def _reads_back(cls, given: Any) -> Any:
        """Leave out the explanations that the JSON of a printed rulebook adds to a policy."""
        told = ("decides", "values")
        return {key: value for key, value in given.items() if key not in told} if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _names_a_reading(self) -> Self:
        if self.reading not in Readings.model_fields:
            msg = f"unknown reading {self.reading!r}; known are {', '.join(Readings.model_fields)}"
            raise ValueError(msg)
        return self
