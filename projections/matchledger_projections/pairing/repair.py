"""Repair: the options for a round that was paired before a correction, with the cost of each.

There are three options: *leave* the pairings, so that the correction affects the next round; move the *minimal*
number of players that makes the round sound; or pair *all* again. PKM-4-REPAIR lets the organizer choose between
*leave* and, before play, *minimal*. If a rulebook does not mention repairs, POL-ALL-REPAIR decides which options
are allowed, and POL-ALL-CORRECTION-WINDOW decides how long a result may be corrected. Age Separated divisions and
flights are repaired one by one: no player changes pools, and valid pools stay. The smallest moves of all pools
are added, because a move in one pool saves none in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import Annotated, NamedTuple

from msgspec import Struct

from matchledger.events import PlayerRejoined, RepairChoice, Seating
from matchledger_projections.document import UNSAID, As, Document, Keys, Names, PlayerName, name_of, renamed
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.pairing.posted_pools import PostedPool, posted_pools
from matchledger_projections.pairing.reseating import NoReseating, Reseating, reseat
from matchledger_projections.pairing.seats import seated_at
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.flights import pooled


class Clock(Struct, frozen=True):
    """The time now, the start of play, and the length of the round in minutes. An unknown value is None."""

    now: datetime
    started_at: datetime | None = None
    minutes: int | None = None

    @property
    def run(self) -> timedelta | None:
        """Return how long the round has run, or None if unknown."""
        return None if self.started_at is None else max(self.now - self.started_at, timedelta(0))


class SeatedPlayers(NamedTuple):
    """The players at a table."""

    table: int
    players: tuple[PlayerName, ...]


def _seated(seating: Seating, names: Names) -> Document:
    return {"table": seating.table, "players": [name_of(player, names) for player in seating.players]}


Seated = Annotated[Seating, As(_seated, SeatedPlayers)]


class Reseated(Struct, frozen=True):
    """The tables that change, with their players before and after.

    `at_least` is a lower bound on the moves of all pools together.

    `stays` gives the reason for each pool that stays as posted because it cannot be made valid.
    """

    removed: tuple[Seated, ...]
    added: tuple[Seated, ...]
    byes_removed: tuple[PlayerName, ...]
    byes_added: tuple[PlayerName, ...]
    moved: frozenset[PlayerName]
    at_least: int
    is_proven: Annotated[bool, renamed("proven", bool)]
    stays: Annotated[tuple[str, ...], UNSAID] = ()

    @property
    def tables(self) -> tuple[int, ...]:
        """Return the numbers of the tables that get other players."""
        return tuple(sorted({seating.table for seating in (*self.removed, *self.added)}))


class RepairOption(Struct, frozen=True):
    """One option.

    `tables` and `players` count the tables and players that get other seats: in a new draw perhaps all.

    `because` says why the option is allowed or not, and `rule` names the rule.
    """

    choice: RepairChoice
    allowed: bool
    recommended: bool
    because: Sentence
    rule: str | None
    tables: int
    players: int
    reseated: Reseated | None = None


def _run(clock: Clock, _: object) -> int | None:
    return None if clock.run is None else int(clock.run.total_seconds())


_CLOCK = Keys({"clock_run": As(_run, int | None), "minutes": As(lambda clock, _: clock.minutes, int | None)})


class RepairPlan(Struct, frozen=True):
    """The options for a round.

    `corrections` are the entries that changed the results from which the round was paired.

    `sound` says whether the rulebook allows the posted pairing after the corrections.
    """

    round: int
    corrections: tuple[int, ...]
    sound: bool
    started: bool
    reported: int
    clock: Annotated[Clock, _CLOCK]
    options: tuple[RepairOption, ...]

    def option(self, choice: RepairChoice) -> RepairOption:
        return next(option for option in self.options if option.choice == choice)


def chosen_repair(record: Record, round_: Round) -> int:
    """Return the latest entry that chose an option for the current pairing of a round, or 0."""
    chosen = (position for position, fact in record.repairs if fact.round == round_.number)
    return max((position for position in chosen if position > round_.position), default=0)


def late_corrections(record: Record, round_: Round) -> tuple[int, ...]:
    """Return the entries that changed who is in a Swiss round, or the earlier results of its pools, after the
    round was paired.

    Corrections before the last chosen repair are left out, because that choice considered them. The retraction of a
    slip that a correction had replaced changes no result. If the divisions play apart, the results of a division
    that does not play in the round change nothing.
    """
    since = max(round_.position, chosen_repair(record, round_))
    results: dict[int, list[int]] = {}
    found: dict[int, tuple[int, ...]] = {}
    for earlier in (one for one in record.rounds() if one.number < round_.number):
        for table, players in earlier.tables.items():
            filed = [report.position for report in earlier.reports(table)]
            results |= dict.fromkeys(filed, filed)
            found |= dict.fromkeys(filed, players)
    for position in record.retractions:
        root = record.root_of(position)
        later = (at for at in results.get(root, ()) if root < at < position and not record.is_dead(at))
        if root in results and root < since and not any(later):
            found[position] = found[root]
    for player in record.entered():
        if round_.number not in (player.losses or ()):
            found[player.position] = (player.number,)
    for who, movements in record.movements.items():
        for position, fact in movements:
            if isinstance(fact, PlayerRejoined) and round_.number not in fact.losses:
                found[position] = (who,)
    late = sorted(position for position in found if position > since and not record.is_dead(position))
    playing = _in_its_pools(record, round_) if late else frozenset()
    return tuple(position for position in late if not playing.isdisjoint(found[position]))


def _in_its_pools(record: Record, round_: Round) -> frozenset[int]:
    """Return everybody in the pools that play in a round, including players who have left."""
    members = pooled(record, [player.number for player in record.entered()]).values()
    seated = round_.players
    return frozenset(player for inside in members if not seated.isdisjoint(inside) for player in inside)


def repair_plan(record: Record, round_: Round, clock: Clock) -> RepairPlan:
    """Return the options for a Swiss round with their costs, under its rulebook."""
    sound = all(pool.is_sound for pool in posted_pools(record, round_))
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


def is_leaving_recommended(record: Record, round_: Round) -> bool:
    """Return whether it is recommended to leave the pairings of a round as posted."""
    sound = all(pool.is_sound for pool in posted_pools(record, round_))
    return _Law(record, round_, sound=sound).leave().recommended


def smallest_reseating(record: Record, round_: Round) -> Reseated:
    """Return the tables to change, so that as few players as possible move and each pool of the round is valid.

    Tables with a result stay, and so does the table of a player who has left. A pool that cannot be made valid
    stays as posted, because other pools can still improve. Raises NoReseating if no pool can be made valid.
    """
    fixed = _fixed(record, round_)
    found: list[tuple[PostedPool, Reseating]] = []
    stays: list[Sentence] = []
    for pool in posted_pools(record, round_):
        if pool.is_sound:
            continue
        inside = [two for two in fixed if pool.lineup.players.issuperset(two)]
        try:
            found.append((pool, reseat(pool.lineup, pool.seats, inside)))
        except NoReseating as problem:
            stays.append(
                sentence("%(division)s stays as posted: %(why)s", division=pool.name, why=problem.said)
                if pool.name
                else problem.said
            )
    if not any(reseating.moved for _, reseating in found):
        raise NoReseating(
            joined(stays, "; ") if stays else sentence("the tables that may still change allow no better pairing")
        )
    return _with_tables(record, round_, found, stays)


def _fixed(record: Record, round_: Round) -> list[tuple[int, int]]:
    """Return the tables that cannot change: those with a result, and those of a player who has left."""
    return [
        players
        for _, players, report in round_.results()
        if report is not None or any(record.status(player) != "active" for player in players)
    ]


def _with_tables(
    record: Record, round_: Round, found: Sequence[tuple[PostedPool, Reseating]], stays: Sequence[Sentence]
) -> Reseated:
    """Put the new pairs at the free tables, each as near as possible to a former seat of one of its players."""
    old = {frozenset(two) for pool, _ in found for two in pool.seats.pairs}
    new = {frozenset(two): two for _, reseating in found for two in reseating.seats.pairs}
    removed = [
        Seating(table=table, players=two)
        for table, two in round_.tables.items()
        if frozenset(two) in old and frozenset(two) not in new
    ]
    games = [two for pair, two in new.items() if pair not in old]
    seat = {player: seating.table for seating in removed for player in seating.players}
    last = max(round_.tables, default=0)
    games.sort(key=lambda two: sorted(seat.get(player, last + 1) for player in two))
    free = [*(seating.table for seating in removed), *range(last + 1, last + 1 + len(games))]
    before = [pool.seats.bye for pool, _ in found if pool.seats.bye is not None]
    after = [reseating.seats.bye for _, reseating in found if reseating.seats.bye is not None]
    moved = frozenset(chain.from_iterable(reseating.moved for _, reseating in found))
    at_least = sum(reseating.at_least for _, reseating in found)
    return Reseated(
        removed=tuple(removed),
        added=seated_at(record, games, free),
        byes_removed=tuple(player for player in before if player not in after),
        byes_added=tuple(player for player in after if player not in before),
        moved=moved,
        at_least=at_least,
        is_proven=len(moved) == at_least,
        stays=tuple(stays),
    )


def _price_of(reseated: Reseated) -> Sentence:
    """Return the cost of the smallest reseating, and the pools that it cannot make valid."""
    fewest = sentence("no valid pairing moves fewer players") if reseated.is_proven else sentence("few are moved")
    return joined([fewest, *reseated.stays], "; ")


class _Law:
    """What the rulebook says about each option for a round."""

    def __init__(self, record: Record, round_: Round, *, sound: bool) -> None:
        self._record = record
        self._rule = record.rulebook.policy_rule("POL-ALL-REPAIR")
        self._reading = record.rulebook.readings.repair
        self._round = round_
        self._sound = sound

    def leave(self) -> RepairOption:
        because = (
            sentence("the pairings fit the corrected records already")
            if self._sound
            else sentence("the next pairing uses the corrected results")
        )
        recommended = self._sound or self._forbids_minimal() is not None
        return self._option("leave", None, recommended=recommended, because=because)

    def minimal(self) -> RepairOption:
        forbidden, reseated = self._forbids_minimal(), None
        if forbidden is None and self._sound:
            forbidden = sentence("there is nothing to correct")
        if forbidden is None:
            try:
                reseated = smallest_reseating(self._record, self._round)
            except NoReseating as nothing:
                forbidden = nothing.said
        return self._option(
            "minimal",
            forbidden,
            recommended=forbidden is None and not self._round.has_started,
            because=_price_of(reseated) if reseated else joined(()),
            reseated=reseated,
        )

    def all(self) -> RepairOption:
        forbidden = sentence("the round is finished") if self._is_finished else None
        if self._record.rulebook.readings.redraw == "refused":
            forbidden = sentence("a repair moves as few players as possible, or waits for the next round")
        if self._round.has_started:
            forbidden = sentence("play has begun")
        if self._reading == "never":
            forbidden = sentence("posted pairings stay")
        return self._option(
            "all",
            forbidden,
            recommended=False,
            because=sentence("everybody moves; a new draw decides all the tables"),
        )

    @property
    def _is_finished(self) -> bool:
        return not self._round.outstanding

    def _forbids_minimal(self) -> Sentence | None:
        if self._reading == "never":
            return sentence("posted pairings stay")
        if self._is_finished:
            return sentence("the round is finished")
        if self._round.has_started and self._reading == "before-start":
            return sentence("play has begun")
        return None

    def _option(
        self,
        choice: RepairChoice,
        forbidden: Sentence | None,
        *,
        recommended: bool,
        because: Sentence,
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
