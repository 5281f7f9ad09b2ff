"""The record up to a position equals the fold of the entries up to there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from tests.ledger.states import state

from matchledger.ledger import Ledger, open_ledger
from matchledger_projections.record.record import Record, fold


@pytest.fixture
def entries(place: str, play_everything: Callable[[Ledger], UUID]) -> Any:
    with open_ledger(place, create=True) as ledger:
        tournament = play_everything(ledger)
        return list(ledger.entries(tournament))


def test_the_record_as_of_a_position_equals_a_replay_up_to_that_position(entries: list[Any]) -> None:
    whole = fold(entries)
    for position in range(len(entries) + 1):
        assert state(whole.as_of(position)) == state(fold(entries[:position]))


def test_the_caller_may_change_an_earlier_record(entries: list[Any]) -> None:
    whole = fold(entries)
    before = state(whole)
    for position in range(len(entries)):
        past: Record = whole.as_of(position)
        for entry in entries[position:]:
            past.apply(entry)
        assert state(past) == before
    assert state(whole) == before
