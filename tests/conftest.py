"""What all tests share: score sheets replayed in memory, and golden files."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from pydantic import BaseModel
from tests import alone, budgets, databases, watch
from tests.desk import run_cli
from tests.event import SECRET
from tests.golden import Golden
from tests.same_chance import SameChance

from matchledger.commands.command import Command
from matchledger.commands.registry import COMMANDS
from matchledger.events import Derivation, Fact, OpenedWord
from matchledger.formats.reader import read_transcript
from matchledger.proof.station_token import StationToken
from matchledger.service.importing import Transcription, transcribe
from matchledger_projections.decks.cards import Card
from matchledger_projections.record import chance
from matchledger_projections.rulebook.sections import RulebookPart

# In CI, hypothesis tries the same examples each time. On a developer's machine, hypothesis tries new examples each
# time. No example has a time limit.
settings.register_profile("usual", derandomize=bool(os.environ.get("CI")), deadline=None)
settings.load_profile("usual")
settings.register_profile("long", max_examples=3000, deadline=None)

# pydantic prepares commands and facts on first use, and fails while a test freezes the date. Prepare them now.
list(COMMANDS.values())
models: list[type[BaseModel]] = [Card, OpenedWord, StationToken]
for base in (Command, Fact, RulebookPart):
    models += base.__subclasses__()
for model in models:
    model.model_rebuild()

# Tests ignore the ledger, token and keys of the user's shell.
for name in [name for name in os.environ if name.startswith("MATCHLEDGER_")]:
    del os.environ[name]
# In tests, an unexpected error shows its traceback.
os.environ["MATCHLEDGER_TRACEBACK"] = "1"
# A ledger spends most time waiting for its disk, and no test cuts the power.
MEMORY = Path("/dev/shm")  # noqa: S108 - pytest makes a folder of its own in it
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2**30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
# Without compiled modules, each program that a test starts would compile every module.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

watch.begin()

# Many tests expect the tables of version 1 of the derivation. In version 2, draws depend on encrypted bytes, whose
# nonces are different each time. A test that expects no fixed tables overrides the fixture `derivation`.
chance.DERIVATION = 1

# The tests make their own key for encrypting caches, and use no key from a home folder.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="state-")
atexit.register(shutil.rmtree, os.environ["XDG_STATE_HOME"], ignore_errors=True)

__all__ = ["run_cli"]  # every test can use this fixture

Replay = Callable[[str], Transcription]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--refresh-golden",
        action="store_true",
        help="Rewrite golden files with what is printed now; then read them.",
    )
    parser.addoption(
        "--side-by-side",
        type=float,
        default=20,
        metavar="SECONDS",
        help="How long a server and terminals share one file while the server is killed; 3600 for an hour.",
    )
    parser.addoption(
        "--storm",
        type=float,
        default=60,
        metavar="SECONDS",
        help="How long chance drives whole events through every face, on each store; 3600 for an hour.",
    )
    parser.addoption(
        "--storm-seed",
        type=int,
        default=0,
        metavar="SEED",
        help="The first row of events of the storm; 0 is the row of the gate.",
    )
    parser.addoption(
        "--long",
        action="store_true",
        help="Search for longer: thousands of examples, hundreds of kills, a minute of fuzzing for each target.",
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Use one worker more than the machine has processors, because many tests wait for a disk, a browser or a
    kill.
    """
    return (os.cpu_count() or 1) + 1


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--long"):
        settings.load_profile("long")
        budgets.lengthen()
    config.pluginmanager.register(budgets.Stopwatch())
    if os.environ.get("CI"):
        config.pluginmanager.register(SameChance())
    if (turns := alone.turns(config)) is not None:
        config.pluginmanager.register(turns)


@pytest.fixture(autouse=True)
def _no_ledger_is_opened_but_through_sqlite() -> Iterator[None]:
    """Fail a test in which code other than SQLite opens a ledger file. Only `ledger/files.py` may do so."""
    yield
    assert watch.seen() == []


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md with which a test or a folder of tests opens tournaments."""
    return chance.DERIVATION


@pytest.fixture(autouse=True)
def _derived_by(derivation: Derivation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance, "DERIVATION", derivation)


@pytest.fixture(scope="session")
def golden(request: pytest.FixtureRequest) -> Golden:
    return Golden(refresh=request.config.getoption("--refresh-golden"))


@pytest.fixture(scope="session")
def replay() -> Replay:
    """Replay a score sheet in memory. The result has a draft, with its entries and its record."""

    def carried_out(sheet: str) -> Transcription:
        data = sheet.encode()
        return transcribe(read_transcript(data, "sheet"), data=data, source="event.sheet", secret=SECRET)

    return carried_out


# -- stores of ledgers


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.ledger"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with databases.server() as url:
        yield url


@pytest.fixture
def database(postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of an empty database whose key ring is in a file."""
    monkeypatch.setenv("MATCHLEDGER_KEYS", str(tmp_path / "database.keys"))
    with databases.database(postgresql) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest) -> str:
    """Where a ledger can be: in a file, and in a database."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("path"))
    url: str = request.getfixturevalue("database")
    return url
