"""Postings and signatures: standings, pairings, ordered ties, checkpoints, the overview, the event's page, and
news.
"""

from datetime import date
from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage
from matchledger.events.rounds import Seating


class TieResolved(Fact):
    """Players whom the rulebook leaves tied after a round were ordered, best first."""

    action = "order-tie"
    public = True
    kind: Literal["tie-resolved"] = "tie-resolved"
    round: NonNegativeInt
    players: tuple[PlayerNumber, ...] = Field(min_length=2)
    method: Literal["random", "rock-paper-scissors", "other"] = "random"
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class PostedRow(Fact):
    """One line of posted standings. `rank` is None for a player who has no place."""

    rank: PositiveInt | None
    player: PlayerNumber
    points: int
    status: str
    tied: bool
    tiebreaks: dict[str, str]


class StandingsPosted(Fact):
    """Standings were posted on the wall. The log keeps the standings for ever, exactly as posted (PKM-4-KEEP)."""

    action = "post"
    public = True
    retractable = False
    kind: Literal["standings-posted"] = "standings-posted"
    round: NonNegativeInt
    rows: tuple[PostedRow, ...]


class PairingsPosted(Fact):
    """The tables of a round were posted on the wall. The log keeps the tables exactly as posted."""

    action = "post"
    public = True
    retractable = False
    kind: Literal["pairings-posted"] = "pairings-posted"
    stage: Stage = "swiss"
    round: PositiveInt
    tables: tuple[Seating, ...]
    byes: tuple[PlayerNumber, ...] = ()


class CheckpointSigned(Fact):
    """A key signed the log before this entry: its tree head, in a signed note.

    `consistency` is an RFC 6962 proof that the log only grew since the note in entry `previous`.
    """

    action = "post"
    public = True
    retractable = False
    kind: Literal["checkpoint-signed"] = "checkpoint-signed"
    note: str = Field(description="the checkpoint, in the C2SP form, as it can be printed")
    key: str = Field(description="the verification key that the note says it was signed with")
    previous: PositiveInt | None = Field(default=None, description="position of the checkpoint before this one")
    consistency: tuple[str, ...] = Field(default=(), description="hashes in Base64")


class CheckpointCosigned(Fact):
    """A witness signed that the log of a checkpoint has only grown since the witness's previous look."""

    action = "post"
    public = True
    retractable = False
    kind: Literal["checkpoint-cosigned"] = "checkpoint-cosigned"
    checkpoint: PositiveInt = Field(description="position of the checkpoint")
    key: str = Field(description="the verification key of the witness")
    line: str = Field(description="the signature line of the witness, in the C2SP form cosignature/v1")


PostingFact = TieResolved | StandingsPosted | PairingsPosted | CheckpointSigned | CheckpointCosigned


class OverviewFiled(Fact):
    """The tournament overview was sent on a day, with a number of score cards (SWR-RATING)."""

    action = "file-overview"
    kind: Literal["overview-filed"] = "overview-filed"
    sent: date
    cards: NonNegativeInt = Field(description="score cards that went along")


LOGO = r"^[0-9a-f]{64}\.(png|jpg|webp)$"
Accent = Literal["indigo", "teal", "plum", "forest", "brick"]


def _is_none(value: object) -> bool:
    return value is None


class EventDescribed(Fact):
    """The organizer wrote the text of the event's page. The new text replaces the earlier text.

    A `name` replaces the name of the opening.
    """

    action = "run-event"
    public = True
    paired_on = False
    kind: Literal["event-described"] = "event-described"
    name: str | None = Field(default=None, min_length=1, max_length=200, exclude_if=_is_none)
    day: date | None = None
    venue: str | None = Field(default=None, max_length=1000)
    schedule: str | None = Field(default=None, max_length=1000)
    prizes: str | None = Field(default=None, max_length=1000)
    staff: str | None = Field(default=None, max_length=1000)
    accent: Accent = "indigo"
    logo: str | None = Field(default=None, pattern=LOGO, description="the SHA-256 of the picture, and its kind")


class NewsPosted(Fact):
    """The staff posted news for everybody."""

    action = "run-event"
    public = True
    paired_on = False
    kind: Literal["news-posted"] = "news-posted"
    text: str = Field(min_length=1, max_length=1000)


PublicityFact = EventDescribed | NewsPosted
