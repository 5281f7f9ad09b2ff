"""Every game of today at a desk: a wrong slip is corrected, and players' and judges' questions are answered."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.desk import RunCli

from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.standings.tiebreakers import TIEBREAKERS

GAMES = (
    "magic-mtr",
    "magic-melee",
    "star-wars-unlimited",
    "lorcana",
    "pokemon-2026",
    "yu-gi-oh",
    "flesh-and-blood",
    "one-piece",
    "netrunner-aesops",
)
PLAYERS = ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus", "Hal")


def test_the_games_of_a_bracket_are_in_its_json_and_its_tree_and_its_drawing(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")
    run_cli("open", "Friday", "--rulebook", "magic-mtr")
    for name in PLAYERS[:4]:
        run_cli("register", name)
    run_cli("announce", "--style", "elimination", "--reason", "few players")
    run_cli("pair")
    run_cli("report", "1", "1-2")
    [semifinals, final] = run_cli("bracket", "--json").document["rounds"]
    assert [game["games"] for game in (*semifinals["games"], *final["games"])] == [[1, 2, 0], None, None]
    assert f"#1 {semifinals['games'][0]['players'][1]} 2-1" in run_cli("bracket").out
    run_cli("draw", "bracket", "--out", "bracket.svg")
    drawn = Path("bracket.svg").read_text("utf-8")
    assert ">1</text>" in drawn
    assert ">2</text>" in drawn


@pytest.mark.parametrize("rulebook", GAMES)
def test_a_wrong_slip_is_corrected_and_repaired_and_explained(
    run_cli: RunCli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, rulebook: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")
    law = parse_rulebook(rulebook_text(rulebook))
    best_of = None if law.games is None else law.games.best_of
    won, lost = {None: ("a", "b"), 1: ("1-0", "0-1"), 3: ("2-1", "1-2")}[best_of]
    run_cli("open", "Friday", "--rulebook", rulebook)
    for name in PLAYERS:
        run_cli("register", name)
    run_cli("pair")
    run_cli("report", "1", won, "2", won, "3", won, "4", won)
    run_cli("pair")
    run_cli("correct", "1", "1", lost, "--reason", "both signed the wrong line", "--yes")

    choices = run_cli("repair", "--json", code=None).document
    assert [(option["choice"], option["allowed"]) for option in choices["options"]] == [
        ("leave", True),
        ("minimal", True),
        ("all", True),
    ]
    run_cli("repair", "--choose", "minimal", "--reason", "nobody has begun")
    [first, second] = run_cli("pairings", "--round", "1", "--json").document["pairings"][0]["players"]
    before = {row["player"]: row for row in run_cli("standings", "--json").document["standings"]}
    assert before[second]["points"] == law.results["win"].winner
    supposed = run_cli("whatif", "--set", f"1 1 {won}", "--json").document
    after = {row["player"]: row["points"] for row in supposed["standings"]}
    assert (after[first], after[second]) == (before[second]["points"], before[first]["points"])
    run_cli("report", "1", won, "2", lost, "3", won, "4", lost)
    run_cli("pair")
    told = run_cli("clinch", "--rounds-left", "1", "--cut", "4", "--json").document
    by_scores = any(TIEBREAKERS[name].hangs_on == "slips" for name in law.tiebreaks)
    assert told["basis"] == ("results" if by_scores else "exact")
    assert {line["player"] for line in told["players"]} == set(PLAYERS)

    explained = run_cli("explain", second, "--json").document
    [card] = run_cli("scorecard", second, "--json").document["cards"]
    games = None if best_of is None else [best_of // 2 + 1, best_of // 2, 0]
    assert explained["rounds"][0]["games"] == card["swiss"][0]["games"] == games
    derived = {tiebreak["name"] for tiebreak in explained["tiebreaks"]}
    assert derived >= set(law.tiebreaks) - {"random_draw", "head_to_head"}
    run_cli("bundle", "1", "1", "--out", "bundle.json")
    assert json.loads(Path("bundle.json").read_text("utf-8"))["format"] == "matchledger-bundle/2"
    run_cli("verify")
