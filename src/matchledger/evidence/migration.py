"""Copies of a ledger: into another store, byte for byte, with the same tree heads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

from msgspec import Struct

from matchledger.ledger import Conflict, Ledger, LedgerError, sound_tree
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.problems import as_ledger_errors
from matchledger.proof.merkle import TreeHead


class Copied(Struct, frozen=True):
    """A tournament that both ledgers now contain.

    `found_there` says that the target already had a copy of the tournament. `lost_names` counts the names whose key
    neither ledger has.
    """

    tournament: UUID
    name: str
    head: TreeHead
    found_there: bool
    lost_names: int


@as_ledger_errors()
def sound_heads(source: Ledger, ring: KeyRing | None = None) -> dict[UUID, TreeHead]:
    """Return the tree heads of the readable tournaments, in order of opening. Nothing is written.

    Raises LedgerError if no tournament is readable, if a log was altered, or if the target's key ring has no place
    for the keys.
    """
    heads = {}
    for tournament in source.readable():
        try:
            heads[tournament] = sound_tree(source, tournament).head
            keys = source.keys(tournament)
        except LedgerError as problem:
            raise LedgerError(f"nothing is copied, because of tournament {tournament}: {problem}") from None
        if ring is not None:
            ring.need_place(tournament, keys)
    if not heads:
        raise LedgerError("no tournament of this ledger can be read, so nothing is copied: run verify")
    return heads


def copy_ledger(source: Ledger, target: Ledger, heads: Mapping[UUID, TreeHead] | None = None) -> Iterator[Copied]:
    """Copy each tournament with its secret and its keys, in order of opening.

    If the target already has a tournament, the two logs are compared. An interrupted copy can be repeated: entries
    that arrived are not copied twice, and missing keys are added. `heads` is the result of `sound_heads`, if the
    caller has called that function already.

    Raises: LedgerError: for the reasons in `sound_heads`, before anything is copied; or if the copy differs from
    the original. Conflict: the target has a different log of a tournament. Nothing is copied.
    """
    heads = sound_heads(source, target.ring) if heads is None else heads
    there = set(target.tournaments())
    for tournament in there & heads.keys():
        if target.head(tournament) != heads[tournament]:
            raise Conflict(
                f"tournament {tournament} is in both ledgers, with different logs: merge them with merge-copy, "
                "or copy into another ledger"
            )
    for tournament, head in heads.items():
        keys = source.keys(tournament)
        found_there = tournament in there
        if not found_there:
            with as_ledger_errors():
                secret = source.recorder.sealed_secret(tournament)
            rows = source.recorder.entry_rows(tournament, through=head.size)
            target.restore(tournament, rows, secret=secret, keys=keys)
        else:
            target.take_keys(tournament, keys)
        if sound_tree(target, tournament).head != head:
            raise LedgerError(f"the copy of tournament {tournament} differs from the original: do not use it")
        opening = target.record_as_of(tournament, 1).opening
        name = "" if opening is None else opening.name
        yield Copied(tournament, name, head, found_there, len(target.lost_names(tournament)))
