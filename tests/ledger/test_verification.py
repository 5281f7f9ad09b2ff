"""Verification finds every change made directly in the store, and names the entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import product
from typing import LiteralString
from unittest.mock import Mock
from uuid import UUID

import pytest
from tests.ledger.behind import Behind, on_a_file

from matchledger.commands import roster
from matchledger.events import Person
from matchledger.ledger import Clerk, Finding, Ledger, LedgerError, open_ledger, verify
from matchledger.ledger.location import is_database
from matchledger.proof.merkle import Frontier, TreeHead, leaf_hash

ENTRIES = 7
STRAYS = "beside the log: rows that no command has written, without a place in any tournament"
ALTERED = "was altered after it was recorded"
MOVED = "it holds entry {} (player-registered): rows were moved or renamed"


def found(ledger: Ledger, known: TreeHead | None = None) -> list[Finding]:
    [tournament] = ledger.tournaments()
    return verify(ledger, tournament, known=known)


def said(ledger: Ledger, known: TreeHead | None = None) -> list[str]:
    return [str(finding) for finding in found(ledger, known)]


def flipped(stored: bytes, place: int) -> bytes:
    """Return the same bytes with one bit flipped in one byte."""
    changed = bytearray(stored)
    changed[place] ^= 1 << place % 7  # never change the highest bit, so that ASCII stays ASCII
    return bytes(changed)


# Chooses which bytes of an entry to damage, from the number of its bytes.
Places = Callable[[int], Iterable[int]]


@pytest.fixture
def places(place: str) -> Places:
    """Return every byte of a file. For a database return every seventh byte, because each takes several requests
    to the server.
    """
    return lambda length: range(0, length, 7 if is_database(place) else 1)


def test_an_unaltered_log_has_no_findings(small: Ledger) -> None:
    [tournament] = small.tournaments()
    assert small.head(tournament).size == ENTRIES
    assert found(small) == []
    assert found(small, known=small.head(tournament)) == []


def test_a_log_with_every_kind_of_fact_has_no_findings(
    place: str, play_everything: Callable[[Ledger], UUID]
) -> None:
    with open_ledger(place, create=True) as ledger:
        tournament = play_everything(ledger)
        for entry in ledger.entries(tournament):
            assert verify(ledger, tournament, known=ledger.head(tournament, entry.position)) == []


def test_a_log_without_merged_copies_is_read_once(small: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Mock(wraps=small.recorder.entry_page)
    monkeypatch.setattr(small.recorder, "entry_page", read)
    [tournament] = small.tournaments()
    assert verify(small, tournament, others=False) == []
    reads = [(after, through) for _, after, through, _ in (call.args for call in read.call_args_list)]
    assert len([after for after, through in reads if after < 1 < through]) == 1


@pytest.mark.parametrize("position", range(1, ENTRIES + 1))
def test_every_changed_byte_of_an_entry_is_found_and_named(
    small: Ledger, tampering: Behind, position: int, places: Places
) -> None:
    stored = tampering.state(position)
    for place in places(len(stored)):
        tampering.set_state(position, flipped(stored, place))
        assert [finding.position for finding in found(small)] == [position], f"byte {place} of the entry"
    tampering.set_state(position, stored)
    [(topic,)] = tampering.execute("SELECT topic FROM stored_events WHERE originator_version = ?", position)
    for place in range(len(topic)):
        changed = flipped(topic.encode(), place).decode("latin-1")
        tampering.execute("UPDATE stored_events SET topic = ? WHERE originator_version = ?", changed, position)
        assert [finding.position for finding in found(small)] == [position], f"byte {place} of the topic"


@pytest.mark.parametrize("position", range(1, ENTRIES + 1))
def test_every_changed_byte_of_a_hash_is_found_and_named(
    small: Ledger, tampering: Behind, position: int, places: Places
) -> None:
    columns: tuple[LiteralString, ...] = ("nodes", "root")
    for column in columns:
        query = f"SELECT {column} FROM merkle_tree WHERE originator_version = ?"  # noqa: S608 - own names
        change = f"UPDATE merkle_tree SET {column} = ? WHERE originator_version = ?"  # noqa: S608 - own names
        [(stored,)] = tampering.execute(query, position)
        for place in places(len(stored)):
            tampering.execute(change, flipped(stored, place), position)
            assert position in {finding.position for finding in found(small)}, f"byte {place} of {column}"
        tampering.execute(change, stored, position)
    assert found(small) == []


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        *product(["stored_events"], ["state"], [None, b"", b"text", b"\xff"]),
        *product(["stored_events"], ["topic"], [None, "", "text"]),
        *product(["merkle_tree"], ["nodes", "root"], [b"", b"text", b"\xff"]),
    ],
)
def test_a_replaced_row_is_found(
    small: Ledger, tampering: Behind, table: LiteralString, column: LiteralString, value: object
) -> None:
    tampering.execute(f"UPDATE {table} SET {column} = ? WHERE originator_version = 3", value)  # noqa: S608
    assert 3 in {finding.position for finding in found(small)}


@on_a_file
@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        *product(["stored_events"], ["state"], ["text", 7]),
        *product(["stored_events"], ["topic"], [b"", b"\xff", 7]),
        *product(["merkle_tree"], ["nodes", "root"], ["text", 7]),
    ],
)
def test_a_row_of_another_type_is_found(
    small: Ledger, tampering: Behind, table: LiteralString, column: LiteralString, value: object
) -> None:
    """In a file, a column accepts values of any type."""
    tampering.execute(f"UPDATE {table} SET {column} = ? WHERE originator_version = 3", value)  # noqa: S608
    assert 3 in {finding.position for finding in found(small)}


@pytest.mark.parametrize("position", [1, 4, ENTRIES], ids=["first", "middle", "last"])
def test_a_missing_entry_is_named(small: Ledger, tampering: Behind, position: int) -> None:
    tampering.execute("DELETE FROM stored_events WHERE originator_version = ?", position)
    assert said(small) == [f"entry {position}: is missing from the log, and its hash is still there"]


@pytest.mark.parametrize("position", [1, 4, ENTRIES], ids=["first", "middle", "last"])
def test_a_missing_hash_is_named(small: Ledger, tampering: Behind, position: int) -> None:
    tampering.execute("DELETE FROM merkle_tree WHERE originator_version = ?", position)
    assert f"entry {position}: is in the log and was never recorded: it has no hash" in said(small)


def test_an_entry_deleted_with_its_hash_is_found(small: Ledger, tampering: Behind) -> None:
    for table in ("stored_events", "merkle_tree"):
        tampering.execute(f"DELETE FROM {table} WHERE originator_version = 4")  # noqa: S608 # our own words
    assert said(small)[0] == "entry 5: follows entry 3: the hashes between them are missing"


def test_both_swapped_entries_are_named(small: Ledger, tampering: Behind) -> None:
    _swap(tampering, 2, 3)
    assert said(small) == [f"entry 2: {ALTERED} ({MOVED.format(3)})", f"entry 3: {ALTERED} ({MOVED.format(2)})"]


def test_an_inserted_entry_is_named(small: Ledger, tampering: Behind) -> None:
    tampering.copy(5, to=8)
    assert said(small) == ["entry 8: is in the log and was never recorded: it has no hash"]


def test_an_entry_put_between_two_others_is_named(small: Ledger, tampering: Behind) -> None:
    for position in range(ENTRIES, 3, -1):
        tampering.execute(
            "UPDATE stored_events SET originator_version = ? WHERE originator_version = ?", position + 1, position
        )
    tampering.copy(3, to=4)
    assert [finding.position for finding in found(small)] == [4, 5, 6, 7, 8]


def test_a_renamed_topic_is_named(small: Ledger, tampering: Behind) -> None:
    tampering.execute("UPDATE stored_events SET topic = 'result-corrected' WHERE originator_version = 5")
    moved = "it holds entry 5 (result-reported): rows were moved or renamed"
    assert said(small) == [f"entry 5: {ALTERED} ({moved})"]


def test_an_outside_tree_head_exposes_a_log_shortened_with_its_hashes(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    on_paper = small.head(tournament)
    for table in ("stored_events", "merkle_tree"):
        tampering.execute(f"DELETE FROM {table} WHERE originator_version > 5")  # noqa: S608 # our own words
    assert said(small) == []
    assert said(small, known=on_paper) == ["entry 7: the log ends with entry 5, and once had 7"]


def test_an_outside_tree_head_exposes_a_log_rewritten_with_its_hashes(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    on_paper = {size: small.head(tournament, size) for size in (4, 5, ENTRIES)}
    tampering.replace_in_state(5, b'"winner":1', b'"winner":2')
    assert said(small) == ["entry 5: was altered after it was recorded"]
    _grow_again(small, tampering)
    assert said(small) == []
    assert said(small, known=on_paper[4]) == []
    for size in (5, ENTRIES):
        assert said(small, known=on_paper[size]) == [
            f"entry {size}: the log up to here does not match the known tree head"
        ]


def test_a_log_that_lost_its_end_accepts_no_entry(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    tampering.execute("DELETE FROM stored_events WHERE originator_version = 7")
    with pytest.raises(LedgerError) as caught:
        small.decide(tournament, partial(roster.drop, player=1), clerk=Clerk())
    assert str(caught.value) == "the ledger cannot be used: the log has 6 entries and hashes for 7: run verify"


def test_a_log_with_missing_hashes_accepts_no_entry(small: Ledger, place: str, tampering: Behind) -> None:
    """The station that wrote last is refused, and so is a new station."""
    [tournament] = small.tournaments()
    tampering.execute("DELETE FROM merkle_tree WHERE originator_version = 4")
    assert said(small)[0] == "entry 4: is in the log and was never recorded: it has no hash"
    with open_ledger(place) as beginning:
        for station in (small, beginning):
            with pytest.raises(LedgerError) as caught:
                station.decide(tournament, partial(roster.drop, player=1), clerk=Clerk())
            assert str(caught.value) == "the ledger cannot be used: the hashes of entry 4 are missing: run verify"


def test_the_error_about_an_unreadable_entry_suggests_verify(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    tampering.set_state(5, b"{")
    with pytest.raises(LedgerError) as caught:
        list(small.entries(tournament))
    message = str(caught.value)
    assert message.startswith("entry 5: cannot be read: ")
    assert message.endswith(": run verify")
    assert "\n" not in message


def test_a_finding_concerns_only_its_own_tournament(
    small: Ledger, tampering: Behind, begin: Callable[..., UUID]
) -> None:
    [altered] = small.tournaments()
    other = begin(small, "Ann", name="Other")
    tampering.execute(
        "UPDATE stored_events SET state = ? WHERE originator_version = 2 AND originator_id = ?", bytes(1), altered
    )
    assert [finding.position for finding in verify(small, altered)] == [2]
    assert verify(small, other) == []


def test_an_entry_of_another_tournament_is_found(
    small: Ledger, tampering: Behind, begin: Callable[..., UUID]
) -> None:
    [tournament] = small.tournaments()
    other = begin(small, "A", rules="house", name="T")
    tampering.execute(
        "UPDATE stored_events SET state = (SELECT state FROM stored_events WHERE originator_id = ?"
        " AND originator_version = 2) WHERE originator_version = 2 AND originator_id = ?",
        other,
        tournament,
    )
    assert [finding.position for finding in verify(small, tournament)] == [2]


def _swap(store: Behind, one: int, other: int) -> None:
    query = "UPDATE stored_events SET originator_version = ? WHERE originator_version = ?"
    for new, old in ((99, one), (one, other), (other, 99)):
        store.execute(query, new, old)


def _grow_again(ledger: Ledger, store: Behind) -> None:
    """Rebuild the hashes, as a forger who knows the form of hashes can do."""
    [tournament] = ledger.tournaments()
    store.execute("DELETE FROM merkle_tree")
    frontier = Frontier()
    for row in ledger.recorder.entry_rows(tournament):
        nodes = frontier.append(leaf_hash(*row))
        store.execute(
            "INSERT INTO merkle_tree VALUES (?, ?, ?, ?)",
            tournament,
            row.position,
            b"".join(nodes),
            frontier.head.root,
        )


def test_verification_covers_registrations(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    small.decide(
        tournament, partial(roster.arrive_late, person=Person(name="Cy", contact="cy@example.org")), clerk=Clerk()
    )
    tampering.replace_in_state(8, b'"of":3', b'"of":2')
    assert said(small) == ["entry 8: was altered after it was recorded"]


def test_stray_rows_are_found_and_do_not_block_a_tournament(small: Ledger, tampering: Behind) -> None:
    before = small.tournaments()
    tampering.execute(
        "INSERT INTO stored_events (originator_id, originator_version, topic, state) "
        "SELECT ?, originator_version, topic, state FROM stored_events WHERE originator_version < 3",
        UUID(int=1),
    )
    assert small.tournaments() == before
    assert said(small) == [f"{STRAYS}: 2"]


@on_a_file
@pytest.mark.parametrize("stranger", ["no id at all", "", None, b"\x00", "5BA50E4E659C43E0B715408970D08BD8"])
def test_rows_without_a_valid_id_are_found_and_do_not_block_a_tournament(
    small: Ledger, tampering: Behind, stranger: object
) -> None:
    before = small.tournaments()
    for table, columns in (("stored_events", "topic, state"), ("merkle_tree", "nodes, root")):
        if stranger is not None or table == "stored_events":  # the tree's table does not accept NULL as an id
            tampering.execute(f"INSERT INTO {table} SELECT ?, 1, {columns} FROM {table} LIMIT 1", stranger)  # noqa: S608 - own names
    assert small.tournaments() == before
    assert said(small) == [f"{STRAYS}: 1"]


@on_a_file
@pytest.mark.parametrize("to", [4.5, "between", -4])
def test_an_entry_at_an_impossible_position_counts_as_missing(small: Ledger, tampering: Behind, to: object) -> None:
    tampering.execute("UPDATE stored_events SET originator_version = ? WHERE originator_version = 4", to)
    assert said(small) == [f"{STRAYS}: 1", "entry 4: is missing from the log, and its hash is still there"]


def test_an_entry_with_a_very_long_topic_is_found(small: Ledger, tampering: Behind) -> None:
    tampering.execute("UPDATE stored_events SET topic = ? WHERE originator_version = 5", "x" * 100_000)
    assert [finding.position for finding in found(small)] == [5]


def test_a_replaced_draw_secret_is_found_and_never_used(small: Ledger, tampering: Behind) -> None:
    [tournament] = small.tournaments()
    assert len(small.secret(tournament)) == 32
    tampering.execute("UPDATE sealed_secrets SET secret = ?", bytes(32))
    assert said(small) == ["beside the log: the secret behind the draws does not match the opening entry"]
    with pytest.raises(LedgerError, match=r"^the draw secret of this ledger was replaced"):
        small.secret(tournament)
