"""Commands about what is not so, or not yet: what-if, and who has clinched a place in the cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from matchledger.cli.comparing import change_cells
from matchledger.cli.files import other_rulebook
from matchledger.cli.options import JsonOption, RulebookOption
from matchledger.cli.session import Moment, Session, find_player, reading, window_of
from matchledger.cli.standings_text import standings_table
from matchledger.cli.tables import columns
from matchledger.events import Entry
from matchledger.questions.supposing import clinch as work_out
from matchledger.questions.supposing import supposition, what_if
from matchledger.text.labels import HEADINGS
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.standings.standings import Standings
from matchledger_projections.views.clinch import Clinch, Prospect
from matchledger_projections.views.cutline import CutLine
from matchledger_projections.views.difference import Change, changed_lines


@reading
def whatif(
    session: Session,
    moment: Moment,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A result: '3 12 b' is round 3, table 12, b wins.", metavar="SLIP"),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", help="A table without its result: '2 4'.", metavar="TABLE")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", help="A player who leaves.", metavar="PLAYER")] = None,
    rulebook: RulebookOption = None,
    cut: Annotated[int | None, typer.Option("--cut", min=1, help="Who would make a cut of this size.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what the standings would be if results were others. Nothing is recorded."""
    dropped = [find_player(moment.record, name).number for name in drop or ()]
    other_law = other_rulebook(rulebook)
    draft, before, after, lines, document = what_if(
        window_of(session, moment), supposition(set_ or (), remove or (), dropped), rulebook=other_law, cut=cut
    )
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    law = other_law or moment.record.rulebook
    for line in _supposed(draft.record, before, after, law, draft.entries):
        typer.echo(line)
    for each in lines:
        for line in _cut_lines(draft.record, *each):
            typer.echo(line)


def _supposed(
    record: Record, before: Standings, after: Standings, law: Rulebook, imagined: Sequence[Entry]
) -> Iterator[str]:
    title = record.opening.name if record.opening is not None else ""
    yield f"{title}, {law.id}"
    yield "HYPOTHETICAL: nothing of this was recorded."
    for entry in imagined:
        yield f"  if {tell(record, entry.fact)}"
    if law.id != record.rulebook.id:
        yield f"  if it had been played under {law.id} and not {record.rulebook.id}"
    yield f"Standings after round {after.round} would be"
    yield from standings_table(record, after, law)
    rows = {row.player: row for row in after.rows}
    cells = [
        change_cells(record, player, _comparable(changes, record, law), rows.get(player), law)
        for player, changes in changed_lines(before, after).items()
    ]
    yield ""
    if cells:
        yield from columns(["Would move", "Place", law.unit, "What else changes"], cells)
    else:
        yield "Nobody would move."


def _comparable(changes: Sequence[Change], record: Record, law: Rulebook) -> list[Change]:
    """Tiebreakers of two rulebooks are not the same numbers: only those of one are held against each other."""
    return [change for change in changes if law.id == record.rulebook.id or change.name not in HEADINGS]


def _cut_lines(record: Record, before: CutLine, after: CutLine) -> Iterator[str]:
    yield ""
    of_division = f" for {after.division}" if after.division else ""
    yield f"HYPOTHETICAL cut of {after.size}{of_division}: {_names(record, after.inside) or 'nobody for certain'}"
    if after.level:
        places = "1 place" if after.places_left == 1 else f"{after.places_left} places"
        yield f"  level for the last {places}: {_names(record, after.level)}"
    was, now = {*before.inside, *before.level}, {*after.inside, *after.level}
    if came := [player for player in (*after.inside, *after.level) if player not in was]:
        yield f"  in who is not: {_names(record, came)}"
    if went := [player for player in (*before.inside, *before.level) if player not in now]:
        yield f"  out who is in: {_names(record, went)}"


def _names(record: Record, players: Sequence[int]) -> str:
    return ", ".join(record.players[player].name for player in players)


@reading
def clinch(
    session: Session,
    moment: Moment,
    rounds_left: Annotated[
        int | None,
        typer.Option("--rounds-left", min=0, help="Swiss rounds to come, the one in progress included."),
    ] = None,
    cut: Annotated[int | None, typer.Option("--cut", min=1, help="How many will go on.")] = None,
    highest: Annotated[
        int | None,
        typer.Option(
            "--highest", min=0, help="The most that one player can score at a table, where slips give points."
        ),
    ] = None,
    division: Annotated[
        str | None, typer.Option("--division", help="The cut of one division; every announced one, if left out.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show whose place in the cut is certain, impossible or open, and whether an intentional draw is safe.

    Rounds and cut are those announced, where they are not given.
    """
    window = window_of(session, moment)
    found, document = work_out(window, rounds_left=rounds_left, cut=cut, highest=highest, division=division)
    if as_json:
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    for number, one in enumerate(found):
        if number:
            typer.echo()
        for line in _clinch(moment.record, one):
            typer.echo(line)


_FATES = {"certain": "certain", "impossible": "impossible", "open": "open", "undecided": "not shown"}


def _clinch(record: Record, found: Clinch) -> Iterator[str]:
    title = record.opening.name if record.opening is not None else ""
    rounds = "1 round" if found.rounds_left == 1 else f"{found.rounds_left} rounds"
    yield f"{title}, {record.rulebook.id}, entry {record.position}"
    of_division = f" for {found.division}" if found.division else ""
    yield f"Cut of {found.cut}{of_division} with {rounds} left"
    yield _basis(found)
    yield "It is taken that nobody drops, comes back or does not appear, and that no result is corrected."
    with_draws = any(prospect.draw_is_safe is not None for prospect in found.prospects)
    rows = [_prospect_row(record, prospect, with_draws=with_draws) for prospect in found.prospects]
    yield ""
    yield from columns(
        ["Player", record.rulebook.unit, "Cut", *(["A draw"] if with_draws else [])], rows, right=[1]
    )
    if any(prospect.fate == "undecided" for prospect in found.prospects):
        yield ""
        yield "not shown: points alone do not decide it; tiebreakers or pairings to come may."


def _basis(found: Clinch) -> str:
    if found.endings is None:
        return "BOUND: counted on points alone, because there are too many ways to end to replay each."
    return f"Exact: all {found.endings} ways to end were replayed, tiebreakers included."


def _prospect_row(record: Record, prospect: Prospect, *, with_draws: bool) -> list[str]:
    cells = [record.players[prospect.player].name, str(prospect.points), _FATES[prospect.fate]]
    if with_draws:
        safe = prospect.draw_is_safe
        cells.append("" if safe is None else "is safe" if safe else "is not shown to be safe")
    return cells


COMMANDS: dict[str, Callable[..., None]] = {"whatif": whatif, "clinch": clinch}
