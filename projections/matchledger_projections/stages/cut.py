"""The cut: the players who advance from the Swiss rounds, over all divisions or in one, from each flight if it
has flights.
"""

from __future__ import annotations

from collections.abc import Sequence

from matchledger.events import CutMade
from matchledger_projections.divisions.tables import division_table, members
from matchledger_projections.message import Sentence, demanding, sentence
from matchledger_projections.record.attendance import attendance
from matchledger_projections.record.record import Record
from matchledger_projections.stages.flights import flights_of
from matchledger_projections.stages.structure import cuts_of, uneven_shares
from matchledger_projections.standings.standings import standings

SMALLEST_CUT = 2  # a lone player needs no elimination


def cuts_known(record: Record) -> dict[str | None, int]:
    """Return the sizes of the cuts by division. If a cut was made, its size counts instead of the announced size.

    The key None means one cut for all divisions. Without a cut the result is empty.
    """
    if record.cuts:
        return {made.division: len(made.seeds) for made in record.cuts}
    return {} if record.structure is None else cuts_of(record.structure)


def shares_warning(record: Record) -> Sentence | None:
    """Return a warning if the cut takes a much smaller share of one division than of another, made or announced,
    or None.
    """
    cuts = {division: size for division, size in cuts_known(record).items() if division is not None}
    return uneven_shares(cuts, attendance(record))


class CutUndecided(Exception):
    """Raised if the players of a cut are not decided: the `level` players are tied at its edge, or only `players`
    players are left, perhaps in one flight.
    """

    def __init__(self, level: Sequence[int], players: int, *, of_flight: bool = False) -> None:
        super().__init__("who goes on is not decided")
        self.level = tuple(level)
        self.players = players
        self.of_flight = of_flight


def plays_for_order(record: Record) -> bool:
    """Return whether tied players play rock-paper-scissors for their order, instead of a draw."""
    return "rock_paper_scissors" in record.rulebook.tiebreaks


def until_ordered(record: Record, said: Sentence) -> Sentence:
    """Add to a sentence about tied players what decides their order."""
    way = sentence("record the order of their game") if plays_for_order(record) else sentence("draw every tie")
    return demanding(sentence("%(problem)s (%(way)s)", problem=said, way=way), "a decided tie")


def tie_at_cut(record: Record) -> Sentence | None:
    """Say that an announced cut would depend on a tie after the last finished round, or return None."""
    due = {} if record.cuts or not record.finished_rounds else cuts_known(record)
    for division, size in due.items():
        try:
            top_of(record, division, size, record.finished_rounds)
        except CutUndecided as problem:
            if problem.level:
                return sentence("the top %(size)s depends on a tie", size=size)
    return None


def ranked_for_cut(record: Record, division: str | None, round_: int) -> list[tuple[int, ...]]:
    """Return the players of a division, or all, in groups of tied players after a round, best first."""
    if division is None:
        return list(standings(record, round_).groups)
    inside = members(record, division)
    groups = (
        tuple(player for player in group if player in inside)
        for group in division_table(record, division, round_).table.groups
    )
    return [group for group in groups if group]


def flights_in(record: Record, division: str | None) -> list[frozenset[int]]:
    """Return the players of each flight of a division, or of all divisions if every player is in a flight.
    Otherwise return an empty list.
    """
    names = [fact.division for _, fact in record.flights_drawn] if division is None else [division]
    flights = [frozenset(flight) for name in names for flight in flights_of(record, name)]
    inside = frozenset[int]().union(*flights)
    everybody = all(player.number in inside for player in record.active_players())
    return flights if division is not None or everybody else []


def sharing_flight(record: Record, made: CutMade, player: int) -> frozenset[int] | None:
    """Return the flight of a qualifier, if the flights share the cut equally (PKM-3.3.3.2-FINALS). Otherwise
    None.
    """
    flights = flights_in(record, made.division)
    if not flights or len(made.seeds) % len(flights):
        return None
    return next((flight for flight in flights if player in flight), None)


def outdated_cuts(record: Record) -> list[CutMade]:
    """Return the cuts that no longer match the standings after a later correction."""
    made_at = {made.division: position for position, made in record.every(CutMade)}
    reports = (entry.position for round_ in record.rounds() for entry in round_.every_report())
    changed = max(*record.retractions, *reports, 0, 0)
    return [made for made in record.cuts if made_at[made.division] < changed and not _still_given(record, made)]


def _still_given(record: Record, made: CutMade) -> bool:
    """Return whether the standings still give the seeds of a cut. Qualifiers who left after the cut still count."""
    ranked = {player for group in ranked_for_cut(record, made.division, made.round) for player in group}
    kept = [player for player in made.seeds if player in ranked]
    try:
        top = top_of(record, made.division, len(made.seeds), made.round, staying=frozenset(kept))
    except CutUndecided as problem:
        return not set(problem.level) & set(kept)
    return [player for player in top if player in kept] == kept


def top_of(
    record: Record, division: str | None, size: int, round_: int, *, staying: frozenset[int] = frozenset()
) -> tuple[int, ...]:
    """Return the top `size` active players, best seed first, the same number from each flight (PKM-3.3.3.2-FINALS).

    Players `staying` count as active. Raise CutUndecided if a tie leaves the cut open, or if there are too few
    players.
    """
    active = [
        tuple(player for player in group if player in staying or record.status(player) == "active")
        for group in ranked_for_cut(record, division, round_)
    ]
    groups = [group for group in active if group]
    flights = flights_in(record, division)
    if not flights or size % len(flights):
        return _first(groups, size)
    chosen = {
        player
        for flight in flights
        for player in _first([tuple(p for p in group if p in flight) for group in groups], size // len(flights), 1)
    }
    return _first([tuple(player for player in group if player in chosen) for group in groups], size)


def _first(groups: Sequence[Sequence[int]], size: int, smallest: int = SMALLEST_CUT) -> tuple[int, ...]:
    players = [player for group in groups for player in group]
    if not smallest <= size <= len(players):
        raise CutUndecided((), len(players), of_flight=smallest < SMALLEST_CUT)
    top = set(players[:size])
    for group in groups:
        if len(group) > 1 and top & set(group):
            raise CutUndecided(group, len(players))
    return tuple(players[:size])
