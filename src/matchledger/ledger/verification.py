"""Verification: whether a tournament's log is what was recorded, and which entry is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from uuid import UUID

from eventsourcing.persistence import MapperDeserialisationError

from matchledger.ledger.application import Ledger
from matchledger.ledger.mapper import decode
from matchledger.ledger.sqlite import EntryRow, TreeRow
from matchledger.proof import Frontier, TreeHead, leaf_hash


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was recorded, and the position it was found at."""

    position: int
    what: str

    def __str__(self) -> str:
        return f"entry {self.position}: {self.what}"


def verify(ledger: Ledger, tournament: UUID, *, known: TreeHead | None = None) -> list[Finding]:
    """Everything that is wrong with a log, in order of position; nothing if it is as it was recorded.

    Each entry is held against the tree beside it, and the tree against itself. `known` is a tree head from
    outside, such as one printed on posted standings: the only thing that finds a log and a tree that were both
    rewritten, or both cut short.
    """
    findings = list(_findings(ledger, tournament))
    if known is not None:
        findings += _against(ledger, tournament, known)
    return sorted(findings, key=lambda finding: finding.position)


def _findings(ledger: Ledger, tournament: UUID) -> Iterator[Finding]:
    frontier = Frontier()
    rows = zip_longest(ledger.recorder.entry_rows(tournament), ledger.recorder.tree_rows(tournament))
    entry: EntryRow | None
    tree: TreeRow | None
    for entry, tree in _aligned(rows):
        position = entry.position if entry is not None else tree.position if tree is not None else 0
        if entry is None:
            yield Finding(position, "is missing from the log, and its hash is still there")
        elif tree is None:
            yield Finding(position, "is in the log and was never recorded: it has no hash")
        else:
            yield from _altered(tournament, entry, tree)
        if tree is not None:
            yield from _misgrown(frontier, tree)


def _aligned(
    rows: Iterator[tuple[EntryRow | None, TreeRow | None]],
) -> Iterator[tuple[EntryRow | None, TreeRow | None]]:
    """Entries beside their own tree rows, even where one of the two is missing."""
    entries: dict[int, EntryRow] = {}
    trees: dict[int, TreeRow] = {}
    for entry, tree in rows:
        if entry is not None and tree is not None and entry.position == tree.position and not entries and not trees:
            yield entry, tree
            continue
        if entry is not None:
            entries[entry.position] = entry
        if tree is not None:
            trees[tree.position] = tree
    for position in sorted(entries.keys() | trees.keys()):
        yield entries.get(position), trees.get(position)


def _altered(tournament: UUID, entry: EntryRow, tree: TreeRow) -> Iterator[Finding]:
    problem = _unreadable(tournament, entry)
    if leaf_hash(*entry) != tree.nodes[0]:
        yield Finding(entry.position, f"was altered after it was recorded{problem and f' ({problem})'}")
    elif problem:
        yield Finding(entry.position, problem)


def _unreadable(tournament: UUID, entry: EntryRow) -> str:
    try:
        decode(tournament, *entry)
    except MapperDeserialisationError as error:
        return str(error)
    return ""


def _misgrown(frontier: Frontier, tree: TreeRow) -> Iterator[Finding]:
    if tree.position != frontier.size + 1:
        yield Finding(tree.position, f"follows entry {frontier.size}: the hashes between them are missing")
    nodes = tuple(frontier.append(tree.nodes[0] if tree.nodes else b""))
    if nodes != tree.nodes or frontier.head.root != tree.root:
        yield Finding(tree.position, "does not fit the tree of the entries before it")


def _against(ledger: Ledger, tournament: UUID, known: TreeHead) -> Iterator[Finding]:
    frontier = Frontier()
    for row in ledger.recorder.entry_rows(tournament, through=known.size):
        frontier.append(leaf_hash(*row))
    if frontier.size < known.size:
        yield Finding(known.size, f"the log ends with entry {frontier.size}, and once had {known.size}")
    elif frontier.head.root != known.root:
        yield Finding(known.size, "the log up to here is not the one that the known tree head was made of")
