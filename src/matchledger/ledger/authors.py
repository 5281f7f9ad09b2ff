"""Authors: which entries of a log count once its stations sign their entries.

After a trusted key demands signatures, an entry that names a token counts only if that token's station signed it
for this place in the log. If the tournament demands tokens, an entry without a token does not count either. An
entry that does not count stays in the log, and `verify` names it. In a log without signatures, every entry counts.
An entry that its station had no right to record counts only if some rulebook could allow the role to record it. An
entry that only an organizer may record counts only from an organizer's station.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args
from uuid import UUID

import msgspec
from pydantic import ValidationError

from matchledger.events import KINDS, PlainReport, TokenAdmitted, TokenKeyDistrusted, TokenKeyTrusted, TokenRevoked
from matchledger.ledger.mapper import Unreadable, decode, is_written_plainly, plain_slip
from matchledger.ledger.recorder import EntryRow
from matchledger.proof import authorship
from matchledger.proof.keys import VerificationKey, readable_keys
from matchledger.proof.merkle import leaf_hash
from matchledger.proof.station_token import StationToken, TokenRefused, certified
from matchledger_projections.conduct import access as doors
from matchledger_projections.conduct.permissions import ORGANIZERS_OWN
from matchledger_projections.message import one_line
from matchledger_projections.record.record import Record

_DoorFact = TokenKeyTrusted | TokenKeyDistrusted | TokenAdmitted | TokenRevoked
_DOORS = {kind.model_fields["kind"].default: kind for kind in get_args(_DoorFact)}
# Kinds of facts that count only from an organizer's station, with the objection to any other station. No rulebook
# can allow these facts to other roles.
_ORGANIZERS = {
    name: "decides who comes in"
    if getattr(kind, "action", None) == "guard-doors"
    else "is for the organizer alone to record"
    for name, kind in KINDS.items()
    if not kind.anybody and getattr(kind, "action", None) in {*ORGANIZERS_OWN, "guard-doors"}
}
# Kinds of facts that need no token even if the log demands tokens.
_TOKENLESS = frozenset(name for name, kind in KINDS.items() if kind.tokenless)


class Authors:
    """The stations of a tournament, and the entries that have no valid author. The class reads the stored entries
    in order.
    """

    def __init__(self, tournament: UUID, record: Record | None = None, last: EntryRow | None = None) -> None:
        """Begin before the first entry, or after a record whose entries all count. `last` is the record's last
        entry.
        """
        record = Record() if record is None else record
        trusted = record.every(TokenKeyTrusted)
        self._tournament = tournament
        self.position = record.position
        self.forged: dict[int, str] = {}  # for each entry that does not count, the reason
        # The number of entries with a signature, and the number of entries that lack a needed token.
        self.signed = self.unsigned = 0
        signing = [position for position, fact in trusted if fact.signed]
        self.signing = bool(signing)
        self.chained = any(fact.chained for _, fact in trusted)
        self._last = last
        self._keys = doors.trusted_keys(record)
        self._revoked = {fact.token: position for position, fact in reversed(record.every(TokenRevoked))}
        self._stations: dict[str, StationToken] = {}
        # The commands of the entries that count.
        self._commands = record.commands_after(signing[0]) if signing else set[str]()
        self._command: str | None = None
        self._signatures: set[bytes] = set()  # the signatures of the last command's entries
        every_key = readable_keys(fact.key for _, fact in trusted)
        for _, fact in record.every(TokenAdmitted):
            self._let_in(fact, every_key)

    def counts(self, row: EntryRow) -> bool:
        """Read the next stored entry, or look up an earlier entry. Return whether the entry counts."""
        if row.position > self.position:
            self.position = row.position
            if (problem := self._problem(row)) is not None:
                self.forged[row.position] = one_line(problem)
            self._last = row
        return row.position not in self.forged

    def leaf_of_last(self, position: int) -> bytes | None:
        """Return the leaf hash of the last entry that was read, if that is the entry at `position`."""
        return leaf_hash(*self._last) if self._last is not None and self._last.position == position else None

    def _problem(self, row: EntryRow) -> str | None:
        """Return the objection to a stored entry, or None if the entry counts."""
        if not self.signing and row.topic not in _DOORS:
            return None
        try:
            plain = plain_slip(row)
            said = _read(authorship.unsigned(row.state)) if plain is None else msgspec.structs.asdict(plain)
            door = _DOORS[row.topic].model_validate(said["fact"]) if row.topic in _DOORS else None
        except (KeyError, TypeError, ValueError, ValidationError, RecursionError):
            return None if not self.signing else "cannot be read, and no station signed it"
        problem = next(self._objections(row, said, door), None) if self.signing else None
        if problem is None:
            self._take(row.position, door)
        return problem

    def _objections(self, row: EntryRow, said: dict[str, Any], door: _DoorFact | None) -> Iterator[str]:
        """Yield the objections to the author of an entry. The first objection is enough."""
        token, author = said.get("token"), _author(said)
        if token is None:
            self.unsigned += 1
            if any(self._keys.values()):
                yield from self._strange(row, said, author)
            yield from self._odd(row, said, author)
            self._commands.add(str(said.get("command")))
            return
        if isinstance(door, TokenAdmitted):
            yield from self._unlike(door, said["fact"], author)
        station = self._stations.get(token) if isinstance(token, str) else None
        if station is None:
            yield f"names token {token}, which never came in, as {author}"
            return
        if (station.actor, station.role, station.station) != tuple(said.get(name) for name in _AUTHOR):
            yield f"says {author}, and token {token} is of {_author(station.model_dump())}"
        signature = authorship.signature_of(row.state)
        if signature is None:
            yield f"names token {token} without the signature of its station, as {author}"
            return
        if not station.verifies(authorship.signed_text(authorship.without_signature(row.state)), signature):
            yield f"names token {token}, and its station did not sign it, as {author}"
        self.signed += 1
        if token in self._revoked:
            yield f"names token {token}, which entry {self._revoked[token]} revoked, as {author}"
        if row.topic in _ORGANIZERS and station.role != "organizer":
            yield f"{_ORGANIZERS[row.topic]}, as {author}"
        yield from self._odd(row, said, author)
        yield from self._repeated(str(said.get("command")), signature)
        yield from self._out_of_place(row, author)

    def _odd(self, row: EntryRow, said: dict[str, Any], author: str) -> Iterator[str]:
        """Yield the objection to an entry in a form that no station writes, which others could read differently."""
        is_plain_slip = isinstance(said.get("fact"), PlainReport)  # then `plain_slip` has compared the bytes
        if not (is_plain_slip or is_written_plainly(self._tournament, row)):
            yield f"is written in a form that no station writes, as {author}"

    def _unlike(self, door: TokenAdmitted, fact: dict[str, Any], author: str) -> Iterator[str]:
        """Yield the objections to the admission of a token. Without an objection, let the station in."""
        if door.role == "read-only":
            yield f"lets in token {door.token}, which may only read, as {author}"
        if not (_is_written_alike(door, fact) and self._let_in(door, readable_keys(self._keys))):
            yield f"lets in token {door.token} without a certificate that a trusted key signed, as {author}"

    def _out_of_place(self, row: EntryRow, author: str) -> Iterator[str]:
        """Yield the objection to an entry that follows another entry than its signature names."""
        if authorship.after_of(row.state) != (self.leaf_of_last(row.position - 1) if self.chained else None):
            yield f"was signed for another place in a log, as {author}"

    def _strange(self, row: EntryRow, said: dict[str, Any], author: str) -> Iterator[str]:
        """Yield the objections to an entry without a token. An unreadable entry would stop the tournament."""
        if row.topic not in _TOKENLESS or said.get("role") != "player":
            yield f"names no token where tokens are demanded, as {author}"
        try:
            decode(self._tournament, *row)
        except (Unreadable, RecursionError):
            yield "cannot be read, and no station signed it"

    def _repeated(self, command: str, signature: bytes) -> Iterator[str]:
        """Yield an objection if a signed entry repeats an entry of an earlier command. A repeated entry does not
        count.
        """
        if command != self._command:
            if command in self._commands:
                yield f"repeats an entry of command {command}"
            self._commands.add(command)
            self._command, self._signatures = command, set()
        if signature in self._signatures:
            yield f"repeats an entry of command {command}"
        self._signatures.add(signature)

    def _take(self, position: int, door: _DoorFact | None) -> None:
        match door:
            case TokenKeyTrusted():
                self._keys[door.key] = door.demanded
                self.signing = self.signing or door.signed
                self.chained = self.chained or door.chained
            case TokenKeyDistrusted():
                self._keys.pop(door.key, None)
            case TokenRevoked():
                self._revoked.setdefault(door.token, position)
            case _:
                pass

    def _let_in(self, fact: TokenAdmitted, keys: list[VerificationKey]) -> bool:
        """Note the station of a token that has a valid, matching certificate. Return whether the certificate is
        valid.
        """
        try:
            token = certified(keys, fact.certificate or "")
        except TokenRefused:
            return False
        same = (token.id, token.actor, token.role, token.station, token.issued, token.expires) == (
            fact.token,
            fact.actor,
            fact.role,
            fact.station,
            fact.issued,
            fact.expires,
        )
        here = token.tournament in (None, self._tournament)
        if same and here:
            self._stations[token.id] = token
        return same and here


def _is_written_alike(door: TokenAdmitted, fact: dict[str, Any]) -> bool:
    """Return whether an entry writes the token's times exactly like the certificate, because `docs/verify.py`
    compares the texts.
    """
    written = door.model_dump(mode="json", include={"issued", "expires"})
    return all(fact[name] == text for name, text in written.items())


_AUTHOR = ("actor", "role", "station")


def _author(said: dict[str, Any]) -> str:
    return "{} ({}, {})".format(*(said.get(name) for name in _AUTHOR))


def _read(state: bytes) -> dict[str, Any]:
    """Return the members of stored JSON. Raises ValueError for a member that occurs twice, because readers could
    use either.
    """
    said = json.loads(state, object_pairs_hook=_once)
    if not isinstance(said, dict):
        raise TypeError
    return said


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member stands twice")
    return found
