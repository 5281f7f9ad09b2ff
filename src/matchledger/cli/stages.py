"""Commands about stages: the structure, the cut, the bracket and the final places."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from matchledger.cli.bracket_drawing import draw_bracket
from matchledger.cli.decks import card_data
from matchledger.cli.options import JsonOption
from matchledger.cli.recording import Printer, command_of
from matchledger.cli.session import Moment, Output, Session, reading, show, window_of, writing
from matchledger.cli.tables import columns, fitted, pairings_table, table
from matchledger.commands.cuts import MakeCut
from matchledger.commands.refusal import counted
from matchledger.commands.replacements import ReplaceQualifier
from matchledger.commands.structures import AnnounceStructure
from matchledger.commands.time_tiebreaks import EndAtTime
from matchledger.events import ResultReported
from matchledger.service.execute import Done
from matchledger.service.window import look
from matchledger.text.columns import NO_CHAMPION, Column, csv_table, named_places, provisional_column
from matchledger_projections.narration import tell_structure
from matchledger_projections.record.desk_calls import provisional
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.stages.bracket import Bracket, contested_games, seeds_of_cut, without_contested
from matchledger_projections.stages.bracket import brackets as drawn_brackets
from matchledger_projections.stages.placing import champions
from matchledger_projections.stages.structure import Proposal, format_rule
from matchledger_projections.stages.time_tiebreaks import decide
from matchledger_projections.views.stages import PlacesPage, StructurePage, brackets
from matchledger_projections.views.stages import bracket as bracket_of
from matchledger_projections.views.stages import places as places_of
from matchledger_projections.views.stages import structure as structure_of

_NARROW = 80  # the number of columns to use if the terminal's width is unknown


@reading
def structure(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """Show the rulebook's structures for this attendance, and the announced one."""
    window = window_of(session, moment)
    page = look(window, structure_of)
    show(window, page, _structure(window.record.rulebook, page), as_json=as_json)


def _structure(law: Rulebook, page: StructurePage) -> Iterator[str]:
    divisions = ", ".join(f"{division} {size}" for division, size in sorted(page.divisions.items()))
    yield f"{counted(page.players, 'player')}{f' ({divisions})' if divisions else ''}, {page.head.rulebook}"
    if page.proposals:
        yield from columns(["Structure", "Style", "Rounds", "Cut", "Rule"], map(_proposed, page.proposals))
    else:
        yield "The rulebook proposes no structure for this event: announce your own (custom)."
    yield f"Announced: {tell_structure(page.announced) if page.announced else 'nothing'}"
    if page.format is not None:
        rule = format_rule(law)
        yield f"Format: {page.format}{'' if rule == 'POLICY' else f' ({rule})'}"


def _proposed(found: Proposal) -> list[str]:
    rounds, cuts = (_or(choices) for choices in (found.rounds, found.cuts))
    if found.division_rounds:
        each = sorted(found.division_rounds.items())
        rounds = ", ".join(f"{division or 'others'} {_or(choices)}" for division, choices in each)
    if found.division_cuts:
        cuts = ", ".join(
            f"{division or 'others'} {_or(each)}" for division, each in sorted(found.division_cuts.items())
        )
    return [found.structure, found.style, rounds, cuts, found.rule]


def _or(choices: tuple[int, ...]) -> str:
    return " or ".join(str(choice) if choice else "none" for choice in choices)


def _announced(session: Session, _: AnnounceStructure, __: Done) -> None:
    _say_structure(session.record)


def _say_structure(record: Record) -> None:
    if record.structure is None:
        return
    typer.echo(f"Announced: {tell_structure(record.structure)} (entry {record.position}).")


def _cut(session: Session, _: MakeCut, __: Done) -> None:
    record = session.record
    after = f" after round {record.cut.round}" if record.cut is not None else ""
    typer.echo(f"The cut is made{after} (entry {record.position}). Next: pair. The seeds:")
    _say_seeds(record)


def _say_seeds(record: Record) -> None:
    for cut_made in record.cuts:
        if cut_made.division:
            typer.echo(cut_made.division)
        for seed, number in enumerate(seeds_of_cut(record, cut_made), 1):
            typer.echo(f"{seed:>3}  {record.players[number].name}")


def _replaced(session: Session, _: ReplaceQualifier, __: Done) -> None:
    _say_seeds(session.record)


@writing
def time_tiebreak(
    session: Session,
    table: Annotated[int, typer.Argument(help="The table.")],
    matches: Annotated[str, typer.Option("--matches", help="Matches won in the game, in table order: 1-1.")],
    power: Annotated[
        str | None, typer.Option("--power", help="Power points that each player has left, such as 5-4.")
    ] = None,
    faction: Annotated[str | None, typer.Option("--faction", help="Cards of the BOSS's faction: 20-22.")] = None,
    discard: Annotated[str | None, typer.Option("--discard", help="Cards in the discard pile: 3-9.")] = None,
    flip: Annotated[
        list[str] | None,
        typer.Option(
            "--flip", help="Numbers of two discarded cards, such as 14-14 or 8-none; repeat for each pair."
        ),
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option("--cards", help="Card data: the faction is counted in the registered lists."),
    ] = None,
    rock_paper_scissors: Annotated[
        str | None, typer.Option("--rps", help="Who won rock-paper-scissors: a or b.")
    ] = None,
) -> None:
    """Decide an elimination game that time stopped, by the players' counts."""
    given = {
        "table": table,
        "matches": matches,
        "power": power,
        "faction": faction,
        "discard": discard,
        "flips": " ".join(flip or ()),
        "rock_paper_scissors": rock_paper_scissors,
        "cards": None if cards is None else card_data(cards),
    }
    entries = session.execute(command_of(session, EndAtTime, given)).entries
    fact = entries[0].fact
    assert isinstance(fact, ResultReported) and fact.slip.tiebreak is not None  # noqa: S101, PT018 - nothing else is recorded
    winner, step = decide(fact.slip.tiebreak)
    players = fact.players
    name = session.record.players[players[winner]].name
    typer.echo(f"Table {table}: {name} wins by tiebreaker {step} (entry {entries[0].position}).")


@reading
def bracket(
    session: Session,
    moment: Moment,
    division: Annotated[str | None, typer.Option("--division", help="The division whose bracket to show.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the bracket of the elimination stage, or those of all divisions."""
    record = moment.record
    if not as_json and not drawn_brackets(record) and record.rounds("elimination") and division is None:
        for line in _as_paired(record):
            typer.echo(line)
        return
    window = window_of(session, moment)
    lines = _brackets(record, brackets(record, division))
    show(window, look(window, bracket_of, division=division), lines, as_json=as_json)


def _brackets(record: Record, drawn: list[Bracket]) -> Iterator[str]:
    width = shutil.get_terminal_size((_NARROW, 24)).columns
    for place, found in enumerate(drawn):
        if found.division is not None:
            yield from ("", found.division) if place else (found.division,)
        shown = without_contested(record, found)
        yield from draw_bracket(record, shown, width)
        champion = champions(record).get(found.division)
        if champion is not None and champion != found.champion:
            winner = "" if found.champion is None else record.players[found.champion].name
            yield f"Champion: {record.players[champion].name}, after the disqualification of {winner}"
        if said := provisional(0, len(contested_games(record, found))):
            yield said


def _as_paired(record: Record) -> Iterator[str]:
    """List the rounds of an elimination stage that was paired by hand or imported."""
    for round_ in record.rounds("elimination"):
        yield f"Elimination round {round_.number}, as it was paired by hand"
        yield from pairings_table(record, round_)


@reading
def places(
    session: Session,
    moment: Moment,
    output: Output,
) -> None:
    """Show the final places, and which rule placed whom."""
    window = window_of(session, moment)
    page = look(window, places_of)
    shown = named_places(window.record, page)
    written = [*shown, *provisional_column(page.said)]
    output.show(window, page, fitted(_places(page, shown), output.out), csv_table(written, page.divisions))


def _places(page: PlacesPage, shown: list[Column[Any]]) -> Iterator[str]:
    yield f"{page.head.tournament}, {page.head.rulebook}, entry {page.head.position}"
    if page.said:
        yield page.said
    for number, (division, inside) in enumerate(page.divisions):
        if division is not None:
            yield f"{chr(10) if number else ''}{division or 'no division'}"
        yield from table(shown, inside)
        if division in page.no_champion:
            yield NO_CHAMPION
    if any(not place.decided for place in page.places):
        yield "? not decided yet."


COMMANDS: dict[str, Callable[..., Any]] = {
    "structure": structure,
    "time-tiebreak": time_tiebreak,
    "bracket": bracket,
    "places": places,
}


PRINTERS: dict[str, Printer] = {"announce": _announced, "cut": _cut, "replace": _replaced}
