"""Divisions and flights: a player's division, whether divisions play apart, and flights in a large division."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import Field

from matchledger.commands.command import Command, Context, Deviating, Text, argument, option
from matchledger.commands.refusal import Refusal, departing, need_open, no_player_in
from matchledger.events import AnyFact, DivisionMode, DivisionsDecided, FlightJoined, FlightsDrawn, Person
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import (
    demanded_mode,
    departures,
    division_by_birth,
    division_sizes,
    fitting_mode,
    known_division,
    nearest_division,
    open_divisions,
)
from matchledger_projections.message import demanding, joined, sentence
from matchledger_projections.pairing.footing import seeds_of
from matchledger_projections.record.chance import flights_purpose, late_flight_purpose, random_order
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import UNWRITTEN, DivisionRule
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.flights import (
    draw_flights,
    field_now,
    field_of,
    flight_plan,
    knows_flights,
    open_flights,
    why_not_in_flights,
)
from matchledger_projections.stages.structure import announced_cut, rounds_by_size


def place_in_division(
    record: Record, person: Person, division: str | None, *, deviating: bool
) -> tuple[str | None, tuple[str, ...]]:
    """Return the division of a new player, and the rules from which this division departs (PKM-3.1.1-POD).

    The year of birth decides the division. A division that does not match the year of birth needs `deviating`.
    After play has begun, no player enters an empty division, but the next older division with players, or the
    wanted division if it has players. A division that is known in other letter case gets its known name.
    """
    placed, rules = _placed(record, person, division, deviating=deviating)
    return (None if placed is None else known_division(record, placed)), rules


def _placed(
    record: Record, person: Person, division: str | None, *, deviating: bool
) -> tuple[str | None, tuple[str, ...]]:
    due = None if person.born is None else division_by_birth(record, person.born)
    if existing := open_divisions(record):
        wanted = division or due or ""
        entered = nearest_division(record, due, existing) if division is None and due is not None else wanted
        if entered.casefold() not in existing:
            raise Refusal(
                demanding(
                    sentence(
                        "nobody plays in %(division)s, and play has begun: enter %(player)s in one of %(known)s",
                        division=wanted or sentence("no division"),
                        player=person.name,
                        known=", ".join(existing),
                    ),
                    "a division",
                ),
                _rule_of(record),
            )
        if due is not None and due not in existing:
            return entered, (_rule_of(record),)
    if due is None or division is None:
        return (division if division is not None else due), ()
    if division.casefold() == due.casefold():
        return division, ()
    rule = _rule_of(record)
    if not deviating:
        raise Refusal(
            demanding(
                sentence(
                    "%(player)s was born in %(born)s and plays in %(due)s, not %(division)s: give a reason "
                    "to deviate",
                    player=person.name,
                    born=person.born,
                    due=due,
                    division=division,
                ),
                "a reason",
            ),
            rule,
        )
    return division, (rule,)


def _rule_of(record: Record) -> str:
    return record.rulebook.divisions.rule if record.rulebook.divisions is not None else UNWRITTEN


# -- whether divisions play apart


def need_divisions(record: Record) -> DivisionRule:
    """Return the rulebook's rules about divisions. Raises Refusal if the rulebook has no divisions."""
    if record.rulebook.divisions is None:
        raise Refusal(
            sentence("%(rulebook)s has no divisions: everybody plays in one field", rulebook=record.rulebook.id)
        )
    return record.rulebook.divisions


def divisions_due(record: Record, *, deviating: bool = False) -> list[AnyFact]:
    """Return the decision about divisions to record when round 1 is paired: none if an earlier decision still fits
    the divisions.

    If the present sizes demand a mode other than the decided mode, keeping the decided mode needs `deviating`
    (PKM-3.1.1-POD, PKM-3.1.2-MOD).
    """
    if record.latest_round() is not None:
        return []  # play has begun, so the mode stays
    sizes = division_sizes(record)
    decided = record.divisions_decided
    reading = record.rulebook.readings.divisions
    if reading == "none" or record.rulebook.divisions is None or not any(sizes):
        return []
    mode = fitting_mode(record) if decided is None else decided.mode
    rules, rounds = departures(record, mode), _rounds_unannounced(record, mode)
    fits = decided is not None and decided.sizes.keys() >= sizes.keys() and set(rules) <= set(decided.deviations)
    if fits and decided is not None and (decided.rounds == rounds or record.structure is not None):
        return []
    unplaced = _unplaced(record, deviating=deviating)
    if decided is not None and rules and not deviating:
        raise _other_mode(record, rules[0])
    departed = tuple(dict.fromkeys((*rules, *unplaced)))
    return [DivisionsDecided(mode=mode, sizes=dict(sizes), rounds=rounds, deviations=departed)]


def _rounds_unannounced(record: Record, mode: DivisionMode) -> dict[str, int]:
    """Return the Swiss rounds of each division by the rulebook's tables, if the divisions play separately and no
    structure was announced (PKM-3.1.1-POD, PKM-3.1.3-ROUNDS).
    """
    if mode != "separated" or record.structure is not None:
        return {}
    return rounds_by_size(record.rulebook, field_now(record, begun=True))


def _unplaced(record: Record, *, deviating: bool) -> tuple[str, ...]:
    """Return the rule that active players without a division break, or none if every player has a division. Active
    players without a division need `deviating` (POL-PKM-NO-DIVISION).
    """
    unplaced = [player.name for player in record.active_players() if not player.division]
    if record.rulebook.readings.without_division != "ask" or not unplaced:
        return ()
    if not deviating:
        raise Refusal(
            demanding(
                sentence(
                    "%(players)s has no division: register the player with a year of birth or a division, or "
                    "give a reason to deviate",
                    players=joined(unplaced),
                ),
                "a reason",
            ),
            _rule_of(record),
        )
    return (_rule_of(record),)


_ASKED_FOR = {
    "separated": sentence("separate divisions, Age Separated"),
    "modified": sentence("one Swiss tournament for all, Age Modified"),
    "none": sentence("one Swiss tournament for all"),
    None: "",
}


def _other_mode(record: Record, rule: str) -> Refusal:
    """Return the refusal of a mode that does not fit the sizes of the divisions."""
    sizes = sorted(division_sizes(record).items())
    said = sentence(
        "for divisions of these sizes (%(sizes)s) the rules ask for %(asked_for)s: give a reason to deviate",
        sizes=joined(joined((division or sentence("no division"), size), " ") for division, size in sizes),
        asked_for=_ASKED_FOR[demanded_mode(record)],
    )
    return Refusal(demanding(said, "a reason"), rule)


# -- flights


def join_flight(record: Record, *, player: int, division: str | None, secret: Callable[[], bytes]) -> list[AnyFact]:
    """Put a late player into the flight with the fewest players. Chance decides between equal flights
    (PKM-3.3.3.2-LATE).
    """
    if not knows_flights(record.rulebook):
        return []
    name = (division or "").casefold()
    drawn = next((fact for _, fact in record.flights_drawn if fact.division == name), None)
    if drawn is None:
        return []
    open_now = open_flights(record, drawn)
    if len(open_now) == 1:
        return [FlightJoined(player=player, flight=open_now[0])]
    latest = record.latest_round()
    seeds = seeds_of(record, latest.number if latest is not None else 1, secret())
    seed = seeds(late_flight_purpose(player))
    return [FlightJoined(player=player, flight=random_order(seed, open_now)[0], seed=seed.hex())]


class DecideDivisions(Command):
    """Decide before round 1 whether the divisions play separately; to depart from the rules, add --reason."""

    mode: Annotated[
        DivisionMode | None, option("--mode", "How divisions play: {known}; by default their sizes decide.")
    ] = None
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Decide before round 1 how the divisions are paired: as their sizes demand, or in another `mode`.

        A mode that the sizes do not demand needs `deviating`, and the fact names the rules that it departs from. A
        decision after round 1 needs `deviating` too. Players without a division are reported first, as in
        `divisions_due`.
        """
        need_open(record)
        rule = need_divisions(record)
        begun = record.latest_round() is not None
        if begun and not self.deviating:
            said = sentence("divisions must be decided before round 1 is paired: give a reason to deviate")
            raise Refusal(demanding(said, "a reason"), rule.rule)
        sizes = division_sizes(record)
        if not any(sizes):
            raise Refusal(
                demanding(
                    sentence("no player has a division: register players with a year of birth or a division"),
                    "a division",
                ),
                rule.rule,
            )
        unplaced = _unplaced(record, deviating=self.deviating)
        decided = fitting_mode(record) if self.mode is None else self.mode
        deviations = departures(record, decided)
        if self.mode is not None and deviations and not self.deviating:
            raise _other_mode(record, deviations[0])
        before = record.divisions_decided
        if before is not None and (before.mode, before.sizes) == (decided, dict(sizes)):
            raise UsageProblem(sentence("the divisions are decided like this already: nothing would change"))
        rounds = _rounds_unannounced(record, decided)
        rules = tuple(dict.fromkeys((*deviations, *unplaced, *((rule.rule,) if begun else ()))))
        return [DivisionsDecided(mode=decided, sizes=dict(sizes), rounds=rounds, deviations=rules)]


class DrawFlights(Command):
    """Draw a division into flights before round 1. To draw flights that the rules do not allow, add a --reason."""

    division: Annotated[Text, argument("The division, such as masters.")]
    flights: Annotated[int, Field(ge=2, le=9999), argument("How many flights.", "count")]
    deviating: Deviating = False

    def draws(self, _: Record) -> bool:
        return True

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        """Draw a division into flights before round 1. Anyone can check the draw (PKM-3.3.3).

        A number of flights that the rules do not allow needs `deviating`, and the fact names the rules that it
        departs from.
        """
        need_open(record)
        rule = record.rulebook.flights
        if rule is None or not knows_flights(record.rulebook):
            raise Refusal(sentence("%(rulebook)s has no flights", rulebook=record.rulebook.id))
        division = self.division.casefold()
        players = field_of(record, division)
        if not players:
            raise Refusal(no_player_in(division, sorted(division_sizes(record))), rule.rule)
        if record.latest_round() is not None:
            raise Refusal(sentence("flights must be drawn before round 1 is paired"), rule.rule)
        if drawn := next((position for position, fact in record.flights_drawn if fact.division == division), None):
            raise Refusal(
                sentence(
                    "%(division)s is drawn into flights already: retract entry %(entry)s to draw again",
                    division=division,
                    entry=drawn,
                ),
                rule.rule,
            )
        if not 2 <= self.flights <= len(players):  # noqa: PLR2004 - one flight would be no split
            raise Refusal(
                sentence(
                    "%(count)s players cannot be divided into %(flights)s flights",
                    count=len(players),
                    flights=self.flights,
                ),
                rule.count_rule,
            )
        plan = flight_plan(record, division, self.flights, announced_cut(record, division))
        found = [
            Departure(objection.rule, why_not_in_flights(division, self.flights, objection))
            for objection in plan.objections
        ]
        if record.structure is None:
            text = sentence("flights need Swiss rounds with a cut after them: announce the structure")
            found.insert(0, Departure(rule.restrict_rule, text))
        departing(found[:1], deviating=self.deviating)  # the first departure often causes all later departures
        rules = departing(found, deviating=True)
        seed = seeds_of(record, 1, context.secret())(flights_purpose(division, self.flights, players))
        return [
            FlightsDrawn(
                division=division,
                flights=draw_flights(players, plan.sizes, seed),
                seed=seed.hex(),
                deviations=rules,
            )
        ]
