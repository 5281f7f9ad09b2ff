"""An unreadable tournament does not block the other tournaments of a ledger. The owner can exclude the unreadable
tournament.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent
from starlette.testclient import TestClient

from matchledger.cli import run
from matchledger.ledger import Ledger, LedgerError, UnreadableLog, open_ledger, verify
from matchledger.web.app import create_app
from matchledger.web.settings import Settings

pytestmark = pytest.mark.finding("A-5")

STRANGER = UUID(int=7)


def _nothing(_: bytes) -> bytes:
    return b"{}"


def _lawless(opening: bytes) -> bytes:
    return opening.replace(b"tiebreaks", b"tidbreaks")


def _no_json(_: bytes) -> bytes:
    return b"\x00\xff"


@pytest.fixture(params=[_nothing, _lawless, _no_json])
def league(place: str, begin: Callable[..., UUID], request: pytest.FixtureRequest) -> Iterator[Ledger]:
    """Two tournaments, and between them foreign rows with their own id and hashes."""
    with open_ledger(place, create=True) as ledger:
        first = begin(ledger, "Ann", "Bo", rules="house", name="First")
        opening = next(ledger.recorder.entry_rows(first))
        state = request.param(opening.state.replace(str(first).encode(), str(STRANGER).encode()))
        ledger.recorder.insert_events([StoredEvent(STRANGER, 1, opening.topic, state)])
        begin(ledger, "Cy", rules="house", name="Second")
    with open_ledger(place) as ledger:
        yield ledger


def test_an_unreadable_tournament_does_not_block_the_others(league: Ledger, begin: Callable[..., UUID]) -> None:
    begin(league, "Di", rules="house", name="Third")
    names = [record.opening.name for _, record in league.records() if record.opening is not None]
    assert names == ["First", "Second", "Third"]
    [named] = verify(league, league.readable()[0])
    assert named.what.startswith(f"tournament {STRANGER} cannot be read (")
    assert named.what.endswith(f": matchledger set-aside {STRANGER} leaves it out")
    assert league.quarantined().keys() == {STRANGER}


def test_the_owner_can_exclude_a_tournament_and_nothing_is_deleted(league: Ledger) -> None:
    first = league.readable()[0]
    league.set_aside(STRANGER)
    league.set_aside(STRANGER)
    assert verify(league, first) == []
    assert STRANGER in league.tournaments()
    assert len(list(league.recorder.entry_rows(STRANGER))) == 1


def test_a_readable_tournament_cannot_be_excluded(league: Ledger) -> None:
    with pytest.raises(LedgerError, match="can be read: only an unreadable tournament can be set aside"):
        league.set_aside(league.readable()[0])
    with pytest.raises(LedgerError, match="the ledger has no tournament"):
        league.set_aside(UUID(int=8))


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_commands_and_pages_of_other_tournaments_work(league: Ledger, path: Path, tmp_path: Path) -> None:
    """The terminal, the first page and the list in the API still show the other tournaments."""
    league.close()
    assert run(["register", "Eve", "--ledger", str(path), "--tournament", "First"]) == 0
    assert run(["verify", "--ledger", str(path), "--tournament", "First"]) == 1
    with TestClient(create_app(str(path), Settings(key="key")), base_url="http://localhost") as browser:
        assert browser.get("/").status_code == 200
        assert [one["name"] for one in browser.get("/api/tournaments").json()] == ["First", "Second"]
        assert browser.post("/enter", data={"key": "key"}, follow_redirects=False).status_code == 303
        assert browser.get(f"/t/{STRANGER}/", follow_redirects=False).status_code >= 400
    assert run(["migrate", str(path), str(tmp_path / "new.ledger")]) == 0
    assert run(["set-aside", str(STRANGER), "--ledger", str(path)]) == 0
    assert run(["verify", "--ledger", str(path), "--tournament", "First"]) == 0


def test_an_unreadable_entry_does_not_block_other_tournaments(place: str, begin: Callable[..., UUID]) -> None:
    """The opening is readable, and an entry after it is damaged."""
    with open_ledger(place, create=True) as ledger:
        first, second = (begin(ledger, "Ann", rules="house", name=name) for name in ("First", "Second"))
        ledger.recorder.insert_events([StoredEvent(second, 3, "result-reported", b"{}")])
        for _ in range(2):
            with pytest.raises(UnreadableLog, match="run verify"):
                ledger.record(second)
        assert [tournament for tournament, _ in ledger.records()] == [first]
        assert [finding.position for finding in verify(ledger, second)] == [3]
        assert verify(ledger, first) == []
