"""Standings: how groups are split, who shares a place, and what a recorded draw does."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

import pytest

from matchledger.events import EntryRetracted, TieResolved
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.standings.standings import Standings, standings

Replay = Callable[[str], Transcription]

CYCLE = """
round 1
  A > B (10)
  C > D (10)
round 2
  C > A (10)
  B > D (10)
round 3
  A > D (10)
  B > C (10)
"""


def _groups(record: Record, table: Standings) -> list[set[str]]:
    return [{record.players[player].name for player in group} for group in table.groups]


def _places(record: Record, table: Standings) -> list[str]:
    """Return every line as it is posted: place, = for a tie, name."""
    return [f"{row.rank or '-'}{'=' if row.tied else ''} {record.players[row.player].name}" for row in table.rows]


# -- head-to-head is about a tied group


@pytest.mark.parametrize("registered", [" ".join(names) for names in permutations("ABCD")])
def test_three_players_who_beat_each_other_in_a_circle_are_tied(registered: str, replay: Replay) -> None:
    record = replay(f"rulebook ashes-2022\nplayers {registered}\n{CYCLE}").draft.record
    assert _groups(record, standings(record)) == [{"A", "B", "C"}, {"D"}]


E_BEAT_D = """
rulebook ashes-2022
players A B C D E F
round 1
  F > C (3)
  B > E (1)
  D > A (14)
round 2
  F > B (6)
  E > D (18)
  A > C (2)
round 3
  F > A (9)
  D > B (18)
  E > C (18)
"""


def test_two_players_are_first_separated_head_to_head(replay: Replay) -> None:
    """ASH-TB1-H2H: E beat D, so E ranks above D, although D's other tiebreakers are better."""
    record = replay(E_BEAT_D).draft.record
    assert _places(record, standings(record)) == ["1 F", "2 E", "3 D", "4 B", "5 A", "6 C"]
    e, d = ({row.player: row for row in standings(record).rows}[number] for number in (5, 4))
    assert (e.points, e.tiebreaks["opponents_wins"], e.tiebreaks["blood_points"]) == (2, Fraction(3), Fraction(51))
    assert (d.points, d.tiebreaks["opponents_wins"], d.tiebreaks["blood_points"]) == (2, Fraction(4), Fraction(68))


def test_the_opponent_of_an_absent_player_gets_all_blood_points(replay: Replay) -> None:
    """ASH-TB3-BP: a player whose opponent does not appear wins with all blood points."""
    record = replay("rulebook ashes-2022\nplayers A B C D\nround 1\n  A > B no-show\n  C > D (7)\n").draft.record
    blood = {row.player: row.tiebreaks["blood_points"] for row in standings(record).rows}
    assert blood == {1: 25, 2: 0, 3: 25, 4: 7}


def test_a_draw_separates_no_players(replay: Replay) -> None:
    house = rulebook_text("pokemon-tom").replace("tiebreaks = [", 'tiebreaks = ["head_to_head", ')
    record = replay("rulebook pokemon-tom\nplayers A B\nround 1\n A = B\n").draft.record
    assert standings(record, 1, parse_rulebook(house)).groups == ((1, 2),)


def test_two_matches_separate_players_by_wins(replay: Replay) -> None:
    house = parse_rulebook(rulebook_text("pokemon-tom").replace("tiebreaks = [", 'tiebreaks = ["head_to_head", '))
    once_each = "rulebook pokemon-tom\nplayers A B\nround 1\n A > B\nround 2\n B > A rematch\n"
    record = replay(once_each).draft.record
    assert standings(record, 2, house).groups == ((1, 2),)


# -- shared places


def test_two_players_who_share_place_1_are_followed_by_place_3(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers D C B A\nround 1\n A > B\n C > D\n").draft.record
    table = standings(record)
    assert _places(record, table) == ["1= C", "1= A", "3= D", "3= B"]
    assert table.ties == [(2, 4), (1, 3)]
    assert [table.rank_of(player) for player in (2, 4, 1, 3)] == [1, 1, 3, 3]


def test_all_players_are_tied_before_the_first_round(replay: Replay) -> None:
    record = replay("rulebook pokemon-2009\nplayers A B C\n").draft.record
    assert _places(record, standings(record)) == ["1= A", "1= B", "1= C"]


def test_an_empty_tournament_has_empty_standings(replay: Replay) -> None:
    table = standings(replay("rulebook l5r-2018\n").draft.record)
    assert (table.order, table.ties, list(table.rows)) == ([], [], [])


def test_a_round_in_progress_is_left_out_until_every_slip_is_in(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C - D\n"
    record = replay(sheet).draft.record
    assert standings(record).round == 0
    assert _places(record, standings(record, 1)) == ["1 A", "2 B", "3= C", "3= D"]


# -- who is out


def test_a_disqualified_player_is_last_and_has_no_place(replay: Replay) -> None:
    """L5R-IV.2-DQ: games against the disqualified player still count, and lower players move up."""
    sheet = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\n"
    fair, foul = (replay(text).draft.record for text in (sheet, sheet + "disqualify A\n"))
    table = standings(foul)
    assert _places(foul, table) == ["1 C", "2= B", "2= D", "- A"]
    assert [row.status for row in table.rows] == ["active", "active", "active", "disqualified"]
    assert (table.unranked, table.rank_of(1)) == ((1,), None)
    before, after = ({row.player: row for row in standings(record).rows}[2] for record in (fair, foul))
    assert (after.points, after.tiebreaks) == (before.points, before.tiebreaks)


def test_a_dropped_player_keeps_the_place(replay: Replay) -> None:
    record = replay(
        "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D modified-win\ndrop A\n"
    ).draft.record
    table = standings(record)
    assert _places(record, table)[0] == "1 A"
    assert next(table.rows).status == "dropped"


def test_each_round_has_its_own_status_of_a_player(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\nround 2\n A > C\n B > D\ndrop D\n"
    record = replay(sheet).draft.record
    assert {row.status for row in standings(record, 1).rows} == {"active"}
    assert [row.status for row in standings(record, 2).rows] == ["active", "active", "active", "dropped"]


# -- which comparison decided


def test_a_policy_ranks_a_player_who_left_behind_tied_players(replay: Replay) -> None:
    sheet = (
        "rulebook pokemon-tom\noption POL-TOM-DROPPED=behind\nplayers A B C D\n"
        "round 1\n A > B\n C > D\ndrop A\nround 2\n B > C\n D bye\n"
    )
    table = standings(replay(sheet).draft.record)
    assert {table.decided_by(1, other) for other in (2, 3, 4)} == {"dropped"}


def test_tardiness_can_decide_a_place(replay: Replay) -> None:
    sheet = (
        "rulebook pokemon-tom\noption POL-TOM-LATE=behind\nplayers A B C D\n"
        "round 1\n A > B\n C > D\nlate L 1\nround 2\n L > A\n C > B\n D bye\n"
    )
    table = standings(replay(sheet).draft.record)
    assert table.decided_by(1, 5) == "tardiness"
    assert [table.measure("tardiness", player) for player in (1, 5)] == [0, 1]


# -- recorded draws

LEVEL = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\n"


def test_a_recorded_order_decides_its_tie_and_nothing_else(replay: Replay) -> None:
    record = replay(LEVEL + "draw C A\n").draft.record
    table = standings(record)
    assert _places(record, table) == ["1 C", "2 A", "3= B", "3= D"]
    assert [row.tiebreaks.get("random_draw") for row in table.rows] == [1, 2, None, None]


def test_a_recorded_order_is_only_for_its_round(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\ndraw C A\n").draft
    draft.decide(lambda _: [TieResolved(round=2, players=(2, 4))])
    assert _places(draft.record, standings(draft.record)) == ["1 C", "2 A", "3= B", "3= D"]


def test_an_order_of_more_players_than_the_tie_still_orders_the_tie(replay: Replay) -> None:
    """After a correction fewer players may be tied than the draw ordered. The drawn order still counts."""
    sheet = "rulebook l5r-2018\nplayers A B C D E F\nround 1\n A > B\n C > D\n E > F\ndraw E C A\n"
    record = replay(sheet + "correct 1 C > D modified-loss\n").draft.record
    assert _places(record, standings(record))[:3] == ["1 E", "2 A", "3 C"]


def test_an_incomplete_order_decides_nothing(replay: Replay) -> None:
    draft = replay(LEVEL).draft
    draft.decide(lambda _: [TieResolved(round=1, players=(1, 2))])
    assert _places(draft.record, standings(draft.record))[:2] == ["1= A", "1= C"]


def test_the_later_of_two_tie_orders_counts_until_it_is_retracted(replay: Replay) -> None:
    draft = replay(LEVEL + "draw C A\n").draft
    later = draft.decide(lambda _: [TieResolved(round=1, players=(1, 3))])[0].position
    assert _places(draft.record, standings(draft.record))[:2] == ["1 A", "2 C"]
    draft.decide(lambda _: [EntryRetracted(retracts=later)])
    assert _places(draft.record, standings(draft.record))[:2] == ["1 C", "2 A"]


# -- another rulebook


def test_a_hypothetical_rulebook_ranks_and_leaves_the_tournament_unchanged(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n A > B modified-win\n C > D\n").draft.record
    ashes = parse_rulebook(rulebook_text("ashes-2022"))
    assert [row.points for row in standings(record, 1, ashes).rows] == [1, 1, 0, 0]
    assert [row.points for row in standings(record, 1).rows] == [10, 6, 1, 0]
    assert record.rulebook.id == "l5r-2018"
