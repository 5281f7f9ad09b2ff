"""Documents about divisions and flights.

As in `documents`: keys are stable, new ones may be added.
"""

from __future__ import annotations

from matchledger.documents.document import Document, title
from matchledger.events import FlightsDrawn
from matchledger_projections.divisions.ages import division_years
from matchledger_projections.divisions.flights import FlightPlan, flight_plans, flights_of
from matchledger_projections.divisions.grouping import departures, division_mode, division_sizes, fitting_mode
from matchledger_projections.divisions.tables import division_tables
from matchledger_projections.record.record import Record
from matchledger_projections.stages.structure import announced_cut


def divisions_document(record: Record) -> Document:
    """The divisions: the years that tell them, how they are paired (`decided` is null before), who leads each."""
    decided = record.divisions_decided
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "first_years": division_years(record),
        "sizes": dict(division_sizes(record)),
        "asked_for": fitting_mode(record),
        "mode": division_mode(record),
        "decided": None if decided is None else decided.mode,
        "deviations": list(departures(record, division_mode(record))),
        "divisions": [
            {
                "division": found.division,
                "round": found.round,
                "players": len(found.rows),
                "leaders": [
                    {"player": record.players[row.player].name, "number": row.player, "points": row.points}
                    for row in found.rows
                    if row.rank == 1
                ],
            }
            for found in division_tables(record)
        ],
    }


def flights_document(record: Record) -> Document:
    """The flights of each division: as drawn, late players included, or what every number of them would mean."""
    positions = {drawn.division: (position, drawn) for position, drawn in record.flights_drawn}
    return {
        "tournament": title(record),
        "rulebook": record.rulebook.id,
        "position": record.position,
        "divisions": [
            {
                "division": division,
                "players": size,
                "cut": announced_cut(record, division),
                "drawn": _drawn(record, *positions[division]) if division in positions else None,
                "proposals": [
                    _proposal(plan) for plan in flight_plans(record, division, announced_cut(record, division))
                ],
            }
            for division, size in sorted(division_sizes(record).items())
        ],
    }


def _drawn(record: Record, position: int, drawn: FlightsDrawn) -> Document:
    return {
        "entry": position,
        "seed": drawn.seed,
        "original_sizes": [len(flight) for flight in drawn.flights],
        "deviations": list(drawn.deviations),
        "flights": [
            [{"player": record.players[player].name, "number": player} for player in flight]
            for flight in flights_of(record, drawn.division)
        ],
    }


def _proposal(plan: FlightPlan) -> Document:
    return {
        "flights": plan.flights,
        "sizes": list(plan.sizes),
        "rounds": plan.rounds,
        "qualifiers": plan.qualifiers,
        "allowed": not plan.objections,
        "objections": [{"rule": objection.rule, "text": objection.text} for objection in plan.objections],
    }
