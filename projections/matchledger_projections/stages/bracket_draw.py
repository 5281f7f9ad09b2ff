"""Drawing a bracket: its first games as they follow from the record and the seeds of chance alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matchledger.events import BracketDrawn
from matchledger_projections.chance import bracket_purpose, game_numbers_purpose, random_order
from matchledger_projections.record import Record
from matchledger_projections.stages.bracket import games_with_random_byes, qualifiers, seeded_games

Seeds = Callable[[str], bytes]
"""The seed of the draw for a purpose."""


def field_of(record: Record) -> tuple[int, ...]:
    """Who plays in the elimination stage: the qualifiers by seed, or all active players where it begins with it.

    An event of single elimination has one bracket whatever the ages (PKM-3.2.1-NOAGE).
    """
    return qualifiers(record) or tuple(player.number for player in record.active_players())


def draw_bracket(record: Record, seeds: Seeds) -> BracketDrawn:
    """The bracket as it stands to be drawn: by the seeds of the cut, or by chance (POL-SWR-CUT-BRACKET, no cut)."""
    players = field_of(record)
    if record.cut is not None and record.rulebook.readings.cut_bracket == "seeded":
        return BracketDrawn(method="cut-seeds", games=tuple(seeded_games(players)))
    return _drawn_by_chance(record, players, seeds)


def _drawn_by_chance(record: Record, players: Sequence[int], seeds: Seeds) -> BracketDrawn:
    """PKM-3.2-SEED, SWR-SE-BRACKET, SWR-CUT-SE, L5R-IV.2c-STARTBYE."""
    method = record.rulebook.elimination.from_start
    seed = seeds(bracket_purpose(players))
    order = random_order(seed, players)
    if method != "random-numbers":
        return BracketDrawn(method=method, games=tuple(seeded_games(order)), seed=seed.hex())
    games = games_with_random_byes(order)
    numbers_seed = seeds(game_numbers_purpose(players))
    numbered = random_order(numbers_seed, range(1, len(games) + 1))
    return BracketDrawn(
        method=method,
        games=tuple(games[place - 1] for place in numbered),
        seed=seed.hex(),
        numbers_seed=numbers_seed.hex(),
    )
