"""Phones after play has stopped: the page and the API apply the marks of the clock alike (L5R-IV.3a)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from freezegun import freeze_time
from freezegun.api import FrozenDateTimeFactory
from tests.web.conftest import Browser, at_terminal
from tests.web.test_phones import PhoneOf
from tests.web.test_phones import links as links  # noqa: PLC0414 - a fixture, which pytest finds by its name here
from tests.web.test_phones import phone as phone  # noqa: PLC0414 - a fixture as well

from matchledger.ledger import open_ledger

STOPPED = "all play stopped at 75:00: go to the desk"


@pytest.fixture
def watch() -> Iterator[FrozenDateTimeFactory]:
    """A watch that shows 10:00 until a test changes it."""
    with freeze_time("2026-05-02 10:00", real_asyncio=True) as frozen:
        assert isinstance(frozen, FrozenDateTimeFactory)
        yield frozen


@pytest.fixture
def ledger(tmp_path: Path, watch: FrozenDateTimeFactory) -> Path:  # noqa: ARG001 - the event begins at 10:00
    """Ann plays Bo under the L5R rulebook, and the clock runs."""
    path = tmp_path / "kotei.ledger"
    terminal = at_terminal(path)
    terminal("open", "Kotei", "--rulebook", "l5r-2018")
    for name in ("Ann", "Bo"):
        terminal("register", name)
    terminal("allow-phones", "report")
    terminal("pair", "--table", "Ann/Bo")
    terminal("start")
    return path


def points(path: Path) -> tuple[int, int] | None:
    """Return the points of Ann and Bo in round 1, or None without a result."""
    with open_ledger(str(path)) as ledger:
        [tournament] = ledger.tournaments()
        record = ledger.record(tournament)
    (round_,) = record.rounds()
    report = round_.report(1, (1, 2))
    if report is None:
        return None
    kind = record.rulebook.results[report.kind]
    return kind.winner or 0, kind.loser or 0


@pytest.mark.parametrize("confirm", [False, True], ids=["claims the same", "confirms"])
def test_a_result_agreed_by_phone_after_play_stopped_is_a_modified_loss(
    ledger: Path, phone: PhoneOf, watch: FrozenDateTimeFactory, confirm: bool
) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    watch.tick(60 * 64)
    ann.send("claim", outcome="win")
    watch.tick(60 * 12)
    bo.send("confirm", claim=7) if confirm else bo.send("claim", outcome="loss")
    assert points(ledger) == (10, 0)


def test_a_judgment_that_a_phone_confirms_after_play_stopped_waits_for_the_desk(
    ledger: Path, phone: PhoneOf, watch: FrozenDateTimeFactory
) -> None:
    ann, bo = phone("Ann"), phone("Bo")
    watch.tick(60 * 72)
    ann.send("claim", outcome="win judgment")
    watch.tick(60 * 4)
    for said in (bo.send("confirm", claim=7), bo.send("claim", outcome="loss judgment")):
        assert STOPPED in said
        assert "ended=" not in said
    assert points(ledger) is None
    at_terminal(ledger)("report", "1", "a", "judgment", "ended=75:00")
    assert points(ledger) == (6, 0)


def test_a_judgment_by_phone_before_the_clock_started_waits_for_the_desk(ledger: Path, phone: PhoneOf) -> None:
    at_terminal(ledger)("retract", "6")  # entry 6 started the clock
    claimed = phone("Ann").send("claim", outcome="win judgment")
    assert "no game is judged before time at 65:00: go to the desk, which writes the slip" in claimed
    assert points(ledger) is None


def test_the_api_and_the_page_judge_claims_by_the_same_time_marks(
    ledger: Path, browser: Browser, commands: str, watch: FrozenDateTimeFactory
) -> None:
    watch.tick(60 * 76)
    judged = browser.post(commands, json={"kind": "claim-result", "player": 1, "outcome": "win judgment"})
    assert judged.status_code == 422
    assert STOPPED in judged.text
    assert points(ledger) is None
    for player, outcome in ((1, "win"), (2, "loss")):
        claim = {"kind": "claim-result", "player": player, "outcome": outcome}
        assert browser.post(commands, json=claim).status_code == 200
    assert points(ledger) == (10, 0)
