"""Cuts, brackets and places of divisions. Each division has its own cut and bracket, played in the same rounds."""

from __future__ import annotations

from functools import partial

import pytest
from tests.conftest import Replay
from tests.divisions.conftest import Event, Start
from tests.event import SECRET

from matchledger.commands import (
    calls,
    cuts,
    divisions,
    eliminations,
    replacements,
    roster,
    structures,
    ties,
    tournaments,
)
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import AlreadyReported
from matchledger.events import CutMade, RoundPaired, Seating, StructureAnnounced
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import Written
from matchledger_projections.divisions.tables import division_table
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.stages.bracket import brackets, next_sides, qualifiers
from matchledger_projections.stages.departures import of_closing
from matchledger_projections.stages.placing import Place, champions, is_over, places, places_by_division, settling
from matchledger_projections.views.integrity import integrity
from matchledger_projections.views.sheets import name_of_round
from matchledger_projections.views.stages import the_bracket

close = partial(tournaments.close, secret=SECRET)


def played(start: Start, rounds: int, cuts: dict[str, int], **sizes: int) -> Event:
    """An event after all Swiss rounds, with every tie drawn."""
    event = start(**sizes)
    event.announce(rounds=rounds, division_cuts=cuts, deviating=True)
    event.play(rounds)
    draw_ties(event)
    return event


def draw_ties(event: Event) -> None:
    if any(row.tied for row in division_table(event.record, "masters").rows):
        event.decide(ties.DrawTies)


def knock_out(event: Event, rounds: int = 1) -> None:
    """Play elimination rounds in which the player who was registered first wins every table."""
    for _ in range(rounds):
        event.decide(eliminations.pair_elimination, secret=SECRET)
        event.report()


def announced(event: Event) -> StructureAnnounced:
    assert event.record.structure is not None
    return event.record.structure


def placed(event: Event, found: list[Place]) -> list[str]:
    return [f"{place.first}{'' if place.decided else '?'} {event.name(place.player)}" for place in found]


# -- the structure


@pytest.mark.vector("TV-PKM-MOD-3")
def test_the_largest_division_sets_the_rounds_and_each_division_its_cut(start: Start) -> None:
    event = start(junior=5, senior=11, masters=16)
    event.announce(style="swiss-with-cut")
    plan = announced(event)
    assert plan.rounds in (3, 4)
    assert plan.division_cuts == {"junior": 0, "senior": 2, "masters": 4}
    assert (plan.cut, plan.deviations, plan.structure) == (4, (), "swiss-with-cut")
    event.announce(rounds=3, division_cuts={"senior": 2, "masters": 2})
    assert announced(event).deviations == ()


def test_the_size_of_each_division_sets_its_cut(start: Start) -> None:
    event = start(senior=11, masters=16)
    event.announce(division_cuts={"senior": 4, "masters": 4}, deviating=True)
    assert announced(event).deviations == ("PKM-3.3.5-TABLE", "PKM-3.3.5-MAXCUT")


def test_a_division_without_players_has_no_cut(start: Start) -> None:
    event = start(senior=11, masters=16)
    assert event.refusal(structures.AnnounceStructure, division_cuts={"kids": 2}) == (
        "no player is in 'kids': the divisions are senior, masters"
    )
    assert event.refusal(structures.AnnounceStructure, division_cuts={"senior": 0}) == (
        "no division has a cut: give the size of a cut, or announce the style swiss"
    )


def test_a_common_cut_counts_if_no_division_has_its_own(start: Start) -> None:
    event = start(senior=11, masters=16)
    event.announce(rounds=4, cut=4, division_cuts={"senior": 0, "masters": 0}, deviating=True)
    assert (announced(event).cut, announced(event).division_cuts) == (4, {})
    assert event.refusal(structures.AnnounceStructure, cut=4, division_cuts={"senior": 2}) == (
        "give one cut for all players or a cut for each division, not both"
    )


# -- cuts and brackets


def test_a_round_by_hand_with_one_final_leaves_out_the_other_divisions(
    start: Start,
) -> None:
    event = played(start, 4, {"junior": 4, "masters": 4}, junior=16, masters=16)
    event.decide(cuts.make_cut)
    knock_out(event)
    junior, masters = (next_sides(drawn.rounds[0])[0] for drawn in brackets(event.record))
    final = Seating(table=1, players=(junior[0] or 0, junior[1] or 0))
    alone = partial(rounds.pair_by_hand, games=[final], stage="elimination")
    assert "would have neither a game nor a bye in elimination round 2" in event.refusal(alone)
    event.decide(alone, deviating=True)
    event.report()
    assert champions(event.record).keys() == {"junior"}
    assert all(event.record.players[player or 0].name in event.refusal(close) for player in masters)


@pytest.mark.finding("L-W11")
@pytest.mark.parametrize("seeds_move", [True, False])
def test_a_correction_that_moves_the_cut_of_a_division_is_listed_with_its_rule(
    start: Start, seeds_move: bool
) -> None:
    """The bracket is paired, but none of its games is played. A new result below the cut moves no seed."""
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    latest = event.record.rounds()[-1]
    masters = {made.division: made.seeds for made in event.record.cuts}["masters"]
    table = latest.table_of(masters[0] if seeds_move else event.number("masters16"))
    assert table is not None
    players = latest.tables[table]
    won = next(report.winner for at, _, report in latest.results() if at == table and report is not None)
    assert won is not None
    other = Written(winner=1 - players.index(won))
    event.decide(slips.correct, table=table, round_=latest.number, written=other)
    item = integrity(event.draft.entries)[-1]
    assert (item.kind, item.rules) == ("correction", ("PKM-3.3-CUT" if seeds_move else "POLICY",))


def test_each_division_has_its_own_cut_and_bracket(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    seeds_of = {cut.division: cut.seeds for cut in event.record.cuts}
    for division, size in (("junior", 2), ("masters", 4)):
        top = [row.player for row in division_table(event.record, division).rows[:size]]
        assert list(seeds_of[division]) == top
    assert qualifiers(event.record) == seeds_of["junior"] + seeds_of["masters"]
    knock_out(event)
    junior, masters = brackets(event.record)
    assert (junior.division, [len(games) for games in junior.rounds]) == ("junior", [1])
    assert (masters.division, [len(games) for games in masters.rounds]) == ("masters", [2, 1])
    first = event.record.round(1, "elimination")
    assert first is not None
    assert list(first.tables) == [1, 2, 3], "the tables of the masters follow the final of the juniors"
    assert set(first.tables[1]) == set(seeds_of["junior"])
    assert junior.champion == min(seeds_of["junior"])
    event.decide(eliminations.pair_elimination, secret=SECRET)
    final = event.record.round(2, "elimination")
    assert final is not None
    assert list(final.tables) == [1]
    event.report()
    assert brackets(event.record)[1].champion == min(seeds_of["masters"])
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "the final is played: there is no further round"
    )
    found = integrity(event.draft.entries, shipped_laws=[rulebook_text("pokemon-2009")])
    assert "manual pairing" not in [item.kind for item in found]
    assert "cut set by hand" not in [item.kind for item in found]


def test_every_division_has_a_winner_and_places_of_its_own(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    knock_out(event, 2)
    found = dict(places_by_division(event.record))
    assert list(found) == ["junior", "masters"]
    for division, size in (("junior", 8), ("masters", 16)):
        assert [place.first for place in found[division]] == list(range(1, size + 1))
        assert all(place.decided for place in found[division])
        assert {event.record.players[place.player].division for place in found[division]} == {division}
    junior, masters = brackets(event.record)
    assert [found[name][0].player for name in ("junior", "masters")] == [junior.champion, masters.champion]
    assert places(event.record) == found["junior"] + found["masters"]
    # PKM-3.3.6-FREEZE: a player outside the bracket keeps the place from the Swiss rounds.
    rest = [row.player for row in division_table(event.record, "masters").rows[4:]]
    assert [place.player for place in found["masters"][4:]] == rest


def test_a_call_about_a_final_keeps_only_that_division_from_its_champion(start: Start) -> None:
    event = played(start, 3, {"junior": 2, "masters": 2}, junior=8, masters=8)
    event.decide(cuts.make_cut)
    knock_out(event)
    before = champions(event.record)
    assert list(before) == ["junior", "masters"]
    assert is_over(event.record)
    final = event.record.round(1, "elimination")
    assert final is not None
    [(two, report)] = [(two, report) for _, two, report in final.results() if before["masters"] in two]
    [loser] = set(two) - {before["masters"]}
    assert report is not None
    asked = {"player": loser, "round_": 1, "stage": "elimination", "claim": "won", "disputes": report.position}
    [call] = event.decide(calls.call_desk, **asked)
    assert champions(event.record) == {"junior": before["junior"]}
    assert settling(event.record) == 1
    assert not is_over(event.record)
    found = dict(places_by_division(event.record))
    assert not any(place.decided for place in found["masters"][:2])
    assert all(place.decided for place in found["junior"])
    event.decide(calls.AnswerCall, position=call.position)
    assert champions(event.record) == before
    assert is_over(event.record)


def test_a_division_without_a_cut_has_its_champion_after_the_close(start: Start) -> None:
    event = played(start, 3, {"senior": 2, "masters": 2}, junior=6, senior=8, masters=8)
    event.decide(cuts.make_cut)
    knock_out(event)
    assert list(champions(event.record)) == ["senior", "masters"]
    event.decide(tournaments.close, secret=SECRET, deviating=True)
    found = {division: event.name(player) for division, player in champions(event.record).items()}
    assert found == {"junior": "junior1", "senior": "senior1", "masters": "masters1"}


@pytest.mark.parametrize(("masters", "departs"), [(2, False), (4, True)])
def test_cuts_of_all_divisions_by_one_command_are_checked_together(
    start: Start, masters: int, *, departs: bool
) -> None:
    """Before the fix, `integrity` listed each cut, as if the other divisions had no cut."""
    event = start(junior=8, senior=8, masters=8)
    event.play(3)
    draw_ties(event)
    sizes = {"junior": 2, "senior": 2, "masters": masters}
    event.decide(cuts.make_cut, division_sizes=sizes, deviating=departs)
    items = integrity(event.draft.entries, shipped_laws=[rulebook_text("pokemon-2009")])
    found = {rule for item in items if isinstance(item.entry.fact, CutMade) for rule in item.rules}
    assert ("PKM-3.3.5-TABLE" in found, bool(found - {"PKM-4-POST"})) == (departs, departs)


def test_closing_names_the_division_whose_announced_cut_was_not_made(start: Start) -> None:
    event = played(start, 3, {"senior": 2, "masters": 2}, senior=8, masters=8)
    seniors = tuple(row.player for row in division_table(event.record, "senior").rows[:2])
    event.decide(lambda _: [CutMade(round=3, division="senior", seeds=seniors)])
    missing = [found for found in of_closing(event.record) if "was not made" in found.text]
    assert [(found.rule, "masters" in found.text, "senior" in found.text) for found in missing] == [
        ("PKM-2-ANNOUNCE", True, False)
    ]


def test_age_modified_divisions_without_a_cut_have_their_own_places(start: Start) -> None:
    event = start(junior=3, masters=9)
    event.play(4)
    draw_ties(event)
    found = dict(places_by_division(event.record))
    assert [place.first for place in found["junior"]] == [1, 2, 3]
    assert [place.player for place in found["junior"]] == [
        row.player for row in division_table(event.record, "junior").rows
    ]
    assert {place.rule for place in found["masters"]} == {"PKM-3.1.5-PLACE"}


def test_each_division_plays_its_own_match_for_third_place(start: Start) -> None:
    event = start(senior=16, masters=16)
    event.announce(rounds=4, division_cuts={"senior": 4, "masters": 4}, playoff=True)
    event.play(4)
    draw_ties(event)
    event.decide(cuts.make_cut)
    knock_out(event)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    final = event.record.round(2, "elimination")
    assert final is not None
    assert list(final.tables) == [1, 2, 3, 4]
    senior, masters = brackets(event.record)
    assert [set(final.tables[table]) for table in (1, 2)] == [
        set(senior.rounds[-1][0].players),
        set(senior.playoff.players if senior.playoff else ()),
    ]
    event.report()
    senior, masters = brackets(event.record)
    assert senior.playoff is not None
    assert masters.playoff is not None
    for division, drawn in (("senior", senior), ("masters", masters)):
        found = dict(places_by_division(event.record))[division]
        assert drawn.playoff is not None
        assert found[2].player == drawn.playoff.winner
        assert found[2].rule == "PKM-3.3.6.1-PLAYOFF"


def test_a_qualifier_who_leaves_is_replaced_from_the_same_division(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    junior = next(cut for cut in event.record.cuts if cut.division == "junior")
    third = division_table(event.record, "junior").rows[2].player
    event.decide(replacements.ReplaceQualifier, player=junior.seeds[0])
    assert qualifiers(event.record)[:2] == (junior.seeds[1], third)


def test_a_player_who_leaves_a_bracket_loses_the_match(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    leaver, other = event.record.round(1, "elimination").tables[1]  # type: ignore[union-attr] # it is paired
    event.decide(roster.drop, player=leaver)
    assert brackets(event.record)[0].champion == other


# -- what a cut needs


def test_divisions_that_play_apart_have_no_common_cut(start: Start) -> None:
    event = start(junior=8, masters=16)
    event.play(2)
    assert event.refusal(cuts.make_cut, size=8) == (
        "the divisions play separately: give the number of players of each who advance (junior, masters) "
        "(PKM-2-ANNOUNCE)"
    )


def test_cuts_that_were_not_announced_need_a_reason(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    other = {"masters": 2}
    assert event.refusal(cuts.make_cut, division_sizes=other) == (
        "you announced 4 rounds and a cut to 2 of junior and 4 of masters, not a cut to 2 of junior and 2 of "
        "masters after round 4: give a reason to deviate from it (PKM-2-ANNOUNCE)"
    )
    event.decide(cuts.make_cut, division_sizes=other, deviating=True)
    assert [cut.division for cut in event.record.cuts] == ["junior", "masters"], "the juniors keep their cut"
    assert announced(event).division_cuts == {"junior": 2, "masters": 2}
    made = event.draft.entries[-1].position
    assert event.refusal(cuts.make_cut) == (
        f"the cut has been made: retract entry {made - 1} {made} to make another"
    )


@pytest.mark.finding("S-W3")
def test_a_cut_that_removes_the_cut_of_a_division_needs_a_reason(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "senior": 0, "masters": 4}, junior=8, senior=6, masters=16)
    assert event.refusal(cuts.make_cut, division_sizes={"masters": 0}) == (
        "you announced 4 rounds and a cut to 2 of junior and 4 of masters, not a cut to 2 of junior after "
        "round 4: give a reason to deviate from it (PKM-2-ANNOUNCE)"
    )
    event.decide(cuts.make_cut, division_sizes={"junior": 2, "senior": 0, "masters": 4})
    found = integrity(event.draft.entries, shipped_laws=[rulebook_text("pokemon-2009")])
    of_cuts = [item for item in found if isinstance(item.entry.fact, CutMade)]
    assert {item.rules for item in of_cuts} == {("PKM-4-POST",)}, "each division's cut is as announced"
    assert [cut.division for cut in event.record.cuts] == ["junior", "masters"]


def test_impossible_division_cuts_are_refused(start: Start) -> None:
    event = start(junior=8, masters=16)
    event.play(3)
    draw_ties(event)
    assert event.refusal(cuts.make_cut, division_sizes={"kids": 2}) == (
        "no player is in 'kids': the divisions are junior, masters"
    )
    assert event.refusal(cuts.make_cut, division_sizes={"junior": 16}, deviating=True) == (
        "a cut of 16 is not possible: there are 8 active players of junior: make a smaller cut"
    )


def test_a_tie_at_the_edge_of_a_division_waits_for_a_draw(start: Start) -> None:
    event = start(junior=8, masters=16)
    event.play(1)
    refusal = event.refusal(cuts.make_cut, division_sizes={"junior": 2}, deviating=True)
    assert refusal.endswith("are tied, and the top 2 depends on their order (draw every tie)")


@pytest.mark.finding("C-D3")
@pytest.mark.parametrize("flights", [1, 2], ids=["divisions", "flights"])
def test_a_cut_waits_for_open_tables_and_contradicting_slips(start: Start, flights: int) -> None:
    event = start(junior=8, masters=64)
    event.announce(rounds=1, division_cuts={"junior": 2, "masters": 8}, deviating=True)
    if flights > 1:
        event.decide(divisions.DrawFlights, division="masters", flights=flights)
    event.pair()
    latest = event.record.latest_round()
    assert latest is not None
    [first, *others] = latest.outstanding
    for table in others:
        event.decide(slips.report, table=table, written=Written(winner=0))
    for asked in ({}, {"division_sizes": {"junior": 2}}):
        assert event.refusal(cuts.make_cut, **asked) == f"round 1 is not finished: table {first} has no result"
    event.decide(slips.report, table=first, written=Written(winner=0))
    with pytest.raises(AlreadyReported) as known:
        event.decide(slips.report, table=first, written=Written(winner=1))
    [refused] = event.draft.decide(lambda _: list(known.value.notes))
    for asked in ({}, {"division_sizes": {"junior": 2}}):
        assert event.refusal(cuts.make_cut, **asked).startswith(
            f"slip {refused.position} contradicts the result of table {first} of round 1"
        )


# -- flights


def test_flights_send_equal_numbers_of_players_into_one_bracket(start: Start) -> None:
    event = start(masters=64)
    event.announce(rounds=5, division_cuts={"masters": 8})
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    flights = event.record.flights_drawn[0][1].flights
    event.play(5)
    draw_ties(event)
    event.decide(cuts.make_cut)
    [cut] = event.record.cuts
    assert [sum(player in flight for player in cut.seeds) for flight in flights] == [4, 4]
    order = [row.player for row in division_table(event.record, "masters").rows]
    assert list(cut.seeds) == sorted(cut.seeds, key=order.index)
    for flight in flights:
        best = [player for player in order if player in flight][:4]
        assert set(best) <= set(cut.seeds)
    knock_out(event, 3)
    assert event.name(brackets(event.record)[0].champion) == event.name(min(cut.seeds))


# -- sheets


def test_a_sheet_can_have_years_and_a_cut_for_each_division(replay: Replay) -> None:
    players = [f"player J{n} born=2014" for n in range(1, 7)] + [f"player M{n} born=1990" for n in range(1, 7)]
    games = [f"  {one}{n} > {one}{n + 1}" for one in "JM" for n in (1, 3, 5)]
    again = [f"  {one}{a} > {one}{b}" for one in "JM" for a, b in ((1, 3), (5, 2), (4, 6))]
    sheet = ["rulebook pokemon-2009", "divisions junior=2013 senior=2009", *players, "round 1", *games]
    sheet += ["round 2", *again, "cut junior=2 masters=2", "elimination 1", "  J5 > J1", "  M1 > M5"]
    draft = replay("\n".join(sheet)).draft
    cuts = [entry.fact for entry in draft.entries if isinstance(entry.fact, CutMade)]
    assert [(cut.division, len(cut.seeds)) for cut in cuts] == [("junior", 2), ("masters", 2)]
    paired = draft.entries[-3].fact
    assert isinstance(paired, RoundPaired)
    winners = [found[0] for _, found in places_by_division(draft.record)]
    assert [draft.record.players[place.player].name for place in winners] == ["J5", "M1"]


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("cut junior=x", "line 2: the number of junior must be a whole number from 0, not 'x'"),
        ("cut junior", "line 2: the size of the cut must be a whole number from 2, not 'junior'"),
        ("divisions junior", "line 2: write divisions junior=2013 senior=2009: the first year of birth of each"),
        (
            "players A\ndivisions junior=1",
            "line 3: the years of divisions belong above the players: they are part of",
        ),
    ],
)
def test_invalid_division_lines_of_a_sheet_are_refused(replay: Replay, lines: str, problem: str) -> None:
    with pytest.raises(ValueError, match="line") as refused:
        replay(f"rulebook pokemon-2009\n{lines}\n")
    assert str(refused.value).startswith(problem)


def test_entries_before_the_cut_of_a_division_are_retracted_in_order(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    made = next(entry for entry in event.draft.entries if isinstance(entry.fact, CutMade))
    event.decide(eliminations.pair_elimination, secret=SECRET)
    assert event.refusal(slips.retract, entry=made) == (
        "the elimination stage is paired from this cut: retract its pairings first"
    )
    event.retract_last()
    assert "the bracket has been drawn since: retract entry" in event.refusal(slips.retract, entry=made)


def test_with_several_brackets_a_division_must_be_named(start: Start) -> None:
    event = played(start, 4, {"junior": 2, "masters": 4}, junior=8, masters=16)
    event.decide(cuts.make_cut)
    event.decide(eliminations.pair_elimination, secret=SECRET)
    assert the_bracket(event.record, "Junior").division == "junior"
    with pytest.raises(UsageProblem, match="there are brackets of junior, masters: name one"):
        the_bracket(event.record, None)
    first = event.record.round(1, "elimination")
    assert first is not None
    assert name_of_round(event.record, first) == "Semifinals and Final"


def test_the_elimination_waits_for_the_cut_of_every_division(start: Start) -> None:
    """Only older logs have the cut of one division alone. Before the fix, the players of that division then played
    without the others.
    """
    event = played(start, 3, {"junior": 4, "masters": 4}, junior=8, masters=8)
    event.decide(cuts.make_cut, deviating=True)
    event.retract_last()
    said = event.refusal(eliminations.pair_elimination, secret=SECRET)
    assert said.startswith("a cut to 4 of masters was not made: give a reason")
    event.decide(eliminations.pair_elimination, secret=SECRET, deviating=True)
    assert integrity(event.draft.entries)[-1].kind == "departure from the structures"
