"""Announcements, ties, cuts and brackets of another copy: they count if only that copy has them."""

from __future__ import annotations

from collections.abc import Hashable

from matchledger.commands.copied_rounds import chance, played
from matchledger.commands.diverged import Diverged, Outcome
from matchledger.events import (
    AnyFact,
    BracketDrawn,
    CutMade,
    Entry,
    QualifierReplaced,
    StructureAnnounced,
    TieResolved,
)
from matchledger_projections.message import sentence, word
from matchledger_projections.pairing.footing import groundless
from matchledger_projections.record.record import Record

OfStage = StructureAnnounced | TieResolved | CutMade | QualifierReplaced | BracketDrawn


def stage_came(copies: Diverged, entry: Entry, fact: OfStage) -> Outcome:
    """Merge an entry about a stage.

    It counts here if both copies had the same results before it, and this copy decided nothing else. Otherwise a
    person settles it. An announcement needs the same number of rounds only.
    """
    here, there = copies.here, copies.there.as_of(entry.position - 1)
    apart = any(_competes(own.fact, fact) for own in copies.living())
    announced = isinstance(fact, StructureAnnounced)
    grounds = _progress(here) == _progress(there) if announced else _alike(copies, there)
    if apart or not grounds or not _drawn_alike(copies, there, entry, fact):
        return something_else_came(copies, entry, fact)
    return copies.counts(entry, fact)


def something_else_came(copies: Diverged, entry: Entry, fact: AnyFact) -> Outcome:
    """Questions for a person, unless both copies agree."""
    alike = next((own.position for own in copies.living() if own.fact == fact), None)
    if alike is not None:
        return Outcome(entry, "same", alike)
    kind = word(fact.kind.replace("-", " "))
    about = ("elimination", 1) if isinstance(fact, BracketDrawn) else None
    return copies.ask(
        entry,
        sentence(
            "entry %(entry)s of the other copy (%(kind)s) is not here: record the same here, or merge this copy "
            "into the other one",
            entry=entry.position,
            kind=kind,
        ),
        about,
    )


def _competes(own: AnyFact, fact: OfStage) -> bool:
    """Whether this copy decided the same question."""
    if isinstance(own, TieResolved) and isinstance(fact, TieResolved):
        return own.round == fact.round and not set(own.players).isdisjoint(fact.players)
    return type(own) is type(fact)


def _progress(record: Record) -> Hashable:
    return len(record.rounds()), len(record.rounds("elimination")), len(record.cuts)


def _alike(copies: Diverged, there: Record) -> bool:
    return played(copies.here, lambda number: number) == played(there, copies.player_of)


def _drawn_alike(copies: Diverged, there: Record, entry: Entry, fact: OfStage) -> bool:
    """Whether the same lots are drawn here. They depend on the numbers of the players."""
    if getattr(fact, "seed", None) is None:
        return True
    return fact == entry.fact and groundless(copies.here) is None and chance(copies.here) == chance(there)
