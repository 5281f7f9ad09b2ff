"""The types of what is the staff's to read: leaders, calls, conduct, deck lists, tokens."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from matchledger.documents.typed.base import OfTournament, PlayerNamed, Typed, UnderRulebook
from matchledger.events import Duty, ListedCard, Office, Role, Stage
from matchledger.events.calls import Answer, Claim
from matchledger.events.conduct import Damage, Missed, Offence, Penalty
from matchledger.proof.station_token import TokenRole
from matchledger_projections.record.desk_calls import State


class LeaderLine(Typed):
    """A leader of the event, with the rule that says what the role is."""

    entry: int
    name: str
    role: Office
    rule: str | None
    announced: bool
    duty: Duty
    player: str | None
    plays: bool


class LedGame(Typed):
    """A game in which a leader plays, and who rules in it (null: nobody can)."""

    stage: Stage
    round: int
    table: int
    players: list[str]
    ruled_by: str | None


class StaffPage(UnderRulebook):
    """Who leads the event, as `matchledger staff list --json` prints it."""

    tier: str | None
    staff: list[LeaderLine]
    final_rulings: list[str]
    games: list[LedGame]


class CallLine(Typed):
    """A call to the desk; `disputes` is null where no result was recorded, `answer` until there is one."""

    position: int
    state: State
    stage: Stage
    round: int
    table: int
    players: list[str]
    by: str
    claim: Claim
    disputes: int | None
    answer: Answer | None


class CallsPage(OfTournament):
    """The calls to the desk, as `matchledger calls --json` prints them."""

    calls: list[CallLine]


class PlaceOfIncident(Typed):
    """Where something happened, by the position of its entry."""

    position: int
    stage: Stage
    round: int | None
    table: int | None


class PenaltyLine(PlaceOfIncident):
    """A penalty; `unwarned` is the rule by which a warning had to come first, and did not."""

    player: str
    penalty: Penalty
    offence: Offence
    note: str | None
    deviations: list[str]
    unwarned: str | None


class RulingLine(PlaceOfIncident):
    """A ruling; `reviewed_by` is the entry of the one that took its place."""

    question: str
    outcome: str
    judge: str
    source: str | None
    players: list[str]
    reviews: int | None
    reviewed_by: int | None
    final: bool


class CardLine(PlaceOfIncident):
    """What happened to a card."""

    player: str
    card: str
    what: Damage
    leader: str
    when: Missed | None
    date: date | None
    note: str | None


class ConductPage(UnderRulebook):
    """Penalties, rulings and cards, as `matchledger conduct --json` prints them."""

    penalties: list[PenaltyLine]
    rulings: list[RulingLine]
    cards: list[CardLine]
    missing: list[int]
    proxies: list[int]


class DeckAmendment(Typed):
    """By whom a list was brought up to what the player plays with."""

    entry: int
    leader: str
    advantageous: bool
    sha256: str


class DeckCheckLine(Typed):
    """A deck held against a rule; `ok` is null where it could not be told, `found` is there if asked for."""

    entry: int
    rule: str
    ok: bool | None
    round: int | None
    sha256: str
    card_data: str | None
    found: str | None = None


class DeckPage(PlayerNamed):
    """A player's list, as `matchledger deck show --json` prints it; `cards` are there where they are asked for."""

    position: int
    entry: int | None
    sha256: str | None
    amendments: list[DeckAmendment]
    checks: list[DeckCheckLine]
    cards: list[ListedCard] = Field(default=[])


class AdmittedToken(Typed):
    """A token that came in; `revoked` and `replaced` are the entries by which it no longer counts."""

    id: str
    actor: str
    role: Role
    station: str
    admitted: int
    expires: datetime
    revoked: int | None
    replaced: int | None


class TokensPage(Typed):
    """The keys that are trusted and the tokens that came in, as `matchledger token list --json` prints them."""

    keys: list[str]
    demanded: bool
    tokens: list[AdmittedToken]


class TakenToken(Typed):
    """What a token says, as `matchledger token show --json` prints it."""

    taken: Literal[True]
    id: str
    role: TokenRole
    actor: str
    station: str
    tournament: UUID | None
    issued: datetime
    not_before: datetime
    expires: datetime
    once: bool


class RefusedToken(Typed):
    """Why a token is not taken."""

    taken: Literal[False]
    problem: str
