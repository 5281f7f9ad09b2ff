"""Pokédata divisions: a third party's data about a large Pokémon event, with computed percentages.

Only the Swiss rounds of day one count in the percentages. If a player advanced to day two, the player's percentages
are outdated. Later rounds are read as an elimination stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, FailFast, Field, RootModel

from matchledger.events import Stage
from matchledger.formats.attendance import Attendance, players_of, refuse_player_twice, with_rematches, with_tables
from matchledger.formats.json_values import Part, Placed, Text, Whole, WrittenNumber, checked, items, parse_json
from matchledger.formats.text import FormatError, problem_with_name
from matchledger.formats.transcript import (
    ByeLine,
    Close,
    Cut,
    Entrant,
    Game,
    OfficialNumbers,
    Outcome,
    PlayRound,
    Step,
    Transcript,
)

UNPLACED = 9999


def _round_number(value: Any) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and 1 <= int(value[:4]) == int(value):
        return int(value)
    raise ValueError(f"a round number belongs here, not {str(value)[:20]!r}")


def _dropped_after(value: Any) -> int | None:
    """Return the round after which a player left. Return None if the player stayed (-1 or nothing in the file)."""
    if value in (None, -1):
        return None
    if isinstance(value, int) and 0 <= value < UNPLACED:
        return value
    raise ValueError("a round number or -1 belongs here")


class PlayedRound(Part):
    """One round from one player's side: the opponent (or BYE, or LATE), and the result if there is one."""

    name: Text
    result: Literal["W", "L", "T"] | None = None
    table: Placed = None


class Wins(Part):
    wins: Whole = 0
    losses: Whole = 0
    ties: Whole = 0


class Percentages(Part):
    """Win percentages of the player, of the opponents, and of the opponents' opponents, as shares of 1."""

    self: WrittenNumber = None
    opp: WrittenNumber = None
    oppopp: WrittenNumber = None


class PokedataPlayer(Part):
    name: Text
    placing: Whole = None
    record: Wins = Wins()
    resistances: Percentages = Percentages()
    drop: Annotated[int | None, BeforeValidator(_dropped_after)] = None
    rounds: dict[Annotated[int, BeforeValidator(_round_number)], PlayedRound] = Field(default={})


class PokedataFile(RootModel[Annotated[list[PokedataPlayer], FailFast(), BeforeValidator(items)]]):
    """A whole division."""


def parse_pokedata(found: Any) -> list[PokedataPlayer]:
    """Return the validated content of a division. Raises FormatError with a path such as [3].rounds.2.result."""
    if not isinstance(found, list) or not all(isinstance(player, dict) and "rounds" in player for player in found):
        raise FormatError("the JSON is not a Pokédata division: it is no list of players with their rounds")
    if not found:
        raise FormatError("the JSON is an empty list: it names no player")
    return checked(PokedataFile, found).root


_BYE, _LATE = "BYE", "LATE"
_STALE = {"0.25"}
# With these policies, the computed percentages equal the percentages in the files, given the files' own places.
_POLICIES = {"POL-TOM-MISSED": "floor", "POL-TOM-LATE": "behind"}


def read_pokedata(data: bytes) -> Transcript:
    """Return the tournament in a Pokédata division. Raises FormatError with the path in the JSON."""
    return _Division(parse_pokedata(parse_json(data))).transcript()


class _Division:
    """Reads one file into a transcript. `notes` gets a line for each adjustment."""

    def __init__(self, players: Sequence[PokedataPlayer]) -> None:
        self._players = _by_name(players)
        self._notes: list[str] = []
        self._swiss_rounds = max((_last_round(player) for player in players if not _is_stale(player)), default=0)

    def transcript(self) -> Transcript:
        last = max((_last_round(player) for player in self._players.values()), default=0)
        swiss = with_rematches(
            [self._round("swiss", number, number) for number in range(1, self._swiss_rounds + 1)], self._notes
        )
        later = [
            self._round("elimination", number, number - self._swiss_rounds)
            for number in range(self._swiss_rounds + 1, last + 1)
        ]
        went_on = tuple(dict.fromkeys(name for round_ in later for name in players_of(round_)))
        steps: list[Step] = list(self._attendance(swiss, went_on).steps(self._notes))
        if len(went_on) > 1:
            self._notes.append("the file gives no seeds: qualifiers are listed in the order of their tables")
            steps += [Cut(None, len(went_on), went_on), *later]
        steps.append(Close(None))
        return Transcript(
            "pokedata",
            "pokemon-tom",
            "",
            tuple(steps),
            policies=_POLICIES,
            notes=tuple(self._notes),
            official=self._official(),
        )

    def _attendance(self, swiss: tuple[PlayRound, ...], went_on: tuple[str, ...]) -> Attendance:
        charged = {
            name: frozenset(number for number, played in player.rounds.items() if played.name == _LATE)
            for name, player in self._players.items()
        }
        return Attendance(
            [Entrant(name) for name in self._players],
            swiss,
            left_after={name: player.drop for name, player in self._players.items() if player.drop is not None},
            losses={name: rounds for name, rounds in charged.items() if rounds},
            staying=frozenset(went_on),
        )

    # -- rounds

    def _round(self, stage: Stage, number: int, counted: int) -> PlayRound:
        title = f"round {number}"
        games = with_tables(list(self._games(number)), title, self._notes)
        byes = tuple(
            ByeLine(None, name)
            for name, player in self._players.items()
            if number in player.rounds and player.rounds[number].name == _BYE
        )
        round_ = PlayRound(None, stage, counted, tuple(sorted(games, key=lambda game: game.table or 0)), byes)
        refuse_player_twice(round_, title)
        return round_

    def _games(self, number: int) -> Iterator[Game]:
        seen: set[str] = set()
        for name, player in self._players.items():
            played = player.rounds.get(number)
            if played is None or played.name in (_BYE, _LATE) or name in seen:
                continue
            other = self._players.get(played.name)
            if other is None:
                raise FormatError(f"{name}, round {number}: there is no player {played.name[:40]!r}")
            answer = other.rounds.get(number)
            if answer is None or answer.name != name:
                raise FormatError(f"{name}, round {number}: met {played.name}, who met somebody else")
            seen |= {name, played.name}
            outcome = _outcome(name, played, answer, number)
            if outcome is None and number in (player.drop, other.drop):
                # The percentages in the file prove that the program TOM counted this match.
                outcome = Outcome("double-loss")
                self._notes.append(
                    f"round {number}: {name} - {played.name} has no result and both left: a double loss"
                )
            yield Game(None, name, played.name, outcome, played.table)

    # -- official numbers

    def _official(self) -> OfficialNumbers | None:
        counted = {name: player for name, player in self._players.items() if not _is_stale(player)}
        values = {name: _numbers(player) for name, player in counted.items()}
        placed = sorted(
            (player.placing, name)
            for name, player in counted.items()
            if player.placing is not None and player.placing < UNPLACED
        )
        if not values:
            return None
        return OfficialNumbers(values, {"": tuple(name for _, name in placed)} if placed else {})


def _by_name(players: Sequence[PokedataPlayer]) -> dict[str, PokedataPlayer]:
    named: dict[str, PokedataPlayer] = {}
    for index, player in enumerate(players):
        if problem := problem_with_name(player.name):
            raise FormatError(f"[{index}].name: {problem}")
        if player.name in named or player.name in (_BYE, _LATE):
            raise FormatError(f"[{index}].name: {player.name!r} cannot be told apart from another")
        named[player.name] = player
    return named


def _last_round(player: PokedataPlayer) -> int:
    return max(player.rounds, default=0)


def _is_stale(player: PokedataPlayer) -> bool:
    """Return whether a player's percentages are outdated: after day two, all three have the lowest value."""
    found = {player.resistances.self, player.resistances.opp, player.resistances.oppopp}
    return found == _STALE


def _outcome(name: str, played: PlayedRound, answer: PlayedRound, number: int) -> Outcome | None:
    match played.result, answer.result:
        case "W", "L":
            return Outcome("win", name)
        case "L", "W":
            return Outcome("win", played.name)
        case "T", "T":
            return Outcome("draw")
        case "L", "L":
            return Outcome("double-loss")
        case None, None:
            return None
    raise FormatError(f"{name} and {played.name}, round {number}: their two results do not fit together")


def _numbers(player: PokedataPlayer) -> dict[str, str]:
    record = player.record
    found = {
        "points": str(3 * (record.wins or 0) + (record.ties or 0)),
        "opponents_win_percentage": player.resistances.opp,
        "opponents_opponents_win_percentage": player.resistances.oppopp,
    }
    return {name: text for name, text in found.items() if text is not None and Decimal(text).is_finite()}
