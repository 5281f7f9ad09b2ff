"""Commands about hypothetical results: whatif, and certain places in the cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from msgspec.structs import replace

from matchledger.cli.comparing import change_cells
from matchledger.cli.files import other_rulebook
from matchledger.cli.options import JsonOption, RulebookOption
from matchledger.cli.session import Moment, Session, find_player, reading, show, window_of
from matchledger.cli.tables import columns, standings_table
from matchledger.service.suppositions import what_if
from matchledger.service.window import look
from matchledger.text.labels import HEADINGS
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.scoring import points_text, unit_name
from matchledger_projections.standings.tiebreakers import TIEBREAKERS
from matchledger_projections.views.clinch import Clinch, ClinchPage, Prospect, clinch_page
from matchledger_projections.views.cutline import CutLine
from matchledger_projections.views.difference import Change
from matchledger_projections.views.supposition import SuppositionPage


@reading
def whatif(
    session: Session,
    moment: Moment,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A result: '3 12 b' is round 3, table 12, b wins.", metavar="SLIP"),
    ] = None,
    remove: Annotated[
        list[str] | None, typer.Option("--remove", help="A table whose result is removed: '2 4'.", metavar="TABLE")
    ] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", help="A player who leaves.", metavar="PLAYER")] = None,
    rulebook: RulebookOption = None,
    cut: Annotated[int | None, typer.Option("--cut", min=1, help="The players in a cut of this size.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the standings as other results would change them. Nothing is recorded."""
    dropped = tuple(find_player(moment.record, name).number for name in drop or ())
    window, law = window_of(session, moment), other_rulebook(rulebook)
    found = look(
        window, what_if, set_=tuple(set_ or ()), remove=tuple(remove or ()), drop=dropped, rulebook=law, cut=cut
    )
    show(replace(window, record=found.record), found, _supposed(found), as_json=as_json)


def _supposed(found: SuppositionPage) -> Iterator[str]:
    record, law = found.record, found.then.law
    yield f"{found.tournament}, {found.rulebook}"
    yield "HYPOTHETICAL: nothing of this was recorded."
    for said in found.supposed:
        yield f"  if {said}"
    if law.id != record.rulebook.id:
        yield f"  if it had been played under {law.id} and not {record.rulebook.id}"
    yield f"Standings after round {found.round} would be"
    for division, _, table, rows in found.then.sections:
        yield from () if division is None else (division or "no division",)
        yield from standings_table(record, table, law, rows)
    rows_now = {row.player: row for row in found.standings}
    cells = [
        change_cells(record, player, _comparable(changes, record, law), rows_now.get(player), law)
        for player, changes in found.moves.items()
    ]
    yield ""
    if cells:
        yield from columns(["Would move", "Place", unit_name(law.unit), "What else changes"], cells)
    else:
        yield "No player would move."
    for cut in [each.cut for each in found.cuts] or ([] if found.cut is None else [found.cut]):
        yield from _cut_lines(record, cut.was, cut.would_be)


def _comparable(changes: Sequence[Change], record: Record, law: Rulebook) -> list[Change]:
    """Return the changes that can be compared. Under another rulebook, changes of tiebreakers are left out, because
    each rulebook defines its own.
    """
    return [change for change in changes if law.id == record.rulebook.id or change.name not in HEADINGS]


def _cut_lines(record: Record, before: CutLine, after: CutLine) -> Iterator[str]:
    yield ""
    of_division = f" for {after.division}" if after.division else ""
    yield f"HYPOTHETICAL cut of {after.size}{of_division}: {_names(record, after.inside) or 'no one yet'}"
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
        typer.Option("--rounds-left", min=0, help="Swiss rounds to come, including the one in progress."),
    ] = None,
    cut: Annotated[int | None, typer.Option("--cut", min=1, help="How many players will go on.")] = None,
    highest: Annotated[
        int | None,
        typer.Option("--highest", min=0, help="The most points of one player at a table, if slips give points."),
    ] = None,
    division: Annotated[
        str | None, typer.Option("--division", help="The cut of one division; by default every announced cut.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show whose place in the cut is certain, impossible or open, and whether an intentional draw is safe.

    By default, rounds and cut are the announced ones.
    """
    window = window_of(session, moment)
    page = look(window, clinch_page, rounds_left=rounds_left, cut=cut, highest=highest, division=division)
    show(window, page, _clinches(moment.record, page), as_json=as_json)


def _clinches(record: Record, page: ClinchPage) -> Iterator[str]:
    for number, one in enumerate(page.every):
        yield from [""] if number else []
        yield from _clinch(record, one)


_FATES = {"certain": "certain", "impossible": "impossible", "open": "open", "undecided": "not shown"}


def _clinch(record: Record, found: Clinch) -> Iterator[str]:
    rounds = "1 round" if found.rounds_left == 1 else f"{found.rounds_left} rounds"
    yield f"{found.head.tournament}, {found.head.rulebook}, entry {found.head.position}"
    of_division = f" for {found.division}" if found.division else ""
    yield f"Cut of {found.cut}{of_division} with {rounds} left"
    yield _basis(found)
    if found.missing:
        yield f"Every result is still possible: {'; '.join(found.missing)}."
    yield "Assumes no drops, returns, no-shows or corrections."
    with_draws = any(prospect.draw_is_safe is not None for prospect in found.prospects)
    rows = [_prospect_row(record, prospect, with_draws=with_draws) for prospect in found.prospects]
    yield ""
    yield from columns(
        ["Player", unit_name(record.rulebook.unit), "Cut", *(["A draw"] if with_draws else [])], rows, right=[1]
    )
    if any(prospect.fate == "undecided" for prospect in found.prospects):
        yield ""
        yield (
            "not shown: results do not decide it; the scores on the slips to come may."
            if found.left_open
            else "not shown: points alone do not decide it; tiebreakers or pairings to come may."
        )


def _basis(found: Clinch) -> str:
    if found.endings is None:
        return "BOUND: counted on points alone, because there are too many ways to end to replay each."
    if found.left_open:
        ways = "the only result was" if found.endings == 1 else f"all {found.endings} combinations of results were"
        first = TIEBREAKERS[found.left_open[0]].phrase
        behind = " and all tiebreakers behind it" if len(found.left_open) > 1 else ""
        return f"RESULTS: {ways} replayed. Scores on slips to come were not, so {first}{behind} stay open."
    ways = "the only way to end was" if found.endings == 1 else f"all {found.endings} ways to end were"
    return f"Exact: {ways} replayed, tiebreakers included."


def _prospect_row(record: Record, prospect: Prospect, *, with_draws: bool) -> list[str]:
    cells = [
        record.players[prospect.player].name,
        points_text(prospect.points, record.rulebook.unit),
        _FATES[prospect.fate],
    ]
    if with_draws:
        safe = prospect.draw_is_safe
        cells.append("" if safe is None else "is safe" if safe else "is not shown to be safe")
    return cells
