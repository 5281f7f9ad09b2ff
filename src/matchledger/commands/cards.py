"""Card data with a command: the organizer's file as text, parsed again only after a change."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import Field

from matchledger.formats.card_data import read_card_data
from matchledger.formats.problem import FormatError
from matchledger.notation.problems import UsageProblem
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.message import sentence

LONGEST_CARD_DATA = 8_000_000  # characters
CardText = Annotated[str, Field(max_length=LONGEST_CARD_DATA, description="card data as CSV or JSON")]


def pool_of(text: str | None) -> CardPool | None:
    """The cards in card data, or None without data. Raises UsageProblem for invalid data."""
    return None if text is None else _read(text)


@lru_cache(maxsize=2)  # a desk checks many decks with the same file
def _read(text: str) -> CardPool:
    try:
        return read_card_data(text.encode("utf-8", "surrogatepass")).pool
    except FormatError as problem:
        raise UsageProblem(sentence("card data: %(problem)s", problem=problem.args[0])) from None
