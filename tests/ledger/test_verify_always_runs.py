"""`verify` runs despite any problem next to the log, and names the problem."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent
from tests.ledger.behind import Behind, on_a_file
from tests.ledger.conftest import CLERK

from matchledger.cli import run
from matchledger.events import AnyFact, Entry, StandingsPosted
from matchledger.ledger import Ledger, now, open_ledger, verify
from matchledger.ledger.files import is_endless
from matchledger.ledger.verification import remarks
from matchledger_projections.record.record import Record

pytestmark = pytest.mark.finding("A-11")


@pytest.fixture
def tournament(path: Path, begin: Callable[..., UUID]) -> UUID:
    with open_ledger(path, create=True) as ledger:
        return begin(ledger, "Ann", "Bo")


def _recorded(_: Record, facts: Sequence[AnyFact]) -> Sequence[AnyFact]:
    """Record facts without a decision, as a changed program can do."""
    return facts


@on_a_file
def test_standings_after_an_unpaired_round_are_named(small: Ledger) -> None:
    """A replay through that many rounds would never end."""
    [tournament] = small.tournaments()
    [(_, posted)] = small.record(tournament).every(StandingsPosted)
    for position, round_ in ((8, 60), (9, 2**70)):
        facts = [posted.model_copy(update={"round": round_})]
        small.decide(tournament, partial(_recorded, facts=facts), clerk=CLERK)
        said = f"the posted standings after round {round_} are about a round that the log does not have"
        assert str(verify(small, tournament)[-1]) == f"entry {position}: {said} (rounds 1 to 1)"


@on_a_file
def test_a_second_opening_with_an_unusable_rulebook_is_named(small: Ledger) -> None:
    [tournament] = small.tournaments()
    opening = small.record(tournament).opening
    assert opening is not None
    again = Entry(
        tournament=tournament,
        position=8,
        recorded_at=now(),
        actor="Mallory",
        role="organizer",
        station="desk",
        command="again",
        fact=opening.model_copy(update={"law": "no law"}),
    )
    state = again.model_dump_json().encode()
    small.recorder.insert_events([StoredEvent(tournament, 8, "tournament-opened", state)])
    assert [str(found) for found in verify(small, tournament)] == [
        "entry 8: makes no sense after the entries before it: the tournament is open already"
    ]


def _another_key(line: str) -> str:
    return f"{line[:-64]}{'ab' * 32}"


def _no_key(_: str) -> str:
    return "Ann: 12345"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (_another_key, "entry 2: does not open with the key of #1 in {ring}: restore that key"),
        (_no_key, "beside the log: line 2 of {ring} is no key"),
    ],
)
def test_a_wrong_line_in_the_key_ring_is_named(
    path: Path, tournament: UUID, damage: Callable[[str], str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ring = Path(f"{path}.keys")
    lines = ring.read_text().split("\n")
    lines[1] = damage(lines[1])
    ring.write_text("\n".join(lines))
    assert run(["verify", "--ledger", str(path), "--tournament", str(tournament)]) == 1
    assert capsys.readouterr().out.splitlines() == [says.format(ring=ring)]


def test_a_file_that_is_not_a_key_ring_is_named_and_the_log_is_still_checked(
    path: Path, tournament: UUID, capsys: pytest.CaptureFixture[str]
) -> None:
    ring = Path(f"{path}.keys")
    ring.write_text("shopping list\n")
    assert run(["verify", "--ledger", str(path), "--tournament", str(tournament)]) == 1
    [said] = capsys.readouterr().out.splitlines()
    assert said.startswith(f"beside the log: {ring} is not a key ring of matchledger")


def test_a_pipe_as_key_ring_is_named_and_not_read(
    path: Path,
    tournament: UUID,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert is_endless(pipe)
    monkeypatch.setenv("MATCHLEDGER_KEYS", os.devnull)  # a reader of this pipe would wait for ever
    assert run(["verify", "--ledger", str(path), "--tournament", str(tournament)]) == 1
    [said] = capsys.readouterr().out.splitlines()
    assert said == "beside the log: /dev/null is a pipe or a device: name a file with MATCHLEDGER_KEYS"


def test_a_missing_draw_secret_is_named(small: Ledger, tampering: Behind) -> None:
    """A copy of a running tournament may lack the secret. A missing secret is not a fault, but `verify` names
    it.
    """
    [tournament] = small.tournaments()
    assert remarks(small, tournament) == []
    tampering.execute("DELETE FROM sealed_secrets")
    assert verify(small, tournament) == []
    [remark] = remarks(small, tournament)
    assert re.match("the secret behind the draws is not in this ledger: it can neither draw nor close", remark)


@on_a_file
@pytest.mark.parametrize("secret", ["a text", 2**63 - 1])
def test_a_draw_secret_of_another_type_is_named(small: Ledger, tampering: Behind, secret: str | int) -> None:
    [tournament] = small.tournaments()
    tampering.execute("UPDATE sealed_secrets SET secret = ?", secret)
    [finding] = verify(small, tournament)
    assert str(finding) == "beside the log: the secret behind the draws does not match the opening entry"


def test_files_with_secrets_are_readable_only_by_their_owner(path: Path, tournament: UUID, tmp_path: Path) -> None:
    """The files are the ledger, SQLite's own files, the keys, the cache and the mirror."""
    disk = tmp_path / "disk"
    disk.mkdir()
    with open_ledger(path, mirror=disk) as ledger:
        assert ledger.mirror is not None
        ledger.mirror.follow(path, ledger.record(tournament), ledger.ring.path)
        files = [*tmp_path.glob("event.ledger*"), *disk.iterdir()]
        assert len(files) >= 5
        assert {file.name: oct(file.stat().st_mode & 0o777) for file in files} == {
            file.name: "0o600" for file in files
        }
