"""Departures: how a round, a cut or a closing differs from the announcement, or from the rulebook's table.

An event is compared with its announcement, because the announcement itself names the rules of the table that it
breaks. An event is compared with the table if nothing was announced, or if other players came than expected. The
rounds of an imported file were announced elsewhere, and are not compared. An announcement after the import counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from matchledger.events import (
    AnyFact,
    Bye,
    CutMade,
    PairingAmended,
    PairingsPosted,
    RoundPaired,
    Seating,
    Stage,
    StandingsPosted,
    StructureAnnounced,
    Style,
    TournamentClosed,
)
from matchledger_projections.divisions.grouping import division_mode, division_of, rounds_of
from matchledger_projections.divisions.tables import standings_apart
from matchledger_projections.message import Sentence, both, demanding, joined, numbered, sentence
from matchledger_projections.record.desk_calls import questions_said, round_said
from matchledger_projections.record.record import Record
from matchledger_projections.record.returning import returned, returns
from matchledger_projections.record.round import Round, as_seated
from matchledger_projections.rulebook.sections import UNWRITTEN
from matchledger_projections.stages.bracket import (
    SEMIFINALS,
    Stray,
    brackets,
    follows_bracket,
    games_to_reseat,
    in_elimination,
    losers_of,
    seated_of,
    seeded_games,
    sides_due,
    strays,
)
from matchledger_projections.stages.bracket_draw import fields_of
from matchledger_projections.stages.cut import flights_in, outdated_cuts, until_ordered
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.flights import (
    field_now,
    objections_to_draw,
    pooled,
    why_not_in_flights,
)
from matchledger_projections.stages.placing import Place, nobody_won, places
from matchledger_projections.stages.structure import (
    CUSTOM,
    common_cut,
    cut_rule,
    cuts_of,
    departures,
    fitting_table,
    follows,
    proposals,
    rounds_rule,
    rules_of_own_rounds,
    unshared,
)

Cuts = Mapping[str | None, int]
"""The sizes of the cuts by division. The division is None for a common cut."""

BY_CHANCE = {"random_draw", "rock_paper_scissors"}


def of_round(record: Record, number: int) -> list[Departure]:
    """Return the departures of the next Swiss round: of round 1 in its structure and flights, of a later round in
    its number.
    """
    if not record.is_live:
        return []
    of_flights = _of_flights_drawn(record) if number == 1 else []
    if (plan := record.structure) is None:
        return [*of_flights, *_beyond_the_table(record, number)]
    told = {departure.rule for departure in of_flights}
    rules = [rule for rule in _of_structure(record, plan) if rule not in told] if number == 1 else []
    text = sentence("the announced structure does not fit the number of players, or their flights")
    divisions = record.rulebook.divisions
    shared = None if divisions is None else divisions.rule
    return [*of_flights, *(Departure(rule, common_cut() if rule == shared else text) for rule in rules)]


def _of_flights_drawn(record: Record) -> list[Departure]:
    """PKM-3.3.3.1-RESTRICT, PKM-3.3.3.2-FINALS: drawn flights that the players of round 1 no longer fill."""
    return [
        Departure(objection.rule, why_not_in_flights(drawn.division, len(drawn.flights), objection))
        for _, drawn in record.flights_drawn
        for objection in objections_to_draw(record, drawn)
    ]


def _beyond_the_table(record: Record, number: int) -> Iterator[Departure]:
    rule, most = _most_rounds(record)
    if most and number > most:
        text = sentence(
            "the rulebook's table gives at most %(most)s rounds, not %(number)s", most=most, number=number
        )
        yield Departure(rule, text)


def _most_rounds(record: Record) -> tuple[str, int]:
    """Return the rule of the first fitting table, and the most Swiss rounds that a fitting table allows, or 0 if
    no table fits.
    """
    found = list(proposals(record.rulebook, field_now(record, begun=True)))
    most = [rounds for proposed in found if proposed.style != "elimination" for rounds in proposed.rounds]
    return (found[0].rule, max(most)) if most else (UNWRITTEN, 0)


def of_late_entry(record: Record, division: str | None, charged: Collection[int]) -> list[Departure]:
    """Return the rule against a late entry whose player has no round left, because every round of the event or
    division is charged.
    """
    plan = record.structure
    if not record.is_live or not charged or (plan is not None and plan.style == "elimination"):
        return []
    announced = rounds_of(record, division)
    last = _most_rounds(record)[1] if announced is None else announced
    if not last or len(charged) < last:
        return []
    rule = record.rulebook.permission_rule("accept-late") or UNWRITTEN
    return [Departure(rule, sentence("round %(round)s was the last, so no round is left to play", round=last))]


def of_cut(record: Record, round_: int, sizes: Cuts) -> list[Departure]:
    """Return the departures of a cut after a round from the announcement (or without one from the table), and
    from equal flights.
    """
    if not record.is_live:
        return []
    if record.structure is not None:
        against = [*of_announced_cut(record, record.structure, round_, sizes), *_of_flights(record, sizes)]
        return [*against, *_of_pools(record)]
    played = _played(record, round_, sizes)
    text = sentence(
        "by the rulebook's table, round %(round)s is not followed by %(cut)s", cut=said_cuts(sizes), round=round_
    )
    against = [*(Departure(rule, text) for rule in _of_structure(record, played)), *_of_flights(record, sizes)]
    return [*against, *_of_pools(record)]


def of_announced_cut(record: Record, plan: StructureAnnounced, round_: int, sizes: Cuts) -> list[Departure]:
    """Return the departures of a cut after a round from its announcement, in time and in size."""
    due = cuts_of(plan)
    rules = [] if plan.rounds == round_ else [rounds_rule(record.rulebook)]
    if any(due.get(division, 0) != size for division, size in sizes.items()):
        rules.append(cut_rule(record.rulebook))
    text = sentence(
        "you announced %(rounds)s rounds and %(announced)s, not %(cut)s after round %(round)s",
        rounds=plan.rounds,
        announced=said_cuts(due),
        cut=said_cuts(sizes),
        round=round_,
    )
    return [Departure(rule, text) for rule in dict.fromkeys(rules)]


def of_bracket(record: Record) -> list[Departure]:
    """Return the departures of the first elimination round: the standings behind a cut have changed, or a
    division lacks its cut.
    """
    if not record.is_live:
        return []
    rule = record.rulebook.elimination.rule("cut")
    outdated = [Departure(rule, said) for said in outdated_cuts_said(record)]
    return [*outdated, *(_cuts_not_made(record) if record.cuts else ())]


def outdated_cuts_said(record: Record) -> Iterator[Sentence]:
    """Say of each outdated cut that the standings have changed since the cut."""
    made_at = {cut.division: position for position, cut in record.counting(CutMade)}
    for cut in outdated_cuts(record):
        yield sentence(
            "the cut no longer matches the standings (retract entry %(entry)s to cut again)",
            entry=made_at[cut.division],
        )


def of_bracket_by_hand(record: Record, paired: RoundPaired) -> list[Departure]:
    """Return the departures of an elimination round by hand: missing players, the seeding, or the drawn bracket."""
    if not record.is_live or follows_bracket(record, paired):
        return []
    if record.brackets_drawn:
        return list(_off_the_bracket(record, paired))
    return [*_left_out_of_bracket(record, paired), *(_of_seeding(record, paired) if paired.round == 1 else ())]


def of_reseating(record: Record, amended: PairingAmended) -> list[Departure]:
    """Return the departures of an elimination round after some of its players were reseated."""
    games, byes = as_seated(record.round(amended.round, amended.stage), amended)
    tables = tuple(Seating(table=table, players=two) for table, two in enumerate(games, 1))
    given = tuple(Bye(player=player) for player in byes)
    whole = RoundPaired(stage=amended.stage, round=amended.round, tables=tables, byes=given)
    return of_bracket_by_hand(record, whole)


def _off_the_bracket(record: Record, paired: RoundPaired) -> Iterator[Departure]:
    """Yield the departures of games and byes that are not in the drawn brackets."""
    found = [sides for drawn in brackets(record) for sides in sides_due(record, drawn, paired.round)]
    due = [seats for sides in found if (seats := seated_of(record, sides))]
    seated = {player for seating in paired.tables for player in seating.players}
    alone = {bye.player for bye in paired.byes}
    rule = record.rulebook.elimination.rule("advance")
    text = sentence("elimination round %(round)s has other games than the bracket", round=paired.round)
    yield Departure(rule, text)
    left = sorted({player for seats in due for player in seats} - seated - alone)
    if left := [player for player in left if record.status(player) == "active"]:
        yield _without_seat(record, rule, paired.round, left)
    if more := sorted(alone - {seats[0] for seats in due if len(seats) == 1}):
        yield _undue_byes(record, rule, paired.round, more)


def _left_out_of_bracket(record: Record, paired: RoundPaired) -> Iterator[Departure]:
    """Yield the departures of a stage without a drawn bracket: qualifiers without a seat, and unneeded byes. In a
    later round, players may wait if no rule says that winners advance.
    """
    before = record.round(paired.round - 1, "elimination")
    field = {player for _, field in fields_of(record) for player in field}
    if before is not None:
        won = {report.winner for _, _, report in before.results() if report is not None}
        field = {player for player in won if player} | {bye.player for bye in before.byes}
        if _is_before_playoff(record, before):
            field |= losers_of(before)
    alone = {bye.player for bye in paired.byes}
    coming = field - {player for seating in paired.tables for player in seating.players} - alone
    left = sorted(player for player in coming if record.status(player) == "active")
    rule = record.rulebook.elimination.rule("cut" if before is None else "advance")
    knocked_out = before is None or (rule != UNWRITTEN and len(before.tables) + len(before.byes) > 1)
    if left and knocked_out:
        yield _without_seat(record, rule, paired.round, left)
    gone = sum(record.status(player) != "active" for player in field)
    free = len(field) % 2 if before is not None else _empty_sides(record)
    if len(alone) > free + gone and knocked_out:
        yield _undue_byes(record, rule, paired.round, sorted(alone))


def _is_before_playoff(record: Record, before: Round) -> bool:
    """Return whether the losers of a round have an announced match for 3rd and 4th place (PKM-3.3.6.1-PLAYOFF)."""
    plan, games = record.structure, len(before.tables) + len(before.byes)
    first = record.round(before.number - 1, "elimination")
    final = first is not None and len(first.tables) + len(first.byes) == SEMIFINALS
    return plan is not None and plan.playoff and games == SEMIFINALS and not final


def _empty_sides(record: Record) -> int:
    """Return the byes that fill the first round of every bracket (L5R-IV.2c-STARTBYE, PKM-3.2-BYES)."""
    return sum(len(game) == 1 for _, field in fields_of(record) for game in seeded_games(field))


def _without_seat(record: Record, rule: str, round_: int, players: Sequence[int]) -> Departure:
    text = sentence(
        "%(players)s would have neither a game nor a bye in elimination round %(round)s",
        players=both(record.players[player].name for player in players),
        round=round_,
    )
    return Departure(rule, text)


def _undue_byes(record: Record, rule: str, round_: int, players: Sequence[int]) -> Departure:
    text = sentence(
        "elimination round %(round)s gives no bye to %(players)s",
        players=both(record.players[player].name for player in players),
        round=round_,
    )
    return Departure(rule, text)


def _of_seeding(record: Record, paired: RoundPaired) -> Iterator[Departure]:
    """Yield a departure if the first games differ from the seeds of the cut. A qualifier who has left gives a
    bye.
    """
    if record.cut is None or record.rulebook.readings.cut_bracket != "seeded":
        return
    games = [
        [player for player in game if record.status(player) == "active"]
        for _, seeds in fields_of(record)
        for game in seeded_games(seeds)
    ]
    due = {frozenset(game) for game in games if len(game) > 1}
    if {frozenset(seating.players) for seating in paired.tables} != due:
        text = sentence("elimination round 1 has other games than the seeds of the cut give")
        yield Departure(record.rulebook.elimination.rule("seeding"), text)


def open_questions(record: Record) -> list[Sentence]:
    """Return the questions that are open before the next step: unanswered calls, contradicting slips, missing
    results, absent winners.
    """
    missing = [*missing_results(record), *_missing_before_the_cut(record)]
    return [*questions_said(record), *missing, *strayed(record), *_winners_gone(record)]


def strayed(record: Record) -> Iterator[Sentence]:
    """The posted elimination rounds that do not follow from the round before, perhaps after a correction."""
    for stray in strays(record):
        said = sentence(
            "%(round)s does not follow from the bracket: %(said)s",
            round=round_said("elimination", stray.round),
            said=joined(_strayed_in(record, stray), ", "),
        )
        yield _way_back(record, stray, said)


def _way_back(record: Record, stray: Stray, said: Sentence) -> Sentence:
    """Add what to do about a round: seat the right players if other tables can stay, or pair the round again."""
    latest, games = record.latest_round("elimination"), games_to_seat(record)
    if latest is None or not games or stray.byes:
        return sentence("%(problem)s (take the whole round back, and pair again)", problem=said)
    names = ", ".join("/".join(record.players[player].name for player in two) for two in games)
    wrong = (table for table, two in sorted(latest.tables.items()) if stray.strangers.intersection(two))
    played = [str(table) for table in wrong if latest.report(table, latest.tables[table]) is not None]
    if played:
        return sentence(
            "%(problem)s (retract the result of table %(tables)s, then seat %(games)s: the other tables stay)",
            problem=said,
            tables=", ".join(played),
            games=names,
        )
    return demanding(
        sentence("%(problem)s (seat %(games)s: the other tables stay)", problem=said, games=names), "a seat"
    )


def games_to_seat(record: Record) -> list[tuple[int, ...]]:
    """Return the games to seat in the last elimination round if it does not follow from the round before. Return []
    if no other table can stay, because then the round is paired again.
    """
    latest = record.latest_round("elimination")
    games = [] if latest is None or not strays(record) else games_to_reseat(record, latest)
    return [] if latest is None or len(latest.tables) + len(latest.byes) == len(games) else games


def _strayed_in(record: Record, stray: Stray) -> Iterator[Sentence]:
    def names(players: Iterable[int]) -> str:
        return both(record.players[player].name for player in sorted(players))

    if stray.missing:
        yield sentence("%(players)s should have a seat", players=names(stray.missing))
    if stray.strangers:
        yield sentence("%(players)s should have no seat", players=names(stray.strangers))
    if stray.byes:
        yield numbered("%(count)s bye is too many", "%(count)s byes are too many", stray.byes)


def _winners_gone(record: Record) -> Iterator[Sentence]:
    """Yield a sentence for each winner of the last elimination round who had left before the win was recorded,
    because the next round would leave the player out.
    """
    latest = record.latest_round("elimination")
    for table, players, report in () if latest is None else latest.results():
        winner = None if report is None else report.winner
        if latest is None or winner is None or record.status(winner) == "active":
            continue
        left = max(position for position, _ in record.movements[winner] if not record.is_dead(position))
        known = [
            earlier
            for earlier in latest.reports(table)
            if earlier.position < left and earlier.players == players and not record.is_dead(earlier.position)
        ]
        if record.was_live(left) and not (known and known[-1].winner == winner):
            yield sentence(
                "%(player)s won table %(table)s of %(round)s, but had left before (retract entry %(entry)s if "
                "the player goes on)",
                player=record.players[winner].name,
                table=table,
                round=round_said("elimination", latest.number),
                entry=left,
            )


def missing_results(record: Record) -> Iterator[Sentence]:
    """Yield the tables without a result before the round in play, in imported rounds too."""
    yield from map(_without_result, record.earlier_open_rounds)


def _missing_before_the_cut(record: Record) -> Iterator[Sentence]:
    """Yield the tables without a result in the last Swiss round after the cut, while no later round is paired."""
    latest = record.current_round
    if latest is not None and latest.stage == "swiss" and latest.outstanding and in_elimination(record):
        yield _without_result(latest)


def _without_result(round_: Round) -> Sentence:
    return without_result(round_.stage, round_.number, round_.outstanding)


def without_result(stage: Stage, number: int, tables: Sequence[int]) -> Sentence:
    """Return the sentence that tables of a round have no result."""
    return numbered(
        "table %(tables)s of %(round)s has no result",
        "tables %(tables)s of %(round)s have no result",
        len(tables),
        tables=", ".join(map(str, tables)),
        round=round_said(stage, number),
    )


# Facts that should wait until the desk has answered every call and settled every contradicting slip.
WAITING = (RoundPaired, CutMade, StandingsPosted, PairingsPosted, TournamentClosed)


def left_open(record: Record, fact: AnyFact) -> list[Sentence]:
    """Return the open questions that an entry should wait for, including the departures of a closing."""
    step = _step(record, fact)
    missing = [departure.text for departure in of_closing(record)] if isinstance(step, TournamentClosed) else []
    return [*questions_over(record, step), *missing]


def questions_over(record: Record, fact: AnyFact) -> list[Sentence]:
    """Return the questions that are open before an entry. For a pairing, these include open tables of
    the round before.
    """
    step = _step(record, fact)
    latest = record.latest_round(step.stage) if isinstance(step, RoundPaired) else None
    still = [_without_result(latest)] if latest is not None and latest.outstanding else []
    return [*open_questions(record), *still] if isinstance(step, WAITING) else []


def _step(record: Record, fact: AnyFact) -> AnyFact:
    """Return the round, cut or closing that counts again because of a retraction, or any other fact itself."""
    position = returns(record, fact)
    return fact if position is None else returned(record, position) or fact


def of_closing(record: Record) -> list[Departure]:
    """Return the departures of a closing: missing results, rounds or cuts, and undecided places.

    For an event that was announced elsewhere, only missing results count.
    """
    return [*_of_tables(record), *([*_of_length(record), *_of_places(record)] if record.is_live else [])]


def _of_tables(record: Record) -> Iterator[Departure]:
    """Yield the departure of tables without a result in the last round of either stage."""
    for latest in (record.latest_round("swiss"), record.latest_round("elimination")):
        if latest is not None and latest.outstanding:
            style: Style = "swiss" if latest.stage == "swiss" else "elimination"
            yield Departure(rounds_rule(record.rulebook, style), _without_result(latest))


def _of_length(record: Record) -> Iterator[Departure]:
    plan, played = record.structure, len(record.rounds())
    by_elimination = plan is not None and plan.style == "elimination"
    if by_elimination or (record.cut is None and in_elimination(record)):
        if not record.rounds("elimination"):
            yield Departure(rounds_rule(record.rulebook, "elimination"), sentence("no round was played"))
        return
    if plan is not None and played < plan.rounds:
        text = sentence("%(played)s of %(rounds)s announced rounds were played", played=played, rounds=plan.rounds)
        yield Departure(rounds_rule(record.rulebook), text)
    yield from _cuts_not_made(record)
    if record.cut is None:
        yield from _of_pools(record)
    if plan is None and record.cut is None:
        text = sentence("by the rulebook's table, the event does not end after round %(round)s", round=played)
        for rule in _of_structure(record, _played(record, played, {})):
            yield Departure(rule, text)


def _of_pools(record: Record) -> Iterator[Departure]:
    """Yield the departures of divisions and flights that played fewer rounds than they should have, although the
    event went on. Without an announcement, the flights of a division play as many rounds as each other.
    """
    members = pooled(record, [player.number for player in record.entered()])
    if len(members) < 2:  # noqa: PLR2004 - one pool plays in every round
        return
    swiss = record.rounds()
    played = {
        name: sum(not round_.players.isdisjoint(inside) for round_ in swiss) for name, inside in members.items()
    }
    longest: dict[str, int] = {}
    for name, inside in members.items():
        for division in {division_of(record, player) for player in inside}:
            longest[division] = max(played[name], longest.get(division, 0))
    for name, inside in members.items():
        division = division_of(record, inside[0])
        due = longest[division] if record.structure is None else rounds_of(record, division) or 0
        owed = sum(
            not record.charged_with(round_.number).issuperset(inside)
            if record.was_live(round_.position)
            else not round_.players.isdisjoint(inside)  # an imported round is owed only to those who played it
            for round_ in swiss[:due]
        )
        if played[name] < owed:
            text = sentence(
                "%(division)s played %(played)s of %(rounds)s rounds",
                division=name,
                played=played[name],
                rounds=owed,
            )
            yield from (Departure(rule, text) for rule in rules_of_own_rounds(record))


def _cuts_not_made(record: Record) -> Iterator[Departure]:
    """Yield the announced cuts that are missing."""
    plan = record.structure
    if plan is not None and (missing := cuts_of(plan).keys() - {made.division for made in record.cuts}):
        due = {division: size for division, size in cuts_of(plan).items() if division in missing}
        yield Departure(cut_rule(record.rulebook), sentence("%(cut)s was not made", cut=said_cuts(due)))


def _of_places(record: Record) -> Iterator[Departure]:
    """Yield the departure of places that depend on an unplayed game or an undecided tie."""
    if record.cut is not None and not record.rounds("elimination"):
        yield Departure(record.rulebook.elimination.rule("cut"), sentence("no game was played after the cut"))
    for _ in nobody_won(record):
        yield Departure(record.rulebook.elimination.rule("advance"), sentence("nobody won the final"))
    if (open_ := _open_place(record)) is not None:
        place, is_tied = open_
        said = _not_decided(place)
        yield Departure(place.rule, until_ordered(record, said) if is_tied else said)


def tie_at_end(record: Record) -> Sentence | None:
    """Say that final places depend on a tie, or return None."""
    open_ = _open_place(record)
    return _not_decided(open_[0]) if open_ is not None and open_[1] else None


def _not_decided(place: Place) -> Sentence:
    return sentence("places %(first)s to %(last)s are not decided", first=place.first, last=place.last)


def _open_place(record: Record) -> tuple[Place, bool] | None:
    """Return the first place that a draw or a game can still decide, and whether it depends on a tie.

    A single player's place is undecided only for lack of rounds or cuts, which are departures of their own.
    """
    if not record.rounds() and not record.rounds("elimination"):
        return None
    tied = {player for table in standings_apart(record) for group in table.ties for player in group}
    by_chance = not BY_CHANCE.isdisjoint(record.rulebook.tiebreaks)
    for place in places(record):
        is_tied = place.player in tied
        if not place.decided and place.first != place.last and (by_chance or not is_tied):
            return place, is_tied
    return None


def _of_structure(record: Record, plan: StructureAnnounced) -> tuple[str, ...]:
    """Return the rules that a structure breaks for the players who came, apart from the marked rules.

    A structure follows the table if it fits the players present for round 1, or those who registered in time if
    the rulebook counts them.
    """
    table = None if _is_free(record, plan) else ""
    found = (rules for rules, _ in against_tables(record, plan, table, begun=True))
    return min((tuple(rule for rule in rules if rule not in plan.deviations) for rules in found), key=len)


def against_tables(
    record: Record, plan: StructureAnnounced, table: str | None, *, begun: bool = False
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the rules that a structure breaks, and the table that it follows, or `custom` if it follows none.

    The first pair is for the players present for round 1. If the rulebook counts registered players
    (L5R-V.1-BASIC), a second pair is for those who registered in time. `table` names the table to compare with:
    "" means the table that fits best, and None means no table.
    """
    law = record.rulebook
    counted = law.structures is not None and law.structures.registered is not False
    for registered in (False, True) if counted else (False,):
        field = field_now(record, begun=begun, registered=registered)
        against = table if table != "" else fitting_table(law, plan, field)
        follows_it = against is not None and follows(law, plan, against, field)
        yield departures(law, plan, against, field), against if against is not None and follows_it else CUSTOM


def _is_free(record: Record, plan: StructureAnnounced) -> bool:
    """Return whether the organizer announced a structure that follows none of the rulebook's tables, as the
    rulebook allows.
    """
    structures = record.rulebook.structures
    if structures is None or structures.custom is None or record.structure is None or plan.structure != CUSTOM:
        return False
    return not any(table.rule in plan.deviations for table in structures.tables.values())


def _played(record: Record, round_: int, sizes: Cuts) -> StructureAnnounced:
    """Return the structure that an event played without an announcement."""
    own = {division: size for division, size in sizes.items() if division is not None}
    rounds = _rounds_played_apart(record)
    style = "swiss-with-cut" if sizes else "swiss"
    largest = max(sizes.values(), default=0)
    return StructureAnnounced(
        style=style, structure=CUSTOM, rounds=round_, cut=largest, division_cuts=own, division_rounds=rounds
    )


def _rounds_played_apart(record: Record) -> dict[str, int]:
    """Return how many rounds each division that plays separately has played."""
    played = Counter[str]()
    for round_ in record.rounds() if division_mode(record) == "separated" else ():
        played.update({division_of(record, player) for player in round_.players})
    return dict(played)


def _of_flights(record: Record, sizes: Cuts) -> Iterator[Departure]:
    """Yield a departure if flights do not send equal numbers into the cut, or send too few (PKM-3.3.3.2-FINALS)."""
    rule = record.rulebook.flights
    for division, size in sizes.items() if rule is not None else ():
        flights = len(flights_in(record, division))
        if rule is not None and size and flights and not rule.share(size, flights):
            yield Departure(rule.finals_rule, unshared(rule, size, flights))


def said_cuts(sizes: Cuts) -> Sentence:
    """Return cuts in words: one for all players, or one for each division with its own cut."""
    if not any(sizes.values()):
        return sentence("no cut")
    of_each = [
        sentence("%(size)s of %(division)s", size=size, division=division)
        for division, size in sizes.items()
        if size and division is not None
    ]
    return sentence("a cut to %(size)s", size=both(of_each) if of_each else next(iter(sizes.values())))
