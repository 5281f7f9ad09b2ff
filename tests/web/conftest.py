"""A server as a browser sees it, on a ledger with a small event."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi.exceptions import RequestValidationError
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext, Page, expect
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient
from tests.web.chromium import chromium, serving

from matchledger.cli import run
from matchledger.ledger import Clerk
from matchledger.text.translation import told
from matchledger.web import problems
from matchledger.web.app import create_app
from matchledger.web.office import Office
from matchledger.web.pages import answering, opening, proving
from matchledger.web.settings import Settings

Browser = TestClient
KEY = "the-key-that-serve-prints"
PROGRAMS_MISTAKES = (RequestValidationError, HTTPException)  # pages answer these errors with a page of their own
ENGLISH = {"the", "is", "has", "have", "of", "and", "with", "no", "it"}  # no German sentence contains these words


@pytest.fixture(autouse=True)
def refused_in_german(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Check that every refusal of a page or the API in these tests has a complete German translation."""
    # This test sends thousands of requests, and looks only at their status.
    if request.path.name == "test_api_by_schemathesis.py":
        yield
        return
    met: list[str] = []
    said_before = problems.problem_of

    def noted(problem: Exception) -> tuple[int, dict[str, Any]]:
        status, said = said_before(problem)
        if not isinstance(problem, PROGRAMS_MISTAKES):
            met.append(said["detail"])
        return status, said

    for place in (problems, answering, opening, proving):
        monkeypatch.setattr(place, "problem_of", noted)
    yield
    assert [said for said in met if not _has_german(said)] == []


def _has_german(said: str) -> bool:
    if said.endswith("..."):
        return True  # the server shortens a list of thousands of names, so the words after the list are missing
    german = told(said, "de")
    return german != said and not ENGLISH & set(re.findall(r"[\w-]+", german))


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the ledger that each test copies."""
    folder = tmp_path_factory.mktemp("original")
    friday(folder / "friday.ledger", "l5r-2018")("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
    return folder


@pytest.fixture
def ledger(original: Path, tmp_path: Path) -> Path:
    """Ann, Bo, Cy and Di in round 1: Ann plays Bo, and Cy plays Di."""
    shutil.copytree(original, tmp_path, dirs_exist_ok=True)
    return tmp_path / "friday.ledger"


def friday(path: Path, rulebook: str, *names: str) -> Callable[..., None]:
    """Open an event with some players, by default Ann, Bo, Cy and Di, and return its terminal."""
    terminal = at_terminal(path)
    terminal("open", "Friday", "--rulebook", rulebook)
    for name in names or ("Ann", "Bo", "Cy", "Di"):
        terminal("register", name)
    return terminal


def two_flights(folder: Path, rounds: int) -> Path:
    """64 masters in two flights have played some rounds, in which the first player of each table won."""
    path, roster = folder / "cup.ledger", folder / "roster.csv"
    roster.write_text("\n".join(["name,division", *(f"M{n},masters" for n in range(1, 65))]))
    terminal = at_terminal(path)
    terminal("open", "Cup", "--rulebook", "pokemon-2009")
    terminal("register", "--csv", str(roster))
    terminal("announce", "--rounds", str(rounds), "--cut", "8", "--role", "organizer", "--reason", "ok")
    terminal("draw-flights", "masters", "2", "--role", "organizer", "--reason", "ok")
    for _ in range(rounds):
        terminal("pair", "--reason", "ok")
        terminal("report", *(word for table in range(1, 33) for word in (str(table), "a")))
    return path


def fresh(hall: Browser, address: str, home: str = "") -> str:
    """Return a page for the current log, including other processes' entries. `home` is the event's address, unless
    the browser's own address is the event's.
    """
    hall.cookies.set("matchledger", KEY)
    position = hall.get(f"{home}desk/state").json()["position"]
    office: Office = cast(Any, hall.app).state.office
    end = time.monotonic() + 10
    while all(office.position(tournament) != position for tournament in office.tournaments):  # the hall looks later
        assert time.monotonic() < end
        time.sleep(0.002)
    return hall.get(address).text


def at_terminal(path: Path) -> Callable[..., None]:
    """Execute commands on a ledger as another process would."""

    def command(*words: str) -> None:
        assert run([*words, "--ledger", str(path)]) == 0, words

    return command


@pytest.fixture
def browser(ledger: Path) -> Iterator[Browser]:
    app = create_app(str(ledger), Settings(watch_seconds=0.01, key=KEY))
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture
def home(browser: Browser) -> str:
    """The address of the only tournament."""
    answer = browser.get("/", follow_redirects=False)
    return answer.headers["location"]


@pytest.fixture
def desk(browser: Browser, home: str) -> str:
    """The address of the desk, after login with the key that `serve` prints."""
    answer = browser.post("/enter", data={"key": KEY}, follow_redirects=False)
    assert answer.headers["location"] == f"{home}desk"
    return f"{home}desk"


@pytest.fixture
def commands(home: str, desk: str) -> str:  # noqa: ARG001 - whoever commands has come in
    return f"/api/tournaments/{home.split('/')[2]}/commands"


_chromium = ExitStack()
_windows: list[Chromium] = []


@pytest.fixture(scope="module")
def window() -> Chromium:
    """A browser that renders its pages. Modules share one window, because they run one after the other."""
    if not _windows:
        _windows.append(_chromium.enter_context(chromium()))
    return _windows[0]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests with a browser together, because asyncio runs nothing else while a browser is open."""
    items.sort(key=_has_window)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    yield
    if nextitem is None or (nextitem.path != item.path and not _has_window(nextitem)):
        _windows.clear()
        _chromium.close()


def _has_window(item: pytest.Item) -> bool:
    return "window" in getattr(item, "fixturenames", ())


@pytest.fixture
def address(ledger: Path) -> Iterator[str]:
    """The address where the desk of the ledger listens."""
    settings = Settings(watch_seconds=0.05, key=KEY, clerk=Clerk("Kim", "organizer", "north"))
    with serving(ledger, settings) as listening:
        yield listening


@pytest.fixture
def station(window: Chromium, address: str) -> Iterator[Page]:
    """A desk on a laptop, ready for the first slip."""
    context = window.new_context(viewport={"width": 1366, "height": 768})
    yield come_in(context, address)
    context.close()


def come_in(context: BrowserContext, address: str) -> Page:
    """Return a station that has opened its link and is ready for the first slip."""
    page = opened(context, address)
    expect(page.locator("#keys li").first).to_be_visible()
    return page


def opened(context: BrowserContext, address: str) -> Page:
    """Return a station that has opened its link."""
    page = context.new_page()
    page.goto(f"{address}enter#{KEY}")
    page.wait_for_url("**/desk")
    return page
