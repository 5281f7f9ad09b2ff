"""Commands about what is not so, or not yet: what-if, and who has clinched a place in the cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Annotated

import typer

from matchledger.cli.comparing import change_cells
from matchledger.cli.explaining import RulebookOption
from matchledger.cli.rounds import JsonOption
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading
from matchledger.cli.setup import read_rulebook
from matchledger.cli.tables import columns, standings_table
from matchledger.documents.audit import clinch_document, supposition_document
from matchledger.events import Entry
from matchledger.outcomes import read_outcome
from matchledger.supposition import Supposition, suppose
from matchledger.tournament.slips import Written
from matchledger.wording import HEADINGS
from matchledger_projections.audit.clinch import Clinch, Prospect
from matchledger_projections.audit.clinch import clinch as work_out
from matchledger_projections.audit.cutline import CutLine, cut_lines
from matchledger_projections.audit.difference import Change, changed_lines
from matchledger_projections.audit.narration import tell
from matchledger_projections.divisions.grouping import divisions_of
from matchledger_projections.divisions.tables import ranked_apart
from matchledger_projections.record import Record
from matchledger_projections.rulebook import Rulebook, parse_rulebook
from matchledger_projections.stages.cut import cuts_known
from matchledger_projections.standings import Standings
from matchledger_projections.standings import standings as rank


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
    entries = list(session.ledger.entries(session.tournament, through=moment.position))
    record = moment.record
    law = record.rulebook if rulebook is None else parse_rulebook(read_rulebook(rulebook))
    draft = suppose(entries, _supposition(record, set_ or (), remove or (), drop or ()))
    if moment.round is None:
        before, after = rank(record), rank(draft.record, None, law)
    else:
        before, after = rank(record, moment.round), rank(draft.record, moment.round, law)
    of_all: dict[str | None, int] = {None: cut or 0}
    sizes = cuts_known(record) if cut is None else of_all
    was = cut_lines(record, sizes, before.round)
    lines = list(zip(was, cut_lines(draft.record, sizes, after.round, law), strict=True))
    if as_json:
        document = supposition_document(draft.record, before, after, lines, draft.entries, rulebook=law)
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    for line in _supposed(draft.record, before, after, law, draft.entries):
        typer.echo(line)
    for each in lines:
        for line in _cut_lines(draft.record, *each):
            typer.echo(line)


def _supposition(
    record: Record, results: Sequence[str], removed: Sequence[str], dropped: Sequence[str]
) -> Supposition:
    return Supposition(
        [_result(text) for text in results],
        [_table(text) for text in removed],
        [find_player(record, name).number for name in dropped],
    )


def _result(text: str) -> tuple[int, int, Written]:
    words = text.split()
    round_, table = _table(" ".join(words[:2]))
    return round_, table, read_outcome(words[2:])


def _table(text: str) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2 or not all(word.isdecimal() for word in words):  # noqa: PLR2004 - a round and a table
        raise UsageProblem(f"{text!r} is not a round and a table, such as '3 12'")
    return int(words[0]), int(words[1])


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
    if moment.through is not None:
        raise UsageProblem("clinch looks ahead from a moment: give --as-of or --round N --as-known")
    entries = list(session.ledger.entries(session.tournament, through=moment.position))
    try:
        found = [
            work_out(
                entries,
                rounds_left=_rounds_left(moment.record, rounds_left, of_division),
                cut=size,
                highest=highest,
                division=of_division,
            )
            for of_division, size in _cuts(moment.record, cut, division).items()
        ]
    except ValueError as problem:
        raise UsageProblem(str(problem)) from None
    if as_json:
        typer.echo(json.dumps(clinch_document(moment.record, found), ensure_ascii=False))
        return
    for number, one in enumerate(found):
        if number:
            typer.echo()
        for line in _clinch(moment.record, one):
            typer.echo(line)


def _rounds_left(record: Record, given: int | None, division: str | None) -> int:
    if given is not None:
        return given
    announced = record.structure
    if announced is None:
        raise UsageProblem("no structure was announced: say how many rounds are left with --rounds-left")
    rounds = announced.division_rounds.get(division or "", announced.rounds)
    return max(rounds - record.finished_rounds, 0)


def _cuts(record: Record, given: int | None, division: str | None) -> dict[str | None, int]:
    """How many go on, by division: as given, else as cut or announced."""
    known = cuts_known(record)
    named = None if division is None else division.casefold()
    if named is not None and named not in divisions_of(record):
        raise UsageProblem(f"there is no division {division!r}: there are {', '.join(divisions_of(record))}")
    if given:
        if named is None and ranked_apart(record):
            raise UsageProblem("the divisions play apart: say of which one the cut is with --division")
        return {named: given}
    found = {one: size for one, size in known.items() if named in (None, one)}
    if not found:
        raise UsageProblem("no cut was announced: say how many go on with --cut")
    return found


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
