"""The first page: the choice of a tournament, and short addresses that people can type at a screen."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple
from uuid import UUID

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response, StreamingResponse
from markupsafe import Markup

from matchledger.ledger import Ledger
from matchledger.ledger.location import is_given_up
from matchledger.service.player_links import SHORT
from matchledger.service.sign_up import is_open
from matchledger.web.cache import HTML, Rendered
from matchledger.web.pages.asking import ATournament, NoSuchPage, TheDoors, TheHalls, TheOffice, key_of
from matchledger.web.public.hall import Halls
from matchledger.web.public.programme import programme
from matchledger.web.rendering import language_of, render
from matchledger.web.stream import stream
from matchledger_projections.message import sentence
from matchledger_projections.record.desk_calls import closed_over, contested_at_close
from matchledger_projections.record.erasures import description
from matchledger_projections.record.record import Record

router = APIRouter(include_in_schema=False)

SCREENS = ("auto", "names", "tables", "standings", "bracket", "clock")
# The pages with a short address: the word after the beginning of the tournament's id, and the page's address.
_PLACES = {
    "sign-up": "sign-up",
    "overlay": "overlay",
    **{screen: f"wall?show={screen}" for screen in SCREENS},
}


NO_SHORT = sentence("no page has this short address: look it up at the desk, under Stations and screens")


class Listed(NamedTuple):
    """A tournament in the list of tournaments. `rounds` are the announced Swiss rounds, or 0. `begins` is the first
    time of the schedule, or "". `signs_up` says that people may put their names on the waiting list.
    """

    id: UUID
    name: str
    players: int
    round: int
    rounds: int
    closed: bool
    day: date | None
    venue: str | None
    accent: str
    logo: str | None
    game: str
    champions: list[tuple[str | None, Markup]]
    begins: str = ""
    signs_up: bool = False
    closed_over: str = ""


@router.get("/")
async def choose(request: Request, office: TheOffice, doors: TheDoors, halls: TheHalls) -> Response:
    """Show every tournament of the ledger. If the ledger has only one tournament, show that tournament at once."""
    listed = await office.show(lambda ledger: _listed(ledger, halls))
    if len(listed) == 1:
        return RedirectResponse(f"/t/{listed[0].id}/")
    key = key_of(request)
    can_open, is_host = doors.may_open(key), doors.is_own(key)
    page = render("tournaments.html", language_of(request), tournaments=listed, can_open=can_open, is_host=is_host)
    return Rendered(page.encode(), HTML).answer(request)


@router.get("/s/{start}")
@router.get("/s/{start}/{place}")
async def open_short(office: TheOffice, start: str, place: str = "") -> Response:
    """Lead from a short address, such as `/s/80e2/clock`, to the page of the only tournament that it fits."""
    key = start.lower()
    found = await office.show(lambda ledger: [one for one in ledger.tournaments() if one.hex.startswith(key)])
    if len(found) != 1 or len(key) < SHORT or (place and place not in _PLACES):
        raise NoSuchPage(NO_SHORT)
    return RedirectResponse(f"/t/{found[0]}/{_PLACES.get(place, '')}")


def short_address(tournament: UUID, every: Iterable[UUID], place: str = "") -> str:
    """Return the short address of a tournament's page. It has as many letters of the id as tell the tournament
    apart from the others, and at least `SHORT`.
    """
    others = [one.hex for one in every if one != tournament]
    letters = next(
        length for length in range(SHORT, 33) if not any(one.startswith(tournament.hex[:length]) for one in others)
    )
    return f"s/{tournament.hex[:letters]}" + (f"/{place}" if place else "")


@router.get("/t/{tournament}/stream")
async def news(tournament: ATournament, office: TheOffice) -> StreamingResponse:
    """Send the length of the log, now and after each change."""
    return stream(office, tournament)


def _listed(ledger: Ledger, halls: Halls) -> list[Listed]:
    """Return every tournament that was not given up."""
    every = list(ledger.records())
    listed = [_line(record, one, halls) for one, record in every if len(every) == 1 or not is_given_up(ledger, one)]
    return in_order(listed)


def in_order(listed: Iterable[Listed]) -> list[Listed]:
    """Sort tournaments: in play, then to come with the next day first, then closed with the latest day first. A
    tournament without a day or players is last of its group.
    """
    return sorted(listed, key=_rank)


def _rank(one: Listed) -> tuple[bool, bool, bool, int, bool]:
    day = 0 if one.day is None else one.day.toordinal()
    return one.closed, not one.round, one.day is None, -day if one.closed else day, not one.players


def _line(record: Record, tournament: UUID, halls: Halls) -> Listed:
    latest, about = record.latest_round(), description(record)
    return Listed(
        tournament,
        record.name or str(tournament),
        len(record.entered()),
        latest.number if latest is not None else 0,
        record.structure.rounds if record.structure is not None else 0,
        record.closing is not None,
        about.day,
        about.venue,
        about.accent,
        about.logo,
        record.rulebook.title,
        halls.champions(tournament, record),
        next((item.time for item in programme(about.schedule, about.day) if item.time), ""),
        is_open(record),
        closed_over(contested_at_close(record)),
    )
