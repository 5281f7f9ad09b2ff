"""Keys: every job at the desk takes at most 15.

Each key that is pressed counts: modifiers, Tab, the digits of tables, rounds and minutes, outcomes, letters for the
palette, the beginning of a name there, and Enter, also to confirm a preview. Text that the log keeps does not
count, because its author chooses its length: a name, a reason, a note, a roster, a deck list. Each job begins on
any page of the desk, and ends when its entry is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.web.chromium import CHROMIUM, serving
from tests.web.conftest import KEY, at_terminal, friday, opened

from matchledger.ledger import Clerk
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

MOST = 15


class Keyboard:
    """A desk without a mouse, which counts the keys of one job."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def press(self, *keys: str) -> None:
        """Press keys one after the other. A combination such as Control+K counts as two keys."""
        for key in keys:
            self.count += key.count("+") + 1
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type letters and digits that count."""
        self.count += len(text)
        self.page.keyboard.type(text)

    def write(self, text: str) -> None:
        """Type a text whose length is its author's choice."""
        self.page.keyboard.type(text)

    def job(self, words: str, cursor: str) -> None:
        """Choose a job of the palette, and wait for the cursor."""
        self.page.wait_for_load_state()
        self.press("Control+k")
        expect(self.page.locator("#palette-words")).to_be_focused()
        self.type(words)
        self.press("Enter")
        expect(self.page.locator(cursor)).to_be_focused()

    def tab_to(self, cursor: str) -> None:
        """Press Tab until the cursor is there."""
        for _ in range(MOST):
            self.press("Tab")
            if self.page.evaluate("(wanted) => document.activeElement.matches(wanted)", cursor):
                return
        pytest.fail(f"{cursor} is too far away")

    def done(self, said: str, job: str) -> None:
        """Confirm a preview with Enter if one is shown. Check what was recorded, and the number of keys. The next
        job begins at zero.
        """
        record, recorded = (
            self.page.get_by_role("button", name="Record it"),
            self.page.locator("#done, #note:not(:empty)"),
        )
        expect(record.or_(recorded)).to_be_visible()
        if record.is_visible():
            expect(record).to_be_focused()
            self.press("Enter")
        expect(recorded).to_contain_text(said)
        assert self.count <= MOST, f"{job}: {self.count} keys"
        self.count = 0


Desk = Callable[[Path], Keyboard]


@pytest.fixture
def desk(window: Browser) -> Iterator[Desk]:
    """Open the desk of a ledger."""
    contexts: list[BrowserContext] = []
    servers = []

    def open_desk(ledger: Path) -> Keyboard:
        server = serving(ledger, Settings(watch_seconds=60, key=KEY, clerk=Clerk("Kim", "organizer", "north")))
        address = server.__enter__()
        servers.append(server)
        contexts.append(window.new_context(viewport={"width": 1366, "height": 768}))
        return Keyboard(opened(contexts[-1], address))

    yield open_desk
    for context in contexts:
        context.close()
    for server in servers:
        server.__exit__(None, None, None)


def test_before_round_1_every_job_takes_at_most_15_keys(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "friday.ledger"
    terminal = friday(path, "l5r-2018")
    terminal("allow-phones", "check-in", "sign-up")
    keys = desk(path)
    keys.job("reg", "#name")
    keys.write("Eve")
    keys.press("Enter")
    keys.done("Eve registered", "register a player")
    keys.job("ros", "#roster")
    keys.write("Flo\nGus")
    keys.tab_to("button:not([type=button])")
    keys.press("Enter")
    expect(keys.page.get_by_role("button", name="Register 2 players")).to_be_focused()
    keys.press("Enter")
    keys.done("Gus registered", "register a roster")
    keys.job("ren eve", "#new-name")
    keys.write("Eva")
    keys.press("Enter")
    keys.done("Eva", "rename a player")
    keys.job("fix ann", "#fixed-table")
    keys.type("2")
    keys.press("Enter")
    keys.done("table 2", "fix a table")
    keys.job("str", "#structure-heading ~ .plan button")
    keys.press("Enter")
    keys.done("announced", "announce the structure")
    keys.job("news", "#news-text")
    keys.write("Round 1 begins at 10")
    keys.press("Enter")
    keys.done("Round 1 begins at 10", "post news")
    keys.job("pair", "#next-heading")
    keys.tab_to("button")
    keys.press("Enter")
    keys.done("round 1", "pair a round")


def test_slips_and_the_clock_take_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    keys = desk(ledger)
    expect(keys.page.locator("#outstanding li")).to_have_count(2)
    keys.type("1")
    keys.press("Enter")
    keys.type("1")
    keys.press("Enter")
    keys.done("Ann beat Bo", "report a slip")
    keys.type("u")
    keys.press("Enter")
    keys.done("no longer counts", "take the last slip back")
    expect(keys.page.get_by_role("link", name="Start the round")).to_be_visible()  # the bar follows the log
    keys.job("next", "#minutes")
    keys.press("Control+a")
    keys.type("50")
    keys.press("Enter")
    keys.done("started", "start a round")
    keys.job("stop", "#clock-button")
    keys.press("Enter")
    keys.done("stopped", "stop the clock")
    keys.job("stop", "#clock-button")
    keys.press("Enter")
    keys.done("went on", "continue the clock")


def test_every_job_of_a_judge_takes_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    keys = desk(ledger)
    at_terminal(ledger)("start", "--minutes", "50")
    keys.job("pen ann", "#offence")
    keys.type("c")
    keys.press("Tab")
    keys.type("w")
    keys.press("Tab", "Enter")
    keys.done("cheating", "give a penalty")
    keys.job("rul", "#ruling-table")
    keys.tab_to("#question")
    keys.write("May Ann look?")
    keys.press("Tab")
    keys.write("No")
    keys.press("Enter")
    keys.done("May Ann look?", "record a ruling")
    keys.job("sta", "#staff-name")
    keys.write("Max")
    keys.press("Enter")
    keys.done("Max", "assign staff")
    keys.job("undo", "#undo")
    keys.press("Enter")
    keys.done("retracted", "undo the last action")
    keys.job("log look", "[form=take-back]")
    keys.press("Enter")
    keys.done("retracted", "take back an entry that a search found")
    keys.job("deck ann", "#handed-deck")
    keys.write("[dynasty]\n3 Hida Guardian")
    keys.press("Tab", "Space", "Tab")
    keys.write("the printer was broken")
    keys.press("Enter")
    keys.done("deck", "record a deck list during a round")


def test_every_job_about_a_player_or_a_result_takes_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    keys = desk(ledger)
    terminal = at_terminal(ledger)
    keys.job("conc bo", "#concedes")
    keys.press("Enter")
    keys.done("Bo conceded", "a player concedes")
    keys.job("cor 1", "#right")
    keys.type("2")
    keys.press("Enter")
    keys.done("corrected", "correct a result")
    keys.job("nosh di", "#absent")
    keys.press("Enter")
    keys.done("Di", "a no-show")
    keys.job("rej di", "#why")
    keys.press("Enter")
    keys.done("Di", "a player rejoins")
    keys.job("drop ann", "#why")
    keys.write("has to leave")
    keys.press("Enter")
    keys.done("Ann dropped", "drop a player")
    keys.job("reg", "#name")
    keys.write("Zoe")
    keys.press("Enter")
    keys.done("Zoe", "enter a late player")
    terminal("call", "Di", "--claim", "won")
    keys.job("cor", "#at")
    keys.tab_to("[name=answer][value=stands]")
    keys.press("Enter")
    keys.done("stands", "answer a player who says that a result is wrong")
    keys.job("post", "#paper-heading")
    keys.tab_to("button, summary")
    keys.press("Enter")
    keys.done("posted", "post the standings")


def test_at_the_end_every_job_takes_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("announce", "--rounds", "1", "--cut", "2", "--reason", "a short evening")
    terminal("post")
    keys = desk(ledger)
    keys.job("tie", "#stages-heading")
    keys.tab_to("button")
    keys.press("Enter")
    keys.done("random draw", "draw the ties")
    keys.job("cut", "#size")
    keys.press("Enter")
    keys.done("cut", "make the cut")
    keys.job("next", "#next-heading")
    keys.tab_to("button")
    keys.press("Enter")
    keys.done("elimination round 1", "pair an elimination round")
    keys.job("print", ".whole-round a")
    keys.job("ver", "main form button")
    keys.press("Enter")
    expect(keys.page.locator("#found")).to_be_visible()
    assert keys.count <= MOST
    keys.count = 0
    terminal("report", "1", "a")
    keys.job("close", "#ended")
    keys.press("Enter")
    keys.done("closed", "close the tournament")
