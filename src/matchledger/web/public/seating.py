"""Seating: the tables of a round, by name for players and by number for the staff."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple, TypeVar

from markupsafe import Markup

from matchledger.web.public.hall import Hall
from matchledger.web.public.knockout import knockouts
from matchledger_projections.divisions.grouping import division_of, divisions_of
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import plain_letters
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import list_order

Line = TypeVar("Line")
MANY = 60  # the fewest names of a list with letters to jump to


class Seat(NamedTuple):
    """A player's seat. `table` and `opponent` are None for a bye, and `letter` shows the division.

    `named` and `opponent_named` are the names for a page, with bold surnames. `key` has the name in plain letters,
    for a search. `order` is the sort key: the surname, then the whole name. `shown_order` is the start of `order`
    that the shown name contains.
    """

    player: int
    name: str
    named: Markup
    key: str
    table: int | None
    opponent: int | None
    opponent_named: Markup | None
    letter: str
    order: tuple[str, str]
    shown_order: str


class Listed(NamedTuple):
    """A player without a seat. `letter` shows the division."""

    player: int
    name: str
    letter: str


class Letter(NamedTuple):
    """The first letter of surnames, and the first player under it."""

    letter: str
    player: int


class Table(NamedTuple):
    """A table's line in the seating, with the table's result. The result is None while the match is played, and
    while the recorded result is contested.

    `corrected` says that the result replaced an earlier one.
    """

    number: int
    players: tuple[int, int]
    names: tuple[str, str]
    report: Report | None
    is_contested: bool
    corrected: bool


class Part(NamedTuple):
    """Tables and byes of one division, or of everybody under "", in a round."""

    round: Round
    division: str
    tables: list[Table]
    byes: list[Seat]


def seats(hall: Hall, round_: Round) -> list[Seat]:
    """Return one line for each player of a round, in order of name."""
    found = [
        _seat(hall, player, table, opponent)
        for table, (first, second) in round_.tables.items()
        for player, opponent in ((first, second), (second, first))
    ]
    found += byes(hall, round_)
    return sorted(found, key=lambda seat: (seat.order, seat.player))


def byes(hall: Hall, round_: Round) -> list[Seat]:
    """Return one line for each player with a bye, in the order of the round."""
    return [_seat(hall, bye.player, None, None) for bye in round_.byes]


def _seat(hall: Hall, player: int, table: int | None, opponent: int | None) -> Seat:
    other = None if opponent is None else hall.named(opponent)
    name, person = hall.name(player), hall.whole.players[player].person
    order, surname = list_order(person), plain_letters(hall.parts(player).surname)
    shown = order[0] if surname.endswith(order[0]) else surname
    key, letter = plain_letters(name), hall.letter(player)
    return Seat(player, name, hall.named(player), key, table, opponent, other, letter, order, shown)


def absent(hall: Hall) -> list[Listed]:
    """Return the players without a seat in the current round, by name. After the last round, return all players."""
    seated = set() if hall.now is None or hall.is_over else hall.now.players
    others = [player.number for player in hall.whole.entered() if player.number not in seated]
    others.sort(key=lambda player: list_order(hall.whole.players[player].person))
    return [Listed(player, hall.name(player), hall.letter(player)) for player in others]


def letters(hall: Hall, players: Sequence[int]) -> list[Letter]:
    """Return the letters to jump to in a list of players by name. A short list needs no letters."""
    if len(players) < MANY:
        return []
    found: dict[str, int] = {}
    for player in players:
        found.setdefault(list_order(hall.whole.players[player].person)[0][:1].upper(), player)
    return [Letter(letter, player) for letter, player in found.items()]


def tables(hall: Hall, round_: Round) -> list[Table]:
    """Return one line for each table of a round, in order of number."""
    return [
        Table(
            number,
            players,
            (hall.name(players[0]), hall.name(players[1])),
            report,
            is_contested,
            report is not None and _replaced(hall, round_, number, report),
        )
        for number, players, report, is_contested in hall.results(round_)
    ]


def _replaced(hall: Hall, round_: Round, table: int, report: Report) -> bool:
    """Return whether a result replaced an earlier one of the same players."""
    return any(
        one.position < report.position and one.players == report.players and not hall.whole.is_dead(one.position)
        for one in round_.reports(table)
    )


def by_division(hall: Hall, round_: Round) -> list[Part]:
    """Return the tables of a round in order of number, each division with its own tables and byes. The divisions
    are in the order of the standings. If divisions play each other, or their tables alternate, one part without a
    division has everything.
    """
    found, free = tables(hall, round_), byes(hall, round_)
    runs = [
        (division, list(run))
        for division, run in groupby(found, lambda table: common_division(hall, *table.players))
    ]
    divisions = [division for division, _ in runs]
    own = [[one for one in free if common_division(hall, one.player) == division] for division in divisions]
    if "" in divisions or len(set(divisions)) < len(divisions) or sum(map(len, own)) < len(free):
        return [Part(round_, "", found, free)]
    parts = [Part(round_, division, run, byes) for (division, run), byes in zip(runs, own, strict=True)]
    order = divisions_of(hall.whole)
    return sorted(parts, key=lambda part: order.index(part.division))


def finals(hall: Hall) -> list[Part]:
    """Return the table of each bracket's final. Divisions play their finals in different rounds."""
    found = []
    for one in knockouts(hall):
        round_ = hall.whole.round(len(one.levels), "elimination")
        number = one.levels[-1].games[0].table
        if round_ is not None and number is not None:
            [table] = [table for table in tables(hall, round_) if table.number == number]
            found.append(Part(round_, one.division or "", [table], []))
    return found


def common_division(hall: Hall, *players: int) -> str:
    """Return the division of all these players, or "" if their divisions differ."""
    divisions = {division_of(hall.whole, player) for player in players}
    return divisions.pop() if len(divisions) == 1 else ""


def part_of(lines: Sequence[Line], part: int, of: int) -> Sequence[Line]:
    """Return part number `part`, counted from 1, of a list that is split into `of` consecutive parts of nearly
    equal size.
    """
    return lines[len(lines) * (part - 1) // of : len(lines) * part // of]
