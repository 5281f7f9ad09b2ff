"""The commands of the elimination stage as people type them, and the drawn bracket."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.desk import RunCli, printed_or_problem
from tests.stages.conftest import Event, Start

from matchledger.cli import BAD_INPUT, REFUSED
from matchledger.cli.bracket_drawing import draw_bracket, list_rounds
from matchledger.cli.tables import width
from matchledger.commands import cuts, structures

Typed = Callable[..., str]


@pytest.fixture
def typed(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Type a command line on a separate ledger. Returns the output, or the error without its prefix."""
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    return partial(printed_or_problem, run_cli)


def opened(typed: Typed, rulebook: str, *names: str) -> None:
    typed("open", "Spring Open", "-b", rulebook)
    for name in names:
        typed("register", name)


def test_an_event_goes_from_the_announcement_to_the_final_places(typed: Typed) -> None:
    opened(typed, "l5r-2018", "Ann Lee", "Bo Chen", "Cy Roe", "Di Kaur")
    assert typed("structure").splitlines() == [
        "4 players, l5r-2018",
        "Structure  Style  Rounds  Cut   Rule",
        "basic      swiss  3       none  L5R-V.1-BASIC",
        "Announced: nothing",
    ]
    assert typed("announce", "--rounds", "1", "--cut", "2", "--reason", "short") == (
        "Announced: 1 Swiss round, then the top 2; departs from L5R-V.1-BASIC, L5R-IV.2b-CUT (entry 6).\n"
    )
    typed("pair", "--table", "Ann Lee/Bo Chen", "--table", "Cy Roe/Di Kaur")
    typed("report", "1", "a", "2", "a", "modified-win")
    assert typed("pair", code=REFUSED) == (
        "round 2 is beyond the 1 announced rounds: give a "
        "reason to deviate from it (L5R-IV.2-ANNOUNCE); use --reason"
    )
    assert typed("cut") == (
        "The cut is made after round 1 (entry 10). Next: pair. The seeds:\n  1  Ann Lee\n  2  Cy Roe\n"
    )
    assert typed("bracket", code=BAD_INPUT) == (
        "no bracket is drawn at that moment; see places, or pairings --elimination"
    )
    assert typed("pair").splitlines()[0] == "Elimination round 1: 1 table (entry 12)"
    typed("start")
    typed("report", "1", "b")
    assert typed("bracket").splitlines() == ["1 Ann Lee -+", "           +- #1 Cy Roe", "2 Cy Roe --+"]
    assert typed("places").splitlines()[1:] == [
        "   Player                                        Rule",
        "1  Cy Roe   undefeated in the elimination stage  L5R-IV.2c-PLACE  champion",
        "2  Ann Lee  seed 1, out in the final to Cy Roe   L5R-IV.2c-PLACE",
        "3  Bo Chen  place 3 of the Swiss rounds, 1 TP    L5R-IV.2b-CUT",
        "4  Di Kaur  place 4 of the Swiss rounds, 0 TP    L5R-IV.2b-CUT",
    ]


def test_a_change_and_its_reason_are_recorded_with_the_round(typed: Typed) -> None:
    opened(typed, "l5r-2018", "A", "B", "C", "D")
    typed("announce", "--rounds", "1", "--structure", "custom")
    typed("pair", "--table", "A/B", "--table", "C/D")
    typed("report", "1", "a", "2", "a")
    typed("pair", "--reason", "three players asked for it")
    log = [json.loads(line) for line in typed("log", "--json").splitlines()]
    changed = next(entry for entry in reversed(log) if entry["fact"]["kind"] == "structure-announced")
    assert changed["reason"] == "three players asked for it"
    assert changed["fact"]["deviations"] == ["L5R-V.1-BASIC", "L5R-IV.2-ANNOUNCE"]
    assert "departs from L5R-V.1-BASIC, L5R-IV.2-ANNOUNCE" in typed("structure")


def test_commands_of_the_elimination_stage_print_json(typed: Typed) -> None:
    opened(typed, "pokemon-2009", *"ABCDEFGH")
    document: dict[str, Any] = json.loads(typed("structure", "--json"))
    assert (document["players"], document["announced"]) == (8, None)
    assert document["proposals"][1] == {
        "structure": "swiss-with-cut",
        "rule": "PKM-3.3.5-TABLE",
        "style": "swiss-with-cut",
        "rounds": [3, 2],
        "cuts": [2],
        "division_cuts": {},
        "division_rounds": {},
    }
    typed("announce", "--style", "elimination", "--playoff", "--prizes", "4")
    typed("pair")
    drawn = json.loads(typed("bracket", "--json"))
    assert [len(round_["games"]) for round_ in drawn["rounds"]] == [4, 2, 1]
    assert (drawn["method"], drawn["champion"], drawn["seeds"]) == ("random-seeds", None, [])
    assert [round_["from_the_top"] for round_ in drawn["rounds"]] == [[1, 4, 2, 3], [1, 2], [1]]
    assert drawn["playoff"] == {
        "number": 2,
        "players": [None, None],
        "empty": [False, False],
        "winner": None,
        "outcome": "to come",
        "games": None,
        "table": None,
    }
    places = json.loads(typed("places", "--json"))["places"]
    assert [(place["first"], place["last"], place["decided"]) for place in places] == [(1, 8, False)] * 8


def test_a_player_who_leaves_late_is_replaced(typed: Typed) -> None:
    opened(typed, "l5r-2018", "A", "B", "C", "D")
    typed("pair", "--table", "A/B", "--table", "C/D")
    typed("report", "1", "a", "2", "a", "modified-win")
    typed("cut", "2", "--reason", "a short evening")
    assert typed("replace", "A", "--declined", "B") == "  1  C\n  2  D\n"
    typed("pair")
    assert typed("drop", "D").splitlines() == [
        "The bracket is taken back: pair draws it again.",
        "D has dropped (entry 16).",
        "No elimination game has been played: replace gives the place to B.",
    ]
    assert typed("replace", "D") == "  1  C\n  2  B\n"


def test_a_player_who_leaves_after_the_first_game_of_the_cut_moves_nobody(typed: Typed) -> None:
    """Before the fix, the preview said that the next player would move into the cut."""
    opened(typed, "l5r-2018", "A", "B", "C", "D")
    typed("pair", "--table", "A/B", "--table", "C/D")
    typed("report", "1", "a", "2", "a", "modified-win")
    typed("cut", "2", "--reason", "a short evening")
    typed("pair")
    assert "would get into the cut" in typed("drop", "A", "--preview")
    typed("report", "1", "a")
    assert "into the cut" not in typed("drop", "A", "--preview")


def test_undo_in_an_event_of_elimination_alone_names_the_bracket(typed: Typed) -> None:
    opened(typed, "pokemon-2009", "Ann Lee", "Bo Chen", "Cy Roe", "Di Kaur")
    typed("announce", "--style", "elimination", "--reason", "a small field")
    typed("pair")
    assert typed("late", "Ed Moss").splitlines() == [
        "The bracket is taken back: pair draws it again.",
        "Ed Moss is in.",
    ]
    typed("drop", "Ann Lee")
    typed("pair")
    assert typed("pairings", "--round", "1", code=BAD_INPUT) == (
        "round 1 was not paired at that moment: this event has only elimination rounds; use --elimination"
    )
    ann = next(line for line in typed("places").splitlines() if "Ann Lee" in line)
    assert " ".join(ann.split()) == "5 Ann Lee left before the first game PKM-3.2.4-PLACE"


def test_a_late_player_who_missed_no_round_gets_the_lower_rank(typed: Typed) -> None:
    opened(typed, "pokemon-2009", "A", "B", "C")
    typed("announce", "--prizes", "3", "--rounds", "2", "--reason", "few")
    typed("pair")
    assert typed("late", "New").splitlines()[0] == "New is in, and ranks below players on time."
    assert "New entered late as number 4, ranks below players on time" in typed("log")


def test_counts_decide_a_game_at_time(typed: Typed) -> None:
    opened(typed, "street-warriors-2004", "A", "B")
    typed("announce", "--style", "elimination")
    typed("pair")
    counted = ["--matches", "1-1", "--power", "5-5", "--faction", "20-20", "--discard", "3-3"]
    assert typed("time-tiebreak", "1", *counted, "--flip", "14:8", code=BAD_INPUT) == (
        "'14:8' is not two cards: write 14-8, or 8-none where a player has no card"
    )
    assert typed("time-tiebreak", "1", "--matches", "one", code=BAD_INPUT) == (
        "'one' is not two numbers in table order: write 5-4"
    )
    said = typed("time-tiebreak", "1", *counted, "--rps", "c", code=BAD_INPUT)
    assert said == "there is no rock paper scissors 'c': there are a, b"
    said = typed("time-tiebreak", "1", *counted, "--flip", "14-14", "--flip", "none-8")
    assert said.endswith("wins by tiebreaker 5 (entry 7).\n")


def test_a_wrong_command_of_the_elimination_stage_is_refused_in_one_line(typed: Typed) -> None:
    opened(typed, "l5r-2018", "A", "B")
    assert typed("announce", "--style", "royal", code=BAD_INPUT) == (
        "there is no style 'royal': there are swiss, elimination, swiss-with-cut"
    )
    assert typed("announce", code=REFUSED) == (
        "l5r-2018 proposes no number of rounds for 2 players: give the number; use --rounds"
    )
    assert typed("cut", code=REFUSED) == "no Swiss round is paired: a cut follows from the standings after one"


# -- the drawing


def eight(start: Start) -> Event:
    event = start("pokemon-2009", "Ann Bo Cy Di Ed Flo 山田太郎 Hal Ivy")
    event.decide(structures.AnnounceStructure, deviating=True, rounds=8, cut=8, playoff=True)
    event.ranked("Ann Bo Cy Di Ed Flo 山田太郎 Hal Ivy")
    event.decide(cuts.make_cut)
    event.pair()
    return event


def test_a_bracket_with_wide_letters_is_drawn_in_line(start: Start) -> None:
    event = eight(start)
    event.wins("Ann Di 山田太郎 Flo")
    assert list(draw_bracket(event.record, event.bracket, 80)) == [
        "1 Ann ------+",
        "            +- #1 Ann ------+",
        "8 Hal ------+               |",
        "                            +- #1 -+",
        "4 Di -------+               |      |",
        "            +- #4 Di -------+      |",
        "5 Ed -------+                      |",
        "                                   +- #1",
        "2 Bo -------+                      |",
        "            +- #2 山田太郎 -+      |",
        "7 山田太郎 -+               |      |",
        "                            +- #2 -+",
        "3 Cy -------+               |",
        "            +- #3 Flo ------+",
        "6 Flo ------+",
        "",
        "3rd and 4th place: ? - ?",
    ]


def test_long_names_are_shortened_and_a_narrow_terminal_gets_a_list_of_rounds(start: Start) -> None:
    event = eight(start)
    whole, narrow = (list(draw_bracket(event.record, event.bracket, columns)) for columns in (80, 28))
    assert whole[10] == "7 山田太郎 -+      |      |"
    assert narrow[10] == "7 山田~ -+      |      |"
    assert max(map(width, narrow[:15])) <= 28
    assert list(draw_bracket(event.record, event.bracket, 20)) == list(list_rounds(event.record, event.bracket))
    assert list(list_rounds(event.record, event.bracket))[:5] == [
        "Quarterfinals:",
        "  #1 Ann - Hal",
        "  #2 Bo - 山田太郎",
        "  #3 Cy - Flo",
        "  #4 Di - Ed",
    ]


def test_the_bracket_shows_byes_and_empty_games(start: Start) -> None:
    event = start("l5r-2018", "A B C D E")
    event.ranked("A B C D E")
    event.seed("A B C")
    event.pair()
    assert list(draw_bracket(event.record, event.bracket, 80))[:3] == [
        "1 A -+",
        "     +- #1 A -+",
        "bye -+        |",
    ]
    event.wins("B")
    event.drop("A")
    event.drop("B")
    event.pair()
    assert list(list_rounds(event.record, event.bracket))[-1] == "  #1 A - B: nobody"


def test_a_stage_paired_by_hand_is_listed_round_by_round(typed: Typed, tmp_path: Path) -> None:
    sheet = tmp_path / "event.sheet"
    sheet.write_text("rulebook l5r-2018\nplayers A B C\nround 1\n  A > B\n  C bye\ncut 2\nelimination 1\n  A > C\n")
    typed("import", str(sheet))
    assert typed("bracket").splitlines()[0] == "Elimination round 1, as it was paired by hand"
    assert [line.split()[0] for line in typed("places").splitlines()[2:]] == ["1", "2", "3"]


def test_a_preview_of_the_cut_shows_the_seeds_and_the_first_games(typed: Typed) -> None:
    opened(typed, "pokemon-2009", "A", "B", "C", "D", "E", "F")
    typed("pair", "--table", "A/B", "--table", "C/D", "--table", "E/F")
    typed("report", "1", "a", "2", "a", "3", "b")
    typed("tie", "--yes")
    line = ["cut", "3", "--reason", "short"]
    shown = typed(*line, "--preview").splitlines()
    [ahead] = json.loads(typed(*line, "--preview", "--json"))["new_cuts"]
    seeds = [told.split()[1] for told in typed(*line).splitlines()[1:]]
    typed("pair")
    paired = json.loads(typed("pairings", "--elimination", "--round", "1", "--json"))
    games = [[bye] for bye in paired["byes"]] + [pairing["players"] for pairing in paired["pairings"]]
    assert (ahead["seeds"], ahead["games"]) == (seeds, games)
    assert shown[shown.index("Cut to top 3, by seed:") + 1 :] == [
        *(f"{seed:>3}  {name}" for seed, name in enumerate(seeds, 1)),
        f"Game 1: {seeds[0]}, bye",
        f"Game 2: {seeds[1]} - {seeds[2]}",
    ]


def test_a_preview_of_the_cut_leaves_open_what_chance_draws(typed: Typed) -> None:
    opened(typed, "street-warriors-2004", "A", "B", "C", "D")
    typed("pair", "--table", "A/B", "--table", "C/D")
    typed("report", "1", "a", "2", "a")
    typed("tie", "A", "C")
    shown = typed("cut", "2", "--reason", "short", "--preview").splitlines()
    assert "Cut to top 2, by seed:" in shown
    assert shown[-1] == "Chance draws the first games."
