"""Admission: which clerks may record anything at all. Other modules decide which facts each role may record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from matchledger.commands.draft import Clerk
from matchledger.events import AnyFact, TokenAdmitted
from matchledger.proof.keys import readable_keys
from matchledger.proof.station_token import StationToken, TokenDemanded, TokenRefused, is_certified
from matchledger.proof.station_token import read as read_token
from matchledger_projections.conduct import access as doors
from matchledger_projections.message import demanding, sentence
from matchledger_projections.record.record import Record


def shown(record: Record, tournament: UUID, text: str, now: datetime) -> StationToken:
    """Return the station token in a text. Refuse a token that no trusted key signed, or that the log revoked."""
    token = read_token(readable_keys(doors.trusted_keys(record)), text, now, tournament=tournament)
    need_valid(record, token, now)
    return token


def clerk_of(token: StationToken, **said: str) -> Clerk:
    """Return the clerk of a token. The clerk's own options (`said`) must not contradict the token."""
    if token.role == "read-only":
        raise TokenRefused(sentence("this token may only read: nothing was recorded"))
    for what, value in said.items():
        if value != (meant := getattr(token, what)):
            raise TokenRefused(
                demanding(
                    sentence(
                        "the token says %(what)s %(meant)r, not %(value)r: a token fixes actor, role and station",
                        what=what,
                        meant=meant,
                        value=value,
                    ),
                    "no other clerk",
                )
            )
    return Clerk(token.actor, token.role, token.station, token)


def admit(record: Record, token: StationToken) -> Sequence[AnyFact]:
    """Return the fact that admits a token, or an empty list if the token is already admitted. Refuse a single-use
    token that was used before.
    """
    found = doors.admission(record, token.id)
    if found is not None and token.once:
        raise TokenRefused(
            sentence(
                "this single-use token was used (entry %(entry)s): ask the organizer for a new one",
                entry=found[0],
            )
        )
    if found is not None:
        return []
    return [
        TokenAdmitted(
            token=token.id,
            actor=token.actor,
            role=token.role,
            station=token.station,
            issued=token.issued,
            expires=token.expires,
            certificate=token.certificate,
        )
    ]


def need_admitted(record: Record, clerk: Clerk, now: datetime) -> None:
    """Refuse a clerk without a token if the tournament demands tokens. Always refuse a token that is no longer
    valid.
    """
    if clerk.token is not None:
        need_valid(record, clerk.token, now)
    elif doors.tokens_demanded(record):
        raise TokenDemanded


def need_free(facts: Iterable[AnyFact], clerk: Clerk) -> None:
    """Refuse facts that need a token, because the person has no token. Without a token, nobody speaks for the
    staff.
    """
    if clerk.role != "player" or not all(fact.tokenless for fact in facts):
        raise TokenDemanded


def need_valid(record: Record, token: StationToken, now: datetime) -> None:
    """Refuse a token that is not valid now, was revoked or replaced, or has a key that is no longer trusted."""
    token.need_current(now)
    if token.certificate is not None and not is_certified(tuple(doors.trusted_keys(record)), token.certificate):
        raise TokenRefused(sentence("this tournament does not trust the key of this token"))
    if (position := doors.revoked(record, token.id)) is not None:
        raise TokenRefused(
            sentence("this token was revoked (entry %(entry)s): ask the organizer for a new one", entry=position)
        )
    later = doors.superseded(record, actor=token.actor, station=token.station, issued=token.issued)
    if later is not None:
        raise TokenRefused(
            sentence(
                "this token was replaced: %(actor)s logged in at %(station)s with a later one (entry %(entry)s)",
                actor=token.actor,
                station=token.station,
                entry=later,
            )
        )
