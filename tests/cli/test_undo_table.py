"""Undo of every action on the command line: undo gives back each page, and redo the action."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.cli.conftest import Desk

FOUR = "rulebook l5r-2018\nplayers A B C D\n"
PAIR = "pair --table A/B --table C/D"
PLAYED = f"{FOUR}round 1\n  A > B\n  C > D\n"
RANKED = f"{PLAYED}round 2\n  A > C\n  B > D\ndraw C B\n"
CUT = f"{RANKED}cut 2\n"
FINAL = f"{CUT}elimination 1\n  A > C\n"
DIVIDED = (
    "rulebook pokemon-2009\noption POL-PKM-DIVISIONS=separated\n"
    + "".join(f"player {name} division=junior\n" for name in "ABCD")
    + "".join(f"player {name} division=masters\n" for name in "EFGH")
)
DIVIDED_PLAYED = f"{DIVIDED}round 1\n  A > B\n  C > D\n  E > F\n  G > H\n"
ANNOUNCE = "announce --style swiss-with-cut --rounds 2 --cut 2 --prizes 8 --reason small"
FLIGHTS = "draw-flights masters 2 --reason small"
POLICY = "change-policy POL-ALL-REPAIR never --role organizer --reason agreed --yes"


class Row(NamedTuple):
    """A sheet, the lines typed after it, the lines that are undone, and the words of the undo."""

    sheet: str
    action: tuple[str, ...]
    before: tuple[str, ...] = ()
    undo: str = "undo"
    redo: str = "redo"


ROWS = {
    "slip": Row(FOUR, ("report 1 a",), (PAIR,)),
    "slip of another station": Row(
        FOUR, ("report 1 a --station b",), (PAIR,), "undo --station b", "redo --station b"
    ),
    "slip before one of another station": Row(FOUR, ("report 1 a",), (PAIR, "report 2 b --station b")),
    "concession": Row(FOUR, ("concede A",), (PAIR,)),
    "no-show": Row(FOUR, ("no-show A",), (PAIR,)),
    "no-show of both": Row(FOUR, ("no-show A B",), (PAIR,)),
    "correction": Row(PLAYED, ("correct 1 1 b --yes",)),
    "retraction": Row(PLAYED, ("retract 8 --yes",)),
    "drop": Row(PLAYED, ("drop A",)),
    "drop from an open table": Row(FOUR, ("drop A",), (PAIR,)),
    "return": Row(PLAYED, ("rejoin A",), ("drop A",)),
    "disqualification": Row(PLAYED, ("disqualify A --yes",)),
    "disqualification at an open table": Row(FOUR, ("disqualify A --yes",), (PAIR,)),
    "disqualification after the cut": Row(CUT, ("disqualify C --yes",)),
    "disqualification in the final": Row(CUT, ("disqualify C --yes",), ("pair",)),
    "late player": Row(PLAYED, ("late E",)),
    "late player in a round": Row(FOUR, ("late E",), (PAIR,)),
    "rename": Row(PLAYED, ("rename A Anna",)),
    "merge": Row(PLAYED, ("merge A E --yes",), ("late E",)),
    "merge of a seated player": Row(FOUR, ("merge E A --yes",), ("register E", "drop E", PAIR)),
    "transfer": Row(FOUR, ("transfer A Anna --yes",), (PAIR,)),
    "roster": Row(FOUR, ("register --csv roster.csv",)),
    "byes": Row(FOUR, ("award-byes A",)),
    "fixed table": Row(FOUR, ("fix-table A --table 9",)),
    "swapped tables": Row(FOUR, ("swap-tables 1 2 --yes",), (PAIR, "report 1 a")),
    "seating": Row(FOUR, ("amend A/C B/D",), (PAIR,)),
    "start": Row(FOUR, ("start",), (PAIR,)),
    "extension": Row(FOUR, ("extend 1 5",), (PAIR, "start")),
    "pause": Row(FOUR, ("pause",), (PAIR, "start")),
    "penalty": Row(FOUR, ("penalty A warning --for unsporting",), (PAIR,)),
    "policy": Row(PLAYED, (POLICY,), (), "undo --role organizer", "redo --role organizer"),
    "announcement": Row(FOUR, ("announce --rounds 1 --structure custom",)),
    "round": Row(PLAYED, ("pair",)),
    "round and its slips": Row(
        PLAYED, ("pair", "start", "report 1 a 2 a", "correct 2 1 b --yes"), (), "undo --round"
    ),
    "round and its no-show": Row(PLAYED, ("pair", "no-show A", "report 2 a"), (), "undo --round"),
    "round with a late player": Row(PLAYED, ("pair", "report 1 a"), ("late E",), "undo --round"),
    "round after a disqualification": Row(PLAYED, ("pair", "report 1 a"), ("disqualify A --yes",), "undo --round"),
    "round of two stations": Row(PLAYED, ("pair", "report 1 a --station b", "report 2 a"), (), "undo --round"),
    "order of a tie": Row(PLAYED, ("tie A C",)),
    "orders of all ties": Row(PLAYED, ("tie --yes",)),
    "cut": Row(RANKED, ("cut 2 --reason short",)),
    "round of the bracket": Row(CUT, ("pair",)),
    "round of the bracket and its slip": Row(CUT, ("pair", "report 1 b"), (), "undo --round"),
    "drop that takes the bracket back": Row(CUT, ("drop C",), ("pair",)),
    "replacement": Row(CUT, ("replace C",), ("pair", "drop C")),
    "slip of the final": Row(CUT, ("report 1 b",), ("pair",)),
    "close": Row(FINAL, ("close --yes --reason short",)),
    "division": Row(DIVIDED_PLAYED, ("correct-player A --division masters --yes --reason mistyped",)),
    "round of divisions": Row(DIVIDED_PLAYED, ("pair", "report 1 a 3 b"), (), "undo --round"),
    "late player of a division": Row(DIVIDED_PLAYED, ("late I --division junior",)),
    "disqualification in a division": Row(DIVIDED_PLAYED, ("disqualify E --yes",)),
    "cut of divisions": Row(
        DIVIDED_PLAYED, ("cut --division junior=2 --division masters=2 --reason short",), ("tie --yes",)
    ),
    "flights": Row(DIVIDED, (FLIGHTS,), (ANNOUNCE,)),
    "round of flights": Row(DIVIDED, ("pair", "report 1 a 3 b"), (ANNOUNCE, FLIGHTS), "undo --round"),
    "late player in a flight": Row(DIVIDED, ("late I --division masters",), (ANNOUNCE, FLIGHTS, "pair")),
}
PAGES = (
    *("standings", "players", "divisions", "flights", "places", "bracket", "structure", "policies", "calls"),
    *("pairings", "pairings --elimination", "clock", "conduct", "pair --preview"),
)
OF_THE_MOMENT = {"position", "now", "elapsed", "remaining"}


def read(desk: Desk) -> dict[str, Any]:
    """Every page, or its problem, without the data of the moment."""
    shown = {}
    for page in PAGES:
        said = desk(f"{page} --json")
        shown[page] = _lasting(json.loads(said.out)) if said.out else said.err
    return shown


def _lasting(document: Any) -> Any:
    if isinstance(document, dict):
        return {key: _lasting(value) for key, value in document.items() if key not in OF_THE_MOMENT}
    return [_lasting(value) for value in document] if isinstance(document, list) else document


def differing(one: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    return {page: (one[page], other[page]) for page in PAGES if one[page] != other[page]}


def done(desk: Desk, *lines: str) -> None:
    for line in lines:
        assert (said := desk(line)).code == 0, (line, said.err)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_undo_gives_every_page_back_and_redo_the_action(desk: Desk, row: Row) -> None:
    Path("event.sheet").write_text(row.sheet, "utf-8")
    Path("roster.csv").write_text("name\nE\nF\n", "utf-8")
    done(desk, "import event.sheet", *row.before)
    before = read(desk)
    done(desk, *row.action)
    after = read(desk)
    assert differing(before, after)
    done(desk, row.undo)
    assert differing(before, read(desk)) == {}
    done(desk, row.redo)
    assert differing(after, read(desk)) == {}
    assert desk("verify").code == 0


def test_each_station_undoes_its_own_slip_after_two_copies_were_merged(desk: Desk, ledger: Path) -> None:
    Path("event.sheet").write_text(FOUR, "utf-8")
    done(desk, "import event.sheet", PAIR)
    for end in ("", ".keys"):
        shutil.copy(f"{ledger}{end}", f"south.ledger{end}")
    done(desk, "report 2 b --station south --ledger south.ledger", "report 1 a --station north")
    before = read(desk)
    done(desk, "merge-copy south.ledger --role organizer --station office --yes")
    merged = read(desk)
    done(desk, "undo --station south")
    assert differing(before, read(desk)) == {}
    done(desk, "undo --station north", "redo --station south", "redo --station north")
    assert differing(merged, read(desk)) == {}
    assert "nothing that is not here" in desk("merge-copy south.ledger --role organizer").out
    assert desk("verify").code == 0
