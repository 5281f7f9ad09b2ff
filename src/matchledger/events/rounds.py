"""Rounds: who was seated against whom, and what was changed about it."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

RepairChoice = Literal["leave", "minimal", "all"]


class Seating(Fact):
    """Two players at a numbered table (L5R-II.1-ORGMAT)."""

    table: PositiveInt
    players: Two


class Bye(Fact):
    """A player without an opponent; `points` only where a foreign file writes points of its own."""

    player: PlayerNumber
    points: int | None = None


class RematchAllowed(Fact):
    """Somebody with the right to do so let two players meet again."""

    action = "pair"
    kind: Literal["rematch-allowed"] = "rematch-allowed"
    round: PositiveInt
    players: Two


class PoolDraw(Fact):
    """The draw of players who were paired among themselves, such as an age division."""

    name: str
    seed: str = Field(pattern="^[0-9a-f]{64}$")


class RoundPaired(Fact):
    """A round's tables and byes. `seed` is there when chance derived them, and absent when a hand wrote them.

    `pools` are there when the field was paired in several parts, each by a draw of its own. `deviations` are rules
    that somebody with a reason let the round depart from.
    """

    action = "pair"
    kind: Literal["round-paired"] = "round-paired"
    stage: Stage = "swiss"
    round: PositiveInt
    tables: tuple[Seating, ...]
    byes: tuple[Bye, ...] = ()
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    pools: tuple[PoolDraw, ...] = ()
    deviations: tuple[str, ...] = ()


class RoundStarted(Fact):
    """Play in a round began (L5R-III.2-START), `at` the moment that somebody noted, or when this was recorded.

    `minutes` is the length that was announced, None for the rulebook's.
    """

    action = "start-round"
    kind: Literal["round-started"] = "round-started"
    stage: Stage = "swiss"
    round: PositiveInt
    minutes: PositiveInt | None = None
    at: AwareDatetime | None = None


class PairingAmended(Fact):
    """Some tables of a posted round were changed; tables that are not named stay as they were.

    `deviations` are rules that somebody with a reason let the change depart from.
    """

    action = "re-pair"
    kind: Literal["pairing-amended"] = "pairing-amended"
    stage: Stage = "swiss"
    round: PositiveInt
    removed: tuple[Seating, ...]
    added: tuple[Seating, ...]
    byes_removed: tuple[PlayerNumber, ...] = ()
    byes_added: tuple[PlayerNumber, ...] = ()
    deviations: tuple[str, ...] = ()


class RepairChosen(Fact):
    """The repair of a round that was paired before a correction. The entry has the clerk and the reason.

    `correction` is the position of the entry that put the record right, `tables` the tables of the posted round
    whose players were seated anew.
    """

    action = "re-pair"
    kind: Literal["repair-chosen"] = "repair-chosen"
    round: PositiveInt
    choice: RepairChoice
    correction: PositiveInt
    tables: tuple[PositiveInt, ...] = ()


class TableFixed(Fact):
    """A player plays at the same table in every round to come; no `table`: at any."""

    action = "arrange-field"
    paired_on = False
    kind: Literal["table-fixed"] = "table-fixed"
    player: PlayerNumber
    table: PositiveInt | None = None


class TablesNumbered(Fact):
    """The tables of a division are numbered from `first` on, in every Swiss round to come."""

    action = "arrange-field"
    paired_on = False
    kind: Literal["tables-numbered"] = "tables-numbered"
    division: str
    first: PositiveInt


class ByesAwarded(Fact):
    """A player has a bye in each of the first `rounds` Swiss rounds, awarded before the first.

    `deviations` are rules that somebody with a reason let the award depart from.
    """

    action = "arrange-field"
    kind: Literal["byes-awarded"] = "byes-awarded"
    player: PlayerNumber
    rounds: PositiveInt
    deviations: tuple[str, ...] = ()


RoundFact = (
    RematchAllowed
    | RoundPaired
    | RoundStarted
    | PairingAmended
    | RepairChosen
    | TableFixed
    | TablesNumbered
    | ByesAwarded
)
