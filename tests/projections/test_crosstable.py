"""The crosstable: each player's record, round by round."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from tests.audit.random_events import RandomEvent, events

from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record, fold
from matchledger_projections.standings.crosstable import Crosstable, Line, crosstable

Replay = Callable[[str], Transcription]


def _through(sheet: str, through: int, replay: Replay) -> Crosstable:
    record = replay(sheet).draft.record
    return crosstable(record, record.rulebook, through)


def test_a_match_appears_in_the_records_of_both_players(replay: Replay) -> None:
    table = _through("rulebook ashes-2022\nplayers A B\nround 1\n B > A (9)\n", 1, replay)
    assert table.lines(1) == [Line(1, 2, "loss", 0, 9)]
    assert table.lines(2) == [Line(1, 1, "win", 1, 25)]


def test_a_draw_and_a_double_loss_have_no_winner(replay: Replay) -> None:
    table = _through(
        "rulebook street-warriors-2004\nplayers A B C D\nround 1\n A = B\n C = D double-loss\n", 1, replay
    )
    assert [table.lines(player)[0] for player in (1, 2, 3, 4)] == [
        Line(1, 2, "draw", 1, 0),
        Line(1, 1, "draw", 1, 0),
        Line(1, 4, "loss", 0, 0),
        Line(1, 3, "loss", 0, 0),
    ]


def test_a_bye_is_a_win_without_an_opponent(replay: Replay) -> None:
    table = _through("rulebook ashes-2022\nplayers A B C\nround 1\n A > B (3)\n C bye\n", 1, replay)
    assert table.lines(3) == [Line(1, None, "bye", 1, 25)]
    assert (table.wins(3), table.had_bye(3), table.opponents_of(3)) == (1, True, [])
    assert (table.wins(1), table.had_bye(1), table.opponents_of(1)) == (1, False, [2])


def test_a_bye_gives_the_points_written_on_its_slip(replay: Replay) -> None:
    table = _through("rulebook netrunner-2023\nplayers A B C\nround 1\n A 4-1 B\n C bye (3)\n", 1, replay)
    assert [table.points[player] for player in (1, 2, 3)] == [4, 1, 3]


def test_a_pairing_without_a_result_is_in_no_record(replay: Replay) -> None:
    table = _through("rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C - D\n", 1, replay)
    assert table.lines(3) == []
    assert table.points[3] == 0


def test_later_rounds_are_not_in_the_crosstable(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\nround 2\n A > C\n B > D\n"
    assert [line.round for line in _through(sheet, 1, replay).lines(1)] == [1]
    assert _through(sheet, 2, replay).points[1] == 20


def test_elimination_games_are_not_in_the_table(replay: Replay) -> None:
    """PKM-3.1.5.1-WP, reading c: games after the cut change no Swiss points and no tiebreakers."""
    sheet = (
        "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D modified-win\ncut 2\nelimination 1\n C > A\n"
    )
    table = _through(sheet, 1, replay)
    assert table.points[1:] == [10, 1, 6, 0]


def test_a_late_player_is_charged_with_the_rounds_that_had_started(replay: Replay) -> None:
    sheet = (
        "rulebook pokemon-2009\nplayers A B C D\nround 1\n A > B\n C > D\nlate H 1\n"
        "round 2\n A > C\n H > B\n D bye\n"
    )
    table = _through(sheet, 2, replay)
    assert table.lines(5) == [Line(1, None, "absence", 0, 0), Line(2, 2, "win", 1, 0)]
    assert table.late == {5}
    assert 5 not in _through(sheet, 0, replay).players


def test_a_player_who_returned_is_charged_with_the_missed_rounds(replay: Replay) -> None:
    """L5R-IV.2-REJOIN: the missed rounds are charged in order. The last round played is not charged."""
    sheet = (
        "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\ndrop D\n"
        "round 2\n A > C\n B bye\nround 3\n B > C\n A bye\nrejoin D\nround 4\n A > D\n C bye\n"
    )
    table = _through(sheet, 4, replay)
    assert [(line.round, line.outcome, line.points) for line in table.lines(4)] == [
        (1, "loss", 1),
        (2, "absence", 1),
        (3, "absence", 1),
        (4, "loss", 1),
    ]
    assert 4 not in table.left_after
    assert _through(sheet, 2, replay).left_after == {4: 1}


@pytest.mark.parametrize(
    ("policy", "present", "absent"),
    [
        ("loss", Line(1, 2, "win", 10, 0), Line(1, 1, "loss", 1, 0)),
        ("bye", Line(1, None, "bye", 10, 0), Line(1, None, "absence", 1, 0)),
    ],
)
def test_the_policy_decides_how_a_no_show_counts(policy: str, present: Line, absent: Line, replay: Replay) -> None:
    sheet = f"rulebook l5r-2018\noption POL-L5R-NOSHOW={policy}\nplayers A B\nround 1\n A > B no-show\n"
    table = _through(sheet, 1, replay)
    assert (table.lines(1), table.lines(2)) == ([present], [absent])


def test_a_dropped_player_is_out_of_the_following_rounds(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\ndrop B\nround 2\n A > C\n D bye\n"
    at_once, later = _through(sheet, 1, replay), _through(sheet, 2, replay)
    assert (at_once.status(2), at_once.left_after) == ("dropped", {})
    assert (later.status(2), later.left_after) == ("dropped", {2: 1})
    assert (later.status(1), later.rounds_on_record[2]) == ("active", 1)


def test_a_correction_counts_in_the_round_of_its_match(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B\nround 1\n A > B\ncorrect 1 B > A modified-win\n"
    assert _through(sheet, 1, replay).points[1:] == [0, 6]
    assert _through(sheet + "retract 1 A B\n", 1, replay).points[1:] == [10, 1]


@settings(max_examples=25, deadline=None)
@given(event=events())
def test_a_cached_column_equals_a_new_one(event: RandomEvent) -> None:
    record = Record()
    for place, entry in enumerate(event.entries):
        record.apply(entry)
        if not record.rounds():
            continue
        with record.without(entry.position):
            _tables(record)  # a hypothetical result must leave the record unchanged
        new = _tables(fold(event.entries[: place + 1]))
        assert _tables(record) == new
        assert _tables(record.as_of(record.position)) == new
    for position in range(record.rounds()[0].position, record.position):
        assert _tables(record.as_of(position)) == _tables(fold(event.entries[:position]))


def _tables(record: Record) -> list[list[list[Line]]]:
    """Return the lines of all players after each round, under the tournament's own rulebook."""
    tables = [crosstable(record, record.rulebook, through) for through in range(len(record.rounds()) + 1)]
    return [[table.lines(player) for player in table.players] for table in tables]
