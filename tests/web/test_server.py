"""What every page has: headers, names, the cache, the stream, the language."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid4

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import Browser, at_terminal

from matchledger.text.translation import preferred
from matchledger.web import stream
from matchledger.web.app import create_app
from matchledger.web.cache import Rendered
from matchledger.web.office import Office
from matchledger.web.rendering import STATIC


def test_a_page_shows_who_plays_where(browser: Browser, home: str) -> None:
    page = browser.get(home)
    assert page.status_code == 200
    assert "Ann" in page.text
    assert "Round 1" in page.text


def test_a_browser_does_not_load_an_unchanged_page_again(browser: Browser, home: str) -> None:
    first = browser.get(home)
    again = browser.get(home, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]


def test_a_page_is_rendered_once_for_each_change(
    browser: Browser, home: str, monkeypatch: pytest.MonkeyPatch, ledger: Path
) -> None:
    rendered: list[bytes] = []
    counted = Rendered.__post_init__

    def count(page: Rendered) -> None:
        rendered.append(page.body)
        counted(page)

    monkeypatch.setattr(Rendered, "__post_init__", count)
    for _ in range(5):
        browser.get(home)
    assert len(rendered) == 1
    at_terminal(ledger)("report", "1", "a")  # the page shows no results, and so is not rendered again
    _until_seen(browser, home)
    assert len(rendered) == 1


def test_the_server_shows_entries_of_another_process(browser: Browser, home: str, ledger: Path) -> None:
    assert "Round 2" not in browser.get(home).text
    at_terminal(ledger)("report", "1", "a", "2", "a")
    at_terminal(ledger)("pair")
    _until_seen(browser, home)
    assert "Round 2" in browser.get(home).text


def _until_seen(browser: Browser, home: str) -> None:
    """Make the server look for new entries in the ledger at once."""
    office: Office = browser.app.state.office  # type: ignore[attr-defined]  # the client calls it an ASGI app
    assert browser.portal is not None
    browser.portal.call(office.look)
    browser.get(home)


def test_every_answer_has_the_policy_that_blocks_foreign_scripts(browser: Browser, home: str) -> None:
    for address in (home, "/static/style.css", "/nowhere", "/api/openapi.json"):
        headers = browser.get(address).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


@pytest.mark.parametrize("host", ["localhost:8080", "127.0.0.1", "[::1]:8080", "192.168.1.7:8080"])
def test_the_server_accepts_requests_under_its_own_names(browser: Browser, home: str, host: str) -> None:
    assert browser.get(home, headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "[", ""])
def test_the_server_refuses_requests_under_any_other_name(browser: Browser, home: str, host: str) -> None:
    answer = browser.get(home, headers={"host": host})
    assert answer.status_code == 421
    assert "Ann" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "null"},
    ],
)
def test_a_form_from_another_site_is_refused(browser: Browser, home: str, headers: dict[str, str]) -> None:
    answer = browser.post(home, headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.text


def test_the_error_names_a_missing_tournament(browser: Browser) -> None:
    missing = uuid4()
    answer = browser.get(f"/t/{missing}/")
    assert answer.status_code == 404
    assert str(missing) in answer.text


def test_several_tournaments_are_listed(ledger: Path) -> None:
    at_terminal(ledger)("open", "Saturday", "--rulebook", "ashes-2022")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as browser:
        page = browser.get("/").text
    assert "Friday" in page
    assert "Saturday" in page
    assert "4 players" in page


def test_a_page_uses_the_language_of_the_reader(browser: Browser, home: str) -> None:
    assert '<html lang="en">' in browser.get(home).text
    german = browser.get(home, headers={"accept-language": "de-AT,de;q=0.9,en;q=0.5"}).text
    assert '<html lang="de">' in german
    assert "Runde 1" in german
    assert "Runde 1" in browser.get(home, params={"lang": "de"}).text


@pytest.mark.parametrize(
    ("accepted", "spoken"),
    [
        ("", "en"),
        ("fr", "en"),
        ("de", "de"),
        ("fr;q=1, de;q=0.2", "de"),
        ("en;q=0.1, de", "de"),
        ("de;q=x", "en"),
        (";;,,", "en"),
    ],
)
def test_the_best_available_language_is_used(accepted: str, spoken: str) -> None:
    assert preferred(None, accepted) == spoken


def test_static_files_have_versioned_addresses_and_are_cached_for_ever(browser: Browser, home: str) -> None:
    page = browser.get(home).text
    address = page.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = browser.get(address)
    assert answer.status_code == 200
    assert "immutable" in answer.headers["cache-control"]


def test_texts_are_packed_for_a_browser_that_can_unpack_them(browser: Browser) -> None:
    sheet = "/static/style.css"
    plain = browser.get(sheet, headers={"accept-encoding": "identity"})
    packed = browser.get(sheet, headers={"accept-encoding": "gzip"})
    assert packed.content == plain.content == (STATIC / "style.css").read_bytes()
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == packed.headers["vary"] == "accept-encoding"
    assert int(packed.headers["content-length"]) < len(plain.content) / 3
    again = browser.get(sheet, headers={"accept-encoding": "gzip", "if-none-match": packed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_typeface_is_sent_as_it_is(browser: Browser) -> None:
    answer = browser.get("/static/inter.woff2", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in answer.headers
    assert answer.content == (STATIC / "inter.woff2").read_bytes()


def test_the_server_streams_changes_of_the_log(browser: Browser, home: str, ledger: Path) -> None:
    tournament = UUID(home.split("/")[2])
    office: Office = browser.app.state.office  # type: ignore[attr-defined]  # the client calls it an ASGI app

    async def two_events() -> list[str]:
        events = stream.events(office, tournament)
        first = await anext(events)
        at_terminal(ledger)("report", "1", "a")
        await office.look()
        return [first, await anext(events)]

    assert browser.portal is not None
    first, second = browser.portal.call(two_events)
    assert "event: position\nid: 6\ndata: 6\n\n" in first
    assert "data: 7\n\n" in second
