"""Documents about pairings: what was drawn again, why two players meet, and what a round to come would be.

As in `documents`: keys are stable, new ones may be added.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matchledger.documents.document import Document
from matchledger.documents.tables import pairings_document
from matchledger.events import Entry
from matchledger_projections.pairing.chance import tie_purpose
from matchledger_projections.pairing.check import Objection
from matchledger_projections.pairing.explanation import ByeGiven, PairingExplanation, PassedOver
from matchledger_projections.pairing.rederivation import Rederivation, Rederived
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock


@dataclass(frozen=True, slots=True)
class SeatedBy:
    """The entry that seated two players, or gave a bye: "drawn", "by hand" or "by amendment"."""

    how: str
    entry: Entry


def rederivation_document(record: Record, found: Rederivation) -> Document:
    """Every draw of a log held against itself."""
    return {
        "secret": found.revelation,
        "holds": found.holds,
        "draws": [_rederived(record, draw) for draw in found.draws],
    }


def _rederived(record: Record, draw: Rederived) -> Document:
    kinds = {"bracket": draw.bracket is not None, "flights": draw.flights, "tie": draw.players}
    return {
        "draw": next((kind for kind, applies in kinds.items() if applies), "pairing"),
        "flights": draw.flights or None,
        "division": draw.bracket or None,
        "round": draw.round,
        "entry": draw.position,
        "players": [record.players[player].name for player in draw.players],
        "verdict": draw.verdict,
        "differences": list(draw.differences),
        "counts": draw.counts,
        "amended_by": list(draw.amendments),
    }


def pairing_explanation_document(
    record: Record,
    round_: Round,
    players: tuple[int, ...],
    seated: SeatedBy,
    why: PairingExplanation | None,
    *,
    clock: Clock,
) -> Document:
    """Why the players of a table meet, or why one has the bye; `draw` is null for what no draw decided."""
    name = {number: player.name for number, player in record.players.items()}
    return {
        "round": round_.number,
        "clock": clock,
        "position": record.position,
        "table": round_.table_of(players[0]),
        "players": [name[player] for player in players],
        "seated": seated.how,
        "entry": seated.entry.position,
        "actor": seated.entry.actor,
        "reason": seated.entry.reason,
        "draw": None
        if why is None
        else {
            "pool": why.pool,
            "purpose": why.purpose,
            "seed": why.seed,
            "order": why.order,
            "sides": [
                {
                    "player": name[side.player],
                    "points": side.points,
                    "group": side.group,
                    "group_size": side.group_size,
                    "place": side.place,
                }
                for side in why.sides
            ],
            "went_down": [
                {
                    "player": name[left.player],
                    "group": left.group,
                    "division": left.division,
                    "to_pair": left.pile,
                    "because": left.because,
                    "passed_over": _passed_over(name, left.passed_over),
                }
                for left in why.went_down
            ],
            "passed_over": _passed_over(name, why.passed_over),
            "tangled": why.tangled,
            "met": list(why.met),
            "bye": None if why.bye is None else _bye_given(name, why.bye),
        },
    }


def _bye_given(name: dict[int, str], given: ByeGiven) -> Document:
    tie = given.tie
    return {
        "again": given.again,
        "tie": None
        if tie is None
        else {
            "entry": given.tie_entry,
            "order": [name[player] for player in tie.players],
            "method": tie.method,
            "purpose": tie_purpose(tie.round, tie.players),
            "seed": tie.seed,
        },
    }


def _passed_over(name: dict[int, str], passed_over: tuple[PassedOver, ...]) -> list[Document]:
    return [
        {"player": name[passed.player], "because": passed.because, "rounds": list(passed.rounds)}
        for passed in passed_over
    ]


def preview_document(
    record: Record, number: int, round_: Round | None, found: Sequence[Objection], said: Sequence[str]
) -> Document:
    """A round that is not recorded; `pairings` is null while it cannot be drawn."""
    name = {player: record.players[player].name for player in record.players}
    return {
        "round": number,
        "recorded": False,
        "pairings": None if round_ is None else pairings_document(record, round_, clock="as-known")["pairings"],
        "byes": [] if round_ is None else [name[bye.player] for bye in round_.byes],
        "problems": [
            {
                "kind": objection.kind,
                "players": [name[player] for player in objection.players],
                "round": objection.round,
                "tables": list(objection.tables),
                "entry": objection.entry,
                "text": text,
            }
            for objection, text in zip(found, said, strict=True)
        ],
    }
