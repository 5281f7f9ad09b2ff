"""The tables of an event: tournaments, players, standings, pairings, places, and the structure behind them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request, Response

from matchledger.documents.divisions import divisions_document
from matchledger.documents.document import title
from matchledger.documents.stages import structure_document
from matchledger.documents.tables import pairings_document, players_document
from matchledger.documents.typed.problems import Problem
from matchledger.documents.typed.stages import BracketPage, DivisionsPage, FlightsPage, PlacesPage, StructurePage
from matchledger.documents.typed.tables import PairingsPage, PlayerLine, StandingsPage, TournamentLine
from matchledger.questions import stages
from matchledger.questions import standings as of_standings
from matchledger.questions.window import Window
from matchledger.web.api.asking import (
    Asking,
    AtMoment,
    OfStage,
    UnderRulebook,
    When,
    as_json,
    for_everybody,
    kept_by_nobody,
    other_rulebook,
)
from matchledger.web.pages.asking import NoSuchPage, TheOffice
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record

router = APIRouter(prefix="/api", tags=["matchledger"])

OfDivision = Annotated[str | None, Query(max_length=60, description="Of one division.")]


@router.get("/tournaments", responses={503: {"model": Problem}}, response_model=list[TournamentLine])
async def tournaments(request: Request, office: TheOffice) -> Response:
    """The tournaments of the ledger, in the order in which they were opened."""
    lines = await office.ask(lambda ledger: [_line(record, one) for one, record in ledger.records()])
    return kept_by_nobody(request, as_json(lines))


def _line(record: Record, tournament: UUID) -> TournamentLine:
    latest = record.latest_round()
    return TournamentLine(
        id=tournament,
        name=title(record),
        rulebook=record.rulebook.id,
        position=record.position,
        players=len(record.active_players()),
        round=0 if latest is None else latest.number,
        closed=record.closing is not None,
    )


@for_everybody(router, "standings", StandingsPage)
async def standings(
    asking: Asking,
    when: AtMoment,
    rulebook: UnderRulebook = None,
    division: Annotated[
        str | None, Query(max_length=60, description="One division, or `all`: the places are counted in each.")
    ] = None,
) -> Response:
    """The standings after the last finished round, or at any moment."""
    return await asking.answer(
        lambda window: of_standings.standings(window, other_rulebook(rulebook), division), when, rulebook, division
    )


@for_everybody(router, "pairings", PairingsPage)
async def pairings(asking: Asking, when: AtMoment, stage: OfStage = "swiss") -> Response:
    """The tables of the last round, or of any, with what came in from each."""
    # The rounds of the elimination are counted anew: a moment is one of the Swiss rounds.
    then = when if stage == "swiss" else When(None, when.as_of, when.as_known)

    def read(window: Window) -> object:
        record = window.whole
        found = record.latest_round(stage) if when.round is None else record.round(when.round, stage)
        if found is None:
            raise NoSuchPage(sentence("no such round is paired at that moment"))
        return pairings_document(window.record, found, clock=window.moment.clock)

    return await asking.answer(read, then, when.round, stage)


@for_everybody(router, "players", list[PlayerLine])
async def players(asking: Asking) -> Response:
    """Who is in, and who was."""
    return await asking.answer(lambda window: players_document(window.record))


@for_everybody(router, "places", PlacesPage)
async def places(asking: Asking, when: AtMoment) -> Response:
    """The final places, and which rule placed whom."""
    return await asking.answer(lambda window: stages.places(window.record), when)


@for_everybody(router, "bracket", BracketPage)
async def bracket(asking: Asking, when: AtMoment, division: OfDivision = None) -> Response:
    """The bracket of the elimination stage, or those of all divisions."""
    return await asking.answer(lambda window: stages.bracket(window.record, division), when, division)


@for_everybody(router, "structure", StructurePage)
async def structure(asking: Asking, when: AtMoment) -> Response:
    """The structures that the rulebook gives for the attendance, and the one that was announced."""
    return await asking.answer(lambda window: structure_document(window.record), when)


@for_everybody(router, "divisions", DivisionsPage)
async def divisions(asking: Asking, when: AtMoment) -> Response:
    """The divisions: the years of birth that tell them, the sizes, whether they play apart, and who leads."""
    return await asking.answer(lambda window: divisions_document(window.record), when)


@for_everybody(router, "flights", FlightsPage)
async def flights(asking: Asking, when: AtMoment, division: OfDivision = None) -> Response:
    """The flights that were drawn, or what each number of flights would mean."""
    return await asking.answer(lambda window: stages.flights(window.record, division), when, division)
