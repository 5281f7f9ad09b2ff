"""Flights: how many, how large, how they are drawn, and late players."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.divisions.conftest import Event, Start
from tests.documents import document_of
from tests.event import SECRET
from tests.pairing.test_recompute_pairings import recomputed

from matchledger.commands import divisions, roster
from matchledger.commands import results as slips
from matchledger.commands import tournaments as opening
from matchledger.events import FlightJoined, FlightsDrawn, Person, RoundPaired
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.chance import draw_seed, random_order, results_digest
from matchledger_projections.stages.flights import (
    flight_plan,
    flight_plans,
    flight_rounds,
    flight_sizes,
    flights_of,
    open_flights,
)
from matchledger_projections.standings.settled import HeadToHead
from matchledger_projections.views.stages import flights

ROOT = Path(__file__).resolve().parents[2]


def drawn(event: Event, flights: int, **asked: object) -> FlightsDrawn:
    event.decide(divisions.DrawFlights, division="masters", flights=flights, **asked)
    fact = event.draft.entries[-1].fact
    assert isinstance(fact, FlightsDrawn)
    return fact


def with_cut(start: Start, masters: int, cut: int, **others: int) -> Event:
    event = start(masters=masters, **others)
    event.announce(style="swiss-with-cut", cut=cut, rounds=7, deviating=True)
    return event


# -- sizes and restrictions


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        pytest.param(142, (36, 36, 36, 34), id="TV-PKM-FL-1: 142/4"),
        pytest.param(141, (36, 36, 34, 35), id="TV-PKM-FL-1: 141/4"),
        pytest.param(128, (32, 32, 32, 32), id="TV-PKM-FL-1: 128/4"),
        pytest.param(64, (32, 32), id="TV-PKM-FL-1: 64/2"),
        pytest.param(143, (36, 36, 36, 35), id="DV-PKM-FL-143: 4"),
        pytest.param(143, (72, 71), id="DV-PKM-FL-143: 2"),
    ],
)
def test_flights_have_the_documented_sizes(players: int, sizes: tuple[int, ...]) -> None:
    assert flight_sizes(players, len(sizes)) == sizes


def test_without_the_even_rule_two_flights_can_have_odd_sizes() -> None:
    assert flight_sizes(142, 4, even=False) == (36, 36, 35, 35)


@given(st.integers(2, 600), st.sampled_from([2, 4, 8, 16]))
def test_flight_sizes_add_up_and_at_most_one_is_odd(players: int, flights: int) -> None:
    sizes = flight_sizes(players, flights)
    assert sum(sizes) == players
    assert sum(size % 2 for size in sizes) == players % 2
    assert max(sizes) - min(sizes) <= 2


@pytest.mark.vector("DV-PKM-FL-143")
def test_each_number_of_flights_is_proposed_with_its_rounds(start: Start) -> None:
    event = with_cut(start, 143, 16)
    plans = {plan.flights: plan for plan in flight_plans(event.record, "masters", 16)}
    assert [(plans[n].sizes, plans[n].rounds, plans[n].qualifiers, plans[n].objections) for n in (2, 4)] == [
        ((72, 71), 7, 8, ()),
        ((36, 36, 36, 35), 6, 4, ()),
    ]
    assert [objection.rule for objection in plans[8].objections] == ["PKM-3.3.3.1-RESTRICT"]
    assert plans[8].objections[0].text == "a flight would have 17 players, and needs 32"


def test_players_without_a_division_have_no_flights(start: Start) -> None:
    event = start()
    event.register(*(f"P{number}" for number in range(64)))
    assert [plan.objections[0].text for plan in flight_plans(event.record, "", 16)] == [
        "only a division is drawn into flights"
    ] * 4


def test_tied_players_are_compared_within_their_flight() -> None:
    """In flight 1, player 1 beat player 2. Player 3, with the same record, plays in flight 2."""
    table = SimpleNamespace(opponents=[[], [2], [1], [0]], outcomes=[[], ["win"], ["loss"], ["bye"]])
    record = SimpleNamespace(flight_numbers={1: 1, 2: 1, 3: 2})
    ranking: Any = SimpleNamespace(record=record, table=table, settled={})
    assert HeadToHead().settle(ranking, [[1, 2, 3]]) == [[1, 3], [2]]


@pytest.mark.vector("DV-PKM-FL-512")
@pytest.mark.parametrize(
    ("flights", "rounds"),
    [pytest.param(8, 6, id="DV-PKM-FL-512: 8"), pytest.param(16, 5, id="DV-PKM-FL-512: 16")],
)
def test_more_flights_play_fewer_rounds(start: Start, flights: int, rounds: int) -> None:
    event = start(masters=512)
    plan = flight_plan(event.record, "masters", flights, None)
    assert (plan.rounds, plan.objections) == (rounds, ())


@pytest.mark.vector("TV-PKM-FL-2")
def test_a_division_of_60_is_too_small_for_flights(start: Start) -> None:
    event = with_cut(start, 60, 8)
    assert event.refusal(divisions.DrawFlights, division="masters", flights=2) == (
        "masters cannot play in 2 flights: the division has 60 players, and needs 64: give a reason to deviate "
        "from it (PKM-3.3.3.1-RESTRICT)"
    )


@pytest.mark.vector("TV-PKM-FL-2")
def test_an_age_modified_event_has_no_flights(start: Start) -> None:
    event = with_cut(start, 64, 8, junior=3)
    assert event.refusal(divisions.DrawFlights, division="masters", flights=2) == (
        "masters cannot play in 2 flights: flights need divisions that play separately, not Age Modified: "
        "give a reason to deviate from it (PKM-3.3.3.1-RESTRICT)"
    )


@pytest.mark.parametrize(
    ("flights", "cut", "problem", "rule"),
    [
        (3, 16, "there are 2, 4, 8, 16 flights, not 3", "PKM-3.3.3.2-COUNT"),
        (
            4,
            4,
            "a cut of 4 does not take the same number of players from each of 4 flights, 2 or more",
            "PKM-3.3.3.2-FINALS",
        ),
    ],
)
def test_numbers_and_cuts_that_do_not_fit_flights_are_refused(
    start: Start, flights: int, cut: int, problem: str, rule: str
) -> None:
    event = with_cut(start, 128, cut)
    assert event.refusal(divisions.DrawFlights, division="masters", flights=flights) == (
        f"masters cannot play in {flights} flights: {problem}: give a reason to deviate from it ({rule})"
    )


def test_a_division_without_players_cannot_be_drawn_into_flights(start: Start) -> None:
    event = with_cut(start, 64, 8)

    def refusal(division: str = "masters", flights: int = 2) -> str:
        return event.refusal(divisions.DrawFlights, division=division, flights=flights)

    assert refusal("junior") == "no player is in 'junior': the divisions are masters (PKM-3.3.3-FLIGHT)"
    assert refusal(flights=65) == "64 players cannot be divided into 65 flights (PKM-3.3.3.2-COUNT)"
    drawn(event, 2)
    assert refusal() == (
        f"masters is drawn into flights already: retract entry {event.record.position} to draw again "
        "(PKM-3.3.3-FLIGHT)"
    )
    assert event.refusal(roster.register, person=Person(name="Zed"), division="masters") == (
        "flights are drawn: enter Zed as a late arrival, or retract the draw"
    )
    event.retract_last()
    event.pair()
    assert refusal() == "flights must be drawn before round 1 is paired (PKM-3.3.3-FLIGHT)"
    assert event.refusal(roster.register, person=Person(name="Zed"), division="masters") == (
        "round 1 is paired: enter Zed as a late arrival"
    )
    assert start("ashes-2022", masters=64).refusal(divisions.DrawFlights, division="masters", flights=2) == (
        "ashes-2022 has no flights"
    )


def test_flights_need_swiss_rounds_and_a_cut(start: Start) -> None:
    event = start(masters=64)
    assert event.refusal(divisions.DrawFlights, division="masters", flights=2) == (
        "flights need Swiss rounds with a cut after them: announce the structure: give a reason to deviate from it "
        "(PKM-3.3.3.1-RESTRICT)"
    )
    event.announce(style="swiss")
    assert event.refusal(divisions.DrawFlights, division="masters", flights=2) == (
        "masters cannot play in 2 flights: flights need Swiss rounds with a cut after them: give a reason to "
        "deviate from it (PKM-3.3.3.1-RESTRICT)"
    )


def test_flights_that_the_rules_do_not_allow_are_marked(start: Start) -> None:
    event = with_cut(start, 20, 8)
    assert drawn(event, 2, deviating=True).deviations == ("PKM-3.3.3.1-RESTRICT",)


# -- the draw


def test_anyone_can_draw_the_flights_again(start: Start) -> None:
    event = with_cut(start, 64, 8)
    digest = results_digest(event.record, 0)
    fact = drawn(event, 2)
    players = range(1, 65)
    seed = draw_seed(SECRET, "flights/masters/2/" + ",".join(map(str, players)), digest)
    order = random_order(seed, players)
    assert fact.flights == (tuple(order[:32]), tuple(order[32:]))
    assert fact.seed == seed.hex()
    found = rederive(event.draft.entries)
    assert [(draw.flights, draw.verdict) for draw in found.draws] == [("masters", "as derived")]


def test_a_manipulated_draw_of_flights_is_found(start: Start) -> None:
    event = with_cut(start, 64, 8)
    fact = drawn(event, 2)
    swapped = fact.model_copy(update={"flights": (fact.flights[1], fact.flights[0])})
    entries = [*event.draft.entries[:-1], event.draft.entries[-1].model_copy(update={"fact": swapped})]
    assert [draw.verdict for draw in rederive(entries).draws] == ["different"]


def test_flights_do_not_meet_and_do_not_change_when_players_drop(start: Start) -> None:
    event = with_cut(start, 66, 8, junior=6)
    fact = drawn(event, 2)
    event.play(1)
    event.decide(roster.drop, player=fact.flights[0][0])
    event.pair()
    paired = event.draft.entries[-1].fact
    assert isinstance(paired, RoundPaired)
    assert [pool.name for pool in paired.pools] == ["junior", "masters, flight 1", "masters, flight 2"]
    flight = {player: number for number, players in enumerate(fact.flights) for player in players}
    assert all(
        flight.get(one) == flight.get(other) for one, other in (seating.players for seating in paired.tables)
    )
    assert flights_of(event.record, "masters") == fact.flights, "PKM-3.3.3.2-STABLE"


# -- late players


@pytest.mark.parametrize("policy", ["random", "smallest"])
def test_a_drop_makes_no_room_in_a_flight_for_a_late_player(start: Start, policy: str) -> None:
    event = start(policies={"POL-PKM-LATE-FLIGHT": policy}, masters=64)
    event.announce(style="swiss-with-cut", cut=8, rounds=5)
    fact = drawn(event, 2)
    event.play(1)
    event.decide(roster.drop, player=fact.flights[0][0])
    assert open_flights(event.record, fact) == [1, 2]


def test_drops_do_not_shorten_a_flight(start: Start) -> None:
    """66 players in two flights of 34 and 32 play six rounds. After four players leave, the other 62 would play
    five rounds.
    """
    event = start(masters=66)
    event.announce(style="swiss-with-cut", cut=8, rounds=6)
    fact = drawn(event, 2)
    assert flight_rounds(event.record) == {"masters": (6,)}
    event.play(1)
    for player in max(fact.flights, key=len)[:4]:
        event.decide(roster.drop, player=player)
    assert flight_rounds(event.record) == {"masters": (6,)}


@pytest.mark.vector("TV-PKM-FL-3")
def test_a_late_player_joins_the_smaller_flight(start: Start) -> None:
    event = with_cut(start, 143, 16)
    assert [len(flight) for flight in drawn(event, 4).flights] == [36, 36, 36, 35]
    event.pair()
    event.late("Zed", "masters", rounds_started=1)
    joined = event.draft.entries[-1].fact
    assert joined == FlightJoined(player=144, flight=4)


def test_chance_chooses_among_equal_flights_and_can_be_checked(start: Start) -> None:
    event = start(policies={"POL-PKM-LATE-FLIGHT": "smallest"}, masters=64)
    event.announce(style="swiss-with-cut", cut=8, rounds=5)
    drawn(event, 2)
    event.play(1)
    event.late("Zed", "masters")
    event.late("Yan", "masters")
    first, second = (entry.fact for entry in event.draft.entries if isinstance(entry.fact, FlightJoined))
    assert first.seed is not None
    assert second == FlightJoined(player=66, flight=3 - first.flight), "the other one has fewer now"
    event.pair()
    found = rederive(event.draft.entries)
    assert [(draw.flights, draw.verdict) for draw in found.draws] == [
        ("masters", "as derived"),
        ("", "as derived"),
        ("Zed", "as derived"),
        ("", "as derived"),
    ]
    assert [len(flight) for flight in flights_of(event.record, "masters")] == [33, 33]


@pytest.mark.parametrize(
    ("late", "forged"),
    [
        ("Zed", {"flight": 1}),
        ("Zed", {"flight": 2}),
        ("Yan", {"flight": 1}),
        ("Yan", {"flight": 2}),
        ("Yan", {"seed": "00" * 32}),
    ],
)
def test_both_the_program_and_the_independent_program_find_a_wrong_flight(
    start: Start, tmp_path: Path, late: str, forged: dict[str, Any]
) -> None:
    event = with_cut(start, 64, 8)
    drawn(event, 2)
    event.play(1)
    event.late("Zed", "masters")
    event.late("Yan", "masters")
    event.decide(opening.close, secret=SECRET, deviating=True)
    assert recomputed(event, tmp_path).stdout == "Round 1: as derived\n"
    entries = list(event.draft.entries)
    place, fact = [
        (place, entry.fact) for place, entry in enumerate(entries) if isinstance(entry.fact, FlightJoined)
    ][late == "Yan"]
    entries[place] = entries[place].model_copy(update={"fact": fact.model_copy(update=forged)})
    said = recomputed(event, tmp_path, entries=entries)
    found = [draw for draw in rederive(entries).draws if draw.flights == late and draw.verdict == "different"]
    if forged.get("flight") == fact.flight:
        assert (said.returncode, found) == (0, [])
        return
    assert f"Flight of late player {fact.player}, entry {place + 1}: DIFFERENT\n" in said.stdout
    assert said.returncode == 1
    assert found


def test_a_late_arrival_before_round_1_can_be_retracted(start: Start) -> None:
    event = with_cut(start, 64, 8)
    made = event.draft.entries
    drawn(event, 2)
    position = event.record.position
    event.late("Zed", "masters")
    assert event.record.players[65].losses == ()
    assert event.refusal(slips.retract, entry=made[position - 1]) == (
        "a late player has joined one of the flights: retract that entry first"
    )
    event.retract_last()
    event.decide(slips.retract, entry=made[position - 1])
    assert event.record.flights_drawn == []


def test_recomputing_checks_flights_without_our_engine(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = with_cut(start, 64, 8, junior=6)
    drawn(event, 2)
    event.play(1)
    event.late("Zed", "masters")
    event.play(1)
    event.decide(opening.close, secret=SECRET, deviating=True)
    recomputed = runpy.run_path(str(ROOT / "docs" / "recompute_pairings.py"))

    def judged() -> int:
        log = tmp_path / "log.jsonl"
        log.write_text("\n".join(json.dumps(entry) for entry in entries), "utf-8")
        code = recomputed["main"](log)
        assert isinstance(code, int)
        return code

    entries = [entry.model_dump(mode="json") for entry in event.draft.entries]
    assert judged() == 0
    assert capsys.readouterr().out == "Round 1: as derived\nRound 2: as derived\n"
    flights = next(entry["fact"] for entry in entries if entry["fact"]["kind"] == "flights-drawn")
    flights["flights"].reverse()
    assert judged() == 1
    assert "Flights of masters" in capsys.readouterr().out


# -- the document


def test_the_flights_document_has_the_proposals_and_the_draws(start: Start) -> None:
    event = with_cut(start, 64, 8, junior=6)
    fact = drawn(event, 2)
    junior, masters = document_of(event.record, flights)["divisions"]
    assert (junior["drawn"], [plan["allowed"] for plan in junior["proposals"]]) == (None, [False] * 4)
    assert masters["drawn"]["original_sizes"] == [32, 32]
    assert masters["drawn"]["seed"] == fact.seed
    assert [len(flight) for flight in masters["drawn"]["flights"]] == [32, 32]
