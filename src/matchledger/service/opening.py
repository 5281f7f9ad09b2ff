"""Open a tournament, once per command id."""

from __future__ import annotations

import secrets
from uuid import UUID

from matchledger.commands import tournaments as opening
from matchledger.commands.draft import Clerk
from matchledger.commands.tournaments import OpenTournament
from matchledger.ledger import Ledger
from matchledger_projections.record import chance

SECRET_BYTES = 32


def open_once(ledger: Ledger, opened: OpenTournament, clerk: Clerk, command: str) -> UUID:
    """Opens it, once: the tournament that this command has opened before, if it has. Raises Refusal."""
    for tournament in ledger.readable():
        if command in ledger.record_as_of(tournament, 1).commands:
            return tournament
    law, secret = opened.law, secrets.token_bytes(SECRET_BYTES)
    tournament, _ = ledger.begin(
        lambda record: opening.open_tournament(
            record,
            name=opened.name.strip(),
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
