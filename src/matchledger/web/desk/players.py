"""The page of players: the list, and the actions for one player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from matchledger.commands.retraction import who_may_retract
from matchledger.commands.roster import comes_late
from matchledger.events import CheckedIn, Role, Stage
from matchledger.notation.player_lookup import is_found_by
from matchledger.web.desk.chips import Groups, by_division, chosen_by
from matchledger.web.desk.state import latest_round
from matchledger.web.public.comparison import STAGES
from matchledger.web.public.places import Tally, ranked, rows_of, tally
from matchledger.web.rendering import Values
from matchledger_projections.conduct.penalties import penalties
from matchledger_projections.narration import tell_slip
from matchledger_projections.record.phones import checked_in, phones_may
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import list_order
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.stages.placing import Place, places
from matchledger_projections.standings.standings import Row

LISTED = 200  # how many players a page lists. A search finds the other players
PROPOSED = 500  # the most names that a field suggests


class PlayerLine(Struct, frozen=True):
    """A player in the list, with the table of the round in progress.

    `is_here` says whether the player checked in. `place` is the player's line in the standings, and `tally` has the
    numbers of matches won, lost and drawn. `place` and `tally` are None before a round has ended. `final` is the
    final place, or None before the close. `is_by_swiss` says whether only the Swiss rounds decided that place.
    `opponent` is the opponent of the round in progress.
    """

    number: int
    name: str
    player: Player
    division: str | None
    status: str
    table: int | None
    is_here: bool
    place: Row | None
    tally: Tally | None
    final: Place | None
    is_by_swiss: bool
    opponent: Player | None
    penalties: int


def players_view(record: Record, wanted: str, chosen: int | None, chip: str = "") -> Values:
    """Return the contents of the page, with the players in the order of their surnames. If a search finds one
    player, that player is selected.
    """
    entered = record.entered()
    latest, here = latest_round(record), checked_in(record)
    checks_in = latest is None and bool(here or "check-in" in phones_may(record))
    arriving: Groups = {
        "not-here": lambda player: player.number not in here,
        "here": lambda player: player.number in here,
    }
    chips, found = chosen_by(
        chip,
        [player for player in by_surname(record) if is_found_by(player, wanted)],
        {
            "active": lambda player: record.status(player.number) == "active",
            "dropped": lambda player: record.status(player.number) != "active",
            "late": lambda player: player.losses is not None,
            **(arriving if checks_in else {}),
            **by_division(record),
        },
    )
    lines = _Lines(record)
    if lines.finals:
        order = list(lines.finals)
        found = sorted(found, key=lambda player: order.index(player.number))
    arrivals = {False: 0, True: 0}
    if checks_in and not chip:
        found = sorted(found, key=lambda player: player.number in here)  # the check-in begins with the others
        arrivals[True] = sum(player.number in here for player in found)
        arrivals[False] = len(found) - arrivals[True]
    if chosen is None and wanted.strip():
        chosen = meant(found, wanted)
    return {
        "wanted": wanted,
        "chip": chip,
        "chips": chips,
        "lines": [lines.line(player) for player in found[:LISTED]],
        "played": bool(lines.places),
        "seated": latest is not None and record.closing is None,
        "over": bool(lines.finals),
        "checks_in": checks_in,
        "arrivals": arrivals if all(arrivals.values()) else None,
        "came_in": _came_in(record, chosen) if checks_in and chosen is not None else None,
        "in_bracket": bool(record.cuts),
        "unit": record.rulebook.unit,
        "found": len(found),
        "active": len(record.active_players()),
        "late": comes_late(record),
        "judged": record.rulebook.clock.judgment,
        "drops_absent": record.rulebook.drops_absent,
        "against": None if chosen is None or latest is None else _opponent(record, latest, chosen),
        "chosen": next((lines.line(player) for player in entered if player.number == chosen), None),
        "divisions": _divisions(record, entered),
        "grouped": any(player.division for player in entered),
        "years_decide": record.rulebook.divisions is not None and bool(record.rulebook.divisions.born_from),
        "matches": [] if chosen is None else _matches(record, chosen),
        "columns": sorted({column for player in entered for column in player.person.details}),
    }


def _came_in(record: Record, player: int) -> tuple[int, tuple[Role, ...]] | None:
    """Return the position of a player's check-in, and the roles that may take it back, or None."""
    found = [(position, fact) for position, fact in record.counting(CheckedIn) if fact.player == player]
    return (found[-1][0], who_may_retract(record, *found[-1])) if found else None


def _opponent(record: Record, latest: Round, player: int) -> Player | None:
    """Return the player on the other side of the table, or None."""
    table = latest.table_of(player)
    others = [] if table is None else [one for one in latest.tables[table] if one != player]
    return record.players[others[0]] if others else None


def _divisions(record: Record, entered: Sequence[Player]) -> list[str]:
    """Return the divisions that a player can enter: those of the rulebook, and those that somebody has entered."""
    known = () if record.rulebook.divisions is None else record.rulebook.divisions.names
    return list(dict.fromkeys([*known, *sorted({player.division for player in entered if player.division})]))


def _matches(record: Record, player: int) -> list[tuple[Stage, int, int, str | None]]:
    """Return the matches of a player, the latest first: stage, round, table, and the result in words."""
    found: list[tuple[Stage, int, int, str | None]] = []
    for round_ in (round_ for stage in STAGES for round_ in record.rounds(stage)):
        table = round_.table_of(player)
        if table is not None:
            players = round_.tables[table]
            report = round_.report(table, players)
            said = None if report is None else tell_slip(record, players, report.slip)
            found.append((round_.stage, round_.number, table, said))
    return found[::-1]


def meant(found: Sequence[Player], wanted: str) -> int | None:
    """Return the number of the one player whom a search found, or of the one with exactly this name, or None."""
    exact = [player for player in found if player.name.casefold() == wanted.strip().casefold()]
    one = exact if len(exact) == 1 else found
    return one[0].number if len(one) == 1 else None


class _Lines:
    """The lines of the list: each player with the current table and the place after the last finished round."""

    def __init__(self, record: Record) -> None:
        """Read the standings once, after the last round that has ended."""
        self._record = record
        self._latest, self._here = latest_round(record), checked_in(record)
        tables = ranked(record) if record.finished_rounds else []
        self.places = rows_of(tables)
        self.finals = {} if record.closing is None else {place.player: place for place in places(record)}
        self._qualified = qualifiers(record)
        self._penalties = Counter(given.fact.player for given in penalties(record))
        self._tallies = {row.player: tally(one.table.table, row.player) for one in tables for row in one.rows}

    def line(self, player: Player) -> PlayerLine:
        """Return the line of a player in the list."""
        number, latest = player.number, self._latest
        table = None if latest is None else latest.table_of(number)
        opponents = () if latest is None or table is None else latest.tables[table]
        return PlayerLine(
            number,
            player.name,
            player,
            player.division,
            self._record.status(number),
            table,
            number in self._here,
            self.places.get(number),
            self._tallies.get(number),
            self.finals.get(number),
            number not in self._qualified and bool(self._record.rounds()),
            next((self._record.players[other] for other in opponents if other != number), None),
            self._penalties[number],
        )


def by_surname(record: Record) -> list[Player]:
    """Return all players who have entered, in the order of a printed list."""
    return sorted(record.entered(), key=lambda player: list_order(player.person))


def names_to_type(record: Record) -> list[str]:
    """Return the names that a field suggests, or an empty list if the names are too many to send with each page."""
    entered = record.entered()
    return [player.name for player in entered] if len(entered) <= PROPOSED else []
