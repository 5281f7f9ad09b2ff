"""Clinching: whether a place in the cut is certain, impossible or open before the last rounds are played.

If the rounds can end in few enough ways, every ending is replayed with tiebreakers: every result of every table,
and for unpaired rounds every pairing without a rematch. Scores of future games are not replayed. The first
tiebreaker that uses scores stays open, and so do all later tiebreakers. If there are too many endings, only points
are counted. To count only points may prove less, but never proves anything false. Both methods assume that no
player drops, comes back, is disqualified or is absent, and that recorded results do not change.

A match of an earlier round without a result, perhaps after a retraction, can still end in every way. Both methods
therefore replay its results too. While a result is contested, nothing is certain: the answer names the tables to
settle first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import dropwhile, groupby, islice, product, takewhile
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct

from matchledger.events import AnyFact, Bye, Entry, ResultReported, RoundPaired, Seating
from matchledger_projections.divisions.grouping import divisions_of
from matchledger_projections.divisions.tables import division_table, members, ranked_apart
from matchledger_projections.document import LEFT_OUT, SPREAD, Player, renamed
from matchledger_projections.message import Sentence, UsageProblem, demanding, joined, numbered, sentence
from matchledger_projections.pairing.possible import possible_pairings
from matchledger_projections.record.desk_calls import SwissTable, unsettled
from matchledger_projections.record.record import Record, fold
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.stages.cut import cuts_known
from matchledger_projections.stages.departures import without_result
from matchledger_projections.stages.flights import flights_of
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.standings.standings import standings
from matchledger_projections.standings.tiebreakers import TIEBREAKERS
from matchledger_projections.views.prospects import Fate, Gains, Outcome, Race, Two, gains, outcomes
from matchledger_projections.views.sight import Asked, Headed, Sight, answers, heading

# "exact" replays every ending. "results" replays every result, but not the games of a match. "bound" only counts
# points.
Basis = Literal["exact", "results", "bound"]
MOST_ENDINGS = 20_000  # the most endings to replay one by one. This takes some seconds
MOST_EARLIER = 20  # the most combinations of results of earlier rounds for which points are counted


class Prospect(NamedTuple):
    """A player's prospect of the cut. `draw_is_safe` is None if the players cannot agree to a draw."""

    player: Player
    points: int
    fate: Annotated[Fate, renamed("cut", Fate)]
    draw_is_safe: bool | None


class Clinch(Struct, frozen=True):
    """All players' prospects in the order of the standings, and the basis of the prospects.

    `endings` is the number of replayed endings, or None if only points were counted. `left_open` are the
    tiebreakers that future scores can still change. If a tiebreaker is left open, the basis is "results".
    `division` is the division of the cut, or None for a common cut.
    """

    head: Headed
    division: str | None
    cut: int
    rounds_left: int
    basis: Basis
    endings: int | None
    left_open: tuple[TiebreakName, ...]
    prospects: Annotated[tuple[Prospect, ...], renamed("players", tuple[Prospect, ...])]
    without_result: Annotated[tuple[SwissTable, ...], LEFT_OUT] = ()  # the tables of earlier rounds

    @property
    def missing(self) -> tuple[Sentence, ...]:
        """Return a sentence for each earlier round with tables that have no result."""
        return _missing(self.without_result)


class ClinchPage(Struct, frozen=True):
    """The certain places, as `matchledger clinch --json` prints them.

    If there are several cuts, the page has the first cut and a list of all cuts. `unit` names what the points
    count, such as half points.
    """

    first: Annotated[Clinch, SPREAD]
    unit: str
    divisions: Annotated[tuple[Clinch, ...], LEFT_OUT] = ()

    @property
    def every(self) -> tuple[Clinch, ...]:
        """Return the prospects of every cut on the page."""
        return self.divisions or (self.first,)


@answers("clinch", "staff", slow=True)
def clinch_page(
    sight: Sight,
    *,
    rounds_left: Annotated[
        int | None, Asked("Swiss rounds to come, the one in progress included.", least=0, most=1000)
    ] = None,
    cut: Annotated[int | None, Asked("How many will go on.", least=1, most=10**6)] = None,
    highest: Annotated[
        int | None, Asked("The most that one player can score at a table.", least=0, most=10**6)
    ] = None,
    division: Annotated[str | None, Asked("The cut of one division.", longest=60)] = None,
) -> ClinchPage:
    """The places in the cut that are certain, impossible or open, and whether an intentional draw is safe."""
    if sight.through is not None:
        raise UsageProblem(
            demanding(
                sentence(
                    "certain places are computed for one moment of the log: name a moment, and no corrected round"
                ),
                "a known moment",
            )
        )
    record, entries = sight.whole, sight.log()
    try:
        found = tuple(
            clinch(
                entries,
                rounds_left=_rounds_left(record, rounds_left, of_division),
                cut=size,
                highest=highest,
                division=of_division,
            )
            for of_division, size in _cuts(record, cut, division).items()
        )
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None
    return ClinchPage(found[0], record.rulebook.unit, () if found[0].division is None else found)


def decided_by_points(record: Record) -> dict[int, Fate]:
    """Return the fate of each player in the announced cut, as far as points alone decide it.

    As in the standings, a round in progress does not count yet: its tables are open, reported or not. A cut for
    which nothing can be told is left out, such as the cut of a division that plays in flights, or a cut with a
    contested result.
    """
    fates: dict[int, Fate] = {}
    try:
        cuts = _cuts(record, None, None)
    except UsageProblem:
        return {}
    for division, size in cuts.items():
        try:
            fates |= _fates_before(record, division, size)
        except (UsageProblem, ValueError):
            continue
    return fates


def _fates_before(record: Record, division: str | None, size: int) -> dict[int, Fate]:
    """Return the fates in one cut before the round in progress."""
    law = record.rulebook
    left = _rounds_left(record, None, division)
    field = _field(record, division)
    remaining = _remaining(record, left, field)
    points = list(crosstable(record, law, remaining.round).points)
    latest = record.latest_round()
    if latest is None or not latest.outstanding:
        _refuse_contested(record, field, remaining.round)
    else:
        _refuse_contested(record, field, latest.number - 1)
        before = crosstable(record, law, latest.number - 1).points
        own = frozenset(field.playing)
        tables = [_Open(latest.number, table, two) for table, two in latest.tables.items() if own.intersection(two)]
        for player in (player for at in tables for player in at.players):
            points[player] = before[player]
        remaining = remaining._replace(tables=tuple(tables))
    return _by_points(law, remaining, field, size, points, gains(law))[0]


def _rounds_left(record: Record, given: int | None, division: str | None) -> int:
    if given is not None:
        return given
    announced = record.structure
    if announced is None:
        raise UsageProblem(
            demanding(sentence("no structure was announced: give the number of rounds left"), "rounds to come")
        )
    rounds = announced.division_rounds.get(division or "", announced.rounds)
    return max(rounds - record.finished_rounds, 0)


def _cuts(record: Record, given: int | None, division: str | None) -> dict[str | None, int]:
    """Return the sizes of the cuts by division: the given size, or else the made or announced cuts."""
    known = cuts_known(record)
    named = None if division is None else division.casefold()
    if named is not None and named not in divisions_of(record):
        raise UsageProblem(
            sentence(
                "there is no division %(division)r: there are %(known)s",
                division=division,
                known=", ".join(divisions_of(record)),
            )
        )
    if given:
        if named is None and ranked_apart(record):
            raise UsageProblem(
                demanding(sentence("the divisions play separately: name one division"), "a bracket's division")
            )
        return {named: given}
    found = {one: size for one, size in known.items() if named in (None, one)}
    if not found:
        raise UsageProblem(
            demanding(sentence("no cut was announced: give the number of players who go on"), "a cut")
        )
    return found


class _Field(NamedTuple):
    """The players of a cut. The `racing` players compete for the cut, and the `playing` players have rounds that
    affect the cut.

    If divisions play together, `playing` is everybody and `racing` is one division. If divisions play separately,
    both lists have only the division's players.
    """

    division: str | None
    racing: list[int]
    playing: list[int]
    is_alone: bool


class _Open(NamedTuple):
    """A table without a result, and its players."""

    round: int
    table: int
    players: Two


class _Remaining(NamedTuple):
    """The rounds to come: the open tables of the round in progress, and the number of unpaired rounds.

    `earlier` are the open tables of the rounds before.
    """

    round: int
    tables: tuple[_Open, ...]
    unpaired: int
    earlier: tuple[_Open, ...] = ()

    @property
    def without_result(self) -> tuple[SwissTable, ...]:
        """Return the open tables of earlier rounds."""
        return tuple(SwissTable(at.round, at.table) for at in self.earlier)


def _missing(tables: Sequence[SwissTable]) -> tuple[Sentence, ...]:
    rounds = groupby(tables, key=lambda at: at.round)
    return tuple(without_result("swiss", number, [at.table for at in those]) for number, those in rounds)


def clinch(
    entries: Sequence[Entry],
    *,
    rounds_left: int,
    cut: int,
    highest: int | None = None,
    most_endings: int = MOST_ENDINGS,
    division: str | None = None,
) -> Clinch:
    """Return each player's prospect of a cut to `cut` players, with `rounds_left` Swiss rounds to come, including a
    round in progress.

    With a `division`, the cut is the division's own cut. Raise ValueError if the rulebook sets no limit to results
    and `highest` is missing. `highest` is the most points that one player can score at a table. A division with
    flights also raises ValueError, because the same number of players advance from each flight.
    """
    record = fold(entries)
    law = record.rulebook
    field = _field(record, division)
    remaining = _remaining(record, rounds_left, field)
    _refuse_contested(record, field, remaining.round)
    table = crosstable(record, law, remaining.round)
    active = field.racing
    search = _Search(entries, record, law, remaining, field, cut)
    written = any(result.as_written for result in law.results.values())
    if not written and search.endings_at_most(most_endings) is not None:
        fates, safe = search.run()
        left_open = search.left_open
        basis: Basis = "results" if left_open else "exact"
    else:
        fates, safe = _by_points(law, remaining, field, cut, table.points, gains(law, highest))
        left_open, basis = (), "bound"
    draws = _who_can_draw(record, law, remaining, active)
    prospects = [
        Prospect(player, table.points[player], fates[player], safe[player] if player in draws else None)
        for player in active
    ]
    endings = None if basis == "bound" else search.endings
    return Clinch(
        heading(record),
        division,
        cut,
        rounds_left,
        basis,
        endings,
        left_open,
        tuple(prospects),
        remaining.without_result,
    )


def _by_points(
    law: Rulebook,
    remaining: _Remaining,
    field: _Field,
    cut: int,
    points: Sequence[int],
    gained: Gains,
) -> tuple[dict[int, Fate], dict[int, bool]]:
    """Return each player's fate on points alone, and the players for whom a draw in the coming round is safe.

    Raise ValueError if earlier rounds have so many tables without a result that nothing can be told.
    """
    results = outcomes(law)
    is_written = any(result.as_written for result in law.results.values())
    if remaining.earlier and (is_written or len(results) ** len(remaining.earlier) > MOST_EARLIER):
        raise ValueError(
            sentence(
                "certain places cannot be computed before these results are in: %(missing)s",
                missing=joined(_missing(remaining.without_result), "; "),
            )
        )
    found: dict[int, set[Fate]] = {player: set() for player in field.racing}
    safe = dict.fromkeys(field.racing, True)
    for earlier in product(results, repeat=len(remaining.earlier)):
        scored = {player: points[player] for player in field.racing}
        for at, outcome in zip(remaining.earlier, earlier, strict=True):
            for player, got in zip(at.players, outcome.points, strict=True):
                if player in scored:
                    scored[player] += got
        race = Race(
            scored,
            [at.players for at in remaining.tables],
            remaining.unpaired,
            cut,
            results,
            gained,
            shares_rounds=not field.is_alone,
        )
        for player in field.racing:
            found[player].add(race.fate(player))
            safe[player] = safe[player] and race.is_draw_safe(player)
    return {player: _together(fates) for player, fates in found.items()}, safe


def _together(fates: Collection[Fate]) -> Fate:
    """Return the fate of a player over several sets of earlier results."""
    if "open" in fates or {"certain", "impossible"} <= {*fates}:
        return "open"
    return next(iter(fates)) if len(fates) == 1 else "undecided"


def _field(record: Record, division: str | None) -> _Field:
    if division is not None and flights_of(record, division):
        raise ValueError(
            sentence(
                "%(division)s plays in flights: certain places can only be computed without flights",
                division=division,
            )
        )
    through = record.latest_round()
    order = standings(record, 0 if through is None else through.number).order
    active = [player for player in order if record.status(player) == "active"]
    if division is None:
        return _Field(None, active, active, is_alone=True)
    inside = members(record, division)
    own = [player for player in active if player in inside]
    alone = division in ranked_apart(record)
    return _Field(division, own, own if alone else active, is_alone=alone)


def _remaining(record: Record, rounds_left: int, field: _Field) -> _Remaining:
    latest = record.latest_round()
    if latest is None:
        return _Remaining(0, (), rounds_left)
    rounds = record.rounds()
    every = [_Open(one.number, table, one.tables[table]) for one in rounds for table in one.outstanding]
    in_play = any(at.round == latest.number for at in every)
    unpaired = rounds_left - 1 if in_play else rounds_left
    if field.division is not None and field.is_alone:
        inside = members(record, field.division)
        every = [at for at in every if inside.intersection(at.players)]
        if not latest.players & inside:
            unpaired = rounds_left
    if unpaired < 0:
        raise ValueError(sentence("round %(round)s is in progress: at least 1 round is left", round=latest.number))
    return _Remaining(
        latest.number,
        tuple(at for at in every if at.round == latest.number),
        unpaired,
        tuple(at for at in every if at.round != latest.number),
    )


def _refuse_contested(record: Record, field: _Field, through: int) -> None:
    """Raise ValueError if a result of the rounds 1 to `through` is contested.

    A division that plays alone depends on its own tables only.
    """
    contested = unsettled(record, through).contested
    if field.division is not None and field.is_alone:
        inside = members(record, field.division)
        tables = {round_.number: round_.tables for round_ in record.rounds()}
        contested = tuple(at for at in contested if inside.intersection(tables[at.round].get(at.table, ())))
    rounds = groupby(contested, key=lambda at: at.round)
    named = [_tables_said(number, [at.table for at in those]) for number, those in rounds]
    if named:
        raise ValueError(
            sentence(
                "no place is certain while a result is contested: first settle %(tables)s",
                tables=joined(named, "; "),
            )
        )


def _tables_said(number: int, tables: Sequence[int]) -> Sentence:
    return numbered(
        "table %(tables)s of round %(round)s",
        "tables %(tables)s of round %(round)s",
        len(tables),
        tables=", ".join(map(str, tables)),
        round=number,
    )


def _who_can_draw(record: Record, law: Rulebook, remaining: _Remaining, active: Sequence[int]) -> set[int]:
    """Return the players who can agree to a draw in the coming round, if the rulebook has draws."""
    if "draw" not in law.results:
        return set()
    if remaining.tables:
        return {player for at in remaining.tables for player in at.players if record.status(player) == "active"}
    return set(active) if remaining.unpaired else set()


class _Search:
    """All possible endings of the rounds to come, replayed one by one."""

    def __init__(
        self,
        entries: Sequence[Entry],
        record: Record,
        law: Rulebook,
        remaining: _Remaining,
        field: _Field,
        cut: int,
    ) -> None:
        self._entries = entries
        self._record = record
        self._law = law
        self._remaining = remaining
        self._division = field.division
        self._racing = frozenset(field.racing)
        self._active = frozenset(field.playing)
        self._cut = cut
        self._results = outcomes(law)
        to_come = remaining.tables or remaining.unpaired or remaining.earlier
        self.left_open = _left_open(law) if to_come else ()
        self.endings = 0
        self._may_be_in: set[int] = set()
        self._may_be_out: set[int] = set()
        self._unknown: set[int] = set()
        self._drew: set[int] = set()
        self._drew_and_was_not_in: set[int] = set()

    def endings_at_most(self, limit: int) -> int | None:
        """Return an upper bound for the number of endings.

        Return None if there are more than `limit`.

        Every round leaves fewer pairings without a rematch than the round before. Therefore the number of pairings
        of the first round is a bound for every round.
        """
        results = len(self._results)
        count = results ** (len(self._remaining.tables) + len(self._remaining.earlier))
        if self._remaining.unpaired and count <= limit:
            ways = results ** (len(self._active) // 2)
            if count * ways > limit:
                return None
            pairings = sum(1 for _ in islice(possible_pairings(self._record, self._active), limit // ways + 1))
            count *= (pairings * ways) ** self._remaining.unpaired
        return count if count <= limit else None

    def run(self) -> tuple[dict[int, Fate], dict[int, bool]]:
        """Return each player's prospect over all endings, and the players for whom a draw in the coming round is
        safe.
        """
        remaining = self._remaining
        for results in product(self._results, repeat=len(remaining.earlier)):
            entries = [*self._entries, *self._slips(self._entries, remaining.earlier, results)]
            self._go(entries, remaining.round, remaining.tables, remaining.unpaired, None)
        fates = {player: self._fate(player) for player in self._racing}
        safe = {player: player in self._drew and player not in self._drew_and_was_not_in for player in self._racing}
        return fates, safe

    def _fate(self, player: int) -> Fate:
        inside, outside = player in self._may_be_in, player in self._may_be_out
        if inside and outside:
            return "open"
        if player in self._unknown:
            return "undecided"
        return "certain" if inside else "impossible"

    def _go(
        self,
        entries: list[Entry],
        round_: int,
        tables: Sequence[_Open],
        unpaired: int,
        drew: frozenset[int] | None,
    ) -> None:
        """Play the open tables in every way, then pair the next round in every way.

        `drew` has the players who drew in the first round.
        """
        for results in product(self._results, repeat=len(tables)):
            played = [*entries, *self._slips(entries, tables, results)]
            drawn = drew
            if drawn is None and (tables or not unpaired):
                drawn = frozenset(
                    player
                    for at, outcome in zip(tables, results, strict=True)
                    if outcome.kind == "draw"
                    for player in at.players
                )
            if unpaired == 0:
                self._end(fold(played), round_, drawn or frozenset())
                continue
            record = fold(played)
            for pairing, bye in possible_pairings(record, self._active):
                seatings = tuple(Seating(table=table, players=two) for table, two in enumerate(pairing, 1))
                byes = () if bye is None else (Bye(player=bye),)
                paired = RoundPaired(round=round_ + 1, tables=seatings, byes=byes)
                self._go(
                    [*played, _imagined(played, paired)],
                    round_ + 1,
                    [_Open(round_ + 1, seating.table, seating.players) for seating in seatings],
                    unpaired - 1,
                    drawn,
                )

    def _slips(
        self, entries: Sequence[Entry], tables: Sequence[_Open], results: Sequence[Outcome]
    ) -> Iterator[Entry]:
        for index, (at, outcome) in enumerate(zip(tables, results, strict=True)):
            slip = outcome.slip(at.players)
            fact = ResultReported(round=at.round, table=at.table, players=at.players, slip=slip)
            yield _imagined(entries, fact, index)

    def _end(self, record: Record, round_: int, drew: frozenset[int]) -> None:
        """Note for one ending which players are in the cut."""
        self.endings += 1
        self._drew |= drew
        groups, is_final = self._groups(record, round_)
        before = 0
        for group in groups:
            level = [player for player in group if player in self._racing]
            after = before + len(level)
            if after <= self._cut:
                self._may_be_in.update(level)
            elif before >= self._cut:
                self._may_be_out.update(level)
            elif is_final:
                # Players tied across the line of the cut: a draw can put each of them on either side.
                self._may_be_in.update(level)
                self._may_be_out.update(level)
            else:
                self._unknown.update(level)
            if after > self._cut:
                self._drew_and_was_not_in |= drew.intersection(level)
            before = after

    def _groups(self, record: Record, round_: int) -> tuple[Sequence[Sequence[int]], bool]:
        """Return the groups of players that results alone can separate, and whether no later tiebreaker is left
        open.
        """
        if self._division is None:
            table = standings(record, round_)
        else:
            table = division_table(record, self._division, round_).table
        if not self.left_open:
            return table.groups, True
        known = [*takewhile(lambda step: step.name not in self.left_open, table.steps)]
        return (known[-1].groups if known else [list(self._active)]), False


def _left_open(law: Rulebook) -> tuple[TiebreakName, ...]:
    """Return the first tiebreaker that depends on more than the winners of matches, such as games, and all later
    tiebreakers.
    """
    return tuple(dropwhile(lambda name: TIEBREAKERS[name].hangs_on != "slips", law.tiebreaks))


def _imagined(entries: Sequence[Entry], fact: AnyFact, index: int = 0) -> Entry:
    """Return a hypothetical fact as the next entry of a log."""
    last = entries[-1]
    return last.model_copy(update={"position": last.position + 1 + index, "command": "imagined", "fact": fact})
