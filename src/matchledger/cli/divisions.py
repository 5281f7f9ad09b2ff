"""Commands about divisions and flights."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption
from matchledger.cli.recording import Told
from matchledger.cli.session import Moment, Session, UsageProblem, reading
from matchledger.cli.tables import columns
from matchledger.commands.divisions import DecideDivisions, DrawFlights
from matchledger.documents.divisions import divisions_document
from matchledger.documents.document import Document
from matchledger.events import DivisionMode, FlightsDrawn
from matchledger.questions.stages import flights as flights_asked
from matchledger.service.execute import Done
from matchledger_projections.divisions.ages import division_years
from matchledger_projections.narration import MODES


@reading
def divisions(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    as_json: JsonOption = False,
) -> None:
    """Show the divisions: the years of birth, the sizes, whether they play apart, and who leads."""
    document = divisions_document(moment.record)
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    typer.echo(f"{document['tournament']}, {document['rulebook']}, entry {moment.position}")
    if moment.record.rulebook.divisions is None:
        typer.echo("The rulebook has no divisions.")
        return
    for line in _divisions(moment, document):
        typer.echo(line)


def _divisions(moment: Moment, document: Document) -> Iterator[str]:
    rows = [
        [
            found["division"] or "no division",
            _born(moment, found["division"]),
            str(document["sizes"].get(found["division"], 0)),
            _leaders(found["leaders"]),
        ]
        for found in document["divisions"]
    ]
    yield from columns(["Division", "Born", "Players", "Leads"], rows, right=[2])
    if moment.record.rulebook.readings.divisions == "none":
        yield "They are not kept apart."
        return
    was = "decided" if document["decided"] is not None else "as the sizes ask for, decided when round 1 is paired"
    departs = f"; departs from {', '.join(document['deviations'])}" if document["deviations"] else ""
    yield f"They {_mode(document['mode'])}: {was}{departs}"


def _mode(mode: DivisionMode) -> str:
    return MODES[mode] if mode != "none" else "are not kept apart"


def _leaders(leaders: list[Document]) -> str:
    if len(leaders) > 2:  # noqa: PLR2004 - two names fit a line
        return f"{len(leaders)} players are level"
    return " and ".join(f"{leader['player']} ({leader['points']})" for leader in leaders)


def _born(moment: Moment, division: str) -> str:
    """The years of birth of a division: from, to, or both."""
    years = division_years(moment.record)
    rule = moment.record.rulebook.divisions
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
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    division: Annotated[str | None, typer.Argument(help="A division; all of them, if left out.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the flights that were drawn, or what each number of flights would mean."""
    document = flights_asked(moment.record, division)
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    if moment.record.rulebook.flights is None:
        raise UsageProblem(f"{document['rulebook']} has no flights")
    for one in document["divisions"]:
        for line in _drawn(one) if one["drawn"] is not None else _proposed(one):
            typer.echo(line)


def _proposed(one: Document) -> Iterator[str]:
    cut = "" if one["cut"] is None else f", Top {one['cut']}" if one["cut"] else ", no cut"
    yield f"{one['division'] or 'No division'}: {one['players']} players{cut}"
    if not any(plan["allowed"] for plan in one["proposals"]):
        yield f"  no flights: {_objected(one['proposals'][0]['objections'][0])}"
        return
    rows = [
        [
            str(plan["flights"]),
            _sizes(plan["sizes"]),
            str(plan["rounds"]),
            "" if plan["qualifiers"] is None else str(plan["qualifiers"]),
            "possible" if plan["allowed"] else _objected(plan["objections"][0]),
        ]
        for plan in one["proposals"]
    ]
    yield from columns(["Flights", "Sizes", "Rounds", "Go on from each", ""], rows, right=[0, 2, 3])


def _objected(objection: Document) -> str:
    return f"{objection['text']} ({objection['rule']})"


def _sizes(sizes: list[int]) -> str:
    """Sizes as they are said: 36, 36, 36, 35, or 16 x 32 where all are alike."""
    return f"{len(sizes)} x {sizes[0]}" if len(set(sizes)) == 1 and len(sizes) > 4 else ", ".join(map(str, sizes))  # noqa: PLR2004 - more do not fit a line


def _drawn(one: Document) -> Iterator[str]:
    drawn = one["drawn"]
    departs = f"; departs from {', '.join(drawn['deviations'])}" if drawn["deviations"] else ""
    title = f"{one['division'] or 'No division'}: {len(drawn['flights'])} flights"
    yield f"{title}, entry {drawn['entry']}, seed {drawn['seed']}{departs}"
    for number, (flight, size) in enumerate(zip(drawn["flights"], drawn["original_sizes"], strict=True), 1):
        late = f" and {len(flight) - size} late" if len(flight) > size else ""
        yield f"Flight {number}: {size}{late}"
        names = sorted((player["player"] for player in flight), key=str.casefold)
        yield from (f"  {name}" for name in names)


def _flights_drawn(_: Session, __: DrawFlights, done: Done) -> None:
    [entry] = done.entries
    fact = entry.fact
    assert isinstance(fact, FlightsDrawn)  # noqa: S101 - nothing else comes of it
    sizes = ", ".join(str(len(flight)) for flight in fact.flights)
    typer.echo(f"{fact.division} plays in {len(fact.flights)} flights of {sizes} (entry {entry.position}).")


COMMANDS: dict[str, Callable[..., None]] = {
    "divisions": divisions,
    "flights": flights,
}
TOLD: dict[str, Told] = {"decide-divisions": _decided, "draw-flights": _flights_drawn}
