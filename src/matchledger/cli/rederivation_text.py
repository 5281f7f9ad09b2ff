"""Draws made again, in plain text."""

from __future__ import annotations

from collections.abc import Iterator

from matchledger_projections.pairing.rederivation import Rederivation, Rederived
from matchledger_projections.record.record import Record

_SECRETS = {
    "revealed": "The revealed secret matches the opening entry.",
    "not revealed": "The secret is not revealed yet: seeds are taken as recorded until the tournament is closed.",
    "held here": "The secret is not revealed yet. This ledger holds it, and every draw was made again with it.",
    "not the one committed to": "The revealed secret does NOT match the opening entry.",
}


def rederivation_lines(record: Record, found: Rederivation) -> Iterator[str]:
    """A line for every draw, with its notes below."""
    yield _SECRETS[found.revelation]
    for draw in found.draws:
        yield f"{_subject(record, draw)}: {'DIFFERENT' if draw.verdict == 'different' else draw.verdict}"
        if not draw.counts:
            yield f"  taken back since (entry {draw.position})"
        yield from (f"  {difference}" for difference in draw.differences)
        if draw.amendments:
            yield f"  amended since by {_entries(draw.amendments)}"
    yield from (f"{unchecked} not checked" for unchecked in found.unchecked)


def _subject(record: Record, draw: Rederived) -> str:
    if draw.bracket is not None:
        return f"Bracket of {draw.bracket}" if draw.bracket else "Bracket"
    if draw.flights:
        return f"Flights of {draw.flights}" if draw.round == 0 else f"Flight of {draw.flights}, who came late"
    if not draw.players:
        return f"Round {draw.round}"
    names = ", ".join(record.players[player].name for player in sorted(draw.players))
    return f"Tie after round {draw.round} of {names}"


def _entries(positions: tuple[int, ...]) -> str:
    return ("entry " if len(positions) == 1 else "entries ") + ", ".join(map(str, positions))
