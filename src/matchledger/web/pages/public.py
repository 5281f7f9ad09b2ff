"""Public pages: what anybody in the hall may see, without an account."""

from __future__ import annotations

from collections.abc import Hashable

from fastapi import APIRouter, Request
from fastapi.responses import Response

from matchledger.documents.document import title
from matchledger.web.pages.asking import ATournament, TheCache
from matchledger.web.rendering import language_of, render
from matchledger_projections.record import Record

router = APIRouter(prefix="/t/{tournament}", include_in_schema=False)


@router.get("/")
async def pairings(request: Request, tournament: ATournament, cache: TheCache) -> Response:
    """Who plays where."""
    language = language_of(request)
    page = await cache.page(
        tournament, ("pairings", language), lambda record: _pairings(record, language), version=_seated
    )
    return page.answer(request)


def _seated(record: Record) -> Hashable:
    """What the pairings depend on: not the results."""
    latest = record.latest_round()
    return latest and (latest.position, tuple(latest.tables.items()), latest.byes)


def _pairings(record: Record, language: str) -> str:
    name = {number: player.name for number, player in record.players.items()}
    latest = record.latest_round()
    return render(
        "pairings.html",
        language,
        tournament=record.tournament,
        title=title(record),
        round=latest,
        tables=[] if latest is None else [(table, name[a], name[b]) for table, (a, b) in latest.tables.items()],
        byes=[] if latest is None else [name[bye.player] for bye in latest.byes],
    )
