"""Deck formats: the rules about handing lists in and keeping to them. `checking` holds lists against the others."""

from __future__ import annotations

from typing import NamedTuple


class DeckFormat(NamedTuple):
    """A kind of deck: the rules about handing lists in and keeping to them."""

    # The rule that has a list handed in before the start.
    handing_in: str
    # The rule that says a deck stays the same all tournament.
    fixed: str
    # Whether a leader may bring a list up to date, and the rule that says so.
    may_be_amended: bool
    amending: str


L5R = DeckFormat("L5R-II.2b-LIST", "L5R-II.2a-FIXED", True, "L5R-II.2b-LISTFIX")
ASHES = DeckFormat("ASH-LIST", "ASH-LIST", False, "ASH-LIST")
_POLICY = DeckFormat("POLICY", "POLICY", True, "POLICY")

FORMATS: dict[str, DeckFormat] = {
    "l5r-2018": L5R,
    "legacy": _POLICY,
    "legacy-bigdeck": _POLICY,
    "legacy-draft": _POLICY,
    "ashes-2022": ASHES,
    "street-warriors-2004": _POLICY,
    "counts": _POLICY,
}
