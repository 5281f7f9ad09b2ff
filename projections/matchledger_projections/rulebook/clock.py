"""Clock rules: how long rounds last and what their marks are, as the file of a rulebook says."""

from typing import Annotated, Literal, Self

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from matchledger.events import Stage
from matchledger_projections.rulebook.sections import UNWRITTEN, RulebookPart

RoundKind = Literal["swiss", "elimination", "final"]
LONGEST = 10_000  # minutes in a week. A longer time is a typing error


class Mark(RulebookPart):
    """A mark of a round: `minutes` after time, and the words that a leader announces.

    A win whose slip comes after the mark becomes a result of the kind `late_slip`. A game without a winner at the
    mark becomes a result of the kind `unfinished`. With a `stage`, only that stage has the mark.
    """

    name: Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$")] = Field(description="the mark in small letters")
    title: str = Field(description="the name of the mark on pages")
    rule: str = Field(description="the id of the rule")
    says: str = Field(description="what a leader announces")
    minutes: NonNegativeInt = Field(default=0, description="minutes after the round's time")
    stage: Stage | None = Field(default=None, description="the stage that the mark is for")
    late_slip: str | None = Field(default=None, description="the kind of result of a slip after the mark")
    unfinished: str | None = Field(
        default=None, description="the kind of result of a game without a winner at the mark"
    )


TIME = Mark.model_construct(name="time", title="Time", rule=UNWRITTEN, says="Time.")


class ClockRules(RulebookPart):
    """The minutes of a round (None if the document sets none), and the marks of every round.

    `judgment` is the rule that decides a game without a winner by the values on the slip (L5R-IV.3b-EJ).
    `sudden_death` is the rule that ends every game after time (ASH-SD). `untimed_final` is the rule that
    allows a final without a time limit (ASH-CUT). Without this rule, an untimed final departs from `rule`.
    """

    rule: str = Field(default=UNWRITTEN, description="the id of the rule")
    swiss: PositiveInt | None = Field(default=None, le=LONGEST, description="minutes of a Swiss round")
    elimination: PositiveInt | None = Field(default=None, le=LONGEST, description="minutes of an elimination round")
    final: PositiveInt | None = Field(default=None, le=LONGEST, description="minutes of the final")
    marks: tuple[Mark, ...] = Field(default=(TIME,), description="the announcements at time and after it")
    start: str | None = Field(default=None, description="the rule that requires an announced start")
    judgment: str | None = Field(
        default=None, description="the rule that decides an unfinished game by the values on the slip"
    )
    untimed_final: str | None = Field(default=None, description="the rule that allows a final without a time limit")
    sudden_death: str | None = Field(default=None, description="the rule that ends every game after time")

    @model_validator(mode="after")
    def _marks_are_in_order(self) -> Self:
        minutes = [mark.minutes for mark in self.marks]
        if minutes != sorted(minutes):
            raise ValueError("the marks are not in order of their minutes")
        names = [(mark.name, mark.stage) for mark in self.marks]
        if len(set(names)) < len(names):
            raise ValueError("two marks have the same name")
        return self

    def minutes(self, kind: RoundKind) -> int | None:
        """Return the minutes of a Swiss round, an elimination round or a final, or None without a limit.

        A final is as long as any elimination round, unless the rulebook gives the final its own length.
        """
        by_kind = {"swiss": self.swiss, "elimination": self.elimination, "final": self.final or self.elimination}
        return by_kind[kind]

    def kinds(self) -> set[str]:
        """Return the kinds of result that the marks name."""
        named = {kind for mark in self.marks for kind in (mark.late_slip, mark.unfinished)}
        return {kind for kind in named if kind is not None}
