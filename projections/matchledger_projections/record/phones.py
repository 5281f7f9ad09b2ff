"""Phones: what players may do with their phones, both players' claims about a match, and requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from matchledger.events import (
    CheckedIn,
    DropAsked,
    EntryRetracted,
    JudgeCalled,
    LinkRenewed,
    PhonesAllowed,
    PhoneUse,
    RequestAnswered,
    ResultClaimed,
    ResultReported,
    Slip,
)
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


class Request(NamedTuple):
    """A player's request, recorded at `position`."""

    position: int
    fact: JudgeCalled | DropAsked


class Contested(NamedTuple):
    """A table without a result whose players disagree: each player's claim with its position."""

    first: tuple[int, ResultClaimed]
    second: tuple[int, ResultClaimed]


def phones_may(record: Record) -> frozenset[PhoneUse]:
    """Return what players may do with their phones. Nothing is allowed until the organizer decides."""
    said = _allowed(record)
    return frozenset() if said is None or record.closing is not None else frozenset(said.may)


def places(record: Record) -> int | None:
    """Return the number of places for players, or None without a limit.

    The limit still counts after the organizer has closed the sign-up, because people may still wait.
    """
    opened = [fact for _, fact in record.counting(PhonesAllowed) if "sign-up" in fact.may]
    return opened[-1].places if opened else None


def allowed_since(record: Record, use: PhoneUse) -> int | None:
    """Return the position of the decision that allowed this use of phones, if it is still allowed. Else None."""
    since = None
    for position, fact in record.counting(PhonesAllowed):
        since = (since or position) if use in fact.may else None
    return since


def _allowed(record: Record) -> PhonesAllowed | None:
    said = record.counting(PhonesAllowed)
    return said[-1][1] if said else None


def undone(record: Record) -> frozenset[int]:
    """Return the positions of the entries that were taken back. A person whose registration was taken back waits
    again. A merge or a transfer, after which another player has the place, puts nobody back on the list.
    """
    return frozenset(fact.retracts for _, fact in record.counting(EntryRetracted) if fact.player is None)


def link_age(record: Record, player: int) -> int:
    """Return how often a player's link was renewed. An older link no longer works."""
    return sum(fact.player == player for _, fact in record.every(LinkRenewed))


def link_users(record: Record) -> frozenset[int]:
    """Return the players who reported a result, called a judge or asked to be dropped with the link that they have
    now.

    Only phones record these facts. A check-in is left out, because the desk records check-ins too.
    """
    renewed = {fact.player: position for position, fact in record.every(LinkRenewed)}
    acts = [
        *((position, fact.by) for position, fact in record.every(ResultClaimed)),
        *((position, fact.by) for position, fact in record.every(JudgeCalled)),
        *((position, fact.player) for position, fact in record.every(DropAsked)),
    ]
    return frozenset(player for position, player in acts if position > renewed.get(player, 0))


def same_result(one: Slip, other: Slip) -> bool:
    """Return whether two slips have the same result, whatever their times."""
    timeless = {"ended": None, "received": None}
    return one.model_copy(update=timeless) == other.model_copy(update=timeless)


def claims_at(record: Record, round_: Round, table: int) -> Mapping[int, tuple[int, ResultClaimed]]:
    """Return the last claim of each player at a table, with its position, by player.

    A claim moves with its match to another table. If a round is undone, its claims do not count for the round that
    replaces it, even if the same two players meet again. If a result that agreed with a claim is taken back, the
    claims before the result end: both players must report again.
    """
    here = (round_.stage, round_.number, round_.tables[table])
    made = [
        (position, fact)
        for position, fact in record.counting(ResultClaimed)
        if (fact.stage, fact.round, fact.players) == here and position > round_.position
    ]
    ended = max(
        (
            report.position
            for report in (round_.reports(table) if made else ())
            if record.is_dead(report.position)
            and any(at < report.position and same_result(claim.slip, report.slip) for at, claim in made)
        ),
        default=0,
    )
    return {fact.by: (position, fact) for position, fact in made if position > ended}


def contested(record: Record, round_: Round) -> list[Contested]:
    """Return the tables of a round without a result whose players disagree, in order."""
    claimed = {fact.players for _, fact in record.counting(ResultClaimed)}
    found = []
    for table, players in round_.tables.items():
        claims = claims_at(record, round_, table) if players in claimed else {}
        if len(claims) == len(players) and round_.report(table, players) is None:
            found.append(Contested(*(claims[player] for player in players)))
    return found


def is_confirmation(record: Record, fact: ResultReported) -> bool:
    """Return whether a result was recorded because one player confirmed the other player's claim, which still
    counts.
    """
    if fact.confirms is None:
        return False
    claim = next((claim for at, claim in record.counting(ResultClaimed) if at == fact.confirms), None)
    return (
        claim is not None
        and (claim.stage, claim.round, claim.players) == (fact.stage, fact.round, fact.players)
        and same_result(claim.slip, fact.slip)
    )


def open_requests(record: Record) -> list[Request]:
    """Return the requests without an answer, in order.

    A request to drop is settled when the player is no longer active. A call for a judge waits until it is answered,
    also after the next round is paired.
    """
    answered = {fact.request for _, fact in record.counting(RequestAnswered)}
    waiting = [
        Request(position, fact) for position, fact in record.counting(JudgeCalled) if position not in answered
    ] + [
        Request(position, fact)
        for position, fact in record.counting(DropAsked)
        if record.status(fact.player) == "active" and position not in answered
    ]
    return sorted(waiting, key=lambda request: request.position)


def judge_called(record: Record, table: int) -> Request | None:
    """Return the first unanswered call for a judge from a table since the current round was paired, or None."""
    latest = record.current_round
    paired = record.position if latest is None else latest.position
    for request in open_requests(record):
        if isinstance(request.fact, JudgeCalled) and request.fact.table == table and request.position > paired:
            return request
    return None


def checked_in(record: Record) -> frozenset[int]:
    """Return the players who checked in."""
    return frozenset(fact.player for _, fact in record.counting(CheckedIn))
