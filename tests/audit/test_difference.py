"""Comparing two moments, and printing a sheet exactly as it was posted."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from freezegun import freeze_time
from hypothesis import given, settings
from tests.audit.random_events import RandomEvent, events, play
from tests.event import deciding
from tests.tv_x import tv_x

from matchledger.cli import run
from matchledger.commands import results as slips
from matchledger.commands import rulings
from matchledger.commands import tournaments as opening
from matchledger.events import Entry, StandingsPosted
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import fold
from matchledger_projections.stages.postings import mispostings
from matchledger_projections.standings.standings import Row, standings
from matchledger_projections.views.attribution import View, only_in_one
from matchledger_projections.views.difference import Change, difference

Replay = Callable[[str], Transcription]


def rows(entries: list[Entry], view: View) -> dict[int, Row]:
    return {row.player: row for row in standings(fold(entries[: view.position]), view.round).rows}


def test_diff_of_a_moment_with_itself_moves_no_player(replay: Replay) -> None:
    entries = replay(tv_x()).draft.entries
    assert difference(entries, View(25, 3), View(25, 3)).moves == ()


def test_diff_names_a_correction_for_each_player_whom_it_moved(replay: Replay) -> None:
    # TV-UNDO: F beat A by the first slip of round 1, and A beat F by its correction.
    draft = replay(tv_x() + "correct 1 A > F\n").draft
    found = difference(draft.entries, View(25, 3), View(26, 3))
    assert {move.cause for move in found.moves} == {((26,), "removal")}
    changes = {draft.record.players[move.player].name: move.changes for move in found.moves}
    assert Change("points", 30, 21) in changes["F"]
    assert Change("rank", 2, 1) in changes["A"]


def test_a_retracted_ruling_that_names_no_table_moves_no_player(replay: Replay) -> None:
    draft = replay(tv_x() + "correct 1 A > F\n").draft
    [ruling] = draft.decide(deciding(rulings.GiveRuling, question="May I?", outcome="Yes", judge="Jude"))
    draft.decide(partial(slips.retract, entry=ruling))
    found = difference(draft.entries, View(25, 3), View(28, 3))
    assert {move.cause for move in found.moves} == {((26,), "removal")}


def test_each_of_two_corrections_is_named_only_for_the_players_whom_it_moved(replay: Replay) -> None:
    # The players of A - B and of C - D never meet. A correction of one match moves the places of the other two
    # players, but changes none of their tiebreakers.
    sheet = "rulebook street-warriors-2004\nplayers A B C D\nround 1\n A > B\n C > D\n"
    draft = replay(sheet + "correct 1 A = B\ncorrect 1 C = D\n").draft
    found = difference(draft.entries, View(9, 1), View(11, 1))
    causes = {draft.record.players[move.player].name: move.cause.entries for move in found.moves}
    assert causes == {"A": (10, 11), "B": (10, 11), "C": (10, 11), "D": (10, 11)}
    assert {move.cause.how for move in found.moves} == {"removal"}


def test_diff_names_only_the_last_of_two_corrections_of_a_slip(replay: Replay) -> None:
    draft = replay(tv_x() + "correct 1 A > F modified-win\ncorrect 1 A > F\n").draft
    found = difference(draft.entries, View(25, 3), View(27, 3))
    assert {move.cause.entries for move in found.moves} == {(27,)}


def test_entries_with_the_same_effect_are_named_together(replay: Replay) -> None:
    # A win and a judgment give the same points, so A has the same points after either of the two corrections.
    draft = replay(tv_x() + "correct 1 A > F\ncorrect 1 A > F judgment\n").draft
    move = difference(draft.entries, View(25, 3), View(27, 3)).moves[0]
    assert (draft.record.players[move.player].name, move.cause) == ("A", ((26, 27), "together"))


def test_a_correction_that_was_reversed_is_not_named(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\n").draft
    for winner in (1, 0, 1):
        draft.decide(
            partial(slips.correct, table=1, round_=1, written=Written(kind="win", winner=winner), override=True)
        )
    # Entry 10 gives the win to b, entry 11 to a, entry 12 to b again. Only without entry 12 would A have won.
    assert draft.entries[-1].position == 12
    causes = {move.cause for move in difference(draft.entries, View(9, 1), View(12, 1)).moves}
    assert causes == {((12,), "removal")}


def test_the_two_clocks_differ_in_a_round_that_was_corrected_later(replay: Replay) -> None:
    # TV-UNDO-3: as known, the winners are G, C, D and F. As corrected, they are G, C, D and A.
    draft = replay(tv_x() + "correct 1 A > F\n").draft
    found = difference(draft.entries, View(15, 1), View(26, 1))
    points = {
        draft.record.players[move.player].name: [(c.before, c.after) for c in move.changes if c.name == "points"]
        for move in found.moves
    }
    assert points["A"] == [(1, 10)]
    assert points["F"] == [(10, 1)]


def test_diff_of_two_rounds_names_the_results_between_them(replay: Replay) -> None:
    draft = replay(tv_x()).draft
    found = difference(draft.entries, View(25, 2), View(25, 3))
    named = {position for move in found.moves for position in move.cause.entries}
    assert named == {22, 23, 24, 25}


def test_diff_names_the_same_entries_in_both_directions(replay: Replay) -> None:
    draft = replay(tv_x() + "correct 1 A > F\n").draft
    forward = difference(draft.entries, View(25, 3), View(26, 3))
    back = difference(draft.entries, View(26, 3), View(25, 3))
    assert {move.player: move.cause for move in forward.moves} == {move.player: move.cause for move in back.moves}


@settings(max_examples=40)
@given(events(most_players=8))
def test_diff_names_an_entry_if_and_only_if_the_standings_line_differs_without_it(event: RandomEvent) -> None:
    entries, last = event.entries, event.record
    rounds = last.finished_rounds
    first, second = View(len(entries) // 2, 1), View(len(entries), rounds)
    if fold(entries[: first.position]).latest_round() is None:
        return
    found = difference(entries, first, second)
    before, after = rows(entries, first), rows(entries, second)
    assert {move.player for move in found.moves} == {
        player for player in {*before, *after} if before.get(player) != after.get(player)
    }
    candidates = [(entry, first, before) for entry in only_in_one(entries, first, second)[0]]
    candidates += [(entry, second, after) for entry in only_in_one(entries, first, second)[1]]
    for entry, view, whole in candidates:
        if entry.fact.kind in ("round-paired", "player-registered", "player-arrived-late"):
            continue  # other entries refer to this entry, so it cannot be left out
        left_out = [other for other in entries[: view.position] if other.position != entry.position]
        without = {row.player: row for row in standings(fold(left_out), view.round).rows}
        for move in found.moves:
            if move.cause.how == "removal":
                moved = whole.get(move.player) != without.get(move.player)
                assert (entry.position in move.cause.entries) == moved


@settings(max_examples=30)
@given(events(most_players=8))
def test_the_quick_diff_of_a_large_log_misses_no_entry_that_changed_points(event: RandomEvent) -> None:
    entries = event.entries
    first, second = View(len(entries) // 2, 1), View(len(entries), event.record.finished_rounds)
    if fold(entries[: first.position]).latest_round() is None:
        return
    exact = {move.player: move for move in difference(entries, first, second).moves}
    rough = {move.player: move for move in difference(entries, first, second, largest=0).moves}
    assert exact.keys() == rough.keys()
    for player, move in rough.items():
        assert move.cause.how == "dependency"
        own = [
            position
            for position in exact[player].cause.entries
            if exact[player].cause.how == "removal" and player in getattr(entries[position - 1].fact, "players", ())
        ]
        if any(change.name == "points" for change in move.changes):
            assert set(own) <= set(move.cause.entries)


# -- as posted


def test_a_posting_matches_the_log_before_it(replay: Replay) -> None:
    draft = replay(tv_x()).draft
    draft.decide(deciding(opening.PostStandings))
    draft.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1), override=True))
    draft.decide(deciding(opening.PostStandings))
    assert list(mispostings(fold(draft.entries))) == []


def test_a_false_posting_is_found_with_its_line(replay: Replay) -> None:
    draft = replay(tv_x()).draft
    draft.decide(deciding(opening.PostStandings))
    posting = draft.entries[-1]
    assert isinstance(posting.fact, StandingsPosted)
    first = posting.fact.rows[0].model_copy(update={"points": 29})
    forged = posting.fact.model_copy(update={"rows": (first, *posting.fact.rows[1:])})
    shorter = posting.fact.model_copy(update={"rows": posting.fact.rows[:-1]})
    entries = draft.entries[:-1]
    tiebreaks = "strength_of_schedule 6/1, extended_strength_of_schedule 6/1"
    said = (
        f"the posted standings after round 3 say 1 F (active, 29 points, {tiebreaks}) in line 1, "
        f"the log says 1 F (active, 30 points, {tiebreaks})"
    )
    assert list(mispostings(fold([*entries, posting.model_copy(update={"fact": forged})]))) == [(26, said)]
    assert list(mispostings(fold([*entries, posting.model_copy(update={"fact": shorter})]))) == [
        (26, "the posted standings after round 3 have 7 lines, the log gives 8")
    ]


@settings(max_examples=20)
@given(events())
def test_every_posting_of_a_random_tournament_can_be_replayed(event: RandomEvent) -> None:
    draft = Draft(event.entries[0].tournament, fold(event.entries))
    posting = draft.decide(deciding(opening.PostStandings))
    assert list(mispostings(fold([*event.entries, *posting]))) == []


class Desk:
    """A ledger on which a test types commands and reads their output."""

    def __init__(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self._path = str(path / "event.ledger")
        self._capsys = capsys
        sheet = path / "event.sheet"
        sheet.write_text(tv_x())
        assert run(["import", str(sheet), "--ledger", self._path]) == 0

    def __call__(self, *arguments: str, code: int = 0) -> str:
        self._capsys.readouterr()
        assert run([*arguments, "--ledger", self._path]) == code
        printed = self._capsys.readouterr()
        return printed.out if code == 0 else printed.err


@pytest.fixture
def desk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Desk:
    with freeze_time("2026-05-03 12:00:00"):
        return Desk(tmp_path, capsys)


def test_the_posted_sheet_is_printed_byte_for_byte(desk: Desk) -> None:
    desk("post")
    text, document = desk("standings"), desk("standings", "--json")
    desk("correct", "1", "1", "b", "--yes", "--override", "--reason", "a wrong slip")
    desk("tie")
    assert desk("standings") != text
    assert desk("standings", "--round", "3", "--as-known") == text
    assert desk("standings", "--as-known") == text
    assert desk("standings", "--round", "3", "--as-known", "--json") == document
    assert desk("standings", "--round", "3", "--as-corrected") != text
    assert "Standings after round 3, as known, entry 26\n" in text


def test_a_round_is_shown_as_posted_before_the_last_pairing_of_the_next_round(desk: Desk) -> None:
    desk("post")
    desk("pair", "--allow-rematch")
    latest = json.loads(desk("pairings", "--json"))["position"]
    desk("retract", str(latest), "--yes")
    desk("correct", "1", "1", "b", "--yes", "--override", "--reason", "a wrong slip")
    desk("post")
    text = desk("standings")
    desk("pair", "--allow-rematch")
    desk("correct", "1", "1", "a", "--yes", "--override", "--reason", "a wrong slip")
    assert desk("standings", "--round", "3", "--as-known") == text


def test_a_moment_can_be_typed_in_several_forms(desk: Desk) -> None:
    with freeze_time("2026-05-03 13:00:00"):
        desk("post")
    with freeze_time("2026-05-03 14:00:00"):
        desk("correct", "1", "4", "b", "--yes", "--override", "--reason", "a wrong slip")
        desk("post")
    labels = {
        "posted:3.1": "round 3 as posted, entry 26",
        "posted": "round 3 as posted, entry 28",
        "known:2": "round 2 as known, entry 20",
        "round:2": "round 2 as corrected, entry 28",
        "now": "round 3 as it stands, entry 28",
        "now@1": "round 1 as it stands, entry 28",
        "22@2": "round 2 as known at 22, entry 22",
        "2026-05-03T13:30+00:00": "round 3 as known at 2026-05-03T13:30+00:00, entry 26",
    }
    for moment, label in labels.items():
        assert desk("diff", moment, "now").splitlines()[1] == f"From {label}"


def test_diff_prints_the_entry_behind_each_move(desk: Desk) -> None:
    desk("post")
    desk("correct", "1", "4", "b", "--yes", "--override", "--reason", "the judge saw it", "--actor", "Dee")
    lines = desk("diff", "posted").splitlines()
    assert lines[4].split() == ["Player", "Place", "TP", "What", "else", "changed", "Moved", "by", "entry"]
    assert lines[5].startswith("A       2= -> 1  21 -> 30")
    assert lines[5].endswith("  27")
    assert "An entry is named where the line would be another without it." in lines
    assert lines[-1].endswith("round 1, table 4 corrected (was entry 15): A beat F; the judge saw it")


def test_diff_as_json_has_both_moments_and_every_change(desk: Desk) -> None:
    desk("post")
    desk("correct", "1", "4", "b", "--yes", "--override", "--reason", "a wrong slip")
    document = json.loads(desk("diff", "posted:3", "now", "--json"))
    assert document["from"] == {"position": 26, "round": 3}
    assert document["to"] == {"position": 27, "round": 3}
    move = next(move for move in document["moves"] if move["player"] == "A")
    assert move["changes"]["points"] == [21, 30]
    assert move["changes"]["rank"] == [2, 1]
    assert (move["entries"], move["how"]) == ([27], "removal")


def test_diff_reports_no_change_in_one_line(desk: Desk) -> None:
    assert desk("diff", "25", "now").splitlines()[-1] == "No player moved."


@pytest.mark.parametrize(
    ("moment", "message"),
    [
        ("posted", "no standings were posted"),
        ("posted:2", "no standings after round 2 were posted"),
        ("round:9", "round 9 is not paired"),
        ("now@9", "round 9 was not paired at now"),
        ("now@x", "'now@x' is not a moment: write the number of a round after @"),
        ("soon", "'soon' is neither a position nor a time such as 14:20 or 2026-05-03T14:20"),
        ("99", "there is no entry 99: the log has 25 entries"),
    ],
)
def test_an_invalid_moment_is_refused_in_one_line(desk: Desk, moment: str, message: str) -> None:
    assert desk("diff", moment, code=2) == f"matchledger: {message}\n"


def test_for_a_large_log_diff_says_that_it_names_possible_causes() -> None:
    event = play(5, "l5r-2018", 16, 4, calm=True)
    found = difference(event.entries, View(len(event.entries), 1), View(len(event.entries), 4), largest=100)
    assert {move.cause.how for move in found.moves} == {"dependency"}
    assert all(move.cause.entries for move in found.moves)
