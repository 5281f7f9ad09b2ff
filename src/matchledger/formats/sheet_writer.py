"""The score sheet as an output: a transcript as the lines that `formats.sheet` reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from matchledger.formats.transcript import (
    ArriveLate,
    Close,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    Game,
    OrderTie,
    Outcome,
    PlayRound,
    Register,
    Rejoin,
    Step,
    Transcript,
)

_PLAIN = re.compile(r"[^\s\"#=<>()]+")
_PAIRS = {"broken", "honor"}  # a number for each player, in the order of the names
_SIGNS = {"<", ">", "=", "-", "bye"}


def write_sheet(transcript: Transcript) -> tuple[bytes, list[str]]:
    """The tournament as a score sheet (UTF-8), and what a sheet cannot hold."""
    left_out: list[str] = []
    lines = [f"rulebook {transcript.rulebook}"]
    if transcript.name:
        lines.append(f"event {_name(transcript.name)}")
    lines += [f"option {policy}={value}" for policy, value in transcript.policies.items()]
    for step in transcript.steps:
        lines += _WRITERS[type(step)](step, left_out)
    return ("\n".join(lines) + "\n").encode(), left_out


def _name(name: str) -> str:
    return name if _PLAIN.fullmatch(name) and name not in _SIGNS else f'"{name}"'


def _entrant(word: str, entrant: Entrant, last: str = "") -> str:
    attributes = {"division": entrant.division, "born": entrant.born, **entrant.attributes}
    said = [f"{key}={_name(str(value))}" for key, value in attributes.items() if value is not None]
    return " ".join(filter(None, [word, _name(entrant.name), last, *said]))


def _register(step: Register, _: list[str]) -> Iterator[str]:
    yield _entrant("player", step.entrant)


def _late(step: ArriveLate, left_out: list[str]) -> Iterator[str]:
    yield _entrant("late", step.entrant, str(step.rounds_started))
    if step.losses is not None and step.losses != tuple(range(1, step.rounds_started + 1)):
        left_out.append(f"{step.entrant.name}: losses for rounds {step.losses or 'none'}")


def _play(step: PlayRound, left_out: list[str]) -> Iterator[str]:
    yield f"{'round' if step.stage == 'swiss' else 'elimination'} {step.number}"
    if [game.table for game in step.games] != list(range(1, len(step.games) + 1)):
        left_out.append(f"round {step.number}: table numbers")
    if step.minutes is not None:
        yield f"  minutes {step.minutes}"
    for game in step.games:
        yield f"  {_game(game)}"
    for bye in step.byes:
        yield f"  {_name(bye.player)} bye{'' if bye.points is None else f' ({bye.points})'}"
    for more in step.extensions:
        reason = "" if more.reason is None else f' "{more.reason}"'
        yield f"  extend {more.table} {more.minutes}{reason}"


def _game(game: Game) -> str:
    first, second = _name(game.first), _name(game.second)
    rematch = " rematch" if game.rematch else ""
    if game.outcome is None:
        return f"{first} - {second}{rematch}"
    outcome = game.outcome
    if outcome.kind == "score" and outcome.scores is not None:
        return f"{first} {outcome.scores[0]}-{outcome.scores[1]} {second}{rematch}"
    turned = outcome.winner == game.second
    if turned:
        first, second = second, first
    sign = "=" if outcome.winner is None else ">"
    return f"{first} {sign} {second}{_beside(outcome, turned=turned)}{rematch}"


def _beside(outcome: Outcome, *, turned: bool) -> str:
    plain = "draw" if outcome.winner is None else "win"
    words = [] if outcome.kind == plain else [outcome.kind]
    if outcome.games is not None:
        won, lost, drawn = outcome.games
        games = (lost, won) if turned else (won, lost)
        words.append("-".join(str(part) for part in (*games, *([drawn] if drawn or plain == "draw" else []))))
    if outcome.blood_points is not None:
        words.append(f"({outcome.blood_points})")
    for note in outcome.notes:
        word, _, value = note.partition("=")
        words.append(
            f"{word}={'-'.join(reversed(value.split('-'))) if turned and word in _PAIRS else _name(value)}"
        )
    return "".join(f" {word}" for word in words)


def _drop(step: Drop, left_out: list[str]) -> Iterator[str]:
    yield f"drop {_name(step.player)}"
    if step.cause is not None:
        left_out.append(f"{step.player}: left because of {step.cause}")


def _rejoin(step: Rejoin, _: list[str]) -> Iterator[str]:
    yield f"rejoin {_name(step.player)}"


def _disqualify(step: Disqualify, _: list[str]) -> Iterator[str]:
    yield f"disqualify {_name(step.player)}"


def _tie(step: OrderTie, _: list[str]) -> Iterator[str]:
    yield f"draw {' '.join(_name(player) for player in step.players)}"


def _cut(step: Cut, _: list[str]) -> Iterator[str]:
    sizes = [f"{division}={size}" for division, size in step.division_sizes.items()]
    yield f"cut {' '.join(sizes) or step.size}"


def _close(_: Close, __: list[str]) -> Iterator[str]:
    yield "close"


_WRITERS: dict[type[Step], Callable[..., Iterator[str]]] = {
    Register: _register,
    ArriveLate: _late,
    PlayRound: _play,
    Drop: _drop,
    Rejoin: _rejoin,
    Disqualify: _disqualify,
    OrderTie: _tie,
    Cut: _cut,
    Close: _close,
}
