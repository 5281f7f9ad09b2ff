"""Transcripts: a whole tournament as a foreign file tells it, before it becomes commands and entries.

Every format is read into the same steps, in the order in which they happened, each with its line in the file.
A transcript knows names, not player numbers, and no rules: what it says is checked when it is recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from matchledger.events import Games, Stage
from matchledger_projections.record.roster import is_membership


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player as the file describes one."""

    name: str
    division: str | None = None
    born: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)

    @property
    def membership(self) -> str | None:
        """The player's number in the publisher's program; None where nobody gave one."""
        return next((value for column, value in self.attributes.items() if is_membership(column)), None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the file says of a match: a kind of result, who won, and what is written beside it.

    `scores` are in the order in which the line names the two players. `blood_points` are the loser's; the
    winner's are there only where the file writes them, to be checked against the rulebook (ASH-BP). `notes` are the
    words about the end of the game as a sheet has them, such as ended=69:59. `games` are in the order in which the
    line names the two players, drawn ones last. What is `as_found` is kept however odd: the file is a fact.
    `worth` is what a log gave the two for it, in the same order; None in a transcript of a file.
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


@dataclass(frozen=True, slots=True)
class Game:
    """Two players at a table; `outcome` is None where the file has no result for them."""

    line: int | None
    first: str
    second: str
    outcome: Outcome | None
    table: int | None = None
    rematch: bool = False


@dataclass(frozen=True, slots=True)
class ByeLine:
    """A player without an opponent; `points` only where the file writes them."""

    line: int | None
    player: str
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    line: int | None


@dataclass(frozen=True, slots=True)
class Register(Step):
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class ArriveLate(Step):
    """A player who came when `rounds_started` rounds had started.

    `losses` are the rounds that the file charges as losses. None leaves that to the rulebook: each round that
    had started. A file that shows every match shows the charged losses too, so () means that there are none.
    """

    entrant: Entrant
    rounds_started: int
    losses: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class MoreTime(Step):
    """A table of a round was given more time."""

    table: int
    minutes: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PlayRound(Step):
    """A round as it was paired, with the slips that came in.

    `minutes` is how long it lasted, where the file says so, and `extensions` who was given more time.
    """

    stage: Stage
    number: int
    games: tuple[Game, ...]
    byes: tuple[ByeLine, ...] = ()
    minutes: int | None = None
    extensions: tuple[MoreTime, ...] = ()


@dataclass(frozen=True, slots=True)
class Drop(Step):
    """A player left; `cause` only where the file writes one."""

    player: str
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class Rejoin(Step):
    """A dropped player came back; `losses` as for a late arrival, None being each round missed in between."""

    player: str
    losses: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Disqualify(Step):
    player: str


@dataclass(frozen=True, slots=True)
class OrderTie(Step):
    """The recorded order of players whom the rulebook leaves level, best first."""

    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Correct(Step):
    round: int
    first: str
    second: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Retract(Step):
    """Takes the last correction of a slip back."""

    round: int
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Cut(Step):
    """Who goes on: the top `size` of the standings, or of each division, or those named, best seed first."""

    size: int
    seeds: tuple[str, ...] = ()
    division_sizes: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Close(Step):
    """The tournament is over."""


@dataclass(frozen=True, slots=True)
class OfficialNumbers:
    """What the software that wrote the file computed itself.

    `values`: player -> name of a number (a tiebreaker or "points") -> the text printed in the file.
    `orders`: one ranking per division (key "" where there are none), best first; only the Swiss order counts.
    `ranks` are the places as written, where several players can share one.
    `decimals` is how many the program prints, where zeros at the end are left out; None counts those of each text.
    `noise` is the difference below which the program's floating-point numbers may have decided by their error.
    `may_lack_matches` says that the file may have lost some: where points do not add up, nothing else is compared.
    """

    values: dict[str, dict[str, str]] = field(default_factory=dict)
    orders: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)
    decimals: int | None = None
    noise: Fraction | None = None
    may_lack_matches: bool = False


@dataclass(frozen=True, slots=True)
class Transcript:
    """A tournament read from a file; `notes` says line by line what was adjusted on the way.

    `lines` gives the line of a sheet that names its rulebook, and that of each policy flag. `readings` are the
    policies under which the program may have computed; the one whose numbers fit best is taken. `places` are the
    final places of those who went on, and `bye_points` what the rulebook gives for a bye: a log alone knows both.
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


# Programs that print more decimals than this have computed with fewer: what follows is their rounding noise.
_EXACT_DECIMALS = 12


def printed_as(value: Fraction, text: str, decimals: int | None = None) -> bool:
    """Whether an exact value, rounded to `decimals` (as many as `text` shows, 12 at most), is what `text` says.

    The value has not been rounded before. Programs round a half up, down or to even: both neighbours are right.
    """
    unit = Fraction(1, 10 ** (min(len(text.partition(".")[2]), _EXACT_DECIMALS) if decimals is None else decimals))
    return abs(Fraction(text) - value) * 2 <= unit
