"""Questions about results: two reports by phone that differ, two slips that differ, and calls about a result."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from matchledger.commands.retraction import who_may_retract
from matchledger.commands.written import slip_of
from matchledger.events import DeskCalled, Entry, ResultClaimed, Role, Slip, SlipRefused, Stage, Two
from matchledger.events.phones import Claim
from matchledger.ledger import Ledger
from matchledger.notation.outcomes import outcome_keys, read_outcome
from matchledger.web.desk.state import latest_round
from matchledger_projections.conduct.permissions import who_may
from matchledger_projections.narration import tell_slip
from matchledger_projections.record.desk_calls import open_calls, open_contradictions
from matchledger_projections.record.phones import contested, same_result
from matchledger_projections.record.record import Record

Kind = Literal["reports", "slips", "result"]
_Asking = ResultClaimed | SlipRefused | DeskCalled


class Version(Struct, frozen=True):
    """A result that somebody gives for a match, in words. `by` is the player who reported it by phone.

    `outcome` is the same result as a slip's author types it, or None if no key of the pad means it.
    """

    entry: Entry
    by: int | None
    said: str
    outcome: str | None


class Question(Struct, frozen=True):
    """A question about the result of a match, asked in the entry at `position`.

    `versions` are the results that differ. For a call, `versions` has the recorded result, if any, and `by` and
    `claim` are the player and what the player says. `settled_by` and `corrected_by` are the roles that may settle
    the question at once, and that may correct the result.
    """

    kind: Kind
    position: int
    since: datetime
    stage: Stage
    round: int
    table: int
    players: Two
    versions: list[Version]
    settled_by: tuple[Role, ...]
    corrected_by: tuple[Role, ...]
    by: int | None = None
    claim: Claim | None = None


def questions(ledger: Ledger, tournament: UUID, record: Record) -> list[Question]:
    """Return the open questions about results: reports first, then slips, then calls, each kind in order."""
    return list(_Questions(ledger, tournament, record).all())


class _Questions:
    """Reads the open questions from a record, with the entries of the ledger."""

    def __init__(self, ledger: Ledger, tournament: UUID, record: Record) -> None:
        self._ledger, self._tournament, self._record = ledger, tournament, record

    def all(self) -> Iterator[Question]:
        """Yield the questions."""
        record, rules = self._record, self._record.rulebook
        latest = latest_round(record)
        may_report, may_answer = (who_may(rules, action).everybody for action in ("report", "answer-call"))
        for pair in [] if latest is None or record.closing is not None else contested(record, latest):
            position, fact = max(pair, key=lambda claim: claim[0])
            versions = [self._version(*claim) for claim in pair]
            yield self._question("reports", position, fact, versions, may_report)
        for position, refused in open_contradictions(record):
            versions = [*self._recorded(refused), self._version(position, refused)]
            may_retract = who_may_retract(record, position, refused)
            yield self._question("slips", position, refused, versions, may_retract)
        for call in open_calls(record):
            versions = list(self._recorded(call.fact))
            yield self._question("result", call.position, call.fact, versions, may_answer)

    def _question(
        self, kind: Kind, position: int, fact: _Asking, versions: list[Version], may: tuple[Role, ...]
    ) -> Question:
        return Question(
            kind,
            position,
            self._entry(position).recorded_at,
            fact.stage,
            fact.round,
            fact.table,
            fact.players,
            versions,
            may,
            who_may(self._record.rulebook, "correct").everybody,
            *((fact.by, fact.claim) if isinstance(fact, DeskCalled) else ()),
        )

    def _version(self, position: int, fact: ResultClaimed | SlipRefused) -> Version:
        by = fact.by if isinstance(fact, ResultClaimed) else None
        return self._said(position, by, fact.players, fact.slip, fact.stage)

    def _recorded(self, fact: SlipRefused | DeskCalled) -> Iterator[Version]:
        """Yield the recorded result that a slip or a call is about, if the log has one."""
        round_ = self._record.round(fact.round, fact.stage)
        report = None if round_ is None else round_.report(fact.table, fact.players)
        if report is not None:
            yield self._said(report.position, None, report.players, report.slip, fact.stage)

    def _said(self, position: int, by: int | None, players: Two, slip: Slip, stage: Stage) -> Version:
        rules = self._record.rulebook
        meant = (
            key.outcome
            for key in outcome_keys(rules, stage)
            if same_result(slip_of(rules, players, read_outcome(key.outcome.split(), rules), stage), slip)
        )
        return Version(self._entry(position), by, tell_slip(self._record, players, slip), next(meant, None))

    def _entry(self, position: int) -> Entry:
        return self._ledger.entry(self._tournament, position)
