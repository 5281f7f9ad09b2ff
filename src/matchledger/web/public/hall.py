"""The hall: a tournament at one moment, in the form that everybody in the room may see.

All public pages are made from a hall only. A hall belongs to one position of the log, so its pages stay right
until the log grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from uuid import UUID

from matchledger.events import Entry, EventDescribed, Stage
from matchledger.ledger import Ledger
from matchledger.service.redaction import Discretion
from matchledger.service.sign_up import is_open
from matchledger.web.public.places import letter_of, ranked, rows_of
from matchledger.web.public.timing import Timing, timing
from matchledger_projections.divisions.tables import DivisionTable
from matchledger_projections.document import Document, document
from matchledger_projections.record.desk_calls import Call, calls
from matchledger_projections.record.erasures import description, erased, has_page
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.bracket import Bracket, brackets, round_name
from matchledger_projections.stages.placing import Place, champions, places_by_division
from matchledger_projections.standings.standings import Row, Standings, standings
from matchledger_projections.views.sight import title


class Hall:
    """A tournament at one moment.

    `whole` and `log` are the full record and log. `record` and `entries` have no private data.
    """

    def __init__(self, whole: Record, read: Callable[[], Sequence[Entry]], discretion: Discretion) -> None:
        """`whole` belongs to the hall and changes no more. `read` reads its entries, from the first one on."""
        self.whole = whole
        self._read = read
        self.discretion = discretion
        self.position = whole.position

    @cached_property
    def log(self) -> Sequence[Entry]:
        """The entries, read when a page first asks for them: most pages need none."""
        return self._read()

    @property
    def known_log(self) -> Sequence[Entry]:
        """The entries read so far."""
        found: Sequence[Entry] = self.__dict__.get("log", ())
        return found

    @cached_property
    def record(self) -> Record:
        """The record, with public names."""
        return self.discretion.record(self.whole)

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """The public entries by position, in order, without private data."""
        return {entry.position: entry for entry in self.discretion.entries(self.log, self.record)}

    @property
    def title(self) -> str:
        return title(self.record)

    @cached_property
    def description(self) -> EventDescribed:
        """The organizer's text about the event."""
        return description(self.whole)

    @cached_property
    def has_page(self) -> bool:
        """Whether the event has a page of its own."""
        return has_page(self.whole)

    @cached_property
    def signs_up(self) -> bool:
        """Whether people may put their names on the waiting list."""
        return is_open(self.whole)

    @cached_property
    def rulebook(self) -> Rulebook:
        return self.whole.rulebook

    @cached_property
    def now(self) -> Round | None:
        """The round in play, or the last one."""
        return self.whole.current_round

    @cached_property
    def standings(self) -> Standings:
        """The standings after the last finished Swiss round."""
        return standings(self.whole)

    @cached_property
    def provisional(self) -> Standings:
        """The standings with the finished tables of the round in progress."""
        latest = self.whole.latest_round()
        if latest is None or latest.number == self.standings.round:
            return self.standings
        return standings(self.whole, latest.number)

    @cached_property
    def ranked(self) -> list[DivisionTable]:
        """The standings after the last finished Swiss round, one table for each division that plays apart."""
        return ranked(self.whole)

    @cached_property
    def rows(self) -> dict[int, Row]:
        """The lines of the standings, by player, best first. The place is the place within the division."""
        return rows_of(self.ranked)

    @cached_property
    def champions(self) -> list[tuple[str | None, int]]:
        """The winners by division: of the final, or of the last Swiss round of a closed event."""
        return list(champions(self.whole).items())

    @cached_property
    def places(self) -> list[tuple[str | None, list[Place]]]:
        """The known final places by division; none before the elimination stage."""
        if not self.whole.rounds("elimination") and self.whole.closing is None:
            return []
        return places_by_division(self.whole)

    @cached_property
    def place(self) -> dict[int, Place]:
        """The final place of each player, once it is decided."""
        return {place.player: place for _, found in self.places for place in found if place.decided and place.first}

    @cached_property
    def is_over(self) -> bool:
        """Whether no game is left to play: the event is closed, or every final is decided."""
        return self.whole.closing is not None or bool(self.brackets and all(one.is_over for one in self.brackets))

    @cached_property
    def disqualified(self) -> frozenset[int]:
        """The disqualified players."""
        left = self.whole.movements
        return frozenset(player for player in left if self.whole.status(player) == "disqualified")

    def letter(self, player: int) -> str:
        """The division of a player as a letter; "" without a division."""
        return letter_of(self.whole, player)

    @cached_property
    def calls(self) -> dict[tuple[Stage, int, int, int | None], Call]:
        """The last call about each result, by stage, round, table and the disputed entry."""
        return {
            (call.fact.stage, call.fact.round, call.fact.table, call.fact.disputes): call
            for call in calls(self.whole)
        }

    @cached_property
    def brackets(self) -> list[Bracket]:
        """The drawn brackets: one, or one for each division with its own cut."""
        return brackets(self.whole)

    @cached_property
    def timing(self) -> Timing | None:
        """The clock of the round in progress."""
        return timing(self.whole)

    def round_name(self, number: int, player: int | None = None) -> str:
        """The name of an elimination round, in a player's own bracket if one is given."""
        return round_name(self.brackets, number, player)

    def document(self, view: object) -> Document:
        """A view as its document, with the public names and entries."""
        made: Document = document(view, self.record, self.entries.get)
        return made

    def name(self, player: int) -> str:
        """A player's public name."""
        return self.record.players[player].name


class Halls:
    """The present hall of every tournament, each made once per change. Only for the thread of the ledger."""

    def __init__(self, divisions: Iterable[str] = ()) -> None:
        """`divisions` are shown by initials."""
        self._discretion = Discretion.about(divisions)
        self._halls: dict[UUID, Hall] = {}

    def now(self, ledger: Ledger, tournament: UUID) -> Hall:
        """The hall of the present log."""
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


def _log(ledger: Ledger, tournament: UUID, known: Sequence[Entry], through: int) -> Sequence[Entry]:
    """The entries of a log; some of them were read before."""
    return [*known, *ledger.entries(tournament, after=len(known), through=through)]
