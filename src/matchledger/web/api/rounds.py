"""Rounds as they are played: the clock, how the slips came in, how the field and a player went."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response

from matchledger.documents.charts import field_document
from matchledger.documents.typed.clock import ClockPage, CoursePage, FieldPage, PacePage
from matchledger.ledger import now
from matchledger.questions import rounds
from matchledger.questions.places import course as course_of
from matchledger.web.api.asking import Asking, AtMoment, OfStage, for_everybody

router = APIRouter(prefix="/api", tags=["matchledger"])

PlayerNumber = Annotated[int, Path(ge=1, le=10**6, description="The number of a player.")]


@for_everybody(router, "clock", ClockPage)
async def clock(asking: Asking, when: AtMoment, stage: OfStage = "swiss") -> Response:
    """The clock of the round in play, or of any, as it is at this moment."""
    return await asking.answer_now(lambda window: rounds.clock(window, stage, now()), when)


@for_everybody(router, "pace", PacePage)
async def pace(asking: Asking, when: AtMoment, stage: OfStage = "swiss") -> Response:
    """How the slips of a round came in over its clock."""
    return await asking.answer(lambda window: rounds.pace(window, stage), when, stage)


@for_everybody(router, "field", FieldPage)
async def field(asking: Asking, when: AtMoment) -> Response:
    """How many players had how many points after each round."""
    return await asking.answer(lambda window: field_document(window.record, through=window.moment.round), when)


@for_everybody(router, "course/{player}", CoursePage)
async def course(asking: Asking, player: PlayerNumber, when: AtMoment) -> Response:
    """A player's rank after each round."""
    return await asking.answer(lambda window: course_of(window, player), when)
