"""Records that are kept between calls, so that a log is read once, and later calls read only new entries."""

from __future__ import annotations

import gc
import hashlib
import hmac
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TypeVar
from uuid import UUID

from matchledger.events import Entry, PersonErased, PlainEntry, TournamentOpened
from matchledger.ledger.authors import Authors
from matchledger.ledger.cache import LONG, RecordCache
from matchledger.ledger.keyring import KEY_BYTES, KeyRing
from matchledger.ledger.mapper import Unreadable, decode, decode_all, decode_to_fold, is_newer
from matchledger.ledger.problems import UnreadableLog, as_ledger_errors
from matchledger.ledger.recorder import EntryRow, LedgerRecorder
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record, fold

_NONE = (0, False)  # this ledger has recorded no command
BATCH = 64  # rows decoded at once. Far more or far fewer took longer
# Errors that show that no command of this program recorded the entry.
SENSELESS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
_Read = TypeVar("_Read", bound=Entry | PlainEntry)
_ERASED = PersonErased.model_fields["kind"].default


class Records:
    """The records of the tournaments that a caller has asked for."""

    def __init__(self, recorder: LedgerRecorder, ring: KeyRing, cache: RecordCache | None) -> None:
        self._recorder = recorder
        self._ring = ring
        self._cache = cache
        self._records: dict[UUID, Record] = {}
        self._authors: dict[UUID, Authors] = {}
        # The tournament whose record is taken as complete, without a look at the log: this ledger has locked the
        # tournament, or no other station seems to record.
        self.settled: UUID | None = None
        # For each tournament, the last entry that this ledger recorded, and whether the entry before also came from
        # this ledger.
        self._own: dict[UUID, tuple[int, bool]] = {}
        # For each tournament, the entries that only a newer version can read.
        self.newer: defaultdict[UUID, set[int]] = defaultdict(set)

    def __contains__(self, tournament: UUID) -> bool:
        """Return whether a tournament was read or is being read."""
        return tournament in self._records

    def entries(self, tournament: UUID, *, after: int = 0, through: int | None = None) -> Iterator[Entry]:
        """Return a tournament's entries in order, as recorded."""
        return self._read(decode_all, tournament, after, through)

    def _to_fold(
        self, tournament: UUID, *, after: int = 0, through: int | None = None
    ) -> Iterator[Entry | PlainEntry]:
        return self._read(decode_to_fold, tournament, after, through)

    def _read(
        self,
        decoded: Callable[[UUID, list[EntryRow], KeyRing], Iterator[_Read]],
        tournament: UUID,
        after: int,
        through: int | None,
    ) -> Iterator[_Read]:
        authors = self.authors(tournament)
        with as_ledger_errors():
            if authors.position < after:
                for row in self._recorder.entry_rows(tournament, after=authors.position, through=after):
                    authors.counts(row)
            for page in _without_holes(self._recorder.entry_pages(tournament, after=after, through=through), after):
                for rows in _batches(self._counting(tournament, page)):
                    yield from decoded(tournament, rows, self._ring)

    def _counting(self, tournament: UUID, page: list[EntryRow]) -> list[EntryRow]:
        """Return the rows that count: rows with a valid author and a kind of fact that this version knows."""
        authors, newer = self.authors(tournament), self.newer[tournament]
        counting = [row for row in page if authors.counts(row)]
        newer.update(row.position for row in counting if is_newer(row))
        return [row for row in counting if row.position not in newer]

    def presume(self, tournament: UUID, *, goes_on: bool) -> bool:
        """Presume that no other station writes, if this ledger's turn goes on, or if the last two commands were its
        own. Return whether the ledger presumes this.

        Entries that are decided on the record in memory can be recorded only if that record is the whole log.
        """
        record, (last, alone) = self._records.get(tournament), self._own.get(tournament, _NONE)
        presumed = (alone or goes_on) and self.settled is None and record is not None and record.position == last
        if presumed:
            self.settled = tournament
        return presumed

    def is_alone(self, tournament: UUID) -> bool:
        """Return whether the last two commands of a tournament were this ledger's own."""
        return self._own.get(tournament, _NONE)[1]

    def forget(self, tournament: UUID) -> None:
        """Drop a record, so that the next request reads the tournament from its first entry."""
        self.settled = None
        self._records.pop(tournament, None)
        self._authors.pop(tournament, None)

    def take(self, tournament: UUID, rows: list[EntryRow]) -> None:
        """Apply the entries that this process has just stored, if the record ends before them, so that they need
        not be read.

        Erasures are left to `latest`, which also destroys the key to the name.
        """
        record, is_settled = self._records.get(tournament), self.settled == tournament
        self.settled = None
        behind = rows[0].position - 1
        self._own[tournament] = rows[-1].position, self._own.get(tournament, _NONE)[0] == behind
        if record is None or record.position != behind or self.authors(tournament).position != behind:
            return
        if any(row.topic == _ERASED for row in rows):
            return
        try:
            for entry in decode_to_fold(tournament, self._counting(tournament, rows), self._ring):
                record.apply(entry)
        except (Unreadable, *SENSELESS):
            # Forget the record: the next reading decodes this row again and names the problem.
            del self._records[tournament]
        else:
            record.position = rows[-1].position
            self.settled = tournament if is_settled else None

    def latest(self, tournament: UUID) -> Record:
        """Return the record of the whole log."""
        with without_collector():
            record = self._records.get(tournament)
            if record is not None and self.settled == tournament:
                return record
            if record is None:
                record = self._records[tournament] = self._cached_record(tournament) or Record()
                if record.position > self.authors(tournament).position:
                    self._authors[tournament] = Authors(tournament, record, self._row(tournament, record.position))
            begin, known = record.position, False
            for entry in self._to_fold(tournament, after=begin):
                record.apply(entry)
                fact = entry.fact
                if type(fact) is PersonErased:  # this runs often, and isinstance is slow with pydantic classes
                    known = self._forget(tournament, fact.player) or begin > 0 or known
            if known:  # the record still has the erased name: replay the log again without the key
                record = self._records[tournament] = fold(self._to_fold(tournament))
            if (
                authors := self.authors(tournament)
            ).forged:  # the next entry also follows the forged entries at the end
                record.position = authors.position
            if record.position and record.opening is None:
                raise UnreadableLog(sentence("entry %(entry)s is missing from the log: run verify", entry=1))
            if record.position - begin >= LONG:
                self._cache_record(tournament, record)
        return record

    def _row(self, tournament: UUID, position: int) -> EntryRow | None:
        with as_ledger_errors():
            return next(self._recorder.entry_rows(tournament, after=position - 1, through=position), None)

    def authors(self, tournament: UUID) -> Authors:
        """Return the stations of a tournament, up to the entry that was last read."""
        if tournament not in self._authors:
            self._authors[tournament] = Authors(tournament)
        return self._authors[tournament]

    def cached(self, tournament: UUID) -> Record | None:
        """Return the record in the cache, or None without a valid cache. After this call, records are read only
        from the log.
        """
        record = self._cached_record(tournament)
        self._cache = None
        self._records.pop(tournament, None)
        self._authors.pop(tournament, None)
        return record

    def put(self, tournament: UUID, record: Record, authors: Authors) -> None:
        """Keep a record that verification replayed from the log, and its authors."""
        self._records[tournament], self._authors[tournament] = record, authors

    def as_of(self, tournament: UUID, position: int) -> Record:
        """Return the record when the log had `position` entries. The caller may change this record."""
        with without_collector():
            if position > 1:  # a past moment shows players under their present names, so read the whole log
                return self.latest(tournament).as_of(position)
            return fold(self._to_fold(tournament, through=position))

    def _cached_record(self, tournament: UUID) -> Record | None:
        if self._cache is None:
            return None
        with as_ledger_errors():
            return self._cache.load(
                tournament, partial(self._root, tournament), partial(self.cache_key, tournament)
            )

    def _cache_record(self, tournament: UUID, record: Record) -> None:
        left_out = self.newer[tournament] or self.authors(tournament).forged
        if self._cache is None or left_out:
            return
        with as_ledger_errors():
            root = self._root(tournament, record.position)
            if root is not None:
                self._cache.store(record, root, partial(self.cache_key, tournament))

    def _root(self, tournament: UUID, position: int) -> bytes | None:
        row = self._recorder.tree_row(tournament, position)
        return None if row is None else row.root

    def cache_key(self, tournament: UUID, players: int) -> bytes:
        """Return the encryption key of a cached record. The encryption key depends on the keys of all players in
        the record.
        """
        keys = (self._ring.key(tournament, player) for player in range(1, players + 1))
        material = hashlib.sha256(b"".join(key or bytes(KEY_BYTES) for key in keys)).digest()
        return hmac.digest(self._recorder.sealed_secret(tournament) or b"", b"cache|" + material, hashlib.sha256)

    def _forget(self, tournament: UUID, player: int) -> bool:
        """Destroy an erased player's key in the ring. Return whether a key was destroyed."""
        with as_ledger_errors():
            return self._ring.destroy(tournament, player)


def first_problem(rows: Sequence[EntryRow], tournament: UUID) -> str | None:
    """Return the reason why the first entry of a log cannot open a tournament, or None."""
    if not rows:
        return "the first entry is missing"
    try:
        opening = decode(tournament, *rows[0])
    except Unreadable as error:
        return f"entry 1 {error}"
    if not isinstance(opening.fact, TournamentOpened):
        return "entry 1 opens no tournament"
    try:
        _ = fold([opening]).rulebook
    except SENSELESS:  # this includes RulebookError, which is a ValueError
        return "the law in entry 1 cannot be applied"
    return None


def _without_holes(pages: Iterable[list[EntryRow]], last: int) -> Iterator[list[EntryRow]]:
    """Yield pages of rows that follow an entry. Raises UnreadableLog with the number of the first missing entry."""
    for page in pages:
        if page and page[-1].position != last + len(page):
            missing = next(number for number, row in enumerate(page, last + 1) if row.position != number)
            raise UnreadableLog(sentence("entry %(entry)s is missing from the log: run verify", entry=missing))
        last += len(page)
        yield page


def _batches(page: list[EntryRow]) -> Iterator[list[EntryRow]]:
    """Yield the rows of a page, a few at a time. An erasure ends a batch, because the next batch must be read
    without the key.
    """
    begin = 0
    for end, row in enumerate(page, 1):
        if end - begin == BATCH or row.topic == _ERASED:
            yield page[begin:end]
            begin = end
    yield page[begin:]


@contextmanager
def without_collector() -> Iterator[None]:
    """Stop garbage collection during a `with` block.

    A replay makes hundreds of thousands of objects, but no cycles. A search for cycles would take a third of the
    replay's time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
