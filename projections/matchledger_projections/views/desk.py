"""Views for the staff: leaders, calls to the desk, penalties, rulings and cards, deck lists, tokens."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime
from typing import Annotated, Literal

from msgspec import Struct

from matchledger.events import DropAsked, Duty, JudgeCalled, ListedCard, Office, Role, Stage, TokenAdmitted, Two
from matchledger.events.conduct import Damage, Missed, Offence, Penalty
from matchledger.events.phones import Answer, Claim
from matchledger_projections.conduct import access
from matchledger_projections.conduct.penalties import incidents, missing, penalties, proxies, rulings
from matchledger_projections.conduct.staff import (
    Leader,
    assignments,
    chief_marshals,
    leaders_in,
    responsible_leader,
)
from matchledger_projections.decks.registered import Registered, advantageous, registered
from matchledger_projections.document import LEFT_OUT, UNSAID, Player, PlayerName, copied
from matchledger_projections.record.desk_calls import Call, State, open_calls, open_contradictions
from matchledger_projections.record.desk_calls import calls as every_call
from matchledger_projections.record.phones import contested, open_requests
from matchledger_projections.record.record import Record
from matchledger_projections.views.charts import PlayerNumber
from matchledger_projections.views.sight import Asked, Headed, Sight, answers, heading

# -- the staff


class LeaderLine(Struct, frozen=True):
    """A leader of the event, with the rule for the role."""

    entry: int
    name: str
    role: Office
    rule: str | None
    announced: bool
    duty: Duty
    player: PlayerName | None
    plays: bool


class LedGame(Struct, frozen=True):
    """A game that a leader plays, and the leader who rules in the game (null if no leader can)."""

    stage: Stage
    round: int
    table: int
    players: tuple[PlayerName, ...]
    ruled_by: str | None


class StaffPage(Struct, frozen=True):
    """The leaders of the event, as `matchledger staff list --json` prints them."""

    head: Headed
    tier: str | None
    staff: tuple[LeaderLine, ...]
    final_rulings: tuple[str, ...]
    games: tuple[LedGame, ...]


@answers("staff", "staff")
def staff(sight: Sight) -> StaffPage:
    """The leaders of the event, and the leader who rules in each of their games of the latest round."""
    record = sight.record
    return StaffPage(
        heading(record),
        record.rulebook.tier,
        tuple(leader_line(record, leader) for leader in assignments(record)),
        tuple(leader.name for leader in chief_marshals(record)),
        tuple(led_games(record)),
    )


def leader_line(record: Record, leader: Leader) -> LeaderLine:
    """Return a leader, with the rule for the role."""
    rules = record.rulebook.staff
    rule = None if rules is None else rules.rule_of(leader.role)
    return copied(LeaderLine, leader, entry=leader.position, rule=rule)


def games_of_leaders(record: Record) -> list[tuple[int, Two]]:
    """Return the tables of the latest round with a leader among the players."""
    round_ = record.current_round
    tables = {} if round_ is None else round_.tables
    return [(table, players) for table, players in tables.items() if leaders_in(record, players)]


def led_games(record: Record) -> Iterator[LedGame]:
    """Yield the tables of the latest round with a leader among the players, each with the leader who rules
    there.
    """
    round_ = record.current_round
    for table, players in games_of_leaders(record):
        ruled_by = getattr(responsible_leader(record, players), "name", None)
        if round_ is not None:
            yield LedGame(round_.stage, round_.number, table, players, ruled_by)


# -- calls


class CallLine(Struct, frozen=True):
    """A call to the desk. `disputes` is null if no result was recorded, and `answer` is null until the desk has
    answered.
    """

    position: int
    state: State
    stage: Stage
    round: int
    table: int
    players: tuple[PlayerName, ...]
    by: PlayerName
    claim: Claim
    disputes: int | None
    answer: Answer | None
    call: Annotated[Call, UNSAID]


class ContradictionLine(Struct, frozen=True):
    """A slip that was refused because it contradicts the counting entry `contradicts`."""

    position: int
    stage: Stage
    round: int
    table: int
    players: tuple[PlayerName, ...]
    contradicts: int


class ContestedLine(Struct, frozen=True):
    """A table without a result whose players claim different results by phone, with the entries of their claims."""

    stage: Stage
    round: int
    table: int
    players: tuple[PlayerName, ...]
    claims: tuple[int, int]


class RequestLine(Struct, frozen=True):
    """A player's request by phone: a judge at a table of a round, or a drop."""

    position: int
    wants: Literal["judge", "drop"]
    by: PlayerName
    stage: Stage | None
    round: int | None
    table: int | None


class CallsPage(Struct, frozen=True):
    """The open questions for the desk, as `matchledger calls --json` prints them."""

    tournament: str
    position: int
    calls: tuple[CallLine, ...]
    contradictions: tuple[ContradictionLine, ...]
    contested: tuple[ContestedLine, ...]
    requests: tuple[RequestLine, ...]


@answers("calls", "staff")
def calls(sight: Sight, *, every: Annotated[bool, Asked("Answered calls, too.", name="all")] = False) -> CallsPage:
    """The open questions for the desk: calls, slips that contradict a result, contested tables, and requests by
    phone.
    """
    found = every_call(sight.record) if every else open_calls(sight.record)
    lines = (
        copied(CallLine, call, call.fact, call=call, answer=None if call.answer is None else call.answer.answer)
        for call in found
    )
    contradictions = (
        copied(ContradictionLine, fact, position=position) for position, fact in open_contradictions(sight.record)
    )
    return CallsPage(
        sight.title,
        sight.position,
        tuple(lines),
        tuple(contradictions),
        tuple(contested_lines(sight.record)),
        tuple(request_lines(sight.record)),
    )


def contested_lines(record: Record) -> Iterator[ContestedLine]:
    """Yield the tables of the round in play whose players claim different results, in order."""
    round_ = record.current_round
    for (first, fact), (second, _) in [] if round_ is None else contested(record, round_):
        yield copied(ContestedLine, fact, claims=(first, second))


def request_lines(record: Record) -> Iterator[RequestLine]:
    """Yield the requests by phone without an answer, in order."""
    for position, fact in open_requests(record):
        match fact:
            case JudgeCalled():
                yield RequestLine(position, "judge", fact.by, fact.stage, fact.round, fact.table)
            case DropAsked():
                yield RequestLine(position, "drop", fact.player, None, None, None)


# -- conduct


class PenaltyLine(Struct, frozen=True):
    """A penalty.

    `unwarned` is the broken rule if the player needed an earlier warning but had none. `called` is the game's own
    name for the penalty, if it differs.
    """

    position: int
    player: PlayerName
    penalty: Penalty
    offence: Offence
    stage: Stage
    round: int | None
    table: int | None
    note: str | None
    deviations: tuple[str, ...]
    unwarned: str | None
    called: str | None


class RulingLine(Struct, frozen=True):
    """A ruling. `reviewed_by` is the entry of the later ruling that reviewed this ruling."""

    position: int
    question: str
    outcome: str
    judge: str
    source: str | None
    stage: Stage
    round: int | None
    table: int | None
    players: tuple[PlayerName, ...]
    reviews: int | None
    reviewed_by: int | None
    final: bool


class CardLine(Struct, frozen=True):
    """An incident with a card."""

    position: int
    player: PlayerName
    card: str
    what: Damage
    leader: str
    when: Missed | None
    date: date | None
    stage: Stage
    round: int | None
    table: int | None
    note: str | None


class AmendmentLine(Struct, frozen=True):
    """An amendment of a deck list that may be an advantage for the player."""

    position: int
    player: PlayerName
    leader: str


class ConductPage(Struct, frozen=True):
    """Penalties, rulings and cards, as `matchledger conduct --json` prints them.

    `missing` and `proxies` are the positions of entries about cards that are still missing or have a proxy.
    `advantageous` are amendments of deck lists that a leader may want to check (L5R-II.2b-LISTFIX).
    """

    head: Headed
    penalties: tuple[PenaltyLine, ...]
    rulings: tuple[RulingLine, ...]
    cards: tuple[CardLine, ...]
    missing: tuple[int, ...]
    proxies: tuple[int, ...]
    advantageous: tuple[AmendmentLine, ...]


@answers("conduct", "staff")
def conduct(sight: Sight) -> ConductPage:
    """Penalties, rulings, and incidents with cards."""
    record = sight.record
    return ConductPage(
        heading(record),
        tuple(copied(PenaltyLine, given, given.fact) for given in penalties(record)),
        tuple(
            copied(RulingLine, ruling, ruling.fact, players=ruling.fact.players or ()) for ruling in rulings(record)
        ),
        tuple(copied(CardLine, incident, incident.fact) for incident in incidents(record)),
        tuple(incident.position for incident in missing(record)),
        tuple(incident.position for incident in proxies(record)),
        tuple(AmendmentLine(at, fact.player, fact.leader) for at, fact in advantageous(record)),
    )


# -- decks


class DeckAmendment(Struct, frozen=True):
    """An amendment of a deck list, with its author."""

    entry: int
    leader: str
    advantageous: bool
    sha256: str


class DeckCheckLine(Struct, frozen=True):
    """The check of a deck against a rule. `ok` is null if the check is undecided. `found` appears only on
    request.
    """

    entry: int
    rule: str
    ok: bool | None
    round: int | None
    sha256: str
    card_data: str | None
    found: Annotated[str | None, LEFT_OUT] = ""


class DeckPage(Struct, frozen=True):
    """A player's list, as `matchledger deck show --json` prints it. `cards` appears only on request."""

    player: Player
    position: int
    entry: int | None
    sha256: str | None
    amendments: tuple[DeckAmendment, ...]
    checks: tuple[DeckCheckLine, ...]
    cards: Annotated[tuple[ListedCard, ...] | None, LEFT_OUT] = None


@answers("decks/{player}", "staff")
def deck(
    sight: Sight,
    *,
    player: PlayerNumber,
    cards: Annotated[bool, Asked("With the list itself, and what checks found in it.")] = False,
) -> DeckPage:
    """A registered deck: hashes, amendments, checks."""
    record = sight.record
    current = registered(record, sight.need_player(player))
    return DeckPage(
        player,
        record.position,
        None if current is None else current.position,
        None if current is None else current.sha256,
        tuple(_amendments(current)),
        tuple(_checks(record, player, with_findings=cards)),
        current.deck.cards if cards and current is not None else None,
    )


def _amendments(current: Registered | None) -> Iterator[DeckAmendment]:
    for position, fact in current.amendments if current else ():
        yield copied(DeckAmendment, fact, entry=position)


def _checks(record: Record, player: int, *, with_findings: bool) -> Iterator[DeckCheckLine]:
    for position, fact in record.deck_checks(player):
        found = (fact.finding.text if fact.finding else None) if with_findings else ""
        yield copied(DeckCheckLine, fact, entry=position, found=found)


# -- tokens


class AdmittedToken(Struct, frozen=True):
    """An admitted token. `revoked` and `replaced` are the positions of the entries that ended the token."""

    id: str
    actor: str
    role: Role
    station: str
    admitted: int
    expires: datetime
    revoked: int | None
    replaced: int | None


class TokensPage(Struct, frozen=True):
    """The trusted keys and the admitted tokens, as `matchledger token list --json` prints them."""

    keys: tuple[str, ...]
    demanded: bool
    tokens: tuple[AdmittedToken, ...]


@answers("tokens", "staff")
def tokens(sight: Sight) -> TokensPage:
    """The trusted keys and the admitted tokens."""
    record = sight.record
    return TokensPage(
        tuple(access.trusted_keys(record)),
        access.tokens_demanded(record),
        tuple(_admitted(record, position, fact) for position, fact in record.every(TokenAdmitted)),
    )


def _admitted(record: Record, position: int, fact: TokenAdmitted) -> AdmittedToken:
    return copied(
        AdmittedToken,
        fact,
        id=fact.token,
        admitted=position,
        revoked=access.revoked(record, fact.token),
        replaced=access.superseded(record, actor=fact.actor, station=fact.station, issued=fact.issued),
    )
