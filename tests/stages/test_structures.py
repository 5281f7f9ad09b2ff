"""Structures: every row of every table, proposals, announcements and departures."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.event import SECRET, TOURNAMENT, deciding
from tests.stages.conftest import Event, Start

from matchledger.commands import cuts, roster, structures, ties, tournaments
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands.divisions import DecideDivisions
from matchledger.events import Person, StructureAnnounced
from matchledger.ledger import Draft
from matchledger.notation.problems import UsageProblem
from matchledger_projections.record.attendance import attendance
from matchledger_projections.rulebook.rulebook import Rulebook, RulebookError, parse_rulebook, rulebook_text
from matchledger_projections.stages.structure import (
    Turnout,
    departures,
    elimination_rounds,
    proposal,
    proposals,
    usual_structure,
)
from matchledger_projections.views.integrity import integrity

NO_SEMIFINALS = "the losers of the semifinals play for 3rd and 4th place: announce a cut to 4 or more"


def law(rulebook: str, **policies: str) -> Rulebook:
    return parse_rulebook(rulebook_text(rulebook)).under(policies)


def row(rulebook: str, table: str, players: int) -> str:
    """Return what a table proposes: "5/T8", "4/-", "5,4/T8,T4", or "-" for nothing."""
    found = proposal(law(rulebook), table, Turnout({"": players}))
    if found is None:
        return "-"
    return f"{','.join(map(str, found.rounds))}/{','.join(f'T{cut}' if cut else '-' for cut in found.cuts)}"


def rows(rulebook: str, table: str, *players: int) -> str:
    return " ".join(row(rulebook, table, number) for number in players)


def largest_cut(rulebook: Rulebook, players: int) -> int:
    """Return the largest cut of any table, or 0 if there is none."""
    return max((max(found.cuts) for found in proposals(rulebook, Turnout({"": players}))), default=0)


# -- the tables


@pytest.mark.vector("TV-L5R-STRUCT-B")
def test_the_basic_structure_changes_at_the_documented_numbers_of_players() -> None:
    found = rows("l5r-2018", "basic", 8, 9, 16, 17, 24, 25, 40, 41, 44, 45, 76, 77, 148, 149)
    assert found == "3/- 4/- 4/- 4/T4 4/T4 5/T4 5/T4 5/T8 5/T8 6/T8 6/T8 6/T16 6/T16 7/T16"
    assert rows("l5r-2018", "basic", 3, 4, 5000) == "- 3/- 7/T16"


def test_a_rulebook_without_tables_has_the_usual_structure() -> None:
    usual = {4: (3, 0), 8: (3, 0), 9: (4, 4), 16: (4, 4), 17: (5, 8), 64: (6, 8), 65: (7, 8)}
    for players, (rounds_, cut) in usual.items():
        found = usual_structure(law("lorcana"), Turnout({"": players}))
        assert found is not None
        assert (found.rounds, found.cuts) == ((rounds_,), (cut,))
    assert usual_structure(law("lorcana"), Turnout({"": 3})) is None
    assert usual_structure(law("l5r-2018"), Turnout({"": 40})) is None


@pytest.mark.finding("S-W2")
@pytest.mark.parametrize(
    ("to_be_drawn", "swiss", "cut"), [(False, (6,), (6,)), (True, (8,), (8, 7))], ids=["drawn", "to be drawn"]
)
def test_drawn_flights_give_the_rounds_of_their_division_beside_others(
    to_be_drawn: bool, swiss: tuple[int, ...], cut: tuple[int, ...]
) -> None:
    field = Turnout(
        {"junior": 32, "masters": 143},
        apart=True,
        flight_rounds={"masters": (6,)},
        to_be_drawn=to_be_drawn,
    )
    found = {one.structure: one.division_rounds for one in proposals(law("pokemon-2009"), field)}
    assert found == {
        "swiss": {"junior": (5,), "masters": swiss},
        "swiss-with-cut": {"junior": (5, 4), "masters": cut},
        "elimination": found["elimination"],
    }


@pytest.mark.vector("TV-L5R-STRUCT-A")
def test_the_advanced_structure_changes_at_the_documented_numbers_of_players() -> None:
    found = rows("l5r-2018", "advanced", 8, 9, 12, 13, 24, 25, 40, 41, 76, 77, 148, 149, 288, 289, 512, 513)
    assert found == ("- 4/T4 4/T4 4/T8 4/T8 5/T8 5/T8 6/T8 6/T8 6/T16 6/T16 6/T32 6/T32 7/T32 7/T32 8/T32")


@pytest.mark.vector("TV-SWR-STRUCT")
def test_the_final_cut_changes_at_the_documented_numbers_of_players() -> None:
    found = rows("street-warriors-2004", "final-cut", 3, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257)
    assert found == "- 3/T2 4/T4 4/T4 5/T8 5/T8 6/T16 6/T16 7/T32 7/T32 8/T64 8/T64 -"


def test_swiss_rounds_and_bracket_change_at_the_documented_numbers_of_players() -> None:
    sizes = (2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257)
    larger = "4/- 4/- 5/- 5/- 6/- 6/- 7/- 7/- 8/- 8/- -"
    assert rows("street-warriors-2004", "swiss", *sizes) == f"- - 3/- 3/- 3/- 3/- {larger}"
    assert rows("street-warriors-2004", "elimination", *sizes) == f"1/- 2/- 2/- 3/- 3/- 3/- {larger}"


def test_a_policy_sets_three_rounds_or_leaves_them_to_the_host() -> None:
    assert rows("street-warriors-2004", "final-cut", 4, 7) == "3/- 3/-"
    host = law("street-warriors-2004", **{"POL-SWR-LT8-ROUNDS": "host"})
    for table in ("final-cut", "swiss"):
        assert proposal(host, table, Turnout({"": 7})) is None
        assert proposal(host, table, Turnout({"": 8})) is not None


@pytest.mark.vector("TV-ASH-STRUCT")
def test_swiss_rounds_and_the_optional_cut_follow_the_document() -> None:
    found = rows("ashes-2022", "swiss", 2, 3, 4, 5, 8, 9, 16, 17, 32, 33, 5000)
    assert found == "- 2/- 2/- 3/- 3/- 4/- 4/- 5/T4,- 5/T4,- 6/T8,- 6/T8,-"


@pytest.mark.vector("TV-PKM-CUT-1")
def test_the_largest_cut_of_a_division_follows_the_document() -> None:
    sizes = (8, 9, 15, 16, 31, 32, 63, 64, 128, 255, 256, 511, 512)
    found = [largest_cut(law("pokemon-2009"), size) for size in sizes]
    assert found == [2, 2, 2, 4, 4, 8, 8, 16, 32, 32, 32, 32, 64]


def test_either_number_of_rounds_and_every_smaller_cut_is_allowed() -> None:
    """PKM-3.3.5-TABLE: one round fewer is allowed, and any power of two up to the largest cut."""
    edges = {6: 0, 7: 0, 8: 2, 9: 2, 15: 2, 16: 4, 17: 4, 31: 4, 32: 8, 33: 8, 63: 8, 64: 16, 65: 16, 127: 16}
    edges |= {128: 32, 129: 32, 255: 32, 256: 32, 257: 32, 511: 32, 512: 64}
    for players, largest in edges.items():
        rounds = max(elimination_rounds(players), 3)
        cuts_ = [f"T{2**power}" for power in range(6, 0, -1) if 2**power <= largest] or ["-"]
        assert row("pokemon-2009", "swiss-with-cut", players) == f"{rounds},{rounds - 1}/{','.join(cuts_)}"
    assert rows("pokemon-2009", "swiss-with-cut", 5, 513) == "- -"


@pytest.mark.parametrize(
    "players", [6, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 511, 512]
)
def test_no_cut_takes_more_than_the_share_of_players_that_the_table_allows(players: int) -> None:
    assert largest_cut(law("pokemon-2009"), players) * (8 if players >= 256 else 4) <= players


@pytest.mark.parametrize(("junior", "above"), [(2, False), (4, True)])
def test_each_cut_is_a_share_of_its_own_division(junior: int, above: bool) -> None:
    plan = StructureAnnounced(
        style="swiss-with-cut",
        structure="custom",
        rounds=5,
        cut=8,
        division_cuts={"junior": junior, "masters": 8},
    )
    found = departures(law("pokemon-2009"), plan, None, Turnout({"junior": 8, "masters": 32}))
    assert ("PKM-3.3.5-MAXCUT" in found) is above


def test_the_size_of_an_event_gives_the_rounds_of_swiss_and_of_elimination() -> None:
    sizes = (8, 9, 16, 17, 32, 33, 64, 65, 128, 129, 256)
    for table in ("swiss", "elimination"):
        assert rows("pokemon-2009", table, *sizes) == "3/- 4/- 4/- 5/- 5/- 6/- 6/- 7/- 7/- 8/- 8/-"
    assert [elimination_rounds(size) for size in sizes] == [3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]
    assert rows("pokemon-2009", "swiss", 5, 6, 257, 512, 513) == "- 3/- 9/- 9/- -"
    assert rows("pokemon-2009", "elimination", 7, 257) == "- -"


@pytest.mark.vector("DV-PKM-ROUNDS")
def test_age_modified_rounds_count_the_largest_division() -> None:
    found = proposal(law("pokemon-2009"), "swiss", Turnout({"junior": 5, "senior": 11, "master": 16}))
    assert found is not None
    assert found.rounds == (4,)


@pytest.mark.vector("TV-PKM-MOD-3")
def test_the_size_of_each_division_gives_its_cut() -> None:
    found = proposal(law("pokemon-2009"), "swiss-with-cut", Turnout({"junior": 5, "senior": 11, "master": 16}))
    assert found is not None
    assert found.rounds == (4, 3)
    assert found.division_cuts == {"junior": (0,), "senior": (2,), "master": (4, 2)}


def test_rulebooks_without_structures_propose_nothing() -> None:
    assert list(proposals(law("netrunner-2023"), Turnout({"": 20}))) == []
    assert largest_cut(law("netrunner-2023"), 20) == 0


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ('"4-8" = { rounds = 3 }', "the row '9-16' does not follow the one above it"),
        ('"9-4" = { rounds = 3 }', "the row '9-4' ends before it begins"),
        ('"four" = { rounds = 3 }', "String should match pattern"),
        ('"5-8" = { rounds = [] }', "at least 1 item"),
    ],
)
def test_a_house_table_with_a_gap_or_a_wrong_row_is_refused(wrong: str, problem: str) -> None:
    text = rulebook_text("l5r-2018").replace('"4-8" = { rounds = 3 }', wrong, 1)
    if wrong.startswith('"4-8"'):
        text = text.replace('"9-16"', '"10-16"', 1)
        problem = problem.replace("9-16", "10-16")
    with pytest.raises(RulebookError, match=problem):
        parse_rulebook(text)


# -- announcing


def announced(event: Event) -> StructureAnnounced:
    assert event.record.structure is not None
    return event.record.structure


def test_the_structure_is_announced_for_the_players_who_are_present(start: Start) -> None:
    event = start("l5r-2018", 17)
    event.drop("P17")
    assert attendance(event.record).total() == 16
    event.decide(structures.AnnounceStructure)
    plan = announced(event)
    assert (plan.style, plan.structure, plan.rounds, plan.cut, plan.deviations) == ("swiss", "basic", 4, 0, ())


@pytest.mark.parametrize("announced_first", [True, False])
def test_a_drop_before_round_1_marks_no_structure(start: Start, announced_first: bool) -> None:
    """17 players were registered in time, so the cut for 17 is allowed before and after the drop."""
    event = start("l5r-2018", 17)
    steps = [partial(event.decide, structures.AnnounceStructure, rounds=4, cut=4), partial(event.drop, "P17")]
    for step in steps if announced_first else reversed(steps):
        step()
    assert (announced(event).structure, announced(event).deviations) == ("basic", ())
    event.decide(rounds.pair_round, secret=SECRET)
    assert integrity(event.draft.entries, shipped_laws=[rulebook_text("l5r-2018")]) == []


@pytest.mark.parametrize(
    ("rulebook", "players", "leaving", "asked", "rule"),
    [
        ("ashes-2022", 17, 1, {"rounds": 5, "cut": 4}, "ASH-CUT"),
        ("pokemon-2009", 9, 1, {"style": "swiss", "rounds": 4, "prizes": 4}, "PKM-3.1.3-ROUNDS"),
    ],
)
def test_the_structure_counts_the_players_present_for_round_1(
    start: Start, rulebook: str, players: int, leaving: int, asked: dict[str, int], rule: str
) -> None:
    event = start(rulebook, players)
    event.decide(structures.AnnounceStructure, **asked)
    assert announced(event).deviations == ()
    for number in range(leaving):
        event.drop(f"P{players - number}")
    assert "does not fit the number of players" in event.refusal(rounds.pair_round, secret=SECRET)
    event.decide(rounds.pair_round, secret=SECRET, deviating=True)
    law = rulebook_text(rulebook)
    assert any(rule in item.rules for item in integrity(event.draft.entries, shipped_laws=[law]))


@pytest.mark.parametrize(("rulebook", "asked"), [("l5r-2018", 4), ("ashes-2022", 5)])
def test_an_older_log_may_count_registered_or_present_players(rulebook: str, asked: int) -> None:
    """Before the fix, `integrity` listed a departure in an older log of 17 registered and 16 present players."""
    law = "".join(line for line in rulebook_text(rulebook).splitlines(True) if not line.startswith("registered ="))
    assert law != rulebook_text(rulebook)
    draft = Draft(TOURNAMENT)
    draft.decide(deciding(tournaments.open_tournament, name="Old", law=law, policies={}, secret=SECRET))
    for number in range(1, 18):
        draft.decide(deciding(roster.register, person=Person(name=f"P{number}")))
    draft.decide(deciding(structures.AnnounceStructure, rounds=asked, cut=4))
    draft.decide(deciding(roster.drop, player=17))
    draft.decide(deciding(rounds.pair_round, secret=SECRET))
    assert integrity(draft.entries, shipped_laws=[law]) == []


def test_a_division_below_the_table_may_play_apart_by_the_default_announcement(start: Start) -> None:
    """Before the fix, the default announcement was refused, because the table has no row for five juniors."""
    event = start("pokemon-2009", 0)
    for division, count in (("junior", 5), ("masters", 6)):
        event.register(*(f"{division[0].upper()}{number}" for number in range(count)), division=division)
    event.decide(DecideDivisions, mode="separated", deviating=True)
    event.decide(structures.AnnounceStructure, prizes=3)
    assert (announced(event).rounds, announced(event).deviations) == (3, ())
    refused = event.refusal(structures.AnnounceStructure, prizes=3, division_rounds={"junior": 3, "masters": 4})
    assert "PKM-3.1.3-ROUNDS" in refused, "six masters play three rounds"


@pytest.mark.parametrize(("rulebook", "players"), [("pokemon-2009", 4), ("pokemon-2009", 5), ("ashes-2022", 2)])
def test_below_the_tables_the_organizer_gives_the_number_of_rounds(
    start: Start, rulebook: str, players: int
) -> None:
    event = start(rulebook, players)
    assert f"proposes no number of rounds for {players} players: give the number" in event.refusal(
        structures.AnnounceStructure, prizes=1
    )
    event.decide(structures.AnnounceStructure, prizes=1, rounds=1)
    assert announced(event).deviations == ()
    event.decide(rounds.pair_round, secret=SECRET)
    kinds = [item.kind for item in integrity(event.draft.entries, shipped_laws=[rulebook_text(rulebook)])]
    assert "departure from the structures" not in kinds


@pytest.mark.parametrize("rulebook", ["l5r-2018", "ashes-2022"])
def test_without_an_elimination_stage_no_final_is_untimed(start: Start, rulebook: str) -> None:
    event = start(rulebook, 17)
    said = "an event without an elimination stage has no final: announce a cut"
    asked = {"rounds": 5, "cut": 0, "untimed_final": True, "deviating": True}
    assert event.refusal(structures.AnnounceStructure, **asked).startswith(said)
    event.decide(structures.AnnounceStructure, **{**asked, "cut": 4})
    assert announced(event).untimed_final


def test_another_table_can_be_chosen(start: Start) -> None:
    event = start("l5r-2018", 16)
    event.decide(structures.AnnounceStructure, structure="advanced")
    plan = announced(event)
    assert (plan.style, plan.structure, plan.rounds, plan.cut) == ("swiss-with-cut", "advanced", 4, 8)
    asked = event.refusal(structures.AnnounceStructure, structure="royal")
    assert asked == "l5r-2018 has no structure 'royal': it has basic, advanced, custom"


@pytest.mark.parametrize(
    ("rulebook", "players", "asked", "structure", "deviations"),
    [
        ("l5r-2018", 16, {"rounds": 5}, "custom", ("L5R-V.1-BASIC",)),
        ("l5r-2018", 16, {"rounds": 5, "structure": "custom"}, "custom", ()),
        ("l5r-2018", 16, {"cut": 4}, "custom", ("L5R-V.1-BASIC",)),
        ("l5r-2018", 17, {"playoff": True}, "basic", ("L5R-IV.2c-PLACE",)),
        ("l5r-2018", 3, {"rounds": 2}, "custom", ("L5R-V.1-BASIC",)),
        ("l5r-2018", 16, {"style": "elimination"}, "custom", ()),
        ("street-warriors-2004", 8, {}, "final-cut", ()),
        ("street-warriors-2004", 8, {"style": "swiss"}, "swiss", ()),
        ("street-warriors-2004", 8, {"rounds": 4}, "custom", ("SWR-CUT",)),
        ("street-warriors-2004", 12, {"style": "elimination"}, "elimination", ()),
        ("pokemon-2009", 33, {"style": "swiss-with-cut"}, "swiss-with-cut", ()),
        ("pokemon-2009", 33, {"style": "swiss-with-cut", "cut": 4, "rounds": 5}, "swiss-with-cut", ()),
        (
            "pokemon-2009",
            33,
            {"style": "swiss-with-cut", "cut": 16},
            "custom",
            ("PKM-3.3.5-TABLE", "PKM-3.3.5-MAXCUT"),
        ),
        (
            "pokemon-2009",
            33,
            {"style": "swiss-with-cut", "cut": 6},
            "custom",
            ("PKM-3.3.5-TABLE", "PKM-3.3-CUT"),
        ),
        ("pokemon-2009", 129, {"style": "swiss-with-cut", "cut": 32}, "swiss-with-cut", ()),
        (
            "pokemon-2009",
            256,
            {"style": "swiss-with-cut", "cut": 64},
            "custom",
            ("PKM-3.3.5-TABLE", "PKM-3.3.5-MAXCUT"),
        ),
        ("pokemon-2009", 16, {"style": "elimination", "playoff": True}, "elimination", ()),
        ("ashes-2022", 20, {"style": "swiss"}, "swiss", ()),
        ("ashes-2022", 20, {}, "swiss", ()),
        ("ashes-2022", 16, {"cut": 4}, "custom", ("ASH-ROUNDS", "ASH-CUT")),
        ("ashes-2022", 17, {"cut": 8}, "custom", ("ASH-ROUNDS",)),
        ("ashes-2022", 16, {"style": "elimination"}, "custom", ("ASH-ROUNDS",)),
        ("netrunner-2023", 16, {"rounds": 5, "cut": 4}, "custom", ()),
    ],
)
def test_a_departure_from_the_rulebook_is_marked(
    start: Start, rulebook: str, players: int, asked: dict[str, object], structure: str, deviations: tuple[str, ...]
) -> None:
    event = start(rulebook, players)
    event.decide(structures.AnnounceStructure, deviating=True, prizes=8, **asked)
    assert (announced(event).structure, announced(event).deviations) == (structure, deviations)
    kinds = [item.kind for item in integrity(event.draft.entries, shipped_laws=[rulebook_text(rulebook)])]
    assert kinds == (["departure from the structures"] if deviations else [])


@pytest.mark.parametrize(
    ("rulebook", "asked", "why"),
    [
        (
            "ashes-2022",
            {"cut": 4, "playoff": True},
            "the rulebook has no match for 3rd and 4th place: give a reason to deviate from it (POLICY)",
        ),
        (
            "street-warriors-2004",
            {"cut": 8, "playoff": True},
            "the rulebook has no match for 3rd and 4th place: give a reason to deviate from it (POLICY)",
        ),
        (
            "l5r-2018",
            {"cut": 4, "playoff": True},
            "the rulebook has no match for 3rd and 4th place: give a reason to deviate from it (L5R-IV.2c-PLACE)",
        ),
        (
            "magic-mtr",
            {"style": "swiss-with-cut", "rounds": 5, "cut": 6},
            "the rulebook does not give this structure for 17 players: give a reason to deviate from it",
        ),
    ],
)
def test_the_refusal_names_only_the_rules_that_the_announcement_breaks(
    start: Start, rulebook: str, asked: dict[str, object], why: str
) -> None:
    """Many documents do not mention prizes, so an announcement without prizes departs from no rule."""
    assert start(rulebook, 17).refusal(structures.AnnounceStructure, **asked).startswith(why)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "netrunner-2023 proposes no number of rounds for 8 players: give the number"),
        ({"rounds": 3, "style": "swiss", "cut": 4}, "a cut of 4 makes it Swiss with a cut: announce that style"),
        ({"rounds": 3, "style": "swiss-with-cut"}, "Swiss with a cut needs the size of the cut, 2 or more"),
        (
            {"style": "elimination", "rounds": 3},
            "an event that begins with elimination has neither Swiss rounds nor a cut",
        ),
        ({"rounds": 3, "playoff": True}, f"{NO_SEMIFINALS} (POLICY)"),
        ({"rounds": 3, "cut": 2, "playoff": True}, f"{NO_SEMIFINALS} (POLICY)"),
    ],
)
def test_an_announcement_that_says_too_little_or_too_much_is_refused(
    start: Start, asked: dict[str, object], why: str
) -> None:
    assert start("netrunner-2023", 8).refusal(structures.AnnounceStructure, **asked) == why


def test_without_semifinals_there_is_no_match_for_third_place(start: Start) -> None:
    event = start("pokemon-2009", 16)
    for asked in ({"style": "swiss"}, {"cut": 2}, {"division_cuts": {"": 2}}):
        refused = event.refusal(structures.AnnounceStructure, playoff=True, prizes=3, deviating=True, **asked)
        assert refused == f"{NO_SEMIFINALS} (PKM-3.3.6.1-PLAYOFF)"
    event.decide(structures.AnnounceStructure, playoff=True, prizes=3, style="swiss-with-cut", cut=4)
    assert announced(event).playoff
    event.decide(lambda record: [structures.changed(record, announced(event), (), cut=2)])
    assert not announced(event).playoff


def test_before_round_1_an_announcement_replaces_the_earlier_one(start: Start) -> None:
    event = start("l5r-2018", 16)
    event.decide(structures.AnnounceStructure)
    event.decide(structures.AnnounceStructure, structure="advanced")
    assert (announced(event).structure, announced(event).deviations) == ("advanced", ())


def test_an_announcement_after_round_1_is_a_departure(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure)
    event.swiss("A>B C>D")
    assert event.refusal(structures.AnnounceStructure, rounds=2) == (
        "the structure must be announced before round 1 is paired: give a reason to deviate from it "
        "(L5R-IV.2-ANNOUNCE)"
    )
    event.decide(structures.AnnounceStructure, rounds=2, deviating=True)
    assert announced(event).deviations == ("L5R-V.1-BASIC", "L5R-IV.2-ANNOUNCE")


def departs(event: Event) -> list[tuple[str, ...]]:
    """Return the rules of each departure from the structures that the report lists."""
    listed = integrity(event.draft.entries, shipped_laws=[event.record.opening.law])  # type: ignore[union-attr]
    return [item.rules for item in listed if item.kind == "departure from the structures"]


@pytest.mark.parametrize(
    "rulebook", ["l5r-2018", "street-warriors-2004", "ashes-2022", "pokemon-2009", "magic-mtr"]
)
def test_an_announcement_that_changes_nothing_is_refused_after_round_1_too(start: Start, rulebook: str) -> None:
    """Before the fix, a repeated announcement after round 1 was accepted and listed as a departure."""
    event = start(rulebook, 17)
    same = partial(structures.AnnounceStructure, rounds=5, cut=8, prizes=4)
    event.decide(same, deviating=True)
    event.decide(rounds.pair_round, secret=SECRET, deviating=True)
    known = departs(event)
    for asked in ({}, {"deviating": True}):
        with pytest.raises(UsageProblem, match="announced like this already"):
            event.decide(same, **asked)
    assert departs(event) == known


@pytest.mark.parametrize(
    ("rulebook", "rules"),
    [
        ("ashes-2022", ()),
        ("magic-mtr", ()),
        ("netrunner-2023", ()),
        ("street-warriors-2004", ("SWR-TIME", "POLICY")),
        ("l5r-2018", ("L5R-IV.1-CLOCK", "L5R-IV.2-ANNOUNCE")),
    ],
)
def test_where_the_organizer_may_waive_the_limit_a_late_untimed_final_departs_from_nothing(
    start: Start, rulebook: str, rules: tuple[str, ...]
) -> None:
    event = start(rulebook, 17)
    cut = 8 if rulebook == "street-warriors-2004" else 4
    plan = partial(structures.AnnounceStructure, rounds=5, cut=cut, structure="custom")
    event.decide(plan, deviating=True)
    event.decide(rounds.pair_round, secret=SECRET, deviating=True)
    before = announced(event).deviations
    if rules:
        assert "give a reason" in event.refusal(plan, untimed_final=True)
    event.decide(plan, untimed_final=True, deviating=bool(rules))
    assert announced(event).untimed_final
    assert set(announced(event).deviations) - set(before) == set(rules)
    event.decide(plan, deviating=bool(rules))
    assert not announced(event).untimed_final


@pytest.mark.parametrize(
    ("asked", "rules"), [({}, ()), ({"rounds": 4}, ("ASH-ROUNDS",)), ({"deck_lists": True}, ("POLICY",))]
)
def test_the_first_announcement_of_ashes_after_round_1_is_compared_with_the_table(
    start: Start, asked: dict[str, object], rules: tuple[str, ...]
) -> None:
    event = start("ashes-2022", 17)
    event.decide(rounds.pair_round, secret=SECRET)
    if rules:
        assert f"give a reason to deviate from it ({rules[0]})" in event.refusal(
            structures.AnnounceStructure, **asked
        )
    event.decide(structures.AnnounceStructure, **asked, deviating=bool(rules))
    assert departs(event) == [rules] * bool(rules)


def test_an_announced_cut_is_changed_after_round_1_only_with_a_reason(start: Start) -> None:
    """Players rely on the announced cut, although the document of Ashes asks for no announcement."""
    event = start("ashes-2022", 17)
    event.decide(structures.AnnounceStructure, cut=4)
    event.decide(rounds.pair_round, secret=SECRET)
    assert "give a reason" in event.refusal(structures.AnnounceStructure, cut=0)
    event.decide(structures.AnnounceStructure, cut=0, deviating=True)
    assert departs(event) == [("POLICY",)]


def test_a_round_beyond_the_announced_ones_needs_a_reason(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure, deviating=True, rounds=1)
    event.swiss("A>B C>D")
    assert event.refusal(rounds.pair_round, secret=SECRET) == (
        "round 2 is beyond the 1 announced rounds: give a reason to deviate from it (L5R-IV.2-ANNOUNCE)"
    )
    change, paired = event.decide(rounds.pair_round, secret=SECRET, deviating=True)
    assert [change.fact.kind, paired.fact.kind] == ["structure-announced", "round-paired"]
    assert (announced(event).rounds, announced(event).deviations) == (2, ("L5R-V.1-BASIC", "L5R-IV.2-ANNOUNCE"))


def test_a_cut_that_was_not_announced_needs_a_reason(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure, deviating=True, rounds=1, cut=2)
    event.swiss("A>B C>D")
    assert event.refusal(cuts.make_cut, size=4) == (
        "you announced 1 rounds and a cut to 2, not a cut to 4 after round 1: "
        "give a reason to deviate from it (L5R-IV.2-ANNOUNCE)"
    )
    event.decide(ties.DrawTies)
    change, made = event.decide(cuts.make_cut, size=4, deviating=True)
    assert [change.fact.kind, made.fact.kind] == ["structure-announced", "cut-made"]
    assert (announced(event).cut, announced(event).deviations) == (4, ("L5R-V.1-BASIC", "L5R-IV.2-ANNOUNCE"))


def test_a_cut_without_a_size_follows_the_announcement(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure, deviating=True, rounds=2, cut=2)
    event.swiss("A>B C>D")
    event.swiss("A>C B>D")
    event.decide(ties.DrawTies)
    event.decide(cuts.make_cut)
    assert event.record.cut is not None
    assert len(event.record.cut.seeds) == 2


def test_an_unannounced_cut_needs_a_size(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.swiss("A>B C>D")
    assert event.refusal(cuts.make_cut) == "no cut was announced: give the number of players who go on"


def test_integrity_lists_an_event_that_continues_without_an_announcement(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(rounds.pair_round, secret=SECRET)
    laws = [rulebook_text("l5r-2018")]
    assert [item.kind for item in integrity(event.draft.entries, shipped_laws=laws)] == ["structure not announced"]


def test_an_announcement_cannot_be_taken_back_after_a_round_is_paired(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    [entry] = event.decide(structures.AnnounceStructure)
    event.swiss("A>B C>D")
    assert event.refusal(slips.retract, entry=entry) == (
        "a round was paired since the announcement: to announce a change, give a reason"
    )


def test_every_table_in_the_documents_has_a_rule() -> None:
    for file in (Path(__file__).parents[2] / "projections" / "matchledger_projections" / "rulebooks").glob(
        "*.toml"
    ):
        structures = parse_rulebook(file.read_text("utf-8")).structures
        for table in structures.tables.values() if structures is not None else ():
            assert table.rule.split("-")[0] in ("L5R", "SWR", "PKM", "ASH", "MTR", "FAB", "KDE")


@pytest.mark.parametrize(
    ("rulebook", "players", "rounds"),
    [
        ("street-warriors-2004", 257, 9),
        ("street-warriors-2004", 3, 3),
        ("pokemon-2009", 4, 3),
        ("ashes-2022", 2, 1),
    ],
)
def test_where_the_document_has_no_row_the_host_chooses_the_structure(
    start: Start, rulebook: str, players: int, rounds: int
) -> None:
    """SWR-SWISS-ROUNDS, PKM-3.1.3-ROUNDS, ASH-ROUNDS: before the fix, an event without a row in its table counted
    as a departure.
    """
    event = start(rulebook, " ".join(f"P{number}" for number in range(players)))
    event.decide(structures.AnnounceStructure, style="swiss", structure="custom", rounds=rounds, prizes=1)
    assert announced(event).deviations == ()


def test_a_custom_structure_departs_from_a_document_that_gives_every_structure(start: Start) -> None:
    """L5R-V.3-CUSTOM: only events of some tiers may choose a custom structure."""
    event = start("l5r-2018", "A B C")
    assert "give a reason to deviate" in event.refusal(structures.AnnounceStructure, style="swiss", rounds=5)
