"""Drawing a bracket: the record and the seeds alone decide its first games."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from matchledger.events import BracketDrawn
from matchledger_projections.record.chance import bracket_purpose, game_numbers_purpose, random_order
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import games_with_random_byes, seeded_games, seeds_of_cut

Seeds = Callable[[str], bytes]
"""The function from the purpose of a draw to its seed."""


def fields_of(record: Record) -> list[tuple[str | None, tuple[int, ...]]]:
    """Return the players of each bracket: the qualifiers of a division, or of everybody, by seed. If the event
    begins with elimination, one bracket has all active players of any age (PKM-3.2.1-NOAGE).
    """
    if record.cuts:
        return [(cut.division, seeds_of_cut(record, cut)) for cut in record.cuts]
    return [(None, tuple(player.number for player in record.active_players()))]


def draw_brackets(record: Record, seeds: Seeds) -> list[BracketDrawn]:
    """Return the brackets to be drawn: by the seeds of a cut, or by chance (POL-SWR-CUT-BRACKET, no cut)."""
    return [draw_bracket(record, division, players, seeds) for division, players in fields_of(record)]


def draw_bracket(record: Record, division: str | None, players: Sequence[int], seeds: Seeds) -> BracketDrawn:
    """Return one of the brackets of `draw_brackets`."""
    if record.cut is not None and record.rulebook.readings.cut_bracket == "seeded":
        drawn = BracketDrawn(method="cut-seeds", games=tuple(seeded_games(players)))
    else:
        drawn = _drawn_by_chance(record, players, seeds)
    return drawn.model_copy(update={"division": division})


def _drawn_by_chance(record: Record, players: Sequence[int], seeds: Seeds) -> BracketDrawn:
    """Draw a bracket by the rulebook's method (PKM-3.2-SEED, SWR-SE-BRACKET, SWR-CUT-SE, L5R-IV.2c-STARTBYE)."""
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
