"""Possible pairings: every pairing of a round without a rematch, for any order of the groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matchledger_projections.record.record import Record
from matchledger_projections.standings.crosstable import crosstable

Two = tuple[int, int]


def possible_pairings(record: Record, players: frozenset[int]) -> Iterator[tuple[list[Two], int | None]]:
    """Yield every pairing without a rematch. If the number of players is odd, each pairing has a bye.

    A player has a second bye only after everybody has had one. If every pairing has a rematch, yield all pairings.
    """
    latest = record.latest_round()
    table = crosstable(record, record.rulebook, latest.number if latest is not None else 0)
    met = {player: set(table.opponents_of(player)) for player in players}
    had_bye = {player for player in players if table.had_bye(player)}
    found = False
    for pairing in _all_pairings(sorted(players), met, had_bye if had_bye != players else set()):
        found = True
        yield pairing
    if not found:
        yield from _all_pairings(sorted(players), {player: set() for player in players}, set())


def _all_pairings(
    players: Sequence[int], met: dict[int, set[int]], had_bye: set[int]
) -> Iterator[tuple[list[Two], int | None]]:
    if len(players) % 2 == 0:
        yield from ((pairs, None) for pairs in _matchings(players, met))
        return
    for bye in players:
        if bye not in had_bye:
            rest = [player for player in players if player != bye]
            yield from ((pairs, bye) for pairs in _matchings(rest, met))


def _matchings(players: Sequence[int], met: dict[int, set[int]]) -> Iterator[list[Two]]:
    if not players:
        yield []
        return
    first, *rest = players
    for index, second in enumerate(rest):
        if second not in met[first]:
            for pairs in _matchings([*rest[:index], *rest[index + 1 :]], met):
                yield [(first, second), *pairs]
