"""A server of one event reads its log at once. A server of a league reads each log when somebody asks for it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import uuid4

import pytest
from tests.benchmarks.stations import fill

from matchledger.ledger import open_ledger
from matchledger.web.office import READ_AHEAD, Office


@pytest.mark.parametrize(("tournaments", "at_once"), [(1, True), (READ_AHEAD + 1, False)])
def test_the_server_of_a_league_reads_a_log_only_on_request(
    tmp_path: Path, tournaments: int, at_once: bool
) -> None:
    names = [uuid4() for _ in range(tournaments)]
    file = tmp_path / "league.ledger"
    with open_ledger(file, create=True) as ledger:
        fill(ledger, names)

    async def serve() -> list[bool]:
        async with Office(str(file), watch_seconds=100).open() as office:
            return [await office.show(lambda ledger: ledger.has_read(names[0])) for _ in range(2)]

    assert asyncio.run(serve())[1] is at_once
