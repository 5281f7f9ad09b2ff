"""Commands: what can be asked of a tournament, as typed data, for faces that are not typed at a prompt.

Each says what is wanted and leads to a decision of `tournament`; none knows who asks, or whether it may be.
Players are named by their numbers.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from matchledger.commands.clock import CallMark, ExtendTime, PauseClock, ResumeClock, SetFirstPlayer, StartRound
from matchledger.commands.command import Command
from matchledger.commands.conduct import AssignStaff, ChangeDuty, GivePenalty, GiveRuling, NoteCard, ReviewRuling
from matchledger.commands.decks import AmendDeck, CheckDecks, SubmitDeck
from matchledger.commands.players import DisqualifyPlayer, DropPlayer, RegisterPlayer, RegisterRoster, RejoinPlayer
from matchledger.commands.rounds import (
    AmendPairing,
    ChooseRepair,
    DrawTies,
    OrderTie,
    PairByHand,
    PairRound,
    PostPairings,
    PostStandings,
)
from matchledger.commands.slips import AnswerCall, ConcedeMatch, CorrectSlip, RecordNoShow, ReportSlip, RetractEntry
from matchledger.commands.stages import (
    AnnounceStructure,
    CloseTournament,
    DecideDivisions,
    DrawFlights,
    EndAtTime,
    FileOverview,
    MakeCut,
    ReplaceQualifier,
)
from matchledger.notation.problems import UsageProblem
from matchledger_projections.hint import demanding
from matchledger_projections.message import sentence

AnyCommand = Annotated[
    ReportSlip
    | CorrectSlip
    | RetractEntry
    | RecordNoShow
    | ConcedeMatch
    | RegisterPlayer
    | RegisterRoster
    | DropPlayer
    | RejoinPlayer
    | DisqualifyPlayer
    | PairRound
    | PairByHand
    | AmendPairing
    | StartRound
    | ExtendTime
    | PauseClock
    | ResumeClock
    | CallMark
    | SetFirstPlayer
    | PostStandings
    | PostPairings
    | DrawTies
    | OrderTie
    | AnnounceStructure
    | DecideDivisions
    | DrawFlights
    | MakeCut
    | ReplaceQualifier
    | EndAtTime
    | ChooseRepair
    | AnswerCall
    | GivePenalty
    | GiveRuling
    | ReviewRuling
    | NoteCard
    | AssignStaff
    | ChangeDuty
    | SubmitDeck
    | AmendDeck
    | CheckDecks
    | CloseTournament
    | FileOverview,
    Field(discriminator="kind"),
]


def need_reason(command: Command, reason: str | None) -> None:
    """Refuses a command without the reason that has to stand in the log: a repair, and what departs from a rule."""
    if (reason or "").strip():
        return
    if isinstance(command, ChooseRepair):
        raise UsageProblem(demanding(sentence("a repair needs its reason in the log: give one"), "a reason"))
    if isinstance(command, PairByHand) and command.allow_rematch:
        raise UsageProblem(
            demanding(
                sentence("a rematch that is paired by hand needs its reason in the log: give one"), "a reason"
            )
        )
    if getattr(command, "deviating", False) or getattr(command, "override", False):
        raise UsageProblem(
            demanding(sentence("what departs from a rule needs its reason in the log: give one"), "a reason")
        )


__all__ = [
    "AmendDeck",
    "AmendPairing",
    "AnnounceStructure",
    "AnswerCall",
    "AnyCommand",
    "AssignStaff",
    "CallMark",
    "ChangeDuty",
    "CheckDecks",
    "ChooseRepair",
    "CloseTournament",
    "Command",
    "ConcedeMatch",
    "CorrectSlip",
    "DecideDivisions",
    "DisqualifyPlayer",
    "DrawFlights",
    "DrawTies",
    "DropPlayer",
    "EndAtTime",
    "ExtendTime",
    "FileOverview",
    "GivePenalty",
    "GiveRuling",
    "MakeCut",
    "NoteCard",
    "OrderTie",
    "PairByHand",
    "PairRound",
    "PauseClock",
    "PostPairings",
    "PostStandings",
    "RecordNoShow",
    "RegisterPlayer",
    "RegisterRoster",
    "RejoinPlayer",
    "ReplaceQualifier",
    "ReportSlip",
    "ResumeClock",
    "RetractEntry",
    "ReviewRuling",
    "SetFirstPlayer",
    "StartRound",
    "SubmitDeck",
    "need_reason",
]
