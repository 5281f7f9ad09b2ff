"""Deck formats: the rules about submitting and changing lists. `checking` has the rules about their contents."""

from __future__ import annotations

from typing import NamedTuple

from matchledger_projections.rulebook.sections import UNWRITTEN


class DeckFormat(NamedTuple):
    """A deck format: its rules about submitting and changing a list."""

    # The rule that demands a list before the start.
    handing_in: str
    # The rule that a deck stays the same for the whole tournament.
    fixed: str
    # The rule that lets a leader update a list, if there is one.
    may_be_amended: bool
    amending: str


L5R = DeckFormat("L5R-II.2-PLAYERMAT", "L5R-II.2a-FIXED", True, "L5R-II.2b-LISTFIX")
ASHES = DeckFormat("ASH-LIST", "ASH-LIST", False, "ASH-LIST")
_POLICY = DeckFormat(UNWRITTEN, UNWRITTEN, True, UNWRITTEN)

FORMATS: dict[str, DeckFormat] = {
    "l5r-2018": L5R,
    "legacy": _POLICY,
    "legacy-bigdeck": _POLICY,
    "legacy-draft": _POLICY,
    "ashes-2022": ASHES,
    "street-warriors-2004": _POLICY,
    "counts": _POLICY,
}
