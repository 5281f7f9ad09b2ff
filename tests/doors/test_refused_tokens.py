"""Tokens that the command line, the API and the desk refuse: each gets one line, and nothing is recorded."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from freezegun import freeze_time
from tests.doors.conftest import Stage, token, typed
from tests.doors.test_matrix import length, served

from matchledger.ledger import now
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import issue, signed
from matchledger.web.settings import Settings

Make = Callable[[SigningKey], str]
Capsys = pytest.CaptureFixture[str]
REFUSED = 3


def _expired(key: SigningKey) -> str:
    before = now() - timedelta(hours=2)
    return issue(key, token("organizer", issued=before, not_before=before, expires=now() - timedelta(hours=1)))


def _too_early(key: SigningKey) -> str:
    return issue(key, token("organizer", not_before=now() + timedelta(hours=1)))


def _of_another_tournament(key: SigningKey) -> str:
    return issue(key, token("organizer", tournament=UUID(int=1)))


def _with_another_key(_: SigningKey) -> str:
    return issue(SigningKey.generate("organizer"), token("organizer"))


def _raised(key: SigningKey) -> str:
    """Return a player's token whose role was edited."""
    version, body, *rest = issue(key, token("player")).split(".")
    said = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    raised = base64.urlsafe_b64encode(json.dumps(said | {"role": "organizer"}).encode()).decode().rstrip("=")
    return ".".join([version, raised, *rest])


def _signed_by_nobody(key: SigningKey) -> str:
    """Return a token that asks not to be verified: it has the key's id but no signature."""
    version, body, _, seed = issue(key, token("organizer")).split(".")
    return f"{version}.{body}.{base64.urlsafe_b64encode(key.verification.id).decode().rstrip('=')}.{seed}"


def _signed_with_the_public_key(key: SigningKey) -> str:
    """Return a token for a verifier that mistakes the public key for the secret of another algorithm."""
    other = SigningKey(key.name, key.verification.public)
    version, body, _, seed = issue(key, token("organizer")).split(".")
    seal = key.verification.id + other.signature(f"{version}.{body}")
    return f"{version}.{body}.{base64.urlsafe_b64encode(seal).decode().rstrip('=')}.{seed}"


def _of_an_older_form(key: SigningKey) -> str:
    return issue(key, token("organizer")).replace("mlt2.", "mlt0.", 1)


def _with_a_role_of_its_own(key: SigningKey) -> str:
    said = json.loads(token("organizer").model_dump_json()) | {"role": "boss"}
    return signed(key, json.dumps(said).encode(), bytes(32))


FALSE: dict[str, tuple[Make, str]] = {
    "expired": (_expired, "this token expired at "),
    "too early": (_too_early, "this token is not valid before "),
    "of another tournament": (_of_another_tournament, "this token is for another tournament"),
    "signed with another key": (_with_another_key, "this tournament does not trust the key"),
    "of a role that was raised": (_raised, "this token is forged or damaged"),
    "signed by nobody": (_signed_by_nobody, "this token is forged or damaged"),
    "signed with the public key": (_signed_with_the_public_key, "this token is forged or damaged"),
    "of an older form": (_of_an_older_form, "this token has version mlt0; only mlt2 is accepted"),
    "of a role that there is not": (_with_a_role_of_its_own, "this token cannot be read"),
    "a cookie of somebody's": (lambda _: "let-me-in", "this is not a station token"),
}
SLIP = {"kind": "report-slip", "table": 1, "outcome": "a"}


class Faces:
    """Three ways to report table 1 with a token. Each way returns whether the report was accepted, or why not."""

    def __init__(self, ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.ledger = ledger
        self._capsys = capsys

    def command_line(self, text: str) -> str | None:
        self._capsys.readouterr()
        code = typed("report 1 a", "--token", text)
        if code != REFUSED:
            return None
        [line] = self._capsys.readouterr().err.splitlines()
        return line.removeprefix("matchledger: ")

    def api(self, text: str) -> str | None:
        answer = self._send("/api/tournaments/{}/commands", json=SLIP, headers={"authorization": f"Bearer {text}"})
        return None if answer.status_code == 200 else str(answer.json()["detail"])

    def desk(self, text: str) -> str | None:
        """Report table 1 from a browser whose cookie holds the token."""
        answer = self._send("/t/{}/desk/do", data=SLIP, cookies={"matchledger": text})
        assert answer.status_code in (303, 401)
        return None if answer.status_code == 303 else str(answer.text)

    def entrance(self, text: str) -> str | None:
        answer = self._send("/enter", data={"key": text})
        assert answer.status_code in (303, 403)
        return None if answer.status_code == 303 else str(answer.text)

    def _send(self, path: str, *, cookies: dict[str, str] | None = None, **what: Any) -> Any:
        with served(self.ledger) as (browser, tournament):
            browser.cookies.update(cookies or {})
            return browser.post(path.format(tournament), follow_redirects=False, **what)


@pytest.fixture
def faces(at_stage: Stage, capsys: pytest.CaptureFixture[str]) -> Faces:
    return Faces(at_stage("paired"), capsys)


FACES = ("command_line", "api", "desk", "entrance")


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", FALSE)
def test_a_false_token_is_refused_on_every_face(faces: Faces, key: SigningKey, name: str, face: str) -> None:
    make, problem = FALSE[name]
    text, before = make(key), length(faces.ledger)
    said = getattr(faces, face)(text)
    assert said is not None
    assert problem in said or (name == "a cookie of somebody's" and "you are logged out" in said)
    assert text not in said
    assert length(faces.ledger) == before


@pytest.mark.parametrize("face", FACES)
def test_a_revoked_token_is_refused(faces: Faces, key: SigningKey, tokens: dict[str, str], face: str) -> None:
    text = issue(key, token("judge", id="0123456789ab"))
    assert typed("token revoke 0123456789ab", "--token", tokens["organizer"]) == 0
    said = getattr(faces, face)(text)
    assert said is not None
    assert "this token was revoked (entry 9)" in said


@pytest.mark.parametrize("face", FACES)
def test_terminal_api_and_desk_refuse_an_older_token_after_a_newer_one(
    faces: Faces, key: SigningKey, face: str
) -> None:
    before = now() - timedelta(minutes=5)
    older = issue(key, token("organizer", issued=before, not_before=before, station="North", actor="Olga"))
    newer = issue(key, token("scorekeeper", station="North", actor="Olga"))
    assert typed("start", "--token", newer) == 0
    said = getattr(faces, face)(older)
    assert said is not None
    assert "this token was replaced" in said


@pytest.mark.parametrize("face", FACES)
def test_a_single_use_token_works_once_on_every_face(faces: Faces, key: SigningKey, face: str) -> None:
    text = issue(key, token("judge", once=True))
    assert typed("start", "--token", text) == 0
    said = getattr(faces, face)(text)
    assert said is not None
    assert "this single-use token was used" in said


def test_a_single_use_link_works_once(faces: Faces, key: SigningKey) -> None:
    text = issue(key, token("judge", once=True))
    with served(faces.ledger) as (browser, tournament):
        assert browser.post("/enter", data={"key": text}, follow_redirects=False).status_code == 303
        assert browser.get(f"/t/{tournament}/desk").status_code == 200
        browser.cookies.clear()
        again = browser.post("/enter", data={"key": text}, follow_redirects=False)
        assert again.status_code == 403
        assert "this single-use token was used" in again.text
    assert "this single-use token was used" in (faces.command_line(text) or "")


@pytest.mark.finding("A-7")
@pytest.mark.parametrize("end", ["revoked", "expired", "left", "no longer trusted"])
def test_a_session_ends_with_its_token(faces: Faces, key: SigningKey, tokens: dict[str, str], end: str) -> None:
    """The session of a single-use token ends when the token becomes invalid or its holder logs out."""
    text = issue(key, token("judge", id="0123456789ab", once=True, expires=now() + timedelta(hours=1)))
    with served(faces.ledger) as (browser, tournament):
        entered = browser.post("/enter", data={"key": text}, follow_redirects=False)
        session = {"authorization": f"Bearer {entered.cookies['matchledger']}"}
        staff = f"/t/{tournament}/desk"
        assert browser.get(staff).status_code == 200
        cookie = entered.cookies["matchledger"]
        moment = now()
        if end == "revoked":
            assert typed("token revoke 0123456789ab", "--token", tokens["organizer"]) == 0
        elif end == "no longer trusted":
            assert typed("token distrust", str(key.verification), "--token", tokens["organizer"]) == 0
        elif end == "left":
            assert browser.post("/leave", follow_redirects=False).status_code == 303
        else:
            moment += timedelta(hours=2)
        browser.cookies.clear()
        browser.cookies.set("matchledger", cookie)
        with freeze_time(moment, real_asyncio=True):
            assert browser.get(staff, follow_redirects=False).headers["location"] == "/enter"
            path = f"/api/tournaments/{tournament}/commands"
            assert browser.post(path, json=SLIP, headers=session).status_code == 401


def test_every_face_records_a_repeated_command_once(faces: Faces, tokens: dict[str, str]) -> None:
    before = length(faces.ledger)
    assert typed("report 1 a --command-id slip-1", "--token", tokens["judge"]) == 0
    with served(faces.ledger) as (browser, tournament):
        headers = {"authorization": f"Bearer {tokens['judge']}", "idempotency-key": "slip-1"}
        again = browser.post(f"/api/tournaments/{tournament}/commands", json=SLIP, headers=headers)
        assert again.json()["repeated"] is True
        other = browser.post(f"/api/tournaments/{tournament}/commands", json={**SLIP, "table": 2}, headers=headers)
        assert other.status_code == 409
        browser.cookies.set("matchledger", tokens["judge"])
        form = browser.post(f"/t/{tournament}/desk/do", data={**SLIP, "id": "slip-1"}, follow_redirects=False)
        assert form.status_code == 303
    assert length(faces.ledger) == before + 1


def test_each_face_explains_how_to_send_a_required_token(faces: Faces, capsys: Capsys) -> None:
    """The command line names `--token`; the API and the desk do not, because a browser has no options."""
    demanded = "this tournament records nothing without a station token: ask the organizer for one"
    before = length(faces.ledger)
    assert typed("report 1 a") == REFUSED
    assert capsys.readouterr().err == (f"matchledger: {demanded}; use --token or MATCHLEDGER_TOKEN\n")
    with served(faces.ledger, Settings(key="printed", watch_seconds=60)) as (browser, tournament):
        headers = {"authorization": "Bearer printed"}
        answer = browser.post(f"/api/tournaments/{tournament}/commands", json=SLIP, headers=headers)
        assert (answer.status_code, answer.json()["detail"]) == (403, demanded)
        browser.cookies.set("matchledger", "printed")
        page = browser.post(f"/t/{tournament}/desk/do", data=SLIP, follow_redirects=False)
        assert page.status_code == 403
        assert demanded in page.text
        assert "--token" not in page.text
    assert length(faces.ledger) == before
