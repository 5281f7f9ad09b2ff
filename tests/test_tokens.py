"""Station tokens: the program reads signed tokens, and refuses everything else."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import LEEWAY, StationToken, TokenRefused, certified, issue, read

KEY = SigningKey.generate("organizer")
KEYS = [KEY.verification]
NOW = datetime(2026, 5, 2, 9, 0, tzinfo=UTC)
HERE = UUID(int=1)


def token(**other: Any) -> StationToken:
    """A token for Mo, the scorekeeper at Desk1, for today."""
    said = {
        "role": "scorekeeper",
        "actor": "Mo",
        "station": "Desk1",
        "issued": NOW,
        "not_before": NOW,
        "expires": NOW + timedelta(hours=12),
    }
    return StationToken.model_validate(said | other)


def refusal(text: str, *, now: datetime = NOW, tournament: UUID | None = None) -> str:
    with pytest.raises(TokenRefused) as refused:
        read(KEYS, text, now, tournament=tournament)
    said = str(refused.value)
    assert "\n" not in said
    assert text not in said
    return said


def test_an_issued_token_can_be_read_back() -> None:
    issued = token(tournament=HERE)
    found = read(KEYS, issue(KEY, issued), NOW, tournament=HERE)
    assert found.model_dump(exclude={"key"}) == issued.model_dump(exclude={"key"})


@pytest.mark.finding("A-3")
def test_a_token_signs_and_its_certificate_verifies_without_the_secret() -> None:
    text = issue(KEY, token())
    held = read(KEYS, text, NOW)
    signature = held.signature(b"entry")
    assert held.certificate is not None
    assert signature is not None
    station = certified(KEYS, held.certificate)
    assert station.verifies(b"entry", signature)
    assert not station.verifies(b"another", signature)
    assert station.signature(b"entry") is None
    assert text.startswith(held.certificate)
    with pytest.raises(TokenRefused, match="copy the whole line"):
        read(KEYS, held.certificate, NOW)


def test_a_new_signature_is_of_its_own_station_and_its_own_bytes_alone() -> None:
    one, other = (read(KEYS, issue(KEY, token()), NOW) for _ in range(2))
    signature = one.signature(b"entry")
    assert signature is not None
    assert one.verifies(b"entry", signature)
    assert not one.verifies(b"entry!", signature)
    assert not other.verifies(b"entry", signature)


def test_a_token_that_was_read_before_still_needs_its_key_and_its_time() -> None:
    text, other = issue(KEY, token(tournament=HERE)), SigningKey.generate("another").verification
    read(KEYS, text, NOW)
    for keys in ([], [other]):
        with pytest.raises(TokenRefused):
            read(keys, text, NOW)
    assert "expired" in refusal(text, now=NOW + timedelta(hours=12))
    assert "another tournament" in refusal(text, tournament=UUID(int=2))


def test_the_text_of_a_token_fits_in_a_link() -> None:
    text = issue(KEY, token(actor="Zoë O'Néill", station="Pult Süd"))
    assert set(text) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
    assert len(text) < 600


def test_a_token_for_every_tournament_is_accepted_everywhere() -> None:
    text = issue(KEY, token())
    assert read(KEYS, text, NOW, tournament=uuid4()).tournament is None


def test_a_token_of_another_tournament_is_refused() -> None:
    assert refusal(issue(KEY, token(tournament=HERE)), tournament=uuid4()).startswith(
        "this token is for another tournament"
    )


def test_an_expired_token_is_refused_from_its_end_on() -> None:
    text = issue(KEY, token())
    expires = NOW + timedelta(hours=12)
    assert read(KEYS, text, expires - timedelta(microseconds=1)).expires == expires
    assert refusal(text, now=expires).startswith("this token expired at ")


def test_a_token_may_begin_in_the_future_only_by_the_allowed_clock_difference() -> None:
    text = issue(KEY, token())
    assert read(KEYS, text, NOW - LEEWAY).not_before == NOW
    assert refusal(text, now=NOW - LEEWAY - timedelta(seconds=1)).startswith("this token is not valid before ")


def test_a_token_signed_with_another_key_is_refused() -> None:
    assert refusal(issue(SigningKey.generate("organizer"), token())).startswith(
        "this tournament does not trust the key"
    )


def test_a_signature_by_another_key_with_the_id_of_a_trusted_key_is_refused() -> None:
    *parts, _, seed = issue(KEY, token()).split(".")
    signed = ".".join(parts)
    forged = KEY.verification.id + SigningKey.generate("organizer").signature(signed)
    text = f"{signed}.{base64.urlsafe_b64encode(forged).decode().rstrip('=')}.{seed}"
    assert refusal(text).startswith("this token is forged or damaged")


def test_editing_a_token_cannot_raise_its_role() -> None:
    version, body, *rest = issue(KEY, token()).split(".")
    said = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    said["role"] = "organizer"
    raised = base64.urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip("=")
    assert refusal(".".join([version, raised, *rest])).startswith("this token is forged or damaged")


@pytest.mark.parametrize("version", ["mlt0", "mlt1", "mlt99"])
def test_a_token_of_an_unknown_version_is_refused(version: str) -> None:
    text = issue(KEY, token()).replace("mlt2", version, 1)
    assert refusal(text) == f"this token has version {version}; only mlt2 is accepted: issue it again"


@pytest.mark.parametrize(
    "text", ["", "mlt2", "mlt2..", "mlt2.a.b", "none.e30.", "mlt2.é.é", "mlt2." + "a" * 5000 + ".b"]
)
def test_an_invalid_token_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(TokenRefused):
        read(KEYS, text, NOW)


def test_without_a_trusted_key_no_token_is_accepted() -> None:
    with pytest.raises(TokenRefused, match="accepts no tokens yet"):
        read([], issue(KEY, token()), NOW)


def test_a_signature_for_another_purpose_is_not_a_token() -> None:
    """The same key may sign checkpoints, but a checkpoint is never read as a token."""
    body = base64.urlsafe_b64encode(token().model_dump_json().encode()).decode().rstrip("=")
    seal = KEY.verification.id + KEY.signature(f"matchledger/{HERE}\n{body}")
    text = f"mlt2.{body}.{base64.urlsafe_b64encode(seal).decode().rstrip('=')}.AA"
    assert refusal(text).startswith("this token is forged or damaged")


@given(st.data())
def test_a_token_with_any_letter_changed_is_refused(data: st.DataObject) -> None:
    text = issue(KEY, token())
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(
        st.characters(codec="ascii").filter(lambda letter: letter != text[at] and not letter.isspace())
    )
    with pytest.raises(TokenRefused):
        read(KEYS, text[:at] + other + text[at + 1 :], NOW)


@pytest.mark.parametrize(
    "other", [{"role": "boss"}, {"actor": ""}, {"actor": "a\nb"}, {"id": "x"}, {"admin": True}]
)
def test_a_token_accepts_only_valid_contents(other: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        token(**other)
