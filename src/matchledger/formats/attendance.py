"""Attendance: when each player was present. Attendance is inferred from rounds that list only tables and byes.

Exports of other software list the rounds, but not which players came or left. A player without a table or a bye in
a round was absent: not yet there, away, or gone. A missed round is not on the player's record, unless the file
charges a loss for the round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from matchledger.formats.text import FormatError
from matchledger.formats.transcript import (
    ArriveLate,
    Drop,
    Entrant,
    Game,
    PlayRound,
    Register,
    Rejoin,
    Step,
)
from matchledger_projections.record.roster import known_as

# The order of movements after a round: players leave before new players come. A new player who never gets a table
# leaves after that.
_LEAVES, _COMES, _LEAVES_AGAIN = range(3)


class Attendance(Struct, frozen=True):
    """Players in order of registration, the Swiss rounds that were played, and other data from the file.

    `left_after` is the round after which the file drops a player, and `losses` are charged rounds. `staying`
    players advanced to the elimination stage, so they cannot have left before.
    """

    entrants: Sequence[Entrant]
    rounds: Sequence[PlayRound]
    left_after: Mapping[str, int] = field(default_factory=dict)
    losses: Mapping[str, frozenset[int]] = field(default_factory=dict)
    staying: frozenset[str] = frozenset()

    def steps(self, notes: list[str]) -> tuple[Step, ...]:
        """Return all steps up to the end of the last Swiss round, in order. Each inferred step gets a line in
        `notes`.
        """
        after: dict[int, list[_Movement]] = {number: [] for number in range(len(self.rounds) + 1)}
        present = self._present()
        for entrant in self.entrants:
            for movement in self._movements(entrant, present[entrant.name], notes):
                after[movement.after_round].append(movement)
        steps: list[Step] = []
        for number, movements in after.items():
            if number:
                steps.append(self.rounds[number - 1])
            steps += [movement.step for movement in sorted(movements, key=lambda movement: movement.turn)]
        return tuple(steps)

    def _present(self) -> dict[str, list[int]]:
        present: dict[str, list[int]] = {entrant.name: [] for entrant in self.entrants}
        for round_ in self.rounds:
            for name in players_of(round_):
                present[name].append(round_.number)
        return present

    def _movements(self, entrant: Entrant, present: list[int], notes: list[str]) -> Iterator[_Movement]:
        name, charged = entrant.name, self.losses.get(entrant.name, frozenset())
        first = present[0] if present else max(charged, default=0) + 1
        if first == 1:
            yield _Movement(0, _COMES, Register(None, entrant))
        else:
            missed = tuple(number for number in range(1, first) if number in charged)
            yield _Movement(first - 1, _COMES, ArriveLate(None, entrant, first - 1, missed))
            when = f"first in round {first}" if present else "never at a table"
            notes.append(f"{name}: {when}, so a late arrival{_charged(missed)}")
        last = first - 1
        for number in present:
            if number - last > 1:
                missed = tuple(between for between in range(last + 1, number) if between in charged)
                yield _Movement(last, _LEAVES, Drop(None, name))
                yield _Movement(number - 1, _COMES, Rejoin(None, name, missed))
                notes.append(f"{name}: away after round {last}, back in round {number}{_charged(missed)}")
            last = number
        yield from self._leaving(name, last, charged, notes, has_played=bool(present))

    def _leaving(
        self, name: str, last: int, charged: frozenset[int], notes: list[str], *, has_played: bool
    ) -> Iterator[_Movement]:
        turn = _LEAVES if has_played else _LEAVES_AGAIN
        if missed := tuple(sorted(number for number in charged if number > last)):
            yield _Movement(last, turn, Drop(None, name))
            last, turn = missed[-1], _LEAVES_AGAIN
            yield _Movement(last, _COMES, Rejoin(None, name, missed))
            notes.append(f"{name}: after the last match{_charged(missed)}")
        end = len(self.rounds)
        said = self.left_after.get(name)
        if said is not None and min(said, end) != last:
            notes.append(f"{name}: left after round {said} by the file, but round {last} was the last one played")
        if last == end:
            if said is not None and said >= end:
                yield _Movement(last, turn, Drop(None, name))
        elif name in self.staying:
            notes.append(f"{name}: not in the Swiss rounds after round {last}, but in the cut, so not dropped")
        else:
            if said is None:
                when = f"in no round after round {last}, so dropped then" if last else "in no round, so never in"
                notes.append(f"{name}: {when}")
            yield _Movement(last, turn, Drop(None, name))


class _Movement(Struct, frozen=True):
    """A player who comes or leaves after a round. `turn` orders the movements after the same round."""

    after_round: int
    turn: int
    step: Step


def players_of(round_: PlayRound) -> Iterator[str]:
    """Yield the players with a table or a bye."""
    for game in round_.games:
        yield game.first
        yield game.second
    for bye in round_.byes:
        yield bye.player


def refuse_player_twice(round_: PlayRound, title: str) -> None:
    """Refuse a player who has two tables, or a table and a bye, in one round. Raises FormatError."""
    seen: set[str] = set()
    for name in players_of(round_):
        if name in seen:
            raise FormatError(f"{title}: {name} is in this round twice", round_.line)
        seen.add(name)


def with_tables(games: Sequence[Game], title: str, notes: list[str]) -> tuple[Game, ...]:
    """Return the games with table numbers. The file's table number is used if the number is unique."""
    taken: set[int] = set()
    homeless: list[int] = []
    numbered = list(games)
    for index, game in enumerate(numbered):
        if game.table is None or game.table < 1 or game.table in taken:
            homeless.append(index)
        else:
            taken.add(game.table)
    free = (number for number in range(1, len(numbered) + len(taken) + 1) if number not in taken)
    for index, table in zip(homeless, free, strict=False):
        old = numbered[index].table
        numbered[index] = replace(numbered[index], table=table)
        if old:
            who = f"{numbered[index].first} - {numbered[index].second}"
            notes.append(f"{title}: table {old} is taken, so {who} is table {table}")
    return tuple(numbered)


def with_rematches(rounds: Sequence[PlayRound], notes: list[str]) -> tuple[PlayRound, ...]:
    """Return the Swiss rounds. A second meeting of two players is marked as an allowed rematch, because the file
    has the meeting.
    """
    met: set[frozenset[str]] = set()
    marked = []
    for round_ in rounds:
        games = []
        for game in round_.games:
            pair = frozenset((game.first, game.second))
            if pair in met:
                notes.append(f"round {round_.number}: {game.first} and {game.second} had met before")
            games.append(replace(game, rematch=True) if pair in met else game)
            met.add(pair)
        marked.append(replace(round_, games=tuple(games)))
    return tuple(marked)


def swiss_order(places: Sequence[str], seeds: Sequence[str]) -> tuple[str, ...]:
    """Return `places` with the qualifiers reordered by seed. All other players keep their places."""
    placed, went_on = set(places), set(seeds)
    seeded = iter([name for name in seeds if name in placed])
    return tuple(next(seeded) if name in went_on else name for name in places)


def unique_names(names: Mapping[str, str], notes: list[str]) -> dict[str, str]:
    """Return a name for each player id. If several players share a name except for capitals, a number after the
    name tells the players apart.
    """
    unique: dict[str, str] = {}
    taken = {known_as(name) for name in names.values()}
    counts: dict[str, int] = {}
    for key, name in names.items():
        mine, count = name, counts.get(known_as(name), 0) + 1
        if count > 1:
            while known_as(mine := f"{name} ({count})") in taken:
                count += 1
            taken.add(known_as(mine))
            notes.append(f"{name}: another player has this name, so player {key} is {mine}")
        counts[known_as(name)] = count
        unique[key] = mine
    return unique


def _charged(losses: tuple[int, ...]) -> str:
    return f", charged with a loss for round {', '.join(map(str, losses))}" if losses else ""
