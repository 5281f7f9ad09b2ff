"""This version verifies, exports and reads the known part of a log from a newer version."""

from __future__ import annotations

import json
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent
from tests.ledger.behind import on_a_file
from tests.ledger.conftest import CLERK

from matchledger.commands import roster
from matchledger.events import CheckpointSigned, Person
from matchledger.evidence.export import export_lines
from matchledger.ledger import Ledger, LedgerError, sound_tree, verify
from matchledger.ledger.verification import remarks
from matchledger.proof.checkpoint import Checkpoint, Posted, matches_line, origin_of
from matchledger.proof.keys import SigningKey

KEY = SigningKey.generate("organizer")


def _newer(ledger: Ledger, tournament: UUID) -> int:
    """Record an entry of an unknown kind, and return its position."""
    return _write(ledger, tournament, {"kind": "crowd-cheered", "loudness": 11})


def _write(ledger: Ledger, tournament: UUID, fact: dict[str, Any]) -> int:
    """Record a fact as a newer version would, and return its position."""
    position = ledger.head(tournament).size + 1
    entry = json.loads(ledger.entry(tournament, 1).model_dump_json()) | {
        "position": position,
        "command": f"tomorrow-{position}",
        "fact": fact,
    }
    state = json.dumps(entry, separators=(",", ":")).encode()
    ledger.recorder.insert_events([StoredEvent(tournament, position, fact["kind"], state)])
    return position


def _checkpoint_of_tomorrow(ledger: Ledger, tournament: UUID) -> int:
    """Sign a checkpoint whose list of matches contains entries that only the newer version knows."""
    tree = sound_tree(ledger, tournament)
    position, posted = ledger.record(tournament).postings[-1]
    lines = (*Posted(posted.round, position, tree.leaf(position)).lines, matches_line(b"\x11" * 32))
    note = Checkpoint(origin_of(tournament), tree.head, lines).signed(KEY)
    signed = CheckpointSigned(note=str(note), key=str(KEY.verification))
    return _write(ledger, tournament, signed.model_dump(mode="json"))


@pytest.mark.finding("A-12")
@on_a_file
def test_a_newer_kind_of_fact_does_not_block_the_log(small: Ledger) -> None:
    [tournament] = small.tournaments()
    before = small.record(tournament).position
    newer = _newer(small, tournament)
    assert small.record(tournament).position == before
    assert verify(small, tournament) == []
    assert remarks(small, tournament) == [
        f"a newer version of matchledger recorded entries {newer}: install it to see them"
    ]
    assert "crowd-cheered" in list(export_lines(small, tournament))[-1]
    with pytest.raises(LedgerError, match=f"entry {newer} was recorded by a newer version of matchledger"):
        small.decide(tournament, partial(roster.register, person=Person(name="Cy")), clerk=CLERK)


@pytest.mark.finding("A-12")
@on_a_file
def test_a_checkpoint_after_a_newer_entry_is_reported_as_unchecked(small: Ledger) -> None:
    """The checkpoint's list of matches may name the newer entry, so only the newer version can check the list."""
    [tournament] = small.tournaments()
    newer = _newer(small, tournament)
    signed = _checkpoint_of_tomorrow(small, tournament)
    assert verify(small, tournament, keys=[KEY.verification]) == []
    assert remarks(small, tournament) == [
        f"a newer version of matchledger recorded entries {newer}: install it to see them",
        f"the lists of matches in the checkpoints of entries {signed} were not checked: only the newer version can",
    ]


@pytest.mark.finding("A-12")
@on_a_file
def test_a_checkpoint_before_a_newer_entry_is_checked(small: Ledger) -> None:
    [tournament] = small.tournaments()
    signed = _checkpoint_of_tomorrow(small, tournament)
    newer = _newer(small, tournament)
    assert [str(found) for found in verify(small, tournament)] == [
        f"entry {signed}: its checkpoint lists other entries about some match than the log has"
    ]
    assert remarks(small, tournament) == [
        f"a newer version of matchledger recorded entries {newer}: install it to see them"
    ]
