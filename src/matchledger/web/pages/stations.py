"""Stations and screens: a link for each desk, judge and wall, made and revoked in the browser."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, get_args
from uuid import UUID

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import RedirectResponse, Response
from markupsafe import Markup

from matchledger.commands.access import allow_plain_http
from matchledger.commands.phones import RenewLink
from matchledger.commands.refusal import Refusal
from matchledger.events import Entry
from matchledger.ledger import Clerk, Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.proof.station_token import TokenRefused
from matchledger.service.execute import Request as Asking
from matchledger.service.execute import execute
from matchledger.service.player_links import code_of, link_of
from matchledger.service.sign_up import is_open
from matchledger.web.desk.chips import chosen_by, in_divisions
from matchledger.web.desk.forms import Filled
from matchledger.web.desk.pages import common_values
from matchledger.web.doors import Doors, NotLetIn, Station, StationRole, Visitor
from matchledger.web.entrance import Staffed
from matchledger.web.office import Office
from matchledger.web.pages.answering import address_after, address_of_new_link, ask_again, desk_page, not_a_judges
from matchledger.web.pages.asking import (
    ATournament,
    AVisitor,
    OneOfTheStaff,
    TheDoors,
    TheOffice,
    TheSettings,
    key_of,
)
from matchledger.web.pages.tournaments import SCREENS, short_address
from matchledger.web.public.joining import join_code
from matchledger.web.settings import Settings
from matchledger.web.worker import Rank
from matchledger_projections.conduct.access import tokens_demanded
from matchledger_projections.message import sentence
from matchledger_projections.record.phones import link_users, phones_may
from matchledger_projections.record.roster import Player, plain_letters
from matchledger_projections.record.surnames import list_order

router = APIRouter(prefix="/t/{tournament}/desk/stations", include_in_schema=False, route_class=Staffed)

STATION_ROLES = get_args(StationRole)  # the last role is the organizer, whose link only an organizer makes
LINKS = 24  # how many codes a sheet of paper has. Each code has 3 kB
NAMED = 500  # how many names the list has. A search finds the other players
NAME = 60  # the most letters in the name of a station or a person


@router.get("")
async def stations(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    doors: TheDoors,
    settings: TheSettings,
    visitor: OneOfTheStaff,
    *,
    revoked: bool = False,
    made: bool = False,
) -> Response:
    """Show every link, with its code for a phone. After `made`, the fold of a closed event shows the new link."""
    gone = doors.last_revoked(tournament) if revoked else None
    beside: dict[str, Station | bool | None] = {"revoked": gone, "ending": None, "made": made}
    return await _shown(request, tournament, office, doors, settings, visitor, beside)


async def _shown(
    request: Request,
    tournament: UUID,
    office: Office,
    doors: Doors,
    settings: Settings,
    visitor: Visitor,
    beside: dict[str, Station | bool | None],
) -> Response:
    if visitor.role == "judge":
        return await not_a_judges(request, tournament, office, visitor, "stations")
    address = settings.address or str(request.base_url)
    values, signs_up, every = await office.ask(
        lambda ledger: (
            common_values(ledger, tournament, visitor, "stations"),
            is_open(ledger.record(tournament)),
            ledger.tournaments(),
        )
    )

    def short(place: str = "") -> tuple[str, Markup]:
        link = f"{address}{short_address(tournament, every, place)}"
        return link, join_code(link)

    opened = doors.stations(tournament) if doors.is_own(key_of(request)) else None
    return desk_page(
        request,
        "desk/stations.html",
        **values
        | beside
        | {
            "stations": None
            if opened is None
            else [
                (station, f"{address}enter#{station.code}", join_code(f"{address}enter#{station.code}"))
                for station in opened
            ],
            "screens": [(screen, *short(screen)) for screen in (*SCREENS, "overlay")],
            "event": short(),
            "sign_up": short("sign-up") if signs_up else None,
            "widget": f'<iframe src="{address}t/{tournament}/widget" width="400" height="480"></iframe>',
            "is_reachable": settings.address is not None,
            "roles": STATION_ROLES if visitor.role == "organizer" else STATION_ROLES[:-1],
        },
    )


@router.get("/players")
async def player_links(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    settings: TheSettings,
    doors: TheDoors,
    visitor: OneOfTheStaff,
    q: Annotated[str, Query(max_length=NAME)] = "",
    player: Annotated[int | None, Query(ge=1, le=999_999)] = None,
    page: Annotated[int, Query(ge=1, le=10**4)] = 1,
    renewed: Annotated[int | None, Query(ge=1, le=999_999)] = None,
    show: Annotated[str, Query(max_length=NAME)] = "",
    *,
    sheet: bool = False,
) -> Response:
    """Show the players whose names contain `q`, with the link and the code of one. A `sheet` has the codes of many
    players, to be printed.
    """
    _need_desk(visitor)
    address = settings.address or str(request.base_url)
    key = plain_letters(q.strip())

    def read(ledger: Ledger) -> dict[str, Any]:
        record = ledger.record(tournament)
        found = [player for player in record.active_players() if key in plain_letters(player.name)]
        found.sort(key=lambda player: list_order(player.person))
        used = link_users(record)
        chips, found = chosen_by(
            show,
            found,
            {"unused": lambda player: player.number not in used, "used": lambda player: player.number in used},
        )
        pages = max(1, -(-len(found) // LINKS))
        at = min(page, pages)
        chosen = found if len(found) == 1 else [one for one in found if one.number == player]
        shown = found[(at - 1) * LINKS : at * LINKS] if sheet else chosen
        codes = [(one, code_of(ledger, tournament, one.number)) for one in shown]
        links = [
            (one.number, one.name, f"{address}enter#{link_of(tournament, code)}")
            for one, code in codes
            if code is not None
        ]
        return common_values(ledger, tournament, visitor, "phones") | {
            "players": [(*line, join_code(line[-1])) for line in links],
            "names": {} if sheet else _names(found),
            "named": min(NAMED, len(found)),
            "used": used,
            "chips": chips,
            "chip": show,
            "sheet": sheet,
            "sealed": len(links) < len(codes),
            "wanted": q.strip(),
            "renewed": record.players[renewed].name if renewed in record.players else None,
            "found": len(found),
            "page": at,
            "pages": pages,
            "asked": [
                ("q", q.strip()),
                ("show", show),
                *([("sheet", "yes"), ("page", at)] if sheet else [("player", player or "")]),
            ],
            "may": phones_may(record),
            "to_lend": tokens_demanded(record) and doors.lent(tournament) is None,
            "is_reachable": settings.address is not None,
        }

    return desk_page(request, "desk/links.html", **await office.ask(read))


@router.post("/players/lend")
async def lend(tournament: ATournament, doors: TheDoors, visitor: OneOfTheStaff) -> Response:
    """Let this station's token sign the reports from players' phones."""
    _need_desk(visitor)
    doors.lend(tournament, visitor.writing)
    return RedirectResponse(f"/t/{tournament}/desk/stations/players", status_code=303)


@router.post("/players/renew")
async def renew(
    tournament: ATournament,
    office: TheOffice,
    visitor: OneOfTheStaff,
    player: Annotated[int, Form(ge=1, le=999_999)],
    id_: Annotated[str, Form(alias="id", min_length=1, max_length=200)],
    q: Annotated[str, Form(max_length=NAME)] = "",
    show: Annotated[str, Form(max_length=NAME)] = "",
) -> Response:
    """Give a player a new personal link, and end the old link."""
    _need_desk(visitor)
    asked = Asking(RenewLink(player=player), visitor.writing, id_)
    await office.tell(lambda ledger: execute(ledger, tournament, asked))
    return RedirectResponse(address_of_new_link(tournament, player, q, show), status_code=303)


@router.post("/plain-http")
async def plain_http(request: Request, tournament: ATournament, office: TheOffice, visitor: AVisitor) -> Response:
    """Let players' phones write over plain HTTP. Only an organizer decides this, and the log keeps the decision."""
    form = Filled.of(await request.form())

    def allow(ledger: Ledger) -> list[Entry]:
        return ledger.decide(
            tournament,
            allow_plain_http,
            clerk=visitor.writing,
            command=form.id[:200] or None,
        )

    try:
        [entry] = await office.tell(allow)
    except (UsageProblem, Refusal, TokenRefused) as problem:
        return await ask_again(request, tournament, office, visitor, form, problem)
    return RedirectResponse(address_after(tournament, "phones", entry.position, form), status_code=303)


@router.post("")
async def open_station(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    doors: TheDoors,
    role: Annotated[StationRole, Form()],
    station: Annotated[str, Form(min_length=1, max_length=NAME)],
    name: Annotated[str, Form(max_length=NAME)] = "",
) -> Response:
    """Make a link that admits a station."""
    _need_own(request, doors)
    if role == "organizer" and not doors.may_open(key_of(request)):
        raise NotLetIn(sentence("only an organizer makes a link for an organizer"))
    clerk = Clerk(name.strip() or station.strip(), role, station.strip())
    await office.show(lambda _: doors.open_station(tournament, clerk), Rank.STAFF)
    return RedirectResponse(f"/t/{tournament}/desk/stations?made=yes", status_code=303)


@router.post("/revoke")
async def revoke(
    request: Request,
    tournament: ATournament,
    office: TheOffice,
    doors: TheDoors,
    settings: TheSettings,
    visitor: OneOfTheStaff,
    code: Annotated[str, Form(max_length=NAME)],
    *,
    confirmed: Annotated[bool, Form()] = False,
) -> Response:
    """End a link, so that the station is no longer admitted. Without `confirmed`, the page asks first."""
    _need_own(request, doors)
    station = next((one for one in doors.stations(tournament) if one.code == code), None)
    if station is not None and not confirmed:
        asked: dict[str, Station | bool | None] = {"revoked": None, "ending": station, "made": False}
        return await _shown(request, tournament, office, doors, settings, visitor, asked)
    await office.show(lambda _: doors.revoke(tournament, code), Rank.STAFF)
    return RedirectResponse(f"/t/{tournament}/desk/stations?revoked=yes", status_code=303)


def _names(found: Sequence[Player]) -> dict[str, tuple[list[Player], int]]:
    """Return the first names of the list by division, and how many players each division has."""
    shown: dict[str, tuple[list[Player], int]] = {}
    room = NAMED
    for division, share in in_divisions(found).items():
        if room:
            shown[division] = share[:room], len(share)
            room = max(0, room - len(share))
    return shown


def _need_desk(visitor: Visitor) -> None:
    if visitor.clerk is None or visitor.role == "judge":
        raise NotLetIn(sentence("these links report for the players: the desk hands them out"))


def _need_own(request: Request, doors: TheDoors) -> None:
    if not doors.is_own(key_of(request)):
        raise NotLetIn(sentence("only the desk that started the server opens and revokes stations"))
