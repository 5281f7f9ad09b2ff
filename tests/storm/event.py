"""One event of a storm: it is opened, driven by chance through every face, and compared with the invariants."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

from tests.storm import faces
from tests.storm.acts import Act, Situation, values_of
from tests.storm.hands import STATIONS, Ended, Hands
from tests.storm.nursery import Nursery

from matchledger.events import Entry
from matchledger.ledger import verify
from matchledger.ledger.recorder import EntryRow
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.snapshot import snapshot
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text, shipped_rulebooks
from matchledger_projections.views.integrity import integrity

DOCS = Path(__file__).parents[2] / "docs"
WAYS = {
    "station A": 20,
    "station B": 20,
    "terminal": 14,
    "program": 16,
    "desk": 12,
    "process": 4,
    "process killed": 4,
    "server killed": 2,
}
SEEN_TOGETHER = 8  # steps between two looks at every face
IN_FLIGHTS = 64  # players of a division that may be drawn into flights
MAY_RECORD_NOTHING = {"draw-ties", "check-in"}


class Storm:
    """An event that chance drives. The same seed makes the same choices; the moment of a kill depends on no
    seed.
    """

    def __init__(self, seed: int, folder: Path, nursery: Nursery) -> None:
        self.chance = Random(seed)  # noqa: S311 - plays tests, keeps no secret
        self.hands = Hands(folder, self.chance, nursery)
        self.told: list[str] = []
        self.acknowledged: dict[str, str] = {}
        self.departed: list[str] = []  # the commands that had to be given a reason
        self.known: list[EntryRow] = []
        self.entries: list[Entry] = []
        self.erased: list[str] = []
        self._number = 0
        self.most = self.chance.choice([4, 6, 7, 9, 12])
        self.folder = folder

    @property
    def record(self) -> Record:
        return self.hands.station("A").record(self.hands.tournament)

    def name(self) -> str:
        self._number += 1
        return f"storm-{self._number}"

    # -- what happens

    def open(self) -> None:
        """Open an event under a rulebook, with a policy or two other than usual."""
        rulebook = self.chance.choice(shipped_rulebooks())
        law = parse_rulebook(rulebook_text(rulebook))
        words = ["open", "Storm", "-b", rulebook]
        for flag in self.chance.sample(sorted(law.policies), k=self.chance.choice([0, 0, 1, 2])):
            words += ["-p", f"{flag}={self.chance.choice(values_of(law, flag))}"]
        opened = self.hands.run(words)
        if opened.code:
            words = words[:4]
            opened = self.hands.run(words)
        assert opened.code == 0, opened
        self.told.append(" ".join(words))
        [self.hands.tournament] = self.hands.station("A").tournaments()
        if self.chance.random() < 0.4:
            self.hands.demand_tokens()
            self.told.append("every station has a token")
        if law.divisions is not None and self.chance.random() < 0.3:
            self._register_many()

    def _register_many(self) -> None:
        """Enough of one division for flights."""
        field = [f"M{number:02},masters" for number in range(IN_FLIGHTS)]
        field += [f"J{number:02},junior" for number in range(5)]
        self.step(Act("register-roster", {"roster": "\n".join(["name,division", *field])}), "program")
        self.step(Act("announce-structure", {"style": "swiss-with-cut", "rounds": 5, "cut": 8, "prizes": 8}))
        self.step(Act("draw-flights", {"division": "masters", "flights": 2}))

    def step(self, act: Act | None = None, way: str | None = None) -> None:
        """Execute one act, or several at once."""
        record = self.record
        situation = Situation(record, self.chance, self._number, self.most)
        roll = self.chance.random()
        if act is None and roll < 0.03 and situation.entered:
            self._erase(record)
        elif act is None and roll < 0.06:
            self.hands.anew()
        elif act is None and roll < 0.08 and situation.entered:
            self._dispute(situation)
        elif act is None and roll < 0.12 and len(situation.open_tables) > 1:
            self._burst(situation)
        else:
            self._give(act or situation.next_act(), way)

    def _give(self, act: Act, way: str | None = None) -> None:
        """Give a command; if it is refused for lack of a reason, sometimes give it again with one."""
        way = way or self._way()
        ended = self._carry(act, self.name(), None, way)
        asks = ended.how == "refused" and "reason" in ended.said
        if asks and act.kind != "close-tournament" and self.chance.random() < 0.6:
            meant = act if act.by_reason is None else act._replace(fields={**act.fields, act.by_reason: True})
            name = self.name()
            if self._carry(meant, name, "wanted", way).how == "done" and act.by_reason is not None:
                self.departed.append(name)

    def _way(self) -> str:
        return self.chance.choices(list(WAYS), list(WAYS.values()))[0]

    def _carry(self, act: Act, name: str, reason: str | None, way: str) -> Ended:
        ended = self.hands.carry(act, name, reason, way)
        self._tell(name, act, reason, way, ended)
        while ended.how == "unknown":
            was = self._entries_of(name)
            again = self._way()
            ended = self.hands.carry(act, name, reason, again)
            self._tell(name, act, reason, f"again, {again}", ended)
            if was:
                assert ended.how != "refused", "what was recorded before the kill is not refused"
                assert self._entries_of(name) == was, "a command that is sent again is recorded once"
        if ended.how == "done":
            self.acknowledged[name] = act.kind
        return ended

    def _tell(self, name: str, act: Act, reason: str | None, way: str, ended: Ended) -> None:
        said = " ".join(ended.said.split())[:200]
        self.told.append(f"{name} [{way}] {act.kind} {act.fields} {reason or ''}: {ended.how} {said}")

    def _entries_of(self, name: str) -> list[int]:
        log = self.hands.station("B").entries(self.hands.tournament)
        return [entry.position for entry in log if entry.command == name]

    def _burst(self, situation: Situation) -> None:
        """Several processes report at the same time, and two of them report the same table."""
        tables = self.chance.sample(situation.open_tables, k=min(3, len(situation.open_tables)))
        acts = [
            (Act("report-slip", {"table": table, "outcome": situation.outcome}), self.name())
            for table in [*tables, tables[0]]
        ]
        for (act, name), ended in zip(acts, self.hands.at_once(acts), strict=True):
            self._tell(name, act, None, "at once", ended)
            if ended.how == "done":
                self.acknowledged[name] = act.kind

    def _dispute(self, situation: Situation) -> None:
        """A player calls the desk about a result; this needs no token."""
        name = self.name()
        claim = self.chance.choice(["won", "lost", "other"])
        words = ["call", f"#{situation.player}", "--claim", claim, "--command-id", name]
        printed = self.hands.run(words, writes=True)
        assert printed.code in (0, 2, 3, 4), printed
        self.told.append(f"{name} {' '.join(words)}: {printed.code} {printed.err}")
        if printed.code == 0:
            self.acknowledged[name] = "call"

    def _erase(self, record: Record) -> None:
        player = self.chance.choice(record.entered())
        certificate = self.folder / f"erasure-{self._number}.txt"
        words = ["erase", f"#{player.number}", "--yes", "--reason", "asked", "--out", str(certificate)]
        printed = self.hands.run([*words, "--command-id", self.name()], writes=True)
        assert printed.code in (0, 2, 3), printed
        self.told.append(f"erase #{player.number}: {printed.code} {printed.err}")
        if printed.code == 0:
            self.erased.append(player.name)

    def end(self) -> None:
        """Finish everything open and close the event, so that every draw can be derived again."""
        for _ in range(80):
            record = self.record
            situation = Situation(record, self.chance, self._number, self.most)
            if not situation.open_tables:
                break
            self._carry(situation.report(), self.name(), None, "station A")
        close = Act("close-tournament", {"deviating": True})
        for way in ("station B", "terminal"):
            if self._carry(close, self.name(), "the end", way).how == "done":
                self.check(everything=True)
                self._need_derived()
                return

    # -- what always holds

    def check(self, *, everything: bool = False) -> None:
        """Compare the log, the records and, on request, every face with each other."""
        self._need_one_log()
        self._need_same_records()
        self._need_everybody_seated()
        if everything:
            self._need_departures_listed()
            faces.need_alike(self.hands)
            faces.read_at_random(self.hands, self.chance, self.record)
            ledger = self.hands.station(self.chance.choice(STATIONS))
            found = verify(ledger, self.hands.tournament, known=ledger.head(self.hands.tournament))
            assert found == [], [str(finding) for finding in found]
            self._need_forgotten()

    def _need_one_log(self) -> None:
        """Every acknowledged command is there once, and the log has only grown."""
        ledger, tournament = self.hands.station("A"), self.hands.tournament
        rows = list(ledger.recorder.entry_rows(tournament))
        assert rows[: len(self.known)] == self.known, "the log only grows"
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        self.known = rows
        self.entries = list(ledger.entries(tournament))
        assert len(self.entries) == len(rows)
        commands = [entry.command for entry in self.entries]
        runs = Counter(name for name, before in zip(commands, ["", *commands], strict=False) if name != before)
        assert [name for name, times in runs.items() if times > 1] == [], "recorded twice"
        lost = [
            name for name, kind in self.acknowledged.items() if name not in runs and kind not in MAY_RECORD_NOTHING
        ]
        assert lost == [], f"acknowledged and lost: {lost}"
        slips = {name for name, kind in self.acknowledged.items() if kind == "report-slip"}
        facts = Counter(entry.command for entry in self.entries if entry.fact.kind == "result-reported")
        assert [name for name in slips if facts[name] > 1] == [], "a slip was recorded twice"

    def _need_same_records(self) -> None:
        """A replay gives the same state, at both stations."""
        replayed = snapshot(fold(self.entries))
        for name in STATIONS:
            assert snapshot(self.hands.station(name).record(self.hands.tournament)) == replayed, name

    def _need_everybody_seated(self) -> None:
        """Every active player is seated, has the bye, waits for the next round, or is named as left out."""
        record = self.record
        round_ = record.latest_round()
        if round_ is None or record.latest_round("elimination") is not None or record.closing is not None:
            return
        seated = {player for two in round_.tables.values() for player in two}
        seated |= {bye.player for bye in round_.byes}
        missing = [player.number for player in record.active_players() if player.number not in seated]
        missing = [player for player in missing if not self._came_later(player, round_.position)]
        listed = {item.entry.position for item in integrity(self.entries) if item.kind == LEFT_OUT}
        assert not missing or round_.position in listed, f"nobody says why {missing} sit at no table"

    def _came_later(self, player: int, paired: int) -> bool:
        """Whether a player became active, or was told to wait, after a round was paired."""
        record = self.record
        round_ = record.latest_round()
        assert round_ is not None
        if round_.number in record.charged_rounds(player, round_.number):
            return True
        late = [entry.fact for entry in self.entries if entry.position > paired and entry.fact.kind in MOVES]
        return any(
            fact.kind in ("entry-retracted", "pairing-amended")
            or player in (getattr(fact, "number", None), getattr(fact, "player", None))
            for fact in late
        )

    def _need_departures_listed(self) -> None:
        """The integrity report lists every command that needed a reason."""
        laws = map(rulebook_text, shipped_rulebooks())
        listed = {item.entry.position for item in integrity(self.entries, shipped_laws=laws)}
        for name in self.departed:
            positions = {entry.position for entry in self.entries if entry.command == name}
            assert positions & listed, f"{name} needed a reason, and integrity lists none of {positions}"

    def _need_forgotten(self) -> None:
        """No face names an erased person."""
        for name in self.erased:
            said = self.hands.run(["players"]).out + self.hands.ask(f"/t/{self.hands.tournament}/standings")[1]
            assert name not in said, f"{name} was erased"

    def _need_derived(self) -> None:
        """After the end every draw is derived again: by the program, and by the independent page."""
        verified = self.hands.run(["verify", "--pairings"])
        assert verified.code == 0, verified
        export = self.folder / "log.jsonl"
        assert self.hands.run(["export", str(export)], writes=False).code == 0
        page = str(DOCS / "recompute_pairings.py")
        derived = subprocess.run([sys.executable, page, str(export)], capture_output=True, text=True, check=False)  # noqa: S603
        assert derived.returncode == 0, derived.stdout + derived.stderr


MOVES = ("player-registered", "player-arrived-late", "player-rejoined", "entry-retracted", "pairing-amended")
LEFT_OUT = "player left out of a round"
