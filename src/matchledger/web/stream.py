"""The stream: server-sent events with the length of a tournament's log. The page that listens then asks the
server what has changed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

from starlette.responses import StreamingResponse

from matchledger.web.office import Office

BEAT_SECONDS = 20.0  # seconds between signs of life, because a proxy or a phone closes a silent connection
RETRY_MILLISECONDS = 2000
OLDEST_SECONDS = 1e6  # an age that is older than any page


def stream(office: Office, tournament: UUID) -> StreamingResponse:
    """Return an endless answer: an event now, and an event whenever the log has grown."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(events(office, tournament), media_type="text/event-stream", headers=headers)


async def events(office: Office, tournament: UUID) -> AsyncIterator[str]:
    """Yield the events of a stream, without an end.

    The first event is the age of the latest entry in seconds: a page that is older has missed the entry.
    """
    position = office.position(tournament) or 0
    age = min(office.seconds_since_change(tournament), OLDEST_SECONDS)
    yield f"retry: {RETRY_MILLISECONDS}\nevent: age\ndata: {age:.3f}\n\n" + _event(position)
    while True:
        try:
            position = await asyncio.wait_for(office.next_position(tournament, position), BEAT_SECONDS)
        except TimeoutError:
            yield ": still here\n\n"
        else:
            yield _event(position)


def _event(position: int) -> str:
    return f"event: position\nid: {position}\ndata: {position}\n\n"
