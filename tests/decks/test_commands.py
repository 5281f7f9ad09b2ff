"""`matchledger deck`: submitting, amending, checking and showing lists, as at a tournament."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.decks.test_l5r import CARDS, deck
from tests.desk import RunCli, Said

from matchledger.formats.decklist import read_decklist
from matchledger_projections.decks.deck import digest

Run = Callable[..., Said]
ARRIVAL = deck()
FOUR_SAKE = deck(more_dynasty="2 Sake", more_conflict="2 Sake")


@pytest.fixture
def say(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in a folder with a tournament, card data and lists."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "event.ledger"))
    files = {
        "roster.csv": "name\nAnn\nBo\nCy\n",
        "cards.csv": CARDS,
        "ann.txt": ARRIVAL,
        "bo.txt": FOUR_SAKE,
        "changed.txt": deck(40, 39, more_conflict="1 Crane Fan"),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")

    say = partial(run_cli, code=None)
    say("open", "Kotei", "--rulebook", "l5r-2018")
    say("register", "--csv", "roster.csv")
    return say


def shown(say: Run, *words: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(say("deck", "show", *words, "--json").out)
    return document


def test_a_submitted_list_shows_only_its_hash(say: Run) -> None:
    said = say("deck", "submit", "Ann", "ann.txt")
    sha256 = digest(read_decklist(ARRIVAL.encode()))
    assert said == Said(0, f"Ann: a list of 86 (entry 5), SHA-256 {sha256}\n", "")
    say("deck", "check", "Ann", "--cards", "cards.csv")
    for words in (("log",), ("log", "--json"), ("deck", "show", "Ann"), ("deck", "show", "Ann", "--json")):
        out = say(*words).out
        assert sha256 in out
        assert "Mountain Keep" not in out
        assert "Monk" not in out
    assert "1 Mountain Keep" in say("deck", "show", "Ann", "--cards").out.splitlines()


def test_the_printed_list_can_be_handed_in_again(say: Run, tmp_path: Path) -> None:
    say("deck", "submit", "Ann", "ann.txt")
    lines = say("deck", "show", "Ann", "--cards").out.splitlines()[1:]
    (tmp_path / "again.txt").write_text("\n".join(lines), "utf-8")
    say("deck", "submit", "Bo", "again.txt")
    assert shown(say, "Ann")["sha256"] == shown(say, "Bo")["sha256"]


def test_checking_all_decks_reports_and_records_every_broken_rule(say: Run) -> None:
    say("deck", "submit", "Ann", "ann.txt")
    say("deck", "submit", "Bo", "bo.txt")
    check = (
        "deck",
        "check",
        "--cards",
        "cards.csv",
        "--tier",
        "formal",
        "--date",
        "2018-10-20",
        "--command-id",
        "x",
    )
    said = say(*check)
    assert said.code == 1
    assert said.err == ""
    ann, bo = said.out.split("Bo\n")
    assert "FAILS" not in ann
    assert [line.split()[:2] for line in bo.splitlines() if "FAILS" in line] == [["FAILS", "L5R-II.2a-COPY"]]
    before = say("log").out
    assert say(*check).code == 1
    assert say("log").out == before, "the same command twice is recorded once"
    checks = shown(say, "Bo", "--cards")["checks"]
    assert len(checks) == 11
    assert [check["found"] for check in checks if check["ok"] is False] == [
        "4 copies of Sake in both decks together, 3 at most"
    ]


def test_a_deck_that_changed_in_round_3_is_found_and_recorded(say: Run, tmp_path: Path) -> None:
    say("deck", "submit", "Ann", "ann.txt")
    for _ in range(3):
        say("pair")
        say("report", "1", "a")
    said = say("deck", "check", "Ann", "--cards", "cards.csv", "--round", "3", "--in-use", "changed.txt")
    assert said.code == 1
    broken = [check for check in shown(say, "Ann")["checks"] if check["ok"] is False]
    assert [(check["rule"], check["round"]) for check in broken] == [("L5R-II.2a-FIXED", 3)]
    assert broken[0]["sha256"] == digest(read_decklist((tmp_path / "changed.txt").read_bytes()))


def test_a_dry_run_records_nothing(say: Run) -> None:
    say("deck", "submit", "Ann", "ann.txt")
    before = say("log").out
    assert say("deck", "check", "Ann", "--dry-run").code == 0
    assert say("log").out == before


def test_missing_card_data_are_named_without_an_error(say: Run, tmp_path: Path) -> None:
    (tmp_path / "thin.csv").write_text("title,influense\nMonk 1,2\n", "utf-8")
    say("deck", "submit", "Ann", "ann.txt")
    said = say("deck", "check", "Ann", "--cards", "thin.csv")
    assert said.code == 0
    assert said.err == "thin.csv: columns that are not read: 'influense'; did you mean 'influence'?\n"
    assert "the card data do not give 'clan' of Monk 1" in said.out


def test_a_leader_amends_and_the_difference_is_kept(say: Run) -> None:
    say("deck", "submit", "Ann", "ann.txt")
    assert say("deck", "amend", "Ann", "changed.txt").code == 3
    said = say("deck", "amend", "Ann", "changed.txt", "--role", "judge", "--actor", "Mo", "--advantageous")
    assert said.code == 0
    assert say("deck", "show", "Ann").out.splitlines()[1] == "amended in entry 6 by Mo, marked as advantageous"
    full = say("deck", "show", "Ann", "--cards").out.splitlines()
    assert full[2:4] == ["  -1 Trick 14 (conflict)", "  +1 Crane Fan (conflict)"]
    assert [amendment["entry"] for amendment in shown(say, "Ann")["amendments"]] == [6]


def test_sleeves_and_a_first_five_are_checked_with_the_deck(say: Run, tmp_path: Path) -> None:
    say("deck", "submit", "Ann", "ann.txt")
    said = say("deck", "check", "Ann", "--tier", "premier", "--sleeves", "uniform,opaque")
    assert said.code == 1
    assert "the two decks need different sleeves" in said.out
    (tmp_path / "five.txt").write_text("[first-five]\n1 River Skald\n", "utf-8")
    said = say("deck", "check", "Ann", "--format", "ashes-2022", "--first-five", "five.txt", "--dry-run")
    assert said.code == 1
    assert "on the Chained List: River Skald" not in said.out, "the list is a policy of Ashes tournaments"
    assert "1 cards, a First Five has 5; not in the deck: River Skald" in said.out


def test_a_policy_or_an_option_of_the_check_sets_the_format(say: Run, tmp_path: Path) -> None:
    (tmp_path / "legacy.txt").write_text("[stronghold]\n1 Nanashi Mura\n", "utf-8")
    (tmp_path / "legacy.csv").write_text("title,type\nNanashi Mura,stronghold\n", "utf-8")
    ledger = str(tmp_path / "legacy.ledger")
    say("open", "Legacy", "--rulebook", "l5r-2018", "--policy", "POL-ALL-DECKS=legacy", "--ledger", ledger)
    say("register", "Ann", "--ledger", ledger)
    say("deck", "submit", "Ann", "legacy.txt", "--ledger", ledger)
    words = (
        "deck",
        "check",
        "Ann",
        "--cards",
        "legacy.csv",
        "--ledger",
        ledger,
        "--dry-run",
        "--minimum",
        "fate=40",
    )
    assert "FAILS  LEG-BAN-DRAFT" in say(*words).out
    draft = say(*words, "--format", "legacy-draft").out
    assert "ok     LEG-BAN-DRAFT" in draft
    assert "the fate deck has 0 cards, 40 are needed" in draft


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("submit", "Ann", "none.txt"), "none.txt cannot be read: No such file or directory"),
        (
            ("submit", "Ann", "cards.csv"),
            "cards.csv, line 1: 'title,deck,type,clan,keywords,influence,influence maxi",
        ),
        (("check",), "no deck list was submitted yet: submit one first"),
        (
            ("check", "Ann", "--format", "legasy"),
            "there is no deck format 'legasy'; did you mean 'legacy'?: there are",
        ),
        (("check", "Ann", "--tier", "grand"), "there is no tier 'grand': there are relaxed, formal, premier"),
        (("check", "Ann", "--date", "29.10."), "'29.10.' is not a day: write it as 2026-05-02"),
        (("check", "Ann", "--minimum", "fate"), "'fate' is not a size such as dynasty=40"),
        (
            ("check", "Ann", "--sleeves", "shiny"),
            "sleeves: this can be 'opaque', 'uniform', 'distinct' or 'worn'",
        ),
        (
            ("check", "Ann", "--cards", "ann.txt"),
            "ann.txt, line 1: there is no column 'title': the first line names",
        ),
        (
            ("check", "Ann", "Bo", "--in-use", "ann.txt"),
            "--in-use, --first-five and --sleeves are about one deck: name",
        ),
        (("check", "Dy"), "there is no player 'Dy'"),
    ],
)
def test_an_unclear_deck_command_gets_one_line_and_changes_nothing(
    say: Run, words: tuple[str, ...], message: str
) -> None:
    before = say("log").out
    said = say("deck", *words)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith(f"matchledger: {message}")
    assert said.err.count("\n") == 1
    assert say("log").out == before


def test_a_check_without_a_list_is_refused(say: Run) -> None:
    said = say("deck", "check", "Ann")
    assert (said.code, said.err) == (3, "matchledger: Ann has handed in no list: submit one first\n")
    assert say("deck", "show", "Ann").out == "Ann has handed in no list.\n"


def test_without_a_deck_format_in_the_rulebook_a_check_asks_for_one(say: Run, tmp_path: Path) -> None:
    ledger = str(tmp_path / "other.ledger")
    say("open", "Other", "--rulebook", "pokemon-2009", "--ledger", ledger)
    say("register", "Ann", "--ledger", ledger)
    say("deck", "submit", "Ann", "ann.txt", "--ledger", ledger)
    said = say("deck", "check", "Ann", "--ledger", ledger)
    assert said.code == 2
    assert said.err.startswith("matchledger: pokemon-2009 has no rules for decks; name a format: there are")


def test_a_late_list_needs_a_reason_and_is_listed(say: Run) -> None:
    """Before the fix, `--late` recorded a list after the start of round 1 without a reason."""
    say("deck", "submit", "Ann", "ann.txt")
    say("pair", "--reason", "nothing was announced")
    say("start")
    say("late", "Di")
    assert "as late" in say("deck", "submit", "Bo", "bo.txt").err
    assert "a late list needs a reason in the log: give one" in say("deck", "submit", "Bo", "bo.txt", "--late").err
    assert say("deck", "submit", "Bo", "bo.txt", "--late", "--reason", "left in the car").code == 0
    assert say("deck", "submit", "Di", "ann.txt").code == 0
    listed = [line for line in say("integrity").out.splitlines() if "late deck list" in line]
    assert len(listed) == 1, "Ann was in time, and Di arrived late"
    assert "L5R-II.2-PLAYERMAT" in listed[0]
