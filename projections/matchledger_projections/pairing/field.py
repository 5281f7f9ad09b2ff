"""The field of a round: who is to be paired, in which score groups, who has met whom, and how the bye is
given.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from matchledger_projections.message import Sentence


@dataclass(frozen=True, slots=True)
class ByeTakenFirst:
    """The bye is taken out before anybody is paired (L5R-IV.2a-BYE, ASH-BYE).

    `candidates` are in order of preference: the bye goes to the first for whom the others can be paired
    legally.
    """

    candidates: Sequence[int]


@dataclass(frozen=True, slots=True)
class ByeInLowestGroup:
    """The bye falls where the groups end (SWR-SWISS-PASS, -ONEPASS, -PASSUP; PKM-3.1-BYE, -RN, -ONEBYE).

    `eligible` are those who have had none. It goes to a native of the lowest group that has one for whom the
    others can be paired legally, never to somebody paired down into it; inside the group the order decides.
    """

    eligible: Collection[int]


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a round.

    `groups`: score groups from the top, none empty, each in its random order: that order is all the chance
    there is.
    `met`: who has met whom, both ways; who is absent from it has met nobody.
    `bye`: consulted only when the number of players is odd.
    `divisions`: each player's age division, for the Age Modified mode alone (PKM-3.1.2-MOD).
    `seed`: the seed of the draw that ordered the groups, for the one thing that their orders cannot decide:
    the place in the pile of a card that may go down twice.
    `any_may_go_down_twice`: POL-SWR-DOUBLE-DOWN = any: who was paired down is then a card of the pile like
    any other.
    """

    groups: Sequence[Sequence[int]]
    met: Mapping[int, Collection[int]]
    bye: ByeTakenFirst | ByeInLowestGroup
    divisions: Mapping[int, str] | None = None
    any_may_go_down_twice: bool = False
    seed: bytes = b""


@dataclass(frozen=True, slots=True)
class PairDown:
    """A player paired with one of a lower group: groups are numbered from the top, from 0.

    `because` is `odd`: his group was odd by one, and the order left him over; or `tangled`: no optimal
    pairing of the whole field keeps him in his group, for who has met whom (or for the divisions) asks for
    more than the odd one.
    """

    player: int
    opponent: int
    origin: int
    destination: int
    because: Literal["odd", "tangled"]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who meets whom in a round.

    `tables` from the top table down, the player of the higher group first. `exact` names the groups that were
    too tangled to pair by their order alone and went to the exact matching. `rematches` is empty unless they
    were asked for.
    """

    tables: tuple[tuple[int, int], ...]
    bye: int | None
    bye_group: int | None
    pair_downs: tuple[PairDown, ...]
    exact: tuple[int, ...]
    rematches: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Obstruction:
    """Why no legal pairing exists, for anybody to check (the theorem of Tutte and Berge).

    The `islands` are sets of players, each odd in number, none of whom has a legal opponent in another
    island: once those inside have met each other, one of each island needs an opponent among the
    `separators`, and there are fewer of these. The bye stands as None among them when the field is odd.
    """

    separators: frozenset[int | None]
    islands: tuple[frozenset[int | None], ...]


class NoLegalPairing(Exception):
    """No rematch-free pairing exists; `obstruction` proves it, and `unpaired` is how many stay over at best.

    `obstruction` is None only when the field is odd and nobody may take the bye.
    """

    def __init__(self, said: Sentence, *, unpaired: int, obstruction: Obstruction | None) -> None:
        super().__init__(said)
        self.said = said
        self.unpaired = unpaired
        self.obstruction = obstruction
