"""What goes wrong with a store, in words that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from eventsourcing.persistence import (
    IntegrityError,
    MapperDeserialisationError,
    OperationalError,
    PersistenceError,
)

from matchledger.events import Entry, SlipRefused
from matchledger.ledger.keyring import KeyRingError
from matchledger.ledger.recorder import Busy
from matchledger_projections.sentence import Sentence, sentence

_FULL = sentence("nothing of the command was recorded; free some space and send it again")
_DAMAGED = sentence("the file is damaged, restore a copy of it")
_AWAY = sentence("send the command again under its id when the database is back: it is not recorded twice")

# What stores say, and what to do about it; the first that fits.
_HINTS = {
    "disk is full": _FULL,
    "disk I/O error": sentence("nothing of the command was recorded; see whether the disk is full or failing"),
    "malformed": _DAMAGED,
    "not a database": _DAMAGED,
    "no such table": _DAMAGED,
    "unable to open": sentence(
        "it must be readable; where one beside it ends in -wal: copy both to a writable folder"
    ),
    "readonly": sentence("the file and its folder must be writable; copy it to such a folder"),
    "No space left": _FULL,
    "read-only transaction": sentence("this is a standby: give the address of the primary, or both"),
    "permission denied": sentence("grant this role SELECT and INSERT on the tables, as the owner of the database"),
    "does not exist": sentence("open or import a tournament into it first"),
    "too many": sentence("end other programs that use it, or raise its max_connections"),
    "connection slots": sentence("end other programs that use it, or raise its max_connections"),
    "connection": _AWAY,
    "shutting down": _AWAY,
    "starting up": _AWAY,
}


def _unusable(said: str) -> Sentence:
    """What a store says, with what to do about it; what already says so needs nothing."""
    if said.endswith("run verify"):
        return sentence("the ledger cannot be used: %(error)s", error=said)
    found = next((hint for words, hint in _HINTS.items() if words in said), None)
    hint = sentence("run verify, and send the command again") if found is None else found
    return sentence("the ledger cannot be used: %(error)s: %(hint)s", error=said, hint=hint)


class LedgerError(Exception):
    """A ledger that cannot be opened or read; the message is one line that says what to do."""


class Conflict(Exception):
    """Other stations kept being first; nothing of the command was recorded."""


class Contradiction(Conflict):
    """A slip says otherwise than the log. It is recorded as refused, in `entry`; what stands is `contradicted`."""

    def __init__(self, entry: Entry, fact: SlipRefused) -> None:
        super().__init__(
            sentence(
                "table %(table)s of round %(round)s has another result already (entry %(other)s): this slip is "
                "kept as refused (entry %(entry)s), correct the result if it is wrong",
                table=fact.table,
                round=fact.round,
                other=fact.contradicts,
                entry=entry.position,
            )
        )
        self.entry = entry
        self.contradicted = fact.contradicts


@contextmanager
def as_ledger_errors() -> Iterator[None]:
    """Says in one line what is wrong with the store, whatever it raises; also a decorator."""
    try:
        yield
    except IntegrityError:
        raise
    except KeyRingError as error:
        raise LedgerError(str(error)) from None
    except MapperDeserialisationError as error:
        raise LedgerError(sentence("%(error)s: run verify", error=error)) from None
    except (PersistenceError, sqlite3.Error) as error:
        is_locked = isinstance(error, OperationalError | sqlite3.OperationalError) and "locked" in str(error)
        if is_locked or isinstance(error, Busy):
            raise Conflict(
                sentence("another station is writing and does not end: nothing was recorded, try again")
            ) from None
        said = " ".join(str(error).split())
        raise LedgerError(_unusable(said)) from None
