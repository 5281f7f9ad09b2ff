"""The crosstable: who met whom and what was scored, player by player, through one round.

Everything that ranks players is computed from it. It is kept in columns, because a table of ten thousand
players over fifteen rounds is read many times for each time that it is made.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from matchledger.events import Bye
from matchledger_projections.record import Record, Report, Round, Status
from matchledger_projections.rulebook import Rulebook

# A bye is a win without an opponent, an absence a loss without one.
Outcome = Literal["win", "draw", "loss", "bye", "absence"]


class Line(NamedTuple):
    """One round of one player; `opponent` is None for a bye and for an absence."""

    round: int
    opponent: int | None
    outcome: Outcome
    points: int
    blood_points: int


@dataclass(slots=True)
class Crosstable:
    """Columns by player number (index 0 is unused), each with one item per round on the player's record.

    `opponents` holds 0 where there was none. `left_after` is the last round of a player who was out before the
    end of round `through`, so that leaving after that round is no drop (PKM-3.1.5.1-WP, reading e).
    """

    through: int
    players: list[int]
    rounds: list[list[int]]
    opponents: list[list[int]]
    outcomes: list[list[Outcome]]
    scored: list[list[int]]
    blood: list[list[int]]
    points: list[int] = field(default_factory=list)
    late: set[int] = field(default_factory=set)
    out: dict[int, Status] = field(default_factory=dict)
    left_after: dict[int, int] = field(default_factory=dict)

    def status(self, player: int) -> Status:
        return self.out.get(player, "active")

    def lines(self, player: int) -> list[Line]:
        """A player's record, round by round."""
        return [
            Line(number, opponent or None, outcome, points, blood)
            for number, opponent, outcome, points, blood in zip(
                self.rounds[player],
                self.opponents[player],
                self.outcomes[player],
                self.scored[player],
                self.blood[player],
                strict=True,
            )
        ]

    def count(self, player: int, *outcomes: Outcome) -> int:
        return sum(outcome in outcomes for outcome in self.outcomes[player])

    def wins(self, player: int) -> int:
        """Matches won, a bye being one (L5R-IV.2-BYEWIN, PKM-3.1-BYE, ASH-BYE)."""
        return self.count(player, "win", "bye")

    def had_bye(self, player: int) -> bool:
        return "bye" in self.outcomes[player]

    def add(self, player: int, line: Line) -> None:
        """Appends a line to a player's record, while the table is being made."""
        self.rounds[player].append(line.round)
        self.opponents[player].append(line.opponent or 0)
        self.outcomes[player].append(line.outcome)
        self.scored[player].append(line.points)
        self.blood[player].append(line.blood_points)


def crosstable(record: Record, rulebook: Rulebook, through: int) -> Crosstable:
    """The crosstable through round `through`, all corrections in the record applied.

    A pairing without a result does not exist here. Standing, drops and charges are those of that moment.
    """
    size = max(record.players, default=0) + 1
    table = Crosstable(
        through,
        [player.number for player in record.entered(through)],
        *([[] for _ in range(size)] for _ in range(5)),  # type: ignore[arg-type] # five empty columns
    )
    for number in (player.number for player in record.entered(through)):
        for missed in record.charged_rounds(number, through):
            table.add(number, Line(missed, None, "absence", rulebook.unpaired_loss_points, 0))
        _note_status(table, record, number)
    for round_ in record.rounds():
        if round_.number <= through:
            _add_round(table, round_, rulebook)
    for number in table.players:
        if "absence" in table.outcomes[number]:
            _in_order_of_rounds(table, number)
    table.points = [sum(scored) for scored in table.scored]
    return table


def _note_status(table: Crosstable, record: Record, number: int) -> None:
    if record.players[number].losses:
        table.late.add(number)
    if number not in record.movements:
        return
    status, left_after = record.standing_of(number, table.through)
    if status != "active":
        table.out[number] = status
    if left_after is not None and left_after < table.through:
        table.left_after[number] = left_after


def _add_round(table: Crosstable, round_: Round, rulebook: Rulebook) -> None:
    for _, players, report in round_.results():
        if report is not None:
            _add_match(table, round_.number, players, report, rulebook)
    for bye in round_.byes:
        table.add(bye.player, _bye_line(round_.number, bye, rulebook))


def _bye_line(number: int, bye: Bye | None, rulebook: Rulebook) -> Line:
    written = bye.points if bye is not None else None
    points = rulebook.bye.points if written is None else written
    return Line(number, None, "bye", points, rulebook.blood_points.bye if rulebook.blood_points else 0)


def _add_match(
    table: Crosstable, number: int, players: tuple[int, int], report: Report, rulebook: Rulebook
) -> None:
    first, second = players
    points = rulebook.points(report.slip, players)
    winner = report.slip.winner
    if report.no_show and winner is not None and rulebook.readings.no_show == "bye":
        # The present player meets nobody, as in L5R-IV.2c-DROP; the absent one keeps the loss.
        absent = second if winner == first else first
        table.add(winner, _bye_line(number, None, rulebook))
        table.add(absent, Line(number, None, "absence", points[players.index(absent)], 0))
        return
    for player, opponent, scored in ((first, second, points[0]), (second, first, points[1])):
        if winner is None:
            outcome: Outcome = "loss" if report.slip.kind == "double-loss" else "draw"
        else:
            outcome = "win" if winner == player else "loss"
        blood = _blood_points(report, rulebook, won=outcome == "win")
        table.add(player, Line(number, opponent, outcome, scored, blood))


def _blood_points(report: Report, rulebook: Rulebook, *, won: bool) -> int:
    """ASH-BP: a fixed sum for the winner, the wounds dealt for the loser."""
    if rulebook.blood_points is None:
        return 0
    return rulebook.blood_points.winner if won else report.slip.blood_points or 0


def _in_order_of_rounds(table: Crosstable, number: int) -> None:
    """Charged rounds are noted before played ones; a rejoined player's lie between them."""
    order = sorted(range(len(table.rounds[number])), key=table.rounds[number].__getitem__)
    for column in (table.rounds, table.opponents, table.outcomes, table.scored, table.blood):
        cells: list[object] = column[number]  # type: ignore[assignment] # each column is reordered alike
        cells[:] = [cells[index] for index in order]
