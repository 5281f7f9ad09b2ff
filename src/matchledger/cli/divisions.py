"""Commands about divisions and flights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption
from matchledger.cli.recording import Printer
from matchledger.cli.session import Moment, Session, UsageProblem, reading, show, window_of
from matchledger.cli.tables import columns
from matchledger.commands.divisions import DecideDivisions, DrawFlights
from matchledger.events import DivisionMode, FlightsDrawn
from matchledger.service.execute import Done
from matchledger.service.window import look
from matchledger_projections.narration import MODES
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.scoring import points_text
from matchledger_projections.stages.departures import of_round
from matchledger_projections.stages.flights import Objection
from matchledger_projections.views.stages import (
    DivisionFlights,
    DivisionsPage,
    DrawnFlights,
    FlightsPage,
    LeaderOfDivision,
)
from matchledger_projections.views.stages import divisions as divisions_of
from matchledger_projections.views.stages import flights as flights_view


@reading
def divisions(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """Show the divisions: years of birth, sizes, whether they play separately, and their leaders."""
    window = window_of(session, moment)
    page = look(window, divisions_of)
    show(window, page, _divisions(window.record, page), as_json=as_json)


def _divisions(record: Record, page: DivisionsPage) -> Iterator[str]:
    yield f"{page.head.tournament}, {page.head.rulebook}, entry {page.head.position}"
    if record.rulebook.divisions is None:
        yield "The rulebook has no divisions."
        return
    rows = [
        [
            found.division or "no division",
            _born(record, page.first_years, found.division or ""),
            _players(page, found.division or ""),
            _leaders(record, found.leaders),
        ]
        for found in page.divisions
    ]
    yield from columns(["Division", "Born", "Players", "Leads"], rows, right=[2])
    if record.rulebook.readings.divisions == "none":
        yield "They are not kept apart."
        return
    asks = record.rulebook.readings.without_division == "ask" and not all(
        found.division for found in page.divisions
    )
    open_ = (
        "not decided while a player has no division"
        if asks
        else "as the sizes ask for, decided when round 1 is paired"
    )
    was = "decided" if page.decided is not None else open_
    departs = f"; departs from {', '.join(page.deviations)}" if page.deviations else ""
    yield f"They {_mode(page.mode)}: {was}{departs}"


def _players(page: DivisionsPage, division: str) -> str:
    late = page.late.get(division, 0)
    return f"{page.sizes.get(division, 0)}{f' and {late} late' if late else ''}"


def _mode(mode: DivisionMode) -> str:
    return MODES[mode] if mode != "none" else "are not kept apart"


def _leaders(record: Record, leaders: Sequence[LeaderOfDivision]) -> str:
    if len(leaders) > 2:  # noqa: PLR2004 - two names fit a line
        return f"{len(leaders)} players are level"
    return " and ".join(
        f"{record.players[leader.player].name} ({points_text(leader.points, record.rulebook.unit)})"
        for leader in leaders
    )


def _born(record: Record, years: Mapping[str, int], division: str) -> str:
    """Return the years of birth of a division: the first, the last, or both."""
    rule = record.rulebook.divisions
    if rule is None or not years or division not in rule.names:
        return ""
    above = rule.names[: rule.names.index(division)]
    last = f"to {years[above[-1]] - 1}" if above else ""
    first = f"from {years[division]}" if division in years else ""
    return " ".join(part for part in (first, last) if part)


def _decided(session: Session, _: DecideDivisions, __: Done) -> None:
    decided = session.record.divisions_decided
    if decided is not None:
        departs = f"; departs from {', '.join(decided.deviations)}" if decided.deviations else ""
        typer.echo(f"The divisions {_mode(decided.mode)}{departs} (entry {session.record.position}).")


@reading
def flights(
    session: Session,
    moment: Moment,
    division: Annotated[str | None, typer.Argument(help="A division; by default all of them.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the drawn flights, or the sizes for each possible number of flights."""
    window = window_of(session, moment)
    page = look(window, flights_view, division=division)
    show(window, page, _flights(window.record, page), as_json=as_json)


def _flights(record: Record, page: FlightsPage) -> Iterator[str]:
    if record.rulebook.flights is None:
        raise UsageProblem(f"{page.head.rulebook} has no flights")
    for one in page.divisions:
        yield from _proposed(one) if one.drawn is None else _drawn(record, one, one.drawn)


def _proposed(one: DivisionFlights) -> Iterator[str]:
    cut = "" if one.cut is None else f", Top {one.cut}" if one.cut else ", no cut"
    yield f"{one.division or 'No division'}: {one.players} players{cut}"
    if all(plan.objections for plan in one.proposals):
        yield f"  no flights: {_objected(one.proposals[0].objections[0])}"
        return
    rows = [
        [
            str(plan.flights),
            _sizes(plan.sizes),
            str(plan.rounds),
            "" if plan.qualifiers is None else str(plan.qualifiers),
            _objected(plan.objections[0]) if plan.objections else "possible",
        ]
        for plan in one.proposals
    ]
    yield from columns(["Flights", "Sizes", "Rounds", "Cut from each", ""], rows, right=[0, 2, 3])


def _objected(objection: Objection) -> str:
    return f"{objection.text} ({objection.rule})"


def _sizes(sizes: Sequence[int]) -> str:
    """Return sizes in short form: 36, 36, 36, 35. Many equal sizes are shortened to 16 x 32."""
    return f"{len(sizes)} x {sizes[0]}" if len(set(sizes)) == 1 and len(sizes) > 4 else ", ".join(map(str, sizes))  # noqa: PLR2004 - a line has no room for more


def _drawn(record: Record, one: DivisionFlights, drawn: DrawnFlights) -> Iterator[str]:
    departs = f"; departs from {', '.join(drawn.deviations)}" if drawn.deviations else ""
    title = f"{one.division or 'No division'}: {len(drawn.flights)} flights"
    yield f"{title}, entry {drawn.entry}, seed {drawn.seed}{departs}"
    for number, (flight, size) in enumerate(zip(drawn.flights, drawn.original_sizes, strict=True), 1):
        late = f" and {len(flight) - size} late" if len(flight) > size else ""
        yield f"Flight {number}: {size}{late}"
        names = sorted((record.players[found.player].name for found in flight), key=str.casefold)
        yield from (f"  {name}" for name in names)


def _flights_drawn(session: Session, __: DrawFlights, done: Done) -> None:
    for entry in done.entries:
        if isinstance(fact := entry.fact, FlightsDrawn):
            sizes = ", ".join(str(len(flight)) for flight in fact.flights)
            typer.echo(f"{fact.division} plays in {len(fact.flights)} flights of {sizes} (entry {entry.position}).")
    if unfit := of_round(session.record, 1):
        typer.echo(f"The announced structure does not fit these flights: announce it again ({unfit[0].rule}).")


PRINTERS: dict[str, Printer] = {"decide-divisions": _decided, "draw-flights": _flights_drawn}
