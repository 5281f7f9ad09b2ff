"""How many slips per second reach the disk, from the stations of one event or of a league, and a server's
memory.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from http.client import HTTPConnection
from multiprocessing.queues import Queue
from pathlib import Path
from urllib.request import urlopen
from uuid import UUID, uuid4

import psycopg
from tests.benchmarks.events import SECRET, Played
from tests.benchmarks.measuring import markdown
from tests.benchmarks.serving import BARE as FASTAPI
from tests.benchmarks.serving import free_port, process
from tests.databases import database, server

from matchledger.commands import results as slips
from matchledger.events import TokenKeyTrusted
from matchledger.ledger import Clerk, Conflict, Draft, Ledger, open_ledger
from matchledger.ledger.recorder import EntryRow
from matchledger.notation.slip import Written
from matchledger.proof.keys import SigningKey
from matchledger.proof.station_token import StationToken, issue

STATIONS = (1, 4, 16)
WORKERS = 4  # how many processes serve a league together
LEAGUE_PLAYERS = 8
ROW = b"x" * 430  # a stored slip has about this many bytes

Place = str | Path
Wait = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Steps:
    """The work of one station: when it begins and ends, and how long each step takes, in seconds by the clock.

    `spent` is the processor time of all steps, in seconds. `memory` is the memory of the process at its end, in
    bytes.
    """

    begin: float
    end: float
    taken: list[float]
    spent: float
    memory: int


@dataclass(frozen=True, slots=True)
class Rate:
    """Steps per second of all stations together, by the clock, and the duration of the slowest hundredth in
    seconds.

    `spent` is the processor time of all stations per step, in seconds. `memory` is the memory of all stations, in
    bytes.
    """

    per_second: float
    p99: float
    steps: int
    spent: float
    memory: int


def at_once(stations: int, work: Callable[[int, Wait], Steps]) -> Rate:
    """Run a function in several processes at the same time. Each process gets its number and waits until all
    are ready.
    """
    fork = multiprocessing.get_context("fork")
    told: Queue[Steps] = fork.Queue()
    gate = fork.Barrier(stations)

    def station(number: int) -> None:
        told.put(work(number, gate.wait))

    processes = [fork.Process(target=station, args=(number,)) for number in range(stations)]
    for started in processes:
        started.start()
    said = [told.get(timeout=3600) for _ in processes]
    for started in processes:
        started.join()
    taken = sorted(step for steps in said for step in steps.taken)
    spent = max(steps.end for steps in said) - min(steps.begin for steps in said)
    processor = sum(steps.spent for steps in said)
    memory_ = sum(steps.memory for steps in said)
    return Rate(len(taken) / spent, taken[int(len(taken) * 0.99)], len(taken), processor / len(taken), memory_)


def repeated(wait: Wait, step: Callable[[int], None], most: int, seconds: float) -> Steps:
    """Wait until every station is ready, then repeat a step until the time is over."""
    wait()
    taken = []
    spent = time.process_time()
    begin = now = time.monotonic()
    for number in range(most):
        if now >= begin + seconds:
            break
        step(number)
        before, now = now, time.monotonic()
        taken.append(now - before)
    return Steps(begin, now, taken, time.process_time() - spent, _resident(os.getpid()))


# -- the stations of one event


def report_slips(
    place: Place, event: Event, stations: int, seconds: float, number: int, wait: Wait, *, signed: bool
) -> Steps:
    """Station `number` records the slips of its own tables, and signs their entries if they are `signed`."""
    with open_ledger(place) as ledger:
        clerk = ledger.admit(event.tournament, event.tokens[number]) if signed else Clerk()
        latest = ledger.record(event.tournament).latest_round()
        assert latest is not None
        tables = latest.outstanding[number::stations]

        def step(turn: int) -> None:
            _report(ledger, event.tournament, tables[turn], clerk)

        return repeated(wait, step, len(tables), seconds)


def _report(ledger: Ledger, tournament: UUID, table: int, clerk: Clerk) -> None:
    """Record a slip. If other stations were first, try again, as a person at a desk would."""
    decision = partial(slips.report, table=table, written=Written(winner=0))
    while True:
        try:
            ledger.decide(tournament, decision, clerk=clerk)
        except Conflict:
            continue
        return


def report_to_server(
    port: int,
    keys: Sequence[str],
    tournament: UUID,
    tables: int,
    seconds: float,
    number: int,
    wait: Wait,
) -> Steps:
    """Desk `number` sends the slips of its own tables to a server, with its own key."""
    own = range(1, tables + 1)[number :: len(keys)]
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as server_:

        def step(turn: int) -> None:
            server_.request(
                "POST",
                f"/api/tournaments/{tournament}/commands",
                json.dumps({"kind": "report-slip", "table": own[turn], "outcome": "a"}),
                {"authorization": f"Bearer {keys[number]}", "content-type": "application/json"},
            )
            with server_.getresponse() as answer:
                if answer.status != HTTPStatus.OK:
                    raise RuntimeError(answer.read().decode())
                answer.read()

        step(0)  # read the log before the measurement, because a working server has read it too
        return repeated(wait, lambda turn: step(turn + 1), len(own) - 1, seconds)


def insert_in_file(file: Path, seconds: float, number: int, wait: Wait) -> Steps:
    """Measure the cheapest durable write in an SQLite file: one INSERT and one COMMIT."""
    with closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")

        def step(turn: int) -> None:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT INTO bare VALUES (?, ?, ?)", (number, turn, ROW))
            connection.execute("COMMIT")

        return repeated(wait, step, 10**9, seconds)


def insert_in_database(url: str, seconds: float, number: int, wait: Wait) -> Steps:
    """Measure the cheapest durable write in PostgreSQL."""
    with psycopg.connect(url) as connection:

        def step(turn: int) -> None:
            connection.execute("INSERT INTO bare VALUES (%s, %s, %s)", (number, turn, ROW))
            connection.commit()

        return repeated(wait, step, 10**9, seconds)


BARE = "CREATE TABLE bare (station {0}, turn {0}, state {1}, PRIMARY KEY (station, turn))"


def chain_in_file(file: Path, seconds: float, number: int, wait: Wait) -> Steps:  # noqa: ARG001 - as the others
    """Measure the cheapest durable chain in an SQLite file: each row has the hash of the row before."""
    with closing(sqlite3.connect(file, timeout=60, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = FULL")

        def step(_: int) -> None:
            connection.execute("BEGIN IMMEDIATE")
            last, root = connection.execute(LAST).fetchone() or (0, b"")
            connection.execute("INSERT INTO chain VALUES (?, ?, ?)", (last + 1, ROW, sha256(root + ROW).digest()))
            connection.execute("COMMIT")

        return repeated(wait, step, 10**9, seconds)


def chain_in_database(url: str, seconds: float, number: int, wait: Wait) -> Steps:  # noqa: ARG001 - as the others
    """Measure the cheapest durable chain in PostgreSQL: one call that waits for the last row and appends to it."""
    with psycopg.connect(url, autocommit=True) as connection:

        def step(_: int) -> None:
            connection.execute("SELECT append_to_chain(%s)", (ROW,), prepare=True)

        return repeated(wait, step, 10**9, seconds)


CHAIN = "CREATE TABLE chain (turn {0} PRIMARY KEY, state {1}, root {1})"
LAST = "SELECT turn, root FROM chain ORDER BY turn DESC LIMIT 1"
APPEND = """
CREATE FUNCTION append_to_chain(added bytea) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    last bigint := 0;
    last_root bytea := '';
BEGIN
    PERFORM pg_advisory_xact_lock(1);
    SELECT turn, root INTO last, last_root FROM chain ORDER BY turn DESC LIMIT 1;
    INSERT INTO chain VALUES (COALESCE(last, 0) + 1, added, sha256(COALESCE(last_root, '') || added));
END $$"""


def slips_per_second(folder: Path, seconds: float, tables: int) -> Iterator[str]:
    """Measure slips of one event on each store, the cheapest durable write, and the cheapest chain."""
    yield (
        f"One event with {tables:,} tables. Each station is a process that reports slips without a pause. A slip\n"
        "counts once its entry and its hashes are on the disk.\n\n"
        "A log is a chain, so the stations of one event commit one after the other. The chained rows show the\n"
        "cost of a chain alone: each station waits for the last row, and adds a row with a hash over the last\n"
        "hash. The stations decide nothing, check nothing and encode nothing.\n\n"
        "With a token, a station signs each entry, and checks the signatures of the others.\n\n"
    )
    rows = []
    with server(durable=True) as running:
        for stations in STATIONS:
            bare = folder / f"bare{stations}.db"
            with closing(sqlite3.connect(bare)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute(BARE.format("INTEGER", "BLOB"))
                connection.execute(CHAIN.format("INTEGER", "BLOB"))
            least = at_once(stations, partial(insert_in_file, bare, seconds))
            chained = at_once(stations, partial(chain_in_file, bare, seconds))
            for signed in (False, True):
                file = folder / f"stations{stations}{signed}.ledger"
                event = paired_event(file, tables, signed=signed)
                ours = at_once(stations, partial(report_slips, file, event, stations, seconds, signed=signed))
                rows.append(_row("SQLite file", stations, ours, least, chained, signed=signed))
        for signed in (False, True):
            file = folder / f"desks{signed}.ledger"
            event = paired_event(file, tables, signed=signed)
            port = free_port()
            with process(
                "-m", "matchledger", "serve", "--ledger", str(file), "--port", str(port), port=port
            ) as serving:
                keys = event.tokens if signed else [serving.key()] * len(event.tokens)
                desk = partial(report_to_server, port, keys, event.tournament, tables, seconds)
                ours = at_once(len(keys), desk)
                rows.append(
                    _row("SQLite file of one server, by HTTP", len(keys), ours, least, chained, signed=signed)
                )
        for stations in STATIONS:
            with database(running) as url:
                with psycopg.connect(url) as made:
                    made.execute(BARE.format("bigint", "bytea"))
                    made.execute(CHAIN.format("bigint", "bytea"))
                    made.execute(APPEND)
                least = at_once(stations, partial(insert_in_database, url, seconds))
                chained = at_once(stations, partial(chain_in_database, url, seconds))
                for signed in (False, True):
                    event = paired_event(url, tables, signed=signed)
                    ours = at_once(stations, partial(report_slips, url, event, stations, seconds, signed=signed))
                    rows.append(_row("PostgreSQL", stations, ours, least, chained, signed=signed))
    yield markdown(
        [
            *("store", "stations", "signed", "slips a second", "p99"),
            *("bare INSERT and COMMIT a second", "p99", "ratio"),
            *("chained a second", "p99", "ratio"),
        ],
        rows,
    )


def _row(store: str, stations: int, ours: Rate, bare: Rate, chained: Rate, *, signed: bool) -> list[str]:
    return [
        store,
        str(stations),
        "yes" if signed else "no",
        *_told(ours),
        *(text for one in (bare, chained) for text in (*_told(one), f"{ours.per_second / one.per_second:.2f}")),
    ]


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament whose first round is paired and has no results, with a token for each station."""

    tournament: UUID
    tokens: list[str]


def paired_event(place: Place, tables: int, *, signed: bool) -> Event:
    """Open an event, whose stations sign if it is `signed`. Names are unencrypted, so that the event needs no key
    file.
    """
    played = Played("l5r-2018", 2 * tables, keep=True)
    played.pair(1)
    key = SigningKey.generate("desk.example")
    if signed:
        played.note(TokenKeyTrusted(key=str(key.verification), demanded=False, signed=True, chained=True))
    draft = Draft(uuid4())
    draft.entries = [entry.model_copy(update={"tournament": draft.tournament}) for entry in played.entries]
    with open_ledger(place, create=True) as ledger:
        ledger.keep(draft, secret=SECRET)
    begin = datetime.now(UTC)
    tokens = [
        issue(
            key,
            StationToken(
                role="scorekeeper",
                actor="scorekeeper",
                station=f"desk {number}",
                issued=begin,
                not_before=begin,
                expires=begin + timedelta(days=1),
            ),
        )
        for number in range(1, max(STATIONS) + 1)
    ]
    return Event(draft.tournament, tokens)


# -- many tournaments at once


def league(sizes: Sequence[int], seconds: float) -> Iterator[str]:
    """Measure the commands of many small tournaments in one database, for two numbers of tournaments."""
    leagues = [_measured(size, seconds) for size in sizes]
    yield (
        f"Tournaments of {LEAGUE_PLAYERS} players, each with its first round paired: {leagues[0].entries} entries. "
        f"{WORKERS} processes share a database and send slips of all tournaments.\n"
        "The first slip of a tournament reads its log. Later slips find every tournament in memory.\n\n"
    )
    yield markdown(
        [
            "tournaments",
            "list of all",
            "first slips a second",
            "p99",
            "later slips a second",
            "p99",
            "memory of the processes",
        ],
        [
            [
                f"{size:,}",
                f"{one.listed * 1000:.0f} ms",
                *_told(one.first),
                *_told(one.later),
                f"{one.later.memory / 2**20:,.0f} MiB",
            ]
            for size, one in zip(sizes, leagues, strict=True)
        ],
    )
    few, many = leagues
    yield (
        f"\nFrom {sizes[0]:,} to {sizes[1]:,} tournaments, a first slip takes "
        f"{few.first.per_second / many.first.per_second:.2f} times as long, and a later slip "
        f"{few.later.per_second / many.later.per_second:.2f} times. "
        f"In processor time: {many.first.spent / few.first.spent:.2f} and "
        f"{many.later.spent / few.later.spent:.2f} times.\n"
    )


@dataclass(frozen=True, slots=True)
class _League:
    """The number of entries in a league's tournament, the seconds to list all tournaments, and the slips."""

    entries: int
    listed: float
    first: Rate
    later: Rate


def _measured(size: int, seconds: float) -> _League:
    with server(durable=True) as running, database(running) as url:
        names = [uuid4() for _ in range(size)]
        with open_ledger(url, create=True):
            pass  # opening the ledger makes the tables
        # The data of a measurement need not survive a crash.
        at_once(WORKERS, partial(_filled, f"{url}&options=-csynchronous_commit%3Doff", names))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
        with open_ledger(url) as ledger:
            entries = ledger.head(names[0]).size
            ledger.sizes()  # a server asks for the sizes again and again
            begin = time.monotonic()
            ledger.sizes()
            listed = time.monotonic() - begin
        first = at_once(WORKERS, partial(_first_slips, url, names, seconds))
        return _League(entries, listed, first, at_once(WORKERS, partial(_later_slips, url, names, seconds)))


def _told(rate: Rate) -> list[str]:
    return [f"{rate.per_second:,.0f}", f"{rate.p99 * 1000:.0f} ms"]


def fill(ledger: Ledger, names: Sequence[UUID], players: int = 32) -> None:
    """Make tournaments with a paired round: restore one log again and again under other names."""
    played = Played("l5r-2018", players, keep=True)
    played.pair(1)
    entries = [(entry.position, entry.fact.kind, entry.model_dump_json().encode()) for entry in played.entries]
    own = str(played.entries[0].tournament).encode()
    for name in names:
        rows = [
            EntryRow(position, topic, state.replace(own, str(name).encode())) for position, topic, state in entries
        ]
        ledger.restore(name, rows, secret=SECRET)


def _filled(url: str, names: Sequence[UUID], number: int, wait: Wait) -> Steps:
    with open_ledger(url) as ledger:
        return repeated(wait, lambda _: fill(ledger, names[number::WORKERS], LEAGUE_PLAYERS), 1, 1)


def _first_slips(url: str, names: Sequence[UUID], seconds: float, number: int, wait: Wait) -> Steps:
    own = names[number::WORKERS]
    with open_ledger(url) as ledger:
        return repeated(wait, lambda step: _report(ledger, own[step], 1, Clerk()), len(own), seconds)


def _later_slips(url: str, names: Sequence[UUID], seconds: float, number: int, wait: Wait) -> Steps:
    own = names[number::WORKERS]
    due = random.Random(number).sample(own, len(own))  # noqa: S311 - a made-up evening
    with open_ledger(url) as ledger:
        for name in own:  # a running server has loaded all these modules
            ledger.record(name)
        return repeated(wait, lambda step: _report(ledger, due[step], 2, Clerk()), len(due), seconds)


# -- the memory of a server


def memory(folder: Path, tournaments: int) -> Iterator[str]:
    """Measure the memory of a server that has shown every one of many tournaments."""
    file = folder / "league.ledger"
    with open_ledger(file, create=True) as ledger:
        names = [uuid4() for _ in range(tournaments)]
        fill(ledger, names)
    port = free_port()
    with process("-m", "matchledger", "serve", "--ledger", str(file), "--port", str(port), port=port) as running:
        before = _resident(running.process)
        taken, page = _visited([f"{running.address}t/{name}/" for name in names])
        after = _resident(running.process)
    script, shown = folder / "bare.py", folder / "page.html"
    script.write_text(FASTAPI, "utf-8")
    shown.write_bytes(page)
    port = free_port()
    with process(str(script), str(shown), str(port), port=port) as running:
        bare, _ = _visited([running.address] * tournaments)
    yield (
        f"A server of one file with {tournaments:,} tournaments of 32 players takes "
        f"{before / 2**20:.0f} MiB at its start, and {after / 2**20:.0f} MiB after a visit to each tournament:\n"
        f"{(after - before) / tournaments / 1024:.0f} KiB a tournament. "
        f"The first visit to all of them took {taken:.1f} s. "
        f"Bare FastAPI answers as many visits with one page of {len(page) // 1024} KiB in {bare:.2f} s.\n"
    )


def _visited(addresses: Sequence[str]) -> tuple[float, bytes]:
    """Return the seconds for one visit to each address, and the last page."""
    page = b""
    begin = time.monotonic()
    for address in addresses:
        with urlopen(address) as answer:  # noqa: S310 - our own server
            page = answer.read()
    return time.monotonic() - begin, page


def _resident(process_: int) -> int:
    """Return the memory of a process in bytes."""
    return int(Path(f"/proc/{process_}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
