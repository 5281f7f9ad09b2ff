"""Suppositions: the standings with hypothetical results, and the view of the next round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Struct

from matchledger.events import Entry, Stage
from matchledger_projections.document import LEFT_OUT, SPREAD, UNSAID, As, Names, PlayerName, copied, name_of
from matchledger_projections.narration import tell
from matchledger_projections.pairing.check import Kind, Objection
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.record.two_clocks import Clock
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.cutline import CutLine
from matchledger_projections.views.difference import Cell, Change, changed_lines, changes_written
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.tables import PairingLine, StandingsPage, pairing_lines, standings

Moves = dict[int, tuple[Change, ...]]


def _moves(moves: Moves, names: Names) -> dict[str, dict[str, tuple[Cell, Cell]]]:
    return {name_of(player, names): changes_written(changes, names) for player, changes in moves.items()}


class CutSupposed(Struct, frozen=True):
    """A cut, now and with the supposed results."""

    was: CutLine
    would_be: CutLine


class DivisionCutSupposed(Struct, frozen=True):
    """A division's cut, now and with the supposed results."""

    division: str | None
    cut: Annotated[CutSupposed, SPREAD]


class SuppositionPage(Struct, frozen=True):
    """The supposed results and their effect, as `matchledger whatif --json` prints it.

    A supposition is never recorded. `unit` names what the points count, such as half points.

    `cut` appears if a cut is known or requested, and `cuts` appears if divisions have their own cuts.
    """

    tournament: str
    rulebook: str
    hypothetical: bool
    round: int
    clock: Clock
    position: None
    outstanding: tuple[int, ...]
    unit: str
    standings: tuple[Row, ...]
    supposed: tuple[str, ...]
    moves: Annotated[Moves, As(_moves, dict[str, dict[str, tuple[Cell, Cell]]])]
    then: Annotated[StandingsPage, UNSAID]
    record: Annotated[Record, UNSAID]
    cut: Annotated[CutSupposed | None, LEFT_OUT] = None
    cuts: Annotated[tuple[DivisionCutSupposed, ...], LEFT_OUT] = ()


def supposition_page(
    sight: Sight,
    then: Sight,
    imagined: Sequence[Entry],
    lines: Sequence[tuple[CutLine, CutLine]],
    *,
    rulebook: Rulebook | None,
) -> SuppositionPage:
    """Return the standings and the cuts of a record, now and with the supposed entries."""
    before, after = standings(sight), standings(then, rulebook=rulebook)
    cuts = [CutSupposed(was, would_be) for was, would_be in lines]
    apart = bool(lines) and lines[0][0].division is not None
    return copied(
        SuppositionPage,
        after,
        hypothetical=True,
        clock="as-known",
        position=None,
        unit=after.law.unit,
        supposed=tuple(tell(then.record, entry.fact) for entry in imagined),
        moves=changed_lines(before.standings, after.standings),
        then=after,
        record=then.record,
        cut=cuts[0] if cuts else None,
        cuts=tuple(DivisionCutSupposed(cut.was.division, cut) for cut in cuts) if apart else (),
    )


# -- the next round


class ObjectionLine(Struct, frozen=True):
    """An objection to posting the round."""

    kind: Kind
    players: tuple[PlayerName, ...]
    round: int | None
    tables: tuple[int, ...]
    entry: int | None
    text: str


class NextRoundPage(Struct, frozen=True):
    """The next round, as `matchledger pair --preview --json` prints it. `pairings` is null if the round cannot be
    paired.
    """

    stage: Stage
    round: int
    recorded: Literal[False]
    pairings: tuple[PairingLine, ...] | None
    byes: tuple[PlayerName, ...]
    problems: tuple[ObjectionLine, ...]
    notes: tuple[str, ...] = ()


def next_round_page(
    stage: Stage,
    number: int,
    round_: Round | None,
    found: Sequence[Objection],
    said: Sequence[str],
    notes: Sequence[str] = (),
) -> NextRoundPage:
    """Return the unrecorded next round, with the objections to posting it. `said` is the text of the refusal, if
    pairing was refused.
    """
    return NextRoundPage(
        stage,
        number,
        False,
        None if round_ is None else pairing_lines(round_),
        () if round_ is None else tuple(bye.player for bye in round_.byes),
        tuple(copied(ObjectionLine, objection, text=text) for objection, text in zip(found, said, strict=True)),
        tuple(notes),
    )
