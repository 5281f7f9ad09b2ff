"""The wall of the hall, and the small page of standings for another website."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from matchledger.text.labels import shown_tiebreaks
from matchledger.web.public.hall import Hall
from matchledger.web.public.honours import honours
from matchledger.web.public.knockout import knockouts
from matchledger.web.public.pages import Face
from matchledger.web.public.places import Edge, Tally, cut_line, tally
from matchledger.web.public.seating import byes, part_of, seats, tables
from matchledger_projections.divisions.tables import DivisionTable
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.standings import Row

Screen = Literal["auto", "names", "tables", "standings", "bracket", "podium", "clock", "news"]
LINES_BESIDE_OTHERS = 10  # the most lines of a division whose standings share a screen
GAMES_ON_A_WALL = 5  # the most games in the first rounds of the brackets that share a screen


class Slide(NamedTuple):
    """One view on the wall. `cut` is the line below the places of the cut. With `several`, the lines are brackets
    or slides of several divisions. `tiebreak` is the first tiebreaker with values. A `final` view has the final
    places.
    """

    kind: Screen
    division: str = ""
    lines: Sequence[Any] = ()
    cut: Edge | None = None
    several: bool = False
    tiebreak: TiebreakName | None = None
    final: bool = False


def widget_page(face: Face, hall: Hall, top: int) -> str:
    """Show the first places, as a small page for another website. After the end these are the final places."""
    if hall.is_over and (found := [one for one in honours(hall) if one.places]):
        return face.show("widget.html", hall, slides=[], honours=found, top=top)
    whole = [_standings_slide(hall, one) for one in hall.ranked if one.rows]
    shown = [slide._replace(lines=slide.lines[:top]) for slide in whole]
    return face.show("widget.html", hall, slides=shown, honours=[], top=top)


def wall_page(face: Face, hall: Hall, screen: Screen, part: int, of: int, code: str | None) -> str:
    """Show the wall: a page that moves from view to view by itself. `code` is a QR code as SVG. The page shows part
    `part` of `of` parts of the lines.
    """
    if hall.is_over and screen in ("names", "tables", "clock"):
        screen = "podium"
    slides = [
        slide for kind in (_carousel(hall) if screen == "auto" else [screen]) for slide in _slides(hall, kind)
    ]
    slides = [slide._replace(lines=part_of(slide.lines, part, of)) for slide in slides]
    seated = [] if hall.now is None or hall.is_over else seats(hall, hall.now)
    return face.show("wall.html", hall, screen=screen, part=part, of=of, code=code, slides=slides, seated=seated)


def _carousel(hall: Hall) -> list[Screen]:
    """Return the kinds of views for the wall now: the pairings during a round, and the standings after it. While a
    result is missing or contested, the pairings stay.
    """
    shown: list[Screen] = []
    if hall.is_over:
        return ["podium", *(("bracket",) if hall.brackets else ()), "standings"]
    if hall.now is not None and (hall.waits or not hall.standings.round):
        shown.append("names")
    if hall.brackets_to_show:
        shown.append("bracket")
    elif hall.standings.round and not hall.waits:
        shown.append("standings")
    shown = shown or ["names"]
    return [*shown, "news"] if hall.bulletin else shown


def _slides(hall: Hall, kind: Screen) -> list[Slide]:
    is_drawn = kind == "bracket" and bool(hall.brackets_to_show)
    is_swiss = not is_drawn and not hall.is_over and not hall.whole.rounds("elimination")
    if hall.standings.round and (kind == "standings" or (is_swiss and kind in ("bracket", "podium"))):
        return _standings_slides(hall)  # until the first game of the bracket: who is inside the cut
    match kind:
        case "bracket":
            return _bracket_slides(hall)
        case "podium":
            return [Slide(kind, lines=[one for one in honours(hall) if one.places])]
        case "names" if hall.now is not None:
            return [Slide(kind, lines=seats(hall, hall.now))]
        case "tables" if hall.now is not None:
            return [Slide(kind, lines=[*tables(hall, hall.now), *byes(hall, hall.now)])]
    return [Slide(kind)]


def _bracket_slides(hall: Hall) -> list[Slide]:
    """Return views of brackets. Small brackets share a screen."""
    found = knockouts(hall)
    games = sum(len(one.levels[0].games) + (one.playoff is not None) for one in found)
    if len(found) > 1 and games <= GAMES_ON_A_WALL:
        return [Slide("bracket", lines=found, several=True)]
    return [Slide("bracket", one.division or "", [one]) for one in found] or [Slide("bracket")]


def _standings_slides(hall: Hall) -> list[Slide]:
    """Return views of the standings, or finally of the final places. Small divisions share a screen."""
    found = _final_slides(hall) if hall.is_over else []
    found = found or [_standings_slide(hall, one) for one in hall.ranked if one.rows]
    sizes = [len(slide.lines) for slide in found]
    if len(found) > 1 and max(sizes) <= LINES_BESIDE_OTHERS and sum(sizes) <= 2 * LINES_BESIDE_OTHERS:
        return [Slide("standings", lines=found, several=True, final=found[0].final)]
    return found or [Slide("standings")]


def _final_slides(hall: Hall) -> list[Slide]:
    return [Slide("standings", one.division or "", one.places, final=True) for one in honours(hall) if one.places]


def _standings_slide(hall: Hall, one: DivisionTable) -> Slide:
    tiebreak = next(iter(shown_tiebreaks(hall.rulebook, one.table)), None)
    return Slide("standings", one.division, _placed(hall, one), cut_line(hall.whole, one), tiebreak=tiebreak)


def _placed(hall: Hall, one: DivisionTable) -> list[tuple[Row, str, Tally]]:
    return [(row, hall.name(row.player), tally(one.table.table, row.player)) for row in one.rows]
