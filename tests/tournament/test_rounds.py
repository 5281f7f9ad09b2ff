"""Rounds: paired by the rulebook or by hand, started, and amended after the posting."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from tests.event import SECRET

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.events import Bye, PairingAmended, Person, RoundPaired, Seating
from matchledger.ledger import Decision, Draft
from matchledger.notation.slip import Written
from matchledger_projections.pairing.field import Obstruction
from matchledger_projections.pairing.lineup import bye_classes
from matchledger_projections.pairing.obstruction import proof
from matchledger_projections.record.round import Round
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.standings.standings import standings

Play = Callable[[str], Draft]
Refused = Callable[[Draft, Decision], str]

FOUR = "rulebook l5r-2018\nplayers A B C D\n"
MET = "met in round 1: give them other opponents, or allow the rematch (L5R-IV.2-REMATCH)"
PLAYED = FOUR + "round 1\n  A > B\n  C > D\n"
A, B, C, D, E, F = range(1, 7)
pair = partial(rounds.pair_round, secret=SECRET)


def seatings(*games: tuple[int, int]) -> list[Seating]:
    return [Seating(table=table, players=players) for table, players in enumerate(games, 1)]


def latest(draft: Draft) -> Round:
    found = draft.record.latest_round()
    assert found is not None
    return found


def report_the_rest(draft: Draft) -> None:
    for table in latest(draft).outstanding:
        draft.decide(partial(slips.report, table=table, written=Written(winner=0)))


# -- by the rulebook


def test_the_same_secret_and_results_give_the_same_pairing(play: Play) -> None:
    one, other = play(PLAYED), play(PLAYED)
    assert one.decide(pair)[-1].fact == other.decide(pair)[-1].fact


def test_another_secret_gives_another_draw(play: Play) -> None:
    sheet = "rulebook l5r-2018\nplayers " + " ".join("ABCDEFGHIJKLMNOP") + "\n"
    tables = {
        play(sheet).decide(partial(rounds.pair_round, secret=bytes([number]) * 32))[-1].fact for number in range(5)
    }
    assert len(tables) == 5


def test_winners_meet_winners_and_losers_meet_losers(play: Play) -> None:
    draft = play(PLAYED)
    draft.decide(pair)
    assert {frozenset(two) for two in latest(draft).tables.values()} == {frozenset({A, C}), frozenset({B, D})}


def test_rounds_are_paired_until_no_new_opponents_remain(play: Play, refused: Refused) -> None:
    draft = play(FOUR)
    pair = partial(rounds.pair_round, secret=SECRET, deviating=True)
    for number in (1, 2, 3):
        draft.decide(pair)
        assert latest(draft).number == number
        report_the_rest(draft)
    assert refused(draft, pair) == (
        "round 4 cannot be paired without a rematch (no pairing without a rematch exists: 4 or more "
        "players stay without an opponent; each of these 4 players has no new opponent: A; B; C; D): allow "
        "rematches, or pair it by "
        "hand (L5R-IV.2-REMATCH)"
    )


def test_the_refusal_names_three_players_who_need_the_same_opponent(play: Play, refused: Refused) -> None:
    """A, B and C have met each other. A, B and C could each only meet D, who came late."""
    draft = play(
        "rulebook pokemon-2009\nplayers A B C\nround 1\n  A > B\n  C bye\nround 2\n  A > C\n  B bye\n"
        "round 3\n  B > C\n  A bye\nlate D 3\n"
    )
    assert (
        "(no pairing without a rematch exists: 2 or more players stay without an opponent; each of these 3 "
        "players has no new opponent except D: A; B; C)"
    ) in refused(draft, pair)


def test_the_proof_includes_the_bye_and_large_groups(play: Play) -> None:
    draft = play("rulebook pokemon-2009\nplayers " + " ".join("ABCDEFGHIJKLMNOPQRS") + "\n")
    alone = [frozenset({player}) for player in range(1, 12)]
    several = Obstruction(frozenset({19, None}), (*alone, frozenset(range(12, 16))))
    assert proof(draft.record, several) == (
        "each of these 12 groups has an odd number of players, and no new opponent outside the group "
        "except S, the bye: "
        "A; B; C; D; E; F; G; H; 4 more"
    )
    no_bye_left = Obstruction(frozenset(), (frozenset({1}), frozenset({None})))
    assert proof(draft.record, no_bye_left) == (
        "each of these 2 groups has an odd number of players, and no new opponent outside the group: A; the bye"
    )
    large = Obstruction(frozenset(range(1, 10)), (frozenset(range(10, 19)), frozenset({19})))
    assert proof(draft.record, large) == (
        "each of these 2 groups has an odd number of players, and no new opponent outside the group except "
        "9 players: "
        "S; 9 players"
    )


def test_an_override_allows_the_fewest_rematches_and_records_each(play: Play) -> None:
    draft = play(FOUR)
    for _ in range(3):
        draft.decide(partial(rounds.pair_round, secret=SECRET, deviating=True))
        report_the_rest(draft)
    *allowed, paired = draft.decide(partial(rounds.pair_round, secret=SECRET, allow_rematch=True, deviating=True))
    assert [entry.fact.kind for entry in allowed] == ["rematch-allowed", "rematch-allowed"]
    assert isinstance(paired.fact, RoundPaired)
    assert [entry.fact.players for entry in allowed] == [table.players for table in paired.fact.tables]  # type: ignore[union-attr]


def test_a_policy_can_allow_the_fewest_rematches_in_advance(play: Play) -> None:
    """POL-ALL-REMATCH-FALLBACK."""
    draft = play("rulebook l5r-2018\noption POL-ALL-REMATCH-FALLBACK=fewest\nplayers A B\nround 1\n  A > B\n")
    assert [entry.fact.kind for entry in draft.decide(pair)] == ["rematch-allowed", "round-paired"]


# C has the lowest place. A and B, the other active players, have met each other.
LOWEST = "players A B C D\nround 1\n  A > B\n  D > C modified-loss\ndrop D\n"


def test_the_bye_passes_over_the_lowest_player_to_avoid_a_rematch(play: Play) -> None:
    """L5R-IV.2a-BYE, under the default of POL-L5R-BYE."""
    draft = play(f"rulebook l5r-2018\n{LOWEST}")
    draft.decide(pair)
    assert [bye.player for bye in latest(draft).byes] == [B]


def test_by_policy_the_lowest_player_has_the_bye_despite_a_rematch(play: Play, refused: Refused) -> None:
    draft = play(f"rulebook l5r-2018\noption POL-L5R-BYE=by-rank\n{LOWEST}")
    assert "cannot be paired without a rematch" in refused(draft, pair)
    draft.decide(partial(rounds.pair_round, secret=SECRET, allow_rematch=True))
    assert [bye.player for bye in latest(draft).byes] == [C]
    assert set(latest(draft).tables[1]) == {A, B}


@pytest.mark.parametrize("rulebook", ["l5r-2018", "ashes-2022"])
def test_second_byes_begin_if_the_rulebook_gives_the_bye_first(play: Play, rulebook: str) -> None:
    draft = play(f"rulebook {rulebook}\nplayers A B C\n")
    byes = []
    for _ in range(3):
        draft.decide(partial(rounds.pair_round, secret=SECRET, allow_rematch=True, deviating=True))
        byes += [bye.player for bye in latest(draft).byes]
        for table in latest(draft).outstanding:
            draft.decide(partial(slips.report, table=table, written=_won(rulebook)))
    assert sorted(byes) == [A, B, C]


@pytest.mark.parametrize(
    ("rulebook", "rule"),
    [
        ("pokemon-2009", "PKM-3.1-BYE"),
        ("street-warriors-2004", "SWR-SWISS-PASS"),
        ("pokemon-tom", "TOM"),
        ("netrunner-2023", "NETRUNNER"),
    ],
)
@pytest.mark.parametrize("allow_rematch", [True, False])
def test_a_bye_is_given_by_hand_after_everybody_has_had_one(
    play: Play, refused: Refused, rulebook: str, rule: str, allow_rematch: bool
) -> None:
    draft = play(
        f"rulebook {rulebook}\nplayers A B C\nround 1\n  A > B\n  C bye\nround 2\n  A > C\n  B bye\n"
        "round 3\n  B > C\n  A bye\n"
    )
    decision = partial(rounds.pair_round, secret=SECRET, allow_rematch=allow_rematch)
    assert (
        refused(draft, decision)
        == f"round 4 has no bye to give, because everybody has had one: pair it by hand ({rule})"
    )


@pytest.mark.parametrize("chance", range(6))
def test_netrunner_decides_the_bye_by_points(play: Play, chance: int) -> None:
    """A has won no match and ranks above C, who has won one: three drawn matches give 9 points."""
    draft = play(
        "rulebook netrunner-2023\nplayers A B C D E F G\n"
        "round 1\n  A 3-3 B\n  C 6-0 D\n  E 6-0 F\n  G bye\n"
        "round 2\n  A 3-3 E\n  B 6-0 C\n  G 6-0 F\n  D bye\n"
        "round 3\n  A 3-3 G\n  B 6-0 D\n  E 6-0 C\n  F bye\n"
    )
    draft.decide(partial(rounds.pair_round, secret=bytes([chance]) * 32))
    assert [bye.player for bye in latest(draft).byes] == [C]


def test_a_draw_for_the_bye_is_recorded_before_the_pairing(play: Play) -> None:
    """L5R-IV.2a-BYE: the lowest player gets the bye, but two players are lowest."""
    draft = play("rulebook l5r-2018\nplayers A B C D E\nround 1\n  A > B\n  C > D\n  E bye\n")
    tie, paired = draft.decide(pair)
    assert tie.fact.kind == "tie-resolved"
    assert set(tie.fact.players) == {B, D}
    assert paired.fact.byes == (Bye(player=tie.fact.players[-1]),)  # type: ignore[union-attr] # a round


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        ("rulebook l5r-2018\n", "0 active players cannot be paired: a round needs two, register or rejoin more"),
        (
            "rulebook l5r-2018\nplayers A\n",
            "1 active player cannot be paired: a round needs two, register or rejoin more",
        ),
        (PLAYED + "draw A C\ncut 2\n", "the cut is made: the Swiss rounds are over"),
    ],
)
def test_pairing_a_finished_event_is_refused(play: Play, refused: Refused, sheet: str, reason: str) -> None:
    assert refused(play(sheet), pair) == reason


def test_a_round_is_finished_before_the_next_is_paired(play: Play, refused: Refused) -> None:
    draft = play(FOUR)
    draft.decide(pair)
    assert refused(draft, pair) == "round 1 is not finished: tables 1, 2 have no result"
    draft.decide(partial(slips.report, table=1, written=Written(winner=draft.record.rounds()[0].tables[1][0])))
    assert refused(draft, pair) == "round 1 is not finished: table 2 has no result"


# -- by hand


def test_a_round_paired_by_hand_has_no_seed(play: Play) -> None:
    [entry] = play(FOUR).decide(partial(rounds.pair_by_hand, games=seatings((A, C), (B, D))))
    assert isinstance(entry.fact, RoundPaired)
    assert entry.fact.seed is None


def test_a_rematch_by_hand_has_its_own_entry(play: Play) -> None:
    decision = partial(rounds.pair_by_hand, games=seatings((B, A), (C, D)), rematches=[(B, A), (C, D)])
    kinds = [entry.fact.kind for entry in play(PLAYED).decide(decision)]
    assert kinds == ["rematch-allowed", "rematch-allowed", "round-paired"]


@pytest.mark.parametrize(
    ("games", "byes", "reason"),
    [
        ([(A, B), (C, D)], [], f"A and B {MET}"),
        ([(C, A), (A, D)], [], "A is paired twice in this round"),
        ([(A, C)], [A], "A is paired twice in this round"),
        ([(A, A)], [], "A is paired twice in this round"),
        ([(A, C)], [B, B], "B is paired twice in this round"),
        ([(A, E)], [], "E is dropped: rejoin the player first, or name another"),
        ([(A, C)], [F], "F is disqualified: name another, or retract entry 14 first"),
    ],
)
def test_a_pairing_by_hand_is_checked(
    play: Play, refused: Refused, games: list[tuple[int, int]], byes: list[int], reason: str
) -> None:
    draft = play(
        "rulebook l5r-2018\nplayers A B C D E F\nround 1\n  A > B\n  C > D\n  E > F\ndrop E\ndisqualify F\n"
    )
    decision = partial(rounds.pair_by_hand, games=seatings(*games), byes=[Bye(player=player) for player in byes])
    assert refused(draft, decision) == reason


def test_each_table_is_used_once(play: Play, refused: Refused) -> None:
    games = [Seating(table=4, players=(A, C)), Seating(table=4, players=(B, D))]
    assert refused(play(PLAYED), partial(rounds.pair_by_hand, games=games)) == (
        "table 4 is used twice in this round"
    )


def test_rounds_are_paired_in_order(play: Play, refused: Refused) -> None:
    decision = partial(rounds.pair_by_hand, games=seatings((A, C), (B, D)), number=3)
    assert refused(play(PLAYED), decision) == "the next round is 2, not 3"


def test_in_elimination_players_may_meet_again(play: Play) -> None:
    draft = play(FOUR + "round 1\n  A > B\n  C > D\ndraw A C\ncut 2\n")
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, C)), stage="elimination"))
    draft.decide(partial(slips.report, table=1, written=Written(winner=1)))
    elimination = draft.record.latest_round("elimination")
    assert elimination is not None
    assert elimination.outstanding == ()


# -- starting


def test_a_round_can_start_once(play: Play, refused: Refused) -> None:
    draft = play(FOUR)
    assert refused(draft, clock.start_round) == "no round is paired: pair one first"
    draft.decide(pair)
    [entry] = draft.decide(partial(clock.start_round, minutes=65))
    assert entry.fact.minutes == 65  # type: ignore[union-attr] # a start
    assert refused(draft, clock.start_round) == "round 1 has started already"


def test_a_round_with_a_result_has_started(play: Play, refused: Refused) -> None:
    assert refused(play(PLAYED), clock.start_round) == "round 1 has started already"


# -- amending


def test_an_amendment_seats_only_the_named_players(play: Play) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C D E F\n")
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, B), (C, D), (E, F))))
    [entry] = draft.decide(partial(rounds.amend_pairing, games=[(A, E), (B, F)]))
    assert entry.fact == PairingAmended(
        round=1,
        removed=(Seating(table=1, players=(A, B)), Seating(table=3, players=(E, F))),
        added=(Seating(table=1, players=(A, E)), Seating(table=3, players=(B, F))),
    )
    assert latest(draft).tables == {1: (A, E), 2: (C, D), 3: (B, F)}


def test_an_amendment_can_move_the_bye(play: Play) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C\n")
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, B)), byes=[Bye(player=C)]))
    draft.decide(partial(rounds.amend_pairing, games=[(C, B)], byes=[A]))
    assert latest(draft).tables == {1: (C, B)}
    assert [bye.player for bye in latest(draft).byes] == [A]
    assert latest(draft).players == {A, B, C}


def test_late_player_meets_the_player_with_the_bye(play: Play) -> None:
    draft = play("rulebook pokemon-2009\nplayers A B C\nround 1\n  A > B\n  C bye\n")
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, C)), byes=[Bye(player=B)]))
    draft.decide(partial(roster.arrive_late, person=Person(name="H")))
    assert latest(draft).tables == {1: (A, C), 2: (B, 4)}
    assert latest(draft).byes == ()


@pytest.mark.parametrize(
    ("games", "byes", "reason"),
    [
        ([(A, C)], [], "B at table 1 would be left without an opponent: name that player too"),
        ([], [A], "B at table 1 would be left without an opponent: name that player too"),
        ([(A, E), (B, F)], [], "table 3 has a result: to reseat its players, retract entry 14 first"),
        ([(A, C), (B, C)], [D], "C is paired twice in this round"),
        ([(A, D), (B, C)], [], f"A and D {MET}"),
        ([], [], "no player is named: name the players who change tables, or who get a bye"),
    ],
)
def test_an_amendment_leaves_no_player_out(
    play: Play, refused: Refused, games: list[tuple[int, int]], byes: list[int], reason: str
) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C D E F\nround 1\n  A > D\n  B > E\n  C > F\n")
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, B), (C, D), (E, F))))
    draft.decide(partial(slips.report, table=3, written=Written(winner=0)))
    assert refused(draft, partial(rounds.amend_pairing, games=games, byes=byes)) == reason


def test_an_amendment_can_allow_a_rematch(play: Play) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, C), (B, D))))
    entries = draft.decide(partial(rounds.amend_pairing, games=[(A, B), (C, D)], rematches=[(A, B), (C, D)]))
    assert [entry.fact.kind for entry in entries] == ["rematch-allowed", "rematch-allowed", "pairing-amended"]
    assert draft.record.rematch_allowed(2, A, B)


def test_amending_needs_a_round(play: Play, refused: Refused) -> None:
    assert (
        refused(play(FOUR), partial(rounds.amend_pairing, games=[(A, B)])) == "no round is paired: pair one first"
    )


def test_a_later_amendment_builds_on_the_earlier_one(play: Play) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C D E F\n")
    draft.decide(partial(rounds.pair_by_hand, games=seatings((A, B), (C, D), (E, F))))
    for games in ([(A, C), (B, D)], [(A, E), (C, F)], [(B, C), (D, F)]):
        draft.decide(partial(rounds.amend_pairing, games=games))
        assert sorted(player for two in latest(draft).tables.values() for player in two) == [A, B, C, D, E, F]
    assert latest(draft).tables == {1: (A, E), 2: (B, C), 3: (D, F)}


def test_table_numbers_begin_in_the_highest_group(play: Play) -> None:
    draft = play("rulebook l5r-2018\nplayers " + " ".join("ABCDEFGHIJKLMNOP") + "\n")
    for _ in range(3):
        draft.decide(pair)
        report_the_rest(draft)
    draft.decide(pair)
    points = standings(draft.record, 3).table.points
    tables = [max(points[player] for player in two) for two in latest(draft).tables.values()]
    assert all(upper >= lower for upper, lower in pairwise(tables))


def test_players_with_equal_points_meet_in_round_2(play: Play) -> None:
    """L5R-IV.2a-GROUP: every table of round 2 has two winners or two losers of round 1."""
    draft = play("rulebook l5r-2018\nplayers " + " ".join("ABCDEFGHIJKLMNOP") + "\n")
    draft.decide(pair)
    report_the_rest(draft)
    draft.decide(pair)
    points = standings(draft.record, 1).table.points
    assert all(points[one] == points[other] for one, other in latest(draft).tables.values())


def test_another_secret_draws_another_first_round(play: Play) -> None:
    """L5R-IV.2a-R1."""
    drawn = set()
    for secret in (bytes([number]) * 32 for number in range(4)):
        draft = play("rulebook l5r-2018\nplayers A B C D E F G H\n")
        draft.decide(partial(rounds.pair_round, secret=secret))
        drawn.add(tuple(latest(draft).tables.values()))
    assert len(drawn) > 1


def test_four_players_meet_each_other_in_three_rounds(play: Play) -> None:
    """L5R-IV.2-REMATCH."""
    draft = play("rulebook l5r-2018\nplayers A B C D\n")
    met: list[tuple[int, ...]] = []
    for _ in range(3):
        draft.decide(pair)
        met += [tuple(sorted(two)) for two in latest(draft).tables.values()]
        report_the_rest(draft)
    assert sorted(met) == [(A, B), (A, C), (A, D), (B, C), (B, D), (C, D)]


def test_the_lower_of_two_players_without_a_win_has_the_bye(play: Play) -> None:
    """L5R-IV.2a-BYE: B has a loss and D a modified loss."""
    draft = play("rulebook l5r-2018\nplayers A B C D E\nround 1\n A > B\n C > D modified-loss\n E bye\n")
    table = crosstable(draft.record, draft.record.rulebook, 1)
    assert bye_classes(draft.record, table, [A, B, C, D, E])[0] == [D]


def _won(rulebook: str) -> Written:
    return Written(winner=0, blood_points=5) if rulebook == "ashes-2022" else Written(winner=0)
