"""Checkpoints at the desk: signed with a key given at the server's start, which no page ever shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields
from tests.web.test_desk_conduct import facts, send

from matchledger.cli import run
from matchledger.proof.keys import SigningKey
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

SIGNS = SigningKey.generate("example.org/judges")


@pytest.fixture
def signing(ledger: Path) -> Iterator[tuple[Browser, str]]:
    """The desk of a server that was started with a key."""
    at_terminal(ledger)("report", "1", "a", "2", "a")
    app = create_app(str(ledger), Settings(key=KEY, signing_key=SIGNS))
    with TestClient(app, base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


def sign(browser: Browser, desk: str) -> str:
    form = fields(browser.get(f"{desk}/verify").text, "checkpoint")
    del form["kind"]
    return str(browser.post(f"{desk}/checkpoint", data=form).text)


def test_the_desk_signs_the_present_log(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    assert "No checkpoint has been signed yet" in browser.get(f"{desk}/verify").text
    shown = sign(browser, desk)
    assert facts(ledger)[-1] == "checkpoint-signed"
    assert "It covers the whole log" in shown
    assert "\u2014 example.org/judges " in shown
    at_terminal(ledger)("late", "Ed")
    assert "1 entry after it is not covered yet" in browser.get(f"{desk}/verify").text
    vkey = str(SIGNS.verification)
    assert run(["verify", "--vkey", vkey, "--ledger", str(ledger)]) == 0


def test_a_log_that_has_not_grown_is_not_signed_again(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    sign(browser, desk)
    sign(browser, desk)
    assert facts(ledger).count("checkpoint-signed") == 1


def test_posted_standings_are_signed(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    shown = send(browser, desk, "post-standings", "rounds")
    assert facts(ledger)[-2:] == ["standings-posted", "checkpoint-signed"]
    assert "checkpoint signed with example.org/judges" in shown.split('class="done"')[1].split("</ul>")[0]


def test_standings_posted_by_a_program_are_signed(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    api = desk.replace("/t/", "/api/tournaments/").removesuffix("/desk")
    answer = browser.post(
        f"{api}/commands", json={"kind": "post-standings"}, headers={"authorization": f"Bearer {KEY}"}
    )
    assert answer.status_code == 200
    assert facts(ledger)[-2:] == ["standings-posted", "checkpoint-signed"]


def test_a_dispute_file_is_covered_by_a_checkpoint(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    made = browser.post(f"{desk}/bundle", data={"round": 1, "table": 1}).json()
    assert facts(ledger)[-2:] == ["names-handed-out", "checkpoint-signed"]
    assert "example.org/judges" in str(made)


def test_no_page_shows_the_signing_key(signing: tuple[Browser, str]) -> None:
    browser, desk = signing
    sign(browser, desk)
    secret = str(SIGNS).split("+", 4)[4]  # the last part, which may hold pluses
    assert len(secret) > 40
    for page in ("", "/verify", "/log", "/rounds", "/event"):
        assert secret not in browser.get(f"{desk}{page}").text
    assert secret not in repr(Settings(signing_key=SIGNS))


def test_without_a_key_nothing_is_signed(browser: Browser, desk: str, ledger: Path) -> None:
    shown = browser.get(f"{desk}/verify").text
    assert "Nobody can sign here: the server was started without a signing key." in shown
    before = facts(ledger)
    answer = browser.post(f"{desk}/checkpoint", data={"page": "verify", "form": "checkpoint"})
    assert answer.status_code == 400
    assert "this server has no key to sign with: start it with serve --key" in answer.text
    german = {"page": "verify", "form": "checkpoint"}
    answer = browser.post(f"{desk}/checkpoint", data=german, headers={"accept-language": "de"})
    assert "dieser Server hat keinen Schlüssel zum Signieren" in answer.text
    assert facts(ledger) == before
