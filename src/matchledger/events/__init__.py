"""The facts of a tournament: frozen models in the past tense, each with the entry that records it.

A fact says what happened; an entry says where it stands in the log, who recorded it, when and from which
station. Facts refer to players by number, in order of registration from 1. What identifies a person stands in
`Person` and nowhere else, what a player plays with in `DeckList`, `DeckDifference` and `DeckFinding`. No fact
holds anything that can be derived from the facts before it, with two exceptions that are facts in their own
right: what was posted on the wall, and what chance decided.
"""

from matchledger.events.calls import CallAnswered, DeskCalled
from matchledger.events.clock import ClockFact, ClockPaused, ClockResumed, FirstPlayerSet, MarkCalled, TimeExtended
from matchledger.events.conduct import CardIncident, PenaltyGiven, RulingGiven
from matchledger.events.decks import (
    DeckAmended,
    DeckChecked,
    DeckDifference,
    DeckFinding,
    DeckList,
    DeckSubmitted,
    ListedCard,
)
from matchledger.events.divisions import DivisionMode, DivisionsDecided, FlightJoined, FlightsDrawn
from matchledger.events.doors import TokenAdmitted, TokenKeyDistrusted, TokenKeyTrusted, TokenRevoked
from matchledger.events.entry import ROLES, AnyFact, Entry, Role
from matchledger.events.fact import Fact, PlayerNumber, Stage, Two
from matchledger.events.paper import OverviewFiled
from matchledger.events.players import (
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from matchledger.events.postings import CheckpointSigned, PairingsPosted, PostedRow, StandingsPosted, TieResolved
from matchledger.events.privacy import NamesHandedOut, PersonErased
from matchledger.events.rounds import (
    Bye,
    PairingAmended,
    PoolDraw,
    RematchAllowed,
    RepairChoice,
    RepairChosen,
    RoundPaired,
    RoundStarted,
    Seating,
)
from matchledger.events.slips import (
    EmperorsJudgment,
    EntryRetracted,
    MatchConceded,
    NoShowRecorded,
    ResultCorrected,
    ResultReported,
    Slip,
    TimeTiebreak,
    When,
)
from matchledger.events.staff import Duty, Office, StaffAssigned, StaffDutyChanged
from matchledger.events.stages import (
    BracketDrawn,
    CutMade,
    DrawMethod,
    QualifierReplaced,
    StructureAnnounced,
    Style,
)
from matchledger.events.tournaments import FileImported, TournamentClosed, TournamentOpened

__all__ = [
    "ROLES",
    "AnyFact",
    "BracketDrawn",
    "Bye",
    "CallAnswered",
    "CardIncident",
    "CheckpointSigned",
    "ClockFact",
    "ClockPaused",
    "ClockResumed",
    "CutMade",
    "DeckAmended",
    "DeckChecked",
    "DeckDifference",
    "DeckFinding",
    "DeckList",
    "DeckSubmitted",
    "DeskCalled",
    "DivisionMode",
    "DivisionsDecided",
    "DrawMethod",
    "Duty",
    "EmperorsJudgment",
    "Entry",
    "EntryRetracted",
    "Fact",
    "FileImported",
    "FirstPlayerSet",
    "FlightJoined",
    "FlightsDrawn",
    "ListedCard",
    "MarkCalled",
    "MatchConceded",
    "NamesHandedOut",
    "NoShowRecorded",
    "Office",
    "OverviewFiled",
    "PairingAmended",
    "PairingsPosted",
    "PenaltyGiven",
    "Person",
    "PersonErased",
    "PlayerArrivedLate",
    "PlayerDisqualified",
    "PlayerDropped",
    "PlayerNumber",
    "PlayerRegistered",
    "PlayerRejoined",
    "PoolDraw",
    "PostedRow",
    "QualifierReplaced",
    "RematchAllowed",
    "RepairChoice",
    "RepairChosen",
    "ResultCorrected",
    "ResultReported",
    "Role",
    "RoundPaired",
    "RoundStarted",
    "RulingGiven",
    "Seating",
    "Slip",
    "StaffAssigned",
    "StaffDutyChanged",
    "Stage",
    "StandingsPosted",
    "StructureAnnounced",
    "Style",
    "TieResolved",
    "TimeExtended",
    "TimeTiebreak",
    "TokenAdmitted",
    "TokenKeyDistrusted",
    "TokenKeyTrusted",
    "TokenRevoked",
    "TournamentClosed",
    "TournamentOpened",
    "Two",
    "When",
]
