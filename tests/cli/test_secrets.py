"""Secrets: an event with known secrets is played, and every output and every file is searched for them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from uuid import UUID

import pytest
from tests.cli.conftest import Desk

from matchledger.cli import COMMANDS
from matchledger.ledger.keyring import KeyRing

# Some typed lines are wrong, because error messages must not show secrets either.
LINES = (
    "token trust --key org.key --demand",
    "register Ann",
    "register Bo",
    "pair --table Ann/Bo",
    "report 1 a",
    "report 1 nonsense",
    "report 9 a",
    "post --key sign.key",
    "checkpoint --key sign.key",
    "token show",
    "token show --json",
    "token list",
    "token list --json",
    "token revoke xyz",
    "standings --json",
    "log",
    "log --json",
    "explain Ann --json",
    "integrity --json",
    "verify --json",
    "export plain.jsonl",
    "bundle 1 1 -o match.bundle",
    "erase Bo --yes --role organizer --reason asked",
    "erase Bo --yes --role organizer --reason asked",
    "register Cy --key org.key",
    "token issue --key nowhere.key --role judge --name Jo",
    "token issue --key event.ledger --role judge --name Jo",
)


@pytest.fixture
def said(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], str]:
    """Everything that was printed, and the token that the event used."""
    outputs = [desk("token key org.key"), desk("key sign.key"), desk("open Friday -b l5r-2018")]
    token = desk("token issue --key org.key --role organizer --name Org").lines[0]
    for line in LINES:
        if line.startswith("register Ann"):
            monkeypatch.setenv("MATCHLEDGER_TOKEN", token)
        outputs.append(desk(line))
    return [said.out + said.err for said in outputs], token


def test_each_secret_occurs_only_in_its_own_output_or_file(
    said: tuple[list[str], str], ledger: Path, tmp_path: Path
) -> None:
    printed, token = said
    seeds = {name: Path(name).read_text("utf-8").strip() for name in ("org.key", "sign.key")}
    tournament = UUID(re.findall(r'"tournament":"([0-9a-f-]{36})"', "".join(printed))[0])
    player = KeyRing(Path(f"{ledger}.keys")).key(tournament, 1)
    assert player is not None
    bundle = json.loads(Path("match.bundle").read_text("utf-8"))
    assert set(bundle["keys"]) == {"1", "2"}
    secrets = [token, token.rsplit(".", 1)[1], player.hex(), *seeds.values()]
    # The secret part of a key: after PRIVATE+KEY+name+hash+.
    bare = [seed.split("+", 4)[4] for seed in seeds.values()]
    assert all(len(seed) > 40 for seed in bare)
    secrets += bare
    for text in printed:
        assert not [secret for secret in secrets if secret in text]
        assert "Traceback" not in text
    own = {"org.key", "sign.key", f"{ledger.name}.keys"}
    for file in tmp_path.rglob("*"):
        if file.name not in own:
            content = file.read_bytes()
            assert not [secret for secret in secrets if secret.encode() in content], file.name
            assert player not in content, file.name


def test_every_listed_command_exists(said: tuple[list[str], str]) -> None:
    assert len(said[0]) == len(LINES) + 3
    assert {line.split()[0] for line in LINES} <= {*COMMANDS, "token"}
