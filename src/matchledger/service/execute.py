"""Execute a command, or preview a command: the command line, the pages and the API all use these functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from msgspec import Struct

from matchledger.commands.chance import decide_on_basis
from matchledger.commands.command import Command, Context, Moved
from matchledger.commands.draft import Clerk, Decision
from matchledger.commands.refusal import AlreadyReported, Refusal
from matchledger.events import AnyFact, Entry, SlipRefused
from matchledger.ledger import Contradiction, Ledger
from matchledger.ledger.problems import after_recording
from matchledger.notation.problems import UsageProblem
from matchledger.proof.keys import SigningKey
from matchledger.service.warnings import warnings
from matchledger.text.labels import objection_line
from matchledger_projections.message import Sentence, no_entry
from matchledger_projections.record.record import Record

if TYPE_CHECKING:
    from matchledger.service.preview import Foreseen
    from matchledger_projections.pairing.check import Objection

CHECKPOINT = "/checkpoint"  # the suffix of a posting's command id, for the checkpoint that signs the posting


class Request(Struct, frozen=True):
    """A command with its surroundings: the clerk, its id, and the reason for the log.

    `seen` is the position that a preview showed. If the log has grown since the preview, nothing is recorded, and
    Moved is raised, unless the command stands alone. `pairing` is the position of the entry that paired the round
    on the clerk's page. If a later round has been paired since, a command about the current round raises Moved.
    """

    command: Command
    clerk: Clerk
    id: str | None = None
    reason: str | None = None
    seen: int | None = None
    pairing: int | None = None


class Done(Struct, frozen=True):
    """The recorded entries.

    `repeated` says that nothing new was recorded, because the same id was executed before or the `same` slip was
    recorded before.

    `warnings` are sentences to show to the clerk, and `signed` is the entry of the checkpoint after a posting.
    """

    record: Record
    entries: Sequence[Entry]
    repeated: bool
    warnings: Sequence[Sentence] = ()
    signed: Entry | None = None
    same: bool = False


def execute(ledger: Ledger, tournament: UUID, request: Request, *, key: SigningKey | None = None) -> Done:
    """Record the facts of a command.

    When the function returns, the entries are on the disk.

    With a `key`, sign a checkpoint after standings are posted. Raises UsageProblem for an unclear command, Moved,
    and the errors of `Ledger.decide`.
    """
    command = request.command
    command.need_reason(request.reason)
    decided = _decision(ledger, tournament, request)
    facts: list[AnyFact] = []

    def decision(record: Record) -> Sequence[AnyFact]:
        if request.seen is not None and record.position > request.seen:
            if not command.stands_alone:
                raise Moved
            _need_same_facts(ledger.record_as_of(tournament, request.seen), record, decided)
        facts[:] = decided(record)
        objections = _objections(record, facts) if command.pairs else ()
        found[:] = [objection_line(record, objection) for objection in objections]
        found.extend(_people_waiting(ledger, tournament) if command.pairs else ())
        if not command.is_slip:
            found.extend(_passed_over(record, facts))
        return facts

    found: list[Sentence] = []
    repeated = request.id is not None and request.id in ledger.record(tournament).commands
    try:
        entries = ledger.decide(
            tournament, decision, clerk=request.clerk, command=request.id, reason=request.reason
        )
    except AlreadyReported as problem:
        if problem.kept is None and command.is_slip:
            there = ledger.entry(tournament, problem.entry)
            return Done(ledger.record(tournament), [there], repeated=True, same=True)
        if problem.kept is None:
            raise
        kept = ledger.entry(tournament, problem.kept)
        assert isinstance(kept.fact, SlipRefused)  # noqa: S101 - the decision found it among the refused slips
        raise Contradiction(kept, kept.fact) from None
    with after_recording([entry.position for entry in entries]):
        return _answered(ledger, tournament, request, entries, found, repeated=repeated, key=key)


def _answered(
    ledger: Ledger,
    tournament: UUID,
    request: Request,
    entries: Sequence[Entry],
    found: Sequence[Sentence],
    *,
    repeated: bool,
    key: SigningKey | None,
) -> Done:
    """Return the recorded entries with their warnings. With a key, sign a checkpoint after a posting."""
    signed = None
    if key is not None and request.command.signed:  # a repeated command finds the checkpoint of its first attempt
        from matchledger.ledger import sign_checkpoint  # noqa: PLC0415 - only signing needs it

        behind = None if request.id is None else f"{request.id}{CHECKPOINT}"
        signed = sign_checkpoint(ledger, tournament, key, clerk=request.clerk, command=behind)
    record = ledger.record(tournament)
    said = list(dict.fromkeys(found))
    return Done(record, entries, repeated, [*said, *warnings(record, entries)], signed)


def _need_same_facts(then: Record, record: Record, decided: Decision) -> None:
    """Raise Moved if a round was paired or taken back since the preview, or if the decision differs."""
    rounds = [None if (round_ := one.current_round) is None else round_.position for one in (then, record)]
    try:
        same = rounds[0] == rounds[1] and decided(then) == decided(record)
    except (Refusal, UsageProblem):
        same = False
    if not same:
        raise Moved


def preview(ledger: Ledger, tournament: UUID, request: Request, *, cut: int | None = None) -> Foreseen:
    """Return the entries that a command would record, and the changes. Nothing is recorded. `cut` is the size of
    the cut to assume if no cut is announced.
    """
    from matchledger.service.preview import foresee  # noqa: PLC0415 - only a preview needs it

    return foresee(
        ledger,
        tournament,
        _decision(ledger, tournament, request),
        clerk=request.clerk,
        reason=request.reason,
        command=request.id,
        cut=cut,
    )


def _decision(ledger: Ledger, tournament: UUID, request: Request) -> Decision:
    context = context_of(ledger, tournament, request.clerk, request.reason, request.pairing)

    def decision(record: Record) -> Sequence[AnyFact]:
        if request.command.in_play:
            context.need_same_round(record)
        return decide_on_basis(request.command, record, context)

    return decision


def _passed_over(record: Record, facts: Sequence[AnyFact]) -> Iterator[Sentence]:
    """Yield the open questions that these facts leave open, because a reason was given."""
    from matchledger_projections.stages.departures import left_open  # noqa: PLC0415 - slips pass over none

    for fact in facts:
        yield from left_open(record, fact)


def _objections(record: Record, facts: Sequence[AnyFact]) -> Sequence[Objection]:
    from matchledger.service.next_round import objections_to  # noqa: PLC0415 - only previews need it

    return objections_to(record, facts)


def _people_waiting(ledger: Ledger, tournament: UUID) -> Iterator[Sentence]:
    from matchledger.service.next_round import people_waiting  # noqa: PLC0415 - only a pairing needs it

    return people_waiting(ledger, tournament)


def context_of(
    ledger: Ledger, tournament: UUID, clerk: Clerk, reason: str | None = None, pairing: int | None = None
) -> Context:
    """Return the context of a command: what the command needs from its tournament besides the record."""

    def entry(position: int) -> Entry:
        size = ledger.head(tournament).size
        if position > size:
            raise UsageProblem(no_entry(position, size))
        return ledger.entry(tournament, position)

    return Context(
        secret=lambda: ledger.secret(tournament),
        entry=entry,
        replay=lambda position: ledger.record_as_of(tournament, position),
        leaves=lambda positions: ledger.leaves(tournament, positions),
        clerk=clerk,
        reason=reason,
        pairing=pairing,
    )
