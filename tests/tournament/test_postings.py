"""PKM-4-POST: standings are posted before the next round is paired, and pairings before the round starts."""

from __future__ import annotations

from functools import partial

import pytest
from tests.divisions.conftest import Event
from tests.event import SECRET

from matchledger.commands import cuts, eliminations, postings, roster, ties
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import PairingsPosted, Person, Seating
from matchledger.notation.slip import Written
from matchledger.service.warnings import warnings
from matchledger_projections.pairing.check import objections
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.views.integrity import integrity


def opened(rulebook: str = "pokemon-2009", **policies: str) -> Event:
    event = Event(rulebook, {flag.replace("_", "-"): value for flag, value in policies.items()})
    event.enter(masters=4)
    return event


def kinds(event: Event) -> list[str]:
    shipped = [rulebook_text("pokemon-2009"), rulebook_text("l5r-2018")]
    return [item.kind for item in integrity(event.draft.entries, shipped_laws=shipped)]


@pytest.mark.vector("TV-PKM-POST")
def test_pairings_posted_before_standings_get_a_warning() -> None:
    event = opened()
    event.play(1)
    event.pair()
    assert event.refusal(postings.PostPairings) == (
        "the standings after round 1 are not posted yet: post them (PKM-4-POST)"
    )
    assert "paired before the standings were posted" in kinds(event)


def test_postings_in_order_get_no_warning() -> None:
    event = opened()
    event.pair()
    event.decide(postings.PostPairings)
    event.report()
    event.decide(opening.PostStandings)
    assert [objection.kind for objection in objections(event.record, 2, None)] == []
    event.pair()
    event.decide(postings.PostPairings)
    assert "paired before the standings were posted" not in kinds(event)
    assert [fact.round for _, fact in event.record.pairings_posted] == [1, 2]


def test_by_default_a_missing_posting_gets_a_warning() -> None:
    event = opened()
    event.play(1)
    assert [(objection.kind, objection.round) for objection in objections(event.record, 2, None)] == [
        ("not posted", 1)
    ]


def test_a_policy_can_demand_the_order_of_postings() -> None:
    event = opened(POL_PKM_POST="demanded")
    event.pair()
    assert event.refusal(clock.start_round) == (
        "the pairings of round 1 are not posted yet: post them (PKM-4-POST)"
    )
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)
    event.report()
    assert event.refusal(rounds.pair_round, secret=SECRET).startswith(
        "the standings after round 1 are not posted yet"
    )
    event.decide(opening.PostStandings)
    event.pair()


@pytest.mark.parametrize(("rulebook", "policies"), [("pokemon-2009", {"POL_PKM_POST": "free"}), ("l5r-2018", {})])
def test_without_the_policy_no_posting_is_checked(rulebook: str, policies: dict[str, str]) -> None:
    event = opened(rulebook, **policies)
    event.play(1)
    event.pair()
    event.decide(postings.PostPairings)
    assert "paired before the standings were posted" not in kinds(event)


def test_a_round_that_is_paired_again_is_posted_again() -> None:
    event = opened(POL_PKM_POST="demanded")
    event.pair()
    paired = event.draft.entries[-1]
    event.decide(postings.PostPairings)
    event.decide(slips.retract, entry=paired)
    event.pair()
    assert event.refusal(clock.start_round).startswith("the pairings of round 1 are not posted yet")


def test_changed_pairings_are_posted_again() -> None:
    """Before the fix, `start` accepted a posting from before the change, and the wall showed the old tables."""
    event = opened(POL_PKM_POST="demanded")
    event.pair()
    event.decide(postings.PostPairings)
    tables = event.record.round(1)
    assert tables is not None
    (a, b), (c, d) = tables.tables.values()
    event.decide(rounds.amend_pairing, games=[(a, c), (b, d)])
    assert event.refusal(clock.start_round).startswith("the pairings of round 1 are not posted yet")
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)


def test_pairings_are_posted_again_after_a_change_is_taken_back() -> None:
    """The wall shows the tables of the last posting."""
    event = opened(POL_PKM_POST="demanded")
    event.pair()
    (a, b), (c, d) = event.record.rounds()[0].tables.values()
    event.decide(rounds.amend_pairing, games=[(a, c), (b, d)])
    amended = event.draft.entries[-1]
    event.decide(postings.PostPairings)
    event.decide(slips.retract, entry=amended)
    assert event.refusal(clock.start_round).startswith("the pairings of round 1 are not posted yet")
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)


def test_standings_that_a_correction_changed_are_posted_again() -> None:
    event = opened()
    event.pair()
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)
    event.report()
    event.decide(opening.PostStandings)
    played = event.record.rounds()[0]
    (first, _), report = next(iter(played.reported()))
    table = played.table_of(first)
    event.decide(slips.correct, table=table, round_=1, written=Written(winner=int(report.winner == first)))
    assert [objection.kind for objection in objections(event.record, 2, None)] == ["standings changed"]
    event.pair()
    assert "paired before the standings were posted" in kinds(event)


def test_a_drop_or_a_late_entry_does_not_change_posted_standings() -> None:
    event = opened(POL_PKM_POST="demanded")
    event.pair()
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)
    event.report()
    event.decide(opening.PostStandings)
    event.decide(roster.drop, player=1)
    event.decide(roster.arrive_late, person=Person(name="Zoe"), division="masters")
    event.pair()
    assert "paired before the standings were posted" not in kinds(event)


@pytest.mark.parametrize("round_", [1, 2, 3])
def test_every_start_before_the_pairings_are_posted_is_listed(round_: int) -> None:
    event = opened()
    for number in (1, 2, 3):
        event.pair()
        if number != round_:
            event.decide(postings.PostPairings)
        event.decide(clock.start_round)
        event.report()
        event.decide(opening.PostStandings)
    assert kinds(event).count("started before the pairings were posted") == 1
    assert kinds(event).count("paired before the standings were posted") == 0


@pytest.mark.parametrize("round_", [1, 2])
def test_every_pairing_needs_the_standings_of_the_round_before_it(round_: int) -> None:
    event = opened()
    for number in (1, 2, 3):
        event.pair()
        if number != round_ + 1:  # pairings are not posted before the standings of the round before them
            event.decide(postings.PostPairings)
        event.decide(clock.start_round)
        event.report()
        if number != round_:
            event.decide(opening.PostStandings)
    assert kinds(event).count("paired before the standings were posted") == 1


def test_the_log_keeps_the_posted_tables_of_a_round() -> None:
    event = opened()
    assert event.refusal(postings.PostPairings) == "no round is paired: there are no pairings to post"
    event.pair()
    event.decide(postings.PostPairings)
    entry = event.draft.entries[-1]
    first = event.record.round(1)
    assert first is not None
    assert isinstance(entry.fact, PairingsPosted)
    assert {seating.table: seating.players for seating in entry.fact.tables} == first.tables
    assert "cannot be taken back" in event.refusal(partial(slips.retract, entry=entry))
    event.report()
    event.decide(opening.PostStandings)
    assert "cannot be taken back" in event.refusal(partial(slips.retract, entry=event.draft.entries[-1]))


def with_cut(**policies: str) -> Event:
    event = Event("pokemon-2009", {flag.replace("_", "-"): value for flag, value in policies.items()})
    event.enter(masters=8)
    event.announce(style="swiss-with-cut", rounds=2, cut=2)
    for number in (1, 2):
        event.pair()
        event.decide(postings.PostPairings)
        event.decide(clock.start_round)
        event.report()
        if number == 1:
            event.decide(opening.PostStandings)
    event.decide(ties.DrawTies)
    return event


def test_a_cut_needs_posted_standings_of_the_last_round() -> None:
    """Before the fix, only `pair` demanded posted standings, although players cannot correct a result after the
    cut.
    """
    event = with_cut(POL_PKM_POST="demanded")
    assert event.refusal(cuts.make_cut) == "the standings after round 2 are not posted yet: post them (PKM-4-POST)"
    event.decide(opening.PostStandings)
    event.decide(cuts.make_cut)
    assert "cut made before the standings were posted" not in kinds(event)


def test_a_cut_before_its_standings_are_posted_is_listed() -> None:
    event = with_cut()
    entries = event.decide(cuts.make_cut)
    assert kinds(event) == ["cut made before the standings were posted"]
    assert list(warnings(event.record, entries)) == [
        "the standings after round 2 were not posted before the cut, so players could not check them (PKM-4-POST)"
    ]


def test_elimination_rounds_start_after_their_pairings_are_posted() -> None:
    event = with_cut(POL_PKM_POST="demanded")
    event.decide(opening.PostStandings)
    event.decide(cuts.make_cut)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    assert event.refusal(clock.start_round) == (
        "the pairings of elimination round 1 are not posted yet: post them (PKM-4-POST)"
    )
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)
    assert "started before the pairings were posted" not in kinds(event)


def test_an_elimination_round_that_starts_before_its_posting_is_listed() -> None:
    event = with_cut()
    event.decide(opening.PostStandings)
    event.decide(cuts.make_cut)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    event.decide(clock.start_round)
    assert kinds(event) == ["started before the pairings were posted"]


def test_a_round_paired_by_hand_also_waits_for_the_standings() -> None:
    event = opened(POL_PKM_POST="demanded")
    event.pair()
    event.decide(postings.PostPairings)
    event.decide(clock.start_round)
    event.report()
    games = [Seating(table=1, players=(1, 4)), Seating(table=2, players=(2, 3))]
    met = event.record.rounds()[0].table_between(1, 4)
    games = games if met is None else [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
    assert event.refusal(rounds.pair_by_hand, games=games).startswith(
        "the standings after round 1 are not posted yet"
    )
