"""Faces: the web, the command line, the API and the print show the same standings, places and tables."""

from __future__ import annotations

import re
from typing import Any

from tests.storm.hands import Hands, answered

# What the command line prints and the API answers, by the words of the one and the path of the other.
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
BYE = "\u2013"
SEAT = re.compile(rf'<tr id="p(\d+)".*?<td class="number">(\d+|{BYE})</td>', re.DOTALL)
Document = dict[str, Any]


def need_alike(hands: Hands) -> None:
    """Assert that every face shows the same."""
    api = f"/api/tournaments/{hands.tournament}/"
    shown: dict[str, Document | None] = {}
    for words, path in ALIKE.items():
        status, said = hands.ask(api + path)  # first: a server that has to start lets its token in, an entry
        printed = hands.run([*words.split(), "--json"])
        assert (printed.code == 0) == (status == 200), (words, printed, status, said)
        shown[words] = None if printed.code else answered(printed.out)
        assert status != 200 or answered(said) == shown[words], (words, said, printed.out)
    standings = shown["standings"]
    assert standings is not None
    _need_standings_page(hands, standings)
    for pairings in (shown["pairings --elimination"], shown["pairings"]):
        if pairings is not None:
            _need_seats_page(hands, pairings)
            break


def _need_standings_page(hands: Hands, standings: Document) -> None:
    """The page and the wall give each player the place of the table in the terminal."""
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


def _need_seats_page(hands: Hands, pairings: Document) -> None:
    """The page for phones sends each player to the table of the pairings in the terminal."""
    tables = {name: str(seat["table"]) for seat in pairings["pairings"] for name in seat["players"]}
    tables |= dict.fromkeys(pairings["byes"], BYE)
    status, page = hands.ask(f"/t/{hands.tournament}/")
    assert status == 200, page
    players = {row["number"]: row["name"] for row in answered(hands.run(["players", "--json"]).out)}
    found = {players[int(number)]: table for number, table in SEAT.findall(page)}
    assert found == tables, (found, tables)
