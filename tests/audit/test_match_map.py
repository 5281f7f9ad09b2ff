"""The map of matches: what a checkpoint says about each match, and how `docs/verify.py` checks it."""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import StoredEvent
from hypothesis import given, settings
from tests.audit.random_events import RandomEvent, events
from tests.audit.scripted_dispute import Dispute

from matchledger.cli import run
from matchledger.events import Entry, PairingAmended, RoundPaired
from matchledger.ledger import Clerk, open_ledger, sign_checkpoint, signing, verify
from matchledger.proof.keys import SigningKey
from matchledger.proof.match_map import Match, MatchMap, leaf_of
from matchledger_projections.document import written

pytestmark = pytest.mark.finding("A-6")

PAGE: dict[str, Any] = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "verify.py"))


def matches_of(entries: Iterable[Entry]) -> set[Match]:
    """Return every match that was ever paired."""
    found = set()
    for fact in (entry.fact for entry in entries):
        if isinstance(fact, RoundPaired | PairingAmended):
            seatings = fact.tables if isinstance(fact, RoundPaired) else fact.added
            found |= {Match(fact.stage, fact.round, seating.table, seating.players) for seating in seatings}
    return found


@settings(max_examples=25)
@given(event=events())
def test_the_verifier_finds_the_entries_that_the_map_of_matches_lists(event: RandomEvent) -> None:
    """docs/verify.py finds the entries of each match with its own code."""
    mapped = MatchMap(event.entries)
    log = [written(entry) for entry in event.entries]
    matches = matches_of(event.entries)
    assert mapped.head.size == len(matches)
    for match in matches:
        listing = mapped.listing(match)
        asked = {"stage": match.stage, "round": match.round, "table": match.table, "players": [*match.players]}
        assert PAGE["about_match"](asked, log, set()) == list(listing.positions)
        leaf = leaf_of(match, listing.positions)
        assert PAGE["root_over"](leaf, listing.index, listing.size, listing.proof) == mapped.head.root


def test_a_checkpoint_that_signs_a_false_map_of_matches_is_named(
    dispute: Dispute, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An organizer may sign a map that lacks the correction. Any holder of the log can detect the false map.

    An entry that a newer version wrote later does not hide the false map.
    """

    def without_corrections(entries: Iterable[Entry]) -> MatchMap:
        return MatchMap(entry for entry in entries if entry.fact.kind != "result-corrected")

    path = dispute.copied_to(tmp_path)
    with open_ledger(path) as ledger:
        [tournament] = ledger.tournaments()
    assert run(["drop", "#1", "--ledger", str(path)]) == 0
    with open_ledger(path) as ledger, monkeypatch.context() as patched:
        patched.setattr(signing, "MatchMap", without_corrections)
        key = SigningKey.parse(dispute.key.read_text("utf-8").strip())
        entry = sign_checkpoint(ledger, tournament, key, clerk=Clerk("Olga", "organizer", "desk"))
        cheer = {**json.loads(entry.model_dump_json()), "position": entry.position + 1, "command": "cheer"}
        state = json.dumps({**cheer, "fact": {"kind": "crowd-cheered"}}, separators=(",", ":")).encode()
        ledger.recorder.insert_events([StoredEvent(tournament, entry.position + 1, "crowd-cheered", state)])
        found = verify(ledger, tournament)
    assert [str(finding) for finding in found] == [
        f"entry {entry.position}: its checkpoint lists other entries about some match than the log has"
    ]
