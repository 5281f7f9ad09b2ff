"""Leaving the elimination stage: who can replace the player, and the effect on the bracket."""

from __future__ import annotations

from typing import Literal, NamedTuple

from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import brackets, cut_of, qualifiers
from matchledger_projections.stages.cut import ranked_for_cut, sharing_flight


class Left(NamedTuple):
    """The consequence when a player leaves the elimination stage, and its round: another player can be the
    replacement, the next opponent has a bye, or the player loses the next match.
    """

    what: Literal["replaced", "bye", "loss"]
    round: int


def of_leaver(record: Record, player: int) -> Left | None:
    """Return the consequence of a player's departure.

    Return None if the bracket has no further game for the player.

    L5R-IV.2b-CUTDROP, L5R-IV.2c-DROP, PKM-3.2-NODROP.
    """
    leaving = record.rulebook.elimination.leaving
    if player in qualifiers(record) and may_replace(record) and in_line(record, player):
        return Left("replaced", 1)
    drawn = brackets(record)
    if not drawn:
        return Left(leaving, 1) if player in qualifiers(record) else None
    games = ((number, game) for one in drawn for number, games in enumerate(one.rounds, 1) for game in games)
    return next(
        (Left(leaving, number) for number, game in games if game.outcome == "to come" and player in game.sides),
        None,
    )


def may_replace(record: Record) -> bool:
    """Return whether a qualifier who leaves can still be replaced."""
    if record.cut is None:
        return False
    if record.rulebook.elimination.replacement == "before-draw":
        return record.bracket_drawn is None and not record.rounds("elimination")
    first = record.round(1, "elimination")
    return first is None or (not first.has_started and record.round(2, "elimination") is None)


def in_line(record: Record, player: int, *, any_flight: bool = False) -> list[tuple[int, ...]]:
    """Return the possible replacements for a qualifier from the same division, best first, tied players together.

    If flights share the cut, the replacements are from the same flight, unless `any_flight` is allowed.
    """
    cut = cut_of(record, player)
    if cut is None:
        return []
    flight = None if any_flight else sharing_flight(record, cut, player)
    gone = {fact.player for fact in record.replacements} | set(qualifiers(record)) | set(cut.seeds)
    groups = (
        tuple(
            other
            for other in group
            if other not in gone and record.status(other) == "active" and (flight is None or other in flight)
        )
        for group in ranked_for_cut(record, cut.division, cut.round)
    )
    return [group for group in groups if group]
