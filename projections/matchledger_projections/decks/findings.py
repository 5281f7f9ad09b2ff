"""Findings: whether a deck keeps a rule, and what the card data do not say about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from matchledger_projections.decks.cards import NO_CARD
from matchledger_projections.decks.deck import NO_CARD_DATA, Deck, Line

_NAMED = 5  # cards named in one finding


class Finding(NamedTuple):
    """A rule, whether the deck keeps it, and why; `ok` is None where that cannot be told from what is known."""

    rule: str
    ok: bool | None
    what: str


class Evidence:
    """What one rule is judged on: the card data of the lines it is about, and every gap in them.

    A gap is never filled by a guess. What is known may be enough to find a fault; it is not enough to find none.
    """

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.problems: list[str] = []
        self._unknown: list[str] = []
        self._gaps: dict[str, dict[str, None]] = {}

    def of(self, line: Line, field: str) -> Any:
        """A field of the card in a line; None, and noted as a gap, where the card data do not give it."""
        if line.card is None:
            self._lack_card(line)
            return None
        value = getattr(line.card, field)
        if value is None:
            gap = f"the card data do not give '{field.replace('_', ' ')}' of "
            self._gaps.setdefault(gap, {})[line.card.full_title] = None
        return value

    def _lack_card(self, line: Line) -> None:
        if line.problem == NO_CARD:
            self._gaps.setdefault("the card data have no ", {})[line.name] = None
        else:
            self.lack(line.problem if line.problem == NO_CARD_DATA else f"{line.name}: {line.problem}")

    @property
    def has_gaps(self) -> bool:
        return bool(self._gaps or self._unknown)

    def fault(self, problem: str) -> None:
        self.problems.append(problem)

    def lack(self, what: str) -> None:
        """Notes something other than a field that would have to be known."""
        if what not in self._unknown:
            self._unknown.append(what)

    def verdict(self, fine: str) -> Finding:
        """The finding: broken if a fault was found, open if something is not known, and else `fine`."""
        if self.problems:
            return Finding(self.rule, False, "; ".join(self.problems))
        if self.has_gaps:
            gaps = [f"{gap}{some(titles)}" for gap, titles in self._gaps.items()]
            return Finding(self.rule, None, f"cannot be checked: {'; '.join([*some_of(self._unknown), *gaps])}")
        return Finding(self.rule, True, fine)


def as_read(deck: Deck) -> str:
    """What was made of the entries that write a part of a title, "" where every title is whole."""
    short = [f"{line.name} is {line.title}" for line in deck.lines if line.is_abbreviated]
    return f"; read as written short: {some(short)}" if short else ""


def some(names: Iterable[str]) -> str:
    """The first few of many names."""
    return ", ".join(some_of(list(names)))


def some_of(names: list[str]) -> list[str]:
    rest = len(names) - _NAMED
    return [*names[:_NAMED], f"and {rest} more"] if rest > 0 else names
