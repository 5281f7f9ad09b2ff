"""Copies of a ledger: into another store, byte for byte, with the same tree heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from matchledger.ledger import Conflict, Ledger, LedgerError, sound_tree
from matchledger.ledger.problems import as_ledger_errors
from matchledger.proof.merkle import TreeHead


@dataclass(frozen=True, slots=True)
class Copied:
    """A tournament that both ledgers hold now.

    `found_there` says that an earlier copy was there, and `lost_names` counts the names without a key in
    either ledger.
    """

    tournament: UUID
    name: str
    head: TreeHead
    found_there: bool
    lost_names: int


def copy_ledger(source: Ledger, target: Ledger) -> Iterator[Copied]:
    """Copies each tournament with its secret and its keys, in the order of their opening.

    A tournament that the target has already is compared. An interrupted copy can be made again: entries that
    arrived are not copied twice, and missing keys are added.

    Raises:
        LedgerError: a log of the source is not what was recorded, or the copy is not what was copied, or the target
            has no place for keys.
        Conflict: the target holds the tournament with another log.
    """
    there = set(target.tournaments())
    for tournament in source.readable():
        head = sound_tree(source, tournament).head
        keys = source.keys(tournament)
        found_there = tournament in there
        if not found_there:
            with as_ledger_errors():
                secret = source.recorder.sealed_secret(tournament)
            target.restore(tournament, source.recorder.entry_rows(tournament), secret=secret, keys=keys)
        elif target.head(tournament) != head:
            raise Conflict(
                f"tournament {tournament} is in both ledgers, with different logs: copy into another ledger"
            )
        else:
            target.take_keys(tournament, keys)
        if sound_tree(target, tournament).head != head:
            raise LedgerError(f"the copy of tournament {tournament} differs from the original: do not use it")
        opening = target.record_as_of(tournament, 1).opening
        name = "" if opening is None else opening.name
        yield Copied(tournament, name, head, found_there, len(target.lost_names(tournament)))
