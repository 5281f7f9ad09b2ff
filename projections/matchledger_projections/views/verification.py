"""Whether a log is intact, and whether its draws can be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from msgspec import Struct

from matchledger_projections.document import LEFT_OUT, PlayerName, copied
from matchledger_projections.pairing.rederivation import Rederivation, Rederived, Revelation, Unchecked, Verdict


class FindingLine(NamedTuple):
    """A problem of a log, and its position."""

    position: int | None
    what: str


class DrawLine(Struct, frozen=True):
    """A draw that was repeated, and its result."""

    draw: str
    flights: str | None
    division: str | None
    round: int
    entry: int
    players: tuple[PlayerName, ...]
    verdict: Verdict
    differences: tuple[str, ...]
    counts: bool
    amended_by: tuple[int, ...]


class DrawsPage(Struct, frozen=True):
    """The result of repeating every draw of a log."""

    secret: Revelation
    holds: bool
    draws: tuple[DrawLine, ...]
    unchecked: tuple[Unchecked, ...]


def draws_page(found: Rederivation) -> DrawsPage:
    """The repeated draws."""
    return DrawsPage(found.revelation, found.holds, tuple(map(_line, found.draws)), found.unchecked)


def _line(draw: Rederived) -> DrawLine:
    by_hand = draw.stage == "elimination"
    kinds = {
        "elimination round": by_hand,
        "bracket": draw.bracket is not None,
        "flights": draw.flights,
        "tie": draw.players,
    }
    return copied(
        DrawLine,
        draw,
        draw=next((kind for kind, applies in kinds.items() if applies), "pairing"),
        flights=draw.flights or None,
        division=draw.bracket or None,
        entry=draw.position,
        amended_by=draw.amendments,
    )


class WitnessLine(NamedTuple):
    """A sighting by a witness: the witness's key, the number of entries that it saw, and the time on its clock."""

    key: str
    size: int
    at: datetime


class VerificationPage(Struct, frozen=True):
    """The log compared with its hashes and signatures, as `matchledger verify --json` prints it.

    `pairings` appears if the draws were repeated, which needs a log without findings.
    """

    size: int
    root: str
    keys: Sequence[str]
    findings: tuple[FindingLine, ...]
    witnesses: tuple[WitnessLine, ...]
    pairings: Annotated[DrawsPage | None, LEFT_OUT] = None
