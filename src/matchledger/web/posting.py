"""Posting: one request from the server to a push service on the internet, never to a device in the hall."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Mapping

from matchledger.service.push import ENDPOINT

PORT = 443
SECONDS = 10.0  # seconds for one request
LONGEST_LINE = 1000  # the most bytes of an answer that are read


async def post(
    endpoint: str,
    headers: Mapping[str, str],
    body: bytes,
    *,
    trusted: ssl.SSLContext | None = None,
    port: int = PORT,
) -> int:
    """Post a body, and return the status of the answer.

    Redirections are not followed. `trusted` and `port` are by default the certificates and the port of the
    internet. Tests set others. Raises OSError if no service answers in time, or if the name belongs to an address
    inside the hall.
    """
    found = ENDPOINT.fullmatch(endpoint)
    if found is None:
        raise OSError(f"no address of a push service: {endpoint}")
    host, path = found[2], found[3]
    lines = {"host": host, "content-length": str(len(body)), "connection": "close", **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    try:
        async with asyncio.timeout(SECONDS):
            address = await public_address(host)
            context = trusted or ssl.create_default_context()
            reader, writer = await asyncio.open_connection(
                address, port, ssl=context, server_hostname=host, limit=LONGEST_LINE
            )
            try:
                writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
                await writer.drain()
                return int((await reader.readline()).split()[1])
            finally:
                writer.close()
    except (TimeoutError, ValueError, IndexError) as problem:
        raise OSError(f"{host} did not answer: {problem}") from None


async def public_address(host: str) -> str:
    """Return an address of a host on the internet. Raises OSError if any address of the host is private.

    The caller connects to the returned address, so that the name cannot get another address after the check.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, PORT, type=socket.SOCK_STREAM)
    addresses = [str(where[0]) for *_, where in found]
    if not addresses or not all(map(_is_public, addresses)):
        raise OSError(f"{host} is not on the internet")
    return addresses[0]


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text)
    inner = getattr(address, "ipv4_mapped", None) or address
    return inner.is_global and not inner.is_multicast
