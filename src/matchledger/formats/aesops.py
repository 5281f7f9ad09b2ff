"""Aesop's Tables: the JSON export of single-sided Netrunner events, under the rulebook `netrunner-aesops`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import BeforeValidator, FailFast, Field

from matchledger.events import Stage
from matchledger.formats.attendance import (
    Attendance,
    refuse_player_twice,
    swiss_order,
    unique_names,
    with_rematches,
    with_tables,
)
from matchledger.formats.json_values import (
    Flag,
    Id,
    KnownId,
    Part,
    Placed,
    Text,
    Whole,
    WrittenNumber,
    checked,
    items,
    parse_json,
)
from matchledger.formats.problem import FormatError
from matchledger.formats.text import problem_with_name
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

BYE = "(BYE)"
DECIMALS = 3
# What the points of the two sides stand for; others are taken as they are written.
_KINDS = {(3, 0): "win", (1, 1): "draw", (0, 0): "double-loss"}


class Match(Part):
    """A table of a round; in the cut, who won and who lost."""

    table_number: Placed = None
    corp_player: Id = None
    runner_player: Id = None
    corp_score: Whole = None
    runner_score: Whole = None
    elimination_game: Flag = False
    winner: Id = Field(default=None, alias="winner_id")


class Player(Part):
    """A player with the numbers that Aesop's Tables computed; None where it wrote none."""

    id: KnownId
    name: Text = ""
    rank: Placed = None
    match_points: WrittenNumber = None
    strength_of_schedule: WrittenNumber = None
    extended_strength_of_schedule: WrittenNumber = None

    @property
    def numbers(self) -> dict[str, str]:
        found = {
            "points": self.match_points,
            "strength_of_schedule": self.strength_of_schedule,
            "extended_strength_of_schedule": self.extended_strength_of_schedule,
        }
        return {name: text for name, text in found.items() if text is not None}


class EliminationPlayer(Part):
    id: KnownId
    seed: Placed = None
    rank: Placed = None


class AesopsFile(Part):
    """The whole export."""

    name: Text = ""
    players: Annotated[list[Player], FailFast(), BeforeValidator(items)]
    rounds: Annotated[
        list[Annotated[list[Match], FailFast(), BeforeValidator(items)]], FailFast(), BeforeValidator(items)
    ]
    elimination_players: Annotated[list[EliminationPlayer], FailFast(), BeforeValidator(items)] = Field(
        default_factory=list
    )
    preliminary_rounds: Whole = None
    cut_to_top: Whole = None


def read_aesops(data: bytes) -> Transcript:
    """The tournament that an Aesop's Tables export tells. Raises FormatError with the path in the JSON."""
    return _Event(checked(AesopsFile, parse_json(data))).transcript()


class _Event:
    """One file on its way to a transcript; `notes` grows while it is read."""

    def __init__(self, file: AesopsFile) -> None:
        self._file = file
        self._notes: list[str] = []
        self._names = self._name_players()

    def transcript(self) -> Transcript:
        seeded = {player.seed or 10**6 + n: player for n, player in enumerate(self._file.elimination_players)}
        seeds = tuple(self._names[player.id] for _, player in sorted(seeded.items()) if player.id in self._names)
        swiss = with_rematches(tuple(self._rounds("swiss")), self._notes)
        elimination = tuple(self._rounds("elimination"))
        attendance = Attendance([Entrant(name) for name in self._names.values()], swiss, staying=frozenset(seeds))
        steps: list[Step] = list(attendance.steps(self._notes))
        if len(seeds) > 1:
            steps += [Cut(None, len(seeds), seeds), *elimination]
        played = swiss + elimination
        if played and self._is_over(swiss) and all(game.outcome is not None for game in played[-1].games):
            steps.append(Close(None))
        return Transcript(
            "aesops",
            "netrunner-aesops",
            self._file.name,
            tuple(steps),
            notes=tuple(self._notes),
            official=self._official(seeds),
            readings=({}, {"POL-AESOP-DIVISOR": "real-opponents"}),
        )

    def _name_players(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for index, player in enumerate(self._file.players):
            path = f"players[{index}]"
            if player.id in names:
                raise FormatError(f"{path}.id: {player.id} is the id of an earlier player too")
            name = " ".join(player.name.split())
            if not name:
                name = f"Player {player.id}"
                self._notes.append(f"{path}: no name, so {name}")
            elif problem := problem_with_name(name):
                raise FormatError(f"{path}.name: {problem}")
            names[player.id] = name
        return unique_names(names, self._notes)

    def _player(self, id_: str | None, path: str) -> str | None:
        """The player of an id; None for the absent opponent of a bye."""
        if id_ is None or id_ == BYE:
            return None
        if id_ not in self._names:
            raise FormatError(f"{path}: no player has the id {id_[:40]!r}")
        return self._names[id_]

    def _is_over(self, swiss: tuple[PlayRound, ...]) -> bool:
        """Whether the file shows the end: as many Swiss rounds as it announces, and a rank for each of the cut."""
        cut = self._file.elimination_players
        enough = len(swiss) >= (self._file.preliminary_rounds or 0)
        return enough and bool(cut) == bool(self._file.cut_to_top) and all(player.rank for player in cut)

    def _rounds(self, stage: Stage) -> Iterator[PlayRound]:
        number = 0
        for index, matches in enumerate(self._file.rounds):
            path = f"rounds[{index}]"
            elimination = stage == "elimination"
            chosen = [(match, n) for n, match in enumerate(matches) if match.elimination_game == elimination]
            if not chosen:
                continue
            number += 1
            found = [pairing for match, n in chosen for pairing in self._pairing(match, f"{path}[{n}]")]
            games = with_tables([one for one in found if isinstance(one, Game)], path, self._notes)
            byes = tuple(one for one in found if isinstance(one, ByeLine))
            round_ = PlayRound(None, stage, number, games, byes)
            refuse_player_twice(round_, path)
            yield round_

    def _pairing(self, match: Match, path: str) -> Iterator[Game | ByeLine]:
        corp = self._player(match.corp_player, f"{path}.corpPlayer")
        runner = self._player(match.runner_player, f"{path}.runnerPlayer")
        if corp is None and runner is None:
            self._notes.append(f"{path}: nobody sits at this table, left out")
        elif corp is None or runner is None:
            points = match.runner_score if corp is None else match.corp_score
            yield ByeLine(None, corp or runner or "", None if match.elimination_game else points)
        else:
            yield Game(None, corp, runner, self._outcome(match, corp, runner, path), match.table_number)

    def _outcome(self, match: Match, corp: str, runner: str, path: str) -> Outcome | None:
        if match.elimination_game:
            winner = self._player(match.winner, f"{path}.winner_id")
            return None if winner is None else Outcome("win", winner)
        if match.corp_score is None and match.runner_score is None:
            return None
        scores = (match.corp_score or 0, match.runner_score or 0)
        winner = None if scores[0] == scores[1] else corp if scores[0] > scores[1] else runner
        if (kind := _KINDS.get((max(scores), min(scores)))) is not None:
            return Outcome(kind, winner)
        return Outcome("score", winner, scores, as_found=True)

    def _official(self, seeds: tuple[str, ...]) -> OfficialNumbers | None:
        values = {self._names[player.id]: player.numbers for player in self._file.players if player.numbers}
        ranked = sorted((player.rank, self._names[player.id]) for player in self._file.players if player.rank)
        order = swiss_order([name for _, name in ranked], seeds)
        if not values and not order:
            return None
        return OfficialNumbers(values, {"": order} if order else {}, decimals=DECIMALS)
