"""The page of phones: what players may do with their own phones, their requests, and the check-in."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from matchledger.commands.phones import of_reporting
from matchledger.events import PhoneUse, Stage
from matchledger.ledger import Ledger
from matchledger.web.desk.state import latest_round
from matchledger_projections.narration import tell_slip
from matchledger_projections.narration.phones import USES
from matchledger_projections.record.phones import checked_in, contested, open_requests, phones_may, places
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import RequestLine, request_lines


@dataclass(frozen=True, slots=True)
class Asking:
    """A player who waits for a person: the request, its time, and the table."""

    line: RequestLine
    name: str
    since: str


@dataclass(frozen=True, slots=True)
class ContestedTable:
    """A table whose players disagree: the claim of each."""

    stage: Stage
    round: int
    table: int
    said: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class PhonesView:
    """What players may do, who waits, and who has not checked in. `missing` is None once a round is paired."""

    uses: dict[PhoneUse, str]
    may: frozenset[PhoneUse]
    asking: list[Asking]
    contested: list[ContestedTable]
    missing: list[tuple[int, str]] | None
    here: int
    is_departure: bool
    places: int | None


def phones_view(ledger: Ledger, tournament: UUID) -> PhonesView:
    """The state of the players' phones for the desk."""
    record = ledger.record(tournament)
    here = checked_in(record)
    active = record.active_players()
    names = [(player.number, player.name) for player in active if player.number not in here]
    missing = sorted(names, key=lambda one: one[1].casefold())
    return PhonesView(
        USES,
        phones_may(record),
        [_asking(ledger, tournament, record, line) for line in request_lines(record)],
        contested_tables(record),
        missing if latest_round(record) is None else None,
        sum(player.number in here for player in active),
        bool(of_reporting(record)),
        places(record),
    )


def contested_tables(record: Record) -> list[ContestedTable]:
    """The tables of the round in play whose players disagree by phone."""
    round_ = latest_round(record)
    found = []
    for pair in [] if round_ is None else contested(record, round_):
        facts = [fact for _, fact in pair]
        said = [(record.players[fact.by].name, tell_slip(record, fact.players, fact.slip)) for fact in facts]
        found.append(ContestedTable(facts[0].stage, facts[0].round, facts[0].table, said))
    return found


def waiting(record: Record) -> int:
    """The number of players who wait, or who disagree with their opponent."""
    return len(open_requests(record)) + len(contested_tables(record))


def _asking(ledger: Ledger, tournament: UUID, record: Record, line: RequestLine) -> Asking:
    recorded = ledger.entry(tournament, line.position).recorded_at.astimezone()
    return Asking(line, record.players[line.by].name, recorded.strftime("%H:%M"))
