"""Events with divisions, whose players are registered division by division and named after division and number."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.event import SECRET, DraftedEvent

from matchledger.commands import results as slips
from matchledger.commands import roster, structures
from matchledger.commands import swiss as rounds
from matchledger.events import Person
from matchledger.notation.slip import Written


class Event(DraftedEvent):
    """An event whose players are named after their division."""

    def enter(self, **divisions: int) -> None:
        """Register a number of players for each division: `junior=8` gives junior1 to junior8."""
        for division, size in divisions.items():
            for number in range(1, size + 1):
                self.register(f"{division}{number}", division=division)

    def late(self, name: str, division: str | None = None, born: int | None = None, **asked: object) -> None:
        person = Person(name=name, born=born)
        self.decide(roster.arrive_late, person=person, division=division, secret=lambda: SECRET, **asked)

    def announce(self, **asked: object) -> None:
        self.decide(structures.AnnounceStructure, **({"prizes": 8} | asked))

    def pair(self) -> None:
        self.decide(rounds.pair_round, secret=SECRET, deviating=True)

    def report(self) -> None:
        """Report every open table: the player who was registered first wins."""
        latest = self.record.latest_round("elimination") or self.record.latest_round()
        assert latest is not None
        for table in latest.outstanding:
            winner = latest.tables[table].index(min(latest.tables[table]))
            self.decide(slips.report, table=table, written=Written(winner=winner), stage=latest.stage)

    def play(self, rounds_: int) -> None:
        for _ in range(rounds_):
            self.pair()
            self.report()


Start = Callable[..., Event]


@pytest.fixture
def start() -> Start:
    """Start an event with a number of players for each division, under the Pokémon rules of 2009 or other rules."""

    def opened(
        rulebook: str = "pokemon-2009",
        policies: dict[str, str] | None = None,
        years: dict[str, int] | None = None,
        **divisions: int,
    ) -> Event:
        event = Event(rulebook, policies, division_years=years or {})
        event.enter(**divisions)
        return event

    return opened
