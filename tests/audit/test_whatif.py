"""Whatif: results under other assumptions are marked as hypothetical and never recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tv_x import tv_x

from matchledger.cli import run
from matchledger.commands.refusal import Refusal
from matchledger.ledger import open_ledger, verify
from matchledger.notation.slip import Written
from matchledger.service.importing import Transcription
from matchledger.service.suppositions import Supposition, suppose
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.cutline import CutLine, cut_line

Replay = Callable[[str], Transcription]
TV_X = tv_x(event="Club")


class Club:
    """A ledger, and commands that only read it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], sheet: str = TV_X) -> None:
        self.path = folder / "event.ledger"
        self._capsys = capsys
        file = folder / "event.sheet"
        file.write_text(sheet)
        assert run(["import", str(file), "--ledger", str(self.path)]) == 0

    def __call__(self, *arguments: str, code: int = 0) -> str:
        self._capsys.readouterr()
        assert run([*arguments, "--ledger", str(self.path)]) == code
        printed = self._capsys.readouterr()
        return printed.err if code else printed.out

    def head(self) -> str:
        with open_ledger(self.path) as ledger:
            tournament = ledger.tournaments()[0]
            assert verify(ledger, tournament) == []
            return str(ledger.head(tournament))


@pytest.fixture
def club(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Club:
    return Club(tmp_path, capsys)


def test_a_changed_result_changes_the_table_and_the_cut(club: Club) -> None:
    lines = club("whatif", "--set", "3 2 b", "--cut", "4").splitlines()
    # If D beats B, D has 21 points too, with 5 in strength of schedule. A and C have 6 in strength of schedule.
    assert lines[:4] == [
        "Club, l5r-2018",
        "HYPOTHETICAL: nothing of this was recorded.",
        "  if round 3, table 2 corrected (was entry 23): D beat B",
        "Standings after round 3 would be",
    ]
    cut = lines[lines.index(next(line for line in lines if line.startswith("HYPOTHETICAL cut"))) :]
    assert cut[0] == "HYPOTHETICAL cut of 4: F, A, C, D"
    assert cut[1:] == ["  in who is not: D", "  out who is in: B"]


def test_whatif_never_changes_the_log(club: Club) -> None:
    before, stored = club.head(), club("log", "--json")
    club("whatif", "--set", "3 2 b", "--set", "1 1 b", "--remove", "2 4", "--drop", "C", "--cut", "4")
    club("whatif", "--rulebook", "pokemon-2009", "--cut", "4", "--json")
    assert club.head() == before
    assert club("log", "--json") == stored


def test_removing_a_result_leaves_the_table_open(replay: Replay) -> None:
    draft = replay(TV_X + "correct 2 E > B\n").draft
    supposed = suppose(draft.entries, Supposition(removed=[(2, 4)])).record
    round_ = supposed.round(2)
    assert round_ is not None
    assert round_.outstanding == (4,)
    points = {supposed.players[row.player].name: row.points for row in standings(supposed, 3).rows}
    assert (points["B"], points["E"]) == (11, 2)


def test_a_future_result_can_be_supposed(replay: Replay) -> None:
    draft = replay(TV_X.replace("  H > E", "  H - E")).draft
    supposed = suppose(draft.entries, Supposition(results=[(3, 4, Written(winner=1))])).record
    assert {supposed.players[row.player].name: row.points for row in standings(supposed).rows}["E"] == 12


def test_a_player_who_leaves_makes_room_in_the_cut(club: Club) -> None:
    out = club("whatif", "--drop", "F", "--cut", "3")
    assert "HYPOTHETICAL cut of 3: A, C, B" in out
    assert "  in who is not: B\n  out who is in: F\n" in out


def test_shared_places_are_marked_as_open(replay: Replay) -> None:
    record = replay(TV_X).draft.record
    table = standings(record)
    # TV-X-L5R: A and C are tied behind F.
    assert cut_line(record, table, 2) == CutLine(2, (6,), (1, 3), 1)
    assert cut_line(record, table, 3) == CutLine(3, (6, 1, 3), (), 0)
    assert cut_line(record, table, 1) == CutLine(1, (6,), (), 0)


def test_whatif_shows_the_cut_under_another_rulebook(club: Club) -> None:
    document = json.loads(club("whatif", "--rulebook", "pokemon-2009", "--cut", "2", "--json"))
    assert document["hypothetical"] is True
    assert document["rulebook"] == "pokemon-2009"
    # TV-X-PKM ranks F, C, A, ... Under l5r-2018 A and C are tied for second place.
    assert document["cut"]["would_be"] == {"size": 2, "inside": ["F", "C"], "level": [], "places_left": 0}
    assert document["cut"]["was"] == {"size": 2, "inside": ["F"], "level": ["A", "C"], "places_left": 1}


def test_whatif_works_in_a_closed_tournament_with_a_cut_that_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = TV_X + "draw A C\ncut 2\nelimination 1\n  F > A\nclose\n"
    club = Club(tmp_path, capsys, sheet)
    document = json.loads(club("whatif", "--set", "3 1 b", "--json"))
    assert document["supposed"] == [
        "entry 30 retracted",
        "round 3, table 1 corrected (was entry 22): C beat F",
    ]
    assert document["cut"]["would_be"]["size"] == 2
    assert document["position"] is None


def test_a_supposition_without_results_moves_no_player(club: Club) -> None:
    assert club("whatif").splitlines()[-1] == "No player would move."


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--set", "3 b"], 2, "'3 b' is not a round and a table, such as '3 12'"),
        (["--set", "3 2"], 2, "an outcome is missing"),
        (["--remove", "2"], 2, "'2' is not a round and a table, such as '3 12'"),
        (["--set", "9 1 a"], 3, "round 9 is not paired"),
        (["--remove", "9 1"], 3, "round 9 is not paired"),
        (["--remove", "1 9"], 3, "table 9 of round 1 has no result to remove"),
        (["--set", "1 1 draw"], 3, "l5r-2018 has no draws"),
        (["--set", "1 1 a"], 3, "table 1 of round 1 has this result already (entry 12)"),
        (["--drop", "Zoe"], 2, "there is no player 'Zoe'"),
    ],
)
def test_an_impossible_supposition_is_refused_in_one_line(
    club: Club, arguments: list[str], code: int, message: str
) -> None:
    said = club("whatif", *arguments, code=code)
    assert said.startswith(f"matchledger: {message}")
    assert said.count("\n") == 1


def test_a_supposition_does_not_change_the_entries_that_it_starts_from(replay: Replay) -> None:
    draft = replay(TV_X).draft
    before = list(draft.entries)
    supposed = suppose(draft.entries, Supposition(dropped=[6]))
    assert draft.entries == before
    assert draft.record.status(6) == "active"
    assert supposed.record.status(6) == "dropped"


def test_removing_a_result_that_does_not_exist_is_refused(replay: Replay) -> None:
    draft = replay(TV_X.replace("  H > E", "  H - E")).draft
    with pytest.raises(Refusal, match=r"^table 4 of round 3 has no result to remove$"):
        suppose(draft.entries, Supposition(removed=[(3, 4)]))
