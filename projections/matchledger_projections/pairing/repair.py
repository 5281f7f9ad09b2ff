"""Repair: what can be done about a round that was paired before a record was put right, and what each choice costs.

Three choices: *leave* the pairings (the fix shows in the next round), move the *minimal* number of players that
makes the round sound again, or pair *all* anew. PKM-4-REPAIR leaves the first two to the organizer, the second
only before play; where a rulebook is silent POL-ALL-REPAIR says what is allowed, and POL-ALL-CORRECTION-WINDOW
how long a result may be corrected at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from matchledger.events import PlayerRejoined, RepairChoice, Seating
from matchledger_projections.audit.window import rule_of
from matchledger_projections.pairing.lineup import Lineup, lineup, to_be_paired
from matchledger_projections.pairing.reseating import NoReseating, Reseating, reseat
from matchledger_projections.pairing.soundness import Seats, is_sound
from matchledger_projections.record import Record
from matchledger_projections.round import Round


@dataclass(frozen=True, slots=True)
class Clock:
    """When play began, how many minutes it lasts, and what time it is; None where nobody said."""

    now: datetime
    started_at: datetime | None = None
    minutes: int | None = None

    @property
    def run(self) -> timedelta | None:
        """How long the round has been running."""
        return None if self.started_at is None else max(self.now - self.started_at, timedelta(0))


@dataclass(frozen=True, slots=True)
class Reseated:
    """The tables that change: who sat there and who sits there then; `at_least` as in `Reseating`."""

    removed: tuple[Seating, ...]
    added: tuple[Seating, ...]
    byes_removed: tuple[int, ...]
    byes_added: tuple[int, ...]
    moved: frozenset[int]
    at_least: int

    @property
    def is_proven(self) -> bool:
        """Whether it is certain that no fewer players can be moved."""
        return len(self.moved) == self.at_least

    @property
    def tables(self) -> tuple[int, ...]:
        """The numbers of the tables whose players change."""
        return tuple(sorted({seating.table for seating in (*self.removed, *self.added)}))


@dataclass(frozen=True, slots=True)
class RepairOption:
    """One choice. `tables` and `players` count who is seated anew; for a new draw that is everybody at most.

    `because` says why it is or is not allowed, `rule` which rule says so.
    """

    choice: RepairChoice
    allowed: bool
    recommended: bool
    because: str
    rule: str | None
    tables: int
    players: int
    reseated: Reseated | None = None


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """What can be done about a round: `corrections` are the entries that changed the records behind it.

    `sound` says whether the posted pairing is one that the rulebook could have made of the corrected records.
    """

    round: int
    corrections: tuple[int, ...]
    sound: bool
    started: bool
    reported: int
    clock: Clock
    options: tuple[RepairOption, ...]

    def option(self, choice: RepairChoice) -> RepairOption:
        return next(option for option in self.options if option.choice == choice)


def chosen_repair(record: Record, round_: Round) -> int:
    """The entry in which it was last chosen what to do about a round as it was paired; 0 if it never was."""
    chosen = (position for position, fact in record.repairs if fact.round == round_.number)
    return max((position for position in chosen if position > round_.position), default=0)


def late_corrections(record: Record, round_: Round) -> tuple[int, ...]:
    """The entries that changed who is to be paired in a Swiss round, or their records, after it was paired.

    What was answered by a choice already is left out.
    """
    since = max(round_.position, chosen_repair(record, round_))
    results = {
        report.position
        for earlier in record.rounds()
        if earlier.number < round_.number
        for table in earlier.tables
        for report in earlier.reports(table)
    }
    found = list(results)
    found += [
        position
        for position in record.retractions
        if record.root_of(position) in results and record.root_of(position) < since
    ]
    found += [player.position for player in record.entered() if round_.number not in (player.losses or ())]
    found += [
        position
        for movements in record.movements.values()
        for position, fact in movements
        if isinstance(fact, PlayerRejoined) and round_.number not in fact.losses
    ]
    return tuple(sorted(position for position in found if position > since and not record.is_dead(position)))


def posted_lineup(record: Record, round_: Round) -> tuple[Lineup, Seats]:
    """The line-up of a Swiss round by the records as they stand now, and how the round is seated."""
    seats = Seats(tuple(round_.tables.values()), next((bye.player for bye in round_.byes), None))
    players = [*round_.players, *(set(to_be_paired(record, round_.number)) - round_.players)]
    found = lineup(record, round_.number, sorted(players))
    for first, second in seats.pairs:
        if record.rematch_allowed(round_.number, first, second):
            found.met[first] -= {second}
            found.met[second] -= {first}
    return found, seats


def repair_plan(record: Record, round_: Round, clock: Clock) -> RepairPlan:
    """The choices about a Swiss round, with their price, as its rulebook sees them."""
    found, seats = posted_lineup(record, round_)
    sound = is_sound(found, seats)
    reported = len(round_.tables) - len(round_.outstanding)
    law = _Law(record, round_, sound=sound)
    return RepairPlan(
        round=round_.number,
        corrections=late_corrections(record, round_),
        sound=sound,
        started=round_.has_started,
        reported=reported,
        clock=clock,
        options=(law.leave(), law.minimal(), law.all()),
    )


def smallest_reseating(record: Record, round_: Round) -> Reseated:
    """The tables to change so that as few players as possible are moved and the round is sound again.

    Tables with a result stay, and so do those of a player who has left. Raises NoReseating where nothing can be
    made better.
    """
    found, seats = posted_lineup(record, round_)
    reseating = reseat(found, seats, _fixed(record, round_))
    if not reseating.moved:
        raise NoReseating("nothing better can be made of the tables that may still change")
    return _with_tables(round_, seats, reseating)


def _fixed(record: Record, round_: Round) -> list[tuple[int, int]]:
    """The tables that cannot change: those with a result, and those of a player who has left."""
    return [
        players
        for _, players, report in round_.results()
        if report is not None or any(record.status(player) != "active" for player in players)
    ]


def _with_tables(round_: Round, seats: Seats, reseating: Reseating) -> Reseated:
    """The new pairs at the tables that became free, each as near to a seat of one of its players as can be."""
    kept = set(map(frozenset, reseating.seats.pairs))
    removed = [
        Seating(table=table, players=two) for table, two in round_.tables.items() if frozenset(two) not in kept
    ]
    old = set(map(frozenset, seats.pairs))
    games = [two for two in reseating.seats.pairs if frozenset(two) not in old]
    seat = {player: seating.table for seating in removed for player in seating.players}
    last = max(round_.tables, default=0)
    games.sort(key=lambda two: sorted(seat.get(player, last + 1) for player in two))
    free = [*(seating.table for seating in removed), *range(last + 1, last + 1 + len(games))]
    before, after = seats.bye, reseating.seats.bye
    return Reseated(
        removed=tuple(removed),
        added=tuple(Seating(table=table, players=two) for table, two in zip(free, games, strict=False)),
        byes_removed=() if before in (None, after) else (before,),
        byes_added=() if after in (None, before) else (after,),
        moved=reseating.moved,
        at_least=reseating.at_least,
    )


class _Law:
    """What the rulebook says about each choice for a round."""

    def __init__(self, record: Record, round_: Round, *, sound: bool) -> None:
        self._record = record
        self._rule = rule_of(record, "POL-ALL-REPAIR")
        self._reading = record.rulebook.readings.repair
        self._round = round_
        self._sound = sound

    def leave(self) -> RepairOption:
        because = (
            "the pairings fit the corrected records already" if self._sound else "the fix shows in the next pairing"
        )
        recommended = self._sound or self._forbids_minimal() is not None
        return self._option("leave", None, recommended=recommended, because=because)

    def minimal(self) -> RepairOption:
        forbidden, reseated = self._forbids_minimal(), None
        if forbidden is None and self._sound:
            forbidden = "there is nothing to put right"
        if forbidden is None:
            try:
                reseated = smallest_reseating(self._record, self._round)
            except NoReseating as nothing:
                forbidden = str(nothing)
        return self._option(
            "minimal",
            forbidden,
            recommended=forbidden is None and not self._round.has_started,
            because="no valid pairing moves fewer players" if reseated and reseated.is_proven else "few are moved",
            reseated=reseated,
        )

    def all(self) -> RepairOption:
        forbidden = "it is finished" if self._is_finished else None
        if self._round.has_started:
            forbidden = "play has begun"
        if self._reading == "never":
            forbidden = "posted pairings stand"
        return self._option(
            "all",
            forbidden,
            recommended=False,
            because="everybody moves; who meets whom is drawn anew and is not known before",
        )

    @property
    def _is_finished(self) -> bool:
        return not self._round.outstanding

    def _forbids_minimal(self) -> str | None:
        if self._reading == "never":
            return "posted pairings stand"
        if self._is_finished:
            return "it is finished"
        if self._round.has_started and self._reading == "before-start":
            return "play has begun"
        return None

    def _option(
        self,
        choice: RepairChoice,
        forbidden: str | None,
        *,
        recommended: bool,
        because: str,
        reseated: Reseated | None = None,
    ) -> RepairOption:
        everything = choice == "all"
        return RepairOption(
            choice=choice,
            allowed=forbidden is None,
            recommended=recommended,
            because=because if forbidden is None else forbidden,
            rule=self._rule,
            tables=len(self._round.tables) if everything else len(reseated.tables) if reseated else 0,
            players=len(self._round.players) if everything else len(reseated.moved) if reseated else 0,
            reseated=reseated,
        )
