"""Departures: how rounds, cuts and endings depart from the announcement, the table, the divisions and the
flights.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import pytest
from tests.divisions.conftest import Event as Divided
from tests.event import SECRET
from tests.stages.conftest import Event, Start
from tests.stages.test_structures import announced

from matchledger.commands import cuts, divisions, eliminations, repairs, replacements, roster, structures, ties
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.card_incidents import NoteCard
from matchledger.commands.penalties import GivePenalty
from matchledger.events import (
    AnyFact,
    Bye,
    CutMade,
    Entry,
    FlightJoined,
    Person,
    ResultReported,
    RoundPaired,
    Seating,
    StructureAnnounced,
    TournamentClosed,
)
from matchledger.notation.slip import Written
from matchledger_projections.narration import tell
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.stages.cut import shares_warning
from matchledger_projections.stages.departures import of_announced_cut, of_closing
from matchledger_projections.stages.flights import field_now, flights_of
from matchledger_projections.stages.placing import champions, places
from matchledger_projections.stages.structure import proposal
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.standings.settled import HeadToHead
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.integrity import integrity

close = partial(opening.close, secret=SECRET)
pair = partial(rounds.pair_round, secret=SECRET)


def divided(rulebook: str = "pokemon-2009", policies: dict[str, str] | None = None, **sizes: int) -> Divided:
    event = Divided(rulebook, policies or {})
    event.enter(**sizes)
    return event


def listed(event: Event | Divided) -> list[tuple[str, tuple[str, ...]]]:
    """Return the departures in the integrity report, with their rules."""
    law = rulebook_text(event.record.rulebook.id)
    return [(item.kind, item.rules) for item in integrity(event.draft.entries, shipped_laws=[law])]


def play(event: Event | Divided, count: int) -> None:
    """Pair and report rounds as the rulebook says. The player who was registered first wins every table."""
    for _ in range(count):
        event.decide(pair)
        report(event)


def report(event: Event | Divided) -> None:
    latest = event.record.latest_round("elimination") or event.record.latest_round()
    assert latest is not None
    blood = 5 if event.record.rulebook.blood_points is not None else None
    for table in latest.outstanding:
        winner = latest.tables[table].index(min(latest.tables[table]))
        written = Written(winner=winner, blood_points=blood)
        event.decide(slips.report, table=table, written=written, stage=latest.stage)


# -- flights


def masters_in_flights(flights: int) -> Divided:
    event = divided(masters=64)
    event.announce(style="swiss-with-cut", cut=8, rounds=5)
    event.decide(divisions.DrawFlights, division="masters", flights=flights)
    return event


def test_flights_that_lost_their_players_are_paired_only_with_a_reason() -> None:
    event = masters_in_flights(2)
    for player in range(1, 20):
        event.decide(roster.drop, player=player)
    refused = event.refusal(pair)
    assert "masters cannot play in 2 flights: the division has 45 players, and needs 64" in refused
    assert "PKM-3.3.3.1-RESTRICT" in refused
    entry = event.decide(pair, deviating=True)[-1]
    assert isinstance(entry.fact, RoundPaired)
    assert "PKM-3.3.3.1-RESTRICT" in entry.fact.deviations
    rules = [item.rules for item in integrity(event.draft.entries) if item.entry.position == entry.position]
    assert any("PKM-3.3.3.1-RESTRICT" in each for each in rules)


def test_flights_that_lose_players_after_round_1_are_still_paired() -> None:
    event = masters_in_flights(2)
    play(event, 1)
    for player in range(1, 20):
        event.decide(roster.drop, player=player)
    play(event, 1)
    assert all("PKM-3.3.3.1-RESTRICT" not in rules for _, rules in listed(event))


@pytest.mark.finding("S-W1")
def test_a_cut_for_all_divisions_takes_equal_numbers_from_each_flight() -> None:
    event = masters_in_flights(2)
    drawn = next(fact for _, fact in event.record.flights_drawn)
    first = set(drawn.flights[0])
    play(event, 5)
    if ties.ties_after(event.record, 5):
        event.decide(ties.DrawTies)
    event.decide(cuts.make_cut)
    made = event.draft.entries[-1].fact
    assert isinstance(made, CutMade)
    assert len(first & set(made.seeds)) == 4
    assert made.deviations == ()
    assert {rules for _, rules in listed(event)} == {("PKM-4-POST",)}


@pytest.mark.finding("S-W1")
def test_a_replaced_qualifier_comes_from_the_same_flight() -> None:
    event = masters_in_flights(2)
    flights = [set(flight) for flight in event.record.flights_drawn[0][1].flights]
    play(event, 5)
    if ties.ties_after(event.record, 5):
        event.decide(ties.DrawTies)
    event.decide(cuts.make_cut)
    for flight in flights:
        leaver = next(player for player in qualifiers(event.record) if player in flight)
        event.decide(replacements.ReplaceQualifier, player=leaver)
        assert [len(each & set(qualifiers(event.record))) for each in flights] == [4, 4]
        assert listed(event)[-1] == ("qualifier replaced", ("PKM-3.3-CUT",))
    rest = [player for player in flights[0] if event.record.status(player) == "active"]
    rest = [player for player in rest if player not in qualifiers(event.record)]
    leaver = next(player for player in qualifiers(event.record) if player in flights[0])
    ask = partial(replacements.ReplaceQualifier, player=leaver, declined=rest)
    assert event.refusal(ask).endswith(
        "and the same number of players must advance from each flight: give a reason to deviate "
        "from it (PKM-3.3.3.2-FINALS)"
    )
    event.decide(ask, deviating=True)
    assert listed(event)[-1] == ("qualifier replaced", ("PKM-3.3-CUT", "PKM-3.3.3.2-FINALS"))


@pytest.mark.finding("S-W1")
def test_a_division_cut_in_an_event_with_one_division_is_no_departure() -> None:
    event = divided(masters=64)
    event.announce(style="swiss-with-cut", rounds=5, division_cuts={"masters": 8})
    plan = event.record.structure
    assert plan is not None
    assert (plan.structure, plan.deviations) == ("swiss-with-cut", ())


@pytest.mark.finding("S-W6")
def test_a_division_cut_of_0_means_no_cut_and_no_departure() -> None:
    event = divided(junior=6, masters=10)
    event.announce(style="swiss-with-cut", division_cuts={"junior": 0, "masters": 2})
    play(event, 4)
    event.decide(cuts.make_cut)
    assert "departure from the structures" not in dict(listed(event))


def test_an_old_announcement_with_a_cut_of_0_has_no_cut() -> None:
    event = divided(masters=8)
    event.decide(
        lambda _: [
            StructureAnnounced(style="swiss-with-cut", structure="custom", rounds=1, division_cuts={"masters": 0})
        ]
    )
    event.decide(rounds.pair_round, secret=SECRET, deviating=True)
    report(event)
    assert len(places(event.record)) == 8
    assert event.refusal(cuts.make_cut, deviating=True) == (
        "no cut was announced: give the number of players who go on"
    )


@pytest.mark.finding("S-W6")
def test_the_example_of_flights_in_the_document_is_not_marked() -> None:
    event = divided(masters=143)
    for asked in ({"style": "swiss-with-cut", "cut": 16, "rounds": 6}, {"cut": 16}):
        event.announce(**asked)
        plan = event.record.structure
        assert plan is not None
        assert (plan.structure, plan.deviations) == ("swiss-with-cut", ())
    event.announce(style="swiss-with-cut", cut=16, rounds=4, deviating=True)
    assert event.record.structure is not None
    assert event.record.structure.deviations == ("PKM-3.3.5-TABLE",)


@pytest.mark.finding("S-W6")
def test_flights_need_their_own_number_of_rounds() -> None:
    event = divided(masters=64)
    event.announce(style="swiss-with-cut", cut=8, deviating=True)
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    assert event.refusal(pair).startswith("the announced structure does not fit the number of players")
    event.announce(style="swiss-with-cut", cut=8, deviating=True)  # the flights decide the number of rounds
    assert event.record.structure is not None
    assert (event.record.structure.rounds, event.record.structure.deviations) == (5, ())
    event.decide(pair)
    assert listed(event) == []


@pytest.mark.finding("S-W6")
def test_fewer_rounds_without_flights_are_a_departure() -> None:
    event = divided(masters=64)
    event.announce(style="swiss-with-cut", cut=8, rounds=5)
    assert event.record.structure is not None
    assert event.record.structure.deviations == ()
    too_few = divided(masters=128)
    too_few.announce(style="swiss-with-cut", cut=8, rounds=5)
    assert "PKM-3.3.5-TABLE" in too_few.refusal(pair)


def test_a_cut_that_flights_cannot_share_equally_is_a_departure() -> None:
    event = masters_in_flights(2)
    play(event, 5)
    if ties.ties_after(event.record, 5):
        event.decide(ties.DrawTies)
    event.decide(cuts.make_cut, size=2, deviating=True)
    rules = {rule for _, rules in listed(event) for rule in rules}
    assert {"PKM-3.3.3.2-FINALS", "PKM-2-ANNOUNCE"} <= rules


@pytest.mark.finding("S-W9")
def test_late_players_are_drawn_into_any_of_the_equal_flights() -> None:
    event = masters_in_flights(2)
    event.decide(pair)
    report(event)
    for number in range(12):
        event.late(f"Late {number}", "masters")
    joined = [entry.fact for entry in event.draft.entries if isinstance(entry.fact, FlightJoined)]
    assert all(fact.seed for fact in joined)
    sizes = sorted(len(flight) for flight in flights_of(event.record, "masters"))
    assert sum(sizes) == 76
    halves = [joined[place].flight + joined[place + 1].flight == 3 for place in range(0, 12, 2)]
    assert not all(halves), "the second of each two is drawn as well, and not put where fewer are"
    assert {draw.verdict for draw in rederive(event.draft.entries).draws} == {"as derived"}


def test_a_policy_seats_a_late_player_in_the_smallest_flight() -> None:
    event = divided(policies={"POL-PKM-LATE-FLIGHT": "smallest"}, masters=64)
    event.announce(style="swiss-with-cut", cut=8, rounds=5)
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    event.decide(pair)
    report(event)
    for number in range(6):
        event.late(f"Late {number}", "masters")
    assert [len(flight) for flight in flights_of(event.record, "masters")] == [35, 35]


# -- divisions


@pytest.mark.finding("S-W2")
def test_divisions_that_play_apart_have_their_own_rounds() -> None:
    event = divided(junior=6, senior=6, masters=33)
    event.announce(style="swiss", deviating=True)
    plan = event.record.structure
    assert plan is not None
    assert (plan.rounds, plan.division_rounds) == (6, {"junior": 3, "senior": 3, "masters": 6})
    assert plan.deviations == ()
    play(event, 4)
    last = event.record.latest_round()
    assert last is not None
    assert {event.record.players[player].division for player in last.players} == {"masters"}
    event.announce(style="swiss", rounds=6, deviating=True)
    assert event.record.structure is not None
    assert "PKM-3.1.3-ROUNDS" in event.record.structure.deviations


@pytest.mark.finding("S-W2")
def test_divisions_that_play_together_have_no_rounds_of_their_own() -> None:
    event = divided(senior=5, masters=9)
    found = proposal(event.record.rulebook, "swiss", field_now(event.record))
    assert found is not None
    assert (found.rounds, found.division_rounds) == ((4,), {})


@pytest.mark.finding("S-M1")
def test_a_warning_gives_the_figures_of_very_unequal_cuts() -> None:
    event = divided(junior=32, senior=32, masters=32)
    event.announce(style="swiss-with-cut", division_cuts={"junior": 8, "senior": 2, "masters": 8})
    plan = event.record.structure
    assert plan is not None
    assert (
        shares_warning(event.record)
        == "8 of 32 junior go on, but only 2 of 32 senior: the shares should be about the same"
    )
    event.announce(style="swiss-with-cut", division_cuts={"junior": 8, "senior": 4, "masters": 8})
    assert event.record.structure is not None
    assert shares_warning(event.record) is None


@pytest.mark.finding("S-M1")
def test_a_cut_with_very_unequal_shares_gets_a_warning_too() -> None:
    event = divided(junior=8, senior=8)
    event.announce(style="swiss")
    play(event, 2)
    if ties.ties_after(event.record, 2):
        event.decide(ties.DrawTies)
    event.decide(cuts.make_cut, division_sizes={"junior": 6, "senior": 2}, deviating=True)
    assert shares_warning(event.record) == (
        "6 of 8 junior go on, but only 2 of 8 senior: the shares should be about the same"
    )


@pytest.mark.finding("S-M2")
def test_an_announcement_without_the_number_of_prizes_is_marked() -> None:
    event = divided(masters=8)
    assert event.refusal(structures.AnnounceStructure, style="swiss") == (
        "the number of prizes is missing: announce it too: give a reason to deviate from it (PKM-2-ANNOUNCE)"
    )
    found = []
    for prizes in (None, 4):
        event.announce(style="swiss", prizes=prizes, deviating=prizes is None)
        assert event.record.structure is not None
        found.append(event.record.structure.deviations)
    assert found == [("PKM-2-ANNOUNCE",), ()]


def test_an_announcement_of_street_warriors_needs_no_number_of_prizes() -> None:
    event = Event("street-warriors-2004")
    event.register(*"ABCDEFGH")
    event.decide(structures.AnnounceStructure)
    assert event.record.structure is not None
    assert event.record.structure.deviations == ()


def test_players_without_a_division_are_named_before_round_1() -> None:
    event = divided(junior=6, senior=6, masters=6)
    event.decide(roster.register, person=Person(name="Zed"))
    assert event.refusal(pair) == (
        "Zed has no division: register the player with a year of birth or a division, or give a reason to deviate "
        "(PKM-3.1.1-POD)"
    )
    event.decide(pair, deviating=True)
    assert ("divisions or flights otherwise than the rules ask for", ("PKM-3.1.1-POD",)) in listed(event)


# -- cuts and endings


@pytest.mark.finding("L-W10", "S-W3")
@pytest.mark.parametrize(
    ("rulebook", "players", "played", "size", "rule"),
    [
        pytest.param("ashes-2022", 16, 4, 4, "ASH-CUT", id="ashes-2022"),
        pytest.param("street-warriors-2004", 8, 3, 3, "SWR-CUT", id="street-warriors-2004"),
        pytest.param("pokemon-2009", 8, 3, 3, "PKM-3.3-CUT", id="pokemon-2009"),
        pytest.param("l5r-2018", 9, 4, 3, "L5R-IV.2b-CUT", id="l5r-2018"),
    ],
)
def test_a_cut_outside_the_table_needs_a_reason_and_is_listed(
    start: Start, rulebook: str, players: int, played: int, size: int, rule: str
) -> None:
    event = start(rulebook, players)
    play(event, played)
    said = f"by the rulebook's table, round {played} is not followed by a cut to {size}"
    assert event.refusal(cuts.make_cut, size=size).startswith(said)
    settle(event)
    event.decide(cuts.make_cut, size=size, deviating=True)
    made = event.draft.entries[-1].fact
    assert isinstance(made, CutMade)
    assert rule in made.deviations
    assert any(kind == "departure from the structures" and rule in rules for kind, rules in listed(event))


def settle(event: Event) -> None:
    """Order every tie after the last round, as the rulebook demands."""
    for _, tied in ties.ties_after(event.record, event.record.finished_rounds):
        event.decide(ties.order_tie, players=tied)


@pytest.mark.finding("L-W10")
@pytest.mark.parametrize(
    ("players", "cut", "allowed"),
    [
        (9, 2, False),
        (9, 3, False),
        (9, 4, True),
        (9, 8, True),
        (9, 64, False),
        (33, 16, True),
        (33, 32, True),
        (65, 64, False),
    ],
)
def test_a_cut_has_a_size_in_the_regulations_and_fits_the_field(
    start: Start, players: int, cut: int, allowed: bool
) -> None:
    event = start("l5r-2018", players)
    asked = {"structure": "custom", "rounds": 4, "cut": cut}
    if not allowed:
        assert event.refusal(structures.AnnounceStructure, **asked) == (
            f"the rulebook does not give this structure for {players} players: give a reason to deviate from it "
            "(L5R-IV.2b-CUT)"
        )
    event.decide(structures.AnnounceStructure, **asked, deviating=not allowed)
    assert event.record.structure is not None
    assert event.record.structure.deviations == (() if allowed else ("L5R-IV.2b-CUT",))


@pytest.mark.finding("S-W3")
@pytest.mark.parametrize(
    ("rulebook", "announced", "played", "rule"),
    [
        pytest.param("ashes-2022", 4, 2, "ASH-ROUNDS", id="ashes-2022"),
        pytest.param("street-warriors-2004", 3, 1, "SWR-SWISS-ROUNDS", id="street-warriors-2004"),
        pytest.param("pokemon-2009", 3, 1, "PKM-2-ANNOUNCE", id="pokemon-2009"),
    ],
)
def test_an_event_that_stops_early_needs_a_reason_and_is_listed(
    start: Start, rulebook: str, announced: int, played: int, rule: str
) -> None:
    event = start(rulebook, 16 if announced == 4 else 8)
    event.decide(structures.AnnounceStructure, style="swiss", rounds=announced, prizes=3)
    play(event, played)
    assert event.refusal(close).startswith(f"{played} of {announced} announced rounds were played")
    event.decide(close, deviating=True)
    closed = event.draft.entries[-1].fact
    assert isinstance(closed, TournamentClosed)
    assert rule in closed.deviations


@pytest.mark.parametrize(
    ("rulebook", "players", "size", "too_early", "too_small"),
    [
        pytest.param("ashes-2022", 17, 4, "ASH-ROUNDS", "ASH-CUT", id="ashes-2022"),
        pytest.param("street-warriors-2004", 9, 4, "SWR-SWISS-ROUNDS", "SWR-CUT", id="street-warriors-2004"),
    ],
)
def test_a_departure_from_an_announcement_cites_the_rule_about_its_rounds_or_its_cut(
    start: Start, rulebook: str, players: int, size: int, too_early: str, too_small: str
) -> None:
    """SWR and ASH demand no announcement, so the message cites the table that gave the announced number."""
    event = start(rulebook, players)
    event.decide(structures.AnnounceStructure, style="swiss-with-cut", cut=size)
    plan = announced(event)
    play(event, 1)
    settle(event)
    assert event.refusal(cuts.make_cut).endswith(f"({too_early})")
    assert [each.rule for each in of_announced_cut(event.record, plan, plan.rounds, {None: 2})] == [too_small]
    assert [each.rule for each in of_closing(event.record)][:2] == [too_early, too_small]
    event.decide(cuts.make_cut, size=2, deviating=True)
    assert {too_early, too_small} <= set(announced(event).deviations)
    assert "POLICY" not in announced(event).deviations


@pytest.mark.parametrize(
    ("rulebook", "rule"),
    [
        ("ashes-2022", "ASH-ROUNDS"),
        ("street-warriors-2004", "SWR-SWISS-ROUNDS"),
        ("pokemon-2009", "PKM-2-ANNOUNCE"),
        ("l5r-2018", "L5R-IV.2-ANNOUNCE"),
    ],
)
def test_a_round_beyond_the_announcement_cites_the_rule_about_rounds(
    start: Start, rulebook: str, rule: str
) -> None:
    event = start(rulebook, 8)
    event.decide(structures.AnnounceStructure, style="swiss", rounds=3, prizes=3, deviating=True)
    play(event, 3)
    assert event.refusal(pair).endswith(f"({rule})")
    event.decide(pair, deviating=True)
    assert rule in announced(event).deviations


def test_closing_during_a_round_names_the_round_and_is_listed(start: Start) -> None:
    event = start("ashes-2022", 16)
    event.decide(structures.AnnounceStructure, style="swiss", rounds=4, prizes=3)
    play(event, 1)
    event.decide(rounds.pair_round, secret=SECRET)
    assert "2 of 4 announced rounds were played" in event.refusal(close)
    event.decide(close, deviating=True)
    assert tell(event.record, event.draft.entries[-1].fact).startswith("tournament closed after round 2")
    assert listed(event)[-1][0] == "departure from the structures"


@pytest.mark.finding("S-W3")
def test_an_event_without_an_announcement_ends_as_the_table_says(start: Start) -> None:
    event = start("ashes-2022", 8)
    play(event, 2)
    assert "ASH-ROUNDS" in event.refusal(close)
    play(event, 1)
    assert "ASH-ROUNDS" in event.refusal(pair)
    settle(event)
    event.decide(close)
    assert [kind for kind, _ in listed(event) if kind != "order of a tie set by hand"] == []


@pytest.mark.parametrize(("rulebook", "players"), [("ashes-2022", 6), ("street-warriors-2004", 9), ("l5r-2018", 8)])
def test_an_event_that_stops_because_its_players_leave_needs_a_reason(
    start: Start, rulebook: str, players: int
) -> None:
    event = start(rulebook, players)
    play(event, 1)
    for player in range(2, players + 1):
        event.decide(roster.drop, player=player)
    assert "by the rulebook's table, the event does not end after round 1" in event.refusal(close)
    event.decide(close, deviating=True)
    assert listed(event)[-1][0] == "departure from the structures"


@pytest.mark.finding("S-W3")
def test_a_missing_announced_cut_needs_a_reason(start: Start) -> None:
    event = start("street-warriors-2004", 8)
    event.decide(structures.AnnounceStructure)
    play(event, 3)
    assert event.refusal(close).startswith("a cut to 2 was not made")


@pytest.mark.finding("L-W11")
def test_undecided_places_keep_an_event_open(start: Start) -> None:
    event = start("street-warriors-2004", 4)
    event.decide(structures.AnnounceStructure)
    first = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
    event.decide(rounds.pair_by_hand, games=first)
    for table in (1, 2):
        event.decide(slips.report, table=table, written=Written(kind="draw", winner=None))
    for games in ([(1, 3), (2, 4)], [(1, 4), (2, 3)]):
        seated = [Seating(table=table, players=two) for table, two in enumerate(games, 1)]
        event.decide(rounds.pair_by_hand, games=seated)
        for table in (1, 2):
            event.decide(slips.report, table=table, written=Written(kind="draw", winner=None))
    assert event.refusal(close).startswith("places 1 to 4 are not decided")
    settle(event)
    event.decide(close)


@pytest.mark.finding("L-W11")
def test_an_open_final_keeps_an_event_open(start: Start) -> None:
    event = start("street-warriors-2004", 8)
    event.decide(structures.AnnounceStructure)
    play(event, 3)
    settle(event)
    event.decide(cuts.make_cut)
    assert event.refusal(close).startswith("no game was played after the cut")
    event.decide(eliminations.pair_elimination, secret=SECRET)
    report(event)
    event.decide(close)
    assert [kind for kind, _ in listed(event) if kind != "order of a tie set by hand"] == []


@pytest.mark.finding("L-W11")
def test_undecided_places_after_a_cut_are_listed_with_their_rule(start: Start) -> None:
    event = start("l5r-2018", 9)
    event.decide(structures.AnnounceStructure, structure="advanced")
    play(event, 4)
    settle(event)
    event.decide(cuts.make_cut)
    event.drop(event.name(event.record.cuts[0].seeds[1]))
    event.decide(close, deviating=True)
    assert listed(event)[-1] == ("departure from the structures", ("L5R-IV.2b-CUT", "L5R-IV.2c-PLACE"))


# -- rounds by hand, late players, byes


@pytest.mark.parametrize(
    ("rulebook", "rule", "of_returns"),
    [
        ("l5r-2018", "L5R-IV.2-REMATCH", "L5R-IV.2-REJOIN"),
        ("street-warriors-2004", "SWR-SWISS-NOREMATCH", "POLICY"),
        ("pokemon-2009", "PKM-3.1-NOREMATCH", "POLICY"),
        ("ashes-2022", "ASH-NOREMATCH", "POLICY"),
    ],
)
def test_a_rematch_and_a_return_are_listed_with_their_rules(
    start: Start, rulebook: str, rule: str, of_returns: str
) -> None:
    event = start(rulebook, "A B C D")
    event.swiss("A>B C>D")
    event.decide(roster.drop, player=4)
    event.decide(roster.rejoin, player=4)
    again = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
    assert event.refusal(rounds.pair_by_hand, games=again).endswith(f"({rule})")
    event.swiss("A>B C>D")
    rules = dict(listed(event))
    assert rules["rematch allowed"] == (rule,)
    assert rules["return of a player"] == (of_returns,)


@pytest.mark.finding("S-W7")
def test_a_second_bye_by_hand_needs_a_reason(start: Start) -> None:
    event = start("pokemon-2009", "A B C")
    first = {"games": [Seating(table=1, players=(1, 2))], "byes": [Bye(player=3)]}
    event.decide(rounds.pair_by_hand, **first)
    event.report(1)
    again = {"games": [], "byes": [Bye(player=3)]}
    assert event.refusal(rounds.pair_by_hand, **again) == (
        "C has had a bye: give a reason to deviate from it (PKM-3.1-ONEBYE)"
    )
    event.decide(rounds.pair_by_hand, **again, deviating=True)
    paired = event.draft.entries[-1].fact
    assert isinstance(paired, RoundPaired)
    assert paired.deviations == ("PKM-3.1-ONEBYE",)
    assert any("PKM-3.1-ONEBYE" in rules for _, rules in listed(event))


def rounds_with_byes(event: Event, byes: str) -> None:
    """Play three rounds of five players by hand, in which the players A, B and C do not meet."""
    games = (((2, 4), (3, 5)), ((1, 5), (3, 4)), ((1, 4), (2, 5)))
    for two, bye in zip(games, byes, strict=True):
        seats = [Seating(table=table, players=each) for table, each in enumerate(two, 1)]
        byes_given = [Bye(player=event.number(bye))]
        event.decide(rounds.pair_by_hand, games=seats, byes=byes_given, deviating=True)
        report(event)


@pytest.mark.parametrize(("rulebook", "rule"), [("l5r-2018", "L5R-IV.2a-BYE"), ("ashes-2022", "ASH-BYE")])
def test_a_drawn_second_bye_needs_a_reason_and_is_listed(start: Start, rulebook: str, rule: str) -> None:
    event = start(rulebook, "A B C D E")
    event.decide(structures.AnnounceStructure, style="swiss", rounds=4, deviating=True)
    rounds_with_byes(event, "ABC")
    for player in (4, 5):
        event.decide(roster.drop, player=player)
    refused = event.refusal(pair)
    assert "has had a bye: give a reason to deviate from it" in refused
    [*_, entry] = event.decide(pair, deviating=True)
    assert isinstance(entry.fact, RoundPaired)
    assert rule in entry.fact.deviations
    assert ("departure from a rule", (rule,)) in listed(event)
    unmarked = [each if each != entry else unmarked_pairing(each) for each in event.draft.entries]
    assert rule in {
        rule for item in integrity(unmarked) if item.entry.position == entry.position for rule in item.rules
    }


def unmarked_pairing(entry: Entry) -> Entry:
    """Return a pairing as an older version recorded it, without the rules that it departs from."""
    assert isinstance(entry.fact, RoundPaired)
    return entry.model_copy(update={"fact": entry.fact.model_copy(update={"deviations": ()})})


def test_a_drawn_bye_is_no_departure_if_it_is_the_players_first(start: Start) -> None:
    event = start("l5r-2018", 5)
    play(event, 3)
    assert "departure from a rule" not in [kind for kind, _ in listed(event)]


@pytest.mark.finding("S-W7")
def test_players_of_divisions_that_play_apart_meet_only_with_a_reason() -> None:
    event = divided(junior=6, senior=6)
    games = [Seating(table=1, players=(1, 7))]
    assert event.refusal(rounds.pair_by_hand, games=games) == (
        "junior1, senior1 are in divisions that play separately: give a reason to deviate from it (PKM-3.1.1-POD)"
    )
    event.decide(pair)
    posted = event.record.latest_round()
    assert posted is not None
    junior, senior = (
        next(two for two in posted.tables.values() if event.record.players[two[0]].division == name)
        for name in ("junior", "senior")
    )
    swapped = [(junior[0], senior[0]), (junior[1], senior[1])]
    assert "PKM-3.1.1-POD" in event.refusal(rounds.amend_pairing, games=swapped)
    event.decide(rounds.amend_pairing, games=swapped, deviating=True)
    assert ("amended pairing", ("PKM-3.1.1-POD",)) in listed(event)


@pytest.mark.finding("S-W7")
def test_players_of_different_flights_meet_only_with_a_reason() -> None:
    event = divided(masters=64)
    asked = {"division": "masters", "flights": 2}
    assert event.refusal(divisions.DrawFlights, **asked) == (
        "flights need Swiss rounds with a cut after them: announce the structure: give a reason to deviate from it "
        "(PKM-3.3.3.1-RESTRICT)"
    )
    event.announce(style="swiss-with-cut", rounds=5, cut=8, prizes=3)
    event.decide(divisions.DrawFlights, **asked)
    first, second = (flight[0] for flight in flights_of(event.record, "masters"))
    games = [Seating(table=1, players=(first, second))]
    assert event.refusal(rounds.pair_by_hand, games=games).endswith(
        "are in different flights: give a reason to deviate from it (PKM-3.3.3-FLIGHT)"
    )
    event.decide(rounds.pair_by_hand, games=games, deviating=True)
    assert any("PKM-3.3.3-FLIGHT" in rules for _, rules in listed(event))


def test_players_of_different_flights_change_tables_only_with_a_reason() -> None:
    event = divided(masters=64)
    event.announce(style="swiss-with-cut", rounds=5, cut=8, prizes=3)
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    event.decide(pair)
    posted = event.record.latest_round()
    assert posted is not None
    ours, theirs = (
        next(two for two in posted.tables.values() if two[0] in flight)
        for flight in flights_of(event.record, "masters")
    )
    crossed = {"games": [(ours[0], theirs[0]), (ours[1], theirs[1])]}
    assert "are in different flights" in event.refusal(rounds.amend_pairing, **crossed)
    event.decide(rounds.amend_pairing, **crossed, deviating=True)
    assert ("amended pairing", ("PKM-3.3.3-FLIGHT",)) in listed(event)


@pytest.mark.finding("S-W8")
def test_a_penalty_with_an_override_is_listed_with_its_rule(start: Start) -> None:
    event = start("ashes-2022", 4)
    event.decide(pair)
    asked = {"penalty": "game-loss", "offence": "slow-play", "override": True, "blood_points": 0}
    event.decide(GivePenalty, player=2, **asked)
    assert ("departure from a rule", ("ASH-SLOW",)) in listed(event)


@pytest.mark.finding("S-W5")
def test_a_late_player_meets_the_player_with_the_bye_before_the_round_starts() -> None:
    event = divided(masters=7)
    event.decide(pair)
    posted = event.record.latest_round()
    assert posted is not None
    [bye] = posted.byes
    event.late("Zed", "masters")
    seated = event.record.latest_round()
    assert seated is not None
    assert seated.byes == ()
    assert (bye.player, 8) in seated.tables.values()
    assert event.record.players[8].losses == ()


@pytest.mark.parametrize(("policies", "last"), [({}, ["Zed"]), ({"POL-PKM-TARDY": "charged"}, ["masters3", "Zed"])])
def test_a_late_player_who_missed_no_round_can_count_as_tardy(policies: dict[str, str], last: list[str]) -> None:
    """PKM-3.1.5.1-TARDY: if everything else is equal, a late player ranks below a punctual player."""
    event = divided(policies=policies, masters=3)
    games = [Seating(table=1, players=(1, 3))]
    event.decide(rounds.pair_by_hand, games=games, byes=[Bye(player=2)], deviating=True)
    event.late("Zed", "masters")
    report(event)
    assert event.record.players[4].losses == ()
    assert [event.name(player) for player in standings(event.record, 1).groups[-1]] == last


@pytest.mark.parametrize(
    ("flights", "ranked"), [({}, [["A", "B", "C"]]), ({1: 1, 2: 1, 3: 2}, [["A", "C"], ["B"]])]
)
def test_tied_players_of_a_flight_are_first_compared_within_the_flight(
    start: Start, flights: dict[int, int], ranked: list[list[str]]
) -> None:
    """PKM-3.1.5.1-H2H concerns two tied players who have met. A beat B, and C is in another flight."""
    event = start("pokemon-2009", "A B C D")
    event.swiss("A>B C>D")
    table = crosstable(event.record, event.record.rulebook, 1)
    ranking = SimpleNamespace(record=SimpleNamespace(flight_numbers=flights), table=table, settled={})
    groups = HeadToHead().settle(ranking, [[1, 2, 3]])
    assert [[event.name(player) for player in group] for group in groups] == ranked


@pytest.mark.finding("S-W5")
def test_a_late_player_without_an_opponent_is_seated_before_play_continues() -> None:
    event = divided(masters=8)
    event.decide(pair)
    late = partial(roster.arrive_late, person=Person(name="Zed"), division="masters", secret=lambda: SECRET)
    event.decide(late, rounds_started=0)
    report(event)
    entry = event.record.players[9].position
    neither = (
        "Zed came late, and has neither a seat in round 1 nor a loss for it: amend the round, or retract "
        f"entry {entry} and charge the round (PKM-3.1.4-LATE)"
    )
    assert event.refusal(pair) == neither
    assert event.refusal(close, deviating=True) == neither
    assert event.refusal(rounds.amend_pairing, games=[], byes=[9]).startswith("round 1 is over, and Zed")
    event.decide(rounds.amend_pairing, games=[], byes=[9], deviating=True)
    event.decide(pair)


@pytest.mark.finding("S-W5")
def test_a_late_player_without_an_opponent_is_charged_with_the_posted_round() -> None:
    event = divided(masters=8)
    event.decide(pair)
    event.late("Zed", "masters")
    assert event.record.players[9].losses == (1,)


def test_refusals_about_late_players_cite_the_rulebook_of_the_event(start: Start) -> None:
    event = start("l5r-2018", 4)
    event.decide(pair)
    asked = {"person": Person(name="Zed"), "rounds_started": 5}
    assert event.refusal(roster.arrive_late, **asked).endswith("(POLICY)")


@pytest.mark.finding("S-W4")
def test_the_first_bye_of_ashes_is_random_in_every_round(start: Start) -> None:
    winners = set()
    for chance in range(24):
        event = start("ashes-2022", 8)
        event.decide(rounds.pair_round, secret=SECRET)
        report(event)
        event.drop("P8" if chance % 2 else "P7")
        table_won = {min(two) for two in event.record.rounds()[0].tables.values()}
        drawn = rounds.derive_round(event.record, 2, secret=bytes([chance]) * 32)
        [bye] = next(fact for fact in drawn if isinstance(fact, RoundPaired)).byes
        winners.add(bye.player in table_won)
    assert winners == {True, False}


def test_a_policy_gives_the_first_bye_to_the_weakest(start: Start) -> None:
    for chance in range(8):
        event = start("ashes-2022", 8, {"POL-ASH-FIRST-BYE": "weakest"})
        event.decide(rounds.pair_round, secret=SECRET)
        report(event)
        event.drop("P8")
        won = {min(two) for two in event.record.rounds()[0].tables.values()}
        drawn = rounds.derive_round(event.record, 2, secret=bytes([chance]) * 32)
        [bye] = next(fact for fact in drawn if isinstance(fact, RoundPaired)).byes
        assert bye.player not in won


@pytest.mark.finding("S-W10")
def test_a_concession_keeps_the_blood_points_of_the_loser(start: Start) -> None:
    event = start("ashes-2022", 4)
    event.decide(pair)
    assert event.refusal(slips.concede, by=1) == "the slip does not give the loser's blood points (ASH-BP)"
    event.decide(slips.concede, by=1, blood_points=0)


@pytest.mark.finding("S-W10")
def test_the_loser_keeps_the_blood_points_after_a_game_loss(start: Start) -> None:
    """ASH-BP: slips, penalties and lost cards all ask for the loser's blood points."""
    event = start("ashes-2022", 8)
    event.decide(pair)
    missing = "the slip does not give the loser's blood points (ASH-BP)"
    tables = event.record.rounds()[0].tables
    lost = {"player": tables[1][0], "penalty": "game-loss", "offence": "cheating"}
    assert event.refusal(GivePenalty, **lost) == missing
    event.decide(GivePenalty, **lost, blood_points=3)
    slip = partial(slips.report, table=2)
    assert event.refusal(slip, written=Written("game-loss", winner=0)) == missing
    event.decide(slip, written=Written("game-loss", winner=0, blood_points=4))
    card = {"player": tables[3][0], "card": "Sun", "what": "lost-during-game", "leader": "Tom"}
    assert event.refusal(NoteCard, **card) == missing
    event.decide(NoteCard, **card, blood_points=5)
    blood = crosstable(event.record, event.record.rulebook, 1).blood_points
    losers = [tables[1][0], tables[2][1], tables[3][0]]
    assert [blood[player] for player in losers] == [3, 4, 5]


@pytest.mark.finding("S-W11")
def test_a_repair_does_not_draw_the_whole_round_again(start: Start) -> None:
    event = start("pokemon-2009", 8)
    event.decide(pair)
    report(event)
    event.decide(pair)
    first = event.record.rounds()[0]
    told = first.report(1, first.tables[1])
    assert told is not None
    other = 1 - first.tables[1].index(told.winner or 0)
    event.decide(slips.correct, table=1, round_=1, written=Written(winner=other))
    assert event.refusal(repairs.ChooseRepair, choice="all").endswith(
        "a repair moves as few players as possible, or waits for the next round (PKM-4-REPAIR)"
    )


# -- earlier rounds without a result


RETRACTED = ("table 1 of round 1 has no result", "answer the calls, report or correct the results")
NEXT_STEPS = (
    pytest.param(pair, id="pair"),
    pytest.param(
        partial(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]),
        id="pair by hand",
    ),
    pytest.param(partial(cuts.make_cut, size=2), id="cut"),
    pytest.param(close, id="close"),
)


@pytest.mark.parametrize("rulebook", ["l5r-2018", "pokemon-2009", "street-warriors-2004", "ashes-2022"])
@pytest.mark.parametrize("step", NEXT_STEPS)
def test_a_retracted_result_of_an_earlier_round_must_be_reported_or_gets_a_reason(
    rulebook: str, step: partial[list[AnyFact]]
) -> None:
    event = divided(rulebook, players=8)
    play(event, 2)
    slip = next(
        entry for entry in event.draft.entries if isinstance(entry.fact, ResultReported) and entry.fact.table == 1
    )
    event.decide(slips.retract, entry=slip, override=True)
    for _, tied in ties.ties_after(event.record, 2):
        event.decide(ties.order_tie, players=tied)
    asked = {"rematches": [(1, 2), (3, 4)]} if step.func is rounds.pair_by_hand else {}
    assert all(said in event.refusal(step, **asked) for said in RETRACTED)
    event.decide(step, **asked, deviating=True)
    assert "went on over open questions" in [kind for kind, _ in listed(event)]


def test_the_bracket_waits_for_every_swiss_result() -> None:
    event = divided("street-warriors-2004", players=8)
    event.announce(style="swiss-with-cut", rounds=3, cut=2)
    play(event, 3)
    for _, tied in ties.ties_after(event.record, 3):
        event.decide(ties.order_tie, players=tied)
    event.decide(cuts.make_cut)
    slip = next(entry for entry in reversed(event.draft.entries) if isinstance(entry.fact, ResultReported))
    event.decide(slips.retract, entry=slip, override=True)
    bracket = partial(eliminations.pair_elimination, secret=SECRET)
    assert "of round 3 has no result" in event.refusal(bracket)
    event.decide(bracket, deviating=True)
    assert listed(event)[-1][0] == "went on over open questions"


# -- brackets paired by hand


def qualified(size: int) -> tuple[Divided, tuple[int, ...]]:
    event = divided("l5r-2018", players=18)
    event.announce(style="swiss-with-cut", rounds=4, cut=size)
    play(event, 4)
    for _, tied in ties.ties_after(event.record, 4):
        event.decide(ties.order_tie, players=tied)
    event.decide(cuts.make_cut)
    return event, qualifiers(event.record)


def bracket_by_hand(*games: tuple[int, int], byes: tuple[int, ...] = ()) -> partial[list[AnyFact]]:
    tables = [Seating(table=table, players=two) for table, two in enumerate(games, 1)]
    return partial(
        rounds.pair_by_hand, games=tables, byes=[Bye(player=player) for player in byes], stage="elimination"
    )


def test_a_bracket_by_hand_omits_a_qualifier_only_for_a_reason() -> None:
    event, seeds = qualified(4)
    short = bracket_by_hand((seeds[0], seeds[3]))
    assert "would have neither a game nor a bye in elimination round 1" in event.refusal(short)
    event.decide(short, deviating=True)
    assert ("departure from the structures", ("L5R-IV.2b-CUT", "L5R-IV.2c-SEED")) in listed(event)


def test_a_bracket_by_hand_follows_the_seeds_or_has_a_reason() -> None:
    event, seeds = qualified(4)
    first_two = bracket_by_hand((seeds[0], seeds[1]), (seeds[2], seeds[3]))
    refused = event.refusal(first_two)
    assert "elimination round 1 has other games than the seeds of the cut give" in refused
    assert "L5R-IV.2c-SEED" in refused
    event.decide(bracket_by_hand((seeds[3], seeds[0]), (seeds[1], seeds[2])))
    report(event)
    assert "departure from the structures" not in [kind for kind, _ in listed(event)]
    alone = bracket_by_hand((min(seeds[0], seeds[3]), max(seeds[0], seeds[3])))
    assert "in elimination round 2" in event.refusal(alone)


def test_a_drawn_bracket_that_continues_by_hand_with_other_games_is_a_departure() -> None:
    event, seeds = qualified(4)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    report(event)
    wrong = bracket_by_hand((seeds[0], seeds[3]))
    assert "elimination round 2 has other games than the bracket" in event.refusal(wrong)
    event.decide(wrong, deviating=True)
    assert ("departure from the structures", ("L5R-IV.2c-RENUM",)) in listed(event)


@pytest.mark.finding("S-M1")
def test_a_division_without_a_cut_has_an_uneven_share() -> None:
    """Only the juniors get a cut, although the other divisions have as many players."""
    event = divided(junior=32, senior=32, masters=32)
    ask = partial(
        structures.AnnounceStructure, style="swiss-with-cut", rounds=5, prizes=8, division_cuts={"junior": 8}
    )
    assert "the rulebook does not give this structure" in event.refusal(ask)
    event.decide(ask, deviating=True)
    warning = shares_warning(event.record)
    assert warning is not None
    assert "8 of 32 junior go on, but only 0 of 32" in warning


@pytest.mark.finding("S-M1")
def test_a_division_too_small_for_a_cut_has_no_uneven_share() -> None:
    event = divided(junior=3, masters=32)
    event.announce(style="swiss-with-cut", rounds=5, division_cuts={"masters": 8}, deviating=True)
    assert shares_warning(event.record) is None


# -- announcements


@pytest.mark.parametrize("cut", [2, 4, 6])
def test_announcing_a_cut_needs_a_reason_if_the_flights_cannot_share_it(cut: int) -> None:
    event = divided(masters=128)
    event.announce(style="swiss-with-cut", cut=16, rounds=5)
    event.decide(divisions.DrawFlights, division="masters", flights=4)
    for cuts_ in ({"cut": cut}, {"division_cuts": {"masters": cut}}):
        ask = partial(structures.AnnounceStructure, style="swiss-with-cut", rounds=5, prizes=8, **cuts_)
        assert "reason" in event.refusal(ask)
        [announced] = event.decide(ask, deviating=True)
        assert "PKM-3.3.3.2-FINALS" in announced.fact.deviations  # type: ignore[union-attr] # an announcement has some
        assert event.record.structure is not None


def test_a_flight_that_became_too_small_makes_the_cut_smaller() -> None:
    event = masters_in_flights(2)
    play(event, 5)
    for player in sorted(event.record.flights_drawn[0][1].flights[0])[2:]:
        event.decide(roster.drop, player=player)
    assert event.refusal(cuts.make_cut) == (
        "a cut of 8 is not possible: a flight has 2 active players: make a smaller cut"
    )
    assert "reason" in event.refusal(cuts.make_cut, size=4)
    if ties.ties_after(event.record, 5):
        event.decide(ties.DrawTies)
    event.decide(cuts.make_cut, size=4, deviating=True)
    assert event.record.cut is not None


def test_a_cut_larger_than_its_division_is_a_departure_and_a_cut_of_one_is_no_cut() -> None:
    event = divided(junior=6, masters=32)
    ask = partial(structures.AnnounceStructure, division_cuts={"junior": 8, "masters": 4}, prizes=8)
    assert "reason" in event.refusal(ask)
    [announced] = event.decide(ask, deviating=True)
    assert "PKM-3.3-CUT" in announced.fact.deviations  # type: ignore[union-attr] # an announcement has some
    one = partial(structures.AnnounceStructure, division_cuts={"junior": 1, "masters": 4}, deviating=True)
    assert event.refusal(one) == "Swiss with a cut needs the size of the cut, 2 or more"


@pytest.mark.parametrize(
    ("rulebook", "players", "rule"),
    [
        ("l5r-2018", 17, "L5R-IV.1-CLOCK"),
        ("street-warriors-2004", 17, "SWR-TIME"),
        ("ashes-2022", 17, None),  # ASH-CUT allows a final without a limit
        ("pokemon-2009", 8, None),  # the document gives no time limit
        ("magic-mtr", 17, None),
    ],
)
def test_a_final_without_a_time_limit_is_a_departure_unless_the_document_allows_it(
    rulebook: str, players: int, rule: str | None
) -> None:
    event = Event(rulebook)
    event.register(*(f"P{number}" for number in range(players)))
    cut = 8 if rulebook == "street-warriors-2004" else 4
    ask = partial(structures.AnnounceStructure, rounds=5, cut=cut, untimed_final=True, prizes=8)
    if rule is None:
        [announced] = event.decide(ask, deviating=True)
        kept = event.decide(structures.AnnounceStructure, rounds=5, cut=4, prizes=8, deviating=True)[0].fact
        assert announced.fact.deviations == kept.deviations  # type: ignore[union-attr] # announcements have some
    else:
        ask = partial(ask, structure="custom") if rulebook == "l5r-2018" else ask
        minutes = event.record.rulebook.clock.minutes("final")
        assert event.refusal(ask).startswith(f"the final has a time limit of {minutes} minutes: give a reason")
        [announced] = event.decide(ask, deviating=True)
        assert announced.fact.deviations == (rule,)  # type: ignore[union-attr] # an announcement has some


# -- late entries


def late(division: str | None = None) -> partial[list[AnyFact]]:
    return partial(roster.arrive_late, person=Person(name="Late"), secret=lambda: SECRET, division=division)


@pytest.mark.parametrize("rulebook", ["l5r-2018", "street-warriors-2004", "ashes-2022", "pokemon-2009"])
@pytest.mark.parametrize("announced", [True, False])
def test_a_late_player_with_no_round_to_play_needs_a_reason(rulebook: str, *, announced: bool) -> None:
    event = Event(rulebook)
    event.register(*"ABCDEFGH", division="masters" if rulebook == "pokemon-2009" else None)
    division = event.record.players[1].division
    if announced:
        event.decide(structures.AnnounceStructure, style="swiss", rounds=2, prizes=8, deviating=True)
    most = 2 if announced else 3
    for _ in range(most - 1):
        event.decide(pair, deviating=True)
        report(event)
    ask = late(division)
    assert len(event.decide(ask)[0].fact.losses) == most - 1  # type: ignore[union-attr] # a late player's entry
    event.retract_last()
    event.decide(pair, deviating=True)
    report(event)
    refused = event.refusal(ask)
    assert refused.startswith(f"round {most} was the last, so no round is left to play: give a reason")
    assert refused.endswith("(PKM-3.1.4-LATE)") is (rulebook == "pokemon-2009")
    event.decide(ask, deviating=True)
    rule = "PKM-3.1.4-LATE" if rulebook == "pokemon-2009" else "POLICY"
    assert listed(event)[-1] == ("late entry after the last round", (rule,))


def test_a_division_can_finish_its_rounds_before_another() -> None:
    event = divided(junior=6, masters=9)
    event.announce(style="swiss", division_rounds={"junior": 3, "masters": 4})
    play(event, 3)
    assert "round 3 was the last" in event.refusal(late("junior"))
    event.decide(late("masters"))
    event.retract_last()
    event.decide(late("junior"), deviating=True)
    assert listed(event)[-1] == ("late entry after the last round", ("PKM-3.1.4-LATE",))


def test_a_cut_needs_a_reason_if_a_flight_missed_a_round() -> None:
    event = masters_in_flights(2)
    play(event, 4)
    *_, due = rounds.derive_round(event.record, 5, secret=SECRET)
    assert isinstance(due, RoundPaired)
    first = {*flights_of(event.record, "masters")[0]}
    games = [seating for seating in due.tables if first & {*seating.players}]
    event.decide(rounds.pair_by_hand, games=games, deviating=True)
    report(event)
    assert "flight 2 played 4 of 5 rounds" in event.refusal(cuts.make_cut)
    event.decide(cuts.make_cut, deviating=True)
    assert ("departure from the structures", ("PKM-2-ANNOUNCE", "PKM-3.1.3-ROUNDS")) in listed(event)


def test_a_flight_finishes_its_rounds_with_its_division() -> None:
    event = masters_in_flights(2)
    play(event, 5)
    assert "round 5 was the last" in event.refusal(late("masters"))
    event.decide(late("masters"), deviating=True)
    assert [kind for kind, _ in listed(event)][-1] == "late entry after the last round"


def test_a_late_player_plays_the_player_with_the_bye_even_in_the_last_round() -> None:
    event = Event("l5r-2018")
    event.register(*"ABCDE")
    event.decide(structures.AnnounceStructure, style="swiss", structure="basic")
    play(event, 2)
    event.decide(pair)
    event.decide(late())
    assert event.number("Late") in event.record.rounds()[-1].players


# -- byes by hand


EACH_RULE_OF_BYES = pytest.mark.parametrize(
    ("rulebook", "rule"),
    [
        ("l5r-2018", "L5R-IV.2a-BYE"),
        ("street-warriors-2004", "SWR-SWISS-PASS"),
        ("pokemon-2009", "PKM-3.1-BYE"),
        ("ashes-2022", "ASH-BYE"),
    ],
)


@EACH_RULE_OF_BYES
@pytest.mark.parametrize(("players", "byes"), [(4, 2), (5, 3)])
def test_a_bye_without_an_odd_number_needs_a_reason(rulebook: str, rule: str, players: int, byes: int) -> None:
    event = Event(rulebook)
    event.register(*"ABCDE"[:players])
    game = Seating(table=1, players=(1, 2))
    ask = partial(rounds.pair_by_hand, games=[game], byes=[Bye(player=3 + number) for number in range(byes)])
    assert event.refusal(ask) == f"{byes} byes for {players} players: give a reason to deviate from it ({rule})"
    event.decide(ask, deviating=True)
    assert rule in {rule for _, rules in listed(event) for rule in rules}


def test_an_amended_round_has_one_bye_if_the_number_is_odd() -> None:
    event = Event("l5r-2018")
    event.register(*"ABCDE")
    games = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
    event.decide(rounds.pair_by_hand, games=games, byes=[Bye(player=5)])
    ask = partial(rounds.amend_pairing, games=[], byes=[1, 2])
    assert event.refusal(ask) == "3 byes for 5 players: give a reason to deviate from it (L5R-IV.2a-BYE)"
    event.decide(rounds.amend_pairing, games=[(1, 5)], byes=[2])
    event.decide(ask, byes=[1, 5], deviating=True)
    assert listed(event)[-1] == ("amended pairing", ("L5R-IV.2a-BYE",))


def test_each_division_or_flight_that_plays_apart_may_have_a_bye() -> None:
    event = divided(junior=7, masters=7)
    event.announce(style="swiss")
    event.decide(pair)
    paired = event.record.rounds()[0]
    games = [Seating(table=table, players=two) for table, two in paired.tables.items()]
    again = divided(junior=7, masters=7)
    again.announce(style="swiss")
    again.decide(rounds.pair_by_hand, games=games, byes=list(paired.byes))
    assert len(paired.byes) == 2
    assert again.record.rounds()[0].byes == paired.byes


def five_after_a_round(rulebook: str) -> Event:
    """Five players after round 1: A beat B, C beat D, E had the bye."""
    event = Event(rulebook)
    event.register(*"ABCDE")
    games = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
    event.decide(rounds.pair_by_hand, games=games, byes=[Bye(player=5)])
    report(event)
    return event


@pytest.mark.finding("S-W7")
@EACH_RULE_OF_BYES
def test_a_bye_by_hand_for_a_leader_needs_a_reason(rulebook: str, rule: str) -> None:
    event = five_after_a_round(rulebook)
    games = [Seating(table=1, players=(2, 3)), Seating(table=2, players=(4, 5))]
    ask = partial(rounds.pair_by_hand, games=games, byes=[Bye(player=1)])
    refused = f"this round's bye is due to another player, not A: give a reason to deviate from it ({rule})"
    assert event.refusal(ask) == refused
    event.decide(ask, deviating=True)
    assert listed(event)[-1] == ("manual pairing", (rule,))


@pytest.mark.parametrize("rulebook", ["street-warriors-2004", "pokemon-2009", "ashes-2022"])
@pytest.mark.parametrize("bye", [2, 4])
def test_a_bye_by_hand_may_go_to_any_player_whom_chance_could_choose(rulebook: str, bye: int) -> None:
    event = five_after_a_round(rulebook)
    other = 6 - bye
    games = [Seating(table=1, players=(1, 3)), Seating(table=2, players=(5, other))]
    event.decide(rounds.pair_by_hand, games=games, byes=[Bye(player=bye)])
    assert listed(event)[-1] == ("manual pairing", (event.record.rulebook.pairing.groups,))


def test_an_amended_round_keeps_its_bye_with_the_weakest_player() -> None:
    event = five_after_a_round("ashes-2022")
    games = [Seating(table=1, players=(1, 3)), Seating(table=2, players=(4, 5))]
    event.decide(rounds.pair_by_hand, games=games, byes=[Bye(player=2)])
    ask = partial(rounds.amend_pairing, games=[(2, 3)], byes=[1])
    refused = "this round's bye is due to another player, not A: give a reason to deviate from it (ASH-BYE)"
    assert event.refusal(ask) == refused
    event.decide(ask, deviating=True)
    assert listed(event)[-1] == ("amended pairing", ("ASH-BYE",))
    event.decide(rounds.amend_pairing, games=[(1, 3)], byes=[2])
    assert listed(event)[-1] == ("amended pairing", (event.record.rulebook.pairing.groups,))


def test_each_division_that_plays_apart_gives_the_bye_to_its_lowest_player() -> None:
    event = divided(junior=7, masters=8)
    event.announce(style="swiss", rounds=3)
    play(event, 1)
    event.decide(pair)
    paired = event.record.rounds()[-1]
    bye = paired.byes[0].player
    table = crosstable(event.record, event.record.rulebook, 1)
    winners: list[tuple[int, int]] = []
    losers: list[tuple[int, int]] = []
    for one, other in paired.tables.values():
        for moved, left in ((one, other), (other, one)):
            if moved <= 7 and left not in table.opponents_of(bye) and not table.had_bye(moved):
                (winners if table.wins(moved) else losers).append((moved, left))
    moved, left = losers[0]
    event.decide(rounds.amend_pairing, games=[(left, bye)], byes=[moved])
    event.decide(rounds.amend_pairing, games=[(left, moved)], byes=[bye])
    moved, left = winners[0]
    ask = partial(rounds.amend_pairing, games=[(left, bye)], byes=[moved])
    assert event.refusal(ask).endswith("give a reason to deviate from it (PKM-3.1-BYE)")


@pytest.mark.parametrize(
    ("rulebook", "rule"),
    [("l5r-2018", "POLICY"), ("street-warriors-2004", "POLICY"), ("pokemon-2009", "PKM-3.1.4-LATE")],
)
def test_a_player_joins_a_finished_round_only_with_a_reason(rulebook: str, rule: str) -> None:
    event = Event(rulebook)
    event.register(*"ABCDE")
    event.decide(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))])
    ask = partial(rounds.amend_pairing, games=[], byes=[5])
    event.decide(ask)
    event.retract_last()
    report(event)
    refused = "round 1 is over, and E did not take part in it: give a reason to deviate from it"
    assert event.refusal(ask) == f"{refused} ({rule})"
    event.decide(ask, deviating=True)
    assert listed(event)[-1] == ("amended pairing", (rule,))


# -- double losses


@pytest.mark.parametrize(
    "rulebook", ["l5r-2018", "street-warriors-2004", "pokemon-2009", "ashes-2022", "magic-mtr"]
)
def test_a_double_loss_in_a_bracket_needs_a_reason_while_a_player_remains(rulebook: str) -> None:
    event = Event(rulebook)
    event.register(*"ABCD", division="masters" if rulebook == "pokemon-2009" else None)
    event.decide(structures.AnnounceStructure, style="elimination", prizes=4, deviating=True)
    event.decide(eliminations.pair_elimination, secret=SECRET, deviating=True)
    rule = event.record.rulebook.elimination.rule("advance")
    ask = partial(slips.report, table=1, written=Written("double-loss"))
    assert event.refusal(ask) == f"an elimination match has a winner: give a reason to deviate from it ({rule})"
    event.decide(ask, deviating=True)
    assert listed(event)[-1] == ("departure from a rule", (rule,))


def test_both_players_lose_a_swiss_match_only_by_a_no_show() -> None:
    event = Event("l5r-2018")
    event.register(*"ABCD")
    event.decide(pair)
    ask = partial(slips.report, table=1, written=Written("double-loss"))
    refused = "both players lose only if neither appears, and both are dropped: record a no-show"
    assert event.refusal(ask) == f"{refused}: give a reason to deviate from it (L5R-IV.2-NOSHOW)"
    event.decide(ask, deviating=True)
    assert listed(event)[-1] == ("departure from a rule", ("L5R-IV.2-NOSHOW",))
    event.retract_last()
    event.decide(slips.report, table=1, written=Written("win", winner=0))
    fix = partial(slips.correct, table=1, round_=1, written=Written("double-loss"))
    assert refused in event.refusal(fix)
    event.decide(fix, deviating=True)
    assert listed(event)[-2:] == [("departure from a rule", ("L5R-IV.2-NOSHOW",)), ("correction", ("POLICY",))]


def test_a_double_loss_of_two_players_who_left_is_no_departure() -> None:
    event = Event("l5r-2018")
    event.register(*"ABCD")
    event.decide(pair)
    two = event.record.rounds()[0].tables[1]
    for player in two:
        event.decide(roster.drop, player=player)
    if 1 in event.record.rounds()[0].outstanding:
        event.decide(slips.report, table=1, written=Written("double-loss"))
    assert "departure from a rule" not in [kind for kind, _ in listed(event)]


def test_divisions_that_play_apart_have_no_common_cut() -> None:
    """Before the fix, a common cut could be announced, but no cut could follow the announcement."""
    event = divided(junior=8, senior=8, masters=8)
    asked = {"style": "swiss-with-cut", "rounds": 3, "cut": 2, "prizes": 8}
    refused = event.refusal(structures.AnnounceStructure, **asked)
    assert "the divisions play separately and cannot share one cut: announce a cut for each division" in refused
    event.decide(structures.AnnounceStructure, **asked, deviating=True)
    [(kind, rules)] = listed(event)
    assert kind == "departure from the structures"
    assert "PKM-3.1.1-POD" in rules
    event.decide(
        structures.AnnounceStructure, division_cuts={"junior": 2, "senior": 2, "masters": 2}, rounds=3, prizes=8
    )
    assert event.record.structure is not None
    assert event.record.structure.deviations == ()


def test_pairing_refuses_an_announced_common_cut_if_the_divisions_play_apart() -> None:
    event = divided(masters=8)
    event.announce(style="swiss-with-cut", rounds=3, cut=2)
    event.enter(junior=8)
    assert "cannot share one cut" in event.refusal(pair)
    event.decide(pair, deviating=True)
    assert ("departure from the structures", ("PKM-3.1.1-POD",)) in listed(event)


def test_each_division_has_a_winner_after_a_common_cut() -> None:
    """Before the fix, only the winner of the final was named, and the divisions had no winner."""
    event = divided(masters=8, junior=3)
    event.announce(style="swiss-with-cut", rounds=3, cut=2)
    play(event, 3)
    if ties.ties_after(event.record, 3):
        event.decide(ties.DrawTies)
    event.decide(cuts.make_cut)
    assert champions(event.record) == {}
    event.decide(eliminations.pair_elimination, secret=SECRET)
    report(event)
    placed = [event.name(place.player) for place in places(event.record)]
    won: dict[str | None, str] = {None: placed[0]}
    won |= {name: next(player for player in placed if player.startswith(name)) for name in ("junior", "masters")}
    assert {division: event.name(player) for division, player in champions(event.record).items()} == won
    assert placed.index(won["junior"]) > 1
