"""Grouping: whether the age divisions play apart, play together, or do not matter.

Age Separated (PKM-3.1.1-POD) makes each division a tournament of its own. In Age Modified (PKM-3.1.2-MOD) the
divisions share one tournament. Pairing round 1 makes the decision, and the log records it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from matchledger.events import DivisionMode
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.record.attendance import attendance
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import DivisionRule


def division_mode(record: Record) -> DivisionMode:
    """Return how the divisions of a tournament are paired: as decided, or otherwise as their sizes demand
    (PKM-3.1.1-POD).
    """
    decided = record.divisions_decided
    return fitting_mode(record) if decided is None else decided.mode


def open_divisions(record: Record) -> tuple[str, ...]:
    """Return the divisions that a player can enter during the event. An empty result means every division.

    If divisions or flights play apart, nobody can enter an empty division after play has begun, because the
    newcomer would have no opponent (PKM-3.1.1-POD, PKM-3.3.3.1-RESTRICT).
    """
    begun = record.latest_round() is not None or record.flights_drawn
    if not begun or not record.is_live or record.rulebook.divisions is None:
        return ()
    if division_mode(record) != "separated" and not record.flights_drawn:
        return ()
    decided = record.divisions_decided
    known = division_sizes(record) if decided is None else decided.sizes
    return tuple(name for name in divisions_of(record) if name in known and name)


def nearest_division(record: Record, division: str, among: Sequence[str]) -> str:
    """Return the division in `among` for a player of another division: the next older division, or otherwise the
    oldest.
    """
    rule = record.rulebook.divisions
    names = list(rule.names) if rule is not None else []
    if division in among or division not in names:
        return division
    known = [name for name in names if name in among]
    older = [name for name in known if names.index(name) > names.index(division)]
    return (older[:1] or known[-1:] or [division])[0]


def fitting_mode(record: Record) -> DivisionMode:
    """Return how the sizes of the divisions demand to be paired (POL-PKM-DIVISIONS).

    One short division makes the event Age Modified, and a large event is Age Separated. With one division or
    none, the event is plain Swiss. POL-PKM-EMPTY-DIV says whether an empty division counts as a division with too
    few players.
    """
    rulebook = record.rulebook
    reading = rulebook.readings.divisions
    if reading == "none" or rulebook.divisions is None:
        return "none"
    if not any(player.division for player in record.players.values()):  # most events have no divisions
        return "none"
    sizes = division_sizes(record)
    if not any(sizes):
        return "none"
    if reading != "automatic":
        return reading
    if len(sizes) == 1:
        return "none"
    return "modified" if short_divisions(record) else "separated"


def short_divisions(record: Record) -> tuple[str, ...]:
    """Return the divisions that have too few players to play by themselves."""
    rule = record.rulebook.divisions
    if rule is None:
        return ()
    sizes = division_sizes(record)
    short = [division for division, size in sizes.items() if size < rule.own_pod]
    if record.rulebook.readings.empty_division == "modified":
        short += [name for name in rule.names if name not in sizes]
    return tuple(short)


def demanded_mode(record: Record) -> DivisionMode | None:
    """Return the mode that the rulebook demands. Return None if everybody is in one division.

    A rulebook may use one mode for every event. Otherwise, one short division demands Age Modified, and without a
    short division the divisions are Age Separated.
    """
    rulebook, sizes = record.rulebook, division_sizes(record)
    if rulebook.divisions is None or len(sizes) < 2 or not any(sizes):  # noqa: PLR2004 - one division cannot split
        return None
    reading = rulebook.readings.divisions
    if reading != "automatic" and reading == rulebook.default_of("divisions"):
        return reading
    return "modified" if short_divisions(record) else "separated"


def departures(record: Record, mode: DivisionMode) -> tuple[str, ...]:
    """Return the rules that a mode departs from. Drawn flights demand Age Separated (PKM-3.3.3.1-RESTRICT)."""
    rule, demanded = record.rulebook.divisions, demanded_mode(record)
    if rule is None or demanded is None:
        return ()
    flights = record.rulebook.flights if record.flights_drawn and mode != "separated" else None
    restricted = () if flights is None else (flights.restrict_rule,)
    departed = rule.modified_rule if demanded == "modified" else rule.rule
    return (() if mode == demanded else (departed,)) + restricted


def division_sizes(record: Record) -> Counter[str]:
    """Return how many players each division has.

    Late players count only in a division that had no players on time.

    Therefore the mode changes during the event only if a late player would have no opponent.
    """
    sizes, late = _on_time(record), _late(record)
    return sizes + Counter({division: size for division, size in late.items() if division not in sizes})


def late_players(record: Record) -> Counter[str]:
    """Return how many late players each division has besides its size."""
    sizes = _on_time(record)
    return Counter({division: size for division, size in _late(record).items() if division in sizes})


def _on_time(record: Record) -> Counter[str]:
    sizes: Counter[str] = Counter()
    for division, size in attendance(record).items():
        sizes[division.casefold()] += size
    return sizes


def _late(record: Record) -> Counter[str]:
    return Counter(division_of(record, player.number) for player in record.entered() if player.losses is not None)


def divisions_of(record: Record) -> tuple[str, ...]:
    """Return the divisions of the players in the order of the rulebook, followed by other divisions by name. The
    division "" means players without a division.
    """
    rule = record.rulebook.divisions
    known = list(rule.names) if rule is not None else []
    found = {division_of(record, player.number) for player in record.entered()}
    return tuple(sorted(found, key=lambda name: (known.index(name) if name in known else len(known), name)))


def division_of(record: Record, player: int) -> str:
    """Return a player's division, compared without case, or "" for a player without one."""
    return (record.players[player].division or "").casefold()


def known_division(record: Record, division: str) -> str:
    """Return the division as the players of that division have it, or as the rulebook writes it. Names are compared
    without case. An unknown division stays as typed.
    """
    rule, wanted = record.rulebook.divisions, division.casefold()
    entered = (player.division for player in reversed(record.players.values()) if player.division)
    names = chain(entered, rule.names if rule is not None else ())
    return next((name for name in names if name.casefold() == wanted), division)


def divisions_apart(record: Record, players: Iterable[int]) -> tuple[str, ...]:
    """Return the divisions of some players in order, or an empty tuple if the divisions do not play apart."""
    if division_mode(record) != "separated":
        return ()
    found = {division_of(record, player) for player in players}
    return tuple(name for name in divisions_of(record) if name in found)


def finished_divisions(record: Record, round_: int) -> frozenset[str]:
    """Return the divisions that have played all their rounds before a round.

    Each division may have its own number of rounds (PKM-3.1.3-ROUNDS).
    """
    if not (own := own_rounds(record)):
        return frozenset()
    # After all rounds, only the divisions with the most rounds play an extra round.
    last = min(round_, max(own.values()) if record.structure is None else record.structure.rounds)
    return frozenset(division for division, rounds in own.items() if rounds < last)


def own_rounds(record: Record) -> Mapping[str, int]:
    """Return the number of Swiss rounds of each division that plays separately: the announced number, or without an
    announcement the number that was decided with round 1.

    Return an empty mapping if the divisions share their rounds.
    """
    if division_mode(record) != "separated":
        return {}
    plan, decided = record.structure, record.divisions_decided
    if plan is not None:
        return plan.division_rounds
    return {} if decided is None else decided.rounds


def rounds_of(record: Record, division: str | None) -> int | None:
    """Return the number of Swiss rounds of a division: its own number if it plays separately (PKM-3.1.3-ROUNDS),
    otherwise the announced number. Return None without either.
    """
    plan = record.structure
    return own_rounds(record).get((division or "").casefold(), None if plan is None else plan.rounds)


def division_years(record: Record) -> dict[str, int]:
    """Return the first year of birth of every division but the oldest, as set at the opening."""
    chosen = record.opening.division_years if record.opening is not None else {}
    rule = record.rulebook.divisions
    return dict(chosen or (rule.born_from if rule is not None else {}))


def division_by_birth(record: Record, born: int) -> str | None:
    """Return the division of a year of birth, or None if the rulebook sets no years of birth."""
    rule = record.rulebook.divisions
    if rule is None or not (years := division_years(record)):
        return None
    return next((name for name in rule.names[:-1] if born >= years[name]), rule.names[-1])


def years_problem(rulebook: Rulebook, years: Mapping[str, int]) -> Sentence | None:
    """Return the problem with the first years given for a new tournament, or None."""
    rule = rulebook.divisions
    if rule is None or not rule.born_from:
        return sentence(
            "%(rulebook)s has no divisions by year of birth: open the tournament without years",
            rulebook=rulebook.id,
        )
    return _order_problem(rule, years)


def _order_problem(rule: DivisionRule, years: Mapping[str, int]) -> Sentence | None:
    wanted = rule.names[:-1]
    if years.keys() != set(wanted):
        return sentence(
            "every division but %(last)s needs its first year of birth: %(divisions)s",
            last=rule.names[-1],
            divisions=joined(wanted),
        )
    given = [years[name] for name in wanted]
    if given != sorted(set(given), reverse=True) or not all(1900 <= year <= 2100 for year in given):  # noqa: PLR2004 - the same limits as for players
        return sentence(
            (
                "each division's first year of birth must be earlier than the one before, between 2100 and "
                "1900: %(years)s"
            ),
            years=_said(wanted, years),
        )
    return None


def _said(names: tuple[str, ...], years: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {years[name]}" for name in names)
