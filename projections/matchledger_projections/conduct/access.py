"""Access: which station tokens a tournament accepts, and which the log has revoked or replaced."""

from __future__ import annotations

from datetime import datetime

from matchledger.events import PlainHttpAllowed, TokenAdmitted, TokenKeyDistrusted, TokenKeyTrusted, TokenRevoked
from matchledger_projections.record.record import Record


def trusted_keys(record: Record) -> dict[str, bool]:
    """Return each trusted verification key as text, and whether the key demands a token for every recording
    command.
    """
    said = [*record.every(TokenKeyTrusted), *record.every(TokenKeyDistrusted)]
    trusted: dict[str, bool] = {}
    for _, fact in sorted(said, key=lambda found: found[0]):
        match fact:
            case TokenKeyTrusted():
                trusted[fact.key] = fact.demanded
            case TokenKeyDistrusted():
                trusted.pop(fact.key, None)
    return trusted


def tokens_demanded(record: Record) -> bool:
    """Return whether every recording command needs a token."""
    return any(trusted_keys(record).values())


def admission(record: Record, token: str) -> tuple[int, TokenAdmitted] | None:
    """Return the entry that admitted a token, with its position, or None."""
    return next((found for found in record.every(TokenAdmitted) if found[1].token == token), None)


def revoked(record: Record, token: str) -> int | None:
    """Return the position of the entry that revoked a token, or None."""
    return next((position for position, fact in record.every(TokenRevoked) if fact.token == token), None)


def superseded(record: Record, *, actor: str, station: str, issued: datetime) -> int | None:
    """Return the position of the entry that admitted a later token of the same actor and station, or None."""
    return next(
        (
            position
            for position, fact in record.every(TokenAdmitted)
            if (fact.actor, fact.station) == (actor, station) and fact.issued > issued
        ),
        None,
    )


def plain_http_allowed(record: Record) -> int | None:
    """Return the position of the entry that allows players to write over plain HTTP, or None."""
    return next((position for position, _ in record.counting(PlainHttpAllowed)), None)
