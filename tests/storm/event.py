"""One event of a storm. Hypothesis chooses each step. Chance chooses the details, the face and the kills."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import wraps
from math import inf
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from tests.storm import faces
from tests.storm.acts import OF_PROGRAMS, Act
from tests.storm.checks import Checks
from tests.storm.hands import WAYS, Ended, Hands
from tests.storm.nursery import Nursery
from tests.storm.situation import Situation, values_of

from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks

IN_FLIGHTS = 64  # a division of this size may be split into flights
MOST_COPIES = 2  # the most copies of one event: a merge takes as long as ten commands
CHANCE = st.randoms(use_true_random=True)  # hypothesis draws the seed of this chance


def happens(**drawn: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Any]:
    """A rule of the state machine. The rule does nothing after the event is closed or the time is over. The rule
    has no precondition, because hypothesis's draws must not depend on when a process was killed.
    """

    def ruled(function: Callable[..., None]) -> Any:
        @wraps(function)
        def happen(self: Storm, chance: Random, **given: Any) -> None:
            if self.goes_on:
                self.hands.chance = chance
                function(self, chance, **given)

        as_rule: Callable[..., Any] = rule
        return as_rule(chance=CHANCE, **drawn)(happen)

    return ruled


class Storm(RuleBasedStateMachine):
    """One event of a storm. The same choices always give the same commands. Only the
    moments at which processes are killed differ from run to run.
    """

    nursery: ClassVar[Nursery]
    # A function that makes an empty place for the ledger of each event.
    places: ClassVar[Callable[[Path], AbstractContextManager[str]]]
    figures: ClassVar[Counter[str]]
    deadline: ClassVar[float] = inf  # after this time no step does anything

    def __init__(self) -> None:
        super().__init__()
        self._end = ExitStack()
        self.folder = Path(self._end.enter_context(tempfile.TemporaryDirectory(prefix="storm-")))
        place = self._end.enter_context(type(self).places(self.folder))
        self.hands = Hands(place, self.folder, Random(0), self.nursery)  # noqa: S311 - plays tests, keeps no secret
        self._end.callback(self.hands.close)
        self.checks = Checks(self.hands, self.folder)
        self._number = self._merged = 0
        self.is_opened = False
        self.situation: Situation

    @property
    def record(self) -> Record:
        return self.checks.record

    @property
    def goes_on(self) -> bool:
        return self.is_opened and time.monotonic() < self.deadline and self.record.closing is None

    @property
    def chance(self) -> Random:
        return self.hands.chance

    def name(self) -> str:
        self._number += 1
        return f"storm-{self._number}"

    def look(self, chance: Random) -> Situation:
        """Begin a step in which `chance` decides everything."""
        self.hands.chance = chance
        self.situation = Situation(self.record, chance, self._number)
        return self.situation

    # -- what happens

    @initialize(chance=CHANCE, rulebook=st.sampled_from(sorted(shipped_rulebooks())), tokens=st.booleans())
    def open(self, chance: Random, rulebook: str, tokens: bool) -> None:
        """Open an event under a rulebook with one or two unusual policies, and register some players."""
        if time.monotonic() > self.deadline:
            return
        self.is_opened, self.hands.chance = True, chance
        law = parse_rulebook(rulebook_text(rulebook))
        words = ["open", "Storm", "-b", rulebook]
        for flag in chance.sample(sorted(law.policies), k=chance.choice([0, 0, 1, 2])):
            words += ["-p", f"{flag}={chance.choice(values_of(law, flag))}"]
        if self.hands.run(words).code:
            words = words[:4]
            opened = self.hands.run(words)
            assert opened.code == 0, opened
        note(" ".join(words))
        [self.hands.tournament] = self.hands.station("A").tournaments()
        if tokens:
            self.hands.demand_tokens()
        if law.divisions is not None and chance.random() < 0.2:
            field = [f"M{number:02},masters" for number in range(IN_FLIGHTS)]
            field += [f"J{number:02},junior" for number in range(5)]
            self.give(Act("register-roster", {"roster": "\n".join(["name,division", *field])}), "program")
            self.give(Act("announce-structure", {"style": "swiss-with-cut", "rounds": 5, "cut": 8, "prizes": 8}))
            self.give(Act("draw-flights", {"division": "masters", "flights": 2}))
        else:
            for _ in range(chance.choice([4, 5, 6, 7, 9])):
                self.give(self.look(chance).enter(), "station A")

    @happens()
    def go_on(self, chance: Random) -> None:
        """Do what the event needs next, and sometimes something senseless."""
        self.give(self.look(chance).next_act())

    @happens()
    def play_a_round(self, chance: Random) -> None:
        """Pair a round if none is open, and report its tables."""
        if not self.look(chance).open_tables:
            self.give(self.situation.pair())
        while self.look(chance).open_tables and chance.random() < 0.95:
            before = len(self.situation.open_tables)
            self.give(self.situation.report())
            if len(self.look(chance).open_tables) == before and chance.random() < 0.3:
                break

    @happens()
    def err(self, chance: Random) -> None:
        """Correct, retract, undo, drop, come late, or change the rules."""
        self.give(self.look(chance).stir())

    @happens()
    def bring_a_deck(self, chance: Random) -> None:
        """Submit a deck list, amend it, or check the decks."""
        self.give(self.look(chance).deck())

    @happens()
    def look_around(self, chance: Random) -> None:
        """Ask for pages, paths of the API and lines of the terminal."""
        faces.read_at_random(self.hands, chance, self.record)

    @happens()
    def begin_again(self, _: Random) -> None:
        """Stop a station, and start it again from the ledger and its cache."""
        self.hands.anew()

    @happens()
    def report_at_once(self, chance: Random) -> None:
        """Let several processes report at the same time, two of them for the same table. One of the processes may
        be killed.
        """
        tables = self.look(chance).open_tables
        tables = chance.sample(tables, k=min(3, len(tables)))
        acts = [
            (Act("report-slip", {"table": table, "outcome": self.situation.outcome}), self.name())
            for table in [*tables, *tables[:1]]
        ]
        for (act, name), ended in zip(acts, self.hands.at_once(acts) if acts else [], strict=True):
            self._tell(name, act, None, "at once", ended)
            if ended.how == "done":
                self.checks.acknowledged[name] = act.kind

    @happens(claim=st.sampled_from(["won", "lost", "other"]))
    def call_the_desk(self, chance: Random, claim: str) -> None:
        """Let a player call the desk about a result. Such a call needs no token."""
        name = self.name()
        words = ["call", f"#{self.look(chance).player}", "--claim", claim, "--command-id", name]
        if self._typed(words) == 0:
            self.checks.acknowledged[name] = "call"

    @happens()
    def erase(self, chance: Random) -> None:
        """Erase the personal data of a player."""
        player = chance.choice(self.look(chance).record.entered())
        certificate = self.folder / f"erasure-{self.name()}.txt"
        words = ["erase", f"#{player.number}", "--yes", "--reason", "asked", "--out", str(certificate)]
        if self._typed(words) == 0:
            self.checks.erased.append(player.name)

    @happens(numbers=st.booleans(), rounds=st.booleans())
    def merge_a_copy(self, chance: Random, numbers: bool, rounds: bool) -> None:
        """Let a second laptop continue with a copy of the ledger, and merge the two."""
        if self._merged == MOST_COPIES:
            return
        self._merged += 1
        copy = self.folder / f"copy-{self._merged}.ledger"
        copied = self.hands.run_alone(["migrate", self.hands.place, str(copy)])
        assert copied.code == 0, copied
        for _ in range(chance.choice([1, 2, 3])):
            act = self.look(chance).next_act()
            if act.kind not in OF_PROGRAMS:
                there = self.hands.run([*act.words(), "--reason", "apart"], writes=True, ledger=copy)
                assert there.code in (0, 2, 3, 4), there
                note(f"in the copy: {' '.join(act.words())}: {there.code} {there.err}")
            if chance.random() < 0.5:
                self.give(self.look(chance).next_act())
        options = ["--renumber"] * numbers + ["--own-rounds", "--reason", "apart"] * rounds
        if self.goes_on and self._typed(["merge-copy", str(copy), *options, "--yes"]) == 0:
            self.checks.need_copied(copy)

    # -- how it is done

    def give(self, act: Act, way: str | None = None) -> None:
        """Give a command. If the program asks for a reason, sometimes give the command again with a reason."""
        way = way or self._way(act)
        ended = self._carry(act, self.name(), None, way)
        asks = ended.how == "refused" and "reason" in ended.said
        if asks and act.kind != "close-tournament" and self.chance.random() < 0.6:
            meant = act if act.by_reason is None else act._replace(fields={**act.fields, act.by_reason: True})
            name = self.name()
            if self._carry(meant, name, "wanted", way).how == "done" and act.by_reason is not None:
                self.checks.departed.append(name)

    def _way(self, act: Act) -> str:
        known = ("station A", "station B", "program", "desk") if act.kind in OF_PROGRAMS else tuple(WAYS)
        return self.chance.choices(known, [WAYS[way] for way in known])[0]

    def _carry(self, act: Act, name: str, reason: str | None, way: str) -> Ended:
        ended = self.hands.carry(act, name, reason, way)
        self._tell(name, act, reason, way, ended)
        while ended.how == "unknown":
            was = self._entries_of(name)
            again = self._way(act)
            ended = self.hands.carry(act, name, reason, again)
            self._tell(name, act, reason, f"again, {again}", ended)
            if was:
                assert ended.how != "refused", "what was recorded before the kill is not refused"
                assert self._entries_of(name) == was, "a command that is sent again is recorded once"
        if ended.how == "done":
            self.checks.acknowledged[name] = act.kind
        return ended

    def _typed(self, words: list[str]) -> int:
        printed = self.hands.run(words, writes=True)
        assert printed.code in (0, 2, 3, 4), printed
        note(f"{' '.join(words)}: {printed.code} {printed.err}")
        return printed.code

    def _tell(self, name: str, act: Act, reason: str | None, way: str, ended: Ended) -> None:
        said = " ".join(ended.said.split())[:200]
        note(f"{name} [{way}] {act.kind} {act.fields} {reason or ''}: {ended.how} {said}")

    def _entries_of(self, name: str) -> list[int]:
        log = self.hands.station("B").entries(self.hands.tournament)
        return [entry.position for entry in log if entry.command == name]

    # -- what always holds

    @invariant()
    def everything_holds(self) -> None:
        if self.is_opened and time.monotonic() < self.deadline:
            self.checks.all()

    def teardown(self) -> None:
        """Close an event that ended well, and derive its draws again."""
        try:
            if sys.exc_info()[0] is None and self.goes_on:
                self._finish()
        finally:
            if sys.exc_info()[0] is not None:
                # After a fault there is no deadline, because hypothesis plays again to find the shortest event with
                # the fault.
                type(self).deadline = inf
            self.figures.update(
                events=1,
                commands=self.hands.count,
                acknowledged=len(self.checks.acknowledged),
                entries=len(self.checks.entries),
                copies=self._merged,
                kills=self.hands.kills,
            )
            self._end.close()

    def _finish(self) -> None:
        """Finish what is open, and close the event."""
        for _ in range(80):
            if not self.look(self.chance).open_tables:
                break
            self._carry(self.situation.report(), self.name(), None, "station A")
        close = Act("close-tournament", {"deviating": True})
        for way in ("station B", "terminal"):
            if self._carry(close, self.name(), "the end", way).how == "done":
                self.checks.all()
                self.checks.need_derived()
                return
