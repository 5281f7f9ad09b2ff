"""Events with an elimination stage: players by name, Swiss rounds that rank them, brackets, and players who
leave.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.event import SECRET, DraftedEvent

from matchledger.commands import cuts, eliminations, roster
from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.events import Bye, Entry, Seating
from matchledger.notation.slip import Written
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import Bracket, bracket
from matchledger_projections.stages.placing import Place, places


class Event(DraftedEvent):
    """An event whose rounds a test writes in one line."""

    # -- Swiss rounds

    def swiss(self, slips_: str) -> None:
        """Play a round by hand: "A>B C>D". The player before > wins."""
        pairs = [tuple(map(self.number, slip.split(">"))) for slip in slips_.split()]
        games = [Seating(table=table, players=(pair[0], pair[1])) for table, pair in enumerate(pairs, 1)]
        rematches = [game.players for game in games]
        self.decide(rounds.pair_by_hand, games=games, rematches=rematches, deviating=True)
        for game in games:
            self.report(game.table)

    def ranked(self, names: str) -> None:
        """Play Swiss rounds that rank the players in this order: the last two play once, and byes separate the
        others.
        """
        order = [self.number(name) for name in names.split()]
        self.decide(
            rounds.pair_by_hand,
            deviating=True,
            games=[Seating(table=1, players=(order[-2], order[-1]))],
            byes=[Bye(player=player) for player in order[:-2]],
        )
        self.report(1)
        for last in range(len(order) - 2, 0, -1):
            self.decide(rounds.pair_by_hand, games=[], byes=[Bye(player=p) for p in order[:last]], deviating=True)

    def report(self, table: int, winner: int = 0, **where: object) -> None:
        blood = 5 if self.record.rulebook.blood_points is not None else None
        self.decide(slips.report, table=table, written=Written(winner=winner, blood_points=blood), **where)

    # -- elimination

    def seed(self, names: str) -> None:
        """Make a cut to these players, the best seed first."""
        order = [self.number(name) for name in names.split()]
        self.decide(cuts.make_cut, size=len(order), seeds=order)

    def pair(self) -> None:
        self.decide(eliminations.pair_elimination, secret=SECRET)

    def round(self) -> Round:
        latest = self.record.latest_round("elimination")
        assert latest is not None
        return latest

    def wins(self, names: str) -> None:
        """Let these players win their games of the current elimination round."""
        for name in names.split():
            table = self.round().table_of(self.number(name))
            assert table is not None, name
            self.report(table, self.round().tables[table].index(self.number(name)), stage="elimination")

    def knock_out(self, *rounds_: str) -> None:
        """Pair and play elimination rounds. Each argument names the winners of one round."""
        for winners in rounds_:
            self.pair()
            self.wins(winners)

    def drop(self, name: str, **asked: object) -> list[Entry]:
        return self.decide(roster.drop, player=self.number(name), **asked)

    def disqualify(self, name: str, **asked: object) -> list[Entry]:
        return self.decide(roster.disqualify, player=self.number(name), **asked)

    @property
    def bracket(self) -> Bracket:
        found = bracket(self.record)
        assert found is not None
        return found

    def games(self, round_: int) -> list[str]:
        """Return the games of an elimination round by number: "A-H". "?" is unknown, "-" is an empty side."""
        return [
            "-".join("?" if side is None else self.name(side) if side else "bye" for side in game.sides)
            for game in self.bracket.rounds[round_ - 1]
        ]

    @property
    def places(self) -> list[Place]:
        return places(self.record)

    @property
    def placed(self) -> list[str]:
        """Return the final places: "1 A", "3-4 C", "- D" for a player without a place, "?" while undecided."""
        return [
            f"{'-' if place.first is None else place.first}"
            f"{f'-{place.last}' if place.first != place.last else ''}"
            f"{'' if place.decided else '?'} {self.name(place.player)}"
            for place in self.places
        ]


Start = Callable[..., Event]


@pytest.fixture
def start() -> Start:
    """Open an event with a rulebook, names (or a number of players), policies, and divisions by name."""

    def opened(
        rulebook: str,
        players: str | int,
        policies: dict[str, str] | None = None,
        divisions: dict[str, str] | None = None,
    ) -> Event:
        names = players.split() if isinstance(players, str) else [f"P{number}" for number in range(1, players + 1)]
        event = Event(rulebook, policies)
        for name in names:
            event.register(name, division=(divisions or {}).get(name))
        return event

    return opened
