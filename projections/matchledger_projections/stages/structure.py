"""Structures: how many rounds an event has and how many go on, as the rulebook's tables give them by attendance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from matchledger.events import StructureAnnounced, Style
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.stages import Row, StructureTable, bounds

CUSTOM = "custom"
Attendance = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a table gives for an attendance: the rounds and cuts it allows, the proposed one in front.

    `rounds` are elimination rounds where the style is elimination. `division_cuts` are the cuts by the size of each
    division, where the table is read so and there are several.
    """

    structure: str
    rule: str
    style: Style
    rounds: tuple[int, ...]
    cuts: tuple[int, ...]
    division_cuts: dict[str, tuple[int, ...]] = field(default_factory=dict)
    division_rounds: dict[str, tuple[int, ...]] = field(default_factory=dict)


def attendance(record: Record) -> Counter[str]:
    """How many players of each division were there for round 1; "" stands for players without a division.

    Who came late, or left before round 1, does not count; who leaves afterwards does (L5R-V.1-BASIC).
    """
    return Counter(
        player.division or ""
        for player in record.entered()
        if player.losses is None and record.status(player.number, 0) == "active"
    )


def elimination_rounds(players: int) -> int:
    """How many rounds bring a field down to one: ceil(log2 n) (PKM-3.2.2-ROUNDS)."""
    return (players - 1).bit_length()


def announced_cut(record: Record, division: str) -> int | None:
    """How many of a division go on, as announced; None while nothing was."""
    plan = record.structure
    if plan is None:
        return None
    return plan.division_cuts.get(division, 0) if plan.division_cuts else plan.cut


def proposals(rulebook: Rulebook, sizes: Attendance) -> Iterator[Proposal]:
    """What each table of a rulebook gives for an attendance, the recommended one first."""
    for name in rulebook.structures.tables if rulebook.structures is not None else ():
        if (found := proposal(rulebook, name, sizes)) is not None:
            yield found


def proposal(rulebook: Rulebook, name: str, sizes: Attendance) -> Proposal | None:
    """What one table gives for an attendance; None where it says nothing of so few or so many players.

    A table by division takes the rounds from the largest division, and each division's cuts from its own size
    (PKM-3.1.3-ROUNDS, PKM-3.3.5-MODROUNDS, PKM-3.3.5-MAXCUT).
    """
    table = _table(rulebook, name)
    counted = max(sizes.values(), default=0) if table.counts == "division" else sum(sizes.values())
    if (row := _row(rulebook, table, counted)) is None:
        return None
    several = table.counts == "division" and len(sizes) > 1
    style = table.style or ("swiss-with-cut" if row.cut[0] else "swiss")
    by_division = {division: _row(rulebook, table, size) for division, size in sizes.items()} if several else {}
    return Proposal(
        name,
        table.rule,
        style,
        row.rounds,
        row.cut,
        {division: found.cut if found is not None else (0,) for division, found in by_division.items()},
        {division: found.rounds for division, found in by_division.items() if found is not None},
    )


def table_for(rulebook: Rulebook, style: Style | None) -> str | None:
    """The first table of a rulebook that gives structures of a style; the recommended one, if any style will do."""
    tables = rulebook.structures.tables if rulebook.structures is not None else {}
    if style is None:
        return next(iter(tables), None)
    of_that_style = [name for name, table in tables.items() if table.style == style]
    of_either = [name for name, table in tables.items() if table.style is None and style != "elimination"]
    return next(iter(of_that_style + of_either), None)


def format_of(record: Record) -> str | None:
    """How the decks come about: as announced, or else as the rulebook has it (ASH-FORMAT); None where none says."""
    announced = None if record.structure is None else record.structure.format
    structures = record.rulebook.structures
    default = None if structures is None or structures.format is None else structures.format.name
    return announced or default


def format_rule(rulebook: Rulebook) -> str:
    """The rule that has another format told beforehand, `POLICY` where the document is silent."""
    structures = rulebook.structures
    return "POLICY" if structures is None or structures.format is None else structures.format.rule


def departures(
    rulebook: Rulebook, plan: StructureAnnounced, table: str | None, sizes: Attendance
) -> tuple[str, ...]:
    """The rules that a planned structure departs from, each once; `table` is the one that it is held against."""
    return tuple(dict.fromkeys(_departures(rulebook, plan, table, sizes)))


def _departures(
    rulebook: Rulebook, plan: StructureAnnounced, table: str | None, sizes: Attendance
) -> Iterator[str]:
    structures = rulebook.structures
    if structures is None:
        return
    if plan.style not in structures.styles:
        yield structures.style_rule
    if table is not None and not follows(rulebook, plan, table, sizes):
        yield structures.tables[table].rule
    cuts = plan.division_cuts.values() or (plan.cut,)
    if any(cut & (cut - 1) for cut in cuts if cut):
        yield rulebook.elimination.rule("cut")
    if structures.cap_rule is not None and _is_above_cap(rulebook, plan, sizes):
        yield structures.cap_rule
    if plan.playoff and not rulebook.elimination.playoff:
        yield rulebook.elimination.rule("playoff")


def follows(rulebook: Rulebook, plan: StructureAnnounced, table: str, sizes: Attendance) -> bool:
    """Whether a structure is one of those that a table allows for an attendance."""
    found = proposal(rulebook, table, sizes)
    if found is None:
        return False
    if plan.style == "elimination":
        return found.style == "elimination"
    if found.style == "elimination" or plan.rounds not in found.rounds:
        return False
    own = {division.casefold(): rounds for division, rounds in found.division_rounds.items()}
    if any(rounds not in own.get(division, ()) for division, rounds in plan.division_rounds.items()):
        return False
    if not plan.division_cuts:
        return plan.cut in found.cuts
    allowed = {division.casefold(): cuts for division, cuts in found.division_cuts.items()}
    return all(cut in allowed.get(division, (0,)) for division, cut in plan.division_cuts.items())


def _is_above_cap(rulebook: Rulebook, plan: StructureAnnounced, sizes: Attendance) -> bool:
    """PKM-3.3.5-MAXCUT: each division's cut is a part of its own size."""
    if not plan.division_cuts:
        return plan.cut > _cap(rulebook, max(sizes.values(), default=0))
    players = Counter[str]()
    for division, size in sizes.items():
        players[division.casefold()] += size
    return any(cut > _cap(rulebook, players[division]) for division, cut in plan.division_cuts.items())


def _cap(rulebook: Rulebook, players: int) -> Fraction:
    caps = rulebook.structures.caps if rulebook.structures is not None else ()
    shares = [cap.share for cap in caps if cap.players <= players]
    return players * (shares[-1] if shares else Fraction(1))


def _table(rulebook: Rulebook, name: str) -> StructureTable:
    if rulebook.structures is None or name not in rulebook.structures.tables:
        raise LookupError(f"{rulebook.id} has no structure {name!r}")
    return rulebook.structures.tables[name]


def _row(rulebook: Rulebook, table: StructureTable, players: int) -> Row | None:
    """POL-SWR-LT8-ROUNDS: a row for a small event gives way where those are the host's business."""
    for attendance_, row in table.rows.items():
        first, last = bounds(attendance_)
        if first <= players and (last is None or players <= last):
            left_to_host = row.small_event and rulebook.readings.small_event_rounds == "host"
            return None if left_to_host else row
    return None
