"""The clock at the desk and in the API: starts, stops and resumes with an earlier time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from tests.web.conftest import Browser, friday
from tests.web.test_desk_conduct import send
from tests.web.test_german import GERMAN

from matchledger.commands import round_clock

THREE = datetime.fromisoformat("2026-05-03T15:00:00").astimezone()  # three o'clock by the server's clock


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The event of `tests.web.conftest`, paired at eight in the morning."""
    folder = tmp_path_factory.mktemp("original")
    with freeze_time(THREE - timedelta(hours=7)):
        friday(folder / "friday.ledger", "l5r-2018")("pair", "--table", "Ann/Bo", "--table", "Cy/Di")
    return folder


@pytest.fixture(autouse=True)
def _watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the desk's watch to three in the afternoon."""
    monkeypatch.setattr(round_clock, "now", lambda: THREE.astimezone(UTC))


def started(browser: Browser, home: str) -> list[Any]:
    """Return the clock entries of the log as times of day."""
    entries = browser.get(f"/api/tournaments/{home.split('/')[2]}/entries", params={"after": 6}).json()
    moments_noted = [entry["fact"]["at"] for entry in entries]
    return [at and datetime.fromisoformat(at).astimezone().strftime("%m-%d %H:%M:%S") for at in moments_noted]


def test_the_desk_can_start_a_round_at_an_earlier_time(browser: Browser, desk: str, home: str) -> None:
    shown = send(browser, desk, "start-round", "rounds", minutes="50", at="14:45")
    assert "round 1 started, 50 minutes at 2026-05-03T14:45:00" in shown
    assert started(browser, home) == ["05-03 14:45:00"]


def test_the_desk_can_stop_and_resume_the_clock_at_earlier_times(browser: Browser, desk: str, home: str) -> None:
    send(browser, desk, "start-round", "rounds", at="9:05")
    assert "Continue the clock" in send(browser, desk, "pause-clock", "rounds", at="14:50:30")
    assert "Stop the clock" in send(browser, desk, "resume-clock", "rounds", at="14:58")
    assert started(browser, home) == ["05-03 09:05:00", "05-03 14:50:30", "05-03 14:58:00"]


def test_without_a_time_the_clock_uses_now(browser: Browser, desk: str, home: str) -> None:
    send(browser, desk, "start-round", "rounds")
    assert started(browser, home) == [None]


@pytest.mark.parametrize(
    ("at", "english", "german"),
    [
        ("noon", "is not a time of day: write 14:05, 14:05:30 or 2026-05-03T14:05", "ist keine Uhrzeit: Schreib"),
        ("25:00", "is not a time of day: write 14:05, 14:05:30 or 2026-05-03T14:05", "ist keine Uhrzeit: Schreib"),
        ("16:30", "16:30 is in the future: it is 15:00:00 now", "16:30 liegt in der Zukunft: Es ist erst 15:00:00"),
    ],
)
def test_an_invalid_time_is_refused_beside_its_field(
    browser: Browser, desk: str, home: str, at: str, english: str, german: str
) -> None:
    shown = send(browser, desk, "start-round", "rounds", at=at)
    assert english in shown
    assert f'name="at" value="{at}"' in shown
    browser.headers.update(GERMAN)
    assert german in send(browser, desk, "start-round", "rounds", at=at)
    assert started(browser, home) == []


def test_a_start_before_the_pairing_asks_for_a_reason(browser: Browser, desk: str, home: str) -> None:
    refused = "round 1 was paired at 08:00:00: it cannot have started before: give a reason"
    shown = send(browser, desk, "start-round", "rounds", minutes="50", at="7:30")
    assert refused in shown
    assert 'id="start-why" name="reason"' in shown
    browser.headers.update(GERMAN)
    assert "wurde um 08:00:00 gepaart" in send(browser, desk, "start-round", "rounds", at="7:30")
    assert started(browser, home) == []
    send(browser, desk, "start-round", "rounds", minutes="50", at="7:30", reason="paired on paper")
    assert started(browser, home) == ["05-03 07:30:00"]


def test_a_program_can_send_an_earlier_time(browser: Browser, commands: str, home: str) -> None:
    for kind, at in (("start-round", "14:30"), ("pause-clock", "14:40"), ("resume-clock", "14:45:15")):
        assert browser.post(commands, json={"kind": kind, "at": at}).status_code == 200
    assert started(browser, home) == ["05-03 14:30:00", "05-03 14:40:00", "05-03 14:45:15"]
    refused = browser.post(commands, json={"kind": "pause-clock", "at": "2:30 pm"})
    assert (refused.status_code, refused.json()["title"]) == (400, "not-understood")
    assert "is not a time of day" in refused.json()["detail"]


def test_a_start_that_is_sent_twice_is_recorded_once(browser: Browser, commands: str, home: str) -> None:
    key = {"idempotency-key": "start-1"}
    answers = [
        browser.post(commands, json={"kind": "start-round", "at": "14:30"}, headers=key).json() for _ in range(2)
    ]
    assert [answer["repeated"] for answer in answers] == [False, True]
    assert len(started(browser, home)) == 1
