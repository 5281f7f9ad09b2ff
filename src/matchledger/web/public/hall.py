"""The hall: the public form of a tournament at one moment, which everybody in the room may see.

Every public page is made from a hall, never from the full record. A hall belongs to one position of the log, so its
pages are up to date until the log grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import cached_property, partial
from uuid import UUID

from markupsafe import Markup

from matchledger.events import Entry, EventDescribed, NewsPosted, Stage
from matchledger.ledger import Ledger
from matchledger.service.redaction import Discretion
from matchledger.service.sign_up import free_places, is_open
from matchledger.web.naming import in_bold, initials, named, short_name
from matchledger.web.public.places import flights_of_players, inside_by_flights, letter_of, ranked, rows_of
from matchledger.web.public.programme import Item, begun, followed, programme
from matchledger.web.public.timing import Timing, timing
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.divisions.tables import DivisionTable, members
from matchledger_projections.document import Document, document
from matchledger_projections.message import Sentence
from matchledger_projections.record.desk_calls import (
    Call,
    Unsettled,
    calls,
    closed_over,
    contested_at_close,
    contested_tables,
    unsettled,
)
from matchledger_projections.record.erasures import description, erased, has_page, news
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Player
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import Parts, parts_of
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.bracket import (
    Bracket,
    brackets,
    brackets_ahead,
    round_name,
    round_title,
    widest_round_name,
    without_contested,
)
from matchledger_projections.stages.placing import (
    Place,
    champions,
    is_over,
    nobody_won,
    places_by_division,
    settling,
)
from matchledger_projections.standings.standings import Row, Standings, standings
from matchledger_projections.views.sight import title


class Hall:
    """A tournament at one moment.

    `whole` and `log` are the full record and log. `record` and `entries` have no private data.
    """

    def __init__(
        self,
        whole: Record,
        read: Callable[[], Sequence[Entry]],
        discretion: Discretion,
    ) -> None:
        """Make a hall. `whole` belongs to the hall and no longer changes. `read` returns all entries of the log."""
        self.whole = whole
        self._read = read
        self.discretion = discretion
        self.position = whole.position
        self._named: dict[int, Markup] = {}
        self._parts: dict[int, Parts] = {}

    @cached_property
    def log(self) -> Sequence[Entry]:
        """Return the log, which is read when a page first asks for it, because most pages need no entries."""
        return self._read()

    @property
    def known_log(self) -> Sequence[Entry]:
        """Return the entries that were read already."""
        found: Sequence[Entry] = self.__dict__.get("log", ())
        return found

    @cached_property
    def record(self) -> Record:
        """Return the record with public names."""
        return self.discretion.record(self.whole)

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """Return the public entries by position, in order, without private data."""
        return {entry.position: entry for entry in self.discretion.entries(self.log, self.record)}

    @property
    def title(self) -> str:
        return title(self.whole)

    @cached_property
    def description(self) -> EventDescribed:
        """Return the organizer's text about the event."""
        return description(self.whole)

    @cached_property
    def programme(self) -> list[Item]:
        """Return the lines of the organizer's schedule."""
        lines = programme(self.description.schedule, self.description.day)
        return followed(lines, begun(self.whole), is_over=self.is_over)

    @property
    def bulletin(self) -> str | None:
        """Return the latest news, or None if the news is older than the current round."""
        return None if self._news is None else self._news[1].text

    @property
    def bulletin_at(self) -> datetime | None:
        """Return the time of the latest news, or None without news."""
        return None if self._news is None else self.log[self._news[0] - 1].recorded_at

    @cached_property
    def _news(self) -> tuple[int, NewsPosted] | None:
        posted = next(iter(news(self.whole)), None)
        return None if posted is None or (self.now is not None and posted[0] < self.now.position) else posted

    @cached_property
    def has_page(self) -> bool:
        """Return whether the event has a page of its own."""
        return has_page(self.whole)

    @cached_property
    def signs_up(self) -> bool:
        """Return whether people may put their names on the waiting list."""
        return is_open(self.whole)

    @property
    def has_places(self) -> bool:
        """Return whether people may sign up and a place is free."""
        return self.signs_up and free_places(self.whole) != 0

    @cached_property
    def rulebook(self) -> Rulebook:
        return self.whole.rulebook

    @cached_property
    def now(self) -> Round | None:
        """Return the current round, or after the end the last round. Return None before round 1."""
        return self.whole.current_round

    @cached_property
    def missing(self) -> int:
        """Return how many tables of earlier rounds have no result."""
        return sum(len(round_.outstanding) for round_ in self.whole.earlier_open_rounds)

    @cached_property
    def contested(self) -> list[tuple[Stage, int, int]]:
        """Return the stage, round and number of each table whose result is contested."""
        return contested_tables(self.whole)

    def results(self, round_: Round) -> Iterator[tuple[int, tuple[int, int], Report | None, bool]]:
        """Yield the number, the players and the result of each table of a round, and whether the recorded result is
        contested. Until the desk has settled it, nobody sees who won.
        """
        for table, players, report in round_.results():
            is_contested = (round_.stage, round_.number, table) in self.contested
            yield table, players, None if is_contested else report, is_contested

    @cached_property
    def unsettled(self) -> Unsettled:
        """Return the tables that can still change the standings after the last finished Swiss round."""
        return unsettled(self.whole, self.standings.round)

    @cached_property
    def waits(self) -> bool:
        """Return whether a result of a posted round is missing or contested."""
        return self.now is not None and bool(self.now.outstanding or self.missing or self.contested)

    @cached_property
    def settling(self) -> int | None:
        """Return the elimination round with a contested game that keeps the champion from being named, or None."""
        return settling(self.whole)

    @cached_property
    def standings(self) -> Standings:
        """Return the standings after the last finished Swiss round."""
        return standings(self.whole)

    @cached_property
    def provisional(self) -> Standings:
        """Return the standings, with the finished tables of the current round included."""
        latest = self.whole.latest_round()
        if latest is None or latest.number == self.standings.round:
            return self.standings
        return standings(self.whole, latest.number)

    @cached_property
    def ranked(self) -> list[DivisionTable]:
        """Return the standings after the last finished Swiss round: one table for each division that plays
        separately.
        """
        return ranked(self.whole)

    @cached_property
    def rows(self) -> dict[int, Row]:
        """Return the lines of the standings by player, best first. If divisions play apart, places count within
        the division.
        """
        return rows_of(self.ranked)

    @cached_property
    def flights(self) -> dict[int, int]:
        """Return the number of each player's flight within the division, or {} without flights."""
        return flights_of_players(self.whole, self.ranked)

    @cached_property
    def inside(self) -> frozenset[int]:
        """Return the players inside the cut, of the divisions whose flights each send their own best players."""
        return frozenset(player for one in self.ranked for player in inside_by_flights(self.whole, one))

    @cached_property
    def champions(self) -> list[tuple[str | None, int]]:
        """Return the winners by division: of the final, or after the close of the last Swiss round."""
        return list(champions(self.whole).items())

    @cached_property
    def closed_over(self) -> Sentence:
        """Say that the event was closed with contested results, or return ""."""
        return closed_over(contested_at_close(self.whole))

    def crown_closed_over(self, champion: int) -> Sentence:
        """Say that the event was closed with contested results of games that decide a champion, or return ""."""
        for_all = None in dict(self.champions)
        division = division_of(self.whole, champion)
        among = self.whole.players.keys() if for_all else members(self.whole, division)
        return closed_over(contested_at_close(self.whole, among))

    @cached_property
    def nobody_won(self) -> list[str | None]:
        """Return the divisions in which nobody can win the elimination stage any more."""
        return nobody_won(self.whole)

    @cached_property
    def places(self) -> list[tuple[str | None, list[Place]]]:
        """Return the known final places by division, or an empty list before the elimination stage."""
        if not self.whole.rounds("elimination") and self.whole.closing is None:
            return []
        return places_by_division(self.whole)

    @cached_property
    def place(self) -> dict[int, Place]:
        """Return the final place of each player whose place is decided."""
        return {place.player: place for _, found in self.places for place in found if place.decided and place.first}

    @cached_property
    def is_over(self) -> bool:
        """Return whether no game is left to play."""
        return is_over(self.whole)

    @cached_property
    def disqualified(self) -> frozenset[int]:
        """The disqualified players."""
        left = self.whole.movements
        return frozenset(player for player in left if self.whole.status(player) == "disqualified")

    @property
    def entrants(self) -> int:
        """Return the number of players who entered the event, with those who left it."""
        return len(self.whole.entered())

    def letter(self, player: int) -> str:
        """Return the division of a player as a letter, or "" without a division."""
        return letter_of(self.whole, player)

    @cached_property
    def calls(self) -> dict[tuple[Stage, int, int, int | None], Call]:
        """Return the last call about each result, by stage, round, table and disputed entry."""
        return {
            (call.fact.stage, call.fact.round, call.fact.table, call.fact.disputes): call
            for call in calls(self.whole)
        }

    @cached_property
    def brackets(self) -> list[Bracket]:
        """Return the drawn brackets: one in common, or one for each division with its own cut."""
        return brackets(self.whole)

    @cached_property
    def brackets_to_show(self) -> list[Bracket]:
        """Return the drawn brackets, with contested games open, or after the cut the brackets that its seeds
        decide.
        """
        return [without_contested(self.whole, one) for one in self.brackets] or brackets_ahead(self.whole)

    @cached_property
    def timing(self) -> Timing | None:
        """Return the clock of the round in progress, or None without a round or a time limit."""
        return timing(self.whole)

    def round_name(self, number: int, player: int | None = None) -> str:
        """Return the name of an elimination round, in a player's own bracket if a player is given."""
        return round_name(self.brackets, number, player)

    def round_names(self, number: int) -> list[tuple[str, str]]:
        """Return the name of an elimination round in the bracket of each division, or an empty list if all have the
        same name.
        """
        drawn = [one for one in self.brackets if number <= len(one.rounds) and one.rounds[number - 1]]
        names = [(one.division or "", round_title(len(one.rounds[number - 1]))) for one in drawn]
        return names if len({name for _, name in names}) > 1 else []

    def widest_round_name(self, number: int) -> str:
        """Return the name of an elimination round in the bracket with the most games in it."""
        return widest_round_name(self.brackets, number)

    def document(self, view: object) -> Document:
        """Return a view as its document, with the public names and entries."""
        made: Document = document(view, self.record, self.entries.get)
        return made

    def name(self, player: int) -> str:
        """Return a player's public name."""
        return self.discretion.name_of(self.whole.players[player])

    def named(self, player: int) -> Markup:
        """Return a player's public name, the surname in bold."""
        if player not in self._named:  # a page names each player twice, once as an opponent
            self._named[player] = in_bold(self.parts(player))
        return self._named[player]

    def parts(self, player: int) -> Parts:
        """Return a player's public name, split around the surname."""
        if player not in self._parts:  # a list sorts the names and shows them
            self._parts[player] = parts_of(self.name(player), self.whole.players[player].person)
        return self._parts[player]

    def short_name(self, player: int) -> str:
        """Return a player's public name for a chip."""
        return short_name(self.whole.players[player], self.name(player))

    def initials(self, player: int) -> str:
        """Return a player's public initials, for a chip on a phone."""
        return initials(self.whole.players[player], self.name(player))


class Halls:
    """The current hall of every tournament, made once per change. Use this object only on the thread of the
    ledger.
    """

    def __init__(self, divisions: Iterable[str] = ()) -> None:
        """Make the halls. Public pages show the players of `divisions` as initials."""
        self._discretion = Discretion.about(divisions)
        self._halls: dict[UUID, Hall] = {}
        self._champions: dict[UUID, tuple[int, list[tuple[str | None, Markup]]]] = {}

    def now(self, ledger: Ledger, tournament: UUID) -> Hall:
        """Return the hall of the current log."""
        record = ledger.record(tournament)
        known = self._halls.get(tournament)
        if known is None or known.position != record.position:
            # Earlier entries still contain the name of a player whose name was erased later.
            is_new = known is None or len(erased(known.whole)) != len(erased(record))
            read = partial(
                _log, ledger, tournament, () if known is None or is_new else known.known_log, record.position
            )
            known = self._halls[tournament] = Hall(record.as_of(record.position), read, self._discretion)
        return known

    def champions(self, tournament: UUID, record: Record) -> list[tuple[str | None, Markup]]:
        """Return a tournament's champions by division, with their public names. They are computed once a change."""
        position, found = self._champions.get(tournament, (0, []))
        if position != record.position:
            found = [(one, self._name(record.players[player])) for one, player in champions(record).items()]
            self._champions[tournament] = record.position, found
        return found

    def _name(self, player: Player) -> Markup:
        return named(player, self._discretion.name_of(player))


def _log(ledger: Ledger, tournament: UUID, known: Sequence[Entry], through: int) -> Sequence[Entry]:
    """Return the entries of a log up to a position. `known` are the entries that were read before."""
    return [*known, *ledger.entries(tournament, after=len(known), through=through)]
