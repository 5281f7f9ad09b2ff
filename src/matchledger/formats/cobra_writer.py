"""NRTM JSON: writing a transcript in the form that `formats.cobra` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from matchledger.formats.left_out import entrants_of, left_out
from matchledger.formats.transcript import (
    Close,
    Cut,
    Disqualify,
    Drop,
    Game,
    OfficialNumbers,
    PlayRound,
    Rejoin,
    Transcript,
)

_HOLDS = {"scores", "bye-points"}
_RULEBOOK = "netrunner-2023"
_NUMBERS = {
    "points": "matchPoints",
    "strength_of_schedule": "strengthOfSchedule",
    "extended_strength_of_schedule": "extendedStrengthOfSchedule",
}


def write_cobra(transcript: Transcript) -> tuple[bytes, list[str]]:
    """Return the tournament as NRTM JSON, and a line for each feature that the format cannot store."""
    # Netrunner has no charged rounds, so a file without charged rounds loses nothing.
    holds = _HOLDS | {"losses"} if transcript.rulebook == _RULEBOOK else _HOLDS
    missing = left_out(transcript, holds=holds, rulebook=_RULEBOOK, plain="points")
    ids = {entrant.name: number for number, entrant in enumerate(entrants_of(transcript), 1)}
    official = transcript.official or OfficialNumbers()
    ranks = {name: rank for rank, name in enumerate(official.orders.get("", ()), 1)}
    gone = _gone(transcript)
    out = {step.player for step in transcript.steps if isinstance(step, Disqualify)}
    rounds = [step for step in transcript.steps if isinstance(step, PlayRound)]
    cut = next((step for step in transcript.steps if isinstance(step, Cut)), None)
    missing += _end_left_out(transcript, rounds, cut)
    players: list[dict[str, Any]] = [
        {
            "id": ids[name],
            "name": name,
            "rank": None if name in out else ranks.get(name),
            **{_NUMBERS[key]: text for key, text in official.values.get(name, {}).items() if key in _NUMBERS},
            "forfeit": name in gone,
        }
        for name in ids
    ]
    document = {
        "name": transcript.name,
        "players": players,
        "preliminaryRounds": sum(step.stage == "swiss" for step in rounds),
        "cutToTop": len(cut.seeds) if cut else 0,
        "eliminationPlayers": [
            {"id": ids[name], "seed": seed, "rank": transcript.places.get(name)}
            for seed, name in enumerate(cut.seeds if cut else (), 1)
        ],
        "rounds": [_round(step, ids, transcript.bye_points or 0) for step in rounds],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n", missing


def _end_left_out(transcript: Transcript, rounds: list[PlayRound], cut: Cut | None) -> Iterator[str]:
    """Yield a note if a reader of the file would take an open event for closed, or a closed event for open. The
    format has no field for the end, so readers infer the end from rounds and ranks.
    """
    closed = any(isinstance(step, Close) for step in transcript.steps)
    if closed and cut is not None and not transcript.places:
        yield "the closing: a place in the cut is not decided, and the file is read as an open event"
    if not closed and cut is None and rounds and all(game.outcome is not None for game in rounds[-1].games):
        yield "that the event goes on: every round is reported, and the file is read as a closed event"


def _gone(transcript: Transcript) -> set[str]:
    gone: set[str] = set()
    for step in transcript.steps:
        if isinstance(step, Drop | Disqualify):
            gone.add(step.player)
        elif isinstance(step, Rejoin):
            gone.discard(step.player)
    return gone


def _round(step: PlayRound, ids: dict[str, int], bye_points: int) -> list[dict[str, Any]]:
    elimination = step.stage == "elimination"
    matches = [(_decided if elimination else _scored)(game, ids) for game in step.games]
    byes = [
        {
            "table": None,
            "player1": _side(ids[bye.player], bye_points if bye.points is None else bye.points),
            "player2": _side(None, 0),
            "eliminationGame": elimination,
        }
        for bye in step.byes
    ]
    return matches + byes


def _decided(game: Game, ids: dict[str, int]) -> dict[str, Any]:
    """Return a match of the cut, which has a winner but no points. A match without a winner is a loss for both
    players.
    """
    sides = [_side(ids[name], None) for name in (game.first, game.second)]
    if game.outcome is not None:
        for side, name in zip(sides, (game.first, game.second), strict=True):
            side["winner"] = game.outcome.winner == name
    return {"table": game.table, "player1": sides[0], "player2": sides[1], "eliminationGame": True}


def _scored(game: Game, ids: dict[str, int]) -> dict[str, Any]:
    """Return a Swiss match with its points from the log."""
    worth = (None, None) if game.outcome is None else game.outcome.worth or game.outcome.scores or (0, 0)
    sides = [_side(ids[name], score) for name, score in zip((game.first, game.second), worth, strict=True)]
    return {"table": game.table, "player1": sides[0], "player2": sides[1], "eliminationGame": False}


def _side(player: int | None, score: int | None) -> dict[str, Any]:
    return {"id": player, "runnerScore": None, "corpScore": None, "combinedScore": score}
