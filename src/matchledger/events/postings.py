"""What was put on the wall or signed: standings, ties that were resolved, checkpoints."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage
from matchledger.events.rounds import Seating


class TieResolved(Fact):
    """Players whom the rulebook leaves level were put in order, best first, as of a round."""

    action = "order-tie"
    kind: Literal["tie-resolved"] = "tie-resolved"
    round: NonNegativeInt
    players: tuple[PlayerNumber, ...] = Field(min_length=2)
    method: Literal["random", "rock-paper-scissors", "other"] = "random"
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class PostedRow(Fact):
    """One line of posted standings; `rank` is None for a player who is listed without a place."""

    rank: PositiveInt | None
    player: PlayerNumber
    points: int
    status: str
    tied: bool
    tiebreaks: dict[str, str]


class StandingsPosted(Fact):
    """The standings that were put on the wall, exactly as they hung there, kept for ever (PKM-4-KEEP)."""

    action = "post"
    retractable = False
    kind: Literal["standings-posted"] = "standings-posted"
    round: NonNegativeInt
    rows: tuple[PostedRow, ...]


class PairingsPosted(Fact):
    """The tables of a round that were put on the wall, exactly as they hung there."""

    action = "post"
    retractable = False
    kind: Literal["pairings-posted"] = "pairings-posted"
    stage: Stage = "swiss"
    round: PositiveInt
    tables: tuple[Seating, ...]
    byes: tuple[PlayerNumber, ...] = ()


class CheckpointSigned(Fact):
    """A key signed the log before this entry: its tree head, in a signed note.

    `consistency` ties the note to the one in entry `previous`: RFC 6962 proof that the log only grew between them.
    """

    action = "post"
    retractable = False
    kind: Literal["checkpoint-signed"] = "checkpoint-signed"
    note: str = Field(description="the checkpoint, in the C2SP form, as it can be printed")
    key: str = Field(description="the verification key that the note says it was signed with")
    previous: PositiveInt | None = Field(default=None, description="position of the checkpoint before this one")
    consistency: tuple[str, ...] = Field(default=(), description="hashes in Base64")


PostingFact = TieResolved | StandingsPosted | PairingsPosted | CheckpointSigned
