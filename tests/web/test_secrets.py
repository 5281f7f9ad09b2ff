"""Secrets on the server: no page, problem, log or header repeats a key or token from a request."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import Browser

from matchledger.cli import run
from matchledger.ledger import now, open_ledger
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

NO_TABLE = {"kind": "report-slip", "table": 9, "outcome": "a"}
KEY = "the-key-that-serve-prints"
SIGNS = SigningKey.generate("organizer")


@pytest.fixture
def secret() -> str:
    """A judge's token for a year."""
    start = now()
    end = start + timedelta(days=365)
    said = {"role": "judge", "actor": "Jo", "station": "Desk", "issued": start, "not_before": start, "expires": end}
    return issue(SIGNS, StationToken.model_validate(said))


@pytest.fixture
def server(ledger: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Browser]:
    """A server that trusts the key, logs everything, and answers internal errors."""
    vkey = str(SIGNS.verification)
    assert run(["token", "trust", vkey, "--role", "organizer", "--ledger", str(ledger)]) == 0
    caplog.set_level(logging.DEBUG)
    app = create_app(str(ledger), Settings(watch_seconds=60, key=KEY))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as client:
        yield client


def test_answers_and_logs_never_repeat_a_secret(
    server: Browser, ledger: Path, secret: str, caplog: pytest.LogCaptureFixture
) -> None:
    home = server.get("/", follow_redirects=False).headers["location"]
    tournament = home.split("/")[2]
    api = f"/api/tournaments/{tournament}"
    with open_ledger(ledger) as kept:
        drawn = kept.secret(kept.tournaments()[0]).hex()
    damaged = f"{secret[:-4]}AAAA"
    answers = []
    for shown in (secret, KEY, damaged):
        bearer = {"authorization": f"Bearer {shown}"}
        answers += [
            server.post("/enter", data={"key": shown}, follow_redirects=False),
            server.get(f"{home}desk", headers=bearer),
            server.get(f"{home}desk/state", headers=bearer),
            server.get(f"{api}/standings", headers=bearer),
            server.get(f"{api}/entries", headers=bearer),
            server.get(f"{api}/standings", params={"round": "x"}, headers=bearer),
            server.get(f"{api}/nothing", headers=bearer),
            server.post(f"{api}/commands", json={"kind": "no-such"}, headers=bearer),
            server.post(f"{api}/commands", content=b"{", headers=bearer),
            server.post(
                f"{api}/commands", json={"kind": "report-slip", "table": 9, "outcome": "a"}, headers=bearer
            ),
            server.post(f"{home}desk/do", data={"kind": "report-slip", "table": "x"}, headers=bearer),
        ]
        server.cookies.clear()
    assert {answer.status_code for answer in answers} >= {200, 303, 401, 403, 404, 422}
    secrets = [secret, secret.rsplit(".", 1)[1], KEY, damaged.rsplit(".", 1)[1], drawn, str(SIGNS)]
    for answer in answers:
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items() if name != "set-cookie")
        for one in secrets:
            assert one not in answer.text, answer.request.url
            assert one not in headers, answer.request.url
    logged = "\n".join(re.sub(r"HTTP Request: .*", "", record.getMessage()) for record in caplog.records)
    assert not [one for one in secrets if one in logged]


def test_scripts_cannot_read_the_cookie(server: Browser, secret: str) -> None:
    answer = server.post("/enter", data={"key": secret}, follow_redirects=False)
    said = answer.headers["set-cookie"].lower()
    assert "httponly" in said
    assert "samesite=strict" in said
    assert secret not in answer.headers["location"]


def test_an_internal_error_shows_no_details(server: Browser, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"with {secret}")

    monkeypatch.setattr("matchledger_projections.views.tables.rank", fail)
    home = server.get("/", follow_redirects=False).headers["location"]
    answer = server.get(
        f"/api/tournaments/{home.split('/')[2]}/standings", headers={"authorization": f"Bearer {secret}"}
    )
    assert answer.status_code == 500
    for word in (secret, "Traceback", "RuntimeError", ".py"):
        assert word not in answer.text


def test_a_token_in_an_address_is_refused_and_not_repeated(server: Browser, secret: str) -> None:
    """A link has the token behind the #, which browsers do not send."""
    home = server.get("/", follow_redirects=False).headers["location"]
    within = [f"{home}?key={secret}", f"{home}standings?key={secret}", f"{home}me?key={secret}"]
    for path in (f"/enter?key={secret}", f"/enter/{secret}", f"/t/{secret}/", f"/?key={secret}", *within):
        answer = server.get(path, follow_redirects=False)
        assert secret not in answer.text
        assert "set-cookie" not in answer.headers
