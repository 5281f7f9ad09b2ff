"""Revival: entries that return when a retraction is retracted, and their conflicts with later entries."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from matchledger.commands.context import Context
from matchledger.commands.refusal import (
    Refusal,
    name_of,
    names_of,
    need_active,
    need_late_players_seated,
    need_nobody_left_out,
)
from matchledger.commands.structures import need_complete, need_settled
from matchledger.events import (
    AnyFact,
    CutMade,
    EntryRetracted,
    PairingAmended,
    PlayerRejoined,
    TieResolved,
    TournamentClosed,
)
from matchledger_projections.hint import demanding
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.returning import returned, returns
from matchledger_projections.record.roster import known_as
from matchledger_projections.record.round import Round


def need_settled_again(record: Record, facts: Sequence[AnyFact], *, deviating: bool) -> None:
    """Refuse to let a round, a cut or a closing return over open questions, or without a player (C-D2).

    With `deviating` it returns, as after a reason for the first command.
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


def need_leave_to_reopen(record: Record, facts: Sequence[AnyFact], context: Context) -> None:
    """Refuse to reopen a tournament without the organizer and a reason: its secret is public."""
    reopened = (
        isinstance(fact, EntryRetracted)
        and record.kind_at(root := record.root_of(fact.retracts)) is TournamentClosed
        and not record.is_dead(root)
        for fact in facts
    )
    if not any(reopened):
        return
    if context.clerk.role != "organizer":
        raise Refusal(
            sentence("the closing revealed the secret behind the draws: only the organizer reopens the tournament")
        )
    if not (context.reason or "").strip():
        raise Refusal(
            demanding(
                sentence(
                    "the closing revealed the secret behind the draws: to reopen the tournament, give a reason"
                ),
                "a reason",
            )
        )


def need_same_results(record: Record, back: int) -> None:
    """Refuse to restore the order of a tie if a result that it depends on has changed since."""
    tie = next((tie for at, tie in record.every(TieResolved) if at == back), None)
    if tie is None or not record.is_dead(back):
        return
    then, now = (_results(moment, tie.round) for moment in (record.as_of(back), record))
    if then != now:
        raise Refusal(
            sentence(
                "the results up to round %(round)s have changed since entry %(entry)s ordered %(players)s: order "
                "the tie anew",
                round=tie.round,
                entry=back,
                players=names_of(record, tie.players),
            )
        )


def _results(record: Record, through: int) -> set[int]:
    """The entries whose results count in the standings after a round."""
    return {
        report.position
        for round_ in record.rounds()
        if round_.number <= through
        for _, _, report in round_.results()
        if report is not None
    }


def need_room_for_player(record: Record, back: int) -> None:
    """Refuse to restore a player who was registered, or has rejoined, a second time meanwhile."""
    names = {known_as(player.name) for player in record.entered()}
    for player in record.players.values():
        if player.position == back and record.is_dead(back) and known_as(player.name) in names:
            raise Refusal(
                sentence("%(player)s is registered already: a tournament has each name once", player=player.name)
            )
    for number, movements in record.movements.items():
        for position, movement in movements:
            rejoins = isinstance(movement, PlayerRejoined) and record.is_dead(back)
            if position == back and rejoins and _would_rejoin_twice(record, number, back):
                raise Refusal(sentence("%(player)s has rejoined again since", player=name_of(record, number)))


def _would_rejoin_twice(record: Record, player: int, back: int) -> bool:
    """Whether the entry at `back` would, if it counted again, bring back a player who never left."""
    is_in = True
    for position, movement in record.movements[player]:
        if record.is_dead(position) and position != back:
            continue
        if is_in and isinstance(movement, PlayerRejoined):
            return True
        is_in = isinstance(movement, PlayerRejoined)
    return False


def need_room_for_round(record: Record, back: int) -> None:
    """Refuse to restore a round with players who left before it. Players who left after it have played it."""
    round_ = record.paired_at(back)
    if round_ is None or not record.is_dead(back):
        return
    for player in round_.players:
        if round_.stage == "elimination" or record.status(player, round_.number - 1) != "active":
            need_active(record, player)


def need_tables_as_amended(record: Record, round_: Round, amendment: PairingAmended) -> None:
    """Refuse to restore an amendment whose tables have changed."""
    tables = round_.tables
    for seating in amendment.removed:
        stays = any(added.players == seating.players for added in amendment.added)
        reported = not stays and round_.report(seating.table, seating.players) is not None
        if tables.get(seating.table) != seating.players or reported:
            raise Refusal(sentence("table %(table)s has changed since: amend the round again", table=seating.table))
    for player in {player for seating in amendment.added for player in seating.players}:
        need_active(record, player)
