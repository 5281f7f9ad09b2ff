"""Verification as it is asked for: whether a log holds, and whether its draws come out again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from matchledger.documents.document import Document
from matchledger.documents.pairing import rederivation_document
from matchledger.ledger import Ledger, verify
from matchledger.ledger.verification import Finding
from matchledger.notation.problems import UsageProblem
from matchledger.proof.checkpoint import SignedNote, VerificationKey
from matchledger.proof.merkle import TreeHead
from matchledger_projections.message import sentence
from matchledger_projections.pairing.rederivation import Rederivation, rederive


class Verified(NamedTuple):
    """What a log was held against, and what was found; `drawn` is None where the draws were not made again."""

    head: TreeHead
    signers: Sequence[str]
    findings: Sequence[Finding]
    drawn: Rederivation | None
    document: Document


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
    """Holds a log against its hashes and signatures, and if that holds, its draws against themselves."""
    findings = verify(ledger, tournament, known=known, note=note, keys=list(keys), others=others)
    head = ledger.head(tournament)
    signers = [] if findings else sorted({fact.key for _, fact in ledger.record(tournament).checkpoints})
    drawn = rederive(list(ledger.entries(tournament))) if draws and not findings else None
    document: Document = {
        "size": head.size,
        "root": head.root.hex(),
        "keys": signers,
        "findings": [{"position": finding.position, "what": finding.what} for finding in findings],
    }
    if drawn is not None:
        document["pairings"] = rederivation_document(ledger.record(tournament), drawn)
    return Verified(head, signers, findings, drawn, document)


def tree_head(text: str | None) -> TreeHead | None:
    """A tree head as it is printed. Raises UsageProblem for what is none."""
    try:
        return None if text is None else TreeHead.parse(text)
    except ValueError:
        raise UsageProblem(
            sentence("%(text)r is not a tree head: it is SIZE:ROOT, as printed on posted standings", text=text)
        ) from None
