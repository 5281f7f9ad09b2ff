"""The common part of every store: rows of entries, and the hashes beside them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from eventsourcing.persistence import ApplicationRecorder, PersistenceError, StoredEvent

from matchledger.proof.merkle import HASH_BYTES, Frontier, TreeHead, leaf_hash

PAGE = 500  # rows per query: many enough to hide its cost, few enough to need little memory
END = 2**62  # a number behind every position
LONGEST_TOPIC = 1000  # bytes. Every kind of fact has a shorter name, so longer text is foreign and is not read


class Busy(PersistenceError):
    """Another station is writing, and does not finish."""


class EntryRow(NamedTuple):
    """A stored entry, not yet decoded."""

    position: int
    topic: str
    state: bytes


class TreeRow(NamedTuple):
    """The row beside an entry: its completed hashes, and the root of the tree up to it."""

    position: int
    nodes: tuple[bytes, ...]
    root: bytes


@dataclass(slots=True, kw_only=True)
class Transaction:
    """A transaction in which several commands are recorded."""

    failed: bool = False


class LedgerRecorder(ApplicationRecorder):
    """Records entries, never deletes them, and extends each tournament's Merkle tree."""

    @abstractmethod
    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, sealed_secret: bytes | None = None, **kwargs: Any
    ) -> Sequence[int] | None:
        """Record entries of one tournament with their hashes, and a new tournament's secret, or nothing at all.

        Raises IntegrityError if the entries do not follow the last one, because another station was first.
        """

    attempts_out_of_turn = 1
    """How often a station decides without a turn: 0 where a turn costs less than a decision that comes too late."""

    def in_turn(self, tournament: UUID) -> AbstractContextManager[None]:  # noqa: ARG002 - for the stores that have turns
        """While a station holds the turn, the other stations that want to write to this tournament wait.

        The stations then decide one after the other. Without turns, all stations would decide at once, and only one
        of them with success.
        """
        return nullcontext()

    _transaction: Transaction | None = None

    @contextmanager
    def _during(self, whole: Transaction) -> Iterator[None]:
        """Record in a transaction. Raises PersistenceError at its end if an entry could not be recorded."""
        self._transaction = whole
        try:
            yield
        finally:
            self._transaction = None
        if whole.failed:
            raise PersistenceError("an entry could not be recorded, and none was")

    @abstractmethod
    def together(self, tournament: UUID) -> AbstractContextManager[None]:
        """One transaction for everything that this station records in a tournament until its end.

        No other station can record in the tournament meanwhile. All entries are on the disk at the end, or none:
        if one could not be recorded, PersistenceError is raised.
        """

    @abstractmethod
    def entry_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """The first entries after a position: position, topic and state."""

    @abstractmethod
    def tree_page(self, tournament: UUID, after: int, through: int, limit: int) -> list[tuple[int, bytes, bytes]]:
        """The first hashes after a position: position, joined nodes and root."""

    @abstractmethod
    def tree_head(self, tournament: UUID) -> TreeHead | None:
        """The stored head of a tournament's tree."""

    @abstractmethod
    def tournaments(self) -> list[UUID]:
        """The tournaments in the store, in the order of their opening: all with hashes beside them.

        Foreign rows without hashes are strays, and must not keep the tournaments from being read.
        """

    @abstractmethod
    def sizes(self) -> dict[UUID, int]:
        """The number of entries with hashes of each tournament, in the order of their opening.

        A server asks often, so no row between the first and the last is read.
        """

    @abstractmethod
    def strays(self) -> int:
        """The number of rows outside every tournament, or without a place in their tournament.

        No code of this program writes such rows.
        """

    def foreign(self) -> list[str]:
        """The parts of the file, such as triggers, that this program does not make and that can change its rows."""
        return []

    @abstractmethod
    def set_aside(self, tournament: UUID) -> None:
        """Note that the owner knows of an unreadable tournament. The table is made on first use."""

    @abstractmethod
    def aside(self) -> set[UUID]:
        """The tournaments that were set aside."""

    def may_read_secrets(self) -> bool:
        """Whether this station may read the secrets behind the draws. A file has no permissions of its own."""
        return True

    @abstractmethod
    def sealed_secret(self, tournament: UUID) -> bytes | None:
        """The secret behind a tournament's draws. The secret is outside the log until the tournament closes."""

    def entry_pages(
        self, tournament: UUID, *, after: int = 0, through: int | None = None
    ) -> Iterator[list[EntryRow]]:
        """The stored entries of a tournament in order of position, by the page."""
        # A damaged entry may name any number as its position, even one that no store can hold.
        after, last = min(after, END), END if through is None else min(through, END)
        while page := self.entry_page(tournament, after, last, PAGE):
            # Any row may have been altered. Return such a row, so that verify can name it.
            yield [EntryRow(position, _topic(topic), state or b"") for position, topic, state in page]
            # A short page is the last one. Most pages have only the entries since the last command.
            if len(page) < PAGE:
                return
            after = page[-1][0]

    def entry_rows(self, tournament: UUID, *, after: int = 0, through: int | None = None) -> Iterator[EntryRow]:
        """The stored entries of a tournament in order of position, a page at a time."""
        for page in self.entry_pages(tournament, after=after, through=through):
            yield from page

    def tree_rows(self, tournament: UUID, *, after: int = 0, through: int = END) -> Iterator[TreeRow]:
        """The Merkle tree of a tournament in order of position, a page at a time."""
        after, through = min(after, END), min(through, END)
        while page := self.tree_page(tournament, after, through, PAGE):
            yield from (TreeRow(position, hashes(nodes), root or b"") for position, nodes, root in page)
            after = page[-1][0]

    def tree_row(self, tournament: UUID, position: int) -> TreeRow | None:
        """The row beside one entry."""
        page = self.tree_page(tournament, min(position, END) - 1, min(position, END), 1)
        return TreeRow(page[0][0], hashes(page[0][1]), page[0][2] or b"") if page else None


def grown(
    events: Sequence[StoredEvent], recorded: int, hashed: int, frontier_at: Callable[[int], Frontier]
) -> list[tuple[int, bytes, bytes]]:
    """The rows beside new entries: position, joined nodes and root.

    `recorded` is the number of entries before them, `hashed` the number of hashes. The frontier grows with
    the entries.

    Raises:
        PersistenceError: the entries do not follow the last one, or the hashes are not those of the entries before.
    """
    if not hashed == recorded == events[0].originator_version - 1:
        raise PersistenceError(f"the log has {recorded} entries and hashes for {hashed}: run verify")
    frontier = frontier_at(recorded)
    rows = []
    for event in events:
        nodes = frontier.append(leaf_hash(event.originator_version, event.topic, event.state))
        rows.append((event.originator_version, b"".join(nodes), frontier.root))
    return rows


def stored_frontier(size: int, nodes_of: Callable[[int], bytes | None]) -> Frontier:
    """The frontier of the first `size` entries, from the joined nodes of each entry. Raises PersistenceError."""

    def nodes_at(position: int) -> Sequence[bytes]:
        joined = nodes_of(position)
        if joined is None:
            raise PersistenceError(f"the hashes of entry {position} are missing: run verify")
        return hashes(joined)

    return Frontier.at(size, nodes_at)


def is_text(row: EntryRow) -> bool:
    """Whether the stored bytes of a row are UTF-8, as those of every entry are."""
    try:
        row.state.decode()
    except UnicodeDecodeError:
        return False
    return True


@lru_cache(maxsize=256)
def _topic(stored: bytes | None) -> str:
    return (stored or b"")[:LONGEST_TOPIC].decode(errors="replace")


def hashes(joined: bytes | None) -> tuple[bytes, ...]:
    """Split the hashes of one column."""
    joined = joined or b""
    return tuple([joined[begin : begin + HASH_BYTES] for begin in range(0, len(joined), HASH_BYTES)])
