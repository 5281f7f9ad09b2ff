"""Verification: check a log against its hashes and signatures, and repeat its draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated
from uuid import UUID

from msgspec import Struct

from matchledger.ledger import Ledger
from matchledger.ledger import verify as findings_of
from matchledger.ledger.signing import sighting_of
from matchledger.ledger.verification import Finding
from matchledger.proof.checkpoint import SignedNote
from matchledger.proof.keys import VerificationKey
from matchledger.proof.merkle import TreeHead
from matchledger.service.window import Window
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.pairing.rederivation import Rederivation, rederive
from matchledger_projections.record.record import Record
from matchledger_projections.views.sight import Asked, answers
from matchledger_projections.views.verification import FindingLine, VerificationPage, WitnessLine, draws_page


class Verified(Struct, frozen=True):
    """The findings and the repeated draws. `draws` is None if the draws were not repeated."""

    head: TreeHead
    findings: list[Finding]
    drawn: Rederivation | None
    page: VerificationPage


def verification(
    ledger: Ledger,
    tournament: UUID,
    *,
    known: TreeHead | None = None,
    note: SignedNote | None = None,
    keys: Iterable[VerificationKey] = (),
    draws: bool = False,
    others: bool = True,
) -> Verified:
    """Check a log against its hashes and signatures. With `draws`, repeat the draws of an undamaged log too."""
    findings = findings_of(ledger, tournament, known=known, note=note, keys=list(keys), others=others)
    head = ledger.head(tournament)
    signers = [] if findings else sorted({fact.key for _, fact in ledger.record(tournament).checkpoints})
    drawn = draws_again(ledger, tournament) if draws and not is_damaged(findings) else None
    page = VerificationPage(
        head.size,
        head.root.hex(),
        signers,
        tuple(FindingLine(finding.position, finding.what) for finding in findings),
        () if findings else tuple(witnessed(ledger.record(tournament))),
        None if drawn is None else draws_page(drawn),
    )
    return Verified(head, findings, drawn, page)


def is_damaged(findings: Iterable[Finding]) -> bool:
    return any(finding.damage for finding in findings)


def witnessed(record: Record) -> Iterator[WitnessLine]:
    """Yield the sightings of witnesses, in the order of the log."""
    notes = {at: SignedNote.parse(fact.note) for at, fact in record.checkpoints}
    for _, fact in record.cosignatures:
        seen = sighting_of(fact, notes.get(fact.checkpoint))
        if seen is not None:
            yield WitnessLine(fact.key, seen.size, seen.at)


def draws_again(ledger: Ledger, tournament: UUID) -> Rederivation:
    """Repeat every draw of a log, with all checks that this ledger's data allow."""
    leaves = ledger.leaves(tournament, range(1, ledger.head(tournament).size + 1))
    held = ledger.recorder.sealed_secret(tournament)
    return rederive(list(ledger.entries(tournament)), held=held, leaves=leaves)


@answers("verify", "staff", slow=True, timeless=True)
def verify(
    window: Window,
    *,
    head: Annotated[
        str | None, Asked("A tree head from outside, such as on posted standings.", longest=200)
    ] = None,
    pairings: Annotated[bool, Asked("Make every draw again as well: rounds, and ties.")] = False,
) -> VerificationPage:
    """Check each entry against its hash, each checkpoint against its key, and the log against each checkpoint."""
    return verification(window.ledger, window.tournament, known=tree_head(head), draws=pairings).page


def tree_head(text: str | None) -> TreeHead | None:
    """Return the tree head in a printed text, or None without a text. Raises UsageProblem for a text that is not a
    tree head.
    """
    try:
        return None if text is None else TreeHead.parse(text)
    except ValueError:
        raise UsageProblem(
            sentence("%(text)r is not a tree head: write SIZE:ROOT, as on posted standings", text=text)
        ) from None
