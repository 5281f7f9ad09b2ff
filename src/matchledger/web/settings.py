"""The settings of a server, from the person who starts it."""

from __future__ import annotations

from dataclasses import dataclass, field

from matchledger.commands.draft import SERVER
from matchledger.ledger import Clerk
from matchledger.proof.keys import SigningKey
from matchledger.web.doors import new_key


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings with which a ledger is served.

    `initials` are the divisions whose players appear as initials on public pages; "all" means every player.
    `watch_seconds` is the interval between looks for entries of other processes, and `host_names` are the server's
    names besides localhost. `address` is the server's address for phones, which the code on the wall shows.
    `address` is None if only this machine can reach the server. With `proxied`, a reverse proxy passes requests on
    to the server, so others can reach the server even without an `address`. `cards` are the organizer's card data
    as text, for deck checks at the desk. `signing_key` is the organizer's key for signing checkpoints from the
    desk. `clerk` is the person who holds `key`. Each start of the server makes a new `key` and prints it once.
    """

    initials: tuple[str, ...] = ()
    watch_seconds: float = 0.5
    host_names: tuple[str, ...] = ()
    address: str | None = None
    proxied: bool = False
    cards: str | None = None
    signing_key: SigningKey | None = field(default=None, repr=False)
    clerk: Clerk = field(default_factory=lambda: Clerk(station=SERVER))
    key: str = field(default_factory=new_key, repr=False)
