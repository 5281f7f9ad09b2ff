"""Access: the visitors who may enter the desk, each with a role.

Three kinds of keys are valid. `serve` prints a key for the person who started it, which is valid until the server
ends. That person makes codes for stations, which are valid until they are revoked. Station
tokens are signed by the organizer. A key comes in a link, after a `#`, so that server logs and
other sites never see the key.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import Struct

from matchledger.commands.draft import now
from matchledger.ledger import Clerk, Ledger, LedgerError
from matchledger.ledger.admission import need_valid, shown
from matchledger.ledger.beside import SideFile
from matchledger.proof.station_token import TokenRefused
from matchledger_projections.message import Sentence, sentence

COOKIE = "matchledger"
StationRole = Literal["scorekeeper", "judge", "marshal", "organizer"]


def new_key() -> str:
    """Return a key that nobody can guess."""
    return secrets.token_urlsafe(24)


class NotLetIn(Exception):
    """A visitor to the desk has no valid key. The message is one line about the problem with the key."""

    def __init__(self, said: Sentence) -> None:
        super().__init__(said)


class LinkRevoked(NotLetIn):
    """The link of this station was revoked."""

    def __init__(self) -> None:
        super().__init__(sentence("the link of this station was revoked: ask the organizer for a new link"))


class LinkReplaced(NotLetIn):
    """A player's phone has a personal link that is no longer valid."""

    def __init__(self) -> None:
        super().__init__(sentence("this personal link is no longer valid: ask at the desk for a new one"))


class Visitor(Struct, frozen=True):
    """A visitor at the desk. `clerk` is None if the visitor may only look."""

    actor: str
    role: str
    station: str
    clerk: Clerk | None

    @property
    def writing(self) -> Clerk:
        """Return the visitor as a clerk. Raises TokenRefused for a visitor who may not record."""
        if self.clerk is None:
            raise TokenRefused(sentence("this token may only read: nothing was recorded"))
        return self.clerk


class Station(Struct):
    """A code that admits a station of a tournament as `clerk`.

    `used_at` is the time of the last use since the server started, or None. `lasts` says that the code is on disk
    and survives a restart of the server. `restored` says that the code is from an earlier start of the server.
    """

    code: str
    tournament: UUID
    clerk: Clerk
    used_at: datetime | None = None
    lasts: bool = False
    restored: bool = False


class Doors:
    """Admits visitors. `own` is the person who holds the server's key. The `side` file stores the codes of
    stations, and no other key is stored.
    """

    def __init__(self, own: Clerk, key: str, side: SideFile) -> None:
        self._own = own
        self._key = key
        self._side = side
        self._once: dict[str, tuple[UUID, Clerk]] = {}
        self._known: dict[str, Station] = {}
        self._revoked: dict[str, Station] = {}  # since the server started
        self._seen: set[tuple[UUID, str]] = set()
        self._tokens: set[str] = set()
        self._lent: dict[UUID, Clerk] = {}

    @property
    def _stations(self) -> dict[str, Station]:
        """The stations whose codes are valid, also those of another server on the same file."""
        if self._side.changed():
            self.restore()
        return self._known

    def knows(self, tournament: UUID, key: str) -> bool:
        """Return whether a key has opened this tournament before. The key may have been revoked since."""
        return (tournament, key) in self._seen or (self.has_opened(key) and key not in self._tokens)

    def has_opened(self, key: str) -> bool:
        """Return whether a key has opened any tournament before."""
        return self.is_own(key) or key in self._once or key in self._stations or key in self._tokens

    def look_at(self, ledger: Ledger, tournament: UUID, key: str) -> None:
        """Note that a tournament accepts a token. Raises NotLetIn for a token that the tournament does not
        accept.
        """
        try:
            shown(ledger.record(tournament), tournament, key, now())
        except TokenRefused as problem:
            raise NotLetIn(problem.args[0]) from None
        self._seen.add((tournament, key))
        self._tokens.add(key)

    def look_around(self, ledger: Ledger, key: str) -> None:
        """Raises NotLetIn for a key that no tournament accepts."""
        if self.is_own(key) or key in self._stations:
            return None
        refused = NotLetIn(sentence("the ledger holds no tournament yet: open one first"))
        for tournament, _ in ledger.records():
            try:
                return self.look_at(ledger, tournament, key)
            except NotLetIn as problem:
                refused = problem
        raise refused

    def enter(self, ledger: Ledger, key: str) -> tuple[str, UUID | None]:
        """Return the key that a visitor uses after entering, and the key's tournament. Raises NotLetIn."""
        if self.is_own(key):
            return key, None
        if (station := self._stations.get(key)) is not None:
            return key, station.tournament
        refused = NotLetIn(sentence("the ledger holds no tournament yet: open one first"))
        for tournament, record in ledger.records():
            try:
                token = shown(record, tournament, key, now())
                if not token.once:
                    return key, tournament
                clerk = ledger.admit(tournament, key)
            except TokenRefused as problem:
                refused = NotLetIn(problem.args[0])
                continue
            pass_ = new_key()
            self._once[pass_] = (tournament, clerk)
            return pass_, tournament
        raise refused

    def host(self, key: str | None) -> Clerk:
        """Return the person who started the server, if that person is an organizer. Only this person can open
        tournaments. Raises NotLetIn.
        """
        if not key or not self.is_own(key):
            raise NotLetIn(
                sentence("open a tournament at the machine that serves the ledger, with the key it printed")
            )
        if self._own.role != "organizer":
            raise NotLetIn(
                sentence("only an organizer opens a tournament: start the server with serve --role organizer")
            )
        return self._own

    def may_open(self, key: str | None) -> bool:
        """Return whether the visitor with a key can open tournaments."""
        return self.is_own(key) and self._own.role == "organizer"

    def visitor(self, ledger: Ledger, tournament: UUID, key: str) -> Visitor:
        """Return the visitor with a key at a tournament. Raises NotLetIn for an invalid key."""
        clerk = self._admitted(tournament, key)
        try:
            if clerk is not None:
                if clerk.token is not None:
                    need_valid(ledger.record(tournament), clerk.token, now())
                return _visitor(clerk)
            token = shown(ledger.record(tournament), tournament, key, now())
            if token.role == "read-only":
                return Visitor(token.actor, token.role, token.station, None)
            return _visitor(ledger.admit(tournament, key))
        except TokenRefused as problem:
            raise NotLetIn(problem.args[0]) from None

    def familiar(self, tournament: UUID, key: str) -> Visitor | None:
        """Return the visitor with a key that no log can revoke, or None, without reading the ledger."""
        clerk = self._admitted(tournament, key)
        return None if clerk is None or clerk.token is not None else _visitor(clerk)

    def _admitted(self, tournament: UUID, key: str) -> Clerk | None:
        """Return the clerk of a key, if the key is the server's, a station's or a session's, else None."""
        if self.is_own(key):
            return self._own
        if (station := self._stations.get(key)) is not None and station.tournament == tournament:
            station.used_at = now()
            return station.clerk
        of, clerk = self._once.get(key, (None, None))
        return clerk if of == tournament else None

    def lend(self, tournament: UUID, clerk: Clerk) -> None:
        """Let a station sign the entries that come from phones, until the server stops."""
        self._lent[tournament] = clerk

    def lent(self, tournament: UUID) -> Clerk | None:
        """Return the station that signs the entries from phones, or None."""
        return self._lent.get(tournament)

    def leave(self, key: str | None) -> None:
        """End the session of a single-use token."""
        self._once.pop(key or "", None)

    def is_own(self, key: str | None) -> bool:
        """Return whether a key is the key that `serve` printed."""
        return key is not None and secrets.compare_digest(key.encode(), self._key.encode())

    def open_station(self, tournament: UUID, clerk: Clerk) -> str:
        """Return a code that admits a station as `clerk`, until the code is revoked.

        If the side file cannot be written, the code is valid until the server stops.
        """
        code = secrets.token_urlsafe(12)
        self._known[code] = station = Station(code, tournament, clerk)
        with suppress(LedgerError):
            said = {"code": code, "actor": clerk.actor, "role": clerk.role, "station": clerk.station}
            self._side.keep_station(tournament, code, json.dumps(said))
            station.lasts = self._side.lasts
        return code

    def restore(self) -> None:
        """Admit the stations in the side file: of earlier starts of the server, and of other servers. Events that
        are over keep their stations, because an event can be reopened.
        """
        try:
            kept = {said["code"]: (tournament, said) for tournament, said in self._kept()}
        except LedgerError:
            self._side.look_again()
            return
        for code, station in list(self._known.items()):
            if station.lasts and code not in kept:
                self._known.pop(code, None)
                self._revoked[code] = station
        for code, (tournament, said) in kept.items():
            clerk = Clerk(said["actor"], said["role"], said["station"])
            self._known.setdefault(code, Station(code, tournament, clerk, lasts=self._side.lasts, restored=True))

    def _kept(self) -> Iterator[tuple[UUID, dict[str, Any]]]:
        for tournament, text in self._side.stations():
            yield tournament, json.loads(text)

    def stations(self, tournament: UUID) -> list[Station]:
        """Return the stations of a tournament whose codes are valid."""
        return [station for station in self._stations.values() if station.tournament == tournament]

    def revoke(self, tournament: UUID, code: str) -> None:
        """End a station's code. Do nothing if the code is unknown, because it has already ended."""
        if (known := self._stations.get(code)) is not None and known.tournament == tournament:
            self._revoked[code] = self._known.pop(code)
            if known.lasts:
                self._side.forget_station(tournament, code)

    def is_revoked(self, key: str | None) -> bool:
        """Return whether a key is a station's code that was revoked since the server started."""
        return key in self._revoked

    def last_revoked(self, tournament: UUID) -> Station | None:
        """Return the station of a tournament whose code was revoked last since the server started, or None."""
        return next((one for one in reversed(self._revoked.values()) if one.tournament == tournament), None)


def _visitor(clerk: Clerk) -> Visitor:
    return Visitor(clerk.actor, clerk.role, clerk.station, clerk)
