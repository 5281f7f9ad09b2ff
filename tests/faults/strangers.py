"""Attacks by strangers on a server, each in its own process: `python -m tests.faults.strangers`."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Awaitable, Callable

PLAYERS_LOOPS = 40
BODY = 40_000_000  # bytes
LEAVING, IDLE = 300, 1200


async def leave(port: int, tournament: str) -> None:
    """Search the log, and leave before the answer comes."""

    async def one(number: int) -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(_get(f"/t/{tournament}/log?q=a{number}"))
        await writer.drain()
        writer.close()

    await asyncio.gather(*(one(number) for number in range(LEAVING)))
    await asyncio.sleep(0.5)


async def ask_for_the_past(port: int, tournament: str) -> None:
    """Ask for the standings at one entry after the other."""

    async def one(loop: int) -> None:
        for entry in range(2000 + 100 * loop, 2100 + 100 * loop):
            await _answer(port, _get(f"/t/{tournament}/standings?entry={entry % 2400 + 1}"))

    await asyncio.gather(*(one(loop) for loop in range(PLAYERS_LOOPS)))


async def send_bodies(port: int, tournament: str) -> None:
    """Send commands of 40 MB, some without a key and some with a false key."""
    body = b"[" + b"[],[]," * (BODY // 6) + b"[]]"

    async def one(loop: int) -> None:
        key = f"Authorization: Bearer mlt2.{loop}.false\r\n" if loop % 2 else ""
        head = f"POST /api/tournaments/{tournament}/commands HTTP/1.1\r\nHost: localhost\r\n{key}"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        await _answer(port, head.encode() + body)

    await asyncio.gather(*(one(loop) for loop in range(4)))


async def idle(port: int, tournament: str) -> None:
    """Keep connections open: some are silent, some have sent half a request, and some listen to the news."""
    said = (b"", b"GET / HTT", _get(f"/t/{tournament}/stream"))
    kept = []
    for number in range(IDLE):
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said[number % 3])
            kept.append((reader, writer))
    await asyncio.sleep(2)
    for _, writer in kept:
        writer.close()


def _get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


async def _answer(port: int, request: bytes) -> None:
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(OSError):
            writer.write(request)
            await writer.drain()
            await reader.read(100)
        writer.close()


ATTACKS: dict[str, Callable[[int, str], Awaitable[None]]] = {
    attack.__name__: attack for attack in (leave, ask_for_the_past, send_bodies, idle)
}


async def _for_ever(name: str, port: int, tournament: str) -> None:
    while True:
        await ATTACKS[name](port, tournament)


if __name__ == "__main__":
    asyncio.run(_for_ever(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
