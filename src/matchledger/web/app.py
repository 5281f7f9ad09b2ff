"""The application: everything that `matchledger serve` serves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial

from fastapi import APIRouter, FastAPI
from starlette.routing import BaseRoute

from matchledger.ledger.beside import SideFile
from matchledger.ledger.keyring import ring_of
from matchledger.ledger.location import is_database
from matchledger.service.sign_up import forget_after_close
from matchledger.web import problems
from matchledger.web.api import reading, recording
from matchledger.web.api.asking import READS, SECONDS
from matchledger.web.api.models import Described
from matchledger.web.cache import PageCache
from matchledger.web.chosen import Remembering
from matchledger.web.doors import Doors
from matchledger.web.entrance import Running
from matchledger.web.gate import Gate
from matchledger.web.limit import Limit
from matchledger.web.news import News
from matchledger.web.office import Office
from matchledger.web.pages import (
    desk,
    entering,
    filling,
    logo,
    opening,
    own,
    proving,
    public,
    push,
    sign_up,
    stations,
    tournaments,
    waiting,
)
from matchledger.web.pages.asking import FAILURES
from matchledger.web.pages.asking import SECONDS as FAILING_SECONDS
from matchledger.web.public.hall import Halls
from matchledger.web.rendering import STATIC
from matchledger.web.security import Guard
from matchledger.web.settings import Settings
from matchledger.web.shelf import Shelf
from matchledger.web.unchanging import Unchanging


def create_app(location: str, settings: Settings | None = None) -> FastAPI:
    """Return the server of one ledger. The server opens the ledger when the server starts, and may raise
    LedgerError then.
    """
    settings = settings or Settings()
    side = SideFile(ring_of(location, in_database=is_database(location)))
    office = Office(location, watch_seconds=settings.watch_seconds, noticed=partial(forget_after_close, side))

    halls = Halls(settings.initials)
    news = News(office, halls, side)
    doors = Doors(settings.clerk, settings.key, side)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with office.open():
            await office.show(lambda _: doors.restore())
            telling = asyncio.create_task(news.run(settings.watch_seconds))
            yield
            telling.cancel()
            await asyncio.wait([telling])
        side.close()

    app = Described(
        title="matchledger",
        lifespan=lifespan,
        docs_url=None,  # the library's own pages load scripts from the internet, and a hall may have none
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.office = office
    app.state.cache = PageCache(office)
    app.state.halls = halls
    app.state.acts = Limit(own.ACTS, own.SECONDS)
    app.state.subscribing = Limit(own.ACTS, own.SECONDS)
    app.state.side = side
    app.state.news = news
    app.state.sign_ups = tuple(Limit(times, seconds) for times, seconds in sign_up.RATES)
    app.state.settings = settings
    app.state.reads = Limit(READS, SECONDS)
    app.state.entrances = Limit(entering.ENTRANCES, entering.SECONDS)
    app.state.failures = Limit(FAILURES, FAILING_SECONDS)
    app.state.running = Running()
    app.state.doors = doors
    app.add_middleware(Remembering)
    app.add_middleware(Guard, host_names=settings.host_names)
    app.add_middleware(Shelf, gate=Gate(doors.has_opened))  # the middleware that is added last runs first
    problems.add_to(app)
    app.router.routes.extend(_routes())
    app.mount("/static", Unchanging(directory=str(STATIC)), name="static")
    return app


@cache
def _routes() -> list[BaseRoute]:
    """Return the routes of every application.

    FastAPI computes their parameters once, and later applications share them.
    """
    router = APIRouter()
    for part in (
        # Slips and public pages come first, because each request is compared with one route after the other.
        *(recording, public),
        *(tournaments, opening, entering, own, push, sign_up),
        *(filling, proving, stations, waiting, logo, desk),
        reading,
    ):
        router.include_router(part.router)
    router.include_router(logo.public)
    return router.routes
