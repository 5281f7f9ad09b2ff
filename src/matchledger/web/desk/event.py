"""The event page: announcements, ties, the cut, replacements, and the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import cast, get_args
from uuid import UUID

from matchledger.commands.draft import now
from matchledger.commands.structures import has_begun, house_rules
from matchledger.commands.ties import ties_after
from matchledger.events import DivisionMode, Style
from matchledger.events.postings import Accent
from matchledger.ledger import Ledger
from matchledger.web.choices import choices_of
from matchledger.web.desk.floor import zones
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.state import latest_round
from matchledger.web.public.places import Tally, ranked, tally
from matchledger.web.rendering import Values
from matchledger_projections.divisions.grouping import division_mode, division_sizes
from matchledger_projections.document import Document
from matchledger_projections.narration import tell_structure
from matchledger_projections.pairing.footing import beacons, pledges
from matchledger_projections.record.chance import derivation_of
from matchledger_projections.record.erasures import description, news
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import seeds_of_cut
from matchledger_projections.stages.cut import plays_for_order, shares_warning, tie_at_cut
from matchledger_projections.stages.flights import field_now, knows_flights
from matchledger_projections.stages.leaving import may_replace
from matchledger_projections.stages.placing import champions
from matchledger_projections.stages.structure import CUSTOM, format_of, format_rule, usual_structure
from matchledger_projections.views.catalogue import policies
from matchledger_projections.views.rating import rating_page
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.stages import divisions, flights, places, structure

TIES = 12  # how many tied players the page lets you order by hand. A large event has hundreds after a round
PLACES = 64  # how many final places the page shows. The printed sheet has all


def event_view(ledger: Ledger, tournament: UUID) -> Values:
    """Return the contents of the page: the state of the event, and what can be decided next.

    `structure`, `divisions`, `flights` and `rating` are the documents of these views, or None if the event does not
    need them. `usual` is the usual structure if the rulebook has no tables, or None. `departs` are the rules from
    which the announcement departs. `tables_of` has the first and the last table of each division. `waits` is true
    while a table of an earlier round has no result. With `prizes`, the number of prizes is announced too. `uneven`
    is a warning if very different shares of the divisions make the cut. `tied` is true while the announced cut
    depends on a tie. `house_rules` are the optional rules of the game that the organizer can announce. `cuts` are
    the cuts so far, by division. `policies` is the document of the policies, `policies_changed` has the entries
    that changed one, and `choices` has the question and the possible answers of each. If people can contribute to
    the draws (`contributes`), `pledged` are the unopened words, and `beacons` are the named beacons that nobody has
    read yet.
    """
    record = ledger.record(tournament)
    ties = ties_after(record, record.finished_rounds)
    sight = Sight.of(record)

    def shown(answer: Callable[[Sight], object]) -> Document:
        return cast(Document, sight.document(answer(sight)))

    latest, structures, plan = latest_round(record), record.rulebook.structures, record.structure
    sizes = division_sizes(record)
    ended = bool(record.rounds("elimination")) or record.closing is not None
    return {
        "people": record.players,
        "status": record.status,
        "structure": shown(structure),
        "usual": usual_structure(record.rulebook, field_now(record)),
        "game": record.rulebook.title,
        "announced": None if plan is None else tell_structure(plan.model_copy(update={"deviations": ()})),
        "departs": () if plan is None else plan.deviations,
        "plan": None
        if plan is None
        else (plan.style, plan.rounds, plan.cut, plan.division_rounds, plan.division_cuts),
        "sizes": {division: size for division, size in sizes.items() if division},
        "prizes": structures is not None and structures.prizes,
        "uneven": shares_warning(record),
        "house_rules": house_rules(record.rulebook),
        "begun": has_begun(record),
        "styles": get_args(Style),
        "tables": [*(structures.tables if structures is not None else ()), CUSTOM],
        "format": format_of(record),
        "format_rule": format_rule(record.rulebook),
        "divisions": shown(divisions) if record.rulebook.divisions is not None and any(sizes) else None,
        "flights": shown(flights) if knows_flights(record.rulebook) and any(sizes) else None,
        "contributes": record.closing is None and derivation_of(record) > 1,
        "pledged": pledges(record),
        "beacons": [one for one in beacons(record) if one.read is None],
        "names_of_divisions": sorted(filter(None, sizes)),
        "apart": division_mode(record) == "separated" and len(sizes) > 1 and all(sizes),
        "modes": get_args(DivisionMode),
        "tables_of": [] if latest is None else _tables_of(record, latest),
        "finished": record.finished_rounds,
        "ties": ties[:TIES],
        "plays_for_order": plays_for_order(record),
        "tied": tie_at_cut(record) is not None,
        "more_ties": max(0, len(ties) - TIES),
        "cut": None if plan is None or plan.division_cuts else plan.cut or None,
        "division_cuts": {} if plan is None else dict(plan.division_cuts),
        "cuts": [(made.division, seeds_of_cut(record, made)) for made in record.cuts],
        "can_replace": may_replace(record),
        "names": names_to_type(record),
        "champions": champions(record),
        "places": shown(places)["places"][:PLACES] if ended else [],
        "swiss_records": _swiss_records(record) if ended else {},
        "rating": None if record.rulebook.rating is None else shown(rating_page),
        "outstanding": [] if latest is None else list(latest.outstanding),
        "waits": bool(record.earlier_open_rounds),
        "today": now().astimezone().date().isoformat(),
        "policies": shown(policies),
        "policies_changed": {flag: position for flag, (position, _) in record.policies_changed.items()},
        "choices": {choice.flag: choice for choice in choices_of(record.rulebook)},
        "description": description(record),
        "news": next((posted.text for _, posted in news(record)), ""),
        "accents": get_args(Accent),
    }


def _swiss_records(record: Record) -> dict[str, tuple[Tally, int, bool]]:
    """Return the record of each player in the Swiss rounds by name: results, points, and whether an elimination
    stage followed. Players who share a name are left out.
    """
    names = Counter(player.name for player in record.players.values())
    through = {seed for made in record.cuts for seed in seeds_of_cut(record, made)}
    return {
        name: (tally(one.table.table, row.player), one.table.table.points[row.player], row.player in through)
        for one in (ranked(record) if record.finished_rounds else ())
        for row in one.rows
        for name in (record.players[row.player].name,)
        if row.rank is not None and names[name] == 1
    }


def _tables_of(record: Record, latest: Round) -> list[tuple[str, int, int]]:
    """Return each division with its first and its last table in the current round."""
    return [
        (zone.division, min(tile.table for tile in zone.tiles), max(tile.table for tile in zone.tiles))
        for zone in zones(record, latest)
        if zone.tiles
    ]
