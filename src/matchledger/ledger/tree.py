"""The tree of a log, rebuilt from its stored entries, for proofs and signatures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from matchledger.ledger.application import Ledger
from matchledger.ledger.problems import LedgerError, as_ledger_errors
from matchledger.ledger.recorder import EntryRow, LedgerRecorder
from matchledger.proof.merkle import Frontier, TreeHead, consistency_proof, inclusion_proof, leaf_hash
from matchledger_projections.message import sentence


class Tree:
    """The Merkle tree of a log, or of its first entries."""

    def __init__(self, rows: Iterable[EntryRow] = ()) -> None:
        self._frontier = Frontier()
        self._nodes: list[Sequence[bytes]] = []
        for row in rows:
            self.append(row)

    def append(self, row: EntryRow) -> None:
        self._nodes.append(self._frontier.append(leaf_hash(*row)))

    @property
    def head(self) -> TreeHead:
        return self._frontier.head

    def leaf(self, position: int) -> bytes:
        return self._nodes[position - 1][0]

    def inclusion(self, position: int) -> list[bytes]:
        """Return the proof that an entry is at a position of this log."""
        return inclusion_proof(position, self.head.size, self._nodes_at)

    def consistency(self, earlier: int) -> list[bytes]:
        """Return the proof that this log begins with its state at an earlier size."""
        return consistency_proof(earlier, self.head.size, self._nodes_at)

    def _nodes_at(self, position: int) -> Sequence[bytes]:
        return self._nodes[position - 1]


@as_ledger_errors()
def sound_tree(ledger: Ledger, tournament: UUID, size: int | None = None) -> Tree:
    """Return the tree of a log, now or when it had `size` entries.

    Raises LedgerError if stored entries were altered or the last hash is missing, because such a log must not be
    signed or exported.
    """
    head = ledger.head(tournament, size)
    if size is None:
        _need_last_hash(ledger.recorder, tournament, head.size)
    tree = Tree(ledger.recorder.entry_rows(tournament, through=head.size))
    if tree.head != head:
        raise LedgerError("the log was altered, so it proves nothing: run verify")
    return tree


def _need_last_hash(recorder: LedgerRecorder, tournament: UUID, hashed: int) -> None:
    """Raise LedgerError with the entry's position if an entry after the last hash has no hash."""
    after = next(recorder.entry_rows(tournament, after=hashed), None)
    # Another station may have recorded the entry after this function read the tree. The hash of an entry that
    # came meanwhile is in the store too.
    if after is not None and recorder.tree_row(tournament, after.position) is None:
        raise LedgerError(sentence("entry %(entry)s has no hash: run verify", entry=after.position))
