"""Merging two registrations of one person, and transferring a registration to another person."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from tests.cli.conftest import Desk


def done(desk: Desk, *lines: str) -> None:
    for line in lines:
        assert (said := desk(line)).code == 0, (line, said.err)


@pytest.fixture
def twice(desk: Desk) -> Desk:
    """Ann loses round 1 and is dropped for a no-show. After that, Ann comes late under the name Anna, and plays
    round 3.
    """
    done(
        desk,
        "open Friday -b l5r-2018",
        "register Ann --born 1990",
        *(f"register {name}" for name in ("Bo", "Cy", "Di", "Ed", "Fay")),
        "announce --rounds 4 --structure custom",
        "pair --table Ann/Bo --table Cy/Di --table Ed/Fay",
        "report 1 b 2 a 3 a",
        "drop Ann",
        "pair --table Bo/Cy --table Di/Ed --table Fay",
        "report 1 a 2 a",
        "late 'Anna Lee'",
        "correct-player Anna --set DCI=1234 --contact a@example.org --yes",
        "pair --table 'Anna Lee/Cy' --table Bo/Ed --table Di/Fay",
        "start",
        "extend 1 5",
        "report 1 a 2 a",
        "penalty 'Anna Lee' warning --for unsporting",
    )
    return desk


def line_of(desk: Desk, name: str, round_: int = 3) -> dict[str, object]:
    rows = desk(f"standings --round {round_} --json").document["standings"]
    found: dict[str, object] = {row["player"]: row for row in rows}.get(name, {})
    return found


def test_merging_registrations_joins_the_rounds_of_both(twice: Desk) -> None:
    before = line_of(twice, "Ann"), line_of(twice, "Anna Lee"), line_of(twice, "Cy")
    size = len(twice("log --json").lines)
    preview = twice("merge Ann 'Anna Lee' --preview")
    assert preview.code == 0
    assert "Ann" in preview.out
    assert len(twice("log --json").lines) == size, "a preview records nothing"
    done(twice, "merge Ann 'Anna Lee' --yes")
    merged = line_of(twice, "Ann")
    assert merged["status"] == "active"
    assert line_of(twice, "Anna Lee") == {}
    played = twice("pairings --round 3 --json").document["pairings"]
    assert played[0]["players"] == ["Ann", "Cy"]
    assert merged["points"] == before[1]["points"], "the win of round 3, and the losses of rounds 1 and 2"
    assert line_of(twice, "Cy")["points"] == before[2]["points"]
    assert twice("report 3 a").code == 0
    assert "Anna" not in twice("players").out
    assert [player["name"] for player in twice("players --json").document].count("Ann") == 1
    assert "Ann" in next(line for line in twice("conduct").lines if "warning" in line)
    assert '"DCI":"1234"' in twice("log --json").lines[-2]
    assert twice("verify").code == 0
    assert [row["table"] for row in twice("clock --json").document["tables"]] == []
    done(twice, "post", "pair")


def test_undo_takes_a_merge_back_as_one_command(twice: Desk) -> None:
    before = twice("standings --round 3 --json").document["standings"]
    done(twice, "merge Ann 'Anna Lee' --yes", "undo --yes")
    assert twice("standings --round 3 --json").document["standings"] == before
    assert "Anna Lee" in twice("players").out


def test_registrations_that_shared_a_round_or_met_are_not_merged(twice: Desk) -> None:
    assert twice("merge Bo Cy --yes").refused == "Bo and Cy meet in round 2: they are not one person"
    assert twice("merge Bo Fay --yes").refused == ("Bo and Fay were both seated in round 1: drop Fay instead")
    assert twice("merge 'Anna Lee' Ann --yes").refused == (
        "Anna Lee is charged with a loss for round 1, but Ann was seated in it: merge Anna Lee into Ann instead"
    )
    assert twice("merge Ann Ann --yes").code == 2
    done(twice, "report 3 a", "cut 2 --reason short")
    assert twice("merge Ann 'Anna Lee' --yes").refused.startswith("the Swiss rounds are over")


def test_a_double_registration_that_never_played_gives_its_data_to_the_other(desk: Desk) -> None:
    done(
        desk,
        "open Friday -b l5r-2018",
        "register 'Ann Lee'",
        "register 'Lee, Ann' --born 1990",
        "register Bo",
        "fix-table 'Lee, Ann' --table 3",
        "merge 'Ann Lee' 'Lee, Ann' --yes",
        "pair",
    )
    assert [line["name"] for line in desk("players --json").document] == ["Bo", "Ann Lee"]
    assert '"born":1990' in desk("log --json").lines[-2]
    assert desk("pairings --json").document["pairings"][0]["table"] == 3


def deck_of(desk: Desk, player: str) -> dict[str, object]:
    shown: dict[str, object] = desk(f"deck show '{player}' --cards --json").document
    return shown


def test_a_deck_list_moves_with_the_player_and_its_amendments_and_checks(twice: Desk) -> None:
    """Before the fix, a merge left the deck list under a number that nobody used."""
    Path("one.txt").write_text("[dynasty]\n3 Hida Guardian\n", "utf-8")
    Path("two.txt").write_text("[dynasty]\n2 Hida Guardian\n1 Border Keep\n", "utf-8")
    done(
        twice,
        "deck submit 'Anna Lee' one.txt --late --reason ill",
        "deck amend 'Anna Lee' two.txt --role judge",
    )
    twice("deck check 'Anna Lee' --role judge")
    before = deck_of(twice, "Anna Lee")
    done(twice, "merge Ann 'Anna Lee' --yes --role organizer")
    after = deck_of(twice, "Ann")
    assert (after["sha256"], after["cards"]) == (before["sha256"], before["cards"])
    for kind in ("amendments", "checks"):
        was, now = before[kind], after[kind]
        assert isinstance(was, list)
        assert isinstance(now, list)
        assert [{**one, "entry": 0} for one in now] == [{**one, "entry": 0} for one in was] != [], kind
    assert twice("verify").code == 0
    done(twice, "undo --yes --role organizer")
    assert deck_of(twice, "Anna Lee") | {"position": 0} == before | {"position": 0}


def test_two_registrations_with_deck_lists_are_not_merged(desk: Desk) -> None:
    Path("one.txt").write_text("[dynasty]\n3 Hida Guardian\n", "utf-8")
    lines = ("open Friday -b l5r-2018", "register Ann", "register Anna", "register Bo")
    done(desk, *lines, "deck submit Ann one.txt", "deck submit Anna one.txt")
    assert desk("merge Ann Anna --yes").refused == (
        "Ann and Anna each have a deck list: retract one of them (entry 6), or drop Anna instead"
    )
    done(desk, "retract 6 --yes", "merge Ann Anna --yes")
    assert deck_of(desk, "Ann")["cards"]


def test_a_transferred_registration_keeps_the_seat_of_round_1_and_changes_the_name(desk: Desk) -> None:
    done(
        desk,
        "open Friday -b l5r-2018",
        *(f"register {name}" for name in ("Ann", "Bo", "Cy", "Di", "Ed")),
        "transfer Ann Zoe --yes",
        "announce --rounds 2 --structure custom",
        "pair",
    )
    seats = desk("pairings --json").document
    everybody = [*(name for table in seats["pairings"] for name in table["players"]), *seats["byes"]]
    assert sorted(everybody) == ["Bo", "Cy", "Di", "Ed", "Zoe"]
    given = seats["pairings"][0]["players"][0]
    done(desk, f"transfer {given} Yan --yes", f"transfer {seats['byes'][0]} Xia --yes")
    now = desk("pairings --json").document
    assert (now["pairings"][0]["players"][0], now["byes"]) == ("Yan", ["Xia"])
    assert sum(row["status"] == "active" for row in desk("standings --round 1 --json").document["standings"]) == 5
    done(desk, "report 1 a 2 a")
    assert desk("transfer Yan Wes --yes").refused.startswith("Yan has played: drop the player")
    done(desk, "post", "pair", "report 1 a 2 a", "close --yes --reason 'two rounds'", "export log.jsonl")
    page = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "recompute_pairings.py"))
    assert page["main"]("log.jsonl") == 0
    assert desk("verify --pairings").code == 0


def test_a_merge_moves_awarded_byes_and_the_preview_names_them(desk: Desk) -> None:
    done(desk, "open Friday -b l5r-2018", *(f"register {name}" for name in ("'Ann Lee'", "Bo", "Cy", "'Ann Dup'")))
    done(desk, "award-byes 'Ann Dup'", "fix-table 'Ann Dup' --table 7")
    preview = desk("merge 'Ann Lee' 'Ann Dup' --preview").lines
    assert "Will record: Ann Lee awarded a bye in round 1" in preview
    done(desk, "merge 'Ann Lee' 'Ann Dup' --yes", "pair")
    assert desk("pairings --json").document["byes"] == ["Ann Lee"]
    done(desk, "report 1 a", "pair")
    tables = desk("pairings --json").document["pairings"]
    assert [row["table"] for row in tables if "Ann Lee" in row["players"]] == [7]


def test_a_transfer_ends_awarded_byes_and_a_fixed_table_and_the_preview_says_so(desk: Desk) -> None:
    done(desk, "open Friday -b l5r-2018", *(f"register {name}" for name in ("Ann", "Bo", "Cy")))
    done(desk, "award-byes Bo", "fix-table Bo --table 7")
    preview = desk("transfer Bo Di --preview").lines
    for ended in (
        "entry 5 no longer counts: Bo awarded a bye in round 1",
        "entry 6 no longer counts: Bo plays at table 7",
    ):
        assert f"Will record: {ended} (recorded by scorekeeper at station desk)" in preview
    done(desk, "transfer Bo Di --yes", "undo --yes")
    assert desk("fix-table Ann --table 7").refused.startswith("table 7 belongs to Bo")


def test_the_preview_of_a_merge_counts_an_awarded_bye(desk: Desk) -> None:
    done(
        desk,
        "open Friday -b l5r-2018",
        *(f"register {name}" for name in ("'Ann Lee'", "Bo", "Cy", "Di", "'Ann Dup'")),
    )
    done(desk, "award-byes Bo")
    assert "Next round: 4 players, with 2 byes" in desk("merge 'Ann Lee' 'Ann Dup' --preview").lines


def test_a_transfer_ends_the_deck_list_and_the_preview_says_so(desk: Desk) -> None:
    """The other person plays a different deck. The log keeps the first list, and undo restores it."""
    Path("one.txt").write_text("[dynasty]\n3 Hida Guardian\n", "utf-8")
    done(desk, "open Friday -b l5r-2018", *(f"register {name}" for name in ("Ann", "Bo")))
    done(desk, "announce --rounds 1 --structure custom --deck-lists", "deck submit Ann one.txt")
    shown = desk("transfer Ann Zoe --preview").lines
    assert any(line.startswith("Will record: entry 5 no longer counts: Ann ") for line in shown), shown
    done(desk, "transfer Ann Zoe --yes")
    assert "Zoe" in desk("pair --preview").out, "a player without the list"
    assert desk("deck show Zoe").out == "Zoe has handed in no list.\n"
    done(desk, "undo --yes", "deck show Ann")
