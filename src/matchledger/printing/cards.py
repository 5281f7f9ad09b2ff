"""Score cards: each player's rounds, and who recorded them."""

from __future__ import annotations

from matchledger.printing.setting import Setting
from matchledger_projections.document import Document
from matchledger_projections.rulebook.games import games_text
from matchledger_projections.rulebook.scoring import unit_of


def cards(document: Document, setting: Setting) -> Document:
    """The data of score cards."""
    say = setting.say
    unit = say(document["unit"])
    return setting.data(
        document,
        say("Score cards"),
        heads=[
            say("Round"),
            say("Opponent"),
            say("Table"),
            say("Result"),
            unit,
            say("total"),
            say("written by"),
        ],
        cards=[_card(card, document, setting) for card in document["cards"]],
    )


def _card(card: Document, document: Document, setting: Setting) -> Document:
    say = setting.say
    lines = [
        *(_line(str(line["round"]), line, document, setting) for line in card["swiss"]),
        *(_line(f"E{line['round']}", line, document, setting) for line in card["elimination"]),
    ]
    division = f", {card['division']}" if card["division"] else ""
    status = "" if card["status"] == "active" else f", {say(card['status'])}"
    unit = say(unit_of(card["total"], document["unit"]))
    total = say("Total: %(total)s %(unit)s") % {"total": card["total"], "unit": unit}
    apart = f" {say('E: elimination stage, counted separately.')}" if card["elimination"] else ""
    return {
        "title": f"#{card['number']} {card['player']}{division}{status}",
        "lines": lines,
        "foot": f"{total}.{apart}",
    }


def _line(round_: str, line: Document, document: Document, setting: Setting) -> list[str]:
    say = setting.say
    outcome = say(document["bye_name"] if line["outcome"] == "bye" else line["outcome"])
    kind = line["kind"]
    said = outcome if kind in (None, "win", "loss", "draw", "bye", line["outcome"]) else f"{outcome} ({say(kind)})"
    if line["games"] is not None:
        said += f" {games_text(line['games'])}"
    writer = line["writer"]
    return [
        round_,
        line["opponent"] or "",
        _shown(line["table"]),
        said,
        _shown(line["points"]),
        _shown(line["total"]),
        "" if writer is None else f"{writer['name']} ({say(writer['role'])})",
    ]


def _shown(value: int | None) -> str:
    return "" if value is None else str(value)
