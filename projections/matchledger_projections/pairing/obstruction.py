"""The proof that no legal pairing exists: the search for an opponent ends in every direction.

Before allowing a rematch, an organizer should see why every pairing has a rematch. `proof` names sets of players,
each odd in number, who have met everybody outside except a few players (the theorem of Tutte and Berge, see
`Obstruction`). Each set needs one of these few players, who are fewer than the sets.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from matchledger_projections.message import Sentence, joined, numbered, sentence
from matchledger_projections.pairing.field import Obstruction
from matchledger_projections.pairing.tangles import Tangle
from matchledger_projections.record.record import Record


def find_obstruction(tangle: Tangle, matching: Sequence[int | None]) -> tuple[Obstruction, int]:
    """Return the separators and islands of a largest matching (Gallai and Edmonds), and how many players the
    matching leaves over.

    The search follows all alternating paths from the players left over. A player at the end of an even path would
    be left over in another largest matching. The legal opponents of players who would be left over are the
    separators.
    """
    players: list[int | None] = [*tangle.players()]
    legal: list[list[int]] = [
        [
            other
            for other, opponent in enumerate(players)
            if other != one and opponent not in tangle.met.get(player, ())
        ]
        for one, player in enumerate(tangle.players())
    ]
    if tangle.byes:
        takers = [vertex for vertex, player in enumerate(players) if player in tangle.byes]
        for vertex in takers:
            legal[vertex].append(len(players))
        legal.append(takers)
        players.append(None)
    even = _Forest(legal, matching).grow()
    separators = {other for vertex in even for other in legal[vertex]} - even
    islands = _islands(legal, even)
    return (
        Obstruction(
            frozenset(players[vertex] for vertex in separators),
            tuple(frozenset(players[vertex] for vertex in island) for island in islands),
        ),
        sum(mate is None for mate in matching),
    )


def _islands(legal: Sequence[Sequence[int]], even: set[int]) -> list[list[int]]:
    islands = []
    unseen = set(even)
    for vertex in sorted(even):
        if vertex not in unseen:
            continue
        unseen.discard(vertex)
        island = [vertex]
        for member in island:
            for other in legal[member]:
                if other in unseen:
                    unseen.discard(other)
                    island.append(other)
        islands.append(sorted(island))
    return islands


class _Forest:
    """Edmonds' alternating forest from all players left over.

    Odd cycles shrink to their base when they are found.
    """

    def __init__(self, legal: Sequence[Sequence[int]], matching: Sequence[int | None]) -> None:
        self._legal = legal
        self._mate = matching
        self._base = list(range(len(legal)))
        self._parent: list[int | None] = [None] * len(legal)
        self._even = [mate is None for mate in matching]

    def grow(self) -> set[int]:
        """Return all players whom some largest matching leaves over."""
        queue = [vertex for vertex, even in enumerate(self._even) if even]
        for vertex in queue:
            for other in self._legal[vertex]:
                if self._base[vertex] == self._base[other] or self._mate[vertex] == other:
                    continue
                if self._even[other]:
                    queue += self._shrink(vertex, other)
                elif self._parent[other] is None:
                    self._parent[other] = vertex
                    mate = self._mate[other]
                    assert mate is not None  # noqa: S101 -- else the matching was not a largest one
                    self._even[mate] = True
                    queue.append(mate)
        return {vertex for vertex, even in enumerate(self._even) if even}

    def _shrink(self, one: int, other: int) -> list[int]:
        base = self._common_base(one, other)
        inside: set[int] = set()
        self._mark(one, base, other, inside)
        self._mark(other, base, one, inside)
        new = []
        for vertex in range(len(self._base)):
            if self._base[vertex] in inside:
                self._base[vertex] = base
                if not self._even[vertex]:
                    self._even[vertex] = True
                    new.append(vertex)
        return new

    def _common_base(self, one: int, other: int) -> int:
        seen = set(self._bases_to_root(one))
        return next(base for base in self._bases_to_root(other) if base in seen)

    def _bases_to_root(self, vertex: int) -> list[int]:
        bases = []
        while True:
            vertex = self._base[vertex]
            bases.append(vertex)
            mate = self._mate[vertex]
            if mate is None:
                return bases
            parent = self._parent[mate]
            assert parent is not None  # noqa: S101 -- its mate was reached before it
            vertex = parent

    def _mark(self, vertex: int, base: int, child: int, inside: set[int]) -> None:
        while self._base[vertex] != base:
            mate = self._mate[vertex]
            assert mate is not None  # noqa: S101 -- only a root has none, and a root is its own base
            inside.update((self._base[vertex], self._base[mate]))
            self._parent[vertex] = child
            child = mate
            parent = self._parent[mate]
            assert parent is not None  # noqa: S101 -- as in _bases_to_root
            vertex = parent


NAMED = 8
"""The most players named. Above it the sentence gives only their number, because a refusal is one line."""


def proof(record: Record, obstruction: Obstruction) -> Sentence:
    """Return the reason why every pairing leaves at least one player without an opponent."""
    islands = sorted(obstruction.islands, key=lambda island: (len(island), sorted(map(_place, island))))
    sets = [_named(record, island) for island in islands[:NAMED]]
    if more := len(islands) - len(sets):
        sets.append(sentence("%(count)s more", count=more))
    others = _named(record, obstruction.separators) if obstruction.separators else None
    players_alone = all(len(island) == 1 and None not in island for island in islands)
    said = _of_players if players_alone else _of_sets
    return said(len(islands), joined(sets, "; "), others)


def _of_players(count: int, players: Sentence, others: Sentence | None) -> Sentence:
    if others is None:
        return sentence("each of these %(count)s players has no new opponent: %(sets)s", count=count, sets=players)
    return sentence(
        "each of these %(count)s players has no new opponent except %(others)s: %(sets)s",
        count=count,
        others=others,
        sets=players,
    )


def _of_sets(count: int, sets: Sentence, others: Sentence | None) -> Sentence:
    if others is None:
        return sentence(
            (
                "each of these %(count)s groups has an odd number of players, and no new opponent outside the "
                "group: %(sets)s"
            ),
            count=count,
            sets=sets,
        )
    return sentence(
        (
            "each of these %(count)s groups has an odd number of players, and no new opponent outside the "
            "group except %(others)s: %(sets)s"
        ),
        count=count,
        others=others,
        sets=sets,
    )


def _named(record: Record, players: Collection[int | None]) -> Sentence:
    if len(players) > NAMED:
        return numbered("%(count)s player", "%(count)s players", len(players))
    names = [
        sentence("the bye") if player is None else record.players[player].name
        for player in sorted(players, key=_place)
    ]
    return joined(names)


def _place(player: int | None) -> tuple[bool, int]:
    """Return the sort key that puts players in order of number, and the bye last."""
    return player is None, player or 0
