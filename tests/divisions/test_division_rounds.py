"""Divisions that play apart may play as many rounds as their own size demands (PKM-3.1.3-ROUNDS)."""

from __future__ import annotations

import runpy
from itertools import combinations
from pathlib import Path

import pytest
from tests.divisions.conftest import Event, Start
from tests.event import SECRET

from matchledger.commands import structures
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import AnyFact, PairingAmended, RoundPaired, Seating
from matchledger_projections.divisions.tables import division_table
from matchledger_projections.narration import tell_structure
from matchledger_projections.pairing.check import objections
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.record import Record
from matchledger_projections.stages.departures import of_closing
from matchledger_projections.stages.flights import field_now
from matchledger_projections.stages.structure import proposal
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


def test_recomputing_leaves_out_a_division_that_has_finished(
    start: Start, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = apart(start)
    event.play(4)
    event.decide(opening.close, secret=SECRET, deviating=True)
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join(entry.model_dump_json() for entry in event.draft.entries), "utf-8")
    recomputed = runpy.run_path(str(ROOT / "docs" / "recompute_pairings.py"))
    assert recomputed["main"](log) == 0
    assert capsys.readouterr().out == "".join(f"Round {number}: as derived\n" for number in (1, 2, 3, 4))
