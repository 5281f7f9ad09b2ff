"""A Magic event of 64 players in the browser, from the roster to the champion, with games on every slip."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.desk import RunCli
from tests.web.chromium import CHROMIUM, serving, type_slip
from tests.web.conftest import KEY
from tests.web.test_desk_in_chromium import home_of, need_focus, pair, press

from matchledger.ledger import Clerk, open_ledger
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

# Each typed text is a key of the desk, or the games on the slip.
ORGANIZER = Clerk("Kim", "organizer", "north")
TYPED = ("1", "2", "3", "4", "2-0", "1-2", "2-1-1", "1-1-1", "0-0-3", "1-1", "0")


def enter_round(desk: Page, home: str, typed: list[str]) -> None:
    """Type the slips of all tables one after another, without waiting between them."""
    desk.goto(home)
    expect(desk.locator("#outstanding li")).to_have_count(len(typed))
    for table, outcome in enumerate(typed, 1):
        type_slip(desk, table, outcome)
    expect(desk.locator("#outstanding li")).to_have_count(0)
    expect(desk.locator("#unsettled li")).to_have_count(0)


def test_64_players_play_a_magic_event_in_the_browser_until_there_is_a_champion(
    window: Browser, tmp_path: Path, run_cli: RunCli
) -> None:
    chance, ledger = Random(64), tmp_path / "modern.ledger"  # noqa: S311 - a test event, not a secret
    open_ledger(ledger, create=True).close()
    with serving(ledger, Settings(watch_seconds=0.05, key=KEY, clerk=ORGANIZER)) as address:
        context = window.new_context(viewport={"width": 1366, "height": 768})
        desk = context.new_page()
        phone = window.new_context(viewport={"width": 360, "height": 740}).new_page()
        desk.goto(f"{address}enter#{KEY}")
        desk.get_by_role("link", name="Magic: The Gathering", exact=True).click()
        desk.get_by_role("link", name="Magic: The Gathering, Magic Tournament Rules").click()
        need_focus(desk)
        desk.keyboard.type("Modern 64")
        desk.keyboard.press("Enter")
        desk.wait_for_url("**/desk/players*")
        home = home_of(desk)
        desk.locator("#paste-heading").click()
        desk.get_by_label("The roster", exact=True).fill("\n".join(f"Player {at:02}" for at in range(1, 65)))
        press(desk, "Check the roster")
        press(desk, "Register 64 players")
        desk.goto(f"{home}/event")
        press(desk, "Use this")
        expect(desk.get_by_text("6 Swiss rounds, then the top 8").first).to_be_visible()
        for _ in range(6):
            pair(desk, home, "Pair and post this round")
            enter_round(desk, home, [chance.choice(TYPED) for _ in range(32)])

        desk.goto(f"{home}/event")
        if desk.get_by_role("button", name="Draw every tie").is_visible():
            press(desk, "Draw every tie")
        press(desk, "Make the cut")
        expect(desk.locator(".seeds li")).to_have_count(8)
        for tables in (4, 2, 1):
            desk.goto(f"{home}/rounds")
            press(desk, "Pair the next elimination round")
            enter_round(desk, home, ["2-1", "1", "1-2", "3"][:tables])
        desk.goto(f"{home}/event")
        expect(desk.get_by_text("has won the event")).to_be_visible()
        [champion, *_] = run_cli("places", "--json", "--ledger", str(ledger)).document["places"]
        expect(desk.get_by_text(f"{champion['player']} has won the event")).to_be_visible()

        hall = home.removesuffix("desk")
        best = run_cli("scorecard", champion["player"], "--json", "--ledger", str(ledger)).document["cards"][0]
        final = "\u2013".join(map(str, best["elimination"][-1]["games"][:2]))
        phone.goto(f"{hall}player/{best['number']}")
        expect(phone.locator(".rounds li").first).to_contain_text(re.compile(rf"won against .+ {final}"))
        phone.goto(f"{hall}player/{best['number']}/why")
        expect(phone.locator(".derived tbody tr").first).to_contain_text("2\u2013")
        phone.goto(f"{hall}bracket")
        expect(phone.locator(".match .score").last).to_have_text(re.compile("[0-2]"))
        expect(phone.locator(".match .score")).to_have_count(14)
        phone.context.close()
        context.close()
    run_cli("verify", "--ledger", str(ledger))
