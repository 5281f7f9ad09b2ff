"""The base of every store: rows of entries, and the hashes next to the entries."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from itertools import count, groupby
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, PersistenceError, StoredEvent
from msgspec import Struct

from matchledger.proof.merkle import HASH_BYTES, Frontier, TreeHead, leaf_hash

PAGE = 500  # rows per query: more rows need more memory, and fewer rows need more queries
END = 2**62  # a number that is higher than every position
LONGEST_TOPIC = 1000  # bytes. Every kind of fact has a shorter name, so longer text is foreign and is not read


class Busy(PersistenceError):
    """Another station is writing and does not finish. `holder` is its role and process in a database, if known."""

    holder: tuple[str, int] | None = None


class EntryRow(NamedTuple):
    """A stored entry, not yet decoded."""

    position: int
    topic: str
    state: bytes


class TreeRow(NamedTuple):
    """The tree row next to an entry: the hashes that the entry completes, and the tree's root up to the entry."""

    position: int
    nodes: tuple[bytes, ...]
    root: bytes


class Transaction(Struct, kw_only=True):
    """A transaction in which several commands are recorded. Their entries wait, so that one statement writes many.

    `write` writes entries of one tournament that follow each other, and the secret of a new tournament.
    """

    write: Callable[[Sequence[StoredEvent], bytes | None], object]
    waiting: list[StoredEvent] = []
    failed: bool = False

    def add(self, events: Sequence[StoredEvent], sealed_secret: bytes | None) -> None:
        """Let entries wait until somebody reads the store, or until the transaction ends."""
        if sealed_secret is None:
            self.waiting += events
            return
        self.write_waiting()
        self._write(events, sealed_secret)

    def write_waiting(self) -> None:
        """Write the entries that wait."""
        waiting, self.waiting = self.waiting, []
        numbers = count()
        for _, events in groupby(
            waiting, key=lambda event: (event.originator_id, event.originator_version - next(numbers))
        ):
            self._write(list(events), None)

    def _write(self, events: Sequence[StoredEvent], sealed_secret: bytes | None) -> None:
        try:
            self.write(events, sealed_secret)
        except BaseException:
            self.failed = True
            raise


class LedgerRecorder(ApplicationRecorder):
    """Records entries, never deletes them, and extends each tournament's Merkle tree."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, sealed_secret: bytes | None = None, **kwargs: Any
    ) -> Sequence[int] | None:
        """Record entries of one tournament with their hashes, and the secret of a new tournament. Record all
        entries or none.

        Raises IntegrityError if the entries do not follow the last entry, because another station recorded an entry
        first.
        """

    attempts_out_of_turn = 1
    """How often a station decides without a turn: 0 where a turn costs less than a decision that comes too late."""

    def in_turn(self, tournament: UUID, meanwhile: Callable[[], object]) -> AbstractContextManager[bool]:  # noqa: ARG002 - for the stores that have turns
        """Hold the turn inside the block: other stations that want to write to this tournament wait. Yield whether
        the turn goes on from this station's last command. A station that has to wait may call `meanwhile`.

        With turns, the stations decide their commands one after the other. Without turns, all stations would decide
        at once, and only one station would succeed.
        """
        return nullcontext(enter_result=False)

    _transaction: Transaction | None = None

    @contextmanager
    def _during(self, whole: Transaction) -> Iterator[None]:
        """Record within a transaction. Raises PersistenceError at the end of the transaction if an entry could not
        be recorded.
        """
        self._transaction = whole
        try:
            yield
            whole.write_waiting()
        finally:
            self._transaction = None
        if whole.failed:
            raise PersistenceError("an entry could not be recorded, and none was")

    @abstractmethod
    def together(self, tournament: UUID) -> AbstractContextManager[None]:
        """Open one transaction for everything that this station records in a tournament, until the block ends.

        Inside the block, no other station can record in the tournament. At the end of the block, all entries are on
        the disk, or none. Raises PersistenceError if an entry could not be recorded.
        """

    @abstractmethod
    def entry_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """Return the first entries after a position, each with position, topic and state."""

    @abstractmethod
    def tree_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """Return the first tree rows after a position, each with position, joined nodes and root."""

    @abstractmethod
    def tree_head(self, tournament: UUID) -> TreeHead | None:
        """Return the stored head of a tournament's tree, or None without a stored tree."""

    @abstractmethod
    def tournaments(self) -> list[UUID]:
        """Return the tournaments in the store in order of opening. All have hashes.

        Rows without hashes that other programs wrote are strays. Strays must not prevent the reading of
        tournaments.
        """

    @abstractmethod
    def sizes(self) -> dict[UUID, int]:
        """Return the number of entries with hashes of each tournament, in order of opening.

        Only the first and the last row of each tournament are read, because a server asks often.
        """

    @abstractmethod
    def strays(self) -> int:
        """Return the number of rows that belong to no tournament, or that have no valid position in their
        tournament.

        No code of this program writes stray rows.
        """

    def foreign(self) -> list[str]:
        """Return the problems with parts of the store, such as triggers, that another program made and that can
        change rows.
        """
        return []

    @abstractmethod
    def set_aside(self, tournament: UUID) -> None:
        """Note that the owner knows of an unreadable tournament. The first call makes the table of excluded
        tournaments.
        """

    @abstractmethod
    def aside(self) -> set[UUID]:
        """Return the tournaments that the owner has excluded."""

    def may_read_secrets(self) -> bool:
        """Return whether this station may read the secrets behind the draws. For a file, the answer is True:
        everyone who can open the file can read the secrets.
        """
        return True

    @abstractmethod
    def sealed_secret(self, tournament: UUID) -> bytes | None:
        """Return the secret behind a tournament's draws, or None if the store lacks the secret. The secret is
        outside the log until the tournament closes.
        """

    def entry_pages(
        self, tournament: UUID, *, after: int = 0, through: int | None = None
    ) -> Iterator[list[EntryRow]]:
        """Yield the stored entries of a tournament in order of position, as pages."""
        # A damaged entry may name any number as its position, even a number that no store can hold.
        after, last = min(after, END), END if through is None else min(through, END)
        while page := self.entry_page(tournament, after, last, PAGE):
            # Any row may have been altered. Return an altered row too, so that verify can name it.
            yield [EntryRow(position, _topic(topic), state or b"") for position, topic, state in page]
            # A page with fewer rows is the last page. Most pages have only the entries since the last command.
            if len(page) < PAGE:
                return
            after = page[-1][0]

    def entry_rows(self, tournament: UUID, *, after: int = 0, through: int | None = None) -> Iterator[EntryRow]:
        """Yield the stored entries of a tournament in order of position. The entries are read a page at a time."""
        for page in self.entry_pages(tournament, after=after, through=through):
            yield from page

    def tree_rows(self, tournament: UUID, *, after: int = 0, through: int = END) -> Iterator[TreeRow]:
        """Yield the Merkle tree of a tournament in order of position. The tree is read a page at a time."""
        after, through = min(after, END), min(through, END)
        while page := self.tree_page(tournament, after, through, PAGE):
            yield from (TreeRow(position, hashes(nodes), root or b"") for position, nodes, root in page)
            after = page[-1][0]

    def tree_row(self, tournament: UUID, position: int) -> TreeRow | None:
        """Return the tree row next to one entry, or None."""
        page = self.tree_page(tournament, min(position, END) - 1, min(position, END), 1)
        return TreeRow(page[0][0], hashes(page[0][1]), page[0][2] or b"") if page else None


def grown(
    events: Sequence[StoredEvent], recorded: int, hashed: int, frontier_at: Callable[[int], Frontier]
) -> list[tuple[int, bytes, bytes]]:
    """Return the tree rows for new entries, each with position, joined nodes and root.

    `recorded` is the number of earlier entries, and `hashed` is the number of earlier tree rows. The frontier is
    extended in place.

    Raises: PersistenceError: the entries do not follow the last entry of the log, or the hashes do not match the
    entries before.
    """
    if not hashed == recorded == events[0].originator_version - 1:
        raise PersistenceError(f"the log has {recorded} entries and hashes for {hashed}: run verify")
    frontier = frontier_at(recorded)
    rows = []
    for event in events:
        nodes = frontier.append(leaf_hash(event.originator_version, event.topic, event.state))
        rows.append((event.originator_version, b"".join(nodes), frontier.head.root))
    return rows


def stored_frontier(size: int, nodes_of: Callable[[int], bytes | None]) -> Frontier:
    """Return the frontier of the first `size` entries, from the joined nodes of each entry. Raises
    PersistenceError.
    """

    def nodes_at(position: int) -> Sequence[bytes]:
        joined = nodes_of(position)
        if joined is None:
            raise PersistenceError(f"the hashes of entry {position} are missing: run verify")
        return hashes(joined)

    return Frontier.at(size, nodes_at)


def is_text(row: EntryRow) -> bool:
    """Return whether the stored bytes of a row are UTF-8, like the bytes of every entry."""
    try:
        row.state.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=256)
def _topic(stored: bytes | None) -> str:
    return (stored or b"")[:LONGEST_TOPIC].decode(errors="replace")


def hashes(joined: bytes | None) -> tuple[bytes, ...]:
    """Return the single hashes from the joined hashes in a column."""
    joined = joined or b""
    return tuple([joined[begin : begin + HASH_BYTES] for begin in range(0, len(joined), HASH_BYTES)])
