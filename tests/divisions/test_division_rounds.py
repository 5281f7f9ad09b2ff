"""Divisions that play apart may play as many rounds as their own size demands (PKM-3.1.3-ROUNDS)."""

from __future__ import annotations

import runpy
from itertools import combinations
from pathlib import Path

import pytest
from tests.divisions.conftest import Event, Start
from tests.event import SECRET

from matchledger.commands import cuts, roster, structures
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.divisions import DecideDivisions
from matchledger.events import (
    AnyFact,
    CutMade,
    DivisionsDecided,
    FileImported,
    PairingAmended,
    Person,
    RoundPaired,
    Seating,
    TournamentClosed,
)
from matchledger_projections.divisions.grouping import rounds_of
from matchledger_projections.divisions.tables import division_table
from matchledger_projections.narration import tell, tell_structure
from matchledger_projections.pairing.check import objections
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.record import Record
from matchledger_projections.stages.departures import of_closing
from matchledger_projections.stages.flights import field_now
from matchledger_projections.stages.structure import Turnout, proposal, rounds_by_size
from matchledger_projections.views.integrity import integrity

ROOT = Path(__file__).resolve().parents[2]


def paired(event: Event) -> set[str]:
    """Return the divisions in the latest round."""
    latest = event.record.latest_round()
    assert latest is not None
    return {event.name(player).rstrip("0123456789") for player in latest.players}


def apart(start: Start) -> Event:
    event = start(junior=6, masters=9)
    event.announce(style="swiss", division_rounds={"junior": 3, "masters": 4})
    return event


def test_a_division_is_paired_until_it_has_played_its_rounds(start: Start) -> None:
    event = apart(start)
    event.play(3)
    assert paired(event) == {"junior", "masters"}
    *_, to_come = rounds.derive_round(event.record, 4, secret=SECRET)
    assert isinstance(to_come, RoundPaired)
    assert {found.kind for found in objections(event.record, 4, to_come)} == {"not posted"}
    event.play(1)
    assert paired(event) == {"masters"}
    assert division_table(event.record, "junior").round == 3
    assert division_table(event.record, "masters").round == 4


def unannounced(start: Start) -> Event:
    event = start(junior=6, masters=9)
    play(event, 3)
    return event


def play(event: Event, count: int) -> None:
    """Pair and report rounds that need no reason."""
    for _ in range(count):
        event.decide(rounds.pair_round, secret=SECRET)
        event.report()


def open_points(event: Event) -> list[str]:
    """Return what a closing departs from, besides undecided places."""
    return [found.text for found in of_closing(event.record) if not found.text.startswith("place")]


def test_without_an_announcement_each_division_plays_the_rounds_of_its_size(start: Start) -> None:
    event = start(junior=6, senior=6, masters=17)
    play(event, 1)
    assert {name: rounds_of(event.record, name) for name in ("junior", "masters")} == {"junior": 3, "masters": 5}
    for expected in [{"junior", "senior", "masters"}] * 2 + [{"masters"}] * 2:
        play(event, 1)
        assert paired(event) == expected
    assert event.refusal(rounds.pair_round, secret=SECRET).startswith("the rulebook's table gives at most 5 rounds")
    assert open_points(event) == []
    found = rederive(event.draft.entries)
    assert {draw.verdict for draw in found.draws} == {"as derived"}
    told = [item.kind for item in integrity(event.draft.entries)]
    assert [kind for kind in told if "departure" in kind or "left out" in kind] == []
    event.pair()
    assert paired(event) == {"masters"}


def test_a_division_beyond_the_table_does_not_lengthen_the_rounds_of_a_small_one(start: Start) -> None:
    event = start(junior=6, masters=9)
    law = event.record.rulebook
    found = rounds_by_size(law, Turnout({"junior": 6, "Senior": 5, "senior": 4, "masters": 600}, apart=True))
    assert found == {"junior": 3, "senior": 4, "masters": 10}
    assert rounds_by_size(
        law, Turnout({"junior": 3, "senior": 64, "masters": 64}, flight_rounds={"masters": (5,)})
    ) == {
        "junior": 6,
        "senior": 6,
        "masters": 5,
    }
    assert rounds_by_size(law, Turnout({"junior": 3, "masters": 4})) == {}


def test_the_players_on_time_set_the_rounds_of_a_division(start: Start) -> None:
    event = start(junior=9, masters=17)
    event.decide(roster.drop, player=event.number("junior9"))
    event.pair()
    event.late("junior10", "junior")
    event.late("junior11", "junior")
    event.report()
    play(event, 2)
    assert "round 3 was the last" in event.refusal(
        roster.arrive_late, person=Person(name="Late"), division="junior", secret=lambda: SECRET
    )
    event.decide(roster.arrive_late, person=Person(name="Late"), division="masters", secret=lambda: SECRET)
    play(event, 1)
    assert paired(event) == {"masters", "Late"}


def test_an_announcement_during_the_event_replaces_the_rounds_of_the_table(start: Start) -> None:
    event = unannounced(start)
    event.announce(style="swiss", division_rounds={"junior": 4, "masters": 4}, deviating=True)
    play(event, 1)
    assert paired(event) == {"junior", "masters"}


def test_the_rounds_are_decided_again_if_players_leave_before_round_1(start: Start) -> None:
    event = start(junior=9, masters=17)
    event.decide(DecideDivisions)
    event.decide(roster.drop, player=event.number("junior9"))
    event.decide(rounds.pair_round, secret=SECRET)
    decided = event.record.divisions_decided
    assert decided is not None
    assert decided.rounds == {"junior": 3, "masters": 5}
    assert tell(event.record, decided) == (
        "divisions play separately (Age Separated) (junior 8: 3 Swiss rounds, masters 17: 5 Swiss rounds)"
    )


def test_a_log_without_rounds_for_its_divisions_keeps_one_number_for_all(start: Start) -> None:
    event = start(junior=6, masters=9)
    sizes = {"junior": 6, "masters": 9}
    [*_, paired_first] = rounds.pair_round(event.record, secret=SECRET)
    event.decide(lambda _: [DivisionsDecided(mode="separated", sizes=sizes), paired_first])
    event.report()
    play(event, 3)
    assert paired(event) == {"junior", "masters"}
    assert {draw.verdict for draw in rederive(event.draft.entries).draws} == {"as derived"}


def test_a_further_round_of_a_division_without_an_announcement_needs_a_reason(start: Start) -> None:
    event = unannounced(start)
    asked = by_hand_with_juniors(event)
    refused = event.refusal(rounds.pair_by_hand, **asked)
    assert "the rulebook's table gives junior 3 rounds, not 4" in refused
    assert refused.endswith("(PKM-3.1.3-ROUNDS)")
    [*_, entry] = event.decide(rounds.pair_by_hand, deviating=True, **asked)
    assert isinstance(entry.fact, RoundPaired)
    assert entry.fact.deviations == ("PKM-3.1.3-ROUNDS",)
    before = event.record.as_of(entry.position - 1)
    assert "not playing" not in {found.kind for found in objections(before, 4, entry.fact)}
    told = [item.rules for item in integrity(event.draft.entries) if item.entry.position == entry.position]
    assert any("PKM-3.1.3-ROUNDS" in rules for rules in told)


def test_a_junior_joins_the_round_of_the_masters_only_with_a_reason(start: Start) -> None:
    event = unannounced(start)
    juniors = by_hand_with_juniors(event)["games"][-1].players  # type: ignore[index]
    event.pair()
    refused = event.refusal(rounds.amend_pairing, games=[juniors])
    assert "the rulebook's table gives junior 3 rounds, not 4" in refused


@pytest.mark.parametrize("announced", [True, False])
def test_a_refusal_says_that_only_finished_divisions_have_players_left(start: Start, *, announced: bool) -> None:
    event = apart(start) if announced else start(junior=6, masters=9)
    play(event, 3)
    for number in range(2, 10):
        event.decide(roster.drop, player=event.number(f"masters{number}"))
    assert event.refusal(rounds.pair_round, secret=SECRET).startswith(
        "no division has two players with a round left: make the cut or close the event, or pair round 4 by hand"
    )
    stopped = "3 of 4 announced rounds were played" if announced else "the event does not end after round 3"
    assert stopped in open_points(event)[0]


def without_the_juniors(event: Event) -> dict[str, object]:
    """Draw the next round, and leave the juniors out of it."""
    number = len(event.record.rounds()) + 1
    *_, due = rounds.derive_round(event.record, number, secret=SECRET)
    assert isinstance(due, RoundPaired)
    juniors = {event.number(f"junior{one}") for one in range(1, 7)}
    games = [seat for seat in due.tables if not juniors & {*seat.players}]
    return {"games": games, "byes": [bye for bye in due.byes if bye.player not in juniors]}


@pytest.mark.parametrize("announced", [True, False])
def test_an_event_closes_with_a_reason_if_a_division_missed_a_round(start: Start, *, announced: bool) -> None:
    event = apart(start) if announced else start(junior=6, masters=9)
    play(event, 1)
    event.decide(rounds.pair_by_hand, deviating=True, **without_the_juniors(event))
    event.report()
    play(event, 2)
    refused = event.refusal(opening.close, secret=SECRET)
    expected = "junior played 2 of 3 rounds" if announced else "the event does not end after round 4"
    assert expected in refused
    rules = {"PKM-3.1.3-ROUNDS"} | ({"PKM-2-ANNOUNCE"} if announced else set())
    [*_, entry] = event.decide(opening.close, secret=SECRET, deviating=True)
    assert isinstance(entry.fact, TournamentClosed)
    assert rules <= {*entry.fact.deviations}
    told = [item.rules for item in integrity(event.draft.entries) if item.entry.position == entry.position]
    assert any(rules <= {*named} for named in told)


def test_a_division_that_made_up_for_a_missed_round_has_played_its_rounds(start: Start) -> None:
    event = apart(start)
    play(event, 1)
    event.decide(rounds.pair_by_hand, deviating=True, **without_the_juniors(event))
    event.report()
    play(event, 1)
    assert open_points(event) == ["3 of 4 announced rounds were played", *["junior played 2 of 3 rounds"] * 2]
    event.decide(rounds.pair_by_hand, deviating=True, **by_hand_with_juniors(event))
    event.report()
    assert open_points(event) == []


def test_a_division_that_stops_because_its_players_leave_needs_a_reason(start: Start) -> None:
    event = apart(start)
    play(event, 2)
    for number in range(2, 7):
        event.decide(roster.drop, player=event.number(f"junior{number}"))
    event.decide(rounds.pair_by_hand, deviating=True, **without_the_juniors(event))
    event.report()
    play(event, 1)
    assert open_points(event) == ["junior played 2 of 3 rounds"] * 2


def test_a_cut_needs_a_reason_if_a_division_missed_a_round(start: Start) -> None:
    event = start(junior=6, masters=16)
    cuts_by_division = {"masters": 4}
    event.announce(
        style="swiss-with-cut", division_rounds={"junior": 3, "masters": 4}, division_cuts=cuts_by_division
    )
    play(event, 2)
    event.decide(rounds.pair_by_hand, deviating=True, **without_the_juniors(event))
    event.report()
    play(event, 1)
    assert "junior played 2 of 3 rounds" in event.refusal(cuts.make_cut)
    [*_, entry] = event.decide(cuts.make_cut, deviating=True)
    assert isinstance(entry.fact, CutMade)
    assert entry.fact.deviations == ("PKM-2-ANNOUNCE", "PKM-3.1.3-ROUNDS")
    assert all("of 3 rounds" not in text for text in open_points(event))


@pytest.mark.parametrize("rulebook", ["pokemon-2009", "l5r-2018"])
def test_a_flight_that_missed_a_round_keeps_the_event_open(start: Start, rulebook: str) -> None:
    event = start(rulebook)
    for flight in ("1", "2"):
        event.register(*(f"f{flight}p{number}" for number in range(8)), flight=flight)
    play(event, 1)
    *_, due = rounds.derive_round(event.record, 2, secret=SECRET)
    assert isinstance(due, RoundPaired)
    first = {event.number(f"f1p{number}") for number in range(8)}
    event.decide(rounds.pair_by_hand, deviating=True, games=[s for s in due.tables if first & {*s.players}])
    event.report()
    play(event, 1)
    missed = "flight 2 played 2 of 3 rounds"
    assert (missed in open_points(event)) is (rulebook == "pokemon-2009")


def by_hand_with_juniors(event: Event) -> dict[str, object]:
    """Pair round 4 by hand, with juniors who have already played their three rounds. Nobody meets again."""
    met = {frozenset(two) for round_ in event.record.rounds() for two in round_.tables.values()}
    juniors = [event.number(f"junior{one}") for one in range(1, 7)]
    two = next(two for two in combinations(juniors, 2) if frozenset(two) not in met)
    *_, due = rounds.derive_round(event.record, 4, secret=SECRET)
    assert isinstance(due, RoundPaired)
    return {"games": [*due.tables, Seating(table=90, players=two)], "byes": due.byes}


def test_a_division_plays_an_extra_round_by_hand_only_with_a_reason(start: Start) -> None:
    event = apart(start)
    event.play(3)
    asked = by_hand_with_juniors(event)
    refused = event.refusal(rounds.pair_by_hand, **asked)
    assert "round 4 is beyond the 3 announced rounds of junior" in refused
    [*_, entry] = event.decide(rounds.pair_by_hand, deviating=True, **asked)
    assert isinstance(entry.fact, RoundPaired)
    assert entry.fact.deviations == ("PKM-2-ANNOUNCE", "PKM-3.1.3-ROUNDS")
    before = event.record.as_of(entry.position - 1)
    assert "not playing" not in {found.kind for found in objections(before, 4, entry.fact)}
    told = [item.rules for item in integrity(event.draft.entries) if item.entry.position == entry.position]
    assert any({"PKM-2-ANNOUNCE", "PKM-3.1.3-ROUNDS"} <= set(rules) for rules in told)


def test_an_amendment_gives_a_division_an_extra_round_only_with_a_reason(
    start: Start,
) -> None:
    event = apart(start)
    event.play(3)
    juniors = by_hand_with_juniors(event)["games"][-1].players  # type: ignore[index]
    event.pair()
    assert "beyond the 3 announced rounds of junior" in event.refusal(rounds.amend_pairing, games=[juniors])
    [entry] = event.decide(rounds.amend_pairing, games=[juniors], deviating=True)
    assert isinstance(entry.fact, PairingAmended)
    assert entry.fact.deviations == ("PKM-2-ANNOUNCE", "PKM-3.1.3-ROUNDS")


def test_rounds_from_the_table_of_each_division_are_no_deviation(start: Start) -> None:
    event = apart(start)
    plan = event.record.structure
    assert plan is not None
    assert (plan.structure, plan.rounds, plan.deviations) == ("swiss", 4, ())
    assert tell_structure(plan) == "4 Swiss rounds, 3 of junior, 4 of masters, 8 prizes (swiss)"
    alike = plan.model_copy(update={"structure": "custom", "division_rounds": {"junior": 4, "masters": 4}})
    assert tell_structure(alike) == "4 Swiss rounds, 8 prizes"
    alone = plan.model_copy(update={"prizes": 1})
    assert tell_structure(alone) == "4 Swiss rounds, 3 of junior, 4 of masters, 1 prize (swiss)"
    found = proposal(event.record.rulebook, "swiss", field_now(event.record))
    assert found is not None
    assert found.division_rounds == {"junior": (3,), "masters": (4,)}


def test_another_number_of_rounds_is_marked_as_a_deviation(start: Start) -> None:
    event = start(junior=6, masters=9)
    event.announce(style="swiss", division_rounds={"junior": 2, "masters": 4}, deviating=True)
    plan = event.record.structure
    assert plan is not None
    assert (plan.structure, plan.deviations) == ("custom", ("PKM-3.1.3-ROUNDS",))


def test_a_division_that_was_not_named_plays_the_rounds_announced_for_all(start: Start) -> None:
    event = start(junior=6, senior=6, masters=9)
    event.announce(style="swiss", rounds=4, division_rounds={"junior": 3}, deviating=True)
    plan = event.record.structure
    assert plan is not None
    assert plan.division_rounds == {"junior": 3, "senior": 4, "masters": 4}


@pytest.mark.parametrize("announced", [True, False])
def test_only_the_named_division_changes_its_rounds(start: Start, *, announced: bool) -> None:
    event = start(junior=6, senior=6, masters=9)
    if announced:
        event.announce(style="swiss")
    event.decide(announced_rounds, division_rounds={"junior": 2}, deviating=True)
    plan = event.record.structure
    assert plan is not None
    assert plan.division_rounds == {"junior": 2, "senior": 3, "masters": 4}


def test_cuts_and_prizes_stay_as_announced(start: Start) -> None:
    event = start(junior=8, senior=8, masters=9)
    cuts = {"junior": 2, "senior": 2, "masters": 4}
    event.announce(style="swiss-with-cut", division_cuts=cuts, playoff=True, prizes=5, deviating=True)
    event.decide(announced_rounds, division_rounds={"junior": 2}, deviating=True)
    event.decide(announced_rounds, division_cuts={"Senior": 0}, deviating=True)
    plan = event.record.structure
    assert plan is not None
    assert plan.division_rounds == {"junior": 2, "senior": 3, "masters": 4}
    assert (plan.division_cuts, plan.playoff, plan.prizes) == ({"junior": 2, "masters": 4}, True, 5)


def announced_rounds(record: Record, **asked: object) -> list[AnyFact]:
    """Return the announcement that a command makes."""
    return structures.AnnounceStructure(**asked).decide(record, None)  # type: ignore[arg-type] # it asks no context


def test_no_division_ends_before_its_announced_rounds(start: Start) -> None:
    event = start(junior=6, masters=9)
    event.announce(style="swiss", division_rounds={"junior": 2, "masters": 4}, deviating=True)
    event.play(2)
    assert "2 of 4 announced rounds were played" in [found.text for found in of_closing(event.record)]


def test_impossible_division_rounds_are_refused(start: Start) -> None:
    event = start(junior=6, masters=9)
    assert event.refusal(structures.AnnounceStructure, division_rounds={"kids": 2}) == (
        "no player is in 'kids': the divisions are junior, masters"
    )
    assert (
        event.refusal(structures.AnnounceStructure, division_rounds={"junior": 0})
        == "a division plays at least 1 round"
    )
    few = start(junior=5, masters=9)
    assert few.refusal(structures.AnnounceStructure, division_rounds={"junior": 3}) == (
        "the divisions of this event play together and share their rounds (PKM-3.1.1-POD)"
    )


def test_an_extra_round_is_for_the_division_with_the_most_rounds(start: Start) -> None:
    event = apart(start)
    event.play(4)
    event.play(1)
    assert paired(event) == {"masters"}
    plan = event.record.structure
    assert plan is not None
    assert plan.division_rounds == {"junior": 3, "masters": 5}


def test_every_round_matches_its_derivation(start: Start) -> None:
    event = apart(start)
    event.play(4)
    found = rederive(event.draft.entries)
    assert {draw.verdict for draw in found.draws} == {"as derived"}


@pytest.mark.parametrize("announced", [True, False])
def test_recomputing_leaves_out_a_division_that_has_finished(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, announced: bool
) -> None:
    event = apart(start) if announced else start(junior=6, masters=9)
    event.play(4)
    event.decide(opening.close, secret=SECRET, deviating=True)
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(entry.model_dump_json() for entry in event.draft.entries), "utf-8")
    recomputed = runpy.run_path(str(ROOT / "docs" / "recompute_pairings.py"))
    assert recomputed["main"](log) == 0
    assert capsys.readouterr().out == "".join(f"Round {number}: as derived\n" for number in (1, 2, 3, 4))


# -- events that begin with an imported file


def imported(played: int, *, roster: bool = False) -> Event:
    """Return an event of a file: the players of two divisions, and rounds that were played elsewhere."""
    event = Event("pokemon-2009", None, division_years={})
    file = FileImported(name="hall.sheet", format="sheet", sha256="0" * 64, roster=roster)
    event.decide(lambda _: [file])
    event.enter(junior=6, masters=9)
    for number in range(1, played + 1):
        *_, due = rounds.derive_round(event.record, number, secret=SECRET)
        assert isinstance(due, RoundPaired)
        event.decide(rounds.pair_by_hand, games=due.tables, byes=due.byes)
        event.report()
    return event


def test_divisions_of_an_imported_roster_play_the_rounds_of_their_size(start: Start) -> None:
    event = imported(0, roster=True)
    play(event, 2)
    assert open_points(event) == ["by the rulebook's table, the event does not end after round 2"]
    play(event, 2)
    assert paired(event) == {"masters"}
    assert open_points(event) == []
    native = start(junior=6, masters=9)
    play(native, 4)
    refused = native.refusal(cuts.make_cut, division_sizes={"masters": 8})
    assert event.refusal(cuts.make_cut, division_sizes={"masters": 8}) == refused


@pytest.mark.parametrize("played", [1, 2, 3])
def test_an_event_with_imported_rounds_closes_and_cuts_without_a_reason(played: int) -> None:
    """The file's rounds were announced elsewhere, so nothing is owed here without an announcement."""
    event = imported(played)
    assert open_points(event) == []
    play(event, 1)
    assert paired(event) == {"junior", "masters"}
    assert open_points(event) == []
    [*_, junior, masters] = event.decide(cuts.make_cut, division_sizes={"junior": 2, "masters": 4})
    for entry in (junior, masters):
        assert isinstance(entry.fact, CutMade)
        assert entry.fact.deviations == ()


@pytest.mark.parametrize("played", [1, 2, 3])
def test_an_announcement_after_imported_rounds_gives_the_divisions_their_rounds(played: int) -> None:
    event = imported(played)
    event.announce(style="swiss", division_rounds={"junior": 3, "masters": 4}, deviating=True)
    assert open_points(event)[0] == f"{played} of 4 announced rounds were played"
    play(event, 4 - played)
    assert paired(event) == {"masters"}
    assert open_points(event) == []


@pytest.mark.parametrize("played", [1, 2])
def test_a_division_that_misses_a_round_after_imported_rounds_needs_a_reason(played: int) -> None:
    """Before the fix, an imported round made up for a round that the division missed here."""
    event = imported(played)
    announced = {"division_rounds": {"junior": 3, "masters": 4}, "division_cuts": {"masters": 2}}
    event.announce(style="swiss-with-cut", **announced, deviating=True)
    play(event, 2 - played)
    event.decide(rounds.pair_by_hand, deviating=True, **without_the_juniors(event))
    event.report()
    play(event, 1)
    assert "junior played 2 of 3 rounds" in event.refusal(cuts.make_cut)
    assert "junior played 2 of 3 rounds" in open_points(event)


def test_a_division_that_missed_a_round_of_the_file_owes_nothing() -> None:
    event = imported(1)
    event.decide(rounds.pair_by_hand, **without_the_juniors(event))
    event.report()
    event.announce(style="swiss", division_rounds={"junior": 3, "masters": 4}, deviating=True)
    play(event, 2)
    assert open_points(event) == []
