"""Penalties and what they cost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, NamedTuple

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Count,
    Deviating,
    Number,
    Player,
    Text,
    Words,
    argument,
    known,
    option,
)
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal, name_of, need_open
from matchledger.commands.results import Ended, noted_end, report
from matchledger.commands.staff import need_responsible
from matchledger.events import (
    AnyFact,
    MatchConceded,
    PenaltyGiven,
    ResultReported,
    Stage,
    Two,
)
from matchledger.events.conduct import Offence, Penalty
from matchledger.notation.slip import Noted, Written
from matchledger_projections.conduct.penalties import COSTS_A_GAME, needs_warning
from matchledger_projections.message import demanding, sentence
from matchledger_projections.narration.conduct import OFFENCES
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round


class Seat(NamedTuple):
    """A player's seat in a round. `players` are both players at the table. `is_open` says that the match has no
    result.
    """

    stage: Stage = "swiss"
    round: int | None = None
    table: int | None = None
    side: int = 0
    is_open: bool = False
    players: Two | None = None


def need_ruling_leader(
    record: Record, leader: str | None, seat: Seat, *, deviating: bool, table: int | None = None
) -> tuple[str, ...]:
    """Refuse a decision about an open game or a named table by a leader who does not rule there."""
    if leader is None or seat.players is None or not (seat.is_open or table is not None):
        return ()
    return need_responsible(record, leader, seat.players, deviating=deviating)


def _name_in_the_game(record: Record, called: str) -> str:
    """Return the name of a penalty in the rulebook's spelling. If the rulebook lists no penalties, any name is
    allowed.
    """
    known = {name.casefold(): name for name in record.rulebook.conduct.penalties}
    if known and called.casefold() not in known:
        raise Refusal(
            sentence(
                "%(rulebook)s has no penalty %(called)r: there are %(known)s",
                rulebook=record.rulebook.id,
                called=called,
                known=", ".join(known.values()),
            )
        )
    return known.get(called.casefold(), called)


def _lost_match(
    record: Record,
    seat: Seat,
    penalty: Penalty,
    blood_points: int | None,
    noted: Noted,
    now: datetime | None,
    *,
    deviating: bool,
) -> list[AnyFact]:
    """Return the result that a penalty gives an open match, or an empty list if the penalty decides no match."""
    kind = penalty if penalty in record.rulebook.results else "game-loss"
    if seat.table is None or not seat.is_open or kind not in record.rulebook.results:
        return []
    written = Written(kind, winner=1 - seat.side, blood_points=blood_points, noted=noted)
    return report(
        record,
        table=seat.table,
        written=written,
        stage=seat.stage,
        round_=seat.round,
        deviating=deviating,
        now=now,
    )


def need_ending(facts: Sequence[AnyFact], noted: Noted) -> None:
    """Refuse a noted end of a match if the decision ends no match."""
    if noted.ended is not None and not any(isinstance(fact, ResultReported | MatchConceded) for fact in facts):
        raise Refusal(sentence("this decision ends no match: leave out the time when the match ended"))


def seat_of(player: int, round_: Round | None) -> Seat:
    """Return the player's seat in a round. Before round 1, the seat has neither a round nor a table. A player with
    the bye has a seat without a table.
    """
    if round_ is None:
        return Seat()
    table = round_.table_of(player)
    if table is None:
        return Seat(round_.stage, round_.number)
    players = round_.tables[table]
    is_open = round_.report(table, players) is None
    return Seat(round_.stage, round_.number, table, players.index(player), is_open, players)


def _need_table(record: Record, player: int, seat: Seat, table: int | None) -> None:
    if table is not None and seat.table != table:
        name = name_of(record, player)
        if seat.table is None:
            raise Refusal(
                sentence(
                    "%(player)s has no table in this round, and does not sit at table %(table)s",
                    player=name,
                    table=table,
                ),
                field="table",
            )
        raise Refusal(
            sentence(
                "%(player)s sits at table %(other)s, and is not at table %(table)s",
                player=name,
                other=seat.table,
                table=table,
            ),
            field="table",
        )


class GivePenalty(Command):
    """Give a player a penalty.

    A match loss decides an open match. A game loss decides a match of one game.

    `called` is the game's own name for the penalty. `override` allows a penalty although a required warning is
    missing.
    """

    player: Annotated[Player, PLAYER]
    penalty: Annotated[Penalty, argument("The penalty: {known}.")]
    offence: Annotated[Offence, option("--for", "The offence: {known}.")]
    table: Annotated[Number | None, option("--table", "The table in the round in play.")] = None
    note: Annotated[Words | None, option("--note", "What happened, in a few words.")] = None
    called: Annotated[Words | None, option("--called", "The game's name for the penalty, such as Caution.")] = None
    override: Annotated[
        bool,
        option("--override", "Skip the warning that must come first; needs a --reason."),
    ] = False
    leader: Annotated[
        Text | None, option("--by", "The leader who gave the penalty; by default the person who records it.")
    ] = None
    blood_points: Annotated[
        Count | None, option("--blood-points", "The loser's blood points, if the penalty costs the match.")
    ] = None
    ended: Ended = None
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        """Give a penalty (L5R-I.7a-UNSPORTING, L5R-III.4-NOTES). If the penalty decides an open match, record the
        result too.

        The penalty belongs to the round on the clerk's page, even if a later round is paired. A penalty that
        decides a match needs the page of the current round. A match loss decides the match. A game loss decides the
        match if matches have only one game.
        `blood_points` are the loser's, if the penalty decides the match (ASH-BP). The `leader` gave the penalty.
        Without a `leader`, the clerk gave the penalty. If a leader plays in the game, only the leader who rules
        there may give the penalty. A leader who does not rule there needs `deviating` (L5R-I.6-LEADERPLAY).
        `table` must be the player's own table, or the penalty is refused. Some rulebooks demand a warning before
        an offence costs a game (ASH-SLOW). Without the warning, a game loss is refused, unless a leader wants to
        `override` the rule: then the fact names the rule. A penalty can only recommend a disqualification: the
        organizer decides (L5R-I.7-CONDUCT).
        """
        player = known(record, self.player)[0]
        need_open(record)
        if self.penalty != "warning" and record.status(player) == "disqualified":
            raise Refusal(sentence("%(player)s is disqualified already", player=name_of(record, player)))
        called = None if self.called is None else _name_in_the_game(record, self.called)
        seat = seat_of(player, context.round_shown(record))
        _need_table(record, player, seat, self.table)
        rules = need_ruling_leader(
            record, self.leader or context.clerk.actor, seat, deviating=self.deviating, table=self.table
        )
        unwarned = needs_warning(record, player, self.offence) if self.penalty in COSTS_A_GAME else None
        if unwarned is not None and not self.override:
            raise Refusal(
                demanding(
                    sentence(
                        "%(player)s was not warned for %(offence)s before: "
                        "give a warning, or override with a reason",
                        player=name_of(record, player),
                        offence=OFFENCES[self.offence],
                    ),
                    "an exception",
                ),
                unwarned,
            )
        given = PenaltyGiven(
            player=player,
            penalty=self.penalty,
            offence=self.offence,
            stage=seat.stage,
            round=seat.round,
            table=seat.table,
            note=self.note,
            deviations=(*rules, *(() if unwarned is None else (unwarned,))),
            called=called,
            leader=self.leader,
        )
        games = record.rulebook.games
        is_lost = self.penalty == "match-loss" or (
            self.penalty == "game-loss" and (games is None or games.needed(seat.stage) == 1)
        )
        if is_lost:
            context.need_same_round(record)
        noted = noted_end(self.ended)
        lost = (
            _lost_match(record, seat, self.penalty, self.blood_points, noted, now(), deviating=self.deviating)
            if is_lost
            else ()
        )
        need_ending(lost, noted)
        return [given, *lost]
