"""What whoever starts the server decides about it."""

from __future__ import annotations

from dataclasses import dataclass, field

from matchledger.ledger import Clerk
from matchledger.proof.checkpoint import SigningKey
from matchledger.web.doors import new_key


@dataclass(frozen=True, slots=True)
class Settings:
    """How a ledger is served.

    `initials` are the divisions that public pages show by initials, "all" for every player. `watch_seconds` is how
    often the ledger is looked at for entries of other processes, `host_names` the names besides localhost that the
    server may be called by. `address` is where phones find the server, for the code on the wall; None where only
    this machine can. `cards` are the organizer's card data as text, by which decks are checked at the desk;
    `signing_key` is the organizer's, by which the desk signs checkpoints. `clerk` is whoever comes in with `key`,
    which is made anew each time and printed once.
    """

    initials: tuple[str, ...] = ()
    watch_seconds: float = 0.5
    host_names: tuple[str, ...] = ()
    address: str | None = None
    cards: str | None = None
    signing_key: SigningKey | None = field(default=None, repr=False)
    clerk: Clerk = field(default_factory=Clerk)
    key: str = field(default_factory=new_key, repr=False)
