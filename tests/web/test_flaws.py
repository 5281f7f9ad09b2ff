"""No page clips text, scrolls sideways, is pale, or is too large. `python -m tests.web.flaws` checks more sizes,
languages and events than these tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient
from tests.web.chromium import CHROMIUM
from tests.web.crowds import Crowd
from tests.web.every_page import DESK, DESK_ONCE_PLAYED, HALL, KEY, ONCE_PLAYED, ORGANIZER, moments
from tests.web.flaws import LARGEST, flaws_of
from tests.web.walking import SCRIPT

from matchledger.web.app import create_app
from matchledger.web.settings import Settings

needs_chromium = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")

PHONE, LAPTOP = 360, 1280
NO_PAGES = (
    "/s/",  # a short address leads to another page
    "stream",
    "state",
    "admitted",
    "compare",
    "slip",
    ".csv",
    ".pdf",
    "/logo/",
    "/me/worker.js",
    "/api/",
)  # these pages answer scripts or hand out files


BROKEN_WORDS = """() => {
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT), found = [];
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[\\p{L}']{12,17}/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) found.push(word[0]);
    }
  }
  return found;
}"""
WITH_NAMES = ("seating", "tables", "standings", "crosstable", "player", "match")


@needs_chromium
def test_every_page_was_examined_and_none_has_a_flaw(window: Browser, tmp_path: Path) -> None:
    """The test shows eight players in German, because German words are the longest."""
    context = window.new_context(locale="de")
    context.add_init_script(path=SCRIPT)
    page = context.new_page()
    found, seen, broken, named = {}, set(), {}, False
    for event in moments(tmp_path, 8):
        for name in event.visited(page):
            seen.add("/" + page.url.removeprefix(event.address).partition("?")[0])
            if said := flaws_of(page, (LAPTOP, PHONE) if event.moment == "playing" else (PHONE,)):
                found[f"{event.moment} {name}"] = said
            if name in WITH_NAMES:
                named |= "Featherstonehaugh" in page.content()
                broken[f"{event.moment} {name}"] = page.evaluate(BROKEN_WORDS)
    context.close()
    assert found == {}
    assert named
    assert {name: words for name, words in broken.items() if words} == {}, (
        "names of 17 letters are whole on a phone"
    )
    assert len(list(_pages())) > 20
    assert [route for route in _pages() if not any(re.fullmatch(route, one) for one in seen)] == []


BROKEN = {
    "the page is": "<p style='width: 900px'>a</p>",
    "runs out of": "<p style='height: 1.1rem; width: 9rem; overflow: hidden'>No room for all of this</p>",
    'p "pale" has a contrast of only 2.8:1 (360 light, 360 dark)': "<p style='color: #999; background: #fff'>pale",
    'p "dim" has a contrast of only': "<p style='opacity: .4'>dim</p>",
    "(360 dark)": "<style>@media (prefers-color-scheme: dark) { p { color: #222; background: #111 } }</style>",
    "the page has": f"<!--{'x' * LARGEST}-->",
}


@needs_chromium
def test_each_kind_of_flaw_is_found_and_nothing_else(window: Browser) -> None:
    context = window.new_context()
    context.add_init_script(path=SCRIPT)
    page = context.new_page()
    sent: dict[str, Any] = {}
    page.route("**/page", lambda route: route.fulfill(content_type="text/html", **sent))

    def look() -> list[str]:
        page.goto("http://localhost/page")
        return [f"{flaw} ({where})" for flaw, where in flaws_of(page, (PHONE,)).items()]

    found = {}
    for said, broken in {"": "", **BROKEN}.items():
        sent["body"] = f"<!doctype html><title>a</title><p>Sound</p>{broken}"
        found[said] = look()
    sent |= {"body": "<p>Failed", "status": 500}
    assert look() == ["the server failed (everywhere)"]
    context.close()
    assert found.pop("") == []
    assert {said: lines for said, lines in found.items() if not any(said in line for line in lines)} == {}


def _pages() -> Iterator[str]:
    """Yield a pattern for the address of each page of the server."""
    for part in create_app("unused").routes:
        for route in getattr(getattr(part, "original_router", None), "routes", ()):
            if "GET" in route.methods and not any(one in route.path for one in NO_PAGES):
                yield re.sub(r"\{.*?\}", "[^/]+", route.path)


def test_no_page_for_three_hundred_players_is_large(tmp_path: Path) -> None:
    crowd = Crowd(tmp_path / "event.ledger", 300)
    crowd.play()
    app = create_app(str(crowd.ledger), Settings(clerk=ORGANIZER, key=KEY, watch_seconds=60))
    with TestClient(app, base_url="http://localhost") as client:
        home = client.get("/", follow_redirects=False).headers["location"]
        client.post("/enter", data={"key": KEY})
        paths = [*HALL.values(), *ONCE_PLAYED.values()]
        paths += [f"desk{path}" for path in (DESK | DESK_ONCE_PLAYED).values()]
        sizes = {path: len(client.get(home + path).content) for path in paths}
    assert {path: size for path, size in sizes.items() if size > LARGEST} == {}
