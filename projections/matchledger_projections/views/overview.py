"""The tournament overview: the event on one page, as its host sends it to the publisher (SWR-RATING)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from matchledger_projections.document import DivisionPlayer
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Status
from matchledger_projections.stages.placing import Place, places
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.views.rating import Rating, rating
from matchledger_projections.views.score_card import Signatory
from matchledger_projections.views.sight import Sight, answers
from matchledger_projections.views.stages import Announced


class OverviewPlace(Struct, frozen=True):
    """A place on the overview. `points` are Swiss points, or null for a player without Swiss rounds."""

    first: int | None
    last: int | None
    player: DivisionPlayer
    points: int | None
    decided: bool
    status: Status


class OverviewPage(Struct, frozen=True):
    """The event on one page, as `matchledger overview --json` prints it.

    `host` opened the tournament, and `staff` lists everybody who recorded an entry. `began` is the day of the first
    entry, or null for an imported event. `ended` is null until the tournament is closed with a day.
    """

    tournament: str
    rulebook: str
    rulebook_title: str
    edition: str
    position: int
    unit: str
    host: str | None
    staff: tuple[Signatory, ...]
    began: date | None
    ended: date | None
    closed: bool
    enrolled: int
    participants: int
    structure: Announced | None
    rounds: int
    elimination_rounds: int
    score_cards: int
    rating: Rating
    places: tuple[OverviewPlace, ...]


@answers("overview")
def overview(sight: Sight) -> OverviewPage:
    """The event on one page, as its host sends it. The public sees only the roles of the staff."""
    record, log = sight.record, sight.entries()
    staff = dict.fromkeys((entry.actor, entry.role) for entry in log)
    found, law = rating(record), record.rulebook
    return OverviewPage(
        sight.title,
        law.id,
        law.title,
        law.edition,
        record.position,
        law.unit,
        log[0].actor if log else None,
        tuple(Signatory(*one) for one in staff),
        log[0].recorded_at.astimezone().date() if log and record.live_from == 0 else None,
        found.ended,
        record.closing is not None,
        len(record.entered()),
        len(found.participants),
        record.structure,
        len(record.rounds("swiss")),
        len(record.rounds("elimination")),
        len(found.participants),
        found,
        tuple(
            OverviewPlace(place.first, place.last, place.player, points, place.decided, record.status(place.player))
            for place, points in _with_points(record)
        ),
    )


def _with_points(record: Record) -> Iterator[tuple[Place, int | None]]:
    latest = record.latest_round()
    table = crosstable(record, record.rulebook, latest.number if latest is not None else 0)
    entered = set(table.players)
    for place in places(record):
        yield place, table.points[place.player] if latest is not None and place.player in entered else None
