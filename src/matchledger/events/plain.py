"""Plain reports: an entry with an ordinary slip, in a form that is read several times faster.

Nearly all entries of a long log are slips that have only a kind, a winner and points. For replay, plain entries are
read as `PlainEntry`, which has the fields of an `Entry` with a `ResultReported`. An entry is not plain if it has no
slip, or if its slip has a tiebreak, a judgment or a time.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Meta, Struct

from matchledger.events.entry import Role
from matchledger.events.fact import Stage

_Positive = Annotated[int, Meta(gt=0)]
_Counted = Annotated[int, Meta(ge=0)]
_Aware = Annotated[datetime, Meta(tz=True)]


class PlainSlip(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A `Slip` without tiebreak, judgment and times."""

    kind: str
    winner: _Positive | None = None
    scores: tuple[int, int] | None = None
    blood_points: _Counted | None = None
    tiebreak: None = None
    ended: None = None
    received: None = None
    judgment: None = None
    games: tuple[_Counted, _Counted, _Counted] | None = None


class PlainReport(Struct, frozen=True, forbid_unknown_fields=True, gc=False, kw_only=True):
    """A `ResultReported` with a plain slip."""

    kind: Literal["result-reported"]
    stage: Stage = "swiss"
    round: _Positive
    table: _Positive
    players: tuple[_Positive, _Positive]
    slip: PlainSlip
    confirms: None = None


class PlainEntry(Struct, frozen=True, forbid_unknown_fields=True, gc=False, kw_only=True):
    """An `Entry` with a plain report."""

    tournament: UUID
    position: _Positive
    recorded_at: _Aware
    actor: str
    role: Role
    station: str
    command: str
    reason: str | None = None
    token: str | None = None
    fact: PlainReport
