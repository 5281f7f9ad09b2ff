"""The field: how many players had each number of points after each round."""

from __future__ import annotations

from matchledger.drawings.svg import SMALL, Say, Sheet, english, placed, ticks, width
from matchledger_projections.document import Document
from matchledger_projections.rulebook.scoring import points_text, unit_name, unit_of

_WIDE = 640
_LEFT, _RIGHT = 76, 620
_PANEL, _BARS = 76, 48  # the height of a round's panel, and of its tallest bar
_TOP = 12
_FOOT = 40
_THICKEST = 24


def points_of_the_field(document: Document, *, say: Say = english) -> str:
    """Draw a `field_document`: a row of bars for each round, all on one scale of points.

    In each row the longest bar is as high as the row, and shows its number of players.
    """
    rounds = document["rounds"]
    sheet = Sheet(
        _WIDE,
        _TOP + _PANEL * max(len(rounds), 1) + _FOOT,
        title=say("Points of all players, %(tournament)s") % document,
        description=_told(document, say),
    )
    scored = [bar["points"] for round_ in rounds for bar in round_["field"]]
    if not scored:
        sheet.text(_WIDE / 2, _TOP + _PANEL / 2, say("No round is finished yet."), anchor="middle")
        return str(sheet)
    first, last = min(0, *scored), max(scored)
    thick = min(_THICKEST, max(1, (_RIGHT - _LEFT) / (last - first + 1) * 0.8))
    where = {
        value: placed(value, first, last, _LEFT + _THICKEST / 2, _RIGHT - _THICKEST / 2)
        for value in {*scored, *ticks(first, last, 10)}
    }
    for row, round_ in enumerate(rounds):
        base = _TOP + _PANEL * (row + 1) - 4
        sheet.text(8, base, _round(round_, say), size=SMALL)
        sheet.line([(_LEFT, base), (_RIGHT, base)])
        longest = max(bar["players"] for bar in round_["field"])
        named = False
        for bar in round_["field"]:
            high = bar["players"] / longest * _BARS
            x = where[bar["points"]]
            sheet.box(x - thick / 2, base - high, thick, high, opacity="0.6", about=_bar_told(bar, document, say))
            if bar["players"] == longest and not named:
                label, named = str(longest), True
                sheet.text(min(x, _WIDE - width(label, SMALL)), base - high - 5, label, anchor="middle", size=SMALL)
    foot = _TOP + _PANEL * len(rounds)
    for value in ticks(first, last, 10):
        sheet.text(where[value], foot + 14, points_text(value, document["unit"]), anchor="middle", size=SMALL)
    sheet.text(_RIGHT, foot + 32, say(unit_name(document["unit"])), anchor="end", size=SMALL)
    return str(sheet)


def _told(document: Document, say: Say) -> str:
    if not document["rounds"]:
        return say("No round is finished yet.")
    return " ".join(_round_told(round_, document, say) for round_ in document["rounds"])


def _round_told(round_: Document, document: Document, say: Say) -> str:
    bars = ", ".join(_bar_told(bar, document, say) for bar in round_["field"])
    return f"{_round(round_, say)}: {bars}."


def _round(round_: Document, say: Say) -> str:
    return say("Round %(number)s") % {"number": round_["round"]}


def _bar_told(bar: Document, document: Document, say: Say) -> str:
    unit = say(unit_of(bar["points"], document["unit"]))
    return say("%(players)s with %(points)s %(unit)s") % {
        **bar,
        "points": points_text(bar["points"], document["unit"]),
        "unit": unit,
    }
