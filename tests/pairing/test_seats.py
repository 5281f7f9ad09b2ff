"""Seats: fixed tables, tables of a division, table swaps, and awarded byes."""

from __future__ import annotations

import runpy
import secrets
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.cli.conftest import Desk, _at_a_desk, desk, ledger  # noqa: F401 - fixtures
from tests.event import SECRET

from matchledger.ledger import open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings


def done(desk: Desk, *lines: str) -> None:  # noqa: F811
    for line in lines:
        assert (said := desk(line)).code == 0, (line, said.err)


def seats(desk: Desk, round_: int) -> dict[int, list[str]]:  # noqa: F811
    found = desk(f"pairings --round {round_} --json").document["pairings"]
    return {seating["table"]: seating["players"] for seating in found}


@pytest.fixture
def nine(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:  # noqa: F811
    """Nine players of an announced event. With the event's secret, P1 and P9 do not meet."""
    monkeypatch.setattr(secrets, "token_bytes", lambda _=None: SECRET)
    Path("field.csv").write_text("name,DCI\n" + "".join(f"P{n},100{n}\n" for n in range(1, 10)), "utf-8")
    done(desk, "open Cup -b l5r-2018", "register --csv field.csv", "announce --rounds 3 --structure custom")
    return desk


def checked(desk: Desk) -> None:  # noqa: F811
    """Assert that the program and the independent page repeat every draw."""
    done(desk, "export log.jsonl")
    page = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "recompute_pairings.py"))
    assert page["main"]("log.jsonl") == 0
    assert desk("verify --pairings").code == 0


def test_a_player_with_a_fixed_table_sits_there_in_every_round(nine: Desk) -> None:
    done(nine, "fix-table P9 --table 3", "fix-table P1 --table 20", "pair")
    assert "P9 plays at table 3" in nine("log").out
    first = seats(nine, 1)
    bye = nine("pairings --round 1 --json").document["byes"]
    assert "P9" in [*first[3], *first.get(20, ()), *bye]  # or P3 plays P1, at the table of P3 or of P1
    assert "P1" in [*first.get(20, ()), *first[3], *bye]
    done(nine, "report " + " ".join(f"{table} a" for table in first), "post", "fix-table P1", "pair")
    second = seats(nine, 2)
    assert "P9" in [*second[3], *nine("pairings --round 2 --json").document["byes"]]
    assert sorted(second) == [1, 2, 3, 4]
    assert nine("fix-table P2 --table 3").refused == "table 3 belongs to P9: name another"
    assert seats(nine, 1) == first, "a posted round stays as it is"
    done(nine, "report " + " ".join(f"{table} a" for table in second), "close --yes --reason 'two rounds'")
    checked(nine)


def test_swap_names_a_player_who_leaves_a_fixed_table(nine: Desk) -> None:
    done(nine, "pair")
    player = seats(nine, 1)[1][0]
    done(nine, f"fix-table {player} --table 1")
    assert f"{player} needs table 1, and sits at table 2 now" in nine("swap-tables 1 2 --yes").err
    assert "needs table" not in nine("swap-tables 1 2 --yes").err


def test_swapped_tables_keep_their_results_and_extra_time(nine: Desk) -> None:
    done(nine, "pair", "start", "extend 3 5", "report 1 a 2 b")
    before = seats(nine, 1)
    standings = nine("standings --round 1 --json").document["standings"]
    would = nine("swap-tables 1 3 --preview --json").document
    assert would["matches"] == [], "the slip goes with its match"
    assert [(line["table"], line["after"]) for line in would["seatings"]] == [(1, before[3]), (3, before[1])]
    done(nine, "swap-tables 1 3 --yes", "swap-tables 2 40 --yes")
    after = seats(nine, 1)
    assert after == {1: before[3], 3: before[1], 4: before[4], 40: before[2]}
    assert nine("standings --round 1 --json").document["standings"] == standings
    assert nine("standings --round 1 --json").document["outstanding"] == [1, 4]
    assert [row["table"] for row in nine("clock --json").document["tables"]] == [1]
    assert nine("report 3 a").lines[0] == "Table 3: the same slip is there already (entry 16)."
    done(nine, "correct 1 40 a --yes", "undo --yes", "undo --yes", "undo --yes")
    assert seats(nine, 1) == before
    assert nine("standings --round 1 --json").document["standings"] == standings
    done(nine, "report 3 a 4 a", "post", "swap-tables 1 3 --yes", "pair")
    assert nine("swap-tables 90 91 --yes").code == 2


def test_the_tables_of_a_division_begin_at_their_number(desk: Desk) -> None:  # noqa: F811
    Path("field.csv").write_text("name,born\n" + "".join(f"J{n},2001\nM{n},1980\n" for n in range(1, 9)), "utf-8")
    done(
        desk,
        "open Cup -b pokemon-2009",
        "register --csv field.csv",
        "announce --rounds 3 --prizes 4 --reason short",
    )
    done(desk, "number-tables masters 101", "fix-table J1 --table 101", "pair")
    tables = seats(desk, 1)
    assert all(name[0] == "J" for table, two in tables.items() if table < 100 for name in two)
    assert "J1" in tables[101]
    assert sorted(table for table in tables if table > 101) == [102, 103, 104, 105]
    assert desk("number-tables veterans 5").code == 2


@pytest.mark.parametrize(
    ("juniors", "masters", "born", "table"), [(9, 8, 2014, 5), (8, 9, 1980, 105)], ids=["junior", "master"]
)
def test_a_late_player_sits_after_the_tables_of_the_own_division(
    desk: Desk,  # noqa: F811
    juniors: int,
    masters: int,
    born: int,
    table: int,
) -> None:
    """Before the fix, a late junior sat after the tables of the masters."""
    rows = [*(f"J{n},2014" for n in range(juniors)), *(f"M{n},1980" for n in range(masters))]
    Path("field.csv").write_text("name,born\n" + "\n".join(rows) + "\n", "utf-8")
    done(
        desk,
        "open Cup -b pokemon-2009",
        "register --csv field.csv",
        "announce --rounds 3 --prizes 4 --reason short",
        "number-tables masters 101",
        "pair",
    )
    assert f"plays at table {table} " in desk(f"late Lee --born {born}").out


def test_an_awarded_bye_is_given_in_round_1_and_no_second_bye_follows(nine: Desk) -> None:
    """Before the fix, a person who awarded a bye in round 1 had to pair everybody by hand."""
    done(nine, "register Champion --byes 1", "award-byes P2")
    assert nine("award-byes P3 --rounds 2").refused.startswith("P3 would have 2 awarded byes")
    done(nine, "pair")
    first = nine("pairings --round 1 --json").document
    assert sorted(first["byes"]) == ["Champion", "P2"], "ten players, eight of them paired"
    assert nine("explain Champion --round 1").code == 0
    assert nine("integrity").out.count("bye awarded") == 2, "F1: whom chance did not give the bye is listed"
    assert nine("award-byes P4").refused == "byes must be awarded before round 1 is paired"
    done(nine, "report " + " ".join(f"{table} a" for table in seats(nine, 1)), "post", "pair")
    assert nine("pairings --round 2 --json").document["byes"] == []
    points = {row["player"]: row["points"] for row in nine("standings --round 1 --json").document["standings"]}
    assert points["Champion"] == points["P2"] == max(points.values())
    done(nine, "late Zoe", "report " + " ".join(f"{table} a" for table in seats(nine, 2)))
    done(nine, "close --yes --reason 'two rounds'")
    checked(nine)


def test_byes_on_a_roster_are_awarded_and_too_many_of_them_are_a_departure(desk: Desk) -> None:  # noqa: F811
    Path("field.csv").write_text("name,byes\nAnn,2\nBo,\nCy,\nDi,\nEd,\n", "utf-8")
    done(desk, "open Cup -b l5r-2018")
    assert "line 2: Ann would have 2 awarded byes" in desk("register --csv field.csv").problem
    done(desk, "register --csv field.csv --reason invited", "announce --rounds 3 --structure custom")
    assert "Ann awarded byes in rounds 1 to 2" in desk("log").out
    assert "bye awarded" in desk("integrity").out
    for round_ in (1, 2):
        done(desk, "pair")
        assert desk(f"pairings --round {round_} --json").document["byes"] == ["Ann"]
        done(desk, "report " + " ".join(f"{table} a" for table in seats(desk, round_)), "post")
    done(desk, "pair")
    assert "Ann" not in desk("pairings --round 3 --json").document["byes"]


def in_the_cut(nine: Desk, more: str = "") -> list[str]:
    """One round is played, and four players are in the bracket. Return the names of the four players, the best
    seed first.
    """
    rounds = ("report 1 a 2 a 3 a 4 a", "post")
    done(
        nine, f"announce --rounds 1 --cut 4 --structure custom --reason short {more}", "pair", *rounds, "tie", "cut"
    )
    return [row["player"] for row in nine("standings --json").document["standings"]][:4]


def bracket_tables(desk: Desk) -> dict[int, list[str]]:  # noqa: F811
    found = desk("pairings --elimination --json").document["pairings"]
    return {seating["table"]: seating["players"] for seating in found}


def test_a_match_of_a_bracket_has_its_table_number_everywhere(
    nine: Desk,
    ledger: Path,  # noqa: F811
) -> None:
    """Before the fix, sheets printed the number of the game, a note printed the fixed table, and `report` refused
    that table.
    """
    top = in_the_cut(nine)
    done(nine, f"fix-table {top[0]} --table 2", f"fix-table {top[1]} --table 20", "pair")
    tables = bracket_tables(nine)
    assert sorted(tables) == [2, 20]
    assert top[0] in tables[2]
    assert top[1] in tables[20]
    assert [line.split(",")[0] for line in nine("pairings --elimination --csv").lines] == ["Table", "2", "20"]
    assert nine("pairings --elimination --by-name").out.count(" 20 ") == 2
    done(nine, "print slips --out slips.pdf", f"call {top[1]}")
    [called] = nine("calls --json").document["calls"]
    assert (called["stage"], called["round"], called["table"]) == ("elimination", 1, 20), "the match that is played"
    done(nine, f"answer {called['position']} --answer settled")
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
    with TestClient(create_app(str(ledger), Settings()), base_url="http://localhost") as web:
        assert '<td class="number">20</td>' in web.get(f"/t/{tournament}/").text
        assert "Table 20" in web.get(f"/t/{tournament}/bracket").text
    assert nine("report 1 a").code == 3, "nobody plays at table 1"
    done(nine, "report 2 a 20 b")
    games = nine("bracket --json").document["rounds"][0]["games"]
    assert [(game["number"], game["table"]) for game in games] == [(1, 2), (2, 20)]
    done(nine, "pair")
    [(table, final)] = bracket_tables(nine).items()
    wanted = {2: top[0], 20: top[1]}
    assert wanted.get(table, final[0]) in final


def test_two_games_of_a_bracket_change_places_for_a_player_with_a_fixed_table(nine: Desk) -> None:
    top = in_the_cut(nine)
    done(nine, f"fix-table {top[0]} --table 2", "pair")
    tables = bracket_tables(nine)
    assert sorted(tables) == [1, 2]
    assert top[0] in tables[2]


@pytest.mark.parametrize(("place", "table"), [(0, 2), (0, 20), (1, 1), (1, 20)])
def test_the_final_and_the_match_for_third_place_make_room_for_a_fixed_table(
    nine: Desk, place: int, table: int
) -> None:
    """If the bracket pairs two players with fixed tables, they use the first player's table."""
    in_the_cut(nine, "--playoff")
    done(nine, "pair")
    semifinals = bracket_tables(nine)
    done(nine, f"fix-table {semifinals[1][place]} --table {table}", "report 1 a 2 a", "pair")
    last = bracket_tables(nine)
    assert semifinals[1][place] in last[table]
    assert sorted(last) == sorted({table, 2 - place if table == 20 else 3 - table})
    done(nine, f"report {' '.join(f'{one} a' for one in last)}")
    drawn = nine("bracket --json").document
    [final], third = drawn["rounds"][1]["games"], drawn["playoff"]
    wanted = [{two[side] for two in semifinals.values()} for side in (0, 1)]
    assert [set(game["players"]) for game in (final, third)] == wanted
    assert {game["table"]: game["players"] for game in (final, third)} == last


def test_a_bracket_finds_its_games_after_swapped_tables_and_a_late_correction(nine: Desk) -> None:
    """The bracket finds each game by its players, at any table."""
    in_the_cut(nine)
    done(nine, "pair", "swap-tables 1 2 --yes", "swap-tables 1 9 --yes")
    tables = bracket_tables(nine)
    assert sorted(tables) == [2, 9]
    games = nine("bracket --json").document["rounds"][0]["games"]
    assert [(game["table"], game["players"]) for game in games] == [(2, tables[2]), (9, tables[9])]
    done(nine, "report 2 a 9 b", "pair")
    assert sorted(bracket_tables(nine)[1]) == sorted([tables[2][0], tables[9][1]])
    done(nine, "swap-tables 1 7 --yes", "correct 1 2 b --elimination --yes")
    final = nine("bracket --json").document["rounds"][1]["games"][0]
    assert final["table"] == 7, "the posted final has one player who should not be there"
    assert tables[9][1] in final["players"]


def test_the_tables_of_a_bracket_begin_at_the_number_of_its_division(desk: Desk) -> None:  # noqa: F811
    Path("field.csv").write_text("name,born\n" + "".join(f"J{n},2001\nM{n},1980\n" for n in range(1, 9)), "utf-8")
    done(
        desk,
        "open Cup -b pokemon-2009",
        "register --csv field.csv",
        "announce --rounds 1 --cut 4 --prizes 4 --structure custom --reason short",
        "number-tables masters 101",
        "fix-table M1 --table 3",
        "pair",
    )
    done(desk, "report " + " ".join(f"{table} a" for table in seats(desk, 1)), "post", "tie")
    done(desk, "cut --division junior=4 --division masters=4 --yes --reason short", "pair")
    tables = bracket_tables(desk)
    low = [table for table, names in tables.items() if "M1" not in names and names[0][0] == "J"]
    high = [table for table, names in tables.items() if "M1" not in names and names[0][0] == "M"]
    assert low == [1, 2]
    assert set(high) <= {101, 102}
    assert all(table == 3 for table, names in tables.items() if "M1" in names)
    done(desk, "report " + " ".join(f"{table} a" for table in tables), "pair")
    assert len(bracket_tables(desk)) == 2
    done(desk, "report " + " ".join(f"{table} a" for table in bracket_tables(desk)), "close --yes --reason short")
    checked(desk)


def test_players_lists_fixed_tables_and_awarded_byes(desk: Desk) -> None:  # noqa: F811
    done(desk, "open Friday -b l5r-2018", "register Ann", "register Bo", "register Cy")
    assert desk("players --csv").lines[0] == "Number,Player,Status,Division"
    done(desk, "fix-table Bo --table 7", "award-byes Cy")
    assert [line.split(",", 2)[2] for line in desk("players --csv").lines] == [
        "Status,Division,Fixed table,Awarded byes",
        ",,,",
        ",,7,",
        ",,,1",
    ]
    assert desk("players").lines[3].split() == ["#2", "Bo", "7"]


def test_awarded_byes_that_leave_nobody_to_pair_are_named(desk: Desk) -> None:  # noqa: F811
    """Before the fix, `pair` said that no player was active."""
    done(desk, "open Cup -b magic-mtr", *(f"register P{n}" for n in range(1, 4)))
    done(desk, *(f"award-byes P{n}" for n in range(1, 3)))
    assert desk("pair").refused == (
        "awarded byes leave 1 players to pair in round 1, and a round needs two: retract a bye"
    )
    done(desk, "retract 5", "pair")


def test_a_player_who_returns_to_a_table_that_was_given_away_is_named(desk: Desk) -> None:  # noqa: F811
    done(desk, "open Cup -b magic-mtr", *(f"register P{n}" for n in range(1, 7)))
    done(desk, "fix-table P1 --table 3", "drop P1", "fix-table P2 --table 3")
    assert "note: table 3 belongs to P2: name another" in desk("rejoin P1").err
    paired = desk("pair")
    tables = {name: table for table, names in seats(desk, 1).items() for name in names}
    sits = {name: f"note: {name} needs table 3, and sits at table {tables[name]} now" for name in ("P1", "P2")}
    assert [said for name, said in sits.items() if said in paired.err] == [
        said for name, said in sits.items() if tables[name] != 3
    ]
