"""Problems with a request: a page for people, and RFC 9457 JSON for programs."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException

from matchledger.commands.command import Moved
from matchledger.commands.refusal import Refusal
from matchledger.ledger import Conflict, Ledger, LedgerError
from matchledger.notation.problems import UsageProblem, wrong_value
from matchledger.proof.station_token import TokenRefused
from matchledger.text.translation import told
from matchledger.web.desk.carrying import TableTaken
from matchledger.web.doors import LinkReplaced, LinkRevoked, NotLetIn
from matchledger.web.pages.asking import NoSuchPage
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.pages import Face
from matchledger.web.rendering import language_links, language_of, private_page
from matchledger.web.worker import TooBusy
from matchledger_projections.message import NotThere, Sentence, demands_of, sentence
from matchledger_projections.rulebook.rulebook import RulebookError

# Paths that only the desk's own script requests. The script gets problems as JSON, like a program.
_READ_BY_SCRIPTS = ("/desk/admitted", "/desk/state", "/desk/compare", "/desk/slip")

MOVED = sentence("the log has changed since you looked: nothing was recorded, look again")
NO_PAGE = sentence("there is no such page: check that the address is complete")

# The name of each problem, and the status code of its answer.
_KINDS: dict[type[Exception], tuple[int, str]] = {
    LinkRevoked: (401, "link-revoked"),
    NotLetIn: (401, "not-let-in"),
    TokenRefused: (403, "token-refused"),
    NoSuchPage: (404, "not-found"),
    NotThere: (404, "not-found"),
    UsageProblem: (400, "not-understood"),
    RulebookError: (400, "not-understood"),
    Refusal: (422, "refused-by-the-rules"),
    Moved: (409, "moved"),
    TableTaken: (409, "table-taken"),
    Conflict: (409, "conflict"),
    TooBusy: (503, "http"),
    LedgerError: (503, "ledger"),
}


def add_to(app: FastAPI) -> None:
    """Make an application answer every kind of problem with a page or with JSON."""
    for kind in (*_KINDS, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _answer)


def problem_of(problem: Exception) -> tuple[int, dict[str, Any]]:
    """Return the status and the JSON of a problem."""
    match problem:
        case HTTPException():
            return problem.status_code, _document(problem.status_code, "http", problem.detail)
        case RequestValidationError():
            first = problem.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            return 422, _document(422, "not-understood", f"{place}: {first['msg']}")
    status, kind = next(known for one, known in _KINDS.items() if isinstance(problem, one))
    answer = _document(status, kind, MOVED if isinstance(problem, Moved) else _words(problem))
    match problem:
        case Refusal():
            answer["rule"] = problem.rule
            answer["demands"] = list(demands_of(_words(problem)))
        case TableTaken():
            answer["other"] = {
                "entry": problem.other.position,
                "actor": problem.other.actor,
                "station": problem.other.station,
                "recorded_at": problem.other.recorded_at.isoformat(),
                "said": problem.said,
            }
            answer["refused"] = problem.refused
    return status, answer


def _words(problem: Exception) -> str:
    """Return the words of a problem. A `Sentence` stays a `Sentence`, so that a page can translate the words."""
    said = problem.args[0] if problem.args else ""
    return said if isinstance(said, Sentence) else str(problem)


def _document(status: int, kind: str, detail: str) -> dict[str, Any]:
    return {"type": f"urn:matchledger:problem:{kind}", "status": status, "title": kind, "detail": detail}


async def _answer(request: Request, problem: Exception) -> Response:
    status, said = problem_of(problem)
    if request.url.path.startswith("/api/") or request.url.path.endswith(_READ_BY_SCRIPTS):
        return _as_json(status, said, language_of(request))
    if isinstance(problem, NotLetIn) and not isinstance(problem, LinkReplaced) and request.method == "GET":
        return RedirectResponse("/enter", status_code=303)
    detail = said["detail"]
    match problem:
        case HTTPException(status_code=404 | 405):
            detail = NO_PAGE
        case RequestValidationError():
            detail = NO_PAGE if request.method == "GET" else wrong_value(problem.errors()[0], skip=1)
    is_missing = status == 404 or detail is NO_PAGE  # noqa: PLR2004 - a status of HTTP
    home = getattr(request.state, "home", None)
    if is_missing and home is not None:
        with suppress(TooBusy, LedgerError):
            return await _missing_in_event(request, status, detail, home)
    return private_page(request, "problem.html", status=status, problem=detail, is_missing=is_missing, home=home)


async def _missing_in_event(request: Request, status: int, problem: str, home: ServerLinks) -> Response:
    """Return the page for a missing address of a tournament, with the header of the event."""
    state, tournament = request.app.state, request.state.tournament
    face = Face(language_of(request), home, language_links(request))

    def page(ledger: Ledger) -> str:
        hall = state.halls.now(ledger, tournament)
        return face.show("problem.html", hall, problem=problem, is_missing=True, home=home)

    return HTMLResponse(await state.office.show(page), status, headers={"cache-control": "no-store"})


def _as_json(status: int, said: dict[str, Any], language: str) -> JSONResponse:
    """Return a problem as JSON for a program. Only `detail` is translated into the requested language."""
    spoken = said | {"detail": told(said["detail"], language)}
    if "other" in said:
        spoken["other"] = said["other"] | {"said": told(said["other"]["said"], language)}
    headers = {"content-language": language, "vary": "accept-language, cookie"}
    if status == 401:  # noqa: PLR2004 - a status of HTTP
        headers["www-authenticate"] = "Bearer"
    return JSONResponse(spoken, status, headers=headers, media_type="application/problem+json")
