"""Deck lists: a player's list, as text or as CSV.

`docs/decks.md` describes both forms.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import groupby

from matchledger.events import DeckList, ListedCard
from matchledger.formats.text import FormatError, did_you_mean, lines_of, listed, not_csv, problem_with_name
from matchledger_projections.decks.deck import PARTS, counted
from matchledger_projections.decks.deck import listed as as_lines
from matchledger_projections.message import sentence

_MOST_LINES = 1000
_MOST_COPIES = 999
_HEADING = re.compile(r"\[(?P<inside>[^\]]*)\]|(?P<alone>[A-Za-z][A-Za-z -]*):")
_LINE = re.compile(r"(?P<count>[0-9]{1,6})\s*[xX]?\s+(?P<name>\S.*)")
_PLURALS = {"provinces": "province", "strongholds": "stronghold", "roles": "role", "conjurations": "conjuration"}
# The usual headings, each with its part of the deck. Some exporters write the number of cards after a heading.
_COMMON_PARTS = {
    **dict.fromkeys(("deck", "main", "maindeck", "main deck", "mainboard"), "deck"),
    **dict.fromkeys(("pokémon", "pokemon", "trainer", "energy"), "deck"),
    **dict.fromkeys(("sideboard", "side", "side deck"), "sideboard"),
    **dict.fromkeys(("extra", "extra deck"), "extra"),
    "leader": "leader",
    "base": "base",
    "hero": "hero",
}
_COMPANION = "companion"
_COMMON_PARTS |= {"commander": "deck", "commanders": "deck", "companion": _COMPANION}
# Lines about the deck that an exporter writes above the cards.
_ABOUT = re.compile(r"about|name \S.*", re.IGNORECASE)
_COMMON_LINE = re.compile(
    r"(?:(?P<count>[0-9]{1,6})\s*[xX]?\s+|[xX](?P<times>[0-9]{1,6})\s+)(?P<name>\S.*)"
    r"|(?P<before>\S.*?)\s+[xX](?P<behind>[0-9]{1,6})"
)
_SB = re.compile("sb:", re.IGNORECASE)
_TWO = 2  # a list without headings has two blocks: a deck and its sideboard
_COMMON_COUNT = re.compile(r":?\s*\(?[0-9]{1,3}\)?$")
_COMMON_TOTAL = re.compile(r"total cards:?\s*[0-9]{1,4}", re.IGNORECASE)
# The set, the number and the mark for foil after a card's name. In Flesh and Blood, the color is part of the name.
_PRINTING = re.compile(
    r"(?:\s+(?:[(\[](?!(?:red|yellow|blue)[)\]])[A-Za-z0-9]{2,6}[)\]](?:\s+[A-Za-z0-9★-]{1,8})?"
    r"|[A-Z]{2,4}(?:-[A-Z]{2})?\s+[0-9]{1,3}))?(?:\s+\*[A-Za-z]\*)?$"
)
_COLUMNS = ("part", "count", "card")


def read_decklist(data: bytes) -> DeckList:
    """Return the list in a file: text under headings, or CSV with the columns part, count and card.

    Raises FormatError, one line with the place, for a line that is not understood.
    """
    cards = [card for _, card in zip(range(_MOST_LINES + 1), _cards(lines_of(data)), strict=False)]
    if len(cards) > _MOST_LINES:
        raise FormatError(
            sentence("the list has more than %(count)s lines; is it really one deck?", count=_MOST_LINES)
        )
    if not cards:
        raise FormatError(sentence("the list names no card"))
    counts = counted(cards)
    if max(counts.values()) > _MOST_COPIES:
        raise FormatError(sentence("a card is listed more than %(count)s times", count=_MOST_COPIES))
    return DeckList(cards=as_lines(counts))


def list_text(deck: DeckList) -> Iterator[str]:
    """Yield the lines of a list in the text form that this program reads."""
    for part in dict.fromkeys(card.part for card in deck.cards):
        yield f"[{part}]"
        yield from (f"{card.count} {card.name}" for card in deck.cards if card.part == part)


def _cards(lines: list[str]) -> Iterator[ListedCard]:
    first = next((line for line in lines if line.strip()), "")
    is_csv = {"part", "card"} <= {column.strip().casefold() for column in first.split(",")}
    return _from_csv(lines) if is_csv else _from_text(lines)


def _from_text(lines: list[str]) -> Iterator[ListedCard]:
    if not any(_names_a_part(line) for line in lines):
        yield from _from_common_text(lines)
        return
    part: str | None = None
    for number, written in enumerate(lines, 1):
        line = written.split("#")[0].strip()
        if not line:
            continue
        if (heading := _HEADING.fullmatch(line)) is not None:
            part = _part(heading["inside"] or heading["alone"] or "", number)
        elif (found := _LINE.fullmatch(line)) is None:
            raise FormatError(
                sentence("%(line)r is neither a part such as [dynasty] nor a card such as 3 Name", line=line),
                number,
            )
        elif part is None:
            raise FormatError(
                sentence("a card comes before the first part: begin with a line such as [dynasty]"), number
            )
        else:
            yield _card(part, found["count"], found["name"], number)


def _names_a_part(line: str) -> bool:
    found = _HEADING.fullmatch(line.split("#", maxsplit=1)[0].strip())
    return found is not None and (found["alone"] is None or found["alone"].casefold() not in _COMMON_PARTS)


def _from_common_text(lines: list[str]) -> Iterator[ListedCard]:
    """Read the form that players exchange: `4 Lightning Bolt`, with `Sideboard` or `SB:` before sideboard cards.

    If neither `Sideboard` nor `SB:` appears, a blank line begins the sideboard. A set and a number after a name,
    such as `(M10) 146`, are left out. A companion that the sideboard lists too is also left out.
    """
    part, companions, aside = "deck", list[ListedCard](), set[str]()
    for number, line in _parted_by_blank(lines):
        if (heading := _common_part(line)) is not None:
            part = heading
            continue
        if line.startswith("//") or _COMMON_TOTAL.fullmatch(line) or _ABOUT.fullmatch(line):
            continue
        is_aside = _SB.match(line) is not None
        found = _COMMON_LINE.fullmatch(line[3:].strip() if is_aside else line)
        if found is None:
            raise FormatError(
                sentence(
                    "%(line)r is neither a card such as 4 Lightning Bolt nor a heading such as Sideboard",
                    line=line,
                ),
                number,
            )
        count = found["count"] or found["times"] or found["behind"]
        name = _PRINTING.sub("", found["name"] or found["before"])
        card = _card("sideboard" if is_aside or part == _COMPANION else part, count, name, number)
        if part == _COMPANION:
            companions.append(card)
            continue
        aside |= {card.name} if card.part == "sideboard" else set()
        yield card
    yield from (card for card in companions if card.name not in aside)


def _common_part(line: str) -> str | None:
    """Return the part of the deck that a heading such as `Sideboard (15)` or `// Deck` begins. Return None if the
    line is not a heading.
    """
    return _COMMON_PARTS.get(_COMMON_COUNT.sub("", line.lstrip("/").strip()).strip().rstrip(":").casefold())


def _parted_by_blank(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the numbered lines without comments. If only a blank line separates two lists, the blank line becomes
    a heading.
    """
    read = [(number, written.split("#")[0].strip()) for number, written in enumerate(lines, 1)]
    headings = [part for _, line in read if (part := _common_part(line)) is not None]
    marked = len(headings) > 1 or headings not in ([], ["deck"]) or any(_SB.match(line) for _, line in read)
    blocks = [list(block) for some, block in groupby(read, key=lambda each: bool(each[1])) if some]
    lists = [block for block in blocks if any(_COMMON_LINE.fullmatch(line) for _, line in block)]
    if not marked and len(lists) > _TWO:
        raise FormatError(
            sentence("a third list begins here: write Deck and Sideboard before the lists"), lists[_TWO][0][0]
        )
    for block in blocks:
        if not marked and len(lists) == _TWO and block is lists[1]:
            yield block[0][0], "Sideboard"
        yield from block


def _from_csv(lines: list[str]) -> Iterator[ListedCard]:
    rows = csv.DictReader(lines, strict=True)
    try:
        rows.fieldnames = [name.strip().casefold() for name in rows.fieldnames or ()]
        if missing := [column for column in _COLUMNS if column not in rows.fieldnames]:
            raise FormatError(
                sentence(
                    "the column %(missing)s is missing: there are %(columns)s",
                    missing=listed(missing),
                    columns=listed(_COLUMNS),
                ),
                1,
            )
        for row in rows:
            if None in row or None in row.values():
                raise FormatError(
                    sentence("this line has another number of cells than the first one"), rows.line_num
                )
            part = _part(row["part"], rows.line_num)
            yield _card(part, row["count"].strip(), row["card"], rows.line_num)
    except csv.Error as error:
        raise FormatError(not_csv(error), rows.line_num + 1) from None


def _part(written: str, line: int) -> str:
    name = "-".join(written.casefold().split())
    part = _PLURALS.get(name, name)
    if part not in PARTS:
        hint = did_you_mean(part, PARTS) or sentence("; there are %(parts)s", parts=listed(PARTS))
        raise FormatError(sentence("a deck has no part %(part)r%(hint)s", part=written, hint=hint), line)
    return part


def _card(part: str, count: str, name: str, line: int) -> ListedCard:
    digits = count.lstrip("0")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= len(str(_MOST_COPIES))):
        raise FormatError(
            sentence("%(count)r is not a number of cards from 1 to %(most)s", count=count, most=_MOST_COPIES), line
        )
    if (problem := problem_with_name(name := " ".join(name.split()))) is not None:
        raise FormatError(problem, line)
    return ListedCard(part=part, name=name, count=int(count))
