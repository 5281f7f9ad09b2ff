"""Decoding: reading a log in batches and row by row gives the same result, and refuses the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import UUID

import msgspec
import pytest
from eventsourcing.persistence import StoredEvent
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from pydantic import BaseModel
from tests.ledger.alike import alike

from matchledger.commands import privacy
from matchledger.commands.draft import now
from matchledger.events import (
    AnyFact,
    DeckList,
    DeckSubmitted,
    EmperorsJudgment,
    Entry,
    ListedCard,
    Person,
    PlainEntry,
    PlainReport,
    PlainSlip,
    PlayerRegistered,
    ResultReported,
    Slip,
    TimeTiebreak,
)
from matchledger.ledger import Clerk, LedgerError, open_ledger
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.mapper import Unreadable, decode, decode_all, decode_to_fold, field_keys, plain_slip
from matchledger.ledger.recorder import PAGE, EntryRow
from matchledger.ledger.records import BATCH
from matchledger.ledger.sealing import sealed
from matchledger_projections.record.reports import report_of

_Read = TypeVar("_Read", Entry, Entry | PlainEntry)
HERE = UUID(int=1)
RING = KeyRing()
CLERK = Clerk("Ann", "scorekeeper", "north")


def entry(position: int, fact: AnyFact, tournament: UUID = HERE) -> Entry:
    return Entry(
        tournament=tournament,
        position=position,
        recorded_at=now(),
        actor="Mo",
        role="scorekeeper",
        station="desk",
        command=str(position),
        fact=fact,
    )


def row(recorded: Entry) -> EntryRow:
    state = recorded.model_dump_json().encode()
    return EntryRow(recorded.position, recorded.fact.kind, sealed(recorded, state, field_keys(RING)))


def sealed_rows() -> list[EntryRow]:
    """Rows with two encrypted players, a result, and two more players."""
    RING.ensure(HERE, [1, 2, 3, 4])
    players: list[AnyFact] = [
        PlayerRegistered(number=number, person=Person(name=f"Nobody {number}")) for number in (1, 2, 3, 4)
    ]
    result = ResultReported(round=1, table=1, players=(1, 2), slip=Slip(kind="win", winner=1))
    return [row(entry(at, fact)) for at, fact in enumerate([*players[:2], result, *players[2:]], 1)]


ROWS = sealed_rows()


def read(entries: Iterable[_Read]) -> list[_Read | str]:
    """Return what was read before the end or before the refusal."""
    found: list[_Read | str] = []
    try:
        found.extend(entries)
    except Unreadable as refusal:
        found.append(str(refusal))
    return found


def one_by_one(rows: Iterable[EntryRow]) -> Iterator[Entry]:
    return (decode(HERE, *row, RING) for row in rows)


def test_a_log_in_batches_has_the_same_entries() -> None:
    entries = read(decode_all(HERE, ROWS, RING))
    assert entries == read(one_by_one(ROWS))
    assert [found.fact.kind for found in entries if isinstance(found, Entry)] == [row.topic for row in ROWS]


@given(st.data())
def test_a_damaged_row_gets_the_same_error_after_the_same_entries(data: st.DataObject) -> None:
    rows = list(ROWS)
    for _ in range(data.draw(st.integers(1, 2), label="how many rows are damaged")):
        at = data.draw(st.integers(0, len(rows) - 1), label="row")
        state = rows[at].state
        begin = data.draw(st.integers(0, len(state)), label="from")
        end = data.draw(st.integers(begin, min(begin + 3, len(state))), label="to")
        instead = data.draw(st.binary(max_size=3) | st.sampled_from([b"NaN", b"[" * 300, b"9" * 5000, b"\\ud800"]))
        rows[at] = rows[at]._replace(state=state[:begin] + instead + state[end:])
    entries = read(one_by_one(rows))
    assert read(decode_all(HERE, rows, RING)) == entries
    folded = read(decode_to_fold(HERE, rows, RING))
    assert len(folded) == len(entries)
    assert all(map(alike, folded, entries))


positive = st.integers(1, 2**40)
slips = st.builds(
    Slip,
    kind=st.sampled_from(["win", "draw", 'Déjà"\\\n']),
    winner=st.none() | positive,
    scores=st.none() | st.tuples(st.integers(-(2**40), 2**40), st.integers(0, 9)),
    blood_points=st.none() | st.integers(0, 2**40),
    tiebreak=st.none() | st.builds(TimeTiebreak, matches=st.tuples(st.integers(0, 3), st.integers(0, 3))),
    ended=st.none() | st.integers(0, 9000) | st.datetimes(timezones=st.just(UTC)),
    received=st.none() | st.integers(0, 9000),
    judgment=st.none() | st.just(EmperorsJudgment(broken=(1, 2), honor=(9, 10))),
)
reports = st.builds(
    ResultReported,
    stage=st.sampled_from(["swiss", "elimination"]),
    round=positive,
    table=positive,
    players=st.tuples(positive, positive),
    slip=slips,
)


@given(reports)
def test_a_slip_has_the_same_values_in_the_record_as_in_the_log(report: ResultReported) -> None:
    said = entry(1, report)
    [folded] = decode_to_fold(HERE, [row(said)], RING)
    assert alike(folded, said)
    slip = report.slip
    is_plain = (slip.tiebreak, slip.ended, slip.received, slip.judgment) == (None, None, None, None)
    assert isinstance(folded, PlainEntry) == is_plain
    assert (plain_slip(row(said)) == folded) == is_plain
    assert isinstance(folded.fact, ResultReported | PlainReport)
    assert report_of(1, (1, 2), folded.fact.slip) == report_of(1, (1, 2), slip)


@given(reports, st.data())
def test_a_plain_slip_with_other_bytes_is_not_written_plainly(report: ResultReported, data: st.DataObject) -> None:
    """Each member may come once, in its place, and without a blank, or other readers could read another slip."""
    written = row(entry(1, report))
    pairs = [
        (b",", b", "),
        (b'"scores":', b'"scores":null,"scores":'),
        (b'"round":', b'"round":0'),
        (b"}}", b',"games":null}}'),
    ]
    old, new = data.draw(st.sampled_from(pairs))
    assert plain_slip(written._replace(state=written.state.replace(old, new, 1))) is None


@pytest.mark.parametrize(("plain", "full"), [(PlainEntry, Entry), (PlainReport, ResultReported), (PlainSlip, Slip)])
def test_a_plain_entry_has_the_same_fields_as_a_full_entry(
    plain: type[msgspec.Struct], full: type[BaseModel]
) -> None:
    assert sorted(plain.__struct_fields__) == sorted(full.model_fields)


@pytest.mark.parametrize(
    ("at", "damage", "words"),
    [
        (2, lambda row: row._replace(position=9), "it holds entry 3 (result-reported): rows were moved or renamed"),
        (
            2,
            lambda row: row._replace(topic="match-conceded"),
            "it holds entry 3 (result-reported): rows were moved",
        ),
        (2, lambda row: row._replace(state=b""), "cannot be read: : Invalid JSON: EOF while parsing a value"),
        (
            3,
            lambda row: row._replace(position=9),
            "it holds entry 4 (player-registered): rows were moved or renamed",
        ),
    ],
    ids=["moved", "renamed", "emptied", "seal moved"],
)
def test_entries_before_a_damaged_row_are_read(at: int, damage: Callable[[EntryRow], EntryRow], words: str) -> None:
    rows = [*ROWS[:at], damage(ROWS[at]), *ROWS[at + 1 :]]
    *before, refusal = read(decode_all(HERE, rows, RING))
    assert before == read(one_by_one(ROWS[:at]))
    assert isinstance(refusal, str)
    assert refusal.startswith(words)


def test_a_log_of_many_batches_comes_out_in_order(begin: Callable[..., UUID]) -> None:
    names = [f"P{number}" for number in range(BATCH + 3)]
    with open_ledger(":memory:", create=True) as ledger:
        tournament = begin(ledger, *names)
        entries = list(ledger.entries(tournament))
        assert [found.position for found in entries] == list(range(1, len(names) + 2))
        assert PAGE % BATCH  # so that the last batch of a page is not full


def test_data_encrypted_after_an_erasure_are_never_opened(tmp_path: Path, begin: Callable[..., UUID]) -> None:
    """After the erasure, a station with the key still wrote an entry. That station had restored its key file from
    a backup.
    """
    file = tmp_path / "event.ledger"
    with open_ledger(file, create=True) as ledger:
        tournament = begin(ledger, "A", "B")
        ring = Path(f"{file}.keys").read_bytes()
        deck = DeckList(cards=(ListedCard(part="main", name="Secret Weapon", count=3),))
        late = entry(5, DeckSubmitted(player=1, sha256="0" * 64, deck=deck), tournament)
        state = sealed(late, late.model_dump_json().encode(), field_keys(ledger.ring))
        ledger.decide(
            tournament, partial(privacy.erase, player=1, reason="asked"), clerk=replace(CLERK, role="organizer")
        )
        ledger.recorder.insert_events([StoredEvent(tournament, 5, late.fact.kind, state)])
    Path(f"{file}.keys").write_bytes(ring)
    with open_ledger(file) as ledger:
        [(_, listed)] = ledger.record(tournament).decks[1]
        assert isinstance(listed, DeckSubmitted)
        assert listed.deck is None
        assert ledger.record(tournament).players[1].name == "Player 1"


def test_a_damaged_row_leaves_the_kept_record_unchanged(begin: Callable[..., UUID]) -> None:
    with open_ledger(":memory:", create=True) as ledger:
        tournament = begin(ledger, "A", "B")
        ledger.recorder.insert_events([StoredEvent(tournament, 4, "player-dropped", b"{}")])
        for _ in range(2):
            with pytest.raises(LedgerError, match=r"cannot be read: .*: run verify$"):
                ledger.record(tournament)
        assert [found.position for found in ledger.entries(tournament, through=3)] == [1, 2, 3]
