"""Age divisions and flights: who is kept apart from whom, as it was decided before the first round."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber

DivisionMode = Literal["none", "separated", "modified"]


class DivisionsDecided(Fact):
    """How the divisions are paired: each by itself, together with a preference for one's own, or as one field.

    `sizes` are the players of each division that it was decided on, `deviations` the rules that it departs from.
    """

    action = "arrange-field"
    kind: Literal["divisions-decided"] = "divisions-decided"
    mode: DivisionMode
    sizes: dict[str, int]
    deviations: tuple[str, ...] = ()


class FlightsDrawn(Fact):
    """A division was drawn into flights, each of which plays by itself until the cut; their sizes are frozen.

    `seed` is what chance ordered the players by: the first of the order are flight 1, and so on.
    """

    action = "arrange-field"
    kind: Literal["flights-drawn"] = "flights-drawn"
    division: str
    flights: tuple[Annotated[tuple[PlayerNumber, ...], Field(min_length=1)], ...] = Field(min_length=2)
    seed: str = Field(pattern="^[0-9a-f]{64}$")
    deviations: tuple[str, ...] = ()


class FlightJoined(Fact):
    """A late player was put into a flight; `seed` only where chance chose among equal ones."""

    action = "arrange-field"
    kind: Literal["flight-joined"] = "flight-joined"
    player: PlayerNumber
    flight: PositiveInt
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class DivisionChanged(Fact):
    """A player plays in another division from here on; rounds that are paired stay as they are.

    `deviations` are rules that somebody with a reason let the change depart from.
    """

    action = "arrange-field"
    kind: Literal["division-changed"] = "division-changed"
    player: PlayerNumber
    division: str | None = None
    deviations: tuple[str, ...] = ()


DivisionFact = DivisionsDecided | FlightsDrawn | FlightJoined | DivisionChanged
