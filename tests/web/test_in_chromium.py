"""The public pages in a real browser: keyboard, scripts, and axe-core."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, serving
from tests.web.screenshots import EVENT, PAGES
from tests.web.walking import resize

from matchledger.cli import run
from matchledger.ledger import open_ledger
from matchledger.service.player_links import code_of, link_of
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

# The axe-core file in the Python package, or a newer file from npm.
AXE = Path(os.environ.get("AXE_CORE") or str(resources.files("axe_playwright_python") / "axe.min.js"))
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]  # the rules of WCAG 2.2 AA
WIDTHS = (360, 1920)
OF_COLOUR = ["color-contrast", "link-in-text-block"]  # axe-core has only these rules about colours
# A round in progress with more players than fit on a screen, so that the wall turns its pages.
NAMES = [
    f"{first} {last}"
    for first in ("Ann", "Bo", "Cy", "Di", "Ed", "Fay", "Gus")
    for last in ("Łoś", "Lee", "Ng", "Fox")
]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The finished store championship, with a correction. No test in this module writes to that event."""
    ledger = tmp_path_factory.mktemp("event") / "event.ledger"
    assert run(["import", str(EVENT), "--ledger", str(ledger)]) == 0
    with serving(ledger, Settings(address="http://192.168.1.7:8080/")) as address:
        yield address


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    names = " ".join(f'"{name}"' for name in NAMES)
    pairs = list(zip(NAMES[::2], NAMES[1::2], strict=True))
    games = "".join(f'  "{first}" > "{second}"\n' for first, second in pairs)
    again = [(pairs[i][0], pairs[i + 1][0]) for i in range(0, len(pairs), 2)]
    again += [(pairs[i][1], pairs[i + 1][1]) for i in range(0, len(pairs), 2)]
    open_games = "".join(f'  "{first}" - "{second}"\n' for first, second in again)
    sheet, path = tmp_path / "cup.sheet", tmp_path / "cup.ledger"
    sheet.write_text(f"rulebook l5r-2018\nplayers {names}\nround 1\n{games}round 2\n{open_games}", "utf-8")
    assert run(["import", str(sheet), "--ledger", str(path)]) == 0
    return path


@pytest.fixture
def hall(ledger: Path) -> Iterator[str]:
    with serving(ledger) as address:
        yield address


@pytest.fixture
def page(window: Browser) -> Iterator[Page]:
    context = window.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    opened = context.new_page()
    problems: list[str] = []
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("console", lambda said: problems.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    assert problems == []


def choose(page: Page, name: str) -> None:
    """Open a page from the menu on a phone."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name=name).click()


# -- what axe-core finds


def test_axe_finds_no_fault(window: Browser, finished: str) -> None:
    context = window.new_context()
    opened = context.new_page()
    opened.goto(finished)
    home, found = opened.url, {}
    for name, path in (PAGES | {"nobody": "?q=xyz", "missing": "player/999", "german": "?lang=de"}).items():
        opened.goto(home + path)
        found[name] = violations(opened, WIDTHS)
    context.close()
    assert {name: said for name, said in found.items() if said} == {}


def violations(opened: Page, widths: Sequence[int] = ()) -> list[str]:
    """Return what axe-core finds on a page: everything in light mode, and the colours in dark mode too.

    Without `widths`, the page keeps its size.
    """
    opened.evaluate(AXE.read_text("utf-8"))
    found = []
    for width in widths or (0,):
        if width:
            resize(opened, {"width": width, "height": 1080})
        found += _objections(opened, {"type": "tag", "values": TAGS})
        opened.emulate_media(color_scheme="dark")
        found += [f"dark: {one}" for one in _objections(opened, {"type": "rule", "values": OF_COLOUR})]
        opened.emulate_media(color_scheme="light")
    return found


def _objections(opened: Page, rules: dict[str, Any]) -> list[str]:
    found = opened.evaluate("rules => axe.run({ runOnly: rules, resultTypes: ['violations'] })", rules)
    return [f"{one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"]]


def test_no_page_is_wider_than_the_screen(window: Browser, finished: str) -> None:
    context = window.new_context()
    opened = context.new_page()
    opened.goto(finished)
    home, wide = opened.url, []
    for name, path in PAGES.items():
        opened.goto(home + path)
        wide += [f"{name} at {width}" for width in (320, 360, 768, 1920) if width_of(opened, width) > width]
    context.close()
    assert wide == []


def width_of(opened: Page, width: int) -> int:
    resize(opened, {"width": width, "height": 800})
    found: int = opened.evaluate("document.documentElement.scrollWidth")
    return found


# -- finding one's table


def test_each_typed_letter_shortens_the_list_of_names(hall: str, page: Page) -> None:
    page.goto(hall)
    expect(page.locator("#seats tbody tr:visible")).to_have_count(28)
    page.get_by_label("Find my name").fill("los")
    expect(page.locator("#seats tbody tr:visible")).to_have_count(7)
    page.get_by_label("Find my name").fill("fay los")
    expect(page.locator("#seats tbody tr:visible")).to_have_count(1)
    page.get_by_label("Find my name").fill("nobody at all")
    expect(page.get_by_text("No player has this name.")).to_be_visible()


def test_a_phone_remembers_its_player(hall: str, page: Page) -> None:
    page.goto(hall)
    page.get_by_role("link", name="Ann Łoś").click()
    page.get_by_role("button", name="This is me").click()
    choose(page, "Pairings")
    expect(page.locator("#mine")).to_contain_text("Ann Łoś Table 1")
    page.locator("#mine a").click()
    page.get_by_role("button", name="Forget me").click()
    choose(page, "Pairings")
    expect(page.locator("#mine")).to_be_hidden()


def test_a_new_round_appears_without_a_reload(hall: str, page: Page, ledger: Path) -> None:
    page.goto(hall)
    page.evaluate("document.body.dataset.patience = 0")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    for table in range(1, 15):
        assert run(["report", str(table), "a", "--ledger", str(ledger)]) == 0
    assert run(["pair", "--ledger", str(ledger)]) == 0
    expect(page.get_by_role("heading", name="Round 3")).to_be_visible(timeout=10_000)


def test_a_round_that_a_reader_closed_in_the_log_stays_closed(hall: str, page: Page, ledger: Path) -> None:
    page.goto(hall)
    page.goto(f"{page.url}log")
    page.evaluate("document.body.dataset.patience = 0")
    latest = page.locator("details.of-round").first
    latest.locator("summary").click()
    assert run(["report", "1", "a", "--ledger", str(ledger)]) == 0
    expect(latest.locator("summary small")).to_contain_text("1 result", timeout=10_000)
    assert latest.get_attribute("open") is None


def test_a_player_disputes_a_result_with_the_keyboard(hall: str, page: Page, ledger: Path) -> None:
    assert run(["allow-phones", "judge", "--ledger", str(ledger)]) == 0
    with open_ledger(ledger) as opened:
        [tournament] = opened.tournaments()
        code = code_of(opened, tournament, 1)
    assert code is not None
    page.goto(f"{hall}enter#{link_of(tournament, code)}")
    expect(page.locator("#card")).to_be_visible()
    page.locator("summary", has_text="This is wrong").last.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    assert run(["report", "12", "a", "--ledger", str(ledger)]) == 0
    page.wait_for_timeout(300)
    expect(page.get_by_label("I lost").last).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The desk has been called and will come.")).to_be_visible()


# -- time travel


def test_the_slider_shows_earlier_standings(finished: str, page: Page) -> None:
    page.goto(finished)
    choose(page, "Standings")
    page.wait_for_load_state()  # the slider's script is ready from here on
    page.get_by_text("History", exact=True).click()
    page.locator("#entry").focus()
    page.keyboard.press("Home")
    expect(page.locator("#entry-number")).to_have_text("1")
    expect(page.locator("#moment")).to_contain_text("Entry 1 at")
    for _ in range(3):
        page.keyboard.press("PageUp")
    expect(page.locator("#moment")).not_to_contain_text("Entry 1 at")
    assert re.search(r"entry=\d+$", page.url), "the moment can be linked to"
    expect(page.locator("#entry")).to_be_focused()


def test_a_row_that_moved_links_to_the_entry_behind_the_move(finished: str, page: Page) -> None:
    page.goto(finished)
    page.goto(page.url + "standings?round=2&clock=as-corrected")
    page.locator("tr.moved").first.get_by_role("link", name="#").first.click()
    expect(page.locator("#moment")).to_contain_text(re.compile("corrected|retracted"))


# -- the wall


def test_the_wall_turns_its_pages_and_can_be_paused(window: Browser, hall: str) -> None:
    context = window.new_context(viewport={"width": 1920, "height": 1080})
    wall = context.new_page()
    wall.clock.install()
    wall.goto(hall)
    wall.goto(wall.url + "wall?seconds=5")
    rows = wall.locator("#lines .wall-row:visible")
    assert rows.count() >= 20, "lines that are read from ten metres"
    expect(wall.locator("#page")).to_have_text("Fox to Los · 1/2")
    wall.clock.run_for(5_000)
    expect(wall.locator("#page")).to_have_text("Los to Ng · 2/2")
    shown = rows.count()
    wall.clock.run_for(5_000)
    assert rows.count() + shown == 28, "every line is on one page"
    wall.keyboard.press("Space")
    wall.clock.run_for(60_000)
    expect(wall.locator("#page")).to_have_text("Fox to Los · 1/2")
    wall.get_by_role("button", name="Go on").click()
    wall.clock.run_for(5_000)
    expect(wall.locator("#page")).to_have_text("Los to Ng · 2/2")
    context.close()


def test_letters_on_the_wall_can_be_read_from_ten_metres(window: Browser, hall: str) -> None:
    """Five minutes of arc at ten metres are 14.5 mm. A television of 55 inches in full HD has pixels of 0.634
    mm.
    """
    context = window.new_context(viewport={"width": 1920, "height": 1080})
    wall = context.new_page()
    wall.goto(hall)
    wall.goto(wall.url + "wall")
    size = wall.evaluate("parseFloat(getComputedStyle(document.querySelector('#lines .wall-row .o')).fontSize)")
    context.close()
    capitals = 0.7  # a capital letter is this high, relative to the font size
    assert size * capitals * 0.634 >= 14.2


def test_digits_have_one_width_and_a_hyphen_or_a_space_keeps_its_own(finished: str, page: Page) -> None:
    page.goto(finished)
    widths = page.evaluate(
        """async () => {
            await document.fonts.load("16px Inter");
            const width = letter => {
                const cell = document.createElement("span");
                cell.textContent = letter;
                cell.style.fontSize = "200px";  // a browser moves a letter by up to a pixel
                document.querySelector("main").append(cell);
                const size = cell.getBoundingClientRect().width;
                cell.remove();
                return size;
            };
            return Object.fromEntries([..."0123456789-,"].map(letter => [letter, width(letter)]));
        }"""
    )
    digits = [widths[digit] for digit in "0123456789"]
    assert max(digits) - min(digits) <= 2
    assert widths["-"] < 0.8 * widths["0"], "the typeface sets a hyphen as wide as a digit"
    assert widths[","] < 0.6 * widths["0"]


# -- the folder


def test_a_published_folder_needs_no_server(page: Page, ledger: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    assert run(["publish", str(folder), "--ledger", str(ledger)]) == 0
    page.goto((folder / "index.html").as_uri())
    page.get_by_label("Find my name").fill("fay los")
    expect(page.locator("#seats tbody tr:visible")).to_have_count(1)
    page.get_by_role("link", name="Fay Łoś").click()
    expect(page.get_by_role("heading", name="Fay Łoś")).to_be_visible()
    choose(page, "Standings")
    expect(page.get_by_role("heading", name="Standings after round 1")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.sheet')).borderCollapse") == "collapse"
