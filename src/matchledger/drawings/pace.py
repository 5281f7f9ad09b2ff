"""The pace of a round: how many slips had come in at each time of the round's clock."""

from __future__ import annotations

from math import ceil

from matchledger.drawings.svg import SMALL, Say, Sheet, english, placed, ticks
from matchledger_projections.document import Document

_WIDE, _HIGH = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 600, 40, 236
_MINUTE = 60  # seconds


def slips_over_the_clock(document: Document, *, say: Say = english) -> str:
    """Draw a `pace_document`: a staircase of slips over minutes, with a mark where time was called."""
    tables, slips = document["tables"], [max(0, slip["seconds"]) / _MINUTE for slip in document["slips"]]
    length = document["minutes"]
    end = max(ceil(max([*slips, length or 0])), 1)
    sheet = Sheet(
        _WIDE,
        _HIGH,
        title=say("Slips of round %(round)s by time") % document,
        description=_told(document, say),
    )
    for count in ticks(0, max(tables, 1), 6):
        y = placed(count, 0, max(tables, 1), _BOTTOM, _TOP)
        sheet.text(_LEFT - 10, y + 4, str(count), anchor="end", size=SMALL)
        sheet.line([(_LEFT, y), (_RIGHT, y)], faint=True)
    for minute in ticks(0, end, 10):
        sheet.text(placed(minute, 0, end, _LEFT, _RIGHT), _BOTTOM + 20, str(minute), anchor="middle", size=SMALL)
    sheet.text(_RIGHT, _BOTTOM + 38, say("minutes"), anchor="end", size=SMALL)
    sheet.text(
        8, 16, say("%(in)s of %(tables)s slips") % {"in": len(slips), "tables": tables}, size=SMALL, bold=True
    )
    if length is not None:
        x = placed(length, 0, end, _LEFT, _RIGHT)
        sheet.line([(x, _TOP - 8), (x, _BOTTOM)], thick=2)
        sheet.text(x, _TOP - 12, say("time"), anchor="middle", size=SMALL)
    stair = [(0.0, 0)]
    for count, minute in enumerate(sorted(slips), 1):
        stair += [(minute, count - 1), (minute, count)]
    sheet.line(
        [
            (placed(minute, 0, end, _LEFT, _RIGHT), placed(count, 0, max(tables, 1), _BOTTOM, _TOP))
            for minute, count in stair
        ],
        thick=2,
    )
    return str(sheet)


def _told(document: Document, say: Say) -> str:
    slips = sorted(slip["seconds"] for slip in document["slips"])
    tables = document["tables"]
    told = [say("%(in)s of %(tables)s slips have come in.") % {"in": len(slips), "tables": tables}]
    if slips:
        half = slips[(len(slips) - 1) // 2]
        told.append(
            say(
                "The first slip came after %(first)s minutes, half of the slips by %(half)s, "
                "the last after %(last)s."
            )
            % {"first": slips[0] // _MINUTE, "half": half // _MINUTE, "last": slips[-1] // _MINUTE}
        )
    if document["minutes"] is not None:
        told.append(say("The round has %(minutes)s minutes.") % document)
    if document["from"] == "paired":
        told.append(say("The round was not started: minutes count from the pairing."))
    return " ".join(told)
