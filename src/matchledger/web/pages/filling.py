"""The desk's forms: execute a form's command, preview the command, or return the form with an error."""

from __future__ import annotations

from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.commands.command import Moved
from matchledger.commands.refusal import Refusal
from matchledger.commands.registration import RegisterRoster
from matchledger.commands.registry import COMMANDS
from matchledger.events import LinkRenewed
from matchledger.ledger import Ledger
from matchledger.ledger.lost_names import naming_key_file
from matchledger.notation.problems import UsageProblem
from matchledger.proof.station_token import TokenRefused
from matchledger.service.execute import Done, preview
from matchledger.service.preview import facts_in_words, foreseen_document
from matchledger.web.desk.carrying import TableTaken, carry_out
from matchledger.web.desk.forms import Filled
from matchledger.web.desk.landing import NOWHERE
from matchledger.web.desk.pages import JUDGES_COMMANDS, PAGES, asked_again, common_values, page_values
from matchledger.web.doors import Visitor
from matchledger.web.entrance import Staffed
from matchledger.web.office import Office
from matchledger.web.pages.answering import (
    address_after,
    address_of_new_link,
    ask_again,
    checked_lines,
    desk_page,
    page_of,
)
from matchledger.web.pages.asking import ATournament, AVisitor, TheOffice, TheSettings
from matchledger.web.rendering import Values
from matchledger_projections.message import sentence

router = APIRouter(prefix="/t/{tournament}/desk", include_in_schema=False, route_class=Staffed)


@router.post("/do")
async def do(
    request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor, settings: TheSettings
) -> Response:
    """Execute a form. If its command affects more than its own match, show a preview first."""
    form = Filled.of(await request.form())

    def carry(ledger: Ledger) -> Done:
        with naming_key_file(ledger, tournament):
            request = form.asked(ledger.record(tournament), visitor.writing, settings.cards)
        return carry_out(ledger, tournament, request, key=settings.signing_key)

    try:
        command = COMMANDS.get(form.kind)
        _need_own_work(visitor, form)
        if command is not None and command.shown_first and not form.confirmed:
            return await _show_first(request, tournament, office, visitor, form)
        is_slip = command is not None and command.is_slip
        done = await office.tell(carry, together=tournament if is_slip else None)
    except (Moved, TableTaken, UsageProblem, Refusal, TokenRefused) as problem:
        return await ask_again(request, tournament, office, visitor, form, problem)
    position = done.entries[0].position if done.entries else done.record.position
    if done.entries and isinstance(renewed := done.entries[0].fact, LinkRenewed) and visitor.role != "judge":
        return RedirectResponse(address_of_new_link(tournament, renewed.player), status_code=303)
    name = _AFTERWARDS.get(form.kind) or page_of(form, visitor)
    return RedirectResponse(address_after(tournament, name, position, form), status_code=303)


def _need_own_work(visitor: Visitor, form: Filled) -> None:
    if visitor.role == "judge" and form.kind not in JUDGES_COMMANDS:
        raise Refusal(sentence("this is not part of a judge's work: ask the desk"))


# The page that comes next after some commands, instead of the command's own page.
_AFTERWARDS = {"pair-by-hand": "rounds"}

# The page that shows the checked lines of a form that is checked as a whole before recording.
_CHECKED_ON = {"pair-by-hand": "hand", "register-roster": "players"}


async def _show_first(
    request: Request, tournament: UUID, office: Office, visitor: Visitor, form: Filled
) -> Response:
    def read(ledger: Ledger) -> tuple[str, Values]:
        with naming_key_file(ledger, tournament):
            asked = form.asked(ledger.record(tournament), visitor.writing)
        if isinstance(asked.command, RegisterRoster):  # the page of the roster form has no field for a reason
            asked.command.need_reason(asked.reason)
        foreseen = preview(ledger, tournament, asked)
        if (name := _CHECKED_ON.get(form.kind)) is not None:
            values = page_values(ledger, tournament, visitor, name, asked_again(name, form.view))
            values |= checked_lines(ledger, tournament, asked.command)
            return PAGES[name].template, values | {"form": form, "lands": NOWHERE}
        name = page_of(form, visitor)
        values = common_values(ledger, tournament, visitor, name, asked_again(name, form.view))
        return "desk/preview.html", values | {
            "would": foreseen_document(ledger, tournament, foreseen),
            "facts": facts_in_words(ledger, tournament, foreseen),
            "form": form,
            "lasting": asked.command.lasting,
            "unit": ledger.record(tournament).rulebook.unit,
        }

    template, values = await office.ask(read)
    return desk_page(request, template, **values)
