"""Staff: who leads an event, who of them plays, and who rules in a game of theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from matchledger.events import Duty, Office, StaffAssigned, StaffDutyChanged, Two
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as

# Who rules first where several can: the marshal decides for good, and the organizer does a marshal's work
# (L5R-I.1-ORG, L5R-I.2-MARSHAL, L5R-I.3-JUDGE).
_FIRST_TO_RULE: tuple[Office, ...] = ("marshal", "organizer", "judge")


class Leader(NamedTuple):
    """A leader of the event, assigned by the entry at `position`.

    `player` is the number under which the leader is registered, and None for one who is not; `plays` is false for
    a leader who has dropped.
    """

    position: int
    name: str
    role: Office
    announced: bool
    duty: Duty
    player: int | None
    plays: bool

    def is_called(self, name: str) -> bool:
        return known_as(self.name) == known_as(name)


def assignments(record: Record) -> list[Leader]:
    """Every leader who was assigned, those who left included, in order."""
    duties: dict[int, Duty] = {
        fact.assignment: fact.duty
        for position, fact in record.every(StaffDutyChanged)
        if not record.is_dead(position)
    }
    return [
        _leader(record, position, fact, duties.get(position, "active"))
        for position, fact in record.every(StaffAssigned)
        if not record.is_dead(position)
    ]


def leaders(record: Record) -> list[Leader]:
    """The leaders of the event, in order of assignment: those on duty, and those who are spectators for now."""
    return [leader for leader in assignments(record) if leader.duty != "left"]


def _leader(record: Record, position: int, fact: StaffAssigned, duty: Duty) -> Leader:
    name = leader_name(record, fact)
    player = _number(record, fact, name)
    plays = player is not None and record.status(player) == "active"
    return Leader(position, name, fact.role, fact.announced, duty, player, plays)


def leader_name(record: Record, fact: StaffAssigned) -> str:
    """What a leader is called: by a name of their own, or by that of the player."""
    if fact.name is not None:
        return fact.name
    return record.players[fact.player].name if fact.player in record.players else f"#{fact.player}"


def _number(record: Record, fact: StaffAssigned, name: str) -> int | None:
    """The number under which a leader is registered: the one that was noted, or that of the same name."""
    if fact.player in record.players and not record.is_dead(record.players[fact.player].position):
        return fact.player
    registered = record.named(name)
    return None if registered is None else registered.number


def leader_called(record: Record, name: str) -> Leader | None:
    """The leader of a name, compared as players' names are."""
    return next((leader for leader in leaders(record) if leader.is_called(name)), None)


def chief_marshals(record: Record) -> list[Leader]:
    """Whose ruling is final (L5R-I.2-MARSHAL): the marshals on duty, else the organizer (L5R-I.1-ORG)."""
    on_duty = [leader for leader in leaders(record) if leader.duty == "active"]
    return [leader for leader in on_duty if leader.role == "marshal"] or [
        leader for leader in on_duty if leader.role == "organizer"
    ]


def responsible_leader(record: Record, players: Iterable[int]) -> Leader | None:
    """Who rules first in a game in which a leader plays; None if there is nobody."""
    return next(iter(responsible_leaders(record, players)), None)


def responsible_leaders(record: Record, players: Iterable[int]) -> list[Leader]:
    """Who may rule in a game in which a leader plays (L5R-I.6-LEADERPLAY), none of them a party to it.

    These are the leaders on duty who were announced before round 1, a marshal first, and of two equals the one who
    does not play. Between two leaders the marshals alone rule, where there is one.
    """
    playing = set(players)
    free = [
        leader
        for leader in leaders(record)
        if leader.announced and leader.duty == "active" and leader.player not in playing
    ]
    order = sorted(free, key=lambda leader: (_FIRST_TO_RULE.index(leader.role), leader.plays, leader.position))
    chiefs = [leader for leader in order if leader.role == "marshal"]
    return chiefs if chiefs and len(leaders_in(record, playing)) > 1 else order


def leaders_in(record: Record, players: Iterable[int]) -> list[Leader]:
    """The leaders among the players of a game."""
    playing = set(players)
    return [leader for leader in leaders(record) if leader.player in playing]


def unruled(record: Record, games: Iterable[Two]) -> Iterator[Two]:
    """The games in which a leader plays and no other can rule, where the rulebook asks for one (TV-L5R-ROLE-4)."""
    if record.rulebook.staff is None or not leaders(record):
        return
    for players in games:
        if leaders_in(record, players) and responsible_leader(record, players) is None:
            yield players
