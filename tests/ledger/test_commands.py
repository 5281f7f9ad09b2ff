"""Commands of several stations: each is recorded once, retried after another station, or refused if it is too
late.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from unittest.mock import Mock
from uuid import UUID

import pytest
from tests.ledger.behind import Behind, on_a_file

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Person, ResultReported, Seating
from matchledger.ledger import Clerk, Conflict, Draft, Ledger, open_ledger, verify
from matchledger.ledger.application import ATTEMPTS
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record

NORTH, SOUTH = Clerk("Ann", "scorekeeper", "north"), Clerk("Bo", "judge", "south")
TABLES = 8


@pytest.fixture
def stations(place: str, begin: Callable[..., UUID]) -> Iterator[tuple[Ledger, Ledger, UUID]]:
    """Two stations with one ledger, before a round of eight tables."""
    with open_ledger(place, create=True) as north, open_ledger(place) as south:
        tournament = begin(north, *(f"P{number:02}" for number in range(1, 2 * TABLES + 1)))
        games = [Seating(table=table, players=(2 * table - 1, 2 * table)) for table in range(1, TABLES + 1)]
        north.decide(tournament, partial(rounds.pair_by_hand, games=games), clerk=NORTH)
        yield north, south, tournament


def winner(table: int) -> Callable[[Record], list[AnyFact]]:
    return partial(slips.report, table=table, written=Written(winner=0))


def interrupted(
    decision: Callable[[Record], list[AnyFact]], by: Callable[[], object], times: int = 1
) -> Callable[[Record], list[AnyFact]]:
    """Return a decision that another station interrupts: it changes the record before the decision is recorded."""
    left = iter(range(times))

    def decide(record: Record) -> list[AnyFact]:
        facts = decision(record)
        if next(left, None) is not None:
            by()
        return facts

    return decide


def test_the_same_command_twice_is_recorded_once(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, _, tournament = stations
    first = north.decide(tournament, winner(1), clerk=NORTH, command="slip 1")
    again = north.decide(tournament, winner(1), clerk=NORTH, command="slip 1")
    assert again == first
    assert north.head(tournament).size == first[-1].position


def test_the_same_command_from_another_station_is_recorded_once(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    first = north.decide(tournament, winner(1), clerk=NORTH, command="slip 1")
    assert south.decide(tournament, winner(1), clerk=SOUTH, command="slip 1") == first


def test_using_the_id_of_another_command_is_a_conflict(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    [first] = north.decide(tournament, winner(1), clerk=NORTH, command="slip 1")
    said = f"command id slip 1 belongs to entry {first.position} (result-reported): use another id"
    for other in (winner(2), partial(roster.drop, player=1), partial(roster.drop, player=99)):
        with pytest.raises(Conflict) as caught:
            south.decide(tournament, other, clerk=SOUTH, command="slip 1")
        assert str(caught.value) == said
    assert north.head(tournament).size == first.position


def test_a_repeated_command_is_recognized_after_later_entries(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, _, tournament = stations
    first = north.decide(tournament, partial(roster.drop, player=1), clerk=NORTH, command="gone")
    north.decide(tournament, partial(roster.rejoin, player=1), clerk=NORTH)
    assert north.decide(tournament, partial(roster.drop, player=1), clerk=NORTH, command="gone") == first


def test_a_repeated_command_returns_all_its_first_entries(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    absent = partial(slips.no_show, absent=(1, 2))
    first = north.decide(tournament, absent, clerk=NORTH, command="gone")
    assert [entry.fact.kind for entry in first] == ["no-show-recorded", "player-dropped", "player-dropped"]
    assert {entry.command for entry in first} == {"gone"}
    assert south.decide(tournament, absent, clerk=SOUTH, command="gone") == first


def test_commands_without_an_id_never_count_as_repeated(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, _, tournament = stations
    [one] = north.decide(tournament, winner(1), clerk=NORTH)
    [other] = north.decide(tournament, winner(2), clerk=NORTH)
    assert one.command != other.command


def test_a_refused_command_can_be_sent_again_when_the_rules_allow_it(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, _, tournament = stations
    with pytest.raises(Refusal):
        north.decide(tournament, partial(rounds.pair_round, secret=bytes(32)), clerk=NORTH, command="pair 2")
    for table in range(1, TABLES + 1):
        north.decide(tournament, winner(table), clerk=NORTH)
    [entry] = north.decide(tournament, partial(rounds.pair_round, secret=bytes(32)), clerk=NORTH, command="pair 2")
    assert entry.fact.kind == "round-paired"


def test_an_entry_has_a_clerk_and_a_station_and_a_reason(stations: tuple[Ledger, Ledger, UUID]) -> None:
    _, south, tournament = stations
    [entry] = south.decide(tournament, winner(3), clerk=SOUTH, command="slip 3", reason="the pile was lost")
    assert (entry.actor, entry.role, entry.station) == ("Bo", "judge", "south")
    assert (entry.command, entry.reason) == ("slip 3", "the pile was lost")
    assert entry.tournament == tournament
    assert entry.recorded_at.utcoffset() is not None


def test_after_a_slip_for_another_table_a_command_is_retried(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    before = north.head(tournament).size
    other = partial(south.decide, tournament, winner(2), clerk=SOUTH)
    [entry] = north.decide(tournament, interrupted(winner(1), other), clerk=NORTH)
    assert entry.position == before + 2
    tables = [entry.fact.table for entry in south.entries(tournament, after=before)]  # type: ignore[union-attr] # reports
    assert tables == [2, 1]
    assert verify(north, tournament) == []


def test_a_station_that_was_alone_does_not_read_its_log_and_still_finds_what_others_record(
    stations: tuple[Ledger, Ledger, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    north, south, tournament = stations
    pages = Mock(wraps=north.recorder.entry_page)
    monkeypatch.setattr(north.recorder, "entry_page", pages)

    def alone(*tables: int) -> None:
        for table in tables:
            pages.reset_mock()
            north.decide(tournament, winner(table), clerk=NORTH)
        pages.assert_not_called()

    alone(1, 2, 3)
    south.decide(tournament, partial(roster.drop, player=16), clerk=SOUTH)
    # the record in the north's memory would refuse this command
    north.decide(tournament, partial(roster.rejoin, player=16), clerk=NORTH)
    alone(4, 5, 6)
    south.decide(tournament, winner(7), clerk=SOUTH)
    with pytest.raises(Refusal):  # and would accept this one
        north.decide(tournament, winner(7), clerk=NORTH)
    assert verify(north, tournament) == []


def test_the_refusal_of_a_second_slip_names_the_recorded_slip(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    before = north.head(tournament).size
    other = partial(south.decide, tournament, winner(1), clerk=SOUTH)
    with pytest.raises(Refusal) as caught:
        north.decide(tournament, interrupted(winner(1), other), clerk=NORTH)
    assert str(caught.value) == (
        f"table 1 of round 1 has a result already (entry {before + 1}): correct it if it is wrong"
    )
    assert north.head(tournament).size == before + 1


def test_the_same_slip_sent_by_two_stations_at_once_is_recorded_once(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    other = partial(south.decide, tournament, winner(1), clerk=SOUTH, command="slip 1")
    [entry] = north.decide(tournament, interrupted(winner(1), other), clerk=NORTH, command="slip 1")
    assert entry.station == "south"
    assert north.head(tournament).size == entry.position


def test_a_command_that_others_always_overtake_is_a_conflict_and_records_nothing(
    stations: tuple[Ledger, Ledger, UUID],
) -> None:
    north, south, tournament = stations
    before = north.head(tournament).size
    posts = iter(range(1, TABLES))
    tries: list[int] = []

    def other() -> None:
        tries.append(1)
        south.decide(tournament, winner(next(posts)), clerk=SOUTH)

    with pytest.raises(Conflict) as caught:
        north.decide(tournament, interrupted(winner(TABLES), other, times=ATTEMPTS), clerk=NORTH)
    assert str(caught.value) == "other stations kept writing to this tournament: nothing was recorded, try again"
    assert len(tries) == ATTEMPTS
    reports = [entry.fact for entry in north.entries(tournament, after=before)]
    assert [fact.table for fact in reports if isinstance(fact, ResultReported)] == [1, 2, 3, 4, 5]


def test_four_stations_at_once_lose_no_slip(stations: tuple[Ledger, Ledger, UUID], place: str) -> None:
    north, _, tournament = stations
    before = north.head(tournament).size

    def work(tables: range) -> None:
        with open_ledger(place) as ledger:
            for table in tables:
                while True:
                    try:
                        ledger.decide(tournament, winner(table), clerk=SOUTH, command=f"slip {table}")
                    except Conflict:
                        continue
                    break

    threads = [threading.Thread(target=work, args=(range(first, TABLES + 1, 4),)) for first in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert north.head(tournament).size == before + TABLES
    assert north.record(tournament).latest_round().outstanding == ()  # type: ignore[union-attr] # it was paired
    assert verify(north, tournament) == []


@on_a_file
def test_a_locked_file_is_a_conflict_for_other_stations(
    small: Ledger, raw: Behind, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [tournament] = small.tournaments()
    monkeypatch.setattr("matchledger.ledger.location.LOCK_SECONDS", 1)
    with open_ledger(path) as impatient:
        raw.execute("BEGIN IMMEDIATE")
        with pytest.raises(Conflict) as caught:
            impatient.decide(tournament, partial(roster.drop, player=1), clerk=NORTH)
        assert impatient.record(tournament).status(1) == "active"
        raw.execute("ROLLBACK")
    assert str(caught.value) == "another station keeps writing: nothing was recorded, try again"


def test_a_draft_is_recorded_whole_or_not_at_all(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    before = north.head(tournament)
    draft = Draft(tournament, north.record_as_of(tournament, before.size), NORTH)
    draft.decide(winner(1))
    draft.decide(winner(2))
    south.decide(tournament, winner(3), clerk=SOUTH)
    after = north.head(tournament)
    with pytest.raises(Conflict) as caught:
        north.keep(draft)
    assert str(caught.value) == "another station was first: nothing was recorded, try again"
    assert north.head(tournament) == after


def test_a_draft_records_nothing_until_it_is_kept(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, _, tournament = stations
    before = north.head(tournament)
    draft = Draft(tournament, north.record_as_of(tournament, before.size), NORTH)
    draft.decide(winner(1))
    assert north.head(tournament) == before
    assert north.record(tournament).round(1).outstanding == tuple(range(1, TABLES + 1))  # type: ignore[union-attr]
    north.keep(draft)
    assert north.record(tournament).round(1).outstanding == tuple(range(2, TABLES + 1))  # type: ignore[union-attr]
    assert list(north.entries(tournament, after=before.size)) == draft.entries


def test_a_refused_decision_leaves_a_draft_unchanged() -> None:
    draft = Draft(UUID(int=1))
    with pytest.raises(Refusal):
        draft.decide(partial(roster.register, person=Person(name="Ann")))
    assert draft.entries == []
    assert draft.record.position == 0


def test_sizes_gives_the_length_of_every_log(place: str, begin: Callable[..., UUID]) -> None:
    with open_ledger(place, create=True) as ledger:
        assert ledger.sizes() == {}
        opened = [begin(ledger, *"ABCD"[:players], name=f"Open {players}") for players in range(4)]
        assert list(ledger.sizes()) == opened
        assert ledger.sizes() == {tournament: ledger.head(tournament).size for tournament in opened}


def test_sizes_includes_the_entries_of_every_station(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, south, tournament = stations
    for table, station in enumerate((south, north, south), 1):
        before = north.sizes()
        station.decide(tournament, winner(table), clerk=NORTH)
        assert north.sizes() == south.sizes() == {tournament: before[tournament] + 1}


def test_sizes_counts_no_entry_that_was_rolled_back(stations: tuple[Ledger, Ledger, UUID]) -> None:
    north, _, tournament = stations
    before = north.sizes()

    def record_and_stop() -> None:
        with north.together(tournament):
            north.decide(tournament, winner(1), clerk=NORTH)
            assert north.sizes() == {tournament: before[tournament] + 1}
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        record_and_stop()
    assert north.sizes() == before
