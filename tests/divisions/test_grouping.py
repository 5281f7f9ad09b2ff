"""Age Separated or Age Modified: the mode is decided before round 1 or when it is paired. The log records the
mode.
"""

from __future__ import annotations

from functools import partial

import pytest
from tests.divisions.conftest import Event, Start
from tests.event import SECRET, Rule

from matchledger.commands import divisions, people, roster, seats, structures, ties
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import DivisionChanged, DivisionsDecided, Person, PlayerArrivedLate, Seating
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import division_mode
from matchledger_projections.divisions.tables import division_table, division_tables, ranked_apart, standings_apart
from matchledger_projections.record.record import fold
from matchledger_projections.stages.flights import flights_of
from matchledger_projections.stages.postings import mispostings
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.integrity import integrity


def decided(event: Event) -> list[DivisionsDecided]:
    return [entry.fact for entry in event.draft.entries if isinstance(entry.fact, DivisionsDecided)]


@pytest.mark.parametrize(
    ("sizes", "mode"),
    [
        pytest.param((6, 6, 6), "separated", id="TV-PKM-POD-1"),
        pytest.param((5, 11, 16), "modified", id="TV-PKM-POD-2"),
        pytest.param((0, 8, 20), "separated", id="TV-PKM-POD-3"),
        pytest.param((0, 5, 20), "modified", id="TV-PKM-POD-4"),
        pytest.param((0, 0, 20), "none", id="TV-PKM-POD-5"),
    ],
)
def test_pairing_round_1_decides_how_the_divisions_play_and_records_it(
    start: Start, sizes: tuple[int, int, int], mode: str
) -> None:
    event = start(junior=sizes[0], senior=sizes[1], masters=sizes[2])
    event.play(2)
    [fact] = decided(event)
    assert (fact.mode, fact.deviations) == (mode, ())
    assert fact.sizes == {
        name: size for name, size in zip(("junior", "senior", "masters"), sizes, strict=True) if size
    }


def test_the_mode_of_the_divisions_stays_when_their_sizes_change(start: Start) -> None:
    event = start(junior=3, masters=8)
    event.decide(divisions.DecideDivisions)
    for name in ("x1", "x2", "x3"):
        event.decide(roster.register, person=Person(name=name), division="junior")
    assert division_mode(event.record) == "modified"


@pytest.mark.parametrize(
    ("juniors", "change", "rule"),
    [
        pytest.param(6, partial(roster.drop, player=1), "PKM-3.1.2-MOD", id="too few to play apart"),
        pytest.param(
            5, partial(roster.register, person=Person(name="x"), division="junior"), "PKM-3.1.1-POD", id="enough"
        ),
    ],
)
def test_pairing_asks_for_a_reason_if_the_decision_no_longer_fits(
    start: Start, juniors: int, change: Rule, rule: str
) -> None:
    event = start(junior=juniors, masters=6)
    event.decide(divisions.DecideDivisions)
    event.decide(change)
    event.announce(deviating=True)
    refused = event.refusal(rounds.pair_round, secret=SECRET)
    assert refused.endswith(f"give a reason to deviate ({rule})")
    event.decide(rounds.pair_round, secret=SECRET, deviating=True)
    assert [fact.deviations for fact in decided(event)] == [(), (rule,)]


def test_integrity_lists_divisions_that_no_longer_fit_and_were_not_marked(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.decide(divisions.DecideDivisions)
    event.decide(roster.drop, player=1)
    paired = rounds.pair_round(event.record, secret=SECRET, deviating=True)
    event.decide(lambda _: [fact for fact in paired if not isinstance(fact, DivisionsDecided)])
    found = [item.rules for item in integrity(event.draft.entries) if item.kind.startswith("divisions or flights")]
    assert found == [("PKM-3.1.2-MOD",)]


def test_another_mode_than_the_rules_demand_needs_a_reason(start: Start) -> None:
    event = start(junior=6, masters=6)
    assert event.refusal(divisions.DecideDivisions, mode="modified") == (
        "for divisions of these sizes (junior 6, masters 6) the rules ask for separate divisions, Age "
        "Separated: give a reason to deviate (PKM-3.1.1-POD)"
    )
    event.decide(divisions.DecideDivisions, mode="modified", deviating=True)
    assert decided(event)[0].deviations == ("PKM-3.1.1-POD",)
    event.pair()
    assert division_mode(event.record) == "modified"
    assert len(decided(event)) == 1


def test_playing_every_event_in_one_mode_is_no_departure(start: Start) -> None:
    """Under pokemon-tom the divisions play together, unless the organizer decides otherwise."""
    event = start("pokemon-tom", masters=4, junior=2)
    event.play(1)
    assert division_mode(event.record) == "none"
    assert not [
        item.kind for item in integrity(event.draft.entries) if item.kind.startswith("divisions or flights")
    ]


def test_a_mode_other_than_the_default_for_every_event_is_listed(start: Start) -> None:
    event = start("pokemon-tom", masters=6, junior=6)
    assert event.refusal(divisions.DecideDivisions, mode="separated") == (
        "for divisions of these sizes (junior 6, masters 6) the rules ask for one Swiss tournament for all: give a "
        "reason to deviate (TOM)"
    )
    event.decide(divisions.DecideDivisions, mode="separated", deviating=True)
    event.play(1)
    assert decided(event)[0].deviations == ("TOM",)
    assert [item.kind for item in integrity(event.draft.entries) if "TOM" in item.rules] == [
        "divisions or flights otherwise than the rules ask for"
    ]


def test_divisions_with_few_players_play_together(start: Start) -> None:
    event = start(junior=5, masters=6)
    assert event.refusal(divisions.DecideDivisions, mode="separated") == (
        "for divisions of these sizes (junior 5, masters 6) the rules ask for one Swiss tournament for "
        "all, Age Modified: give a reason to deviate (PKM-3.1.2-MOD)"
    )


def test_the_mode_is_decided_before_round_1(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.pair()
    assert event.refusal(divisions.DecideDivisions) == (
        "divisions must be decided before round 1 is paired: give a reason to deviate (PKM-3.1.1-POD)"
    )


def test_an_event_without_divisions_cannot_decide_how_they_play(start: Start) -> None:
    assert start("l5r-2018").refusal(divisions.DecideDivisions) == (
        "l5r-2018 has no divisions: everybody plays in one field"
    )
    assert start().refusal(divisions.DecideDivisions) == (
        "no player has a division: register players with a year of birth or a division (PKM-3.1.1-POD)"
    )


def test_the_mode_of_the_divisions_can_be_taken_back_until_a_round_is_paired(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.decide(divisions.DecideDivisions)
    event.retract_last()
    event.pair()
    made = next(entry for entry in reversed(event.draft.entries) if isinstance(entry.fact, DivisionsDecided))
    assert (
        event.refusal(slips.retract, entry=made) == "a round was paired on this basis: retract the pairings first"
    )


def test_a_decision_during_the_event_can_be_taken_back_until_the_next_round_is_paired(start: Start) -> None:
    event = start(junior=10, masters=16)
    event.announce(style="swiss", prizes=4)
    event.pair()
    event.decide(divisions.DecideDivisions, mode="modified", deviating=True)
    event.retract_last()
    assert division_mode(event.record) == "separated"
    event.report()
    made = event.decide(divisions.DecideDivisions, mode="modified", deviating=True)[-1]
    event.pair()
    assert (
        event.refusal(slips.retract, entry=made) == "a round was paired on this basis: retract the pairings first"
    )


@pytest.mark.parametrize(
    ("rule", "asked"),
    [
        (seats.AwardByes, {"player": 1}),
        (seats.NumberTables, {"division": "Junior", "first": 101}),
        (structures.AnnounceStructure, {"style": "swiss", "prizes": 3}),
        (opening.DescribeEvent, {"venue": "Hall 2"}),
    ],
)
def test_a_command_that_would_change_nothing_records_nothing(
    start: Start, rule: Rule, asked: dict[str, object]
) -> None:
    """Before the fix, the same decision was recorded twice, and one undo left the first entry in force."""
    event = start(junior=6, masters=6)
    event.decide(rule, **asked)
    with pytest.raises(UsageProblem, match="nothing"):
        event.decide(rule, **asked)
    event.retract_last()
    event.decide(rule, **asked)


# -- tables


def test_divisions_that_play_apart_are_ranked_separately(start: Start) -> None:
    event = start(junior=6, masters=8)
    event.play(3)
    assert ranked_apart(event.record) == ("junior", "masters")
    tables = {table.division: table for table in division_tables(event.record)}
    assert [row.rank for row in tables["junior"].rows] == [1, 2, 3, 4, 5, 6] or any(
        row.tied for row in tables["junior"].rows
    )
    for table in tables.values():
        assert {event.record.players[row.player].division for row in table.rows} == {table.division}
        assert table.rows[0].rank == 1


def test_the_highest_player_of_each_division_wins_the_division(start: Start) -> None:
    event = start(junior=3, masters=9)
    event.play(4)
    whole = [row.player for row in standings(event.record).rows]
    for division in ("junior", "masters"):
        rows = division_table(event.record, division).rows
        inside = [player for player in whole if event.record.players[player].division == division]
        assert [row.player for row in rows] == inside
        assert rows[0].rank == 1
    assert [len(table.groups) for table in standings_apart(event.record)] == [len(standings(event.record).groups)]


def test_a_tie_includes_only_players_of_one_division(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.play(1)
    level = {
        table.division: [row.player for row in table.rows if row.tied] for table in division_tables(event.record)
    }
    assert all(level.values())
    event.decide(ties.DrawTies)
    assert not any(row.tied for table in division_tables(event.record) for row in table.rows)


def test_standings_are_posted_division_by_division(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.play(1)
    event.decide(opening.PostStandings)
    [(_, posting)] = event.record.postings
    assert [event.record.players[row.player].division for row in posting.rows] == ["junior"] * 6 + ["masters"] * 6
    assert [row.rank for row in posting.rows if row.rank == 1]
    assert list(mispostings(fold(event.draft.entries))) == []


def test_pairing_round_1_by_hand_decides_the_divisions_too(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.decide(rounds.pair_by_hand, games=[Seating(table=1, players=(1, 2))])
    assert [fact.mode for fact in decided(event)] == ["separated"]
    for junior in (1, 2):
        event.decide(people.put_right, player=junior, changes={"division": "masters"}, secret=lambda: SECRET)
    assert division_mode(event.record) == "separated"


# -- newcomers during the event


def apart_without_seniors(start: Start) -> Event:
    event = start(junior=6, masters=7)
    event.play(1)
    return event


def test_a_late_player_does_not_change_the_mode(start: Start) -> None:
    event = apart_without_seniors(start)
    [entry, *_] = event.decide(roster.arrive_late, person=Person(name="Sen", born=1996), division=None)
    assert isinstance(entry.fact, PlayerArrivedLate)
    assert (entry.fact.division, entry.fact.deviations) == ("masters", ("PKM-3.1.1-POD",))
    event.play(1)
    assert division_mode(event.record) == "separated"
    assert [fact.mode for fact in decided(event)] == ["separated"]


def test_a_late_player_cannot_enter_an_empty_division(start: Start) -> None:
    event = apart_without_seniors(start)
    late = event.refusal(roster.arrive_late, person=Person(name="Sen"), division="senior")
    assert late == (
        "nobody plays in senior, and play has begun: enter Sen in one of junior, masters (PKM-3.1.1-POD)"
    )
    assert event.refusal(roster.arrive_late, person=Person(name="Sen"), division=None) == (
        "nobody plays in no division, and play has begun: enter Sen in one of junior, masters (PKM-3.1.1-POD)"
    )
    event.decide(roster.arrive_late, person=Person(name="Sen", born=1996), division="junior")
    assert event.record.players[event.number("Sen")].division == "junior"


def test_a_corrected_year_of_birth_does_not_change_the_mode(start: Start) -> None:
    event = start(junior=5, masters=7)
    event.decide(roster.register, person=Person(name="Jo", born=2002), division=None)
    event.play(1)
    event.decide(people.put_right, player=event.number("Jo"), changes={"born": 1996}, secret=lambda: SECRET)
    changed = event.draft.entries[-1].fact
    assert isinstance(changed, DivisionChanged)
    assert (changed.division, changed.deviations) == ("masters", ("PKM-3.1.1-POD",))
    event.play(1)
    assert division_mode(event.record) == "separated"
    assert len(decided(event)) == 1


def test_a_late_player_joins_a_flight_in_progress(start: Start) -> None:
    event = start(masters=64)
    event.announce(style="swiss-with-cut", cut=8, rounds=5, deviating=True)
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    event.pair()
    event.decide(roster.arrive_late, person=Person(name="Sen", born=1996), division=None, secret=lambda: SECRET)
    number = event.number("Sen")
    assert any(number in flight for flight in flights_of(event.record, "masters"))
    assert division_mode(event.record) == "none"


@pytest.mark.parametrize("mode", ["modified", "none"])
def test_divisions_with_flights_play_apart(start: Start, mode: str) -> None:
    event = start(junior=6, masters=64)
    event.announce(style="swiss-with-cut", division_cuts={"junior": 2, "masters": 8}, rounds=5, deviating=True)
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    assert "ask for separate divisions" in event.refusal(divisions.DecideDivisions, mode=mode)
    event.decide(divisions.DecideDivisions, mode=mode, deviating=True)
    assert decided(event)[-1].deviations == ("PKM-3.1.1-POD", "PKM-3.3.3.1-RESTRICT")


def test_the_mode_of_the_divisions_changes_only_with_a_reason(start: Start) -> None:
    event = start(junior=6, masters=6)
    event.decide(divisions.DecideDivisions)
    event.decide(roster.register, person=Person(name="Sen", born=1996), division=None)
    asked = {"secret": SECRET}
    assert "Age Modified: give a reason" in event.refusal(rounds.pair_round, **asked)
    event.decide(rounds.pair_round, deviating=True, **asked)
    assert [fact.deviations for fact in decided(event)] == [(), ("PKM-3.1.2-MOD",)]
    assert division_mode(event.record) == "separated"
    assert event.refusal(divisions.DecideDivisions, mode="modified").startswith("divisions must be decided")
    event.decide(divisions.DecideDivisions, mode="modified", deviating=True)
    assert decided(event)[-1].deviations == ("PKM-3.1.1-POD",)
    assert division_mode(event.record) == "modified"


def test_players_without_a_division_are_named_before_the_mode_is_decided(start: Start) -> None:
    event = start(junior=6, senior=6, masters=6)
    event.register("Nobody")
    asked: list[dict[str, str]] = [{}, {"mode": "separated"}]
    for one in asked:
        assert event.refusal(divisions.DecideDivisions, **one).startswith("Nobody has no division: register")
    event.decide(divisions.DecideDivisions, deviating=True)
    assert decided(event)[0].deviations == ("PKM-3.1.1-POD",)
