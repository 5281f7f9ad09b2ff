"""Connections: how the server listens, and how many may be open, idle, half sent or abandoned."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol

from matchledger.web.security import SAFE_METHODS

MOST = 10_000  # connections, where the machine lets a process have that many files
AT_ONCE = 8  # that are accepted in one go
BACKLOG = 2048  # that the machine keeps until they are accepted
SPARE = 128  # files for the ledger, and for connections that are closed at once
IDLE_SECONDS = 20.0  # until a request has begun, or an answer was taken
BODY_SECONDS = 60.0  # until a request was sent as a whole
WAITING_BYTES = 100_000_000  # of answers that nobody takes
SWEEP_SECONDS = 2.0
SWITCH_SECONDS = 0.001  # a thread that ranks the hall gives way to the desk after so long
GRACE_SECONDS = 2  # for answers under way when the server is stopped; open streams never end by themselves


class Abandoning:
    """Let a connection stop the reading that was asked for on it. What records is never stopped half way."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in SAFE_METHODS:
            scope["task"] = asyncio.current_task()
        try:
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if not scope.get("abandoned"):
                raise


class Connection(H11Protocol):
    """A connection to a browser: it ends when it is idle, and ends the reading that was asked for on it."""

    config: Config
    since = 0.0  # when something last began or ended on it

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as in the library
        super().connection_made(transport)
        self.since = time.monotonic()
        self.config.crowd.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.crowd.forget(self)
        super().connection_lost(exc)
        if self.is_busy and isinstance(task := self.scope.get("task"), asyncio.Task):
            self.scope["abandoned"] = True  # type: ignore[typeddict-unknown-key] # for Abandoning
            task.cancel()

    def handle_events(self) -> None:
        was_busy = self.is_busy
        super().handle_events()
        if self.is_busy and not was_busy:
            self.since = time.monotonic()
            self.config.crowd.leave(self)

    def on_response_complete(self) -> None:
        self.since = time.monotonic()
        self.config.crowd.enter(self)
        super().on_response_complete()

    @property
    def is_busy(self) -> bool:
        """Whether an answer is under way."""
        return self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr] # at first

    @property
    def is_of_a_stranger(self) -> bool:
        """Whether somebody without a key waits for something to read."""
        keys = (b"authorization", b"cookie")
        return self.is_busy and "task" in self.scope and not any(name in keys for name, _ in self.headers)

    def is_overdue(self, now: float) -> bool:
        """Whether a request, or whoever should take its answer, takes too long."""
        if self.is_busy:
            return bool(self.cycle.more_body) and now - self.since > BODY_SECONDS
        return now - self.since > IDLE_SECONDS


class Crowd:
    """All connections. There is always room for one more: the one that was idle longest makes it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.refused = 0  # connections that were closed for want of room, or could not be accepted
        self._open: dict[Connection, None] = {}
        self._idle: dict[Connection, None] = {}  # in the order in which they became so

    def enter(self, connection: Connection) -> None:
        """Note a connection that is idle from now on."""
        self._open[connection] = self._idle[connection] = None
        if len(self._open) > self.most:
            self.refused += 1
            oldest = next(iter(self._idle))
            if oldest is connection:  # all others are waiting for something
                oldest = next((one for one in self._open if one.is_of_a_stranger), connection)
            self.drop(oldest)

    def leave(self, connection: Connection) -> None:
        """Note a connection that is idle no more."""
        self._idle.pop(connection, None)

    def forget(self, connection: Connection) -> None:
        """Note a connection that is closed."""
        self._idle.pop(connection, None)
        self._open.pop(connection, None)

    def drop(self, connection: Connection) -> None:
        """Close a connection at once; what it was still to be sent is lost."""
        self.forget(connection)
        connection.transport.abort()

    def failed_to_accept(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count connections that the machine has no file for, instead of printing each of them."""
        if "accept" in context.get("message", ""):
            self.refused += 1
        else:
            loop.default_exception_handler(context)

    async def sweep(self) -> None:
        """Close what is overdue, for ever; and if too much waits to be taken, where most of it waits."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            for connection in [one for one in self._open if one.is_overdue(now)]:
                self.drop(connection)
            waiting = {one: one.transport.get_write_buffer_size() for one in self._open}
            much = sum(waiting.values())
            for connection in sorted(waiting, key=waiting.__getitem__, reverse=True):
                if much <= WAITING_BYTES:
                    break
                much -= waiting[connection]
                self.drop(connection)


class Config(uvicorn.Config):
    """How the server listens. `proxy` is the address of a proxy that says for whom it asks."""

    def __init__(self, app: ASGIApp, *, proxy: str | None = None, **more: Any) -> None:
        allowed = _files()
        self.crowd = Crowd(max(16, min(MOST, allowed - SPARE)))
        super().__init__(
            Abandoning(app),
            http=Connection,
            loop="asyncio",
            ws="none",
            backlog=AT_ONCE,  # to the library this is how many are accepted before anything else goes on
            access_log=False,
            server_header=False,
            proxy_headers=proxy is not None,
            forwarded_allow_ips=proxy or "",
            **more,
        )


class Server(uvicorn.Server):
    """A server whose crowd is swept, and whose threads give way to each other quickly.

    In the end it says how many connections there was no room for.
    """

    config: Config

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        async with _watched(self.config.crowd):
            await super().serve(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(BACKLOG)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if refused := self.config.crowd.refused:
            sys.stderr.write(f"{refused} connections were closed because too many were open\n")


@asynccontextmanager
async def _watched(crowd: Crowd) -> AsyncIterator[None]:
    asyncio.get_running_loop().set_exception_handler(crowd.failed_to_accept)
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    sweeping = asyncio.create_task(crowd.sweep())
    try:
        yield
    finally:
        sys.setswitchinterval(before)
        sweeping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await sweeping


def run(app: ASGIApp, host: str, port: int, *, proxy: str | None = None) -> None:
    """Serve until somebody ends it."""
    server = Server(Config(app, proxy=proxy, log_level="error", timeout_graceful_shutdown=GRACE_SECONDS))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only of a socket that says that it is one of TCP the library knows that nothing may be held back on it.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        with contextlib.suppress(KeyboardInterrupt):
            server.run([listening])
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def _files() -> int:
    """How many files this process may have open: as many as the machine allows."""
    try:
        import resource  # noqa: PLC0415 - Windows has none, and no such limit
    except ImportError:
        return MOST * 2
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST * 2 if hard == resource.RLIM_INFINITY else min(hard, MOST * 2)
    if wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted) if soft != resource.RLIM_INFINITY else MOST * 2
