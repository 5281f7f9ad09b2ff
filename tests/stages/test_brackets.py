"""Brackets: how the four documents fill them, number games, give byes, and advance winners."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.event import SECRET
from tests.stages.conftest import Event, Start

from matchledger.commands import eliminations, structures
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.events import BracketDrawn, Seating
from matchledger.notation.slip import Written
from matchledger_projections.record.chance import draw_seed, random_order, results_digest
from matchledger_projections.rulebook.rulebook import rulebook_text
from matchledger_projections.stages.bracket import games_with_random_byes, seeded_games
from matchledger_projections.views.integrity import integrity

TOP_8 = "A B C D E F G H"
TOP_16 = "A B C D E F G H I J K L M N O P"


def after_cut(start: Start, names: str, rulebook: str = "l5r-2018") -> Event:
    """Return an event with one decisive Swiss table, and these players as seeds."""
    event = start(rulebook, names)
    first, second = names.split()[:2]
    event.swiss(f"{first}>{second}")
    event.seed(names)
    return event


def drawn(event: Event) -> BracketDrawn:
    assert event.record.bracket_drawn is not None
    return event.record.bracket_drawn[1]


# -- after a cut


@pytest.mark.vector("TV-L5R-SE-1")
def test_the_best_meets_the_lowest_and_games_are_numbered_from_the_top(start: Start) -> None:
    event = after_cut(start, TOP_8)
    event.pair()
    assert event.games(1) == ["A-H", "B-G", "C-F", "D-E"]
    assert event.round().tables == {1: (1, 8), 2: (2, 7), 3: (3, 6), 4: (4, 5)}


@pytest.mark.vector("TV-L5R-SE-2")
def test_games_are_paired_by_number_and_not_by_rank(start: Start) -> None:
    event = after_cut(start, TOP_8)
    event.knock_out("H B F D")
    event.pair()
    assert event.games(2) == ["H-D", "B-F"]


@pytest.mark.vector("TV-L5R-SE-5")
def test_if_all_favourites_win_the_rounds_follow_the_standard_bracket(start: Start) -> None:
    event = after_cut(start, TOP_16)
    event.pair()
    assert event.games(1) == ["A-P", "B-O", "C-N", "D-M", "E-L", "F-K", "G-J", "H-I"]
    event.wins("A B C D E F G H")
    event.knock_out("A B C D", "A B")
    event.pair()
    assert event.games(2) == ["A-H", "B-G", "C-F", "D-E"]
    assert event.games(3) == ["A-D", "B-C"]
    assert event.games(4) == ["A-B"]
    event.wins("A")
    assert event.name(event.bracket.champion) == "A"
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "the final is played: there is no further round"
    )


@pytest.mark.parametrize("rulebook", ["pokemon-2009", "ashes-2022", "netrunner-2023", "pokemon-tom"])
def test_the_swiss_rank_seeds_the_bracket(start: Start, rulebook: str) -> None:
    event = after_cut(start, "A B C D", rulebook)
    event.pair()
    assert drawn(event).method == "cut-seeds"
    assert event.games(1) == ["A-D", "B-C"]


def test_chance_draws_the_bracket_and_anybody_can_draw_it_again(start: Start) -> None:
    event = after_cut(start, TOP_8, "street-warriors-2004")
    event.pair()
    fact = drawn(event)
    assert fact.method == "random-places"
    seed = draw_seed(SECRET, "bracket/1,2,3,4,5,6,7,8", results_digest(event.record, 1))
    assert fact.seed == seed.hex()
    order = random_order(seed, range(1, 9))
    assert [set(game) for game in fact.games] == [{order[place], order[7 - place]} for place in range(4)]


def test_the_cut_can_be_seeded_by_policy(start: Start) -> None:
    event = start("street-warriors-2004", "A B C D", {"POL-SWR-CUT-BRACKET": "seeded"})
    event.swiss("A>B")
    event.seed("C A D B")
    event.pair()
    assert event.games(1) == ["C-B", "A-D"]


# -- events that begin with elimination


def elimination(start: Start, rulebook: str, players: int) -> Event:
    event = start(rulebook, players)
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    event.pair()
    return event


@pytest.mark.vector("TV-L5R-SE-3")
def test_thirteen_players_have_3_byes_and_5_games_in_random_order(start: Start) -> None:
    event = elimination(start, "l5r-2018", 13)
    games = drawn(event).games
    assert sorted(map(len, games)) == [1, 1, 1, 2, 2, 2, 2, 2]
    assert sorted(player for game in games for player in game) == list(range(1, 14))
    assert [len(game) for game in games] != sorted(map(len, games)), "byes are numbered among the games"
    for table in event.round().tables:
        event.report(table, stage="elimination")
    event.pair()
    assert len(event.round().tables) == 4
    winners = [game.winner for game in event.bracket.rounds[0]]
    assert event.round().tables == {k: (winners[k - 1], winners[8 - k]) for k in (1, 2, 3, 4)}


def test_the_byes_and_the_numbers_follow_from_two_seeds(start: Start) -> None:
    event = elimination(start, "l5r-2018", 6)
    fact, digest = drawn(event), results_digest(event.record, 0)
    names = ",".join(map(str, range(1, 7)))
    order = random_order(draw_seed(SECRET, f"bracket/{names}", digest), range(1, 7))
    games = games_with_random_byes(order)
    numbers = random_order(draw_seed(SECRET, f"game-numbers/{names}", digest), range(1, 5))
    assert fact.games == tuple(games[number - 1] for number in numbers)


def test_random_players_get_the_byes() -> None:
    assert games_with_random_byes([5, 2, 6, 1, 3, 4]) == [(5,), (2,), (6, 1), (3, 4)]


@pytest.mark.vector("DV-PKM-SE-53")
def test_the_top_eleven_seeds_get_the_byes(start: Start) -> None:
    event = elimination(start, "pokemon-2009", 53)
    games = drawn(event).games
    assert len(games) == 32
    assert [number for number, game in enumerate(games, 1) if len(game) == 1] == list(range(1, 12))
    assert (len(event.round().tables), len(event.round().byes)) == (21, 11)
    for table in event.round().tables:
        event.report(table, stage="elimination")
    event.pair()
    assert (len(event.round().tables), len(event.round().byes)) == (16, 0)


@pytest.mark.vector("TV-PKM-SE-9")
@pytest.mark.parametrize(("players", "byes", "matches"), [(9, 7, 1), (12, 4, 4), (33, 31, 1)])
def test_the_first_round_has_the_byes_that_fill_the_bracket(
    start: Start, players: int, byes: int, matches: int
) -> None:
    event = elimination(start, "pokemon-2009", players)
    assert (len(event.round().byes), len(event.round().tables)) == (byes, matches)


def test_no_two_empty_places_meet(start: Start) -> None:
    event = elimination(start, "street-warriors-2004", 5)
    assert sorted(map(len, drawn(event).games)) == [1, 1, 1, 2]
    assert event.record.round(1, "elimination") is not None


@pytest.mark.parametrize(
    ("rulebook", "method"), [("street-warriors-2004", "random-places"), ("pokemon-2009", "random-seeds")]
)
def test_chance_fills_the_bracket(start: Start, rulebook: str, method: str) -> None:
    event = elimination(start, rulebook, 8)
    fact = drawn(event)
    assert fact.method == method
    seed = draw_seed(SECRET, "bracket/1,2,3,4,5,6,7,8", results_digest(event.record, 0))
    order = random_order(seed, range(1, 9))
    assert [set(game) for game in fact.games] == [{order[place], order[7 - place]} for place in range(4)]
    assert order != sorted(order)


def test_winners_advance_along_the_bracket(start: Start) -> None:
    event = elimination(start, "pokemon-2009", 6)
    first, second, *played = drawn(event).games
    assert list(map(len, (first, second))) == [1, 1]
    for table in event.round().tables:
        event.report(table, stage="elimination")
    event.pair()
    third, fourth = (game[0] for game in played)
    assert event.round().tables == {1: (first[0], fourth), 2: (second[0], third)}
    assert event.round().byes == ()


def test_elimination_without_swiss_is_one_bracket_for_all_divisions(start: Start) -> None:
    event = start(
        "pokemon-2009", "A B C D", divisions={"A": "junior", "B": "junior", "C": "masters", "D": "masters"}
    )
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    event.pair()
    assert {player for game in drawn(event).games for player in game} == {1, 2, 3, 4}


@pytest.mark.parametrize("players", [2, 3])
def test_the_smallest_brackets_have_the_expected_games(start: Start, players: int) -> None:
    event = elimination(start, "l5r-2018", players)
    assert (len(event.round().tables), len(event.round().byes)) == (1, players - 2)


def test_one_player_needs_no_bracket(start: Start) -> None:
    event = start("l5r-2018", "A")
    event.decide(structures.AnnounceStructure, style="elimination")
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "1 active players are too few for a bracket: register more"
    )


def test_an_event_that_begins_with_elimination_has_no_swiss_rounds(start: Start) -> None:
    event = start("pokemon-2009", "A B C D")
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    assert event.refusal(rounds.pair_round, secret=SECRET) == (
        "this event was announced as single elimination: it has no Swiss rounds (PKM-2-ANNOUNCE)"
    )


# -- invariants


@given(st.integers(1, 6).map(lambda power: 2**power))
def test_the_seeds_of_every_first_game_add_up_to_one_more_than_the_cut(size: int) -> None:
    games = seeded_games(range(1, size + 1))
    assert len(games) == size // 2
    assert {sum(game) for game in games} == {size + 1}


@given(st.integers(2, 300))
def test_every_field_fits_its_bracket_and_only_the_first_round_has_byes(players: int) -> None:
    for games in (seeded_games(range(players)), games_with_random_byes(range(players))):
        assert sorted(player for game in games for player in game) == list(range(players))
        assert len(games) & (len(games) - 1) == 0
        assert all(game for game in games)


# -- conditions of a round


def test_an_elimination_round_waits_for_the_one_before(start: Start) -> None:
    event = after_cut(start, "A B C D")
    event.pair()
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "elimination round 1 is not finished: tables 1, 2 have no result"
    )


def test_before_the_cut_no_bracket_is_drawn(start: Start) -> None:
    event = start("l5r-2018", "A B")
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "the Swiss rounds are not over: make the cut first"
    )


def test_an_elimination_stage_paired_by_hand_continues_by_hand(start: Start) -> None:
    event = after_cut(start, "A B C D")
    games = [Seating(table=1, players=(1, 2))]
    event.decide(rounds.pair_by_hand, games=games, stage="elimination", deviating=True)
    assert event.refusal(eliminations.pair_elimination, secret=SECRET) == (
        "this elimination stage was paired by hand: pair the next round by hand too, table by table"
    )


def test_an_elimination_match_has_a_winner(start: Start) -> None:
    event = after_cut(start, "A B C D", "street-warriors-2004")
    event.pair()
    draw = Written(kind="draw")
    assert event.refusal(slips.report, table=1, written=draw) == (
        "an elimination match has a winner: if time ended it, record the players' counts (SWR-SE-TIME)"
    )


def test_rounds_that_follow_the_bracket_are_not_listed_as_manual(start: Start) -> None:
    event = after_cut(start, "A B C D")
    event.knock_out("A B", "A")
    laws = [rulebook_text("l5r-2018")]
    kinds = [item.kind for item in integrity(event.draft.entries, shipped_laws=laws)]
    assert kinds.count("manual pairing") == 1  # only this test's Swiss round was paired by hand


def test_entries_of_a_bracket_are_retracted_in_reverse_order(start: Start) -> None:
    event = after_cut(start, "A B C D")
    event.pair()
    cut, bracket, paired = event.draft.entries[-3:]
    assert event.refusal(slips.retract, entry=cut) == (
        "the elimination stage is paired from this cut: retract its pairings first"
    )
    assert event.refusal(slips.retract, entry=bracket) == (
        "the elimination stage is paired by this bracket: retract its pairings first"
    )
    event.decide(slips.retract, entry=paired)
    assert event.refusal(slips.retract, entry=cut) == (
        f"the bracket has been drawn since: retract entry {bracket.position} first"
    )
    event.decide(slips.retract, entry=bracket)
    event.decide(eliminations.pair_elimination, secret=SECRET, deviating=True)  # this cut follows no Swiss round
    assert event.games(1) == ["A-D", "B-C"]


def test_the_same_players_always_get_the_same_draw(start: Start) -> None:
    event = elimination(start, "pokemon-2009", 12)
    before = drawn(event)
    bracket, paired = event.draft.entries[-2:]
    event.decide(slips.retract, entry=paired)
    event.decide(slips.retract, entry=bracket)
    event.pair()
    assert drawn(event) == before
