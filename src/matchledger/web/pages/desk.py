"""The desk: slips, players, rounds and corrections, for whoever came in with a key."""

from __future__ import annotations

from typing import Annotated, Any
from uuid import UUID, uuid4

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.documents.document import title
from matchledger.foresight import Moved, foreseen_document
from matchledger.ledger import Ledger
from matchledger.tokens import TokenRefused
from matchledger.tournament.refusal import Refusal
from matchledger.usage import UsageProblem
from matchledger.web.desk.carrying import TableTaken, carry_out, look_ahead
from matchledger.web.desk.forms import FORESEEN, Filled
from matchledger.web.desk.second_pass import Comparison, compare
from matchledger.web.desk.state import DeskState, desk_state
from matchledger.web.desk.views import corrections_view, players_view, rounds_view
from matchledger.web.doors import Visitor
from matchledger.web.pages.asking import ATournament, AVisitor, TheOffice
from matchledger.web.problems import problem_of
from matchledger.web.rendering import private_page

router = APIRouter(prefix="/t/{tournament}/desk", include_in_schema=False)

_PAGES = ("slips", "players", "rounds", "corrections")
Values = dict[str, Any]


@router.get("")
async def slips(request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor) -> Response:
    """Slips come in: table, Enter, outcome, Enter."""
    values = await office.ask(lambda ledger: _common(ledger, tournament, visitor, "slips"))
    return private_page(request, "desk/slips.html", **values)


@router.get("/state")
async def state(
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,  # noqa: ARG001 - only whoever is at the desk is told
    seating: Annotated[str | None, Query(max_length=80)] = None,
) -> DeskState:
    """Where the event stands, for the page of slips."""
    return await office.ask(lambda ledger: desk_state(ledger, tournament, seating))


@router.get("/compare")
async def second_pass(
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,  # noqa: ARG001
    table: Annotated[int, Query(ge=1, le=999_999)],
    outcome: Annotated[str, Query(max_length=200)],
) -> Comparison:
    """Holds a slip that is typed once more against the log."""
    return await office.ask(lambda ledger: compare(ledger.record(tournament), table, outcome))


@router.get("/players")
async def players(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,
    q: Annotated[str, Query(max_length=200)] = "",
    player: Annotated[int | None, Query(ge=1, le=999_999)] = None,
) -> Response:
    """Who is in; register, drop, rejoin, no-show."""

    def read(ledger: Ledger) -> Values:
        values = _common(ledger, tournament, visitor, "players")
        return values | {"view": players_view(ledger.record(tournament), q, player)}

    return private_page(request, "desk/players.html", **await office.ask(read))


@router.get("/rounds")
async def rounds(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,
    rematch: bool = False,
) -> Response:
    """The round to come with what speaks against it; pair, start, post, repair."""

    def read(ledger: Ledger) -> Values:
        values = _common(ledger, tournament, visitor, "rounds")
        return values | {"view": rounds_view(ledger, tournament, allow_rematch=rematch)}

    return private_page(request, "desk/rounds.html", **await office.ask(read))


@router.get("/corrections")
async def corrections(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,
    round_: Annotated[int | None, Query(alias="round", ge=1, le=999_999)] = None,
    table: Annotated[int | None, Query(ge=1, le=999_999)] = None,
    stage: str = "swiss",
) -> Response:
    """A wrong slip is put right, with a look at what follows from it."""

    def read(ledger: Ledger) -> Values:
        values = _common(ledger, tournament, visitor, "corrections")
        return values | {"view": corrections_view(ledger, tournament, stage, round_, table)}

    return private_page(request, "desk/corrections.html", **await office.ask(read))


@router.post("/do")
async def do(request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor) -> Response:
    """Carries out what a form asks for. What reaches further than its own match is shown first."""
    form = Filled.of(await request.form())
    try:
        if form.kind in FORESEEN and not form.confirmed:
            return await _show_first(request, tournament, office, visitor, form)
        asked = form.asked()
        done = await office.tell(lambda ledger: carry_out(ledger, tournament, visitor.writing, asked))
    except (Moved, TableTaken, UsageProblem, Refusal, TokenRefused) as problem:
        return await _ask_again(request, tournament, office, visitor, form, problem)
    page = form.page if form.page in _PAGES else "slips"
    position = done.entries[0].position if done.entries else done.position
    return RedirectResponse(f"{_address(tournament, page)}?done={position}", status_code=303)


async def _show_first(
    request: Request, tournament: UUID, office: TheOffice, visitor: Visitor, form: Filled
) -> Response:
    asked = form.asked()

    def read(ledger: Ledger) -> Values:
        foreseen = look_ahead(ledger, tournament, visitor.writing, asked)
        values = _common(ledger, tournament, visitor, form.page)
        return values | {"would": foreseen_document(ledger, tournament, foreseen), "form": form}

    return private_page(request, "desk/preview.html", **await office.ask(read))


async def _ask_again(
    request: Request, tournament: UUID, office: TheOffice, visitor: Visitor, form: Filled, problem: Exception
) -> Response:
    """What was typed comes back with what is wrong with it."""
    status, said = problem_of(problem)
    values = await office.ask(lambda ledger: _common(ledger, tournament, visitor, form.page))
    return private_page(request, "desk/again.html", status=status, problem=said, form=form, **values)


def _common(ledger: Ledger, tournament: UUID, visitor: Visitor, tab: str) -> Values:
    record = ledger.record(tournament)
    return {
        "tournament": tournament,
        "title": title(record),
        "visitor": visitor,
        "tab": tab,
        "position": record.position,
        "closed": record.closing is not None,
        "new_id": lambda: str(uuid4()),
    }


def _address(tournament: UUID, page: str) -> str:
    return f"/t/{tournament}/desk" + ("" if page == "slips" else f"/{page}")
