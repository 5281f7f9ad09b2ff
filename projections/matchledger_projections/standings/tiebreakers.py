"""All tiebreakers, by the names that rulebooks use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings import percentages, schedules, settled
from matchledger_projections.standings.tiebreaker import Numeric, Settled, Tiebreaker

_ROOMS = {module.__name__ for module in (percentages, schedules, settled)}


def _declared(base: type[Tiebreaker]) -> Iterator[type[Tiebreaker]]:
    for kind in base.__subclasses__():
        if kind.__module__ in _ROOMS and hasattr(kind, "name"):
            yield kind
        yield from _declared(kind)


TIEBREAKERS: Mapping[TiebreakName, Tiebreaker] = {kind.name: kind() for kind in _declared(Tiebreaker)}
NUMERIC: Mapping[TiebreakName, Numeric] = {
    name: tiebreaker for name, tiebreaker in TIEBREAKERS.items() if isinstance(tiebreaker, Numeric)
}
SETTLED: Mapping[TiebreakName, Settled] = {
    name: tiebreaker for name, tiebreaker in TIEBREAKERS.items() if isinstance(tiebreaker, Settled)
}
