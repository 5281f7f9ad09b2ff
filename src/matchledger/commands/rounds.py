"""Commands about rounds: pair the next round by draw or by hand, and reseat players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import zip_longest
from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import Command, Context, Deviating, Players, Two, Typed, known
from matchledger.commands.eliminations import pair_elimination
from matchledger.commands.refusal import need_all, need_nobody_left_out
from matchledger.commands.round_clock import round_in_play
from matchledger.commands.swiss import (
    amend_pairing,
    meeting,
    pair_by_hand,
    pair_round,
)
from matchledger.events import AnyFact, Bye, Seating
from matchledger.notation.player_lookup import number_typed
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.pairing.seats import seated, seated_in_bracket
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import stage_now


def _games_typed(record: Record, names: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of players for each table, without empty tables. Raises UsageProblem."""
    tables = [
        two for two in zip_longest(names[::2], names[1::2], fillvalue="") if any(name.strip() for name in two)
    ]
    if not all(name.strip() for two in tables for name in two):
        raise UsageProblem(sentence("each table needs two players; a player without a table gets a bye"))
    return [(number_typed(record, first), number_typed(record, second)) for first, second in tables]


Games = Annotated[tuple[Two, ...], Typed(_games_typed, many=True)]


class PairRound(Command):
    """Pair the next round, Swiss or elimination. `deviating` allows a round beyond the announced rounds."""

    pairs: ClassVar = True
    allow_rematch: bool = False
    deviating: Deviating = False

    def draws(self, _: Record) -> bool:
        return True

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        if stage_now(record) == "elimination":
            return pair_elimination(record, secret=context.secret(), deviating=self.deviating)
        return pair_round(
            record, secret=context.secret(), allow_rematch=self.allow_rematch, deviating=self.deviating
        )


class PairByHand(Command):
    """Record the next round, Swiss or elimination, as somebody paired it: `games` from table 1 on, and `byes`.

    `allow_rematch` lets the named players meet again. `deviating` allows a round beyond the announced rounds.
    """

    pairs: ClassVar = True
    shown_first: ClassVar = True
    games: Annotated[Games, Field(max_length=100_000)] = ()
    byes: Annotated[Players, Field(max_length=100_000)] = ()
    allow_rematch: bool = False
    deviating: Deviating = False

    def needs_reason(self) -> Sentence | None:
        if self.allow_rematch:
            return sentence("a rematch paired by hand needs a reason in the log: give one")
        return Command.needs_reason(self)

    def seatings(self, record: Record) -> tuple[list[Seating], list[Bye]]:
        """Return the seatings of the games, from table 1 on, and the byes."""
        games = (
            seated(record, self.games)
            if stage_now(record) == "swiss"
            else seated_in_bracket(record, [(None, game, two) for game, two in enumerate(self.games, 1)])
        )
        return [*games], [Bye(player=player) for player in self.byes]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        games, byes = self.seatings(record)
        known(record, *(player for game in self.games for player in game), *self.byes)
        paired = partial(
            pair_by_hand,
            record,
            games=games,
            byes=byes,
            stage=stage_now(record),
            rematches=_met(record, self.games) if self.allow_rematch else (),
        )
        if not self.deviating:
            need_all(
                lambda: paired(deviating=False),
                lambda: need_nobody_left_out(record, paired(deviating=True)),
            )
        return paired(deviating=self.deviating)


class AmendPairing(Command):
    """Seat some players of the posted round differently; everybody else stays."""

    shown_first: ClassVar = True
    in_play: ClassVar = True
    games: Annotated[Games, Field(max_length=1000)] = ()
    byes: Annotated[Players, Field(max_length=1000)] = ()
    allow_rematch: bool = False
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        known(record, *(player for game in self.games for player in game), *self.byes)
        latest = round_in_play(record)
        return amend_pairing(
            record,
            games=self.games,
            byes=self.byes,
            stage="swiss" if latest is None else latest.stage,
            rematches=_met(record, self.games) if self.allow_rematch else (),
            deviating=self.deviating,
        )


def _met(record: Record, games: Iterable[Two]) -> list[Two]:
    return [game for game in games if meeting(record, *game)]
