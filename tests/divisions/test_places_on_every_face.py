"""If divisions play apart, every face shows the place that the posted paper shows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from matchledger.cli import run
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

JUNIORS, MASTERS = 4, 6
Places = dict[str, int]


@pytest.fixture
def ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Juniors and masters who play apart, after one round. The first player of each table won."""
    path = tmp_path / "pods.ledger"
    roster = tmp_path / "field.csv"
    field = [*(f"M{n},masters" for n in range(MASTERS)), *(f"J{n},junior" for n in range(JUNIORS))]
    roster.write_text("\n".join(["name,division", *field]))
    tables = (JUNIORS + MASTERS) // 2
    for line in (
        ["open", "Sunday", "-b", "pokemon-2009"],
        ["register", "--csv", str(roster)],
        ["decide-divisions", "--mode", "separated", "--reason", "small"],
        ["announce", "--rounds", "2", "--cut", "0", "--structure", "custom", "--reason", "small"],
        ["pair"],
        ["start"],
        ["report", *(word for table in range(1, tables + 1) for word in (str(table), "a"))],
        ["post"],
    ):
        assert run([*line, "--ledger", str(path)]) == 0, (line, capsys.readouterr().err)
    return path


@pytest.fixture
def browser(ledger: Path) -> Iterator[TestClient]:
    with TestClient(create_app(str(ledger), Settings(watch_seconds=60)), base_url="http://localhost") as client:
        yield client


def printed(capsys: pytest.CaptureFixture[str], ledger: Path, *words: str) -> str:
    capsys.readouterr()
    assert run([*words, "--ledger", str(ledger)]) == 0
    return capsys.readouterr().out


def places(rows: list[dict[str, object]]) -> Places:
    return {str(row["player"]): int(str(row["rank"])) for row in rows}


@pytest.mark.finding("B-2")
def test_a_place_in_a_division_is_the_same_on_every_face(
    ledger: Path, browser: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    posted = places(json.loads(printed(capsys, ledger, "print", "standings", "--json"))["standings"])
    assert min(place for name, place in posted.items() if name[0] == "J") == 1
    assert min(place for name, place in posted.items() if name[0] == "M") == 1
    home = browser.get("/", follow_redirects=False).headers["location"]
    api = f"/api/tournaments/{home.split('/')[2]}/"

    assert places(json.loads(printed(capsys, ledger, "standings", "--json"))["standings"]) == posted
    assert places(browser.get(f"{api}standings").json()["standings"]) == posted
    table = re.findall(r"^ *(\d+)=? +([JM]\d)", printed(capsys, ledger, "standings"), re.MULTILINE)
    assert {name: int(place) for place, name in table} == posted

    for number, name in enumerate([f"M{n}" for n in range(MASTERS)] + [f"J{n}" for n in range(JUNIORS)], 1):
        why = json.loads(printed(capsys, ledger, "explain", f"#{number}", "--json"))
        assert (why["player"], why["rank"]) == (name, posted[name])
        assert why["of"] == (MASTERS if name[0] == "M" else JUNIORS)
        assert browser.get(f"{api}course/{number}").json()["rounds"][-1]["rank"] == posted[name]
        said = re.search(r"[Pp]lace (\d+) of (\d+)", browser.get(f"{home}player/{number}/why").text)
        assert said is not None
        assert (int(said[1]), int(said[2])) == (posted[name], why["of"])

    preview = json.loads(printed(capsys, ledger, "correct", "1", "1", "b", "--preview", "--json"))
    assert preview["places"]
    assert all(line["before"]["rank"] == posted[line["player"]] for line in preview["places"])
    assert len({line["player"][0] for line in preview["places"]}) == 1, "the other division is not touched"

    for page in ("standings", "wall?show=standings"):
        text = browser.get(f"{home}{page}").text
        assert shown_on(text) == posted, page


def shown_on(page: str) -> Places:
    """Return the places in the tables of a page: the first number of each row with a player's name."""
    innermost = re.findall(r"<(?:tr|li)\b[^>]*>((?:(?!<(?:tr|li)\b).)*?)</(?:tr|li)>", page, re.DOTALL)
    rows = (" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in innermost)
    found = (re.match(r"(\d+)\b.*?\b([JM]\d)\b", row) for row in rows)
    return {line[2]: int(line[1]) for line in found if line is not None}
