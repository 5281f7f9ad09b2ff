"""Stage rules: the part of a rulebook about structures and elimination.

A table of structures has one line for each range of attendance; `structure.py` reads it. The section on elimination
says how a bracket is filled, what happens when a player leaves, and how the final places are given; `bracket.py`,
`leaving.py` and `placing.py` do this.
"""

from fractions import Fraction
from itertools import pairwise
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, PositiveInt, model_validator

from matchledger.events import DrawMethod, Style
from matchledger_projections.rulebook.sections import UNWRITTEN, RulebookPart

StageClause = Literal[
    "cut",
    "seeding",
    "random_cut",
    "from_start",
    "advance",
    "leaving",
    "replacement",
    "late",
    "placing",
    "placing_from_start",
    "others",
    "playoff",
    "playoff_from_start",
    "at_time",
    "swiss_only",
]
Attendance = Annotated[str, Field(pattern=r"^[1-9][0-9]{0,5}(-[1-9][0-9]{0,5}|\+)?$")]


def _several(value: object) -> object:
    return [value] if isinstance(value, int) and not isinstance(value, bool) else value


Choices = Annotated[tuple[Annotated[int, Field(ge=0)], ...], BeforeValidator(_several), Field(min_length=1)]


class Row(RulebookPart):
    """One row of a table: the rounds and cuts for a range of attendance, the proposed one first.

    `rounds` are Swiss rounds, or elimination rounds in a table for elimination. A cut of 0 means no cut. A row
    for a `small_event` counts unless the reading `small_event_rounds` leaves the rounds to the host.
    """

    rounds: Choices = Field(description="rounds, the proposed number first")
    cut: Choices = Field(default=(0,), description="cut sizes, the proposed one first; 0 is none")
    small_event: bool = Field(default=False, description="whether the host decides about so few players")


class StructureTable(RulebookPart):
    """One table of structures. `counts` says whether all players select a row, or the players of one division."""

    rule: str = Field(description="the id of the rule")
    style: Style | None = Field(default=None, description="the style that the table is for")
    counts: Literal["players", "division"] = Field(
        default="players", description="whether all players count, or those of one division"
    )
    rows: dict[Attendance, Row] = Field(min_length=1, description='rounds and cuts by attendance: "9-16", "33+"')

    @model_validator(mode="after")
    def _is_contiguous(self) -> Self:
        ranges = {attendance: bounds(attendance) for attendance in self.rows}
        for attendance, (first, last) in ranges.items():
            if last is not None and last < first:
                raise ValueError(f"the row {attendance!r} ends before it begins")
        for (_, (_, last)), (attendance, (first, _)) in pairwise(ranges.items()):
            if last is None or first != last + 1:
                raise ValueError(f"the row {attendance!r} does not follow the one above it")
        return self


class CutCap(RulebookPart):
    """The largest share of a field that may make the cut, from a given attendance upwards."""

    players: PositiveInt = Field(description="the attendance from which the share applies")
    share: Fraction = Field(description="the largest part that goes on, as p/q")


class FormatRule(RulebookPart):
    """The format of an event that announced none, and the rule that names it (ASH-FORMAT)."""

    name: str = Field(description="the format")
    rule: str = Field(description="the id of the rule")


class Structures(RulebookPart):
    """The structures of a rulebook, the recommended one first.

    `announce` is the rule that demands an announced structure before round 1, or None. `custom` is the rule that
    allows any other structure; without it, another structure is a deviation. `prizes` says whether the number of
    prizes is part of the announcement. `cut_sizes` are the possible sizes of a cut; without them, a cut is a
    power of two. With `registered`, a structure may also fit all players who registered in time, as in a log that
    is older than this key.
    """

    announce: str | None = Field(default=None, description="the rule that requires an announced structure")
    custom: str | None = Field(default=None, description="the rule that allows any other structure")
    styles: tuple[Style, ...] = Field(
        default=("swiss", "elimination", "swiss-with-cut"), description="the styles that can be played"
    )
    style_rule: str = Field(description="the rule for the styles")
    custom_tiers: tuple[str, ...] = Field(default=(), description="tiers whose events use no table")
    format: FormatRule | None = Field(default=None, description="the format unless another was announced")
    prizes: bool = Field(default=False, description="whether the number of prizes is announced")
    cut_sizes: tuple[PositiveInt, ...] = Field(
        default=(), description="the possible sizes of a cut; without them, any power of two"
    )
    cut_from: int = Field(default=0, ge=0, description="the fewest players for a cut")
    registered: bool | None = Field(
        default=None,
        description="whether players who registered in time and left before round 1 may count; they may if the "
        "rulebook does not say",
    )
    cap_rule: str | None = Field(default=None, description="the rule for the caps")
    caps: tuple[CutCap, ...] = Field(default=(), description="the largest parts of a field that can go on")
    tables: dict[str, StructureTable] = Field(min_length=1, description="tables of rounds and cuts by attendance")


class EliminationRules(RulebookPart):
    """The rules for filling a bracket, for leaving players, and for final places.

    `from_start` says how chance fills the bracket when an event begins with elimination. `leaving` says whether a
    player who leaves gives the opponent a bye, or loses the match. A qualifier can be replaced until the first
    game is played, or only until the bracket is drawn. `placing_from_start` says how players of an event without
    Swiss rounds are placed: equal within a round, or in the order of the opponents who beat them.
    `time_tiebreaks` says whether the players' counts decide a game at time (SWR-SE-TIME). If a key is missing,
    the rule cites a policy.
    """

    from_start: DrawMethod = Field(
        default="random-seeds", description="how chance fills a bracket without Swiss rounds"
    )
    leaving: Literal["bye", "loss"] = Field(
        default="bye", description="whether a leaving player gives the opponent a bye, or loses"
    )
    replacement: Literal["before-first-game", "before-draw"] = Field(
        default="before-first-game", description="until when a qualifier can be replaced"
    )
    placing_from_start: Literal["shared", "by-victor"] = Field(
        default="shared", description="the places of eliminated players in an event without Swiss rounds"
    )
    playoff: bool = Field(default=False, description="whether there is a match for third place")
    time_tiebreaks: bool = Field(default=False, description="whether the players' counts decide a game at time")
    rules: dict[StageClause, str] = Field(default_factory=dict, description="the rule behind each of these")

    def rule(self, clause: StageClause) -> str:
        """Return the id of the rule, or `POLICY` if the document is silent."""
        return self.rules.get(clause, UNWRITTEN)


def bounds(attendance: str) -> tuple[int, int | None]:
    """Return the lowest and the highest attendance of a row, with None as the highest for a row such as "33+"."""
    first, dash, last = attendance.removesuffix("+").partition("-")
    if attendance.endswith("+"):
        return int(first), None
    return int(first), int(last if dash else first)
