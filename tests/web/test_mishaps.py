"""An event with the mishaps of a Saturday, through the forms of the desk, as in tests/cli."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_public import words

from matchledger.ledger import Clerk
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

PLAYERS = 24


class FormDesk:
    """A desk in a browser: each form is sent like its page's, and confirmed after a preview."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.home = browser.get("/", follow_redirects=False).headers["location"]

    def send(self, kind: str, page: str, reason: str = "", **filled: object) -> str:
        """The page after sending the form."""
        form = {"kind": kind, "id": str(uuid4()), "page": page, "form": kind, "view": "", "reason": reason}
        answer = self.browser.post(f"{self.home}desk/do", data=form | filled)
        if "Nothing is recorded yet" in answer.text:
            shown = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', answer.text)
            every = {name: [value for other, value in shown if other == name] for name, _ in shown}
            answer = self.browser.post(f"{self.home}desk/do", data=every | {"reason": reason})
        return words(answer.text)

    def done(self, kind: str, page: str, reason: str = "", **filled: object) -> None:
        """Send a form that is recorded."""
        before = self.read("integrity")["position"]
        said = self.send(kind, page, reason, **filled)
        assert self.read("integrity")["position"] > before, said

    def read(self, path: str) -> dict[str, Any]:
        found: dict[str, Any] = self.browser.get(self.home.replace("/t/", "/api/tournaments/") + path).json()
        return found

    def pile(self, stage: str = "swiss") -> None:
        """A slip for every open table, won by the first player."""
        rows: Any = self.read(f"pairings?stage={stage}")["pairings"]
        for row in rows:
            if row["result"] is None:
                self.done("report-slip", "desk", table=str(row["table"]), outcome="a")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[FormDesk]:
    path = tmp_path / "event.ledger"
    roster = tmp_path / "field.csv"
    roster.write_text("\n".join(["name", *(f"P{number:03}" for number in range(1, PLAYERS + 1))]), "utf-8")
    at_terminal(path)("open", "Saturday", "--rulebook", "l5r-2018")
    at_terminal(path)("register", "--csv", str(roster))
    settings = Settings(key=KEY, clerk=Clerk("Olga", "organizer", "desk"))
    with TestClient(create_app(str(path), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield FormDesk(browser)


def test_an_event_survives_every_mishap_in_the_browser(desk: FormDesk) -> None:
    desk.done("announce-structure", "event", "short", rounds="2", cut="2", structure="custom", deviating="yes")
    desk.done("rename-player", "players", player="#3", name="Petra Three")
    desk.done("register-player", "players", name="P004 again")
    desk.done("merge-players", "players", player="#4", other="P004 again")
    desk.done("fix-table", "players", player="#6", table="50")
    desk.done("pair-round", "rounds")
    desk.done("swap-tables", "rounds", first="1", second="2")
    # A policy is changed in the middle, and taken back from the log.
    assert "needs its reason" in desk.send("change-policy", "event", flag="POL-ALL-REPAIR", value="never")
    desk.done("change-policy", "event", "agreed", flag="POL-ALL-REPAIR", value="never")
    changed = desk.read("policies")
    [policy] = [one for one in changed["policies"] if one["changed"]]
    assert (policy["policy"], policy["value"], policy["changed"]["reason"]) == ("POL-ALL-REPAIR", "never", "agreed")
    desk.done("retract-entry", "log", "agreed", position=str(policy["changed"]["position"]))
    # A contradicting slip holds the next round until somebody settles it.
    desk.done("report-slip", "desk", table="1", outcome="a")
    desk.send("report-slip", "desk", table="1", outcome="b")
    desk.pile()
    assert "contradicts the result of table 1" in desk.send("pair-round", "rounds")
    desk.done("correct-slip", "corrections", round="1", table="1", outcome="b")
    desk.done("post-standings", "rounds")
    desk.done("pair-round", "rounds")
    desk.done("drop-player", "players", player="#10")
    desk.done("disqualify-player", "players", "cheated", player="#11")
    desk.pile()
    desk.done("draw-ties", "event")
    desk.done("make-cut", "event")
    desk.done("pair-round", "rounds")
    end = desk.read("integrity")["position"]
    desk.send("close-tournament", "event")
    assert desk.read("integrity")["position"] == end, "not in the middle of the final"
    desk.pile("elimination")
    desk.done("close-tournament", "event")
    assert desk.read("places")["places"][0]["first"] == 1
