"""A Magic event of 64 players from the registration to the champion, with questions on the way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from matchledger.cli import run
from matchledger.service.importing import Transcription
from matchledger_projections.standings.standings import standings
from matchledger_projections.standings.tiebreakers import TIEBREAKERS
from matchledger_projections.views.clinch import clinch

Replay = Callable[[str], Transcription]
SCORES = ("2-0", "0-2", "2-1", "1-2", "1-1-1", "0-0-3", "2-0-1")


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Any]:
    """Run a line of the command line. With --json, return the document that it prints."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")

    def run_line(*words: str) -> Any:
        capsys.readouterr()
        assert run(list(words)) == 0, (words, capsys.readouterr().err)
        printed = capsys.readouterr().out
        return json.loads(printed) if "--json" in words else printed

    return run_line


def test_64_players_play_a_magic_event_until_there_is_a_champion(told: Callable[..., Any], tmp_path: Path) -> None:
    chance = Random(64)  # noqa: S311 - a test event, not a secret
    players = [f"Player {number:02}" for number in range(1, 65)]
    (tmp_path / "field.csv").write_text("name\n" + "\n".join(players) + "\n", "utf-8")
    told("open", "Modern 64", "--rulebook", "magic-mtr")
    told("register", "--csv", "field.csv")
    told("announce", "--rounds", "6", "--cut", "8")
    for round_ in range(1, 7):
        told("pair")
        slips = [(str(table), chance.choice(SCORES)) for table in range(1, 33)]
        told("report", *(word for slip in slips for word in slip))
        if round_ == 3:
            corrected = "2-0" if dict(slips)["9"] != "2-0" else "2-1"
            told("correct", "3", "9", corrected, "--yes")
    table = told("standings", "--json")
    assert set(table["standings"][0]["tiebreaks"]) >= {
        "opponents_match_win_percentage",
        "game_win_percentage",
        "opponents_game_win_percentage",
    }
    leader = table["standings"][0]["player"]
    assert "Opponents game win percentage (MTR-C): mean over opponents" in told("explain", leader)
    a, b = next(
        game["players"] for game in told("pairings", "--round", "3", "--json")["pairings"] if game["table"] == 9
    )
    card = told("scorecard", a)
    assert re.search(rf"^ +3 +9  {b}  win {corrected} ", card, re.MULTILINE), card
    assert not any(row["tied"] for row in table["standings"][:9])
    told("cut", "8")
    for size in (4, 2, 1):
        told("pair")
        pairings = told("pairings", "--elimination", "--json")
        assert len(pairings["pairings"]) == size
        told("report", *(word for game in pairings["pairings"] for word in (str(game["table"]), "2-1")))
    places = told("places", "--json")["places"]
    assert places[0]["player"] == pairings["pairings"][0]["players"][0]
    told("close", "--yes")
    told("verify")


LAST_ROUND = """
rulebook {}
players A B C D E F
round 1
  A > B 2-0
  C > D 2-1
  E > F 2-0
round 2
  A > C 2-1
  E > B 2-0
  D > F 2-0
round 3
  A - E
  C - B
  D - F rematch
"""


def test_clinch_leaves_places_open_that_future_games_decide(replay: Replay) -> None:
    """The test tries every score of the last round: a certain player always makes the cut, and an eliminated player
    never does.
    """
    sheet = LAST_ROUND.format("magic-mtr")
    found = clinch(replay(sheet).draft.entries, rounds_left=1, cut=2)
    fates = {prospect.player: prospect.fate for prospect in found.prospects}
    assert (found.basis, found.endings) == ("results", 4**3)
    assert found.left_open == ("game_win_percentage", "opponents_game_win_percentage", "random_draw")
    inside: dict[int, set[bool]] = {player: set() for player in fates}
    for scores in product(
        ("A > E 2-0", "A > E 2-1", "E > A 2-1", "A = E 1-1-1"), ("C > B 2-0", "B > C 2-0"), ("2-0", "2-1")
    ):
        played = (
            sheet.replace("A - E", scores[0]).replace("C - B", scores[1]).replace("D - F", f"D > F {scores[2]}")
        )
        groups = standings(replay(played).draft.record).groups
        best = [player for group in groups for player in group][:2]
        for player in fates:
            inside[player].add(player in best)
    for player, fate in fates.items():
        assert fate != "certain" or inside[player] == {True}
        assert fate != "impossible" or inside[player] == {False}


def test_clinch_names_what_scores_can_still_change(told: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "last.sheet").write_text(LAST_ROUND.format("magic-mtr").lstrip(), encoding="utf-8")
    told("import", str(tmp_path / "last.sheet"))
    said = told("clinch", "--rounds-left", "1", "--cut", "2")
    assert (
        "RESULTS: all 64 combinations of results were replayed. Scores on slips to come were not, so game win"
        in said
    )
    assert "Exact" not in said


def test_clinch_is_exact_after_every_slip_is_in(replay: Replay) -> None:
    sheet = LAST_ROUND.format("magic-mtr").replace("A - E", "A > E 2-0").replace("C - B", "C > B 2-1")
    played = sheet.replace("D - F rematch", "D > F 2-0 rematch")
    found = clinch(replay(played).draft.entries, rounds_left=0, cut=2)
    assert (found.basis, found.endings, found.left_open) == ("exact", 1, ())
    assert {prospect.fate for prospect in found.prospects} == {"certain", "impossible"}


LEVEL = """
rulebook magic-mtr
players A B C D
round 1
  A > B 2-0
  C > D 2-0
round 2
  A - D
  C - B
"""


def test_no_place_is_certain_while_the_games_on_slips_can_decide_it(replay: Replay) -> None:
    """If A and C both win, they stay tied in points and opponents. If A and C stay tied, the games on their slips
    decide.
    """
    draft = replay(LEVEL).draft
    found = {prospect.player: prospect.fate for prospect in clinch(draft.entries, rounds_left=1, cut=1).prospects}
    assert (found[1], found[3]) == ("open", "open")
    assert (
        TIEBREAKERS["game_win_percentage"].hangs_on
        == TIEBREAKERS["opponents_game_win_percentage"].hangs_on
        == "slips"
    )


@pytest.mark.parametrize("rulebook", ["lorcana", "flesh-and-blood", "netrunner-aesops"])
def test_clinch_works_for_all_games_of_today(replay: Replay, rulebook: str) -> None:
    sheet = LAST_ROUND.format(rulebook)
    for games in (" 2-0", " 2-1"):
        if rulebook != "lorcana":
            sheet = sheet.replace(games, "")
    found = clinch(replay(sheet).draft.entries, rounds_left=1, cut=3)
    assert found.basis == ("results" if rulebook == "lorcana" else "exact")
    assert {prospect.player for prospect in found.prospects} == set(range(1, 7))
