"""The page of the event: announcements, ties, the cut, replacements, and the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from matchledger.commands.draft import now
from matchledger.commands.structures import has_begun, house_rules
from matchledger.commands.ties import ties_after
from matchledger.events import DivisionMode, EventDescribed, Style
from matchledger.events.publicity import Accent
from matchledger.ledger import Ledger
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.state import latest_round
from matchledger_projections.divisions.grouping import division_sizes
from matchledger_projections.document import Document
from matchledger_projections.message import Sentence
from matchledger_projections.narration import tell_structure
from matchledger_projections.pairing.footing import Beacon, beacons, pledges
from matchledger_projections.record.chance import derivation_of
from matchledger_projections.record.publicity import description
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.catalogue import Rule
from matchledger_projections.stages.bracket import seeds_of_cut
from matchledger_projections.stages.cut import shares_warning
from matchledger_projections.stages.flights import knows_flights
from matchledger_projections.stages.leaving import may_replace
from matchledger_projections.stages.placing import champions
from matchledger_projections.stages.structure import CUSTOM, format_of, format_rule
from matchledger_projections.views.policies import policies
from matchledger_projections.views.rating import rating_page
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.stages import divisions, flights, places, structure

MODES: tuple[DivisionMode, ...] = get_args(DivisionMode)
STYLES: tuple[Style, ...] = get_args(Style)
TIES = 20  # tied players that can be ordered by hand at once; a large event has hundreds after a round
PLACES = 64  # final places on the page; the printed sheet has them all


@dataclass(frozen=True, slots=True)
class Tie:
    """Players who are tied after a round, until their order is recorded."""

    round: int
    players: list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A qualifier, by seed. `status` says who has left since."""

    seed: int
    number: int
    name: str
    status: str


@dataclass(frozen=True, slots=True)
class EventView:
    """The event between its stages, and the possible decisions about it.

    `structure` is the document of the rulebook's structures, `divisions` of the divisions, `flights` of their
    flights, and `rating` of the paper to send. Each is None in an event without it. With `prizes`, their
    number is announced too. `uneven` warns of very different shares of the divisions that go on.
    `house_rules` are the optional rules of the game that the organizer can announce. `cuts` are the cuts made
    so far, by division. `policies` is the document of the policies. `values` has the possible values of each
    with their meaning; {} means any number. If somebody `contributes` to the draws, the players in `pledged`
    still have to open their words, and `beacons` are still to be read.
    """

    structure: Document
    announced: str | None
    prizes: bool
    uneven: Sentence | None
    house_rules: list[Rule]
    begun: bool
    styles: tuple[str, ...]
    tables: list[str]
    format: str | None
    format_rule: str
    divisions: Document | None
    flights: Document | None
    contributes: bool
    pledged: list[tuple[int, str]]
    beacons: list[Beacon]
    names_of_divisions: list[str]
    modes: tuple[str, ...]
    finished: int
    ties: list[Tie]
    more_ties: int
    cut: int | None
    division_cuts: dict[str, int]
    cuts: list[tuple[str | None, list[Qualifier]]]
    can_replace: bool
    names: list[str]
    champions: list[tuple[str | None, str]]
    places: list[Document]
    rating: Document | None
    outstanding: list[int]
    today: str
    policies: Document
    values: dict[str, dict[str, str]]
    description: EventDescribed
    accents: tuple[str, ...]


def event_view(ledger: Ledger, tournament: UUID) -> EventView:
    """The page as it is now."""
    record = ledger.record(tournament)
    ties = _ties(record)
    latest, structures, plan = latest_round(record), record.rulebook.structures, record.structure
    sizes = division_sizes(record)
    return EventView(
        structure=_document(structure, record),
        announced=None if plan is None else tell_structure(plan),
        prizes=structures is not None and structures.prizes,
        uneven=shares_warning(record),
        house_rules=house_rules(record.rulebook),
        begun=has_begun(record),
        styles=STYLES,
        tables=[*(structures.tables if structures is not None else ()), CUSTOM],
        format=format_of(record),
        format_rule=format_rule(record.rulebook),
        divisions=_document(divisions, record) if record.rulebook.divisions is not None and any(sizes) else None,
        flights=_document(flights, record) if knows_flights(record.rulebook) and any(sizes) else None,
        contributes=record.closing is None and derivation_of(record) > 1,
        pledged=[(player, record.players[player].name) for player in pledges(record)],
        beacons=[one for one in beacons(record) if one.read is None],
        names_of_divisions=sorted(filter(None, sizes)),
        modes=MODES,
        finished=record.finished_rounds,
        ties=ties[:TIES],
        more_ties=max(0, len(ties) - TIES),
        cut=None if plan is None or plan.division_cuts else plan.cut or None,
        division_cuts={} if plan is None else dict(plan.division_cuts),
        cuts=[(made.division, _qualifiers(record, seeds_of_cut(record, made))) for made in record.cuts],
        can_replace=may_replace(record),
        names=names_to_type(record),
        champions=_champions(record),
        places=_places(record),
        rating=None if record.rulebook.rating is None else _document(rating_page, record),
        outstanding=[] if latest is None else list(latest.outstanding),
        today=now().astimezone().date().isoformat(),
        policies=_document(policies, record),
        values={flag: policy.values for flag, policy in record.rulebook.policies.items()},
        description=description(record),
        accents=get_args(Accent),
    )


def _ties(record: Record) -> list[Tie]:
    return [
        Tie(round_, [(player, record.players[player].name) for player in group])
        for round_, group in ties_after(record, record.finished_rounds)
    ]


def _qualifiers(record: Record, seeds: tuple[int, ...]) -> list[Qualifier]:
    return [
        Qualifier(seed, number, record.players[number].name, record.status(number))
        for seed, number in enumerate(seeds, 1)
    ]


def _champions(record: Record) -> list[tuple[str | None, str]]:
    return [(division, record.players[player].name) for division, player in champions(record).items()]


def _places(record: Record) -> list[Document]:
    """The final places, once there is an elimination stage or a closing behind them."""
    if not record.rounds("elimination") and record.closing is None:
        return []
    found: list[Document] = _document(places, record)["places"][:PLACES]
    return found


def _document(answer: Callable[[Sight], object], record: Record) -> Document:
    sight = Sight.of(record)
    made: Document = sight.document(answer(sight))
    return made
