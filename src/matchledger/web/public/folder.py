"""The public pages as a folder of files, which any browser can open without a server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from matchledger.web.public import pages
from matchledger.web.public.hall import Hall
from matchledger.web.public.links import FolderLinks
from matchledger.web.public.pages import Face
from matchledger.web.rendering import STATIC
from matchledger_projections.record.two_clocks import Clock

_FILES = (
    "inter.woff2",
    "inter-OFL.txt",
    "tokens.css",
    "style.css",
    "hall.css",
    "icon.svg",
    "theme.js",
    "find.js",
    "remember.js",
    "mine.js",
    "divisions.js",
)


def files(hall: Hall, language: str, logo: tuple[str, bytes] | None) -> Iterator[tuple[str, bytes]]:
    """Yield every file's path in the folder, with its content. `logo` is the kind and the bytes of the logo."""
    picture = None
    if logo is not None:
        kind, data = logo
        picture = _beside(f"logo.{kind}")
        yield picture, data
    face = Face(
        language,
        FolderLinks(picture),
        {"static": _beside, "languages": {}, "script_type": "text/javascript"},
    )
    for name, text in _pages(face, hall):
        yield name, text.encode()
    for name in _FILES:
        yield _beside(name), (STATIC / name).read_bytes()


def _beside(name: str) -> str:
    return f"static/{name}"


def _pages(face: Face, hall: Hall) -> Iterator[tuple[str, str]]:
    links = face.links
    yield links.seating, pages.seating_page(face, hall)
    yield links.tables, pages.tables_page(face, hall)
    yield links.event, pages.event_page(face, hall)
    yield links.standings, pages.standings_page(face, hall)
    yield links.crosstable, pages.crosstable_page(face, hall)
    yield links.bracket, pages.bracket_page(face, hall)
    yield links.podium, pages.podium_page(face, hall)
    for round_ in hall.whole.rounds():
        for clock in get_args(Clock):
            yield links.after_round(round_.number, clock), pages.round_page(face, hall, round_.number, clock)
    for page in range(1, pages.pages_of_log(hall) + 1):
        yield links.log_page(page, ""), pages.log_page(face, hall, page=page)
    yield from _players(face, hall)
    for round_ in [*hall.whole.rounds(), *hall.whole.rounds("elimination")]:
        where = round_.stage, round_.number
        yield links.round_tables(*where), pages.tables_page(face, hall, *where)
        for table in round_.tables:
            name = links.match(round_.stage, round_.number, table)
            yield name, pages.match_page(face, hall, round_.stage, round_.number, table)


def _players(face: Face, hall: Hall) -> Iterator[tuple[str, str]]:
    for player in hall.whole.entered():
        yield face.links.player(player.number), pages.player_page(face, hall, player.number)
        if player.number in hall.rows:
            yield face.links.why(player.number), pages.why_page(face, hall, player.number)
