"""Connections: the server's sockets, and limits for open, idle, half-sent or abandoned connections."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import sys
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.config import STARTUP_FAILURE
from uvicorn.protocols.http.h11_impl import H11Protocol

from matchledger.text.translation import told
from matchledger.web.garbage import collect
from matchledger.web.rendering import language_of
from matchledger.web.security import SAFE_METHODS
from matchledger_projections.message import sentence

MOST = 10_000  # the most open connections, if the machine allows a process so many files
AT_ONCE = 1  # connections accepted in one turn of the event loop, because slips wait for the turn to end
BACKLOG = 2048  # connections that the machine queues until the server accepts them
SPARE = 128  # files kept free for the ledger, and for connections that are closed at once
HANDSHAKE_SECONDS = 5.0  # seconds to begin TLS
IDLE_SECONDS = 20.0  # seconds to begin a request, to take an answer, or to send the rest of a request
BODY_SECONDS = 60.0  # seconds to send a whole request
WAITING_BYTES = 100_000_000  # bytes of answers that a visitor has not read yet
SWEEP_SECONDS = 2.0
SWITCH_SECONDS = (
    0.00005  # seconds until a thread that renders a page yields to the event loop, which slips wait for
)
GRACE_SECONDS = 2  # seconds for open answers when the server stops. A stream never ends by itself
_KEYS = (b"authorization", b"cookie")  # headers that may contain a key


class Abandoning:
    """Lets a connection cancel its own reading requests. Recording requests are never cancelled.

    Reading requests without a key begin one after the other, each in another turn of the event loop. Therefore a
    request with a key waits for at most one reading request to begin, and a request that is abandoned early never
    begins.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._beginning = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_reading = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if is_reading:
            scope["task"] = asyncio.current_task()
        try:
            if is_reading and not _has_key(scope["headers"]):
                async with self._beginning:
                    await asyncio.sleep(0)
            await self._app(scope, receive, send)
        except asyncio.CancelledError:
            if not scope.get("abandoned"):
                raise


class Connection(H11Protocol):
    """A connection to a browser. When an idle connection ends, it cancels its reading requests."""

    config: Config
    since = 0.0  # when the last request began or ended on this connection

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
        """Return whether an answer is in progress."""
        return self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr] # at first

    @property
    def is_reading(self) -> bool:
        """Return whether an answer to a reading request is in progress."""
        return self.is_busy and "task" in self.scope

    @property
    def is_of_a_stranger(self) -> bool:
        """Return whether a visitor without a key waits for a page."""
        return self.is_reading and not _has_key(self.headers)

    def is_overdue(self, now: float) -> bool:
        """Return whether sending the request or reading the answer takes too long."""
        if self.is_busy:
            return bool(self.cycle.more_body) and now - self.since > BODY_SECONDS
        return now - self.since > IDLE_SECONDS


class Handshake(asyncio.Protocol):
    """A connection before TLS, which counts as idle, because asyncio alone would hold the connection for a minute
    (A-4).
    """

    transport: asyncio.Transport
    is_busy = is_of_a_stranger = False

    def __init__(self, config: Config, **more: Any) -> None:
        self._config = config
        self._more = more
        self._since = time.monotonic()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - a socket of TCP has no other
        self.transport = transport
        self._config.crowd.enter(self)
        self._task = asyncio.get_running_loop().create_task(self._begin())

    async def _begin(self) -> None:
        early, loop, context = Early(), asyncio.get_running_loop(), self._config.tls
        assert context is not None  # noqa: S101 - the configuration names this class only with TLS
        try:
            tls = await loop.start_tls(
                self.transport, early, context, server_side=True, ssl_handshake_timeout=HANDSHAKE_SECONDS
            )
        except (OSError, ValueError):  # the visitor left, took too long, or does not speak TLS
            tls = None
        self._config.crowd.forget(self)
        if tls is None:
            self.transport.abort()
            return
        connection = Connection(self._config, **self._more)
        tls.set_protocol(connection)
        connection.connection_made(tls)
        early.hand_over(connection)

    def is_overdue(self, now: float) -> bool:
        return now - self._since > HANDSHAKE_SECONDS


class Early(asyncio.Protocol):
    """Keeps what a visitor sends together with the end of the handshake."""

    def __init__(self) -> None:
        self._data = b""
        self._is_over = False

    def data_received(self, data: bytes) -> None:
        self._data += data

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - as in asyncio
        self._is_over = True

    def hand_over(self, connection: Connection) -> None:
        if self._data:
            connection.data_received(self._data)
        if self._is_over:
            connection.connection_lost(None)


class Crowd:
    """All open connections. A new connection without room replaces the connection that was idle longest."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.refused = 0  # connections that the server closed or never accepted for lack of room
        self.asked = time.monotonic()  # when the last request began on this connection
        self._open: dict[Connection | Handshake, None] = {}
        self._idle: dict[Connection | Handshake, None] = {}  # idle connections, the longest idle first

    def enter(self, connection: Connection | Handshake) -> None:
        """Note that a connection is open and idle. If too many are open, close the longest idle connection."""
        self._open[connection] = self._idle[connection] = None
        if len(self._open) > self.most:
            self.refused += 1
            oldest = next(iter(self._idle))
            if oldest is connection:  # no connection is idle
                oldest = next((one for one in self._open if one.is_of_a_stranger), connection)
            self.drop(oldest)

    def leave(self, connection: Connection) -> None:
        """Note that a connection is no longer idle."""
        self.asked = time.monotonic()
        self._idle.pop(connection, None)

    def forget(self, connection: Connection | Handshake) -> None:
        """Note that a connection is closed."""
        self._idle.pop(connection, None)
        self._open.pop(connection, None)

    def drop(self, connection: Connection | Handshake) -> None:
        """Close a connection at once. Unsent data is lost."""
        self.forget(connection)
        connection.transport.abort()

    def failed_to_accept(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count a connection for which this machine has no free file, instead of printing a line about it."""
        if "accept" in context.get("message", ""):
            self.refused += 1
        else:
            loop.default_exception_handler(context)

    async def part(self) -> None:
        """When the server stops, close connections before TLS, and those whose answers are in progress, because the
        stream of a live page never ends.
        """
        await asyncio.sleep(GRACE_SECONDS / 2)
        for connection in [one for one in self._open if isinstance(one, Handshake) or one.is_reading]:
            self.drop(connection)

    async def sweep(self) -> None:
        """Close overdue connections again and again, until the server ends. If too many bytes wait for readers,
        close the connection with the most waiting bytes.
        """
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
    """The configuration of the server. `proxy` is the address of a proxy that names each sender's own address."""

    def __init__(self, app: ASGIApp, *, proxy: str | None = None, **more: Any) -> None:
        allowed = _files()
        self.crowd = Crowd(max(16, min(MOST, allowed - SPARE)))
        super().__init__(
            Abandoning(app),
            http=Connection,
            loop="asyncio",
            ws="none",
            backlog=AT_ONCE,  # uvicorn accepts this many connections before other code runs
            access_log=False,
            server_header=False,
            proxy_headers=proxy is not None,
            forwarded_allow_ips=proxy or "",
            **more,
        )
        self.tls: ssl.SSLContext | None = None

    def load(self) -> None:
        """Load the application and the certificate. The library begins each connection without TLS."""
        super().load()
        if self.ssl is not None:
            self.tls, self.ssl, self.http_protocol_class = self.ssl, None, Handshake


class Server(uvicorn.Server):
    """A server that closes overdue connections, and whose threads yield quickly.

    At its end, the server prints how many connections found no room.
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
        parting = asyncio.create_task(self.config.crowd.part())
        await super().shutdown(sockets)
        parting.cancel()
        if refused := self.config.crowd.refused:
            sys.stderr.write(f"{refused} connections were closed because too many were open\n")


@asynccontextmanager
async def _watched(crowd: Crowd) -> AsyncIterator[None]:
    asyncio.get_running_loop().set_exception_handler(crowd.failed_to_accept)
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    tasks = [asyncio.create_task(work) for work in (crowd.sweep(), collect(lambda: crowd.asked))]
    try:
        yield
    finally:
        sys.setswitchinterval(before)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


class Plain:
    """The pages that players read over plain HTTP while the desk has TLS.

    Over plain HTTP, no key is accepted, and nothing is written.
    """

    def __init__(self, app: ASGIApp, address: str) -> None:
        """Serve the pages. `address` is the address of the same pages with TLS."""
        self._app = app
        self._address = address.rstrip("/")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["method"] not in SAFE_METHODS:
            said = sentence("nothing is written over plain HTTP: go to %(address)s", address=self._address)
            language = language_of(Request(scope))
            await PlainTextResponse(told(said, language) + "\n", 403)(scope, receive, send)
        elif scope["path"] in ("/enter", "/new") or "/desk" in scope["path"]:
            await RedirectResponse(f"{self._address}{quote(scope['path'])}", 307)(scope, receive, send)
        else:
            kept = [(name, value) for name, value in scope["headers"] if name not in _KEYS or _is_language(value)]
            await self._app({**scope, "headers": kept}, receive, send)


def _has_key(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return any(name in _KEYS for name, _ in headers)


def _is_language(cookie: bytes) -> bool:
    """Return whether a Cookie header has only the reader's language."""
    return cookie.startswith(b"lang=") and b";" not in cookie


class Listening(NamedTuple):
    """The addresses of the server.

    `tls` is a certificate and its key. With `tls`, `plain` is a port for reading without TLS.
    """

    host: str
    port: int
    tls: tuple[Path, Path] | None = None
    plain: int | None = None
    proxy: str | None = None


def run(app: ASGIApp, listening: Listening, address: str) -> None:
    """Serve at an address until the server is stopped."""
    common: dict[str, Any] = {
        "proxy": listening.proxy,
        "log_level": "error",
        "timeout_graceful_shutdown": GRACE_SECONDS,
    }
    certificate, key = listening.tls or (None, None)
    server = Server(Config(app, ssl_certfile=certificate, ssl_keyfile=key, **common))
    servers = [(server, listening.port)]
    if listening.plain is not None:
        servers.append((Server(Config(Plain(app, address), lifespan="off", **common)), listening.plain))
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(servers, listening.host))
    if not server.started:
        sys.exit(STARTUP_FAILURE)


async def _serve(servers: list[tuple[Server, int]], host: str) -> None:
    """Serve on each port. The first server opens the ledger, and all servers end with it."""
    (first, port), *others = servers
    main = asyncio.create_task(first.serve([bound_socket(host, port)]))
    while not (first.started or main.done()):  # noqa: ASYNC110 - the library has no event for it
        await asyncio.sleep(0.01)
    rest = [asyncio.create_task(other.serve([bound_socket(host, number)])) for other, number in others]
    try:
        await main
    finally:
        for other, _ in others:
            other.should_exit = True
        await asyncio.gather(*rest)


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket to listen on. The socket is declared as TCP, so that asyncio disables delays on it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((host, port))
    return listening


def _files() -> int:
    """Return how many files this process may open: as many as the machine allows."""
    try:
        import resource  # noqa: PLC0415 - Windows lacks it
    except ImportError:
        return MOST * 2
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST * 2 if hard == resource.RLIM_INFINITY else min(hard, MOST * 2)
    if wanted > soft:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(soft, wanted) if soft != resource.RLIM_INFINITY else MOST * 2
