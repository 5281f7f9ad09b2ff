"""Counts as typed: the counts of both players in table order, `5-4`, and cards, `8-none`."""

from __future__ import annotations

import re

from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence

_TWO = re.compile(r"^(-?[0-9]{1,6})-(-?[0-9]{1,6})$")
_CARDS = re.compile(r"^([0-9]{1,6}|none)-([0-9]{1,6}|none)$")


def read_two(text: str) -> tuple[int, int]:
    """Two numbers in table order. Raises UsageProblem."""
    if (found := _TWO.match(text)) is None:
        raise UsageProblem(sentence("%(text)r is not two numbers in table order: write 5-4", text=text))
    return int(found[1]), int(found[2])


def read_flip(text: str) -> tuple[int | None, int | None]:
    """The numbers of two cards discarded together. None if the player has no card. Raises UsageProblem."""
    if (found := _CARDS.match(text)) is None:
        raise UsageProblem(
            sentence("%(text)r is not two cards: write 14-8, or 8-none where a player has no card", text=text)
        )
    first, second = (None if card == "none" else int(card) for card in found.groups())
    return first, second
