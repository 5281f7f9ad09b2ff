"""Slips, several to a sheet. Cutting a stack of sheets at once gives one pile in order of tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from matchledger.printing.lists import pairings
from matchledger.printing.setting import Setting, qr_code
from matchledger_projections.document import Document

UP = 4  # slips on a sheet
Item = TypeVar("Item")


def cut_stack(slips: Sequence[Item], up: int = UP) -> list[list[Item | None]]:
    """The sheets to print, each with `up` slips from top to bottom.

    None is an empty place.

    Cut the stack once and lay the piles on each other from left to right: the slips are then in their given
    order.
    """
    sheets = -(-len(slips) // up)
    filled: list[Item | None] = [*slips, *[None] * (sheets * up - len(slips))]
    return [filled[sheet::sheets] for sheet in range(sheets)]


def form_said(form: Document, setting: Setting) -> Document:
    """The questions of a slip, in the reader's language."""
    results = [{**result, "kind": setting.say(result["kind"])} for result in form["results"]]
    return {**form, "unit": setting.say(form["unit"]), "results": results}


def slips(document: Document, setting: Setting, *, up: int = UP) -> Document:
    """The data of the slips of a round."""
    say = setting.say
    name = say(document["name"])
    about = say("QR code of the slip of table %(table)s")
    ready = [
        {
            "table": slip["table"],
            "round": name,
            "players": slip["players"],
            "code": qr_code(slip["code"]),
            "about": about % slip,
        }
        for slip in document["slips"]
    ]
    return setting.data(
        document,
        say("%(round)s: slips") % {"round": name},
        up=up,
        form=form_said(document["form"], setting),
        sheets=cut_stack(ready, up),
    )


def round_sheets(document: Document, setting: Setting, *, up: int = UP) -> Document:
    """The data of all sheets of a round: its lists, then its slips."""
    lists = [pairings(listed, setting) for listed in document["lists"]]
    pile = document["slips"] and slips(document["slips"], setting, up=up)
    form = pile["form"] if pile else None
    name = setting.say(document["lists"][0]["name"])
    return setting.data(document, name, lists=lists, slips=pile, form=form)
