"""Age divisions and flights: decisions before round 1 about which players play separately."""

from typing import Annotated, Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber

DivisionMode = Literal["none", "separated", "modified"]


class DivisionsDecided(Fact):
    """The decision how divisions play: separately, together but preferably within a division, or as one field.

    `sizes` are the numbers of players of each division at that time. `rounds` are the Swiss rounds of each division
    that plays separately, if no structure was announced. `deviations` are the rules that the decision departs from.
    """

    action = "arrange-field"
    public = True
    kind: Literal["divisions-decided"] = "divisions-decided"
    mode: DivisionMode
    sizes: dict[str, int]
    rounds: dict[str, PositiveInt] = Field(default={})
    deviations: tuple[str, ...] = ()


class FlightsDrawn(Fact):
    """A division was drawn into flights, which play separately until the cut.

    The sizes of the flights never change.

    `seed` is the seed of the draw that ordered the players. The first players in that order are flight 1, and so
    on.
    """

    action = "arrange-field"
    public = True
    kind: Literal["flights-drawn"] = "flights-drawn"
    division: str
    flights: tuple[Annotated[tuple[PlayerNumber, ...], Field(min_length=1)], ...] = Field(min_length=2)
    seed: str = Field(pattern="^[0-9a-f]{64}$")
    deviations: tuple[str, ...] = ()


class FlightJoined(Fact):
    """A late player joined a flight. `seed` is set only if chance chose between equal flights."""

    action = "arrange-field"
    public = True
    kind: Literal["flight-joined"] = "flight-joined"
    player: PlayerNumber
    flight: PositiveInt
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class DivisionChanged(Fact):
    """A player moved to another division.

    Paired rounds do not change.

    `deviations` are the rules that the change departs from. The entry has the reason.
    """

    action = "arrange-field"
    public = True
    kind: Literal["division-changed"] = "division-changed"
    player: PlayerNumber
    division: str | None = None
    deviations: tuple[str, ...] = ()


DivisionFact = DivisionsDecided | FlightsDrawn | FlightJoined | DivisionChanged
