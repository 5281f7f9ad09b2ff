"""Leaving elimination: a substitute before it begins, later a bye for the opponent or a lost match, and late
players.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.event import SECRET
from tests.stages.conftest import Event, Start

from matchledger.cli.foresight_text import consequence_lines
from matchledger.commands import cuts, eliminations, replacements, roster, structures
from matchledger.commands import results as slips
from matchledger.events import BracketDrawn, Entry, EntryRetracted, Person, QualifierReplaced
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.record.attendance import attendance
from matchledger_projections.record.record import fold
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.consequences import consequences
from matchledger_projections.views.integrity import integrity

NINE = "Ann Bo Cy Di Ed Steven Gus Hal Eve"


def ranked(start: Start, names: str, rulebook: str = "l5r-2018") -> Event:
    event = start(rulebook, names)
    event.ranked(names)
    assert event.names(standings(event.record).order) == names
    return event


def top_of(start: Start, names: str, size: int, rulebook: str = "l5r-2018") -> Event:
    event = ranked(start, names, rulebook)
    event.decide(cuts.make_cut, size=size, deviating=True)
    return event


def foreseen(event: Event, name: str) -> list[str]:
    """Return the last lines of a preview of a drop, which show the effect on the bracket."""
    after = Draft(event.draft.tournament, fold(event.draft.entries))
    after.decide(partial(roster.drop, player=event.number(name)))
    lines = consequence_lines(after.record, consequences(event.record, after.record), lambda _: None)
    return [line for line in lines if line.startswith(("Elimination", "Next round"))]


@pytest.mark.parametrize(
    ("rulebook", "between"),
    [
        ("l5r-2018", "Elimination round 2: the opponent of Ann has a bye"),
        ("pokemon-2009", "Elimination round 2: Ann loses the match"),
    ],
)
def test_a_preview_of_a_drop_shows_its_effect_on_the_bracket(start: Start, rulebook: str, between: str) -> None:
    """Before the fix, the preview after the cut still counted the players for a Swiss round."""
    event = top_of(start, NINE, 4, rulebook)
    free = ["Elimination: the place of Ann is free until `replace` fills it"]
    out = ["Elimination: Hal has no further game, the bracket stays as it is"]
    assert (foreseen(event, "Ann"), foreseen(event, "Hal")) == (free, out)
    event.pair()
    event.wins("Ann Bo")
    assert foreseen(event, "Ann") == [between]
    assert foreseen(event, "Di") == ["Elimination: Di has no further game, the bracket stays as it is"]
    event.pair()
    assert not any("Next round" in line or "stays" in line for line in foreseen(event, "Ann"))


def test_a_preview_of_a_drop_counts_the_byes_of_a_future_bracket(start: Start) -> None:
    event = start("l5r-2018", "Ann Bo Cy Di Ed Fay")
    event.decide(structures.AnnounceStructure, style="elimination", deviating=True)
    assert foreseen(event, "Fay") == ["Elimination round 1: 5 players, 3 byes"]


# -- before the stage begins


@pytest.mark.vector("DV-L5R-CUTDROP")
def test_the_next_player_replaces_a_qualifier_as_the_lowest_seed(start: Start) -> None:
    event = top_of(start, NINE, 8)
    event.decide(replacements.ReplaceQualifier, player=event.number("Steven"))
    assert event.names(qualifiers(event.record)) == "Ann Bo Cy Di Ed Gus Hal Eve"
    event.pair()
    assert event.games(1) == ["Ann-Eve", "Bo-Hal", "Cy-Gus", "Di-Ed"]
    assert event.record.status(event.number("Steven")) == "dropped"


def test_a_substitute_who_declines_is_passed_over(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.decide(replacements.ReplaceQualifier, player=event.number("Bo"), declined=[event.number("Ed")])
    assert event.names(qualifiers(event.record)) == "Ann Cy Di Steven"
    fact = event.draft.entries[-1].fact
    assert isinstance(fact, QualifierReplaced)
    assert event.names(fact.declined) == "Ed"


def test_players_who_leave_are_replaced_in_order_of_notice(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.decide(replacements.ReplaceQualifier, player=event.number("Di"))
    event.decide(replacements.ReplaceQualifier, player=event.number("Ed"))
    event.decide(replacements.ReplaceQualifier, player=event.number("Ann"))
    assert event.names(qualifiers(event.record)) == "Bo Cy Steven Gus"


def test_a_player_who_left_during_swiss_replaces_no_one(start: Start) -> None:
    event = ranked(start, NINE)
    event.drop("Ed")
    event.disqualify("Steven")
    event.decide(cuts.make_cut, size=4, deviating=True)
    event.decide(replacements.ReplaceQualifier, player=event.number("Di"))
    assert event.names(qualifiers(event.record)) == "Ann Bo Cy Gus"


def test_a_bracket_without_results_is_drawn_again(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.pair()
    entries = event.decide(replacements.ReplaceQualifier, player=event.number("Di"))
    assert [entry.fact.kind for entry in entries] == [
        "player-dropped",
        "qualifier-replaced",
        "entry-retracted",
        "entry-retracted",
    ]
    event.pair()
    assert event.games(1) == ["Ann-Ed", "Bo-Cy"]


def test_a_qualifier_who_drops_before_the_first_game_leaves_a_free_place(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.pair()
    event.drop("Di")
    assert event.record.bracket_drawn is None
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "Di qualified and then left: replace the player first (L5R-IV.2b-CUTDROP)"
    )
    event.decide(replacements.ReplaceQualifier, player=event.number("Di"))
    event.pair()
    assert event.games(1) == ["Ann-Ed", "Bo-Cy"]


def test_qualifiers_can_be_replaced_until_the_first_game(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.pair()
    event.wins("Ann")
    assert event.refusal(replacements.ReplaceQualifier, player=event.number("Bo")) == (
        "an elimination game was played, so nobody can replace the player: drop the player (L5R-IV.2b-CUTDROP)"
    )


def test_qualifiers_can_be_replaced_until_the_bracket_is_drawn(start: Start) -> None:
    event = top_of(start, NINE, 4, "pokemon-2009")
    event.decide(replacements.ReplaceQualifier, player=event.number("Bo"))
    event.pair()
    assert event.games(1) == ["Ann-Ed", "Cy-Di"]
    assert event.refusal(replacements.ReplaceQualifier, player=event.number("Cy")) == (
        "the bracket is drawn, so nobody can replace the player: drop the player (PKM-3.3-CUT)"
    )


def test_without_a_substitute_the_opponent_has_a_bye(start: Start) -> None:
    event = top_of(start, "A B C D", 4)
    assert event.refusal(replacements.ReplaceQualifier, player=event.number("D")) == (
        "nobody is left to replace the player: drop the player, and the opponent has a bye"
    )
    event.drop("D")
    event.pair()
    assert event.games(1) == ["A-D", "B-C"]
    assert event.names(bye.player for bye in event.round().byes) == "A"


@pytest.mark.parametrize("leaves", ["drop", "disqualify"])
def test_a_replaced_qualifier_does_not_return(start: Start, leaves: str) -> None:
    event = top_of(start, NINE, 4)
    left = getattr(event, leaves)("Di")[0]
    [replaced] = event.decide(replacements.ReplaceQualifier, player=event.number("Di"))
    refused = "another player took the place of Di in the cut: retract the replacement first (L5R-IV.2b-CUTDROP)"
    assert event.refusal(slips.retract, entry=left, override=True) == refused
    [back] = event.decide(slips.retract, entry=replaced)
    event.decide(slips.retract, entry=left)
    assert event.refusal(slips.retract, entry=back, override=True) == refused
    assert event.names(qualifiers(event.record)) == "Ann Bo Cy Di"


def test_a_substitute_needs_a_cut_and_a_qualifier(start: Start) -> None:
    event = ranked(start, "A B C D")
    assert (
        event.refusal(replacements.ReplaceQualifier, player=1) == "the cut is not made yet: no player has qualified"
    )
    event.decide(cuts.make_cut, size=2, deviating=True)
    assert event.refusal(replacements.ReplaceQualifier, player=event.number("C")) == "C is not among the qualifiers"


def test_a_replacement_can_be_taken_back_before_the_bracket_is_drawn(start: Start) -> None:
    event = top_of(start, NINE, 4)
    *_, entry = event.decide(replacements.ReplaceQualifier, player=event.number("Di"))
    event.pair()
    assert event.refusal(slips.retract, entry=entry).startswith("the bracket has been drawn since")
    for position in (entry.position + 2, entry.position + 1):
        event.decide(slips.retract, entry=event.draft.entries[position - 1])
    event.decide(slips.retract, entry=entry)
    assert event.names(qualifiers(event.record)) == "Ann Bo Cy Di"


# -- once it has begun


def test_the_opponent_of_a_player_who_leaves_has_a_bye(start: Start) -> None:
    event = top_of(start, NINE, 8)
    event.pair()
    event.wins("Ann Cy")
    entries = event.drop("Hal")  # Hal has already lost to Ann
    assert [entry.fact.kind for entry in entries] == ["player-dropped"]
    entries = event.drop("Ed")
    assert [entry.fact.kind for entry in entries] == ["player-dropped", "pairing-amended"]
    assert event.names(bye.player for bye in event.round().byes) == "Di"
    event.wins("Bo")
    event.pair()
    assert event.games(2) == ["Ann-Di", "Bo-Cy"]


@pytest.mark.vector("TV-L5R-SE-4")
def test_a_finalist_who_leaves_makes_the_opponent_champion(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.knock_out("Ann Bo")
    event.drop("Ann")
    event.pair()
    assert (len(event.round().tables), event.names(bye.player for bye in event.round().byes)) == (0, "Bo")
    assert event.name(event.bracket.champion) == "Bo"
    assert event.placed[:4] == ["1 Bo", "2 Ann", "3 Cy", "4 Di"]


def test_if_both_players_leave_the_next_opponent_has_a_bye(start: Start) -> None:
    event = top_of(start, NINE, 8)
    event.knock_out("Ann Bo Cy Di")
    event.drop("Ann")
    event.drop("Di")
    event.pair()
    event.wins("Bo")
    assert [game.outcome for game in event.bracket.rounds[1]] == ["nobody", "played"]
    event.pair()
    assert event.name(event.bracket.champion) == "Bo"
    assert event.placed[:4] == ["1 Bo", "2 Ann", "3 Cy", "4 Di"]


def test_leaving_the_elimination_stage_does_not_change_swiss_standings(start: Start) -> None:
    """If a drop counted here, the player's win percentage would be at most 3/4 (PKM-3.1.5.1-WP)."""
    event = start("pokemon-2009", "A B C D")
    event.swiss("A>B C>D")
    event.swiss("A>C B>D")
    event.seed("A B")
    before = list(standings(event.record).rows)
    event.pair()
    event.drop("A")
    assert event.record.status(event.number("A")) == "dropped"
    assert list(standings(event.record).rows) == before


@pytest.mark.vector("TV-PKM-SEDROP")
def test_a_player_disqualified_during_a_match_loses_the_match(start: Start) -> None:
    event = top_of(start, NINE, 4, "pokemon-2009")
    event.pair()
    event.wins("Ann Bo")
    entries = event.disqualify("Ann", during=True)
    assert [entry.fact.kind for entry in entries] == ["player-disqualified", "result-corrected"]
    event.pair()
    assert event.games(2) == ["Di-Bo"]


def corrections(event: Event) -> list[tuple[str, ...]]:
    """Return the rules of each correction that the report lists."""
    return [item.rules for item in integrity(event.draft.entries) if item.kind == "correction"]


@pytest.mark.parametrize("leave", [Event.drop, Event.disqualify])
def test_the_loss_of_a_player_who_left_during_a_match_follows_from_the_rule(
    start: Start, leave: Callable[..., list[Entry]]
) -> None:
    """Before the fix, the report listed the loss as a correction without a reason (POLICY)."""
    event = top_of(start, NINE, 4, "pokemon-2009")
    event.pair()
    event.wins("Ann Bo")
    assert [entry.fact.kind for entry in leave(event, "Ann", during=True)][1:] == ["result-corrected"]
    assert corrections(event) == []


def test_a_correction_by_the_desk_is_listed_although_a_player_left(start: Start) -> None:
    event = top_of(start, NINE, 4, "pokemon-2009")
    event.pair()
    event.wins("Ann Bo")
    event.drop("Ann")
    event.decide(slips.correct, round_=1, table=2, written=Written(winner=1), stage="elimination")
    assert len(corrections(event)) == 1


def test_where_no_rule_takes_the_win_back_the_loss_of_a_leaver_is_listed(start: Start) -> None:
    event = top_of(start, NINE, 4)
    event.pair()
    event.wins("Ann Bo")
    event.drop("Ann", during=True)
    assert len(corrections(event)) == 1


def test_a_player_who_leaves_loses_a_match_in_progress(start: Start) -> None:
    event = top_of(start, NINE, 4, "pokemon-2009")
    event.pair()
    entries = event.drop("Ann")
    assert [entry.fact.kind for entry in entries] == ["player-dropped", "result-reported"]
    event.wins("Bo")
    event.pair()
    assert event.games(2) == ["Di-Bo"]


def test_a_player_who_leaves_between_rounds_loses_the_next_match(start: Start) -> None:
    event = top_of(start, NINE, 4, "pokemon-2009")
    event.knock_out("Ann Bo")
    event.drop("Ann")
    event.pair()
    assert event.games(2) == ["Ann-Bo"]
    assert [game.outcome for game in event.bracket.rounds[1]] == ["played"]
    assert event.name(event.bracket.champion) == "Bo"
    assert event.placed[:2] == ["1 Bo", "2 Ann"]


def test_both_players_can_leave_between_rounds(start: Start) -> None:
    event = top_of(start, NINE, 8, "pokemon-2009")
    event.knock_out("Ann Bo Cy Di")
    event.drop("Ann")
    event.drop("Di")
    event.pair()
    event.wins("Cy")
    event.pair()
    assert event.name(event.bracket.champion) == "Cy"


def test_without_a_bracket_leaving_loses_no_match(start: Start) -> None:
    event = top_of(start, NINE, 4, "pokemon-2009")
    assert event.refusal(roster.drop, player=1, during=True) == "Ann has no match in a bracket that was drawn"


@settings(max_examples=60)
@given(st.sampled_from(["l5r-2018", "street-warriors-2004", "pokemon-2009"]), st.integers(2, 20), st.randoms())
def test_after_any_departures_each_round_is_complete_and_the_final_has_a_winner(
    rulebook: str, players: int, chance: Random
) -> None:
    event = Event(rulebook)
    event.register(*(f"P{number}" for number in range(1, players + 1)))
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    while True:
        event.pair()
        paired = event.round()
        everybody = [player for two in paired.tables.values() for player in two]
        everybody += [bye.player for bye in paired.byes]
        assert len(everybody) == len(set(everybody))
        games = event.bracket.rounds[paired.number - 1]
        assert set(everybody) <= {player for game in games for player in game.players}
        for player in everybody:
            if chance.random() < 0.15 and event.record.status(player) == "active":
                chance.choice([event.drop, event.disqualify])(event.name(player))
        for table in event.round().outstanding:
            event.report(table, chance.randrange(2), stage="elimination")
        assert all(game.winner is not None for game in event.bracket.rounds[paired.number - 1])
        if len(games) == 1:
            break
    assert sorted(place.player for place in event.places) == list(range(1, players + 1))
    assert all(place.decided for place in event.places)
    ranks = [place.first for place in event.places if place.first is not None]
    assert ranks == sorted(ranks)


def test_leaving_does_not_lose_a_swiss_match(start: Start) -> None:
    event = ranked(start, "A B C")
    assert event.refusal(roster.drop, player=1, during=True) == (
        "a player who leaves loses only an elimination match: in a Swiss match, correct the slip"
    )


# -- coming late to an event that begins with elimination


def begins_with_elimination(start: Start) -> Event:
    event = start("pokemon-2009", "A B C D E")
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    event.pair()
    return event


@pytest.mark.vector("TV-PKM-LATE-4")
def test_no_player_enters_after_the_first_round_started(start: Start) -> None:
    event = begins_with_elimination(start)
    event.report(next(iter(event.round().tables)), stage="elimination")
    assert event.refusal(roster.arrive_late, person=Person(name="Late")) == (
        "elimination round 1 has started, so Late can no longer enter (PKM-3.2.3-LATE)"
    )


@pytest.mark.vector("TV-PKM-LATE-4")
def test_a_player_who_enters_before_the_start_causes_a_new_draw(start: Start) -> None:
    event = begins_with_elimination(start)
    entries = event.decide(roster.arrive_late, person=Person(name="Late"))
    assert [entry.fact.kind for entry in entries] == ["player-registered", "entry-retracted", "entry-retracted"]
    assert [type(fact) for fact in (entries[1].fact, entries[2].fact)] == [EntryRetracted, EntryRetracted]
    assert event.record.latest_round("elimination") is None
    event.pair()
    fact = event.draft.entries[-2].fact
    assert isinstance(fact, BracketDrawn)
    assert sorted(player for game in fact.games for player in game) == [1, 2, 3, 4, 5, 6]


def test_a_player_who_leaves_before_the_draw_is_not_in_the_bracket(start: Start) -> None:
    event = start("pokemon-2009", "A B C")
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    event.drop("A")
    assert attendance(event.record).total() == 2
    event.pair()
    assert len(event.round().tables) == 1


def test_a_player_who_comes_after_the_draw_is_late(start: Start) -> None:
    event = begins_with_elimination(start)
    assert event.refusal(roster.register, person=Person(name="Late")) == (
        "round 1 is paired: enter Late as a late arrival"
    )


# -- corrections that come too late


@pytest.mark.vector("TV-UNDO-5")
@pytest.mark.parametrize(
    ("rulebook", "rule"), [("l5r-2018", "L5R-IV.2b-CUTDROP"), ("pokemon-2009", "PKM-3.3.6-FREEZE")]
)
def test_a_result_before_the_cut_is_final_after_an_elimination_game(start: Start, rulebook: str, rule: str) -> None:
    event = top_of(start, NINE, 4, rulebook)
    event.pair()
    event.wins("Ann")
    wrong = {"table": 1, "round_": 1, "written": Written(winner=1)}
    assert event.refusal(slips.correct, **wrong) == (
        f"an elimination game was played, so the Swiss results are final ({rule})"
    )
    before = event.placed[:4]
    event.decide(slips.correct, **wrong, override=True)
    assert event.games(1) == ["Ann-Di", "Bo-Cy"]
    assert event.placed[:4] == before
