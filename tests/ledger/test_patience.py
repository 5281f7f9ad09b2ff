"""Patience: a slow commit gives one message, a quick one none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from matchledger.ledger.patience import Patience

SECONDS = 0.2


def within(seconds: float, held: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not held() and time.monotonic() < deadline:
        time.sleep(0.01)
    return held()


def test_a_slow_commit_gives_one_message() -> None:
    notes: list[str] = []
    patience = Patience(SECONDS, lambda: notes.append("slow"))
    patience.begin("commit")
    assert within(10, lambda: notes == ["slow"])
    time.sleep(2 * SECONDS)
    patience.end("commit")
    assert notes == ["slow"]


def test_many_quick_commits_give_no_message() -> None:
    notes: list[str] = []
    patience = Patience(10, lambda: notes.append("slow"))
    for number in range(100):
        patience.begin(number)
        patience.end(number)
    assert not notes


def test_a_commit_that_was_refused_before_it_began_causes_no_error() -> None:
    Patience(SECONDS, lambda: None).end("a commit that was refused")


def test_the_watching_thread_ends_without_commits_and_starts_again() -> None:
    notes: list[str] = []
    patience = Patience(SECONDS, lambda: notes.append("slow"))
    others = set(threading.enumerate())

    def watching() -> bool:
        return any(thread.name == "patience" for thread in set(threading.enumerate()) - others)

    patience.begin(1)
    patience.end(1)
    assert watching()
    assert within(10, lambda: not watching())
    patience.begin(2)
    assert within(10, lambda: notes == ["slow"])
    patience.end(2)
