"""Results: recording a slip, correcting it, and retracting it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Count,
    Deviating,
    Number,
    Player,
    Players,
    Text,
    Two,
    Typed,
    argument,
    known,
    option,
)
from matchledger.commands.draft import now
from matchledger.commands.refusal import (
    AlreadyReported,
    Refusal,
    departing,
    name_of,
    names_of,
    need_open,
    need_window_open,
    players_at,
)
from matchledger.commands.timing import (
    Place,
    first_player_facts,
    is_ruled,
    kind_at_time,
    place_of,
    timed,
)
from matchledger.commands.written import at_time, need_blood_points, slip_of
from matchledger.events import (
    AnyFact,
    Entry,
    EntryRetracted,
    MatchConceded,
    NoShowRecorded,
    PlayerDropped,
    ResultCorrected,
    ResultReported,
    Slip,
    SlipRefused,
    Stage,
)
from matchledger.notation.outcomes import HELP, outcome_of_key, read_outcome
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import NOTHING_NOTED, UNFINISHED, Noted, Written, read_time
from matchledger_projections.message import Sentence, demanding, sentence, word
from matchledger_projections.record.desk_calls import open_contradictions
from matchledger_projections.record.record import Record
from matchledger_projections.record.reports import Report, slip_in
from matchledger_projections.record.round import Round
from matchledger_projections.stages.departure import of_result

PLAYERS_OF_A_TABLE = 2


class SeatedAnew(Refusal):
    """The refusal of a slip because the players at the table are not the players that the clerk saw."""


def report(
    record: Record,
    *,
    table: int,
    written: Written,
    stage: Stage | None = None,
    round_: int | None = None,
    deviating: bool = False,
    now: datetime | None = None,
) -> list[AnyFact]:
    """Record the slip of a table in the current round, or in an earlier round that is still open.

    A slip without a time of arrival arrived at the time `now`. If `now` is None too, the time of arrival is
    unknown, and the words on the slip decide. A double loss that no document allows needs `deviating`.
    """
    need_open(record)
    where, players = _table(record, table, stage, round_)
    place = place_of(record, where, table, players)
    slip = timed(place, _slip_at(place, written), written.noted, now=now)
    _need_outstanding(record, where, table, players, slip)
    _need_fitting(record, where, slip)
    departing(of_result(record, where, players, slip), deviating=deviating)
    first = first_player_facts(place, written.noted)
    loser = _loser(players, slip)
    if slip.kind == "concession" and loser is not None:
        return [_conceded(where, table, players, loser, slip), *first]
    if slip.kind == "no-show" and loser is not None:
        return no_show(
            record,
            table=table,
            absent=(loser,),
            deviating=deviating,
            stage=stage,
            round_=round_,
            noted=written.noted,
            now=now,
        )
    return [
        ResultReported(stage=where.stage, round=where.number, table=table, players=players, slip=slip),
        *first,
    ]


def _slip_at(place: Place, written: Written) -> Slip:
    """Return the slip in the rulebook's terms. If time ended the game without a winner, the rulebook decides the
    result.
    """
    rulebook = place.record.rulebook
    if written.kind == UNFINISHED and UNFINISHED not in rulebook.results:
        written = at_time(written, kind_at_time(place))
    return slip_of(rulebook, place.players, written, place.round.stage)


def concede(
    record: Record,
    *,
    by: int,
    table: int | None = None,
    blood_points: int | None = None,
    stage: Stage | None = None,
    round_: int | None = None,
    noted: Noted = NOTHING_NOTED,
    deviating: bool = False,
    now: datetime | None = None,
) -> list[AnyFact]:
    """Record that a player concedes. Only the conceding player can decide to concede (rules 0.3).

    After all play stopped, `noted` has the time of the concession (L5R-IV.3a-75). An elimination match needs
    `deviating` if, after a correction, one of its players no longer reaches the match.
    """
    need_open(record)
    where, players, table = _table_of(record, by, table, stage, round_)
    winner = players[1] if by == players[0] else players[0]
    place = place_of(record, where, table, players)
    need_blood_points(record.rulebook, "concession", blood_points)
    slip = Slip(kind="concession", winner=winner, blood_points=blood_points)
    slip = timed(place, slip, noted, now=now)
    _need_outstanding(record, where, table, players, slip)
    departing(of_result(record, where, players, slip), deviating=deviating)
    return [_conceded(where, table, players, by, slip)]


def _conceded(where: Round, table: int, players: tuple[int, int], by: int, slip: Slip) -> MatchConceded:
    return MatchConceded(
        stage=where.stage,
        round=where.number,
        table=table,
        players=players,
        by=by,
        blood_points=slip.blood_points,
        ended=slip.ended,
        received=slip.received,
        games=slip.games,
    )


def no_show(
    record: Record,
    *,
    absent: tuple[int, ...],
    table: int | None = None,
    stays: bool = False,
    deviating: bool = False,
    stage: Stage | None = None,
    round_: int | None = None,
    noted: Noted = NOTHING_NOTED,
    now: datetime | None = None,
) -> list[AnyFact]:
    """Record the absent players of a table, and drop them if the rulebook does.

    A player who `stays` is not dropped. If the rulebook drops absent players, `stays` needs `deviating`. After play
    stopped, `noted` has the time when the absence was certain (L5R-IV.3a-75).
    """
    need_open(record)
    absent = tuple(dict.fromkeys(absent))
    where, players, table = _table_of(record, absent[0], table, stage, round_)
    if strangers := [player for player in absent if player not in players]:
        raise Refusal(
            sentence(
                "%(player)s does not sit at table %(table)s", player=name_of(record, strangers[0]), table=table
            )
        )
    drops = record.rulebook.drops_absent
    recorded = NoShowRecorded(
        stage=where.stage,
        round=where.number,
        table=table,
        players=players,
        absent=absent,
        deviations=(record.rulebook.no_show.rule,) if drops and stays else (),
    )
    slip = timed(place_of(record, where, table, players), slip_in(recorded), noted, now=now)
    _need_outstanding(record, where, table, players, slip)
    recorded = recorded.model_copy(update={"ended": slip.ended})
    departing(of_result(record, where, players, slip, absent=True), deviating=deviating)
    if recorded.deviations and not deviating:
        raise Refusal(
            demanding(
                sentence(
                    "a player who does not appear is dropped: give a reason to keep %(players)s in",
                    players=names_of(record, absent),
                ),
                "a reason",
            ),
            record.rulebook.no_show.rule,
        )
    facts: list[AnyFact] = [recorded]
    if drops and not stays:
        facts += [
            PlayerDropped(
                player=player,
                after_round=where.number if where.stage == "swiss" else len(record.rounds()),
                cause="no-show",
                stage=where.stage,
            )
            for player in absent
            if record.status(player) == "active"
        ]
    return facts


def correct(
    record: Record,
    *,
    table: int,
    round_: int,
    written: Written,
    stage: Stage = "swiss",
    override: bool = False,
    deviating: bool = False,
    now: datetime | None = None,
) -> list[AnyFact]:
    """Replace the result of a match. The wrong entry stays in the log.

    To settle contradicting slips, enter the counting result again: the contradicting slips are retracted.
    """
    need_open(record)
    where, players = _table(record, table, stage, round_)
    wrong = where.report(table, players)
    if wrong is None:
        raise Refusal(
            sentence("table %(table)s of round %(round)s has no result yet: report it", table=table, round=round_)
        )
    if stage == "swiss" and not override:
        need_window_open(record, round_)
    place = place_of(record, where, table, players)
    slip = timed(place, _slip_at(place, written), written.noted, now=now, before=wrong.written)
    _need_fitting(record, where, slip)
    if slip == wrong.written and (refused := refused_at(record, where, table)):
        return [EntryRetracted(retracts=at) for at, _ in refused]
    if slip == wrong.written:
        said = sentence(
            "table %(table)s of round %(round)s has this result already (entry %(entry)s)",
            table=table,
            round=round_,
            entry=wrong.position,
        )
        if wrong.kind != slip.kind:
            said = sentence(
                "%(refused)s; the times on the slip make it a %(kind)s: correct the times",
                refused=said,
                kind=word(wrong.kind),
            )
        raise Refusal(said)
    departing(of_result(record, where, players, slip), deviating=deviating)
    return [
        ResultCorrected(
            supersedes=wrong.position, stage=stage, round=round_, table=table, players=players, slip=slip
        ),
        *first_player_facts(place, written.noted),
    ]


def retract(record: Record, *, entry: Entry, override: bool = False, ending: Entry | None = None) -> list[AnyFact]:
    """Retract a mistaken entry. The entry stays in the log but no longer counts.

    If `entry` is a retraction, `ending` is the entry that stops counting.
    """
    from matchledger.commands.retraction import need_retractable  # noqa: PLC0415 - only a retraction needs it

    need_retractable(record, ending or entry, override=override)
    return [EntryRetracted(retracts=entry.position)]


def _drops_back(record: Record, entry: Entry, context: Context, *, override: bool) -> list[AnyFact]:
    """Return the retractions of the drops that a no-show caused, so that a present player plays on.

    Raises Refusal if a round was paired without the player. The refusal says how to bring the player back.
    """
    if not isinstance(entry.fact, NoShowRecorded):
        return []
    from matchledger.commands.undo import same_command  # noqa: PLC0415 - only no-shows need it

    drops = [
        other
        for other in same_command(record, entry, context)
        if isinstance(other.fact, PlayerDropped) and record.status(other.fact.player) == "dropped"
    ]
    return [fact for drop in drops for fact in retract(record, entry=drop, override=override)]


def last_correction(record: Record, *, table: int, round_: int) -> Report:
    """Return the entry of the correction that counts for a match, in order to retract the correction."""
    where, players = _table(record, table, "swiss", round_)
    counts = [found for found in where.reports(table) if not record.is_dead(found.position)]
    if len(counts) < PLAYERS_OF_A_TABLE:
        raise Refusal(
            sentence(
                "the slip of table %(table)s, round %(round)s, was never corrected: there is nothing to take back",
                table=table,
                round=round_,
            )
        )
    found = where.report(table, players)
    return counts[-1] if found is None else found


def _table(record: Record, table: int, stage: Stage | None, round_: int | None) -> tuple[Round, tuple[int, int]]:
    where = _round(record, stage, round_)
    return where, players_at(where, table)


def _round(record: Record, stage: Stage | None, round_: int | None) -> Round:
    if stage is None:
        stage = "elimination" if record.latest_round("elimination") else "swiss"
    where = record.latest_round(stage) if round_ is None else record.round(round_, stage)
    if where is None:
        raise Refusal(
            sentence("no round is paired: pair one first")
            if round_ is None
            else sentence("round %(round)s is not paired", round=round_)
        )
    return where


def _table_of(
    record: Record, player: int, table: int | None, stage: Stage | None, round_: int | None
) -> tuple[Round, tuple[int, int], int]:
    where = _round(record, stage, round_)
    found = where.table_of(player)
    if found is None or (table is not None and found != table):
        place = sentence("round %(round)s", round=where.number)
        if table is not None:
            place = sentence("table %(table)s of round %(round)s", table=table, round=where.number)
        raise Refusal(
            sentence("%(player)s has no opponent in %(place)s", player=name_of(record, player), place=place)
        )
    over = round_ is None and where.stage == "swiss" and record.cut is not None
    if over and where.report(found, where.tables[found]) is not None:
        raise Refusal(sentence("the cut is made, and no match is in progress: pair the elimination round first"))
    return where, where.tables[found], found


def _need_outstanding(record: Record, where: Round, table: int, players: tuple[int, int], slip: Slip) -> None:
    """Refuse a second slip for a match. A second slip that contradicts the first is recorded as refused, once."""
    known = where.report(table, players)
    if known is None:
        return
    contradiction = SlipRefused(
        stage=where.stage,
        round=where.number,
        table=table,
        players=players,
        slip=slip,
        contradicts=known.position,
    )
    identical = timeless(slip) == timeless(known.written)
    refused = refused_at(record, where, table)
    kept = next((at for at, fact in refused if timeless(fact.slip) == timeless(slip)), None)
    raise AlreadyReported(
        has_result(where, table, known),
        entry=known.position,
        contradiction=None if identical or kept is not None else contradiction,
        kept=None if identical else kept,
    )


def refused_at(record: Record, where: Round, table: int) -> list[tuple[int, SlipRefused]]:
    """Return the open slips that contradict the result of a table."""
    return [
        (at, fact)
        for at, fact in open_contradictions(record)
        if (fact.stage, fact.round, fact.table) == (where.stage, where.number, table)
    ]


def _need_seated(record: Record, where: Round, seated: tuple[int, int], table: int, seen: tuple[int, int]) -> None:
    """Refuse a slip if its players no longer sit at the table, because of a swap or a new pairing."""
    if seated != seen:
        raise SeatedAnew(
            sentence(
                "table %(table)s of round %(round)s now has %(first)s as a, %(second)s as b: check the slip",
                table=table,
                round=where.number,
                first=name_of(record, seated[0]),
                second=name_of(record, seated[1]),
            )
        )


def has_result(where: Round, table: int, known: Report) -> Sentence:
    """Return the sentence that a table has a result already, and how to correct the result."""
    return sentence(
        "table %(table)s of round %(round)s has a result already (entry %(entry)s): correct it if it is wrong",
        table=table,
        round=where.number,
        entry=known.position,
    )


def timeless(slip: Slip) -> Slip:
    """Return a slip without its times, because two stations may enter the same slip at different times."""
    return slip.model_copy(update={"ended": None, "received": None})


def _need_fitting(record: Record, where: Round, slip: Slip) -> None:
    """Refuse results without counts at time, and elimination matches without a winner."""
    rules = record.rulebook.elimination
    if slip.kind == "time-tiebreak":
        said = sentence("a game at time is decided by the players' counts: record the counts")
        raise Refusal(demanding(said, "what decided at time"), rules.rule("at_time"))
    in_bracket = where.stage == "elimination" and record.bracket_drawn is not None
    if in_bracket and slip.winner is None and slip.kind != "double-loss":
        if rules.time_tiebreaks:
            said = sentence("an elimination match has a winner: if time ended it, record the players' counts")
            raise Refusal(demanding(said, "what decided at time"), rules.rule("at_time"))
        raise Refusal(sentence("an elimination match has a winner"), rules.rule("advance"))


def _loser(players: tuple[int, int], slip: Slip) -> int | None:
    if slip.winner is None:
        return None
    return players[1] if slip.winner == players[0] else players[0]


def _need_impartial(record: Record, facts: Sequence[AnyFact], context: Context) -> list[AnyFact]:
    """Refuse a judgment or a game loss that a leader records about their own game. Return the facts of any other
    slip unchanged.

    A slip does not name the leader who ruled, so any other person may record the slip for the leader.
    """
    for fact in facts:
        if isinstance(fact, ResultReported | ResultCorrected):
            where = record.round(fact.round, fact.stage)
            if where is not None and is_ruled(place_of(record, where, fact.table, fact.players), fact.slip):
                from matchledger.commands.staff import need_no_player  # noqa: PLC0415 - only some slips need it

                need_no_player(record, context.clerk.actor, fact.players)
    return [*facts]


def _outcome_typed(record: Record, words: str | Sequence[str]) -> str:
    """Return an outcome from typed words, or from a key that the desk knows."""
    typed = words if isinstance(words, str) else " ".join(words)
    return outcome_of_key(record.rulebook, typed.strip(), record.current_stage) or typed


Ended = Annotated[Text | None, option("--ended", "When the game ended, on the round's clock: 69:59.", "TIME")]


def noted_end(ended: str | None) -> Noted:
    """Return the typed end time of a match as noted times. Raises UsageProblem."""
    try:
        return NOTHING_NOTED if ended is None else Noted(ended=read_time(ended))
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None


class ReportSlip(Command):
    """Report the slip of a table. `outcome` is typed as at a desk: `a`, `b modified-win`, `draw`, `4-1`, `a:9`.

    `players` are a and b as the clerk saw them. If other players sit at the table now, the slip is refused.
    """

    is_slip: ClassVar = True
    in_play: ClassVar = True
    table: Number
    outcome: Text
    round: Number | None = None
    deviating: Deviating = False
    stage: Stage | None = None
    players: Two | None = None

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        written = read_outcome(self.outcome.split(), record.rulebook)
        if self.players is not None:
            _need_seated(record, *_table(record, self.table, self.stage, self.round), self.table, self.players)
        reported = report(
            record,
            table=self.table,
            written=written,
            stage=self.stage,
            round_=self.round,
            deviating=self.deviating,
            now=now(),
        )
        return _need_impartial(record, reported, context)


class CorrectSlip(Command):
    """Replace the result of a match; the wrong slip stays in the log.

    To settle slips that contradict the right result, enter that result again.
    """

    shown_first: ClassVar = True
    round: Annotated[Number, argument("The round of the wrong slip.", "ROUND")]
    table: Annotated[Number, argument("The table of the wrong slip.")]
    outcome: Annotated[Text, argument(HELP), Typed(_outcome_typed, many=True)]
    stage: Annotated[Stage, option("--elimination", "The match is in the elimination stage.")] = "swiss"
    override: Annotated[
        bool, option("--override", "Correct a Swiss result even after a game of the cut was played.")
    ] = False
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        corrected = correct(
            record,
            table=self.table,
            round_=self.round,
            written=read_outcome(self.outcome.split(), record.rulebook),
            stage=self.stage,
            override=self.override,
            deviating=self.deviating,
            now=now(),
        )
        fact = _need_impartial(record, corrected, context)[0]
        if not isinstance(fact, ResultCorrected) or fact.slip.kind in ("no-show", "double-loss"):
            return corrected
        return [*corrected, *_drops_back(record, context.entry(fact.supersedes), context, override=self.override)]


class RetractEntry(Command):
    """Take back a mistaken entry; the log keeps it."""

    shown_first: ClassVar = True
    takes_back: ClassVar = True
    position: Annotated[int, Field(ge=1), argument("Position of the entry in the log.")]
    override: Annotated[
        bool,
        option(
            "--override", "Take the entry back even after a game of the cut was played, or a player missed a round."
        ),
    ] = False
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        from matchledger.commands import revival, undo  # noqa: PLC0415 - only a retraction needs it

        entry = context.entry(self.position)
        if not record.is_dead(self.position) and (whole := undo.inseparable(record, entry, context)):
            return undo.retract_all(
                record, whole, context, deviating=self.deviating, undo=False, override=self.override
            )
        drops = _drops_back(record, entry, context, override=self.override)
        facts = [
            *drops,
            *retract(record, entry=entry, override=self.override, ending=undo.ending(record, entry, context)),
        ]
        revival.need_leave(record, facts, context)
        revival.need_settled_again(record, facts, deviating=self.deviating)
        return facts


class RecordNoShow(Command):
    """Record a no-show.

    If the rulebook drops absent players, `stays` needs `deviating`.
    """

    in_play: ClassVar = True
    players: Annotated[
        Players,
        Field(min_length=1, max_length=2),
        argument("The absent player; both players of a table, if neither appeared."),
    ]
    stays: Annotated[
        bool,
        option(
            "--stays",
            "The player loses the match but is not dropped; needs a --reason if the rulebook drops absent players.",
        ),
    ] = False
    ended: Annotated[
        Text | None, option("--ended", "When the no-show was certain, on the round's clock: 15:00.", "TIME")
    ] = None
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        return no_show(
            record,
            absent=known(record, *self.players),
            stays=self.stays,
            deviating=self.deviating,
            noted=noted_end(self.ended),
            now=now(),
        )


class ConcedeMatch(Command):
    """Record that a player concedes the match in progress.

    An elimination match needs a --reason if, after a correction, one of its players no longer reaches the match.
    """

    in_play: ClassVar = True
    player: Annotated[Player, PLAYER]
    blood_points: Annotated[Count | None, option("--blood-points", "The loser's blood points.")] = None
    ended: Ended = None
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        player, noted = known(record, self.player)[0], noted_end(self.ended)
        return concede(
            record,
            by=player,
            blood_points=self.blood_points,
            noted=noted,
            deviating=self.deviating,
            now=now(),
        )
