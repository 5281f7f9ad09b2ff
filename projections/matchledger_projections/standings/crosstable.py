"""The crosstable: opponents and scores, round by round, through one round.

Every ranking is computed from the crosstable.

The crosstable has one column for each round, because ten thousand players over fifteen rounds must be ranked while
two hundred people wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct, field

from matchledger.events import Bye, Games
from matchledger_projections.record.opponents import Encounters, nobody_met
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Status
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.games import GameRules, turned
from matchledger_projections.rulebook.rulebook import Rulebook

# A bye is a win without an opponent, and an absence is a loss without an opponent. "" means a round that is not
# on the player's record.
Outcome = Literal["win", "draw", "loss", "bye", "absence", ""]
Cell = TypeVar("Cell")
Reported = Sequence[tuple[tuple[int, int], Report]]  # the players of each table with a result, and its entry


class Line(Struct, frozen=True):
    """One round of one player; `opponent` is None for a bye and for an absence."""

    round: int
    opponent: int | None
    outcome: Outcome
    points: int
    blood_points: int
    games: Games | None = None


class RoundColumn:
    """One round, by player number (index 0 is unused).

    In `opponents`, 0 means a round without an opponent.

    `games` counts the games that a player won, lost and drew, if the rulebook counts games.
    """

    __slots__ = ("blood", "games", "opponents", "outcomes", "points", "rulebook")

    def __init__(self, size: int) -> None:
        self.opponents = nobody_met(size)
        self.outcomes: list[Outcome] = [""] * size
        self.points = [0] * size
        self.blood = [0] * size
        self.games: dict[int, Games] = {}
        self.rulebook: Rulebook | None = None

    def alone(self, player: int, outcome: Outcome, points: int, blood: int = 0) -> None:
        """Note a round without an opponent."""
        self.outcomes[player] = outcome
        self.points[player] = points
        self.blood[player] = blood


class Crosstable(Struct, dict=True):
    """Rounds 1 to `through` as columns, and the state of the players at the end of round `through`.

    `left_after` is the last round of a player who left before the end of round `through`. A player who leaves after
    round `through` does not count as dropped (PKM-3.1.5.1-WP, reading e).
    """

    through: int
    players: list[int]
    columns: list[RoundColumn]
    size: int
    late: set[int] = field(default_factory=set)
    out: dict[int, Status] = field(default_factory=dict)
    left_after: dict[int, int] = field(default_factory=dict)

    @cached_property
    def points(self) -> list[int]:
        """Return each player's points over all rounds."""
        return list(map(sum, self._by_player(lambda column: column.points)))

    @cached_property
    def blood_points(self) -> list[int]:
        """Return each player's blood points over all rounds (ASH-TB3-BP)."""
        return list(map(sum, self._by_player(lambda column: column.blood)))

    @cached_property
    def opponents(self) -> list[tuple[int, ...]]:
        """Return each player's opponents, one number for each round. The number 0 means a round without an
        opponent.
        """
        return self._by_player(lambda column: column.opponents)

    @property
    def encounters(self) -> Encounters:
        """Return the earlier opponents, for questions about a whole field at once."""
        return Encounters(self.size, [column.opponents for column in self.columns])

    @cached_property
    def outcomes(self) -> list[tuple[Outcome, ...]]:
        """Return each player's outcomes, one for each round."""
        return self._by_player(lambda column: column.outcomes)

    @cached_property
    def rounds_on_record(self) -> list[int]:
        """Return the number of rounds on record for each player."""
        return [self.through - outcomes.count("") for outcomes in self.outcomes]

    def opponents_of(self, player: int) -> list[int]:
        """Return a player's opponents in order of rounds."""
        return [other for other in self.opponents[player] if other]

    def wins(self, player: int) -> int:
        """Return each player's match wins, byes included (L5R-IV.2-BYEWIN, PKM-3.1-BYE, ASH-BYE)."""
        outcomes = self.outcomes[player]
        return outcomes.count("win") + outcomes.count("bye")

    def had_bye(self, player: int) -> bool:
        return "bye" in self.outcomes[player]

    def status(self, player: int) -> Status:
        return self.out.get(player, "active")

    def lines(self, player: int) -> list[Line]:
        """Return a player's record, round by round."""
        return [
            Line(
                number,
                column.opponents[player] or None,
                column.outcomes[player],
                column.points[player],
                column.blood[player],
                column.games.get(player),
            )
            for number, column in enumerate(self.columns, 1)
            if column.outcomes[player]
        ]

    def _by_player(self, cells: Callable[[RoundColumn], Sequence[Cell]]) -> list[tuple[Cell, ...]]:
        if not self.columns:
            return [()] * self.size
        return list(zip(*map(cells, self.columns), strict=True))


def crosstable(record: Record, rulebook: Rulebook, through: int, *, latest: bool | None = None) -> Crosstable:
    """Return the crosstable through round `through`, with all corrections in the record.

    Pairings without a result are left out. Status, drops and charges are those at the end of the round. In the
    `latest` table a disqualification counts at once (L5R-IV.2-DQ). If `latest` is None, a table counts as the
    latest from the last finished round on.
    """
    latest = through >= record.finished_rounds if latest is None else latest
    size = max(record.players, default=0) + 1
    entered = record.entered(through)
    table = Crosstable(through, [player.number for player in entered], [], size)
    absent: dict[int, list[int]] = {}
    moved = record.movements
    for number in [one.number for one in entered if one.losses is not None or one.number in moved]:
        _note_standing(table, record, rulebook, number, latest=latest)
        for missed in record.charged_rounds(number, through):
            absent.setdefault(missed, []).append(number)
    rounds = {round_.number: round_ for round_ in record.rounds()}
    for number in range(1, through + 1):
        table.columns.append(_column(rounds.get(number), absent.get(number, ()), size, rulebook))
    return table


def _column(round_: Round | None, absent: Sequence[int], size: int, rulebook: Rulebook) -> RoundColumn:
    """Return the column of a round. The round caches its column, unless the round was charged to some players as a
    loss.
    """
    known = None if round_ is None or absent else round_.kept
    if isinstance(known, RoundColumn) and known.rulebook is rulebook and len(known.points) == size:
        return known
    column = RoundColumn(size)
    for player in absent:
        column.alone(player, "absence", rulebook.unpaired_loss_points)
    if round_ is not None:
        _fill(column, round_, rulebook)
        if not absent:
            column.rulebook = rulebook
            round_.keep(column)
    return column


def is_tardy(rulebook: Rulebook, losses: tuple[int, ...] | None) -> bool:
    """Return whether a player counts as late. `losses` are the charged rounds, or None if the player was on time
    (POL-PKM-TARDY).
    """
    return bool(losses) or (losses is not None and rulebook.readings.tardy == "any")


def ranks_below(rulebook: Rulebook, losses: tuple[int, ...] | None) -> bool:
    """Return whether a late player ranks below punctual players with the same points (PKM-3.1.5.1-TARDY)."""
    by_lateness = "tardiness" in rulebook.tiebreaks or rulebook.readings.late_arrivals == "behind"
    return by_lateness and is_tardy(rulebook, losses)


def _note_standing(table: Crosstable, record: Record, rulebook: Rulebook, number: int, *, latest: bool) -> None:
    if is_tardy(rulebook, record.late_losses(number)):
        table.late.add(number)
    status, left_after = record.standing_of(number, table.through)
    if latest and record.status(number) == "disqualified":
        status = "disqualified"
    if status != "active":
        table.out[number] = status
    if left_after is not None and left_after < table.through:
        table.left_after[number] = left_after


class Award(NamedTuple):
    """The outcomes and points that one kind of slip gives the two players of a table, in table order."""

    outcomes: tuple[Outcome, Outcome]
    points: tuple[int, int]


def _fill(column: RoundColumn, round_: Round, rulebook: Rulebook) -> None:
    """Note the results of a round. Every table runs this loop for every result."""
    opponents, outcomes, points = column.opponents, column.outcomes, column.points
    awards: dict[tuple[str, bool, bool], Award] = {}
    reported = round_.reported()
    for players, report in reported:
        first, second = players
        winner = report.winner
        key = (report.kind, winner == first, winner == second)
        award = awards.get(key)
        if award is None:
            award = _award(report, players, rulebook)
            if report.scores is None:
                awards[key] = award
        opponents[first] = second
        opponents[second] = first
        (outcomes[first], outcomes[second]), (points[first], points[second]) = award
    if rulebook.blood_points is not None:
        _fill_blood(column, reported, rulebook.blood_points.winner)
    if rulebook.games is not None:
        _fill_games(column, reported, rulebook.games)
    if rulebook.readings.no_show == "bye":
        _part_from_absent(column, reported, rulebook)
    for bye in round_.byes:
        _give_bye(column, bye, rulebook)


def _award(report: Report, players: tuple[int, int], rulebook: Rulebook) -> Award:
    if report.winner is not None:
        outcomes: tuple[Outcome, Outcome] = ("win", "loss") if report.winner == players[0] else ("loss", "win")
    elif report.kind == "double-loss":
        outcomes = ("loss", "loss")
    else:
        outcomes = ("draw", "draw")
    return Award(outcomes, rulebook.points(report.kind, report.winner, report.scores, players))


def _fill_blood(column: RoundColumn, reported: Reported, winner: int) -> None:
    """Add blood points: a fixed sum for the winner, and for the loser the wounds that the loser dealt (ASH-BP)."""
    for players, report in reported:
        for player in players:
            won = column.outcomes[player] == "win"
            column.blood[player] = winner if won else report.blood_points or 0


def _fill_games(column: RoundColumn, reported: Reported, rule: GameRules) -> None:
    played = cache(rule.played)  # a round has few different slips
    for (first, second), report in reported:
        first_won = None if report.winner is None else report.winner == first
        won, lost, drawn = played(report.kind, report.games, first_won)
        column.games[first] = (won, lost, drawn)
        column.games[second] = (lost, won, drawn)


def _part_from_absent(column: RoundColumn, reported: Reported, rulebook: Rulebook) -> None:
    """Count a no-show as a bye for the present player (POL-L5R-NOSHOW, as in L5R-IV.2c-DROP) and a loss for the
    absent player.
    """
    for players, report in reported:
        if report.kind == "no-show" and (winner := report.winner) is not None:
            absent = players[1] if winner == players[0] else players[0]
            column.opponents[winner] = column.opponents[absent] = 0
            column.outcomes[absent] = "absence"
            column.games.pop(absent, None)
            _give_bye(column, Bye(player=winner), rulebook)


def _give_bye(column: RoundColumn, bye: Bye, rulebook: Rulebook) -> None:
    """Note a bye with the games of a plain win, or of a plain loss if a file gives no points for the bye."""
    points = rulebook.bye.points if bye.points is None else bye.points
    blood = rulebook.blood_points.bye if rulebook.blood_points is not None else 0
    column.alone(bye.player, "bye", points, blood)
    if rulebook.games is not None:
        won = rulebook.games.plain_win
        column.games[bye.player] = won if points else turned(won)
