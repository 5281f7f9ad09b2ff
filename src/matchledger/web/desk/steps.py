"""The next step: the state of the event, the open questions, and the one action that continues the event."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.commands.repairs import RepairAdvised
from matchledger.events import Stage
from matchledger.web.desk.state import latest_round
from matchledger_projections.message import Sentence
from matchledger_projections.record.desk_calls import open_calls, open_contradictions
from matchledger_projections.record.phones import open_requests
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE
from matchledger_projections.stages.bracket import brackets, in_elimination
from matchledger_projections.stages.cut import plays_for_order, tie_at_cut
from matchledger_projections.stages.departures import tie_at_end, without_result
from matchledger_projections.views.desk import contested_lines

Action = Literal[
    "register",
    "announce",
    "pair",
    "start",
    "slips",
    "missing",
    "settle",
    "repair",
    "post",
    "draw",
    "order",
    "cut",
    "close",
    "places",
]
# The steps of a round, with the actions of each.
STEPS: tuple[tuple[str, tuple[Action, ...]], ...] = (
    ("slips", ("slips", "missing", "settle")),
    ("post", ("post",)),
    ("pair", ("pair", "repair")),
    ("print", ()),
    ("start", ("start",)),
)


class Ticking(NamedTuple):
    """The clock of the round: when time is called (ISO 8601), or the seconds left while it is stopped."""

    ends: str | None
    left: int | None


class Missing(NamedTuple):
    """A table of an earlier round without a result."""

    stage: Stage
    round: int
    table: int

    @property
    def said(self) -> Sentence:
        """Return the sentence that the table has no result."""
        return without_result(self.stage, self.round, [self.table])


class Step(Struct, frozen=True):
    """The next step at the desk, and the state of the event that it follows from. `round` is None before round 1.
    `of` is the announced number of Swiss rounds. `contested` counts tables with two contradicting slips, and
    `disputed` counts tables with two contradicting reports by phone. `missing` are the tables of earlier rounds
    without a result. `repair` is the advice about the round's repair, even if another step comes first. `tied` says
    what a draw ("draw") or a game ("order") between tied players decides, before the cut or the end.
    """

    action: Action
    stage: Stage
    round: int | None
    of: int | None
    tables: int
    out: int
    contested: int
    disputed: int
    calls: int
    waiting: int
    players: int
    clock: Ticking | None
    is_registration: bool
    missing: tuple[Missing, ...]
    repair: RepairAdvised | None
    tied: Sentence | None

    @property
    def to_settle(self) -> int:
        """Return the number of questions about results: slips or reports that differ, and players' calls."""
        return self.contested + self.disputed + self.calls

    @property
    def current(self) -> str:
        """Return the name of the step in the round to which the next action belongs, or "" outside a round."""
        return next((name for name, actions in STEPS if self.action in actions), "")


def next_step(record: Record, *, repair: RepairAdvised | None = None) -> Step:
    """Return the next step. `repair` is the advice about a posted round that was paired from a result that was
    corrected later.

    A repair is the next step until the first slip of the round is in. After the last slip, only a round of the
    elimination is repaired. A missing result of an earlier round comes before the repair, and before every step
    after the last slip.
    """
    latest = latest_round(record)
    in_play = latest is not None and 0 < len(latest.outstanding) < len(latest.tables)
    missing = tuple(missing_tables(record))
    action = _action(record, latest)
    if not in_play:
        is_due = missing and latest is not None and (repair or not latest.outstanding)
        action = "missing" if is_due else "repair" if repair else action
    tied = tie_at_cut(record) if action == "cut" else tie_at_end(record) if action == "close" else None
    if tied is not None:
        action = "order" if plays_for_order(record) else "draw"
    plan = record.structure
    return Step(
        action,
        "swiss" if latest is None else latest.stage,
        None if latest is None else latest.number,
        None if plan is None or plan.style == "elimination" else plan.rounds or None,
        0 if latest is None else len(latest.tables),
        0 if latest is None else len(latest.outstanding),
        len(open_contradictions(record)),
        len(list(contested_lines(record))),
        len(open_calls(record)),
        len(open_requests(record)),
        len(record.active_players()),
        None if latest is None else _ticking(record, latest),
        latest is None,
        missing,
        repair,
        tied,
    )


def missing_tables(record: Record) -> Iterator[Missing]:
    """Yield the tables of earlier rounds without a result, in order. A closed event waits for no result."""
    for round_ in record.earlier_open_rounds if record.closing is None else ():
        yield from (Missing(round_.stage, round_.number, table) for table in round_.outstanding)


def _action(record: Record, latest: Round | None) -> Action:
    if record.closing is not None:
        return "places"
    if latest is None:
        return _before_round_1(record)
    if open_contradictions(record):
        return "settle"
    if latest.outstanding:
        waits = len(latest.outstanding) == len(latest.tables) and not latest.has_started
        return "start" if waits else "slips"
    if open_calls(record):
        return "settle"
    return _after_round(record, latest)


def _before_round_1(record: Record) -> Action:
    if len(record.active_players()) < 2:  # noqa: PLR2004 - a match has two players
        return "register"
    return "announce" if record.structure is None else "pair"


def _after_round(record: Record, latest: Round) -> Action:
    drawn = brackets(record)
    if drawn and all(one.is_over for one in drawn):
        return "close"
    if latest.stage == "swiss" and not in_elimination(record):
        return _after_swiss(record)
    return "close" if latest.stage == "elimination" and len(latest.tables) == 1 and not drawn else "pair"


def _after_swiss(record: Record) -> Action:
    """Return the next step after a Swiss round has all its results."""
    if not any(fact.round == record.finished_rounds for _, fact in record.postings):
        return "post"
    if not all_rounds_played(record):
        return "pair"
    plan = record.structure
    return "cut" if plan is not None and (plan.cut or any(plan.division_cuts.values())) else "close"


def all_rounds_played(record: Record) -> bool:
    """Return whether every announced Swiss round has ended."""
    plan = record.structure
    if plan is None or plan.style == "elimination" or not plan.rounds:
        return False
    latest = record.latest_round()
    return latest is not None and latest.number >= plan.rounds and not latest.outstanding


def _ticking(record: Record, latest: Round) -> Ticking | None:
    clock = record.clock(latest)
    if clock.seconds is None or clock.origin is None or not latest.outstanding:
        return None
    if clock.paused_since is not None:
        return Ticking(None, clock.remaining(clock.paused_since))
    ends = clock.moment(clock.seconds)
    return None if ends is None else Ticking(ends.isoformat(), None)


def usual_minutes(record: Record) -> int | None:
    """Return the minutes of the last round whose length is known, from the rulebook or from its start, or None."""
    rounds = [*record.rounds(), *record.rounds("elimination")]
    lengths = [record.clock(round_).seconds for round_ in reversed(rounds)]
    return next((seconds // MINUTE for seconds in lengths if seconds is not None), None)
