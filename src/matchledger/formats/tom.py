"""TOM: `.tdf` files from the Pokémon tournament software, under the rulebook `pokemon-tom`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from matchledger.events import Stage
from matchledger.formats import tom_codes as codes
from matchledger.formats.attendance import (
    Attendance,
    players_of,
    refuse_player_twice,
    swiss_order,
    unique_names,
    with_rematches,
    with_tables,
)
from matchledger.formats.text import FormatError, listed
from matchledger.formats.tom_file import TomFile, TomMatch, TomRound, parse_tom
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


def read_tom(data: bytes) -> Transcript:
    """Return the tournament in a `.tdf` file. Raises FormatError with the line in the XML."""
    return _Event(parse_tom(data)).transcript()


class _Event:
    """Reads one file into a transcript. `notes` grows while the file is read."""

    def __init__(self, file: TomFile) -> None:
        self._file = file
        self._notes: list[str] = []
        self._names = self._name_players()
        self._losses: dict[str, set[int]] = defaultdict(set)

    def transcript(self) -> Transcript:
        swiss = with_rematches(self._rounds("swiss"), self._notes)
        elimination = self._rounds("elimination")
        seeds = self._seeds(elimination)
        steps: list[Step] = list(self._attendance(swiss, seeds).steps(self._notes))
        if seeds:
            steps.append(Cut(None, len(seeds), seeds))
        steps += elimination
        if self._is_over(swiss + elimination, cut_made=bool(elimination)):
            steps.append(Close(None))
        official = self._official(seeds)
        return Transcript(
            "tom",
            "pokemon-tom",
            self._file.name,
            tuple(steps),
            notes=tuple(self._notes),
            official=official,
        )

    # -- players

    def _name_players(self) -> dict[str, str]:
        names = {}
        for player in self._file.players.values():
            names[player.id] = player.name or f"Player {player.id}"
            if not player.name:
                self._notes.append(f"line {player.line}: no name, so {names[player.id]}")
        return unique_names(names, self._notes)

    def _attendance(self, swiss: tuple[PlayRound, ...], seeds: tuple[str, ...]) -> Attendance:
        divisions = self._divisions()
        staying = frozenset(seeds)
        left_after: dict[str, int] = {}
        for player in self._file.players.values():
            name = self._names[player.id]
            if player.drop_status not in {"", "1"}:
                self._notes.append(f"{name}: dropped with status {player.drop_status[:20]}, read as a drop")
            if player.dropped is not None and name not in staying:
                left_after[name] = player.dropped
        return Attendance(
            [
                Entrant(self._names[player.id], divisions.get(player.id), player.born, {"membership": player.id})
                for player in self._file.players.values()
            ],
            swiss,
            left_after,
            {name: frozenset(rounds) for name, rounds in self._losses.items()},
            staying,
        )

    def _divisions(self) -> dict[str, str]:
        """Return each player's division: the category in the standings, which is right even in combined pods, or
        else the pod's category.
        """
        divisions: dict[str, str] = {}
        listed = [(places.category, places.players) for places in self._file.places]
        for category, players in (*listed, *((pod.category, pod.players) for pod in self._file.pods)):
            if category in codes.DIVISIONS:
                divisions = dict.fromkeys(players, codes.DIVISIONS[category]) | divisions
        return divisions

    # -- rounds

    def _rounds(self, stage: Stage) -> tuple[PlayRound, ...]:
        """Return the rounds of a stage. The pods' rounds with the same number become one round, because the pods
        play at the same time.
        """
        together: list[list[TomRound]] = []
        for pod in self._file.pods:
            chosen = [
                round_ for round_ in pod.rounds if (round_.type == codes.ELIMINATION) == (stage == "elimination")
            ]
            for index, round_ in enumerate(self._in_order(chosen)):
                if index == len(together):
                    together.append([])
                together[index].append(round_)
        return tuple(self._round(stage, number, rounds) for number, rounds in enumerate(together, start=1))

    def _in_order(self, rounds: Iterable[TomRound]) -> Iterator[TomRound]:
        earlier: TomRound | None = None
        for round_ in sorted(rounds, key=lambda round_: round_.number):
            if earlier is not None and earlier.number == round_.number:
                raise FormatError(f"round {round_.number} is in this pod twice", round_.line)
            earlier = round_
            if round_.type not in codes.ROUND_TYPES:
                self._notes.append(f"line {round_.line}: a round of unknown type {round_.type}, read as Swiss")
            if round_.matches:
                yield round_
            else:
                self._notes.append(f"line {round_.line}: round {round_.number} has no matches, left out")

    def _round(self, stage: Stage, number: int, rounds: list[TomRound]) -> PlayRound:
        title = f"{'round' if stage == 'swiss' else 'elimination round'} {number}"
        games: list[Game] = []
        byes: list[ByeLine] = []
        for match in (match for round_ in rounds for match in round_.matches):
            if match.second is not None:
                games.append(self._game(match, match.second))
            elif match.outcome in codes.ALONE_BYE:
                byes.append(ByeLine(match.line, self._names[match.first]))
            else:
                self._lose_alone(stage, number, match)
        round_ = PlayRound(rounds[0].line, stage, number, with_tables(games, title, self._notes), tuple(byes))
        refuse_player_twice(round_, title)
        if twice := [
            name for name in players_of(round_) if number in self._losses.get(name, ()) and stage == "swiss"
        ]:
            raise FormatError(f"{title}: {twice[0]} has a match and a loss without one", round_.line)
        return round_

    def _lose_alone(self, stage: Stage, number: int, match: TomMatch) -> None:
        name = self._names[match.first]
        if match.outcome in codes.ALONE_LOSS and stage == "swiss":
            self._losses[name].add(number)
            self._notes.append(f"line {match.line}: {name} has a loss without an opponent")
        else:
            self._notes.append(f"line {match.line}: {name} alone with outcome {match.outcome}, left out")

    def _game(self, match: TomMatch, second_id: str) -> Game:
        first, second = self._names[match.first], self._names[second_id]
        return Game(match.line, first, second, self._outcome(match, first, second), match.table)

    def _outcome(self, match: TomMatch, first: str, second: str) -> Outcome | None:
        if match.outcome == codes.BYE:
            raise FormatError(f"{first} - {second} is a bye (outcome 5) of two players", match.line)
        if match.outcome == codes.FORCED_LOSS:
            # TOM's code does not say which of the two players was dropped. In other files, a forced loss is a match
            # of the dropped player alone.
            self._notes.append(f"line {match.line}: {first} - {second} is a forced loss, read as of both")
        elif match.outcome not in codes.OUTCOMES_OF_TWO:
            self._notes.append(f"line {match.line}: outcome {match.outcome} is unknown, read as no result yet")
        outcomes = {
            codes.FIRST_WON: Outcome("win", first),
            codes.SECOND_WON: Outcome("win", second),
            codes.TIE: Outcome("draw"),
            codes.FORCED_LOSS: Outcome("double-loss"),
            codes.DOUBLE_LOSS: Outcome("double-loss"),
        }
        return outcomes.get(match.outcome)

    # -- elimination

    def _seeds(self, elimination: tuple[PlayRound, ...]) -> tuple[str, ...]:
        """Return the qualifiers, best seed first, pod by pod.

        Players without a seed follow the order of the first tables.
        """
        playing = list(dict.fromkeys(name for round_ in elimination for name in players_of(round_)))
        numbers = self._written_seeds()
        if unseeded := [name for name in playing if name not in numbers]:
            self._notes.append(f"no seeds for {listed(unseeded)}: taken in the order of the first tables")
        last = (len(self._file.pods), 0)
        seeds = tuple(sorted(playing, key=lambda name: numbers.get(name, last)))
        return seeds if len(seeds) > 1 else ()

    def _written_seeds(self) -> dict[str, tuple[int, int]]:
        """Return the seeds in the file of the players with an elimination match, each seed after the index of its
        pod.
        """
        found: dict[str, tuple[int, int]] = {}
        for index, pod in enumerate(self._file.pods):
            rounds = [round_ for round_ in pod.rounds if round_.type == codes.ELIMINATION]
            playing = dict.fromkeys(
                player
                for round_ in rounds
                for match in round_.matches
                for player in (match.first, match.second)
                if player is not None
            )
            seeds = {player: seed for player in playing if (seed := self._file.players[player].seed) is not None}
            if len(set(seeds.values())) == len(playing):
                found |= {self._names[player]: (index, seed) for player, seed in seeds.items()}
        return found

    def _is_over(self, played: tuple[PlayRound, ...], *, cut_made: bool) -> bool:
        """Return whether the event is over in the file: final places, no open match, and the top cut if it was
        announced.
        """
        if not any(places.players for places in self._file.places) or not played:
            return False
        if self._file.cut_announced and not cut_made:
            return False
        return all(game.outcome is not None for round_ in played for game in round_.games)

    # -- official order

    def _official(self, seeds: tuple[str, ...]) -> OfficialNumbers | None:
        """Return the official places: for each category, the order of the players who finished. Return None if no
        place can be compared.
        """
        orders: dict[str, list[str]] = defaultdict(list)
        placed: set[str] = set()
        unfinished: list[str] = []
        for places in self._file.places:
            for player in places.players:
                if player in placed:
                    raise FormatError(f"{self._names[player]} has two places in the standings", places.line)
                placed.add(player)
                order = orders[codes.DIVISIONS.get(places.category, "")] if places.finished else unfinished
                order.append(self._names[player])
        if unfinished:
            self._notes.append(f"{listed(unfinished)} did not finish (dnf), so their places are not compared")
        written = self._written_seeds()
        if silent := dict.fromkeys(name for name in seeds if name not in written):
            self._notes.append(f"the places of {listed(silent)} are those of the top cut, so not compared")
        official = {
            division: swiss_order([name for name in order if name not in silent], seeds)
            for division, order in orders.items()
        }
        return OfficialNumbers(orders=official) if official else None
