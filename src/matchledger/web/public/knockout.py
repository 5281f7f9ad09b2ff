"""The elimination stage on pages: games with their tables in the hall, and players with seed and score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.web.public.hall import Hall
from matchledger.web.public.places import Tally, tally
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import NOBODY, Bracket, Game, round_title, seeds_in

State = Literal["won", "lost", "playing", "to come", "bye"]


class Side(NamedTuple):
    """One side of a game. `player` is None if the player is unknown or the side is empty."""

    player: int | None
    seed: int | None
    score: int | None
    state: State


class DrawnGame(NamedTuple):
    """A game of the bracket. `table` is the table in the hall, or None for a bye and before the round is paired. A
    live game is in play, or its result is contested.
    """

    table: int | None
    is_live: bool
    is_contested: bool
    is_done: bool
    sides: tuple[Side, Side]


class Level(NamedTuple):
    """A round of the bracket, with its games from top to bottom."""

    title: str
    games: list[DrawnGame]

    @property
    def done(self) -> int:
        """Return how many games are decided."""
        return sum(game.is_done for game in self.games)


class Knockout(Struct, frozen=True):
    """The bracket of a division, or of everybody if `division` is None. `seed` and `record` are the champion's: the
    record counts the Swiss rounds.
    """

    division: str | None
    size: int
    levels: list[Level]
    playoff: DrawnGame | None
    champion: int | None
    seed: int | None
    record: Tally | None


def knockouts(hall: Hall) -> list[Knockout]:
    """Return every drawn bracket, or after the cut the brackets that its seeds decide."""
    return [_knockout(hall, drawn) for drawn in hall.brackets_to_show]


def _knockout(hall: Hall, drawn: Bracket) -> Knockout:
    seeds = {player: seed for seed, player in enumerate(seeds_in(hall.whole, drawn.division), 1)}
    levels = [
        Level(round_title(len(games)), [_game(hall, number, game, seeds) for game in games])
        for number, games in enumerate(drawn.from_the_top(), 1)
    ]
    last = len(drawn.rounds)
    playoff = None if drawn.playoff is None else _game(hall, last, drawn.playoff, seeds)
    size = len(seeds) or sum(len(game.players) for game in drawn.rounds[0])
    champion = dict(hall.champions).get(drawn.division)
    table = hall.standings.table
    record = None if champion is None or not hall.standings.round else tally(table, champion)
    return Knockout(drawn.division, size, levels, playoff, champion, seeds.get(champion or 0), record)


def _game(hall: Hall, number: int, game: Game, seeds: dict[int, int]) -> DrawnGame:
    where = hall.whole.round(number, "elimination")
    table = None if where is None else _table(where, game.players)
    done = game.winner is not None
    scores = _scores(where, table, game.players) if done else {}
    first, second = (
        Side(
            side or None,
            seeds.get(side or 0),
            scores.get(side or 0),
            _state(game, side, done=done),
        )
        for side in game.sides
    )
    is_contested = ("elimination", number, table) in hall.contested
    return DrawnGame(table, table is not None and not done, is_contested, done, (first, second))


def _state(game: Game, side: int | None, *, done: bool) -> State:
    if side == NOBODY:
        return "bye"
    if side is None:
        return "to come"
    if not done:
        return "playing"
    return "won" if side == game.winner else "lost"


def _table(where: Round, players: Sequence[int]) -> int | None:
    tables = {where.table_of(player) for player in players}
    return next((table for table in tables if table is not None), None)


def _scores(where: Round | None, table: int | None, players: Sequence[int]) -> dict[int, int]:
    if where is None or table is None or len(players) < 2:  # noqa: PLR2004 - a game has two players
        return {}
    report = where.report(table, where.tables[table])
    if report is None or report.score is None:
        return {}
    return dict(zip(report.players, report.score, strict=False))
