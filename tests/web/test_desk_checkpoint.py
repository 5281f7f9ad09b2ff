"""Checkpoints at the desk: the server signs with a key given at its start. No page ever shows the key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.web.chromium import serving
from tests.web.conftest import KEY, Browser, at_terminal
from tests.web.test_desk import fields
from tests.web.test_desk_conduct import facts, send

from matchledger.cli import run
from matchledger.commands.draft import Clerk
from matchledger.proof.checkpoint import Checkpoint
from matchledger.proof.keys import SigningKey
from matchledger.proof.merkle import TreeHead
from matchledger.service.witnessing import Witness
from matchledger.web.app import create_app
from matchledger.web.settings import Settings
from matchledger.web.witness import create_witness

WITNESS = SigningKey("example.net/w1", bytes([1]) * 32)
SIGNS = SigningKey.generate("example.org/judges")


@pytest.fixture
def signing(ledger: Path) -> Iterator[tuple[Browser, str]]:
    """The desk of a server that started with a key."""
    at_terminal(ledger)("report", "1", "a", "2", "a")
    app = create_app(str(ledger), Settings(key=KEY, signing_key=SIGNS))
    with TestClient(app, base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


@pytest.fixture
def organizing(ledger: Path) -> Iterator[tuple[Browser, str]]:
    """The same desk for an organizer."""
    settings = Settings(key=KEY, signing_key=SIGNS, clerk=Clerk("Olga", "organizer", "desk"))
    with TestClient(create_app(str(ledger), settings), base_url="http://localhost") as browser:
        browser.post("/enter", data={"key": KEY})
        yield browser, f"{browser.get('/', follow_redirects=False).headers['location']}desk"


def sign(browser: Browser, desk: str) -> str:
    form = fields(browser.get(f"{desk}/verify").text, "checkpoint")
    del form["kind"]
    return str(browser.post(f"{desk}/checkpoint", data=form).text)


def test_the_desk_signs_the_current_log(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    assert "No checkpoint has been signed yet" in browser.get(f"{desk}/verify").text
    shown = sign(browser, desk)
    assert facts(ledger)[-1] == "checkpoint-signed"
    assert "The checkpoint covers the whole log" in shown
    assert "\u2014 example.org/judges " in shown
    at_terminal(ledger)("late", "Ed")
    assert "1 later entry is not covered yet" in browser.get(f"{desk}/verify").text
    vkey = str(SIGNS.verification)
    assert run(["verify", "--vkey", vkey, "--ledger", str(ledger)]) == 0


def test_a_log_that_has_not_grown_is_not_signed_again(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    sign(browser, desk)
    sign(browser, desk)
    assert facts(ledger).count("checkpoint-signed") == 1


def test_the_desk_signs_posted_standings(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    shown = send(browser, desk, "post-standings", "rounds")
    assert facts(ledger)[-2:] == ["standings-posted", "checkpoint-signed"]
    assert "checkpoint signed with example.org/judges" in shown.split('class="done"')[1].split("</ul>")[0]


def test_standings_that_a_program_posts_are_signed(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    api = desk.replace("/t/", "/api/tournaments/").removesuffix("/desk")
    answer = browser.post(
        f"{api}/commands", json={"kind": "post-standings"}, headers={"authorization": f"Bearer {KEY}"}
    )
    assert answer.status_code == 200
    assert facts(ledger)[-2:] == ["standings-posted", "checkpoint-signed"]


def test_a_checkpoint_covers_a_dispute_file(signing: tuple[Browser, str], ledger: Path) -> None:
    browser, desk = signing
    made = browser.post(f"{desk}/bundle", data={"round": 1, "table": 1}).json()
    assert facts(ledger)[-2:] == ["names-handed-out", "checkpoint-signed"]
    assert "example.org/judges" in str(made)


def test_no_page_shows_the_signing_key(signing: tuple[Browser, str]) -> None:
    browser, desk = signing
    sign(browser, desk)
    secret = str(SIGNS).split("+", 4)[4]  # the last part of the key, which may contain pluses
    assert len(secret) > 40
    for page in ("", "/verify", "/log", "/rounds", "/event"):
        assert secret not in browser.get(f"{desk}{page}").text
    assert secret not in repr(Settings(signing_key=SIGNS))


def test_without_a_key_nothing_is_signed(browser: Browser, desk: str, ledger: Path) -> None:
    shown = browser.get(f"{desk}/verify").text
    assert "Nobody can sign here: the server was started without a signing key." in shown
    assert "matchledger serve --key judges.key" in shown
    before = facts(ledger)
    answer = browser.post(f"{desk}/checkpoint", data={"page": "verify", "form": "checkpoint"})
    assert answer.status_code == 400
    assert "this server has no key to sign with: start it with serve --key" in answer.text
    german = {"page": "verify", "form": "checkpoint"}
    answer = browser.post(f"{desk}/checkpoint", data=german, headers={"accept-language": "de"})
    assert "dieser Server hat keinen Schlüssel zum Signieren" in answer.text
    assert facts(ledger) == before


def ask_witness(browser: Browser, desk: str, server: str, **more: str) -> str:
    form = fields(browser.get(f"{desk}/verify").text, "witnessed")
    sent = {**form, "server": server, "key": str(WITNESS.of_witness), **more}
    return str(browser.post(f"{desk}/witnessed", data=sent).text)


def test_the_desk_gets_a_cosignature_from_the_server_of_a_witness(
    organizing: tuple[Browser, str], ledger: Path, tmp_path: Path
) -> None:
    browser, desk = organizing
    assert "Ask a witness" not in browser.get(f"{desk}/verify").text
    sign(browser, desk)
    witness = Witness(WITNESS, [SIGNS.verification], tmp_path / "seen")
    with serving(ledger, app=create_witness(witness)) as address:
        shown = ask_witness(browser, desk, address)
        assert facts(ledger)[-1] == "checkpoint-cosigned"
        assert "cosigned with example.net/w1" in shown
        assert "cosigned this checkpoint already" in ask_witness(browser, desk, address)
        at_terminal(ledger)("late", "Ed")
        size = len(facts(ledger)) - 1
        sign(browser, desk)
        ask_witness(browser, desk, address)
        assert facts(ledger)[-1] == "checkpoint-cosigned"
        [kept] = witness.folder.iterdir()
        kept.write_text(
            str(Checkpoint(f"matchledger/{desk.split('/')[2]}", TreeHead(size + 99, bytes(32))).signed(SIGNS))
        )
        assert f"ROLLED BACK OR REWRITTEN: {address} saw {size + 99} entries" in ask_witness(browser, desk, address)
    before = facts(ledger)
    assert f"{address}add-checkpoint does not answer: " in ask_witness(browser, desk, address)
    for wrong in ("file:///etc/hostname", "ftp://example.org", "example.org"):
        assert "is not the address of a server: write http..." in ask_witness(browser, desk, wrong)
    assert facts(ledger) == before


def test_a_redirected_checkpoint_is_not_sent_to_another_server(
    organizing: tuple[Browser, str], ledger: Path
) -> None:
    browser, desk = organizing
    sign(browser, desk)
    asked = []

    def answer(request: Request) -> Response:
        asked.append(request.url.path)
        return RedirectResponse("/elsewhere", 302)

    with serving(ledger, app=Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])) as address:
        assert "add-checkpoint refuses: 302" in ask_witness(browser, desk, address)
    assert asked == ["/add-checkpoint"]


def test_only_an_organizer_lets_the_server_ask_a_witness(desk: str, ledger: Path) -> None:
    app = create_app(str(ledger), Settings(key=KEY, signing_key=SIGNS, clerk=Clerk("Sue", "scorekeeper", "desk")))
    with TestClient(app, base_url="http://localhost") as scorekeeper:
        scorekeeper.post("/enter", data={"key": KEY})
        sent = {
            "page": "verify",
            "form": "witnessed",
            "server": "http://127.0.0.1:9",
            "key": str(WITNESS.of_witness),
        }
        answer = scorekeeper.post(f"{desk}/witnessed", data=sent)
        assert answer.status_code == 422
        assert "only an organizer may ask the server of a witness" in answer.text
        scorekeeper.cookies.clear()
        assert scorekeeper.post(f"{desk}/witnessed", data=sent).status_code == 401
