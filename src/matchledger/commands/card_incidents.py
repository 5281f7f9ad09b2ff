"""Lost, found and damaged cards, and what they cost."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from matchledger.commands.command import Command, Context, Count, Deviating, Minutes, Player, Text, Words, known
from matchledger.commands.draft import now
from matchledger.commands.penalties import Seat, need_ending, need_ruling_leader, seat_of
from matchledger.commands.refusal import Refusal, departing, name_of, need_active, need_open
from matchledger.commands.results import Ended, concede, noted_end
from matchledger.commands.roster import drop
from matchledger.commands.round_clock import extend, round_in_play
from matchledger.events import AnyFact, CardIncident, TimeExtended
from matchledger.events.conduct import Damage, Missed
from matchledger.notation.slip import Noted
from matchledger_projections.conduct.penalties import missing_card
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.stages.departure import of_late_search

LOST_CARD = "lost card"  # the reason for extra time at a table, and for a drop without the card

CardStep = Literal["lost", "lost-during-game", "not-found", "still-missing", "found", "damaged", "proxy"]

# For each step, the fact's `what` and `when`: the damage, and the moment when the card was missed.
_STEPS: dict[CardStep, tuple[Damage, Missed | None]] = {
    "lost": ("lost", "round-start"),
    "lost-during-game": ("lost", "during-game"),
    "not-found": ("lost", "time-up"),
    "still-missing": ("lost", "next-round"),
    "found": ("found", None),
    "damaged": ("damaged", None),
    "proxy": ("proxy", None),
}


class NoteCard(Command):
    """Record a lost, found or damaged card, or a proxy.

    `minutes` are the time to look for a lost card, instead of the rulebook's minutes. Without a `leader`, the
    person who records the step also decided it.
    """

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
        """Record what happened to the card, and what it costs (L5R-II.2d-LOST).

        A lost card needs the page of the current round. If a card is lost at the start of a round, its table gets
        more time. A card that is lost during a game, or not found in time, costs its player the game. `ended` is
        the time when the game ended. A player whose card is still missing at the start of the next round is
        dropped, not disqualified, and can rejoin with the card. If the player finds the card or another copy, the
        cost remains. A proxy for a damaged card is valid for the rest of the tournament (L5R-II.2d-DAMAGED).
        """
        player, leader = known(record, self.player)[0], self.leader or context.clerk.actor
        if self.what not in ("found", "damaged", "proxy"):
            context.need_same_round(record)
        seat = seat_of(player, context.round_shown(record))
        rules = need_ruling_leader(record, leader, seat, deviating=self.deviating) if self.what != "found" else ()
        noted = noted_end(self.ended)
        need_open(record)
        card, cost = self._decided(record, player, seat, noted)
        if any(isinstance(fact, TimeExtended) for fact in cost) and (round_ := round_in_play(record, seat.stage)):
            rules = (*rules, *departing(of_late_search(record, round_, now()), deviating=self.deviating))
        need_ending(cost, noted)
        what, when = _STEPS[self.what]
        incident = CardIncident(
            player=player,
            card=card,
            what=what,
            leader=leader,
            when=when,
            date=now().astimezone().date() if what == "proxy" else None,
            stage=seat.stage,
            round=seat.round,
            table=seat.table,
            note=self.note if what in ("damaged", "proxy") else None,
            deviations=rules,
        )
        return [incident, *cost]

    def _decided(self, record: Record, player: int, seat: Seat, noted: Noted) -> tuple[str, list[AnyFact]]:
        """Return the card's name as first recorded, and the facts that the step costs."""
        if self.what in ("not-found", "still-missing", "found"):
            lost = _lost_before(record, player, self.card)
            if self.what == "not-found":
                _need_same_match(record, player, seat, lost)
                return lost.card, self._concession(record, player, seat, noted)
            if self.what == "still-missing":
                _need_later_round(record, player, seat, lost)
                return lost.card, drop(record, player=player, cause=LOST_CARD)
            return lost.card, []
        need_active(record, player)
        if self.what in ("lost", "lost-during-game"):
            _need_not_lost(record, player, self.card)
        if self.what == "lost-during-game":
            _need_playing(record, player, seat)
            return self.card, self._concession(record, player, seat, noted)
        return self.card, self._time_to_look(record, seat) if self.what == "lost" else []

    def _time_to_look(self, record: Record, seat: Seat) -> list[AnyFact]:
        if seat.table is None or not seat.is_open:
            return []
        minutes = self.minutes or record.rulebook.conduct.lost_card_minutes
        return extend(
            record,
            table=seat.table,
            minutes=minutes,
            reason=LOST_CARD,
            stage=seat.stage,
            deviating=self.deviating,
        )

    def _concession(self, record: Record, player: int, seat: Seat, noted: Noted) -> list[AnyFact]:
        return concede(
            record,
            by=player,
            table=seat.table,
            blood_points=self.blood_points,
            stage=seat.stage,
            round_=seat.round,
            noted=noted,
            deviating=self.deviating,
            now=now(),
        )


def _lost_before(record: Record, player: int, card: str) -> CardIncident:
    lost = missing_card(record, player, card)
    if lost is None:
        raise Refusal(
            sentence(
                "%(card)s of %(player)s is not recorded as lost: record that first",
                player=name_of(record, player),
                card=card,
            )
        )
    return lost.fact


def _need_not_lost(record: Record, player: int, card: str) -> None:
    if (lost := missing_card(record, player, card)) is not None:
        raise Refusal(
            sentence(
                (
                    "%(card)s of %(player)s is recorded as lost already (entry %(entry)s): record that it was not "
                    "found, is still missing, or was found"
                ),
                player=name_of(record, player),
                card=lost.fact.card,
                entry=lost.position,
            )
        )


def _need_playing(record: Record, player: int, seat: Seat) -> None:
    if not seat.is_open:
        raise Refusal(
            sentence(
                "%(player)s is not playing now: record the card as missing at the start of the round",
                player=name_of(record, player),
            )
        )


def _need_same_match(record: Record, player: int, seat: Seat, lost: CardIncident) -> None:
    """Refuse to end a match if the card was reported lost in a different match (L5R-II.2d-LOST)."""
    if lost.when != "round-start" or (seat.stage, seat.round) != (lost.stage, lost.round):
        raise Refusal(
            sentence(
                (
                    "%(card)s has cost a game already: next, record that the card is still missing when the next "
                    "round starts"
                ),
                card=lost.card,
            ),
            record.rulebook.conduct.lost_card,
        )
    if not seat.is_open:
        raise Refusal(
            sentence(
                (
                    "%(player)s has no open match: record that %(card)s is still missing when the next round "
                    "starts, or was found"
                ),
                player=name_of(record, player),
                card=lost.card,
            ),
            record.rulebook.conduct.lost_card,
        )


def _need_later_round(record: Record, player: int, seat: Seat, lost: CardIncident) -> None:
    """Refuse to drop a player while the match in which the card was reported lost is open (L5R-II.2d-LOST)."""
    if seat.is_open and (seat.stage, seat.round) == (lost.stage, lost.round):
        raise Refusal(
            sentence(
                (
                    "the match of %(player)s at table %(table)s is open: record first that %(card)s was not found, "
                    "which loses that game"
                ),
                player=name_of(record, player),
                table=seat.table,
                card=lost.card,
            ),
            record.rulebook.conduct.lost_card,
        )
