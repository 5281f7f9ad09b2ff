"""Transcripts: a whole tournament from a foreign file, before it becomes commands and entries.

Every format becomes the same steps, in order, each with its line in the file. A transcript has names instead of
player numbers, and knows no rules. The content of a transcript is checked when the transcript is recorded.
"""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct, field

from matchledger.events import Games, Stage
from matchledger_projections.record.roster import Status, is_membership


class Entrant(Struct, frozen=True):
    """A player with the data from the file."""

    name: str
    division: str | None = None
    born: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def membership(self) -> str | None:
        """Return the player's number at the publisher, or None."""
        return next((value for column, value in self.attributes.items() if is_membership(column)), None)


class Outcome(Struct, frozen=True):
    """The result of a match in the file: the kind of result, the winner, and other data.

    `scores` are in the order in which the line names the players. `blood_points` are the loser's blood points.
    `winner_blood_points` are set only if the file has them, and are checked (ASH-BP). `notes` are a sheet's words
    about the end of the game, such as ended=69:59. `games` are in the order in which the line names the players,
    with drawn games last. With `as_found`, a result is kept even if it breaks the rulebook, because the file is a
    fact. `worth` are the points by the log's rulebook, in the order of the players, and None if a file was read.
    """

    kind: str
    winner: str | None = None
    scores: tuple[int, int] | None = None
    blood_points: int | None = None
    winner_blood_points: int | None = None
    notes: tuple[str, ...] = ()
    games: Games | None = None
    as_found: bool = False
    worth: tuple[int, int] | None = None


class Game(Struct, frozen=True):
    """Two players at a table. `outcome` is None if the file has no result."""

    line: int | None
    first: str
    second: str
    outcome: Outcome | None
    table: int | None = None
    rematch: bool = False


class ByeLine(Struct, frozen=True):
    """A player without an opponent. `points` is set only if the file has the bye's points."""

    line: int | None
    player: str
    points: int | None = None


class Step(Struct, frozen=True):
    line: int | None


class Register(Step, frozen=True):
    entrant: Entrant


class ArriveLate(Step, frozen=True):
    """A player who came after `rounds_started` rounds had started.

    `losses` are the rounds that the file charges as losses. With None, the rulebook charges each started round. If
    a file lists every match, the file also lists the charged losses, so () means no loss.
    """

    entrant: Entrant
    rounds_started: int
    losses: tuple[int, ...] | None = None


class MoreTime(Step, frozen=True):
    """A table of a round got more time."""

    table: int
    minutes: int
    reason: str | None = None


class PlayRound(Step, frozen=True):
    """A round with its pairings and slips.

    `minutes` is the round's length if the file has one, and `extensions` are the tables with more time.
    """

    stage: Stage
    number: int
    games: tuple[Game, ...]
    byes: tuple[ByeLine, ...] = ()
    minutes: int | None = None
    extensions: tuple[MoreTime, ...] = ()


class Drop(Step, frozen=True):
    """A player dropped. `cause` is set only if the file gives a cause."""

    player: str
    cause: str | None = None


class Rejoin(Step, frozen=True):
    """A dropped player returned. `losses` has the same meaning as for a late arrival. With None, each missed round
    is charged.
    """

    player: str
    losses: tuple[int, ...] | None = None


class Disqualify(Step, frozen=True):
    player: str


class OrderTie(Step, frozen=True):
    """The recorded order of players whom the rulebook leaves tied, best first."""

    players: tuple[str, ...]


class Correct(Step, frozen=True):
    round: int
    first: str
    second: str
    outcome: Outcome


class Retract(Step, frozen=True):
    """The last correction of a slip is retracted."""

    round: int
    first: str
    second: str


class Cut(Step, frozen=True):
    """The qualifiers: the top `size` of the standings or of each division, or named players, best seed first."""

    size: int
    seeds: tuple[str, ...] = ()
    division_sizes: dict[str, int] = field(default_factory=dict)


class Close(Step, frozen=True):
    """The tournament is over."""


class OfficialNumbers(Struct, frozen=True):
    """Official numbers, which the program that wrote the file computed.

    `values`: player -> name of a number (a tiebreaker or "points") -> the text printed in the file. `orders` has
    one ranking per division (key "" without divisions), best first. Only the Swiss order counts. `ranks` are the
    written places, which players can share. The players in `unranked` have no place. `left` are the players who
    dropped or were disqualified. `provisional` says which results are missing or contested, or "". `decimals` is
    the number of decimals if the program omits zeros at the end. With None, each text has its own number of
    decimals. `noise` is the largest difference that may come from the program's floating-point errors.
    `may_be_cut_off` says that the program may truncate decimals instead of rounding. `may_lack_matches` says that
    the file may lack matches. In that case, if the points do not add up, no other number is compared.
    """

    values: dict[str, dict[str, str]] = field(default_factory=dict)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    unranked: tuple[str, ...] = ()
    decimals: int | None = None
    noise: Fraction | None = None
    may_be_cut_off: bool = False
    may_lack_matches: bool = False
    left: dict[str, Status] = field(default_factory=dict)
    provisional: str = ""


class Transcript(Struct, frozen=True):
    """A tournament from a file.

    `notes` has a line for each adjustment of the file's content.

    `lines` has the line numbers of a sheet's rulebook and of each policy. `readings` are policies that the program
    may have used. The policies that fit the official numbers best are chosen. Only a transcript of a log has
    `places` (the final places of qualifiers) and `bye_points` (the rulebook's points for a bye).
    """

    format: str
    rulebook: str
    name: str
    steps: tuple[Step, ...]
    policies: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    official: OfficialNumbers | None = None
    lines: dict[str, int] = field(default_factory=dict)
    division_years: dict[str, int] = field(default_factory=dict)
    readings: tuple[dict[str, str], ...] = ()
    places: dict[str, int] = field(default_factory=dict)
    bye_points: int | None = None


# Programs that print more decimals than this number have computed with fewer exact decimals. The remaining decimals
# are rounding noise.
_EXACT_DECIMALS = 12


def printed_as(value: Fraction, text: str, decimals: int | None = None, *, may_be_cut_off: bool = False) -> bool:
    """Return whether an exact value, rounded to `decimals`, is printed as `text`. By default, `decimals` is the
    number in `text`, at most 12.

    Programs round a half up, down or to even, so both neighbours are accepted. With `may_be_cut_off`, a truncated
    value is accepted too.
    """
    unit = Fraction(1, 10 ** (min(len(text.partition(".")[2]), _EXACT_DECIMALS) if decimals is None else decimals))
    below = value - Fraction(text)
    return abs(below) * 2 <= unit or (may_be_cut_off and 0 <= below < unit)
