"""Access: which token keys a tournament trusts, and which tokens are revoked.

After a key is trusted, only the organizer decides about keys and tokens, even if the rulebook permits other roles.
Otherwise, everyone who may name a key could issue any token.
"""

from __future__ import annotations

import re

from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, PlainHttpAllowed, Role, TokenKeyDistrusted, TokenKeyTrusted, TokenRevoked
from matchledger.proof.station_token import is_certified
from matchledger_projections.conduct import access as doors
from matchledger_projections.message import demanding, sentence, word
from matchledger_projections.record.record import Record


def trust_key(record: Record, *, role: Role, key: str, demanded: bool) -> list[AnyFact]:
    """From now on, accept tokens that a key signed. With `demanded`, every recording command needs a token that a
    trusted key signed. If tokens are demanded already, the demand also holds for this key (A-3).
    """
    trusted = doors.trusted_keys(record)
    if trusted:
        _need_organizer(role)
    demanded = demanded or any(trusted.values())
    if trusted.get(key) == demanded:
        raise Refusal(sentence("this key is trusted already"))
    return [TokenKeyTrusted(key=key, demanded=demanded, signed=True, chained=True)]


def distrust_key(record: Record, *, role: Role, key: str, certificate: str | None = None) -> list[AnyFact]:
    """Stop accepting tokens that a key signed.

    If other keys are trusted, the command's own token must stay valid: its `certificate` must be signed by one of
    them. Otherwise, nobody might be left who can record.
    """
    _need_organizer(role)
    trusted = doors.trusted_keys(record)
    if key not in trusted:
        raise Refusal(demanding(sentence("this key is not trusted"), "the tokens"))
    if trusted.pop(key) and trusted and not any(trusted.values()):  # no other trusted key demands tokens
        raise Refusal(
            sentence(
                "without this key, stations would need no token: first trust another key with a demand for tokens"
            )
        )
    if trusted and certificate is not None and not is_certified(tuple(trusted), certificate):
        raise Refusal(
            sentence(
                "this command's own token is signed with that key: use a token of another trusted key, or nobody "
                "may be left who can record"
            )
        )
    return [TokenKeyDistrusted(key=key)]


def revoke_token(record: Record, *, role: Role, token: str) -> list[AnyFact]:
    """Revoke a token early, used or not."""
    _need_organizer(role)
    if not re.fullmatch("[0-9a-f]{12}", token):
        raise Refusal(demanding(sentence("a token is revoked by its id, 12 letters and digits"), "the tokens"))
    if (position := doors.revoked(record, token)) is not None:
        raise Refusal(sentence("token %(token)s is revoked already (entry %(entry)s)", token=token, entry=position))
    return [TokenRevoked(token=token)]


def allow_plain_http(record: Record) -> list[AnyFact]:
    """Let players call the desk over plain HTTP, if the server has no TLS."""
    if (position := doors.plain_http_allowed(record)) is not None:
        raise Refusal(sentence("plain HTTP is allowed already (entry %(entry)s)", entry=position))
    return [PlainHttpAllowed()]


def _need_organizer(role: Role) -> None:
    if role != "organizer":
        raise Refusal(
            sentence(
                "a %(role)s cannot decide who may use tokens: use a token of the organizer",
                role=word(role),
            )
        )
