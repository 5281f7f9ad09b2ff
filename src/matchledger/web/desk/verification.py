"""Verification at the desk: check the whole log against its hashes, its signatures and its own draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from matchledger.ledger import Ledger, verify
from matchledger.ledger.verification import Finding
from matchledger.notation.problems import UsageProblem
from matchledger.proof.merkle import TreeHead
from matchledger.service.verification import draws_again, witnessed
from matchledger_projections.message import sentence
from matchledger_projections.pairing.rederivation import Rederivation
from matchledger_projections.record.record import Record
from matchledger_projections.views.verification import WitnessLine


class Verified(Struct, frozen=True):
    """The result of the verification of a log.

    `head` is the tree head of the log, as printed on posted sheets. `known` is the tree head from outside with
    which the log was compared, or None. `draws` counts the repeated draws by verdict. `revelation` says whether
    the secret of the draws is known, or is None if no draws were repeated. `beacon_unchecked` says that draws
    depend on a beacon whose signature was not checked.
    """

    size: int
    head: str
    findings: Sequence[Finding]
    signers: Sequence[str]
    witnesses: Sequence[WitnessLine]
    checkpoints: int
    postings: int
    known: str | None
    draws: dict[str, int] | None
    different: Sequence[str]
    revelation: str | None
    beacon_unchecked: bool = False

    @property
    def holds(self) -> bool:
        return not self.findings and not self.different and self.revelation != "not the one committed to"


def verified(ledger: Ledger, tournament: UUID, *, head: str | None, draws: bool) -> Verified:
    """Check a log from its first entry to its last. Raises UsageProblem for an invalid tree head."""
    known = _read_head(head)
    findings = verify(ledger, tournament, known=known)
    now = ledger.head(tournament)
    if findings:
        return Verified(now.size, str(now), findings, (), (), 0, 0, head, None, (), None)
    record = ledger.record(tournament)
    drawn = draws_again(ledger, tournament) if draws else None
    return Verified(
        now.size,
        str(now),
        (),
        sorted({fact.key for _, fact in record.checkpoints}),
        tuple(witnessed(record)),
        len(record.checkpoints),
        len(record.postings),
        head,
        None if drawn is None else dict(Counter(draw.verdict for draw in drawn.draws)),
        () if drawn is None else _different(drawn),
        None if drawn is None else drawn.revelation,
        drawn is not None and "beacon signature" in drawn.unchecked,
    )


class LastCheckpoint(Struct, frozen=True):
    """The last signed checkpoint: its entry, the printable note, and the key that verifies it.

    `entries` is the number of later entries, which no checkpoint covers yet.
    """

    position: int
    note: str
    key: str
    entries: int


def last_checkpoint(record: Record) -> LastCheckpoint | None:
    """Return the last checkpoint with its key, or None before the first checkpoint."""
    if not record.checkpoints:
        return None
    position, fact = record.checkpoints[-1]
    return LastCheckpoint(position, fact.note, fact.key, record.position - position)


def _read_head(text: str | None) -> TreeHead | None:
    if not text:
        return None
    try:
        return TreeHead.parse(text)
    except ValueError:
        raise UsageProblem(
            sentence("%(text)r is not a tree head: copy it in full from the posted standings", text=text)
        ) from None


def _different(drawn: Rederivation) -> list[str]:
    """Return one line for each draw whose result in the log differs from the repeated draw."""
    return [
        f"entry {draw.position}: {'; '.join(draw.differences)}"
        for draw in drawn.draws
        if draw.verdict == "different"
    ]
