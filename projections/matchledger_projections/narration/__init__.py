"""Narration: one line for each fact, in the words of the field and with names instead of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from matchledger.events import (
    AnyFact,
    CallFact,
    ChanceFact,
    ClockFact,
    ConductFact,
    CopyMerged,
    DeckFact,
    DivisionFact,
    DoorFact,
    Fact,
    OverviewFiled,
    PhoneFact,
    PlayerFact,
    PostingFact,
    PrivacyFact,
    PublicityFact,
    RoundFact,
    SlipFact,
    StaffFact,
    StageFact,
    TournamentFact,
)
from matchledger_projections.narration.conduct import tell_conduct, tell_deck, tell_door, tell_overview, tell_staff
from matchledger_projections.narration.field import MODES, tell_chance, tell_division, tell_player, tell_privacy
from matchledger_projections.narration.matches import tell_call, tell_match, tell_phone, tell_slip
from matchledger_projections.narration.names import in_plain_words, under_round
from matchledger_projections.narration.rounds import tell_clock, tell_round
from matchledger_projections.narration.tournaments import (
    tell_merged_copy,
    tell_merged_entries,
    tell_posting,
    tell_publicity,
    tell_stage,
    tell_structure,
    tell_tournament,
)
from matchledger_projections.record.record import Record

__all__ = ["MODES", "in_plain_words", "tell", "tell_merged_entries", "tell_slip", "tell_structure", "under_round"]


_Teller = Callable[[Record, Any], str]
TELLERS: dict[type[Fact], _Teller] = {
    kind: tell_fact
    for facts, tell_fact in (
        (TournamentFact, tell_tournament),
        (PlayerFact, tell_player),
        (RoundFact, tell_round),
        (ClockFact, tell_clock),
        (SlipFact, tell_match),
        (PostingFact, tell_posting),
        (StageFact, tell_stage),
        (DeckFact, tell_deck),
        (CallFact, tell_call),
        (PhoneFact, tell_phone),
        (PublicityFact, tell_publicity),
        (ConductFact, tell_conduct),
        (PrivacyFact, tell_privacy),
        (DoorFact, tell_door),
        (DivisionFact, tell_division),
        (ChanceFact, tell_chance),
        (StaffFact, tell_staff),
    )
    for kind in get_args(facts)
} | {OverviewFiled: tell_overview, CopyMerged: tell_merged_copy}


def tell(record: Record, fact: AnyFact) -> str:
    """Describe a fact in one line."""
    return TELLERS[type(fact)](record, fact)
