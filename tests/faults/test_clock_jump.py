"""A station's clock jumps backwards during a round. No entry is lost or reordered."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from freezegun import freeze_time
from tests.faults.station import CLERK, command_of, event
from tests.ledger.states import state

from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.ledger import open_ledger, verify
from matchledger.notation.slip import Written
from matchledger_projections.record.record import fold

TABLES = 24
MORNING = datetime(2026, 5, 3, 9, 0, tzinfo=UTC)
# The clock jumps by hours (summer time, an empty battery), or by a few seconds (a time server).
JUMPS = (timedelta(hours=-1), timedelta(days=-20_000), timedelta(days=20_000, hours=1), timedelta(seconds=-3))


@pytest.mark.faults
def test_a_clock_that_jumps_back_neither_loses_nor_reorders_anything(place: str) -> None:
    chance = random.Random(331)  # noqa: S311 - moments, not secrets
    shown: list[datetime] = []
    # The database driver times out by its own clock, which does not jump.
    with freeze_time(MORNING, ignore=["psycopg", "psycopg_pool"]) as time:
        tournament = event(place, TABLES)
        with open_ledger(place) as ledger:
            ledger.decide(tournament, clock.start_round, clerk=CLERK)
            began = ledger.head(tournament).size
            for table in range(1, TABLES + 1):
                jump = JUMPS[table // 6 - 1] if table % 6 == 0 else timedelta(seconds=chance.randint(1, 90))
                time.tick(jump)
                report = partial(slips.report, table=table, written=Written(winner=0))
                first = ledger.decide(tournament, report, clerk=CLERK, command=command_of(table))
                time.tick(timedelta(seconds=-30))
                assert ledger.decide(tournament, report, clerk=CLERK, command=command_of(table)) == first
                shown.append(datetime.now(UTC) + timedelta(seconds=30))
                record = ledger.record(tournament)
                round_ = record.round(1)
                assert round_ is not None
                elapsed = record.clock(round_).elapsed(datetime.now(UTC))
                assert elapsed is not None
                assert elapsed >= 0, "a clock that was set back reads 0"

    with open_ledger(place) as ledger:
        entries = list(ledger.entries(tournament))
        assert [entry.position for entry in entries] == list(range(1, began + TABLES + 1))
        assert [entry.recorded_at for entry in entries[began:]] == shown, (
            "a time is what the station's clock showed"
        )
        assert shown != sorted(shown)
        assert verify(ledger, tournament) == []
        assert ledger.record(tournament).latest_round().outstanding == ()  # type: ignore[union-attr] # it was paired
        for moment in {*shown, MORNING, MORNING - timedelta(hours=2), max(shown) + timedelta(days=1)}:
            position = ledger.position_at(tournament, moment)
            assert all(entry.recorded_at > moment for entry in entries[position:]), "all that was there is there"
            assert position == 0 or entries[position - 1].recorded_at <= moment, "and nothing later is let in"
            assert state(ledger.record_as_of(tournament, position)) == state(fold(entries[:position]))
        by_moment = [ledger.position_at(tournament, moment) for moment in sorted(shown)]
        assert by_moment == sorted(by_moment), "who looks later sees no less"
