"""Swiss rounds: pair them by the rulebook or by hand, and amend posted rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matchledger.commands.divisions import divisions_due
from matchledger.commands.postings import need_standings_posted
from matchledger.commands.refusal import (
    Refusal,
    departing,
    name_of,
    names_of,
    need_active,
    need_all,
    need_late_players_seated,
    need_open,
    not_finished,
)
from matchledger.commands.staff import let_stand, need_ruled
from matchledger.commands.structures import further_round, need_settled
from matchledger.events import (
    AnyFact,
    Bye,
    PairingAmended,
    RematchAllowed,
    RoundPaired,
    Seating,
    Stage,
)
from matchledger_projections.divisions.grouping import finished_divisions
from matchledger_projections.message import demanding, numbered, sentence
from matchledger_projections.pairing.check import of_seating
from matchledger_projections.pairing.drawing import RoundDrawn, Unpairable, draw_round
from matchledger_projections.pairing.footing import seeds_of
from matchledger_projections.pairing.lineup import to_be_paired
from matchledger_projections.pairing.obstruction import proof
from matchledger_projections.pairing.seats import seated_at
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.stages.bracket import strays
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.departures import of_bracket, of_bracket_by_hand, of_reseating
from matchledger_projections.stages.structure import rules_of_own_rounds
from matchledger_projections.standings.crosstable import crosstable


def pair_round(
    record: Record, *, secret: bytes, allow_rematch: bool = False, deviating: bool = False
) -> list[AnyFact]:
    """Pair the next Swiss round by the rulebook.

    Refuse if every possible pairing has a rematch. With `allow_rematch`, or if a policy allows rematches
    (POL-ALL-REMATCH-FALLBACK), use the fewest rematches. Each rematch gets its own entry. A round beyond the
    announced rounds needs `deviating`. A game in which no leader can rule needs `deviating` too.
    """
    need_open(record)
    number = _next_round(record, "swiss")
    need_standings_posted(record, number)
    drawn: list[AnyFact] = []

    def draw() -> None:
        drawn.extend(derive_round(record, number, secret=secret, allow_rematch=allow_rematch))
        let_stand(record, drawn, deviating=deviating)

    need_all(
        lambda: need_settled(record, deviating=deviating),
        lambda: further_round(record, number, deviating=deviating),
        lambda: divisions_due(record, deviating=deviating),
        draw,
    )
    change, rules = further_round(record, number, deviating=deviating)
    return [
        *change,
        *divisions_due(record, deviating=deviating),
        *let_stand(record, _marked(drawn, rules), deviating=deviating),
    ]


def refusals_ahead(record: Record, number: int, *, deviating: bool) -> Iterator[Refusal]:
    """Yield in order the refusals of `pair_round` that do not depend on the pairings."""
    for check in (
        lambda: need_late_players_seated(record),
        lambda: further_round(record, number, deviating=deviating),
        lambda: divisions_due(record, deviating=deviating),
    ):
        try:
            check()
        except Refusal as refusal:
            yield refusal


def _marked(facts: Sequence[AnyFact], rules: tuple[str, ...]) -> list[AnyFact]:
    """Return the facts of a round, where the paired round names the rules that it departs from."""
    more = {"deviations": rules}
    return [fact.model_copy(update=more) if isinstance(fact, RoundPaired) else fact for fact in facts]


def number_to_come(record: Record) -> int:
    """Return the number of the next Swiss round, even if it cannot be paired yet."""
    need_open(record)
    if record.cut is not None:
        raise Refusal(sentence("the cut is made: the Swiss rounds are over"))
    latest = record.latest_round()
    return 1 if latest is None else latest.number + 1


def derive_round(record: Record, number: int, *, secret: bytes, allow_rematch: bool = False) -> list[AnyFact]:
    """Return the facts of a round as drawn from the earlier rounds, even if the recorded round differs or later
    rounds exist.
    """
    return round_to_come(record, number, secret=secret, allow_rematch=allow_rematch).facts


def round_to_come(record: Record, number: int, *, secret: bytes, allow_rematch: bool = False) -> RoundDrawn:
    """Draw the round with this number from the earlier rounds, and return the drawn round with all its inputs."""
    awarded = record.awarded_byes(number)
    due = to_be_paired(record, number)
    active = [player for player in due if player not in awarded]
    if len(active) < min(len(due), 2):
        raise Refusal(
            sentence(
                "awarded byes leave %(count)s players to pair in round %(round)s, and a round needs two: retract "
                "a bye",
                count=len(active),
                round=number,
            )
        )
    if len(active) < 2 <= len(record.active_players()) and finished_divisions(record, number):  # noqa: PLR2004 - a table has two sides
        raise Refusal(
            demanding(
                sentence(
                    "no division has two players with a round left: make the cut or close the event, or pair round "
                    "%(round)s by hand",
                    round=number,
                ),
                "pairings by hand",
            ),
            rules_of_own_rounds(record)[-1],
        )
    if len(active) < 2:  # noqa: PLR2004 - a table has two sides
        raise Refusal(
            numbered(
                "%(count)s active player cannot be paired: a round needs two, register or rejoin more",
                "%(count)s active players cannot be paired: a round needs two, register or rejoin more",
                len(active),
            )
        )
    try:
        table = crosstable(record, record.rulebook, number - 1)
        seeds = seeds_of(record, number, secret, table)
        return draw_round(record, number, seeds, table, allow_rematch=allow_rematch)
    except Unpairable as problem:
        raise _refusal(record, number, problem) from None


def _refusal(record: Record, number: int, problem: Unpairable) -> Refusal:
    what = sentence("round %(round)s", round=number)
    if problem.pool.name:
        what = sentence("%(round)s of %(division)s", round=what, division=problem.pool.name)
    if problem.problem.obstruction is None:
        return Refusal(
            demanding(
                sentence(
                    "%(what)s has no bye to give, because everybody has had one: pair it by hand",
                    what=what,
                ),
                "pairings by hand",
            ),
            record.rulebook.bye.rule,
        )
    return Refusal(
        demanding(
            sentence(
                "%(what)s cannot be paired without a rematch (%(problem)s; %(proof)s): allow rematches, or pair "
                "it by hand",
                what=what,
                problem=problem.said,
                proof=proof(record, problem.problem.obstruction),
            ),
            "a rematch",
            "pairings by hand",
        ),
        _rematch_rule(record),
    )


def _rematch_rule(record: Record) -> str | None:
    policy = record.rulebook.policies.get("POL-ALL-REMATCH-FALLBACK")
    return policy.rule if policy is not None else None


def _next_round(record: Record, stage: Stage) -> int:
    latest = record.latest_round(stage)
    if stage == "swiss" and record.cut is not None:
        raise Refusal(sentence("the cut is made: the Swiss rounds are over"))
    if latest is None:
        return 1
    if latest.outstanding:
        raise not_finished(record, sentence("round %(round)s", round=latest.number), latest.outstanding)
    if stage == "swiss":
        need_late_players_seated(record)
    return latest.number + 1


def pair_by_hand(
    record: Record,
    *,
    games: Sequence[Seating],
    byes: Sequence[Bye] = (),
    stage: Stage = "swiss",
    rematches: Sequence[tuple[int, int]] = (),
    number: int | None = None,
    unfinished: bool = False,
    deviating: bool = False,
) -> list[AnyFact]:
    """Record a round that was paired by hand.

    The round is checked against the rules, but not drawn.

    `rematches` are the pairs that may meet again. `unfinished` allows a round while tables of earlier rounds have
    no result, as in imported events. A second bye, or a game across flights or separate divisions, needs
    `deviating`. An elimination round needs `deviating` if its cut is outdated or its games are not those of the
    bracket.
    """
    need_open(record)
    latest = record.latest_round(stage)
    after_latest = (latest.number if latest else 0) + 1
    expected = after_latest if unfinished else _next_round(record, stage)
    if number is not None and number != expected:
        raise Refusal(sentence("the next round is %(expected)s, not %(number)s", expected=expected, number=number))
    _need_everybody_once(record, games, byes)
    if not unfinished and stage == "swiss":
        need_standings_posted(record, expected)
    swiss = stage == "swiss"
    paired = RoundPaired(stage=stage, round=expected, tables=tuple(games), byes=tuple(byes))
    need_all(
        *(() if unfinished else (lambda: need_settled(record, deviating=deviating),)),
        lambda: _need_new_opponents(record, games, stage, rematches),
        lambda: swiss and further_round(record, expected, deviating=deviating),
        lambda: departing(_as_paired(record, paired, unfinished=unfinished), deviating=deviating),
        lambda: swiss and record.is_live and divisions_due(record, deviating=deviating),
        lambda: let_stand(record, [paired], deviating=deviating),
    )
    change, rules = further_round(record, expected, deviating=deviating) if swiss else ([], ())
    seated = departing(_as_paired(record, paired, unfinished=unfinished), deviating=deviating)
    paired = paired.model_copy(update={"deviations": (*rules, *seated)})
    return [
        *change,
        *(divisions_due(record, deviating=deviating) if swiss and record.is_live else ()),
        *(RematchAllowed(round=expected, players=two) for two in rematches if swiss),
        *let_stand(record, [paired], deviating=deviating),
    ]


def _as_paired(record: Record, paired: RoundPaired, *, unfinished: bool) -> list[Departure]:
    """Return the departures of a round paired by hand: in its seating, or from the bracket."""
    if paired.stage == "swiss":
        return [*of_seating(record, paired)]
    if unfinished:
        return []
    return [*(of_bracket(record) if paired.round == 1 else ()), *of_bracket_by_hand(record, paired)]


def _need_everybody_once(record: Record, games: Sequence[Seating], byes: Sequence[Bye]) -> None:
    seen: set[int] = set()
    for player in [player for game in games for player in game.players] + [bye.player for bye in byes]:
        need_active(record, player)
        if player in seen:
            raise Refusal(sentence("%(player)s is paired twice in this round", player=name_of(record, player)))
        seen.add(player)
    tables = [game.table for game in games]
    if len(set(tables)) != len(tables):
        twice = next(table for table in tables if tables.count(table) > 1)
        raise Refusal(sentence("table %(twice)s is used twice in this round", twice=twice))


def _need_new_opponents(
    record: Record, games: Sequence[Seating], stage: Stage, rematches: Sequence[tuple[int, int]]
) -> None:
    """Refuse a second meeting in the Swiss rounds (L5R-IV.2-REMATCH, SWR-SWISS-NOREMATCH, PKM-3.1-NOREMATCH,
    ASH-NOREMATCH).
    """
    if stage != "swiss":
        return
    allowed = [set(two) for two in rematches]
    for game in games:
        if set(game.players) not in allowed and (before := meeting(record, *game.players)):
            first, second = (name_of(record, player) for player in game.players)
            raise Refusal(
                demanding(
                    sentence(
                        "%(first)s and %(second)s met in round %(round)s: give them other opponents, or allow "
                        "the rematch",
                        first=first,
                        second=second,
                        round=before.number,
                    ),
                    "a rematch",
                ),
                _rematch_rule(record),
            )


def meeting(record: Record, first: int, second: int) -> Round | None:
    """Return the Swiss round in which two players met, if it has a result."""
    for round_ in record.rounds():
        table = round_.table_between(first, second)
        if table is not None and round_.report(table, round_.tables[table]) is not None:
            return round_
    return None


def amend_pairing(
    record: Record,
    *,
    games: Sequence[tuple[int, int]],
    byes: Sequence[int] = (),
    stage: Stage = "swiss",
    rematches: Sequence[tuple[int, int]] = (),
    deviating: bool = False,
) -> list[AnyFact]:
    """Reseat some players of the posted round.

    Everybody else stays.

    The named players get the tables that they leave, in order of table number. A second bye, or a game across
    flights or separate divisions, needs `deviating`.
    """
    need_open(record)
    latest = record.latest_round(stage)
    if latest is None:
        raise Refusal(sentence("no round is paired: pair one first"))
    named = [player for two in games for player in two] + list(byes)
    if not named:
        raise Refusal(sentence("no player is named: name the players who change tables, or who get a bye"))
    tables = {table: two for table, two in latest.tables.items() if set(two) & set(named)}
    old_byes = [bye.player for bye in latest.byes if bye.player in named]
    _need_whole_tables(record, latest, named, tables)
    as_they_sit = {frozenset(two) for two in games} == {frozenset(two) for two in tables.values()}
    if as_they_sit and set(byes) == set(old_byes):
        names = names_of(record, named)
        raise Refusal(sentence("%(players)s sit like this already: nothing would change", players=names))
    free = [
        *sorted(tables),
        *range(max(latest.tables, default=0) + 1, max(latest.tables, default=0) + len(games) + 1),
    ]
    added = seated_at(record, games, free)
    if stage == "swiss":
        _need_uncharged(record, latest, named)
    _need_everybody_once(record, added, [Bye(player=player) for player in byes])
    _need_new_opponents(record, added, stage, rematches)
    amended = PairingAmended(
        stage=stage,
        round=latest.number,
        removed=tuple(Seating(table=table, players=two) for table, two in tables.items()),
        added=added,
        byes_removed=tuple(old_byes),
        byes_added=tuple(byes),
    )
    found = of_seating(record, amended) if stage == "swiss" else of_reseating(record, amended)
    rules = departing(found, deviating=deviating)
    unruled = need_ruled(record, added, deviating=deviating)
    return [
        *(RematchAllowed(round=latest.number, players=two) for two in rematches),
        amended.model_copy(update={"deviations": (*rules, *unruled)}),
    ]


def _need_uncharged(record: Record, latest: Round, named: Sequence[int]) -> None:
    """Refuse to seat a player who already has a loss for the round (PKM-3.1.4-LATE, L5R-IV.2-REJOIN)."""
    for player in named:
        if latest.number in record.charged_rounds(player, latest.number):
            raise Refusal(
                sentence(
                    "%(player)s is charged with a loss for round %(round)s, and cannot play in it as well",
                    player=name_of(record, player),
                    round=latest.number,
                )
            )


def _need_whole_tables(
    record: Record, latest: Round, named: Sequence[int], tables: dict[int, tuple[int, int]]
) -> None:
    strangers = {player for stray in strays(record) if latest.stage == "elimination" for player in stray.strangers}
    for table, two in tables.items():
        if (report := latest.report(table, two)) is not None:
            raise Refusal(
                sentence(
                    "table %(table)s has a result: to reseat its players, retract entry %(entry)s first",
                    table=table,
                    entry=report.position,
                )
            )
        if left := [player for player in two if player not in named and player not in strangers]:
            name = name_of(record, left[0])
            raise Refusal(
                sentence(
                    "%(name)s at table %(table)s would be left without an opponent: name that player too",
                    name=name,
                    table=table,
                )
            )
