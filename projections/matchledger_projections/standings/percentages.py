"""Tiebreakers of wins: win percentages, and shares of the possible match and game points."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

from matchledger_projections.fractions import as_text
from matchledger_projections.message import sentence
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.scoring import points_text
from matchledger_projections.standings.column import Column
from matchledger_projections.standings.tiebreaker import (
    Derived,
    Numeric,
    OverOpponents,
    Placed,
    Term,
    byes_noted,
    missed_noted,
    policy_of,
)
from matchledger_projections.standings.tiebreaks import Tiebreaks

MadeOf = tuple[tuple[Fraction, int] | None, tuple[str, ...]]


class OpponentsWinPercentage(OverOpponents):
    """PKM-3.1.5.1-OWP: the mean of the opponents' win percentages."""

    name: ClassVar[TiebreakName] = "opponents_win_percentage"
    heading = sentence("Op Win %")
    phrase = sentence("opponents' win percentage")
    shown = "percentage"
    freezes = True

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.win_percentage

    def column(self, numbers: Tiebreaks) -> Column:
        base = self.base(numbers)
        floor = int(numbers.percentage_floor * base.denominator)
        return numbers.frozen(self, numbers.mean_over_opponents(base, missed_at=floor))

    def made_of(self, numbers: Tiebreaks, opponent: int) -> MadeOf:
        """Return the wins and rounds of one opponent, with a note on each change to their quotient
        (PKM-3.1.5.1-WP).
        """
        law = numbers.rulebook
        rule = law.win_percentage
        if rule is None:
            raise LookupError(f"{law.id} has no section [win_percentage]")
        wins, draws, rounds = numbers.won_drawn_and_rounds(opponent)
        won = wins + draws * law.draw_in_win_percentage
        quotient = won / rounds if rounds else Fraction()
        used = numbers.win_percentage.value(opponent)
        notes = [*byes_noted(numbers, opponent, "bye_in_win_percentage", _BYES)]
        if (left := numbers.table.left_after.get(opponent)) is not None:
            policy = policy_of(law, "participated")
            notes.append(sentence("left after round %(round)s (%(policy)s)", round=left, policy=policy))
        if used > quotient:
            floor = as_text(rule.floor)
            notes.append(sentence("raised to the floor %(value)s (%(rule)s)", value=floor, rule=rule.rule))
        elif used < quotient:
            cap = as_text(rule.cap_if_dropped)
            notes.append(
                sentence("capped at %(value)s because the player dropped (%(rule)s)", value=cap, rule=rule.rule)
            )
        return (Fraction(won), rounds), tuple(notes)


class OpponentsOpponentsWinPercentage(OpponentsWinPercentage):
    """PKM-3.1.5.1-OOWP: the mean of the opponents' own OWP."""

    name = "opponents_opponents_win_percentage"
    heading = sentence("Op Op Win %")
    phrase = sentence("opponents' opponents' win percentage")
    reach = 2

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.unrounded(OpponentsWinPercentage())

    def made_of(self, numbers: Tiebreaks, opponent: int) -> MadeOf:
        if (left := numbers.frozen_after(opponent)) is None:
            return None, ()
        policy = policy_of(numbers.rulebook, "dropped_percentages")
        return None, (sentence("frozen after round %(round)s (%(policy)s)", round=left, policy=policy),)


class _OpponentsPercentage(OverOpponents):
    """The mean of a percentage over the opponents. The percentage has a floor, which is also the mean without
    opponents.
    """

    shown = "percentage"
    floored_as: ClassVar[TiebreakName] = "match_win_percentage"

    def empty(self, rulebook: Rulebook) -> Fraction:
        return rulebook.percentage_floor(self.floored_as)

    def column(self, numbers: Tiebreaks) -> Column:
        return numbers.mean_over_opponents(self.base(numbers), empty=self.empty(numbers.rulebook))


class MatchWinPercentage(Numeric):
    """A player's share of the possible match points, never below the floor."""

    name = "match_win_percentage"
    heading = sentence("Match %")
    phrase = sentence("match win percentage")
    shown = "percentage"
    reach = 0

    def column(self, numbers: Tiebreaks) -> Column:
        return numbers.match_win_percentage

    def own_notes(self, placed: Placed, player: int, value: Fraction | None) -> Iterator[str]:
        (points, worth), notes = _match_points(placed.numbers, player, value)
        unit = placed.numbers.rulebook.unit
        yield sentence(
            "%(points)s of %(worth)s match points",
            points=points_text(points.numerator, unit),
            worth=points_text(worth, unit),
        )
        yield from notes


class OpponentsMatchWinPercentage(_OpponentsPercentage):
    """The mean of the opponents' match win percentages, or the floor without opponents."""

    name = "opponents_match_win_percentage"
    heading = sentence("Op Match %")
    phrase = sentence("opponents' match win percentage")

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.match_win_percentage

    def made_of(self, numbers: Tiebreaks, opponent: int) -> MadeOf:
        return _match_points(numbers, opponent, numbers.match_win_percentage.value(opponent))


class OpponentsOpponentsMatchWinPercentage(_OpponentsPercentage):
    """The mean of the opponents' own opponents' match win percentage. Only the result is rounded."""

    name = "opponents_opponents_match_win_percentage"
    heading = sentence("Op Op Match %")
    phrase = sentence("opponents' opponents' match win percentage")
    reach = 2

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.unrounded(OpponentsMatchWinPercentage())


class GameWinPercentage(Numeric):
    """A player's share of the possible game points. The reading own_game_percentage decides whether the floor
    applies.
    """

    name = "game_win_percentage"
    heading = sentence("Game %")
    phrase = sentence("game win percentage")
    shown = "percentage"
    hangs_on = "slips"
    reach = 0

    def column(self, numbers: Tiebreaks) -> Column:
        return numbers.own_game_win_percentage

    def derived(self, placed: Placed, player: int, value: Fraction | None) -> Derived:
        terms = tuple(self.own_terms(placed, player))
        (points, worth), notes = _game_points(placed.numbers, player, value)
        total = sentence("%(points)s of %(worth)s game points", points=points, worth=worth)
        return Derived("own", terms, None, (total, *notes))

    def own_terms(self, placed: Placed, player: int) -> Iterator[Term]:
        law = placed.numbers.rulebook.games
        for line in placed.table.lines(player):
            if law is None or line.games is None:
                continue
            points, worth = law.points(line.games), law.win * sum(line.games)
            if worth:
                yield Term(line.round, line.opponent, Fraction(points, worth), (Fraction(points), worth))


class OpponentsGameWinPercentage(_OpponentsPercentage):
    """The mean of the opponents' floored game win percentages, or the floor without opponents."""

    name = "opponents_game_win_percentage"
    heading = sentence("Op Game %")
    phrase = sentence("opponents' game win percentage")
    floored_as = "game_win_percentage"
    hangs_on = "slips"

    def base(self, numbers: Tiebreaks) -> Column:
        return numbers.game_win_percentage

    def made_of(self, numbers: Tiebreaks, opponent: int) -> MadeOf:
        return _game_points(numbers, opponent, numbers.game_win_percentage.value(opponent))


def _match_points(
    numbers: Tiebreaks, player: int, used: Fraction | None
) -> tuple[tuple[Fraction, int], tuple[str, ...]]:
    """Return a player's points, the possible points, and the effect of byes and of the floor."""
    points, rounds = numbers.match_points_and_rounds(player)
    worth = numbers.rulebook.win_points * rounds
    notes = (*byes_noted(numbers, player, "bye_in_match_percentage", _BYES), *missed_noted(numbers, player))
    return (Fraction(points), worth), (*notes, *_raised(numbers, "match_win_percentage", points, worth, used))


def _game_points(
    numbers: Tiebreaks, player: int, used: Fraction | None
) -> tuple[tuple[Fraction, int], tuple[str, ...]]:
    points, games = numbers.game_points_and_games[player]
    law = numbers.rulebook.games
    worth = games * (1 if law is None else law.win)
    return (Fraction(points), worth), tuple(_raised(numbers, "game_win_percentage", points, worth, used))


def _raised(
    numbers: Tiebreaks, name: TiebreakName, points: int, worth: int, used: Fraction | None
) -> Iterator[str]:
    if used is not None and (not worth or used > Fraction(points, worth)):
        floor = as_text(numbers.rulebook.percentage_floor(name))
        rule = numbers.rulebook.floor_rule(name)
        yield sentence("raised to the floor %(value)s (%(rule)s)", value=floor, rule=rule)


_BYES = {
    "removed": sentence("left out of wins and rounds"),
    "ignored": sentence("left out of wins and rounds"),
    "win": sentence("counted as a win"),
    "numerator": sentence("not counted as a win, but counted as a round"),
}
