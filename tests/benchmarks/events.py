"""Invented events of any size, as records without a store."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from uuid import UUID

from matchledger.events import (
    AnyFact,
    Entry,
    Person,
    PlayerRegistered,
    ResultReported,
    Slip,
    TournamentOpened,
)
from matchledger_projections.pairing.drawing import draw_round
from matchledger_projections.record.chance import DERIVATION, commitment
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import rulebook_text

SECRET = bytes(32)
TOURNAMENT = UUID(int=1)
NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)


def seed_of(purpose: str) -> bytes:
    """Return a seed for a draw in an invented event."""
    return hashlib.sha256(purpose.encode()).digest()


class Played:
    """A record that grows round by round, and its entries."""

    def __init__(self, rulebook: str, players: int, *, keep: bool = False, chance: int = 1) -> None:
        self.record = Record()
        self.entries: list[Entry] = []
        self._keep = keep
        self._chance = random.Random(chance)  # noqa: S311 - results of a made-up event
        self.note(
            TournamentOpened(
                name="Open",
                rulebook=rulebook,
                law=rulebook_text(rulebook),
                commitment=commitment(SECRET),
                derivation=DERIVATION,
            )
        )
        for number in range(1, players + 1):
            self.note(PlayerRegistered(number=number, person=Person(name=f"Player {number}")))

    def note(self, fact: AnyFact) -> None:
        position = self.record.position + 1
        entry = Entry(
            tournament=TOURNAMENT,
            position=position,
            recorded_at=NOW,
            actor="scorekeeper",
            role="scorekeeper",
            station="desk",
            command=str(position),
            fact=fact,
        )
        self.record.apply(entry)
        if self._keep:
            self.entries.append(entry)

    def play(self, rounds: int) -> None:
        """Play rounds: the engine pairs each one, and its results are random."""
        for number in range(1, rounds + 1):
            self.play_one(number)

    def play_one(self, number: int) -> None:
        self.pair(number)
        self.report()

    def forget_columns(self, *, all_rounds: bool) -> None:
        """Forget the cached columns: those of all rounds, as in a new process, or those of the last round, which
        has new slips.
        """
        for round_ in self.record.rounds()[0 if all_rounds else -1 :]:
            round_.keep(None)

    def pair(self, number: int) -> None:
        """Pair a round as the engine draws it."""
        for fact in draw_round(self.record, number, seed_of).facts:
            self.note(fact)

    def report(self) -> None:
        latest = self.record.latest_round()
        assert latest is not None
        for fact in list(self._results(latest.number, latest.tables)):
            self.note(fact)

    def _results(self, number: int, tables: dict[int, tuple[int, int]]) -> Iterator[AnyFact]:
        draws = "draw" in self.record.rulebook.results
        blood = self.record.rulebook.blood_points is not None
        for table, players in tables.items():
            drawn = draws and self._chance.random() < 0.05
            slip = Slip(
                kind="draw" if drawn else "win",
                winner=None if drawn else self._chance.choice(players),
                blood_points=self._chance.randrange(20) if blood else None,
            )
            yield ResultReported(round=number, table=table, players=players, slip=slip)
