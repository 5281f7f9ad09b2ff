"""The bracket: the games of the elimination stage, from the first draw to the final.

After its first games are numbered, every document's bracket has the same form. In the next round the winner of
game 1 meets the winner of the game with the highest number. The game of these two winners is game 1 of the next
round, and so on (L5R-IV.2c-RENUM). First games numbered by seeds give the standard bracket of PKM-3.2-SEED and
ASH-CUT. The documents differ in how the first games are filled, and in what happens when a player leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import BracketDrawn, CutMade, Games, RoundPaired, Stage
from matchledger_projections.document import As, Keys, Names, name_of
from matchledger_projections.message import sentence
from matchledger_projections.record.desk_calls import contested_tables
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.sections import UNWRITTEN

SEMIFINALS = 2  # the number of games in the semifinals
NOBODY = 0  # an empty side of a game, and the winner of a game without players
Side = int | None
Outcome = Literal["to come", "open", "played", "bye", "nobody"]


def _name(side: Side, names: Names) -> str | None:
    return name_of(side, names) if side else None


Sided = Annotated[
    tuple[Side, Side],
    Keys(
        {
            "players": As(
                lambda sides, names: [_name(side, names) for side in sides], tuple[str | None, str | None]
            ),
            "empty": As(lambda sides, _: [side == NOBODY for side in sides], tuple[bool, bool]),
        }
    ),
]


class Game(NamedTuple):
    """A match of the bracket.

    A side is None until its player is known. The winner is None until the match is decided. `games` counts the
    games on the slip: won by the first side, won by the second side, and drawn. `games` is None if the slip has no
    games. `table` is None for a bye and before the round is paired. In a document a player is null if nobody is
    known yet, or if the side stays empty (`empty`).
    """

    number: int
    sides: Sided
    winner: Annotated[Side, As(_name, str | None)]
    outcome: Outcome
    games: Games | None = None
    table: int | None = None

    @property
    def players(self) -> list[int]:
        return [side for side in self.sides if side]

    @property
    def losers(self) -> list[int]:
        """Return the players whom this game eliminated, or an empty list before the game is decided."""
        return [] if self.winner is None else [player for player in self.players if player != self.winner]


class GameAt(NamedTuple):
    """Where a game is played: the elimination round and the table."""

    round: int
    table: int


class Stray(Struct, frozen=True):
    """An elimination round that does not follow from the round before it.

    `strangers` are seated in the round but should not be. `missing` should be seated in the round but are not.
    `byes` counts the byes beyond those of the bracket.
    """

    round: int
    strangers: frozenset[int]
    missing: frozenset[int]
    byes: int


class Bracket(Struct, frozen=True):
    """The rounds of an elimination stage, each with its games in order of number.

    `playoff` is the match for 3rd and 4th place.

    `division` is the division of the bracket. For a common bracket, `division` is None.

    `stray` is the first round that does not follow from the round before it, or None. Later rounds decide nothing.
    """

    rounds: tuple[tuple[Game, ...], ...]
    playoff: Game | None
    division: str | None = None
    stray: Stray | None = None

    @property
    def champion(self) -> int | None:
        """Return the winner of the final, even if that player was disqualified later, or None.
        `placing.champions` says who won the event.
        """
        return None if self.stray is not None else self.rounds[-1][0].winner or None

    @property
    def is_over(self) -> bool:
        """Return whether the final is decided, with a winner or without one."""
        return self.stray is None and self.rounds[-1][0].winner is not None

    def upper(self, round_: int, number: int) -> tuple[int, int]:
        """Return the numbers of the two games in the round before whose winners meet in a game. Rounds count from
        1.
        """
        return number, len(self.rounds[round_ - 2]) + 1 - number

    def from_the_top(self) -> list[list[Game]]:
        """Return the games of each round, from the top of a sheet down. Games whose winners meet are neighbours."""
        return [[games[number - 1] for number in numbers_from_the_top(len(games))] for games in self.rounds]


def stage_now(record: Record) -> Stage:
    """Return the stage of the next round: "elimination" after a cut or in an event without Swiss rounds,
    otherwise "swiss".
    """
    begins_so = record.structure is not None and record.structure.style == "elimination"
    return "elimination" if begins_so or in_elimination(record) else "swiss"


def in_elimination(record: Record) -> bool:
    """Return whether the elimination stage has begun, by a cut, a bracket or a round of a bracket."""
    return record.cut is not None or record.bracket_drawn is not None or bool(record.rounds("elimination"))


def qualifiers(record: Record) -> tuple[int, ...]:
    """Return all qualifiers, division by division, best seed first. Before the cut the list is empty."""
    return tuple(player for cut in record.cuts for player in seeds_of_cut(record, cut))


def seeds_of_cut(record: Record, cut: CutMade) -> tuple[int, ...]:
    """Return the qualifiers of one cut, with replacements, best seed first (L5R-IV.2b-CUTDROP)."""
    seeds = list(cut.seeds)
    for replaced in record.replacements:
        if replaced.player in seeds:
            seeds.remove(replaced.player)
            seeds.append(replaced.by)
    return tuple(seeds)


def cut_of(record: Record, player: int) -> CutMade | None:
    """Return the cut that qualified a player. Return None for a player who did not qualify."""
    return next((cut for cut in record.cuts if player in seeds_of_cut(record, cut)), None)


def seeds_in(record: Record, division: str | None) -> tuple[int, ...]:
    """Return the qualifiers for the bracket of a division, or for the common bracket. Before the cut the list is
    empty.
    """
    cut = next((cut for cut in record.cuts if cut.division == division), None)
    return () if cut is None else seeds_of_cut(record, cut)


def seeded_games(order: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the first games of a bracket by seeds. The best seed plays the worst, and the top seeds get the
    byes.

    L5R-IV.2c-SEED, PKM-3.2-SEED, PKM-3.2-BYES, ASH-CUT: seed s meets seed B+1-s, where B is the next power of two.
    """
    size = max(2, 1 << (len(order) - 1).bit_length())
    return [
        (order[place], order[size - 1 - place]) if size - 1 - place < len(order) else (order[place],)
        for place in range(size // 2)
    ]


def numbers_from_the_top(games: int) -> list[int]:
    """Return the numbers of the games of a round, from the top of a sheet down. Games whose winners meet are
    neighbours.
    """
    numbers = [1]
    while len(numbers) < games:
        last = 2 * len(numbers) + 1
        numbers = [game for number in numbers for game in (number, last - number)]
    return numbers


def games_with_random_byes(order: Sequence[int]) -> list[tuple[int, ...]]:
    """Give byes to the first players of a random order, and pair the others in that order (L5R-IV.2c-STARTBYE)."""
    byes = max(2, 1 << (len(order) - 1).bit_length()) - len(order)
    paired = zip(order[byes::2], order[byes + 1 :: 2], strict=True)
    return [*((player,) for player in order[:byes]), *paired]


def bracket(record: Record) -> Bracket | None:
    """Return the first bracket, as drawn and played so far. Return None if no bracket was drawn."""
    return next(iter(brackets(record)), None)


def brackets(record: Record) -> list[Bracket]:
    """Return every bracket, in the order of the tables."""
    found: list[Bracket] = []
    for _, drawn in record.brackets_drawn:
        one = _bracket(record, drawn, found)
        found.append(replace(one, stray=_stray(record, one)) if record.is_live else one)
    return found


def brackets_ahead(record: Record) -> list[Bracket]:
    """Return the brackets that the seeds of a cut decide, from the cut until they are drawn. The list is empty if
    chance decides the first games.
    """
    if record.bracket_drawn is not None or record.rounds("elimination") or record.closing is not None:
        return []
    if record.rulebook.readings.cut_bracket != "seeded":
        return []
    found: list[Bracket] = []
    for cut in record.cuts:
        games = tuple(seeded_games(seeds_of_cut(record, cut)))
        drawn = BracketDrawn(method="cut-seeds", games=games, division=cut.division)
        found.append(_bracket(record, drawn, found))
    return found


def contested_games(record: Record, drawn: Bracket) -> list[GameAt]:
    """Return the games of a bracket whose recorded result is contested."""
    last = len(drawn.rounds)
    tables = {(number, game.table) for number, games in enumerate(drawn.rounds, 1) for game in games}
    tables |= {(last, drawn.playoff.table)} if drawn.playoff is not None else set()
    contested = (GameAt(round_, table) for stage, round_, table in contested_tables(record) if stage != "swiss")
    return [at for at in contested if at in tables]


def without_contested(record: Record, drawn: Bracket) -> Bracket:
    """Return a bracket in which each game with a contested result is open again, for all to see. The winner's next
    game stays.
    """
    contested = contested_games(record, drawn)

    def shown(number: int, game: Game) -> Game:
        if (number, game.table) not in contested:
            return game
        return game._replace(winner=None, outcome="open", games=None)

    rounds = tuple(tuple(shown(number, game) for game in games) for number, games in enumerate(drawn.rounds, 1))
    playoff = None if drawn.playoff is None else shown(len(rounds), drawn.playoff)
    return replace(drawn, rounds=rounds, playoff=playoff)


def _bracket(record: Record, drawn: BracketDrawn, before: Sequence[Bracket]) -> Bracket:
    """Return one bracket, whose games in every round have numbers after those of the brackets `before` it."""
    sides: list[tuple[Side, Side]] = [(game[0], game[1] if len(game) > 1 else NOBODY) for game in drawn.games]
    field = {player for game in drawn.games for player in game}
    alone = len(record.brackets_drawn) == 1
    rounds: list[tuple[Game, ...]] = []
    while True:
        number = len(rounds) + 1
        round_ = record.round(number, "elimination")
        final = len(sides) == 1
        third = _third_place(record, rounds, round_, alone=alone) if final else None
        expected = [*sides, *([third] if third is not None else [])]
        taken = sum(len(games_in(other, number)) for other in before)
        tables = {} if round_ is None else _tables(round_, expected, field, taken)
        games = [_game(game, two, round_, tables.get(game)) for game, two in enumerate(expected, 1)]
        rounds.append(tuple(games[: len(sides)]))
        if final:
            return Bracket(tuple(rounds), games[1] if third is not None else None, drawn.division)
        sides = next_sides(rounds[-1])


def _tables(
    round_: Round, expected: Sequence[tuple[Side, Side]], field: AbstractSet[int], taken: int
) -> dict[int, int]:
    """Return the table of each game by the game's number: the table where most of its players sit.

    After a correction a posted table can have players other than those `expected`. If several tables fit a game,
    it has the table with its own number, counted after the `taken` tables.
    """
    found: dict[int, int] = {}
    free = {table: {*two} for table, two in round_.tables.items() if field & {*two}}
    byes = {bye.player for bye in round_.byes}
    for game, two in enumerate(expected, 1):
        table = round_.table_of(two[0]) if two[0] else None
        if table in free and free[table] == {*two}:
            found[game] = table
            del free[table]
    ranked = sorted(
        (-len(players.intersection(two)), table != game + taken, game, table)
        for game, two in enumerate(expected, 1)
        if game not in found
        for table, players in free.items()
        if players.intersection(two) or not (NOBODY in two or byes.intersection(two))
    )
    for _, _, game, table in ranked:
        if game not in found and table in free:
            found[game] = table
            del free[table]
    return found


def games_in(found: Bracket, round_: int) -> tuple[Game, ...]:
    """Return the games in a round of a bracket. The match for 3rd and 4th place comes after the final. After the
    end of the bracket the list is empty.
    """
    if round_ > len(found.rounds):
        return ()
    final = round_ == len(found.rounds) and found.playoff is not None
    return (*found.rounds[round_ - 1], *([found.playoff] if final and found.playoff is not None else []))


def next_sides(games: Sequence[Game]) -> list[tuple[Side, Side]]:
    """Return the players of the next round after some games (L5R-IV.2c-RENUM)."""
    return [(games[place].winner, games[-1 - place].winner) for place in range(len(games) // 2)]


def _game(number: int, expected: tuple[Side, Side], round_: Round | None, table: int | None) -> Game:
    """Return a game with its posted players and result, or with the `expected` players if no table was posted."""
    if round_ is None:
        return Game(number, expected, None, "to come")
    if table is None:
        byes = {bye.player for bye in round_.byes}
        present = next((side for side in expected if side in byes), NOBODY)
        return Game(number, expected, present, "bye" if present else "nobody")
    players = round_.tables[table]
    report = round_.report(table, players)
    if report is None:
        return Game(number, players, None, "open", table=table)
    return Game(number, players, report.winner or NOBODY, "played", report.games, table)


def _third_place(
    record: Record, rounds: Sequence[Sequence[Game]], final: Round | None, *, alone: bool
) -> tuple[Side, Side] | None:
    """PKM-3.2-PLAYOFF, PKM-3.3.6.1-PLAYOFF: the match for 3rd and 4th place between the losers of the semifinals,
    if announced or played.
    """
    announced = record.structure is not None and record.structure.playoff
    played = alone and final is not None and len(final.tables) > 1
    if not rounds or not (announced or played):
        return None
    first, second = ([*game.losers, NOBODY][0] if game.winner is not None else None for game in rounds[-1])
    return first, second


def seated_of(record: Record, sides: tuple[Side, Side]) -> tuple[int, ...]:
    """Return the players whom a game of the bracket seats: two at a table, one with a bye, none in an empty game.

    A player who left gives the opponent a bye (L5R-IV.2c-DROP), or keeps the seat and loses (PKM-3.2-NODROP).
    """
    coming = tuple(side for side in sides if side)
    present = tuple(player for player in coming if record.status(player) == "active")
    if len(coming) == len(sides) and record.rulebook.elimination.leaving == "loss":
        return coming
    return present


def sides_due(record: Record, drawn: Bracket, number: int) -> list[tuple[Side, Side]]:
    """Return the sides that a bracket gives for a round, whatever was posted. After the end of the bracket the list
    is empty.
    """
    if number > len(drawn.rounds):
        return []
    if number == 1:
        first = next(fact for _, fact in record.brackets_drawn if fact.division == drawn.division)
        return [(game[0], game[1] if len(game) > 1 else NOBODY) for game in first.games]
    final = number == len(drawn.rounds)
    third = _third_place(record, drawn.rounds[: number - 1], None, alone=True) if final else None
    return [*next_sides(drawn.rounds[number - 2]), *([third] if third is not None else [])]


def follows_bracket(record: Record, fact: RoundPaired) -> bool:
    """Return whether an elimination round has all games and byes that the brackets give, and no others."""
    found = brackets(record) if fact.stage == "elimination" else []
    due = [seated_of(record, sides) for drawn in found for sides in sides_due(record, drawn, fact.round)]
    given = [seating.players for seating in fact.tables] + [(bye.player,) for bye in fact.byes]
    return any(due) and {frozenset(seats) for seats in due if seats} == {frozenset(seats) for seats in given}


def _stray(record: Record, drawn: Bracket) -> Stray | None:
    """Return the first round that has other players, or more byes, than follow from the round before, or None.

    The players of a round may meet in other games than the bracket gives, because a person gave a reason for
    those games.
    """
    field = {side for two in sides_due(record, drawn, 1) for side in two if side}
    for number, games in enumerate(drawn.rounds, 1):
        round_, sides = record.round(number, "elimination"), sides_due(record, drawn, number)
        if round_ is None or any(side is None for two in sides for side in two):
            return None
        final = sides[: len(games)]
        coming = {side for two in final for side in two if side}
        others = {player for game in drawn.rounds[number - 2] for player in game.losers} if number > 1 else set()
        third = {player for two in round_.tables.values() if {*two} <= others for player in two}
        active = {player for player in coming if record.status(player) == "active"}
        given = len(coming.intersection(bye.player for bye in round_.byes))
        free = sum(len([side for side in two if side in active]) < len(two) for two in final)
        stray = Stray(
            number,
            frozenset((round_.players & field) - coming - (third if len(games) == 1 else set())),
            frozenset(active - round_.players),
            max(given - free, 0),
        )
        if stray.strangers or stray.missing or stray.byes:
            return stray
    return None


def strays(record: Record) -> list[Stray]:
    """The elimination rounds that do not follow from the round before them: the first of each drawn bracket, or
    of a stage that is paired by hand.
    """
    drawn = brackets(record)
    found = [one.stray for one in drawn] if drawn else [stray_by_hand(record)]
    return [stray for stray in found if stray is not None]


def games_to_reseat(record: Record, round_: Round) -> list[tuple[int, ...]]:
    """Return the games that the drawn brackets give for the last round, and that nobody plays there."""
    seated = {frozenset(two) for two in round_.tables.values()} | {frozenset([bye.player]) for bye in round_.byes}
    due = [sides for drawn in brackets(record) if drawn.stray for sides in sides_due(record, drawn, round_.number)]
    games = [seats for sides in due if (seats := seated_of(record, sides)) and frozenset(seats) not in seated]
    strayed_here = all(stray.round == round_.number for stray in strays(record))
    return games if strayed_here and all(len(seats) > 1 for seats in games) else []


def losers_of(round_: Round) -> set[int]:
    """The players who lost at the tables of a round. If nobody won at a table, both players lost."""
    return {player for _, two, report in round_.results() if report for player in two if player != report.winner}


def stray_by_hand(record: Record) -> Stray | None:
    """In a stage without a drawn bracket, return the first round that does not follow from the round before:
    other players than the winners are in it, or more byes. Return None if no rule says that only winners advance.
    """
    if not record.is_live or record.rulebook.elimination.rule("advance") == UNWRITTEN:
        return None
    for before, after in pairwise(record.rounds("elimination")):
        if before.outstanding or len(before.tables) + len(before.byes) == 1:
            return None
        won = {report.winner for _, _, report in before.results() if report is not None and report.winner}
        won |= {bye.player for bye in before.byes}
        others = before.players - won
        final = len(won) <= 2  # noqa: PLR2004 - a final has two players
        third = {player for two in after.tables.values() if final and {*two} <= others for player in two}
        active = {player for player in won if record.status(player) == "active"}
        free = len(won) % 2 + len(won) - len(active)
        stray = Stray(
            after.number,
            frozenset(after.players - won - third),
            frozenset(active - after.players),
            max(len(won.intersection(bye.player for bye in after.byes)) - free, 0),
        )
        if stray.strangers or stray.missing or stray.byes:
            return stray
    return None


def round_name(drawn: Sequence[Bracket], number: int, player: int | None = None) -> str:
    """Return the name of an elimination round, such as "Final", or "Quarterfinals and Final" if it is a different
    round in two brackets. Three names are too many: the round is then "Elimination round 1".

    For a player, return the name of the round in the player's own bracket.
    """
    names: dict[str, int] = {}
    for one in drawn:
        games = one.rounds[number - 1] if number <= len(one.rounds) else ()
        if player is None or any(player in game.players for game in games):
            names |= {round_title(len(games)): len(games)} if games else {}
        elif one.playoff and number == len(one.rounds) and player in one.playoff.players:
            names = {sentence("For 3rd and 4th place"): 1}
    match sorted(names, key=names.__getitem__, reverse=True):
        case [only]:
            return only
        case [larger, smaller]:
            return sentence("%(larger)s and %(smaller)s", larger=larger, smaller=smaller)
    return sentence("Elimination round %(number)s", number=number)


def bracket_of(drawn: Sequence[Bracket], player: int) -> str:
    """Return the division of a player's bracket, or "" without a bracket of a division."""
    return next(
        (
            one.division
            for one in drawn
            if one.division and any(player in game.players for games in one.rounds for game in games)
        ),
        "",
    )


def widest_round_name(drawn: Sequence[Bracket], number: int) -> str:
    """Return the name of an elimination round in the bracket with the most games in it."""
    games = max((len(one.rounds[number - 1]) for one in drawn if number <= len(one.rounds)), default=0)
    return round_title(games) if games else round_name(drawn, number)


def round_title(games: int) -> str:
    """Return the name of a round with a number of games."""
    named = {1: sentence("Final"), 2: sentence("Semifinals"), 4: sentence("Quarterfinals")}
    return named.get(games, sentence("Round of %(number)s", number=2 * games))
