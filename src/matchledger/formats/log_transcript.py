"""A log as a transcript: the steps from which every foreign format is written.

The transcript has only results that count. Corrections, notes and retracted entries are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from matchledger.events import (
    ByesAwarded,
    CardIncident,
    ClockPaused,
    DeckAmended,
    DeckChecked,
    DeckSubmitted,
    DivisionChanged,
    DivisionsDecided,
    Fact,
    FlightsDrawn,
    MarkCalled,
    PairingsPosted,
    PenaltyGiven,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRejoined,
    PolicyChanged,
    QualifierReplaced,
    RoundStarted,
    RulingGiven,
    Slip,
    StaffAssigned,
    StandingsPosted,
    StructureAnnounced,
    TableFixed,
    TablesNumbered,
    TimeExtended,
)
from matchledger.formats.transcript import (
    ArriveLate,
    ByeLine,
    Close,
    Cut,
    Disqualify,
    Drop,
    Entrant,
    Game,
    MoreTime,
    OfficialNumbers,
    OrderTie,
    Outcome,
    PlayRound,
    Register,
    Rejoin,
    Step,
    Transcript,
)
from matchledger_projections.divisions.tables import division_tables, ranked_apart
from matchledger_projections.fractions import as_decimal, as_number
from matchledger_projections.record.desk_calls import unsettled
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report
from matchledger_projections.record.roster import Player
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.scoring import points_text
from matchledger_projections.stages.departures import BY_CHANCE
from matchledger_projections.stages.placing import places
from matchledger_projections.standings.standings import standings

# Kinds of entries for which no other program's file has a place. The transcript turns all other entries into steps,
# or needs none of them.
_UNTOLD: dict[type[Fact], str] = {
    PenaltyGiven: "penalties",
    RulingGiven: "rulings",
    CardIncident: "incidents with cards",
    DeckSubmitted: "deck lists",
    DeckAmended: "deck lists",
    DeckChecked: "deck checks",
    FlightsDrawn: "flights",
    DivisionsDecided: "how divisions play",
    DivisionChanged: "when players changed divisions",
    TableFixed: "fixed tables",
    TablesNumbered: "the first tables of divisions",
    ByesAwarded: "which byes were awarded",
    PolicyChanged: "when policies changed: the last values are written",
    StructureAnnounced: "the announced structure",
    QualifierReplaced: "replaced qualifiers",
    PairingsPosted: "postings",
    StandingsPosted: "postings",
    StaffAssigned: "the staff",
    ClockPaused: "pauses and marks of the clock",
    MarkCalled: "pauses and marks of the clock",
}


def transcript_of(record: Record) -> Transcript:
    """Return everything in a log that a foreign file could store, in order.

    `notes` names the features of the log that no transcript can store. Raises LookupError for a log without an
    opening.
    """
    opening, steps = record.opening, sorted(_steps(record), key=lambda found: found[0])
    rounds = [*record.rounds(), *record.rounds("elimination")]
    corrected = sum(len(round_.reports(table)) > 1 for round_ in rounds for table in round_.tables)
    notes = []
    if corrected:
        notes.append(f"{corrected} corrections: the results that count are written")
    if corrected == 1:
        notes = ["1 correction: the result that counts is written"]
    ties = sum(len(list(record.recorded_ties(round_.number))) for round_ in record.rounds())
    if ties > sum(isinstance(step, OrderTie) for _, step in steps):
        notes.append("recorded orders of players who are no longer level")
    return Transcript(
        "ledger",
        record.rulebook.id,
        record.name,
        tuple(step for _, step in steps),
        policies={} if opening is None else record.policies,
        notes=(*notes, *_untold(record)),
        official=_standings(record),
        division_years={} if opening is None else dict(opening.division_years),
        places=_final_places(record),
        bye_points=record.rulebook.bye.points,
    )


def _untold(record: Record) -> list[str]:
    """Return a description of each kind of fact in the log for which no step exists."""
    kinds = (record.kind_at(at) for at in range(1, record.position + 1) if not record.is_dead(at))
    return list(dict.fromkeys(_UNTOLD[kind] for kind in kinds if kind in _UNTOLD))


def _standings(record: Record) -> OfficialNumbers:
    """Return the Swiss standings after all results so far, as a reader of the file computes them.

    Divisions that play separately are ranked separately.
    """
    round_ = record.latest_round()
    latest = 0 if round_ is None else round_.number
    if ranked_apart(record):
        tables = {found.division or "": found.rows for found in division_tables(record, latest)}
    else:
        tables = {"": tuple(standings(record, latest).rows)}
    names = {player.number: player.name for player in record.players.values()}
    return OfficialNumbers(
        {
            names[row.player]: {"points": as_number(points_text(row.points, record.rulebook.unit))}
            | {name: as_decimal(value, 12) for name, value in row.tiebreaks.items()}
            for rows in tables.values()
            for row in rows
        },
        {division: tuple(names[row.player] for row in rows) for division, rows in tables.items()},
        left={name: status for number, name in names.items() if (status := record.status(number)) != "active"},
        provisional=unsettled(record, latest).said,
    )


def _final_places(record: Record) -> dict[str, int]:
    """Return the final place of each player in the cut. While the tournament is open or a place is undecided,
    return no places.
    """
    if record.closing is None:
        return {}
    qualified = {player for cut in record.cuts for player in cut.seeds}
    found = [place for place in places(record) if place.player in qualified]
    if any(place.first is None or not place.decided for place in found):
        return {}
    return {record.players[place.player].name: place.first for place in found if place.first is not None}


def _steps(record: Record) -> Iterator[tuple[float, Step]]:
    names = {player.number: player.name for player in record.players.values()}
    for player in record.entered():
        yield from _movements(record, player, names)
    for stage in ("swiss", "elimination"):
        for round_ in record.rounds(stage):
            yield round_.position, _round(record, round_, names)
    finished = [*record.rounds("swiss")]
    for round_ in finished:
        for position, tie in record.recorded_ties(round_.number):
            if _still_level(record, round_.number, tie.players):
                yield position, OrderTie(None, tuple(names[player] for player in tie.players))
    if record.cuts:
        yield _before_elimination(record), _cut(record, names)
    if record.closing is not None:
        yield record.position + 1.0, Close(None)


def _still_level(record: Record, through: int, players: tuple[int, ...]) -> bool:
    """Return whether the counting results still leave exactly these players tied."""
    if ranked_apart(record):
        tables = [found.rows for found in division_tables(record, through)]
    else:
        tables = [tuple(standings(record, through).rows)]
    for rows in tables:
        numbers = {
            row.player: (row.points, [found for found in row.tiebreaks.items() if found[0] not in BY_CHANCE])
            for row in rows
            if row.rank is not None
        }
        if players[0] in numbers:
            return {one for one, found in numbers.items() if found == numbers[players[0]]} == set(players)
    return False


def _before_elimination(record: Record) -> float:
    first = next(iter(record.rounds("elimination")), None)
    return record.position + 0.5 if first is None else first.position - 0.5


def _cut(record: Record, names: dict[int, str]) -> Cut:
    cuts = record.cuts
    if len(cuts) == 1 and cuts[0].division is None:
        seeds = tuple(names[player] for player in cuts[0].seeds)
        return Cut(None, len(seeds), seeds)
    return Cut(None, 0, division_sizes={made.division or "": len(made.seeds) for made in cuts})


def _movements(record: Record, player: Player, names: dict[int, str]) -> Iterator[tuple[float, Step]]:
    said = player.attributes | player.person.details
    entrant = Entrant(player.name, player.division, player.person.born, said)
    if player.losses is None:
        yield player.position, Register(None, entrant)
    else:
        losses = record.late_losses(player.number)
        yield player.position, ArriveLate(None, entrant, record.entered_after(player), losses)
    for position, fact in record.movements.get(player.number, ()):
        if record.is_dead(position):
            continue
        match fact:
            case PlayerDropped(cause="no-show") if record.rulebook.drops_absent:
                continue
            case PlayerDropped():
                yield position, Drop(None, names[fact.player], None if fact.cause == "request" else fact.cause)
            case PlayerRejoined():
                missed = tuple(number for number in fact.losses if record.misses(fact.player, number))
                yield position, Rejoin(None, names[fact.player], missed)
            case PlayerDisqualified():
                yield position, Disqualify(None, names[fact.player])


def _round(record: Record, round_: Round, names: dict[int, str]) -> PlayRound:
    games = tuple(
        Game(
            None,
            names[players[0]],
            names[players[1]],
            None if report is None else _outcome(record, round_, table, report, names),
            table,
            rematch=round_.stage == "swiss" and record.rematch_allowed(round_.number, *players),
        )
        for table, players, report in round_.results()
    )
    byes = tuple(ByeLine(None, names[bye.player], bye.points) for bye in round_.byes)
    facts = [note.fact for note in round_.clock_notes]
    minutes = [fact.minutes for fact in facts if isinstance(fact, RoundStarted)]
    extensions = tuple(
        MoreTime(None, fact.table, fact.minutes, fact.reason) for fact in facts if isinstance(fact, TimeExtended)
    )
    return PlayRound(
        None, round_.stage, round_.number, games, byes, next(reversed(minutes), None), extensions=extensions
    )


def _outcome(record: Record, round_: Round, table: int, report: Report, names: dict[int, str]) -> Outcome:
    """Return the outcome as written on the slip. Files have no times of day, so a slip with times of day gets the
    result that follows from the times.
    """
    watch = any(isinstance(time, datetime) for time in (report.ended, report.received))
    slip = report.slip if watch else report.written
    return Outcome(
        slip.kind,
        None if slip.winner is None else names[slip.winner],
        slip.scores,
        slip.blood_points,
        notes=() if watch else tuple(_notes(round_, table, report, names)),
        games=slip.games,
        as_found=_is_odd(record, round_, slip),
        worth=record.rulebook.points(slip.kind, slip.winner, slip.scores, report.players),
    )


def _is_odd(record: Record, round_: Round, slip: Slip) -> bool:
    """Return whether a score breaks the rulebook's form, so that only another program's file can have contained the
    score.
    """
    rule = record.rulebook.games
    if slip.games is not None and rule is not None:
        over = slip.kind != "win" or not record.rulebook.is_unfinished(slip.games, round_.stage)
        return not over or rule.problem(slip.games, round_.stage) is not None
    return slip.scores is not None and (min(slip.scores) < 0 or slip.kind not in record.rulebook.results)


def _notes(round_: Round, table: int, report: Report, names: dict[int, str]) -> Iterator[str]:
    for word, time in (("ended", report.ended), ("slip", report.received)):
        if isinstance(time, int):
            yield f"{word}={time // 60}:{time % 60:02d}"
    if (judged := report.judgment) is not None:
        yield "broken={}-{}".format(*judged.broken)
        yield "honor={}-{}".format(*judged.honor)
        for word, side in (("favor", judged.favor), ("decider", judged.decider)):
            if side is not None:
                yield f"{word}={names[report.players[side]]}"
    if (first := round_.first_player(table)) is not None:
        yield f"first={names[first.first_player]}"
        if first.decider is not None and (judged is None or judged.decider is None):
            yield f"decider={names[first.decider]}"
