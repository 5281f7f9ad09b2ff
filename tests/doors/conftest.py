"""Tournaments at every stage that demand tokens, and a token for each role."""

from __future__ import annotations

import contextlib
import shlex
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from tests.doors.matrix import NAMES, STAGES, WITNESS

from matchledger.cli import run
from matchledger.events import Derivation
from matchledger.ledger import now, open_ledger
from matchledger.proof.checkpoint import SignedNote
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue

Stage = Callable[[str], Path]
_DECK = "[dynasty]\n{} Hida Guardian\n"
# One division with enough players for two flights.
_FIELD = "\n".join(["name,division", *(f"M{n},masters" for n in range(64)), *(f"J{n},junior" for n in range(6))])


def typed(line: str, *more: str) -> int:
    """Run a typed line in which `{today}` is today's date. Return the exit code."""
    return run([*shlex.split(line.format(today=now().date())), *more])


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that new tournaments use."""
    return 2


@pytest.fixture(scope="session")
def key() -> SigningKey:
    """The key that signs the organizer's tokens."""
    return SigningKey.generate("organizer")


@pytest.fixture(scope="session")
def tokens(key: SigningKey) -> dict[str, str]:
    """A token for each role, and a token that may only read."""
    return {role: issue(key, token(role)) for role in (*NAMES, "read-only")}


def token(role: str, **other: object) -> StationToken:
    """Return the contents of a role's token, which is valid for a year from now."""
    start = now()
    said: dict[str, object] = {
        "role": role,
        "actor": NAMES.get(role, "Wall"),
        "station": f"{role}'s",
        "issued": start,
        "not_before": start,
        "expires": start + timedelta(days=365),
    }
    return StationToken.model_validate(said | other)


@pytest.fixture(scope="session")
def _stages(tmp_path_factory: pytest.TempPathFactory, key: SigningKey) -> Callable[[str], Path]:
    """Folders with a tournament at a given stage. A folder is made when a test first asks for the stage."""
    made: dict[str, Path] = {}

    def folder(stage: str) -> Path:
        if stage not in made:
            made[stage] = place = tmp_path_factory.mktemp(stage)
            (place / "org.key").write_text(f"{key}\n")
            (place / "other.key").write_text(f"{SigningKey.generate('other')}\n")
            (place / "sign.key").write_text(f"{SigningKey.generate('sign')}\n")
            for name in ("org.key", "other.key", "sign.key"):
                (place / name).chmod(0o600)
            (place / "deck.txt").write_text(_DECK.format(3))
            (place / "other.txt").write_text(_DECK.format(2))
            (place / "field.csv").write_text(_FIELD)
            with contextlib.chdir(place):
                for line in STAGES[stage]:
                    prepared(line, "event.ledger")
                if stage == "apart":
                    assert typed("migrate event.ledger other.ledger") == 0
                    prepared("checkpoint --key sign.key", "other.ledger")
                    prepared("penalty Ann warning --for unsporting", "other.ledger")
                if stage == "signed":
                    with open_ledger("event.ledger") as ledger:
                        [(_, fact)] = ledger.record(ledger.tournaments()[0]).checkpoints
                    text = SignedNote.parse(fact.note).text
                    (place / "cosigned.txt").write_text(fact.note + WITNESS.cosign(text, 1), "utf-8")
                prepared("token trust --key org.key --demand", "event.ledger")
        return made[stage]

    return folder


def prepared(line: str, ledger: str) -> None:
    """Run one of the command lines that prepare the ledger."""
    role = () if line.startswith("open") else ("--role", "organizer")
    assert typed(line, *role, "--ledger", ledger) == 0, line


@pytest.fixture
def at_stage(_stages: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Make a separate folder with a tournament at a given stage, and return the path of its ledger."""
    count = 0

    def at_stage(stage: str) -> Path:
        nonlocal count
        count += 1
        place = tmp_path / str(count)
        shutil.copytree(_stages(stage), place)
        monkeypatch.chdir(place)
        monkeypatch.setenv("MATCHLEDGER_LEDGER", str(place / "event.ledger"))
        return place / "event.ledger"

    return at_stage
