"""Rounds: pairings, and changes to them."""

from typing import Literal

from pydantic import AwareDatetime, Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber, Stage, Two

RepairChoice = Literal["leave", "minimal", "all"]


class Seating(Fact):
    """Two players at a numbered table (L5R-II.1-ORGMAT)."""

    table: PositiveInt
    players: Two


class Bye(Fact):
    """A player without an opponent. `points` is set only if an imported file gives its own points for the bye."""

    player: PlayerNumber
    points: int | None = None


class RematchAllowed(Fact):
    """A person with permission allowed two players to meet again."""

    action = "pair"
    public = True
    kind: Literal["rematch-allowed"] = "rematch-allowed"
    round: PositiveInt
    players: Two


class PoolDraw(Fact):
    """The draw of players who are paired among themselves, such as an age division."""

    name: str
    seed: str = Field(pattern="^[0-9a-f]{64}$")


class RoundPaired(Fact):
    """The tables and byes of a round.

    `seed` is set if a draw made the tables, and missing if a person paired them. `pools` is set if the players were
    paired in several groups, each with its own draw. `deviations` are the rules that the round departs from. The
    entry has the reason.
    """

    action = "pair"
    public = True
    kind: Literal["round-paired"] = "round-paired"
    stage: Stage = "swiss"
    round: PositiveInt
    tables: tuple[Seating, ...]
    byes: tuple[Bye, ...] = ()
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    pools: tuple[PoolDraw, ...] = ()
    deviations: tuple[str, ...] = ()


class RoundStarted(Fact):
    """Play in a round began (L5R-III.2-START) at the noted moment `at`, or at the time of the entry.

    `minutes` is the announced length, or None for the rulebook's length.
    """

    action = "start-round"
    public = True
    kind: Literal["round-started"] = "round-started"
    stage: Stage = "swiss"
    round: PositiveInt
    minutes: PositiveInt | None = None
    at: AwareDatetime | None = None


class PairingAmended(Fact):
    """Some tables of a posted round were changed.

    Other tables stay.

    `deviations` are the rules that the change departs from. The entry has the reason.
    """

    action = "re-pair"
    public = True
    kind: Literal["pairing-amended"] = "pairing-amended"
    stage: Stage = "swiss"
    round: PositiveInt
    removed: tuple[Seating, ...]
    added: tuple[Seating, ...]
    byes_removed: tuple[PlayerNumber, ...] = ()
    byes_added: tuple[PlayerNumber, ...] = ()
    deviations: tuple[str, ...] = ()


class RepairChosen(Fact):
    """A repair was chosen for a round that was paired before a correction.

    The entry has the clerk and the reason.

    `correction` is the position of the correction. `tables` are the tables of the posted round that were reseated.
    """

    action = "re-pair"
    public = True
    kind: Literal["repair-chosen"] = "repair-chosen"
    round: PositiveInt
    choice: RepairChoice
    correction: PositiveInt
    tables: tuple[PositiveInt, ...] = ()


class TableFixed(Fact):
    """A player has the same table in every later round. Without `table`, the player can sit at any table again."""

    action = "arrange-field"
    paired_on = False
    kind: Literal["table-fixed"] = "table-fixed"
    player: PlayerNumber
    table: PositiveInt | None = None


class TablesNumbered(Fact):
    """In every later round, the tables of a division are numbered from `first` on."""

    action = "arrange-field"
    paired_on = False
    kind: Literal["tables-numbered"] = "tables-numbered"
    division: str
    first: PositiveInt


class ByesAwarded(Fact):
    """A player has a bye in each of the first `rounds` Swiss rounds, awarded before round 1.

    `deviations` are the rules that the award departs from. The entry has the reason.
    """

    action = "arrange-field"
    public = True
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
