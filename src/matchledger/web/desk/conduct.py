"""The page of conduct: penalties, rulings, cards, and the staff behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args
from uuid import UUID

from matchledger.commands.penalties import CardStep
from matchledger.commands.staff import disorder
from matchledger.events import Office
from matchledger.events.conduct import Offence, Penalty
from matchledger.ledger import Ledger
from matchledger.web.desk.players import names_to_type
from matchledger.web.desk.state import latest_round
from matchledger_projections.conduct.cards import Incident, incidents, missing
from matchledger_projections.conduct.penalties import Given, penalties
from matchledger_projections.conduct.rulings import Ruling, rulings
from matchledger_projections.conduct.staff import (
    Leader,
    assignments,
    chief_marshals,
    leaders_in,
    responsible_leader,
)
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


@dataclass(frozen=True, slots=True)
class PenaltyLine:
    """A penalty in the desk's list. `unwarned` is the rule that required an earlier warning, if there was none."""

    position: int
    at: str
    player: int
    name: str
    penalty: str
    offence: str
    round: int | None
    table: int | None
    note: str | None
    by: str
    unwarned: str | None
    waits: bool
    called: str | None


@dataclass(frozen=True, slots=True)
class RulingLine:
    """A ruling. `reviewable` is false for a final or reviewed ruling."""

    position: int
    at: str
    judge: str
    question: str
    outcome: str
    table: int | None
    round: int | None
    source: str | None
    final: bool
    reviews: int | None
    reviewed_by: int | None
    reviewable: bool


@dataclass(frozen=True, slots=True)
class CardLine:
    """An incident with a card. `open` is true while the card is missing."""

    position: int
    said: str
    open: bool


@dataclass(frozen=True, slots=True)
class LeaderLine:
    """A member of the staff, with the rule for the role."""

    position: int
    name: str
    role: str
    duty: str
    announced: bool
    plays: str | None
    rule: str | None


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game that a leader plays, with the leader who rules there, or None if no leader can."""

    table: int
    names: tuple[str, str]
    ruled_by: str | None


@dataclass(frozen=True, slots=True)
class ConductView:
    """Everything about conduct, with the rules of the rulebook.

    `ladder` are the offences that need a warning first, each with its rule. `chosen` is the player of the page, and
    `before` are that player's earlier penalties.
    """

    penalties: list[PenaltyLine]
    rulings: list[RulingLine]
    cards: list[CardLine]
    staff: list[LeaderLine]
    games: list[GameLine]
    disorder: list[str]
    final_rulings: list[str]
    final_rule: str | None
    recommendation: str | None
    lost_card: str | None
    lost_card_minutes: int
    ladder: dict[str, str]
    chosen: str
    before: list[PenaltyLine]
    names: list[str]
    kinds: tuple[str, ...]
    names_of_penalties: tuple[str, ...]
    offences: tuple[str, ...]
    card_steps: tuple[str, ...]
    offices: tuple[str, ...]


def conduct_view(ledger: Ledger, tournament: UUID, player: int | None) -> ConductView:
    """The page as it is now, the latest first."""
    record = ledger.record(tournament)
    given = [_penalty(ledger, tournament, record, each) for each in reversed(penalties(record))]
    rules = record.rulebook.conduct
    chosen = record.players.get(player) if player is not None else None
    lacking = {each.position for each in missing(record)}
    return ConductView(
        penalties=given,
        rulings=[_ruling(ledger, tournament, each) for each in reversed(rulings(record))],
        cards=[_card(record, each, lacking) for each in reversed(incidents(record))],
        staff=[_leader(record, each) for each in assignments(record) if each.duty != "left"],
        games=_games(record, latest_round(record)),
        disorder=[problem.said for problem in disorder(record)],
        final_rulings=[leader.name for leader in chief_marshals(record)],
        final_rule=rules.final_ruling,
        recommendation=rules.recommendation,
        lost_card=rules.lost_card,
        lost_card_minutes=rules.lost_card_minutes,
        ladder={str(offence): rule for offence, rule in rules.warned_first.items()},
        chosen="" if chosen is None else f"#{chosen.number} {chosen.name}",
        before=[] if chosen is None else [line for line in given if line.player == chosen.number],
        names=names_to_type(record),
        kinds=get_args(Penalty),
        names_of_penalties=rules.penalties,
        offences=get_args(Offence),
        card_steps=get_args(CardStep),
        offices=get_args(Office),
    )


def _penalty(ledger: Ledger, tournament: UUID, record: Record, given: Given) -> PenaltyLine:
    fact, entry = given.fact, ledger.entry(tournament, given.position)
    recommended = fact.penalty == "recommend-disqualification"
    return PenaltyLine(
        given.position,
        _at(ledger, tournament, given.position),
        fact.player,
        record.players[fact.player].name,
        fact.penalty,
        fact.offence,
        fact.round,
        fact.table,
        fact.note,
        entry.actor,
        given.unwarned,
        recommended and record.status(fact.player) != "disqualified",
        fact.called,
    )


def _ruling(ledger: Ledger, tournament: UUID, ruling: Ruling) -> RulingLine:
    fact = ruling.fact
    return RulingLine(
        ruling.position,
        _at(ledger, tournament, ruling.position),
        fact.judge,
        fact.question,
        fact.outcome,
        fact.table,
        fact.round,
        fact.source,
        fact.final,
        fact.reviews,
        ruling.reviewed_by,
        not fact.final and ruling.reviewed_by is None,
    )


def _card(record: Record, incident: Incident, lacking: set[int]) -> CardLine:
    return CardLine(incident.position, tell(record, incident.fact), incident.position in lacking)


def _leader(record: Record, leader: Leader) -> LeaderLine:
    rules = record.rulebook.staff
    return LeaderLine(
        leader.position,
        leader.name,
        leader.role,
        leader.duty,
        leader.announced,
        record.players[leader.player].name if leader.player is not None and leader.plays else None,
        None if rules is None else rules.rule_of(leader.role),
    )


def _games(record: Record, round_: Round | None) -> list[GameLine]:
    if round_ is None:
        return []
    return [
        GameLine(
            table,
            (record.players[players[0]].name, record.players[players[1]].name),
            getattr(responsible_leader(record, players), "name", None),
        )
        for table, players in round_.tables.items()
        if leaders_in(record, players)
    ]


def _at(ledger: Ledger, tournament: UUID, position: int) -> str:
    return ledger.entry(tournament, position).recorded_at.astimezone().strftime("%H:%M")
