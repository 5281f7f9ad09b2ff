"""The scripted dispute: a wrong slip in round 2 is found in round 4, and disputed again after the cut.

Eight players play four rounds paired by hand. After each round the standings are posted and signed. The slip of
round 2, table 1 says that Ann Lee beat Cy Dane. In round 4, Cy shows his copy of that slip, on which he won.
After the cut Ann protests, and the correction is taken back. When the paper slip is found, the correction is
restored.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from freezegun import freeze_time
from msgspec import Struct

from matchledger.cli import run
from matchledger.proof.keys import SigningKey
from matchledger.proof.merkle import Frontier, leaf_hash

PLAYERS = ("Ann Lee", "Bo Chen", "Cy Dane", "Dee Fox", "Eva Gray", "Flo Hill", "Gus Ives", "Hal Jones")
ROUNDS = (
    ("Ann/Bo", "Cy/Dee", "Eva/Flo", "Gus/Hal"),
    ("Ann/Cy", "Bo/Dee", "Eva/Gus", "Flo/Hal"),
    ("Ann/Eva", "Cy/Gus", "Bo/Flo", "Dee/Hal"),
    ("Ann/Gus", "Cy/Eva", "Bo/Hal", "Dee/Flo"),
)
DISPUTED = (2, 1)  # the round and the table of the disputed slip

Row = tuple[int, str, bytes]


class Dispute(Struct, frozen=True):
    """The ledger of the dispute, its signing key, and its entries."""

    ledger: Path
    key: Path
    vkey: str
    slip: int
    correction: int
    protest: int
    restored: int

    def copied_to(self, folder: Path) -> Path:
        """Copy the ledger and its keys, so that a test can change the copy. The copy looks as if another station
        had made it.
        """
        with (
            closing(sqlite3.connect(self.ledger)) as source,
            closing(sqlite3.connect(folder / "copy.ledger")) as copy,
        ):
            source.backup(copy)
        shutil.copy(f"{self.ledger}.keys", folder / "copy.ledger.keys")
        return folder / "copy.ledger"


class Script:
    """Commands typed on one ledger, ten minutes apart."""

    def __init__(self, ledger: Path, key: Path, tick: Callable[[float], object]) -> None:
        self._ledger = str(ledger)
        self._key = str(key)
        self._tick = tick

    def __call__(self, *arguments: str, signed: bool = False) -> None:
        key = ("--key", self._key) if signed else ()
        self._tick(600)
        assert run([*arguments, "--ledger", self._ledger, *key]) == 0, arguments


def play(folder: Path) -> Dispute:
    """Play the whole dispute, from the key to the checkpoint after the cut."""
    ledger, key = folder / "event.ledger", folder / "judges.key"
    with freeze_time("2026-05-03 10:00:00") as clock:
        assert run(["key", str(key), "--name", "example.org/judges"]) == 0
        _play(Script(ledger, key, clock.tick), ledger)
    slips = positions(ledger, "result-reported")
    [correction] = positions(ledger, "result-corrected")
    protest, restored = positions(ledger, "entry-retracted")
    vkey = str(SigningKey.parse(key.read_text()).verification)
    return Dispute(ledger, key, vkey, slips[4], correction, protest, restored)


def _play(script: Script, ledger: Path) -> None:
    script("open", "Spring Open", "--rulebook", "l5r-2018")
    for player in PLAYERS:
        script("register", player)
    for tables in ROUNDS[:3]:
        script("pair", *by_hand(tables))
        script("report", "1", "a", "2", "a", "3", "b", "4", "a")
        script("post", signed=True)
    script("pair", *by_hand(ROUNDS[3]), "--reason", "one more round")
    judge = ("--actor", "head judge", "--role", "judge")
    script("correct", "2", "1", "b", "--reason", "both signed the wrong side", *judge)
    script("report", "1", "b", "2", "a", "3", "a", "4", "b")
    script("post", signed=True)
    script("cut", "4", "--reason", "a short evening")
    [correction] = positions(ledger, "result-corrected")
    script("retract", str(correction), "--reason", "Ann Lee protests", "--override", *judge)
    [protest] = positions(ledger, "entry-retracted")
    script("retract", str(protest), "--reason", "the paper slip is found", "--override", *judge)
    script("checkpoint", signed=True)


def by_hand(tables: Iterable[str]) -> Iterator[str]:
    """Yield the options that pair a round by hand."""
    for table in tables:
        yield from ("--table", table)


def positions(ledger: Path, topic: str) -> list[int]:
    with closing(sqlite3.connect(ledger)) as database:
        query = "SELECT originator_version FROM stored_events WHERE topic = ? ORDER BY originator_version"
        return [position for (position,) in database.execute(query, (topic,))]


def stored(ledger: Path) -> list[Row]:
    """The stored entries as position, topic and bytes."""
    with closing(sqlite3.connect(ledger)) as database:
        query = "SELECT originator_version, topic, state FROM stored_events ORDER BY originator_version"
        return database.execute(query).fetchall()


def alter(ledger: Path, position: int, change: Callable[[str], str]) -> None:
    """Change a stored entry and nothing else."""
    [(state,)] = [(state,) for at, _, state in stored(ledger) if at == position]
    changed = change(state.decode()).encode()
    assert changed != state
    with closing(sqlite3.connect(ledger)) as database, database:
        database.execute("DROP TRIGGER stored_events_no_update")
        database.execute("UPDATE stored_events SET state = ? WHERE originator_version = ?", (changed, position))


def rewrite(ledger: Path, position: int, change: Callable[[str], str]) -> None:
    """Change an entry and rebuild the whole tree, so that the file itself shows no change."""
    rows = [
        (at, topic, change(state.decode()).encode() if at == position else state)
        for at, topic, state in stored(ledger)
    ]
    assert rows != stored(ledger)
    replace(ledger, rows)


def replace(ledger: Path, rows: Sequence[Row]) -> None:
    """Replace the entries and the hash tree of a ledger."""
    frontier = Frontier()
    with closing(sqlite3.connect(ledger)) as database, database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        [(tournament,)] = database.execute("SELECT DISTINCT originator_id FROM stored_events")
        database.execute("DELETE FROM stored_events")
        database.execute("DELETE FROM merkle_tree")
        for row in rows:
            nodes = b"".join(frontier.append(leaf_hash(*row)))
            database.execute("INSERT INTO stored_events VALUES (?, ?, ?, ?)", (tournament, *row))
            database.execute(
                "INSERT INTO merkle_tree VALUES (?, ?, ?, ?)", (tournament, row[0], nodes, frontier.head.root)
            )
