"""Elimination games of Street Warriors that time ends: six comparisons, in order (SWR-SE-TIME)."""

from __future__ import annotations

import pytest
from tests.stages.conftest import Event, Start

from matchledger.commands import decklists, time_tiebreaks
from matchledger.commands import results as slips
from matchledger.events import ResultReported, TimeTiebreak
from matchledger.formats.card_data import read_card_data
from matchledger.formats.decklist import read_decklist
from matchledger.notation.slip import Written
from matchledger_projections.stages.time_tiebreaks import Undecided, decide

Level = {"matches": (1, 1), "power": (5, 5), "faction": (20, 20), "discard": (3, 3)}


@pytest.mark.vector("TV-SWR-SE-1")
def test_more_remaining_power_points_win() -> None:
    assert decide(TimeTiebreak(matches=(1, 1), power=(5, 4))) == (0, 2)
    assert decide(TimeTiebreak(matches=(1, 1), power=(4, 5))) == (1, 2)


@pytest.mark.vector("TV-SWR-SE-2")
def test_the_boss_faction_counts_before_the_discard_pile() -> None:
    assert decide(TimeTiebreak(matches=(1, 1), power=(5, 5), faction=(20, 22), discard=(3, 9))) == (1, 3)


@pytest.mark.vector("TV-SWR-SE-3")
def test_the_lower_card_wins_and_equal_cards_are_flipped_again() -> None:
    assert decide(TimeTiebreak(**Level, flips=((14, 14), (8, 31)))) == (0, 5)
    assert decide(TimeTiebreak(**Level, flips=((14, 14), (31, 8)))) == (1, 5)


@pytest.mark.vector("TV-SWR-SE-4")
def test_a_player_without_a_card_to_flip_loses_and_two_such_players_play_rock_paper_scissors() -> None:
    assert decide(TimeTiebreak(**Level, flips=((14, 14), (None, 30)))) == (1, 5)
    assert decide(TimeTiebreak(**Level, flips=((14, 14), (30, None)))) == (0, 5)
    assert decide(TimeTiebreak(**Level, flips=((None, None),), rock_paper_scissors=1)) == (1, 6)


def test_matches_won_count_first_and_the_smaller_discard_pile_fourth() -> None:
    assert decide(TimeTiebreak(matches=(2, 1), power=(0, 9))) == (0, 1)
    assert decide(TimeTiebreak(matches=(1, 1), power=(5, 5), faction=(20, 20), discard=(3, 9))) == (0, 4)


@pytest.mark.parametrize(
    ("written", "missing"),
    [
        (TimeTiebreak(matches=(1, 1)), "the players are tied before step 2: give power"),
        (TimeTiebreak(matches=(1, 1), power=(5, 5)), "the players are tied before step 3: give faction"),
        (
            TimeTiebreak(matches=(1, 1), power=(5, 5), faction=(1, 1)),
            "the players are tied before step 4: give discard",
        ),
        (
            TimeTiebreak(**Level, flips=((14, 14),)),
            "the players are tied before step 5: flip more cards, or write none for a player without a card",
        ),
        (
            TimeTiebreak(**Level, flips=((None, None),)),
            "neither player has a card to discard: give the winner of rock-paper-scissors",
        ),
    ],
)
def test_the_desk_asks_for_a_missing_count(written: TimeTiebreak, missing: str) -> None:
    with pytest.raises(Undecided) as undecided:
        decide(written)
    assert str(undecided.value) == missing


# -- at the table


def at_the_table(start: Start, rulebook: str = "street-warriors-2004") -> Event:
    event = start(rulebook, "A B C D")
    event.swiss("A>B")
    event.seed("A B C D")
    event.pair()
    return event


def test_the_slip_of_a_game_ended_by_time_keeps_the_counts(start: Start) -> None:
    event = at_the_table(start)
    written = TimeTiebreak(matches=(1, 1), power=(4, 5))
    [entry] = event.decide(time_tiebreaks.end_at_time, table=1, written=written)
    assert isinstance(entry.fact, ResultReported)
    assert (entry.fact.slip.kind, entry.fact.slip.tiebreak) == ("time-tiebreak", written)
    players = event.round().tables[1]
    assert entry.fact.slip.winner == players[1]
    report = event.round().report(1, players)
    assert report is not None
    assert report.slip == entry.fact.slip
    assert event.bracket.rounds[0][0].winner == players[1]


def test_undecided_counts_are_refused_with_the_rule(start: Start) -> None:
    event = at_the_table(start)
    assert event.refusal(time_tiebreaks.end_at_time, table=1, written=TimeTiebreak(matches=(1, 1))) == (
        "the players are tied before step 2: give power (SWR-SE-TIME)"
    )
    decided = TimeTiebreak(matches=(2, 1))
    refused = event.refusal(time_tiebreaks.end_at_time, table=9, written=decided)
    assert refused == "round 1 has no table 9: its tables are 1 to 2"
    [entry] = event.decide(time_tiebreaks.end_at_time, table=1, written=decided)
    assert event.refusal(time_tiebreaks.end_at_time, table=1, written=decided) == (
        f"table 1 of round 1 has a result already (entry {entry.position}): correct it if it is wrong"
    )


def test_a_slip_needs_the_counts_for_a_time_tiebreak(start: Start) -> None:
    event = at_the_table(start)
    claimed = Written(kind="time-tiebreak", winner=0)
    assert event.refusal(slips.report, table=1, written=claimed) == (
        "a game at time is decided by the players' counts: record the counts (SWR-SE-TIME)"
    )


def test_only_street_warriors_elimination_has_time_tiebreaks(start: Start) -> None:
    decided = TimeTiebreak(matches=(2, 1))
    assert at_the_table(start, "l5r-2018").refusal(time_tiebreaks.end_at_time, table=1, written=decided) == (
        "l5r-2018 does not decide a game at time by the players' counts"
    )
    swiss = start("street-warriors-2004", "A B")
    assert swiss.refusal(time_tiebreaks.end_at_time, table=1, written=decided) == (
        "no elimination round is paired; a Swiss game at time is a draw (SWR-TIME)"
    )


# -- the faction's cards, counted in the decks as registered

WARRIORS = "title,faction\nBig Boss,Red\nRed Card,Red\nBlue Card,Blue\nGrey Card,\n"


def with_lists(start: Start, *lists: str) -> Event:
    event = at_the_table(start, "street-warriors-2004")
    round_ = event.round()
    for player, cards in zip(round_.tables[1], lists, strict=False):
        deck = read_decklist(f"[boss]\n1 Big Boss\n[deck]\n{cards}\n".encode())
        event.decide(decklists.submit, player=player, deck=deck, late=True)
    return event


def test_the_third_comparison_uses_the_registered_decks(start: Start) -> None:
    event = with_lists(start, "20 Red Card", "22 Red Card\n5 Blue Card")
    pool = read_card_data(WARRIORS.encode()).pool
    level = TimeTiebreak(matches=(1, 1), power=(5, 5))
    [entry] = event.decide(time_tiebreaks.end_at_time, table=1, written=level, pool=pool)
    assert isinstance(entry.fact, ResultReported)
    assert entry.fact.slip.tiebreak == TimeTiebreak(matches=(1, 1), power=(5, 5), faction=(20, 22))
    assert entry.fact.slip.winner == entry.fact.players[1]


def test_unused_counts_are_not_recorded(start: Start) -> None:
    event = with_lists(start, "20 Red Card", "22 Red Card")
    pool = read_card_data(WARRIORS.encode()).pool
    decided = TimeTiebreak(matches=(1, 1), power=(5, 4))
    [entry] = event.decide(time_tiebreaks.end_at_time, table=1, written=decided, pool=pool)
    assert isinstance(entry.fact, ResultReported)
    assert entry.fact.slip.tiebreak == decided


def test_a_deck_without_faction_data_asks_for_a_count(start: Start) -> None:
    pool = read_card_data(WARRIORS.encode()).pool
    level = TimeTiebreak(matches=(1, 1), power=(5, 5))
    first = with_lists(start, "20 Red Card")
    problem = first.refusal(time_tiebreaks.end_at_time, table=1, written=level, pool=pool)
    assert problem.endswith(" has handed in no list: count the faction's cards (SWR-SE-TIME)")
    second = with_lists(start, "1 Grey Card", "1 Red Card")
    problem = second.refusal(time_tiebreaks.end_at_time, table=1, written=level, pool=pool)
    assert problem.endswith(
        "cannot be checked: the card data do not give 'faction' of Grey Card: "
        "count the faction's cards (SWR-SE-TIME)"
    )
