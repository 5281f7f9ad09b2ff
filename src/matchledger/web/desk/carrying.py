"""Carrying out: a command of somebody at the desk, or of a program, in that name, and once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from matchledger.commands.refusal import AlreadyReported
from matchledger.commands.registry import Command, PairByHand, PairRound, PostStandings, need_reason
from matchledger.events import Entry
from matchledger.evidence.erasure import names_left
from matchledger.ledger import Clerk, Conflict, Contradiction, Ledger, sign_checkpoint
from matchledger.proof.checkpoint import SigningKey
from matchledger.service.context import context_of
from matchledger.service.next_round import Checked
from matchledger.service.preview import Foreseen, foresee, if_unmoved
from matchledger.text.labels import objection_line
from matchledger_projections.narration import tell

CHECKPOINT = "/checkpoint"  # behind the id of a command whose posting was signed for


@dataclass(frozen=True, slots=True)
class Asked:
    """A command with what stands beside it: its id, the reason for the log, and the log that somebody looked at.

    `seen` is the position of a preview: on a log that has grown since, nothing is recorded, and Moved is raised.
    """

    command: Command
    id: str
    reason: str | None = None
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What was recorded, in words as well; `repeated` says that the same id had been carried out before."""

    entries: Sequence[Entry]
    repeated: bool
    said: Sequence[str]
    warnings: Sequence[str]
    position: int


class TableTaken(Conflict):
    """Another station was first with the slip of a table; `other` is its entry, `said` what it says.

    `refused` is the position of the entry that keeps a slip that says otherwise.
    """

    def __init__(self, message: str, other: Entry, said: str, refused: int | None = None) -> None:
        super().__init__(message)
        self.other = other
        self.said = said
        self.refused = refused


def carry_out(
    ledger: Ledger, tournament: UUID, clerk: Clerk, asked: Asked, *, key: SigningKey | None = None
) -> Done:
    """Records what a command leads to. It is on disk when this returns.

    With a `key`, standings that are posted are signed for by a checkpoint. Raises what `Ledger.decide` raises,
    UsageProblem, Moved, and TableTaken for a table that has its slip.
    """
    need_reason(asked.command, asked.reason)
    decision = asked.command.said_by(clerk).decision(context_of(ledger, tournament, clerk))
    checked = Checked(decision)
    if isinstance(asked.command, (PairRound, PairByHand)):
        decision = checked
    if asked.seen is not None:
        decision = if_unmoved(decision, asked.seen)
    repeated = asked.id in ledger.record(tournament).commands
    try:
        entries = ledger.decide(tournament, decision, clerk=clerk, command=asked.id, reason=asked.reason)
    except AlreadyReported as problem:
        raise _taken(ledger, tournament, problem, problem.entry) from None
    except Contradiction as problem:
        raise _taken(ledger, tournament, problem, problem.contradicted, problem.entry.position) from None
    if key is not None and isinstance(asked.command, PostStandings) and not repeated:
        sign_checkpoint(ledger, tournament, key, clerk=clerk, command=f"{asked.id}{CHECKPOINT}")
    record = ledger.record(tournament)
    return Done(
        entries,
        repeated,
        [tell(record, entry.fact) for entry in entries],
        [*(objection_line(record, objection) for objection in checked.objections), *names_left(record, entries)],
        record.position,
    )


def _taken(
    ledger: Ledger, tournament: UUID, problem: Exception, first: int, refused: int | None = None
) -> TableTaken:
    other = ledger.entry(tournament, first)
    return TableTaken(problem.args[0], other, tell(ledger.record(tournament), other.fact), refused)


def look_ahead(ledger: Ledger, tournament: UUID, clerk: Clerk, asked: Asked) -> Foreseen:
    """What a command would record and change; nothing is recorded."""
    decision = asked.command.said_by(clerk).decision(context_of(ledger, tournament, clerk))
    return foresee(ledger, tournament, decision, clerk=clerk, reason=asked.reason)
