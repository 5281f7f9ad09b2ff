"""The map of matches in a log: the entries that concern each match. The root of the map is in every checkpoint
(A-6).

With the map, a dispute file proves that no entry about its match is missing. A leaf is made from one line of text
with the stage, round, table, both players and the entries: `swiss 3 12 7 40: 81 95 102`. The leaves are in the
order of these numbers, in a tree as in RFC 6962.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from matchledger.events import (
    AnyFact,
    Entry,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PlayerDropped,
    RematchAllowed,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    Seating,
    Stage,
)
from matchledger.proof.merkle import Frontier, TreeHead, inclusion_proof

Result = ResultReported | MatchConceded | NoShowRecorded | ResultCorrected
REFERENCES = ("retracts", "supersedes", "correction")  # these fields of a fact name an earlier entry


class Match(Struct, frozen=True, order=True):
    """One match of a tournament."""

    stage: Stage
    round: int
    table: int
    players: tuple[int, int]


class Listing(Struct, frozen=True):
    """The entries about one match, and the proof that a map of `size` matches lists them at `index` (counted from
    0).
    """

    positions: tuple[int, ...]
    size: int
    index: int
    proof: Sequence[bytes]


class MatchMap:
    """All matches that a log has ever paired, each with the entries about it."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        """Read the counting entries of a log, in order."""
        entries = list(entries)
        self._of_round: dict[tuple[Stage, int], list[Match]] = defaultdict(list)
        self._listed: dict[Match, list[int]] = {}
        self._about: dict[int, list[Match]] = {}
        self._by_command: dict[str, list[Match]] = defaultdict(list)
        for entry in entries:
            self._seat(entry.fact)
        for entry in entries:
            self._list(entry)
        self._frontier, self._nodes = Frontier(), list[Sequence[bytes]]()
        self._order = {match: index for index, match in enumerate(sorted(self._listed))}
        for match in self._order:
            self._nodes.append(self._frontier.append(leaf_of(match, self._listed[match])))

    @property
    def head(self) -> TreeHead:
        """Return the tree head of the map: the number of matches, and the root of their tree."""
        return self._frontier.head

    def listing(self, match: Match) -> Listing:
        """Return the entries about a match, with their proof. Raises KeyError for a match that was never paired."""
        index = self._order[match]
        proof = inclusion_proof(index + 1, self.head.size, lambda position: self._nodes[position - 1])
        return Listing(tuple(self._listed[match]), self.head.size, index, proof)

    def _seat(self, fact: AnyFact) -> None:
        seatings: Sequence[Seating] = ()
        if isinstance(fact, RoundPaired | PairingAmended):
            seatings = fact.tables if isinstance(fact, RoundPaired) else fact.added
            for seating in seatings:
                match = Match(fact.stage, fact.round, seating.table, seating.players)
                if match not in self._listed:
                    self._listed[match] = []
                    self._of_round[fact.stage, fact.round].append(match)

    def _list(self, entry: Entry) -> None:
        matches = list(dict.fromkeys(self._matches_of(entry)))
        if not matches:
            return
        self._about[entry.position] = matches
        for match in matches:
            self._listed[match].append(entry.position)
        if isinstance(entry.fact, Result):
            self._by_command[entry.command] += matches

    def _matches_of(self, entry: Entry) -> Iterator[Match]:
        fact = entry.fact
        for name in REFERENCES:
            yield from self._about.get(getattr(fact, name, None) or 0, ())
        if isinstance(fact, PlayerDropped):  # the command that records a no-show also drops the player
            yield from (match for match in self._by_command.get(entry.command, ()) if fact.player in match.players)
        stage: Stage = getattr(fact, "stage", "swiss")
        number = getattr(fact, "round", None)
        if isinstance(fact, RoundPaired | PairingAmended | RematchAllowed):
            yield from (match for match in self._of_round.get((stage, fact.round), ()) if concerns(match, fact))
            return
        table, players = getattr(fact, "table", None), getattr(fact, "players", None)
        if isinstance(number, int) and isinstance(table, int) and isinstance(players, tuple) and len(players) == 2:  # noqa: PLR2004 - a match has two players
            named = Match(stage, number, table, players)
            if named in self._listed:
                yield named


def concerns(match: Match, fact: AnyFact) -> bool:
    """Return whether a fact concerns a match: the fact names the match's round, and its table or a moved player."""
    if getattr(fact, "round", None) != match.round or getattr(fact, "stage", "swiss") != match.stage:
        return False
    match fact:
        case RoundPaired():
            return True
        case PairingAmended():
            seatings = (*fact.removed, *fact.added)
            moved = {player for seating in seatings for player in seating.players}
            byes = {*fact.byes_removed, *fact.byes_added}
            return bool((moved | byes) & set(match.players)) or any(at.table == match.table for at in seatings)
        case RematchAllowed():
            return set(fact.players) == set(match.players)
        case _:
            # Slips, and rulings about a table, name the table and its players in these fields.
            return (getattr(fact, "table", None), getattr(fact, "players", None)) == (match.table, match.players)


def leaf_of(match: Match, positions: Iterable[int]) -> bytes:
    """Return the leaf of a match in the map."""
    first, second = match.players
    line = f"{match.stage} {match.round} {match.table} {first} {second}: {' '.join(map(str, positions))}"
    return hashlib.sha256(b"\x00" + line.encode()).digest()
