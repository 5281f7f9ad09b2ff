"""Explanations: the reasons for a player's place, from the slips to the deciding comparison.

All explanations come from the columns and the steps of the standings. Therefore no number is ranked or computed a
second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple

from msgspec import Struct

from matchledger.events import Games, PlayerRejoined
from matchledger_projections.document import UNSAID, As, CitedEntry, ExactFraction, Player, PlayerName, copied
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Status
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.games import turned
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.standings.crosstable import Line, Outcome
from matchledger_projections.standings.standings import Standings, StepName
from matchledger_projections.standings.tiebreaker import Method, Term
from matchledger_projections.standings.tiebreakers import TIEBREAKERS
from matchledger_projections.views.charts import PlayerNumber
from matchledger_projections.views.sight import Sight, answers, title
from matchledger_projections.views.tables import UnderRulebook, standings_of


class Derivation(Struct, frozen=True):
    """The derivation of a player's tiebreaker: `total` over `terms`, divided by `divisor` for a mean.

    `value` is the number in the standings, or None for a tiebreaker that settled nothing for this player.
    """

    name: TiebreakName
    rule: str | None
    method: Method
    value: ExactFraction | None
    total: ExactFraction | None
    terms: tuple[Term, ...] = ()
    notes: tuple[str, ...] = ()
    divisor: Annotated[int | None, UNSAID] = None


def derive(table: Standings, rulebook: Rulebook, name: TiebreakName, player: int) -> Derivation:
    """Return the derivation of one tiebreaker, from the numbers behind the standings."""
    value = table.measure(name, player)
    found = TIEBREAKERS[name].derived(table, player, value)
    return Derivation(
        name,
        rulebook.tiebreak_rules.get(name),
        found.method,
        value,
        found.total,
        found.terms,
        found.notes,
        found.divisor,
    )


Side = Literal["above", "level", "below"]


class Ground(NamedTuple):
    """The reason why a result differs from the words of its slip, with the rule."""

    text: str
    rule: str


class PointsLine(Struct, frozen=True):
    """One round of a player: its points, the rule for them, and the entry.

    `replaced` are the entries about the same match that no longer count, first to last. `scores` and `games` are
    the numbers on the slip. The player's own number comes first.
    """

    round: int
    table: int | None
    opponent: PlayerName | None
    outcome: Outcome
    kind: str | None
    points: int
    blood_points: int
    rule: str | None
    entry: CitedEntry | None
    replaced: tuple[int, ...]
    why: tuple[Ground, ...] = ()
    games: Games | None = None
    scores: Annotated[tuple[int, int] | None, UNSAID] = None


class Measure(Struct, frozen=True):
    """One comparison of the chain between a player and a neighbour, with both numbers if they exist."""

    step: StepName
    mine: ExactFraction | None
    theirs: ExactFraction | None


EqualStep = Annotated[Measure, As(lambda measure, _: measure.step, StepName)]


class Comparison(Struct, frozen=True):
    """A neighbour in the standings, the comparison that decided between the two players, and the earlier
    comparisons.

    `decided` is None for tied neighbours. `entry` is the entry that recorded the order, if lots or a game between
    the players decided. `met` lists the rounds in which the two players met.
    """

    player: PlayerName
    rank: int | None
    side: Side
    equal: tuple[EqualStep, ...]
    decided: Measure | None
    entry: CitedEntry | None
    met: tuple[int, ...]


class Explanation(Struct, frozen=True):
    """The reasons for a player's place among `of` ranked players, as `matchledger explain --json` prints them.

    `rounds` explain the points, `tiebreaks` explain each tiebreaker, and `neighbours` are the players above, tied
    and below. `unit` names what the points count, such as half points.
    """

    tournament: str
    rulebook: str
    unit: str
    hypothetical: bool
    round: int
    clock: Clock
    position: int
    player: Player
    rank: int | None
    of: int
    tied: bool
    status: Status
    points: int
    rounds: tuple[PointsLine, ...]
    tiebreaks: tuple[Derivation, ...]
    neighbours: tuple[Comparison, ...]
    law: Annotated[Rulebook, UNSAID]


@answers("explain/players/{player}")
def explanation(sight: Sight, *, player: PlayerNumber, rulebook: UnderRulebook = None) -> Explanation:
    """The reasons for a player's place: the slips, the tiebreakers, and the deciding comparison with each
    neighbour.
    """
    law = rulebook or sight.whole.rulebook
    table = standings_of(sight.whole, sight.need_player(player), sight.round, law)
    if player not in table.table.players:
        name = sight.record.players[player].name
        raise UsageProblem(
            sentence("%(name)s had not entered by the end of round %(round)s", name=name, round=table.round)
        )
    return explain(sight.whole, table, law, player, clock=sight.clock, hypothetical=rulebook is not None)


def explain(
    record: Record,
    table: Standings,
    rulebook: Rulebook,
    player: int,
    *,
    clock: Clock = "as-known",
    hypothetical: bool = False,
) -> Explanation:
    """Return the explanation of a player's place in `table`. Raise KeyError for a player outside the table."""
    row = next((row for row in table.rows if row.player == player), None)
    if row is None:
        raise KeyError(player)
    return copied(
        Explanation,
        row,
        tournament=title(record),
        rulebook=rulebook.id,
        unit=rulebook.unit,
        hypothetical=hypothetical,
        round=table.round,
        clock=clock,
        position=record.position,
        of=len(table.order),
        rounds=tuple(_points_line(record, rulebook, player, line) for line in table.table.lines(player)),
        tiebreaks=tuple(derive(table, rulebook, name, player) for name in rulebook.tiebreaks),
        neighbours=tuple(_comparisons(table, rulebook, player)),
        law=rulebook,
    )


# -- points


def _points_line(record: Record, rulebook: Rulebook, player: int, line: Line) -> PointsLine:
    round_ = record.round(line.round)
    table = None if round_ is None else round_.table_of(player)
    report = None if round_ is None or table is None else round_.report(table, round_.tables[table])
    if round_ is None or table is None or report is None:
        return _line_without_match(record, rulebook, player, line, round_)
    kind = rulebook.results.get(report.kind)
    replaced = [
        other.position
        for other in round_.reports(table)
        if other.players == report.players and other.position != report.position
    ]
    return copied(
        PointsLine,
        line,
        report,
        table=table,
        rule=kind.rule if kind is not None else None,
        entry=report.position,
        replaced=tuple(replaced),
        why=() if report.verdict is None else tuple(Ground(*why) for why in report.verdict.why),
        games=report.games if report.games is None or player == report.players[0] else turned(report.games),
    )


def _line_without_match(
    record: Record, rulebook: Rulebook, player: int, line: Line, round_: Round | None
) -> PointsLine:
    if line.outcome == "bye" and round_ is not None:
        rule: str | None = rulebook.bye.rule
        entry: int | None = _bye_entry(record, round_, player)
    else:
        rule = _rule_of_absence(record, rulebook, player, line.round)
        entry = _charging_entry(record, player, line.round)
    return copied(
        PointsLine,
        line,
        table=None,
        opponent=None,
        kind=None,
        rule=rule,
        entry=entry,
        replaced=(),
        why=(),
        scores=None,
    )


def _bye_entry(record: Record, round_: Round, player: int) -> int:
    """Return the entry that gave the bye: a pairing, or an amendment."""
    gave = [
        position
        for position, amendment in round_.amendments
        if player in amendment.byes_added and not record.is_dead(position)
    ]
    return gave[-1] if gave else round_.position


def _rule_of_absence(record: Record, rulebook: Rulebook, player: int, round_: int) -> str:
    """Return the rulebook's rule that charges a missed round, or the policy of this program if the rulebook is
    silent.

    Rules: PKM-3.1.4-LATE, L5R-IV.2-REJOIN.
    """
    late = round_ in (record.players[player].losses or ())
    rule = rulebook.permission_rule("accept-late" if late else "rejoin")
    return rule or rulebook.reading_rule("unpaired_loss") or UNWRITTEN


def _charging_entry(record: Record, player: int, round_: int) -> int | None:
    """Return the position of the late arrival or the return that charged a player with a round, or None."""
    entered = record.players[player]
    if round_ in (entered.losses or ()):
        return entered.position
    for position, fact in record.movements.get(player, ()):
        if isinstance(fact, PlayerRejoined) and round_ in fact.losses and not record.is_dead(position):
            return position
    return None


# -- neighbours


def _comparisons(table: Standings, rulebook: Rulebook, player: int) -> Iterator[Comparison]:
    groups = table.groups
    place = next((index for index, group in enumerate(groups) if player in group), None)
    if place is None:
        return
    if place > 0:
        yield _comparison(table, rulebook, player, groups[place - 1][-1], "above")
    for level in groups[place]:
        if level != player:
            yield _comparison(table, rulebook, player, level, "level")
    if place + 1 < len(groups):
        yield _comparison(table, rulebook, player, groups[place + 1][0], "below")


def _comparison(table: Standings, rulebook: Rulebook, player: int, neighbour: int, side: Side) -> Comparison:
    step = table.decided_by(player, neighbour)
    chain: list[StepName] = ["points", *rulebook.tiebreaks]
    if rulebook.readings.late_arrivals == "behind" and "tardiness" not in chain:
        chain.insert(1, "tardiness")
    if rulebook.readings.dropped_percentages == "behind":
        chain.insert(1, "dropped")
    # A later tiebreaker can send two players back to an earlier tiebreaker. The list then ends with the tiebreaker
    # that decided.
    equal = [_measure(table, name, player, neighbour) for name in chain]
    if step is not None:
        parted = [name for name in _steps_before(table, player, neighbour) if name in chain]
        reached = max((chain.index(name) for name in parted), default=chain.index(step))
        equal = [measure for measure in equal[: reached + 1] if measure.step != step]
    drawn = step in ("random_draw", "rock_paper_scissors")
    return Comparison(
        neighbour,
        table.rank_of(neighbour),
        side,
        tuple(measure for measure in equal if measure.mine is not None and measure.mine == measure.theirs),
        None if step is None else _measure(table, step, player, neighbour),
        table.drawn_by.get(player) if drawn else None,
        tuple(line.round for line in table.table.lines(player) if line.opponent == neighbour),
    )


def _steps_before(table: Standings, first: int, second: int) -> list[StepName]:
    """Return the steps that split groups of tied players, up to the step that separated two players."""
    names: list[StepName] = []
    for step in table.steps:
        names.append(step.name)
        if step.parts(first, second):
            break
    return names


def _measure(table: Standings, step: StepName, player: int, neighbour: int) -> Measure:
    mine, theirs = table.measure(step, player), table.measure(step, neighbour)
    return Measure(step, mine, theirs)
