"""Views that need a ledger or a clock: the log, slips and their second pass, postings, a round's clock, and a
repair.
"""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import Struct
from pydantic import BaseModel

from matchledger.commands.refusal import Refusal
from matchledger.commands.repairs import plan_repair, repair_clock
from matchledger.commands.round_clock import round_in_play
from matchledger.commands.written import slip_of
from matchledger.events import Entry, Stage
from matchledger.ledger import now, shown
from matchledger.notation.outcomes import read_outcome
from matchledger.notation.slip_code import SlipCode
from matchledger.proof.station_token import StationToken, TokenRefused, TokenRole
from matchledger.service.window import Window
from matchledger.text.translation import SOURCE, told
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.narration import tell_slip
from matchledger_projections.pairing.repair import RepairPlan
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.views.clocks import ClockPage, clock_page
from matchledger_projections.views.sheets import MOST, PostedSheet, SlipsSheet, last_posting, posted_sheet, slips_of
from matchledger_projections.views.sight import Asked, answers
from matchledger_projections.views.tables import OfStage

LONGEST_PAGE = 1000  # entries


@answers("entries", timeless=True)
def entries(
    window: Window,
    *,
    after: Annotated[int, Asked("Begin behind this position.", least=0, most=10**9)] = 0,
    limit: Annotated[int, Asked("How many positions.", least=1, most=LONGEST_PAGE)] = 100,
) -> list[Entry]:
    """Return a page of the log: the entries after `after`, at most `limit` positions."""
    page = window.ledger.entries(window.tournament, after=after, through=after + limit)
    return list(window.shown(page))


# -- rounds


def round_on_clock(window: Window, stage: Stage | None) -> Round:
    """Return the requested round, or the current round. Raises UsageProblem."""
    record = window.whole
    round_ = round_in_play(record) if window.round is None else record.round(window.round, stage or "swiss")
    if round_ is None:
        raise UsageProblem(sentence("no round is paired at that moment"))
    return round_


@answers("clock", fresh=True)
def clock(window: Window, *, stage: OfStage = None) -> ClockPage:
    """Return the present state of the clock of the current round or of a requested round."""
    return clock_page(window, round_on_clock(window, stage), now())


@answers("sheets/slips", "staff")
def slips(
    window: Window,
    *,
    table: Annotated[tuple[int, ...], Asked("Of these tables; of all.", longest=MOST)] = (),
    stage: OfStage = None,
) -> SlipsSheet:
    """Return the data of a round's printed slips."""
    return slips_of(window.record, window.need_round(stage), code_of(window.record), table)


def code_of(record: Record) -> SlipCodes:
    """Return the content of the QR code on a table's slip, by round and table."""
    assert record.tournament is not None  # noqa: S101 - a round belongs to a tournament
    return SlipCodes(record.tournament)


class SlipCodes(Struct, frozen=True):
    """The codes of a tournament's slips."""

    tournament: UUID

    def __call__(self, round_: Round, table: int) -> str:
        return str(SlipCode(self.tournament, round_.stage, round_.number, table))


@answers("sheets/standings")
def posting(window: Window) -> PostedSheet:
    """Return standings exactly as posted, with their signed checkpoint."""
    position, posted = last_posting(window.whole, window.round)
    return posted_sheet(
        window.record,
        position,
        posted,
        posted_at=window.ledger.entry(window.tournament, position).recorded_at,
        tree_head=str(window.ledger.head(window.tournament, position)),
    )


@answers("repair", "staff", timeless=True)
def repair(
    window: Window,
    *,
    round_: Annotated[
        int | None, Asked("The round; by default the last round.", least=1, most=999_999, name="round")
    ] = None,
) -> RepairPlan:
    """Return the options for a round that was paired from a wrong slip."""
    return plan_repair(window.whole, clock=repair_clock(window.whole), number=round_)


# -- tokens


class TakenToken(Struct, frozen=True):
    """The contents of a token, in the form that `matchledger token show --json` prints."""

    taken: Literal[True]
    id: str
    role: TokenRole
    actor: str
    station: str
    tournament: UUID | None
    issued: datetime
    not_before: datetime
    expires: datetime
    once: bool
    key: str


class RefusedToken(Struct, frozen=True):
    """The reason why a token is refused."""

    taken: Literal[False]
    problem: str


def token(record: Record, tournament: UUID, text: str) -> tuple[StationToken | None, dict[str, object]]:
    """Return a document about a token: its contents, or the reason why it is refused."""
    try:
        found = shown(record, tournament, text, now())
    except TokenRefused as refused:
        return None, {"taken": False, "problem": str(refused)}
    return found, {"taken": True, **found.model_dump(mode="json")}


class Comparison(BaseModel):
    """A typed slip that is compared with the log. `recorded` is None if the table has no result yet."""

    table: int
    agrees: bool
    typed: str
    recorded: str | None
    entry: int | None


def compare(
    record: Record,
    table: int,
    outcome: str,
    language: str = SOURCE,
    *,
    round_: int | None = None,
    stage: Stage = "swiss",
) -> Comparison:
    """Compare a slip with the log's result for its table, in a given round or in the current round. Raises the
    same errors as the report of a slip: UsageProblem and Refusal.
    """
    where = record.current_round if round_ is None else record.round(round_, stage)
    players = None if where is None else where.tables.get(table)
    if where is None or players is None:
        raise Refusal(sentence("there is no table %(table)s in this round", table=table))
    typed = slip_of(record.rulebook, players, read_outcome(outcome.split(), record.rulebook), where.stage)
    report = where.report(table, players)
    return Comparison(
        table=table,
        agrees=report is not None and report.slip.model_copy(update={"tiebreak": None}) == typed,
        typed=told(tell_slip(record, players, typed), language),
        recorded=None if report is None else told(tell_slip(record, players, report.slip), language),
        entry=None if report is None else report.position,
    )
