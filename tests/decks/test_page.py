"""`docs/decks.md` names every column, part and format."""

from __future__ import annotations

import re
from pathlib import Path

from matchledger.formats.card_data import COLUMNS
from matchledger_projections.decks.checking import CHECKS
from matchledger_projections.decks.deck import PARTS
from matchledger_projections.decks.registered import FORMATS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "decks.md"


def test_the_page_names_every_column_and_part_and_format() -> None:
    text = PAGE.read_text("utf-8")
    columns = re.findall(r"^\| `([a-z ]+)` \|", text.partition("## Card data")[2], re.MULTILINE)
    assert tuple(column.replace(" ", "_") for column in columns[: len(COLUMNS)]) == COLUMNS
    lists = text.partition("## Lists")[2].partition("##")[0]
    named = set(re.findall(r"`([a-z0-9-]+)`", lists))
    assert named >= {*PARTS, *FORMATS}


def test_every_format_of_a_deck_list_can_be_checked() -> None:
    assert CHECKS.keys() == FORMATS.keys()
