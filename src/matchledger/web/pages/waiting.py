"""The waiting list at the desk: accept people who signed up by phone, or decline them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.commands.refusal import Refusal
from matchledger.ledger import Ledger
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.service.sign_up import (
    LONGEST,
    Line,
    accept,
    accept_all,
    checked,
    free_places,
    is_open,
    questions,
    waiting_list,
)
from matchledger.web.desk.asked import Asked
from matchledger.web.desk.pages import common_values
from matchledger.web.doors import NotLetIn, Visitor
from matchledger.web.entrance import Staffed
from matchledger.web.pages.answering import desk_page
from matchledger.web.pages.asking import ATournament, OneOfTheStaff, TheOffice, TheSide
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.phones import places

router = APIRouter(prefix="/t/{tournament}/desk/waiting", include_in_schema=False, route_class=Staffed)

SHOWN = 40  # the most people that the page shows. All others come later
Act = Literal["accept", "accept-anyway", "decline", "accept-all", "decline-all"]
Text = Annotated[str, Form(max_length=LONGEST)]
Number = Annotated[int, Form(ge=1, le=10**9)]


@router.get("")
async def look(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    side: TheSide,
    visitor: OneOfTheStaff,
    done: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> Response:
    """Show the people who wait, in order of arrival."""
    _need_desk(visitor)
    values = await office.ask(lambda ledger: _values(ledger, tournament, side, visitor, Asked(done=done)))
    return desk_page(request, "desk/waiting.html", **values)


@router.post("")
async def decide(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    side: TheSide,
    visitor: OneOfTheStaff,
    act: Annotated[Act, Form()],
    who: Number = 1,
    name: Text = "",
    division: Text = "",
    born: Text = "",
    reason: Annotated[str, Form(max_length=2000)] = "",
) -> Response:
    """Accept or decline one person or everybody. Refused people are shown again with the reason.

    `accept-anyway` departs from the rules.
    """
    _need_desk(visitor)
    fields = {"name": name, "division": division, "born": born}
    changes = {field: value.strip() for field, value in fields.items() if value.strip()} | {
        "deviating": act == "accept-anyway"
    }

    def carry(ledger: Ledger) -> int | Refused | None:
        if act == "accept-all":
            accepted, refused = accept_all(side, ledger, tournament, visitor.writing)
            if refused:
                return Refused(refused)
            return accepted[-1].entries[0].position if accepted else None
        for line in waiting_list(side, ledger, tournament):
            if act == "decline-all" or (act, line.person.id) == ("decline", who):
                side.settle(line.person.id, "declined")
            elif act.startswith("accept") and line.person.id == who:
                return _accepted(ledger, line)
        return None

    def _accepted(ledger: Ledger, line: Line) -> int | Refused:
        try:
            done = accept(side, ledger, tournament, line, visitor.writing, changes=changes, reason=reason or None)
        except (Refusal, UsageProblem) as problem:
            return Refused([(line.wish.name, problem.args[0])], line.person.id, fields | {"reason": reason})
        return done.entries[0].position

    answer = await office.tell(carry)
    if isinstance(answer, Refused):
        values = await office.ask(lambda ledger: _values(ledger, tournament, side, visitor, Asked(), answer))
        return desk_page(request, "desk/waiting.html", status=409, **values)
    done = "" if answer is None else f"?done={answer}"
    return RedirectResponse(f"/t/{tournament}/desk/waiting{done}", status_code=303)


class Refused:
    """People who could not be registered, with the reasons, and the values that were filled in for one person."""

    def __init__(
        self, names: list[tuple[str, Sentence]], person: int | None = None, fields: dict[str, str] | None = None
    ) -> None:
        self.names = names
        self.person = person
        self.fields = fields or {}


def _values(
    ledger: Ledger, tournament: Any, side: SideFile, visitor: Visitor, asked: Asked, refused: Refused | None = None
) -> dict[str, Any]:
    record = ledger.record(tournament)
    lines = waiting_list(side, ledger, tournament)
    shown = [checked(ledger, tournament, visitor.writing, line) for line in lines[:SHOWN]]
    return common_values(ledger, tournament, visitor, "phones", asked) | {
        "lines": shown,
        "found": len(lines),
        "ready": sum(line.before is None for line in lines)
        - sum(line.problem is not None for line in shown if line.before is None),
        "asked_for": questions(record),
        "is_open": is_open(record),
        "places": places(record),
        "free": free_places(record),
        "lasts": side.lasts,
        "refused": refused,
        "longest": LONGEST,
    }


def _need_desk(visitor: Visitor) -> None:
    if visitor.clerk is None or visitor.role == "judge":
        raise NotLetIn(sentence("the desk decides who plays"))
