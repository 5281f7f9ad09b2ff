"""The shelf (the server's store of finished answers) gives the same answers as the application."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.requests import Request
from tests.web.conftest import Browser, at_terminal

from matchledger.web.office import Office
from matchledger.web.pages import public
from matchledger.web.rendering import language_of


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The requests that reached the application because the shelf had no answer."""
    paths: list[str] = []

    def noting(request: Request) -> str:
        paths.append(request.url.path)
        return language_of(request)

    monkeypatch.setattr(public, "language_of", noting)
    return paths


def test_the_second_phone_gets_the_same_page_from_the_shelf(browser: Browser, home: str, asked: list[str]) -> None:
    first, second = browser.get(home), browser.get(home)
    assert len(asked) == 1
    assert second.content == first.content
    assert dict(second.headers) == dict(first.headers)
    unchanged = browser.get(home, headers={"if-none-match": first.headers["etag"]})
    assert (unchanged.status_code, unchanged.content, len(asked)) == (304, b"", 1)
    plain = browser.get(home, headers={"accept-encoding": "identity"})
    assert (plain.text, "content-encoding" in plain.headers) == (first.text, False)


def test_a_page_on_the_shelf_is_never_outdated(browser: Browser, home: str, ledger: Path, asked: list[str]) -> None:
    tables = f"{home}tables"
    assert ">playing</td>" in browser.get(tables).text
    at_terminal(ledger)("report", "1", "a", "2", "a")
    office: Office = browser.app.state.office  # type: ignore[attr-defined]  # the client calls it an ASGI app
    assert browser.portal is not None
    browser.portal.call(office.look)
    assert ">playing</td>" not in browser.get(tables).text
    assert len(asked) == 1


def test_the_shelf_separates_languages_and_visitors(browser: Browser, home: str) -> None:
    for _ in range(2):
        assert "Runde 1" in browser.get(home, headers={"accept-language": "de"}).text
        assert "Round 1" in browser.get(home, headers={"accept-language": "en"}).text
        assert "Runde 1" in browser.get(home, headers={"cookie": "lang=de"}).text


@pytest.mark.finding("A-4")
@pytest.mark.parametrize(
    ("odd", "common"),
    [
        ([("accept-language", "de"), ("accept-language", "en")], [("accept-language", "en")]),
        ([("cookie", "lang=de"), ("cookie", "")], [("cookie", "")]),
    ],
)
def test_a_stranger_who_repeats_a_header_changes_no_page_of_others(
    browser: Browser, home: str, odd: list[tuple[str, str]], common: list[tuple[str, str]]
) -> None:
    assert "Runde 1" in browser.get(home, headers=odd).text
    assert "Round 1" in browser.get(home, headers=common).text


def test_a_request_under_another_host_name_gets_nothing_from_the_shelf(browser: Browser, home: str) -> None:
    browser.get(home)
    assert browser.get(home, headers={"host": "evil.example"}).status_code == 421


def test_a_page_that_no_longer_exists_is_not_kept(browser: Browser, home: str, asked: list[str]) -> None:
    assert browser.get(f"{home}player/99").status_code == 404
    assert browser.get(f"{home}player/99").status_code == 404
    assert len(asked) == 2
