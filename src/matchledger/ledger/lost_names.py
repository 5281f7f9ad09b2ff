"""Names that cannot be read here: which key file to copy, said wherever somebody asks for a name (C-D7)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from matchledger.ledger.application import Ledger
from matchledger.notation.player_lookup import NoSuchName
from matchledger_projections.message import Sentence, UsageProblem, joined, numbered, sentence


@contextmanager
def naming_key_file(ledger: Ledger, tournament: UUID) -> Iterator[None]:
    """Let the refusal of a name say which key file to copy, where some names cannot be read here."""
    try:
        yield
    except NoSuchName as problem:
        if not ledger.lost_names(tournament):
            raise
        said = sentence("there is no player %(name)r among the names that can be read", name=problem.name)
        raise UsageProblem(joined((said, ledger.ring.remedy()), ": ")) from None


def names_elsewhere(ledger: Ledger, tournament: UUID) -> Sentence | None:
    """How many names cannot be read here, and which key file to copy; None if all can."""
    lost = len(ledger.lost_names(tournament))
    if not lost:
        return None
    said = numbered(
        "%(count)s name cannot be read here, a number stands for it",
        "%(count)s names cannot be read here, numbers stand for them",
        lost,
    )
    return joined((said, ledger.ring.remedy()), ": ")
