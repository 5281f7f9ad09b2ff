"""The API and the command line give the same documents, with the described types."""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from pydantic import TypeAdapter
from starlette.testclient import TestClient
from tests.desk import RunCli
from tests.watch import copy_apart
from tests.web.api_lines import APART, EVENTS, NO_ROUTE, SAME, Same
from tests.web.conftest import KEY, Browser

from matchledger.cli import COMMANDS, GROUPS, run
from matchledger.ledger import now, open_ledger
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

OPENED = "2026-11-21T10:00:00+00:00"
KEEP = {"authorization": f"Bearer {KEY}"}
_FIELD = "\n".join(["name,division", *(f"M{n},masters" for n in range(64)), *(f"J{n},junior" for n in range(6))])


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The ledgers of all events. The ledgers are made once, because no test in this module records anything."""
    place = tmp_path_factory.mktemp("events")
    (place / "deck.txt").write_text("[dynasty]\n3 Hida Guardian\n")
    (place / "field.csv").write_text(_FIELD)
    with contextlib.chdir(place), freeze_time(OPENED, tick=True):
        for event, lines in EVENTS.items():
            for line in lines:
                code = run([*shlex.split(line), "--ledger", f"{event}.ledger"])
                # This list has three cards, too few for a deck.
                assert code == 0 or line.startswith("deck check"), line
    return {event: place / f"{event}.ledger" for event in EVENTS}


@pytest.fixture(scope="module")
def browsers(ledgers: dict[str, Path]) -> Iterator[dict[str, tuple[Browser, str]]]:
    """A browser for a server of each event, and the address of its tournament."""
    with contextlib.ExitStack() as stack:
        found = {}
        for event, path in ledgers.items():
            app = create_app(str(path), Settings(watch_seconds=60, key=KEY, initials=("junior",)))
            browser = stack.enter_context(TestClient(app, base_url="http://localhost"))
            with open_ledger(path) as ledger:
                found[event] = browser, f"/api/tournaments/{ledger.tournaments()[0]}/"
        yield found


def commands() -> dict[str, Callable[..., None]]:
    """Return every command of the command line by its words."""
    alone = {name: command for name, command in COMMANDS.items() if name not in GROUPS}
    return alone | {
        f"{group} {name}": command for group, module in GROUPS.items() for name, command in module.COMMANDS.items()
    }


def _command_of(line: str) -> str:
    first, _, rest = line.partition(" ")
    return f"{first} {rest.partition(' ')[0]}" if first in GROUPS else first


def _address(home: str, path: str) -> str:
    return path if path.startswith("/") else home + path


# -- the two sets; tests/doors says which commands record


def test_every_command_that_prints_json_has_a_route_or_a_reason_why_not() -> None:
    printing = {name for name, command in commands().items() if "as_json" in signature(command).parameters}
    assert printing == {_command_of(same.line) for same in SAME} | APART.keys() | NO_ROUTE.keys()


def test_every_route_with_a_document_is_compared(browsers: dict[str, tuple[Browser, str]]) -> None:
    """The test leaves two routes out, because no command prints their documents: the list of tournaments, and the
    proof for a witness.
    """
    browser, home = browsers["played"]
    asked = {_address(home, same.path).partition("?")[0] for same in SAME} | {f"{home}token", f"{home}consistency"}
    described = browser.get("/api/openapi.json").json()["paths"]
    left = {
        path
        for path, methods in described.items()
        if "get" in methods and not any(_matches(path, home, address) for address in asked)
    }
    assert left == {"/api/tournaments"}


def _matches(path: str, home: str, address: str) -> bool:
    wanted = path.replace("/api/tournaments/{tournament}/", home).split("/")
    given = address.split("/")
    return len(wanted) == len(given) and all(
        one == other or one.startswith("{") for one, other in zip(wanted, given, strict=True)
    )


# -- the documents


def printed(capsys: pytest.CaptureFixture[str], ledger: Path, same: Same) -> Any:
    """Return the JSON output of the command line."""
    capsys.readouterr()
    of_ledger = [] if same.path.startswith("/") else ["--ledger", str(ledger)]
    assert run([*shlex.split(same.line), "--json", *of_ledger]) == same.code
    out = capsys.readouterr().out
    return [json.loads(line) for line in out.splitlines()] if same.line == "log" else json.loads(out)


@pytest.mark.parametrize("same", SAME, ids=lambda same: same.line)
def test_the_api_answers_what_the_command_line_prints(
    browsers: dict[str, tuple[Browser, str]],
    ledgers: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
    same: Same,
) -> None:
    browser, home = browsers[same.event]
    with freeze_time(OPENED) as frozen:  # freeze the clock, so that both documents show the same time
        frozen.tick(timedelta(minutes=5))
        wanted = printed(capsys, ledgers[same.event], same)
        answer = browser.get(_address(home, same.path), headers=KEEP if same.staff else None)
    assert answer.status_code == 200, answer.text
    assert answer.json() == wanted


@pytest.mark.parametrize("same", SAME, ids=lambda same: same.line)
def test_a_document_has_its_described_type(browsers: dict[str, tuple[Browser, str]], same: Same) -> None:
    browser, home = browsers[same.event]
    for headers in (KEEP, {}) if not same.staff else (KEEP,):
        answer = browser.get(_address(home, same.path), headers=headers)
        type_of(browser, _address(home, same.path)).validate_json(answer.content)


def type_of(browser: Browser, address: str) -> TypeAdapter[Any]:
    path = address.partition("?")[0]
    for route in browser.app.routes:  # type: ignore[attr-defined] # the application is one of FastAPI
        for found in getattr(getattr(route, "original_router", None), "routes", [route]):
            if getattr(found, "response_model", None) and found.path_regex.match(path):
                return TypeAdapter(found.response_model)
    raise AssertionError(path)


def test_no_described_type_is_an_arbitrary_object(browsers: dict[str, tuple[Browser, str]]) -> None:
    """Programs know the type of every value."""
    schemas = browsers["played"][0].get("/api/openapi.json").json()["components"]["schemas"]
    assert len(schemas) > 150
    bare = [
        f"{name}.{field}"
        for name, model in schemas.items()
        for field, schema in model.get("properties", {}).items()
        if not schema.keys() & {"type", "$ref", "anyOf", "oneOf", "const", "enum"}
        or (schema.get("type") == "object" and not schema.keys() & {"additionalProperties", "patternProperties"})
    ]
    assert bare == []


# -- a token of its own


def test_a_token_is_described_and_listed_as_admitted(
    ledgers: dict[str, Path], tmp_path: Path, run_cli: RunCli
) -> None:
    path = tmp_path / "guarded.ledger"
    copy_apart(ledgers["wrong"], path)
    shutil.copy(ledgers["wrong"].with_name("wrong.ledger.keys"), tmp_path / "guarded.ledger.keys")
    key, start = SigningKey.generate("organizer"), now()
    of_ledger = ["--ledger", str(path)]
    assert run(["token", "trust", str(key.verification), "--role", "organizer", *of_ledger]) == 0
    said = {"role": "judge", "actor": "Jo", "station": "3", "issued": start, "not_before": start}
    token = issue(key, StationToken.model_validate({**said, "expires": start + timedelta(days=1)}))
    with TestClient(create_app(str(path), Settings(watch_seconds=60)), base_url="http://localhost") as browser:
        home = browser.get("/", follow_redirects=False).headers["location"].replace("/t/", "/api/tournaments/")
        for path_, line in (("token", ["token", "show", "--token", token]), ("tokens", ["token", "list"])):
            answer = browser.get(home + path_, headers={"authorization": f"Bearer {token}"})
            assert answer.json() == run_cli(*line, "--json", *of_ledger).document
            type_of(browser, home + path_).validate_json(answer.content)
    assert answer.json()["tokens"][0]["actor"] == "Jo"


# -- who may read


@pytest.mark.parametrize(
    "path",
    sorted(
        {same.path.partition("?")[0] for same in SAME if not same.path.startswith("clock") and same.path[0] != "/"}
    ),
)
def test_an_unchanged_document_is_not_sent_again(browsers: dict[str, tuple[Browser, str]], path: str) -> None:
    event = next(same.event for same in SAME if same.path.partition("?")[0] == path)
    query = {"diff": "?from=1&to=2", "explain/byes": "?round=1"}.get(path, "")
    if (path, event) == ("pairings", "decided"):
        query = "?stage=elimination"
    browser, home = browsers[event]
    first = browser.get(home + path + query, headers=KEEP)
    again = browser.get(home + path + query, headers={**KEEP, "if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_staff_data_needs_a_key(browsers: dict[str, tuple[Browser, str]]) -> None:
    browser, home = browsers["played"]
    described = browser.get("/api/openapi.json").json()["paths"]
    closed = {path for path, methods in described.items() if "security" in methods.get("get", {})}
    assert {path.rpartition("/")[2] for path in closed} == {
        *("staff", "calls", "conduct", "{player}", "tokens", "token", "next-round", "repair", "slips", "blank"),
        *("diff", "whatif", "clinch", "verify", "players"),
    }
    for path in closed:
        address = path.replace("/api/tournaments/{tournament}/", home).replace("{player}", "1")
        answer = browser.get(address)
        assert (answer.status_code, answer.json()["title"]) == (401, "not-let-in"), path


@pytest.fixture(autouse=True)
def _strangers_are_patient(browsers: dict[str, tuple[Browser, str]]) -> None:
    """Reset the count of a stranger's requests, because here a stranger asks for every path."""
    for browser, _ in browsers.values():
        browser.app.state.reads._seen.clear()  # type: ignore[attr-defined] # noqa: SLF001 - of the application


def _everything_public(browser: Browser, home: str, event: str) -> str:
    pages = {same.path for same in SAME if same.event == event and not same.path.startswith("/")}
    answers = [browser.get(home + path) for path in sorted(pages)]
    return "".join(answer.text for answer in answers if answer.status_code == 200)


def test_strangers_see_no_reasons_years_of_birth_or_names_of_staff(
    browsers: dict[str, tuple[Browser, str]],
) -> None:
    browser, home = browsers["played"]
    said = _everything_public(browser, home, "played")
    assert len(said) > 10_000
    assert re.search(r"(?<![\w-])1990(?![\w-])", said) is None, "as a value: its digits may meet in an id"
    for private in ("misread", "asked late", "as seated", "Mara", "Banzai", "May I?"):
        assert private not in said, private
    staff = browser.get(f"{home}history/matches/swiss/1/1", headers=KEEP).text
    assert "misread" in staff


def test_strangers_see_initials_of_juniors_and_the_staff_see_names(
    browsers: dict[str, tuple[Browser, str]],
) -> None:
    browser, home = browsers["divided"]
    said = _everything_public(browser, home, "divided")
    assert "J. #65" in said
    assert "J0" not in said
    assert "J0" in browser.get(f"{home}players", headers=KEEP).text


def test_a_private_entry_has_no_public_history(
    browsers: dict[str, tuple[Browser, str]],
) -> None:
    browser, home = browsers["played"]
    [penalty] = browser.get(f"{home}conduct", headers=KEEP).json()["penalties"]
    answer = browser.get(f"{home}history/entries/{penalty['position']}")
    assert (answer.status_code, answer.json()["detail"]) == (
        400,
        f"only the staff may read entry {penalty['position']}",
    )


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("explain/players/9", "there is no player #9"),
        ("explain/tables/9", "no table 9"),
        ("history/matches/elimination/1/9", "the log has no entry about table 9"),
        ("history/entries/900", "there is no entry 900"),
        ("bracket", "no bracket is drawn"),
        ("standings?rulebook=whist", "there is no rulebook 'whist'"),
        ("standings?division=juniors", "there is no division 'juniors'"),
        ("course/9", "there is no player #9"),
        ("clock?stage=elimination&round=1", "no round is paired"),
        ("flights?division=juniors", "there is no division 'juniors'"),
    ],
)
def test_an_invalid_question_is_refused_in_one_line(
    browsers: dict[str, tuple[Browser, str]], path: str, said: str
) -> None:
    browser, home = browsers["played"]
    answer = browser.get(home + path)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert said in answer.json()["detail"]


def test_an_unknown_rule_is_refused_in_one_line(browsers: dict[str, tuple[Browser, str]]) -> None:
    answer = browsers["played"][0].get("/api/rules/L5R-IV.2-NEVER")
    assert answer.status_code == 400
    assert "there is no rule" in answer.json()["detail"]
