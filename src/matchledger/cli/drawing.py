"""Commands that draw: pictures as SVG, on stdout or into a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from matchledger import drawings
from matchledger.cli.files import write_file
from matchledger.cli.options import JsonOption, PlayerArgument, stage_of
from matchledger.cli.session import Moment, Session, UsageProblem, reading, window_of
from matchledger.documents.charts import field_document
from matchledger.documents.document import Document
from matchledger.documents.stages import bracket_document
from matchledger.questions.places import course
from matchledger.questions.rounds import pace as pace_asked
from matchledger.questions.stages import the_bracket

app = typer.Typer(help="Pictures as SVG: the bracket, and charts.", rich_markup_mode=None)

OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", help="The file to write; stdout, if left out.", show_default=False)
]


DivisionOption = Annotated[str | None, typer.Option("--division", help="One of several brackets.")]


def _give(document: Document, draw: Callable[[Document], str], out: Path | None, *, as_json: bool) -> None:
    """The picture of a document, or the document itself, to where it was asked for."""
    text = f"{json.dumps(document, ensure_ascii=False)}\n" if as_json else draw(document)
    if out is None:
        typer.echo(text, nl=False)
        return
    write_file(out, text.encode("utf-8", "replace"))
    typer.echo(f"{out} is written.")


@reading
def bracket(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    division: DivisionOption = None,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the bracket of the elimination stage."""
    drawn = the_bracket(moment.record, division)
    _give(bracket_document(moment.record, drawn), drawings.bracket, out, as_json=as_json)


@reading
def rank(
    session: Session,
    moment: Moment,
    player: PlayerArgument,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a player's rank after each round."""
    number = session.player(player)
    if number not in moment.record.players:
        raise UsageProblem(f"{player} was not in the tournament at that moment")
    document = course(window_of(session, moment), number)
    _give(document, drawings.rank_over_rounds, out, as_json=as_json)


@reading
def field(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw how many players had how many points after each round."""
    document = field_document(moment.record, through=moment.round)
    _give(document, drawings.points_of_the_field, out, as_json=as_json)


@reading
def pace(
    session: Session,
    moment: Moment,
    elimination: Annotated[bool, typer.Option("--elimination", help="The elimination stage.")] = False,
    out: OutOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw how the slips of a round came in over its clock."""
    document = pace_asked(window_of(session, moment), stage_of(elimination=elimination))
    _give(document, drawings.slips_over_the_clock, out, as_json=as_json)


COMMANDS: dict[str, Callable[..., None]] = {"bracket": bracket, "rank": rank, "field": field, "pace": pace}
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)
