"""The record: the one fold over a tournament's log, from which every table is projected.

Entries are applied in order of position and never change what was applied before: a correction or a retraction
is kept beside the entry that it concerns. What counts is decided when the record is read, so that taking a
retraction back is as cheap as making one. To see a tournament as it was known at some moment, fold only the
entries up to that moment.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Literal, NamedTuple, TypeVar
from uuid import UUID

from matchledger.events import (
    BracketDrawn,
    Bye,
    CheckpointSigned,
    CutMade,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    Entry,
    EntryRetracted,
    Fact,
    FileImported,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    QualifierReplaced,
    RematchAllowed,
    RepairChosen,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    RoundStarted,
    Slip,
    Stage,
    StandingsPosted,
    StructureAnnounced,
    TieResolved,
    TimeTiebreak,
    TournamentClosed,
    TournamentOpened,
)
from matchledger_projections.rulebook import Rulebook, parse_rulebook

Status = Literal["active", "dropped", "disqualified"]
Movement = PlayerDropped | PlayerRejoined | PlayerDisqualified
Noted = TypeVar("Noted", bound=Fact)
_NOBODY = 0  # stands for the position of a retraction that is supposed and not recorded


class Report(NamedTuple):
    """One entry about a match: a slip, a concession, a no-show or a correction, all read alike.

    It holds nothing but numbers and words, so that a hundred thousand of them cost the garbage collector nothing.
    """

    position: int
    players: tuple[int, int]
    kind: str
    winner: int | None
    scores: tuple[int, int] | None
    blood_points: int | None
    tiebreak: TimeTiebreak | None = None

    @property
    def slip(self) -> Slip:
        """What the entry says, as a slip."""
        return Slip(
            kind=self.kind,
            winner=self.winner,
            scores=self.scores,
            blood_points=self.blood_points,
            tiebreak=self.tiebreak,
        )


class Player(NamedTuple):
    """A player as entered; `losses` are the rounds charged to a late arrival, None for a player on time."""

    number: int
    person: Person
    division: str | None
    attributes: dict[str, str]
    position: int
    losses: tuple[int, ...] | None

    @property
    def name(self) -> str:
        return self.person.name


class Round:
    """A round as paired in one entry, with everything that was recorded of it since."""

    __slots__ = (
        "_byes",
        "_latest",
        "_posted",
        "_record",
        "_replaced",
        "_seats",
        "amendments",
        "number",
        "position",
        "seed",
        "stage",
        "starts",
    )

    def __init__(self, record: Record, position: int, paired: RoundPaired) -> None:
        self._record = record
        self.position = position
        self.stage: Stage = paired.stage
        self.number = paired.round
        self.seed = paired.seed
        self.amendments: list[tuple[int, PairingAmended]] = []
        self.starts: list[int] = []
        self._posted = {seating.table: seating.players for seating in paired.tables}
        self._byes = paired.byes
        self._seats: dict[int, int] = {}
        self._latest: dict[int, Report] = {}
        self._replaced: dict[int, list[Report]] = {}

    def note(self, table: int, report: Report) -> None:
        """Takes an entry about a table in; those before it are kept."""
        if table in self._latest:
            self._replaced.setdefault(table, []).append(self._latest[table])
        self._latest[table] = report

    def reports(self, table: int) -> list[Report]:
        """Every entry about a table, in order, whether it counts or not."""
        latest = self._latest.get(table)
        return [] if latest is None else [*self._replaced.get(table, ()), latest]

    def every_report(self) -> Iterator[Report]:
        """Every entry about any table of the round, whether it counts or not."""
        for table in self._latest:
            yield from self.reports(table)

    @property
    def tables(self) -> dict[int, tuple[int, int]]:
        """Who sits where, by table number, amendments applied."""
        if not self.amendments:
            return self._posted
        tables = dict(self._posted)
        for position, amendment in self.amendments:
            if not self._record.is_dead(position):
                for seating in amendment.removed:
                    tables.pop(seating.table, None)
                tables |= {seating.table: seating.players for seating in amendment.added}
        return dict(sorted(tables.items()))

    @property
    def byes(self) -> tuple[Bye, ...]:
        """Who has a bye, amendments applied."""
        byes = self._byes
        for position, amendment in self.amendments:
            if not self._record.is_dead(position):
                byes = tuple(bye for bye in byes if bye.player not in amendment.byes_removed)
                byes += tuple(Bye(player=player) for player in amendment.byes_added)
        return byes

    @property
    def players(self) -> set[int]:
        """Everybody who has a table or a bye."""
        seated = {player for players in self.tables.values() for player in players}
        return seated | {bye.player for bye in self.byes}

    def table_of(self, player: int) -> int | None:
        """Where a player sits; None for one who has a bye or is not in the round."""
        if self.amendments:
            return next((table for table, players in self.tables.items() if player in players), None)
        if not self._seats:
            self._seats = {seated: table for table, players in self._posted.items() for seated in players}
        return self._seats.get(player)

    def table_between(self, first: int, second: int) -> int | None:
        """Where two players sit opposite each other, if they do."""
        table = self.table_of(first)
        return table if table is not None and second in self.tables[table] else None

    def report(self, table: int, players: tuple[int, int]) -> Report | None:
        """The entry that counts for a table: the latest that was not retracted and is about these players."""
        for report in reversed(self.reports(table)):
            if report.players == players and not self._record.is_dead(report.position):
                return report
        return None

    def results(self) -> Iterator[tuple[int, tuple[int, int], Report | None]]:
        """Every table in order, its players, and the entry that counts for it."""
        for table, players in self.tables.items():
            yield table, players, self.report(table, players)

    def reported(self) -> Iterator[tuple[tuple[int, int], Report]]:
        """The players of every table that has a result, with the entry that counts for it."""
        if self.amendments or self._record.has_retractions:
            yield from ((players, report) for _, players, report in self.results() if report is not None)
            return
        # Without amendments and retractions the latest entry is the one that counts.
        latest = self._latest
        for table, players in self._posted.items():
            if table in latest:
                yield players, latest[table]

    @property
    def outstanding(self) -> tuple[int, ...]:
        """The tables whose result has not come in."""
        return tuple(table for table, _, report in self.results() if report is None)

    @property
    def has_started(self) -> bool:
        """Whether play began: somebody said so, or a result came in."""
        if any(not self._record.is_dead(position) for position in self.starts):
            return True
        return any(report is not None for _, _, report in self.results())


class Record:
    """Everything a log says, arranged by what it is about."""

    def __init__(self) -> None:
        self.tournament: UUID | None = None
        self.position = 0
        self.opening: TournamentOpened | None = None
        self.players: dict[int, Player] = {}
        self.movements: dict[int, list[tuple[int, Movement]]] = {}
        self._names: dict[str, list[int]] = {}
        self.commands: set[str] = set()
        self._repairs: list[tuple[int, RepairChosen]] = []
        self._rounds: dict[tuple[Stage, int], list[Round]] = {}
        self._ties: list[tuple[int, TieResolved]] = []
        self._cuts: list[tuple[int, CutMade]] = []
        self._structures: list[tuple[int, StructureAnnounced]] = []
        self._replacements: list[tuple[int, QualifierReplaced]] = []
        self._brackets: list[tuple[int, BracketDrawn]] = []
        self._postings: list[tuple[int, StandingsPosted]] = []
        self._checkpoints: list[tuple[int, CheckpointSigned]] = []
        self._closings: list[tuple[int, TournamentClosed]] = []
        self._rematches: list[tuple[int, RematchAllowed]] = []
        self._imports: list[tuple[int, FileImported]] = []
        self.decks: dict[int, list[tuple[int, DeckSubmitted | DeckAmended]]] = {}
        self._deck_checks: list[tuple[int, DeckChecked]] = []
        self._retractors: dict[int, list[int]] = {}
        self._roots: dict[int, int] = {}

    # -- folding

    def apply(self, entry: Entry) -> None:
        """Takes the next entry in."""
        self.position = entry.position
        self.commands.add(entry.command)
        self._APPLY[type(entry.fact)](self, entry.position, entry.fact)
        if self.tournament is None:
            self.tournament = entry.tournament

    # -- reading

    @property
    def rulebook(self) -> Rulebook:
        """The law that the tournament was opened under, with the policies chosen then."""
        if self.opening is None:
            raise LookupError("the log does not begin with the opening of a tournament")
        return parse_rulebook(self.opening.law).under(self.opening.policies)

    @property
    def has_retractions(self) -> bool:
        """Whether anything was ever taken back."""
        return bool(self._retractors)

    def is_dead(self, position: int) -> bool:
        """Whether an entry no longer counts: one that still counts retracted it."""
        if position not in self._retractors:
            return False
        return any(not self.is_dead(retractor) for retractor in self._retractors[position])

    @contextmanager
    def without(self, position: int) -> Iterator[None]:
        """The record as if an entry did not count, for as long as somebody looks at it so."""
        retractors = self._retractors.setdefault(position, [])
        retractors.append(_NOBODY)
        try:
            yield
        finally:
            retractors.remove(_NOBODY)
            if not retractors:
                del self._retractors[position]

    def root_of(self, position: int) -> int:
        """The entry that a chain of retractions is about in the end; an entry that retracts nothing is its own."""
        return self._roots.get(position, position)

    @property
    def retractions(self) -> list[int]:
        """The position of every entry that took another back, whether it counts or not."""
        return list(self._roots)

    def paired_at(self, position: int) -> Round | None:
        """The round that was paired in an entry, whether it counts or not."""
        return next((found for all_ in self._rounds.values() for found in all_ if found.position == position), None)

    def rounds(self, stage: Stage = "swiss") -> list[Round]:
        """The rounds of a stage that were paired and not taken back, in order."""
        numbers = sorted(number for kind, number in self._rounds if kind == stage)
        found = (self.round(number, stage) for number in numbers)
        return [round_ for round_ in found if round_ is not None]

    def round(self, number: int, stage: Stage = "swiss") -> Round | None:
        for round_ in reversed(self._rounds.get((stage, number), ())):
            if not self.is_dead(round_.position):
                return round_
        return None

    def latest_round(self, stage: Stage = "swiss") -> Round | None:
        """The last round that was paired, finished or not."""
        rounds = self.rounds(stage)
        return rounds[-1] if rounds else None

    @property
    def finished_rounds(self) -> int:
        """The number of the last Swiss round that nothing more is expected of.

        A round is finished when every table is reported, when another one was paired after it, or when the
        tournament is closed.
        """
        latest = self.latest_round()
        if latest is None:
            return 0
        return latest.number if self.closing or not latest.outstanding else latest.number - 1

    def status(self, player: int, through: int | None = None) -> Status:
        """Whether a player is in, as of the end of round `through` (now, if None)."""
        return self.standing_of(player, through)[0]

    def standing_of(self, player: int, through: int | None = None) -> tuple[Status, int | None]:
        """A player's status as of a round, and the last round on the record of one who is out."""
        status: Status = "active"
        left_after: int | None = None
        for position, fact in self.movements.get(player, ()):
            if self.is_dead(position):
                continue
            match fact:
                case PlayerRejoined():
                    if through is None or max(fact.losses, default=0) <= through:
                        status, left_after = "active", None
                case PlayerDropped() | PlayerDisqualified():
                    # Who leaves the elimination stage was there at the end of every Swiss round.
                    if through is None or (fact.stage == "swiss" and fact.after_round <= through):
                        status = "dropped" if isinstance(fact, PlayerDropped) else "disqualified"
                        left_after = fact.after_round
        return status, left_after

    def charged_rounds(self, player: int, through: int) -> list[int]:
        """The rounds up to `through` that count as unpaired losses, for coming late or coming back."""
        rounds = [number for number in self.players[player].losses or () if number <= through]
        for position, fact in self.movements.get(player, ()):
            counts = isinstance(fact, PlayerRejoined) and max(fact.losses, default=0) <= through
            if counts and not self.is_dead(position):
                rounds.extend(fact.losses if isinstance(fact, PlayerRejoined) else ())
        return rounds

    def entered(self, through: int | None = None) -> list[Player]:
        """The players who had entered by the end of a round (by now, if None), in order of registration."""
        players = list(self.players.values())
        if self.has_retractions:
            players = [player for player in players if not self.is_dead(player.position)]
        if through is None:
            return players
        return [player for player in players if not player.losses or max(player.losses) <= through]

    def reported_in(self, position: int) -> Round | None:
        """The round that an entry about a match belongs to."""
        for attempts in self._rounds.values():
            for round_ in attempts:
                if any(report.position == position for report in round_.every_report()):
                    return round_
        return None

    def named(self, name: str) -> Player | None:
        """The player of a name, whatever its case."""
        for number in self._names.get(name.casefold(), ()):
            if not self.is_dead(self.players[number].position):
                return self.players[number]
        return None

    def active_players(self) -> list[Player]:
        return [player for player in self.entered() if self.status(player.number) == "active"]

    def resolved_ties(self, round_: int) -> list[TieResolved]:
        """The orders recorded for ties in the standings after a round, the latest first."""
        return [fact for _, fact in self.recorded_ties(round_)]

    def recorded_ties(self, round_: int) -> list[tuple[int, TieResolved]]:
        """The same with the positions of their entries."""
        return [
            (position, fact)
            for position, fact in reversed(self._ties)
            if fact.round == round_ and not self.is_dead(position)
        ]

    @property
    def repairs(self) -> list[tuple[int, RepairChosen]]:
        """Every choice that counts about a round that was paired before a record was put right."""
        return [(position, fact) for position, fact in self._repairs if not self.is_dead(position)]

    @property
    def cut(self) -> CutMade | None:
        return next(self._alive(reversed(self._cuts)), None)

    @property
    def structure(self) -> StructureAnnounced | None:
        """The structure that was announced last."""
        return next(self._alive(reversed(self._structures)), None)

    @property
    def replacements(self) -> list[QualifierReplaced]:
        """The qualifiers who were replaced, in order of notice."""
        return list(self._alive(self._replacements))

    @property
    def bracket_drawn(self) -> tuple[int, BracketDrawn] | None:
        """The bracket that is played, with the position of its entry; None where none was drawn."""
        return next((found for found in reversed(self._brackets) if not self.is_dead(found[0])), None)

    @property
    def closing(self) -> TournamentClosed | None:
        return next(self._alive(reversed(self._closings)), None)

    @property
    def postings(self) -> list[tuple[int, StandingsPosted]]:
        """Every posting of standings with its position. What hung on the wall hung there: none is ever dead."""
        return list(self._postings)

    @property
    def checkpoints(self) -> list[tuple[int, CheckpointSigned]]:
        """Every signed checkpoint with its position. What was signed was signed: none is ever dead."""
        return list(self._checkpoints)

    def deck_checks(self, player: int) -> list[tuple[int, DeckChecked]]:
        """Every check of a player's deck that counts, with the positions of the entries."""
        return [
            (position, fact)
            for position, fact in self._deck_checks
            if fact.player == player and not self.is_dead(position)
        ]

    @property
    def imports(self) -> list[FileImported]:
        return [fact for _, fact in self._imports]

    def rematch_allowed(self, round_: int, first: int, second: int) -> bool:
        return any(
            fact.round == round_ and set(fact.players) == {first, second} for fact in self._alive(self._rematches)
        )

    def _alive(self, noted: Iterable[tuple[int, Noted]]) -> Iterator[Noted]:
        return (fact for position, fact in noted if not self.is_dead(position))

    # -- what each fact does to the record

    def _opened(self, _: int, fact: TournamentOpened) -> None:
        self.opening = fact

    def _imported(self, position: int, fact: FileImported) -> None:
        self._imports.append((position, fact))

    def _registered(self, position: int, fact: PlayerRegistered) -> None:
        self._enter(position, fact, None)

    def _arrived_late(self, position: int, fact: PlayerArrivedLate) -> None:
        self._enter(position, fact, fact.losses)

    def _enter(
        self, position: int, fact: PlayerRegistered | PlayerArrivedLate, losses: tuple[int, ...] | None
    ) -> None:
        self.players[fact.number] = Player(
            fact.number, fact.person, fact.division, fact.attributes, position, losses
        )
        self._names.setdefault(fact.person.name.casefold(), []).append(fact.number)

    def _moved(self, position: int, fact: Movement) -> None:
        self.movements.setdefault(fact.player, []).append((position, fact))

    def _allowed_rematch(self, position: int, fact: RematchAllowed) -> None:
        self._rematches.append((position, fact))

    def _paired(self, position: int, fact: RoundPaired) -> None:
        self._rounds.setdefault((fact.stage, fact.round), []).append(Round(self, position, fact))

    def _started(self, position: int, fact: RoundStarted) -> None:
        if round_ := self.round(fact.round, fact.stage):
            round_.starts.append(position)

    def _amended(self, position: int, fact: PairingAmended) -> None:
        if round_ := self.round(fact.round, fact.stage):
            round_.amendments.append((position, fact))

    def _repaired(self, position: int, fact: RepairChosen) -> None:
        self._repairs.append((position, fact))

    def _reported(self, position: int, fact: ResultReported | ResultCorrected) -> None:
        self._note(position, fact, fact.slip)

    def _conceded(self, position: int, fact: MatchConceded) -> None:
        other = fact.players[1] if fact.by == fact.players[0] else fact.players[0]
        slip = Slip(kind="concession", winner=other, blood_points=fact.blood_points)
        self._note(position, fact, slip)

    def _not_shown(self, position: int, fact: NoShowRecorded) -> None:
        present = [player for player in fact.players if player not in fact.absent]
        slip = Slip(kind="no-show", winner=present[0]) if present else Slip(kind="double-loss")
        self._note(position, fact, slip)

    def _note(
        self,
        position: int,
        fact: ResultReported | ResultCorrected | MatchConceded | NoShowRecorded,
        slip: Slip,
    ) -> None:
        if round_ := self.round(fact.round, fact.stage):
            kind = sys.intern(slip.kind)
            report = Report(
                position, fact.players, kind, slip.winner, slip.scores, slip.blood_points, slip.tiebreak
            )
            round_.note(fact.table, report)

    def _retracted(self, position: int, fact: EntryRetracted) -> None:
        self._retractors.setdefault(fact.retracts, []).append(position)
        self._roots[position] = self.root_of(fact.retracts)

    def _resolved(self, position: int, fact: TieResolved) -> None:
        self._ties.append((position, fact))

    def _posted(self, position: int, fact: StandingsPosted) -> None:
        self._postings.append((position, fact))

    def _signed(self, position: int, fact: CheckpointSigned) -> None:
        self._checkpoints.append((position, fact))

    def _cut(self, position: int, fact: CutMade) -> None:
        self._cuts.append((position, fact))

    def _deck_listed(self, position: int, fact: DeckSubmitted | DeckAmended) -> None:
        self.decks.setdefault(fact.player, []).append((position, fact))

    def _deck_checked(self, position: int, fact: DeckChecked) -> None:
        self._deck_checks.append((position, fact))

    def _announced(self, position: int, fact: StructureAnnounced) -> None:
        self._structures.append((position, fact))

    def _replaced(self, position: int, fact: QualifierReplaced) -> None:
        self._replacements.append((position, fact))

    def _drew(self, position: int, fact: BracketDrawn) -> None:
        self._brackets.append((position, fact))

    def _closed(self, position: int, fact: TournamentClosed) -> None:
        self._closings.append((position, fact))

    _APPLY: ClassVar[dict[type[Fact], Callable[[Record, int, Any], None]]] = {
        TournamentOpened: _opened,
        FileImported: _imported,
        PlayerRegistered: _registered,
        PlayerArrivedLate: _arrived_late,
        PlayerDropped: _moved,
        PlayerRejoined: _moved,
        PlayerDisqualified: _moved,
        RematchAllowed: _allowed_rematch,
        RoundPaired: _paired,
        RoundStarted: _started,
        PairingAmended: _amended,
        RepairChosen: _repaired,
        ResultReported: _reported,
        ResultCorrected: _reported,
        MatchConceded: _conceded,
        NoShowRecorded: _not_shown,
        EntryRetracted: _retracted,
        TieResolved: _resolved,
        StandingsPosted: _posted,
        CheckpointSigned: _signed,
        CutMade: _cut,
        StructureAnnounced: _announced,
        QualifierReplaced: _replaced,
        BracketDrawn: _drew,
        DeckSubmitted: _deck_listed,
        DeckAmended: _deck_listed,
        DeckChecked: _deck_checked,
        TournamentClosed: _closed,
    }


def fold(entries: Iterable[Entry]) -> Record:
    """The record of a log, or of the part of it up to some position."""
    record = Record()
    for entry in entries:
        record.apply(entry)
    return record
