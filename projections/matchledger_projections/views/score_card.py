"""The score card: one player's rounds, line by line, with the entry of each round (SWR-SCORECARD)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import Games, PlayerRejoined, Role
from matchledger_projections.document import As, DivisionPlayer, Document, Keys, Names, PlayerName
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Status
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.games import turned
from matchledger_projections.standings.crosstable import Crosstable, crosstable
from matchledger_projections.views.sight import Asked, Headed, Sight, answers, heading

CardOutcome = Literal["win", "draw", "loss", "bye", "absence", "open"]


class Signatory(NamedTuple):
    """The author of an entry, with the role."""

    name: str
    role: Role


def _writer(position: int | None, names: Names) -> Document | None:
    entry = None if position is None else names.entry(position)
    return None if entry is None else {"name": entry.actor, "role": entry.role}


class ScoreCardLine(Struct, frozen=True):
    """One round on a card.

    `entry` is the entry that recorded the round's result, or None before a result is recorded. `total` is the
    running total of the stage. `kind` is the kind of result in the rulebook's words. A bye of the elimination stage
    gives no points (SWR-SE-BRACKET, reading). `games` are the games on the slip. The games that the player won come
    first.
    """

    round: int
    table: int | None
    opponent: PlayerName | None
    outcome: CardOutcome
    kind: str | None
    points: int
    total: int
    entry: Annotated[
        int | None,
        Keys({"entry": As(lambda entry, _: entry, int | None), "writer": As(_writer, Signatory | None)}),
    ]
    games: Games | None = None


class ScoreCard(Struct, frozen=True):
    """A player's card: the Swiss rounds, and the elimination stage with its own total (SWR-CUT-SE)."""

    player: DivisionPlayer
    status: Status
    swiss: tuple[ScoreCardLine, ...]
    total: int
    elimination: tuple[ScoreCardLine, ...]


class ScoreCardsPage(Struct, frozen=True):
    """Score cards, as `matchledger scorecard --json` prints them."""

    head: Headed
    unit: str
    bye_name: str
    cards: tuple[ScoreCard, ...]


@answers("scorecards")
def score_cards_page(
    sight: Sight,
    *,
    player: Annotated[
        tuple[int, ...], Asked("Of the players with these numbers; of everybody.", longest=5000)
    ] = (),
) -> ScoreCardsPage:
    """Score cards: every round, with the person who recorded it. The public sees only the recorder's role."""
    record = sight.record
    numbers = [sight.need_player(number) for number in player] or [found.number for found in record.entered()]
    law = record.rulebook
    return ScoreCardsPage(heading(record), law.unit, law.bye.name, tuple(score_cards(record, numbers)))


def score_cards(record: Record, players: list[int]) -> list[ScoreCard]:
    """Return the score cards of some players, including private data. A round in progress is an open line on the
    card.
    """
    latest = record.latest_round()
    table = crosstable(record, record.rulebook, latest.number if latest is not None else 0)
    return [_card(record, table, player) for player in players]


def _card(record: Record, table: Crosstable, player: int) -> ScoreCard:
    swiss = tuple(_with_totals(_swiss(record, table, player)))
    total = swiss[-1].total if swiss else 0  # the total by which the player is ranked
    return ScoreCard(player, record.status(player), swiss, total, tuple(_with_totals(_elimination(record, player))))


def _with_totals(lines: Iterator[ScoreCardLine]) -> Iterator[ScoreCardLine]:
    total = 0
    for line in lines:
        total += line.points
        yield replace(line, total=total)


def _swiss(record: Record, table: Crosstable, player: int) -> Iterator[ScoreCardLine]:
    if player not in table.players:
        return
    for round_ in record.rounds():
        column = table.columns[round_.number - 1]
        outcome, points = column.outcomes[player], column.points[player]
        seat = round_.table_of(player)
        if seat is not None:
            line = _at_table(record, round_, seat, player)
            # Under POL-L5R-NOSHOW, a recorded match can count as no match. The crosstable knows.
            yield line if line.outcome == "open" or outcome == "" else _counted(line, outcome, points)
        elif outcome == "bye":
            yield ScoreCardLine(round_.number, None, None, "bye", None, points, 0, _entry_of_bye(round_, player))
        elif outcome == "absence":
            entry = _entry_of_charge(record, player, round_.number)
            yield ScoreCardLine(round_.number, None, None, "absence", None, points, 0, entry)


def _elimination(record: Record, player: int) -> Iterator[ScoreCardLine]:
    for round_ in record.rounds("elimination"):
        seat = round_.table_of(player)
        if seat is not None:
            yield _at_table(record, round_, seat, player)
        elif any(bye.player == player for bye in round_.byes):
            yield ScoreCardLine(round_.number, None, None, "bye", None, 0, 0, _entry_of_bye(round_, player))


def _at_table(record: Record, round_: Round, seat: int, player: int) -> ScoreCardLine:
    players = round_.tables[seat]
    place = players.index(player)
    opponent = players[1 - place]
    report = round_.report(seat, players)
    if report is None:
        return ScoreCardLine(round_.number, seat, opponent, "open", None, 0, 0, None)
    points = record.rulebook.points(report.kind, report.winner, report.scores, players)[place]
    outcome: CardOutcome = "win" if report.winner == player else "loss"
    if report.winner is None and report.kind != "double-loss":
        outcome = "draw"
    games = report.games if report.games is None or place == 0 else turned(report.games)
    return ScoreCardLine(round_.number, seat, opponent, outcome, report.kind, points, 0, report.position, games)


def _counted(line: ScoreCardLine, outcome: CardOutcome, points: int) -> ScoreCardLine:
    opponent = None if outcome in ("bye", "absence") else line.opponent
    return replace(line, opponent=opponent, outcome=outcome, points=points)


def _entry_of_bye(round_: Round, player: int) -> int:
    given = [position for position, amended in round_.amendments if player in amended.byes_added]
    return given[-1] if given else round_.position


def _entry_of_charge(record: Record, player: int, number: int) -> int:
    """Return the entry that charged a player with a round: the late arrival, or the return."""
    for position, fact in record.movements.get(player, ()):
        if isinstance(fact, PlayerRejoined) and number in fact.losses and not record.is_dead(position):
            return position
    return record.players[player].position
