"""Events that play and pair all their rounds by chance from a seed, with drops and late arrivals, to repeat their
draws.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from tests.event import SECRET, DraftedEvent

from matchledger.commands import results as slips
from matchledger.commands import roster, ties
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import Derivation, Person
from matchledger.ledger import open_ledger
from matchledger.notation.slip import Written


class Event(DraftedEvent):
    """An event that tests play round by round."""

    def __init__(self, rulebook: str, policies: dict[str, str], chance: int = 0) -> None:
        super().__init__(rulebook, policies)
        self._chance = random.Random(chance)  # noqa: S311 - results of a made-up event
        self._names = count(1)

    def enter(self, players: int, division: str | None = None, **attributes: str) -> None:
        for _ in range(players):
            self.register(f"Player {next(self._names)}", division=division, **attributes)

    def arrive_late(self, division: str | None = None) -> None:
        person = Person(name=f"Player {next(self._names)}")
        self.decide(roster.arrive_late, person=person, division=division)

    def pair(self, *, allow_rematch: bool = False) -> None:
        """Pair the next round, without regard to the announced structure."""
        self.decide(rounds.pair_round, secret=SECRET, allow_rematch=allow_rematch, deviating=True)

    def report(self) -> None:
        """Report every table of the round."""
        latest = self.record.latest_round()
        assert latest is not None
        for table in latest.outstanding:
            self.decide(slips.report, table=table, written=self._written())

    def _written(self) -> Written:
        rulebook = self.record.rulebook
        kinds = [kind for kind in ("win", "modified-win", "concession") if kind in rulebook.results]
        blood = self._chance.randrange(25) if rulebook.blood_points is not None else None
        if rulebook.knows_draws and self._chance.random() < 0.1:
            return Written(kind="draw", winner=None)
        return Written(kind=self._chance.choice(kinds), winner=self._chance.randrange(2), blood_points=blood)

    def play(self, through: int) -> None:
        """Pair and report rounds up to a number, with a drop, a late player, a return and a wrong slip."""
        for number in range(1, through + 1):
            self.pair()
            self.report()
            if number == 2:
                left = self._chance.choice(self.record.active_players()).number
                self.drop(left)
                self.arrive_late(self.record.players[1].division)
            if number == 3:
                if self.record.status(left) == "dropped":
                    self.decide(roster.rejoin, player=left)
                self.correct(round_=2)

    def play_plainly(self, through: int) -> None:
        """Pair and report rounds up to a number, without incidents."""
        for _ in range(through):
            self.pair()
            self.report()

    def amend(self, *games: tuple[int, int]) -> None:
        self.decide(rounds.amend_pairing, games=games)

    def correct(self, round_: int) -> None:
        """Correct the first table of a round: the other player won."""
        found = self.record.round(round_)
        assert found is not None
        report = found.report(1, found.tables[1])
        assert report is not None
        other = 1 if report.winner == report.players[0] else 0
        blood = 3 if self.record.rulebook.blood_points is not None else None
        written = Written(winner=other, blood_points=blood)
        self.decide(slips.correct, table=1, round_=round_, written=written)

    def draw_ties(self) -> None:
        self.decide(ties.DrawTies)

    def drop(self, player: int) -> None:
        self.decide(roster.drop, player=player)

    def keep(self, file: Path) -> str:
        """Record the draft in a ledger."""
        with open_ledger(file, create=True) as ledger:
            ledger.keep(self.draft, secret=SECRET)
        return str(file)

    def close(self) -> None:
        self.decide(opening.close, secret=SECRET, deviating=True)


Play = Callable[..., Event]


@pytest.fixture
def event() -> Play:
    """Open an invented event under a rulebook."""

    def open_event(rulebook: str, *, chance: int = 0, **policies: str) -> Event:
        return Event(rulebook, {flag.replace("_", "-"): value for flag, value in policies.items()}, chance)

    return open_event


@pytest.fixture
def derivation() -> Derivation:
    """The version of docs/chance.md that new tournaments use."""
    return 2
