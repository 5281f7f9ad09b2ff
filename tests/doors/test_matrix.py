"""Roles and actions: every command on the command line, in the API and at the desk, for every role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.commands.test_faces import as_sent
from tests.doors.conftest import Stage, typed
from tests.doors.matrix import (
    AT_THE_DESK,
    BY_THE_SAME_ROWS,
    GROUPS_THAT_RECORD_NOTHING,
    LINES,
    OF_THE_STATION,
    ON_THE_COMMAND_LINE_ALONE,
    RECORD_NOTHING,
    REQUESTS,
    ROLES,
    Row,
    filled,
)

from matchledger.cli import COMMANDS, GROUPS
from matchledger.commands.registry import COMMANDS as KINDS
from matchledger.ledger import open_ledger
from matchledger.proof.keys import SigningKey
from matchledger.web.app import create_app
from matchledger.web.desk.pages import JUDGES_COMMANDS
from matchledger.web.settings import Settings

Tokens = dict[str, str]
REFUSED = 3


def length(ledger: Path) -> int:
    """Return the number of entries in the log, without admissions."""
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        return sum(entry.fact.kind != "token-admitted" for entry in kept.entries(tournament))


# -- the command line


def _commands() -> dict[str, Callable[..., None]]:
    """Return every command of the command line by its words."""
    alone = {name: command for name, command in COMMANDS.items() if name not in GROUPS}
    groups = {name: group for name, group in GROUPS.items() if name not in GROUPS_THAT_RECORD_NOTHING}
    return alone | {
        f"{group} {name}": command for group, module in groups.items() for name, command in module.COMMANDS.items()
    }


def test_every_command_is_in_the_matrix() -> None:
    assert _commands().keys() == {*LINES, *BY_THE_SAME_ROWS, *RECORD_NOTHING}


def test_recording_commands_take_a_token_and_no_others_take_a_command_id() -> None:
    for name, command in _commands().items():
        options = signature(command).parameters
        assert ("command_id" in options) == (name not in RECORD_NOTHING), name
        assert "token" in options or name in RECORD_NOTHING, name


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", LINES)
def test_the_command_line_follows_the_matrix(
    at_stage: Stage, tokens: Tokens, capsys: pytest.CaptureFixture[str], name: str, role: str
) -> None:
    row = LINES[name]
    ledger = at_stage(row.stage)
    if role in row.roles:
        assert typed(row.line, "--token", tokens[role]) == row.code, capsys.readouterr().err
        if role == "player" and row.others is not None:
            refused(at_stage, row, row.others, tokens[role], capsys)
    else:
        refused(at_stage, row, row.line, tokens[role], capsys)
    assert ledger.exists()


def refused(at_stage: Stage, row: Row, line: str, token: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Assert that a line is refused in one line that names the rule, and that nothing is recorded."""
    ledger = at_stage(row.stage)
    before = length(ledger)
    capsys.readouterr()
    assert typed(line, "--token", token) == REFUSED
    [said] = capsys.readouterr().err.splitlines()
    assert row.rule in said
    assert any(
        words in said
        for words in ("may not", "cannot decide who may use tokens", "cannot amend a list: only a leader can")
    )
    assert length(ledger) == before


@pytest.mark.parametrize("name", LINES)
def test_the_command_line_records_only_with_a_token_that_may_write(
    at_stage: Stage, tokens: Tokens, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    row = LINES[name]
    ledger = at_stage(row.stage)
    before = length(ledger)
    for given in ((), ("--token", tokens["read-only"])):
        capsys.readouterr()
        assert typed(row.line, *given) == REFUSED
        assert "token" in capsys.readouterr().err
    assert length(ledger) == before


# -- the API and the desk


@contextmanager
def served(ledger: Path, settings: Settings | None = None) -> Iterator[tuple[TestClient, str]]:
    """Return a browser for a server of the ledger, and the id of its tournament."""
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
    app = create_app(str(ledger), settings or Settings(watch_seconds=60))
    with TestClient(app, base_url="http://localhost") as browser:
        yield browser, str(tournament)


def test_every_request_is_in_the_matrix() -> None:
    assert KINDS.keys() == REQUESTS.keys() | OF_THE_STATION


def _bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"authorization": f"Bearer {token}"}


@pytest.mark.parametrize("kind", REQUESTS)
def test_the_api_follows_the_matrix(at_stage: Stage, tokens: Tokens, kind: str) -> None:
    asked = REQUESTS[kind]
    ledger = at_stage(asked.stage)
    before = length(ledger)
    with served(ledger) as (browser, tournament):

        def send(role: str | None, what: str) -> Any:
            return browser.post(
                f"/api/tournaments/{tournament}/{what}?reason=wanted",
                json={"kind": kind, **filled(asked.body, ledger.parent)},
                headers=_bearer(None if role is None else tokens[role]),
            )

        for what in ("commands", "preview"):
            assert send(None, what).status_code == 401
            assert send("read-only", what).status_code == 403
            for role in set(ROLES) - asked.roles:
                answer = send(role, what)
                assert (answer.status_code, answer.json()["rule"]) == (422, asked.rule), role
        for role in asked.roles:
            assert send(role, "preview").status_code == 200, role
        assert length(ledger) == before
        assert send("organizer", "commands").status_code == 200
    assert length(ledger) > before


def test_every_recording_command_is_at_the_desk_or_has_a_reason() -> None:
    recording = {*LINES, *BY_THE_SAME_ROWS}
    assert recording == AT_THE_DESK.keys() | ON_THE_COMMAND_LINE_ALONE.keys()
    assert not AT_THE_DESK.keys() & ON_THE_COMMAND_LINE_ALONE.keys()
    assert all(ON_THE_COMMAND_LINE_ALONE.values())
    addresses = OPEN_TO_ALL | WITH_A_KEY
    assert frozenset.union(*AT_THE_DESK.values()) == REQUESTS.keys() | {
        sent for forms in AT_THE_DESK.values() for sent in forms & addresses
    }


_OWN_PAGE = "/t/{tournament}/me"


def test_every_command_has_a_form_at_the_desk() -> None:
    """Some commands have no form at the desk: a key on the slips page sends the command, or the player's page has
    the form.
    """
    pages = resources.files("matchledger.web")
    templates = "".join(page.read_text("utf-8") for page in (pages / "templates" / "desk").iterdir())
    scripts = (pages / "static" / "desk.js").read_text("utf-8")
    by_phone = set().union(*(sent for sent in AT_THE_DESK.values() if _OWN_PAGE in sent))
    asked = REQUESTS.keys() - by_phone
    without = {kind for kind in asked if f"'{kind}'" not in templates and f'"{kind}"' not in templates}
    assert without == {kind for kind in without if f'"{kind}"' in scripts}
    assert REQUESTS.keys() | OF_THE_STATION >= {kind for kind, command in KINDS.items() if command.shown_first}


@pytest.mark.parametrize("kind", REQUESTS)
def test_the_desk_follows_the_matrix(at_stage: Stage, tokens: Tokens, kind: str) -> None:
    """A judge sends only the forms of a judge's work from the desk, even if the rulebook permits more."""
    asked = REQUESTS[kind]
    ledger = at_stage(asked.stage)
    before = length(ledger)
    idle = set() if kind in JUDGES_COMMANDS else {"judge"}
    with served(ledger) as (browser, tournament):

        def send(role: str | None, **more: str) -> Any:
            browser.cookies.clear()
            if role is not None:
                browser.cookies.set("matchledger", tokens[role])
            body = as_sent(filled(asked.body, ledger.parent))
            form = {"kind": kind, **body, "reason": "wanted", "page": "slips", **more}
            return browser.post(f"/t/{tournament}/desk/do", data=form, follow_redirects=False)

        assert send(None).status_code == 401
        assert send("read-only").status_code == 403
        for role in set(ROLES) - asked.roles | idle:
            for confirmed in ("", "yes"):
                answer = send(role, confirmed=confirmed)
                assert answer.status_code == 422, role
                if role in idle:
                    assert "this is not part of a judge" in answer.text
                else:
                    assert "may not" in answer.text or "cannot amend a list: only a leader can" in answer.text
                    assert asked.rule in answer.text
        if KINDS[kind].shown_first:
            assert {send(role).status_code for role in asked.roles - idle} == {200}
        assert length(ledger) == before
        assert send("organizer", confirmed="yes").status_code == 303
    assert length(ledger) > before


# -- the pages

# Routes for the organizer at the machine: tests/web/test_desk_opening.py and tests/web/test_findings.py test them.
WITH_THE_KEY_OF_THE_SERVER = {
    "/new",
    "/t/{tournament}/desk/stations",
    "/t/{tournament}/desk/stations/revoke",
}
# Routes that send a key, forget it, act by phone, or use the waiting list.
OPEN_TO_ALL = {
    "/enter",
    "/leave",
    "/t/{tournament}/me",
    "/t/{tournament}/me/push",
    "/t/{tournament}/sign-up",
    "/t/{tournament}/sign-up/mine",
    "/t/{tournament}/sign-up/withdraw",
}
WITH_A_KEY = {
    "/t/{tournament}/desk/do",
    "/t/{tournament}/desk/verify",
    "/t/{tournament}/desk/bundle",
    "/t/{tournament}/desk/stations/plain-http",
    "/t/{tournament}/desk/stations/players/lend",
    "/t/{tournament}/desk/stations/players/renew",
    "/t/{tournament}/desk/checkpoint",
    "/t/{tournament}/desk/witnessed",
    "/t/{tournament}/desk/waiting",
    "/t/{tournament}/desk/logo",
    "/api/tournaments/{tournament}/commands",
    "/api/tournaments/{tournament}/preview",
}


def _routes() -> Iterator[tuple[str, set[str]]]:
    """Yield every path of the server with its methods."""
    for route in create_app(":memory:").router.routes:
        yield from _below(route)


def _below(route: Any) -> Iterator[tuple[str, set[str]]]:
    inner = getattr(route, "routes", None) or getattr(getattr(route, "original_router", None), "routes", [])
    if getattr(route, "methods", None):
        yield route.path, set(route.methods)
    for part in inner:
        yield from _below(part)


def test_every_writing_route_is_in_the_matrix() -> None:
    sent = {path for path, methods in _routes() if methods - {"GET", "HEAD"}}
    assert sent == OPEN_TO_ALL | WITH_A_KEY | WITH_THE_KEY_OF_THE_SERVER


def test_every_page_of_the_desk_is_closed_to_strangers(at_stage: Stage, tokens: Tokens) -> None:
    pages = [path for path, methods in _routes() if "GET" in methods and "/desk" in path]
    assert len(pages) > 3
    asked: dict[str, str | int] = {"table": 1, "outcome": "a", "code": "?"}
    with served(at_stage("played")) as (browser, tournament):
        for path in pages:
            name = "pairings" if "print" in path else "players"
            address = path.replace("{tournament}", tournament).replace("{name}", name)
            refused = browser.get(address, params=asked, follow_redirects=False)
            assert refused.status_code == 401 or refused.headers.get("location") == "/enter", path
            shown = browser.get(address, params=asked, headers=_bearer(tokens["judge"]))
            # With status 400 or 403 the visitor is admitted, but the request is impossible or not for a judge.
            assert shown.status_code in (200, 204, 400, 403), path


@pytest.mark.parametrize("numbers_only", ["", "yes"])
def test_the_same_roles_get_a_dispute_file_on_every_face(
    at_stage: Stage, tokens: Tokens, capsys: pytest.CaptureFixture[str], numbers_only: str
) -> None:
    """The same roles may disclose names, so they may give out a bundle with or without names (rules 0.3)."""
    row, more = LINES["bundle"], " --numbers-only" if numbers_only else ""
    ledger = at_stage(row.stage)
    before = length(ledger)
    with served(ledger) as (browser, tournament):

        def bundle(role: str | None) -> Any:
            headers = _bearer(None if role is None else tokens[role])
            form = {"round": 1, "table": 1, "numbers_only": numbers_only}
            return browser.post(f"/t/{tournament}/desk/bundle", data=form, headers=headers, follow_redirects=False)

        assert bundle(None).status_code == 401
        assert bundle("read-only").status_code == 403
        for role in set(ROLES) - row.roles:
            answer = bundle(role)
            assert answer.status_code == 422, role
            assert row.rule in answer.text
            refused(at_stage, row, row.line + more, tokens[role], capsys)
        assert length(ledger) == before
        for role in sorted(row.roles):
            assert bundle(role).json()["match"]["players"] == [1, 2], role
    assert length(ledger) == before + (0 if numbers_only else len(row.roles))


def test_the_same_roles_sign_a_checkpoint_on_every_face(at_stage: Stage, tokens: Tokens, key: SigningKey) -> None:
    row = LINES["checkpoint"]
    ledger = at_stage(row.stage)
    before = length(ledger)
    with served(ledger, Settings(watch_seconds=60, signing_key=key)) as (browser, tournament):

        def sign(role: str | None) -> Any:
            headers = _bearer(None if role is None else tokens[role])
            form = {"page": "verify", "form": "checkpoint"}
            address = f"/t/{tournament}/desk/checkpoint"
            return browser.post(address, data=form, headers=headers, follow_redirects=False)

        assert sign(None).status_code == 401
        assert sign("read-only").status_code == 403
        for role in set(ROLES) - row.roles:
            answer = sign(role)
            assert answer.status_code == 422, role
            assert row.rule in answer.text
        assert length(ledger) == before
        for role in sorted(row.roles):
            assert sign(role).status_code == 303, role
    assert length(ledger) > before


def test_verifying_at_the_desk_needs_a_key_and_records_nothing(at_stage: Stage, tokens: Tokens) -> None:
    ledger = at_stage("played")
    before = length(ledger)
    with served(ledger) as (browser, tournament):
        address = f"/t/{tournament}/desk/verify"
        assert browser.post(address, follow_redirects=False).status_code == 401
        assert browser.post(address, headers=_bearer(tokens["judge"])).status_code == 200
    assert length(ledger) == before


def test_with_signing_stations_a_copy_is_merged_in_the_name_of_the_organizer(
    at_stage: Stage, tokens: Tokens, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = at_stage("apart")
    assert typed("merge-copy other.ledger --yes", "--token", tokens["organizer"]) == 0
    capsys.readouterr()
    assert typed("verify") == 0, capsys.readouterr().out
    with open_ledger(ledger) as kept:
        [tournament] = kept.tournaments()
        *_, merged, penalty = kept.entries(tournament)
        assert [merged.fact.kind, penalty.fact.kind] == ["copy-merged", "penalty-given"]
        assert (penalty.actor, penalty.token) == (merged.actor, merged.token)
        assert kept.authors(tournament).forged == {}
