"""Printed sheets: made from an event, then read from the PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import pypdfium2
import pytest
import zxingcpp

from matchledger import printing
from matchledger_projections.document import Document
from matchledger_projections.record.record import Record

MOMENT = datetime(2026, 5, 3, 14, 20, tzinfo=UTC)
HEAD = "12:" + "ab" * 32
SHARP = 4  # times 72 dots an inch


@dataclass(frozen=True)
class Paper:
    """A PDF that tests can read."""

    pdf: bytes
    missing: dict[str, str]

    @cached_property
    def _opened(self) -> pypdfium2.PdfDocument:
        return pypdfium2.PdfDocument(self.pdf)

    @property
    def size(self) -> tuple[int, int]:
        """Return the width and height of the first page in millimetres."""
        wide, high = self._opened[0].get_size()
        return round(wide / 72 * 25.4), round(high / 72 * 25.4)

    @cached_property
    def pages(self) -> list[str]:
        return [page.get_textpage().get_text_bounded() for page in self._opened]

    @property
    def text(self) -> str:
        return "\n".join(self.pages)

    def codes(self, page: int = 0) -> list[str]:
        """Return the contents of a page's QR codes from top to bottom, read from a picture of the page."""
        picture = self._opened[page].render(scale=SHARP, grayscale=True).to_numpy()
        found = zxingcpp.read_barcodes(picture)
        return [code.text for code in sorted(found, key=lambda code: code.position.top_left.y)]


Printed = Callable[..., Paper]


@pytest.fixture(scope="session")
def printed() -> Printed:
    """Print a document as one kind of sheet. The names of the players come from `record`."""

    def run(
        composition: printing.Composition,
        document: Document,
        record: Record,
        *,
        paper: printing.Paper = "a4",
        language: str = "en",
        **options: Any,
    ) -> Paper:
        setting = printing.Setting(printed_at=MOMENT, created=MOMENT, head=HEAD, paper=paper, language=language)
        players = {player.name: player.number for player in record.players.values()}
        made = printing.print_sheets(composition, document, setting, players=players, **options)
        return Paper(made.pdf, made.missing)

    return run


def sheet(players: int, rulebook: str = "l5r-2018", *, name: str = "Spring Open") -> str:
    """A score sheet whose first round has no results."""
    names = [f"Player{number:03}" for number in range(1, players + 1)]
    lines = [f"rulebook {rulebook}", f'event "{name}"', f"players {' '.join(names)}", "round 1"]
    lines += [f"  {first} - {second}" for first, second in zip(names[::2], names[1::2], strict=False)]
    if players % 2:
        lines.append(f"  {names[-1]} bye")
    return "\n".join(lines) + "\n"
