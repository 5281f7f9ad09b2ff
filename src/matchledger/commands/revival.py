"""Revival: entries that come back when a retraction is retracted, and their conflicts with later entries."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import get_args

from matchledger.commands.command import Context
from matchledger.commands.refusal import (
    Refusal,
    name_of,
    names_of,
    need_active,
    need_late_players_seated,
    need_nobody_left_out,
    not_finished,
)
from matchledger.commands.structures import need_complete, need_settled
from matchledger.events import (
    AnyFact,
    BracketDrawn,
    ByesAwarded,
    ClockPaused,
    ClockResumed,
    CutMade,
    DivisionChanged,
    DivisionsDecided,
    EntryRetracted,
    EventDescribed,
    Fact,
    FirstPlayerSet,
    FlightsDrawn,
    MarkCalled,
    MatchConceded,
    NoShowRecorded,
    PairingAmended,
    PersonCorrected,
    PlayerRejoined,
    PolicyChanged,
    QualifierReplaced,
    ResultCorrected,
    ResultReported,
    Role,
    RoundPaired,
    StructureAnnounced,
    TableFixed,
    TablesNumbered,
    TieResolved,
    TimeExtended,
    TournamentClosed,
)
from matchledger_projections.message import Sentence, demanding, sentence
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.record.returning import returned, returns
from matchledger_projections.record.roster import known_as
from matchledger_projections.record.round import Round
from matchledger_projections.views.retraction import policy_taken_back

_Decision = (
    PersonCorrected
    | DivisionChanged
    | ByesAwarded
    | TableFixed
    | TablesNumbered
    | PolicyChanged
    | StructureAnnounced
    | DivisionsDecided
    | FlightsDrawn
    | CutMade
    | BracketDrawn
    | EventDescribed
)
_DECISIONS: tuple[type[_Decision], ...] = get_args(_Decision)
_ABOUT: dict[type[Fact], Sentence] = {
    StructureAnnounced: sentence("the structure"),
    DivisionsDecided: sentence("the divisions"),
    FlightsDrawn: sentence("the flights"),
    CutMade: sentence("the cut"),
    BracketDrawn: sentence("the bracket"),
    EventDescribed: sentence("the event page"),
}

# For each kind of entry about a stage: the kinds on which the entry depends, and the kinds that can replace it. A
# retracted entry can be restored only if every entry of the first kinds counts and no later entry is of the second
# kinds.
_RESULTS: tuple[type[Fact], ...] = (ResultReported, ResultCorrected, NoShowRecorded, MatchConceded)
_StageStep = CutMade | QualifierReplaced | BracketDrawn
_STAGE: tuple[type[_StageStep], ...] = get_args(_StageStep)
_GROUND: dict[type[Fact], tuple[tuple[type[_StageStep], ...], tuple[type[_StageStep], ...]]] = {
    RoundPaired: (_STAGE, _STAGE),
    BracketDrawn: ((CutMade, QualifierReplaced), (QualifierReplaced,)),
    QualifierReplaced: ((CutMade, QualifierReplaced), (BracketDrawn,)),
}


def need_settled_again(record: Record, facts: Sequence[AnyFact], *, deviating: bool) -> None:
    """Refuse to restore a round, a cut or a closing while questions are open or an active player is left out
    (C-D2).

    With `deviating`, restore the step anyway, just as a reason allowed the original command.
    """
    back = [position for fact in facts if (position := returns(record, fact)) is not None]
    if any(isinstance(returned(record, position), CutMade | TournamentClosed) for position in back):
        need_late_players_seated(record)
    if deviating or not back:
        return
    for position in back:
        step = returned(record, position)
        if isinstance(step, TournamentClosed):
            need_complete(record, step, deviating=False)
        elif step is not None:
            need_settled(record, deviating=False, step=step)
    with ExitStack() as after:
        for fact in facts:
            if isinstance(fact, EntryRetracted):
                after.enter_context(record.without(fact.retracts))
        need_nobody_left_out(
            record, [step for position in back if (step := returned(record, position)) is not None]
        )


MAY_REOPEN: tuple[Role, ...] = ("organizer",)


def reopens(record: Record, fact: AnyFact) -> bool:
    """Return whether a fact takes back the closing of a tournament."""
    if not isinstance(fact, EntryRetracted):
        return False
    root = record.root_of(fact.retracts)
    return record.kind_at(root) is TournamentClosed and not record.is_dead(root)


def need_leave(record: Record, facts: Sequence[AnyFact], context: Context) -> None:
    """Refuse to reopen a tournament without the organizer's role and a reason, because the secret is public by
    then.

    To undo a changed policy, a reason is needed too.
    """
    given = (context.reason or "").strip()
    if not given and any(policy_taken_back(record, fact) for fact in facts):
        raise Refusal(demanding(sentence("a changed policy needs a reason in the log: give one"), "a reason"))
    if not any(reopens(record, fact) for fact in facts):
        return
    if context.clerk.role not in MAY_REOPEN:
        raise Refusal(
            sentence(
                "the closing revealed the secret behind the draws: only the organizer can reopen the tournament"
            )
        )
    if not given:
        raise Refusal(
            demanding(
                sentence(
                    "the closing revealed the secret behind the draws: to reopen the tournament, give a reason"
                ),
                "a reason",
            )
        )


def need_same_results(record: Record, back: int) -> None:
    """Refuse to restore the order of a tie if a result behind the tie has changed since."""
    tie = next((tie for at, tie in record.every(TieResolved) if at == back), None)
    if tie is None or not record.is_dead(back):
        return
    then, now = (_results(moment, tie.round) for moment in (record.as_of(back), record))
    if then != now:
        raise Refusal(
            sentence(
                "the results up to round %(round)s have changed since entry %(entry)s ordered %(players)s: order "
                "the tie again",
                round=tie.round,
                entry=back,
                players=names_of(record, tie.players),
            )
        )


def _results(record: Record, through: int) -> set[int]:
    """Return the positions of the results that count in the standings after a round."""
    return {
        report.position
        for round_ in record.rounds()
        if round_.number <= through
        for _, _, report in round_.results()
        if report is not None
    }


def need_table_of_result(record: Record, back: int) -> None:
    """Refuse to restore a result if its players no longer meet: the round was amended, or paired anew."""
    if not record.is_dead(back) or record.kind_at(back) not in _RESULTS:
        return
    rounds = (*record.rounds("swiss"), *record.rounds("elimination"))
    filed = ((round_, found) for round_ in rounds for found in round_.every_report() if found.position == back)
    if not any(round_.table_between(*found.players) is not None for round_, found in filed):
        raise Refusal(
            sentence(
                "entry %(entry)s is the result of a match that is no longer paired: report the tables of the round "
                "as they are now",
                entry=back,
            )
        )


def need_room_for_player(record: Record, taken_back: int, back: int) -> None:
    """Refuse to restore a registration or a return if the player was registered again or rejoined after entry
    `taken_back`.
    """
    names = {known_as(player.name) for player in record.entered()}
    for player in record.players.values():
        if player.position == back and record.is_dead(back) and known_as(player.name) in names:
            raise Refusal(
                sentence("%(player)s is registered already: a tournament has each name once", player=player.name)
            )
    for number, movements in record.movements.items():
        for position, movement in movements:
            rejoins = isinstance(movement, PlayerRejoined) and record.is_dead(back)
            if position != back or not rejoins or not _would_rejoin_twice(record, number, back):
                continue
            if not _would_rejoin_twice(record.as_of(taken_back), number, back):
                raise Refusal(sentence("%(player)s has rejoined since", player=name_of(record, number)))


def _would_rejoin_twice(record: Record, player: int, back: int) -> bool:
    """Return whether the entry at `back` would bring back a player who never left."""
    is_in = True
    for position, movement in record.movements[player]:
        if record.is_dead(position) and position != back:
            continue
        if is_in and isinstance(movement, PlayerRejoined):
            return True
        is_in = isinstance(movement, PlayerRejoined)
    return False


def need_not_seated_since(record: Record, taken_back: int, back: int) -> None:
    """Refuse to restore a player's departure if the player got another seat after entry `taken_back`, such as
    against a late player. The opponent would sit opposite a player who had left before.
    """
    if not record.is_dead(back):
        return
    moved = {player for player, movements in record.movements.items() if any(at == back for at, _ in movements)}
    for round_ in (*record.rounds("swiss"), *record.rounds("elimination")):
        for at, amended in round_.amendments:
            seated = {player for seating in amended.added for player in seating.players} | {*amended.byes_added}
            if at > taken_back and not record.is_dead(at) and (found := moved & seated):
                raise Refusal(
                    sentence(
                        "%(player)s got another seat after entry %(entry)s took this back: record the action again",
                        player=name_of(record, min(found)),
                        entry=taken_back,
                    )
                )


def need_room_for_round(record: Record, back: int) -> None:
    """Refuse to restore a round while the round before it is missing or unfinished.

    Refuse also if a player of the round is not registered any more, or had left before the round was paired. A
    player who left after the round does not prevent the restoration.
    """
    round_ = record.paired_at(back)
    if round_ is None or not record.is_dead(back):
        return
    if round_.number > 1:
        before = record.round(round_.number - 1, round_.stage)
        if before is None:
            raise Refusal(
                sentence(
                    "round %(later)s follows round %(round)s, which is not paired: bring that round back first",
                    round=round_.number - 1,
                    later=round_.number,
                )
            )
        if before.outstanding:
            raise not_finished(record, sentence("round %(round)s", round=before.number), before.outstanding)
    for player in round_.players:
        gone = record.is_dead(record.players[player].position)
        if gone or round_.stage == "elimination" or record.status(player, round_.number - 1) != "active":
            need_active(record, player)


def need_same_ground(record: Record, taken_back: int, back: int) -> None:
    """Refuse to restore an entry if the round, cut or bracket that it follows ended or changed after entry
    `taken_back`.
    """
    ended: list[tuple[int, CutMade | TournamentClosed]] = [*record.every(CutMade), *record.every(TournamentClosed)]
    for at, step in ended:
        if at == back and step.round and record.round(step.round) is None:
            raise Refusal(
                sentence(
                    "entry %(back)s follows round %(round)s, which is not paired: bring that round back first",
                    back=back,
                    round=step.round,
                )
            )
    needed, barred = _GROUND.get(record.kind_at(back) or Fact, ((), ()))
    then, undone = (record.as_of(back - 1), record.as_of(taken_back)) if needed else (record, record)
    for kind in needed:
        for at, fact in then.counting(kind):
            if record.is_dead(at):
                raise Refusal(
                    sentence(
                        "entry %(back)s follows entry %(entry)s (%(said)s), which no longer counts: bring that "
                        "entry back first",
                        back=back,
                        entry=at,
                        said=tell(record, fact),
                    )
                )
    for kind in barred:
        known = {at for at, _ in undone.counting(kind)}
        for at, fact in record.counting(kind):
            if at not in known:
                raise Refusal(
                    sentence(
                        "entry %(entry)s (%(said)s) was recorded later: retract that entry first",
                        entry=at,
                        said=tell(record, fact),
                    )
                )


def need_tables_as_amended(record: Record, round_: Round, amendment: PairingAmended, back: int) -> None:
    """Refuse to restore the amendment at `back` if its tables or their results have changed."""
    tables = round_.tables
    then = record.as_of(back - 1).round(round_.number, round_.stage)
    for seating in amendment.removed:
        stays = any(added.players == seating.players for added in amendment.added)
        before, now = (
            None if moment is None else moment.report(seating.table, seating.players) for moment in (then, round_)
        )
        reported = not stays and (before and before.position) != (now and now.position)
        if tables.get(seating.table) != seating.players or reported:
            raise Refusal(sentence("table %(table)s has changed since: amend the round again", table=seating.table))
    together = {seating.players for seating in amendment.removed}
    parted = [seating.players for seating in amendment.added if seating.players not in together]
    for player in {
        player for players in parted for player in players
    }:  # players who keep their opponent only change the table
        need_active(record, player)


def need_undecided_since(record: Record, taken_back: int, back: int) -> None:
    """Refuse to restore an entry if a later entry decided the same question after the retraction.

    If both entries decided the question, one of them would not count.
    """
    deciding = _deciding(record, back)
    if not deciding or not record.is_dead(back):
        return
    before = () if min(deciding) > taken_back else _deciding(record.as_of(taken_back), back)
    for entry, about in deciding.items():
        if entry not in before:
            raise Refusal(
                sentence(
                    "a later entry, %(entry)s, decides the same question about %(about)s: retract that entry first",
                    entry=entry,
                    about=about,
                )
            )


def _deciding(record: Record, back: int) -> dict[int, str]:
    """Return the counting entries about the subject of an entry, and the subject in words.

    The subject is a match, the clock, a table, a policy, or a step of the event. For an entry about a player, the
    subject is presence, personal data, division or awarded byes.
    """
    for round_ in (*record.rounds("swiss"), *record.rounds("elimination")):
        for filed in round_.every_report():
            if filed.position == back:
                table = round_.table_between(*filed.players)
                counting = None if table is None else round_.report(table, filed.players)
                return {} if counting is None else {counting.position: names_of(record, counting.players)}
        for noted in round_.every_clock_note():
            if noted.position == back:
                return _deciding_on_clock(round_, noted.fact)
    for player, moved in record.movements.items():
        if any(position == back for position, _ in moved):
            return dict([(at, name_of(record, player)) for at, _ in moved if not record.is_dead(at)][-1:])
    for kind in _DECISIONS:
        decided = next((fact for at, fact in record.every(kind) if at == back), None)
        if decided is not None:
            in_force = {_subject(fact): (at, fact) for at, fact in record.counting(kind)}
            return {
                at: _about(record, fact)
                for subject, (at, fact) in in_force.items()
                if subject == _subject(decided) or _same_table(fact, decided)
            }
    return {}


def _deciding_on_clock(round_: Round, fact: Fact) -> dict[int, str]:
    """Return the last counting entry about the same part of a round's clock, such as its start, with the subject in
    words. Extra minutes add up and replace nothing.
    """
    same = [note for note in round_.clock_notes if _part_of_clock(note.fact) == _part_of_clock(fact)]
    if isinstance(fact, TimeExtended) or not same:
        return {}
    if isinstance(fact, FirstPlayerSet):
        return {same[-1].position: sentence("who goes first at table %(table)s", table=fact.table)}
    return {same[-1].position: sentence("the clock of round %(round)s", round=round_.number)}


def _part_of_clock(fact: Fact) -> tuple[object, ...]:
    match fact:
        case ClockPaused() | ClockResumed():
            return ("running",)
        case MarkCalled():
            return ("mark", fact.mark, fact.table)
        case FirstPlayerSet():
            return ("first player", fact.table, fact.players)
    return (type(fact),)


def _subject(fact: _Decision) -> int | str | None:
    match fact:
        case PolicyChanged():
            return fact.flag
        case PersonCorrected() | DivisionChanged() | ByesAwarded() | TableFixed():
            return fact.player
        case TablesNumbered() | FlightsDrawn() | CutMade() | BracketDrawn():
            return fact.division
    return None


def _about(record: Record, fact: _Decision) -> str:
    match fact:
        case PolicyChanged():
            return fact.flag
        case TablesNumbered():
            return sentence("the tables of %(division)s", division=fact.division)
        case PersonCorrected() | DivisionChanged() | ByesAwarded() | TableFixed():
            return name_of(record, fact.player)
    return _ABOUT[type(fact)]


def _same_table(one: _Decision, other: _Decision) -> bool:
    if not (isinstance(one, TableFixed) and isinstance(other, TableFixed)):
        return False
    return one.table is not None and one.table == other.table
