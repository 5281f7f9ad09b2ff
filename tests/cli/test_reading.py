"""Reading: documents for scripts, plain text sheets, and past rounds as known and as corrected."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Desk
from tests.desk import Said
from tests.tv_x import SCORED, tv_x

# -- documents


def test_standings_as_json_have_the_documented_fields(played: Desk) -> None:
    document = played("standings --json").document
    assert list(document) == [
        "tournament",
        "rulebook",
        "hypothetical",
        "round",
        "clock",
        "position",
        "outstanding",
        "unsettled",
        "unit",
        "standings",
    ]
    assert document["standings"][0] == {
        "rank": 1,
        "player": "Ann",
        "number": 1,
        "division": None,
        "points": 10,
        "status": "active",
        "tied": True,
        "tiebreaks": {"strength_of_schedule": "1/1", "extended_strength_of_schedule": "10/1"},
    }
    rest = {key: value for key, value in document.items() if key != "standings"}
    assert rest == {
        "tournament": "Friday",
        "rulebook": "l5r-2018",
        "hypothetical": False,
        "round": 1,
        "clock": "as-known",
        "position": 8,
        "outstanding": [],
        "unsettled": {"missing": [], "contested": []},
        "unit": "TP",
    }


def test_pairings_as_json_have_the_documented_fields(four: Desk) -> None:
    four("report 1 a")
    assert four("pairings --round 1 --json").document == {
        "tournament": "Friday",
        "stage": "swiss",
        "round": 1,
        "clock": "as-corrected",
        "position": 7,
        "seed": None,
        "pairings": [
            {
                "table": 1,
                "players": ["Ann", "Bo"],
                "result": {
                    "kind": "win",
                    "winner": "Ann",
                    "scores": None,
                    "blood_points": None,
                    "entry": 7,
                    "games": None,
                },
            },
            {"table": 2, "players": ["Cy", "Di"], "result": None},
        ],
        "byes": [],
    }


def test_a_round_shows_the_seed_that_it_was_drawn_from(played: Desk) -> None:
    played("pair")
    document = played("pairings --json").document
    assert len(bytes.fromhex(document["seed"])) == 32
    assert document["round"] == 2


def test_the_log_prints_one_json_document_per_line(four: Desk) -> None:
    four("report 1 a --actor Mo --role judge --station south --reason pile --command-id c1")
    entries = [json.loads(line) for line in four("log --json").lines]
    assert [entry["position"] for entry in entries] == list(range(1, 8))
    assert set(entries[-1]) == {
        "tournament",
        "position",
        "recorded_at",
        "actor",
        "role",
        "station",
        "command",
        "reason",
        "token",
        "fact",
    }
    said = {key: entries[-1][key] for key in ("actor", "role", "station", "reason", "command")}
    assert said == {"actor": "Mo", "role": "judge", "station": "south", "reason": "pile", "command": "c1"}


def test_sheets_print_as_plain_text(played: Desk) -> None:
    played("tie Cy Ann")
    played("drop Di")
    assert played("standings").lines == [
        "Friday, l5r-2018",
        "Standings after round 1, as known, entry 10",
        "    Player  TP      SoS  Ext. SoS  Lot",
        " 1  Cy      10   1.0000   10.0000    1",
        " 2  Ann     10   1.0000   10.0000    2",
        "3=  Bo       1  10.0000    1.0000",
        "3=  Di       1  10.0000    1.0000       dropped",
        "= tied; `tie` draws the order.",
    ]
    assert played("pairings --by-name").out == (
        "Round 1, as known, entry 10\n"
        "Player  Table  Opponent\n"
        "Ann         1  Bo\n"
        "Bo          1  Ann\n"
        "Cy          2  Di\n"
        "Di          2  Cy\n"
    )
    listed = played("pairings --by-name --csv").lines
    assert listed == ["Player,Table,Opponent", "Ann,1,Bo", "Bo,1,Ann", "Cy,2,Di", "Di,2,Cy"]
    refused = played("pairings --by-name --json")
    assert (refused.code, refused.problem) == (2, "the JSON document lists tables: leave --by-name out")


def test_standings_of_a_round_with_open_tables_are_provisional(four: Desk) -> None:
    four("report 1 a")
    assert "PROVISIONAL: no result from table 2." in four("standings --round 1").lines


@pytest.mark.parametrize("line", ["log", "places", "policies", "integrity", "history Ann"])
def test_lines_fit_a_narrow_terminal(played: Desk, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    """Before the fix, the terminal broke long lines in the middle of a word."""
    for step in ("tie Ann Cy", "tie Bo Di", "cut 2 --yes --reason few", "penalty Ann warning --for unsporting"):
        assert played(step).code == 0
    whole = played(line)
    monkeypatch.setenv("COLUMNS", "40")
    assert played(line) == whole, "a pipe gets whole lines"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    narrow = played(line)
    assert max(map(len, whole.lines)) > 40
    assert max(map(len, narrow.lines)) <= 40
    assert narrow.out.split() == whole.out.split()
    if line == "places":
        played("places --out places.txt")
        assert Path("places.txt").read_text("utf-8") == whole.out


def test_standings_under_another_rulebook_are_hypothetical(played: Desk) -> None:
    said = played("standings --rulebook pokemon-2009")
    assert said.lines[0] == "Friday, pokemon-2009"
    assert said.lines[2] == "HYPOTHETICAL: the tournament was played under l5r-2018."
    document = played("standings --rulebook pokemon-2009 --json").document
    assert (document["rulebook"], document["hypothetical"]) == ("pokemon-2009", True)
    assert [row["points"] for row in document["standings"]] == [1, 1, 0, 0]


def test_a_slip_form_is_printed_for_a_table(four: Desk) -> None:
    lines = four("slip 2").lines
    assert lines[0] == "Friday   Round 1   Table 2"
    assert [line.split()[3] for line in lines if "signed" in line] == ["Cy", "Di"]


# -- both clocks

TWO_ROUNDS = tv_x(SCORED[: SCORED.index("round 3")])


def places(said: Said, points: int) -> set[str]:
    """Return the places of a sheet's players who have this many points."""
    return {row["player"] for row in said.document["standings"] if row["points"] == points}


def test_a_past_round_is_shown_as_known_and_as_corrected(desk: Desk, tmp_path: Path) -> None:
    """TV-UNDO-3: after round 2 is paired, the slip of F and A from round 1 turns out to be wrong."""
    (tmp_path / "event.sheet").write_text(TWO_ROUNDS, "utf-8")
    desk("import event.sheet")
    table = next(
        table["table"] for table in desk("pairings -r 1 --json").document["pairings"] if "F" in table["players"]
    )
    assert desk(f"correct 1 {table} b --reason 'both signed the wrong side'").code == 0
    known, corrected = desk("standings -r 1 --as-known --json"), desk("standings -r 1 --json")
    assert places(known, 10) == {"G", "C", "D", "F"}
    assert places(corrected, 10) == {"G", "C", "D", "A"}
    assert places(desk("standings -r 1 --as-corrected --json"), 10) == {"G", "C", "D", "A"}
    assert (known.document["clock"], corrected.document["clock"]) == ("as-known", "as-corrected")
    assert known.document["position"] == 15, "the last entry before round 2 was paired"
    assert ["F", "D"] in [table["players"] for table in desk("pairings -r 2 --json").document["pairings"]]
    assert desk("standings --as-of 15 --json").document["standings"] == known.document["standings"]


def test_the_log_can_be_shown_up_to_a_round_or_a_position(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "event.sheet").write_text(TWO_ROUNDS, "utf-8")
    desk("import event.sheet")
    desk("correct 1 1 b")
    assert len(desk("log").lines) == 1 + 21
    assert [line.split()[0] for line in desk("log --round 1").lines[1:]] == [str(n) for n in [*range(1, 16), 21]]
    assert len(desk("log --as-of 12").lines) == 1 + 12
    assert len(desk("log --round 1 --as-known").lines) == 1 + 15
