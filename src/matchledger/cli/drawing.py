"""Commands that draw SVG pictures on stdout or into a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from matchledger import drawings
from matchledger.cli.files import give
from matchledger.cli.options import EliminationOption, JsonOption, OutputOption, PlayerArgument, stage_asked
from matchledger.cli.session import Moment, Session, UsageProblem, reading, window_of
from matchledger.service.window import look
from matchledger_projections.document import Document
from matchledger_projections.views.charts import course
from matchledger_projections.views.charts import field as field_of
from matchledger_projections.views.charts import pace as pace_of
from matchledger_projections.views.stages import drawn_bracket, the_bracket

HELP = "Pictures as SVG: the bracket, and charts."

DivisionOption = Annotated[str | None, typer.Option("--division", help="The division whose bracket to draw.")]


def _give(document: Document, draw: Callable[[Document], str], out: Path | None, *, as_json: bool) -> None:
    """Write the picture of a document, or the document itself, to stdout or to a file."""
    text = json.dumps(document, ensure_ascii=False) if as_json else draw(document).removesuffix("\n")
    give([text], out)


@reading
def bracket(
    session: Session,
    moment: Moment,
    division: DivisionOption = None,
    out: OutputOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the bracket of the elimination stage."""
    window = window_of(session, moment)
    drawn = drawn_bracket(moment.record, the_bracket(moment.record, division))
    _give(window.document(drawn), drawings.bracket, out, as_json=as_json)


@reading
def rank(
    session: Session,
    moment: Moment,
    player: PlayerArgument,
    out: OutputOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a player's rank after each round."""
    number = session.player(player)
    if number not in moment.record.players:
        raise UsageProblem(f"{player} was not in the tournament at that moment")
    window = window_of(session, moment)
    _give(window.document(look(window, course, player=number)), drawings.rank_over_rounds, out, as_json=as_json)


@reading
def field(
    session: Session,
    moment: Moment,
    out: OutputOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw how many players had how many points after each round."""
    window = window_of(session, moment)
    _give(window.document(look(window, field_of)), drawings.points_of_the_field, out, as_json=as_json)


@reading
def pace(
    session: Session,
    moment: Moment,
    elimination: EliminationOption = False,
    out: OutputOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw how the slips of a round came in over its clock."""
    window = window_of(session, moment)
    found = look(window, pace_of, stage=stage_asked(moment, elimination=elimination))
    _give(window.document(found), drawings.slips_over_the_clock, out, as_json=as_json)


COMMANDS: dict[str, Callable[..., None]] = {"bracket": bracket, "rank": rank, "field": field, "pace": pace}
