"""Staff: the leaders of the event, their roles and their duty."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber

Office = Literal["organizer", "marshal", "judge"]
Duty = Literal["active", "spectator", "left"]


class StaffAssigned(Fact):
    """Somebody became a leader of the event.

    `announced` says whether that was before round 1 was paired.

    `player` is the leader's number as a player at that time. `name` is None if it is that player's name, so
    that an erasure reaches it. A leader who registers later is found by the name (L5R-I.6-LEADERPLAY). The
    names of the staff are stored in clear, like the actors of all entries.
    """

    action = "assign-staff"
    kind: Literal["staff-assigned"] = "staff-assigned"
    name: str | None = Field(default=None, min_length=1, max_length=200)
    role: Office
    announced: bool
    player: PlayerNumber | None = None


class StaffDutyChanged(Fact):
    """A leader went off duty, came back, or left. `assignment` is the entry that assigned the leader."""

    action = "change-duty"
    kind: Literal["staff-duty-changed"] = "staff-duty-changed"
    assignment: PositiveInt
    duty: Duty


StaffFact = StaffAssigned | StaffDutyChanged
