"""The pages of the desk, for visitors with a key, and the requests of its script."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response
from pydantic import BaseModel

from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip_code import SlipCodeError, table_of_slip
from matchledger.service.readings import Comparison, compare
from matchledger.web.desk.pages import FIRST, PAGES, is_judges, page_values
from matchledger.web.desk.state import DeskState, desk_state
from matchledger.web.entrance import Staffed
from matchledger.web.pages.answering import desk_page, not_a_judges
from matchledger.web.pages.asking import ATournament, AVisitor, NoSuchPage, OneOfTheStaff, TheOffice
from matchledger.web.rendering import language_of
from matchledger_projections.message import sentence

router = APIRouter(prefix="/t/{tournament}/desk", include_in_schema=False, route_class=Staffed)


@router.get("/state")
async def state(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001 - naming the visitor keeps strangers out
    seating: Annotated[str | None, Query(max_length=80)] = None,
) -> DeskState:
    """Return the state of the event, for the page of slips."""
    return await office.ask(lambda ledger: desk_state(ledger, tournament, seating, language_of(request)))


@router.get("/admitted", status_code=204)
async def admitted(visitor: AVisitor) -> None:
    """Tell an open page that its key is still valid."""


@router.get("/compare")
async def second_pass(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001 - naming the visitor keeps strangers out
    table: Annotated[int, Query(ge=1, le=999_999)],
    outcome: Annotated[str, Query(max_length=200)],
    round_: Annotated[int | None, Query(alias="round", ge=1, le=999_999)] = None,
    stage: Stage = "swiss",
) -> Comparison:
    """Compare a slip from a second pass with the log."""

    def read(ledger: Ledger) -> Comparison:
        record = ledger.record(tournament)
        return compare(record, table, outcome, language_of(request), round_=round_, stage=stage)

    return await office.ask(read)


class Scanned(BaseModel):
    """The table of a slip that was scanned."""

    table: int


@router.get("/slip")
async def scanned(
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001 - naming the visitor keeps strangers out
    code: Annotated[str, Query(max_length=200)],
) -> Scanned:
    """Return the table of a slip code from a scanner. Refuse a slip of another round or event."""

    def read(ledger: Ledger) -> Scanned:
        try:
            return Scanned(table=table_of_slip(ledger.record(tournament), code))
        except SlipCodeError as problem:
            raise UsageProblem(problem.args[0]) from None

    return await office.ask(read)


@router.get("")
async def first(request: Request, tournament: ATournament, office: TheOffice, visitor: OneOfTheStaff) -> Response:
    """Show the page of slips: table, Enter, outcome, Enter.

    A judge first sees the page of calls.
    """
    if visitor.role == "judge":
        return RedirectResponse(f"/t/{tournament}/desk/phones", status_code=303)
    return await page(request, tournament, office, visitor, FIRST)


@router.get("/{name}")
async def page(
    request: Request, tournament: ATournament, office: TheOffice, visitor: OneOfTheStaff, name: str
) -> Response:
    """Show a page of the desk."""
    if name not in PAGES:
        raise NoSuchPage(sentence("the desk has no page %(name)r", name=name))
    if visitor.role == "judge" and not is_judges(name):
        return await not_a_judges(request, tournament, office, visitor, name)
    asked = PAGES[name].asked.of(request.query_params)
    values = await office.ask(lambda ledger: page_values(ledger, tournament, visitor, name, asked))
    return desk_page(request, PAGES[name].template, asked=parse_qsl(asked.address), **values)
