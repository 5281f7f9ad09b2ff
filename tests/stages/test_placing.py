"""Final places: their order after the elimination stage, and its rules."""

from __future__ import annotations

from functools import partial

import pytest
from tests.event import SECRET
from tests.stages.conftest import Event, Start

from matchledger.cli.foresight_text import consequence_lines
from matchledger.commands import cuts, divisions, replacements, structures, ties, tournaments
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.events import Seating
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record, fold
from matchledger_projections.stages.placing import champions
from matchledger_projections.views.consequences import Consequences, consequences

SEEDS = "1st 2nd 3rd 4th 5th 6th 7th 8th"


def seeded(start: Start, rulebook: str, policies: dict[str, str] | None = None, *, playoff: bool = False) -> Event:
    """Nine players ranked by the Swiss rounds, of whom eight make the cut. Each player is named after the seed."""
    event = start(rulebook, f"{SEEDS} 9th", policies)
    if playoff:
        event.decide(structures.AnnounceStructure, deviating=True, rounds=8, cut=8, playoff=True)
    event.ranked(f"{SEEDS} 9th")
    event.decide(cuts.make_cut, size=8, deviating=True)
    return event


def from_the_start(start: Start, *, playoff: bool = False) -> Event:
    """Return the bracket of TV-PKM-SEPLACE in an event without Swiss rounds. Each player has the name of a seed."""
    probe = start("pokemon-2009", 8)
    probe.decide(structures.AnnounceStructure, deviating=True, style="elimination")
    probe.pair()
    _, drawn = probe.record.bracket_drawn or (0, None)
    assert drawn is not None
    seed_of = {game[side]: (k, 9 - k)[side] for k, game in enumerate(drawn.games, 1) for side in (0, 1)}
    event = start("pokemon-2009", " ".join(SEEDS.split()[seed_of[player] - 1] for player in range(1, 9)))
    event.decide(structures.AnnounceStructure, deviating=True, style="elimination", playoff=playoff)
    event.pair()
    assert event.games(1) == ["1st-8th", "2nd-7th", "3rd-6th", "4th-5th"]
    return event


def play_the_vector(event: Event, *, last: str = "8th") -> None:
    """Play TV-PKM-SEPLACE: 8, 4, 2 and 6 win, then 8 and 2, then 8 wins the final."""
    event.wins("8th 4th 2nd 6th")
    event.knock_out("8th 2nd", last)


def order(event: Event) -> str:
    return " ".join(event.name(place.player)[0] for place in event.places if place.first is not None)


# -- Pokémon: after Swiss, and without


@pytest.mark.vector("TV-PKM-SEPLACE")
def test_after_swiss_the_swiss_rank_decides_the_places(start: Start) -> None:
    event = seeded(start, "pokemon-2009")
    event.pair()
    play_the_vector(event)
    assert order(event) == "8 2 4 6 1 3 5 7 9"
    assert [place.rule for place in event.places] == ["PKM-3.3.6.1-SEPLACE"] * 8 + ["PKM-3.3.6-FREEZE"]


@pytest.mark.vector("TV-PKM-SEPLACE")
def test_without_swiss_rounds_the_place_of_the_opponent_who_won_decides_the_place(start: Start) -> None:
    event = from_the_start(start)
    play_the_vector(event)
    assert order(event) == "8 2 4 6 1 7 5 3"
    assert {place.rule for place in event.places} == {"PKM-3.2.4-PLACE"}
    assert [place.why for place in event.places[2:5]] == [
        "out in the semifinals to 8th, who came 1",
        "out in the semifinals to 2nd, who came 2",
        "out in the quarterfinals to 8th, who came 1",
    ]


@pytest.mark.vector("TV-PKM-SEPLACE")
def test_after_swiss_the_match_for_3rd_and_4th_place_counts(start: Start) -> None:
    event = seeded(start, "pokemon-2009", playoff=True)
    event.pair()
    play_the_vector(event, last="8th 6th")
    assert order(event) == "8 2 6 4 1 3 5 7 9"
    assert [place.rule for place in event.places[2:4]] == ["PKM-3.3.6.1-PLAYOFF"] * 2


@pytest.mark.vector("TV-PKM-SEPLACE")
def test_without_swiss_the_match_for_3rd_and_4th_place_counts(start: Start) -> None:
    event = from_the_start(start, playoff=True)
    play_the_vector(event, last="8th 6th")
    assert order(event) == "8 2 6 4 1 7 3 5"
    assert [place.rule for place in event.places[2:4]] == ["PKM-3.2-PLAYOFF"] * 2


def test_a_semifinalist_who_left_loses_the_match_for_3rd_place(start: Start) -> None:
    event = seeded(start, "pokemon-2009", playoff=True)
    event.pair()
    event.wins("8th 4th 2nd 6th")
    event.knock_out("8th 2nd")
    event.drop("4th")
    event.knock_out("8th")
    assert order(event) == "8 2 6 4 1 3 5 7 9"


@pytest.mark.vector("DV-PKM-SE16")
def test_seed_1_who_loses_the_first_game_is_9th(start: Start) -> None:
    names = [f"s{number}" for number in range(1, 18)]
    event = start("pokemon-2009", " ".join(names))
    event.ranked(" ".join(names))
    event.decide(cuts.make_cut, size=16, deviating=True)
    event.knock_out("s16 s2 s3 s4 s5 s6 s7 s8")
    assert [place for place in event.placed if place.endswith((" s1", " s9", " s15"))] == [
        "9 s1",
        "10 s9",
        "16 s15",
    ]


@pytest.mark.vector("DV-PKM-FREEZE")
def test_the_9th_player_stays_9th_whoever_wins(start: Start) -> None:
    event = seeded(start, "pokemon-2009")
    assert event.placed[-1] == "9 9th"
    event.knock_out("8th 2nd 3rd 4th", "8th 2nd", "8th")  # the 9th player met only the 8th
    assert event.placed[0] == "1 8th"
    assert event.placed[-1] == "9 9th"


# -- the other documents


@pytest.mark.parametrize(
    ("rulebook", "rule", "others"),
    [
        ("l5r-2018", "L5R-IV.2c-PLACE", "L5R-IV.2b-CUT"),
        ("ashes-2022", "ASH-CUT", "ASH-PLACE"),
        ("netrunner-2023", "POLICY", "POLICY"),
    ],
)
def test_eliminated_players_are_placed_by_round_and_then_by_seed(
    start: Start, rulebook: str, rule: str, others: str
) -> None:
    event = seeded(start, rulebook)
    event.knock_out("8th 2nd 6th 4th", "8th 2nd", "8th")
    assert order(event) == "8 2 4 6 1 3 5 7 9"
    assert [place.rule for place in event.places] == [rule] * 8 + [others]


def test_players_of_a_random_bracket_are_placed_by_round_and_swiss_rank(start: Start) -> None:
    event = seeded(start, "street-warriors-2004")
    event.pair()
    for table in event.round().tables:
        event.report(table, stage="elimination")
    out = {player for game in event.bracket.rounds[0] for player in game.losers}
    assert [place.player for place in event.places if place.first is not None and 5 <= place.first <= 8] == sorted(
        out
    )
    assert [place.first for place in event.places[4:]] == [5, 6, 7, 8, 9]


def test_losers_of_a_round_share_a_place_or_are_placed_by_seed(start: Start) -> None:
    event = seeded(start, "l5r-2018", {"POL-L5R-SE-PLACING": "shared"})
    event.knock_out("8th 2nd 6th 4th", "8th 2nd", "8th")
    assert event.placed == [
        "1 8th",
        "2 2nd",
        "3-4 4th",
        "3-4 6th",
        "5-8 1st",
        "5-8 3rd",
        "5-8 5th",
        "5-8 7th",
        "9 9th",
    ]


def test_an_event_without_swiss_rounds_gives_shared_places(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure, style="elimination")
    event.pair()
    for _ in range(2):
        for table in event.round().tables:
            event.report(table, stage="elimination")
        if len(event.round().tables) > 1:
            event.pair()
    assert [place.split()[0] for place in event.placed] == ["1", "2", "3-4", "3-4"]


def test_places_of_players_in_the_stage_are_open(start: Start) -> None:
    event = seeded(start, "l5r-2018")
    assert event.placed[:2] == ["1-8? 1st", "1-8? 2nd"]
    event.pair()
    event.wins("1st 3rd")
    assert event.placed[:6] == ["1-8? 1st", "1-8? 2nd", "1-8? 3rd", "1-8? 4th", "1-8? 5th", "1-8? 7th"]
    assert event.placed[6:] == ["5-8? 6th", "5-8? 8th", "9 9th"]
    event.wins("2nd 4th")
    assert event.placed[4:] == ["5 5th", "6 6th", "7 7th", "8 8th", "9 9th"]


def test_the_semifinals_are_open_until_the_match_for_3rd_place_is_played(start: Start) -> None:
    event = seeded(start, "pokemon-2009", playoff=True)
    event.pair()
    event.wins("8th 4th 2nd 6th")
    event.knock_out("8th 2nd")
    event.pair()
    assert event.placed[:4] == ["1-2? 2nd", "1-2? 8th", "3-4? 4th", "3-4? 6th"]


def test_the_place_of_a_player_depends_on_the_place_of_the_opponent_who_won(start: Start) -> None:
    event = from_the_start(start)
    event.wins("8th 4th 2nd 6th")
    assert {place.split()[0] for place in event.placed[4:]} == {"5-8?"}
    event.knock_out("8th 2nd")
    assert {place.split()[0] for place in event.placed[2:4]} == {"3-4?"}


def test_l5r_iv_2_dq_a_disqualified_player_has_no_place(start: Start) -> None:
    event = seeded(start, "l5r-2018")
    event.knock_out("1st 2nd 3rd 4th")
    event.disqualify("1st")
    event.pair()
    event.wins("2nd")
    event.knock_out("4th")
    assert event.placed[:3] == ["1 4th", "2 2nd", "3 3rd"]
    assert event.placed[-2:] == ["8 9th", "- 1st"]
    assert event.places[-1].rule == "L5R-IV.2-DQ"


def test_l5r_iv_2_dq_a_disqualified_winner_has_no_place(start: Start) -> None:
    event = seeded(start, "l5r-2018")
    event.knock_out("1st 2nd 3rd 4th", "1st 2nd", "1st")
    event.disqualify("1st")
    assert (event.placed[0], event.placed[-1]) == ("1 2nd", "- 1st")
    assert event.places[0].why == "seed 2, champion after the disqualification of 1st"


def test_a_qualifier_who_dropped_is_out_of_the_elimination_stage(start: Start) -> None:
    event = seeded(start, "l5r-2018")
    event.drop("2nd")
    event.disqualify("3rd")
    assert event.placed[5:] == ["1-6? 8th", "7? 2nd", "8? 9th", "- 3rd"]
    assert event.places[6].why == "seed 2, left before the first game"


def test_places_wait_while_a_qualifier_who_left_can_be_replaced(start: Start) -> None:
    """L5R-IV.2b-CUTDROP: the next player enters the cut, so neither has a final place yet."""
    event = seeded(start, "l5r-2018")
    event.drop("1st")
    assert [event.placed[0], *event.placed[-2:]] == ["1-7? 2nd", "8? 1st", "9? 9th"]
    event.decide(replacements.ReplaceQualifier, player=event.number("1st"))
    assert event.placed[-2:] == ["1-8? 9th", "9 1st"]


def test_a_replaced_qualifier_has_the_place_from_the_swiss_rounds(start: Start) -> None:
    event = seeded(start, "l5r-2018")
    event.decide(replacements.ReplaceQualifier, player=event.number("6th"))
    event.knock_out("1st 2nd 3rd 4th", "1st 2nd", "1st")
    assert event.placed == ["1 1st", "2 2nd", "3 3rd", "4 4th", "5 5th", "6 7th", "7 8th", "8 9th", "9 6th"]


# -- without a bracket


def test_the_winner_does_not_depend_on_the_order_of_registration(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.swiss("D>A C>B")
    assert event.placed == ["1-2? C", "1-2? D", "3-4? A", "3-4? B"]


def test_without_elimination_the_standings_are_the_places(start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure, rounds=1, cut=0, deviating=True)
    event.swiss("A>B C>D")
    assert event.placed == ["1-2? A", "1-2? C", "3-4? B", "3-4? D"]
    event.decide(ties.DrawTies)
    assert [place.decided for place in event.places] == [True] * 4
    assert {place.rule for place in event.places} == {"L5R-IV.2a-WINNER"}


@pytest.mark.parametrize("cut", [0, 2])
def test_places_stay_open_while_a_round_or_a_cut_can_change_them(cut: int, start: Start) -> None:
    event = start("l5r-2018", "A B C D")
    event.decide(structures.AnnounceStructure, rounds=2, cut=cut, deviating=True)
    event.swiss("A>B C>D")
    event.decide(ties.DrawTies)
    assert [place.endswith(("? A", "? B", "? C", "? D")) for place in event.placed] == [True] * 4
    event.swiss("A>C B>D")
    event.decide(ties.DrawTies)
    assert [place.decided for place in event.places] == [not cut] * 4
    if cut:
        event.decide(cuts.make_cut, size=2)
        assert [place.decided for place in event.places] == [False, False, True, True]


def test_one_place_in_a_division_is_open_until_its_rounds_are_played(start: Start) -> None:
    event = start(
        "pokemon-2009", "A B C D", divisions={"A": "Masters", "B": "Masters", "C": "Juniors", "D": "Juniors"}
    )
    event.decide(divisions.DecideDivisions, mode="separated", deviating=True)
    event.decide(structures.AnnounceStructure, rounds=2, division_rounds={"masters": 1}, cut=0, deviating=True)
    event.swiss("A>B C>D")
    assert sorted(event.placed) == ["1 A", "1? C", "2 B", "2? D"]


def by_hand(event: Event, *games: str) -> None:
    """Pair an elimination round by hand: "A>D B>C"."""
    pairs = [tuple(map(event.number, game.split(">"))) for game in games]
    seated = [Seating(table=table, players=(pair[0], pair[1])) for table, pair in enumerate(pairs, 1)]
    event.decide(rounds.pair_by_hand, games=seated, stage="elimination")
    for seating in seated:
        event.report(seating.table, stage="elimination")


def test_a_stage_paired_by_hand_gives_the_same_places(start: Start) -> None:
    event = start("l5r-2018", "A B C D E")
    event.ranked("A B C D E")
    event.seed("A B C D")
    by_hand(event, "D>A", "B>C")
    assert event.placed == ["1-2? B", "1-2? D", "3 A", "4 C", "5 E"]
    by_hand(event, "B>D", "C>A")  # with a match for third place
    assert event.placed == ["1 B", "2 D", "3 C", "4 A", "5 E"]


def test_players_with_two_lives_are_placed_by_their_last_defeat(start: Start) -> None:
    event = start("netrunner-2023", "A B C D E")
    event.ranked("A B C D E")
    event.seed("A B C D")
    by_hand(event, "A>D", "B>C")
    by_hand(event, "A>B", "C>D")
    by_hand(event, "C>B")
    by_hand(event, "C>A")
    by_hand(event, "A>C")
    assert event.placed == ["1 A", "2 C", "3 B", "4 D", "5 E"]


def test_a_player_who_leaves_a_stage_paired_by_hand_is_out(start: Start) -> None:
    event = start("l5r-2018", "A B C D E")
    event.ranked("A B C D E")
    event.seed("A B C D")
    by_hand(event, "A>D", "B>C")
    event.drop("A")
    assert event.placed == ["1 B", "2 A", "3 C", "4 D", "5 E"]


def test_a_winner_who_leaves_is_placed_before_the_losers_of_the_round(start: Start) -> None:
    event = start("l5r-2018", "A B C D E")
    event.ranked("A B C D E")
    event.seed("A B C D")
    by_hand(event, "D>A", "B>C")
    event.drop("D")
    assert event.placed == ["1 B", "2 D", "3 A", "4 C", "5 E"]


def test_the_most_points_win_even_if_another_player_never_lost(start: Start) -> None:
    event = start("street-warriors-2004", "A B C D E F")
    for games in ("A>B E=C D>F", "F>A E=B C=D", "A>C E>D B>F"):
        event.decide(
            rounds.pair_by_hand,
            games=[
                Seating(table=table, players=(event.number(game[0]), event.number(game[2])))
                for table, game in enumerate(games.split(), 1)
            ],
        )
        for table, game in enumerate(games.split(), 1):
            drawn = Written(kind="draw") if game[1] == "=" else Written(winner=0)
            event.decide(slips.report, table=table, written=drawn)
    assert champions(event.record) == {}
    event.decide(tournaments.close, secret=SECRET, deviating=True)
    assert champions(event.record) == {None: event.number("A")}


# -- corrected games


def corrected(event: Event, name: str, round_: int) -> tuple[Record, Consequences]:
    """Return the record after the correction of a game that a player now wins, and what the correction changed."""
    found = event.record.round(round_, "elimination")
    assert found is not None
    table = found.table_of(event.number(name))
    assert table is not None
    winner = found.tables[table].index(event.number(name))
    after = Draft(event.draft.tournament, fold(event.draft.entries))
    after.decide(
        partial(slips.correct, round_=round_, table=table, stage="elimination", written=Written(winner=winner))
    )
    return after.record, consequences(event.record, after.record)


def four_in_the_cut(start: Start, *, playoff: bool) -> Event:
    event = start("pokemon-2009", "A B C D E F")
    event.decide(structures.AnnounceStructure, rounds=5, cut=4, playoff=playoff, deviating=True)
    event.ranked("A B C D E F")
    event.decide(cuts.make_cut, size=4, deviating=True)
    return event


@pytest.mark.parametrize("playoff", [False, True])
def test_a_correction_of_the_final_says_that_the_champion_changes(start: Start, playoff: bool) -> None:
    event = four_in_the_cut(start, playoff=playoff)
    event.knock_out("A B", "A C" if playoff else "A")
    record, found = corrected(event, "B", 2)
    assert found.reaches_further
    assert "Champion: A -> B" in list(consequence_lines(record, found, lambda _: None))


def test_a_first_champion_reaches_no_further_than_the_final(start: Start) -> None:
    event = four_in_the_cut(start, playoff=False)
    event.knock_out("A B")
    event.pair()
    before = fold(event.draft.entries)
    event.wins("A")
    found = consequences(before, event.record)
    assert [(title.before, title.after) for title in found.champions] == [(None, event.number("A"))]
    assert not found.reaches_further


@pytest.mark.parametrize("playoff", [False, True])
def test_a_correction_of_a_semifinal_says_who_sits_in_the_final_instead(start: Start, playoff: bool) -> None:
    event = four_in_the_cut(start, playoff=playoff)
    event.knock_out("A B")
    event.pair()
    _, found = corrected(event, "D", 1)
    assert [(one.round, event.name(one.out), event.name(one.instead)) for one in found.bracket] == [(2, "A", "D")]
