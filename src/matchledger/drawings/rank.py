"""The ranks of a player after each round."""

from __future__ import annotations

from matchledger.drawings.svg import SMALL, Say, Sheet, english, placed, ticks
from matchledger_projections.document import Document

_WIDE, _HIGH = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 600, 36, 236
_PLACES = 6  # how many place numbers the left edge shows


def rank_over_rounds(document: Document, *, say: Say = english) -> str:
    """Draw a `course_document`: first place is on top, and the last place of the field at the bottom.

    The line has a gap where the player had no place after a round.
    """
    rounds = document["rounds"]
    ranked = [line for line in rounds if line["rank"] is not None]
    last = max((line["of"] for line in rounds), default=1)
    sheet = Sheet(
        _WIDE,
        _HIGH,
        title=say("Rank of %(player)s over the rounds") % {"player": document["player"]},
        description=_told(document, say),
    )
    if not rounds:
        sheet.text(_WIDE / 2, _HIGH / 2, say("No round is finished yet."), anchor="middle")
        return str(sheet)
    marked = [place for place in ticks(1, last, _PLACES) if last - place > last / 12]
    for place in [*marked, last]:
        y = placed(place, 1, last, _TOP, _BOTTOM)
        sheet.text(_LEFT - 10, y + 4, str(place), anchor="end", size=SMALL)
        sheet.line([(_LEFT, y), (_RIGHT, y)], faint=True)
    numbers = [line["round"] for line in rounds]
    where = {number: placed(number, numbers[0], numbers[-1], _LEFT + 20, _RIGHT - 20) for number in numbers}
    for number in ticks(numbers[0], numbers[-1], 16):
        sheet.text(where[number], _BOTTOM + 22, str(number), anchor="middle", size=SMALL)
    sheet.text(_RIGHT, _BOTTOM + 40, say("round"), anchor="end", size=SMALL)
    sheet.text(8, 16, say("rank"), size=SMALL)
    points = {
        line["round"]: (where[line["round"]], placed(line["rank"], 1, last, _TOP, _BOTTOM)) for line in ranked
    }
    for number in numbers[1:]:
        if number in points and number - 1 in points:
            sheet.line([points[number - 1], points[number]], thick=2)
    for line in ranked:
        x, y = points[line["round"]]
        sheet.dot(x, y, about=_line_told(line, say))
        sheet.text(x, y - 9, str(line["rank"]), anchor="middle", size=SMALL, bold=True)
    return str(sheet)


def _told(document: Document, say: Say) -> str:
    if not document["rounds"]:
        return say("No round is finished yet.")
    return " ".join(_line_told(line, say) for line in document["rounds"])


def _line_told(line: Document, say: Say) -> str:
    if line["rank"] is None:
        return say("Round %(round)s: no place.") % line
    return say("Round %(round)s: %(rank)s of %(of)s.") % line
