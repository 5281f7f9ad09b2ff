"""Conduct: penalties with their cost, and lost or damaged cards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Count,
    Deviating,
    Minutes,
    Number,
    Player,
    Text,
    Words,
    argument,
    known,
    option,
)
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal, name_of, need_active, need_open
from matchledger.commands.results import Ended, concede, noted_end, report
from matchledger.commands.roster import drop
from matchledger.commands.round_clock import extend, round_in_play
from matchledger.commands.staff import need_responsible
from matchledger.events import (
    AnyFact,
    CardIncident,
    MatchConceded,
    PenaltyGiven,
    ResultReported,
    Stage,
    Two,
)
from matchledger.events.conduct import Damage, Missed, Offence, Penalty
from matchledger.notation.slip import NOTHING_NOTED, Noted, Written
from matchledger_projections.conduct.penalties import Incident, missing_card, needs_warning
from matchledger_projections.message import demanding, sentence, word
from matchledger_projections.record.record import Record

LOST_CARD = "lost card"  # the reason for more time at a table, and for dropping a player without the card


class _Place(NamedTuple):
    """A player's seat in the round in play, with both `players`. `is_open` while that match has no result."""

    stage: Stage = "swiss"
    round: int | None = None
    table: int | None = None
    side: int = 0
    is_open: bool = False
    players: Two | None = None


def _need_responsible(
    record: Record, leader: str | None, place: _Place, *, deviating: bool, table: int | None = None
) -> tuple[str, ...]:
    """Refuse a decision in an open game, or at a named table, by a leader who does not rule there."""
    if leader is None or place.players is None or not (place.is_open or table is not None):
        return ()
    return need_responsible(record, leader, place.players, deviating=deviating)


def _name_in_the_game(record: Record, called: str) -> str:
    """The name of a penalty in the rulebook's spelling. Any name is allowed if the rulebook lists no
    penalties.
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
    record: Record, place: _Place, penalty: Penalty, blood_points: int | None, noted: Noted, now: datetime | None
) -> list[AnyFact]:
    """The result of a match that a penalty decides. None if the match is over."""
    kind = penalty if penalty in record.rulebook.results else "game-loss"
    if place.table is None or not place.is_open or kind not in record.rulebook.results:
        return []
    written = Written(kind, winner=1 - place.side, blood_points=blood_points, noted=noted)
    return report(record, table=place.table, written=written, stage=place.stage, round_=place.round, now=now)


def _need_ending(facts: Sequence[AnyFact], noted: Noted) -> None:
    """Refuse the time of an end with a decision that ends no match."""
    if noted.ended is not None and not any(isinstance(fact, ResultReported | MatchConceded) for fact in facts):
        raise Refusal(sentence("no match ends here: leave the time of its end out"))


def lose_card(
    record: Record,
    *,
    player: int,
    card: str,
    leader: str,
    during_game: bool = False,
    minutes: int | None = None,
    blood_points: int | None = None,
    noted: Noted = NOTHING_NOTED,
    now: datetime | None,
) -> list[AnyFact]:
    """Record a lost card (L5R-II.2d-LOST).

    At the start of a round the table has more time to find it.

    `minutes` are the rulebook's unless given. During a game, a lost card costs that game at once; `blood_points`
    are then the loser's, and `noted` has the time of its end.
    """
    need_open(record)
    need_active(record, player)
    if (known := missing_card(record, player, card)) is not None:
        raise Refusal(
            sentence(
                (
                    "%(card)s of %(player)s is recorded as lost already (entry %(entry)s): record that it was not "
                    "found, is still missing, or was found"
                ),
                player=name_of(record, player),
                card=known.fact.card,
                entry=known.position,
            )
        )
    place = _place(record, player)
    if during_game:
        if not place.is_open:
            raise Refusal(
                sentence(
                    "%(player)s is not playing now: record the card as missing at the start of the round",
                    player=name_of(record, player),
                )
            )
        return [
            _incident(place, player, card, "lost", leader, "during-game"),
            *_concession(record, player, place, blood_points, noted, now),
        ]
    return [_incident(place, player, card, "lost", leader, "round-start"), *_extension(record, place, minutes)]


def _extension(record: Record, place: _Place, minutes: int | None) -> list[AnyFact]:
    if place.table is None or not place.is_open:
        return []
    given = minutes or record.rulebook.conduct.lost_card_minutes
    return extend(record, table=place.table, minutes=given, reason=LOST_CARD, stage=place.stage)


def miss_in_time(
    record: Record,
    *,
    player: int,
    card: str,
    leader: str,
    blood_points: int | None = None,
    noted: Noted = NOTHING_NOTED,
    now: datetime | None,
) -> list[AnyFact]:
    """Record that a card was not found in time: the player concedes that game (L5R-II.2d-LOST)."""
    need_open(record)
    known = _need_missing(record, player, card)
    place = _place(record, player)
    if known.fact.when != "round-start" or (place.stage, place.round) != (known.fact.stage, known.fact.round):
        raise Refusal(
            sentence(
                (
                    "%(card)s has cost its game already: next, record that it is still missing when the next round "
                    "starts"
                ),
                card=known.fact.card,
            ),
            record.rulebook.conduct.lost_card,
        )
    if not place.is_open:
        raise Refusal(
            sentence(
                (
                    "%(player)s has no open match: record that %(card)s is still missing when the next round "
                    "starts, or was found"
                ),
                player=name_of(record, player),
                card=known.fact.card,
            ),
            record.rulebook.conduct.lost_card,
        )
    spelled = known.fact.card
    return [
        _incident(place, player, spelled, "lost", leader, "time-up"),
        *_concession(record, player, place, blood_points, noted, now),
    ]


def miss_still(record: Record, *, player: int, card: str, leader: str) -> list[AnyFact]:
    """Drop a player if the card is still missing when the next round starts (L5R-II.2d-LOST).

    The player is dropped and not disqualified, because no one is at fault. A player who has the card again can
    rejoin.
    """
    need_open(record)
    known = _need_missing(record, player, card)
    place = _place(record, player)
    if place.is_open and (place.stage, place.round) == (known.fact.stage, known.fact.round):
        raise Refusal(
            sentence(
                (
                    "the match of %(player)s at table %(table)s is open: record first that %(card)s was not found, "
                    "which loses that game"
                ),
                player=name_of(record, player),
                table=place.table,
                card=known.fact.card,
            ),
            record.rulebook.conduct.lost_card,
        )
    dropped = drop(record, player=player, cause=LOST_CARD)
    return [_incident(place, player, known.fact.card, "lost", leader, "next-round"), *dropped]


def find_card(record: Record, *, player: int, card: str, leader: str) -> list[AnyFact]:
    """Record that a lost card was found, or replaced by another copy. Its cost stays."""
    need_open(record)
    known = _need_missing(record, player, card)
    return [_incident(_place(record, player), player, known.fact.card, "found", leader)]


def damage_card(record: Record, *, player: int, card: str, leader: str, note: str | None = None) -> list[AnyFact]:
    """Record a damaged card. A leader decides later whether the card can be replaced."""
    need_open(record)
    need_active(record, player)
    return [_incident(_place(record, player), player, card, "damaged", leader, note=note)]


def make_proxy(
    record: Record, *, player: int, card: str, leader: str, made: date, note: str | None = None
) -> list[AnyFact]:
    """Make a proxy for a damaged card that cannot be replaced (L5R-II.2d-DAMAGED).

    The proxy names the card, the leader and the date. `note` has the unreadable text. A proxy is valid for the rest
    of the tournament.
    """
    need_open(record)
    need_active(record, player)
    return [_incident(_place(record, player), player, card, "proxy", leader, made=made, note=note)]


def _need_missing(record: Record, player: int, card: str) -> Incident:
    found = missing_card(record, player, card)
    if found is None:
        raise Refusal(
            sentence(
                "%(card)s of %(player)s is not recorded as lost: record that first",
                player=name_of(record, player),
                card=card,
            )
        )
    return found


def _concession(
    record: Record, player: int, place: _Place, blood_points: int | None, noted: Noted, now: datetime | None
) -> list[AnyFact]:
    return concede(
        record,
        by=player,
        table=place.table,
        blood_points=blood_points,
        stage=place.stage,
        round_=place.round,
        noted=noted,
        now=now,
    )


def _incident(
    place: _Place,
    player: int,
    card: str,
    what: Damage,
    leader: str,
    when: Missed | None = None,
    *,
    made: date | None = None,
    note: str | None = None,
) -> CardIncident:
    return CardIncident(
        player=player,
        card=card,
        what=what,
        leader=leader,
        when=when,
        date=made,
        stage=place.stage,
        round=place.round,
        table=place.table,
        note=note,
    )


def _place(record: Record, player: int) -> _Place:
    round_ = round_in_play(record)
    if round_ is None:
        return _Place()
    table = round_.table_of(player)
    if table is None:
        return _Place(round_.stage, round_.number)
    players = round_.tables[table]
    is_open = round_.report(table, players) is None
    return _Place(round_.stage, round_.number, table, players.index(player), is_open, players)


def _need_table(record: Record, player: int, place: _Place, table: int | None) -> None:
    if table is not None and place.table != table:
        name = name_of(record, player)
        if place.table is None:
            raise Refusal(
                sentence(
                    "%(player)s has no table in this round, and does not sit at table %(table)s",
                    player=name,
                    table=table,
                )
            )
        raise Refusal(
            sentence(
                "%(player)s sits at table %(other)s, and is not at table %(table)s",
                player=name,
                other=place.table,
                table=table,
            )
        )


CardStep = Literal["lost", "lost-during-game", "not-found", "still-missing", "found", "damaged", "proxy"]


class GivePenalty(Command):
    """Give a player a penalty.

    A match loss decides an open match; a game loss decides a match of one game.

    `called` is its name in the game. `override` allows a penalty although the warning that a rule demands
    first is missing.
    """

    kind: Literal["give-penalty"] = "give-penalty"
    player: Annotated[Player, PLAYER]
    penalty: Annotated[Penalty, argument("One of {known}.")]
    offence: Annotated[Offence, option("--for", "One of {known}.")]
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
        Count | None, option("--blood-points", "The loser's blood points, if it costs the match.")
    ] = None
    ended: Ended = None
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        """Give a penalty (L5R-I.7a-UNSPORTING, L5R-III.4-NOTES), with the result of an open match that it decides.

        A match loss decides the match. A game loss decides it if a match is one game; `blood_points` are then the
        loser's (ASH-BP). The `leader` gave the penalty, or the clerk if no leader is named. In a game that a
        leader plays, any other than the ruling leader needs `deviating` (L5R-I.6-LEADERPLAY). `table` is only
        checked: a penalty belongs to the table of the player. Some rulebooks demand a warning before an offence
        costs a game (ASH-SLOW). A game loss without one is refused, or marked if a leader would `override` the
        rule. A disqualification is only recommended here: the organizer decides (L5R-I.7-CONDUCT).
        """
        player = known(record, self.player)[0]
        need_open(record)
        if self.penalty != "warning" and record.status(player) == "disqualified":
            raise Refusal(sentence("%(player)s is disqualified already", player=name_of(record, player)))
        called = None if self.called is None else _name_in_the_game(record, self.called)
        place = _place(record, player)
        _need_table(record, player, place, self.table)
        rules = _need_responsible(
            record, self.leader or context.clerk.actor, place, deviating=self.deviating, table=self.table
        )
        unwarned = needs_warning(record, player, self.offence) if self.penalty == "game-loss" else None
        if unwarned is not None and not self.override:
            raise Refusal(
                demanding(
                    sentence(
                        "%(player)s was not warned for %(offence)s before: "
                        "give a warning, or override with a reason",
                        player=name_of(record, player),
                        offence=word(self.offence),
                    ),
                    "an exception",
                ),
                unwarned,
            )
        given = PenaltyGiven(
            player=player,
            penalty=self.penalty,
            offence=self.offence,
            stage=place.stage,
            round=place.round,
            table=place.table,
            note=self.note,
            deviations=(*rules, *(() if unwarned is None else (unwarned,))),
            called=called,
            leader=self.leader,
        )
        games = record.rulebook.games
        is_lost = self.penalty == "match-loss" or (
            self.penalty == "game-loss" and (games is None or games.needed(place.stage) == 1)
        )
        noted = noted_end(self.ended)
        lost = _lost_match(record, place, self.penalty, self.blood_points, noted, now()) if is_lost else ()
        _need_ending(lost, noted)
        return [given, *lost]


class NoteCard(Command):
    """Record a lost, found or damaged card, or a proxy.

    `minutes` to look for a lost card replace the usual ones. Without a `leader`, the recorder decided.
    """

    kind: Literal["note-card"] = "note-card"
    player: Player
    card: Text
    what: CardStep
    leader: Text | None = None
    minutes: Minutes | None = None
    note: Words | None = Field(default=None, description="what can no longer be read on it")
    blood_points: Count | None = Field(default=None, description="the loser's, where the card costs the game")
    ended: Ended = None
    deviating: Deviating = False

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        player, leader = known(record, self.player)[0], self.leader or context.clerk.actor
        place = _place(record, player)
        rules = _need_responsible(record, leader, place, deviating=self.deviating) if self.what != "found" else ()
        noted = noted_end(self.ended)
        incident, *others = self._decided(record, player, leader, noted)
        _need_ending(others, noted)
        return [incident.model_copy(update={"deviations": rules}), *others]

    def _decided(self, record: Record, player: int, leader: str, noted: Noted) -> list[AnyFact]:
        card = self.card
        match self.what:
            case "found":
                return find_card(record, player=player, card=card, leader=leader)
            case "not-found":
                return miss_in_time(
                    record,
                    player=player,
                    card=card,
                    leader=leader,
                    blood_points=self.blood_points,
                    noted=noted,
                    now=now(),
                )
            case "still-missing":
                return miss_still(record, player=player, card=card, leader=leader)
            case "damaged":
                return damage_card(record, player=player, card=card, leader=leader, note=self.note)
            case "proxy":
                made = now().astimezone().date()
                return make_proxy(record, player=player, card=card, leader=leader, made=made, note=self.note)
        during_game = self.what == "lost-during-game"
        return lose_card(
            record,
            player=player,
            card=card,
            leader=leader,
            during_game=during_game,
            minutes=None if during_game else self.minutes,
            blood_points=self.blood_points,
            noted=noted,
            now=now(),
        )
