"""The Merkle tree: known values of RFC 6962, every proof in every small tree, and forgeries."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence

import pytest

from matchledger.proof.merkle import (
    EMPTY_ROOT,
    HASH_BYTES,
    Frontier,
    TreeHead,
    consistency_proof,
    includes,
    inclusion_proof,
    is_consistent,
    leaf_hash,
    node_hash,
)

LARGEST = 40

# The eight leaves and roots that implementations of RFC 6962 share as test vectors.
KNOWN_LEAVES = [
    bytes.fromhex(leaf)
    for leaf in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
KNOWN_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def hash_of_leaf(data: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + data).digest()


def naive_root(leaves: Sequence[bytes]) -> bytes:
    """Return the root as RFC 6962, 2.1 defines it, without optimization."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    return hashlib.sha256(b"\x01" + naive_root(leaves[:middle]) + naive_root(leaves[middle:])).digest()


def naive_inclusion(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """Return PATH(m, D[n]) of RFC 6962, 2.1.1. `index` counts from 0."""
    if len(leaves) == 1:
        return []
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    if index < middle:
        return [*naive_inclusion(index, leaves[:middle]), naive_root(leaves[middle:])]
    return [*naive_inclusion(index - middle, leaves[middle:]), naive_root(leaves[:middle])]


def naive_consistency(earlier: int, leaves: Sequence[bytes], *, whole: bool = True) -> list[bytes]:
    """Return SUBPROOF(m, D[n], b) of RFC 6962, 2.1.2."""
    if earlier == len(leaves):
        return [] if whole else [naive_root(leaves)]
    middle = 1
    while middle * 2 < len(leaves):
        middle *= 2
    if earlier <= middle:
        return [*naive_consistency(earlier, leaves[:middle], whole=whole), naive_root(leaves[middle:])]
    return [*naive_consistency(earlier - middle, leaves[middle:], whole=False), naive_root(leaves[:middle])]


class Tree:
    """A tree that grows leaf by leaf, with the rows of each entry."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        self.leaves = leaves
        self.nodes: dict[int, list[bytes]] = {}
        self.heads = [Frontier().head]
        frontier = Frontier()
        for position, leaf in enumerate(leaves, 1):
            self.nodes[position] = frontier.append(leaf)
            self.heads.append(frontier.head)

    def nodes_at(self, position: int) -> Sequence[bytes]:
        return self.nodes[position]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree([hash_of_leaf(bytes([number])) for number in range(LARGEST)])


def forgeries(proof: list[bytes], foreign: bytes) -> Iterator[list[bytes]]:
    """Yield proofs that are almost right: with a flipped bit in a hash, or with hashes left out, added, doubled or
    swapped.
    """
    for place, given in enumerate(proof):
        for bit in (0, 100, 255):
            flipped = bytearray(given)
            flipped[bit // 8] ^= 1 << bit % 8
            yield [*proof[:place], bytes(flipped), *proof[place + 1 :]]
        yield [*proof[:place], *proof[place + 1 :]]
        yield [*proof[:place], given, *proof[place:]]
        yield [*proof[:place], foreign, *proof[place:]]
        yield [*proof[:place], given[:-1], *proof[place + 1 :]]
    for place in range(len(proof) - 1):
        swapped = proof.copy()
        swapped[place], swapped[place + 1] = swapped[place + 1], swapped[place]
        yield swapped
    yield [*proof, foreign]
    yield [foreign, *proof]
    if len(proof) > 1:
        yield proof[::-1]
        yield []


def is_true_proof(forged: list[bytes], proof: list[bytes]) -> bool:
    """Return whether a changed proof is still true, because two equal hashes were swapped."""
    return forged == proof


@pytest.mark.parametrize("size", range(9))
def test_a_tree_with_the_known_leaves_has_the_known_root(size: int) -> None:
    frontier = Frontier()
    for leaf in KNOWN_LEAVES[:size]:
        frontier.append(hash_of_leaf(leaf))
    assert frontier.head == TreeHead(size, bytes.fromhex(KNOWN_ROOTS[size]))


def test_an_empty_log_has_the_root_of_an_empty_tree() -> None:
    assert EMPTY_ROOT.hex() == KNOWN_ROOTS[0]


def test_the_leaf_of_an_entry_contains_its_position_and_lengths() -> None:
    data = bytes.fromhex("00000000000000070008") + b"cut-made" + b'{"a":1}'
    assert leaf_hash(7, "cut-made", b'{"a":1}') == hashlib.sha256(b"\x00" + data).digest()


def test_no_two_entries_share_a_leaf() -> None:
    leaves = {
        leaf_hash(1, "ab", b"c"),
        leaf_hash(1, "a", b"bc"),
        leaf_hash(1, "abc", b""),
        leaf_hash(1, "", b"abc"),
        leaf_hash(2, "ab", b"c"),
        leaf_hash(1, "ab", b"c\x00"),
    }
    assert len(leaves) == 6


def test_a_leaf_is_never_a_node() -> None:
    left, right = hash_of_leaf(b"left"), hash_of_leaf(b"right")
    assert hash_of_leaf(left + right) != node_hash(left, right)


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_a_tree_of_any_size_has_the_root_that_the_rfc_defines(tree: Tree, size: int) -> None:
    assert tree.heads[size] == TreeHead(size, naive_root(tree.leaves[:size]))


@pytest.mark.parametrize("size", range(LARGEST + 1))
def test_a_tree_grows_from_its_stored_rows(tree: Tree, size: int) -> None:
    frontier = Frontier.at(size, tree.nodes_at)
    assert frontier.head == tree.heads[size]
    for leaf in tree.leaves[size:]:
        frontier.append(leaf)
    assert frontier.head == tree.heads[LARGEST]


def test_an_entry_completes_one_hash_for_each_full_subtree_that_it_ends(tree: Tree) -> None:
    completed = [len(tree.nodes[position]) for position in range(1, 17)]
    assert completed == [1, 2, 1, 3, 1, 2, 1, 4, 1, 2, 1, 3, 1, 2, 1, 5]


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_the_path_of_the_rfc_proves_that_an_entry_is_in_the_log(tree: Tree, size: int) -> None:
    for position in range(1, size + 1):
        proof = inclusion_proof(position, size, tree.nodes_at)
        assert proof == naive_inclusion(position - 1, tree.leaves[:size])
        assert includes(tree.heads[size], position, tree.leaves[position - 1], proof)


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_the_path_of_the_rfc_proves_every_beginning_of_a_log(tree: Tree, size: int) -> None:
    for earlier in range(1, size + 1):
        proof = consistency_proof(earlier, size, tree.nodes_at)
        assert proof == naive_consistency(earlier, tree.leaves[:size])
        assert is_consistent(tree.heads[earlier], tree.heads[size], proof)


@pytest.mark.parametrize("size", range(1, LARGEST + 1))
def test_a_forged_inclusion_proof_proves_nothing(tree: Tree, size: int) -> None:
    head, foreign = tree.heads[size], hash_of_leaf(b"foreign")
    for position in range(1, size + 1):
        leaf = tree.leaves[position - 1]
        proof = inclusion_proof(position, size, tree.nodes_at)
        for forged in forgeries(proof, foreign):
            assert is_true_proof(forged, proof) or not includes(head, position, leaf, forged)
        assert not includes(head, position, foreign, proof)
        assert not includes(TreeHead(size, foreign), position, leaf, proof)
        for other in range(size + 2):
            assert other == position or not includes(head, other, leaf, proof)


@pytest.mark.parametrize("size", range(2, LARGEST + 1))
def test_a_forged_consistency_proof_proves_nothing(tree: Tree, size: int) -> None:
    later, foreign = tree.heads[size], hash_of_leaf(b"foreign")
    for length in range(1, size):
        earlier = tree.heads[length]
        proof = consistency_proof(length, size, tree.nodes_at)
        for forged in forgeries(proof, foreign):
            assert is_true_proof(forged, proof) or not is_consistent(earlier, later, forged)
        assert not is_consistent(TreeHead(length, foreign), later, proof)
        assert not is_consistent(earlier, TreeHead(size, foreign), proof)
        assert not is_consistent(later, earlier, proof)


def test_a_path_for_another_size_proves_nothing(tree: Tree) -> None:
    for size in range(1, LARGEST):
        for position in range(1, size + 1):
            proof = inclusion_proof(position, size, tree.nodes_at)
            leaf = tree.leaves[position - 1]
            for other in (size - 1, size + 1):
                assert not includes(tree.heads[other], position, leaf, proof)


def test_a_log_is_consistent_with_itself_without_a_proof(tree: Tree) -> None:
    head = tree.heads[13]
    assert consistency_proof(13, 13, tree.nodes_at) == []
    assert is_consistent(head, head, [])
    assert not is_consistent(head, head, [head.root])
    assert not is_consistent(head, TreeHead(13, tree.heads[12].root), [])


def test_an_empty_log_proves_nothing_about_a_longer_one(tree: Tree) -> None:
    assert not is_consistent(tree.heads[0], tree.heads[5], [])
    assert not is_consistent(tree.heads[0], tree.heads[5], [tree.heads[5].root])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda nodes: inclusion_proof(0, 5, nodes), "entry 0 is not among the first 5"),
        (lambda nodes: inclusion_proof(6, 5, nodes), "entry 6 is not among the first 5"),
        (lambda nodes: consistency_proof(0, 5, nodes), "a log of 5 entries has no beginning of 0"),
        (lambda nodes: consistency_proof(6, 5, nodes), "a log of 5 entries has no beginning of 6"),
    ],
)
def test_a_proof_about_a_missing_entry_is_refused(
    tree: Tree, ask: Callable[[Callable[[int], Sequence[bytes]]], list[bytes]], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        ask(tree.nodes_at)


def test_a_printed_tree_head_can_be_read_back(tree: Tree) -> None:
    for head in tree.heads:
        assert TreeHead.parse(str(head)) == head
        assert TreeHead.parse(f"  {head}\n") == head


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "12:",
        ":" + "0" * 64,
        "12:" + "0" * 63,
        "12:" + "0" * 66,
        "12:" + "g" * 64,
        "-1:" + "0" * 64,
        "x:ff",
    ],
)
def test_an_invalid_tree_head_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        TreeHead.parse(text)


def test_stored_hashes_are_split_by_length(tree: Tree) -> None:
    assert {len(node) for nodes in tree.nodes.values() for node in nodes} == {HASH_BYTES}
