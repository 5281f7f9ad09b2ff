"""Write a log in the format of another program, and list what this format cannot store."""

from __future__ import annotations

from collections.abc import Callable

from matchledger.formats.cobra_writer import write_cobra
from matchledger.formats.csv_tables import write_membership_csv, write_standings_csv
from matchledger.formats.sheet_writer import write_sheet
from matchledger.formats.tom_writer import write_tom
from matchledger.formats.transcript import Transcript

WRITERS: dict[str, Callable[[Transcript], tuple[bytes, list[str]]]] = {
    "sheet": write_sheet,
    "cobra": write_cobra,
    "tom": write_tom,
    "tcg-plus": write_membership_csv,
    "carde": write_membership_csv,
    "csv": write_standings_csv,
}


def write_transcript(transcript: Transcript, format: str) -> tuple[bytes, list[str]]:  # noqa: A002 - as --format
    """Return the bytes of a file, and a line for everything that the format cannot store.

    Raises KeyError for an unknown format.
    """
    written, left_out = WRITERS[format](transcript)
    return written, [*transcript.notes, *left_out]
