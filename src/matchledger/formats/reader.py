"""The reader of other programs' files: recognize the format, and turn the file into a transcript."""

from __future__ import annotations

from collections.abc import Callable

from matchledger.formats.aesops import read_aesops
from matchledger.formats.cobra import read_cobra
from matchledger.formats.json_values import parse_json
from matchledger.formats.pokedata import read_pokedata
from matchledger.formats.sheet import read_sheet
from matchledger.formats.text import FormatError, listed, refuse_oversized
from matchledger.formats.tom import read_tom
from matchledger.formats.tournament_cache import read_tournament_cache
from matchledger.formats.transcript import Transcript

_READERS: dict[str, Callable[[bytes], Transcript]] = {
    "sheet": read_sheet,
    "cobra": read_cobra,
    "tom": read_tom,
    "pokedata": read_pokedata,
    "melee": read_tournament_cache,
    "aesops": read_aesops,
}
# For each format, a key that only its JSON objects have. The first matching format is used.
_KEYS = {
    b'"corpPlayer"': "aesops",
    b'"RoundName"': "melee",
    b'"OMWP"': "melee",
    b'"players"': "cobra",
    b'"Rounds"': "melee",
    b'"Standings"': "melee",
}
FORMATS: tuple[str, ...] = tuple(_READERS)


def read_transcript(data: bytes, format: str | None = None) -> Transcript:  # noqa: A002 # as --format is called
    """Return the tournament in a foreign file.

    If no format is named, guess the format from the content.

    Raises FormatError, one line with the place, if the file cannot be read completely.
    """
    if format is not None and format not in _READERS:
        raise FormatError(f"there is no format {format!r}; there are {listed(FORMATS)}")
    refuse_oversized(data)
    return _READERS[format or guess_format(data)](data)


def guess_format(data: bytes) -> str:
    """Guess the format: XML, a JSON list, a JSON object by its keys, or otherwise a score sheet.

    Raises FormatError for a JSON object that no reader knows.
    """
    beginning = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    if beginning.startswith(b"<"):
        return "tom"
    if beginning.startswith(b"["):
        return "pokedata"
    if not beginning.startswith(b"{"):
        return "sheet"
    found = next((name for key, name in _KEYS.items() if key in data), None)
    if found is None:
        parse_json(data)  # this reports a file that is not JSON
        raise FormatError("the JSON is not the export of a tournament: it has neither players nor Rounds")
    return found
