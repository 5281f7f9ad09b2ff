"""Rating: whether an event counts, and the deadline for its papers (SWR-RATING)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from matchledger_projections.document import SPREAD, As
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import RatingRule
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.views.sight import Headed, Sight, answers, heading

Verdict = Literal[
    "no rule",
    "host not approved",
    "too few",
    "under way",
    "end unknown",
    "to be sent",
    "cards missing",
    "late",
    "rated",
]


class Filed(NamedTuple):
    """The papers that were sent, with the day. `entry` recorded it."""

    sent: date | None
    cards: int | None
    entry: int


class Rating(Struct, frozen=True):
    """Whether an event is rated, and the reasons.

    `rated` is None while the rating is undecided. An event needs `needed` participants. `deadline` is the last day
    for sending the overview, with a card of every participant.
    """

    verdict: Verdict
    rated: bool | None
    rule: str | None
    participants: Annotated[tuple[int, ...], As(lambda players, _: len(players), int)]
    needed: int | None = None
    ended: date | None = None
    deadline: date | None = None
    filed: Filed | None = None


class RatingPage(Struct, frozen=True):
    """Whether the event is rated, as `matchledger rating --json` prints it; days are ISO 8601."""

    head: Headed
    rating: Annotated[Rating, SPREAD]


@answers("rating")
def rating_page(sight: Sight) -> RatingPage:
    """Whether the event is rated, and the deadline for its papers."""
    return RatingPage(heading(sight.record), rating(sight.record))


def participants(record: Record) -> tuple[int, ...]:
    """Return the participants: the players with at least one round on their record, byes included (SWR-RATING,
    reading).
    """
    latest = record.latest_round()
    table = crosstable(record, record.rulebook, latest.number if latest is not None else 0)
    in_elimination = {
        player for round_ in record.rounds("elimination") for two, _ in round_.reported() for player in two
    } | {bye.player for round_ in record.rounds("elimination") for bye in round_.byes}
    return tuple(
        player.number
        for player in record.entered()
        if player.number in in_elimination
        or (player.number in table.players and any(table.outcomes[player.number]))
    )


def rating(record: Record) -> Rating:
    """Return the event's rating with the reasons, as far as the record has them."""
    took_part = participants(record)
    rule = record.rulebook.rating
    if rule is None:
        return Rating("no rule", rated=False, rule=None, participants=took_part)
    ended = record.closing.ended if record.closing is not None else None
    entry, filed = record.overview_filed or (0, None)
    found = Rating(
        "rated",
        rated=None,
        participants=took_part,
        rule=rule.rule,
        needed=rule.participants,
        ended=ended,
        deadline=None if ended is None else ended + timedelta(days=rule.days),
        filed=None if filed is None else Filed(filed.sent, filed.cards, entry),
    )
    verdict = _verdict(record, found, rule)
    return replace(found, verdict=verdict, rated=_DECIDED.get(verdict))


_DECIDED: dict[Verdict, bool] = {
    "host not approved": False,
    "too few": False,
    "cards missing": False,
    "late": False,
    "rated": True,
}


def _verdict(record: Record, found: Rating, rule: RatingRule) -> Verdict:
    sent, cards, _ = found.filed or (None, None, 0)
    grounds: tuple[tuple[bool, Verdict], ...] = (
        (record.rulebook.readings.approved_host == "no", "host not approved"),
        (record.closing is None, "under way"),
        (len(found.participants) < rule.participants, "too few"),
        (sent is None, "to be sent"),
        ((cards or 0) < len(found.participants), "cards missing"),
        (found.deadline is None, "end unknown"),
        (sent is not None and found.deadline is not None and sent > found.deadline, "late"),
    )
    return next((verdict for holds, verdict in grounds if holds), "rated")
