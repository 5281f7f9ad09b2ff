"""The results of the file readers in short form."""

from __future__ import annotations

from matchledger.formats.transcript import (
    ArriveLate,
    Drop,
    PlayRound,
    Register,
    Rejoin,
    Transcript,
)


def rounds_of(transcript: Transcript) -> list[PlayRound]:
    return [step for step in transcript.steps if isinstance(step, PlayRound)]


def movements_of(transcript: Transcript) -> list[str]:
    """Return the steps in short form: A, late B 1, swiss 1, drop A, rejoin A 1."""
    return [_movement(step) for step in transcript.steps]


def _movement(step: object) -> str:
    match step:
        case Register():
            return step.entrant.name
        case ArriveLate():
            return f"late {step.entrant.name} {step.rounds_started} {step.losses}"
        case PlayRound():
            return f"{step.stage} {step.number}"
        case Drop():
            return f"drop {step.player}"
        case Rejoin():
            return f"rejoin {step.player} {step.losses}"
        case _:
            return type(step).__name__.lower()
