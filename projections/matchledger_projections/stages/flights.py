"""Flights: a large division in parts that play by themselves until the cut (PKM-3.3.3-FLIGHT)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated

from msgspec import Struct

from matchledger.events import FlightsDrawn
from matchledger_projections.divisions.grouping import division_mode, division_of
from matchledger_projections.document import UNSAID, As, Keys, writer
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.record.attendance import attendance, registration
from matchledger_projections.record.chance import random_order
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.structure import Turnout, announced_cut, elimination_rounds, unshared

FLIGHT = "flight"
# Besides the division, pairings depend on this attribute of a player. No other attribute changes the pairings.
PAIRED_BY = frozenset({FLIGHT})


class Objection(Struct, frozen=True):
    """An objection to a number of flights, and its rule."""

    rule: str
    text: Sentence


class FlightPlan(Struct, frozen=True):
    """A plan for a division in some number of flights: their sizes, the Swiss rounds of the largest, and the
    qualifiers from each.

    Without a known cut, `qualifiers` is None.
    """

    division: Annotated[str, UNSAID]
    flights: int
    sizes: tuple[int, ...]
    rounds: int
    qualifiers: int | None
    objections: Annotated[
        tuple[Objection, ...],
        Keys(
            {
                "allowed": As(lambda objections, _: not objections, bool),
                "objections": As(writer(tuple[Objection, ...]), tuple[Objection, ...]),
            }
        ),
    ]


def flight_sizes(players: int, flights: int, *, even: bool = True) -> tuple[int, ...]:
    """Return the sizes of some flights, as equal as possible (PKM-3.3.3.2-SIZE).

    With `even`, players are dealt in pairs, so that only the last flight can have an odd number. Without `even`,
    players are dealt one by one (POL-PKM-FLIGHT-EVEN).
    """
    if not even:
        return tuple(players // flights + (place < players % flights) for place in range(flights))
    pairs = players // 2
    sizes = [2 * (pairs // flights + (place < pairs % flights)) for place in range(flights)]
    sizes[-1] += players % 2
    return tuple(sizes)


def flight_plans(record: Record, division: str, cut: int | None) -> list[FlightPlan]:
    """Return the plan for each number of flights in the rulebook, for a division with a cut."""
    rule = record.rulebook.flights
    return [flight_plan(record, division, count, cut) for count in (rule.counts if rule is not None else ())]


def flight_plan(record: Record, division: str, flights: int, cut: int | None) -> FlightPlan:
    """Return the plan for a number of flights in a division."""
    players = len(field_of(record, division))
    sizes = flight_sizes(players, flights, even=record.rulebook.readings.flight_sizes == "even")
    return FlightPlan(
        division,
        flights,
        sizes,
        elimination_rounds(max(sizes)),
        None if cut is None else cut // flights,
        tuple(_objections(record, division, sizes, cut)),
    )


def _objections(record: Record, division: str, sizes: Sequence[int], cut: int | None) -> Iterator[Objection]:
    """Yield the objections to flights of these sizes (PKM-3.3.3-FLIGHT, PKM-3.3.3.1-RESTRICT, PKM-3.3.3.2-COUNT,
    PKM-3.3.3.2-FINALS).
    """
    rule = record.rulebook.flights
    if rule is None:
        return
    flights, players = len(sizes), sum(sizes)
    if not division:
        yield Objection(rule.rule, sentence("only a division is drawn into flights"))
    announced = record.structure
    if announced is not None and announced.style != "swiss-with-cut":
        yield Objection(rule.restrict_rule, sentence("flights need Swiss rounds with a cut after them"))
    if division_mode(record) == "modified":
        yield Objection(
            rule.restrict_rule, sentence("flights need divisions that play separately, not Age Modified")
        )
    if players < rule.division:
        yield Objection(
            rule.restrict_rule,
            sentence(
                "the division has %(count)s players, and needs %(needed)s", count=players, needed=rule.division
            ),
        )
    if flights not in rule.counts:
        yield Objection(
            rule.count_rule,
            sentence("there are %(known)s flights, not %(count)s", known=joined(rule.counts), count=flights),
        )
    if min(sizes) < rule.flight:
        yield Objection(
            rule.restrict_rule,
            sentence(
                "a flight would have %(count)s players, and needs %(needed)s", count=min(sizes), needed=rule.flight
            ),
        )
    if cut is not None and (not rule.share(cut, flights) or cut & (cut - 1)):
        yield Objection(rule.finals_rule, unshared(rule, cut, flights))


def objections_to_draw(record: Record, drawn: FlightsDrawn) -> list[Objection]:
    """Return the objections to drawn flights when round 1 is paired, apart from those marked on the draw.

    Players who left since the draw no longer count. Players who leave later still count (PKM-3.3.3.2-STABLE).
    """
    flights = flights_of(record, drawn.division)
    sizes = [sum(record.status(player) == "active" for player in flight) for flight in flights]
    found = _objections(record, drawn.division, sizes, announced_cut(record, drawn.division))
    return [objection for objection in found if objection.rule not in drawn.deviations]


def why_not_in_flights(division: str, flights: int, objection: Objection) -> Sentence:
    """Say that a division cannot play in some number of flights."""
    return sentence(
        "%(division)s cannot play in %(flights)s flights: %(objection)s",
        division=division,
        flights=flights,
        objection=objection.text,
    )


def field_of(record: Record, division: str) -> tuple[int, ...]:
    """Return the players of a division present for round 1, in order of registration."""
    return tuple(
        player.number
        for player in record.entered()
        if player.losses is None
        and record.status(player.number, 0) == "active"
        and division_of(record, player.number) == division
    )


def deal(order: Sequence[int], sizes: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Split a random order into flights: the first players are flight 1, the next players flight 2, and so on."""
    players = iter(order)
    return tuple(tuple(islice(players, size)) for size in sizes)


def draw_flights(players: Sequence[int], sizes: Sequence[int], seed: bytes) -> tuple[tuple[int, ...], ...]:
    """Return the players of each flight, as a seed deals them out."""
    return deal(random_order(seed, players), sizes)


def open_flights(record: Record, drawn: FlightsDrawn) -> list[int]:
    """Return the flights that a late player can join (PKM-3.3.3.2-LATE).

    Flights that began with fewer players fill up first. When no flight is below the largest first size,
    POL-PKM-LATE-FLIGHT allows any flight, or only the smallest. The size of a flight counts its first players and
    earlier late players; a drop does not make room (PKM-3.3.3.2-STABLE).
    """
    sizes = {number: len(flight) for number, flight in enumerate(drawn.flights, 1)}
    full = max(sizes.values())
    for late in record.flights_joined:
        if division_of(record, late.player) == drawn.division:
            sizes[late.flight] += 1
    if record.rulebook.readings.late_flight == "random" and min(sizes.values()) >= full:
        return list(sizes)
    return [number for number, size in sizes.items() if size == min(sizes.values())]


def flight_rounds(record: Record) -> dict[str, tuple[int, ...]]:
    """Return the number of Swiss rounds that each division with flights plays because of its flights."""
    return {fact.division: (elimination_rounds(max(map(len, fact.flights))),) for _, fact in record.flights_drawn}


def possible_flight_rounds(record: Record) -> dict[str, tuple[int, ...]]:
    """Return the numbers of Swiss rounds that a division may have, for every allowed number of flights."""
    rule = record.rulebook.flights
    if rule is None or not knows_flights(record.rulebook):
        return {}
    even = record.rulebook.readings.flight_sizes == "even"
    return {
        division.casefold(): tuple(
            elimination_rounds(max(sizes))
            for sizes in (flight_sizes(players, count, even=even) for count in rule.counts)
            if min(sizes) >= rule.flight
        )
        for division, players in attendance(record).items()
        if players >= rule.division
    }


def field_now(record: Record, *, begun: bool = False, registered: bool = False) -> Turnout:
    """Return the players for whom a structure is made.

    Flights can still be drawn before the event has `begun`.

    With `registered`, count all who registered in time, otherwise those present for round 1 (L5R-V.1-BASIC).
    """
    undrawn = not (begun or record.flights_drawn or record.latest_round() is not None)
    return Turnout(
        registration(record) if registered else attendance(record),
        division_mode(record) == "separated",
        possible_flight_rounds(record) if undrawn else flight_rounds(record),
        to_be_drawn=undrawn,
        flights={fact.division: len(fact.flights) for _, fact in record.flights_drawn},
    )


def flights_of(record: Record, division: str) -> tuple[tuple[int, ...], ...]:
    """Return the players of each flight of a division, with late players last, or an empty result before the
    draw.
    """
    drawn = next((fact for _, fact in record.flights_drawn if fact.division == division), None)
    if drawn is None:
        return ()
    moved = {late.player for late in record.flights_joined}
    flights = [
        [player for player in flight if player not in moved and division_of(record, player) == division]
        for flight in drawn.flights
    ]
    for late in record.flights_joined:
        if division_of(record, late.player) == division:
            flights[late.flight - 1].append(late.player)
    return tuple(map(tuple, flights))


def flight_names(record: Record) -> Mapping[int, str]:
    """Return each player's flight, as drawn, or from the attribute `flight` (POL-PKM-FLIGHTS)."""
    if record.rulebook.readings.flights != "apart":
        return {}
    names = {
        player.number: flight
        for player in record.entered()
        if player.attributes and (flight := player.attributes.get(FLIGHT, "").strip())
    }
    for _, drawn in record.flights_drawn:
        for number, players in enumerate(flights_of(record, drawn.division), 1):
            names |= dict.fromkeys(players, str(number))
    return names


def pooled(record: Record, players: Iterable[int]) -> dict[str, list[int]]:
    """Return players by the name of the pool in which they are paired: a division that plays separately, a flight,
    or "" for everybody.
    """
    apart, flights = division_mode(record) == "separated", flight_names(record)
    if not apart and not flights:
        return {"": everybody} if (everybody := [*players]) else {}
    members: dict[str, list[int]] = {}
    for player in players:
        flight = flights.get(player)
        parts = [division_of(record, player) or "no division"] if apart else []
        parts += [f"flight {flight}"] if flight else []
        members.setdefault(", ".join(parts), []).append(player)
    return members


def knows_flights(rulebook: Rulebook) -> bool:
    """Return whether a rulebook has flights at all."""
    return rulebook.flights is not None and rulebook.readings.flights == "apart"
