"""News: the server tells phones about a new round by Web Push, in the background."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from matchledger.ledger import Conflict, Ledger, LedgerError
from matchledger.ledger.beside import SideFile
from matchledger.proof.web_push import authorization, sealed_message, sender_key
from matchledger.service.push import Subscription, subscriptions
from matchledger.text.translation import told
from matchledger.web.office import Office
from matchledger.web.posting import post
from matchledger.web.public.card import card
from matchledger.web.public.hall import Hall, Halls
from matchledger.web.worker import TooBusy
from matchledger_projections.message import sentence
from matchledger_projections.narration.names import round_of
from matchledger_projections.record.phones import phones_may

TOGETHER = 8  # how many requests are sent at a time
LASTING = 30 * 60  # seconds for which a push service keeps a message for a phone without a network
VALID = 12 * 60 * 60  # seconds for which a signature is valid
GONE = {404, 410}  # with these answers, the push service no longer knows the phone

_TROUBLE = (LedgerError, Conflict, TooBusy)

Post = Callable[[str, Mapping[str, str], bytes], Awaitable[int]]


class Message(NamedTuple):
    """The message on a phone: a title and one line."""

    title: str
    body: str


class News:
    """The news of a server's tournaments. A round that was posted before the server started is not news."""

    def __init__(self, office: Office, halls: Halls, side: SideFile, *, send: Post = post) -> None:
        self.send = send
        self._office = office
        self._halls = halls
        self._side = side
        self._seen: dict[UUID, int] = {}  # the last known length of each tournament's log
        self._told: dict[UUID, int] = {}  # the position of the round that was last sent, by tournament
        self._sending: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Semaphore(TOGETHER)

    def follow(self, ledger: Ledger, tournament: UUID) -> None:
        """Watch a tournament, and send news about each round that is posted from now on."""
        self._told.setdefault(tournament, _posted(self._halls.now(ledger, tournament)))
        self._seen.setdefault(tournament, 0)

    async def run(self, seconds: float) -> None:
        """Look for new rounds every few seconds, without an end."""
        try:
            with contextlib.suppress(*_TROUBLE):
                await self._office.show(self._follow_all)
            while True:
                await asyncio.sleep(seconds)
                for tournament in list(self._seen):
                    with contextlib.suppress(*_TROUBLE):  # after an error, the next look tries again
                        await self._look(tournament)
        finally:
            for sending in self._sending:
                sending.cancel()

    def _follow_all(self, ledger: Ledger) -> None:
        for tournament in self._side.pushed():
            self.follow(ledger, tournament)

    async def _look(self, tournament: UUID) -> None:
        position = self._office.position(tournament) or 0
        if position == self._seen[tournament]:
            return
        seed, phones = await self._office.show(lambda ledger: self._phones(ledger, tournament))
        if tournament in self._seen:
            self._seen[tournament] = position
        for phone, text in phones:
            sending = asyncio.create_task(self._send(tournament, seed, phone, text))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)

    def _phones(self, ledger: Ledger, tournament: UUID) -> tuple[bytes, list[tuple[Subscription, Message]]]:
        """Return the key that signs the requests, and the phones to notify of a new round, with their messages."""
        hall = self._halls.now(ledger, tournament)
        if "push" not in phones_may(hall.whole):
            self._side.forget_push(tournament)
            del self._seen[tournament], self._told[tournament]
            return b"", []
        if _posted(hall) <= self._told[tournament]:
            return b"", []
        found = subscriptions(self._side, ledger, tournament)
        messages = ((phone, message(hall, player, phone.language)) for player, phone in found)
        told_now = [(phone, text) for phone, text in messages if text is not None]
        seed = self._side.push_seed(tournament)
        self._told[tournament] = _posted(hall)
        return seed, told_now

    async def _send(self, tournament: UUID, seed: bytes, phone: Subscription, text: Message) -> None:
        service = urlsplit(phone.endpoint)
        async with self._turn:
            expires = int(time.time()) + VALID
            audience = f"{service.scheme}://{service.netloc}"
            headers = {
                "authorization": authorization(sender_key(seed), audience, phone.contact, expires),
                "content-encoding": "aes128gcm",
                "content-type": "application/octet-stream",
                "topic": "round",
                "ttl": str(LASTING),
                "urgency": "high",
            }
            body = sealed_message(json.dumps(text._asdict()).encode(), phone.p256dh, phone.auth)
            with contextlib.suppress(OSError, *_TROUBLE):
                if await self.send(phone.endpoint, headers, body) in GONE:
                    await self._office.show(lambda _: self._side.forget_push(tournament, phone.endpoint))


def message(hall: Hall, player: int, language: str) -> Message | None:
    """Return the message about the current round for a player, or None if the player is not in the round."""
    seat = card(hall, player).seat
    if seat is None:
        return None
    if seat.opponent is None:
        line = sentence("you have the bye in %(round)s", round=round_of(seat))
    else:
        line = sentence(
            "table %(table)s in %(round)s, against %(player)s",
            table=seat.table,
            round=round_of(seat),
            player=hall.name(seat.opponent),
        )
    words = told(line, language)
    return Message(hall.title, words[0].upper() + words[1:])


def _posted(hall: Hall) -> int:
    return 0 if hall.now is None else hall.now.position
