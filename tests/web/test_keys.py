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
        self.page.wait_for_load_state()  # a page sets the cursor again when it is complete

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

    def record(self, job: str, words: str, cursor: str, *steps: Step, said: str) -> None:
        """Do a job of the palette, which ends with Enter, and check it as `done` does."""
        self.job(words, cursor)
        for step in steps:
            step(self)
        self.press("Enter")
        self.done(said, job)


Step = Callable[[Keyboard], None]
Desk = Callable[[Path], Keyboard]


def pressed(*keys: str) -> Step:
    return lambda keyboard: keyboard.press(*keys)


def typed(text: str) -> Step:
    return lambda keyboard: keyboard.type(text)


def written(text: str) -> Step:
    return lambda keyboard: keyboard.write(text)


def tabbed_to(cursor: str) -> Step:
    return lambda keyboard: keyboard.tab_to(cursor)


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
    keys.record("register a player", "reg", "#name", written("Eve"), said="Eve registered")
    keys.job("ros", "#roster")
    keys.write("Flo\nGus")
    keys.tab_to("button:not([type=button])")
    keys.press("Enter")
    expect(keys.page.get_by_role("button", name="Register 2 players")).to_be_focused()
    keys.press("Enter")
    keys.done("Gus registered", "register a roster")
    keys.record("rename a player", "ren eve", "#new-name", written("Eva"), said="Eva")
    keys.record("fix a table", "fix ann", "#fixed-table", typed("2"), said="table 2")
    keys.record("announce the structure", "str", "#structure-heading ~ .plan button", said="announced")
    keys.record("post news", "news", "#news-text", written("Round 1 begins at 10"), said="Round 1 begins at 10")
    keys.record("pair a round", "pair", "#next-heading", tabbed_to("button"), said="round 1")


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
    keys.record("start a round", "next", "#minutes", pressed("Control+a"), typed("50"), said="started")
    keys.record("stop the clock", "stop", "#clock-button", said="stopped")
    keys.record("continue the clock", "stop", "#clock-button", said="went on")


def test_every_job_of_a_judge_takes_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    keys = desk(ledger)
    at_terminal(ledger)("start", "--minutes", "50")
    keys.record(
        "give a penalty",
        "pen ann",
        "#offence",
        typed("c"),
        pressed("Tab"),
        typed("w"),
        pressed("Tab"),
        said="cheating",
    )
    keys.record(
        "record a ruling",
        "rul",
        "#ruling-table",
        tabbed_to("#question"),
        written("May Ann look?"),
        pressed("Tab"),
        written("No"),
        said="May Ann look?",
    )
    keys.record("assign staff", "sta", "#staff-name", written("Max"), said="Max")
    keys.record("undo the last action", "undo", "#undo", said="retracted")
    keys.record("take back an entry that a search found", "log look", "[form=take-back]", said="retracted")
    keys.record(
        "record a deck list during a round",
        "deck ann",
        "#handed-deck",
        written("[dynasty]\n3 Hida Guardian"),
        pressed("Tab", "Space", "Tab"),
        written("the printer was broken"),
        said="deck",
    )


def test_every_job_about_a_player_or_a_result_takes_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    keys = desk(ledger)
    terminal = at_terminal(ledger)
    keys.record("a player concedes", "conc bo", "#concedes", said="Bo conceded")
    keys.record("correct a result", "cor 1", "#right", typed("2"), said="corrected")
    keys.record("a no-show", "nosh di", "#absent", said="Di")
    keys.record("a player rejoins", "rej di", "#why", said="Di")
    keys.record("drop a player", "drop ann", "#why", written("has to leave"), said="Ann dropped")
    keys.record("enter a late player", "reg", "#name", written("Zoe"), said="Zoe")
    terminal("call", "Di", "--claim", "won")
    keys.record(
        "answer a player who says that a result is wrong",
        "cor",
        "#at",
        tabbed_to("[name=answer][value=stands]"),
        said="stands",
    )
    keys.record("post the standings", "post", "#paper-heading", tabbed_to("button, summary"), said="posted")


def test_at_the_end_every_job_takes_at_most_15_keys(desk: Desk, ledger: Path) -> None:
    terminal = at_terminal(ledger)
    terminal("report", "1", "a", "2", "a")
    terminal("announce", "--rounds", "1", "--cut", "2", "--reason", "a short evening")
    terminal("post")
    keys = desk(ledger)
    keys.record("draw the ties", "tie", "#stages-heading", tabbed_to("button"), said="random draw")
    keys.record("make the cut", "cut", "#make-cut", said="cut")
    keys.record("pair an elimination round", "next", "#next-heading", tabbed_to("button"), said="Final")
    keys.job("print", ".whole-round a")
    keys.job("ver", "main form button")
    keys.press("Enter")
    expect(keys.page.locator("#found")).to_be_visible()
    assert keys.count <= MOST
    keys.count = 0
    terminal("report", "1", "a")
    keys.record("close the tournament", "close", "#ended", said="closed")
