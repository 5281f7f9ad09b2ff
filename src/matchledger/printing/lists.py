"""Lists: players, pairings, posted standings, the tournament overview."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from itertools import pairwise
from operator import attrgetter
from types import SimpleNamespace
from typing import Any, cast

from matchledger.printing.setting import Setting, minute, qr_code
from matchledger.text.columns import (
    NO_CHAMPION,
    Column,
    listed_name,
    overview_columns,
    places_columns,
    points_of,
    ranking_columns,
)
from matchledger.text.labels import HEADINGS
from matchledger.text.translation import told, with_decimal_mark
from matchledger_projections.document import Document
from matchledger_projections.message import sentence
from matchledger_projections.record.desk_calls import closed_over, provisional
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.rulebook.scoring import unit_name

NONE = "\N{EN DASH}"  # printed for the table of a bye, and between two dates
_LARGE = 15  # points
_SEAL_MM, _HEAD_MM = 44, 26  # widths in mm: a checkpoint's code has 69 modules, a tree head's 33


def _list(
    setting: Setting,
    document: Document,
    subtitle: str,
    *,
    columns: Sequence[Column[Any]],
    lines: Sequence[Any],
    above: Sequence[str] = (),
    below: Sequence[str] = (),
    seal: Document | None = None,
    crowned: Sequence[str] = (),
    group: Callable[[Any], str] = lambda _: "",
) -> Document:
    """Return the data of a table. A column that is empty in every line is left out.

    `crowned` are the champions in large letters above the table. A rule divides lines whose `group` differs.
    """
    shown = [column for column in columns if any(map(column.cell, lines))]
    heads = [
        {
            "title": setting.say(column.heading or column.name),
            "wide": column.wide,
            "right": column.right,
            "strong": column.strong,
            "boxes": column.boxes,
            "size": column.size,
        }
        for column in shown
    ]
    rows = [[_cell(column, line, setting.language) for column in shown] for line in lines]
    groups = [group(line) for line in lines]
    return setting.data(
        document,
        subtitle,
        columns=heads,
        rows=rows,
        starts=[at for at, (before, now) in enumerate(pairwise(groups), 1) if before != now],
        crowned=list(crowned),
        above=list(above),
        below=list(below),
        seal=seal,
    )


def _cell(column: Column[Any], line: Any, language: str) -> str:
    text = told(column.cell(line), language)
    return with_decimal_mark(text, language) if column.right else text


TO_TICK, TICKED = "to tick", "ticked"  # the cells of a column of boxes, which the template draws


def players(document: Document, setting: Setting) -> Document:
    """Return the data of the player list: a box for each player at the check-in, and one for the deck list."""
    say = setting.say
    columns: list[Column[Document]] = [
        Column(sentence("Here"), lambda line: _box(line["here"]), boxes=True),
        Column(sentence("Player"), lambda line: line["player"], wide=True, strong=True),
        Column(sentence("Number"), lambda line: f"#{line['number']}", right=True),
        Column(sentence("Division"), lambda line: _capital(line["division"] or "")),
        Column(sentence("Deck list"), lambda line: _box(line["has_list"]), boxes=True),
    ]
    lines = document["players"]
    divisions = Counter(_capital(line["division"]) for line in lines if line["division"])
    counts = [(say("Players"), len(lines)), *sorted(divisions.items())]
    return _list(
        setting,
        document,
        say("Player list"),
        columns=columns,
        lines=lines,
        above=["    ".join(f"{name}: {count}" for name, count in counts)],
    )


def _box(ticked: bool | None) -> str:
    return "" if ticked is None else TICKED if ticked else TO_TICK


def pairings(document: Document, setting: Setting) -> Document:
    """Return the data of a pairing list: for players by name, for the staff by table."""
    say = setting.say
    by_name = document["by"] == "name"
    unit = document["unit"]
    table: Column[Document] = Column(sentence("Table"), _table, right=True, strong=True, size=_LARGE)
    first: list[Column[Document]] = [
        Column(sentence("Player"), lambda line: _name(line["players"][0]), wide=True, strong=by_name),
        Column(unit_name(unit), lambda line: points_of(line["players"][0]["points"], unit), right=True),
    ]
    second: list[Column[Document]] = [
        Column(sentence("Opponent"), lambda line: _name(_opponent(line)), wide=True),
        Column(unit_name(unit), lambda line: points_of(_opponent(line)["points"], unit), right=True),
    ]
    if by_name:
        subtitle = say("%(round)s: pairings by name")
        columns = [*first, table, second[0]]
    else:
        subtitle = say("%(round)s: pairings by table")
        columns = [table, *first, *second]
    subtitle %= {"round": say(document["name"])}
    return _list(setting, document, subtitle, columns=columns, lines=document["lines"])


def _table(line: Document) -> str:
    return NONE if line["table"] is None else str(line["table"])


def _opponent(line: Document) -> Document:
    """Return the second player of a line, or the word for the first player's bye."""
    bye: Document = {"player": sentence("bye"), "points": None, "disqualified": False}
    return line["players"][1] if len(line["players"]) > 1 else bye


def _name(seat: Document) -> str:
    return listed_name(seat["player"], disqualified=seat["disqualified"])


def standings(document: Document, setting: Setting) -> Document:
    """Return the data of posted standings, with the seal of the key that signed the log."""
    say = setting.say
    rows = document["standings"]
    lines = _lines(rows)
    shown = [name for name in HEADINGS if _is_shown(name, rows)]
    shown.sort(key=lambda name: _place_in_chain(name, rows))
    columns = ranking_columns(
        document["unit"],
        {name: document["decimals"].get(name) for name in shown},
        _PLAYER,
        _division,
    )
    return _list(
        setting,
        document,
        say("Standings after round %(round)s") % document,
        columns=columns,
        lines=lines,
        above=_provisional(document, setting),
        below=[say("= tied: the order needs a recorded draw.")] if any(row["tied"] for row in rows) else (),
        seal=_seal(document, setting),
        group=_division,
    )


def _provisional(document: Document, setting: Setting) -> list[str]:
    """Return the line that the results behind a sheet can still change, or []."""
    found = document["unsettled"]
    contested = len(found["contested"]) + len(document.get("contested_games", ()))
    said = provisional(len(found["missing"]), contested)
    return [setting.say(said)] if said else []


def _closed_over(document: Document, setting: Setting) -> list[str]:
    """Return the line that the event was closed with contested results, or []."""
    said = closed_over(document["contested_at_close"])
    return [setting.say(said)] if said else []


_PLAYER = attrgetter("player")


def _division(line: Any) -> str:
    return line.division or ""


def _lines(rows: Iterable[Document]) -> list[SimpleNamespace]:
    return [SimpleNamespace(**row) for row in rows]


def _is_shown(name: TiebreakName, rows: list[Document]) -> bool:
    if name == "tardiness":
        return any(Fraction(row["tiebreaks"].get(name, 0)) for row in rows)
    return any(name in row["tiebreaks"] for row in rows)


def _place_in_chain(name: TiebreakName, rows: list[Document]) -> int:
    """Return the tiebreakers in the rulebook's order."""
    return max((list(row["tiebreaks"]).index(name) for row in rows if name in row["tiebreaks"]), default=0)


def _seal(document: Document, setting: Setting) -> Document:
    """Return the link from a sheet to its log: the signed checkpoint, or the tree head if nothing is signed."""
    say = setting.say
    signed = document["checkpoint"] is not None
    content = cast(str, document["checkpoint"] or document["tree_head"])
    posted = say("Posted %(time)s as entry %(position)s of the log.") % {
        "time": minute(datetime.fromisoformat(document["posted_at"])),
        "position": document["position"],
    }
    if signed:
        title = say("Signed checkpoint")
        text = say("Keep this sheet to check the log later: matchledger verify.")
    else:
        title = say("Tree head, not signed")
        text = say("Not signed. Keep this sheet to check the log later: matchledger verify --head.")
    return {
        "code": qr_code(content),
        "about": say("QR code: %(content)s") % {"content": content},
        "size": _SEAL_MM if signed else _HEAD_MM,
        "title": title,
        "text": f"{posted} {text}",
        "content": content.rstrip("\n"),
    }


def overview(document: Document, setting: Setting) -> Document:
    """Return the data of the tournament overview that the host sends in."""
    say = setting.say
    rating = document["rating"]
    facts = [
        (say("Rulebook"), f"{document['rulebook_title']}, {document['edition']}"),
        (say("Host"), document["host"]),
        (say("Staff"), ", ".join(f"{one['name']} ({say(one['role'])})" for one in document["staff"])),
        (say("Dates"), f" {NONE} ".join(day for day in (document["began"], document["ended"]) if day)),
        (say("Players enrolled"), str(document["enrolled"])),
        (say("Players who took part"), str(document["participants"])),
        (say("Rounds"), str(document["rounds"])),
        (say("Elimination rounds"), str(document["elimination_rounds"] or "")),
        (say("Rating"), f"{say(rating['verdict'])} ({rating['rule']})" if rating["rule"] else ""),
        (say("Send in by"), rating["deadline"] or ""),
    ]
    signed = say("Host's signature: ______________________________    Date: ______________")
    return _list(
        setting,
        document,
        say("Tournament Overview"),
        columns=overview_columns(document["unit"]),
        lines=document["places"],
        above=[f"{name}: {value}" for name, value in facts if value],
        below=[signed],
    )


def _capital(division: str) -> str:
    return division[:1].upper() + division[1:]


def _champion(division: str, setting: Setting) -> str:
    named = {"division": _capital(division)}
    return setting.say("Champion, %(division)s") % named if division else setting.say("Champion")


def places(document: Document, setting: Setting) -> Document:
    """Return the data of the final places, with the champions above them."""
    say = setting.say
    lines = _lines(document["places"])
    first = [place for place in document["places"] if place["player"] in document["champions"]]
    champions = [f"{_champion(place['division'] or '', setting)}: {place['player']}" for place in first]
    champions += [
        f"{_capital(division)}: {say(NO_CHAMPION)}" if division else say(NO_CHAMPION)
        for division in document["no_champion"]
    ]
    return _list(
        setting,
        document,
        say("Final places"),
        columns=places_columns(_PLAYER, _division),
        lines=lines,
        crowned=champions,
        above=_provisional(document, setting) or _closed_over(document, setting),
        group=_division,
        below=[say("? not decided yet.")] if any(not place["decided"] for place in document["places"]) else [],
    )
