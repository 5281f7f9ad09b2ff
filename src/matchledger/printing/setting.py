"""The setting of a sheet: paper, language, heading, footer and QR codes."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Literal

import segno
from msgspec import Struct

from matchledger.drawings import Say
from matchledger.text.translation import speaker
from matchledger_projections.document import Document

Paper = Literal["a4", "letter"]
_TYPST_PAPER: dict[Paper, str] = {"a4": "a4", "letter": "us-letter"}

# The words that the templates themselves print.
WORDS = (
    "Going on without a computer",
    "Opponent",
    "Pairings, round",
    "Player",
    "Result",
    "Round",
    "Score card",
    "Table",
    "blood points",
    "decided first player",
    "drops",
    "entered by",
    "favor",
    "game ended",
    "games drawn",
    "games won",
    "honor",
    "loser",
    "number",
    "page %(page)s of %(pages)s",
    "player",
    "points",
    "provinces broken",
    "result",
    "signature",
    "slip received",
    "if not a plain win",
    "winner",
    "won",
)


class Setting(Struct, frozen=True):
    """How and when a sheet is printed.

    `head` is the tree head of the log.

    `created` is the PDF's date: the date of the log's last entry on the sheet, so that the same data give the same
    file. `logo` is the kind and the bytes of the event's picture. `event` is the id of the tournament, a keyword of
    the PDF.
    """

    printed_at: datetime
    created: datetime
    head: str
    paper: Paper = "a4"
    language: str = "en"
    logo: tuple[str, bytes] | None = None
    event: str = ""

    @property
    def say(self) -> Say:
        """Return the function that translates words into the reader's language."""
        return speaker(self.language)

    def data(self, document: Document, subtitle: str, **more: object) -> Document:
        """Return the data that every template gets, together with `more` data for one template."""
        printed = self.say("printed %(time)s, entry %(entry)s") % {
            "time": minute(self.printed_at),
            "entry": document["position"],
        }
        return {
            "tournament": document["tournament"],
            "title": f"{document['tournament']}: {subtitle}",
            "subtitle": subtitle,
            "printed": printed,
            "head": self.say("tree head %(head)s") % {"head": _short(self.head)},
            "paper": _TYPST_PAPER[self.paper],
            "language": self.language,
            "logo": None if self.logo is None else {"kind": self.logo[0], "bytes": list(self.logo[1])},
            "keywords": [self.event] if self.event else [],
            "words": {word: self.say(word) for word in WORDS},
            **more,
        }


def minute(moment: datetime) -> str:
    """Return a moment in the form for sheets: local time, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _short(head: str) -> str:
    """Return a tree head for the footer of a sheet: its size and the beginning of its root."""
    size, _, root = head.partition(":")
    return f"{size}:{root[:16]}…"


QUIET = 4  # a scanner needs this many white modules around a code


def qr_code(content: str) -> str:
    """Return a QR code as SVG, at error correction level M, so that a fold or a coffee stain does no harm."""
    code = segno.make(content, error="m", micro=False, boost_error=False)
    written = io.BytesIO()
    code.save(written, kind="svg", border=QUIET, xmldecl=False, svgns=True, svgclass=None, lineclass=None, nl=False)
    return written.getvalue().decode("utf-8")
