"""The types of an audit: why a place is what it is, what changed, what might be, what is certain."""

from __future__ import annotations

from datetime import datetime

from pydantic import Field

from matchledger.documents.typed.base import PlayerNamed, Typed, UnderRulebook
from matchledger.documents.typed.tables import StandingsRow
from matchledger.events import Role
from matchledger_projections.record.roster import Status
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.rulebook import TiebreakName
from matchledger_projections.standings.standings import StepName
from matchledger_projections.standings.tiebreaker import Method
from matchledger_projections.views.attribution import How
from matchledger_projections.views.clinch import Basis
from matchledger_projections.views.explanation import Side
from matchledger_projections.views.prospects import Fate


class Citation(Typed):
    """The entry that something rests on, with who recorded it."""

    position: int
    recorded_at: datetime
    actor: str
    role: Role
    station: str
    reason: str | None


class Ground(Typed):
    """Why a result is another than its slip says in its own words, with the rule."""

    text: str
    rule: str


class ExplainedRound(Typed):
    """A round of a player: what it scored, and the entry that says so; `replaced` no longer count."""

    round: int
    table: int | None
    opponent: str | None
    outcome: str
    kind: str | None
    points: int
    blood_points: int
    rule: str | None
    entry: Citation | None
    replaced: list[int]
    why: list[Ground]
    games: tuple[int, int, int] | None = None


class DerivedTerm(Typed):
    """What one round adds to a tiebreaker; `made_of` is the number as a part of a whole, if it is one."""

    round: int
    opponent: str | None
    value: str
    made_of: tuple[str, int] | None
    notes: list[str]


class DerivedTiebreak(Typed):
    """How a tiebreaker comes out: its terms, their total, the value that ranks. Numbers are exact, "p/q"."""

    name: TiebreakName
    rule: str | None
    method: Method
    value: str | None
    total: str | None
    terms: list[DerivedTerm]
    notes: list[str]


class DecidingStep(Typed):
    """What parted two neighbours, with both numbers where it has any."""

    step: StepName
    mine: str | None
    theirs: str | None


class NeighbourLine(Typed):
    """How a player stands to a neighbour; `decided` is null for who is level, `met` the rounds of their games."""

    player: str
    rank: int | None
    side: Side
    equal: list[StepName]
    decided: DecidingStep | None
    entry: Citation | None
    met: list[int]


class ExplanationPage(UnderRulebook, PlayerNamed):
    """Why a player has a place, as `matchledger explain --json` prints it."""

    hypothetical: bool
    round: int
    clock: Clock
    rank: int | None
    of: int
    tied: bool
    status: Status
    points: int
    rounds: list[ExplainedRound]
    tiebreaks: list[DerivedTiebreak]
    neighbours: list[NeighbourLine]


class SeenStandings(Typed):
    """The standings after a round as the first entries of the log give them."""

    position: int
    round: int


Cell = str | int | bool | None


class MoveLine(PlayerNamed):
    """Somebody who moved: each change from and to, and the entries that did it; `how` says how sure that is."""

    changes: dict[str, tuple[Cell, Cell]]
    entries: list[int]
    how: How


class DifferencePage(Typed):
    """Who moved between two moments, as `matchledger diff --json` prints it."""

    tournament: str
    rulebook: str
    hypothetical: bool
    from_: SeenStandings = Field(alias="from")
    to: SeenStandings
    moves: list[MoveLine]


class SupposedCut(Typed):
    """Who would be in a cut, and who is level for the last places."""

    size: int
    inside: list[str]
    level: list[str]
    places_left: int


class CutSupposed(Typed):
    """A cut as it is and as it would be."""

    was: SupposedCut
    would_be: SupposedCut


class DivisionCutSupposed(CutSupposed):
    """The same of a division."""

    division: str | None


class SuppositionPage(Typed):
    """What would be if results were others, as `matchledger whatif --json` prints it. It never is.

    `cut` is there where one is known or asked for, `cuts` where divisions have their own.
    """

    tournament: str
    rulebook: str
    hypothetical: bool
    round: int
    clock: Clock
    position: None
    outstanding: list[int]
    standings: list[StandingsRow]
    supposed: list[str]
    moves: dict[str, dict[str, tuple[Cell, Cell]]]
    cut: CutSupposed | None = None
    cuts: list[DivisionCutSupposed] = Field(default=[])


class ProspectLine(PlayerNamed):
    """Somebody's prospects of the cut; `draw_is_safe` is null where no draw can be agreed on."""

    points: int
    cut: Fate
    draw_is_safe: bool | None


class ProspectsOfCut(UnderRulebook):
    """Everybody's prospects of a cut; `endings` is null where points alone were counted."""

    division: str | None
    cut: int
    rounds_left: int
    basis: Basis
    endings: int | None
    players: list[ProspectLine]


class ClinchPage(ProspectsOfCut):
    """Whose place is certain, as `matchledger clinch --json` prints it; of several cuts, all of them."""

    divisions: list[ProspectsOfCut] = Field(default=[])
