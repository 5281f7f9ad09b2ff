"""Attribution: the entries that moved a player between two views of a log.

The exact method takes each entry out and replays the table without that entry. If the replays take too long,
dependency decides: a result can move its two players, through tiebreakers their opponents, and through second
tiebreakers the opponents' opponents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from matchledger.events import (
    AnyFact,
    DivisionChanged,
    Entry,
    EntryRetracted,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    TieResolved,
)
from matchledger_projections.divisions.tables import rows_apart
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.standings.standings import Row, Standings, standings
from matchledger_projections.standings.tiebreakers import TIEBREAKERS

# "removal" means that without this entry, the player's line is different. "together" means that only several
# entries together change the line. "dependency" means that the log is too large to replay, so this entry may be a
# cause.
How = Literal["removal", "together", "dependency"]
LARGEST_REPLAY = 200_000  # the most entries times players to replay, which takes a few seconds

_RANKING = (
    PlayerRegistered
    | PlayerArrivedLate
    | PlayerDropped
    | PlayerRejoined
    | PlayerDisqualified
    | RoundPaired
    | PairingAmended
    | ResultReported
    | ResultCorrected
    | MatchConceded
    | NoShowRecorded
    | EntryRetracted
    | TieResolved
)


class View(NamedTuple):
    """The standings after `round` from the first `position` entries. A `View` can show a round as known then, or as
    corrected since.
    """

    position: int
    round: int


class Seen(NamedTuple):
    """A view with its record, its standings and each player's line."""

    view: View
    record: Record
    table: Standings
    rows: Mapping[int, Row]

    @classmethod
    def of(cls, view: View, record: Record, rulebook: Rulebook | None) -> Seen:
        table = standings(record, view.round, rulebook)
        return cls(view, record, table, {row.player: row for row in rows_apart(record, view.round, rulebook)})


class Cause(NamedTuple):
    """The entries that moved a player, and the way in which these entries were found."""

    entries: tuple[int, ...]
    how: How


def only_in_one(entries: Sequence[Entry], first: View, second: View) -> tuple[list[Entry], list[Entry]]:
    """Return the entries that only the first view uses, and the entries that only the second view uses."""
    seen = [
        {entry.position for entry in about_rounds(entries[: view.position], view.round)} for view in (first, second)
    ]
    ranking = [entry for entry in entries if isinstance(entry.fact, _RANKING)]
    return (
        [entry for entry in ranking if entry.position in seen[0] - seen[1]],
        [entry for entry in ranking if entry.position in seen[1] - seen[0]],
    )


def causes(
    entries: Sequence[Entry],
    first: Seen,
    second: Seen,
    moved: Collection[int],
    rulebook: Rulebook | None = None,
    largest: int = LARGEST_REPLAY,
) -> dict[int, Cause]:
    """Return the causes of each player's move between two views."""
    before, after = only_in_one(entries, first.view, second.view)
    effort = (len(before) + len(after)) * max(len(first.rows), len(second.rows))
    depends = _Dependency(entries, first, second, [*before, *after])
    if effort > largest:
        return {player: Cause(depends.of(player), "dependency") for player in moved}
    named: dict[int, list[int]] = {player: [] for player in moved}
    for candidates, seen in ((before, first), (after, second)):
        for entry in candidates:
            for player in _moved_by(entry, seen, moved, rulebook):
                named[player].append(entry.position)
    return {
        player: Cause(tuple(sorted(positions)), "removal") if positions else Cause(depends.of(player), "together")
        for player, positions in named.items()
    }


def _moved_by(entry: Entry, seen: Seen, moved: Collection[int], rulebook: Rulebook | None) -> Iterator[int]:
    """Yield the players whose line changes if one entry is left out.

    If a pairing were left out, its whole round would be missing. A pairing is therefore the cause only for players
    with a bye; the results are the causes for the others.
    """
    fact = entry.fact
    if isinstance(fact, RoundPaired):
        yield from (bye.player for bye in fact.byes if bye.player in moved)
        return
    with seen.record.without(entry.position):
        rows = {row.player: row for row in rows_apart(seen.record, seen.view.round, rulebook)}
    yield from (player for player in moved if rows.get(player) != seen.rows.get(player))


# -- by dependency


class _Dependency:
    """The dependencies between players in two views, for logs that are too large to replay."""

    def __init__(self, entries: Sequence[Entry], first: Seen, second: Seen, candidates: Iterable[Entry]) -> None:
        self._first, self._second = first, second
        facts = {entry.position: entry.fact for entry in entries}
        self._concerning: dict[int, list[int]] = {}
        for entry in candidates:
            for player in _concerned(facts, entry.fact):
                self._concerning.setdefault(player, []).append(entry.position)

    def of(self, player: int) -> tuple[int, ...]:
        near = self._reach(player)
        if not near:
            # Only the place changed: this player passed another player, or another player passed this one.
            near = set().union(*(self._reach(other) or {other} for other in self._crossed(player)))
        found = {position for other in near for position in self._concerning.get(other, ())}
        return tuple(sorted(found))

    def _reach(self, player: int) -> set[int]:
        """Return the players whose entries can change the values that rank this player. Return no players if no
        value changed.
        """
        before, after = self._first.rows.get(player), self._second.rows.get(player)
        if before is None or after is None:
            return {player}
        changed = {name for name in {*before.tiebreaks, *after.tiebreaks} if _differs(name, before, after)}
        reach: set[int] = set()
        if before.points != after.points or before.status != after.status or changed:
            reach = {player}
        # The results nearest to the player explain the change.
        for _ in range(min((TIEBREAKERS[name].reach for name in changed), default=0)):
            reach |= self._opponents(reach)
        return reach

    def _opponents(self, players: Iterable[int]) -> set[int]:
        return {
            opponent
            for seen in (self._first, self._second)
            for player in players
            if player < seen.table.table.size
            for opponent in seen.table.table.opponents_of(player)
        }

    def _crossed(self, player: int) -> set[int]:
        """Return the players who passed this player, or whom this player passed."""
        sides = [_sides(seen.rows, player) for seen in (self._first, self._second)]
        return {other for other in {*sides[0], *sides[1]} if sides[0].get(other) != sides[1].get(other)}


def _differs(name: TiebreakName, before: Row, after: Row) -> bool:
    return before.tiebreaks.get(name) != after.tiebreaks.get(name)


def _sides(rows: Mapping[int, Row], player: int) -> dict[int, int]:
    own = rows[player].rank or 0
    return {
        other: ((row.rank or 0) > own) - ((row.rank or 0) < own) for other, row in rows.items() if other != player
    }


def _concerned(facts: Mapping[int, AnyFact], fact: AnyFact) -> Iterable[int]:
    """Return the players whom a fact is about."""
    match fact:
        case EntryRetracted():
            concerned: Iterable[int] = _concerned(facts, facts[fact.retracts])
        case PlayerRegistered() | PlayerArrivedLate():
            concerned = (fact.number,)
        case PlayerDropped() | PlayerRejoined() | PlayerDisqualified() | DivisionChanged():
            concerned = (fact.player,)
        case RoundPaired():
            concerned = [bye.player for bye in fact.byes]
        case PairingAmended():
            seated = [player for seating in (*fact.removed, *fact.added) for player in seating.players]
            concerned = (*seated, *fact.byes_removed, *fact.byes_added)
        case _:
            concerned = getattr(fact, "players", None) or ()  # a ruling may concern no table
    return concerned
