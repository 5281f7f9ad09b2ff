"""The types of paper: score cards, the overview, the rating, and the sheets that only paper shows."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

from matchledger.documents.typed.base import PlayerNamed, Typed, UnderRulebook
from matchledger.documents.typed.stages import AnnouncedStructure
from matchledger.documents.typed.tables import StandingsRow
from matchledger.events import Role, Stage
from matchledger_projections.record.roster import Status
from matchledger_projections.views.rating import Verdict
from matchledger_projections.views.score_card import CardOutcome


class Signatory(Typed):
    """Who wrote something, and in which role."""

    name: str
    role: Role


class ScoreCardLine(Typed):
    """A round on a score card; `writer` is null while nothing is written."""

    round: int
    table: int | None
    opponent: str | None
    outcome: CardOutcome
    kind: str | None
    points: int | None
    total: int | None
    entry: int | None
    writer: Signatory | None
    games: tuple[int, int, int] | None = None


class ScoreCard(PlayerNamed):
    """The score card of a player."""

    division: str | None
    status: Status
    swiss: list[ScoreCardLine]
    total: int
    elimination: list[ScoreCardLine]


class ScoreCardsPage(UnderRulebook):
    """Score cards, as `matchledger scorecard --json` prints them."""

    unit: str
    bye_name: str
    cards: list[ScoreCard]


class FiledOverview(Typed):
    """What was sent in, and when."""

    sent: date | None
    cards: int | None
    entry: int | None


class RatingOfEvent(Typed):
    """Whether the event is rated; `rated` is null while it is not decided."""

    verdict: Verdict
    rated: bool | None
    rule: str | None
    participants: int
    needed: int | None
    ended: date | None
    deadline: date | None
    filed: FiledOverview | None


class RatingPage(UnderRulebook, RatingOfEvent):
    """Whether the event is rated, as `matchledger rating --json` prints it."""


class OverviewPlace(PlayerNamed):
    """A place on the overview."""

    first: int | None
    last: int | None
    division: str | None
    points: int | None
    decided: bool
    status: Status


class OverviewPage(UnderRulebook):
    """The event on one page, as `matchledger overview --json` prints it."""

    rulebook_title: str
    edition: str
    unit: str
    host: str | None
    staff: list[Signatory]
    began: date | None
    ended: date | None
    closed: bool
    enrolled: int
    participants: int
    structure: AnnouncedStructure | None
    rounds: int
    elimination_rounds: int
    score_cards: int
    rating: RatingOfEvent
    places: list[OverviewPlace]


class ListedSeat(PlayerNamed):
    """A player on the list of a round, with the points before it; null in an elimination round."""

    points: int | None


class ListedTable(Typed):
    """A line of the list; without a table it is a bye."""

    table: int | None
    players: list[ListedSeat]


class PairingListSheet(UnderRulebook):
    """Who plays where, as `matchledger print pairings --json` prints it."""

    stage: Stage
    round: int
    name: str
    unit: str
    by: Literal["name", "table"]
    lines: list[ListedTable]


class SlipResult(Typed):
    """A result that a slip has besides a plain win, and what it is worth to either player."""

    kind: str
    worth: tuple[int | None, int | None]


class SlipForm(Typed):
    """What a slip asks for."""

    unit: str
    each: list[str]
    results: list[SlipResult]
    judgment: bool


class BlankSlip(Typed):
    """The slip of a table; `code` is what its QR code says."""

    table: int
    players: list[str]
    numbers: list[int]
    code: str


class SlipsSheet(UnderRulebook):
    """The slips of a round, as `matchledger print slips --json` prints them."""

    stage: Stage
    round: int
    name: str
    form: SlipForm
    slips: list[BlankSlip]


class PostedSheet(UnderRulebook):
    """Standings exactly as they were posted, as `matchledger print standings --json` prints them."""

    unit: str
    round: int
    posted_at: datetime
    tree_head: str
    checkpoint: str | None
    standings: list[StandingsRow]


class ByeWorth(Typed):
    """What a bye is worth, and by which rule."""

    points: int
    rule: str


class BlankSheet(UnderRulebook):
    """What an event needs to go on without a computer, as `matchledger print blank --json` prints it."""

    tables: int
    players: int
    form: SlipForm
    bye: ByeWorth
    worth: dict[str, tuple[int | None, int | None]]
