"""NRTM JSON as an output: a transcript in the form that `formats.cobra` reads."""

from __future__ import annotations

import json
from typing import Any

from matchledger.formats.left_out import entrants_of, left_out
from matchledger.formats.transcript import (
    Cut,
    Disqualify,
    Drop,
    Game,
    OfficialNumbers,
    Outcome,
    PlayRound,
    Rejoin,
    Transcript,
)

_HOLDS = {"scores", "bye-points"}
# What a win and a draw are worth: two games, or one game of Aesop's Tables.
_WORTH = {"netrunner-aesops": (3, 1)}
_TWO_GAMES = (6, 3)
_NUMBERS = {
    "points": "matchPoints",
    "strength_of_schedule": "strengthOfSchedule",
    "extended_strength_of_schedule": "extendedStrengthOfSchedule",
}


def write_cobra(transcript: Transcript) -> tuple[bytes, list[str]]:
    """The tournament as NRTM JSON, and what that cannot hold."""
    missing = left_out(transcript, holds=_HOLDS, rulebook="netrunner-2023")
    worth = _WORTH.get(transcript.rulebook, _TWO_GAMES)
    if missing and missing[0].startswith("the rulebook"):
        missing[0] += "; a win is written as {0}-0, a draw as {1}-{1}".format(*worth)
    ids = {entrant.name: number for number, entrant in enumerate(entrants_of(transcript), 1)}
    official = transcript.official or OfficialNumbers()
    ranks = {name: rank for rank, name in enumerate(official.orders.get("", ()), 1)}
    gone = _gone(transcript)
    rounds = [step for step in transcript.steps if isinstance(step, PlayRound)]
    cut = next((step for step in transcript.steps if isinstance(step, Cut)), None)
    players: list[dict[str, Any]] = [
        {
            "id": ids[name],
            "name": name,
            "rank": ranks.get(name),
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
            {"id": ids[name], "seed": seed, "rank": None} for seed, name in enumerate(cut.seeds if cut else (), 1)
        ],
        "rounds": [_round(step, ids, worth) for step in rounds],
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n", missing


def _gone(transcript: Transcript) -> set[str]:
    gone: set[str] = set()
    for step in transcript.steps:
        if isinstance(step, Drop | Disqualify):
            gone.add(step.player)
        elif isinstance(step, Rejoin):
            gone.discard(step.player)
    return gone


def _round(step: PlayRound, ids: dict[str, int], worth: tuple[int, int]) -> list[dict[str, Any]]:
    matches = [_match(game, ids, None if step.stage == "elimination" else worth) for game in step.games]
    byes = [
        {
            "table": None,
            "player1": _side(ids[bye.player], worth[0] if bye.points is None else bye.points),
            "player2": _side(None, 0),
            "eliminationGame": step.stage == "elimination",
        }
        for bye in step.byes
    ]
    return matches + byes


def _match(game: Game, ids: dict[str, int], worth: tuple[int, int] | None) -> dict[str, Any]:
    """A match; one of the elimination stage has a winner, and its points are `worth` nothing."""
    sides = [_side(ids[name], None) for name in (game.first, game.second)]
    if game.outcome is not None and worth is None:
        for side, name in zip(sides, (game.first, game.second), strict=True):
            side["winner"] = game.outcome.winner == name
    elif game.outcome is not None and worth is not None:
        for side, score in zip(sides, game.outcome.scores or _points(game, game.outcome, worth), strict=True):
            side["combinedScore"] = score
    return {"table": game.table, "player1": sides[0], "player2": sides[1], "eliminationGame": worth is None}


def _points(game: Game, outcome: Outcome, worth: tuple[int, int]) -> tuple[int, int]:
    win, draw = worth
    if outcome.winner is None:
        return (0, 0) if outcome.kind == "double-loss" else (draw, draw)
    return (win, 0) if outcome.winner == game.first else (0, win)


def _side(player: int | None, score: int | None) -> dict[str, Any]:
    return {"id": player, "runnerScore": None, "corpScore": None, "combinedScore": score}
