"""Cobra and NRTM: the JSON export of Netrunner's tournament software, under the rulebook `netrunner-2023`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import Stage
from matchledger.formats.attendance import (
    Attendance,
    players_of,
    refuse_player_twice,
    swiss_order,
    unique_names,
    with_rematches,
    with_tables,
)
from matchledger.formats.cobra_file import CobraFile, Export, Match, Side, parse_export
from matchledger.formats.json_values import parse_json
from matchledger.formats.text import FormatError, listed, problem_with_name
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

# Some programs write this number instead of null as the opponent of a bye.
_NOBODY = "0"


def read_cobra(data: bytes) -> Transcript:
    """Read the tournament of a Cobra or NRTM export. Raises FormatError with the path in the JSON."""
    file = parse_export(CobraFile, parse_json(data))
    return NetrunnerEvent(file, file.rounds).transcript()


class _Place(Struct, frozen=True):
    """A match and its path in the file."""

    match: Match
    path: str


class NetrunnerEvent:
    """Reads one file into a transcript. `notes` gets a line for each adjustment while the file is read. The class
    attributes describe Cobra's files.
    """

    format = "cobra"
    rulebook = "netrunner-2023"
    decimals: int | None = None  # the number of decimals that the program prints. None keeps all decimals
    readings: tuple[dict[str, str], ...] = ()
    ids = ("player1.id", "player2.id")  # the keys that name the players of a match
    ranks_may_be_final = True  # whether a file of this program may rank players by its final places

    def __init__(self, file: Export, rounds: Sequence[Sequence[Match]]) -> None:
        self._file = file
        self._found = rounds
        self._notes: list[str] = []
        self._names = self._name_players()

    def transcript(self) -> Transcript:
        swiss = with_rematches(self._rounds("swiss"), self._notes)
        elimination = self._without_losers_who_play_on(self._rounds("elimination"))
        swiss = self._with_first_round_byes(swiss)
        seeds = self._seeds(elimination)
        steps: list[Step] = list(self._attendance(swiss, seeds).steps(self._notes))
        if seeds:
            steps.append(Cut(None, len(seeds), seeds))
        steps += elimination
        if self._is_over(swiss, elimination):
            steps.append(Close(None))
        official = self._official(seeds)
        return Transcript(
            self.format,
            self.rulebook,
            self._file.name,
            tuple(steps),
            notes=tuple(self._notes),
            official=official,
            readings=self.readings,
        )

    # -- players

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

    def _player(self, side: Side | None, path: str) -> str | None:
        """Return the name of the player on this side. Return None for an empty side: the other player has a bye."""
        if side is None or side.id is None or (side.id == _NOBODY and side.id not in self._names):
            return None
        if side.id not in self._names:
            raise FormatError(f"{path}: no player has the id {side.id[:40]!r}")
        return self._names[side.id]

    def _attendance(self, swiss: tuple[PlayRound, ...], seeds: tuple[str, ...]) -> Attendance:
        last = {name: round_.number for round_ in swiss for name in players_of(round_)}
        left = {self._names[player.id] for player in self._file.players if player.forfeit}
        return Attendance(
            [Entrant(name) for name in self._names.values()],
            swiss,
            left_after={name: last.get(name, 0) for name in left.difference(seeds)},
            staying=frozenset(seeds),
        )

    # -- rounds

    def _rounds(self, stage: Stage) -> tuple[PlayRound, ...]:
        rounds: list[PlayRound] = []
        for index, matches in enumerate(self._found):
            places = [_Place(match, f"rounds[{index}][{number}]") for number, match in enumerate(matches)]
            chosen = [place for place in places if place.match.is_elimination == (stage == "elimination")]
            if chosen:
                if len(chosen) < len(places) and stage == "elimination":
                    self._notes.append(f"rounds[{index}]: Swiss and elimination matches, read as two rounds")
                rounds.append(self._round(stage, len(rounds) + 1, chosen, f"rounds[{index}]"))
            elif not places and stage == "swiss":
                self._notes.append(f"rounds[{index}]: no matches, left out")
        return tuple(rounds)

    def _round(self, stage: Stage, number: int, places: list[_Place], path: str) -> PlayRound:
        found = [pairing for place in places for pairing in self._pairing(stage, place)]
        games = [pairing for pairing in found if isinstance(pairing, Game)]
        byes = [pairing for pairing in found if isinstance(pairing, ByeLine)]
        round_ = PlayRound(None, stage, number, with_tables(games, path, self._notes), tuple(byes))
        refuse_player_twice(round_, path)
        return round_

    def _pairing(self, stage: Stage, place: _Place) -> Iterator[Game | ByeLine]:
        match, path = place.match, place.path
        first, second = (
            self._player(side, f"{path}.{key}")
            for side, key in zip((match.player1, match.player2), self.ids, strict=True)
        )
        if first is None and second is None:
            self._notes.append(f"{path}: nobody sits at this table, left out")
        elif first is None or second is None:
            side = match.player1 if second is None else match.player2
            points = side.score if side is not None and stage == "swiss" else None
            yield ByeLine(None, first or second or "", points)
        else:
            yield self._game(stage, place, first, second)

    def _game(self, stage: Stage, place: _Place, first: str, second: str) -> Game:
        match, path = place.match, place.path
        for flag, said in (("an intentional draw", match.intentional_draw), ("a 2-for-1", match.two_for_one)):
            if said:
                self._notes.append(f"{path}: {first} - {second} was {flag}")
        outcome = self._decided(match, path, first, second) if stage == "elimination" else None
        if outcome is None:
            outcome = self._scored(match, path, first, second)
        return Game(None, first, second, outcome, match.table)

    def _decided(self, match: Match, path: str, first: str, second: str) -> Outcome | None:
        won = [side is not None and side.winner is True for side in (match.player1, match.player2)]
        if all(won):
            raise FormatError(f"{path}: {first} and {second} have both won; one winner can be true")
        if any(won):
            return Outcome("win", first if won[0] else second)
        lost = [side is not None and side.winner is False for side in (match.player1, match.player2)]
        return Outcome("double-loss") if all(lost) else None

    def _scored(self, match: Match, path: str, first: str, second: str) -> Outcome | None:
        """Return the outcome by the points as written. Return None for a match that was not reported. If only one
        side has points, the other side's points are read as 0.
        """
        for name, side in (("player1", match.player1), ("player2", match.player2)):
            if side is not None and (problem := side.contradiction):
                raise FormatError(f"{path}.{name}: {problem}; correct the one that is wrong")
        written = [None if side is None else side.score for side in (match.player1, match.player2)]
        if written == [None, None]:
            return None
        if None in written:
            missing = first if written[0] is None else second
            self._notes.append(f"{path}: {missing} has no points, read as 0")
        mine, theirs = written[0] or 0, written[1] or 0
        if min(mine, theirs) < 0:
            self._notes.append(f"{path}: {first} - {second} has negative points, kept as written")
        winner = None if mine == theirs else first if mine > theirs else second
        return self.outcome((mine, theirs), winner, f"{path}: {first} - {second}")

    def outcome(self, scores: tuple[int, int], winner: str | None, match: str) -> Outcome:  # noqa: ARG002 - notes of others
        """Return the slip for the points that the two players scored in a `match`."""
        return Outcome("score", winner, scores, as_found=min(scores) < 0)

    def _with_first_round_byes(self, swiss: tuple[PlayRound, ...]) -> tuple[PlayRound, ...]:
        """Add first-round byes. NRTM marks an awarded first-round bye only in the player's data, and writes no
        match.
        """
        if not swiss:
            return swiss
        first, seated = swiss[0], set(players_of(swiss[0]))
        granted = [self._names[player.id] for player in self._file.players if player.super_bye]
        byes = tuple(ByeLine(None, name) for name in granted if name not in seated)
        self._notes.extend(f"{bye.player}: superBye and no match in round 1, so a bye" for bye in byes)
        return (PlayRound(None, "swiss", 1, first.games, first.byes + byes), *swiss[1:])

    # -- elimination

    def _without_losers_who_play_on(self, rounds: tuple[PlayRound, ...]) -> tuple[PlayRound, ...]:
        """Keep a match without a winner as a double loss, unless one of its players is in a later round."""
        kept: list[PlayRound] = []
        later: set[str] = set()
        for round_ in reversed(rounds):
            games = []
            for game in round_.games:
                lost = game.outcome is not None and game.outcome.winner is None
                if lost and not later.isdisjoint((game.first, game.second)):
                    title = f"elimination round {round_.number}"
                    self._notes.append(f"{title}: {game.first} - {game.second} has no winner, so no result")
                    games.append(replace(game, outcome=None))
                else:
                    games.append(game)
            later.update(players_of(round_))
            kept.append(replace(round_, games=tuple(games)))
        return tuple(reversed(kept))

    def _seeds(self, elimination: tuple[PlayRound, ...]) -> tuple[str, ...]:
        """Return the qualifiers, best seed first: in the file's order of seeds, or else in the order of the first
        tables.
        """
        seeded: dict[str, int] = {}
        for index, player in enumerate(self._file.elimination_players):
            path = f"eliminationPlayers[{index}]"
            if player.id is None:
                self._notes.append(f"{path}: a place that is not decided yet, left out")
                continue
            if player.id not in self._names:
                raise FormatError(f"{path}.id: no player has the id {player.id[:40]!r}")
            name = self._names[player.id]
            if name in seeded:
                raise FormatError(f"{path}.id: {name} is listed twice")
            seeded[name] = player.seed or len(self._file.elimination_players) + index
        playing = dict.fromkeys(name for round_ in elimination for name in players_of(round_))
        if unlisted := [name for name in playing if name not in seeded]:
            self._notes.append(f"no seeds for {listed(unlisted)}: taken in the order of the first tables")
        seeds = [*sorted(seeded, key=seeded.__getitem__), *unlisted]
        if self._file.cut_to_top and not seeds:
            self._notes.append(f"cutToTop is {self._file.cut_to_top}, but no player who went on is named")
        return tuple(seeds) if len(seeds) > 1 else ()

    def _is_over(self, swiss: tuple[PlayRound, ...], elimination: tuple[PlayRound, ...]) -> bool:
        """Return whether the event is over in the file: the announced rounds were played, and the last round is
        reported.
        """
        played = swiss + elimination
        if not played or any(game.outcome is None for game in played[-1].games):
            return False
        if len(swiss) < (self._file.preliminary_rounds or 0):
            return False
        if not elimination:
            return not self._file.cut_to_top and not self._file.elimination_players
        return all(None not in (player.id, player.rank) for player in self._file.elimination_players)

    # -- official numbers

    def _official(self, seeds: tuple[str, ...]) -> OfficialNumbers | None:
        values = {self._names[player.id]: player.numbers for player in self._file.players if player.numbers}
        ranked = sorted(
            (player.rank, self._names[player.id]) for player in self._file.players if player.rank is not None
        )
        order = tuple(name for _, name in ranked)
        ranks = {name: rank for rank, name in ranked}
        by_seed = swiss_order(order, self._official_seeds(seeds, order))
        if by_seed != order and self._ranks_are_final(order):
            self._notes.append("the ranks include the elimination stage: its players are listed by seed")
            order, ranks = by_seed, {}
        if not values and not order:
            return None
        unranked = tuple(self._names[player.id] for player in self._file.players if player.rank is None)
        return OfficialNumbers(values, {"": order} if order else {}, ranks, unranked, self.decimals)

    def _ranks_are_final(self, order: Sequence[str]) -> bool:
        """Return whether the players in the cut are ranked by their final places. Then the ranks follow the places
        in the file's list of the cut.
        """
        ended = {
            self._names[player.id]: player.rank
            for player in self._file.elimination_players
            if player.id is not None
        }
        places = [place for name in order if (place := ended.get(name)) is not None]
        return self.ranks_may_be_final and places == sorted(places)

    def _official_seeds(self, seeds: tuple[str, ...], places: Iterable[str]) -> tuple[str, ...]:
        """Return the seeds that the file itself has. Seeds that were inferred from tables are left out, because the
        inferred order says nothing about places.
        """
        known = {player.id for player in self._file.elimination_players if player.seed is not None}
        seeded = {self._names[player] for player in known if player is not None} & set(places)
        return tuple(name for name in seeds if name in seeded)
