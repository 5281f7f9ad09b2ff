"""Grouping: whether the age divisions of an event play apart, together, or are not looked at.

Age Separated (PKM-3.1.1-POD) makes each division a tournament of its own; in Age Modified (PKM-3.1.2-MOD) they
share one. It is decided when the first round is paired and stands in the log from then on.
"""

from __future__ import annotations

from collections import Counter

from matchledger.events import DivisionMode
from matchledger_projections.record.attendance import attendance
from matchledger_projections.record.record import Record


def division_mode(record: Record) -> DivisionMode:
    """How the divisions of a tournament are paired: as was decided, else as their sizes ask for.

    What was decided holds until a player comes late of a division that nobody was in: there is nobody to meet.
    """
    decided = record.divisions_decided
    if decided is not None and decided.sizes.keys() >= division_sizes(record).keys():
        return decided.mode
    return fitting_mode(record)


def fitting_mode(record: Record) -> DivisionMode:
    """How the divisions ought to be paired (POL-PKM-DIVISIONS).

    Where their sizes decide, one division of few players makes it Age Modified, and a large event is Age
    Separated; without divisions, or with one alone, it is plain Swiss. POL-PKM-EMPTY-DIV says whether a division
    that nobody is in counts as one of few players.
    """
    rulebook = record.rulebook
    reading = rulebook.readings.divisions
    sizes = division_sizes(record)
    if reading == "none" or rulebook.divisions is None or not any(sizes):
        return "none"
    if reading != "automatic":
        return reading
    if len(sizes) == 1:
        return "none"
    return "modified" if short_divisions(record) else "separated"


def short_divisions(record: Record) -> tuple[str, ...]:
    """The divisions of too few players to play by themselves."""
    rule = record.rulebook.divisions
    if rule is None:
        return ()
    sizes = division_sizes(record)
    short = [division for division, size in sizes.items() if size < rule.own_pod]
    if record.rulebook.readings.empty_division == "modified":
        short += [name for name in rule.names if name not in sizes]
    return tuple(short)


def departures(record: Record, mode: DivisionMode) -> tuple[str, ...]:
    """The rules that a mode departs from: one short division asks for Age Modified, none for Age Separated."""
    rule, sizes = record.rulebook.divisions, division_sizes(record)
    if rule is None or len(sizes) < 2 or not any(sizes):  # noqa: PLR2004 - one division cannot be kept apart
        return ()
    if short_divisions(record):
        return () if mode == "modified" else (rule.modified_rule,)
    return () if mode == "separated" else (rule.rule,)


def division_sizes(record: Record) -> Counter[str]:
    """How many players each division has; of those who came late only where nobody of their division was on time.

    So the mode does not change under way, unless a late arrival would have nobody to meet.
    """
    sizes: Counter[str] = Counter()
    for division, size in attendance(record).items():
        sizes[division.casefold()] += size
    late = Counter(division_of(record, player.number) for player in record.entered() if player.losses is not None)
    return sizes + Counter({division: size for division, size in late.items() if division not in sizes})


def divisions_of(record: Record) -> tuple[str, ...]:
    """The divisions that players of an event are in, in the order of the rulebook, others by name; "" is none."""
    rule = record.rulebook.divisions
    known = list(rule.names) if rule is not None else []
    found = {division_of(record, player.number) for player in record.entered()}
    return tuple(sorted(found, key=lambda name: (known.index(name) if name in known else len(known), name)))


def division_of(record: Record, player: int) -> str:
    """A player's division, compared without case; "" for a player without one."""
    return (record.players[player].division or "").casefold()


def finished_divisions(record: Record, round_: int) -> frozenset[str]:
    """The divisions whose rounds are over before a round; each may have its own number (PKM-3.1.3-ROUNDS)."""
    plan = record.structure
    if plan is None or not plan.division_rounds or division_mode(record) != "separated":
        return frozenset()
    # A round beyond all that were announced is one of those who have the most.
    last = min(round_, plan.rounds)
    return frozenset(division for division, rounds in plan.division_rounds.items() if rounds < last)
