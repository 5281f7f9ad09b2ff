"""Commands about rounds: pairing them, seating them anew, and what hangs on the wall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from matchledger.commands import postings, repairs, ties
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.command import Command, Number, Two, known
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision
from matchledger.commands.eliminations import pair_elimination
from matchledger.commands.repairs import repair_clock
from matchledger.commands.round_clock import round_in_play
from matchledger.commands.swiss import pair_round
from matchledger.events import AnyFact, Bye, RepairChoice, Seating
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import stage_now


class PairRound(Command):
    """The next round is paired, Swiss or elimination; `deviating` beyond the announced rounds."""

    kind: Literal["pair-round"] = "pair-round"
    allow_rematch: bool = False
    deviating: bool = False

    def decision(self, context: Context) -> Decision:
        return next_round(context.secret, allow_rematch=self.allow_rematch, deviating=self.deviating)


class PairByHand(Command):
    """The next round, Swiss or elimination, as somebody paired it: `games` from table 1 on, and the `byes`.

    `allow_rematch` lets players meet again who are named so; `deviating` goes beyond the announced rounds.
    """

    kind: Literal["pair-by-hand"] = "pair-by-hand"
    games: tuple[Two, ...] = Field(default=(), max_length=100_000)
    byes: tuple[Number, ...] = Field(default=(), max_length=100_000)
    allow_rematch: bool = False
    deviating: bool = False

    @property
    def seatings(self) -> tuple[list[Seating], list[Bye]]:
        """The games at their tables, and the byes."""
        return (
            [Seating(table=table, players=two) for table, two in enumerate(self.games, 1)],
            [Bye(player=player) for player in self.byes],
        )

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        games, byes = self.seatings

        def pair(record: Record) -> list[AnyFact]:
            known(record, *(player for game in self.games for player in game), *self.byes)
            met = [game for game in self.games if rounds.meeting(record, *game)] if self.allow_rematch else []
            return rounds.pair_by_hand(
                record,
                games=games,
                byes=byes,
                stage=stage_now(record),
                rematches=met,
                deviating=self.deviating,
            )

        return pair


class AmendPairing(Command):
    """Some players of the posted round are seated differently; whoever is not named stays where he is."""

    kind: Literal["amend-pairing"] = "amend-pairing"
    games: tuple[Two, ...] = Field(default=(), max_length=1000)
    byes: tuple[Number, ...] = Field(default=(), max_length=1000)
    allow_rematch: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        def amend(record: Record) -> list[AnyFact]:
            known(record, *(player for game in self.games for player in game), *self.byes)
            latest = round_in_play(record)
            met = [game for game in self.games if rounds.meeting(record, *game)] if self.allow_rematch else []
            return rounds.amend_pairing(
                record,
                games=self.games,
                byes=self.byes,
                stage="swiss" if latest is None else latest.stage,
                rematches=met,
            )

        return amend


class ChooseRepair(Command):
    """What is done about a round that was paired before a wrong slip was found; it needs a reason."""

    kind: Literal["choose-repair"] = "choose-repair"
    choice: RepairChoice
    round: Number | None = None

    def decision(self, context: Context) -> Decision:
        return lambda record: repairs.choose_repair(
            record,
            choice=self.choice,
            clock=repair_clock(record),
            secret=context.secret,
            number=self.round,
        )


class PostStandings(Command):
    """The standings after the last finished round go on the wall."""

    kind: Literal["post-standings"] = "post-standings"

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return opening.post_standings


class PostPairings(Command):
    """The pairings of the latest round go on the wall."""

    kind: Literal["post-pairings"] = "post-pairings"

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return postings.post_pairings


class DrawTies(Command):
    """Every tie that the rulebook leaves to chance is drawn."""

    kind: Literal["draw-ties"] = "draw-ties"

    def decision(self, context: Context) -> Decision:
        return lambda record: ties.draw_ties(record, secret=context.secret())


class OrderTie(Command):
    """The order of a tie that was settled at the table, best first."""

    kind: Literal["order-tie"] = "order-tie"
    players: tuple[Number, ...] = Field(min_length=2, max_length=1000)

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        return lambda record: ties.order_tie(record, players=known(record, *self.players))


def next_round(secret: Callable[[], bytes], *, allow_rematch: bool = False, deviating: bool = False) -> Decision:
    """The decision that pairs whatever comes next: a Swiss round, or a round of the elimination stage."""

    def decide(record: Record) -> list[AnyFact]:
        if stage_now(record) == "elimination":
            return pair_elimination(record, secret=secret(), deviating=deviating)
        return pair_round(record, secret=secret(), allow_rematch=allow_rematch, deviating=deviating)

    return decide
