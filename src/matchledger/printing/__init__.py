"""Printing: the sheets of an event as PDF, from the same documents as the pages and the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from matchledger.printing.bracket import bracket
from matchledger.printing.forms import blank, cards, round_sheets, slips
from matchledger.printing.legible import legible
from matchledger.printing.lists import overview, pairings, places, players, standings
from matchledger.printing.press import PressMissing
from matchledger.printing.setting import Paper, Setting
from matchledger_projections.document import Document

Composition = Callable[..., Document]

# The template of each composition.
TEMPLATES: dict[Composition, str] = {
    pairings: "list",
    standings: "list",
    overview: "list",
    places: "list",
    players: "list",
    slips: "slips",
    round_sheets: "round",
    bracket: "bracket",
    cards: "cards",
    blank: "blank",
}


class Print(Struct, frozen=True):
    """A PDF, and the letters that are `missing` in the printed names, by the player's name."""

    pdf: bytes
    missing: dict[str, str]


def print_sheets(
    composition: Composition,
    document: Document,
    setting: Setting,
    *,
    players: Mapping[str, int],
    fonts: Sequence[Path] = (),
    machine_fonts: bool = True,
    **options: int,
) -> Print:
    """Return the PDF of a document. `players` are the players' numbers by name, and `options` are the composition's
    own options.

    Raises PressMissing if typst is not installed.
    """
    ready = legible(document, players, fonts, machine_fonts=machine_fonts)
    data = composition(ready.document, setting, **options)
    return Print(ready.press.print(TEMPLATES[composition], data, created=setting.created), ready.missing)


__all__ = [
    "Paper",
    "PressMissing",
    "Print",
    "Setting",
    "blank",
    "bracket",
    "cards",
    "overview",
    "pairings",
    "places",
    "players",
    "print_sheets",
    "round_sheets",
    "slips",
    "standings",
]
