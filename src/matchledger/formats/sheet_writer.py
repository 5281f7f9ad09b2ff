"""Score sheet output: writing a transcript in the lines that `formats.sheet` reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from matchledger.formats.left_out import entrants_of
from matchledger.formats.sheet import INSTRUCTIONS
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
from matchledger_projections.rulebook.rulebook import shipped_rulebooks

_PLAIN = re.compile(r"[^\s\"#=<>()]+")
_PAIRS = {"broken", "honor"}  # notes with a number for each player, in the order of the names
_WORDS = {"<", ">", "=", "-", "bye", *INSTRUCTIONS}
_KEY = re.compile(r"(?!(?:losses|division|born)$)[A-Za-z][A-Za-z0-9_-]*")
# Double quotes surround a name, so a name cannot contain a double quote.
_QUOTES = str.maketrans(dict.fromkeys('"“”„', "'"))


def write_sheet(transcript: Transcript) -> tuple[bytes, list[str]]:
    """Return the tournament as a score sheet (UTF-8), and a line for each feature that a sheet cannot store."""
    left_out: list[str] = []
    if transcript.rulebook not in shipped_rulebooks():
        left_out.append(f"the rulebook {transcript.rulebook}: a sheet names a rulebook that matchledger brings")
    if any(entrant.name != entrant.name.translate(_QUOTES) for entrant in entrants_of(transcript)):
        left_out.append("double quotes in names: written as single ones")
    lines = [f"rulebook {transcript.rulebook}"]
    if transcript.name:
        lines.append(f"event {_name(transcript.name)}")
    lines += [f"option {policy}={value}" for policy, value in transcript.policies.items()]
    if transcript.division_years:
        lines.append(f"divisions {' '.join(f'{name}={year}' for name, year in transcript.division_years.items())}")
    for step in transcript.steps:
        if isinstance(step, Cut):
            lines.append(_cut(step, _top(transcript, step.size)))
        else:
            lines += _WRITERS[type(step)](step, left_out)
    return ("\n".join(lines) + "\n").encode(), list(dict.fromkeys(left_out))


def _name(name: str) -> str:
    name = name.translate(_QUOTES)
    return name if _PLAIN.fullmatch(name) and name not in _WORDS else f'"{name}"'


def _top(transcript: Transcript, size: int) -> tuple[str, ...]:
    """Return the best players in the standings, without players who left before the cut."""
    gone: set[str] = set()
    for step in transcript.steps:
        match step:
            case Drop() | Disqualify():
                gone.add(step.player)
            case Rejoin():
                gone.discard(step.player)
            case Cut():
                break
    orders = {} if transcript.official is None else transcript.official.orders
    return tuple(name for name in orders.get("", ()) if name not in gone)[:size]


def _entrant(word: str, entrant: Entrant, left_out: list[str], last: str = "") -> str:
    said = {"division": entrant.division, "born": entrant.born}
    for key, value in entrant.attributes.items():
        if _KEY.fullmatch(key) and value and value.translate(_QUOTES) == value and value.isprintable():
            said[key] = value
        else:
            left_out.append(f"{entrant.name}: {key}")
    words = [f"{key}={_name(str(value))}" for key, value in said.items() if value is not None]
    return " ".join(filter(None, [word, _name(entrant.name), last, *words]))


def _losses(losses: tuple[int, ...] | None) -> str:
    return "" if losses is None else f" losses={','.join(map(str, losses)) or 'none'}"


def _register(step: Register, left_out: list[str]) -> Iterator[str]:
    yield _entrant("player", step.entrant, left_out)


def _late(step: ArriveLate, left_out: list[str]) -> Iterator[str]:
    yield _entrant("late", step.entrant, left_out, str(step.rounds_started)) + _losses(step.losses)


def _play(step: PlayRound, left_out: list[str]) -> Iterator[str]:
    yield f"{'round' if step.stage == 'swiss' else 'elimination'} {step.number}"
    if [game.table for game in step.games] != list(range(1, len(step.games) + 1)):
        left_out.append("table numbers: the tables of a round are counted from 1")
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
    if outcome.as_found:
        rematch = f" as-found{rematch}"
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


def _drop(step: Drop, _: list[str]) -> Iterator[str]:
    yield f"drop {_name(step.player)}{'' if step.cause is None else f' {_name(step.cause)}'}"


def _rejoin(step: Rejoin, _: list[str]) -> Iterator[str]:
    yield f"rejoin {_name(step.player)}{_losses(step.losses)}"


def _disqualify(step: Disqualify, _: list[str]) -> Iterator[str]:
    yield f"disqualify {_name(step.player)}"


def _tie(step: OrderTie, _: list[str]) -> Iterator[str]:
    yield f"draw {' '.join(_name(player) for player in step.players)}"


def _cut(step: Cut, top: tuple[str, ...]) -> str:
    """Return the sheet's line for a cut. The line names the seeds if the qualifiers are not the best players in the
    standings.
    """
    sizes = [f"{division}={size}" for division, size in step.division_sizes.items()]
    names = "" if step.seeds in ((), top) else "".join(f" {_name(name)}" for name in step.seeds)
    return f"cut {' '.join(sizes) or step.size}{names}"


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
    Close: _close,
}
