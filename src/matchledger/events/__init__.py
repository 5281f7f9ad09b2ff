"""The facts of a tournament: frozen models in the past tense, each with the entry that records it.

A fact says what happened; an entry says where it stands in the log, who recorded it, when and from which
station. Facts refer to players by number, in order of registration from 1. What identifies a person stands in
`Person` and nowhere else, what a player plays with in `DeckList`, `DeckDifference` and `DeckFinding`. No fact
holds anything that can be derived from the facts before it, with two exceptions that are facts in their own
right: what was posted on the wall, and what chance decided.
"""

from matchledger.events.calls import CallAnswered, CallFact, DeskCalled
from matchledger.events.clock import ClockFact, ClockPaused, ClockResumed, FirstPlayerSet, MarkCalled, TimeExtended
from matchledger.events.conduct import CardIncident, ConductFact, PenaltyGiven, RulingGiven
from matchledger.events.decks import (
    DeckAmended,
    DeckChecked,
    DeckDifference,
    DeckFact,
    DeckFinding,
    DeckList,
    DeckSubmitted,
    ListedCard,
)
from matchledger.events.divisions import DivisionFact, DivisionMode, DivisionsDecided, FlightJoined, FlightsDrawn
from matchledger.events.doors import DoorFact, TokenAdmitted, TokenKeyDistrusted, TokenKeyTrusted, TokenRevoked
from matchledger.events.entry import ROLES, AnyFact, Entry, Role
from matchledger.events.fact import Action, Fact, PlayerNumber, Stage, Two
from matchledger.events.paper import OverviewFiled
from matchledger.events.plain import PlainEntry, PlainReport, PlainSlip
from matchledger.events.players import (
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerFact,
    PlayerRegistered,
    PlayerRejoined,
)
from matchledger.events.postings import (
    CheckpointSigned,
    PairingsPosted,
    PostedRow,
    PostingFact,
    StandingsPosted,
    TieResolved,
)
from matchledger.events.privacy import NamesHandedOut, PersonErased, PrivacyFact
from matchledger.events.rounds import (
    Bye,
    PairingAmended,
    PoolDraw,
    RematchAllowed,
    RepairChoice,
    RepairChosen,
    RoundFact,
    RoundPaired,
    RoundStarted,
    Seating,
)
from matchledger.events.slips import (
    EmperorsJudgment,
    EntryRetracted,
    Games,
    MatchConceded,
    NoShowRecorded,
    ResultCorrected,
    ResultReported,
    Slip,
    SlipFact,
    SlipRefused,
    TimeTiebreak,
    When,
)
from matchledger.events.staff import Duty, Office, StaffAssigned, StaffDutyChanged, StaffFact
from matchledger.events.stages import (
    BracketDrawn,
    CutMade,
    DrawMethod,
    QualifierReplaced,
    StageFact,
    StructureAnnounced,
    Style,
)
from matchledger.events.tournaments import FileImported, TournamentClosed, TournamentFact, TournamentOpened

__all__ = [
    "ROLES",
    "Action",
    "AnyFact",
    "BracketDrawn",
    "Bye",
    "CallAnswered",
    "CallFact",
    "CardIncident",
    "CheckpointSigned",
    "ClockFact",
    "ClockPaused",
    "ClockResumed",
    "ConductFact",
    "CutMade",
    "DeckAmended",
    "DeckChecked",
    "DeckDifference",
    "DeckFact",
    "DeckFinding",
    "DeckList",
    "DeckSubmitted",
    "DeskCalled",
    "DivisionFact",
    "DivisionMode",
    "DivisionsDecided",
    "DoorFact",
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
    "Games",
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
    "PlainEntry",
    "PlainReport",
    "PlainSlip",
    "PlayerArrivedLate",
    "PlayerDisqualified",
    "PlayerDropped",
    "PlayerFact",
    "PlayerNumber",
    "PlayerRegistered",
    "PlayerRejoined",
    "PoolDraw",
    "PostedRow",
    "PostingFact",
    "PrivacyFact",
    "QualifierReplaced",
    "RematchAllowed",
    "RepairChoice",
    "RepairChosen",
    "ResultCorrected",
    "ResultReported",
    "Role",
    "RoundFact",
    "RoundPaired",
    "RoundStarted",
    "RulingGiven",
    "Seating",
    "Slip",
    "SlipFact",
    "SlipRefused",
    "StaffAssigned",
    "StaffDutyChanged",
    "StaffFact",
    "Stage",
    "StageFact",
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
    "TournamentFact",
    "TournamentOpened",
    "Two",
    "When",
]
