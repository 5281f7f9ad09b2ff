"""The API's reading routes: one route for each registered answer, and the routes without a tournament."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request, Response
from msgspec.structs import replace

from matchledger.service import comparing, next_round, readings, suppositions, verification, witnessing
from matchledger.service.readings import RefusedToken, TakenToken
from matchledger.service.window import Window
from matchledger.web.api.asking import (
    A_KEY,
    NOW,
    OF_TOURNAMENT,
    PROBLEMS,
    READS,
    Asking,
    AtMoment,
    Problem,
    When,
    as_json,
    kept_by_nobody,
)
from matchledger.web.api.models import model_of
from matchledger.web.doors import NotLetIn
from matchledger.web.entrance import Staffed
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import AVisitor, MaybeVisitor, TheOffice, address_of, key_of, one_of_the_staff
from matchledger_projections.document import document
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.catalogue import PolicyFlag, Rule
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text
from matchledger_projections.views import (
    catalogue,
    charts,
    clinch,
    desk,
    explanation,
    history,
    integrity,
    meetings,
    overview,
    rating,
    score_card,
    sheets,
    stages,
    tables,
)
from matchledger_projections.views.sight import ANSWERS, Answer, Asked

router = APIRouter(prefix="/api", tags=["matchledger"], route_class=Staffed)

# The modules that answer questions. Importing a module registers its answers.
REGISTERED = (
    (catalogue, charts, clinch, desk, explanation, history, integrity, meetings, overview, rating),
    (score_card, sheets, stages),
    (comparing, next_round, readings, suppositions, verification, witnessing),
)


async def _allowed(request: Request, visitor: MaybeVisitor) -> None:
    """Count a stranger's request, and refuse requests above the limit. The limit exists because any moment of a
    long log can be requested, and each request takes time on the only thread.
    """
    limit: Limit = request.app.state.reads
    if visitor is None and not limit.allows(address_of(request)):
        raise HTTPException(
            429, sentence("more than %(count)s requests in a minute: wait, or use a key", count=READS)
        )


async def _may_record(visitor: AVisitor) -> None:
    _ = visitor.writing


_READERS: dict[str, tuple[tuple[int, ...], list[Any]]] = {
    "everybody": ((400, 401, 404, 422, 429), [Depends(_allowed)]),
    "staff": ((400, 401, 403, 404, 422), [A_KEY, Depends(one_of_the_staff)]),
    "recorder": ((400, 401, 403, 404, 422), [A_KEY, Depends(one_of_the_staff), Depends(_may_record)]),
}


def _problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {status: PROBLEMS[status] for status in statuses}


# -- the routes of a tournament


def _endpoint(answer: Answer) -> Callable[..., Any]:
    parameters = list(_parameters(answer))
    by_stage = any(found.name == "stage" for found in parameters) and "{stage}" not in answer.path

    async def endpoint(asking: Asking, **given: Any) -> Response:
        when: When = given.pop("when", NOW)
        asked = {name: _converted(name, value) for name, value in given.items() if value is not None}
        # Elimination rounds have their own numbers, so a moment can name only a Swiss round.
        apart = by_stage and asked.get("stage") == "elimination"
        then = When(None, when.as_of, when.as_known) if apart else when

        def read(window: Window) -> object:
            sight = replace(window, round=when.round) if apart else window
            return sight.document(answer.build(sight, **asked))

        if answer.slow:
            return await asking.answer_apart(read, then)
        if answer.fresh or answer.reader != "everybody":
            return await asking.answer_now(read, then)
        return await asking.answer(read, then, when, *(str(part) for part in given.items()))

    first = [inspect.Parameter("asking", inspect.Parameter.KEYWORD_ONLY, annotation=Asking)]
    if not answer.timeless:
        first.append(inspect.Parameter("when", inspect.Parameter.KEYWORD_ONLY, annotation=AtMoment))
    endpoint.__signature__ = inspect.Signature([*first, *parameters])  # type: ignore[attr-defined] # FastAPI reads it
    endpoint.__doc__ = answer.build.__doc__
    endpoint.__name__ = answer.build.__name__
    return endpoint


def _parameters(answer: Answer) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a route in the form of a function's parameters, which FastAPI reads."""
    hints = get_type_hints(answer.build, include_extras=True)
    for name, parameter in list(inspect.signature(answer.build).parameters.items())[1:]:
        kind, asked = _asked(hints[name])
        bounds = {
            "ge": asked.least,
            "le": asked.most,
            "max_length": asked.longest,
            "description": asked.help or None,
        }
        given: dict[str, Any] = {bound: value for bound, value in bounds.items() if value is not None}
        if f"{{{name}}}" in answer.path:
            how: Any = Path(**given)
        else:
            how = Query(**given, alias=asked.name)
        default = None if parameter.default == () else parameter.default
        yield inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[_as_sent(kind), how]
        )


def _asked(hint: Any) -> tuple[Any, Asked]:
    if get_origin(hint) is not Annotated:
        return hint, Asked("")
    kind, *marks = get_args(hint)
    return kind, marks[0]


def _as_sent(kind: Any) -> Any:
    """Return the type of a parameter in an address: a rulebook's name for a rulebook, and a list for several
    values.
    """
    if Rulebook in get_args(kind):
        return str | None
    if get_origin(kind) is tuple:
        return list[get_args(kind)[0]] | None  # type: ignore[misc] # made while the program runs
    return kind


def _converted(name: str, value: Any) -> Any:
    if name == "rulebook":
        return parse_rulebook(rulebook_text(value))
    return tuple(value) if isinstance(value, list) else value


for _answer in sorted(ANSWERS, key=lambda answer: answer.path):
    _statuses, _dependencies = _READERS[_answer.reader]
    router.add_api_route(
        OF_TOURNAMENT + _answer.path,
        _endpoint(_answer),
        responses=_problems(*_statuses),
        response_model=model_of(get_type_hints(_answer.build, include_extras=True)["return"]),
        dependencies=_dependencies,
    )


@router.get(
    OF_TOURNAMENT + "token",
    responses=_problems(400, 401, 403, 404, 422),
    response_model=model_of(TakenToken | RefusedToken),
    dependencies=[A_KEY],
)
async def token(request: Request, asking: Asking) -> Response:
    """The contents of the token shown as the key, and whether the tournament accepts it."""
    text = key_of(request)
    if not text:
        raise NotLetIn(sentence("send a token: `Authorization: Bearer TOKEN`"))
    return await asking.answer_now(lambda window: readings.token(window.whole, window.tournament, text)[1])


# -- the routes without a tournament


@router.get(
    "/tournaments", responses={503: {"model": Problem}}, response_model=model_of(list[tables.TournamentLine])
)
async def tournaments(request: Request, office: TheOffice) -> Response:
    """The tournaments of the ledger, in the order of their opening."""
    lines = await office.show(
        lambda ledger: [tables.tournament_line(record, one) for one, record in ledger.records()]
    )
    return kept_by_nobody(request, as_json(document(lines, Record())))


@router.get("/rules", response_model=model_of(list[Rule]))
async def rules(request: Request) -> Response:
    """Every rule of the documents, and where it is applied."""
    return kept_by_nobody(request, as_json(document(catalogue.rules_asked(), Record())))


@router.get("/rules/{rule}", response_model=model_of(list[Rule | PolicyFlag]), responses=_problems(400, 422))
async def one_rule(
    request: Request,
    rule: Annotated[str, Path(max_length=60, description="The id that a refusal or an explanation cites.")],
) -> Response:
    """The meaning of a rule id or a policy flag, as a list with one element."""
    return kept_by_nobody(request, as_json(document(catalogue.cited(rule), Record())))


@router.get("/rulebooks", response_model=model_of(list[catalogue.RulebookLine]))
async def rulebooks(request: Request) -> Response:
    """The rulebooks that ship with the program."""
    return kept_by_nobody(request, as_json(document(catalogue.rulebook_lines(), Record())))


@router.get("/rulebooks/{rulebook}", response_model=Rulebook, responses=_problems(400, 422))
async def one_rulebook(
    request: Request,
    rulebook: Annotated[str, Path(max_length=60, description="The id of a rulebook that comes along.")],
) -> Response:
    """How a rulebook scores, ranks and pairs, and which policies can be chosen."""
    return kept_by_nobody(request, parse_rulebook(rulebook_text(rulebook)).model_dump_json().encode())
