"""Web Push: the phones that want news of a new round while their page is closed.

A subscription is stored next to the log, encrypted with the key of its player. A subscription ends with the
player's personal link, and with the player's erasure.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple
from uuid import UUID

from matchledger.commands.phones import need_allowed
from matchledger.ledger import Ledger, LedgerError
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.proof.web_push import browser_keys, public_bytes, sender_key, written
from matchledger.service.player_links import player_of
from matchledger_projections.message import sentence
from matchledger_projections.record.phones import allowed_since

MOST = 3  # the most phones of one player
LONGEST = 1000  # the most characters of an address
# Accept only a domain name, never a numeric address: most devices in the hall have no domain name. `web/posting.py`
# also checks the numeric address of the name.
ENDPOINT = re.compile(r"(https://((?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*))(/[!-~]*)")


class Subscription(NamedTuple):
    """A phone that wants news.

    `endpoint` is the phone's address at the push service, and `p256dh` and `auth` are its keys. `code` is the
    player's personal link, `contact` is the address of this server, and `language` is the reader's. `since` is the
    position of the decision that allowed push.
    """

    endpoint: str
    p256dh: str
    auth: str
    code: str
    contact: str
    language: str
    since: int | None = None


def subscribe(side: SideFile, ledger: Ledger, tournament: UUID, player: int, phone: Subscription) -> None:
    """Subscribe a phone to news of new rounds. If the ledger has a key file, the subscription is on the disk when
    the function returns.

    A player's fourth phone replaces the player's first phone. Raises Refusal if the organizer does not allow push,
    and UsageProblem for an invalid subscription.
    """
    record = ledger.record(tournament)
    need_allowed(record, "push")
    phone = phone._replace(since=allowed_since(record, "push"))
    try:
        browser_keys(phone.p256dh, phone.auth)
        valid = len(phone.endpoint) <= LONGEST and ENDPOINT.fullmatch(phone.endpoint)
    except ValueError:
        valid = None
    if not valid:
        raise UsageProblem(sentence("this is not the address of a push service: use the button on the page"))
    side.keep_push(tournament, player, phone.endpoint, json.dumps(phone), most=MOST)


def public_key(side: SideFile, tournament: UUID) -> str | None:
    """Return the public key, in the form for browsers, with which push services check a tournament's messages.

    Return None if the side file is unreadable, because the players' pages work without push.
    """
    try:
        seed = side.push_seed(tournament)
    except LedgerError:
        return None
    return written(public_bytes(sender_key(seed).public_key()))


def subscriptions(side: SideFile, ledger: Ledger, tournament: UUID) -> list[tuple[int, Subscription]]:
    """Return the phones that want news, each with its player.

    A subscription is deleted if its personal link has ended, or if the organizer has stopped push since.
    """
    found, since = [], allowed_since(ledger.record(tournament), "push")
    for player, text in side.pushes(tournament):
        phone = Subscription(*json.loads(text))
        if phone.since == since and player_of(ledger, tournament, phone.code) == player:
            found.append((player, phone))
        else:
            side.forget_push(tournament, phone.endpoint)
    return found
