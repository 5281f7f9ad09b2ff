"""NRTM JSON as an output: a transcript in the form that `formats.cobra` reads."""

from __future__ import annotations

import json
from typing import Any

from matchledger.formats.transcript import (
    ArriveLate,
    Cut,
    Disqualify,
    Drop,
    Game,
    OfficialNumbers,
    OrderTie,
    PlayRound,
    Register,
    Rejoin,
    Transcript,
)

_SCORES = {"win": (6, 0), "concession": (6, 0), "no-show": (6, 0), "draw": (3, 3), "double-loss": (0, 0)}
_NUMBERS = {
    "points": "matchPoints",
    "strength_of_schedule": "strengthOfSchedule",
    "extended_strength_of_schedule": "extendedStrengthOfSchedule",
}


def write_cobra(transcript: Transcript) -> tuple[bytes, list[str]]:
    """The tournament as NRTM JSON, and what that cannot hold."""
    left_out: list[str] = []
    if transcript.rulebook not in ("netrunner-2023", "netrunner-aesops"):
        left_out.append(f"scores of {transcript.rulebook}: a win is written as 6-0, a draw as 3-3")
    entrants = [step.entrant for step in transcript.steps if isinstance(step, Register | ArriveLate)]
    ids = {entrant.name: number for number, entrant in enumerate(entrants, 1)}
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
        "rounds": [_round(step, ids) for step in rounds],
    }
    if any(isinstance(step, OrderTie) for step in transcript.steps):
        left_out.append("the recorded order of ties")
    if any(isinstance(step, Disqualify) for step in transcript.steps):
        left_out.append("disqualifications: written as players who left")
    if any(entrant.division or entrant.born for entrant in entrants):
        left_out.append("divisions and years of birth")
    return json.dumps(document, ensure_ascii=False, indent=1).encode() + b"\n", left_out


def _gone(transcript: Transcript) -> set[str]:
    gone: set[str] = set()
    for step in transcript.steps:
        if isinstance(step, Drop | Disqualify):
            gone.add(step.player)
        elif isinstance(step, Rejoin):
            gone.discard(step.player)
    return gone


def _round(step: PlayRound, ids: dict[str, int]) -> list[dict[str, Any]]:
    matches = [_match(game, ids, elimination=step.stage == "elimination") for game in step.games]
    byes = [
        {
            "table": None,
            "player1": _side(ids[bye.player], 6 if bye.points is None else bye.points),
            "player2": _side(None, 0),
            "eliminationGame": step.stage == "elimination",
        }
        for bye in step.byes
    ]
    return matches + byes


def _match(game: Game, ids: dict[str, int], *, elimination: bool) -> dict[str, Any]:
    sides = [_side(ids[name], None) for name in (game.first, game.second)]
    if game.outcome is not None and elimination:
        for side, name in zip(sides, (game.first, game.second), strict=True):
            side["winner"] = game.outcome.winner == name
    elif game.outcome is not None:
        won, lost = game.outcome.scores or _SCORES.get(game.outcome.kind, (6, 0))
        turned = game.outcome.scores is None and game.outcome.winner == game.second
        for side, score in zip(sides, (lost, won) if turned else (won, lost), strict=True):
            side["combinedScore"] = score
    return {"table": game.table, "player1": sides[0], "player2": sides[1], "eliminationGame": elimination}


def _side(player: int | None, score: int | None) -> dict[str, Any]:
    return {"id": player, "runnerScore": None, "corpScore": None, "combinedScore": score}
