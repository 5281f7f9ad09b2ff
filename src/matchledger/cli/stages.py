"""Commands about stages: the structure, the cut, the bracket and the final places."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from matchledger.cli.bracket_drawing import draw_bracket
from matchledger.cli.decks import card_data
from matchledger.cli.options import JsonOption
from matchledger.cli.recording import Told, command_of
from matchledger.cli.session import Moment, Session, reading, writing
from matchledger.cli.tables import columns, pairings_table
from matchledger.commands.cuts import MakeCut
from matchledger.commands.eliminations import EndAtTime
from matchledger.commands.replacements import ReplaceQualifier
from matchledger.commands.structures import AnnounceStructure
from matchledger.documents.stages import structure_document
from matchledger.events import ResultReported
from matchledger.questions.stages import bracket as bracket_asked
from matchledger.questions.stages import brackets
from matchledger.questions.stages import places as places_asked
from matchledger.service.execute import Done
from matchledger_projections.narration import tell_structure
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import Bracket, seeds_of_cut
from matchledger_projections.stages.bracket import brackets as drawn_brackets
from matchledger_projections.stages.placing import Place, places_by_division
from matchledger_projections.stages.structure import Proposal, attendance, format_of, format_rule, proposals
from matchledger_projections.stages.time_tiebreaks import decide

_NARROW = 80  # where the width of the terminal is not known


@reading
def structure(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    as_json: JsonOption = False,
) -> None:
    """Show the structures that the rulebook gives for the attendance, and the one that was announced."""
    record = moment.record
    if as_json:
        typer.echo(json.dumps(structure_document(record), ensure_ascii=False))
        return
    sizes = attendance(record)
    divisions = ", ".join(f"{division} {size}" for division, size in sorted(sizes.items()) if division)
    typer.echo(f"{sum(sizes.values())} players{f' ({divisions})' if divisions else ''}, {record.rulebook.id}")
    rows = [_proposed(found) for found in proposals(record.rulebook, sizes)]
    for line in columns(["Structure", "Style", "Rounds", "Cut", "Rule"], rows) if rows else ():
        typer.echo(line)
    if not rows:
        typer.echo("The rulebook proposes nothing for this attendance: announce a structure of your own.")
    typer.echo(f"Announced: {tell_structure(record.structure) if record.structure else 'nothing'}")
    if (played := format_of(record)) is not None:
        rule = format_rule(record.rulebook)
        typer.echo(f"Format: {played}{'' if rule == 'POLICY' else f' ({rule})'}")


def _proposed(found: Proposal) -> list[str]:
    rounds, cuts = (_or(choices) for choices in (found.rounds, found.cuts))
    if found.division_rounds:
        each = sorted(found.division_rounds.items())
        rounds = ", ".join(f"{division or '-'} {_or(choices)}" for division, choices in each)
    if found.division_cuts:
        cuts = ", ".join(f"{division or '-'} {_or(each)}" for division, each in sorted(found.division_cuts.items()))
    return [found.table, found.style, rounds, cuts, found.rule]


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
    power: Annotated[str | None, typer.Option("--power", help="Power points left: 5-4.")] = None,
    faction: Annotated[str | None, typer.Option("--faction", help="Cards of the BOSS's faction: 20-22.")] = None,
    discard: Annotated[str | None, typer.Option("--discard", help="Cards in the discard pile: 3-9.")] = None,
    flip: Annotated[
        list[str] | None, typer.Option("--flip", help="Numbers of the cards discarded: 14-14, 8-none; repeated.")
    ] = None,
    cards: Annotated[
        Path | None,
        typer.Option("--cards", help="Card data: the faction is counted in the registered lists."),
    ] = None,
    rock_paper_scissors: Annotated[
        str | None, typer.Option("--rps", help="Who won rock-paper-scissors: a or b.")
    ] = None,
) -> None:
    """Elimination: decide a game that time ended, by what its players counted."""
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
    assert isinstance(fact, ResultReported) and fact.slip.tiebreak is not None  # noqa: S101, PT018 - nothing else comes of it
    winner, step = decide(fact.slip.tiebreak)
    players = fact.players
    name = session.record.players[players[winner]].name
    typer.echo(f"Table {table}: {name} wins by tiebreaker {step} (entry {entries[0].position}).")


@reading
def bracket(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    division: Annotated[str | None, typer.Option("--division", help="One of several brackets.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the bracket of the elimination stage, or those of all divisions."""
    record = moment.record
    if as_json:
        typer.echo(json.dumps(bracket_asked(record, division), ensure_ascii=False))
        return
    by_hand = not drawn_brackets(record) and record.rounds("elimination") and division is None
    for line in _as_paired(record) if by_hand else _brackets(record, brackets(record, division)):
        typer.echo(line)


def _brackets(record: Record, drawn: list[Bracket]) -> Iterator[str]:
    """One bracket after the other."""
    width = shutil.get_terminal_size((_NARROW, 24)).columns
    for place, found in enumerate(drawn):
        if found.division is not None:
            yield from ("", found.division) if place else (found.division,)
        yield from draw_bracket(record, found, width)


def _as_paired(record: Record) -> Iterator[str]:
    """An elimination stage that a hand paired, or that was imported, round by round."""
    for round_ in record.rounds("elimination"):
        yield f"Elimination round {round_.number}, as it was paired by hand"
        yield from pairings_table(record, round_)


@reading
def places(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    as_json: JsonOption = False,
) -> None:
    """Show the final places, and which rule placed whom."""
    record = moment.record
    if as_json:
        typer.echo(json.dumps(places_asked(record), ensure_ascii=False))
        return
    by_division = places_by_division(record)
    found = [place for _, inside in by_division for place in inside]
    title = record.opening.name if record.opening is not None else ""
    typer.echo(f"{title}, {record.rulebook.id}, entry {moment.position}")
    for number, (division, inside) in enumerate(by_division):
        if division is not None:
            typer.echo(f"{chr(10) if number else ''}{division or 'no division'}")
        rows = [[_place(place), record.players[place.player].name, place.why, place.rule] for place in inside]
        for line in columns(["", "Player", "", "Rule"], rows, right=[0]):
            typer.echo(line)
    if any(not place.decided for place in found):
        typer.echo("? not decided yet.")


def _place(place: Place) -> str:
    if place.first is None:
        return "-"
    shared = f"{place.first}-{place.last}" if place.first != place.last else str(place.first)
    return shared if place.decided else f"{shared}?"


COMMANDS: dict[str, Callable[..., Any]] = {
    "structure": structure,
    "time-tiebreak": time_tiebreak,
    "bracket": bracket,
    "places": places,
}
TOLD: dict[str, Told] = {"announce": _announced, "cut": _cut, "replace": _replaced}
