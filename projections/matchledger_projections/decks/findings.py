"""Findings: whether a deck follows a rule, and which card data are missing for the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from matchledger_projections.decks.cards import NO_CARD
from matchledger_projections.decks.deck import NO_CARD_DATA, Deck, Line

_NAMED = 5  # how many cards one finding names


class Finding(NamedTuple):
    """A rule, whether the deck follows it, and why. `ok` is None if the card data cannot decide it."""

    rule: str
    ok: bool | None
    what: str


class Evidence:
    """The card data that a check used for one rule, and every gap in these data.

    The check never guesses at missing data. Incomplete card data can prove that a deck breaks a rule, but not
    that the deck keeps the rule.
    """

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.problems: list[str] = []
        self._unknown: list[str] = []
        self._gaps: dict[str, dict[str, None]] = {}

    def of(self, line: Line, field: str) -> Any:
        """Return a value of the card in a line. If the card data lack the value, return None and note a gap."""
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
        """Note a gap other than a missing field."""
        if what not in self._unknown:
            self._unknown.append(what)

    def verdict(self, fine: str) -> Finding:
        """Return the finding: broken if there is a fault, open if there is a gap, and otherwise `fine`."""
        if self.problems:
            return Finding(self.rule, False, "; ".join(self.problems))
        if self.has_gaps:
            gaps = [f"{gap}{some(titles)}" for gap, titles in self._gaps.items()]
            return Finding(self.rule, None, f"cannot be checked: {'; '.join([*some_of(self._unknown), *gaps])}")
        return Finding(self.rule, True, fine)


def as_read(deck: Deck) -> str:
    """Return a sentence about entries that have only part of a title, or "" if every title is complete."""
    short = [f"{line.name} is {line.title}" for line in deck.lines if line.is_abbreviated]
    return f"; read as written short: {some(short)}" if short else ""


def some(names: Iterable[str]) -> str:
    """Return the first few of many names."""
    return ", ".join(some_of(list(names)))


def some_of(names: list[str]) -> list[str]:
    rest = len(names) - _NAMED
    return [*names[:_NAMED], f"and {rest} more"] if rest > 0 else names
