"""Timing: check the times of a slip against the round's clock before recording the slip.

The log stores times and values as written. The rules derive the kind of result from the times and values.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct

from matchledger.commands.refusal import Refusal, name_of
from matchledger.events import EmperorsJudgment, FirstPlayerSet, Slip
from matchledger.notation.slip import Noted, NotedTime
from matchledger_projections.message import Sentence, demanding, sentence, word
from matchledger_projections.record.judgment import JUDGMENT, judge_values
from matchledger_projections.record.lateness import ABSENT, LOST, NEVER_LATE, WITHOUT_PLAY
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import MINUTE, Due, RoundClock, clock_face

# Seconds by which the clocks of two stations may differ. People also round the seconds when they read a clock.
_APART = 2 * MINUTE
# These results end no game at the table, so a slip may give the moment at which all play stops as their time.
ENDED_OFF_THE_TABLE = WITHOUT_PLAY | {JUDGMENT}
_HALF_A_DAY = timedelta(hours=12)


class EndNeeded(Refusal):
    """The refusal of a slip that does not say when its match ended. A phone cannot record the end, so the phone
    shows the message `by_phone` instead.
    """

    def __init__(self, message: Sentence, rule: str | None, by_phone: Sentence) -> None:
        super().__init__(message, rule)
        self.by_phone = by_phone


class Place(Struct, frozen=True):
    """The table of a slip, and its clock."""

    record: Record
    round: Round
    table: int
    players: tuple[int, int]
    clock: RoundClock


def place_of(record: Record, round_: Round, table: int, players: tuple[int, int]) -> Place:
    return Place(record, round_, table, players, record.clock(round_))


def kind_at_time(place: Place) -> str:
    """Return the rulebook's kind of result for a game that time ended without a winner. Refuse if the rulebook
    has no kind of result for an unfinished game.
    """
    for mark in place.clock.marks:
        kind = place.record.rulebook.results.get(mark.unfinished or "")
        if mark.unfinished is not None and kind is not None and kind.each is not None:
            return mark.unfinished
    rules = place.record.rulebook
    if rules.clock.judgment is not None:
        problem = sentence(
            "a game without a winner is judged: write judgment broken=2-1 honor=8-9 favor=a decider=a"
        )
        raise Refusal(problem, rules.clock.judgment)
    if rules.clock.sudden_death is not None:
        raise Refusal(sentence("after time, Sudden Death goes on until somebody has won"), rules.clock.sudden_death)
    if place.round.stage == "elimination" and rules.elimination.time_tiebreaks:
        problem = demanding(
            sentence("an elimination game stopped by time is decided by the players' counts: record the counts"),
            "what decided at time",
        )
        raise Refusal(problem, rules.elimination.rule("at_time"))
    raise Refusal(sentence("%(rulebook)s has no result for a game at time: give the result", rulebook=rules.id))


def timed(
    place: Place, slip: Slip, noted: Noted, *, now: datetime | None = None, before: Slip | None = None
) -> Slip:
    """Return a slip with its times and values.

    Refuse a slip whose times contradict its words.

    A slip without a time of arrival arrived at the time `now`. The time `now` is used only if the clock was started
    and the rulebook asks for the time. A correction keeps the times and values of the slip `before` that the new
    words do not mention.
    """
    ended, received = (_moment(place, when) for when in (noted.ended, noted.received))
    judgment = _values(place, slip, noted, before)
    if judgment != slip.judgment:  # most slips have no judgment, and a copy takes time
        slip = slip.model_copy(update={"judgment": judgment})
    slip = _won(place, slip)
    claimed = slip.kind in {kind for mark in place.clock.marks for kind in (mark.late_slip, mark.unfinished)}
    if ended is not None or received is not None or not claimed:
        # A slip without times that names a late kind, such as a modified win, skips this: its kind stays as
        # written.
        ended = ended if before is None or ended is not None else before.ended
        received = received if before is None or received is not None else before.received
        asks = any(mark.late_slip for mark in place.clock.marks) and slip.kind not in NEVER_LATE
        if received is None and before is None and asks and place.clock.origin is not None and not claimed:
            received = _came_now(place, ended, now)
    if (ended, received) != (slip.ended, slip.received):
        slip = slip.model_copy(update={"ended": ended, "received": received})
    _need_past(place, slip, now)
    _need_mark_come(place, slip, now)
    _need_consistent(place, slip, now)
    return slip


def _came_now(place: Place, ended: int | datetime | None, now: datetime | None) -> datetime | None:
    """Return the moment of recording as the slip's time of arrival. Return None if the moment is before the end of
    the game, because a watch was set back.
    """
    if now is None or ended is None:
        return now
    over, came = place.clock.on_clock(ended), place.clock.on_clock(now)
    return None if over is not None and came is not None and came < over else now


def first_player_facts(place: Place, noted: Noted) -> list[FirstPlayerSet]:
    """Return the fact about the first player, if the slip names one."""
    if noted.first_player is None:
        return []
    return [
        FirstPlayerSet(
            stage=place.round.stage,
            round=place.round.number,
            table=place.table,
            players=place.players,
            first_player=place.players[noted.first_player],
            decider=None if noted.decider is None else place.players[noted.decider],
        )
    ]


def _moment(place: Place, when: NotedTime | None) -> int | datetime | None:
    """Return a time on the slip: None, seconds on the clock, or a time of day as a moment near the round."""
    if when is None or isinstance(when, int):
        return when
    if place.clock.origin is None:
        raise Refusal(
            sentence(
                "the clock of round %(round)s was not started: write times as it would have shown them, "
                "such as 69:59",
                round=place.round.number,
            )
        )
    if isinstance(when, datetime):
        return when
    moment = datetime.combine(place.clock.origin.astimezone().date(), when).astimezone()
    return moment + timedelta(days=1) if moment < place.clock.origin - _HALF_A_DAY else moment


def _values(place: Place, slip: Slip, noted: Noted, before: Slip | None) -> EmperorsJudgment | None:
    """Return the players' values for a judgment, if the slip has these values."""
    rule = place.clock.judgment
    if noted.broken is None and noted.honor is None and noted.favor is None:
        judged_before = before is not None and slip.kind == JUDGMENT
        return before.judgment if judged_before and before is not None else None
    if rule is None:
        raise Refusal(
            sentence(
                "%(rulebook)s does not judge games by provinces, honor and favor", rulebook=place.record.rulebook.id
            )
        )
    if slip.kind not in (JUDGMENT, *(mark.unfinished for mark in place.clock.marks)):
        raise Refusal(
            sentence(
                "provinces, honor and favor decide a judgment, not a %(kind)s: write judgment", kind=word(slip.kind)
            ),
            rule,
        )
    if noted.broken is None or noted.honor is None:
        raise Refusal(
            sentence("a judgment needs both players' broken provinces and honor: broken=2-1 honor=8-9"), rule
        )
    return EmperorsJudgment.model_validate(
        {"broken": noted.broken, "honor": noted.honor, "favor": noted.favor, "decider": noted.decider}
    )


def _won(place: Place, slip: Slip) -> Slip:
    """Return the slip with the winner that its judgment values give. Refuse if the slip names the other player as
    winner.
    """
    if slip.judgment is None:
        return slip
    noted = place.round.first_player(place.table)
    decider = None if noted is None or noted.decider is None else place.players.index(noted.decider)
    found = judge_values(slip.judgment, decider)
    points = sentence("%(first)s to %(second)s", first=found.points[0], second=found.points[1])
    if found.winner is None and slip.winner is None:
        raise Refusal(
            sentence(
                (
                    "the judgment is tied, %(points)s: name the player who decided the first player, such as "
                    "decider=a"
                ),
                points=points,
            ),
            place.clock.judgment,
        )
    winner = slip.winner if found.winner is None else place.players[found.winner]
    if slip.winner not in (None, winner) and winner is not None:
        raise Refusal(
            sentence(
                "the values give %(points)s, so %(player)s wins: correct the values, or leave the winner out",
                points=points,
                player=name_of(place.record, winner),
            ),
            place.clock.judgment,
        )
    return slip.model_copy(update={"winner": winner})


def _need_past(place: Place, slip: Slip, now: datetime | None) -> None:
    """Refuse a time that the round's clock has not reached, because the time was misread or is from another table.

    A watch that was set back to before play began proves nothing against the slip.
    """
    shown = None if now is None else place.clock.elapsed(now)
    if now is None or shown is None or place.clock.origin is None or now < place.clock.origin:
        return
    ended, received = (None if when is None else place.clock.on_clock(when) for when in (slip.ended, slip.received))
    shows = sentence("the clock of round %(round)s shows %(now)s", round=place.round.number, now=clock_face(shown))
    if ended is not None and ended > shown + _APART:
        at = clock_face(ended)
        raise Refusal(sentence("the game cannot have ended at %(time)s: %(shows)s", time=at, shows=shows))
    if received is not None and received > shown + _APART:
        at = clock_face(received)
        raise Refusal(sentence("the slip cannot have come in at %(time)s: %(shows)s", time=at, shows=shows))


def _need_mark_come(place: Place, slip: Slip, now: datetime | None) -> None:
    """Refuse a kind of result that is possible only after a mark, before the clock has reached the mark
    (L5R-IV.3a-70, SWR-TIME).

    For slips with times, see `_need_consistent`.
    """
    if now is None or slip.received is not None or place.clock.origin is None or now < place.clock.origin:
        return
    shown = place.clock.elapsed(now)
    for due in place.clock.due(place.table):
        late = slip.kind == due.mark.late_slip and shown is not None and shown <= due.at
        unfinished = slip.kind == due.mark.unfinished and slip.ended is None and _is_by_time_alone(place, due)
        if shown is not None and (late or (unfinished and shown < due.at)):
            raise Refusal(
                sentence(
                    "the clock of round %(round)s shows %(now)s and has not passed %(mark)s, so '%(kind)s' is "
                    "not possible yet",
                    round=place.round.number,
                    now=clock_face(shown),
                    mark=sentence(
                        "%(mark)s at %(clock)s", mark=word(due.mark.title.lower()), clock=clock_face(due.at)
                    ),
                    kind=word(slip.kind),
                ),
                due.mark.rule,
            )


def need_time_over(place: Place, now: datetime | None) -> None:
    """Refuse to decide a game by counts at time before time has ended at its table (SWR-SE-TIME).

    A watch that was set back to before play began proves nothing.
    """
    origin = place.clock.origin
    shown = None if now is None or origin is None or now < origin else place.clock.elapsed(now)
    for due in place.clock.due(place.table)[:1]:
        if shown is not None and shown < due.at:
            raise Refusal(
                sentence(
                    "the clock of round %(round)s shows %(now)s, and time is called at %(due)s: play on",
                    round=place.round.number,
                    now=clock_face(shown),
                    due=clock_face(due.at),
                ),
                due.mark.rule,
            )


def _is_by_time_alone(place: Place, due: Due) -> bool:
    """Return whether only time can end a game with the mark's result for unfinished games. A match of several games
    may also end in a deliberate draw.
    """
    return place.record.rulebook.games is None and due.mark.unfinished not in NEVER_LATE


def _need_consistent(place: Place, slip: Slip, now: datetime | None) -> None:
    """Refuse a slip that arrived before its game ended, or whose times exclude its kind of result."""
    clock = place.clock
    ended = None if slip.ended is None else clock.on_clock(slip.ended)
    received = None if slip.received is None else clock.on_clock(slip.received)
    if ended is not None and received is not None and received < ended:
        raise Refusal(
            sentence(
                "the slip came in at %(received)s, before the game ended at %(ended)s: correct one of the times",
                received=clock_face(received),
                ended=clock_face(ended),
            )
        )
    undated = ENDED_OFF_THE_TABLE if _counts_decide(place) else ABSENT
    known = now if slip.received is None and slip.kind in undated else slip.received
    came = None if known is None else clock.on_clock(known)
    over = ended if ended is not None else received
    _need_time_called(place, slip, over, now)
    for due in clock.due(place.table):
        mark = due.mark
        if ended is None and came is not None and came >= due.at:
            _need_end(place, slip, due)
        if slip.kind == mark.unfinished and over is not None and over < due.at:
            raise Refusal(
                sentence(
                    "the game was over at %(over)s, before %(mark)s, so '%(kind)s' is not possible",
                    over=clock_face(over),
                    mark=_face(due),
                    kind=word(slip.kind),
                ),
                mark.rule,
            )
        if slip.kind == mark.late_slip and received is not None and received <= due.at:
            raise Refusal(
                sentence(
                    "the slip came in at %(received)s, not after %(mark)s, so '%(kind)s' is not possible",
                    received=clock_face(received),
                    mark=_face(due),
                    kind=word(slip.kind),
                ),
                mark.rule,
            )
        if _is_beyond_count(place, slip, due, ended):
            raise Refusal(
                demanding(
                    sentence(
                        "no player wins an elimination game after %(mark)s: the players' counts decide it; or "
                        "record first the extra time that table %(table)s got",
                        mark=_face(due),
                        table=place.table,
                    ),
                    "what decided at time",
                ),
                place.record.rulebook.elimination.rule("at_time"),
            )
        if _is_won_after(place, slip, due, ended):
            raise Refusal(
                sentence(
                    "no player wins after %(mark)s: record a judgment, or first record the extra time that "
                    "table %(table)s got",
                    mark=_face(due),
                    table=place.table,
                ),
                mark.rule,
            )


def _face(due: Due) -> Sentence:
    """Return a mark's name with its time on the clock, for a refusal."""
    return sentence("%(mark)s at %(clock)s", mark=word(due.mark.title.lower()), clock=clock_face(due.at))


def _need_time_called(place: Place, slip: Slip, over: int | None, now: datetime | None) -> None:
    """Refuse to judge a game before time was called (L5R-IV.3b-EJ).

    A slip from paper (`now` is None) needs no time.
    """
    due = place.clock.due(place.table)[:1]
    if slip.kind != JUDGMENT or not due or (now is None if over is None else over >= due[0].at):
        return
    mark = sentence("%(mark)s at %(clock)s", mark=word(due[0].mark.title.lower()), clock=clock_face(due[0].at))
    if over is None:
        unknown = sentence(
            "no game is judged before %(mark)s: give the time when the game ended, ended=%(clock)s or later",
            mark=mark,
            clock=clock_face(due[0].at),
        )
        phone = sentence("no game is judged before %(mark)s: go to the desk, which writes the slip", mark=mark)
        raise EndNeeded(unknown, place.clock.judgment, phone)
    raise Refusal(
        sentence(
            "the game ended at %(over)s, and no game is judged before %(mark)s: record who won",
            over=clock_face(over),
            mark=mark,
        ),
        place.clock.judgment,
    )


def is_ruled(place: Place, slip: Slip) -> bool:
    """Return whether a leader decided the slip, by a judgment or a game loss."""
    judged = (mark.unfinished for mark in place.clock.marks if _is_judged(place, mark.unfinished))
    return slip.judgment is not None or slip.kind in (JUDGMENT, *LOST, *judged)


def _is_judged(place: Place, unfinished: str | None) -> bool:
    """Return whether an unfinished game is judged at a mark, and so gets a winner."""
    kind = place.record.rulebook.results.get(unfinished or "")
    return kind is not None and kind.winner is not None


def _need_end(place: Place, slip: Slip, due: Due) -> None:
    """Refuse a slip after play stopped that does not say when its game ended.

    A judgment, a concession, a no-show or a game loss may have ended the game earlier, even if the slip arrived
    later.
    """
    play_stops = _is_judged(place, due.mark.unfinished) or _counts_decide(place)
    if not play_stops or slip.kind not in ENDED_OFF_THE_TABLE:
        return
    clock = clock_face(due.at)
    said = sentence(
        "all play stopped at %(clock)s: give the time when the game ended, ended=%(clock)s or earlier",
        clock=clock,
    )
    if slip.kind in ABSENT:
        said = sentence(
            "all play stopped at %(clock)s: give the time when the absence was certain, ended=%(clock)s or earlier",
            clock=clock,
        )
    stopped = sentence("all play stopped at %(clock)s: go to the desk, which writes the slip", clock=clock)
    raise EndNeeded(said, due.mark.rule, stopped)


def _is_won_after(place: Place, slip: Slip, due: Due, ended: int | None) -> bool:
    """Return whether a slip claims a win after play stopped (L5R-IV.3a-75). A player can win by play only before
    play stops.
    """
    if ended is None or not _after_play_stopped(place, slip, due.mark.unfinished):
        return False
    return ended > due.at or (ended == due.at and slip.kind not in ENDED_OFF_THE_TABLE)


def _is_beyond_count(place: Place, slip: Slip, due: Due, ended: int | None) -> bool:
    """Return whether an elimination game went on after time, although counts at time decide it (SWR-SE-TIME)."""
    if ended is None or not _counts_decide(place) or slip.kind == "time-tiebreak":
        return False
    return ended > due.at or (ended == due.at and slip.kind not in ENDED_OFF_THE_TABLE)


def _counts_decide(place: Place) -> bool:
    """Return whether the players' counts decide an unfinished game at time, because play stops at once
    (SWR-SE-TIME).
    """
    return place.round.stage == "elimination" and bool(place.record.rulebook.elimination.time_tiebreaks)


def _after_play_stopped(place: Place, slip: Slip, unfinished: str | None) -> bool:
    """Return whether a slip claims a played game at a mark after which unfinished games are judged."""
    judged = _is_judged(place, unfinished)
    return judged and slip.judgment is None and slip.kind not in (JUDGMENT, unfinished, "time-tiebreak")
