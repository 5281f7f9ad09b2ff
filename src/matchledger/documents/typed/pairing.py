"""The types of documents about pairings: why two players meet, and a round that is to come."""

from __future__ import annotations

from typing import Literal

from matchledger.documents.typed.base import Typed
from matchledger.documents.typed.tables import PairingLine
from matchledger_projections.pairing.check import Kind
from matchledger_projections.pairing.explanation import Cause, Obstacle
from matchledger_projections.record.two_clocks import Clock


class DrawnSide(Typed):
    """A player of the table: points, the score group (from 1 at the top), and the place that the draw gave."""

    player: str
    points: int
    group: int
    group_size: int
    place: int


class PassedOverLine(Typed):
    """Somebody who came first in the order and could not be the one, and why."""

    player: str
    because: Obstacle
    rounds: list[int]


class WentDownLine(Typed):
    """A player who left a group downward, and whom nobody could meet who was still free there.

    `to_pair` counts those of the player's `division` where divisions share a field (Age Modified), else everybody.
    """

    player: str
    group: int
    division: str | None
    to_pair: int
    because: Cause
    passed_over: list[PassedOverLine]


class TieBehind(Typed):
    """The recorded order of players who were level, best first; `seed` is null where no draw made it."""

    entry: int
    order: list[str]
    method: str
    purpose: str
    seed: str | None


class ByeBehind(Typed):
    """How a bye was given: `again` where everybody had had one; `tie` where a tie was settled that it hung on."""

    again: bool
    tie: TieBehind | None


class DrawBehind(Typed):
    """The draw that made a table what it is.

    `met` are the rounds in which the two have met before: not empty only where no rematch could be avoided.
    `bye` is null for two players who meet.
    """

    pool: str
    purpose: str
    seed: str
    order: int
    sides: list[DrawnSide]
    went_down: list[WentDownLine]
    passed_over: list[PassedOverLine]
    tangled: bool
    met: list[int]
    bye: ByeBehind | None


class PairingExplanationPage(Typed):
    """Why two players meet, as `matchledger explain --pairing` prints it; `draw` is null where none decided it."""

    round: int
    clock: Clock
    position: int
    table: int | None
    players: list[str]
    seated: Literal["drawn", "by hand", "by amendment"]
    entry: int
    actor: str
    reason: str | None
    draw: DrawBehind | None


class ByesExplanationPage(Typed):
    """Why those have a bye who have one."""

    byes: list[PairingExplanationPage]


class ObjectionLine(Typed):
    """What somebody at the wall would object to."""

    kind: Kind
    players: list[str]
    round: int | None
    tables: list[int]
    entry: int | None
    text: str


class NextRoundPage(Typed):
    """The round to come, as `matchledger pair --preview --json` prints it; `pairings` is null while none are."""

    round: int
    recorded: Literal[False]
    pairings: list[PairingLine] | None
    byes: list[str]
    problems: list[ObjectionLine]
