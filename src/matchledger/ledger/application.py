"""The application: commands come in, entries are recorded, and records are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import UUID, uuid4

from eventsourcing.application import Application
from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.utils import Environment, EnvType
from msgspec import Struct

from matchledger.commands.draft import Clerk, Decision, Draft, at_one_moment, new_command, now, stamp
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Entry, PersonCorrected, PlayerArrivedLate, PlayerRegistered, SlipRefused
from matchledger.ledger.admission import admit, clerk_of, need_admitted, need_free, shown
from matchledger.ledger.authors import Authors
from matchledger.ledger.cache import RecordCache
from matchledger.ledger.files import discard, is_kept
from matchledger.ledger.keyring import KeyRing, KeyRingError
from matchledger.ledger.mapper import EntryMapper, StoredEntry, field_keys
from matchledger.ledger.mirror import Mirror
from matchledger.ledger.problems import Conflict, Contradiction, LedgerError, UnreadableLog, as_ledger_errors
from matchledger.ledger.recorder import EntryRow, LedgerRecorder
from matchledger.ledger.records import Records, first_problem, without_collector
from matchledger.ledger.sealing import players_in
from matchledger.proof.merkle import TreeHead, leaf_hash
from matchledger.proof.station_token import StationToken
from matchledger_projections.message import demanding, no_entry, sentence
from matchledger_projections.record.chance import commitment
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record

ATTEMPTS = 5  # the most tries of a command if other stations always record an entry first
CAREFUL_COMMANDS = 30  # after a collision, a station waits for its turn until it was alone for so many commands


class _Step(Struct):
    """The entries of a command. If the command `is_repeated`, the entries are in the log already. Otherwise the
    entries follow the entry at `seen`.
    """

    entries: list[Entry]
    seen: int
    sealed: bool
    is_repeated: bool = False


class Ledger(Application[UUID]):
    """All tournaments of one store."""

    name = "matchledger"
    recorder: LedgerRecorder
    mirror: Mirror | None = None
    made: Path | None = None  # the new file of this ledger, if we made one

    def __init__(self, env: Mapping[str, str], ring: KeyRing | None = None) -> None:
        super().__init__(env)
        self.ring = KeyRing() if ring is None else ring
        assert isinstance(self.mapper, EntryMapper)  # noqa: S101 - construct_env chooses this mapper
        self.mapper.ring = self.ring
        file = env.get("SQLITE_DBNAME", ":memory:")
        self.cache = RecordCache(Path(file)) if is_kept(file) else None
        self._unreadable: dict[UUID, str | None] = {}
        self._extended: dict[UUID, int] = {}
        self._together: UUID | None = None
        self._careful = 0  # the number of coming commands that wait for their turn from the start
        self._records = Records(self.recorder, self.ring, self.cache)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the ledger. If the first command on a new file failed, remove the file."""
        is_empty = False
        if kind is not None and self.made is not None:
            with suppress(LedgerError):
                is_empty = not self.tournaments()
        super().__exit__(kind, problem, trace)
        if is_empty and self.made is not None:
            discard(self.made)

    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        """Return the ledger's own options without environment variables, which must not change a store."""
        return Environment(name, {**self.env, **(env or {})})

    def entries(self, tournament: UUID, *, after: int = 0, through: int | None = None) -> Iterator[Entry]:
        """Return a tournament's entries in order, as recorded."""
        return self._records.entries(tournament, after=after, through=through)

    def entry(self, tournament: UUID, position: int) -> Entry:
        """Return the entry at a position. Raises LedgerError if the log is shorter."""
        size = self.head(tournament).size
        if not 1 <= position <= size:
            raise LedgerError(no_entry(position, size))
        found = next(self.entries(tournament, after=position - 1, through=position), None)
        if found is None:
            raise LedgerError(sentence("entry %(entry)s is missing from the log: run verify", entry=position))
        return found

    def record(self, tournament: UUID) -> Record:
        """Return the record of the whole log. The ledger keeps the record between calls, so callers must not change
        the record.
        """
        return self._records.latest(tournament)

    def has_read(self, tournament: UUID) -> bool:
        """Return whether the record of a tournament is in memory."""
        return tournament in self._records

    def record_as_of(self, tournament: UUID, position: int) -> Record:
        """Return the record when the log had `position` entries. The caller may change this record."""
        return self._records.as_of(tournament, position)

    def position_at(self, tournament: UUID, moment: datetime) -> int:
        """Return the position of the last entry recorded at or before a moment. 0 without one."""
        return max((entry.position for entry in self.entries(tournament) if entry.recorded_at <= moment), default=0)

    def cached_record(self, tournament: UUID) -> Record | None:
        """Return the record in the cache, or None without a valid cache. After this call, records are read from the
        log and not from the cache.
        """
        return self._records.cached(tournament)

    def take_record(self, tournament: UUID, record: Record, authors: Authors) -> None:
        """Store a record that verification replayed from this log, with its authors, so that the log is not read
        again.
        """
        self._records.put(tournament, record, authors)

    def tournaments(self) -> list[UUID]:
        """Return the tournaments in this ledger, in order of opening."""
        with as_ledger_errors():
            return self.recorder.tournaments()

    def sizes(self) -> dict[UUID, int]:
        """Return the number of entries of each tournament, in order of opening."""
        with as_ledger_errors():
            return self.recorder.sizes()

    def extended(self) -> dict[UUID, int]:
        """Return the new lengths of the logs to which this ledger has added entries since the last call."""
        found, self._extended = self._extended, {}
        return found

    def readable(self) -> list[UUID]:
        """Return the tournaments whose opening is readable."""
        return [tournament for tournament in self.tournaments() if self.unreadable(tournament) is None]

    def unreadable(self, tournament: UUID) -> str | None:
        """Return why a tournament cannot be opened at all, or None."""
        if tournament not in self._unreadable:
            with as_ledger_errors():
                rows = next(self.recorder.entry_pages(tournament, through=1), [])
            self._unreadable[tournament] = first_problem(rows, tournament)
        return self._unreadable[tournament]

    def quarantined(self) -> dict[UUID, str]:
        """Return the tournaments that cannot be opened, each with the reason, except tournaments that the owner has
        excluded.
        """
        with as_ledger_errors():
            aside = self.recorder.aside()
        found = ((one, self.unreadable(one)) for one in self.tournaments() if one not in aside)
        return {tournament: problem for tournament, problem in found if problem is not None}

    def set_aside(self, tournament: UUID) -> None:
        """Record that the owner knows of an unreadable tournament. From then on, `verify` does not fail because of
        this tournament.

        Nothing is deleted. Raises LedgerError for a readable tournament, so that no one can hide a readable log.
        """
        if tournament not in self.tournaments():
            raise LedgerError(sentence("the ledger has no tournament %(tournament)s", tournament=tournament))
        if self.unreadable(tournament) is None:
            raise LedgerError(
                sentence(
                    "tournament %(tournament)s can be read: only an unreadable tournament can be set aside",
                    tournament=tournament,
                )
            )
        with as_ledger_errors(recording=True):
            self.recorder.set_aside(tournament)

    def records(self) -> Iterator[tuple[UUID, Record]]:
        """Yield each tournament with its record. An unreadable log does not hide the other logs."""
        for tournament in self.readable():
            try:
                record = self.record(tournament)
            except UnreadableLog:
                continue
            yield tournament, record

    def head(self, tournament: UUID, size: int | None = None) -> TreeHead:
        """Return the tree head stored with a tournament's log, now or at `size` entries."""
        with as_ledger_errors():
            head = self.recorder.tree_head(tournament)
        if head is None:
            raise LedgerError(sentence("the ledger has no tournament %(tournament)s", tournament=tournament))
        if size is None or size == head.size:
            return head
        with as_ledger_errors():
            row = self.recorder.tree_row(tournament, size)
        if row is None:
            raise LedgerError(sentence("the hash of entry %(entry)s is missing: run verify", entry=size))
        return TreeHead(size, row.root)

    def leaves(self, tournament: UUID, positions: Iterable[int]) -> list[bytes]:
        """Return the stored leaf hashes of some entries."""
        wanted = set(positions)
        with as_ledger_errors():
            rows = self.recorder.tree_rows(tournament, through=max(wanted, default=0))
            found = {row.position: row.nodes[0] for row in rows if row.position in wanted and row.nodes}
        if lost := wanted - found.keys():
            raise LedgerError(sentence("the hash of entry %(entry)s is missing: run verify", entry=min(lost)))
        return [found[position] for position in sorted(wanted)]

    def secret(self, tournament: UUID) -> bytes:
        """Return the secret behind a tournament's draws.

        Raises LedgerError if this ledger lacks the secret, or if the secret does not match the opening entry. If
        the secret were not checked, a person with access to the store could try secrets until a draw suits.
        """
        with as_ledger_errors():
            secret = self.recorder.sealed_secret(tournament)
        if secret is None and not self.recorder.may_read_secrets():
            raise LedgerError(
                sentence("this station may not read the draw secret: draw and close at the organizer's station")
            )
        if secret is None:
            raise LedgerError(
                sentence("this ledger does not hold the secret of the tournament, so it cannot draw or close")
            )
        opening = self.record(tournament).opening
        if opening is not None and opening.commitment != commitment(secret):
            raise LedgerError(
                sentence(
                    "the draw secret of this ledger was replaced, so it cannot draw: go on with a mirror or a copy "
                    "that has the right secret, or pair by hand"
                )
            )
        return secret

    def decide(
        self,
        tournament: UUID,
        decision: Decision,
        *,
        clerk: Clerk,
        command: str | None = None,
        reason: str | None = None,
        anybody: bool = False,
        admitted: bool = False,
    ) -> list[Entry]:
        """Execute a command: decide on the current record, and record the facts.

        With `anybody`, no token is needed, as for a call to the desk. A clerk who is `admitted` without a token,
        such as a player with a personal link, needs no token either. A command that was recorded before is not
        recorded again. For a repeated command, return its earlier entries. If another station recorded an entry
        first, the command is decided again on the new log. Raises the Refusal that the decision raises. Raises
        TokenRefused for a clerk without a valid token. Raises Conflict if other stations recorded first at every
        try, or if a different command has the same id. A slip that contradicts the log is recorded as refused. A
        contradicting slip raises Contradiction each time a station sends the slip.
        """
        command = command or new_command()
        is_careful = self._careful > 0
        attempts_out_of_turn = 0 if is_careful else self.recorder.attempts_out_of_turn
        self._careful = max(0, self._careful - 1)
        decide = partial(
            self._next, tournament, decision, clerk, command, reason, anybody=anybody, admitted=admitted
        )
        goes_on = False
        with ExitStack() as turn:
            for attempt in range(ATTEMPTS):
                if attempt == attempts_out_of_turn and self._together != tournament:
                    with as_ledger_errors(recording=True):
                        goes_on = turn.enter_context(self._in_turn(tournament))
                may_presume = attempt == 0 and (goes_on or not is_careful)
                step = self._presumably(tournament, decide, goes_on=goes_on) if may_presume else decide()
                if step is None:
                    continue
                if step.is_repeated:
                    return _without_contradiction(step.entries)
                try:
                    self._save(step.entries, sealed=step.sealed, token=clerk.token)
                except IntegrityError:
                    # If no other station has recorded an entry, someone has altered the log: read it again.
                    if self.record(tournament).position == step.seen:
                        self._records.forget(tournament)
                    self._careful = CAREFUL_COMMANDS
                    continue
                turn.close()
                if is_careful and not self._records.is_alone(tournament):
                    self._careful = CAREFUL_COMMANDS
                self._mirrored(tournament)
                return _without_contradiction(step.entries)
        raise Conflict(sentence("other stations kept writing to this tournament: nothing was recorded, try again"))

    def _presumably(self, tournament: UUID, decide: Callable[[], _Step | None], *, goes_on: bool) -> _Step | None:
        """Decide without reading the log, if it presumably has no new entries. Return None if new entries could
        change the answer. For other answers, the store looks for new entries when it records.
        """
        if not self._records.presume(tournament, goes_on=goes_on):
            return decide()
        try:
            step = decide()
        except Exception:  # noqa: BLE001 - the new entries may allow the command
            return None
        finally:
            self._records.settled = None
        return step if step is not None and step.entries else None

    def _next(
        self,
        tournament: UUID,
        decision: Decision,
        clerk: Clerk,
        command: str,
        reason: str | None,
        *,
        anybody: bool,
        admitted: bool,
    ) -> _Step | None:
        """Return the next entries of a command. Return None if new entries were read during the decision, so that
        the decision must be made again.
        """
        record = self.record(tournament)
        self.need_known(tournament)
        if not (anybody or admitted):
            need_admitted(record, clerk, now())
        seen, sealed = record.position, _is_sealed(record)
        if command in record.commands:
            return _Step(self._repeated(tournament, decision, command, clerk), seen, sealed, is_repeated=True)
        with at_one_moment():
            facts, refusal = _decided(decision, record)
            if record.position != seen:
                return None
            if anybody:
                need_free(facts, clerk)
            try:
                entries = stamp(
                    facts, tournament=tournament, record=record, clerk=clerk, command=command, reason=reason
                )
            except Refusal as not_allowed:  # the log gets no note about a clerk without permission
                raise refusal or not_allowed from None
        return _Step(entries, seen, sealed)

    def _in_turn(self, tournament: UUID) -> AbstractContextManager[bool]:
        return self.recorder.in_turn(tournament, partial(self.record, tournament))

    @contextmanager
    def together(self, tournament: UUID) -> Iterator[None]:
        """Record the entries of several commands of one tournament in one transaction.

        Each command is decided on the log that includes the entries before it. When the block ends, all entries are
        on the disk. Raises LedgerError or Conflict if no entry was recorded.
        """
        with as_ledger_errors(recording=True):
            try:
                with self._in_turn(tournament), self.recorder.together(tournament):
                    self.record(tournament)
                    self._together = self._records.settled = tournament
                    yield
            except IntegrityError:
                self._records.forget(tournament)
                raise Conflict(sentence("another station was first: nothing was recorded, try again")) from None
            except BaseException:
                self._records.forget(tournament)
                raise
            finally:
                self._together = self._records.settled = None
        self._mirrored(tournament)

    def newer(self, tournament: UUID) -> Sequence[int]:
        """Return the positions of entries that only a newer version of this program can read. Every view leaves
        newer entries out.
        """
        return sorted(self._records.newer[tournament])

    def authors(self, tournament: UUID) -> Authors:
        """Return the authors of a log's entries: the stations that signed, and the entries that do not count."""
        _ = self.record(tournament)
        return self._records.authors(tournament)

    def need_known(self, tournament: UUID) -> None:
        if newer := self.newer(tournament):
            raise LedgerError(
                sentence(
                    (
                        "entry %(entry)s was recorded by a newer version of matchledger: install that version to "
                        "record. This version shows and exports the log without that entry"
                    ),
                    entry=newer[0],
                )
            )

    def _repeated(self, tournament: UUID, decision: Decision, command: str, clerk: Clerk) -> list[Entry]:
        """Return the entries of a repeated command. Raises Conflict if the command, decided at its first position,
        gives other facts.

        A player gets only the player's own entries, because the entries of others contain private data (A-12).
        """
        entries = [entry for entry in self.entries(tournament) if entry.command == command]
        first = entries[0]
        try:
            with at_one_moment(first.recorded_at):
                facts, _ = _decided(decision, self.record_as_of(tournament, first.position - 1))
        except (Refusal, LookupError):  # the decision may name a player whom the earlier log lacks
            facts = []
        own = (first.actor, first.role, first.station) == (clerk.actor, clerk.role, clerk.station)
        if (clerk.role == "player" and not own) or list(facts) != [entry.fact for entry in entries]:
            raise Conflict(
                sentence(
                    "command id %(command)s belongs to entry %(entry)s (%(kind)s): use another id",
                    command=command,
                    entry=first.position,
                    kind=first.fact.kind,
                )
            )
        return entries

    def admit(self, tournament: UUID, text: str, **said: str) -> Clerk:
        """Return the clerk of a station token.

        When a token is first used, the log records its admission.

        The actor, role or station in `said` must match the token. For every command, `decide` checks the token
        against the log and the clock. Raises TokenRefused.
        """
        known = self.record(tournament)
        token = shown(known, tournament, text, now())
        clerk = clerk_of(token, **said)
        if admit(known, token):
            self.decide(tournament, lambda record: admit(record, token), clerk=clerk)
        return clerk

    def begin(
        self, decision: Decision, *, secret: bytes, clerk: Clerk, command: str | None = None
    ) -> tuple[UUID, list[Entry]]:
        """Open a tournament, and store the secret behind its draws with the log."""
        draft = Draft(uuid4(), clerk=clerk)
        draft.decide(decision, command=command)
        self.keep(draft, secret=secret)
        return draft.tournament, draft.entries

    def keys(self, tournament: UUID) -> dict[int, bytes]:
        """Return the available keys to the personal data of a tournament's players, by player."""
        found = ((player, self.ring.key(tournament, player)) for player in self.record(tournament).players)
        return {player: key for player, key in found if key is not None}

    def lost_names(self, tournament: UUID) -> set[int]:
        """Return the players whose keys are missing although their data was not erased."""
        record = self.record(tournament)
        if not _is_sealed(record):
            return set()
        return set(record.players) - self.keys(tournament).keys() - erased(record).keys()

    def take_keys(self, tournament: UUID, keys: Mapping[int, bytes]) -> None:
        """Store keys that came with an imported or copied log. Raises LedgerError if there is no place for the
        keys.
        """
        with as_ledger_errors(recording=True):
            self.ring.put(tournament, keys)

    def person_keys(self, tournament: UUID, entries: Iterable[Entry]) -> dict[int, bytes]:
        """Return keys that open only the encrypted registrations among some entries, by player."""
        if not _is_sealed(self.record(tournament)):
            return {}
        registered = players_in(
            entry.fact
            for entry in entries
            if isinstance(entry.fact, PlayerRegistered | PlayerArrivedLate | PersonCorrected)
        )
        keys = field_keys(self.ring)
        found = ((player, keys(tournament, player, "person")) for player in sorted(registered))
        return {player: key for player, key in found if key is not None}

    def restore(
        self,
        tournament: UUID,
        rows: Iterable[EntryRow],
        *,
        secret: bytes | None = None,
        keys: Mapping[int, bytes] | None = None,
    ) -> None:
        """Store an imported or copied log byte for byte, completely or not at all. Raises Conflict."""
        self.take_keys(tournament, keys or {})
        stored = [StoredEvent(tournament, row.position, row.topic, row.state) for row in rows]
        try:
            with as_ledger_errors(recording=True):
                self._insert(stored, sealed_secret=secret)
        except IntegrityError:
            raise Conflict(sentence("the ledger holds this tournament already: nothing was recorded")) from None

    def go_on(self, tournament: UUID, rows: Sequence[EntryRow], keys: Mapping[int, bytes]) -> None:
        """Append the later entries of a copy of this log, byte for byte. Raises Conflict if a station recorded an
        entry first.
        """
        self.take_keys(tournament, keys)
        try:
            with as_ledger_errors(recording=True):
                self._insert([StoredEvent(tournament, row.position, row.topic, row.state) for row in rows])
        except IntegrityError:
            raise Conflict(sentence("another station was first: nothing was recorded, try again")) from None
        self._mirrored(tournament)

    def keep(self, draft: Draft, *, secret: bytes | None = None) -> None:
        """Record a whole draft at once, or nothing. Raises Conflict if another station recorded an entry first."""
        try:
            self._save(
                draft.entries, sealed=_is_sealed(draft.record), token=draft.clerk.token, sealed_secret=secret
            )
        except IntegrityError:
            raise Conflict(sentence("another station was first: nothing was recorded, try again")) from None
        self._mirrored(draft.tournament)

    def _need_keys(self, tournament: UUID, players: Iterable[int]) -> None:
        """Refuse data about a player whose key is in a different key file, because two keys of a player cannot be
        merged (C-D7).
        """
        known = self.record(tournament)
        lost = [
            player
            for player in sorted(players)
            if player in known.players and player not in erased(known) and self.ring.key(tournament, player) is None
        ]
        if lost:
            raise KeyRingError(
                demanding(
                    sentence(
                        "the data of #%(player)s is sealed with a key that is not here, and without that key the "
                        "name stays a number",
                        player=lost[0],
                    ),
                    "another key file",
                )
            )

    def _mirrored(self, tournament: UUID) -> None:
        if self.mirror is not None and self._together is None:
            self.mirror.follow(Path(self.env["SQLITE_DBNAME"]), self.record(tournament), self.ring.path)

    def _insert(self, stored: Sequence[StoredEvent], **kwargs: Any) -> None:
        self.recorder.insert_events(stored, **kwargs)
        if stored:
            last = stored[-1]
            assert isinstance(last.originator_id, UUID)  # noqa: S101 - the ledger's streams have UUIDs as names
            self._extended[last.originator_id] = last.originator_version

    def need_key_file(self, tournament: UUID) -> None:
        """Refuse to start a second key file if the ledger has names that are encrypted with the first (C-D7). Also
        refuse the key file of another ledger.
        """
        if self.ring.is_begun:
            if self.lost_names(tournament):
                self.ring.need_own_file(self.tournaments())
            return
        unreadable = self.quarantined()
        others = (self.record(other) for other in self.tournaments() if other not in unreadable)
        if self.record(tournament).players or any(_is_sealed(record) and record.players for record in others):
            self.ring.need_file()

    def _save(self, entries: Sequence[Entry], *, sealed: bool, token: StationToken | None, **kwargs: Any) -> None:
        """Record entries completely or not at all, signed with a token. Keys to encrypted data are stored first."""
        with as_ledger_errors(recording=True):
            if sealed and (players := players_in(entry.fact for entry in entries)):
                first = entries[0]
                if first.position > 1:
                    self.need_key_file(first.tournament)
                if first.position > 1 and self.record(first.tournament).players:
                    self._need_keys(first.tournament, players)
                self.ring.ensure(first.tournament, players)
            stored = list(self._stored(entries, sealed=sealed, token=token))
            self._insert(stored, **kwargs)
        if entries:
            rows = [EntryRow(event.originator_version, event.topic, event.state) for event in stored]
            self._records.take(entries[0].tournament, rows)

    def _stored(
        self, entries: Sequence[Entry], *, sealed: bool, token: StationToken | None
    ) -> Iterator[StoredEvent]:
        """Yield the stored events of entries. A token signs each entry together with the hash of the entry before
        it.
        """
        after = None if token is None or not entries else self._leaf_before(entries[0])
        for entry in entries:
            event = self.mapper.to_stored_event(StoredEntry(entry, sealed=sealed, token=token, after=after))
            yield event
            after = None if after is None else leaf_hash(entry.position, event.topic, event.state)

    def _leaf_before(self, entry: Entry) -> bytes | None:
        """Return the leaf hash of the entry before, if signatures in this log cover it."""
        before, authors = entry.position - 1, self._records.authors(entry.tournament)
        if not authors.chained:
            return None
        known = authors.leaf_of_last(before)
        if known is not None:
            return known
        row = next(self.recorder.entry_rows(entry.tournament, after=before - 1, through=before), None)
        return None if row is None else leaf_hash(*row)


def _decided(decision: Decision, record: Record) -> tuple[Sequence[AnyFact], Refusal | None]:
    """Return the facts of a command. For a refusal with notes, return the notes as facts, and the refusal."""
    try:
        with without_collector():
            return decision(record), None
    except Refusal as refusal:
        if not refusal.notes:
            raise
        return refusal.notes, refusal


def _without_contradiction(entries: list[Entry]) -> list[Entry]:
    """Return the entries of a command. Raises Contradiction if the entries show that the command was refused."""
    for entry in entries:
        if isinstance(entry.fact, SlipRefused):
            raise Contradiction(entry, entry.fact)
    return entries


def _is_sealed(record: Record) -> bool:
    return record.opening is not None and record.opening.sealed
