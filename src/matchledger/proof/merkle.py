"""Proof: an RFC 6962 Merkle tree over the entries of a log, exactly as they are stored.

A leaf is made from an entry's position, its topic and its stored bytes. The stored JSON is never parsed and written
again for a leaf. Next to each entry are the hashes that the entry completes: its leaf hash, then the hash of every
full subtree that ends there. Therefore a tree head can be computed from a few rows. A few rows also prove that an
entry is in the log, or that a longer log extends a shorter log, without reading either log.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

HASH_BYTES = 32
EMPTY_ROOT = hashlib.sha256(b"").digest()

# The hashes that the entry at this position (counted from 1) completes, lowest first.
NodesAt = Callable[[int], Sequence[bytes]]


class TreeHead(Struct, frozen=True):
    """The size of a log, and the root hash of its tree. A copy of the tree head shows whether the log was changed
    later.
    """

    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.size}:{self.root.hex()}"

    @classmethod
    def parse(cls, text: str) -> TreeHead:
        """Return the tree head in a text in the format of `str`. Raises ValueError for a text without this
        format.
        """
        size, _, root = text.strip().partition(":")
        head = cls(int(size), bytes.fromhex(root))
        if head.size < 0 or len(head.root) != HASH_BYTES:
            raise ValueError("a tree head is SIZE:ROOT, the root being 64 hexadecimal digits")
        return head


def leaf_hash(position: int, topic: str, stored: bytes) -> bytes:
    """Return the leaf hash of one entry. The hash covers the lengths of the parts, so that two different entries
    cannot have the same leaf.
    """
    name = topic.encode()
    data = position.to_bytes(8, "big") + len(name).to_bytes(2, "big") + name + stored
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


class Frontier:
    """The right edge of a growing tree: the roots of its full subtrees, largest first."""

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        self.size = size
        self._peaks = list(peaks)
        self._head: TreeHead | None = None  # the tree's root, kept after it was first computed

    @classmethod
    def at(cls, size: int, nodes_at: NodesAt) -> Frontier:
        """Return the frontier of the first `size` entries."""
        return cls(size, [nodes_at(end)[height] for end, height in _peaks(size)])

    @staticmethod
    def ends(size: int) -> list[int]:
        """Return the positions of the entries whose hashes form the frontier of `size` entries."""
        found = []
        while size:
            found.append(size)
            size &= size - 1  # leave out the last, smallest full subtree
        return found[::-1]

    def append(self, leaf: bytes) -> list[bytes]:
        """Add a leaf, and return the hashes that the leaf completes, beginning with the leaf's own hash."""
        completed = [leaf]
        count = self.size
        while count & 1:
            completed.append(node_hash(self._peaks.pop(), completed[-1]))
            count >>= 1
        self._peaks.append(completed[-1])
        self.size += 1
        self._head = None
        return completed

    @property
    def root(self) -> bytes:
        """Return the root of the tree over all leaves that were added."""
        if not self._peaks:
            return EMPTY_ROOT
        root = self._peaks[-1]
        for peak in self._peaks[-2::-1]:
            # The line repeats `node_hash` without a call, because `verify` spends most of its time in this loop.
            root = hashlib.sha256(b"\x01" + peak + root).digest()
        return root

    @property
    def head(self) -> TreeHead:
        if self._head is None:
            self._head = TreeHead(self.size, self.root)
        return self._head


def _peaks(size: int) -> Iterator[tuple[int, int]]:
    """Yield the full subtrees of a tree, largest first, as (position of the last leaf, height)."""
    end = 0
    for height in range(size.bit_length() - 1, -1, -1):
        if size >> height & 1:
            end += 1 << height
            yield end, height


def _split(size: int) -> int:
    """Return the largest power of two below `size`, where RFC 6962 divides a tree."""
    return 1 << (size - 1).bit_length() - 1


def _subtree(begin: int, end: int, nodes_at: NodesAt) -> bytes:
    """Return the hash over the leaves from `begin` (counted from 0) to the leaf before `end`."""
    size = end - begin
    if size & (size - 1) == 0:
        return nodes_at(end)[size.bit_length() - 1]
    middle = begin + _split(size)
    return node_hash(_subtree(begin, middle, nodes_at), _subtree(middle, end, nodes_at))


def inclusion_proof(position: int, size: int, nodes_at: NodesAt) -> list[bytes]:
    """Return the audit path of the entry at `position` in a tree of `size` entries (RFC 6962, 2.1.1)."""
    if not 1 <= position <= size:
        raise ValueError(f"entry {position} is not among the first {size}")
    path: list[bytes] = []
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if position <= middle:
            path.append(_subtree(middle, end, nodes_at))
            end = middle
        else:
            path.append(_subtree(begin, middle, nodes_at))
            begin = middle
    return path[::-1]


def includes(head: TreeHead, position: int, leaf: bytes, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that a leaf is at a position of the log with this head."""
    if not 1 <= position <= head.size:
        return False
    index, last = position - 1, head.size - 1
    root = leaf
    for sibling in proof:
        if last == 0:
            return False
        if index & 1 or index == last:
            root = node_hash(sibling, root)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        index, last = index >> 1, last >> 1
    return last == 0 and root == head.root


def consistency_proof(earlier: int, size: int, nodes_at: NodesAt) -> list[bytes]:
    """Return the proof that the first `earlier` of `size` entries are unchanged (RFC 6962, 2.1.2)."""
    if not 0 < earlier <= size:
        raise ValueError(f"a log of {size} entries has no beginning of {earlier}")
    path: list[bytes] = []
    begin, end, whole = 0, size, True
    while end != earlier:
        middle = begin + _split(end - begin)
        if earlier <= middle:
            path.append(_subtree(middle, end, nodes_at))
            end = middle
        else:
            path.append(_subtree(begin, middle, nodes_at))
            begin, whole = middle, False
    if not whole:
        path.append(_subtree(begin, end, nodes_at))
    return path[::-1]


def is_consistent(earlier: TreeHead, later: TreeHead, proof: Sequence[bytes]) -> bool:
    """Return whether a proof shows that the log with the later head begins with the log of the earlier head."""
    if earlier.size == later.size:
        return not proof and earlier.root == later.root
    if not 0 < earlier.size < later.size:
        return False
    path = list(proof)
    if earlier.size & (earlier.size - 1) == 0:
        path.insert(0, earlier.root)
    if not path:
        return False
    index, last = earlier.size - 1, later.size - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    old = new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if index & 1 or index == last:
            old, new = node_hash(sibling, old), node_hash(sibling, new)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            new = node_hash(new, sibling)
        index, last = index >> 1, last >> 1
    return last == 0 and old == earlier.root and new == later.root
