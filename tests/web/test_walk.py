"""Every page by keyboard, magnified, with other spacing and in other colours, as WCAG 2.2 AA demands."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.web.chromium import CHROMIUM, serving
from tests.web.every_page import KEY, ORGANIZER
from tests.web.screenshots import (
    EVENT,
    PAGES,
    before_the_event,
    in_play,
    not_begun,
    through_the_desk,
)
from tests.web.walking import DESKTOP, STATES, Findings, states_met, walked, walker

from matchledger.cli import run
from matchledger.web.settings import Settings

pytestmark = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

IN_PLAY = {"seating-now": "", "tables-now": "tables", "player-now": "player/23", "wall-now": "wall"}
OTHERS = {"nobody": "?q=xyz", "missing": "player/999", "german": "standings?lang=de"}


@dataclass
class Walk:
    """The findings on every page, by criterion, and the states that occurred."""

    found: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    def look(self, name: str, page: Page) -> None:
        for criterion, said in walked(page).items():
            self.found.setdefault(criterion, {})[name] = said
        self.met |= states_met(page)  # in every section of the page: the walk has opened them

    def wrong(self, criterion: str) -> Findings:
        return {name: said for name, said in self.found[criterion].items() if said}


@pytest.fixture(scope="module")
def walk(window: Browser, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Walk once through all pages of the finished store championship, and through its desk in round 5."""
    room, walk = tmp_path_factory.mktemp("walk"), Walk()
    finished = room / "event.ledger"
    assert run(["import", str(EVENT), "--ledger", str(finished)]) == 0
    context = walker(window)
    page = context.new_page()
    with serving(finished, Settings(address="http://192.168.1.7:8080/")) as address:
        page.goto(address)
        home = page.url
        for name, path in (PAGES | OTHERS).items():
            page.goto(home + path)
            walk.look(name, page)
    context.clear_cookies()  # without this, the browser keeps the language chosen last
    with serving(in_play(room), Settings(clerk=ORGANIZER, key=KEY)) as address:
        for name in through_the_desk(page, address):
            if name == "desk-slips":
                expect(page.locator("#keys li").first).to_be_visible()
            walk.look(name, page)
        page.goto(address)
        home = page.url
        for name, path in IN_PLAY.items():
            page.goto(home + path)
            walk.look(name, page)
    with serving(not_begun(room), Settings(clerk=ORGANIZER, key=KEY)) as address:
        for name in before_the_event(page, address):
            walk.look(name, page)
    context.close()
    return walk


def test_tab_reaches_and_leaves_every_control_visibly_and_in_order(walk: Walk) -> None:
    """The test covers WCAG 2.1.1, 2.1.2, 2.4.3, 2.4.7, 2.4.11 and, for the ring around the focus, 1.4.11."""
    assert walk.wrong("keyboard") == {}


def test_the_focus_is_visible_in_dark_mode(walk: Walk) -> None:
    assert walk.wrong("dark") == {}


def test_touch_targets_are_large_enough_or_far_apart(walk: Walk) -> None:
    """The test covers WCAG 2.5.8 at 100, 200 and 400 %."""
    assert walk.wrong("targets") == {}


def test_magnified_pages_scroll_in_one_direction(walk: Walk) -> None:
    """WCAG 1.4.4 and 1.4.10: at 200 and 400 % only tables scroll sideways, in a region that Tab can reach."""
    assert walk.wrong("reflow") == {}


def test_pages_allow_wider_spacing_of_text(walk: Walk) -> None:
    """WCAG 1.4.12."""
    assert walk.wrong("spacing") == {}


def test_states_are_visible_in_forced_colours(walk: Walk) -> None:
    """WCAG 1.4.1 in forced colours. The test also checks that each state occurred on some page."""
    assert walk.wrong("colours") == {}
    assert walk.met == {selector for selector, _, _ in STATES}


def test_reduced_motion_stops_every_animation(walk: Walk) -> None:
    assert walk.wrong("motion") == {}


# -- the walk finds planted faults

BROKEN = {
    "is never reached": '<button tabindex="1" onfocus="this.blur()">a</button>',
    "does not let go": "<input onkeydown=\"if (event.key === 'Tab') event.preventDefault()\">",
    "looks the same with the focus": "<button style='outline: none'>a</button>",
    "has a ring of only": "<style>button:focus { outline-color: #dddddd }</style><button>a</button>",
    "cuts off": "<div style='overflow: hidden'><button>a</button></div>",
    "is hidden while it has the focus": (
        "<p style='position: fixed; inset: 0 0 auto; height: 9rem; background: white'></p><button>a</button>"
    ),
    "comes after": "<div style='display: grid'><a href='#' style='order: 2'>a</a><a href='#'>b</a></div>",
    "is too near": "<button style='width: 9px; height: 9px; padding: 0'></button><button>b</button>",
    "the page is": "<p style='width: 900px'>a</p>",
    "is no labelled region": "<div style='overflow-x: auto'><table style='width: 900px'><td>a</table></div>",
    "holds no table": "<p style='overflow-x: auto; white-space: nowrap' role=region aria-label=a tabindex=0>"
    + "word " * 90,
    "runs sideways out of": "<p style='width: 9rem; overflow: hidden; white-space: nowrap'>No room for all of this",
    "runs out of": "<p style='height: 1.1rem; width: 9rem; overflow: hidden'>No room for all of this</p>",
    "looks the same without": "<a href='#' aria-current=page>a</a>",
    "moves": "<p style='transition: color 1s'>a</p>",
}


SOUND = """<!doctype html><title>a page</title><style>:focus { outline: 3px solid #0000cc }</style>
<body><p><a href='#'>the beginning</a></p>{}<p><a href='#'>the end</a></p>"""


def test_the_walk_finds_exactly_the_planted_faults(window: Browser) -> None:
    context = walker(window)
    page = context.new_page()
    page.goto("about:blank")
    found = {}
    for said, broken in {"": "", **BROKEN}.items():
        page.set_viewport_size(DESKTOP)
        page.set_content(SOUND.replace("{}", broken))
        found[said] = [one for lines in walked(page).values() for one in lines]
    context.close()
    assert found.pop("") == []
    assert {said: lines for said, lines in found.items() if not any(said in line for line in lines)} == {}
