"""Previews of a round: the tables are the same as recorded later, and objections are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.desk import RunCli
from tests.event import deciding
from tests.pairing.conftest import Event, Play

from matchledger.cli import run
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.notation.slip import Written
from matchledger_projections.message import both

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Run a command on an event. The first command makes its ledger."""
    file = tmp_path / "event.ledger"

    def say(played: Event, *arguments: str) -> tuple[int, str, str]:
        if not file.exists():
            played.keep(file)
        code = run([*arguments, "--ledger", str(file)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return say


@pytest.fixture
def two_rounds(event: Play) -> Event:
    """Nine players after two rounds."""
    played = event("pokemon-2009", POL_PKM_POST="free")
    played.enter(9)
    played.play_plainly(2)
    return played


def tables_in(text: str) -> list[str]:
    return [line for line in text.splitlines() if "Player " in line and not line.startswith("Table")]


def test_a_preview_shows_the_tables_that_are_then_recorded(two_rounds: Event, say: Say) -> None:
    code, shown, _ = say(two_rounds, "pair", "--preview")
    assert code == 0
    assert shown.startswith("PREVIEW of round 3: nothing is recorded.\n")
    assert len(tables_in(shown)) == 5
    assert json.loads(say(two_rounds, "pairings", "--json")[1])["round"] == 2
    assert tables_in(say(two_rounds, "pair")[1]) == tables_in(shown)


def test_a_preview_is_one_json_document(two_rounds: Event, say: Say) -> None:
    code, shown, _ = say(two_rounds, "pair", "--preview", "--json")
    document: dict[str, Any] = json.loads(shown)
    assert code == 0
    assert document["round"] == 3
    assert document["recorded"] is False
    assert [table["table"] for table in document["pairings"]] == [1, 2, 3, 4]
    assert len(document["byes"]) == 1
    assert document["problems"] == []


def test_a_round_that_waits_for_results_is_not_drawn(two_rounds: Event, say: Say) -> None:
    two_rounds.pair()
    code, shown, _ = say(two_rounds, "pair", "--preview")
    assert code == 1
    assert shown.splitlines()[1:] == ["problem: unreported: round 3 has no result from tables 1, 2, 3, 4"]


def test_unchanged_posted_standings_are_no_problem(two_rounds: Event, say: Say) -> None:
    two_rounds.draft.decide(deciding(opening.PostStandings))
    assert say(two_rounds, "pair", "--preview")[0] == 0


def test_pairing_warns_of_a_correction_after_the_posting(two_rounds: Event, say: Say) -> None:
    two_rounds.draft.decide(deciding(opening.PostStandings))
    posted = two_rounds.record.position
    report = two_rounds.record.round(2).report(1, two_rounds.record.round(2).tables[1])  # type: ignore[union-attr]
    other = 1 if report is not None and report.winner == report.players[0] else 0
    two_rounds.draft.decide(partial(slips.correct, table=1, round_=2, written=Written(winner=other)))
    line = (
        f"standings changed: the standings after round 2 differ from the posted ones (entry {posted}); post "
        "them again"
    )
    code, shown, _ = say(two_rounds, "pair", "--preview")
    assert code == 1
    assert shown.splitlines()[-1] == f"problem: {line}"
    code, _, noted = say(two_rounds, "pair")
    assert code == 0
    assert noted == f"note: {line}\n"


def test_a_drop_after_the_posting_changes_no_standings(two_rounds: Event, say: Say) -> None:
    two_rounds.draft.decide(deciding(opening.PostStandings))
    two_rounds.drop(4)
    assert say(two_rounds, "pair", "--preview")[0] == 0


def test_a_round_by_hand_is_checked_against_the_rules(two_rounds: Event, say: Say) -> None:
    first, second = two_rounds.record.round(1).tables[1]  # type: ignore[union-attr]
    bye = two_rounds.record.round(2).byes[0].player  # type: ignore[union-attr]
    twice, *others = [player for player in range(1, 10) if player not in (first, second, bye)]
    strangers = [other for other in others if rounds.meeting(two_rounds.record, twice, other) is None]
    here, gone = strangers[:2]
    two_rounds.drop(gone)
    tables = [f"#{first}/#{second}", f"#{twice}/#{here}", f"#{twice}/#{gone}", f"#{bye}"]
    arguments = [part for table in tables for part in ("--table", table)]
    code, shown, _ = say(two_rounds, "pair", "--preview", *arguments)
    assert code == 1
    missing = both(f"Player {player}" for player in others if player not in (here, gone))
    assert [line for line in shown.splitlines() if line.startswith("problem")] == [
        f"problem: doubled: Player {twice} would sit in two places",
        f"problem: not playing: Player {gone} cannot be paired in this round",
        f"problem: missing: {missing} would have neither an opponent nor a bye",
        f"problem: repeat: Player {first} and Player {second} at table 1 have met in round 1",
        f"problem: second bye: Player {bye} had one in round 2",
    ]


@pytest.mark.finding("C-D2")
def test_a_round_by_hand_that_omits_a_player_needs_a_reason(event: Play, say: Say) -> None:
    played = event("pokemon-2009")
    played.enter(4)
    code, _, refused = say(played, "pair", "--table", "Player 1/Player 2")
    assert code == 3
    assert refused == (
        "matchledger: 2 players would have no opponent and no bye (Player 3, Player 4): pair them too, or give a "
        "reason; use --reason\n"
    )
    code, _, noted = say(played, "pair", "--table", "Player 1/Player 2", "--reason", "they asked to sit out")
    assert code == 0
    code, listed, _ = say(played, "integrity")
    assert "player left out of a round" in listed
    assert "note: missing: Player 3 and Player 4 would have neither an opponent nor a bye\n" in noted


def test_pair_with_json_needs_preview(two_rounds: Event, say: Say) -> None:
    code, _, said = say(two_rounds, "pair", "--json")
    assert code == 2
    assert said == "matchledger: --json shows a preview: give --preview with it\n"


# -- refusals of pair, and players passed over for the bye


def test_a_preview_shows_every_refusal_of_pair(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The preview names an announced structure that does not fit, and an extra round."""
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    for line in ("open Friday -b l5r-2018", *(f"register {name}" for name in "ABCDEFGH"), "announce --prizes 1"):
        run_cli(*line.split(), code=0)
    for line in ("register I", "register J"):
        run_cli(*line.split(), code=0)
    shown = run_cli("pair", "--preview", code=1)
    refused = run_cli("pair", code=3).refused
    assert f"problem: {refused}" in shown.lines
    run_cli("pair", "--reason", "late", code=0)
    for round_ in (1, 2, 3):
        for table in range(1, 6):
            run_cli("report", str(table), "a", code=0)
        if round_ < 3:
            run_cli("pair", code=0)
    shown = run_cli("pair", "--preview", code=1)
    refused = run_cli("pair", code=3).refused
    assert "beyond" in refused
    assert f"problem: {refused}" in shown.lines


def test_preview_and_explain_name_players_who_were_passed_over_for_the_bye(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """L5R-IV.2a-BYE: if G, the last player, had the bye, A, B and C could only meet D, E and F again."""
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    run_cli("open", "Friday", "-b", "l5r-2018", code=0)
    for name in "ABCDEFGHIJ":
        run_cli("register", name, code=0)
    for games in ("A/D B/E C/F H/G I/J", "A/E B/F C/D I/G H/J", "A/F B/D C/E J/G H/I"):
        tables = [word for game in games.split() for word in ("--table", game)]
        run_cli("pair", *tables, "--reason", "by hand", code=0)
        for table in range(1, 6):
            run_cli("report", str(table), "a", code=0)
    for name in "HIJ":
        run_cli("drop", name, "--yes", code=0)
    note = run_cli("pair", "--preview").lines[-1]
    [bye] = [
        line.removeprefix("Bye: ") for line in run_cli("pair", "--reason", "on").lines if line.startswith("Bye: ")
    ]
    assert note == (
        f"note: the bye goes to {bye} instead of G, because the others could only be paired with a rematch "
        "(POL-L5R-BYE=avoid-rematch)"
    )
    assert (
        "A player is passed over if the others could then only be paired with a rematch (POL-L5R-BYE=avoid-rematch)"
        in run_cli("explain", "--pairing", "bye").lines
    )
