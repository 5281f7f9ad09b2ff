"""Faces: the web, the command line, the API and paper show the same standings, places and tables."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pypdfium2
from tests.storm.hands import Hands, answered

from matchledger.web.app import create_app
from matchledger.web.settings import Settings
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import brackets

# The commands of the command line, each with the API's path for the same answer.
ALIKE = {
    "standings": "standings",
    "pairings": "pairings",
    "pairings --elimination": "pairings?stage=elimination",
    "bracket": "bracket",
    "places": "places",
    "players": "players",
    "print standings": "sheets/standings",
    "print pairings": "sheets/pairings",
}
PLACE = re.compile(r'<td class="place">(?:<b>)?(\d+)?(?:(?!</tr>).)*?href="[^"]*player/(\d+)"', re.DOTALL)
# Paths that stream until the reader leaves, or that take seconds.
SLOW = ("/stream", "/clinch", "/openapi.json")
LOOKS = 4  # after this many looks at the log, a server's pages must show an entry
PAUSE = 0.05  # seconds
ON_PAPER = 0.5  # in this share of the comparisons, PDFs are read too
READ = 4  # how many pages and lines of each kind are read, at random
TYPED = """
log; log --json; integrity; calls; clock; conduct; structure; divisions; flights; rating; overview; policies
standings --round N; standings --round N --as-known; standings --as-of N; pairings --round N; standings --csv
explain #N; explain --pairing N; explain #N --json; history #N; history --entry N; diff N N; scorecard #N; places
bracket; slip N; verify; verify --pairings; players --csv; staff list; token list; repair; pair --preview
correct 1 N a --preview; correct 1 N b --preview --json; retract N --preview; whatif --set '1 N a'
""".replace("\n", ";")
LINES = [words.strip() for words in TYPED.split(";") if words.strip()]
BYE = "\u2013"
SEAT = re.compile(rf'<tr id="p(\d+)".*?<td class="number">(\d+|{BYE})</td>', re.DOTALL)
Document = dict[str, Any]


def need_alike(hands: Hands, record: Record, folder: Path) -> None:
    """Assert that every face shows the same standings, places and tables. Only some calls also compare PDFs."""
    api = f"/api/tournaments/{hands.tournament}/"
    shown: dict[str, Document | None] = {}
    for words, path in ALIKE.items():
        # Ask the API first, because its first request admits the token and so makes an entry.
        status, said = hands.ask(api + path)
        printed = hands.run([*words.split(), "--json"])
        assert (printed.code == 0) == (status == 200), (words, printed, status, said)
        shown[words] = None if printed.code else answered(printed.out)
        assert status != 200 or answered(said) == shown[words], (words, said, printed.out)
    standings = shown["standings"]
    assert standings is not None
    soon(lambda: _need_standings_page(hands, standings))
    pairings = shown["pairings --elimination"] or shown["pairings"]
    if pairings is not None:
        soon(lambda: _need_seats_page(hands, pairings, over=_is_over(record)))

    if hands.chance.random() < ON_PAPER:
        _need_same_on_paper(hands, shown, folder / "sheet.pdf")


def _need_same_on_paper(hands: Hands, shown: dict[str, Document | None], sheet: Path) -> None:
    """Assert that each player's place, or table and opponent, is the same in the PDFs and on the terminal."""
    for words, lines in ON_SHEETS.items():
        document = shown[f"print {words}"] if f"print {words}" in shown else shown[words]
        if document is None:
            continue
        printed = hands.run(["print", words, "--out", str(sheet)])
        assert printed.code == 0, (words, printed)
        with pypdfium2.PdfDocument(sheet) as opened:
            text = "\n".join(page.get_textpage().get_text_bounded() for page in opened).replace("\r", "")
        sheet.unlink()
        for line in lines(document):
            assert re.search(line, text, re.MULTILINE), (words, line, text)


def _ranked(standings: Document) -> Iterator[str]:
    for row in standings["standings"]:
        if row["rank"] is not None:
            yield rf"^{row['rank']}=? {re.escape(row['player'])}\b"


def _seated(pairings: Document) -> Iterator[str]:
    for seat in pairings["lines"]:
        names = [re.escape(one["player"]) for one in seat["players"]]
        yield rf"^{names[0]}\b.* {seat['table'] or ''}" + (rf".*\b{names[1]}\b" if names[1:] else "")


def _placed(places: Document) -> Iterator[str]:
    for row in places["places"]:
        if row["first"] is not None:
            yield rf"^{row['first']}\b.*\b{re.escape(row['player'])}\b"


# A pattern that finds the lines of each sheet.
ON_SHEETS: dict[str, Callable[[Document], Iterator[str]]] = {
    "standings": _ranked,
    "pairings": _seated,
    "places": _placed,
}


def _is_over(record: Record) -> bool:
    """Return whether the event is closed, or every final is decided."""
    drawn = brackets(record)
    return record.closing is not None or bool(drawn and all(one.is_over for one in drawn))


def soon(check: Callable[[], None]) -> None:
    """Wait until a page shows another process's entry, after the server has looked at the file again.

    Only the pauses count towards the time limit, because the checks take longer on a busy machine.
    """
    for _ in range(round(LOOKS * Settings().watch_seconds / PAUSE)):
        with suppress(AssertionError):
            return check()
        time.sleep(PAUSE)
    return check()


def read_at_random(hands: Hands, chance: Random, record: Record) -> None:
    """Request pages, paths of the API and lines of the terminal. Assert that each request is answered or refused,
    and that none fails.
    """
    for address in chance.sample(_addresses(), k=READ):
        whole = address.replace("{tournament}", str(hands.tournament))
        whole = whole.replace("{stage}", chance.choice(["swiss", "elimination"]))
        hands.ask(re.sub(r"{\w+}", lambda _: str(_number(chance, record)), whole))
    for words in chance.sample(LINES, k=READ):
        line = [word.replace("N", str(_number(chance, record))) for word in shlex.split(words)]
        printed = hands.run(line)
        assert printed.code in (0, 1, 2, 3), (line, printed)
        assert "went wrong inside" not in printed.err, (line, printed)
        assert "Traceback" not in printed.err, (line, printed)


def _number(chance: Random, record: Record) -> int:
    """Return a number that may belong to a player, a round, a table or an entry."""
    return chance.choice([1, 2, 3, max(len(record.players), 1), max(record.position, 1)])


@cache
def _addresses() -> list[str]:
    """Return every page and every path of the API that answers at once."""
    routes = [
        one
        for route in create_app(":memory:").routes
        for one in getattr(getattr(route, "original_router", None), "routes", [route])
    ]
    asked = [str(one.path) for one in routes if "GET" in (getattr(one, "methods", None) or ())]
    return sorted(path for path in asked if not path.endswith(SLOW))


def _need_standings_page(hands: Hands, standings: Document) -> None:
    """Assert that the page and the wall show the places of the terminal's table."""
    places = {row["number"]: row["rank"] for row in standings["standings"]}
    status, page = hands.ask(f"/t/{hands.tournament}/standings")
    assert status == 200, page
    found = {int(player): int(place) if place else None for place, player in PLACE.findall(page)}
    if places and standings["round"]:
        assert found == places, (found, places)
    printed = hands.run(["standings"]).out
    for row in standings["standings"]:
        if row["rank"] is not None and standings["round"]:
            line = rf"^ *{row['rank']}=? +{re.escape(row['player'])}\b"
            assert re.search(line, printed, re.MULTILINE), (line, printed)


def _need_seats_page(hands: Hands, pairings: Document, *, over: bool) -> None:
    """Assert that the page for phones sends each player to the terminal's table, until the event is over."""
    tables = {} if over else _tables(pairings)
    status, page = hands.ask(f"/t/{hands.tournament}/")
    assert status == 200, page
    players = {row["number"]: row["name"] for row in answered(hands.run(["players", "--json"]).out)}
    found = {players[int(number)]: table for number, table in SEAT.findall(page)}
    assert found == tables, (found, tables)


def _tables(pairings: Document) -> dict[str, str]:
    """Return the table of each player by name, and a dash for a bye."""
    tables = {name: str(seat["table"]) for seat in pairings["pairings"] for name in seat["players"]}
    return tables | dict.fromkeys(pairings["byes"], BYE)
