"""Names that cannot be read without a missing key: a command that needs such a name says which key file to copy
(C-D7).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from matchledger.ledger.application import Ledger
from matchledger.notation.player_lookup import NoSuchName
from matchledger_projections.message import Sentence, UsageProblem, joined, numbered, sentence


@contextmanager
def naming_key_file(ledger: Ledger, tournament: UUID) -> Iterator[None]:
    """Inside the block, add the key file to the refusal of an unknown name if some names cannot be read."""
    try:
        yield
    except NoSuchName as problem:
        if not ledger.lost_names(tournament):
            raise
        said = sentence("there is no player %(name)r among the names that can be read", name=problem.name)
        raise UsageProblem(joined((said, ledger.ring.remedy()), ": ")) from None


def names_elsewhere(ledger: Ledger, tournament: UUID) -> Sentence | None:
    """Return a sentence with the number of unreadable names, and the key file to copy. Return None if every name
    can be read.
    """
    lost = len(ledger.lost_names(tournament))
    if not lost:
        return None
    said = numbered(
        "%(count)s name cannot be read here and appears as a number",
        "%(count)s names cannot be read here and appear as numbers",
        lost,
    )
    return joined((said, ledger.ring.remedy()), ": ")
