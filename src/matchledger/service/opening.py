"""Opening a tournament: once per command id, and a second tournament with the same name only on purpose (C-D8)."""

from __future__ import annotations

import secrets
from uuid import UUID

from matchledger.commands import tournaments as opening
from matchledger.commands.draft import Clerk
from matchledger.commands.refusal import Refusal
from matchledger.commands.tournaments import OpenTournament
from matchledger.ledger import Ledger
from matchledger.ledger.location import short_id
from matchledger_projections.message import joined, sentence
from matchledger_projections.record import chance

SECRET_BYTES = 32


class SameName(Refusal):
    """A tournament with this name is already open, so a person must decide whether to open a second one."""


def of_the_same_name(ledger: Ledger, name: str) -> list[UUID]:
    """Return the tournaments of a ledger that have this name."""
    openings = ((one, ledger.record_as_of(one, 1).opening) for one in ledger.readable())
    return [one for one, opening in openings if opening is not None and opening.name == name]


def open_once(ledger: Ledger, opened: OpenTournament, clerk: Clerk, command: str, *, second: bool = False) -> UUID:
    """Open a tournament once.

    If the command was executed before, return the tournament that the command opened.

    `second` allows the name of an open tournament. Raises Refusal.
    """
    for tournament in ledger.readable():
        if command in ledger.record_as_of(tournament, 1).commands:
            return tournament
    name = opened.name.strip()
    if not second and (same := of_the_same_name(ledger, name)):
        raise SameName(
            sentence(
                "%(name)s is open in this ledger already (%(ids)s): tick the box to open a second one",
                name=name,
                ids=joined(map(short_id, same)),
            )
        )
    law, secret = opened.law, secrets.token_bytes(SECRET_BYTES)
    tournament, _ = ledger.begin(
        lambda record: opening.open_tournament(
            record,
            name=name,
            law=law,
            policies=opened.policies,
            secret=secret,
            division_years=opened.division_years,
            sealed=not opened.names_in_clear,
            derivation=chance.DERIVATION,
        ),
        secret=secret,
        clerk=clerk,
        command=command,
    )
    return tournament
