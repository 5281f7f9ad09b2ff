"""A worker records waiting slips in one transaction. If the transaction fails, the worker records each slip by
itself. Quick questions share a trip to the thread, and slips come first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest

from matchledger.ledger import Ledger, LedgerError, open_ledger
from matchledger.web import worker
from matchledger.web.worker import Rank, Worker, _Question


@pytest.mark.parametrize("fails", [True, False])
def test_one_transaction_records_all_waiting_slips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    file, one, other = tmp_path / "event.ledger", uuid4(), uuid4()
    open_ledger(file, create=True).close()
    done: list[str] = []

    @contextmanager
    def together(_: Ledger, tournament: UUID) -> Iterator[None]:
        done.append("begin" if tournament == one else "begin another")
        yield
        if fails:
            raise LedgerError("the disk is full")
        done.append("end")

    monkeypatch.setattr(Ledger, "together", together)

    def slip(name: str, _: Ledger) -> str:
        done.append(name)
        if name == "refused":
            raise ValueError(name)
        return name

    async def ask() -> list[object]:
        async with Worker("desk").open(str(file)) as desk:
            names = {"a": one, "refused": one, "b": one, "c": other, "d": None}
            asked = [desk.ask(partial(slip, name), Rank.RECORD, together=where) for name, where in names.items()]
            return [str(found) for found in await asyncio.gather(*asked, return_exceptions=True)]

    assert asyncio.run(ask()) == ["a", "refused", "b", "c", "d"]
    first, second = ["begin", "a", "refused", "b"], ["begin another", "c"]
    if fails:
        assert done == [*first, *first[1:], *second, *second[1:], "d"]
    else:
        assert done == [*first, "end", *second, "end", "d"]


def test_quick_questions_share_a_trip_to_the_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "event.ledger"
    open_ledger(file, create=True).close()
    trips: list[list[str]] = []

    def answers(asked: Sequence[_Question], ledger: Ledger) -> list[Any]:
        trips.append([one.text(ledger) for one in asked])
        return trips[-1]

    monkeypatch.setattr(worker, "_answers", answers)

    def name_of(name: str, _: Ledger) -> str:
        return name

    async def ask() -> list[str]:
        async with Worker("desk").open(str(file)) as desk:
            ranks = {"page": Rank.STAFF, "a": Rank.STAFF, "b": Rank.STAFF, "slip": Rank.RECORD, "c": Rank.STAFF}
            asked = [desk.ask(partial(name_of, name), rank, quick=name in "abc") for name, rank in ranks.items()]
            return await asyncio.gather(*asked)

    assert asyncio.run(ask()) == ["page", "a", "b", "slip", "c"]
    assert trips == [["slip"], ["page"], ["a", "b", "c"]]
