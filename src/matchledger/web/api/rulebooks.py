"""What the program knows of the documents, whatever the tournament: rules, and rulebooks."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from matchledger.documents.catalogue import rulebook_lines, rules_document
from matchledger.documents.typed.catalogue import RulebookLine, RuleLine
from matchledger.web.api.asking import PROBLEMS, as_json, kept_by_nobody
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text

router = APIRouter(prefix="/api", tags=["matchledger"])

_NOT_FOUND: dict[int | str, dict[str, Any]] = {status: PROBLEMS[status] for status in (400, 422)}
ARule = Annotated[str, Path(max_length=60, description="The id that a refusal or an explanation cites.")]
ARulebook = Annotated[str, Path(max_length=60, description="The id of a rulebook that comes along.")]


@router.get("/rules", response_model=list[RuleLine])
async def rules(request: Request) -> Response:
    """Every rule of the documents, and where it is applied."""
    return kept_by_nobody(request, as_json(rules_document()))


@router.get("/rules/{rule}", response_model=list[RuleLine], responses=_NOT_FOUND)
async def one_rule(request: Request, rule: ARule) -> Response:
    """What a rule id stands for, as a list of one."""
    return kept_by_nobody(request, as_json(rules_document(rule)))


@router.get("/rulebooks", response_model=list[RulebookLine])
async def rulebooks(request: Request) -> Response:
    """The rulebooks that come along."""
    return kept_by_nobody(request, as_json(rulebook_lines()))


@router.get("/rulebooks/{rulebook}", response_model=Rulebook, responses=_NOT_FOUND)
async def one_rulebook(request: Request, rulebook: ARulebook) -> Response:
    """How a rulebook scores, ranks and pairs, and which policies can be chosen."""
    return kept_by_nobody(request, parse_rulebook(rulebook_text(rulebook)).model_dump_json().encode())
