"""A dispute file of an event whose stations sign. docs/verify.py checks who wrote each entry."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import StoredEvent
from tests.audit.test_stand_alone_verifier import verified

from matchledger.cli import run
from matchledger.ledger import open_ledger, verify
from matchledger.ledger.tree import Tree
from matchledger.proof import authorship
from matchledger.proof.keys import to_base64

pytestmark = pytest.mark.finding("A-3")

Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def signed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capsys) -> Callable[..., str]:
    """A corrected match that two stations recorded. The fixture is a function that types a command and returns
    its output.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MATCHLEDGER_LEDGER", "event.ledger")

    def typed(*words: str) -> str:
        assert run([*words]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    typed("open", "T", "--rulebook", "l5r-2018")
    typed("register", "Ann")
    typed("register", "Bo")
    typed("token", "key", "tokens.key")
    typed("token", "trust", "--key", "tokens.key", "--demand", "--role", "organizer")
    tokens = {
        role: typed("token", "issue", "--key", "tokens.key", "--role", role, "--name", role.title()).split()[0]
        for role in ("organizer", "scorekeeper")
    }
    typed("pair", "--token", tokens["organizer"])
    typed("report", "1", "a", "--token", tokens["scorekeeper"])
    typed("correct", "1", "1", "b", "--token", tokens["organizer"], "--reason", "misread")
    typed("key", "judge.key")
    typed("checkpoint", "--key", "judge.key", "--token", tokens["organizer"])
    monkeypatch.setenv("MATCHLEDGER_TOKEN", tokens["organizer"])
    return typed


def _bundle(typed: Callable[..., str], name: str = "match.bundle") -> str:
    typed("bundle", "1", "1", "--out", name)
    return Path(name).read_text("utf-8")


def test_a_bundle_contains_the_entries_that_prove_its_stations(signed: Callable[..., str], tmp_path: Path) -> None:
    text = _bundle(signed)
    code, lines = verified(tmp_path / ".", text)
    assert code == 0, lines
    topics = {entry["topic"]: entry["position"] for entry in json.loads(text)["entries"]}
    assert {"token-key-trusted", "token-admitted", "result-reported", "result-corrected"} <= topics.keys()
    [total] = [line for line in lines if line.startswith("Everything in this file holds")]
    signed_entries = total.partition(" Stations signed entries ")[2]
    assert {str(topics["result-reported"]), str(topics["result-corrected"])} <= set(
        signed_entries.rstrip(".").split(", ")
    )


def _resigned(text: str, change: Callable[[bytes], bytes], topic: str) -> str:
    """Return the bundle of a log with a false entry and a rebuilt hash tree, which no checkpoint signs."""
    bundle: dict[str, Any] = json.loads(text)
    [line] = [entry for entry in bundle["entries"] if entry["topic"] == topic]
    with open_ledger("event.ledger") as ledger:
        [tournament] = ledger.tournaments()
        rows = list(ledger.recorder.entry_rows(tournament, through=bundle["tree"]["size"]))
    rows[line["position"] - 1] = rows[line["position"] - 1]._replace(state=change(rows[line["position"] - 1].state))
    tree = Tree(rows)
    for entry in bundle["entries"]:
        entry["stored"] = b64encode(rows[entry["position"] - 1].state).decode()
        entry["inclusion"] = [to_base64(node) for node in tree.inclusion(entry["position"])]
        if "before" in entry:
            before = entry["position"] - 1
            entry["before"] = [to_base64(node) for node in (tree.leaf(before), *tree.inclusion(before))]
    bundle["tree"]["root"] = to_base64(tree.head.root)
    bundle["checkpoints"] = []
    return json.dumps(bundle, indent=1) + "\n"


def _without_signature(state: bytes) -> bytes:
    return authorship.unsigned(state)


def _in_anothers_role(state: bytes) -> bytes:
    return state.replace(b'"role":"organizer"', b'"role":"marshal"')


def _another_winner(state: bytes) -> bytes:
    return re.sub(rb'"winner":([12])', lambda found: b'"winner":%d' % (3 - int(found[1])), state)


@pytest.mark.parametrize("change", [_without_signature, _in_anothers_role, _another_winner])
def test_an_entry_that_its_station_did_not_sign_is_named(
    signed: Callable[..., str], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    """With access to the database a person can build any tree, but cannot make a station's signature."""
    text = _bundle(signed)
    [at] = [entry["position"] for entry in json.loads(text)["entries"] if entry["topic"] == "result-corrected"]
    code, lines = verified(tmp_path / ".", _resigned(text, change, "result-corrected"))
    assert (code, lines) == (1, [f"DOES NOT HOLD: entry {at} does not count: its author did not sign it."])


@pytest.mark.parametrize("change", ["left out", "of another entry"])
def test_a_bundle_proves_the_place_of_each_signed_entry(
    signed: Callable[..., str], tmp_path: Path, change: str
) -> None:
    bundle = json.loads(_bundle(signed))
    corrected = next(entry for entry in bundle["entries"] if entry["topic"] == "result-corrected")
    if change == "left out":
        del corrected["before"]
    else:
        corrected["before"] = next(entry["before"] for entry in bundle["entries"] if "before" in entry)
    code, lines = verified(tmp_path / ".", json.dumps(bundle, indent=1) + "\n")
    assert (code, lines) == (
        1,
        [f"DOES NOT HOLD: entry {corrected['position']} does not count: its author did not sign it."],
    )


def test_a_forged_correction_in_the_whole_log_is_named_and_does_not_contradict_a_bundle(
    signed: Callable[..., str], tmp_path: Path
) -> None:
    """The forged correction is in the log but does not count."""
    text = _bundle(signed)
    with open_ledger("event.ledger") as ledger:
        [tournament] = ledger.tournaments()
        rows = list(ledger.recorder.entry_rows(tournament))
        corrected = next(row for row in rows if row.topic == "result-corrected")
        position = len(rows) + 1
        state = authorship.unsigned(corrected.state).replace(
            b'"position":%d,' % corrected.position, b'"position":%d,' % position
        )
        ledger.recorder.insert_events([StoredEvent(tournament, position, corrected.topic, state)])
        assert [finding.position for finding in verify(ledger, tournament)] == [position]
    signed("export", "log.jsonl")
    code, lines = verified(tmp_path / ".", text, "--log", str(tmp_path / "log.jsonl"))
    assert code == 0, lines
    assert lines[0] == (
        f"The log that you gave has {position} entries, and nothing more about this match. "
        f"Entries that do not count, written in another's name: [{position}]."
    )


@pytest.mark.finding("A-6")
def test_the_whole_log_shows_that_a_name_in_a_bundle_was_corrected(
    signed: Callable[..., str], tmp_path: Path
) -> None:
    text = _bundle(signed)
    signed("rename", "Ann", "Anna Lee")
    signed("checkpoint", "--key", "judge.key")
    signed("export", "log.jsonl")
    with open_ledger("event.ledger") as ledger:
        [tournament] = ledger.tournaments()
        rows = ledger.recorder.entry_rows(tournament)
        [at] = [row.position for row in rows if row.topic == "person-corrected"]
    code, lines = verified(tmp_path, text, "--log", "log.jsonl")
    assert (code, lines) == (1, [f"DOES NOT HOLD: the log that you gave has more about this match: entries {at}."])
    assert verified(tmp_path, _bundle(signed, "renamed.bundle"), "--log", "log.jsonl")[0] == 0
