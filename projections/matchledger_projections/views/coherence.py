"""Coherence: whether an entry of an imported or copied log is possible after the earlier entries.

This program checks every command before recording its facts. An imported log may contain any fact in a valid form.
The check asks only whether named players have entered, rounds and entries exist, and no number is too large for an
event.
"""

from __future__ import annotations

from typing import Any

from matchledger.events import (
    Entry,
    PlayerArrivedLate,
    PlayerRegistered,
    PolicyChanged,
    RoundPaired,
    Stage,
    TournamentOpened,
)
from matchledger_projections.record.record import Record
from matchledger_projections.record.references import ENTRIES, PLAYERS, ROUNDS, numbers
from matchledger_projections.rulebook.rulebook import RulebookError

LARGEST = 10**9
_STAGES: tuple[Stage, ...] = ("swiss", "elimination")
_OF_THE_MATCH = {"absent", "by", "decider", "first_player", "turn", "winner"}


def incoherence(record: Record, entry: Entry) -> str | None:
    """Return the reason why an entry is impossible after the entries of a record. Return None if the entry is
    possible.
    """
    fact = entry.fact
    if isinstance(fact, TournamentOpened) and record.opening is not None:
        return "the tournament is open already"
    if isinstance(fact, PlayerRegistered | PlayerArrivedLate) and fact.number != len(record.players) + 1:
        return f"player {fact.number} is not the next one"
    rounds = 1 + max((round_.number for stage in _STAGES for round_ in record.rounds(stage)), default=0)
    if isinstance(fact, RoundPaired) and fact.round > rounds:
        return f"round {fact.round} is paired before round {rounds}"
    if isinstance(fact, PolicyChanged):
        try:
            record.rulebook_with({fact.flag: fact.value})
        except RulebookError as problem:
            return str(problem)
    if (match := _match(fact)) is not None and (stranger := _stranger(fact, match)) is not None:
        return f"{stranger} does not play in that match"
    problems = (_problem(record, entry, rounds, name, number) for name, number in numbers(fact.model_dump()))
    return next((problem for problem in problems if problem is not None), None)


def _problem(record: Record, entry: Entry, rounds: int, name: str, number: int) -> str | None:
    """Return the problem with a number in the field `name`, or None."""
    if abs(number) > LARGEST:
        return f"{name}: a number beyond {LARGEST}"
    if name in PLAYERS and number not in record.players:
        return f"{name}: there is no player {number}"
    if name in ROUNDS and number > rounds:
        return f"{name}: there is no round {number}"
    if name in ENTRIES and not 1 <= number < entry.position:
        return f"{name}: there is no entry {number} before it"
    return None


def _match(fact: Any) -> tuple[int, ...] | None:
    players = getattr(fact, "players", None)
    return players if isinstance(players, tuple) and getattr(fact, "table", None) is not None else None


def _stranger(fact: Any, match: tuple[int, ...]) -> int | None:
    """Return a player whom a fact about a match names, but who does not play in the match, or None."""
    said = ((name, number) for name, number in numbers(fact.model_dump()) if name in _OF_THE_MATCH)
    return next((number for _, number in said if number not in match), None)
