"""Several commands in one transaction: a refused command does not stop the other commands, and either all of
these are recorded or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from uuid import UUID

import pytest
from eventsourcing.persistence import StoredEvent

from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import AlreadyReported, Refusal
from matchledger.events import Seating
from matchledger.ledger import Clerk, Conflict, Ledger, open_ledger, verify
from matchledger.notation.slip import Written

PLAYERS = ("A", "B", "C", "D", "E", "F")
TABLES = (1, 2, 3)
PAIRED = 1 + len(PLAYERS) + 1  # entries


@pytest.fixture
def event(place: str, begin: Callable[..., UUID]) -> Iterator[tuple[Ledger, UUID]]:
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, *PLAYERS)
        games = [Seating(table=table, players=(2 * table - 1, 2 * table)) for table in TABLES]
        ledger.decide(tournament, partial(rounds.pair_by_hand, games=games), clerk=Clerk(role="organizer"))
        yield ledger, tournament


def report(ledger: Ledger, tournament: UUID, table: int) -> None:
    decision = partial(slips.report, table=table, written=Written(winner=0))
    ledger.decide(tournament, decision, clerk=Clerk(), command=f"table {table}")


def test_each_command_is_decided_after_the_entries_before_it(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    with ledger.together(tournament):
        report(ledger, tournament, 1)
        with pytest.raises(AlreadyReported):
            ledger.decide(
                tournament, partial(slips.report, table=1, written=Written(winner=0)), clerk=Clerk(station="south")
            )
        with pytest.raises(Refusal):
            report(ledger, tournament, 9)
        report(ledger, tournament, 2)
        report(ledger, tournament, 1)  # report the same slip again
        assert ledger.entry(tournament, PAIRED + 2).command == "table 2"
    assert [entry.command for entry in ledger.entries(tournament, after=PAIRED)] == ["table 1", "table 2"]
    assert verify(ledger, tournament) == []


def test_entries_are_on_the_disk_only_at_the_end(place: str, event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    with open_ledger(place) as other:
        with ledger.together(tournament):
            report(ledger, tournament, 1)
            assert ledger.record(tournament).position == PAIRED + 1
            assert other.record(tournament).position == other.head(tournament).size == PAIRED
        assert other.record(tournament).position == other.head(tournament).size == PAIRED + 1


def test_if_one_command_fails_none_is_recorded(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event

    def report_with_a_gap() -> None:
        with ledger.together(tournament):
            report(ledger, tournament, 1)
            ledger.recorder.insert_events([StoredEvent(tournament, PAIRED + 9, "t", b"{}")])

    with pytest.raises(Conflict):
        report_with_a_gap()
    assert ledger.record(tournament).position == ledger.head(tournament).size == PAIRED
    report(ledger, tournament, 2)
    assert [entry.command for entry in ledger.entries(tournament, after=PAIRED)] == ["table 2"]
    assert verify(ledger, tournament) == []


def test_the_entries_of_another_station_are_seen(place: str, event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    with open_ledger(place) as other:
        report(other, tournament, 1)
        with ledger.together(tournament):
            report(ledger, tournament, 2)
        report(other, tournament, 3)
        with ledger.together(tournament), pytest.raises(AlreadyReported):
            ledger.decide(tournament, partial(slips.report, table=3, written=Written(winner=0)), clerk=Clerk())
        assert verify(ledger, tournament) == verify(other, tournament) == []
