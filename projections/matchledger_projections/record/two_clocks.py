"""The two clocks: which entries belong to a past round as known, and which belong to it as corrected.

*As known* is the log up to a position: what the wall showed on that day. *As corrected* is every entry about
rounds up to some round, including later corrections.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from matchledger.events import (
    AnyFact,
    BracketDrawn,
    CutMade,
    Entry,
    EntryRetracted,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRejoined,
    QualifierReplaced,
    RoundPaired,
    StandingsPosted,
    TournamentClosed,
)
from matchledger_projections.record.record import Record

Clock = Literal["as-known", "as-corrected"]


def round_of(fact: AnyFact) -> int | None:
    """Return the Swiss round of a fact.

    Return None if the fact is about the whole tournament.

    The elimination stage and the end of a tournament come after every Swiss round.
    """
    match fact:
        case CutMade() | QualifierReplaced() | BracketDrawn() | TournamentClosed():
            return _AFTER_SWISS
        case _ if getattr(fact, "stage", "swiss") == "elimination":
            return _AFTER_SWISS
        case PlayerDropped() | PlayerDisqualified():
            return fact.after_round
        case PlayerArrivedLate() | PlayerRejoined():
            return max(fact.losses, default=0)
        case _:
            return getattr(fact, "round", None)


_AFTER_SWISS = 2**31


def about_rounds(entries: Iterable[Entry], through: int) -> list[Entry]:
    """Return the entries about rounds up to `through`. A retraction belongs to the entry that it retracts."""
    rounds: dict[int, int | None] = {}
    pairings = _Pairings()
    kept: list[Entry] = []
    for entry in entries:
        fact = entry.fact
        pairings.take(entry)
        if isinstance(fact, PlayerArrivedLate | PlayerRejoined) and not fact.losses:
            number: int | None = (
                pairings.latest
            )  # without charged rounds, the player came or came back during the latest round
        else:
            number = rounds.get(fact.retracts) if isinstance(fact, EntryRetracted) else round_of(fact)
        rounds[entry.position] = number
        if number is None or number <= through:
            kept.append(entry)
    return kept


class _Pairings:
    """The last paired Swiss round, entry by entry."""

    def __init__(self) -> None:
        self.latest = 0
        self._stands: dict[int, tuple[int, bool]] = {}

    def take(self, entry: Entry) -> None:
        fact = entry.fact
        if isinstance(fact, RoundPaired) and fact.stage == "swiss":
            self._stands[entry.position] = fact.round, True
            self.latest = fact.round
        elif isinstance(fact, EntryRetracted) and fact.retracts in self._stands:
            number, stood = self._stands[fact.retracts]
            self._stands[entry.position] = number, not stood
            self.latest = number - 1 if stood else number


def position_when_known(record: Record, entries: Iterable[Entry], round_: int) -> int:
    """Return the length of the log when the standings after a round were used for the next step.

    Return the position of the last posting of the round's standings before the next round was paired, otherwise
    that of the last entry before that pairing or before the cut, otherwise the end of the log.
    """
    last = record.position
    posted = 0
    for entry in entries:
        fact = entry.fact
        if isinstance(fact, RoundPaired | CutMade) and record.is_dead(entry.position):
            continue  # the step was retracted, so it is not the next step
        follows = isinstance(fact, RoundPaired) and (fact.stage == "elimination" or fact.round > round_)
        if follows or isinstance(fact, CutMade):
            last = entry.position - 1
            break
        if isinstance(fact, StandingsPosted) and fact.round == round_:
            posted = entry.position
    return posted or last
