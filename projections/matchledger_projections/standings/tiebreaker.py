"""A tiebreaker: its name, its words, its numbers, how they arise, and what can still change them.

Every tiebreaker is a class. `column` gives a number for each player. A tiebreaker that orders one tied group,
such as head-to-head, has `settle` instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Literal, Protocol

from msgspec import Struct

from matchledger_projections.document import ExactFraction, PlayerName
from matchledger_projections.message import numbered, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.column import Column
from matchledger_projections.standings.crosstable import Crosstable
from matchledger_projections.standings.tiebreaks import Tiebreaks

Group = list[int]
Method = Literal["mean", "sum", "own"]
# The data that can still change a number: nothing after registration, the winner of a match, other data on a slip
# (games, blood points), or a recorded order.
HangsOn = Literal["registration", "results", "slips", "recorded-order"]
Form = Literal["whole", "decimal", "percentage"]


class Term(Struct, frozen=True):
    """The contribution of one round, or of the opponent in that round.

    `made_of` gives the number as a part of a whole, if it has that form.

    `notes` name what else changed the number, with the rule or policy: a floor, a cap, a bye, or a frozen
    percentage.
    """

    round: int
    opponent: PlayerName | None
    value: ExactFraction
    made_of: tuple[ExactFraction, int] | None = None
    notes: tuple[str, ...] = ()


class Derived(Struct, frozen=True):
    """How a number arises: the `total` of the terms, divided by `divisor` for a mean."""

    method: Method
    terms: tuple[Term, ...] = ()
    total: Fraction | None = None
    notes: tuple[str, ...] = ()
    divisor: int | None = None


class Placed(Protocol):
    """The standings in which a number is explained."""

    @property
    def round(self) -> int: ...

    @property
    def table(self) -> Crosstable: ...

    @property
    def numbers(self) -> Tiebreaks: ...

    @property
    def drawn_by(self) -> Mapping[int, int]: ...

    @property
    def ties(self) -> Sequence[tuple[int, ...]]: ...


class Tiebreaker(ABC):
    """One tiebreaker of a rulebook: it compares players whom all earlier tiebreakers leave tied.

    `heading` is the title of its column, and `phrase` is its name inside a sentence. `shown` gives the format of
    its values. `words` gives the words for 0 and 1 if the values answer a question. `reach` says whose results
    enter the number: the player's own (0), the opponents' (1), or those of the opponents' opponents (2).
    """

    name: ClassVar[TiebreakName]
    heading: ClassVar[str]
    phrase: ClassVar[str]
    shown: ClassVar[Form] = "whole"
    words: ClassVar[tuple[str, str] | None] = None
    hangs_on: ClassVar[HangsOn] = "results"
    reach: ClassVar[int] = 2

    def derived(self, placed: Placed, player: int, value: Fraction | None) -> Derived:
        """Explain how the `value` of a player's tiebreaker is calculated."""
        terms = tuple(self.own_terms(placed, player))
        total = sum((term.value for term in terms), Fraction()) if terms else None
        return Derived("sum" if terms else "own", terms, total, tuple(self.own_notes(placed, player, value)))

    def own_terms(self, placed: Placed, player: int) -> Iterator[Term]:  # noqa: ARG002 - a subclass may need it
        """Return what the player's own rounds contribute to a sum."""
        return iter(())

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:  # noqa: ARG002 - other tiebreakers use it
        """Return other notes on the number."""
        return iter(())


class Numeric(Tiebreaker):
    """A tiebreaker that is a number for each player."""

    @abstractmethod
    def column(self, numbers: Tiebreaks) -> Column:
        """Return the numbers of all players before rounding."""


class Ranking(Protocol):
    """The run of a chain that settles a tied group. `settled` holds the values that settled the group."""

    @property
    def record(self) -> Record: ...

    @property
    def rulebook(self) -> Rulebook: ...

    @property
    def table(self) -> Crosstable: ...

    @property
    def settled(self) -> dict[TiebreakName, dict[int, Fraction]]: ...

    @property
    def drawn_by(self) -> dict[int, int]: ...

    def after_a_split(self, name: TiebreakName, groups: list[Group]) -> list[Group]: ...


class Settled(Tiebreaker):
    """A tiebreaker that orders the members of tied groups. The tiebreaker has no number for other players."""

    @abstractmethod
    def settle(self, ranking: Ranking, groups: list[Group]) -> list[Group]:
        """Split the groups where this tiebreaker separates their members."""


class OverOpponents(Numeric):
    """A mean or a sum to which each opponent contributes one number.

    With `outcomes`, only the opponents of matches with these outcomes count. With `freezes`, a player who left
    keeps the number from the moment of leaving (POL-TOM-DROPPED).
    """

    reach = 1
    is_mean: ClassVar[bool] = True
    outcomes: ClassVar[frozenset[str] | None] = None
    freezes: ClassVar[bool] = False

    @abstractmethod
    def base(self, numbers: Tiebreaks) -> Column:
        """Each opponent's number."""

    def empty(self, rulebook: Rulebook) -> Fraction:  # noqa: ARG002 - most need none
        """Return the mean of a player without opponents."""
        return Fraction()

    def divides_by_own_rounds(self, rulebook: Rulebook) -> bool:  # noqa: ARG002 - other tiebreakers use it
        """Return whether the sum is divided by the number of the player's own rounds instead of opponents."""
        return False

    def made_of(
        self,
        numbers: Tiebreaks,  # noqa: ARG002 - other tiebreakers use it
        opponent: int,  # noqa: ARG002 - other tiebreakers use it
    ) -> tuple[tuple[Fraction, int] | None, tuple[str, ...]]:
        """Return an opponent's number as a part of a whole, with the notes on it."""
        return None, ()

    def derived(self, placed: Placed, player: int, value: Fraction | None) -> Derived:  # noqa: ARG002 - other tiebreakers use it
        """Explain the number term by term.

        Raise ArithmeticError if the terms do not give the value that ranks the player. Therefore no reader ever
        sees an explanation that does not add up.
        """
        frozen_after = placed.numbers.frozen_after(player) if self.freezes else None
        moment = placed.numbers if frozen_after is None else placed.numbers.as_of(frozen_after)
        base, law = self.base(moment), moment.rulebook
        met = [
            (line.round, line.opponent)
            for line in moment.table.lines(player)
            if line.opponent and (self.outcomes is None or line.outcome in self.outcomes)
        ]
        terms = tuple(
            Term(round_, opponent, base.value(opponent), *self.made_of(moment, opponent))
            for round_, opponent in met
        )
        missed = moment.missed_as_opponents if self.freezes else None
        absent = missed[player] if missed else 0
        missed_at = moment.percentage_floor if absent else Fraction()
        total = sum((term.value for term in terms), absent * missed_at)
        divisor = None
        if self.is_mean:
            by_rounds = self.divides_by_own_rounds(law)
            divisor = moment.rounds_attended[player] if by_rounds else len(terms) + absent
        self._check(placed.numbers, player, total, divisor)
        notes = [*self._line_notes(moment, player, frozen_after, missed_at if absent else None)]
        if self.is_mean and not terms:
            notes.append(self._empty_note(placed.numbers, player))
        if divisor is not None and divisor != len(terms) + absent:
            notes.append(
                sentence(
                    "divided by the player's own %(count)s rounds (%(policy)s)",
                    count=divisor,
                    policy=policy_of(law, "schedule_divisor"),
                )
            )
        if (decimals := law.decimals(self.name)) is not None:
            notes.append(sentence("rounded to %(count)s decimals", count=decimals))
        return Derived("mean" if self.is_mean else "sum", terms, total, tuple(notes), divisor)

    def _check(self, numbers: Tiebreaks, player: int, total: Fraction, divisor: int | None) -> None:
        ranked_by = numbers.unrounded(self).value(player)
        made = total if divisor is None else total / divisor if divisor else self.empty(numbers.rulebook)
        if made != ranked_by:
            raise ArithmeticError(f"{self.name} of player {player} is {ranked_by}, and its terms give {made}")

    def _line_notes(
        self, moment: Tiebreaks, player: int, frozen_after: int | None, missed_at: Fraction | None
    ) -> Iterator[str]:
        if frozen_after is not None:
            policy = policy_of(moment.rulebook, "dropped_percentages")
            yield sentence(
                "frozen after round %(round)s, when the player left (%(policy)s)", round=frozen_after, policy=policy
            )
        for line in moment.table.lines(player):
            if line.opponent is not None:
                continue
            if line.outcome == "absence" and missed_at is not None:
                policy = policy_of(moment.rulebook, "missed_rounds")
                yield sentence(
                    "round %(round)s: missed, counts as an opponent with %(value)s (%(policy)s)",
                    round=line.round,
                    value=missed_at,
                    policy=policy,
                )
            elif line.outcome == "bye":
                yield sentence("round %(round)s: bye, counts as no opponent", round=line.round)
            else:
                yield sentence("round %(round)s: missed, counts as no opponent", round=line.round)

    def _empty_note(self, numbers: Tiebreaks, player: int) -> str:
        law = numbers.rulebook
        behind = player in numbers.unrounded(self).behind
        flag = policy_of(law, "empty_schedule") if "schedule" in self.name else law.tiebreak_rules.get(self.name)
        return sentence(
            "no opponents, so %(where)s%(policy)s",
            where=sentence("behind everybody") if behind else self.empty(law),
            policy=f" ({flag})" if flag else "",
        )


def policy_of(rulebook: Rulebook, reading: str) -> str:
    """Return the flag of a reading, and its value. If no policy decides the reading, return its name."""
    if reading not in Readings.model_fields:
        raise KeyError(reading)
    flag = next((flag for flag, policy in rulebook.policies.items() if policy.reading == reading), None)
    value = getattr(rulebook.readings, reading)
    return f"{flag}={value}" if flag is not None else f"{reading} = {value}"


def byes_noted(numbers: Tiebreaks, player: int, reading: str, what: Mapping[str, str]) -> Iterator[str]:
    """Say how a reading treated a player's byes. `what` has the words for each value of the reading."""
    if byes := numbers.table.outcomes[player].count("bye"):
        yield numbered(
            "bye %(what)s (%(policy)s)",
            "%(count)s byes %(what)s (%(policy)s)",
            byes,
            what=what[getattr(numbers.rulebook.readings, reading)],
            policy=policy_of(numbers.rulebook, reading),
        )


def missed_noted(numbers: Tiebreaks, player: int) -> Iterator[str]:
    """Say how the rulebook's policy treated the rounds charged to a late player."""
    missed = numbers.table.outcomes[player].count("absence")
    if missed and any(policy.reading == "missed_as_lost" for policy in numbers.rulebook.policies.values()):
        yield numbered(
            "round missed %(what)s (%(policy)s)",
            "%(count)s rounds missed %(what)s (%(policy)s)",
            missed,
            what=sentence("counted as lost") if numbers.missed_are_lost else sentence("left out"),
            policy=policy_of(numbers.rulebook, "missed_as_lost"),
        )
