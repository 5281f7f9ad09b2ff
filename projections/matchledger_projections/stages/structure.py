"""Structures: the number of rounds and the size of the cut, from the rulebook's tables by attendance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import Struct, field

from matchledger.events import StructureAnnounced, Style
from matchledger_projections.divisions.grouping import rounds_of
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import UNWRITTEN, FlightRule
from matchledger_projections.rulebook.stages import Row, Structures, StructureTable, bounds

CUSTOM = "custom"
Attendance = Mapping[str, int]
_USUAL_FROM, _FEWEST_ROUNDS = 4, 3
_USUAL_CUTS = ((17, 8), (9, 4), (0, 0))  # the fewest players of each cut
MOST_UNEVEN = 2  # the largest quotient of two divisions' shares that advance, without a warning


class Turnout(Struct, frozen=True):
    """The players for whom a structure is chosen: the number in each division, and what else changes the number
    of rounds.

    `apart` says whether the divisions play apart (PKM-3.1.1-POD). `flight_rounds` gives the rounds that remain
    possible for a division because of its flights (PKM-3.3.3.2-COUNT). While flights are `to_be_drawn`, a
    division may play the rounds with flights or without. `flights` says how many flights were drawn in each
    division.
    """

    sizes: Attendance
    apart: bool = False
    flight_rounds: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    to_be_drawn: bool = False
    flights: Mapping[str, int] = field(default_factory=dict)

    def rounds(self, division: str, of_table: tuple[int, ...]) -> tuple[int, ...]:
        """Return the numbers of rounds that a division may play, if the table gives any."""
        own = self.flight_rounds.get(division.casefold(), ())
        return (*of_table, *own) if self.to_be_drawn or not own else own


class Proposal(Struct, frozen=True):
    """The proposal of a table for an attendance: the allowed numbers of rounds and sizes of cuts, the recommended
    first.

    `rounds` are elimination rounds if the style is elimination. `division_cuts` are the cuts by the size of each
    division, if the table counts divisions and there are several.
    """

    structure: str
    rule: str
    style: Style
    rounds: tuple[int, ...]
    cuts: tuple[int, ...]
    division_cuts: dict[str, tuple[int, ...]] = field(default_factory=dict)
    division_rounds: dict[str, tuple[int, ...]] = field(default_factory=dict)


def announce_rule(rulebook: Rulebook) -> str:
    """Return the rule that demands an announced structure, or `POLICY` if the document is silent."""
    return (rulebook.structures.announce if rulebook.structures is not None else None) or UNWRITTEN


def rounds_rule(rulebook: Rulebook, style: Style = "swiss") -> str:
    """Return the rule that an unannounced number of rounds breaks: the rule that demands the announcement,
    otherwise the table's rule.

    Return `POLICY` if the document has neither.
    """
    return next(iter(rules_of_rounds(rulebook, style)), UNWRITTEN)


def rules_of_rounds(rulebook: Rulebook, style: Style = "swiss") -> tuple[str, ...]:
    """Return the rules about the number of rounds: the rule that demands an announcement, and the table's rule."""
    structures = rulebook.structures
    table = table_for(rulebook, style)
    given = None if structures is None or table is None else structures.tables[table].rule
    return tuple(rule for rule in (structures.announce if structures is not None else None, given) if rule)


def rules_of_own_rounds(record: Record) -> tuple[str, ...]:
    """Return the rules that a division breaks if it plays other rounds than its own. Without an announcement, only
    the table's rule applies.
    """
    rules = rules_of_rounds(record.rulebook) or (UNWRITTEN,)
    return rules[-1:] if record.structure is None else rules


def cut_rule(rulebook: Rulebook) -> str:
    """Return the rule that an unannounced cut breaks: the rule that demands the announcement, otherwise the rule
    about cuts.
    """
    announced = announce_rule(rulebook)
    own = rulebook.elimination.rule("cut") if announced == UNWRITTEN else announced
    return rounds_rule(rulebook, "swiss-with-cut") if own == UNWRITTEN else own


def elimination_rounds(players: int) -> int:
    """Return the number of rounds that reduce a field to one player: ceil(log2 n) (PKM-3.2.2-ROUNDS)."""
    return (players - 1).bit_length()


def announced_cut(record: Record, division: str) -> int | None:
    """Return the announced cut of a division, or None before an announcement."""
    plan = record.structure
    if plan is None:
        return None
    return plan.division_cuts.get(division, 0) if plan.division_cuts else plan.cut


def has_own_structure(rulebook: Rulebook) -> bool:
    """Return whether events of this tier use no table of the rulebook (L5R-V.3-CUSTOM)."""
    return rulebook.structures is not None and rulebook.tier in rulebook.structures.custom_tiers


def proposals(rulebook: Rulebook, players: Turnout) -> Iterator[Proposal]:
    """Yield each table's proposal for a field, the recommended one first."""
    for name in rulebook.structures.tables if rulebook.structures is not None else ():
        if (found := proposal(rulebook, name, players)) is not None:
            yield found


def proposal(rulebook: Rulebook, name: str, players: Turnout) -> Proposal | None:
    """Return one table's proposal for a field.

    Return None if the table has no row for so few or so many players.

    A table by division takes the rounds of the largest division, or each division's own if they play apart. A
    table by division takes each division's cut from its own size (PKM-3.1.3-ROUNDS, PKM-3.3.5-MODROUNDS,
    PKM-3.3.5-MAXCUT). Drawn flights give the rounds (PKM-3.3.3.2-COUNT).
    """
    table, sizes = _table(rulebook, name), players.sizes
    if (row := _row(rulebook, table, _counted(table, players))) is None:
        return None
    several = table.counts == "division" and len(sizes) > 1
    largest = max(sizes, key=sizes.__getitem__, default="")
    style = table.style or ("swiss-with-cut" if row.cut[0] else "swiss")
    by_division = {division: _row(rulebook, table, size) for division, size in sizes.items()} if several else {}
    by_table = style == "elimination" or players.to_be_drawn
    return Proposal(
        name,
        table.rule,
        style,
        row.rounds if by_table else players.rounds(largest, row.rounds),
        row.cut,
        {division: found.cut if found is not None else (0,) for division, found in by_division.items()},
        {
            division: found.rounds if by_table else players.rounds(division, found.rounds)
            for division, found in by_division.items()
            if found is not None
        }
        if players.apart
        else {},
    )


def usual_structure(rulebook: Rulebook, players: Turnout) -> Proposal | None:
    """Return the usual structure for a field whose rulebook has no tables of structures: as many Swiss rounds as
    leave one undefeated player, then a cut. Return None if the rulebook has tables, or for fewer than 4 players.

    Divisions that play apart have rounds and a cut for their own sizes.
    """
    count = sum(players.sizes.values())
    if rulebook.structures is not None or count < _USUAL_FROM:
        return None
    several = players.apart and len(players.sizes) > 1
    rounds: dict[str, tuple[int, ...]] = {}
    cuts: dict[str, tuple[int, ...]] = {}
    if several:
        rounds = {division: (_usual_rounds(size),) for division, size in players.sizes.items()}
        cuts = {division: (_usual_cut(size),) for division, size in players.sizes.items()}
    most = max(players.sizes.values()) if several else count
    style: Style = "swiss-with-cut" if _usual_cut(most) else "swiss"
    return Proposal(CUSTOM, UNWRITTEN, style, (_usual_rounds(most),), (_usual_cut(most),), cuts, rounds)


def _usual_rounds(players: int) -> int:
    return max(_FEWEST_ROUNDS, elimination_rounds(players))


def _usual_cut(players: int) -> int:
    return next(cut for fewest, cut in _USUAL_CUTS if players >= fewest)


def rounds_by_size(rulebook: Rulebook, players: Turnout) -> dict[str, int]:
    """Return the most Swiss rounds that the tables allow each division for its own size (PKM-3.1.3-ROUNDS).

    A division without a row plays as many rounds as reduce it to one undefeated player, or as many as the others.
    """
    tables = rulebook.structures.tables.values() if rulebook.structures is not None else ()
    swiss = [table for table in tables if table.counts == "division" and table.style != "elimination"]
    sizes = Counter[str]()
    for name, size in players.sizes.items():
        sizes[name.casefold()] += size
    rows = {name: [row for table in swiss if (row := _row(rulebook, table, sizes[name]))] for name in sizes}
    found = {name: max(max(players.rounds(name, row.rounds)) for row in rows[name]) for name in sizes if rows[name]}
    most = max(found.values(), default=0)
    return {name: found.get(name, max(most, elimination_rounds(sizes[name]))) for name in sizes} if found else {}


def table_for(rulebook: Rulebook, style: Style | None) -> str | None:
    """Return the first table of a rulebook for a style, the recommended table if `style` is None, or None."""
    return next(iter(tables_for(rulebook, style)), None)


def tables_for(rulebook: Rulebook, style: Style | None) -> list[str]:
    """Return the tables of a rulebook with structures of a style, those for this style alone first."""
    tables = rulebook.structures.tables if rulebook.structures is not None else {}
    if style is None:
        return list(tables)
    of_that_style = [name for name, table in tables.items() if table.style == style]
    return of_that_style + [
        name for name, table in tables.items() if table.style is None and style != "elimination"
    ]


def format_of(record: Record) -> str | None:
    """Return the format of the decks, as announced, otherwise from the rulebook (ASH-FORMAT). Return None if
    neither gives a format.
    """
    announced = None if record.structure is None else record.structure.format
    structures = record.rulebook.structures
    default = None if structures is None or structures.format is None else structures.format.name
    return announced or default


def format_rule(rulebook: Rulebook) -> str:
    """Return the rule that demands the announcement of another format, or `POLICY` if the document is silent."""
    structures = rulebook.structures
    return UNWRITTEN if structures is None or structures.format is None else structures.format.rule


def departures(
    rulebook: Rulebook, plan: StructureAnnounced, table: str | None, players: Turnout
) -> tuple[str, ...]:
    """Return the rules that a planned structure breaks, each once. `table` is the table for the comparison."""
    return tuple(dict.fromkeys(_departures(rulebook, plan, table, players)))


def _departures(rulebook: Rulebook, plan: StructureAnnounced, table: str | None, players: Turnout) -> Iterator[str]:
    structures = rulebook.structures
    if structures is None:
        return
    if plan.style not in structures.styles:
        yield structures.style_rule
    if table is not None and not follows(rulebook, plan, table, players):
        yield structures.tables[table].rule
    yield from _against_cuts(rulebook, structures, plan, players)
    if plan.untimed_final and limits_the_final(rulebook):
        yield rulebook.clock.rule
    if structures.cap_rule is not None and _is_above_cap(rulebook, plan, players.sizes):
        yield structures.cap_rule
    if plan.playoff and not rulebook.elimination.playoff:
        yield rulebook.elimination.rule("playoff")
    if has_own_structure(rulebook) and plan.structure != CUSTOM and structures.custom is not None:
        yield structures.custom


def _against_cuts(
    rulebook: Rulebook, structures: Structures, plan: StructureAnnounced, players: Turnout
) -> Iterator[str]:
    """Yield the rules about sizes, flights and divisions that the cuts of a structure break."""
    if any(
        not _is_a_size(structures.cut_sizes, cut)
        or not max(cut, structures.cut_from) <= _players_of(players, division)
        for division, cut in cuts_of(plan).items()
    ):
        yield rulebook.elimination.rule("cut")
    if rulebook.flights is not None and unshared_cuts(rulebook.flights, plan, players):
        yield rulebook.flights.finals_rule
    if rulebook.divisions is not None and shares_a_cut(plan, players):
        yield rulebook.divisions.rule


def cuts_of(plan: StructureAnnounced) -> dict[str | None, int]:
    """Return the size of the cut by division. The key None means a cut for all players."""
    if plan.division_cuts:
        return {division: cut for division, cut in plan.division_cuts.items() if cut}
    return {None: plan.cut} if plan.cut else {}


def swiss_is_over(record: Record, division: str | None) -> bool:
    """Return whether Swiss rounds and cuts can no longer change the places of a division, or of all (None)."""
    if record.closing is not None or any(
        division is None or made.division in (None, division) for made in record.cuts
    ):
        return True
    if record.rounds("elimination") and not record.cuts:
        return True
    plan, rounds = record.structure, rounds_of(record, division)
    if plan is None or rounds is None or any(division is None or cut in (None, division) for cut in cuts_of(plan)):
        return False
    return record.finished_rounds >= rounds and not any(round_.outstanding for round_ in record.rounds())


def _players_of(players: Turnout, division: str | None) -> int:
    return sum(size for name, size in players.sizes.items() if division in (None, name.casefold()))


def unshared_cuts(rule: FlightRule, plan: StructureAnnounced, players: Turnout) -> list[tuple[int, int]]:
    """Return the cuts that the drawn flights cannot share (PKM-3.3.3.2-FINALS), each with its number of flights."""
    everywhere = all(name.casefold() in players.flights for name, size in players.sizes.items() if size)
    of_all = sum(players.flights.values()) if everywhere else 0
    found = [
        (cut, of_all if division is None else players.flights.get(division, 0))
        for division, cut in cuts_of(plan).items()
    ]
    return [(cut, flights) for cut, flights in found if flights and not rule.share(cut, flights)]


def shares_a_cut(plan: StructureAnnounced, players: Turnout) -> bool:
    """Return whether divisions that play apart would have one common cut, although they are separate tournaments
    (PKM-3.1.1-POD).
    """
    return players.apart and None in cuts_of(plan)


def common_cut() -> Sentence:
    """Return the sentence that divisions that play apart have no common cut."""
    return sentence("the divisions play separately and cannot share one cut: announce a cut for each division")


def unshared(rule: FlightRule, cut: int, flights: int) -> Sentence:
    """Say that flights cannot share a cut."""
    return sentence(
        (
            "a cut of %(size)s does not take the same number of players from each of %(count)s flights, "
            "%(fewest)s or more"
        ),
        size=cut,
        fewest=rule.qualifiers,
        count=flights,
    )


def limits_the_final(rulebook: Rulebook) -> bool:
    """Return whether the final has a time limit that no rule lets the organizer waive (L5R-IV.1-CLOCK)."""
    return rulebook.clock.untimed_final is None and rulebook.clock.minutes("final") is not None


def _is_a_size(allowed: tuple[int, ...], cut: int) -> bool:
    """Return whether a cut can have a size. If the document names no sizes, the size must be a power of two."""
    return cut in allowed if allowed else not cut & (cut - 1)


def fitting_table(rulebook: Rulebook, plan: StructureAnnounced, players: Turnout) -> str | None:
    """Return the first table that the plan follows, otherwise the first table for its style, or None if the
    rulebook has no table for that style.
    """
    names = tables_for(rulebook, plan.style)
    return next((name for name in names if follows(rulebook, plan, name, players)), next(iter(names), None))


def follows(rulebook: Rulebook, plan: StructureAnnounced, table: str, players: Turnout) -> bool:
    """Return whether a table allows a structure for a field."""
    found = proposal(rulebook, table, players)
    if found is None:
        law = _table(rulebook, table)
        return _is_beyond(rulebook, law, players) or _is_the_hosts(rulebook, law, players)
    if plan.style == "elimination":
        return found.style == "elimination"
    if found.style == "elimination" or not _rounds_fit(plan, found, players):
        return False
    if not plan.division_cuts:
        return plan.cut in found.cuts
    only = next(iter(players.sizes), "")
    allowed = found.division_cuts or {only: found.cuts}
    by_name = {division.casefold(): cuts for division, cuts in allowed.items()}
    return all(
        plan.division_cuts.get(division, 0) in by_name.get(division, (0,))
        for division in {**by_name, **plan.division_cuts}
    )


def _counted(table: StructureTable, players: Turnout) -> int:
    """Return the number of players that selects a row of the table: those of the largest division, or all."""
    return max(players.sizes.values(), default=0) if table.counts == "division" else sum(players.sizes.values())


def _is_beyond(rulebook: Rulebook, table: StructureTable, players: Turnout) -> bool:
    """Return whether a table has no row for so few or so many players, so that the host announces a structure.

    Return False if the document says which events have a structure of their own (L5R-V.3-CUSTOM).
    """
    if rulebook.structures is None or rulebook.structures.custom is not None:
        return False
    count = _counted(table, players)
    return not any(first <= count <= (last or count) for first, last in map(bounds, table.rows))


def _is_the_hosts(rulebook: Rulebook, table: StructureTable, players: Turnout) -> bool:
    """Return whether an event is so small that the host chooses its structure (POL-SWR-LT8-ROUNDS)."""
    if rulebook.readings.small_event_rounds != "host":
        return False
    small = [bounds(attendance_) for attendance_, row in table.rows.items() if row.small_event]
    return any(first <= sum(players.sizes.values()) <= (last or first) for first, last in small)


def _rounds_fit(plan: StructureAnnounced, found: Proposal, players: Turnout) -> bool:
    """Return whether every division plays as many rounds as its table or its flights require.

    A division that is too small for the table may play any number of rounds.
    """
    if found.division_rounds:
        every = {division: plan.division_rounds.get(division.casefold(), plan.rounds) for division in players.sizes}
        return all(
            rounds in players.rounds(division, found.division_rounds[division])
            for division, rounds in every.items()
            if division in found.division_rounds
        )
    if plan.division_rounds and set(plan.division_rounds.values()) != {plan.rounds}:
        return False
    largest = max(players.sizes, key=players.sizes.__getitem__, default="")
    return plan.rounds in players.rounds(largest, found.rounds)


def uneven_shares(cuts: Mapping[str, int], sizes: Attendance) -> Sentence | None:
    """Return a warning if the cut takes a share of one division more than twice as large as of another
    (PKM-3.3-CUT).

    A division without a cut counts too, unless it is smaller than every division with a cut.
    """
    players = {division.casefold(): size for division, size in sizes.items()}
    smallest = min(
        (players[division] for division, cut in cuts.items() if cut and players.get(division)), default=0
    )
    shares = {
        division: Fraction(cuts.get(division, 0), size)
        for division, size in players.items()
        if smallest and (cuts.get(division) or size >= smallest)
    }
    if not shares or max(shares.values()) <= MOST_UNEVEN * min(shares.values()):
        return None
    most, fewest = (choose(shares, key=shares.__getitem__) for choose in (max, min))
    return sentence(
        "%(most_cut)s of %(most_players)s %(most)s go on, but only %(cut)s of %(players)s %(fewest)s: the shares "
        "should be about the same",
        most_cut=cuts.get(most, 0),
        most_players=players[most],
        most=most,
        cut=cuts.get(fewest, 0),
        players=players[fewest],
        fewest=fewest,
    )


def _is_above_cap(rulebook: Rulebook, plan: StructureAnnounced, sizes: Attendance) -> bool:
    """Return whether a cut exceeds the largest allowed share of its field (PKM-3.3.5-MAXCUT)."""
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
    """Return the row of a table. Skip the row for a small event if the host decides about so few players
    (POL-SWR-LT8-ROUNDS).
    """
    for attendance_, row in table.rows.items():
        first, last = bounds(attendance_)
        if first <= players and (last is None or players <= last):
            left_to_host = row.small_event and rulebook.readings.small_event_rounds == "host"
            return None if left_to_host else row
    return None
