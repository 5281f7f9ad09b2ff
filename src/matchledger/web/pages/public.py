"""Public pages: the pages that everybody in the hall may see, without an account."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from msgspec.structs import replace

from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.web.cache import HTML, PageCache, Rendered, Version, every_entry
from matchledger.web.office import Office
from matchledger.web.pages.asking import (
    ATournament,
    NoSuchPage,
    TheSettings,
    address_of,
)
from matchledger.web.public import pages
from matchledger.web.public.hall import Hall, Halls
from matchledger.web.public.joining import join_code
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.overlay import overlay_page
from matchledger.web.public.pages import Face
from matchledger.web.public.wall import Screen, wall_page, widget_page
from matchledger.web.rendering import language_of
from matchledger.web.worker import Rank
from matchledger_projections.message import no_entry, sentence
from matchledger_projections.record.desk_calls import contested_tables
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.stages.placing import champions, is_over, settling

router = APIRouter(prefix="/t/{tournament}", include_in_schema=False)

LONGEST_SEARCH = 80
MOST_SCREENS = 12
MOST_PLACES = 64  # the most places that a widget shows
CSV = "text/csv; charset=utf-8"
Search = Annotated[str, Query(max_length=LONGEST_SEARCH)]
Number = Annotated[int, Path(ge=1, le=10**6)]
Page = Callable[[Face, Hall], str]
Asked = Sequence[tuple[str, object]]  # the parameters of a page's address


class Desk:
    """The means of a public page: the cache, the halls, the office, and the visitor's language and links."""

    def __init__(self, request: Request, tournament: UUID) -> None:
        self.request = request
        self.tournament = tournament
        self.face = Face(language_of(request), ServerLinks(tournament))
        self._cache: PageCache = request.app.state.cache
        self._halls: Halls = request.app.state.halls
        self._office: Office = request.app.state.office

    async def answer(
        self,
        name: Hashable,
        page: Page,
        *,
        version: Version = every_entry,
        media_type: str = HTML,
        asked: Asked = (),
        rank: Rank = Rank.HALL,
    ) -> Response:
        """Return a page from the cache, which renders a page once per change.

        `name` identifies the page in every language. `asked` are the parameters of the page's address, which links
        to other languages repeat.
        """
        again = partial(
            self._cache.page,
            self.tournament,
            (name, self.face.language),
            lambda ledger: self.render(ledger, page, asked),
            version=version,
            media_type=media_type,
            rank=rank,
            address=address_of(self.request) if rank is Rank.COSTLY else "",
        )
        rendered = await again()
        if (before := self.request.scope.get("shelf")) is not None:
            shelf, sought = before
            shelf.keep(sought, again)
        return rendered.answer(self.request)

    async def search(self, page: Page, asked: Asked, rank: Rank) -> Response:
        """Return a page of search results, which are not cached because each search is different."""
        found = await self._office.show(
            lambda ledger: Rendered(self.render(ledger, page, asked).encode(), HTML), rank, address_of(self.request)
        )
        return found.answer(self.request)

    def render(self, ledger: Ledger, page: Page, asked: Asked = ()) -> str:
        try:
            return page(replace(self.face, values={"asked": list(asked)}), self._halls.now(ledger, self.tournament))
        except KeyError:
            raise NoSuchPage(sentence("this tournament has nothing with that number")) from None


async def _desk(request: Request, tournament: ATournament) -> Desk:
    return Desk(request, tournament)


ADesk = Annotated[Desk, Depends(_desk)]


@router.get("/")
async def seating(desk: ADesk, q: Search = "") -> Response:
    """Show players and their tables, by name."""
    if not q.strip():
        return await desk.answer("seating", pages.seating_page, version=_seated)
    return await desk.search(lambda face, hall: pages.seating_page(face, hall, q), [("q", q)], Rank.HALL)


def _seated(record: Record) -> Hashable:
    """Return the version of a page of pairings: until the end of the event, slips do not change the page."""
    if is_over(record) or record.closing is not None:
        return record.position
    contested = settling(record) and tuple(contested_tables(record))
    return record.latest_besides_routine, contested, tuple(champions(record).items())


@router.get("/event")
async def event(desk: ADesk) -> Response:
    """Show the organizer's page about the event: time and place, prizes, and news."""
    return await desk.answer("event", pages.event_page)


@router.get("/tables")
async def tables(desk: ADesk) -> Response:
    """Show players and results, by table."""
    return await desk.answer("tables", pages.tables_page)


@router.get("/tables/{stage}/{round_}")
async def round_tables(desk: ADesk, stage: Stage, round_: Number) -> Response:
    """Show players and results of a round, by table."""
    return await desk.answer(
        ("tables", stage, round_), lambda face, hall: pages.tables_page(face, hall, stage, round_)
    )


@router.get("/player/{number}")
async def player(desk: ADesk, number: Number) -> Response:
    """Show one player: table, place, results."""
    return await desk.answer(("player", number), lambda face, hall: pages.player_page(face, hall, number))


@router.get("/player/{number}/why")
async def why(desk: ADesk, number: Number) -> Response:
    """Show the reasons for a player's place."""
    return await desk.answer(("why", number), lambda face, hall: pages.why_page(face, hall, number))


@router.get("/standings")
async def standings(
    desk: ADesk,
    round_: Annotated[int | None, Query(alias="round", ge=1, le=1000)] = None,
    clock: Clock = "as-corrected",
    entry: Annotated[int | None, Query(ge=1, le=10**9)] = None,
) -> Response:
    """Show the standings now, after a round (as known or as corrected), or at a given length of the log."""
    if entry is not None:
        return await desk.answer(
            ("entry", entry),
            lambda face, hall: _at_entry(face, hall, entry),
            asked=[("entry", entry)],
            rank=Rank.COSTLY,
        )
    if round_ is not None:
        return await desk.answer(
            ("round", round_, clock),
            lambda face, hall: _after(face, hall, round_, clock),
            asked=[("round", round_), ("clock", clock)],
            rank=Rank.COSTLY,
        )
    return await desk.answer("standings", pages.standings_page)


def _at_entry(face: Face, hall: Hall, entry: int) -> str:
    if entry > hall.position:
        raise NoSuchPage(no_entry(entry, hall.position))
    return pages.entry_page(face, hall, entry)


def _after(face: Face, hall: Hall, round_: int, clock: Clock) -> str:
    if hall.whole.round(round_) is None:
        raise NoSuchPage(sentence("round %(round)s is not paired", round=round_))
    return pages.round_page(face, hall, round_, clock)


@router.get("/crosstable")
async def crosstable(desk: ADesk) -> Response:
    """Show all opponents of each player."""
    return await desk.answer("crosstable", pages.crosstable_page)


@router.get("/standings.csv")
async def standings_file(desk: ADesk) -> Response:
    """Return the standings as a CSV file."""
    return await desk.answer("csv", lambda _, hall: pages.standings_file(hall), media_type=CSV)


@router.get("/places.csv")
async def places_file(desk: ADesk) -> Response:
    """Return the final places as a CSV file."""
    return await desk.answer("places", lambda _, hall: pages.places_file(hall), media_type=CSV)


@router.get("/widget")
async def widget(desk: ADesk, top: Annotated[int, Query(ge=1, le=MOST_PLACES)] = 8) -> Response:
    """Show the first places, for a frame on another site. All other pages forbid frames."""
    return await desk.answer(("widget", top), lambda face, hall: widget_page(face, hall, top), asked=[("top", top)])


@router.get("/overlay")
async def overlay(desk: ADesk, table: Annotated[int | None, Query(ge=1, le=10**6)] = None) -> Response:
    """Show one table, for a stream."""
    return await desk.answer(("overlay", table), lambda face, hall: overlay_page(face, hall, table))


@router.get("/bracket")
async def bracket(desk: ADesk) -> Response:
    """Show the bracket of the elimination stage."""
    return await desk.answer("bracket", pages.bracket_page)


@router.get("/podium")
async def podium(desk: ADesk) -> Response:
    """Show the champions and everybody's final place."""
    return await desk.answer("podium", pages.podium_page)


@router.get("/log")
async def log(
    desk: ADesk,
    q: Search = "",
    page: Annotated[int, Query(ge=1, le=10**6)] = 1,
    kind: pages.Kind | None = None,
) -> Response:
    """Show the log, the newest entry first."""
    asked = [("page", page), *([] if kind is None else [("kind", kind)])]
    if not q.strip():
        return await desk.answer(
            ("log", page, kind), lambda face, hall: pages.log_page(face, hall, page=page, kind=kind), asked=asked
        )
    return await desk.search(
        lambda face, hall: pages.log_page(face, hall, q, page, kind), [("q", q), *asked], Rank.COSTLY
    )


@router.get("/match/{stage}/{round_}/{table}")
async def match(desk: ADesk, stage: Stage, round_: Number, table: Number) -> Response:
    """Show all entries about a match."""
    return await desk.answer(
        ("match", stage, round_, table), lambda face, hall: pages.match_page(face, hall, stage, round_, table)
    )


@router.get("/wall")
async def wall(
    desk: ADesk,
    settings: TheSettings,
    show: Screen = "auto",
    part: Annotated[int, Query(ge=1, le=MOST_SCREENS)] = 1,
    of: Annotated[int, Query(ge=1, le=MOST_SCREENS)] = 1,
) -> Response:
    """Show a page for a television that moves from view to view by itself. `part` of `of` splits the lines among
    several screens.
    """
    part = min(part, of)
    code = None if settings.address is None else join_code(settings.address)
    version = every_entry if show != "names" else _seated
    return await desk.answer(
        ("wall", show, part, of),
        lambda face, hall: wall_page(face, hall, show, part, of, code),
        version=version,
        asked=[("show", show), ("part", part), ("of", of)],
    )
