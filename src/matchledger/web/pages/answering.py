"""The desk's answers: a page of the desk, or a form with its error."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Request
from fastapi.responses import HTMLResponse, Response

from matchledger.commands.command import Command
from matchledger.commands.registration import RegisterRoster, left_out
from matchledger.commands.rounds import PairByHand
from matchledger.ledger import Ledger
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.web.desk.forms import Filled
from matchledger.web.desk.hand import check_by_hand, check_roster
from matchledger.web.desk.landing import FAILED
from matchledger.web.desk.pages import FIRST, PAGES, asked_again, common_values, page_values
from matchledger.web.doors import Visitor
from matchledger.web.office import Office
from matchledger.web.pages.asking import over_plain_http
from matchledger.web.problems import problem_of
from matchledger.web.rendering import Values, private_page
from matchledger.web.settings import Settings


async def ask_again(
    request: Request, tournament: UUID, office: Office, visitor: Visitor, form: Filled, problem: Exception
) -> Response:
    """Return the filled-in form with its error, on the page of the form if that page still has the form."""
    status, said = problem_of(problem)
    name = page_of(form, visitor)
    failed = {"problem": said, "lands": FAILED, "wrong": form.wrong_fields(problem)}
    asked = asked_again(name, form.view)

    def read(ledger: Ledger) -> Values:
        values = page_values(ledger, tournament, visitor, name, asked)
        values["failed"] = form.with_names(ledger.record(tournament))
        try:
            command = form.asked(ledger.record(tournament), visitor.writing).command
        except UsageProblem:
            return values
        return values | checked_lines(ledger, tournament, command)

    values = await office.ask(read)
    answer = desk_page(request, PAGES[name].template, status=status, **values | failed)
    return answer if _is_shown(answer) else desk_page(request, "desk/again.html", status=status, **values | failed)


async def not_a_judges(request: Request, tournament: UUID, office: Office, visitor: Visitor, name: str) -> Response:
    """Tell a judge that a page is not part of a judge's work, and where that work is."""
    values = await office.ask(lambda ledger: common_values(ledger, tournament, visitor, name))
    return desk_page(request, "desk/not_judges.html", status=403, **values)


def checked_lines(ledger: Ledger, tournament: UUID, command: Command) -> Values:
    """Return the result of each line of a roster or round, so that a person can correct all errors at once."""
    match command:
        case PairByHand():
            return {"checked": check_by_hand(ledger, tournament, command)}
        case RegisterRoster():
            return {"checked": check_roster(ledger, tournament, command), "left_out": left_out}
    return {}


def _is_shown(answer: HTMLResponse) -> bool:
    """Return whether a page shows the form that failed, whose problem has the id "failed"."""
    return b'id="failed"' in bytes(answer.body)


def desk_page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page of the desk, with values that all these pages need: the number of people who wait, the card
    data, the server's key, and whether the network can read the pages.
    """
    settings: Settings = request.app.state.settings
    key = None if settings.signing_key is None else str(settings.signing_key.verification)
    side: SideFile = request.app.state.side
    values["signed_up"] = 0 if values.get("closed") else side.count(values["tournament"], values["undone"])
    return private_page(
        request,
        template,
        status=status,
        knows_cards=settings.cards is not None,
        signs=key,
        over_plain_http=over_plain_http(request),
        is_answer=request.method == "POST" and not request.url.path.endswith(f"/desk/{values['tab']}"),
        **values,
    )


def page_of(form: Filled, visitor: Visitor) -> str:
    """Return the name of a form's page. For a player, return the first page, because other pages show other
    players' data.
    """
    return form.page if form.page in PAGES and visitor.role != "player" else FIRST


def address_of_new_link(tournament: UUID, player: int, q: str = "", show: str = "") -> str:
    """Return the address of the page that shows a player's new personal link and its code."""
    place = urlencode({"q": q, "show": show, "player": player, "renewed": player})
    return f"/t/{tournament}/desk/stations/players?{place}"


def address_after(tournament: UUID, name: str, done: int, form: Filled) -> str:
    """Return the address of a page that shows the last recorded entry and its form. The log page keeps its
    search.
    """
    page = f"/t/{tournament}/desk" + ("" if name == FIRST else f"/{name}")
    asked = asked_again(name, form.view)
    search = f"{asked.address}&" if asked.kept and asked.address else ""
    return f"{page}?{search}{urlencode({'done': done, 'form': form.form[:200]})}"
