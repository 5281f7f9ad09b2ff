"""Final places: the elimination stage first, then all others in the order of the Swiss rounds.

The round in which a player is eliminated gives the place: a later round gives a better place. The documents
differ in the order of players who are eliminated in the same round. After Swiss rounds, the Swiss rank decides
(PKM-3.3.6.1-SEPLACE, L5R-IV.2c-PLACE). Without Swiss rounds, the players share the place, or the place of the
opponent who eliminated them decides (PKM-3.2.4-PLACE). A player outside the cut has a final place as soon as the
cut is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from matchledger_projections.divisions.grouping import division_mode, divisions_of
from matchledger_projections.divisions.tables import division_table, members
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.record.desk_calls import contested_tables, contesting
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.scoring import points_text, unit_of
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.stages.bracket import (
    SEMIFINALS,
    Bracket,
    Game,
    brackets,
    losers_of,
    qualifiers,
    seeds_in,
    stray_by_hand,
)
from matchledger_projections.stages.leaving import in_line, may_replace
from matchledger_projections.stages.structure import swiss_is_over
from matchledger_projections.standings.standings import standings

LEFT_EARLY = sentence("left before the first game")


class Place(NamedTuple):
    """A player's final place, from `first` to `last` if several players share it, and the rule behind it.

    `first` and `last` are None for a disqualified player, who is listed without a place (L5R-IV.2-DQ). `decided`
    is False while Swiss rounds, a cut or elimination games to come can change the place, or while a tie needs a
    recorded draw.
    """

    player: int
    first: int | None
    last: int | None
    rule: str
    why: Sentence
    decided: bool


class _Exit(NamedTuple):
    """How a player left the elimination stage: the round, the opponent, and the number of games in that round.

    Round 0 means that the player left before the first game.
    """

    round: int
    by: int | None
    games: int


class _Course(NamedTuple):
    """How the players of an elimination stage fared: who won, who lost in which round, and who left.

    `playoff` holds the winner and the loser of the match for 3rd and 4th place. Games of the `open_round` are still
    in play, so places in that round are not final. The places of the semifinals are not final before a playoff.
    `last_round` is the round of the final in a bracket, and the latest round in a stage that is paired by hand.
    `last_round` is 0 before round 1.
    """

    players: tuple[int, ...]
    exits: dict[int, _Exit]
    last_round: int = 0
    playoff: tuple[int, int] | None = None
    open_round: int | None = None
    playoff_to_come: int | None = None


def places(record: Record) -> list[Place]:
    """Everybody's place, best first, with disqualified players last.

    Divisions with places of their own follow one another.
    """
    return [place for _, found in places_by_division(record) for place in found]


def places_by_division(record: Record) -> list[tuple[str | None, list[Place]]]:
    """Return the places of every division with its own winner (PKM-3.1.1-POD, PKM-3.1.2-MOD), or the places of
    everybody under None.

    Single elimination ignores divisions (PKM-3.2.1-NOAGE), and a cut of all players makes one event.
    """
    begun_so = record.structure is not None and record.structure.style == "elimination"
    for_all = begun_so or any(cut.division is None for cut in record.cuts)
    if for_all or division_mode(record) == "none":
        return [(None, _places(record, None))]
    return [(division, _places(record, division)) for division in divisions_of(record)]


def champions(record: Record) -> dict[str | None, int]:
    """Return the champion of each division, or of everybody under None. A champion is alone in 1st place after
    the final or the close.

    A division without a bracket has its champion when the event is closed (PKM-3.1.2-MOD). After a common cut of
    Age Modified divisions, each division has a champion besides that of all. A disqualified winner of the final has
    no place (L5R-IV.2-DQ).
    """
    over = {drawn.division: bool(drawn.champion) for drawn in brackets(record)}
    closed = record.closing is not None and bool(record.finished_rounds)
    first = {
        division: [place for place in found if place.first == 1]
        for division, found in (places_by_division(record) if closed or any(over.values()) else ())
        if over.get(division, closed)
    }
    found = {division: best[0].player for division, best in first.items() if len(best) == 1 and best[0].decided}
    return {**found, **(_winners_of_divisions(record) if None in first and record.cut is not None else {})}


def _winners_of_divisions(record: Record) -> dict[str | None, int]:
    """Return the highest placed player of each division after a common cut, whatever the place (PKM-3.1.2-MOD)."""
    if division_mode(record) != "modified":
        return {}
    found: dict[str | None, int] = {}
    listed = [place for place in _places(record, None) if place.first is not None]
    for division in divisions_of(record):
        inside = members(record, division)
        best = next((place for place in listed if place.player in inside), None)
        level = [place for place in listed if best is not None and place.first == best.first]
        if best is not None and best.decided and sum(place.player in inside for place in level) == 1:
            found[division] = best.player
    return found


def _places(record: Record, division: str | None) -> list[Place]:
    course = _course(record, division)
    in_elimination = _elimination_places(record, course)
    stayed = {place.player for place in in_elimination}
    placed = sum(place.first is not None for place in in_elimination)
    placed += _vacant(record, course)
    others = list(_other_places(record, division, stayed, placed, bool(course.players)))
    ranked = sorted((place for place in in_elimination + others if place.first is not None), key=_by_place)
    waiting = _waiting(record, division)
    ranked = [place._replace(decided=False) if place.player in waiting else place for place in ranked]
    return [*ranked, *(place for place in in_elimination + others if place.first is None)]


def nobody_won(record: Record) -> list[str | None]:
    """Return each division in which nobody can win the elimination stage any more, or None for the whole event."""
    if not record.rounds("elimination") or contested_players(record):
        return []
    found = places_by_division(record)
    return [division for division, inside in found if inside and all(place.first != 1 for place in inside)]


def contested_players(record: Record) -> set[int]:
    """Return the players of elimination games whose result is contested, until the desk has settled it."""
    return {player for fact in contesting(record) if fact.stage == "elimination" for player in fact.players}


def settling(record: Record) -> int | None:
    """Return the last elimination round with a contested game, if every final has a result. Otherwise return None:
    only then does the contested game keep the champion from being named.
    """
    drawn = brackets(record)
    if not drawn or not all(one.is_over for one in drawn):
        return None
    rounds = [round_ for stage, round_, _ in contested_tables(record) if stage == "elimination"]
    return max(rounds, default=None)


def is_over(record: Record) -> bool:
    """Return whether no game is left to play: the event is closed, or every final is decided and none is
    contested.
    """
    if record.closing is not None:
        return True
    drawn = brackets(record)
    return bool(drawn) and all(one.is_over for one in drawn) and not contested_players(record)


def _waiting(record: Record, division: str | None) -> set[int]:
    """Return the players whose places wait: for the desk to settle a contested game of their stage, or for a
    replacement (L5R-IV.2b-CUTDROP). The qualifiers wait, and with a replacement the next in line. The result is
    empty if no qualifier has left, or if nobody can replace the qualifier.
    """
    seeds = seeds_in(record, division)
    if found := contested_players(record):
        return {*seeds, *found} if found.intersection(seeds) else found
    left = [player for player in seeds if record.status(player) != "active"]
    if not left or record.closing is not None or not may_replace(record):
        return set()
    line = in_line(record, left[0])
    return {*seeds, *(player for group in line[: len(left)] for player in group)} if line else set()


def _by_place(place: Place) -> int:
    return place.first or 0


# -- each player's course


def _course(record: Record, division: str | None) -> _Course:
    drawn = next((found for found in brackets(record) if found.division == division), None)
    if drawn is not None:
        return _course_of_bracket(record, drawn)
    rounds = record.rounds("elimination")
    if rounds and not record.brackets_drawn:
        return _course_of_rounds(record, rounds, None if division is None else members(record, division))
    seeds = seeds_in(record, division)
    return _Course(seeds, {player: _Exit(0, None, 0) for player in seeds if record.status(player) != "active"})


def _course_of_bracket(record: Record, drawn: Bracket) -> _Course:
    """Return the course of a bracket, up to a round that does not follow from the round before it."""
    stray = None if drawn.stray is None else drawn.stray.round
    exits = {
        player: _Exit(number, game.winner or None, len(games))
        for number, games in enumerate(drawn.rounds[: stray and stray - 1], 1)
        for game in games
        for player in game.losers
    }
    first = [player for game in drawn.rounds[0] for player in game.players]
    seeds = seeds_in(record, drawn.division)
    return _Course(
        tuple(sorted(first, key=seeds.index)) if set(first) <= set(seeds) else tuple(first),
        exits,
        len(drawn.rounds),
        None if stray else _settled(drawn.playoff),
        stray or next((number for number, games in enumerate(drawn.rounds, 1) if _is_open(games)), None),
        len(drawn.rounds) - 1 if _playoff_to_come(record, drawn) else None,
    )


def _playoff_to_come(record: Record, drawn: Bracket) -> bool:
    """Return whether the match for 3rd and 4th place is still missing: not decided, or not paired although both
    players were there.
    """
    game = drawn.playoff
    if game is None or (game.outcome == "played" and drawn.stray is None):
        return False
    if drawn.stray is not None:
        return True
    return game.winner is None or sum(record.status(player) == "active" for player in game.players) > 1


def _is_open(games: Sequence[Game]) -> bool:
    return any(game.outcome == "open" for game in games)


def _settled(game: Game | None) -> tuple[int, int] | None:
    if game is None or not game.winner:
        return None
    return (game.winner, game.losers[0]) if game.losers else None


def _course_of_rounds(record: Record, rounds: Sequence[Round], inside: frozenset[int] | None) -> _Course:
    """Return the course of a stage paired by hand, with one life or two: a player is out after a defeat without a
    later match.

    A round that does not follow from the round before decides nothing, and neither do later rounds.

    `inside` are the players of one division, or None for everybody.
    """
    stray = stray_by_hand(record)
    counting = [round_ for round_ in rounds if stray is None or round_.number < stray.round]
    playoff = _hand_playoff(counting) if inside is None else None
    exits: dict[int, _Exit] = {}
    players = dict.fromkeys(player for player in qualifiers(record) if inside is None or player in inside)
    for round_ in counting:
        players |= dict.fromkeys(sorted(round_.players if inside is None else round_.players & inside))
        for _, two, report in round_.results():
            if not set(two) <= players.keys():
                continue
            if playoff is not None and set(two) == set(playoff) and round_ is counting[-1]:
                continue
            for player in two:
                exits.pop(player, None)
                if report is not None and report.winner != player:
                    exits[player] = _Exit(round_.number, report.winner, len(round_.tables))
    for player in players:
        if player not in exits and record.status(player) != "active":
            last = max((round_.number for round_ in rounds if player in round_.players), default=0)
            exits[player] = _Exit(last + 1, None, 1)
    last = rounds[-1].number
    open_round = last if rounds[-1].outstanding else None
    to_come = _semifinals_by_hand(record, counting) if playoff is None and inside is None else None
    return _Course(tuple(players), exits, last, playoff, open_round if stray is None else stray.round, to_come)


def _semifinals_by_hand(record: Record, rounds: Sequence[Round]) -> int | None:
    """Return the round whose two losers still have to play the announced match for 3rd and 4th place, or None."""
    semifinals = next((round_ for round_ in rounds if len(round_.tables) + len(round_.byes) == SEMIFINALS), None)
    if semifinals is None or record.structure is None or not record.structure.playoff:
        return None
    losers = losers_of(semifinals)
    return semifinals.number if sum(record.status(player) == "active" for player in losers) > 1 else None


def _hand_playoff(rounds: Sequence[Round]) -> tuple[int, int] | None:
    """Return the winner and the loser of a match for 3rd place, which losers of the round before play, or None."""
    if len(rounds) < 2:  # noqa: PLR2004 - the round before the last has the semifinals
        return None
    beaten = losers_of(rounds[-2])
    tables = list(rounds[-1].results())
    if len(tables) != 2 or sum(set(two) <= beaten for _, two, _ in tables) != 1:  # noqa: PLR2004 - two tables
        return None
    _, two, report = next(found for found in tables if set(found[1]) <= beaten)
    if report is None or report.winner is None:
        return None
    return report.winner, two[0] if report.winner == two[1] else two[1]


# -- places in the elimination stage


def _elimination_places(record: Record, course: _Course) -> list[Place]:
    unranked = [player for player in course.players if record.status(player) == "disqualified"]
    listed = [player for player in course.players if player not in unranked]
    found: list[Place] = []
    staying = [player for player in listed if player not in course.exits]
    if staying:
        out_now = [player for player in listed if player in course.exits]
        just_out = sum(course.exits[player].round == course.open_round for player in out_now)
        found += _staying(record, staying, just_out)
    leaving = sorted((player for player in listed if player in course.exits), key=lambda p: -course.exits[p].round)
    for _, group in groupby(leaving, key=lambda player: course.exits[player].round):
        found += _eliminated_together(record, course, list(group), found)
    return found + [_disqualified(record, player) for player in unranked]


def _vacant(record: Record, course: _Course) -> int:
    """Return how many places stay empty at the top: 1 if nobody can win the elimination stage any more, otherwise
    0.

    The opponent of a disqualified finalist wins (PKM-3.2-NODROP). No player wins if both are
    disqualified, or if the final is a double loss.
    """

    def may_win(player: int) -> bool:
        left = course.exits.get(player)
        if record.status(player) == "disqualified":
            return False
        if left is None or left.round > course.last_round:
            return True
        return left.round == course.last_round and left.by is not None and record.status(left.by) == "disqualified"

    return int(bool(course.players) and not any(map(may_win, course.players)))


def _disqualified(record: Record, player: int) -> Place:
    """Return the place of a disqualified player, which has no number (L5R-IV.2-DQ)."""
    permission = (record.rulebook.permissions or {}).get("disqualify")
    rule = UNWRITTEN if permission is None else permission.rule
    return Place(player, None, None, rule, sentence("disqualified"), decided=True)


def _staying(record: Record, staying: Sequence[int], just_out: int) -> list[Place]:
    """Return the places of players who are not eliminated. `just_out` is how many players the round in progress
    has eliminated so far.
    """
    rule = _placing_rule(record)
    if len(staying) == 1:
        return [Place(staying[0], 1, 1, rule, sentence("undefeated in the elimination stage"), decided=True)]
    last, why = len(staying) + just_out, sentence("still in the elimination stage")
    return [Place(player, 1, last, rule, why, decided=False) for player in staying]


def _eliminated_together(
    record: Record, course: _Course, group: list[int], above: Sequence[Place]
) -> Iterator[Place]:
    first = len(above) + 1 + _vacant(record, course)
    if course.playoff is not None and set(group) <= set(course.playoff):
        rule = record.rulebook.elimination.rule("playoff" if record.cut is not None else "playoff_from_start")
        words = (
            sentence("won the match for 3rd and 4th place"),
            sentence("lost the match for 3rd and 4th place"),
        )
        listed = [pair for pair in zip(course.playoff, words, strict=True) if pair[0] in group]
        for place, (player, why) in enumerate(listed, first):
            yield Place(player, place, place, rule, why, decided=True)
        return
    number = course.exits[group[0]].round
    if number in (course.open_round, course.playoff_to_come):
        best = min(first, course.exits[group[0]].games + 1)
        for player in group:
            text = _out(record, course.exits[player])
            yield Place(player, best, first + len(group) - 1, _placing_rule(record), text, decided=False)
        return
    undecided = {place.player for place in above if not place.decided}
    key, told = _order_inside(record, course, above)
    for _, level in groupby(sorted(group, key=key), key=key):
        together = list(level)
        last = first + len(together) - 1
        for player in together:
            text = told(player, _out(record, course.exits[player]))
            hangs_on_victor = _is_by_victor(record) and course.exits[player].by in undecided
            yield Place(player, first, last, _placing_rule(record), text, decided=not hangs_on_victor)
        first = last + 1


def _order_inside(
    record: Record, course: _Course, above: Sequence[Place]
) -> tuple[Callable[[int], int], Callable[[int, Sentence], Sentence]]:
    """Return two functions about players eliminated in the same round: their sort key, and the sentence about a
    player's elimination, with the reason for the order.
    """

    def silent(_: int, out: Sentence) -> Sentence:
        return out

    rulebook = record.rulebook
    if record.cut is not None:
        if rulebook.readings.elimination_placing == "shared":
            return (lambda _: 0), silent
        seeds = {player: seed for seed, player in enumerate(course.players, 1)}
        return seeds.__getitem__, lambda player, out: sentence(
            "seed %(seed)s, %(out)s", seed=seeds[player], out=out
        )
    if not _is_by_victor(record):
        return (lambda _: 0), silent
    rank = {place.player: place.first or 0 for place in above}
    last = len(rank) + 1

    def of_victor(player: int) -> int:
        victor = course.exits[player].by
        return last if victor is None else rank.get(victor, last)

    def words(player: int, out: Sentence) -> Sentence:
        rank_of = of_victor(player)
        return sentence("%(out)s, who came %(rank)s", out=out, rank=rank_of) if rank_of < last else out

    return of_victor, words


def _is_by_victor(record: Record) -> bool:
    return record.cut is None and record.rulebook.elimination.placing_from_start == "by-victor"


def _out(record: Record, left: _Exit) -> Sentence:
    if not left.round:
        return LEFT_EARLY
    if left.games == 1 and left.by is not None and record.status(left.by) == "disqualified":
        winner = record.players[left.by].name
        return sentence("champion after the disqualification of %(name)s", name=winner)
    by = "" if left.by is None else sentence(" to %(name)s", name=record.players[left.by].name)
    return joined((out_of(left.games), by), "")


def out_of(games: int) -> Sentence:
    """Say that a player is out, in an elimination round with a number of games."""
    named = {
        1: sentence("out in the final"),
        2: sentence("out in the semifinals"),
        4: sentence("out in the quarterfinals"),
    }
    return named.get(games, sentence("out in the round of %(number)s", number=2 * games))


def _placing_rule(record: Record) -> str:
    return record.rulebook.elimination.rule("placing" if record.cut is not None else "placing_from_start")


# -- all others


def _other_places(
    record: Record, division: str | None, stayed: set[int], placed: int, has_elimination: bool
) -> Iterator[Place]:
    """Yield the places of all players outside the elimination stage, in the order of the Swiss standings at the
    cut (PKM-3.3.6-FREEZE). The first of these places is `placed` + 1, below the places of the elimination stage.
    A disqualified player leaves no gap in the places (L5R-IV.2-DQ). In an event without Swiss rounds, the players
    who left before the first game share the last place.
    """
    through = record.cut.round if record.cut is not None else record.finished_rounds
    table = standings(record, through) if division is None else division_table(record, division, through).table
    inside = None if division is None else members(record, division)
    rule = record.rulebook.elimination.rule("others" if has_elimination else "swiss_only")
    first, over = placed + 1, swiss_is_over(record, division)
    unit, rank = record.rulebook.unit, 1
    if has_elimination and not record.rounds():
        gone = [player for group in table.groups for player in group if player not in stayed]
        for player in gone:
            yield Place(player, first, placed + len(gone), _placing_rule(record), LEFT_EARLY, decided=True)
        return
    for group in table.groups:
        listed = [player for player in group if inside is None or player in inside]
        level = [player for player in listed if player not in stayed]
        last = first + len(level) - 1
        for player in level:
            points = table.table.points[player]
            why = sentence(
                "place %(rank)s of the Swiss rounds, %(points)s %(unit)s",
                rank=rank,
                points=points_text(points, unit),
                unit=unit_of(points, unit),
            )
            yield Place(player, first, last, rule, why, decided=over and len(level) == 1)
        first = last + 1
        rank += len(listed)
    for player in table.unranked:
        if player not in stayed and (inside is None or player in inside):
            yield _disqualified(record, player)
