"""Entries: a fact as recorded, with the place, the person and the time that record it."""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, PositiveInt

from matchledger.events.calls import CallAnswered, DeskCalled
from matchledger.events.clock import ClockPaused, ClockResumed, FirstPlayerSet, MarkCalled, TimeExtended
from matchledger.events.conduct import CardIncident, PenaltyGiven, RulingGiven
from matchledger.events.decks import DeckAmended, DeckChecked, DeckSubmitted
from matchledger.events.divisions import DivisionsDecided, FlightJoined, FlightsDrawn
from matchledger.events.doors import TokenAdmitted, TokenKeyDistrusted, TokenKeyTrusted, TokenRevoked
from matchledger.events.paper import OverviewFiled
from matchledger.events.players import (
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from matchledger.events.postings import CheckpointSigned, PairingsPosted, StandingsPosted, TieResolved
from matchledger.events.privacy import NamesHandedOut, PersonErased
from matchledger.events.rounds import (
    PairingAmended,
    RematchAllowed,
    RepairChosen,
    RoundPaired,
    RoundStarted,
)
from matchledger.events.slips import (
    EntryRetracted,
    MatchConceded,
    NoShowRecorded,
    ResultCorrected,
    ResultReported,
)
from matchledger.events.staff import StaffAssigned, StaffDutyChanged
from matchledger.events.stages import BracketDrawn, CutMade, QualifierReplaced, StructureAnnounced
from matchledger.events.tournaments import FileImported, TournamentClosed, TournamentOpened

Role = Literal["organizer", "marshal", "judge", "scorekeeper", "player"]
ROLES: tuple[Role, ...] = ("organizer", "marshal", "judge", "scorekeeper", "player")

AnyFact = (
    TournamentOpened
    | FileImported
    | PlayerRegistered
    | PlayerArrivedLate
    | PlayerDropped
    | PlayerRejoined
    | PlayerDisqualified
    | RematchAllowed
    | RoundPaired
    | RoundStarted
    | TimeExtended
    | ClockPaused
    | ClockResumed
    | MarkCalled
    | FirstPlayerSet
    | PairingAmended
    | RepairChosen
    | ResultReported
    | MatchConceded
    | NoShowRecorded
    | ResultCorrected
    | EntryRetracted
    | TieResolved
    | StandingsPosted
    | PairingsPosted
    | CheckpointSigned
    | CutMade
    | StructureAnnounced
    | QualifierReplaced
    | BracketDrawn
    | DeckSubmitted
    | DeckAmended
    | DeckChecked
    | DeskCalled
    | CallAnswered
    | PenaltyGiven
    | RulingGiven
    | CardIncident
    | OverviewFiled
    | PersonErased
    | NamesHandedOut
    | TokenKeyTrusted
    | TokenKeyDistrusted
    | TokenAdmitted
    | TokenRevoked
    | DivisionsDecided
    | FlightsDrawn
    | FlightJoined
    | StaffAssigned
    | StaffDutyChanged
    | TournamentClosed
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
