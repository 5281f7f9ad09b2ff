"""The field of a round: the players, their score groups, their earlier opponents, and how the bye is given."""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from matchledger_projections.message import Sentence


class ByeTakenFirst(Struct, frozen=True):
    """The bye is taken out before the pairing (L5R-IV.2a-BYE, ASH-BYE).

    `candidates` are in order of preference. The bye goes to the first candidate without whom all other players
    can be paired legally.
    """

    candidates: Sequence[int]


class ByeInLowestGroup(Struct, frozen=True):
    """The bye goes to a player of the lowest group (SWR-SWISS-PASS, -ONEPASS, -PASSUP; PKM-3.1-BYE, -RN, -ONEBYE).

    `eligible` are the players who have had no bye. The bye goes to a player of the lowest possible group for whom
    the others can be paired legally, and never to a player who was paired down into that group. Inside the group
    the order decides.
    """

    eligible: Collection[int]


class Field(Struct, frozen=True):
    """The players of a round.

    `groups`: the score groups from the top, none empty, each in its random order. The pairing depends on no other
    chance. `met`: the earlier opponents of each player. A player who is missing in `met` has met no one. `bye`:
    used only if the number of players is odd. `divisions`: each player's age division, in Age Modified only
    (PKM-3.1.2-MOD). `seed`: the seed of the draw that ordered the groups. The seed decides only the place in the
    pile of a player who may go down twice. `any_may_go_down_twice`: POL-SWR-DOUBLE-DOWN = any. A player who was
    paired down may then be paired down again.
    """

    groups: Sequence[Sequence[int]]
    met: Mapping[int, Collection[int]]
    bye: ByeTakenFirst | ByeInLowestGroup
    divisions: Mapping[int, str] | None = None
    any_may_go_down_twice: bool = False
    seed: bytes = b""


class PairDown(Struct, frozen=True):
    """A player paired with a player of a lower group.

    Groups have numbers from the top, from 0.

    `because` is `odd` if the group was odd and the order left this player over. `because` is `tangled` if earlier
    opponents or divisions let no optimal pairing of the whole field keep the player in the group.
    """

    player: int
    opponent: int
    origin: int
    destination: int
    because: Literal["odd", "tangled"]


class Pairing(Struct, frozen=True):
    """The opponents of a round.

    `tables` go from the top table down, with the player of the higher group first. `exact` names the groups
    that the exact matching paired, because the order alone could not. `rematches` is empty unless the caller
    allowed them.
    """

    tables: tuple[tuple[int, int], ...]
    bye: int | None
    bye_group: int | None
    pair_downs: tuple[PairDown, ...]
    exact: tuple[int, ...]
    rematches: tuple[tuple[int, int], ...] = ()


class Obstruction(Struct, frozen=True):
    """The reason why no legal pairing exists, as a proof that anyone can check (the theorem of Tutte and Berge).

    `islands` are sets of players, each with an odd number of players. No player has a legal opponent in another
    island. Once an island has paired its own players, one player is left over and needs an opponent among the
    `separators`. There are fewer separators than islands. If the number of players is odd, the bye also counts as
    a player, None.
    """

    separators: frozenset[int | None]
    islands: tuple[frozenset[int | None], ...]


class NoLegalPairing(Exception):
    """No pairing without a rematch exists; `obstruction` proves it.

    `unpaired` is the smallest number of players left over.

    `obstruction` is None only if the field is odd and no player may take the bye.
    """

    def __init__(self, said: Sentence, *, unpaired: int, obstruction: Obstruction | None) -> None:
        super().__init__(said)
        self.said = said
        self.unpaired = unpaired
        self.obstruction = obstruction
