"""The desk: everything an organizer does, for whoever came in with a key."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from matchledger.commands import PairByHand
from matchledger.events import Entry, Stage
from matchledger.foresight import Moved, foreseen_document
from matchledger.handing_out import Bundle, find_match, hand_bundle_out
from matchledger.ledger import Ledger, sign_checkpoint
from matchledger.slip_code import SlipCodeError, table_of_slip
from matchledger.tokens import TokenRefused
from matchledger.tournament.refusal import Refusal
from matchledger.usage import UsageProblem
from matchledger.web.desk.carrying import Done, TableTaken, carry_out, look_ahead
from matchledger.web.desk.forms import FORESEEN, Filled
from matchledger.web.desk.hand import check_by_hand
from matchledger.web.desk.pages import FIRST, PAGES, Asked, Values, asked_again, common_values, page_values
from matchledger.web.desk.second_pass import Comparison, compare
from matchledger.web.desk.sheets import SheetAsked, sheet, typeset
from matchledger.web.desk.state import DeskState, desk_state
from matchledger.web.desk.verification import verified
from matchledger.web.doors import Visitor
from matchledger.web.pages.asking import ATournament, AVisitor, NoSuchPage, OneOfTheStaff, TheOffice, TheSettings
from matchledger.web.problems import problem_of
from matchledger.web.rendering import language_of, private_page
from matchledger.web.settings import Settings
from matchledger_projections.sentence import sentence

router = APIRouter(prefix="/t/{tournament}/desk", include_in_schema=False)


@router.get("/state")
async def state(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001 - only whoever is at the desk is told
    seating: Annotated[str | None, Query(max_length=80)] = None,
) -> DeskState:
    """Where the event stands, for the page of slips."""
    return await office.ask(lambda ledger: desk_state(ledger, tournament, seating, language_of(request)))


@router.get("/compare")
async def second_pass(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001
    table: Annotated[int, Query(ge=1, le=999_999)],
    outcome: Annotated[str, Query(max_length=200)],
) -> Comparison:
    """Holds a slip that is typed once more against the log."""
    return await office.ask(lambda ledger: compare(ledger.record(tournament), table, outcome, language_of(request)))


class Scanned(BaseModel):
    """The table whose slip was scanned."""

    table: int


@router.get("/slip")
async def scanned(
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001
    code: Annotated[str, Query(max_length=200)],
) -> Scanned:
    """What the code on a slip says, as a hand scanner types it; refused for a slip of another round or event."""

    def read(ledger: Ledger) -> Scanned:
        try:
            return Scanned(table=table_of_slip(ledger.record(tournament), code))
        except SlipCodeError as problem:
            raise UsageProblem(problem.args[0]) from None

    return await office.ask(read)


@router.get("")
async def first(request: Request, tournament: ATournament, office: TheOffice, visitor: OneOfTheStaff) -> Response:
    """Slips come in: table, Enter, outcome, Enter."""
    return await page(request, tournament, office, visitor, FIRST)


@router.post("/verify")
async def verify(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,
    head: Annotated[str, Form(max_length=200)] = "",
    draws: Annotated[bool, Form()] = False,
) -> Response:
    """Holds the whole log against its hashes, its signatures and, if asked, its own draws."""
    values = await office.ask(lambda ledger: page_values(ledger, tournament, visitor, "verify", Asked()))
    values |= {"head": head.strip(), "draws": draws}
    try:
        found = await office.ask_apart(
            lambda ledger: verified(ledger, tournament, head=head.strip() or None, draws=draws)
        )
    except UsageProblem as problem:
        status, said = problem_of(problem)
        return _page(request, "desk/verify.html", status=status, **values | {"problem": said})
    return _page(request, "desk/verify.html", **values | {"found": found})


@router.post("/checkpoint")
async def checkpoint(
    request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor, settings: TheSettings
) -> Response:
    """Signs the log as it stands, with the key that the server was started with: none comes through a browser."""
    form = Filled.of(await request.form())

    def sign(ledger: Ledger) -> Entry:
        if settings.signing_key is None:
            raise UsageProblem(
                sentence("no key is here to sign with: start the server with serve --key, where the key is")
            )
        return sign_checkpoint(
            ledger, tournament, settings.signing_key, clerk=visitor.writing, command=form.id[:200] or None
        )

    try:
        signed = await office.tell(sign)
    except (UsageProblem, Refusal, TokenRefused) as problem:
        return await _ask_again(request, tournament, office, visitor, form, problem)
    return RedirectResponse(f"{_address(tournament, 'verify')}?done={signed.position}", status_code=303)


@router.post("/bundle")
async def bundle(
    tournament: ATournament,
    office: TheOffice,
    visitor: AVisitor,
    settings: TheSettings,
    round_: Annotated[int, Form(alias="round", ge=1, le=999_999)],
    table: Annotated[int, Form(ge=1, le=999_999)],
    stage: Annotated[Stage, Form()] = "swiss",
    numbers_only: Annotated[bool, Form()] = False,
) -> Response:
    """The bundle of a match, as a file to be handed out: noted in the log, where names go with it."""

    def make(ledger: Ledger) -> tuple[str, Bundle]:
        record = ledger.record(tournament)
        match = find_match(record, round_, table, stage)
        name = f"bundle-{'elimination-' if stage == 'elimination' else ''}{round_}-{table}.json"
        made = hand_bundle_out(
            ledger,
            tournament,
            match,
            to=name,
            names=not numbers_only,
            clerk=visitor.writing,
            key=settings.signing_key,
        )
        return name, made

    name, made = await office.tell(make)
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(made.text, media_type="application/json", headers=headers)


@router.get("/print/{name}.pdf")
async def print_(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,  # noqa: ARG001 - sheets are for whoever is at the desk
    settings: TheSettings,
    name: str,
    round_: Annotated[int | None, Query(alias="round", ge=1, le=999_999)] = None,
    stage: Stage | None = None,
    division: Annotated[str | None, Query(max_length=200)] = None,
    player: Annotated[int | None, Query(ge=1, le=999_999)] = None,
) -> Response:
    """A sheet of the event, as PDF."""
    asked = SheetAsked(name, round_, stage, division, player, settings.initials, language_of(request))
    made = await office.ask(lambda ledger: sheet(ledger, tournament, asked))
    pdf = await asyncio.to_thread(typeset, made)
    headers = {"content-disposition": f'inline; filename="{made.name}.pdf"', "cache-control": "no-store"}
    return Response(pdf, media_type="application/pdf", headers=headers)


@router.get("/{name}")
async def page(
    request: Request, tournament: ATournament, office: TheOffice, visitor: OneOfTheStaff, name: str
) -> Response:
    """A page of the desk."""
    if name not in PAGES:
        raise NoSuchPage(sentence("the desk has no page %(name)r", name=name))
    asked = PAGES[name].asked.of(request.query_params)
    values = await office.ask(lambda ledger: page_values(ledger, tournament, visitor, name, asked))
    return _page(request, PAGES[name].template, **values)


@router.post("/do")
async def do(
    request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor, settings: TheSettings
) -> Response:
    """Carries out what a form asks for. What reaches further than its own match is shown first."""
    form = Filled.of(await request.form())

    def carry(ledger: Ledger) -> Done:
        asked = form.asked(ledger.record(tournament), settings.cards)
        return carry_out(ledger, tournament, visitor.writing, asked, key=settings.signing_key)

    try:
        if form.kind in FORESEEN and not form.confirmed:
            return await _show_first(request, tournament, office, visitor, form)
        done = await office.tell(carry)
    except (Moved, TableTaken, UsageProblem, Refusal, TokenRefused) as problem:
        return await _ask_again(request, tournament, office, visitor, form, problem)
    position = done.entries[0].position if done.entries else done.position
    name = _AFTERWARDS.get(form.kind) or _page_of(form, visitor)
    return RedirectResponse(f"{_address(tournament, name)}?done={position}", status_code=303)


# Where a command leads that makes its own page one about something else.
_AFTERWARDS = {"pair-by-hand": "rounds"}


async def _show_first(
    request: Request, tournament: UUID, office: TheOffice, visitor: Visitor, form: Filled
) -> Response:
    def read(ledger: Ledger) -> tuple[str, Values]:
        asked = form.asked(ledger.record(tournament))
        foreseen = look_ahead(ledger, tournament, visitor.writing, asked)
        if isinstance(asked.command, PairByHand):
            values = page_values(ledger, tournament, visitor, "hand", asked_again("hand", form.view))
            checked = check_by_hand(ledger, tournament, asked.command)
            return PAGES["hand"].template, values | {"checked": checked, "form": form}
        values = common_values(ledger, tournament, visitor, _page_of(form, visitor))
        return "desk/preview.html", values | {
            "would": foreseen_document(ledger, tournament, foreseen),
            "form": form,
        }

    template, values = await office.ask(read)
    return _page(request, template, **values)


async def _ask_again(
    request: Request, tournament: UUID, office: TheOffice, visitor: Visitor, form: Filled, problem: Exception
) -> Response:
    """What was typed comes back with what is wrong beside it: where it was typed, if that form is still there."""
    status, said = problem_of(problem)
    name = _page_of(form, visitor)
    failed = {"failed": form, "problem": said}
    asked = asked_again(name, form.view)

    def read(ledger: Ledger) -> Values:
        values = page_values(ledger, tournament, visitor, name, asked)
        return values | _still_checked(ledger, tournament, form)

    values = await office.ask(read)
    answer = _page(request, PAGES[name].template, status=status, **values | failed)
    return answer if _is_shown(answer) else _page(request, "desk/again.html", status=status, **values | failed)


def _still_checked(ledger: Ledger, tournament: UUID, form: Filled) -> Values:
    """What else speaks against a round that was paired by hand and refused, so that it is put right in one go."""
    if form.kind != "pair-by-hand":
        return {}
    try:
        command = form.asked(ledger.record(tournament)).command
    except UsageProblem:
        return {}
    return {"checked": check_by_hand(ledger, tournament, command)} if isinstance(command, PairByHand) else {}


def _is_shown(answer: HTMLResponse) -> bool:
    """Whether a page holds the form that failed; its problem has this id."""
    return b'id="failed"' in bytes(answer.body)


def _page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the desk, which knows what lies beside the ledger on the machine that serves it."""
    settings: Settings = request.app.state.settings
    key = None if settings.signing_key is None else str(settings.signing_key.verification)
    return private_page(
        request, template, status=status, knows_cards=settings.cards is not None, signs=key, **values
    )


def _page_of(form: Filled, visitor: Visitor) -> str:
    """The page that a form stood on; a player is shown the one that says nothing of anybody."""
    return form.page if form.page in PAGES and visitor.role != "player" else FIRST


def _address(tournament: UUID, name: str) -> str:
    return f"/t/{tournament}/desk" + ("" if name == FIRST else f"/{name}")
