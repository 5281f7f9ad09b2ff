"""A stranger's request is refused, delayed or dropped before it costs the desk anything."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.web.conftest import Browser

from matchledger.ledger import Ledger
from matchledger.web.connections import Config, Connection, Crowd
from matchledger.web.gate import COSTLY_AT_ONCE, Gate
from matchledger.web.worker import MOST_COSTLY, Rank, TooBusy, Worker

pytestmark = pytest.mark.finding("A-4")

SLIP = b'{"kind": "report-slip", "table": 1, "outcome": "a"}'


def _status(app: Any, path: str, *headers: tuple[bytes, bytes], client: str = "10.0.0.9") -> int:
    """Return the status of a POST whose body is never read."""
    statuses: list[int] = []

    async def receive() -> Message:
        raise AssertionError("the body was read")

    async def send(message: Message) -> None:
        await asyncio.sleep(0)
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json"), *headers],
        "client": (client, 1),
        "server": ("localhost", 80),
        "state": {},
    }
    asyncio.run(app(scope, receive, send))
    return statuses[0]


@pytest.mark.parametrize("path", ["commands", "preview"])
def test_a_command_without_a_key_is_refused_before_its_body_is_read(browser: Browser, home: str, path: str) -> None:
    address = f"/api/tournaments/{home.split('/')[2]}/{path}"
    assert _status(browser.app, address, (b"content-length", b"40000000")) == 401


def test_requests_of_strangers_have_a_size_limit(browser: Browser) -> None:
    answer = browser.post("/enter", data={"key": "x" * 20_000}, headers={"accept-language": "de"})
    assert answer.status_code == 413
    assert "mehr als 16 kB" in answer.text


def test_an_address_with_many_false_keys_must_wait_and_a_right_key_opens(
    browser: Browser, home: str, desk: str
) -> None:
    browser.app.state.failures._times = 3  # type: ignore[attr-defined] # noqa: SLF001 - fewer than in a hall
    path = f"/api/tournaments/{home.split('/')[2]}/standings"
    wrong = [browser.get(path, headers={"authorization": f"Bearer wrong{n}"}).status_code for n in range(5)]
    assert wrong == [401, 401, 401, 429, 429]
    assert browser.get(desk).status_code == 200


def test_abandoned_questions_are_skipped_and_slips_come_first(ledger: Path) -> None:
    done: list[str] = []

    async def hall() -> None:
        async with Worker("test").open(str(ledger)) as worker:

            def ask(name: str, rank: Rank) -> asyncio.Task[None]:
                return asyncio.ensure_future(worker.ask(lambda _: done.append(name), rank, "10.0.0.1"))

            first = ask("under way", Rank.HALL)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            abandoned = ask("abandoned search", Rank.COSTLY)
            rest = [ask("search", Rank.COSTLY), ask("page", Rank.HALL), ask("slip", Rank.RECORD)]
            await asyncio.sleep(0)
            abandoned.cancel()
            await asyncio.gather(first, *rest)

    asyncio.run(hall())
    assert done == ["under way", "slip", "page", "search"]


def test_searches_are_limited_for_each_address(ledger: Path) -> None:
    async def hall() -> None:
        async with Worker("test").open(str(ledger)) as worker:

            def search(address: str) -> asyncio.Task[int]:
                return asyncio.ensure_future(worker.ask(_length, Rank.COSTLY, address))

            asked = [search("10.0.0.1") for _ in range(MOST_COSTLY + 1)] + [search("10.0.0.2")]
            found = await asyncio.gather(*asked, return_exceptions=True)
            assert [type(one) for one in found] == [int] * MOST_COSTLY + [TooBusy, int]

    asyncio.run(hall())


class Queue:
    """Searches that wait at a gate. The program behind the gate answers no search until `turned` is set."""

    def __init__(self) -> None:
        self.gate, self.turned = Gate(lambda key: key == "staff"), asyncio.Event()
        self.begun: list[str] = []
        self.answered: list[int] = []

    async def app(self, scope: Scope, _: Receive, send: Send) -> None:
        self.begun.append(scope["client"][0])
        await self.turned.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.answered.append(message["status"])

    def search(self, address: str, key: str = "") -> asyncio.Task[None]:
        headers = [(b"authorization", f"Bearer {key}".encode())] if key else []
        scope = {
            "type": "http",
            "path": "/t/1/log",
            "query_string": b"q=a",
            "headers": headers,
            "client": (address, 1),
        }
        return asyncio.ensure_future(self.gate.pass_(self.app, scope, _nothing, self.send))


def test_one_address_may_have_only_a_few_waiting_searches() -> None:

    async def hall() -> list[int]:
        queue = Queue()
        asked = [queue.search("10.0.0.1") for _ in range(COSTLY_AT_ONCE + MOST_COSTLY + 3)]
        asked.append(queue.search("10.0.0.2"))
        await asyncio.sleep(0)
        queue.turned.set()
        await asyncio.gather(*asked)
        return queue.answered

    answered = asyncio.run(hall())
    assert Counter(answered) == {200: COSTLY_AT_ONCE + MOST_COSTLY + 1, 503: 3}


def test_the_desk_does_not_wait_behind_strangers() -> None:

    async def hall() -> list[str]:
        queue = Queue()
        strangers = [queue.search("10.0.0.1", key) for key in ["", "wrong"] * COSTLY_AT_ONCE]
        desk = queue.search("10.0.0.3", "staff")
        await asyncio.sleep(0)
        begun = list(queue.begun)
        queue.turned.set()
        await asyncio.gather(*strangers, desk)
        return begun

    assert asyncio.run(hall()) == ["10.0.0.1"] * COSTLY_AT_ONCE + ["10.0.0.3"]


async def _nothing() -> Message:
    return {"type": "http.request"}


def _length(ledger: Ledger) -> int:
    return len(ledger.tournaments())


class Line:
    """A connection as the server sees it."""

    def __init__(self, *, is_of_a_stranger: bool = False) -> None:
        self.is_of_a_stranger = is_of_a_stranger
        self.transport = self
        self.is_open = True

    def abort(self) -> None:
        self.is_open = False


def test_the_connection_that_was_idle_longest_makes_room() -> None:
    crowd = Crowd(3)
    desk, stream, idle, new, newest = Line(), Line(is_of_a_stranger=True), Line(), Line(), Line()
    for line in (desk, stream, idle):
        crowd.enter(cast(Connection, line))
    for line in (desk, stream):
        crowd.leave(cast(Connection, line))
    crowd.enter(cast(Connection, new))
    assert not idle.is_open
    crowd.leave(cast(Connection, new))
    crowd.enter(cast(Connection, newest))
    assert [line.is_open for line in (desk, stream, new, newest)] == [True, False, True, True]


def test_connections_that_are_not_accepted_are_counted_and_not_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    crowd = Crowd(3)
    loop = asyncio.new_event_loop()
    try:
        crowd.failed_to_accept(
            loop, {"message": "socket.accept() out of system resource", "exception": OSError(24)}
        )
    finally:
        loop.close()
    assert crowd.refused == 1
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("proxy", "counted"), [(None, "10.0.0.1"), ("10.0.0.1", "7.7.7.7"), ("10.0.0.2", "10.0.0.1")]
)
def test_a_forwarded_address_counts_only_from_the_named_proxy(proxy: str | None, counted: str) -> None:
    seen: list[str] = []

    async def app(scope: Scope, receive: object, send: object) -> None:  # noqa: ARG001 - as ASGI has it
        await asyncio.sleep(0)
        seen.append(scope["client"][0])

    config = Config(app, proxy=proxy, log_level="critical")
    config.load()
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "client": ("10.0.0.1", 1),
        "headers": [(b"x-forwarded-for", b"7.7.7.7")],
    }
    asyncio.run(config.loaded_app(scope, None, None))
    assert seen == [counted]
