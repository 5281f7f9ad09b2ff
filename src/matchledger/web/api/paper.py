"""What paper says of an event: score cards, the overview, the rating, and the sheets of a round."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response

from matchledger.documents.paper import rating_document
from matchledger.documents.sheets import pairing_list_document
from matchledger.documents.typed.paper import (
    BlankSheet,
    OverviewPage,
    PairingListSheet,
    PostedSheet,
    RatingPage,
    ScoreCardsPage,
    SlipsSheet,
)
from matchledger.questions import paper, rounds
from matchledger.questions.staff import posting
from matchledger.web.api.asking import Asking, AtMoment, OfStage, for_everybody, for_the_staff

router = APIRouter(prefix="/api", tags=["matchledger"])

MOST = 5000  # tables


@for_everybody(router, "scorecards", ScoreCardsPage)
async def score_cards(
    asking: Asking,
    when: AtMoment,
    player: Annotated[
        list[int] | None, Query(max_length=MOST, description="Of the players with these numbers; of everybody.")
    ] = None,
) -> Response:
    """Score cards: every round, and who wrote it down; the public is told in which role."""
    numbers = tuple(player or ())
    return await asking.answer(lambda window: paper.score_cards(window, numbers), when, numbers)


@for_everybody(router, "overview", OverviewPage)
async def overview(asking: Asking, when: AtMoment) -> Response:
    """The event on one page, as its host sends it in; the public is told the roles of the staff."""
    return await asking.answer(paper.overview, when)


@for_everybody(router, "rating", RatingPage)
async def rating(asking: Asking, when: AtMoment) -> Response:
    """Whether the event is rated, and until when its paper is to be sent in."""
    return await asking.answer(lambda window: rating_document(window.record), when)


@for_everybody(router, "sheets/pairings", PairingListSheet)
async def pairing_list(
    asking: Asking,
    when: AtMoment,
    by: Annotated[Literal["name", "table"], Query(description="In order of names, or of tables.")] = "name",
    stage: OfStage = "swiss",
) -> Response:
    """The list of who plays where, as it is printed."""
    return await asking.answer(
        lambda window: pairing_list_document(window.record, rounds.round_at(window.moment, stage), by=by),
        when,
        by,
        stage,
    )


@for_everybody(router, "sheets/standings", PostedSheet)
async def posted_standings(asking: Asking, when: AtMoment) -> Response:
    """Standings exactly as they were posted, with the checkpoint that was signed for them."""
    return await asking.answer(
        lambda window: posting(window.ledger, window.tournament, window.moment, window.record), when
    )


@for_the_staff(router, "sheets/slips", SlipsSheet)
async def slips(
    asking: Asking,
    when: AtMoment,
    table: Annotated[list[int] | None, Query(max_length=MOST, description="Of these tables; of all.")] = None,
    stage: OfStage = "swiss",
) -> Response:
    """The slips of a round, as they are printed."""
    return await asking.answer_now(
        lambda window: rounds.slips(window.record, rounds.round_at(window.moment, stage), table or ()), when
    )


@for_the_staff(router, "sheets/blank", BlankSheet)
async def blank(
    asking: Asking,
    when: AtMoment,
    tables: Annotated[
        int | None, Query(ge=1, le=MOST, description="For so many tables; for as many as are needed.")
    ] = None,
) -> Response:
    """How to go on without a computer, and the blank sheets for one round."""
    return await asking.answer_now(lambda window: paper.blank(window.record, tables), when)
