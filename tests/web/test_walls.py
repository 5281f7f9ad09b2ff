"""The wall, the stream overlay and the widget before round 1, during play and after the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient
from tests.web.chromium import CHROMIUM, serving
from tests.web.conftest import at_terminal, friday
from tests.web.crowds import Crowd
from tests.web.names import plain
from tests.web.walking import resize

from matchledger.cli import run
from matchledger.text.labels import HEADINGS
from matchledger.web.app import create_app
from matchledger.web.public.programme import followed, programme
from matchledger.web.settings import Settings

needs_chromium = pytest.mark.skipif(not CHROMIUM.is_file(), reason=f"there is no {CHROMIUM}")


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """An event without players."""
    at_terminal(tmp_path / "cup.ledger")("open", "Spring Cup", "-b", "pokemon-2009")
    return tmp_path / "cup.ledger"


@contextmanager
def visiting(window: Chromium, ledger: Path) -> Iterator[Callable[[str], Page]]:
    """Yield a function that opens a page of the event."""
    context = window.new_context()
    page = context.new_page()
    with serving(ledger) as address:
        page.goto(address)
        home = page.url

        def visit(path: str) -> Page:
            page.goto(home + path)
            return page

        yield visit
        context.close()


# -- the schedule


def test_a_round_that_has_begun_and_the_lines_above_it_are_past_whatever_the_time() -> None:
    lines = programme("09:30 Registration\n10:00 Round 1\n12:30 Runde 3, after lunch\n18:00 Final", None)
    past = {begun: [line.text for line in followed(lines, begun, is_over=False) if line.past] for begun in range(4)}
    assert past == {
        0: [],
        1: ["Registration", "Round 1"],
        2: ["Registration", "Round 1"],
        3: ["Registration", "Round 1", "Runde 3, after lunch"],
    }
    assert all(line.past for line in followed(lines, 3, is_over=True))


def test_a_line_of_the_schedule_begins_with_its_time() -> None:
    lines = programme("Doors open early\n9.30 Uhr Registration\n10:00 Round 1\n", date(2026, 5, 2))
    assert [(line.time, line.text) for line in lines] == [
        ("", "Doors open early"),
        ("09:30", "Registration"),
        ("10:00", "Round 1"),
    ]
    moments = [line.at and f"{line.at:%Y-%m-%d %H:%M}" for line in lines]
    assert moments == [None, "2026-05-02 09:30", "2026-05-02 10:00"]


def test_a_schedule_without_a_date_or_with_the_next_day_has_no_moments() -> None:
    assert [line.at for line in programme("10:00 Round 1", None)] == [None]
    lines = programme("10:00 Round 1\n20:00 Dinner\n09:00 Final", date(2026, 5, 2))
    assert [line.at is None for line in lines] == [False, False, True]


@needs_chromium
def test_the_clock_on_the_wall_counts_down_to_round_1(window: Chromium, cup: Path) -> None:
    begins = datetime.now().astimezone() + timedelta(minutes=31)
    at_terminal(cup)("describe", "--date", f"{begins:%Y-%m-%d}", "--schedule", f"{begins:%H:%M} Round 1")
    with visiting(window, cup) as visit:
        for screen in ("clock", "names"):
            wall = visit(f"wall?show={screen}")
            expect(wall.locator(".next-up .what")).to_have_text("Round 1 in")
            minutes = int(wall.locator(".next-up .digits").inner_text().partition(":")[0])
            assert 28 <= minutes <= 31
            expect(wall.locator(".next-up .when")).to_have_text(f"at {begins:%H:%M}")


@needs_chromium
def test_a_start_without_a_date_or_far_away_is_shown_as_the_time(window: Chromium, cup: Path) -> None:
    for described in (("--schedule", "10:00 Round 1"), ("--date", "2020-05-02"), ("--date", "2099-05-02")):
        at_terminal(cup)("describe", *described)
        with visiting(window, cup) as visit:
            wall = visit("wall?show=clock")
            expect(wall.locator(".next-up .what")).to_have_text("Round 1")
            expect(wall.locator(".next-up .digits")).to_have_text("10:00")


def test_a_wall_for_the_bracket_shows_who_is_inside_the_cut_until_the_cut(tmp_path: Path) -> None:
    begins = datetime.now().astimezone() + timedelta(minutes=31)  # the event runs ahead of its schedule
    terminal = friday(tmp_path / "cup.ledger", "pokemon-2009")
    terminal("describe", "--date", f"{begins:%Y-%m-%d}", "--schedule", f"{begins:%H:%M} Round 1\n23:59 Final")

    def shown(screen: str) -> str:
        with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
            return plain(client.get(f"{client.get('/').url}wall?show={screen}").text)

    terminal("pair")
    assert "Round 1</span>" in shown("podium"), "round 1 is paired, and its time is still to come"
    terminal("start", "--minutes", "50")
    assert "Round 1</span>" not in shown("podium")
    for table in ("1", "2"):
        terminal("report", table, "a")
    terminal("pair")
    for screen in ("bracket", "podium"):
        page = shown(screen)
        assert "Standings after round 1" in page
        assert "upcoming" not in page


def test_a_wall_without_a_schedule_invents_no_time(cup: Path) -> None:
    with TestClient(create_app(str(cup)), base_url="http://localhost") as client:
        page = client.get(f"{client.get('/').url}wall?show=clock").text
    assert 'class="digits"' not in page
    assert "The clock starts with round 1." in page


def test_the_wall_shows_the_news_until_the_next_round_is_paired(cup: Path) -> None:
    terminal = at_terminal(cup)
    for name in ("Ann", "Bo"):
        terminal("register", name)

    def shown() -> bool:
        with TestClient(create_app(str(cup)), base_url="http://localhost") as client:
            return 'class="bulletin short">Lunch at one' in client.get(f"{client.get('/').url}wall?show=clock").text

    terminal("news", "Lunch at one")
    assert shown()
    terminal("pair")
    terminal("start", "--minutes", "50")
    assert not shown()
    terminal("news", "Lunch at one")
    assert shown()


def test_the_wall_of_the_news_says_when_there_is_no_news(tmp_path: Path) -> None:
    terminal = friday(tmp_path / "cup.ledger", "magic-mtr")
    with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
        address = f"{client.get('/').url}wall?show=news"
        assert "There is no news." in client.get(address).text
    terminal("news", "Lunch " * 25)
    with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
        assert '<p class="bulletin long">Lunch' in client.get(address).text


def test_the_code_on_the_wall_invites_people_to_sign_up_only_for_a_free_place_before_round_1(
    tmp_path: Path,
) -> None:
    ledger = tmp_path / "cup.ledger"
    terminal = friday(ledger, "magic-mtr")

    def caption() -> str:
        app = create_app(str(ledger), Settings(address="http://localhost/"))
        with TestClient(app, base_url="http://localhost") as client:
            page = client.get(f"{client.get('/').url}wall").text
        return page.partition('id="join-text" data-live>')[2].partition("<")[0]

    find = "Find your table on your phone"
    assert caption() == find
    terminal("allow-phones", "sign-up", "--places", "5")
    assert caption() == "Sign up on your phone"
    terminal("register", "Eve")
    assert caption() == find, "the event is full"
    terminal("drop", "Eve", "--yes")
    assert caption() == "Sign up on your phone"
    terminal("announce", "--rounds", "1", "--cut", "0", "--reason", "a short evening")
    terminal("pair")
    assert caption() == find
    terminal("report", "1", "2-0", "2", "2-0")
    terminal("close", "--yes", "--reason", "a short evening")
    assert caption() == "All final places on your phone"


# -- the stream overlay


def test_the_overlay_is_a_title_card_until_round_1(cup: Path) -> None:
    at_terminal(cup)("describe", "--venue", "Hall 3", "--schedule", "10:00 Round 1")
    with TestClient(create_app(str(cup)), base_url="http://localhost") as client:
        page = client.get(f"{client.get('/').url}overlay").text
    shown = " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<h1") :]).split())
    assert "Spring Cup Hall 3 Round 1 10:00" in shown
    assert "paired" not in shown


def test_the_overlay_keeps_the_clock_of_the_round_beside_a_result(tmp_path: Path) -> None:
    terminal = friday(tmp_path / "cup.ledger", "magic-mtr")
    terminal("pair")
    terminal("start", "--minutes", "50")

    def shown() -> str:
        with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
            return client.get(f"{client.get('/').url}overlay?table=1").text

    assert 'role="timer"' in shown()
    terminal("report", "1", "2-0")
    assert 'role="timer"' in shown()
    assert re.findall(r'<b class="score">(\d)', shown()) == ["2", "0"]


def test_the_overlay_counts_the_match_that_was_just_won(tmp_path: Path) -> None:
    terminal = friday(tmp_path / "cup.ledger", "pokemon-2009")

    def shown() -> list[str]:
        with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
            page = plain(client.get(f"{client.get('/').url}overlay").text).replace("\N{EN DASH}", "-")
        return re.findall(r"W-L-D (\d-\d-\d)", page)

    terminal("pair")
    assert shown() == ["0-0-0", "0-0-0"]
    terminal("report", "1", "a")
    assert shown() == ["1-0-0", "0-1-0"]
    terminal("report", "2", "a")
    terminal("pair")
    assert shown() == ["1-0-0", "1-0-0"]
    terminal("report", "1", "b")
    assert shown() == ["1-1-0", "2-0-0"]


def test_the_overlay_shows_seeds_in_the_bracket_and_finally_the_champion(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "cup.sheet", tmp_path / "cup.ledger"
    sheet.write_text("rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\ndraw A C\ndraw B D\n", "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    terminal = at_terminal(ledger)
    terminal("cut", "2", "--reason", "little time")
    terminal("pair")

    def shown(of: str = "") -> list[tuple[str, str, str]]:
        with TestClient(create_app(str(ledger)), base_url="http://localhost") as client:
            page = plain(client.get(f"{client.get('/').url}overlay{of}").text)
        return re.findall(r'<li class="(\w*)"><span [^>]*>(.*?)</span> <span [^>]*>(.*?)</span>', page)

    assert shown() == [("", "A", "Seed 1"), ("", "C", "Seed 2")]
    assert shown("?table=2") == [], "the elimination has no table 2"
    terminal("report", "1", "b")
    final = [("lost", "A", "Seed 1"), ("won", "C", "Champion")]
    assert shown() == final
    terminal("close", "--yes", "--reason", "little time")
    assert shown("?table=2") == final, "a stream of table 2 ends with the final"


# -- standings


def test_the_wall_shows_points_with_the_first_tiebreaker_and_finally_the_places(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "cup.sheet", tmp_path / "cup.ledger"
    played = "round 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\n"
    sheet.write_text(f"rulebook magic-mtr\nplayers A B C D\n{played}", "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    terminal = at_terminal(ledger)

    def shown() -> str:
        with TestClient(create_app(str(ledger)), base_url="http://localhost") as client:
            return plain(client.get(f"{client.get('/').url}wall?show=standings").text).replace("\N{EN DASH}", "-")

    assert re.findall(r'class="wall-head"><span>.*?</div>', shown())[0].count("<span>") == 5
    assert f"<span>{HEADINGS['opponents_match_win_percentage']}</span>" in shown()
    terminal("close", "--yes", "--reason", "a short evening")
    rows = re.findall(r'<li class="wall-row( first)?"><b class="t">(.*?)</b><span class="n">(\w)', shown())
    assert rows == [(" first", "1", "A"), ("", "2-3", "B"), ("", "2-3", "C"), ("", "4", "D")]
    assert "Final places</h1>" in shown()


# -- the widget


def test_the_widget_draws_a_line_below_the_places_that_advance(tmp_path: Path) -> None:
    sheet, ledger = tmp_path / "cup.sheet", tmp_path / "cup.ledger"
    sheet.write_text("rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\ndraw A C\ndraw B D\n", "utf-8")
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == 0
    at_terminal(ledger)("cut", "2", "--reason", "little time")
    with TestClient(create_app(str(ledger)), base_url="http://localhost") as client:
        home = client.get("/").url
        shown = [plain(client.get(f"{home}widget?top={top}").text) for top in (1, 2, 4)]
    lines = [re.findall(r'<th scope="row">(\w)|<span>(Top 2)</span>', page) for page in shown]
    assert [[name or cut for name, cut in line] for line in lines] == [
        ["A"],
        ["A", "C", "Top 2"],
        ["A", "C", "Top 2", "B", "D"],
    ]


def test_the_widget_names_the_start_and_the_number_of_players_until_round_1_ends(tmp_path: Path) -> None:
    terminal = friday(tmp_path / "cup.ledger", "pokemon-2009")
    terminal("describe", "--date", "2026-05-02", "--schedule", "10:00 Round 1")

    def shown() -> str:
        with TestClient(create_app(str(tmp_path / "cup.ledger")), base_url="http://localhost") as client:
            page = plain(client.get(f"{client.get('/').url}widget").text)
        return " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<h1") :]).split())

    assert "10:00 Round 1" in shown()
    assert "4 players" in shown()
    terminal("pair")
    assert "10:00" not in shown()
    assert "Round 1: 2 tables are still playing. 4 players" in shown()


# -- what lies under something else, or outside the window

SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
HIDDEN_LINES = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height > 0)
    .map((one) => ({ text: one.textContent.trim(), ...one.getBoundingClientRect().toJSON() }));
  const isUnder = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const cards = boxes(".screen .match, .screen .crown");
  const lines = boxes(".screen h3, .screen .side, .screen .crown");
  const end = document.querySelector("main").getBoundingClientRect().bottom;
  const outside = lines.filter((one) => one.bottom > end + 1 || one.right > innerWidth + 1);
  const headings = boxes(".screen h3, .screen h2, .wall-title, .join");
  const under = headings.filter((one) => cards.some((card) => isUnder(one, card)));
  const crossed = cards.filter((one, at) => cards.some((other, then) => then > at && isUnder(one, other)));
  return [...outside, ...under, ...crossed].map((one) => one.text);
}"""


@needs_chromium
@pytest.mark.parametrize("cuts", [(2, 2), (2, 8), (8, 8)])
def test_no_line_of_a_bracket_is_hidden_on_the_wall(
    window: Chromium, tmp_path: Path, cuts: tuple[int, int]
) -> None:
    crowd = Crowd(tmp_path / "cup.ledger", 40, cuts)
    crowd.play_swiss()
    crowd.cut()
    _no_line_is_hidden(window, crowd.ledger, SIZES)
    crowd.play_bracket()
    _no_line_is_hidden(window, crowd.ledger, SIZES)


def _no_line_is_hidden(window: Chromium, ledger: Path, sizes: tuple[tuple[int, int], ...]) -> None:
    with visiting(window, ledger) as visit:
        page = visit("wall?show=bracket")
        for width, height in sizes:
            resize(page, {"width": width, "height": height})
            page.evaluate("document.fonts.ready")
            for _ in range(2):  # both brackets, if they have a page each
                assert page.locator(".bracket .side:visible").count() > 0
                assert page.evaluate(HIDDEN_LINES) == [], (width, height)
                page.keyboard.press("ArrowRight")
