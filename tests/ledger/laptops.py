"""Two laptops with one event: a ledger and its keys were copied, and each laptop continued separately."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from uuid import UUID

from tests.event import SECRET

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.command import Command
from matchledger.commands.diverged import How
from matchledger.events import AnyFact, Entry, Person, Role, Seating
from matchledger.ledger import Clerk, Contradiction, Decision, Ledger, open_ledger, verify
from matchledger.ledger.copies import CopyPlan, merge_copy, plan_merge
from matchledger.notation.slip import Written
from matchledger.service.execute import Request, execute
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import rulebook_text

ORGANIZER = Clerk("Olga", "organizer", "office")
PLAYERS = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gil", "Hal")
TABLES = {1: (1, 2), 2: (3, 4), 3: (5, 6), 4: (7, 8)}


@dataclass
class Laptop:
    """A copy of the ledger, with a desk."""

    ledger: Ledger
    tournament: UUID
    station: str
    command: int = field(default=0)

    @property
    def record(self) -> Record:
        return self.ledger.record(self.tournament)

    @property
    def entries(self) -> list[Entry]:
        return list(self.ledger.entries(self.tournament))

    def decide(self, decision: Decision, *, command: str | None = None, reason: str | None = None) -> list[Entry]:
        self.command += 1
        clerk = Clerk("Sue", "scorekeeper", self.station)
        named = command or f"{self.station}-{self.command}"
        return self.ledger.decide(self.tournament, decision, clerk=clerk, command=named, reason=reason)

    def give(self, command: Command, role: Role = "scorekeeper", *, reason: str | None = None) -> list[Entry]:
        """Execute a command as each face does."""
        self.command += 1
        clerk = Clerk("Sue", role, self.station)
        asked = Request(command, clerk, id=f"{self.station}-{self.command}", reason=reason)
        return list(execute(self.ledger, self.tournament, asked).entries)

    def report(self, table: int, winner: int, command: str | None = None) -> int:
        """Report a slip, and return the position of its entry. A contradicting slip is recorded as refused."""
        try:
            written = Written(winner=winner)
            [entry, *_] = self.decide(
                partial(slips.report, table=table, written=written, round_=1), command=command
            )
        except Contradiction as refused:
            return refused.entry.position
        return entry.position

    def correct(self, table: int, winner: int) -> None:
        self.decide(partial(slips.correct, table=table, round_=1, written=Written(winner=winner)))

    def retract(self, position: int) -> None:
        entry = self.ledger.entry(self.tournament, position)
        self.decide(lambda record: slips.retract(record, entry=entry))

    def drop(self, player: int) -> None:
        self.decide(partial(roster.drop, player=player))

    def late(self, name: str) -> None:
        self.decide(partial(roster.arrive_late, person=Person(name=name)))

    def pair(self, *tables: tuple[int, int]) -> None:
        games = [Seating(table=table, players=two) for table, two in enumerate(tables, 1)]
        self.decide(partial(rounds.pair_by_hand, games=games))

    def winner(self, table: int) -> int | None:
        """Return the winner of a table in round 1. Return None for a table without a result."""
        round_ = self.record.round(1)
        assert round_ is not None
        report = round_.report(table, TABLES[table])
        return None if report is None else report.winner

    def plan(
        self,
        other: Laptop,
        *,
        renumber: bool = False,
        own_rounds: bool = False,
        clerk: Clerk = ORGANIZER,
        reason: str | None = None,
    ) -> CopyPlan:
        return plan_merge(
            self.ledger,
            self.tournament,
            other.ledger,
            source="other.ledger",
            clerk=clerk,
            renumber=renumber,
            own_rounds=own_rounds,
            reason="the hall's screen showed this pairing" if own_rounds else reason,
        )

    def merge(self, other: Laptop, *, renumber: bool = False, own_rounds: bool = False) -> dict[int, How]:
        """Merge the other copy, and return what happened to each of its entries."""
        plan = self.plan(other, renumber=renumber, own_rounds=own_rounds)
        assert list(plan.questions) == []
        merge_copy(self.ledger, plan)
        return {outcome.theirs.position: outcome.how for outcome in plan.outcomes}

    def questions(self, other: Laptop) -> list[str]:
        """Return the questions that a person must answer before the merge."""
        plan = self.plan(other)
        assert plan.questions
        assert merge_copy(self.ledger, plan) == []
        return [str(question) for question in plan.questions]


Two = tuple[Laptop, Laptop]


def facts(laptop: Laptop, kind: type[AnyFact]) -> list[AnyFact]:
    """Return the facts of one kind in the log, including retracted ones."""
    return [entry.fact for entry in laptop.entries if isinstance(entry.fact, kind)]


def holds(laptop: Laptop) -> bool:
    """Return whether verify finds no problem."""
    return verify(laptop.ledger, laptop.tournament) == []


Before = Callable[[Laptop], None]


def prepare(
    folder: Path, rulebook: str = "magic-mtr", before: Before | None = None, *, paired: bool = True
) -> UUID:
    """Make an event in a file: registrations, the pairing of round 1 if `paired`, then `before`."""
    with open_ledger(folder / "here.ledger", create=True) as ledger:
        opened = partial(
            opening.open_tournament, name="Friday", law=rulebook_text(rulebook), policies={}, secret=SECRET
        )
        tournament, _ = ledger.begin(opened, secret=SECRET, clerk=ORGANIZER)
        first = Laptop(ledger, tournament, "first")
        for name in PLAYERS:
            first.decide(partial(roster.register, person=Person(name=name)))
        if paired:
            first.pair(*TABLES.values())
        if before is not None:
            before(first)
    return tournament


@contextmanager
def copied(prepared: Path, tournament: UUID, folder: Path) -> Iterator[tuple[Laptop, Laptop]]:
    """The prepared event on two laptops."""
    for name in ("here.ledger", "there.ledger"):
        for suffix in ("", ".keys"):
            if (folder / name) != prepared / "here.ledger":
                shutil.copyfile(f"{prepared / 'here.ledger'}{suffix}", f"{folder / name}{suffix}")
    with (
        open_ledger(folder / "here.ledger", own_keys=True) as one,
        open_ledger(folder / "there.ledger", own_keys=True) as other,
    ):
        yield Laptop(one, tournament, "north"), Laptop(other, tournament, "south")


def fork(
    folder: Path, rulebook: str = "magic-mtr", before: Before | None = None, *, paired: bool = True
) -> Iterator[tuple[Laptop, Laptop]]:
    """Copy the prepared event to two laptops, without a fixture."""
    tournament = prepare(folder, rulebook, before, paired=paired)
    with copied(folder, tournament, folder) as laptops:
        yield laptops


def one_slip(laptop: Laptop) -> None:
    """Report as entry 11 that the first player of table 1 won."""
    laptop.report(1, 0)
