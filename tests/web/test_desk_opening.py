"""Opening a tournament at the desk: the person who started the server can, under any rulebook."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markupsafe import escape
from starlette.testclient import TestClient
from tests.benchmarks.serving import free_port
from tests.desk import RunCli
from tests.web.conftest import KEY, Browser

from matchledger.ledger import Clerk, open_ledger
from matchledger.web.app import create_app
from matchledger.web.settings import Settings
from matchledger_projections.decks.registered import formats_of
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.catalogue import policy_flags
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks

HOST = Clerk("Pat", "organizer", "front")


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A ledger without a tournament."""
    path = tmp_path / "new.ledger"
    open_ledger(path, create=True).close()
    return path


@pytest.fixture
def host(empty: Path) -> Iterator[Browser]:
    """The browser of the person who started the server, as organizer."""
    with TestClient(create_app(str(empty), Settings(clerk=HOST, key=KEY)), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield browser


def opened(path: Path) -> list[Record]:
    with open_ledger(path) as ledger:
        return [ledger.record(tournament) for tournament in ledger.tournaments()]


def test_the_first_page_for_an_empty_ledger_opens_a_tournament(host: Browser) -> None:
    assert 'href="/new"' in host.get("/").text


def test_an_organizer_who_logs_in_to_an_empty_ledger_is_asked_for_the_game(host: Browser) -> None:
    assert host.post("/enter", data={"key": KEY}, follow_redirects=False).headers["location"] == "/new"


def test_the_page_of_an_empty_ledger_names_the_next_step_for_each_visitor(empty: Path) -> None:
    settings = Settings(clerk=Clerk("Kim", "scorekeeper", "desk"), key=KEY)
    with TestClient(create_app(str(empty), settings), base_url="http://localhost") as browser:
        assert 'href="/enter"' in browser.get("/").text
        page = browser.post("/enter", data={"key": KEY}).text
        assert "matchledger serve --role organizer" in page
        assert 'href="/new"' not in page


@pytest.mark.parametrize(
    ("words", "clerk", "hint"),
    [
        (["--create"], Clerk("organizer", "organizer", "server"), False),
        (["--create", "--role", "judge", "--actor", "Jude"], Clerk("Jude", "judge", "server"), True),
        ([], Clerk("scorekeeper", "scorekeeper", "server"), True),
    ],
)
def test_serve_that_creates_a_ledger_admits_an_organizer(
    empty: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli, words: list[str], clerk: Clerk, hint: bool
) -> None:
    made: list[Settings] = []
    monkeypatch.setattr("matchledger.web.connections.run", lambda app, *_: made.append(app.state.settings))
    said = run_cli("serve", "--ledger", str(empty), "--port", str(free_port()), *words).err
    assert [settings.clerk for settings in made] == [clerk]
    assert ("start again with --role organizer" in said) == hint


def test_a_tournament_is_opened_and_registration_begins(host: Browser, empty: Path) -> None:
    answer = host.post("/new", data={"id": "once", "name": "Friday Night", "rulebook": "l5r-2018"})
    assert answer.url.path.endswith("/desk/players")
    assert "Friday Night opened under l5r-2018" in answer.text
    host.post("/new", data={"id": "once", "name": "Friday Night", "rulebook": "l5r-2018"})
    [record] = opened(empty)
    assert record.opening is not None
    assert (record.opening.name, record.opening.policies, record.opening.sealed) == ("Friday Night", {}, True)


@pytest.mark.finding("C-D8")
def test_a_second_tournament_with_the_same_name_is_asked_about_first(host: Browser, empty: Path) -> None:
    filled = {"name": "Friday Night", "rulebook": "l5r-2018"}
    assert 'name="second"' not in host.get("/new").text
    host.post("/new", data={"id": "one", **filled})
    asked = host.post("/new", data={"id": "two", **filled})
    assert asked.status_code == 422
    assert "Friday Night is open in this ledger already" in asked.text
    assert "tick the box to open a second one" in asked.text
    assert 'name="second"' in asked.text
    assert len(opened(empty)) == 1
    again = host.post("/new", data={"id": "one", **filled})
    assert again.url.path.endswith("/desk/players"), "a request that is sent twice opens one, and asks nothing"
    host.post("/new", data={"id": "two", "second": "yes", **filled})
    assert [record.opening and record.opening.name for record in opened(empty)] == ["Friday Night"] * 2
    host.post("/new", data={"id": "three", **filled, "name": "Saturday"})
    assert len(opened(empty)) == 3


def test_the_log_has_the_chosen_policy(host: Browser, empty: Path) -> None:
    page = host.get("/new", params={"rulebook": "l5r-2018"}).text
    assert 'name="policies.POL-L5R-NOSHOW"' in page
    chosen = {"policies.POL-L5R-NOSHOW": "bye", "policies.POL-L5R-TIER": "relaxed"}
    host.post("/new", data={"name": "Kotei", "rulebook": "l5r-2018", **chosen})
    [record] = opened(empty)
    assert record.opening is not None
    assert record.opening.policies == {"POL-L5R-NOSHOW": "bye"}


@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_every_policy_is_asked_about_and_every_value_explained(host: Browser, rulebook: str) -> None:
    """Three places explain every policy: the form that opens a tournament, the page of an open tournament, and
    the API.
    """
    pages = [host.get("/new", params={"rulebook": rulebook}).text]
    answer = host.post("/new", data={"name": "Cup", "rulebook": rulebook})
    pages.append(host.get(answer.url.path.replace("players", "event")).text)
    law = host.get(f"/api/rulebooks/{rulebook}").json()["policies"]
    parsed = parse_rulebook(rulebook_text(rulebook))
    assert set(law) == set(parsed.policies)
    for flag in law:
        known = policy_flags()[flag]
        [told] = host.get(f"/api/rules/{flag}").json()
        assert (told["says"], told["values"]) == (known.says, known.values)
        assert (law[flag]["decides"], law[flag]["values"]) == (known.says, known.values)
        for page, name in zip(pages, (f"policies.{flag}", "value"), strict=True):
            own = page if page is pages[0] else page.partition(f'value="{flag}"')[2].partition("</form>")[0]
            field = re.escape(f'name="{name}"')
            question = rf'(?:<label for="{flag}"[^>]*>|<legend[^>]*>)[^<]+<(?:(?!<legend).)*?{field}'
            assert re.search(question, own, re.DOTALL), f"there is no question about {flag}"
            offered = formats_of(parsed) if parsed.policies[flag].reading == "deck_format" else known.values
            for value, says in known.values.items():
                if value not in offered:
                    assert f'value="{value}"' not in own, "a page offers only the deck formats of the game"
                    continue
                explained = f"<b>{value}</b>: {escape(says)}"
                answer_to_choose = rf'{field} value="{value}"[^>]*> <span>{re.escape(escape(says))}'
                assert explained in own or re.search(answer_to_choose, own), flag


def test_divisions_have_the_years_of_birth_from_the_form(host: Browser, empty: Path) -> None:
    years = {"division_years.junior": "2014", "division_years.senior": "2010"}
    host.post("/new", data={"name": "Cup", "rulebook": "pokemon-2009", **years})
    [record] = opened(empty)
    assert record.opening is not None
    assert record.opening.division_years == {"junior": 2014, "senior": 2010}


def test_a_house_rulebook_can_be_pasted(host: Browser, empty: Path) -> None:
    law = rulebook_text("ashes-2022").replace('id = "ashes-2022"', 'id = "house"')
    host.post("/new", data={"name": "Club", "rulebook": "l5r-2018", "house": law})
    assert [record.rulebook.id for record in opened(empty)] == ["house"]


@pytest.mark.parametrize(
    ("filled", "said"),
    [
        ({}, "name: this is missing"),
        ({"name": "Cup", "house": "not a rulebook"}, "TOML"),
        ({"name": "Cup", "rulebook": "chess"}, "there is no rulebook"),
        ({"name": "Cup", "policies.POL-L5R-NOSHOW": "maybe"}, "POL-L5R-NOSHOW"),
    ],
)
def test_a_refused_opening_keeps_the_values_of_the_form(
    host: Browser, empty: Path, filled: dict[str, str], said: str
) -> None:
    answer = host.post("/new", data={"rulebook": "l5r-2018"} | filled)
    assert answer.status_code in (400, 422)
    assert said in answer.text
    assert all(
        f">{value}<" in answer.text or f'value="{value}"' in answer.text
        for value in filled.values()
        if value == "Cup"
    )
    assert opened(empty) == []


def test_only_the_host_of_the_server_opens_a_tournament(empty: Path) -> None:
    settings = Settings(clerk=Clerk("Kim", "scorekeeper", "desk"), key=KEY)
    with TestClient(create_app(str(empty), settings), base_url="http://localhost") as browser:
        assert browser.post("/new", data={"name": "x", "rulebook": "l5r-2018"}).status_code == 401
        browser.post("/enter", data={"key": KEY})
        refused = browser.post("/new", data={"name": "x", "rulebook": "l5r-2018"})
        assert "start the server with serve --role organizer" in refused.text
    assert opened(empty) == []


def test_the_form_asks_for_the_game_before_its_edition(host: Browser) -> None:
    page = host.get("/new", params={"rulebook": "pokemon-2009"}).text
    games, editions = (re.findall(r'class="pick"[^>]*><b>([^<]+)</b>', part) for part in page.split("</nav>")[:2])
    assert games.count("Pokémon") == 1
    assert len(editions) == 3
    assert all(title.startswith("Pokémon") for title in editions)
    alone = host.get("/new", params={"rulebook": "l5r-2018"}).text
    assert "Legend of the Five Rings</b>" in alone
    assert "Which edition?" not in alone


def test_every_rulebook_can_be_chosen_on_the_page(host: Browser) -> None:
    shown = [
        re.findall(r'class="pick" href="\?rulebook=([^"]+)"', host.get("/new", params={"rulebook": one}).text)
        for one in shipped_rulebooks()
    ]
    games = set(shown[0])
    for rulebook, links in zip(shipped_rulebooks(), shown, strict=True):
        assert rulebook in links
        assert games <= set(links), "each game is one click away"


def test_a_game_without_a_rulebook_is_opened_with_its_own_scoring(host: Browser, empty: Path) -> None:
    assert 'href="?rulebook=own"' in host.get("/new").text
    chess = {"own.title": "Chess", "own.win": "2", "own.draw": "1", "own.loss": "0", "own.bye": "2"}
    asked = {"id": "c", "name": "Club Open", "rulebook": "own", "own.best_of": "none", "own.minutes": ""} | chess
    refused = host.post("/new", data=asked | {"own.draw": "3"})
    assert "check the scoring: a win gives the most points" in refused.text
    assert 'value="Chess"' in refused.text
    assert "Club Open opened under own-chess" in host.post("/new", data=asked).text
    without = {"own.title": "Go", "own.win": "1", "own.draw": "", "own.bye": "1", "own.loss": "0"}
    host.post("/new", data=asked | {"id": "g", "name": "Go Open"} | without)
    first, second = (record.rulebook for record in opened(empty))
    assert [first.title, first.games] == ["Chess", None]
    assert ("draw" in first.results, "draw" in second.results) == (True, False)


def test_half_points_are_counted_exactly(host: Browser, empty: Path) -> None:
    """Chess gives half a point for a draw, so its rulebook counts in half points."""
    page = host.get("/new", params={"rulebook": "own", "scoring": "chess"}).text
    assert 'name="own.draw" value="½"' in page
    asked = {"name": "Club Open", "rulebook": "own", "own.title": "Chess", "own.best_of": "none"}
    for draw in ("½", "0.5", "0,5", "1/2"):
        host.post(
            "/new", data=asked | {"name": draw, "own.win": "1", "own.draw": draw, "own.loss": "0", "own.bye": "1"}
        )
    for record in opened(empty):
        law = record.rulebook
        assert (law.unit, law.win_points, law.results["draw"].each, law.bye.points) == ("half points", 2, 1, 2)
    refused = host.post("/new", data=asked | {"name": "odd", "own.win": "1", "own.draw": "1/3"})
    assert "all points are whole or half numbers" in refused.text
    assert len(opened(empty)) == 4


def test_a_game_of_ones_own_orders_its_tiebreakers(host: Browser, empty: Path) -> None:
    page = host.get("/new", params={"rulebook": "own"}).text
    assert 'aria-current="true"><b>3\u20131\u20130</b>' in page
    asked = {"name": "Open", "rulebook": "own", "own.title": "Go", "own.win": "1", "own.loss": "0"}
    ties = {"own.tie1": "head_to_head", "own.tie2": "none", "own.tie3": "strength_of_schedule"}
    host.post("/new", data=asked | ties)
    assert opened(empty)[0].rulebook.tiebreaks == ("head_to_head", "strength_of_schedule", "random_draw")
    games = asked | {"name": "Games", "own.tie1": "game_win_percentage"}
    refused = host.post("/new", data=games | {"own.best_of": "none"})
    assert "a game win percentage needs the games of each match" in refused.text
    refused = host.post("/new", data=asked | {"name": "Odd", "own.tie1": "nonsense"})
    assert re.search(r"[Tt]here is no tiebreaker .*nonsense.*: choose one from the list", refused.text)
    host.post("/new", data=games | {"own.best_of": "3"})
    assert opened(empty)[1].rulebook.tiebreaks == ("game_win_percentage", "random_draw")


def test_an_old_edition_asks_for_the_years_of_the_season(host: Browser) -> None:
    page = host.get("/new", params={"rulebook": "pokemon-2009"}).text
    assert "(1999, 1995) are those of the season of 2009" in page
    [junior] = re.findall(r'<input id="year-junior"[^>]*>', page)
    assert 'value=""' in junior
    assert "required" in junior
    assert "placeholder" not in junior
    assert "not the newest" in page
    assert "Enter opens the tournament" not in page
    assert "Enter opens the tournament" in host.get("/new", params={"rulebook": "pokemon-2026"}).text


@pytest.mark.parametrize("rulebook", ["pokemon-2009", "pokemon-2026"])
def test_age_divisions_play_by_their_sizes_unless_the_step_says_otherwise(
    host: Browser, empty: Path, rulebook: str
) -> None:
    page = host.get("/new", params={"rulebook": rulebook}).text
    step = page.partition('id="ages-heading"')[2].partition("</section>")[0]
    assert "Do the age divisions play together or apart?" in step
    flag = re.findall(r'name="policies.([^"]+)" value="automatic" checked', step)[0]
    assert page.count(f'name="policies.{flag}" value="none"') == 1
    for mode in ("automatic", "separated", "none"):
        host.post("/new", data={"name": mode, "rulebook": rulebook, f"policies.{flag}": mode})
    assert [record.rulebook.readings.divisions for record in opened(empty)] == ["automatic", "separated", "none"]
    assert "ages-heading" not in host.get("/new", params={"rulebook": "l5r-2018"}).text


def test_a_policy_of_an_open_tournament_is_changed_by_answering_its_question(host: Browser, empty: Path) -> None:
    answer = host.post("/new", data={"name": "Cup", "rulebook": "pokemon-2026"})
    event = answer.url.path.replace("players", "event")
    page = host.get(event).text
    assert "<b>Do the age divisions play together or apart?</b> <small>By their sizes: apart" in page
    asked = {"kind": "change-policy", "id": "one", "page": "event", "form": "change-policy-POL-PTR-DIVISIONS"}
    asked |= {"flag": "POL-PTR-DIVISIONS", "value": "separated"}
    to = event.replace("event", "do")
    refused = host.post(to, data=asked | {"confirmed": "yes"}).text
    opened_again = refused.partition('id="failed"')[2].partition("</form>")[0]
    assert "a changed policy needs a reason" in opened_again
    assert 'value="separated" checked' in opened_again
    assert refused.count('id="failed"') == 1
    shown = host.post(to, data=asked | {"reason": "many juniors"}).text
    assert "Nothing is recorded yet" in shown
    host.post(to, data=asked | {"reason": "many juniors", "confirmed": "yes"})
    assert opened(empty)[0].rulebook.readings.divisions == "separated"
    assert "Apart: each division is a tournament of its own.</small>" in host.get(event).text
    assert "changed in entry 2" in host.get(event).text


def test_a_rulebook_without_tables_gets_the_usual_structure(host: Browser, empty: Path) -> None:
    """Divisions of 6 or more play apart, each with the rounds and the cut for its size."""
    answer = host.post("/new", data={"name": "Cup", "rulebook": "pokemon-2026"})
    desk = answer.url.path.removesuffix("/players")
    before = host.get(f"{desk}/event").text
    assert "register the players first" in before
    assert '<details class="fold"><summary>Another structure' in before
    assert 'name="structure"' not in before, "there is no table to choose"
    lines = [f"Player {at};{'junior' if at < 10 else 'masters'}" for at in range(40)]
    roster = {
        "kind": "register-roster",
        "id": "r",
        "page": "players",
        "roster": "\n".join(["name;division", *lines]),
    }
    host.post(f"{desk}/do", data=roster | {"confirmed": "yes"})
    page = host.get(f"{desk}/event").text
    assert "The usual structure" in page
    assert 'name="cut"' not in page, "divisions that play apart have no common cut"
    refused = host.post(
        f"{desk}/do",
        data={
            "kind": "announce-structure",
            "id": "z",
            "page": "event",
            "form": "announce-structure",
            "division_cuts.junior": "0",
            "division_cuts.masters": "0",
        },
    ).text
    assert re.findall(r'id="([^"]+)"[^>]*autofocus', refused) == ["failed"]
    assert re.search(r'name="division_cuts.junior"[^>]*aria-invalid', refused)
    form = page.partition('name="form" value="use-plan"')[2].partition("</form>")[0]
    sent = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    assert sent | {"page": ""} == {
        "style": "swiss-with-cut",
        "rounds": "5",
        "division_rounds.junior": "4",
        "division_cuts.junior": "4",
        "division_rounds.masters": "5",
        "division_cuts.masters": "8",
        "page": "",
    }
    host.post(f"{desk}/do", data=sent | {"kind": "announce-structure", "id": "s", "page": "event"})
    plan = opened(empty)[0].structure
    assert plan is not None
    assert (plan.division_rounds, plan.division_cuts) == ({"junior": 4, "masters": 5}, {"junior": 4, "masters": 8})
    assert plan.deviations == ()
