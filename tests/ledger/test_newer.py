"""A log from a newer version is verified, exported and read as far as it is known."""

from __future__ import annotations

import json
from functools import partial
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent
from tests.ledger.behind import on_a_file
from tests.ledger.conftest import CLERK

from matchledger.commands import roster
from matchledger.events import Person
from matchledger.evidence.export import export_lines
from matchledger.ledger import Ledger, LedgerError, verify
from matchledger.ledger.verification import remarks


def _newer(ledger: Ledger, tournament: UUID) -> int:
    """Record an entry of an unknown kind, and return its position."""
    last = ledger.entry(tournament, ledger.head(tournament).size)
    entry = json.loads(last.model_dump_json()) | {
        "position": last.position + 1,
        "command": "tomorrow",
        "fact": {"kind": "crowd-cheered", "loudness": 11},
    }
    state = json.dumps(entry, separators=(",", ":")).encode()
    ledger.recorder.insert_events([StoredEvent(tournament, last.position + 1, "crowd-cheered", state)])
    return last.position + 1


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
