"""The record: everything that the entries of a tournament's log add up to.

Every table is projected from the record.

Entries are applied in order of position and never change earlier entries. A correction or a retraction is stored
next to its entry. Readers of the record decide what counts, so undoing a retraction costs as little as making it.
To see a tournament as known at a past moment, apply only the entries before that moment, or leave the later entries
out of a full record (`Record.as_of`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, TypeVar, get_args
from uuid import UUID

from matchledger.events import (
    ClockFact,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    DivisionChanged,
    Entry,
    EntryRetracted,
    EventDescribed,
    Fact,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PersonCorrected,
    PersonErased,
    PlainEntry,
    PlainReport,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    Stage,
    TournamentOpened,
)
from matchledger_projections.record.clock import tell_clock
from matchledger_projections.record.decisions import Decisions
from matchledger_projections.record.reports import report_of, slip_in
from matchledger_projections.record.roster import Movement
from matchledger_projections.record.round import ClockNote, Round
from matchledger_projections.record.round_clock import RoundClock
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook

Noted = TypeVar("Noted")
Key = TypeVar("Key")

# Look up classes in a table, because `isinstance` with pydantic's classes would take most of a replay's time.
_CLOCK_FACTS = frozenset({RoundStarted, *get_args(ClockFact)})


class Record(Decisions):
    """Everything in a log, arranged by subject."""

    def __init__(self) -> None:
        super().__init__()
        self.tournament: UUID | None = None
        self.position = 0
        self.opening: TournamentOpened | None = None
        self._name_now: str | None = None  # in a record of the past, the name that the event has today
        self._commands: dict[str, int] = {}
        self._kinds: dict[int, type[Fact]] = {}  # the class of every entry that is not a slip
        self.decks: dict[int, list[tuple[int, DeckSubmitted | DeckAmended]]] = {}
        self._rounds: dict[tuple[Stage, int], list[Round]] = {}

    # -- folding

    def apply(self, entry: Entry | PlainEntry) -> None:
        """Apply the next entry."""
        position, fact = entry.position, entry.fact
        self.position = position
        self._commands.setdefault(entry.command, position)
        if type(fact) is PlainReport or type(fact) is ResultReported:  # most entries of a log are slips
            self._slip_came(position, fact)
        else:
            self._other_came(position, fact, entry.recorded_at)
        if self.tournament is None:
            self.tournament = entry.tournament

    def as_of(self, position: int) -> Record:
        """Return the record when the log had `position` entries. The result is a new object, made without a
        replay.
        """
        past = Record()
        if position < 1:
            return past
        past.take_roster_from(self, position)
        past.tournament, past.opening, past.position = self.tournament, self.opening, position
        recorded = bisect_right(list(self._commands.values()), position)
        past._commands = dict(islice(self._commands.items(), recorded))
        past._kinds = {entry: kind for entry, kind in self._kinds.items() if entry <= position}
        for key, attempts in self._rounds.items():
            if known := [round_.as_of(past, position) for round_ in attempts if round_.position <= position]:
                past._rounds[key] = known
        past._kept = _known(self._kept, position)
        past.decks = _known(self.decks, position)
        for number in past.entered_as:  # the name is today's name, but the division is the division of that moment
            past.players[number] = past.players[number]._replace(division=past.division_in(number))
        if past.name != self.name:
            past._name_now = self.name
        return past

    # -- reading

    @property
    def commands(self) -> AbstractSet[str]:
        """Return the ids of all commands that led to entries."""
        return self._commands.keys()

    def commands_after(self, position: int) -> set[str]:
        """Return the ids of the commands that began after an entry."""
        return {command for command, begin in self._commands.items() if begin > position}

    def kind_at(self, position: int) -> type[Fact] | None:
        """Return the kind of fact in an entry. Return None if no entry has that position."""
        return self._kinds.get(position, ResultReported) if 1 <= position <= self.position else None

    @property
    def latest_besides_routine(self) -> int:
        """Return the position of the latest entry that is neither a slip nor another routine fact, or 0."""
        return next((position for position, kind in reversed(self._kinds.items()) if not kind.routine), 0)

    @property
    def name(self) -> str:
        """Return the name that the event has today. Return an empty text before the opening."""
        if self._name_now is not None or self.opening is None:
            return self._name_now or ""
        named = (fact.name for _, fact in reversed(self.counting(EventDescribed)) if fact.name is not None)
        return next(named, self.opening.name)

    @property
    def rulebook(self) -> Rulebook:
        """Return the rulebook under which the tournament was opened, with the policies chosen then and later."""
        return self.rulebook_with({})

    def rulebook_with(self, choices: Mapping[str, str]) -> Rulebook:
        """Return the rulebook with other values for some policies. Raises RulebookError for an unknown flag or
        value.
        """
        if self.opening is None:
            raise LookupError("the log does not begin with the opening of a tournament")
        return _law(self.opening.law, tuple({**self.policies, **choices}.items()))

    @property
    def policies(self) -> dict[str, str]:
        """Return the policies that were chosen at the opening or changed later, with their values."""
        chosen = {} if self.opening is None else self.opening.policies
        return chosen | {flag: value for flag, (_, value) in self.policies_changed.items()}

    def clock(self, round_: Round) -> RoundClock:
        """Return the clock of a round of this record."""
        final = self.is_final(round_)
        untimed = final and self.structure is not None and self.structure.untimed_final
        return tell_clock(self.rulebook, round_, final=final, untimed=untimed)

    def is_final(self, round_: Round) -> bool:
        """Return whether a round is the last of its bracket. Without a bracket, return whether the round has a
        single table.
        """
        if round_.stage == "swiss":
            return False
        if self.bracket_drawn is not None:
            return round_.number == len(self.bracket_drawn[1].games).bit_length()
        return len(round_.tables) == 1 and not round_.byes

    def paired_at(self, position: int) -> Round | None:
        """Return the round that an entry paired, even if the entry no longer counts, or None."""
        return next((found for all_ in self._rounds.values() for found in all_ if found.position == position), None)

    def rounds(self, stage: Stage = "swiss") -> list[Round]:
        """Return the paired rounds of a stage in order, without retracted ones."""
        numbers = sorted(number for kind, number in self._rounds if kind == stage)
        found = (self.round(number, stage) for number in numbers)
        return [round_ for round_ in found if round_ is not None]

    def round(self, number: int, stage: Stage = "swiss") -> Round | None:
        attempts = self._rounds.get((stage, number), ())
        if not self.has_retractions:
            return attempts[-1] if attempts else None
        return next((round_ for round_ in reversed(attempts) if not self.is_dead(round_.position)), None)

    def latest_round(self, stage: Stage = "swiss") -> Round | None:
        """Return the last paired round of a stage, finished or not, or None."""
        rounds = self.rounds(stage)
        return rounds[-1] if rounds else None

    @property
    def current_round(self) -> Round | None:
        """Return the last paired round of the event, finished or not, or None. An elimination stage comes after the
        Swiss rounds.
        """
        return self.latest_round("elimination") or self.latest_round()

    @property
    def current_stage(self) -> Stage:
        """Return the stage of the last paired round, or "swiss" before round 1."""
        round_ = self.current_round
        return "swiss" if round_ is None else round_.stage

    @property
    def earlier_open_rounds(self) -> list[Round]:
        """Return the rounds before the current round that have a table without a result, in order."""
        every = [*self.rounds(), *self.rounds("elimination")]
        return [round_ for round_ in every[:-1] if round_.outstanding]

    def misses(self, player: int, number: int) -> bool:
        """Return whether a late player still has the loss that an entry charged for a Swiss round (PKM-3.1.4-LATE).

        If a pairing is retracted, the charges of its round end. If the new pairing leaves the late player out,
        the loss comes back. An imported record charges a round before it pairs the round.
        """
        if not self.has_retractions or ("swiss", number) not in self._rounds:
            return True
        round_ = self.round(number)
        return round_ is not None and player not in round_.players

    @property
    def finished_rounds(self) -> int:
        """Return the number of the last finished Swiss round.

        A round is finished when every table is reported, when a later round was paired, or when the tournament is
        closed.
        """
        latest = self.latest_round()
        if latest is None:
            return 0
        return latest.number if self.closing or not latest.outstanding else latest.number - 1

    # -- the effect of each fact on the record

    def _opened(self, _: int, fact: TournamentOpened) -> None:
        self.opening = fact

    def _came_late(self, position: int, fact: PlayerArrivedLate) -> None:
        self.enter(position, fact, fact.losses, max(fact.losses, default=self._latest_number))

    def _moved(self, position: int, fact: Movement) -> None:
        self.move(position, fact, self._latest_number)

    @property
    def _latest_number(self) -> int:
        latest = self.latest_round()
        return latest.number if latest is not None else 0

    def _paired(self, position: int, fact: RoundPaired, recorded_at: datetime) -> None:
        self._rounds.setdefault((fact.stage, fact.round), []).append(Round(self, position, fact, recorded_at))

    def _other_came(self, position: int, fact: Any, recorded_at: datetime) -> None:
        kind = self._kinds[position] = type(fact)
        if kind in _CLOCK_FACTS:
            self._note_clock(position, fact, recorded_at)
        elif kind is RoundPaired:
            self._paired(position, fact, recorded_at)
        else:
            self._APPLY.get(kind, Record._keep)(self, position, fact)

    def _note_clock(self, position: int, fact: Any, recorded_at: datetime) -> None:
        if round_ := self.round(fact.round, fact.stage):
            at: datetime | None = getattr(fact, "at", None)
            round_.note_clock(ClockNote(position, fact, recorded_at if at is None else at))

    def _amended(self, position: int, fact: PairingAmended) -> None:
        if round_ := self.round(fact.round, fact.stage):
            round_.amendments.append((position, fact))

    def _slip_came(self, position: int, fact: ResultReported | PlainReport) -> None:
        if round_ := self.round(fact.round, fact.stage):
            round_.note(fact.table, report_of(position, fact.players, fact.slip))

    def _reported(self, position: int, fact: ResultCorrected | MatchConceded | NoShowRecorded) -> None:
        if round_ := self.round(fact.round, fact.stage):
            round_.note(fact.table, report_of(position, fact.players, slip_in(fact)))

    def _retracted(self, position: int, fact: EntryRetracted) -> None:
        self.take_back(position, fact.retracts)
        self._keep(position, fact)
        if self.entered_as and (player := self.corrected_at(self.root_of(position))) is not None:
            self._put_right(player)

    def _corrected(self, position: int, fact: PersonCorrected | DivisionChanged) -> None:
        self._keep(position, fact)
        if fact.player in self.players:
            self.entered_as.setdefault(fact.player, self.players[fact.player])
            self._put_right(fact.player)

    def _put_right(self, player: int) -> None:
        self.call(player, self.person_of(player))
        self.players[player] = self.players[player]._replace(division=self.division_in(player))

    def _forgotten(self, position: int, fact: PersonErased) -> None:
        self._keep(position, fact)
        if fact.player not in self.players:
            return
        self.forget(fact.player)
        self._kept[PersonCorrected] = [
            (at, known.model_copy(update={"person": self.players[fact.player].person}))
            if known.player == fact.player
            else (at, known)
            for at, known in self._noted(PersonCorrected)
        ]
        self.decks = {
            player: [(at, _unread(listed)) for at, listed in listings] if player == fact.player else listings
            for player, listings in self.decks.items()
        }
        self._kept[DeckChecked] = [
            (at, check.model_copy(update={"finding": None}) if check.player == fact.player else check)
            for at, check in self._noted(DeckChecked)
        ]

    def _deck_listed(self, position: int, fact: DeckSubmitted | DeckAmended) -> None:
        self.decks.setdefault(fact.player, []).append((position, fact))

    # Facts of all other kinds are stored in lists by kind.
    _APPLY: ClassVar[dict[type[Fact], Callable[[Record, int, Any], None]]] = {
        TournamentOpened: _opened,
        PlayerRegistered: Decisions.enter,
        PlayerArrivedLate: _came_late,
        PersonCorrected: _corrected,
        DivisionChanged: _corrected,
        PlayerDropped: _moved,
        PlayerRejoined: _moved,
        PlayerDisqualified: _moved,
        PairingAmended: _amended,
        ResultCorrected: _reported,
        MatchConceded: _reported,
        NoShowRecorded: _reported,
        EntryRetracted: _retracted,
        DeckSubmitted: _deck_listed,
        DeckAmended: _deck_listed,
        PersonErased: _forgotten,
    }


@lru_cache(maxsize=16)
def _law(text: str, policies: tuple[tuple[str, str], ...]) -> Rulebook:
    return parse_rulebook(text).under(dict(policies))


def _unread(listed: DeckSubmitted | DeckAmended) -> DeckSubmitted | DeckAmended:
    part = "deck" if isinstance(listed, DeckSubmitted) else "difference"
    return listed.model_copy(update={part: None})


def _known(noted: dict[Key, list[tuple[int, Noted]]], position: int) -> dict[Key, list[tuple[int, Noted]]]:
    known = {key: [note for note in notes if note[0] <= position] for key, notes in noted.items()}
    return {key: notes for key, notes in known.items() if notes}


def fold(entries: Iterable[Entry | PlainEntry]) -> Record:
    """Return the record of a log, or of its entries up to some position."""
    record = Record()
    for entry in entries:
        record.apply(entry)
    return record
