"""Entries: a fact as recorded, with the place, the person and the time that record it."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, PositiveInt

from matchledger.events.calls import CallFact
from matchledger.events.chance import ChanceFact
from matchledger.events.clock import ClockFact
from matchledger.events.conduct import ConductFact
from matchledger.events.decks import DeckFact
from matchledger.events.divisions import DivisionFact
from matchledger.events.doors import DoorFact
from matchledger.events.paper import OverviewFiled
from matchledger.events.players import PlayerFact
from matchledger.events.postings import PostingFact
from matchledger.events.privacy import PrivacyFact
from matchledger.events.rounds import RoundFact
from matchledger.events.slips import SlipFact
from matchledger.events.staff import StaffFact
from matchledger.events.stages import StageFact
from matchledger.events.tournaments import TournamentFact

Role = Literal["organizer", "marshal", "judge", "scorekeeper", "player"]
ROLES: tuple[Role, ...] = ("organizer", "marshal", "judge", "scorekeeper", "player")

AnyFact = (
    TournamentFact
    | PlayerFact
    | RoundFact
    | ClockFact
    | SlipFact
    | PostingFact
    | StageFact
    | DeckFact
    | CallFact
    | ConductFact
    | OverviewFiled
    | PrivacyFact
    | DoorFact
    | DivisionFact
    | ChanceFact
    | StaffFact
)


class Entry(BaseModel):
    """A fact as recorded: its position in the tournament's log, from 1, and the circumstances.

    Order is by `position`, never by time. `command` identifies the command that led to the entry: the same
    command sent twice is recorded once. `token` is the id of the station token that the actor came in with.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tournament: UUID
    position: PositiveInt
    recorded_at: AwareDatetime
    actor: str
    role: Role
    station: str
    command: str
    reason: str | None = None
    token: str | None = None
    fact: Annotated[AnyFact, Field(discriminator="kind")]
