"""Features of a tournament that a foreign format may lack. An export names the features that it leaves out."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from matchledger.formats.transcript import (
    ArriveLate,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    OrderTie,
    Outcome,
    PlayRound,
    Register,
    Rejoin,
    Transcript,
)
from matchledger_projections.record.roster import is_membership

_PLAIN_KINDS = {"win", "draw", "double-loss", "score"}


def entrants_of(transcript: Transcript) -> list[Entrant]:
    """Return the players in order of registration."""
    return [step.entrant for step in transcript.steps if isinstance(step, Register | ArriveLate)]


def left_out(
    transcript: Transcript, *, holds: Collection[str], rulebook: str, plain: str = "a win or a tie"
) -> list[str]:
    """Return a line for each feature of a tournament that a format lacks.

    `holds` are the features that the format can store, and `rulebook` is the rulebook under which its files are
    read. `plain` describes the result that the format writes for an unknown kind of result.
    """
    lines = [line for key, line in _features(transcript, plain) if key not in holds]
    if transcript.rulebook != rulebook:
        lines.insert(0, f"the rulebook {transcript.rulebook}: such a file is read under {rulebook}")
    return lines


def _features(transcript: Transcript, plain: str) -> Iterator[tuple[str, str]]:
    if transcript.policies:
        yield "policies", f"policies: {', '.join(f'{key}={value}' for key, value in transcript.policies.items())}"
    entrants = entrants_of(transcript)
    if any(entrant.division or entrant.born for entrant in entrants):
        yield "divisions", "divisions and years of birth"
    if any(entrant.membership for entrant in entrants):
        yield "memberships", "membership numbers"
    columns = {key for entrant in entrants for key in entrant.attributes if not is_membership(key)}
    if columns:
        yield "attributes", f"other columns of the roster: {', '.join(sorted(columns))}"
    steps = transcript.steps
    if any(isinstance(step, ArriveLate | Rejoin) and step.losses for step in steps):
        yield "losses", "losses that late players were charged with"
    if any(isinstance(step, OrderTie) for step in steps):
        yield "ties", "the recorded order of ties"
    if any(isinstance(step, Disqualify) for step in steps):
        yield "disqualified", "disqualifications: written as players who left, without a place to compare"
    if causes := sorted({step.cause for step in steps if isinstance(step, Drop) and step.cause}):
        yield "causes", f"why players left: {', '.join(causes)}"
    if any(isinstance(step, Cut) and step.division_sizes for step in steps):
        yield "division-cuts", "which division each player of the cut belongs to"
    yield from _of_rounds([step for step in steps if isinstance(step, PlayRound)], plain)


def _of_rounds(rounds: list[PlayRound], plain: str) -> Iterator[tuple[str, str]]:
    outcomes: list[Outcome] = [game.outcome for step in rounds for game in step.games if game.outcome is not None]
    if kinds := sorted({outcome.kind for outcome in outcomes} - _PLAIN_KINDS):
        yield "kinds", f"kinds of result: {', '.join(kinds)} written as {plain}"
    if any(outcome.games for outcome in outcomes):
        yield "games", "games inside a match"
    if any(outcome.scores for outcome in outcomes):
        yield "scores", "points as written on slips"
    if any(outcome.blood_points is not None for outcome in outcomes):
        yield "blood-points", "blood points"
    if any(outcome.notes for outcome in outcomes):
        yield "notes", "what slips say about the end of a game"
    if any(bye.points is not None for step in rounds for bye in step.byes):
        yield "bye-points", "points of byes that differ from the rulebook's"
    if any(step.minutes is not None or step.extensions for step in rounds):
        yield "clock", "minutes of rounds, and extra time"
