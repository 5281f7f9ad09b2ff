"""Checks: what must be true after every step of a storm."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.storm import faces
from tests.storm.hands import STATIONS, Hands

from matchledger.events import CopyMerged, Entry
from matchledger.ledger import open_ledger, verify
from matchledger.ledger.recorder import EntryRow
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.snapshot import snapshot
from matchledger_projections.rulebook.rulebook import rulebook_text, shipped_rulebooks
from matchledger_projections.views.integrity import integrity

DOCS = Path(__file__).parents[2] / "docs"
MAY_RECORD_NOTHING = {"draw-ties", "check-in"}


class Checks:
    """What a storm knows about an event, and the checks of this knowledge."""

    def __init__(self, hands: Hands, folder: Path) -> None:
        self.hands, self.folder = hands, folder
        self.acknowledged: dict[str, str] = {}  # the kind of each acknowledged command, by its id
        self.departed: list[str] = []  # commands that needed a reason
        self.erased: list[str] = []
        self.known: list[EntryRow] = []
        self.entries: list[Entry] = []
        self._compared = 0  # the number of entries when the faces were last compared

    @property
    def record(self) -> Record:
        return self.hands.station("A").record(self.hands.tournament)

    def all(self) -> None:
        """Compare the log, the records and every face with each other."""
        self._need_one_log()
        self._need_same_records()
        self._need_everybody_seated()
        self._need_departures_listed()
        if len(self.entries) > self._compared:  # the faces show only the log, so compare them after new entries
            faces.need_alike(self.hands, self.record, self.folder)
            self._compared = len(self.entries)
        ledger = self.hands.station(self.hands.chance.choice(STATIONS))
        found = verify(ledger, self.hands.tournament, known=ledger.head(self.hands.tournament))
        assert found == [], [str(finding) for finding in found]
        faces.soon(self._need_forgotten)

    def _need_one_log(self) -> None:
        """Assert that each acknowledged command is in the log once, and that the log has only grown."""
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
        """Assert that each station's record equals a replay of the log."""
        replayed = snapshot(fold(self.entries))
        for name in STATIONS:
            assert snapshot(self.hands.station(name).record(self.hands.tournament)) == replayed, name

    def _need_everybody_seated(self) -> None:
        """Assert that every active player has a seat or the bye, waits for the next round, or is reported as left
        out.
        """
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
        """Return whether a player became active, or was told to wait, after a round was paired."""
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
        """Assert that the integrity report lists each entry that needed a reason."""
        laws = map(rulebook_text, shipped_rulebooks())
        listed = {item.entry.position for item in integrity(self.entries, shipped_laws=laws)}
        for name in self.departed:
            positions = {entry.position for entry in self.entries if entry.command == name}
            assert positions & listed, f"{name} needed a reason, and integrity lists none of {positions}"

    def _need_forgotten(self) -> None:
        """Assert that no face names an erased player."""
        for name in self.erased:
            said = self.hands.run(["players"]).out + self.hands.ask(f"/t/{self.hands.tournament}/standings")[1]
            assert name not in said, f"{name} was erased"

    def need_copied(self, copy: Path) -> None:
        """Assert that the log contains every entry of a merged copy, unchanged or inside the entry of the merge."""
        with open_ledger(copy) as other:
            rows = list(other.recorder.entry_rows(self.hands.tournament))
        ledger = self.hands.station("A")
        held = {row.state for row in ledger.recorder.entry_rows(self.hands.tournament)}
        for entry in ledger.entries(self.hands.tournament):
            if isinstance(entry.fact, CopyMerged):
                held |= {copied.state.encode() for copied in entry.fact.entries}
        assert [row.position for row in rows if row.state not in held] == [], f"{copy} was merged, and lost entries"

    def need_derived(self) -> None:
        """After the end, derive every draw again, with the program and with docs/recompute_pairings.py."""
        verified = self.hands.run(["verify", "--pairings"])
        assert verified.code == 0, verified
        export = self.folder / "log.jsonl"
        assert self.hands.run(["export", str(export)], writes=False).code == 0
        page = str(DOCS / "recompute_pairings.py")
        derived = subprocess.run([sys.executable, page, str(export)], capture_output=True, text=True, check=False)  # noqa: S603
        assert derived.returncode == 0, derived.stdout + derived.stderr


MOVES = ("player-registered", "player-arrived-late", "player-rejoined", "entry-retracted", "pairing-amended")
LEFT_OUT = "player left out of a round"
