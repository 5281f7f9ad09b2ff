"""An event with a Saturday's mishaps at a desk in a real browser. tests/cli has the same event at a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, serving, type_slip
from tests.web.conftest import KEY, at_terminal, opened

from matchledger.ledger import Clerk
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


class BrowserDesk:
    """A desk in a browser: a person fills in its forms, looks at the preview, and confirms."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.home = page.url.partition("/desk")[0]

    def send(self, path: str, form: str, button: str, **filled: str) -> None:
        """Fill in a form of a page, and press its button. The value "yes" ticks a box."""
        self.page.goto(f"{self.home}/desk/{path}")
        self.page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        sent = self.page.locator("form", has=self.page.locator(f'[name="form"][value="{form}"]'))
        for name, value in filled.items():
            field = sent.locator(f'[name="{name}"]:not([type="hidden"], button)').first
            if value == "yes":
                field.check()
            elif field.get_attribute("type") == "radio":
                sent.locator(f'[name="{name}"][value="{value}"]').check()
            elif field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
        sent.get_by_role("button", name=button, exact=True).click()

    def do(self, path: str, form: str, button: str, **filled: str) -> None:
        """Send a form, and check that its entry is recorded."""
        self.send(path, form, button, **filled)
        self.confirm()

    def confirm(self) -> None:
        """Confirm a preview if one is shown, and check that the entry is recorded."""
        record, recorded = self.page.get_by_role("button", name="Record it"), self.page.locator(".done")
        expect(record.or_(recorded)).to_be_visible()
        if record.is_visible():
            record.click()
        expect(recorded).to_be_visible()

    def refused(self, said: str, path: str, form: str, button: str, **filled: str) -> None:
        """Send a form, and check that it is refused and that the log has no new entry."""
        before = self.length
        self.send(path, form, button, **filled)
        record, failed = self.page.get_by_role("button", name="Record it"), self.page.locator("#failed")
        expect(record.or_(failed)).to_be_visible()
        if record.is_visible():
            record.click()
        expect(failed).to_contain_text(said)
        assert self.length == before

    def take_back(self, said: str, reason: str | None = None) -> None:
        """Find an entry on the log page and take it back there, with a reason if the page asks for one. The log
        page keeps the search.
        """
        self.page.goto(f"{self.home}/desk/log?q={said}")
        line = self.page.locator(".ledger li", has_text=said).first
        if not (button := line.get_by_role("button")).is_visible():
            line.locator("summary").click()
        button.click()
        if reason is not None:
            self.page.get_by_label("Reason").fill(reason)
            self.page.get_by_role("button", name="Try again").click()
        self.confirm()
        expect(self.page.locator("#q")).to_have_value(said)
        expect(line).to_have_class("gone")

    def slips(self, *outcomes: tuple[int, str]) -> None:
        """Type slips as a scorekeeper does: 1 if the first player won, 2 if the second did."""
        self.page.goto(f"{self.home}/desk")
        expect(self.page.locator("#keys li").first).to_be_visible()
        left = len(self.outstanding)
        for table, key in outcomes:
            type_slip(self.page, table, key)
        expect(self.page.locator("#outstanding li")).to_have_count(left - len(outcomes))
        expect(self.page.locator("#disk")).to_contain_text("is on disk")

    def read(self, path: str) -> Any:
        return self.page.request.get(f"{self.home.replace('/t/', '/api/tournaments/')}/{path}").json()

    @property
    def length(self) -> int:
        return int(self.read("integrity")["position"])

    @property
    def seats(self) -> dict[int, list[str]]:
        return {row["table"]: row["players"] for row in self.read("pairings").get("pairings", [])}

    @property
    def outstanding(self) -> list[int]:
        stage = "elimination" if self.read("bracket").get("rounds") else "swiss"
        return [row["table"] for row in self.read(f"pairings?stage={stage}")["pairings"] if row["result"] is None]

    @property
    def statuses(self) -> dict[str, str]:
        return {row["name"]: row["status"] for row in self.read("players")}

    @property
    def points(self) -> dict[str, int]:
        return {row["player"]: row["points"] for row in self.read("standings")["standings"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    ledger = tmp_path / "event.ledger"
    at_terminal(ledger)("open", "Saturday", "--rulebook", "l5r-2018")
    for name in NAMES:
        at_terminal(ledger)("register", name)
    return ledger


@pytest.fixture
def desk(window: Browser, path: Path) -> Iterator[BrowserDesk]:
    context = window.new_context()
    settings = Settings(watch_seconds=0.05, key=KEY, clerk=Clerk("Olga", "organizer", "desk"))
    with serving(path, settings) as address:
        yield BrowserDesk(opened(context, address))
        context.close()


def put_right_before_play(desk: BrowserDesk) -> None:
    """Correct mistakes before play: a misspelled name, a double registration, a fixed table, a round paired too
    early.
    """
    desk.do("players?player=3", "rename-player", "Rename", name="Cyd")
    desk.do("players", "register-player", "Register", name="Hal again")
    desk.do("players?player=8", "merge-players", "Merge", other="Hal again")
    everybody = {"Ann", "Bo", "Cyd", "Di", "Ed", "Flo", "Gus", "Hal"}
    assert {name for name, status in desk.statuses.items() if status == "active"} == everybody
    desk.do("players?player=6", "fix-table", "Fix", table="50")
    before = desk.length
    desk.page.goto(f"{desk.home}/desk/hand")
    for field, name in (("#seat-1-a", "Ann"), ("#seat-1-b", "Bo")):
        desk.page.locator(field).fill(name)
    desk.page.get_by_role("button", name="Check the round").click()
    expect(desk.page.locator("#failed")).to_contain_text("6 players would have no opponent and no bye")
    assert desk.length == before
    desk.do("rounds", "pair-round", "Pair and post this round")
    desk.do("rounds", "undo-last", "Take the pairing back")
    assert desk.seats == {}
    desk.do("rounds", "pair-round", "Pair and post this round")
    assert {name for two in desk.seats.values() for name in two} == everybody
    assert "Flo" in desk.seats[50]
    first, second = desk.seats[1], desk.seats[2]
    desk.do("rounds", "swap-tables", "Swap", first="1", second="2")
    assert (desk.seats[1], desk.seats[2]) == (second, first)


def change_a_policy_and_back(desk: BrowserDesk) -> None:
    policy = {"flag": "POL-ALL-REPAIR", "value": "never"}
    form = f"change-policy-{policy['flag']}"
    desk.do("event", form, "See what follows", value=policy["value"], reason="agreed")
    [changed] = [one for one in desk.read("policies")["policies"] if one["changed"]]
    assert (changed["policy"], changed["value"], changed["changed"]["reason"]) == (*policy.values(), "agreed")
    desk.take_back("policy changed", reason="asked back")
    assert not any(one["changed"] for one in desk.read("policies")["policies"])


def play_round_one(desk: BrowserDesk, path: Path) -> None:
    """Play round 1: a player arrives after a no-show, a slip is wrong, a player protests, and standings are posted
    anyway.
    """
    late = desk.seats[1][0]
    number = next(row["number"] for row in desk.read("players") if row["name"] == late)
    desk.do(f"players?player={number}", "record-no-show", "No-show")
    assert desk.statuses[late] == "dropped"
    desk.take_back("no show recorded")
    assert desk.statuses[late] == "active"
    assert 1 in desk.outstanding
    desk.slips(*((table, "1") for table in desk.seats))
    (won, lost), before = desk.seats[2], desk.points
    assert before[won] > before[lost]
    at_terminal(path)("call", lost)  # a second station records the call
    for step in (
        ("rounds", "pair-round", "Pair and post this round"),
        ("rounds", "post-standings", "Post the standings"),
        ("event", "close-tournament", "Close the tournament"),
    ):
        desk.refused("has no answer", *step)
    desk.do("rounds", "post-standings", "Post the standings", deviating="yes", reason="the hall waits")
    [forced] = [one for one in desk.read("integrity")["items"] if one["reason"] == "the hall waits"]
    assert any("has no answer" in one for one in forced["over"])
    desk.do(
        "corrections?round=1&table=2", "correct-slip", "See what follows", outcome="b", reason="read the wrong line"
    )
    assert (desk.points[won], desk.points[lost]) == (before[lost], before[won])
    assert [call["answer"] for call in desk.read("calls")["calls"]] == []


def play_round_two(desk: BrowserDesk) -> None:
    """Play round 2: a late player, a drop that is taken back, and a disqualification."""
    desk.do("players", "register-player", "Enter late", name="Zoe", rounds_started="1")
    desk.do("players?player=2", "player-2", "Drop")
    assert desk.statuses["Bo"] == "dropped"
    desk.take_back("Bo dropped")
    desk.do("players?player=4", "disqualify-4", "Disqualify", reason="cheated")
    desk.do("rounds", "pair-round", "Pair and post this round")
    seated = {name for two in desk.seats.values() for name in two}
    assert seated == {"Ann", "Bo", "Cyd", "Ed", "Flo", "Gus", "Hal", "Zoe"}
    desk.slips(*((table, "1") for table in desk.seats))
    assert desk.statuses["Di"] == "disqualified"


def test_an_event_in_the_browser_survives_every_mishap(desk: BrowserDesk, path: Path) -> None:
    """The event has every mishap of `tests/cli/test_mishaps.py` except an erasure, which only the command line
    can make.
    """
    desk.do(
        "event",
        "announce-structure",
        "Announce",
        structure="custom",
        rounds="2",
        cut="2",
        deviating="yes",
        reason="short",
    )
    put_right_before_play(desk)
    change_a_policy_and_back(desk)
    play_round_one(desk, path)
    play_round_two(desk)
    desk.page.goto(f"{desk.home}/desk/event")
    if desk.page.get_by_role("button", name="Draw every tie").is_visible():  # other pairings leave no tie
        desk.do("event", "draw-ties", "Draw every tie")
    desk.do("event", "make-cut", "Make the cut")
    desk.do("rounds", "pair-round", "Pair the next elimination round")
    desk.refused("has no result", "event", "close-tournament", "Close the tournament")
    desk.slips((desk.outstanding[0], "1"))
    desk.do("event", "close-tournament", "Close the tournament")
    places = desk.read("places")["places"]
    assert (places[0]["first"], places[0]["last"]) == (1, 1)
    assert next(one["first"] for one in places if one["player"] == "Di") is None
    at_terminal(path)("verify", "--pairings")
