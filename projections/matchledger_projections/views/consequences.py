"""Consequences: the changes that more entries cause, from the records before and after.

Both records are read with the usual functions, and nothing is computed in a second way. Therefore the preview of a
command always agrees with the result of the recorded command.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Annotated

from msgspec import Struct

from matchledger.events import AnyFact, CutMade, Stage
from matchledger_projections.divisions.tables import rows_apart
from matchledger_projections.document import As, Document, Keys, Names, renamed, writer
from matchledger_projections.message import Sentence
from matchledger_projections.pairing.lineup import Lineup, byes_due
from matchledger_projections.pairing.posted_pools import posted_pools
from matchledger_projections.pairing.repair import Reseated, smallest_reseating
from matchledger_projections.pairing.reseating import NoReseating
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Player, Status
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import brackets, losers_of, seeded_games
from matchledger_projections.stages.cut import cuts_known
from matchledger_projections.stages.departures import left_open
from matchledger_projections.stages.leaving import may_replace
from matchledger_projections.stages.placing import champions
from matchledger_projections.views.changes import (
    BracketChange,
    ByeChange,
    ChampionChange,
    CutAhead,
    CutChange,
    CutMove,
    MatchChange,
    PairingChange,
    PersonChange,
    PlaceChange,
    PlayerToTell,
    PostingChange,
    SeatingChange,
    StatusChange,
    Two,
)
from matchledger_projections.views.cutline import cut_lines

STAGES: tuple[Stage, ...] = ("swiss", "elimination")


def _first(cuts: Sequence[CutChange], names: Names) -> Document | None:
    written: Document | None = writer(CutChange | None)(cuts[0] if cuts else None, names)
    return written


class Consequences(Struct, frozen=True):
    """The consequences of `facts`, as `--preview --json` prints them.

    The standings after `round` are compared.

    `finished`, `active` and `next_byes` are the numbers of finished rounds, of active players, and of byes in the
    next Swiss round, before and after. `reaches_further` says whether anything changes besides the match and the
    places of its two players, or whether a champion loses the title. `to_tell` are the players with a new posted
    line, seat or place in a cut, in order of registration. `left_open` names the calls, slips, tables and stages
    that the command leaves open.
    """

    facts: tuple[AnyFact, ...]
    reaches_further: bool
    round: int
    finished: Annotated[tuple[int, int], renamed("finished_rounds", tuple[int, int])]
    active: Annotated[tuple[int, int], renamed("active_players", tuple[int, int])]
    next_byes: tuple[int, int]
    matches: tuple[MatchChange, ...]
    statuses: tuple[StatusChange, ...]
    people: tuple[PersonChange, ...]
    places: tuple[PlaceChange, ...]
    cuts: Annotated[
        tuple[CutChange, ...],
        Keys(
            {"cut": As(_first, CutChange | None), "cuts": As(writer(tuple[CutChange, ...]), tuple[CutChange, ...])}
        ),
    ]
    new_cuts: tuple[CutAhead, ...]
    postings: tuple[PostingChange, ...]
    seatings: tuple[SeatingChange, ...]
    pairings: tuple[PairingChange, ...]
    byes: tuple[ByeChange, ...]
    bracket: tuple[BracketChange, ...]
    champions: tuple[ChampionChange, ...]
    to_tell: tuple[PlayerToTell, ...]
    left_open: tuple[Sentence, ...]


def consequences(
    before: Record, after: Record, *, cut: int | None = None, facts: Sequence[AnyFact] = ()
) -> Consequences:
    """Return the differences between a record and the same record after entries with `facts`.

    `cut` is the size of a planned cut for all players, or None for the announced cuts. Cuts that were made are
    always compared.
    """
    seatings = tuple(_seatings(before, after))
    matches = tuple(_matches(before, after))
    statuses = tuple(_statuses(before, after))
    comparison = _Comparison(before, after)
    first = 0 if statuses else min((match.round for match in matches if match.stage == "swiss"), default=0)
    round_ = max(before.finished_rounds, after.finished_rounds)
    later = [found for found in after.rounds() if found.number > first and before.round(found.number) is not None]
    places = comparison.places(round_)
    cuts = tuple(comparison.cuts(cut)) if _can_move_cut(before, matches) else ()
    postings = tuple(comparison.postings(first))
    pairings = tuple(_pairings(before, after, later))
    byes = tuple(_byes(before, after, later))
    bracket = tuple(_bracket(after, matches))
    crowned = tuple(_champions(before, after))
    walkovers = set(_walkovers(after, statuses, matches, seatings))
    leavers = {change.player for change in statuses if change.after not in ("active", None)}
    own = {player for match in matches for player in match.players} | {status.player for status in statuses}
    others = any(place.player not in own for place in places)
    uncrowned = any(title.before is not None for title in crowned)
    return Consequences(
        facts=tuple(facts),
        reaches_further=bool(others or cuts or postings or seatings or pairings or byes or bracket or uncrowned),
        round=round_,
        finished=(before.finished_rounds, after.finished_rounds),
        active=(len(before.active_players()), len(after.active_players())),
        next_byes=(_next_byes(before), _next_byes(after)),
        matches=matches,
        statuses=statuses,
        people=tuple(_people(before, after)),
        places=places,
        cuts=cuts,
        new_cuts=tuple(_new_cuts(after, facts)),
        postings=postings,
        seatings=seatings,
        pairings=pairings,
        byes=byes,
        bracket=bracket,
        champions=crowned,
        to_tell=tuple(_to_tell(postings, pairings, seatings, bracket, cuts, walkovers, leavers)),
        left_open=tuple(dict.fromkeys(said for fact in facts for said in left_open(before, fact))),
    )


def _can_move_cut(before: Record, matches: Iterable[MatchChange]) -> bool:
    """Return whether players can still enter or leave the cut, by a changed Swiss result or a replacement."""
    return not before.cuts or may_replace(before) or any(match.stage == "swiss" for match in matches)


def _to_tell(
    postings: Iterable[PostingChange],
    pairings: Iterable[PairingChange],
    seatings: Iterable[SeatingChange],
    bracket: Iterable[BracketChange],
    cuts: Iterable[CutChange],
    walkovers: AbstractSet[int],
    leavers: AbstractSet[int],
) -> Iterator[PlayerToTell]:
    newest = max(postings, key=lambda posting: posting.position, default=None)
    lines = {line.player: line for line in newest.lines if line.is_plain} if newest is not None else {}
    moved = {player for pairing in pairings if pairing.reseated for player in pairing.reseated.moved}
    moved |= {player for seating in seatings for player in (*seating.before, *seating.after)}
    moved |= {player for change in bracket for player in (change.out, change.instead)}
    moved -= leavers
    entering = {player for cut in cuts for player in cut.entering}
    leaving = {player for cut in cuts for player in cut.leaving}
    for player in sorted(lines.keys() | moved | entering | leaving | walkovers):
        cut: CutMove | None = "in" if player in entering else "out" if player in leaving else None
        yield PlayerToTell(player, lines.get(player), player in moved, cut, player in walkovers)


def _walkovers(
    after: Record,
    statuses: Iterable[StatusChange],
    matches: Iterable[MatchChange],
    seatings: Iterable[SeatingChange],
) -> Iterator[int]:
    """Yield the opponents of players who leave: in an elimination match, or in the next game of the bracket."""
    left = {change.player for change in statuses if change.after not in ("active", None)}
    for match in matches:
        if match.stage == "elimination" and left.intersection(match.players):
            yield from (player for player in match.players if player not in left)
    for seating in seatings:
        if left and seating.stage == "elimination" and seating.table is None:
            yield from (player for player in seating.after if player not in seating.before)
    games = [game for drawn in brackets(after) for games in drawn.rounds for game in games] if left else []
    for game in games:
        if game.outcome == "to come" and left.intersection(game.players):
            yield from (player for player in game.players if player not in left)


# -- the event itself


def _next_byes(record: Record) -> int:
    return byes_due(record, len(record.rounds()) + 1) if record.opening is not None else 0


def _matches(before: Record, after: Record) -> Iterator[MatchChange]:
    """Yield the matches whose result changes. If a match moves to another table, its slip moves too."""
    for stage in STAGES:
        for number in _numbers(before, after, stage):
            old, new = _results(before.round(number, stage)), _results(after.round(number, stage))
            for table, players in sorted((table, players) for players, (table, _) in (old | new).items()):
                then, now = (found[players][1] if players in found else None for found in (old, new))
                if then != now:
                    yield MatchChange(stage, number, table, players, then, now)


def _results(round_: Round | None) -> dict[Two, tuple[int, Report]]:
    """Return the table and the result of each reported match, by the match's players."""
    if round_ is None:
        return {}
    return {players: (table, report) for table, players, report in round_.results() if report is not None}


def _numbers(before: Record, after: Record, stage: Stage) -> list[int]:
    return sorted({round_.number for record in (before, after) for round_ in record.rounds(stage)})


def _statuses(before: Record, after: Record) -> Iterator[StatusChange]:
    old, new = _status_of_all(before), _status_of_all(after)
    for player in sorted(old.keys() | new.keys()):
        if old.get(player) != new.get(player):
            yield StatusChange(player, old.get(player), new.get(player))


def _status_of_all(record: Record) -> dict[int, Status]:
    return {player.number: record.status(player.number) for player in record.entered()}


def _people(before: Record, after: Record) -> Iterator[PersonChange]:
    for number, player in after.players.items():
        known = before.players.get(number)
        if known is None or (known.person, known.division) == (player.person, player.division):
            continue
        old, new = _data_of(known), _data_of(player)
        for field in dict.fromkeys((*old, *new)):
            if old.get(field) != new.get(field):
                yield PersonChange(number, field, old.get(field), new.get(field))


def _data_of(player: Player) -> dict[str, str | None]:
    person = player.person
    born = None if person.born is None else str(person.born)
    own = {"name": person.name, "born": born, "contact": person.contact, "division": player.division}
    return own | person.details


def _seatings(before: Record, after: Record) -> Iterator[SeatingChange]:
    for stage in STAGES:
        for number in _numbers(before, after, stage):
            old, new = before.round(number, stage), after.round(number, stage)
            tables, then = (round_.tables if round_ else {} for round_ in (old, new))
            for table in sorted(tables.keys() | then.keys()):
                if tables.get(table) != then.get(table):
                    yield SeatingChange(stage, number, table, tables.get(table, ()), then.get(table, ()))
            byes, then_byes = (tuple(bye.player for bye in round_.byes) if round_ else () for round_ in (old, new))
            if byes != then_byes:
                yield SeatingChange(stage, number, None, byes, then_byes)


# -- what follows from it


class _Comparison:
    """The standings of both records, computed once for each round."""

    def __init__(self, before: Record, after: Record) -> None:
        self._before = before
        self._after = after
        self._places: dict[int, tuple[PlaceChange, ...]] = {}

    def places(self, round_: int) -> tuple[PlaceChange, ...]:
        if round_ not in self._places:
            records = self._before, self._after
            old, new = ({row.player: row for row in rows_apart(record, round_)} for record in records)
            order = [*new, *(player for player in old if player not in new)]
            changes = (PlaceChange(player, old.get(player), new.get(player)) for player in order)
            self._places[round_] = tuple(change for change in changes if change.before != change.after)
        return self._places[round_]

    def postings(self, first: int) -> Iterator[PostingChange]:
        """Yield the latest posting of each round from `first` on, if a line of the posting would change."""
        newest = {fact.round: position for position, fact in self._before.postings if fact.round >= first}
        for round_, position in sorted(newest.items()):
            if lines := self.places(round_):
                yield PostingChange(position, round_, lines)

    def cuts(self, planned: int | None) -> Iterator[CutChange]:
        """Yield the cuts that change: the common cut, or the cut of a division."""
        cut = self._before if self._before.cuts else self._after
        made = bool(cut.cuts)
        of_all: dict[str | None, int] = {None: planned or 0}
        sizes = of_all if planned and not made else cuts_known(cut)
        finished = max(self._before.finished_rounds, self._after.finished_rounds)
        round_ = cut.cuts[0].round if made else finished
        for old, new in zip(*(cut_lines(one, sizes, round_) for one in (self._before, self._after)), strict=True):
            if old != new:
                levels = frozenset(old.level), frozenset(new.level)
                yield CutChange(old.division, old.size, made, old.inside, new.inside, *levels)


def _pairings(before: Record, after: Record, rounds: Iterable[Round]) -> Iterator[PairingChange]:
    for round_ in rounds:
        old = before.round(round_.number)
        if old is None or old.tables != round_.tables or old.byes != round_.byes:
            continue
        was, now = posted_pools(before, old), posted_pools(after, round_)
        if was == now:
            continue
        amiss_before, amiss = ({pool.name for pool in found if not pool.is_sound} for found in (was, now))
        sound = not amiss
        if amiss <= amiss_before and not (sound and amiss_before):
            continue
        finished = not round_.outstanding
        yield PairingChange(
            round=round_.number,
            sound=sound,
            started=round_.has_started,
            finished=finished,
            reseated=None if sound or finished else _reseated(after, round_),
        )


def _reseated(record: Record, round_: Round) -> Reseated | None:
    try:
        return smallest_reseating(record, round_)
    except NoReseating:
        return None


def _byes(before: Record, after: Record, rounds: Iterable[Round]) -> Iterator[ByeChange]:
    for round_ in rounds:
        old = before.round(round_.number)
        if old is None or not round_.byes or old.byes != round_.byes:
            continue
        was, now = ([pool.lineup for pool in posted_pools(*found)] for found in ((before, old), (after, round_)))
        for bye in round_.byes:
            first_before, first = (_first_for_the_bye(found, bye.player) for found in (was, now))
            if bye.player in first_before and first and bye.player not in first:
                yield ByeChange(round_.number, bye.player, first)


def _first_for_the_bye(lineups: Iterable[Lineup], player: int) -> tuple[int, ...]:
    """Return the players who are first in line for the bye, in the pool of the given player."""
    return next((found.byes[0] for found in lineups if player in found.players and found.byes), ())


def _new_cuts(after: Record, facts: Sequence[AnyFact]) -> Iterator[CutAhead]:
    """Yield the cuts that `facts` make, with the first games if these follow from the seeds alone."""
    seeded = after.rulebook.readings.cut_bracket == "seeded"
    for fact in facts:
        if isinstance(fact, CutMade):
            yield CutAhead(fact.division, fact.seeds, tuple(seeded_games(fact.seeds)) if seeded else ())


def _bracket(after: Record, matches: Iterable[MatchChange]) -> Iterator[BracketChange]:
    """Yield the next elimination round if it was paired with a player who has now lost the match before, in the
    place of the winner.
    """
    for match in matches:
        if match.stage != "elimination" or match.after is None or match.after.winner is None:
            continue
        winner = match.after.winner
        loser = match.players[0] if winner == match.players[1] else match.players[1]
        following = after.round(match.round + 1, "elimination")
        if following is None or loser not in following.players:
            continue
        if winner not in following.players or _plays_a_winner(after, loser, following):
            yield BracketChange(following.number, loser, winner)


def _plays_a_winner(record: Record, player: int, round_: Round) -> bool:
    """Return whether a player's opponent in an elimination round won the round before, so that the match is not
    for 3rd and 4th place.
    """
    before = record.round(round_.number - 1, "elimination")
    rivals = {rival for two in round_.tables.values() if player in two for rival in two if rival != player}
    return before is not None and not rivals & losers_of(before)


def _champions(before: Record, after: Record) -> Iterator[ChampionChange]:
    was, is_now = champions(before), champions(after)
    for division in dict.fromkeys([*was, *is_now]):
        if was.get(division) != is_now.get(division):
            yield ChampionChange(division, was.get(division), is_now.get(division))
