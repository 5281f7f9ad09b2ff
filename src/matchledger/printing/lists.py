"""Lists: pairings, posted standings, the tournament overview."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import cast

from matchledger.printing.qr import qr_code
from matchledger.printing.setting import Setting, minute
from matchledger.text.labels import HEADINGS, value_text
from matchledger.text.translation import told
from matchledger_projections.document import Document
from matchledger_projections.rulebook.rulebook import TiebreakName

NONE = "\N{EN DASH}"  # marks for an empty cell, and between two ends
_LARGE, _PLAIN, _SMALL = 15, 12, 9.5  # points
_SEAL_MM, _HEAD_MM = 44, 26  # a checkpoint has 69 modules, a tree head 33


def _column(
    title: str, *, wide: bool = False, right: bool = False, strong: bool = False, size: float = _PLAIN
) -> Document:
    return {"title": title, "wide": wide, "right": right, "strong": strong, "size": size}


def _list(
    setting: Setting,
    document: Document,
    subtitle: str,
    *,
    columns: list[Document],
    rows: list[list[str]],
    above: list[str] | None = None,
    below: list[str] | None = None,
    seal: Document | None = None,
) -> Document:
    return setting.data(
        document, subtitle, columns=columns, rows=rows, above=above or [], below=below or [], seal=seal
    )


def pairings(document: Document, setting: Setting) -> Document:
    """The data of a pairing list: for players by name, for the staff by table."""
    say = setting.say
    name = say(document["name"])
    unit = say(document["unit"])
    with_points = document["stage"] == "swiss"
    if document["by"] == "name":
        subtitle = say("%(round)s: pairings by name") % {"round": name}
        columns = [
            _column(say("Player"), wide=True, strong=True),
            *([_column(unit, right=True)] if with_points else []),
            _column(say("Table"), right=True, strong=True, size=_LARGE),
            _column(say("Opponent"), wide=True),
        ]
    else:
        subtitle = say("%(round)s: pairings by table") % {"round": name}
        columns = [
            _column(say("Table"), right=True, strong=True, size=_LARGE),
            _column(say("Player"), wide=True),
            *([_column(unit, right=True)] if with_points else []),
            _column(say("Opponent"), wide=True),
            *([_column(unit, right=True)] if with_points else []),
        ]
    rows = [_pairing_row(line, setting, with_points=with_points, by=document["by"]) for line in document["lines"]]
    return _list(setting, document, subtitle, columns=columns, rows=rows)


def _pairing_row(line: Document, setting: Setting, *, with_points: bool, by: str) -> list[str]:
    table = NONE if line["table"] is None else str(line["table"])
    first = line["players"][0]
    bye: Document = {"player": setting.say("bye"), "points": None}
    second: Document = line["players"][1] if len(line["players"]) > 1 else bye
    if by == "name":
        points = [_number(first["points"])] if with_points else []
        return [first["player"], *points, table, second["player"]]
    players = (
        [player["player"], *([_number(player["points"])] if with_points else [])] for player in (first, second)
    )
    return [table, *(part for player in players for part in player)]


def standings(document: Document, setting: Setting) -> Document:
    """The data of standings as posted, with the seal of who signed them."""
    say = setting.say
    rows = document["standings"]
    shown = [name for name in HEADINGS if _is_shown(name, rows)]
    shown.sort(key=lambda name: _place_in_chain(name, rows))
    divisions = any(row["division"] for row in rows)
    columns = [
        _column("", right=True, strong=True),
        _column(say("Player"), wide=True, strong=True),
        *([_column(say("Division"))] if divisions else []),
        _column(say(document["unit"]), right=True, strong=True),
        *(_column(say(HEADINGS[name]), right=True, size=_SMALL) for name in shown),
        _column("", size=_SMALL),
    ]
    lines = [
        [
            NONE if row["rank"] is None else f"{row['rank']}{'=' if row['tied'] else ''}",
            row["player"],
            *([row["division"] or ""] if divisions else []),
            str(row["points"]),
            *(_tiebreak(name, row, document["decimals"].get(name), setting) for name in shown),
            "" if row["status"] == "active" else say(row["status"]),
        ]
        for row in rows
    ]
    subtitle = say("Standings after round %(round)s") % document
    below = [say("= tied: the order needs a recorded draw.")] if any(row["tied"] for row in rows) else []
    return _list(
        setting, document, subtitle, columns=columns, rows=lines, below=below, seal=_seal(document, setting)
    )


def _is_shown(name: TiebreakName, rows: list[Document]) -> bool:
    if name == "tardiness":
        return any(Fraction(row["tiebreaks"].get(name, 0)) for row in rows)
    return any(name in row["tiebreaks"] for row in rows)


def _place_in_chain(name: TiebreakName, rows: list[Document]) -> int:
    """The tiebreakers in the order of the rulebook's chain."""
    return max((list(row["tiebreaks"]).index(name) for row in rows if name in row["tiebreaks"]), default=0)


def _tiebreak(name: TiebreakName, row: Document, decimals: int | None, setting: Setting) -> str:
    value = row["tiebreaks"].get(name)
    return told(value_text(name, None if value is None else Fraction(value), decimals), setting.language)


def _seal(document: Document, setting: Setting) -> Document:
    """The link from a sheet to its log: the signed checkpoint, or the tree head without a signature."""
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
    """The data of the tournament overview that the host sends in."""
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
    columns = [
        _column(say("Place"), right=True, strong=True),
        _column(say("Player"), wide=True),
        _column(say(document["unit"]), right=True),
        _column("", size=_SMALL),
    ]
    rows = [
        [
            _place(place),
            place["player"],
            _number(place["points"]),
            "" if place["status"] == "active" else say(place["status"]),
        ]
        for place in document["places"]
    ]
    signed = say("Host's signature: ______________________________    Date: ______________")
    return _list(
        setting,
        document,
        say("Tournament Overview"),
        columns=columns,
        rows=rows,
        above=[f"{name}: {value}" for name, value in facts if value],
        below=[signed],
    )


def places(document: Document, setting: Setting) -> Document:
    """The data of the final places, with the champions above them."""
    say = setting.say
    columns = [
        _column(say("Place"), right=True, strong=True),
        _column(say("Player"), wide=True),
        _column(say("Division")),
        _column("", size=_SMALL),
        _column(say("Rule"), size=_SMALL),
    ]
    rows = [
        [
            _place(place),
            place["player"],
            place["division"] or "",
            told(place["why"], setting.language),
            place["rule"],
        ]
        for place in document["places"]
    ]
    first = [place for place in document["places"] if place["player"] in document["champions"]]
    champions = [
        f"{place['division']}: {place['player']}" if place["division"] else place["player"] for place in first
    ]
    return _list(
        setting,
        document,
        say("Final places"),
        columns=columns,
        rows=rows,
        above=[f"{say('Champion')}: {', '.join(champions)}"] if champions else [],
        below=[say("? not decided yet.")] if any(not place["decided"] for place in document["places"]) else [],
    )


def _place(place: Document) -> str:
    if place["first"] is None:
        return NONE
    shared = f"{place['first']}{NONE}{place['last']}" if place["first"] != place["last"] else str(place["first"])
    return shared if place["decided"] else f"{shared}?"


def _number(value: int | None) -> str:
    return "" if value is None else str(value)
