"""Past moments: a position is always exact, and a time is as exact as the clock."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from uuid import UUID

import pytest
from freezegun import freeze_time

from matchledger.commands import roster
from matchledger.events import Person
from matchledger.ledger import Clerk, Ledger, open_ledger, verify

MORNING = datetime(2026, 5, 3, 9, 0, tzinfo=UTC)


def register(ledger: Ledger, tournament: UUID, name: str) -> None:
    ledger.decide(tournament, partial(roster.register, person=Person(name=name)), clerk=Clerk())


def names(ledger: Ledger, tournament: UUID, position: int) -> list[str]:
    return [player.name for player in ledger.record_as_of(tournament, position).entered()]


def test_all_entries_get_their_time_from_one_clock_in_utc(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger, freeze_time(MORNING) as clock:
        tournament = begin(ledger)
        clock.tick(timedelta(minutes=20))
        register(ledger, tournament, "Ann")
        recorded = [entry.recorded_at for entry in ledger.entries(tournament)]
    assert recorded == [MORNING, MORNING + timedelta(minutes=20)]
    assert all(moment.utcoffset() == timedelta(0) for moment in recorded)


def test_the_record_as_of_a_position_has_nothing_later(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "Ann", "Bo", "Cy")
        assert [names(ledger, tournament, position) for position in range(5)] == [
            [],
            [],
            ["Ann"],
            ["Ann", "Bo"],
            ["Ann", "Bo", "Cy"],
        ]


@pytest.mark.parametrize(
    ("moment", "position"),
    [
        (MORNING - timedelta(microseconds=1), 0),
        (MORNING, 1),
        (MORNING + timedelta(minutes=9, seconds=59), 1),
        (MORNING + timedelta(minutes=10), 2),
        (MORNING + timedelta(days=1), 4),
        (datetime(2026, 5, 3, 11, 10, tzinfo=timezone(timedelta(hours=2))), 2),
    ],
)
def test_a_moment_given_as_a_time_ends_with_the_last_entry_before_it(
    place: str, begin: Callable[..., UUID], moment: datetime, position: int
) -> None:
    with open_ledger(place, create=True) as ledger, freeze_time(MORNING) as clock:
        tournament = begin(ledger)
        for name in ("Ann", "Bo", "Cy"):
            clock.tick(timedelta(minutes=10))
            register(ledger, tournament, name)
        assert ledger.position_at(tournament, moment) == position


def test_a_clock_that_jumps_back_changes_no_order(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger, freeze_time(MORNING) as clock:
        tournament = begin(ledger)
        clock.move_to(MORNING + timedelta(hours=2))
        register(ledger, tournament, "Ann")
        clock.move_to(MORNING + timedelta(hours=1))
        register(ledger, tournament, "Bo")
        assert [entry.position for entry in ledger.entries(tournament)] == [1, 2, 3]
        assert [entry.recorded_at.hour for entry in ledger.entries(tournament)] == [9, 11, 10]
        assert names(ledger, tournament, 3) == ["Ann", "Bo"]
        assert verify(ledger, tournament) == []
        # Entries are ordered by position, not by time. Therefore a reader of the entry of 10:00 also knows the
        # entry of 11:00 before it.
        assert ledger.position_at(tournament, MORNING + timedelta(minutes=90)) == 3
        assert ledger.position_at(tournament, MORNING + timedelta(minutes=30)) == 1


def test_entries_of_one_command_have_the_same_time(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "Ann", "Bo")
        person = Person(name="Cy")
        entries = ledger.decide(
            tournament,
            lambda record: [*roster.register(record, person=person), *roster.drop(record, player=1)],
            clerk=Clerk(),
        )
        assert len({entry.recorded_at for entry in entries}) == 1
        assert [entry.position for entry in entries] == [4, 5]
