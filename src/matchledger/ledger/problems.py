"""Problems of a store, as messages that name the next step."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from eventsourcing.persistence import (
    IntegrityError,
    OperationalError,
    PersistenceError,
)
from msgspec import Struct

from matchledger.events import Entry, SlipRefused
from matchledger.ledger.files import Moved
from matchledger.ledger.keyring import KeyRingError
from matchledger.ledger.mapper import Unreadable
from matchledger.ledger.recorder import Busy
from matchledger_projections.message import Sentence, numbered, plain, sentence


class _Advice(Struct, frozen=True):
    """Advice about a problem of the store. Advice for a recording command also says what became of the entries."""

    recording: Sentence
    reading: Sentence


def _either_way(advice: Sentence) -> _Advice:
    return _Advice(advice, advice)


_FULL = _Advice(
    sentence("the command was not recorded; free some space and send it again"),
    sentence("free some space and try again"),
)
_FAILING = _Advice(
    sentence("the command was not recorded; check whether the disk is full or failing"),
    sentence("check whether the disk is full or failing"),
)
_DAMAGED = _either_way(sentence("the file is damaged: restore a copy"))
_AWAY = _Advice(
    sentence("send the command again under its id when the database is back: it is not recorded twice"),
    sentence("try again when the database is back"),
)
_CROWDED = _either_way(sentence("end other programs that use the database, or raise its max_connections"))
_UNKNOWN = _Advice(
    sentence("run verify, and send the command again"),
    sentence("run verify, and try again"),
)

_HELD = _Advice(
    sentence("another station keeps writing: nothing was recorded, try again"),
    sentence("another station keeps writing: try again"),
)

# Error messages of the stores, with our advice for each. The first matching message counts.
_HINTS = {
    "disk is full": _FULL,
    "disk I/O error": _FAILING,
    "malformed": _DAMAGED,
    "not a database": _DAMAGED,
    "no such table": _DAMAGED,
    "no such column": _DAMAGED,
    "unable to open": _either_way(
        sentence("the file must be readable; if a file beside it ends in -wal, copy both to a writable folder")
    ),
    "readonly": _either_way(sentence("the file and its folder must be writable; copy it to such a folder")),
    "No space left": _FULL,
    "read-only transaction": _either_way(sentence("this is a standby: give the address of the primary, or both")),
    "permission denied": _either_way(
        sentence("grant this role what a station needs, as the owner of the database")
    ),
    "does not exist": _either_way(sentence("open or import a tournament into it first")),
    "too many": _CROWDED,
    "connection slots": _CROWDED,
    "connection": _AWAY,
    "shutting down": _AWAY,
    "starting up": _AWAY,
}


_STATEMENT = re.compile("\\n(?:CONTEXT|LINE [0-9]+|STATEMENT|DETAIL):")  # after this, a message quotes SQL
_LOCKED = re.compile("locked|lock timeout|deadlock")


def _advice(said: str) -> _Advice:
    return next((advice for words, advice in _HINTS.items() if words in said), _UNKNOWN)


def _unusable(said: str, *, recording: bool) -> Sentence:
    """Return the sentence about an error of the store. If the store's message names no next step, add advice."""
    if said.endswith("run verify"):
        return sentence("the ledger cannot be used: %(error)s", error=said)
    advice = _advice(said)
    hint = advice.recording if recording else advice.reading
    return sentence("the ledger cannot be used: %(error)s: %(hint)s", error=said, hint=hint)


class LedgerError(Exception):
    """A ledger that cannot be opened or read. The message is one line that names the next step.

    `store` is the message of the store if an answer could not be read, and empty for any other error. `rest` is the
    message without the words that nothing was recorded, for a line whose earlier commands were recorded.
    """

    store = ""
    rest: Sentence | str = ""


class UnreadableLog(LedgerError):
    """A log with an unreadable entry, or with an entry that contradicts the earlier entries."""


class Conflict(Exception):
    """Other stations recorded entries first several times, so the command was not recorded."""


class Contradiction(Conflict):
    """A slip contradicts the log. `entry` is the entry of the slip, recorded as refused. `contradicted` is the
    position of the result that counts.
    """

    def __init__(self, entry: Entry, fact: SlipRefused) -> None:
        super().__init__(
            sentence(
                "table %(table)s of round %(round)s has another result already (entry %(other)s): this slip is "
                "kept as refused (entry %(entry)s); correct the result, or retract entry %(entry)s",
                table=fact.table,
                round=fact.round,
                other=fact.contradicts,
                entry=entry.position,
            )
        )
        self.entry = entry
        self.contradicted = fact.contradicts


def _held_by(role: str, process: int) -> Sentence:
    return sentence(
        "another station keeps writing: nothing was recorded, try again. Role %(role)s holds the lock; the owner "
        "of the database can end its process %(process)s",
        role=plain(role),
        process=process,
    )


@contextmanager
def as_ledger_errors(*, recording: bool = False) -> Iterator[None]:
    """Turn any error of the store into a LedgerError with a message of one line. The function is a context manager
    and a decorator.

    While `recording`, the line also says whether the command was recorded.
    """
    try:
        yield
    except IntegrityError:
        raise
    except KeyRingError as error:
        raise LedgerError(error.args[0]) from None
    except Unreadable as error:
        raise UnreadableLog(
            sentence("entry %(entry)s: %(error)s: run verify", entry=error.position, error=error)
        ) from None
    except Moved as error:
        raise LedgerError(error.args[0]) from None
    except (PersistenceError, sqlite3.Error) as error:
        is_locked = isinstance(error, OperationalError | sqlite3.OperationalError) and _LOCKED.search(str(error))
        if isinstance(error, Busy) and error.holder is not None:
            raise Conflict(_held_by(*error.holder)) from None
        if is_locked or isinstance(error, Busy):
            raise Conflict(_HELD.recording if recording else _HELD.reading) from None
        said = " ".join(_STATEMENT.split(str(error))[0].split())
        problem = LedgerError(_unusable(said, recording=recording))
        problem.store = "" if recording else said
        if recording and _advice(said) in (_FULL, _FAILING):
            problem.rest = _unusable(said, recording=False)
        raise problem from None


@contextmanager
def after_recording(recorded: Sequence[int]) -> Iterator[None]:
    """Say in an error of the ledger that the command's entries are on the disk. `recorded` can grow inside the
    block.
    """
    try:
        yield
    except LedgerError as error:
        if not recorded:
            raise
        if error.rest:
            raise LedgerError(
                numbered(
                    "entry %(entries)s is recorded, and nothing after it: %(problem)s",
                    "entries %(entries)s are recorded, and nothing after them: %(problem)s",
                    len(recorded),
                    entries=", ".join(map(str, recorded)),
                    problem=error.rest,
                )
            ) from None
        raise LedgerError(
            numbered(
                "entry %(entries)s is recorded. After that: %(problem)s",
                "entries %(entries)s are recorded. After that: %(problem)s",
                len(recorded),
                entries=", ".join(map(str, recorded)),
                problem=error.store or error.args[0],
            )
        ) from None
