"""Events with divisions: so many players of each, registered in that order and called by division and number."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

import pytest

from matchledger.commands import results as slips
from matchledger.commands import roster, structures
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Entry, Person
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import rulebook_text

SECRET = bytes(range(32))


class Event:
    """A tournament on a draft."""

    def __init__(self, rulebook: str, policies: dict[str, str], years: dict[str, int]) -> None:
        self.draft = Draft(UUID(int=1))
        law = rulebook_text(rulebook)
        self.decide(
            opening.open_tournament, name="Open", law=law, policies=policies, secret=SECRET, division_years=years
        )

    @property
    def record(self) -> Record:
        return self.draft.record

    def decide(self, decision: Callable[..., list[AnyFact]], **asked: object) -> list[Entry]:
        return self.draft.decide(partial(decision, **asked))

    def refusal(self, decision: Callable[..., list[AnyFact]], **asked: object) -> str:
        """Why a decision is refused; nothing is recorded."""
        before = self.record.position
        with pytest.raises(Refusal) as refused:
            self.decide(decision, **asked)
        assert self.record.position == before
        return str(refused.value)

    def enter(self, **divisions: int) -> None:
        """So many players of each division: `junior=8` are junior1 to junior8."""
        for division, size in divisions.items():
            for number in range(1, size + 1):
                self.decide(roster.register, person=Person(name=f"{division}{number}"), division=division)

    def late(self, name: str, division: str | None = None, born: int | None = None) -> None:
        person = Person(name=name, born=born)
        self.decide(roster.arrive_late, person=person, division=division, secret=lambda: SECRET)

    def announce(self, **asked: object) -> None:
        self.decide(structures.announce, **asked)

    def number(self, name: str) -> int:
        found = self.record.named(name)
        assert found is not None, name
        return found.number

    def name(self, player: int | None) -> str:
        return self.record.players[player].name if player else "-"

    def pair(self) -> None:
        self.decide(rounds.pair_round, secret=SECRET, deviating=True)

    def report(self) -> None:
        """The player who was registered first wins every open table."""
        latest = self.record.latest_round("elimination") or self.record.latest_round()
        assert latest is not None
        for table in latest.outstanding:
            winner = latest.tables[table].index(min(latest.tables[table]))
            self.decide(slips.report, table=table, written=Written(winner=winner), stage=latest.stage)

    def play(self, rounds_: int) -> None:
        for _ in range(rounds_):
            self.pair()
            self.report()

    def retract_last(self) -> None:
        self.decide(slips.retract, entry=self.draft.entries[-1])


Start = Callable[..., Event]


@pytest.fixture
def start() -> Start:
    """Opens an event under the Pokémon rules of 2009, or others; divisions by how many players each has."""

    def opened(
        rulebook: str = "pokemon-2009",
        policies: dict[str, str] | None = None,
        years: dict[str, int] | None = None,
        **divisions: int,
    ) -> Event:
        event = Event(rulebook, policies or {}, years or {})
        event.enter(**divisions)
        return event

    return opened
