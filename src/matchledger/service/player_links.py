"""Player links: each player's personal code and link, the player with a code, and requests by phone.

No code is stored. The key file can compute every code again, and an erased player has no code.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from uuid import UUID

from matchledger.commands.command import Command
from matchledger.commands.phones import need_allowed
from matchledger.events import AnyFact, Entry, PhoneUse
from matchledger.ledger import Clerk, Decision, Ledger
from matchledger.ledger.keyring import KeyRingError
from matchledger.service.execute import context_of
from matchledger_projections.conduct.access import tokens_demanded
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.phones import link_age
from matchledger_projections.record.record import Record

CODE_BYTES = 10
SHORT = 4  # letters of the tournament's id in a link
_LINK = re.compile(r"(?:me\.)?(?P<tournament>[0-9a-f]{4,32})\.(?P<code>[0-9]{1,6}-[a-z2-7]{16})")


def link_code(key: bytes, tournament: UUID, player: int, age: int) -> str:
    """Return the code of a player in a tournament, such as `7-mfzwi3dbnqxgk3tu`. `age` is the number of renewals of
    the code.
    """
    said = f"matchledger player link\n{tournament} {player} {age}".encode()
    made = b32encode(hmac.digest(key, said, sha256)[:CODE_BYTES]).decode().lower()
    return f"{player}-{made}"


def link_of(tournament: UUID, code: str) -> str:
    """Return the part of a personal link after the `#`, such as `f988.7-mfzwi3dbnqxgk3tu`.

    The beginning of the tournament's id saves the server a search. Only the code is secret.
    """
    return f"{tournament.hex[:SHORT]}.{code}"


def is_link(text: str) -> bool:
    """Return whether a text has the form of a personal link, or of `me.` with the whole id of the tournament."""
    return _LINK.fullmatch(text) is not None


def linked(ledger: Ledger, tournaments: Iterable[UUID], text: str) -> tuple[UUID, str] | None:
    """Return the tournament and the code of a valid personal link, or None for a text that is not a valid link."""
    found = _LINK.fullmatch(text)
    if found is None:
        return None
    return next(
        (
            (tournament, found["code"])
            for tournament in tournaments
            if tournament.hex.startswith(found["tournament"])
            and player_of(ledger, tournament, found["code"]) is not None
        ),
        None,
    )


def number_in(code: str) -> int | None:
    """Return the number of the player in a code, or None for a text that is not a code."""
    number, dash, rest = code.partition("-")
    is_number = number.isascii() and number.isdecimal() and len(number) < 7  # noqa: PLR2004 - no player has more digits
    return int(number) if dash and rest and is_number else None


STATION = "a player's phone"


def code_of(ledger: Ledger, tournament: UUID, player: int) -> str | None:
    """Return the code of a player, or None without the player's key.

    In a tournament with unencrypted names, a player's key is made here, only for the code. A key to encrypted data
    is never made here, because data encrypted with another key could no longer be opened.
    """
    record = ledger.record(tournament)
    if player in record.players and record.opening is not None and not record.opening.sealed:
        try:
            ledger.ring.ensure(tournament, [player])
        except KeyRingError:
            return None
    return _known_code(ledger, tournament, player)


def player_of(ledger: Ledger, tournament: UUID, code: str) -> int | None:
    """Return the player with this code, or None for an unknown or renewed code. Nothing is written, because
    strangers ask too.
    """
    player = number_in(code)
    right = None if player is None else _known_code(ledger, tournament, player)
    return player if right is not None and hmac.compare_digest(right, code) else None


def _known_code(ledger: Ledger, tournament: UUID, player: int) -> str | None:
    record = ledger.record(tournament)
    if player not in record.players or player in erased(record):
        return None
    key = ledger.ring.key(tournament, player)
    return None if key is None else link_code(key, tournament, player, link_age(record, player))


def by_phone(
    ledger: Ledger,
    tournament: UUID,
    player: int,
    command: Command,
    use: PhoneUse,
    lent: Clerk | None = None,
    pairing: int | None = None,
) -> list[Entry]:
    """Record a player's request by phone.

    The personal link has admitted the player, so no token is needed. If tokens are demanded, the station `lent`
    records and signs for the phones. Raises Refusal if the organizer does not allow the action by phone,
    TokenDemanded without a `lent` station, and Moved if `pairing` did not pair the current round.
    """
    demanded = tokens_demanded(ledger.record(tournament))
    clerk = lent if demanded and lent is not None else Clerk(f"#{player}", "player", STATION)
    context = context_of(ledger, tournament, clerk, pairing=pairing)

    def decision(record: Record) -> Sequence[AnyFact]:
        need_allowed(record, use, player)
        if command.in_play:
            context.need_same_round(record)
        return command.decide(record, context)

    return ledger.decide(tournament, decision, clerk=clerk, admitted=not demanded)


def dispute_by_phone(ledger: Ledger, tournament: UUID, player: int, decision: Decision) -> list[Entry]:
    """Record that a player disputes a result by phone, also if tokens are demanded.

    Raises Refusal if the organizer does not allow phones to call a judge, or if the player is disqualified.
    """

    def allowed(record: Record) -> Sequence[AnyFact]:
        need_allowed(record, "judge", player)
        return decision(record)

    return ledger.decide(tournament, allowed, clerk=Clerk(f"#{player}", "player", STATION), anybody=True)
