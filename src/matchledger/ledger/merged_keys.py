"""Merged keys: add the keys of a second key file that belong to a log."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

from msgspec import Struct

from matchledger.ledger.application import Ledger
from matchledger.ledger.beside import EVERYBODY
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.problems import as_ledger_errors
from matchledger.ledger.sealing import fitting
from matchledger_projections.record.erasures import erased


class MergedKeys(Struct, frozen=True):
    """The number of new keys, and the players whose keys did not change, by reason. The two files have different
    keys, the other key opens nothing (`unfit`), or the other key is destroyed although the player was not erased
    (`living`).
    """

    new: int
    differing: list[int]
    unfit: list[int]
    living: list[int]


def merge_keys(ledger: Ledger, other: KeyRing, tournament: UUID) -> MergedKeys:
    """Add the keys of another file that open data in a log.

    A key in the ledger's ring is destroyed only if the log records the erasure, because anyone can write a file of
    destroyed keys.
    """
    theirs = other.of(tournament)
    _reject_wrong_keys(ledger, tournament, theirs)
    mine = ledger.ring.of(tournament)
    gone = set(erased(ledger.record(tournament)))
    missing = {player: key for player, key in theirs.items() if player not in mine and key is not None}
    with as_ledger_errors():
        new = fitting(tournament, ledger.recorder.entry_rows(tournament), missing)
    ledger.take_keys(tournament, new)
    return MergedKeys(
        len(new),
        sorted(player for player, key in theirs.items() if key and mine.get(player) and mine[player] != key),
        sorted(missing.keys() - new.keys() - {EVERYBODY}),
        sorted(player for player, key in theirs.items() if key is None and mine.get(player) and player not in gone),
    )


def _reject_wrong_keys(ledger: Ledger, tournament: UUID, theirs: Mapping[int, bytes | None]) -> None:
    """Leave out the keys of the ledger's ring that open nothing, where the other file has another key."""
    registered, mine = ledger.record(tournament).players, ledger.ring.of(tournament)
    other = {
        one: key for one, key in mine.items() if one in registered and key and theirs.get(one) not in (None, key)
    }
    if other:
        with as_ledger_errors():
            right = fitting(tournament, ledger.recorder.entry_rows(tournament), other)
        for player in other.keys() - right.keys():
            ledger.ring.reject(tournament, player)
