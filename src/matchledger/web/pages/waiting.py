"""The waiting list at the desk: accept people who signed up by phone, or decline them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response

from matchledger.commands.refusal import Refusal
from matchledger.ledger import Clerk, Ledger
from matchledger.ledger.beside import SideFile
from matchledger.notation.problems import UsageProblem
from matchledger.service.sign_up import (
    LONGEST,
    MOST_WAITING,
    Line,
    accept,
    accept_all,
    checked,
    decline,
    free_places,
    is_open,
    put_back,
    questions,
    turned_away,
    waiting_list,
)
from matchledger.web.desk.asked import Asked
from matchledger.web.desk.landing import NOWHERE
from matchledger.web.desk.pages import common_values
from matchledger.web.doors import NotLetIn, Visitor
from matchledger.web.entrance import Staffed
from matchledger.web.pages.answering import desk_page
from matchledger.web.pages.asking import ATournament, OneOfTheStaff, TheOffice, TheSide
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.phones import places

router = APIRouter(prefix="/t/{tournament}/desk/waiting", include_in_schema=False, route_class=Staffed)

SHOWN = 40  # the most people that the page shows. All others come later
Act = Literal["accept", "accept-anyway", "decline", "put-back", "accept-all", "decline-all"]
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
    who: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> Response:
    """Show the people who wait, in order of arrival, and the data of the person `who`, to be corrected."""
    _need_desk(visitor)
    values = await office.ask(lambda ledger: _values(ledger, tournament, side, visitor, Asked(done=done), who=who))
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
    confirmed: Annotated[bool, Form()] = False,
    several: Annotated[list[int] | None, Form(max_length=MOST_WAITING)] = None,
) -> Response:
    """Accept or decline one person or everybody, or put a person back on the list. Refused people are shown again
    with the reason.

    `accept-anyway` departs from the rules. Without `confirmed`, the page asks before it declines people.
    `decline-all` asks about everybody, and then declines the people in `several`.
    """
    _need_desk(visitor)
    fields = {"name": name, "division": division, "born": born}
    chosen = Chosen(act, who, confirmed, fields, reason, frozenset(several or ()))
    answer = await office.tell(lambda ledger: _carried(ledger, tournament, side, visitor.writing, chosen))
    if isinstance(answer, Refused | Question):
        values = await office.ask(lambda ledger: _values(ledger, tournament, side, visitor, Asked(), answer))
        return desk_page(request, "desk/waiting.html", status=409 if isinstance(answer, Refused) else 200, **values)
    done = "" if answer is None else f"?done={answer}"
    return RedirectResponse(f"/t/{tournament}/desk/waiting{done}", status_code=303)


class Chosen(NamedTuple):
    """A decision of the desk. `fields` are corrections of a person's data, and `several` the people to decline."""

    act: Act
    who: int
    confirmed: bool
    fields: dict[str, str]
    reason: str
    several: frozenset[int]


class Refused:
    """People who could not be registered, with the reasons, and the values that were filled in for one person."""

    def __init__(
        self, names: list[tuple[str, Sentence]], person: int | None = None, fields: dict[str, str] | None = None
    ) -> None:
        self.names = names
        self.person = person
        self.fields = fields or {}


class Question(NamedTuple):
    """The question whether to decline these people."""

    act: Act
    lines: list[Line]


def _carried(
    ledger: Ledger, tournament: UUID, side: SideFile, clerk: Clerk, chosen: Chosen
) -> int | Refused | Question | None:
    """Carry out a decision. Return the first entry, or None without an entry."""
    if chosen.act == "accept-all":
        accepted, refused = accept_all(side, ledger, tournament, clerk)
        if refused:
            return Refused(refused)
        return accepted[0].entries[0].position if accepted else None
    listed = turned_away if chosen.act == "put-back" else waiting_list
    lines = [
        line
        for line in listed(side, ledger, tournament)
        if chosen.act == "decline-all" or line.person.id == chosen.who
    ]
    if not lines:
        return None
    if chosen.act.startswith("accept"):
        return _accepted(side, ledger, tournament, clerk, lines[0], chosen)
    if chosen.act == "put-back":
        put_back(side, lines)
    elif not chosen.confirmed:
        return Question(chosen.act, lines)
    else:
        wanted = chosen.several if chosen.act == "decline-all" else {chosen.who}
        decline(side, [line for line in lines if line.person.id in wanted])
    return None


def _accepted(
    side: SideFile, ledger: Ledger, tournament: UUID, clerk: Clerk, line: Line, chosen: Chosen
) -> int | Refused:
    corrected = {field: value.strip() for field, value in chosen.fields.items() if value.strip()}
    changes = corrected | {"deviating": chosen.act == "accept-anyway"}
    try:
        done = accept(side, ledger, tournament, line, clerk, changes=changes, reason=chosen.reason or None)
    except (Refusal, UsageProblem) as problem:
        kept = chosen.fields | {"reason": chosen.reason}
        return Refused([(line.wish.name, problem.args[0])], line.person.id, kept)
    return done.entries[0].position


def _values(
    ledger: Ledger,
    tournament: Any,
    side: SideFile,
    visitor: Visitor,
    asked: Asked,
    answer: Refused | Question | None = None,
    who: int | None = None,
) -> dict[str, Any]:
    record = ledger.record(tournament)
    lines = waiting_list(side, ledger, tournament)
    shown = [checked(ledger, tournament, visitor.writing, line) for line in lines[:SHOWN]]
    who = answer.person if isinstance(answer, Refused) else who
    chosen = next((line for line in shown if line.person.id == who), None)
    return common_values(ledger, tournament, visitor, "phones", asked) | {
        "lines": shown,
        "chosen": chosen,
        "lands": NOWHERE if chosen is None or isinstance(answer, Refused) else _field(chosen),
        "found": len(lines),
        "ready": sum(line.before is None for line in lines)
        - sum(line.problem is not None for line in shown if line.before is None),
        "asked_for": questions(record),
        "is_open": is_open(record),
        "is_cut": record.cut is not None,
        "places": places(record),
        "free": free_places(record),
        "lasts": side.lasts,
        "refused": answer if isinstance(answer, Refused) else None,
        "question": answer if isinstance(answer, Question) else None,
        "turned_away": turned_away(side, ledger, tournament)[::-1][:SHOWN],
        "longest": LONGEST,
    }


def _field(line: Line) -> str:
    """Return the id of the field that is filled in first for a person."""
    return "anyway-why" if line.anyway else "right-name"


def _need_desk(visitor: Visitor) -> None:
    if visitor.clerk is None or visitor.role == "judge":
        raise NotLetIn(sentence("the desk decides who plays"))
