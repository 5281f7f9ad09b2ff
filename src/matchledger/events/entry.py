"""Entries: a fact with its position, the person who recorded it, and the time."""

from typing import Annotated, Any, Literal, get_args
from uuid import UUID

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PositiveInt,
    TypeAdapter,
    ValidationError,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core.core_schema import CoreSchema, no_info_plain_validator_function

from matchledger.events.chance import ChanceFact
from matchledger.events.clock import ClockFact
from matchledger.events.conduct import ConductFact, StaffFact
from matchledger.events.copies import CopyMerged
from matchledger.events.decks import DeckFact
from matchledger.events.divisions import DivisionFact
from matchledger.events.doors import DoorFact
from matchledger.events.fact import Fact
from matchledger.events.phones import CallFact, PhoneFact
from matchledger.events.players import PlayerFact, PrivacyFact
from matchledger.events.postings import OverviewFiled, PostingFact, PublicityFact
from matchledger.events.rounds import RoundFact
from matchledger.events.slips import SlipFact
from matchledger.events.stages import StageFact
from matchledger.events.tournaments import TournamentFact

Role = Literal["organizer", "marshal", "judge", "scorekeeper", "player"]
ROLES: tuple[Role, ...] = ("organizer", "marshal", "judge", "scorekeeper", "player")

AnyFact = (
    TournamentFact
    | PlayerFact
    | RoundFact
    | ClockFact
    | SlipFact
    | PostingFact
    | StageFact
    | DeckFact
    | CallFact
    | PhoneFact
    | PublicityFact
    | ConductFact
    | OverviewFiled
    | CopyMerged
    | PrivacyFact
    | DoorFact
    | DivisionFact
    | ChanceFact
    | StaffFact
)


KINDS: dict[str, type[Fact]] = {kind.model_fields["kind"].default: kind for kind in get_args(AnyFact)}


_CLASSES = frozenset(KINDS.values())


class ByKind:
    """Marks a fact that is read as the class that its `kind` names, like pydantic's discriminator.

    To read one fact, pydantic would prepare every class, which takes longer than most commands.
    """

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_plain_validator_function(_fact_of)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(_EVERY_KIND.core_schema)


_EVERY_KIND: TypeAdapter[AnyFact] = TypeAdapter(
    Annotated[AnyFact, Field(discriminator="kind")], config=ConfigDict(defer_build=True)
)


def _fact_of(given: object) -> Any:
    if type(given) in _CLASSES:
        return given
    kind = given.get("kind") if isinstance(given, dict) else None
    if isinstance(kind, str) and kind in KINDS:
        try:
            return KINDS[kind].__pydantic_validator__.validate_python(given)
        except ValidationError:
            pass
    return _EVERY_KIND.validate_python(given)  # pydantic raises an error that names the bad field


class Entry(BaseModel):
    """A recorded fact: its position in the tournament's log, counted from 1, and who, when and where.

    Entries are ordered by `position`, never by time. `command` is the id of the command behind the entry. A command
    that is sent twice is recorded once. `token` is the id of the actor's station token.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tournament: UUID
    position: PositiveInt
    recorded_at: AwareDatetime
    actor: str
    role: Role
    station: str
    command: str
    reason: str | None = None
    token: str | None = None
    fact: Annotated[AnyFact, ByKind()]
