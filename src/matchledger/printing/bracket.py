"""The bracket on paper: on one page if the names are readable there, otherwise with a page for each part."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from matchledger.drawings import bracket as drawing
from matchledger.printing.setting import Setting
from matchledger_projections.document import Document
from matchledger_projections.record.desk_calls import provisional

_GAMES = 8  # the most games of the first round on a page
_FONTS = 'font-family="system-ui, sans-serif"'


def bracket(document: Document, setting: Setting) -> Document:
    """Return the data of a bracket on paper."""
    say = setting.say
    parts = [_part(part, setting) for part in _parts(document)]
    for number, part in enumerate(parts, 1):
        part["title"] = say("Part %(number)s") % {"number": number} if len(parts) > 1 else ""
    subtitle = " ".join(word for word in (say("Bracket"), document["division"]) if word)
    if said := provisional(0, len(document.get("contested", ()))):
        subtitle = f"{subtitle}. {say(said)}"
    return setting.data(document, subtitle, flipped=parts[0]["wide"] > parts[0]["high"], parts=parts)


def _part(document: Document, setting: Setting) -> Document:
    svg = drawing(document, say=setting.say).replace(_FONTS, 'font-family="Libertinus Serif"')
    root = ET.fromstring(svg)  # noqa: S314 - our own drawing
    described = root.findtext("{http://www.w3.org/2000/svg}desc") or ""
    return {
        "svg": svg,
        "about": described,
        "wide": float(root.attrib["width"]),
        "high": float(root.attrib["height"]),
    }


def _parts(document: Document) -> list[Document]:
    """Split a bracket into parts with eight games of the first round each, and a last part for the later rounds."""
    rounds = document["rounds"]
    first = len(rounds[0]["games"])
    if first <= _GAMES:
        return [document]
    depth = _GAMES.bit_length()  # the number of rounds on a page
    parts = [
        {
            **document,
            "playoff": None,
            "rounds": [_slice(round_, part, first // _GAMES) for round_ in rounds[:depth]],
        }
        for part in range(first // _GAMES)
    ]
    return [*parts, {**document, "rounds": rounds[depth - 1 :]}]


def _slice(round_: Document, part: int, parts: int) -> Document:
    """Return the games of a round in one of the parts, from top to bottom."""
    size = len(round_["games"]) // parts
    numbers = round_["from_the_top"][part * size : (part + 1) * size]
    games = [game for game in round_["games"] if game["number"] in numbers]
    return {**round_, "games": games, "from_the_top": numbers}
