"""The event page: the organizer's text and the news."""

from __future__ import annotations

from pathlib import Path

from starlette.testclient import TestClient
from tests.web.conftest import Browser, at_terminal, friday

from matchledger.web.app import create_app


def test_the_event_page_shows_the_time_and_the_place_and_the_news(
    ledger: Path, browser: Browser, home: str
) -> None:
    assert ">Event</a>" not in browser.get(home).text
    terminal = at_terminal(ledger)
    terminal("describe", "--date", "2026-05-02", "--venue", "Hall 3", "--schedule", "10:00 round 1")
    terminal("describe", "--prizes", "A cup <b>of gold</b>", "--accent", "teal")
    terminal("news", "Lunch at one")
    terminal("news", "Lunch at two")
    page = browser.get(f"{home}event").text
    news = ("A cup &lt;b&gt;of gold&lt;/b&gt;", "Lunch at one")
    for words in ("Saturday, May 2, 2026", "Hall 3", "<b>10:00</b> <span>round 1</span>", *news):
        assert words in page
    assert page.index("Lunch at two") < page.index("Lunch at one")
    assert ">Event</a>" in browser.get(home).text
    assert 'data-accent="teal"' in browser.get(f"{home}standings").text
    assert "Samstag, 2. Mai 2026" in browser.get(f"{home}event?lang=de").text


def test_the_event_page_shows_the_round_in_play_and_the_wall_ends_with_the_places(tmp_path: Path) -> None:
    terminal = friday(tmp_path / "cup.ledger", "magic-mtr")
    terminal("pair")
    with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
        home = f"{client.get('/').url}"
        assert "The round has not started." in client.get(f"{home}event").text
        assert "Final places</h1>" not in client.get(f"{home}wall?show=names").text
    terminal("report", "1", "a", "2", "a")
    terminal("close", "--yes", "--reason", "a short evening")
    with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
        for screen in ("names", "tables", "clock"):
            assert "Final places</h1>" in client.get(f"{home}wall?show={screen}").text
        page = client.get(home).text
    assert "The event is over</h1>" in page
    assert "Not in this round" not in page


def test_the_wall_shows_the_event_page_until_round_1(tmp_path: Path) -> None:
    terminal = at_terminal(tmp_path / "cup.ledger")
    terminal("open", "Spring Cup", "-b", "pokemon-2009")
    terminal("describe", "--date", "2026-05-02", "--venue", "Hall 3", "--schedule", "10:00 round 1")
    with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
        page = client.get(f"{client.get('/').url}wall").text
    main = page[page.index("<main") : page.index("</main>")]
    shown = ("Spring Cup", "Saturday, May 2, 2026 · Hall 3", ">10:00</b>", ">round 1</span>")
    assert [words for words in shown if words not in main] == []


def test_the_page_does_not_show_retracted_news(ledger: Path, browser: Browser, home: str) -> None:
    terminal = at_terminal(ledger)
    terminal("news", "Lunch at one")
    terminal("undo", "--yes")
    assert "Lunch at one" not in browser.get(f"{home}event").text


def test_the_desk_changes_the_text_of_the_event_page(desk: str, browser: Browser, home: str) -> None:
    asked = {"page": "event", "id": "one", "form": "x"}
    browser.post(f"{desk}/do", data=asked | {"kind": "describe-event", "day": "2026-05-02", "venue": "Hall 3"})
    browser.post(f"{desk}/do", data=asked | {"kind": "post-news", "text": "Welcome", "id": "two"})
    page = browser.get(f"{home}event").text
    assert "Hall 3" in page
    assert "Welcome" in page
    empty = browser.post(f"{desk}/do", data=asked | {"kind": "describe-event", "id": "three"})
    assert "the page would have nothing new: give a date, a venue, or something else" in empty.text
