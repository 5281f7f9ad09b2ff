"""Tournament cache: the community's JSON with results from melee.gg and others, under `magic-melee`.

A match has three numbers from the first player's side: games won, lost and drawn. The file lists a drawn match
twice, once from each player's side. Rounds named "Round N" are Swiss. Rounds with any other name belong to the
elimination stage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from matchledger.events import Games, Stage
from matchledger.formats.attendance import Attendance, players_of, refuse_player_twice, with_rematches, with_tables
from matchledger.formats.json_values import checked, parse_json
from matchledger.formats.text import FormatError, problem_with_name
from matchledger.formats.tournament_cache_file import CacheFile, Match, Round, Standing
from matchledger.formats.transcript import (
    ByeLine,
    Cut,
    Entrant,
    Game,
    OfficialNumbers,
    Outcome,
    PlayRound,
    Step,
    Transcript,
)
from matchledger_projections.record.roster import known_as

_MOST_DECIMALS = 6
NOISE = Fraction(1, 10**6)
_NO_RESULT = {"", "-"}
# Texts that stand for the opponent of a bye, in small letters.
_NOBODY = {"", "-", "\N{EN DASH}", "\N{EM DASH}", "bye", "(bye)"}
# The names of rounds, in small letters, without blanks and hyphens.
_SWISS = re.compile(r"(?:day[0-9]{1,2}[:,.]?)?(?:swiss)?(?:round|runde|r)0*([0-9]{1,4})(?:swiss|\(swiss\))?")
_TOP = re.compile(r"top([0-9]{1,4})")
_SIZES = {
    f"{name}{plural}": size
    for name, size in (("quarterfinal", 8), ("semifinal", 4), ("final", 2), ("grandfinal", 2))
    for plural in ("", "s")
}
_RESULT = re.compile(r"([0-9]{1,2})\s*-\s*([0-9]{1,2})(?:\s*-\s*([0-9]{1,2}))?")


class _Part(Struct, frozen=True):
    """A round in the file's list, with its index."""

    index: int
    round: Round


def read_tournament_cache(data: bytes) -> Transcript:
    """Return the tournament in a cache file. Raises FormatError with the path in the JSON."""
    return _Event(checked(CacheFile, parse_json(data))).transcript()


class _Event:
    """Reads one file into a transcript. `notes` grows while the file is read."""

    def __init__(self, file: CacheFile) -> None:
        self._file = file
        self._notes: list[str] = []
        self._nobody = _NOBODY - {
            _name(line.player).casefold() for line in file.standings if line.player.strip("- ")
        }
        self._spelled = _spellings(file, self._nobody, self._notes)
        self._lines = self._standings()

    def transcript(self) -> Transcript:
        swiss = with_rematches(tuple(self._rounds("swiss")), self._notes)
        elimination = tuple(self._rounds("elimination"))
        if elimination and not swiss:
            raise FormatError("Rounds: no Swiss round (Round N); a cut needs the Swiss rounds before it")
        seeds = self._seeds(elimination)
        attendance = Attendance(
            [Entrant(name) for name in self._names(swiss + elimination)], swiss, staying=frozenset(seeds)
        )
        steps: list[Step] = list(attendance.steps(self._notes))
        if elimination:
            steps += [Cut(None, len(seeds), seeds), *elimination]
        return Transcript(
            "melee",
            "magic-melee",
            self._file.tournament.name,
            tuple(steps),
            notes=tuple(self._notes),
            official=self._official(frozenset(seeds)),
            readings=({}, {"POL-MELEE-OWN-GW": "bare"}),
        )

    def _standings(self) -> dict[str, Standing]:
        """Return the line of each player. If the file lists a player twice, both lines must be equal."""
        lines: dict[str, Standing] = {}
        for index, line in enumerate(self._file.standings):
            name = self._name(line.player)
            if not name:
                raise FormatError(f"Standings[{index}].Player: a name belongs here")
            if name in lines:
                if lines[name].line != line.line:
                    raise FormatError(
                        f"Standings[{index}]: {name} is listed twice, with other numbers; correct the wrong line"
                    )
                self._notes.append(f"Standings[{index}]: {name} is listed twice, counted once")
            lines.setdefault(name, line)
        return lines

    def _name(self, text: str) -> str:
        """Return the player's name, or "" for the opponent of a bye."""
        plain = _name(text)
        return "" if plain.casefold() in self._nobody else self._spelled.get(plain, plain)

    def _names(self, rounds: tuple[PlayRound, ...]) -> list[str]:
        """Return all players in the order of their first mention in the file. Each name is checked once."""
        listed = [name for round_ in rounds for name in players_of(round_)]
        names = dict.fromkeys([*listed, *self._lines])
        if not names:
            raise FormatError("neither Rounds nor Standings name a player")
        for name in names:
            if problem := problem_with_name(name):
                raise FormatError(f"{name[:40]!r}: {problem}")
        return list(names)

    def _rounds(self, stage: Stage) -> Iterator[PlayRound]:
        number = 0
        for name, parts in self._named(stage):
            listed: dict[frozenset[str], tuple[str, Outcome | None]] = {}
            found = [pairing for part in parts for pairing in self._pairings(part, stage, listed)]
            if not found:
                self._notes.append(f"{name}: no matches, left out")
                continue
            number += 1
            if stage == "swiss" and number != _turn(name):
                self._notes.append(f"{name} is read as round {number}: the file lacks a round before it")
            path = f"Rounds[{parts[0].index}].Matches"
            games = with_tables([one for one in found if isinstance(one, Game)], path, self._notes)
            played = PlayRound(None, stage, number, games, tuple(one for one in found if isinstance(one, ByeLine)))
            refuse_player_twice(played, path)
            yield played

    def _named(self, stage: Stage) -> Iterator[tuple[str, list[_Part]]]:
        """Yield the rounds of a stage by name, in order of play. Parts with the same name are one round."""
        named: dict[tuple[int, str], list[_Part]] = {}
        for index, round_ in enumerate(self._file.rounds):
            name = _plain(round_.round_name)
            if bool(_SWISS.fullmatch(name)) != (stage == "swiss"):
                continue
            turn = _turn(round_.round_name)
            if stage == "elimination" and not turn:
                shown = repr(round_.round_name[:40])
                self._notes.append(f"Rounds[{index}]: {shown} is no Swiss round (Round N), so one of the cut")
            named.setdefault((turn, name if stage == "elimination" else ""), []).append(_Part(index, round_))
        for key in sorted(named, key=lambda key: key[0]):
            parts = named[key]
            name = " ".join(parts[0].round.round_name.split())
            if len(parts) > 1:
                self._notes.append(f"{name} is listed {len(parts)} times, read as one round")
            yield name, parts

    def _pairings(
        self, part: _Part, stage: Stage, listed: dict[frozenset[str], tuple[str, Outcome | None]]
    ) -> Iterator[Game | ByeLine]:
        """Yield the matches in a part of a round. `listed` has the round's earlier matches, with their places in
        the file.
        """
        for index, match in enumerate(part.round.matches):
            path = f"Rounds[{part.index}].Matches[{index}]"
            first, second = self._name(match.player1), self._name(match.player2)
            if not first or not second:
                player = first or second
                if player and frozenset((player,)) not in listed:
                    listed[frozenset((player,))] = (path, None)
                    yield self._bye(match, player, path, turned=not first)
                continue
            if first == second:
                raise FormatError(f"{path}: {first} plays against {second}; correct one of the two names")
            outcome = self._outcome(match, first, second, path, stage)
            pair = frozenset((first, second))
            if pair not in listed:
                listed[pair] = (path, outcome)
                yield Game(None, first, second, outcome)
            elif not _agree(listed[pair][1], outcome):
                raise FormatError(
                    f"{path}: {first} - {second} has another result in {listed[pair][0]}; correct the wrong one"
                )

    def _bye(self, match: Match, player: str, path: str, *, turned: bool) -> ByeLine:
        """Return a bye. If the file gives the player a loss, the bye gives no points, and its games are lost."""
        games = _games(match.result)
        if games is None or games[turned] >= games[not turned]:
            return ByeLine(None, player)
        self._notes.append(
            f"{path}: {player} has a loss without an opponent, read as a round of 0 points and lost games"
        )
        return ByeLine(None, player, 0)

    def _outcome(self, match: Match, first: str, second: str, path: str, stage: Stage) -> Outcome | None:
        text = match.result.strip()
        if text in _NO_RESULT:
            return None
        games = _games(text)
        if games is None:
            raise FormatError(f"{path}.Result: games won, lost and drawn belong here, not {text[:40]!r}")
        won, lost, _ = games
        if won == lost and stage == "elimination":
            self._notes.append(f"{first} - {second}: {text} in the elimination stage, so no result")
            return None
        if won == lost:
            return Outcome("draw" if any(games) else "double-loss", games=games, as_found=True)
        return Outcome("win", first if won > lost else second, games=games, as_found=True)

    def _seeds(self, elimination: tuple[PlayRound, ...]) -> tuple[str, ...]:
        """Return the qualifiers in order of their official numbers, because the file has no seeds and may list
        final places.
        """
        playing = dict.fromkeys(name for round_ in elimination for name in players_of(round_))
        numbers = {name: [Fraction(text) for text in line.numbers.values()] for name, line in self._lines.items()}
        return tuple(sorted(playing, key=lambda name: numbers.get(name, []), reverse=True))

    def _official(self, seeds: frozenset[str]) -> OfficialNumbers | None:
        values = {name: line.numbers for name, line in self._lines.items() if line.numbers}
        ranked = sorted((line.rank, name) for name, line in self._lines.items() if line.rank is not None)
        order = tuple(name for _, name in ranked if name not in seeds)
        if not values and not order:
            return None
        decimals = max((line.decimals for line in self._lines.values()), default=0)
        return OfficialNumbers(
            values,
            {"": order} if order else {},
            {name: line.rank for name, line in self._lines.items() if line.rank is not None and name not in seeds},
            unranked=tuple(name for name, line in self._lines.items() if line.rank is None and name not in seeds),
            decimals=min(_MOST_DECIMALS, decimals),
            may_be_cut_off=decimals <= _MOST_DECIMALS,
            noise=NOISE,
            may_lack_matches=True,
        )


def _turn(name: str) -> int:
    """Return a number that orders the rounds of a stage, from the round's number or the number of remaining
    players. Return 0 if the name is unknown.
    """
    plain = _plain(name)
    if (swiss := _SWISS.fullmatch(plain)) is not None:
        return int(swiss[1])
    top = _TOP.fullmatch(plain)
    return -(int(top[1]) if top is not None else _SIZES.get(plain, 0))


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()


def _games(text: str) -> Games | None:
    """Return the numbers of games won, lost and drawn in a text such as 2-1-0. Return None for a text without
    this form.
    """
    found = _RESULT.fullmatch(text.strip())
    if found is None:
        return None
    won, lost, drawn = (int(part or 0) for part in found.groups())
    return won, lost, drawn


def _agree(first: Outcome | None, again: Outcome | None) -> bool:
    """Return whether two rows of one match agree. A row without a result agrees with any row."""
    if first is None or again is None:
        return True
    if first.games is None or again.games is None:
        return first == again
    return (
        first.winner == again.winner
        and sorted(first.games[:2]) == sorted(again.games[:2])
        and (first.games[2] == again.games[2])
    )


def _name(text: str) -> str:
    return " ".join(text.split())


def _spellings(file: CacheFile, nobody: set[str], notes: list[str]) -> dict[str, str]:
    """Return a name to use for each spelling that differs from an earlier name only in capitals.

    If both spellings appear in one round or in the standings, they are two players. Otherwise both spellings are
    one player, with the name in the first spelling.
    """
    lists = [
        [name for match in round_.matches for name in (match.player1, match.player2)] for round_ in file.rounds
    ]
    lists.append([line.player for line in file.standings])
    together = [{_name(text) for text in listed} for listed in lists]
    known: dict[str, list[str]] = {}
    for name in dict.fromkeys(_name(text) for listed in lists for text in listed):
        if name.casefold() not in nobody:
            known.setdefault(known_as(name), []).append(name)
    called: dict[str, str] = {}
    for first, *others in known.values():
        for count, name in enumerate(others, 2):
            if any({first, name} <= listed for listed in together):
                called[name] = f"{name} ({count})"
                notes.append(f"{first} and {name} are two players: {name} is read as {called[name]}")
            else:
                called[name] = first
                notes.append(f"{name} is read as {first}, the first spelling")
    return called
