"""Players: who they are, how they enter and leave, and what happens to their personal data."""

from typing import Any, Literal

from pydantic import (
    Field,
    GetJsonSchemaHandler,
    NonNegativeInt,
    PositiveInt,
    SerializerFunctionWrapHandler,
    model_serializer,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from matchledger.events.fact import Fact, PlayerNumber, Stage


class Person(Fact):
    """The identity of a player.

    A log has a player's personal data only in this model, so that the data can be encrypted, left out or erased.

    `details` are other columns of a roster, such as an address. All details are personal data. Empty columns are
    left out of an entry.
    """

    name: str = Field(min_length=1, max_length=200)
    born: int | None = Field(default=None, ge=1900, le=2100, description="year of birth")
    contact: str | None = Field(default=None, max_length=200)
    details: dict[str, str] = Field(default_factory=dict)

    @model_serializer(mode="wrap")
    def _without_empty_details(self, serialize: SerializerFunctionWrapHandler) -> dict[str, Any]:
        said: dict[str, Any] = serialize(self)
        if not self.details:
            said.pop("details", None)
        return said

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return a JSON schema in which personal fields always appear, even though entries omit empty ones."""
        return handler({key: value for key, value in core.items() if key != "serialization"})


class PlayerRegistered(Fact):
    """A player registered before the tournament started.

    `deviations` are the rules that the registration departs from.

    `attributes` are columns that affect pairings, unencrypted. Logs from before 2026-11-21 have every column of the
    roster in `attributes`.
    """

    action = "register"
    public = True
    kind: Literal["player-registered"] = "player-registered"
    number: PlayerNumber
    person: Person
    division: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    deviations: tuple[str, ...] = ()


class PlayerArrivedLate(Fact):
    """A player joined a tournament in progress, and was charged with a loss for each round in `losses`."""

    action = "accept-late"
    public = True
    kind: Literal["player-arrived-late"] = "player-arrived-late"
    number: PlayerNumber
    person: Person
    division: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)
    losses: tuple[PositiveInt, ...] = ()
    deviations: tuple[str, ...] = ()


class PersonCorrected(Fact):
    """A player's data were corrected.

    `person` replaces the data at every moment of the log.

    Earlier entries do not change.
    """

    action = "register"
    paired_on = False
    kind: Literal["person-corrected"] = "person-corrected"
    player: PlayerNumber
    person: Person


class PlayerDropped(Fact):
    """A player left the event. `after_round` is the last Swiss round on the player's record.

    After the cut, dropping affects only the elimination stage. The Swiss standings do not change.
    """

    action = "drop"
    public = True
    kind: Literal["player-dropped"] = "player-dropped"
    player: PlayerNumber
    after_round: NonNegativeInt
    cause: str = "request"
    stage: Stage = "swiss"


class PlayerRejoined(Fact):
    """A dropped player came back, charged with an unpaired loss for each round in `losses`."""

    action = "rejoin"
    public = True
    kind: Literal["player-rejoined"] = "player-rejoined"
    player: PlayerNumber
    losses: tuple[PositiveInt, ...] = ()


class PlayerDisqualified(Fact):
    """A player was removed for good. The player's recorded results still count for the opponents."""

    action = "disqualify"
    public = True
    kind: Literal["player-disqualified"] = "player-disqualified"
    player: PlayerNumber
    after_round: NonNegativeInt
    recommended_by: str | None = None
    stage: Stage = "swiss"


PlayerFact = (
    PlayerRegistered | PlayerArrivedLate | PersonCorrected | PlayerDropped | PlayerRejoined | PlayerDisqualified
)


class PersonErased(Fact):
    """The key to a player's personal data was destroyed.

    Every copy with this entry destroys its own key too.

    From this entry on, every view of every moment shows the player only as a number.
    """

    action = "erase"
    retractable = False
    kind: Literal["person-erased"] = "person-erased"
    player: PlayerNumber


class NamesHandedOut(Fact):
    """A copy with readable names was made. An erasure cannot reach this copy. Without `players`, the copy has the
    names of all players.
    """

    action = "hand-names-out"
    retractable = False
    kind: Literal["names-handed-out"] = "names-handed-out"
    form: Literal["export", "bundle"]
    to: str = Field(max_length=200, description="the name of the file, without its folder")
    players: tuple[PlayerNumber, ...] = ()


PrivacyFact = PersonErased | NamesHandedOut
