"""The API: it gives the same documents as the command line, with the described types."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.desk import RunCli
from tests.web.conftest import KEY, Browser, at_terminal

from matchledger.cli import run
from matchledger.commands.draft import SERVER
from matchledger.ledger import now, open_ledger
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue
from matchledger.web.api.asking import READS
from matchledger.web.desk.pages import PAGES
from matchledger.web.pages.entering import ENTRANCES


@pytest.fixture
def api(home: str) -> str:
    return f"/api/tournaments/{home.split('/')[2]}"


def printed(capsys: pytest.CaptureFixture[str], ledger: Path, *words: str) -> Any:
    """Return the JSON output of the command line."""
    capsys.readouterr()
    assert run([*words, "--json", "--ledger", str(ledger)]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("page", ["standings", "pairings"])
@pytest.mark.parametrize("moment", [{}, {"round": "1"}, {"round": "1", "as_known": "true"}, {"as_of": "7"}])
def test_a_document_of_the_api_equals_the_command_line(
    browser: Browser,
    api: str,
    ledger: Path,
    capsys: pytest.CaptureFixture[str],
    page: str,
    moment: dict[str, str],
) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "b")
    at_terminal(ledger)("pair")
    options = {"round": "--round", "as_of": "--as-of"}
    words = [word for name, value in moment.items() if name in options for word in (options[name], value)]
    if "as_known" in moment:
        words.append("--as-known")
    assert browser.get(f"{api}/{page}", params=moment).json() == printed(capsys, ledger, page, *words)


def test_strangers_see_the_log_without_private_data(browser: Browser, api: str, ledger: Path) -> None:
    at_terminal(ledger)("late", "Eve", "--born", "2012", "--reason", "stuck in traffic", "--actor", "Kim")
    entry = browser.get(f"{api}/entries", params={"after": 6}).json()[0]
    assert entry["fact"]["person"] == {"name": "Eve", "born": None, "contact": None}
    assert entry["reason"] is None
    assert "Kim" not in json.dumps(entry)


def test_the_desk_sees_the_whole_log(browser: Browser, api: str, ledger: Path, desk: str) -> None:  # noqa: ARG001
    at_terminal(ledger)("late", "Eve", "--born", "2012", "--actor", "Kim")
    entry = browser.get(f"{api}/entries", params={"after": 6}).json()[0]
    assert entry["fact"]["person"]["born"] == 2012
    assert entry["actor"] == "Kim"


def test_the_log_in_the_api_equals_the_command_line(
    browser: Browser,
    api: str,
    ledger: Path,
    desk: str,  # noqa: ARG001 - the key
    run_cli: RunCli,
) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "b")
    at_terminal(ledger)("correct", "1", "1", "b", "--reason", "the slip was misread")
    at_terminal(ledger)("tie")
    at_terminal(ledger)("cut", "2", "--reason", "short")
    at_terminal(ledger)("pair")
    at_terminal(ledger)("report", "1", "a")
    at_terminal(ledger)("close", "--yes", "--reason", "short")
    lines = [json.loads(line) for line in run_cli("log", "--json", "--ledger", str(ledger)).lines]
    assert browser.get(f"{api}/entries").json() == lines


def test_a_preview_in_the_api_equals_the_command_line(
    browser: Browser, commands: str, api: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    browser.post(commands, json={"kind": "report-slip", "table": 1, "outcome": "a"})
    command = {"kind": "correct-slip", "round": 1, "table": 1, "outcome": "b"}
    said = browser.post(f"{api}/preview", json=command).json()["consequences"]
    assert said == printed(capsys, ledger, "correct", "1", "1", "b", "--preview")


@pytest.mark.parametrize(
    ("commands_before", "last", "said"),
    [
        ([], {"kind": "undo-last"}, "entry 7 no longer counts: round 1, table 1: Ann beat Bo"),
        ([], {"kind": "retract-entry", "position": 7}, "entry 7 no longer counts: round 1, table 1: Ann beat Bo"),
        ([{"kind": "undo-last"}], {"kind": "redo-last"}, "entry 7 counts again: round 1, table 1: Ann beat Bo"),
        (
            [{"kind": "undo-last"}],
            {"kind": "retract-entry", "position": 8},
            "entry 7 counts again: round 1, table 1: Ann beat Bo",
        ),
        (
            [{"kind": "undo-last"}, {"kind": "redo-last"}],
            {"kind": "retract-entry", "position": 9},
            "entry 7 no longer counts: round 1, table 1: Ann beat Bo",
        ),
    ],
)
def test_the_api_names_the_entry_that_a_retraction_takes_back_or_restores(
    browser: Browser,
    commands: str,
    api: str,
    commands_before: list[dict[str, object]],
    last: dict[str, object],
    said: str,
) -> None:
    for command in ({"kind": "report-slip", "table": 1, "outcome": "a"}, *commands_before):
        assert browser.post(commands, json=command).status_code == 200
    foretold = browser.post(f"{api}/preview", json=last).json()["said"]
    assert foretold == [f"{said} (recorded by scorekeeper at station server)"]
    assert browser.post(commands, json=last).json()["said"] == [said]


def test_the_api_undoes_all_slips_of_one_line_of_its_station(
    browser: Browser, commands: str, api: str, ledger: Path
) -> None:
    at_terminal(ledger)("report", "1", "a", "2", "b", "--station", SERVER)
    back = [
        "entry 8 no longer counts: round 1, table 2: Di beat Cy",
        "entry 7 no longer counts: round 1, table 1: Ann beat Bo",
    ]
    foretold = browser.post(f"{api}/preview", json={"kind": "undo-last"}).json()["said"]
    assert foretold == [f"{said} (recorded by scorekeeper at station server)" for said in back]
    assert browser.post(commands, json={"kind": "undo-last"}).json()["said"] == back
    again = browser.post(commands, json={"kind": "redo-last"}).json()["said"]
    assert [said.partition(":")[0] for said in again] == ["entry 7 counts again", "entry 8 counts again"]


@pytest.mark.parametrize("page", ["", "/standings", "/pairings", "/players", "/entries"])
@pytest.mark.parametrize("with_key", [False, True])
def test_an_unchanged_document_is_not_sent_again(
    browser: Browser,
    api: str,
    desk: str,  # noqa: ARG001 - the key
    page: str,
    with_key: bool,
) -> None:
    address = f"{api}{page}" if page else "/api/tournaments"
    if not with_key:
        browser.cookies.clear()
    first = browser.get(address)
    again = browser.get(address, headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


@pytest.mark.finding("A-2")
def test_a_previewed_closing_does_not_tell_the_secret(
    browser: Browser, commands: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The secret is public once the closing is recorded. Until then, it would tell the clerk every coming draw."""
    with open_ledger(ledger) as opened:
        [tournament] = opened.tournaments()
        secret = opened.secret(tournament).hex()
    command = {"kind": "close-tournament", "deviating": True}
    answer = browser.post(f"{commands.removesuffix('commands')}preview?reason=early", json=command)
    assert answer.status_code == 200
    assert answer.json()["consequences"]["facts"][-1]["kind"] == "tournament-closed"
    assert secret not in answer.text
    assert run(["close", "--ledger", str(ledger), "--reason", "early", "--preview", "--json"]) == 0
    assert secret not in capsys.readouterr().out


def test_a_preview_records_nothing(browser: Browser, commands: str, api: str) -> None:
    browser.post(commands, json={"kind": "report-slip", "table": 1, "outcome": "a"})
    said = browser.post(
        f"{api}/preview", json={"kind": "correct-slip", "round": 1, "table": 1, "outcome": "b"}
    ).json()
    assert said["seen"] == 7
    assert said["consequences"]["matches"][0]["after"]["winner"] == "Bo"
    assert browser.get("/api/tournaments").json()[0]["position"] == 7


def test_undo_at_a_terminal_takes_back_no_action_of_the_server(
    browser: Browser, commands: str, ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the fix, the server and the terminal were the same station, so `undo` at the terminal took back the
    server's slip.
    """
    terminal = at_terminal(ledger)
    terminal("report", "1", "a")
    assert browser.post(commands, json={"kind": "report-slip", "table": 2, "outcome": "b"}).status_code == 200
    terminal("undo")
    tables = printed(capsys, ledger, "pairings")["pairings"]
    assert [line["table"] for line in tables if line["result"] is None] == [1]


@pytest.mark.parametrize(
    ("page", "status", "said"),
    [
        ("standings?round=9", 400, "round 9 was not paired"),
        ("standings?round=x", 422, "round"),
        ("standings?as_of=never", 400, "neither a position nor a time"),
        ("pairings?stage=elimination", 404, "no such round"),
        ("nothing", 404, "Not Found"),
    ],
)
def test_a_failed_request_gets_a_problem_document(
    browser: Browser, api: str, page: str, status: int, said: str
) -> None:
    answer = browser.get(f"{api}/{page}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert said in answer.json()["detail"]


def test_the_description_names_every_command(browser: Browser) -> None:
    schemas = browser.get("/api/openapi.json").json()["components"]["schemas"]
    assert {"ReportSlip", "CorrectSlip", "PairRound", "ExtendTime", "Problem", "StandingsPage"} <= set(schemas)


@pytest.mark.finding("A-12")
def test_a_player_who_repeats_a_command_of_the_staff_learns_nothing(
    browser: Browser, api: str, ledger: Path
) -> None:
    terminal = at_terminal(ledger)
    terminal("report", "1", "a")
    terminal("correct", "1", "1", "b", "--reason", "they confessed", "--command-id", "slip-of-Bo")
    key = SigningKey.generate("organizer")
    terminal("token", "trust", str(key.verification), "--role", "organizer")
    said = {"role": "player", "actor": "Ann", "station": "phone", "issued": now(), "not_before": now()}
    text = issue(key, StationToken.model_validate({**said, "expires": now() + timedelta(days=1)}))
    assert {entry["command"] for entry in browser.get(f"{api}/entries").json()} == {""}
    own = {"authorization": f"Bearer {text}", "idempotency-key": "slip-of-Bo"}
    guesses = [{"kind": "correct-slip", "round": 1, "table": 1, "outcome": outcome} for outcome in ("a", "b")]
    answers = [browser.post(f"{api}/commands", json=guess, headers=own) for guess in guesses]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert answers[0].json()["detail"] == answers[1].json()["detail"]


def _unions(part: Any) -> list[dict[str, Any]]:
    """Return every union of models in the API's description that one field tells apart."""
    inner = list(part.values()) if isinstance(part, dict) else part if isinstance(part, list) else []
    own = [part["discriminator"]] if isinstance(part, dict) and "mapping" in part.get("discriminator", {}) else []
    return own + [found for one in inner for found in _unions(one)]


def test_every_model_in_a_union_requires_its_kind(browser: Browser) -> None:
    described = browser.get("/api/openapi.json").json()
    schemas = described["components"]["schemas"]
    unions = _unions(described)
    assert {len(union["mapping"]) > 30 for union in unions} == {True}
    for union in unions:
        for kind, reference in union["mapping"].items():
            model = schemas[reference.rpartition("/")[2]]
            assert union["propertyName"] in model["required"], reference
            assert model["properties"][union["propertyName"]]["const"] == kind


def test_a_command_without_a_kind_is_refused(browser: Browser, commands: str) -> None:
    for body in ({"table": 1, "outcome": "a"}, {}):
        answer = browser.post(commands, json=body)
        assert (answer.status_code, answer.json()["title"]) == (422, "not-understood")
        assert "kind" in answer.json()["detail"]


def test_an_unchanged_document_is_answered_with_304(browser: Browser, api: str) -> None:
    first = browser.get(f"{api}/standings")
    again = browser.get(f"{api}/standings", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_stranger_who_sends_too_many_requests_has_to_wait(browser: Browser, api: str) -> None:
    statuses = [browser.get(f"{api}/players").status_code for _ in range(READS + 1)]
    assert statuses == [200] * READS + [429]


@pytest.mark.finding("A-12")
def test_a_visitor_who_sends_many_false_keys_has_to_wait(browser: Browser) -> None:
    statuses = [browser.post("/enter", data={"key": f"guess {n}"}).status_code for n in range(ENTRANCES + 1)]
    assert statuses == [403] * ENTRANCES + [429]
    right = browser.post("/enter", data={"key": KEY}, follow_redirects=False)
    assert right.status_code == 303, "a visitor who shares the address and has a key is let in"


def test_the_token_of_a_player_opens_no_page_of_the_desk(browser: Browser, api: str, ledger: Path) -> None:
    """The pages of the desk show reasons, years of birth and contacts, which are only for the staff."""
    key = SigningKey.generate("organizer")
    at_terminal(ledger)("token", "trust", str(key.verification), "--role", "organizer")
    said = {"role": "player", "actor": "Ann", "station": "phone", "issued": now(), "not_before": now()}
    text = issue(key, StationToken.model_validate({**said, "expires": now() + timedelta(days=1)}))
    browser.cookies.set("matchledger", text)
    desk = api.replace("/api/tournaments", "/t") + "/desk"
    for page in ("", *(f"/{name}" for name in PAGES), "/state", "/print/overview.pdf"):
        answer = browser.get(desk + page)
        assert answer.status_code == 403, page
        assert "only the staff may read this" in answer.text
    refused = browser.post(f"{desk}/do", data={"kind": "disqualify-player", "player": "2", "page": "log"})
    assert refused.status_code == 422
    assert "may not" in refused.text
    # The page of slips shows the refusal, the page of the log does not.
    assert "registered as number" not in refused.text
    browser.cookies.set("matchledger", KEY)
    assert "registered as number" in browser.get(f"{desk}/log").text


def test_the_token_of_a_player_shows_public_data(browser: Browser, api: str, ledger: Path) -> None:
    """The token of a player shows the player's own match. Years of birth and reasons are only for the staff."""
    terminal = at_terminal(ledger)
    terminal("late", "Eve", "--born", "2012", "--reason", "stuck in traffic")
    key = SigningKey.generate("organizer")
    terminal("token", "trust", str(key.verification), "--role", "organizer")
    born = []
    for role in ("player", "judge"):
        start = now()
        said = {"role": role, "actor": "Ann", "station": role, "issued": start, "not_before": start}
        end = start + timedelta(days=365)
        text = issue(key, StationToken.model_validate({**said, "expires": end}))
        entry = browser.get(
            f"{api}/entries", params={"after": 6}, headers={"authorization": f"Bearer {text}"}
        ).json()[0]
        born.append((entry["fact"]["person"]["born"], entry["reason"]))
    assert born == [(None, None), (2012, "stuck in traffic")]
