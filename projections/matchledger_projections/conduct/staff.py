"""Staff: the leaders of an event, which of them play, and who rules in a game of a leader."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from matchledger.events import Duty, Office, StaffAssigned, StaffDutyChanged, Two
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as

# The roles in order of rank: the first of these roles that is on duty rules. A marshal's ruling is final, and an
# organizer can do a marshal's work (L5R-I.1-ORG, L5R-I.2-MARSHAL, L5R-I.3-JUDGE).
_FIRST_TO_RULE: tuple[Office, ...] = ("marshal", "organizer", "judge")


class Leader(Struct, frozen=True):
    """A leader of the event, assigned by the entry at `position`.

    `player` is the leader's number as a player, or None if the leader is not registered. `plays` is false if the
    leader has dropped.
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
    """Return every leader who was assigned, in order, including leaders who have left."""
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
    """Return the leaders of the event in order of assignment, whether on duty or off duty."""
    return [leader for leader in assignments(record) if leader.duty != "left"]


def _leader(record: Record, position: int, fact: StaffAssigned, duty: Duty) -> Leader:
    name = leader_name(record, fact)
    player = _number(record, fact, name)
    plays = player is not None and record.status(player) == "active"
    return Leader(position, name, fact.role, fact.announced, duty, player, plays)


def leader_name(record: Record, fact: StaffAssigned) -> str:
    """Return a leader's own name, or the name of the player who leads."""
    if fact.name is not None:
        return fact.name
    return record.players[fact.player].name if fact.player in record.players else f"#{fact.player}"


def _number(record: Record, fact: StaffAssigned, name: str) -> int | None:
    """Return a leader's number as a player: the recorded number, the number of the player with the same name, or
    None.
    """
    if fact.player in record.players and not record.is_dead(record.players[fact.player].position):
        return fact.player
    registered = record.named(name)
    return None if registered is None else registered.number


def without_organizer(record: Record) -> bool:
    """Return whether every organizer has left an event that must have an organizer (L5R-I.1-ORG)."""
    organizers = [leader for leader in assignments(record) if leader.role == "organizer"]
    return record.rulebook.staff is not None and bool(organizers) and all(who.duty == "left" for who in organizers)


def leader_called(record: Record, name: str) -> Leader | None:
    """Return the leader with a name, compared like players' names, or None."""
    return next((leader for leader in leaders(record) if leader.is_called(name)), None)


def chief_marshals(record: Record) -> list[Leader]:
    """Return the leaders who rule finally (L5R-I.2-MARSHAL): marshals on duty, or otherwise the organizer
    (L5R-I.1-ORG).
    """
    on_duty = [leader for leader in leaders(record) if leader.duty == "active"]
    return [leader for leader in on_duty if leader.role == "marshal"] or [
        leader for leader in on_duty if leader.role == "organizer"
    ]


def responsible_leader(record: Record, players: Iterable[int]) -> Leader | None:
    """Return the leader who rules first in a game that a leader plays, or None if no one can."""
    return next(iter(responsible_leaders(record, players)), None)


def responsible_leaders(record: Record, players: Iterable[int]) -> list[Leader]:
    """Return the leaders who may rule in a game that a leader plays (L5R-I.6-LEADERPLAY).

    The returned leaders do not play in that game, are on duty, and were announced before round 1. Marshals come
    first. Of two leaders of the same role, the one who does not play comes first. If both players of the game are
    leaders, only a marshal rules, if the event has one.
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
    """Return the leaders among the players of a game."""
    playing = set(players)
    return [leader for leader in leaders(record) if leader.player in playing]


def unruled(record: Record, games: Iterable[Two]) -> Iterator[Two]:
    """Yield the games of leaders in which no other leader can rule, if the rulebook demands another leader
    (TV-L5R-ROLE-4).
    """
    if record.rulebook.staff is None or not leaders(record):
        return
    for players in games:
        if leaders_in(record, players) and responsible_leader(record, players) is None:
            yield players
