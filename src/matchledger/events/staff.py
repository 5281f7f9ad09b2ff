"""Staff: who leads the event, in which role, and whether they are on duty."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber

Office = Literal["organizer", "marshal", "judge"]
Duty = Literal["active", "spectator", "left"]


class StaffAssigned(Fact):
    """Somebody became a leader of the event; `announced` says whether that was before round 1 was paired.

    `player` is the number under which the leader played then, and `name` is None where it is that player's: so it
    is erased with it. A leader who is registered later is known by the name (L5R-I.6-LEADERPLAY). The names of the
    staff stand in clear, as those of the actors of all entries do.
    """

    action = "assign-staff"
    kind: Literal["staff-assigned"] = "staff-assigned"
    name: str | None = Field(default=None, min_length=1, max_length=200)
    role: Office
    announced: bool
    player: PlayerNumber | None = None


class StaffDutyChanged(Fact):
    """A leader went off duty and watches, came back, or left; `assignment` is the entry that assigned them."""

    action = "change-duty"
    kind: Literal["staff-duty-changed"] = "staff-duty-changed"
    assignment: PositiveInt
    duty: Duty


StaffFact = StaffAssigned | StaffDutyChanged
