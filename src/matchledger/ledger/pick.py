"""Find the right tournament in a ledger."""

from __future__ import annotations

from uuid import UUID

from matchledger.ledger.application import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import demanding, joined, sentence

_SHORT, _SHORTEST = 8, 4  # characters of an id


def pick_tournament(ledger: Ledger, wanted: str | None) -> UUID:
    """The only tournament of a ledger, or the one with this name, id or beginning of an id."""
    known = ledger.readable() or ledger.tournaments()
    if not known:
        raise UsageProblem(sentence("the ledger holds no tournament: open or import one first"))
    if wanted is None and len(known) == 1:
        return known[0]
    names = {tournament: _title(ledger, tournament) for tournament in known}
    found = [tournament for tournament, name in names.items() if name == wanted] or [
        tournament for tournament in known if wanted is not None and _begins(tournament, wanted)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageProblem(
            sentence(
                "several tournaments are called %(name)r: name one by its id, %(known)s",
                name=wanted,
                known=joined(map(short_id, found)),
            )
        )
    titles = list(names.values())
    listed = ", ".join(
        repr(name) if titles.count(name) == 1 else f"{name!r} ({short_id(tournament)})"
        for tournament, name in names.items()
    )
    raise UsageProblem(
        demanding(sentence("name one tournament: the ledger holds %(known)s", known=listed), "a tournament")
        if wanted is None
        else sentence("there is no tournament %(name)r: the ledger holds %(known)s", name=wanted, known=listed)
    )


def short_id(tournament: UUID) -> str:
    """The first eight characters of a tournament's id, enough to name it among a few."""
    return str(tournament)[:_SHORT]


def _begins(tournament: UUID, wanted: str) -> bool:
    return len(wanted) >= _SHORTEST and str(tournament).startswith(wanted.casefold())


def _title(ledger: Ledger, tournament: UUID) -> str:
    opening = ledger.record_as_of(tournament, 1).opening
    return opening.name if opening is not None else str(tournament)
