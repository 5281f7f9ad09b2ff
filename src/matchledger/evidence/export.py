"""Exports: a whole log is written as JSON Lines and can be restored byte for byte, with the same tree head.

The first line names the tournament and the tree head. Each further line has one stored entry, with the entry's JSON
as a string. `docs/export.md` describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any
from uuid import UUID

from msgspec import Struct, field

from matchledger.events import Entry, TournamentClosed, TournamentOpened
from matchledger.formats.text import FormatError
from matchledger.ledger.application import Ledger
from matchledger.ledger.authors import Authors
from matchledger.ledger.keyring import KEY_BYTES, KeyRing
from matchledger.ledger.mapper import Unreadable, decode
from matchledger.ledger.problems import LedgerError
from matchledger.ledger.recorder import LONGEST_TOPIC, EntryRow, is_text
from matchledger.ledger.records import SENSELESS
from matchledger.ledger.sealing import fitting
from matchledger.ledger.tree import Tree, sound_tree
from matchledger.proof.merkle import TreeHead
from matchledger_projections.message import sentence
from matchledger_projections.record.chance import commitment
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import RulebookError
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.coherence import incoherence

FORMAT = "matchledger-export/1"
FORMAT_WITH_KEYS = "matchledger-export/2"  # this format adds the keys to personal data, in its first line
_HEADER = {"format": str, "tournament": str, "size": int, "root": str, "secret": (str, type(None))}
_LINE = {"position": int, "topic": str, "stored": str}
MAX_EXPORT_BYTES = 2**29
_BEGINNING = b'{"format": "matchledger-export/'
_BEGINNING_WITH_KEYS = _BEGINNING + b'2"'


class Export(Struct, frozen=True):
    """A log from a file: the rows to store, and the record that they give."""

    tournament: UUID
    head: TreeHead
    rows: tuple[EntryRow, ...]
    record: Record
    secret: bytes | None
    keys: Mapping[int, bytes] = field(default_factory=dict)


def export_lines(ledger: Ledger, tournament: UUID, *, names: bool = False) -> Iterator[str]:
    """Yield the lines of a log's export.

    Raises LedgerError if the log was altered.

    With `names`, the export includes the keys to all personal data readable here. The export includes the secret
    behind the draws only after a closing entry has published the secret.
    """
    head = sound_tree(ledger, tournament).head
    keys = ledger.keys(tournament) if names else None
    yield _line(
        format=FORMAT if keys is None else FORMAT_WITH_KEYS,
        tournament=str(tournament),
        size=head.size,
        root=head.root.hex(),
        secret=_revealed(ledger.entries(tournament, through=head.size)),
        **({} if keys is None else {"keys": {str(player): key.hex() for player, key in keys.items()}}),
    )
    for row in ledger.recorder.entry_rows(tournament, through=head.size):
        if not is_text(row):
            raise LedgerError(
                sentence(
                    "entry %(entry)s is not text, so no export can hold it: copy the ledger with migrate",
                    entry=row.position,
                )
            )
        yield _line(position=row.position, topic=row.topic, stored=row.state.decode())


def _line(**values: object) -> str:
    return f"{json.dumps(values, ensure_ascii=False)}\n"


def _revealed(entries: Iterator[Entry]) -> str | None:
    """Return the secret behind the draws from the log's last closing, or None without a closing. A retraction of
    the closing does not make the secret secret again.
    """
    secrets = [entry.fact.secret for entry in entries if isinstance(entry.fact, TournamentClosed)]
    return secrets[-1] if secrets else None


def is_export(data: bytes) -> bool:
    """Return whether a file begins like an export."""
    return data.startswith(_BEGINNING)


def read_export(data: bytes) -> Export:
    """Read an export. Raises FormatError, with the line, if the entries do not give the stated tree head."""
    lines = _lines(data)
    first = next(lines, b"")
    with_keys = first.startswith(_BEGINNING_WITH_KEYS)
    header = _values(first, _HEADER | {"keys": dict} if with_keys else _HEADER, 1)
    if header["format"] not in (FORMAT, FORMAT_WITH_KEYS):
        raise FormatError(f"this is {header['format']!r}, and only {FORMAT} and {FORMAT_WITH_KEYS} can be read", 1)
    try:
        tournament = UUID(header["tournament"])
        head = TreeHead.parse(f"{header['size']}:{header['root']}")
        secret = None if header["secret"] is None else bytes.fromhex(header["secret"])
        keys = _keys(header.get("keys", {}))
    except ValueError:
        raise FormatError(
            "the tournament, the tree head, the secret or a key is not of the right form", 1
        ) from None
    rows = tuple(_row(values, number) for number, values in zip(count(2), lines, strict=False))
    if (found := Tree(rows).head) != head:
        raise FormatError(
            f"the entries have the tree head {found}, and the first line states {head}: the file was changed or cut"
        )
    ring = KeyRing()
    ring.put(tournament, keys)
    authors = Authors(tournament)
    entries = [_entry(tournament, row, ring) for row in rows if authors.counts(row)]
    _check_secret(entries, secret)
    return Export(tournament, head, rows, _record_of(entries), secret, fitting(tournament, rows, keys))


def _record_of(entries: Iterable[Entry]) -> Record:
    """Return the record of some entries. Raises FormatError if the entries have the right form but contradict each
    other.
    """
    record, position = Record(), 0
    try:
        for entry in entries:
            position = entry.position
            _need_coherence(record, entry)
            record.apply(entry)
        standings(record)
    except RulebookError as error:
        raise FormatError(f"the law in it cannot be applied: {error}", 2) from None
    except FormatError:  # a FormatError is a ValueError too, but has its own reason
        raise
    except SENSELESS as error:
        raise FormatError(
            f"the entries make no tournament that could be ranked ({type(error).__name__})", position + 1
        ) from None
    return record


def _need_coherence(record: Record, entry: Entry) -> None:
    if (problem := incoherence(record, entry)) is not None:
        raise FormatError(f"entry {entry.position} cannot follow those before it: {problem}", entry.position + 1)


def restore(ledger: Ledger, export: Export) -> None:
    """Store an export in a ledger, with the same bytes as in the original ledger."""
    if export.tournament in ledger.tournaments():
        raise LedgerError("the ledger holds this tournament already")
    ledger.restore(export.tournament, export.rows, secret=export.secret, keys=export.keys)


def _keys(texts: dict[str, Any]) -> dict[int, bytes]:
    keys = {int(player): bytes.fromhex(text) for player, text in texts.items() if isinstance(text, str)}
    if len(keys) != len(texts) or any(len(key) != KEY_BYTES for key in keys.values()):
        raise ValueError("a key is 64 hexadecimal digits")
    return keys


def _lines(data: bytes) -> Iterator[bytes]:
    """Split the file only at line feeds, because JSON strings may contain other line separators."""
    *lines, rest = data.split(b"\n")
    if rest:
        raise FormatError("the last line has no end: the file was cut", len(lines) + 1)
    return iter(lines)


def _row(line: bytes, number: int) -> EntryRow:
    values = _values(line, _LINE, number)
    if values["position"] != number - 1:
        raise FormatError(f"entry {values['position']} stands where entry {number - 1} should", number)
    try:
        state = values["stored"].encode()
        topic_bytes = len(values["topic"].encode())
    except UnicodeEncodeError:
        raise FormatError("the entry is not Unicode text", number) from None
    if topic_bytes > LONGEST_TOPIC:
        raise FormatError("the topic is longer than any kind of fact", number)
    return EntryRow(values["position"], values["topic"], state)


def _values(line: bytes, types: dict[str, Any], number: int) -> dict[str, Any]:
    try:
        values = json.loads(line.decode())
    except (ValueError, RecursionError):
        raise FormatError("this is not a line of an export: it is not JSON in UTF-8", number) from None
    if not isinstance(values, dict) or values.keys() != types.keys():
        raise FormatError(f"this is not a line of an export: it should have {', '.join(types)}", number)
    for name, kind in types.items():
        if not isinstance(values[name], kind) or isinstance(values[name], bool):
            raise FormatError(f"{name} is not of the right form", number)
    return values


def _entry(tournament: UUID, row: EntryRow, ring: KeyRing) -> Entry:
    try:
        entry = decode(tournament, *row, ring)
    except Unreadable as error:
        raise FormatError(f"entry {row.position} {error}", row.position + 1) from None
    if (row.position == 1) != isinstance(entry.fact, TournamentOpened):
        raise FormatError("a log begins with the opening of its tournament, and has one", row.position + 1)
    return entry


def _check_secret(entries: list[Entry], secret: bytes | None) -> None:
    if not entries:
        raise FormatError("the export has no entries")
    opening = entries[0].fact
    assert isinstance(opening, TournamentOpened)  # noqa: S101 - the first entry was checked to be one
    if secret is not None and commitment(secret) != opening.commitment:
        raise FormatError("this secret does not belong to the tournament", 1)
