"""The tests run the sessions on pages from the first line to the last. Each command does what its page says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from tests.docs.test_docs import ROOT, block, commands

from matchledger.cli import run
from matchledger.ledger import open_ledger
from matchledger.ledger.verification import verify


def _walk(session: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Run a session, and return its output. A line may use a verification key that an earlier command printed."""
    printed: list[str] = []
    for words in commands(session):
        put = [_printed_by(word, capsys) for word in words]
        file = put.pop() if ">" in put else None
        capsys.readouterr()
        assert run([word for word in put if word != ">"]) == 0, (words, capsys.readouterr().err)
        said = capsys.readouterr().out
        if file is not None:
            Path(file).write_text(said, "utf-8")
        printed += said.splitlines()
    return printed


def _printed_by(word: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return a word, or for `$(...)` the output of the command."""
    inner = re.fullmatch(r"\$\(matchledger (.*)\)", word)
    if inner is None:
        return word
    capsys.readouterr()
    assert run(shlex.split(inner[1])) == 0
    return capsys.readouterr().out.strip()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for the session, next to the fixtures."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    names = [f"Player {number:02}" for number in range(1, 17)]
    (tmp_path / "roster.csv").write_text("\n".join(["name", *names]), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_the_checkpoint_page_signs_and_verifies(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "checkpoints.md").read_text("utf-8")
    signed = _walk(block(page, "## At the event", "console"), capsys)
    assert sum(line.startswith("\u2014 example.org/judges ") for line in signed) == 2
    verified = _walk(block(page, "## To verify", "console"), capsys)
    assert any("match the signed checkpoint" in line for line in verified)


@pytest.mark.usefixtures("folder")
def test_the_elimination_page_announces_and_plays_a_structure(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "elimination.md").read_text("utf-8")
    announced = _walk(block(page, "## The structure", "console"), capsys)
    assert sum(line.startswith("Announced: ") for line in announced) == 5, "what structure shows, and four more"
    assert announced[-1].startswith("Announced: 5 Swiss rounds, then the top 8")


@pytest.mark.usefixtures("folder")
def test_the_elimination_page_decides_a_game_at_time(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "elimination.md").read_text("utf-8")
    decided = _walk(block(page, "six tiebreakers decide", "console"), capsys)
    assert "wins by tiebreaker" in decided[-1]


@pytest.mark.usefixtures("folder")
def test_the_export_page_exports_and_imports_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "export.md").read_text("utf-8")
    printed = _walk(block(page, "# Export", "console"), capsys)
    heads = {found for line in printed for found in re.findall(r"\d+:[0-9a-f]{64}", line)}
    assert len(heads) == 1, "the tree head is what it was"


@pytest.mark.usefixtures("folder")
def test_the_pairing_page_previews_and_explains_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "pairing.md").read_text("utf-8")
    printed = _walk(block(page, "## Seeing it", "console"), capsys)
    assert "PREVIEW of round 1: nothing is recorded." in printed
    assert "Round 1: as derived" in printed


@pytest.mark.usefixtures("folder")
def test_the_desk_page_admits_a_station(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MATCHLEDGER_LEDGER")
    page = (ROOT / "docs" / "desk.md").read_text("utf-8")
    run(["open", "Friday Night", "--rulebook", "l5r-2018", "--ledger", "friday.ledger"])
    printed = _walk(block(page, "every entry names its author:", "console"), capsys)
    assert any(line.startswith("Tokens signed with ") for line in printed)
    assert printed[-1].startswith("mlt2.")


@pytest.fixture
def league(postgresql: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Callable[[str], str]]:
    """Run the stations page with a local server instead of `hall`, and with the page's roles and database."""
    monkeypatch.delenv("MATCHLEDGER_LEDGER")
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(folder / "league.keys"))
    url = postgresql.replace("/postgres?", "/league?")

    def on_this_machine(session: str) -> str:
        found = re.sub(r"postgresql://(\w+)@hall/league", lambda named: url.replace("postgres:", named[1]), session)
        assert found != session, "a database is named"
        return found

    page = (ROOT / "docs" / "stations.md").read_text("utf-8")
    with psycopg.connect(postgresql, autocommit=True) as admin:
        for statement in block(page, "with an owner of its own:", "sql").strip().split(";\n"):
            admin.execute(statement)
        yield on_this_machine
        for statement in ("DROP DATABASE league WITH (FORCE)", "DROP ROLE IF EXISTS station", "DROP ROLE owner"):
            admin.execute(statement)


def test_the_stations_page_keeps_a_league_in_a_database(
    postgresql: str,
    league: Callable[[str], str],
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = (ROOT / "docs" / "stations.md").read_text("utf-8")
    opened = _walk(league(block(page, "Use the URL of the database", "console")), capsys)
    assert opened[-1] == "16 players registered."
    with psycopg.connect(postgresql.replace("/postgres?", "/league?"), autocommit=True) as admin:
        admin.execute("DROP ROLE IF EXISTS station")
        for statement in block(page, "Give the stations a database role", "sql").strip().split(";\n"):
            admin.execute(statement)
    said = _walk(league(block(page, "Give the stations a database role", "console")), capsys)
    assert said[-1] == "Round 1: 2/8 reported, outstanding: 3, 4, 5, 6, 7, 8"
    assert "Player 01" in "".join(said), "a station that has the keys reads names"
    assert run(["open", "Friday", "--rulebook", "l5r-2018", "--ledger", "event.ledger"]) == 0
    assert run(["register", "Ann", "--ledger", "event.ledger"]) == 0
    copied = _walk(league(block(page, "## From one to the other", "console")), capsys)
    assert [line.partition(":")[0] for line in copied if ": copied" in line] == ["Friday", "Regional", "Friday"]
    with open_ledger(str(folder / "back.ledger")) as back:
        names = [back.record(tournament).players[1].name for tournament in back.tournaments()]
        assert names == ["Player 01", "Ann"]
        assert [verify(back, tournament) for tournament in back.tournaments()] == [[], []]
    monkeypatch.delenv("MATCHLEDGER_KEYS")
    url = league("postgresql://station@hall/league")
    assert run(["standings", "-t", "Friday", "--ledger", url]) == 0
    assert capsys.readouterr().err == (
        "note: MATCHLEDGER_KEYS names no file with the key to 1 name: a number stands for it\n"
    )
