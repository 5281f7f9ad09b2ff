"""A station that tests can kill: it enters slips on the command line, and reports each acknowledged slip on a
pipe.
"""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

from tests.event import SECRET

from matchledger.cli import run
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import Person, Seating
from matchledger.ledger import Clerk, Draft, open_ledger, verify
from matchledger_projections.rulebook.rulebook import rulebook_text

CLERK = Clerk("Ann", "organizer", "desk")


def event(place: str, tables: int) -> UUID:
    """Return a tournament whose first round is paired."""
    draft = Draft(uuid4(), clerk=CLERK)
    law = rulebook_text("l5r-2018")
    draft.decide(partial(opening.open_tournament, name="Open", law=law, policies={}, secret=SECRET))
    for number in range(1, 2 * tables + 1):
        draft.decide(partial(roster.register, person=Person(name=f"P{number:04}")))
    games = [Seating(table=table, players=(2 * table - 1, 2 * table)) for table in range(1, tables + 1)]
    draft.decide(partial(rounds.pair_by_hand, games=games))
    with open_ledger(place, create=True) as ledger:
        ledger.keep(draft, secret=SECRET)
    return draft.tournament


def command_of(table: int) -> str:
    return f"slip-{table}"


def enter(place: str, tables: Sequence[int], said: Callable[[int], None]) -> int:
    """Enter the slip of each table with a separate command. Stop at the first failure."""
    for table in tables:
        code = run(["report", str(table), "a", "--ledger", place, "--command-id", command_of(table)])
        if code != 0:
            return code
        said(table)
    return 0


@dataclass(slots=True)
class Station:
    """A process that enters slips, and the slips that were acknowledged so far."""

    process: int
    pipe: int

    @classmethod
    def start(cls, place: str, tables: Sequence[int], *, before: Callable[[], None] = lambda: None) -> Station:
        """Fork after everything is loaded, so that a kill hits the work instead of the imports."""
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            # Python warns about a fork with threads, but the child needs no thread of its parent.
            warnings.simplefilter("ignore", DeprecationWarning)
            process = os.fork()
        if process == 0:
            os.close(reader)
            code = 1
            with suppress(BaseException):
                quiet = os.open(os.devnull, os.O_WRONLY)
                os.dup2(quiet, 1)
                os.dup2(quiet, 2)
                before()
                code = enter(place, tables, lambda table: _say(writer, table))
            os._exit(code)
        os.close(writer)
        return cls(process, reader)

    def kill(self, *, slips: int, then: float) -> list[int]:
        """Wait for the first acknowledged slips, kill the station some seconds later, and return all acknowledged
        slips.
        """
        said = self.wait_for(slips)
        time.sleep(then)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        return [*said, *self.end()[1]]

    def wait_for(self, slips: int) -> list[int]:
        """Wait until some slips are acknowledged, and return them."""
        said = b""
        while said.count(b"\n") < slips and (more := os.read(self.pipe, 1)):
            said += more
        return [int(line) for line in said.split()]

    def end(self) -> tuple[int, list[int]]:
        """Wait until the station ends. Return its exit code and the acknowledged slips."""
        with os.fdopen(self.pipe, "rb") as pipe:
            said = pipe.read()
        _, status = os.waitpid(self.process, 0)
        return os.waitstatus_to_exitcode(status), [int(line) for line in said.split()]


def _say(pipe: int, table: int) -> None:
    os.write(pipe, f"{table}\n".encode())


def need_sound(place: str | Path, tournament: UUID, acknowledged: Sequence[int]) -> int:
    """Assert that no acknowledged slip is lost or recorded twice, and that the log verifies. Returns its size."""
    with open_ledger(place) as ledger:
        commands = Counter(entry.command for entry in ledger.entries(tournament))
        assert [table for table in acknowledged if not commands[command_of(table)]] == [], "acknowledged and lost"
        assert [command for command, times in commands.items() if times > 1] == [], "recorded twice"
        assert verify(ledger, tournament) == []
        return ledger.head(tournament).size
