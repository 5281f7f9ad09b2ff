"""Commands that print PDF sheets for the wall, for the tables and for emergencies."""

from __future__ import annotations

import functools
import inspect
import json
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import typer
from msgspec import Struct
from msgspec.structs import replace

from matchledger.cli.drawing import DivisionOption
from matchledger.cli.files import need_own_sheet, write_file
from matchledger.cli.options import OUT, EliminationOption, stage_asked
from matchledger.cli.session import Moment, Session, find_player, reading, window_of
from matchledger.commands.draft import now
from matchledger.events import Stage
from matchledger.notation.problems import UsageProblem
from matchledger.service.logo import printed_logo
from matchledger.service.readings import posting
from matchledger.service.readings import slips as slips_of
from matchledger.service.redaction import Discretion
from matchledger.service.window import Window, look
from matchledger.text.labels import objection_line
from matchledger_projections.pairing.check import standings_changed
from matchledger_projections.record.record import Record
from matchledger_projections.views.overview import overview as overview_of
from matchledger_projections.views.score_card import score_cards_page
from matchledger_projections.views.sheets import blank as blank_of
from matchledger_projections.views.sheets import pairing_list, player_list
from matchledger_projections.views.stages import drawn_bracket, the_bracket
from matchledger_projections.views.stages import places as places_of

HELP = "Sheets as PDF: players, pairings, slips, standings, the bracket, cards."

PaperName = Literal["a4", "letter"]
ListOrder = Literal["name", "table"]


def _press_room() -> ModuleType:
    """Import and return the typesetter, which comes with an extra and is needed only for printing."""
    try:
        return import_module("matchledger.printing")
    except ModuleNotFoundError as missing:
        raise UsageProblem(f"printing needs {missing.name}: pip install 'matchledger[print]'") from None


class Job(Struct, frozen=True):
    """The options that every sheet has."""

    out: Path | None
    paper: PaperName
    language: str
    initials: tuple[str, ...]
    fonts: tuple[Path, ...]
    as_json: bool

    def public(self, record: Record) -> Record:
        """Return the record, with initials instead of the names that --initials chooses."""
        return Discretion.about(self.initials).record(record) if self.initials else record

    def window(self, session: Session, moment: Moment) -> Window:
        """Return the tournament's view, with initials instead of the names that --initials chooses."""
        window = window_of(session, moment)
        return replace(window, record=self.public(window.record))

    def give(
        self, session: Session, moment: Moment, composition: str, view: object, name: str, **more: int
    ) -> None:
        """Print a view with the named composition of `matchledger.printing`, or show the view's document as JSON.

        The sheet prints the tree head of the log up to the document's position.
        """
        document = self.window(session, moment).document(view)
        if self.as_json:
            typer.echo(json.dumps(document, ensure_ascii=False))
            return
        room = _press_room()
        record = self.public(moment.record)
        setting = room.Setting(
            printed_at=now(),
            created=session.ledger.entry(session.tournament, document["position"]).recorded_at,
            head=str(session.ledger.head(session.tournament, document["position"])),
            paper=self.paper,
            language=self.language,
            logo=printed_logo(session.ledger, session.tournament),
            event=str(session.tournament),
        )
        try:
            made = room.print_sheets(
                getattr(room, composition),
                document,
                setting,
                players={player.name: player.number for player in record.players.values()},
                fonts=self.fonts,
                **more,
            )
        except room.PressMissing as missing:
            raise UsageProblem(str(missing)) from None
        event = "-".join(re.findall(r"\w+", session.record.name.casefold()))
        out = self.out or Path(f"{event[:40]}-{name}.pdf".lstrip("-"))
        need_own_sheet(out, session.tournament)
        write_file(out, made.pdf)
        for player, letters in made.missing.items():
            typer.echo(
                f"note: no font here has {letters}: {player} is printed with the number instead; "
                "install a font that has them, or name its folder with --fonts",
                err=True,
            )
        typer.echo(f"{out} is written.")


_OPTIONS: dict[str, tuple[Any, Any]] = {
    "out": (
        Annotated[
            Path | None,
            typer.Option(*OUT, help="The file to write; by default named after the sheet.", show_default=False),
        ],
        None,
    ),
    "paper": (Annotated[PaperName, typer.Option("--paper", envvar="MATCHLEDGER_PAPER", help="The paper.")], "a4"),
    "language": (
        Annotated[
            str,
            typer.Option("--language", envvar="MATCHLEDGER_LANGUAGE", help="The language of the sheet: en, de."),
        ],
        "en",
    ),
    "initials": (
        Annotated[
            list[str] | None,
            typer.Option(
                "--initials",
                help="Print the initials of a division's players, such as junior; all for every division.",
            ),
        ],
        None,
    ),
    "fonts": (
        Annotated[list[Path] | None, typer.Option("--fonts", help="A folder with more fonts.", show_default=False)],
        None,
    ),
    "as_json": (
        Annotated[bool, typer.Option("--json", help="The data of the sheet, as one JSON document.")],
        False,
    ),
}


def printing(command: Callable[..., None]) -> Callable[..., None]:
    """Add a Job to a command after its session and moment, with the options of every sheet."""
    session, moment, _, *own = inspect.signature(command, eval_str=True).parameters.values()
    options = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in _OPTIONS.items()
    ]

    @functools.wraps(command)
    def wrapped(session: Session, moment: Moment, **given: Any) -> None:
        asked = {name: given.pop(name) for name in _OPTIONS}
        asked |= {name: tuple(asked[name] or ()) for name in ("initials", "fonts")}
        command(session, moment, Job(**asked), **given)

    kept = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    wrapped.__signature__ = inspect.Signature([session, moment, *kept, *options])  # type: ignore[attr-defined] # read by reading
    return reading(wrapped)


UpOption = Annotated[int, typer.Option("--up", min=1, max=4, help="The number of slips on a sheet.")]


@printing
def players(session: Session, moment: Moment, job: Job) -> None:
    """Print the player list, with a box for each player at the check-in."""
    job.give(session, moment, "players", look(job.window(session, moment), player_list), "player-list")


@printing
def pairings(
    session: Session,
    moment: Moment,
    job: Job,
    by: Annotated[
        ListOrder,
        typer.Option("--by", help="Sort by name for the players, or by table for the staff."),
    ] = "name",
    elimination: EliminationOption = False,
) -> None:
    """Print who plays where."""
    stage = stage_asked(moment, elimination=elimination)
    found = look(job.window(session, moment), pairing_list, by=by, stage=stage)
    job.give(session, moment, "pairings", found, f"pairings-{_stage(stage)}{found.round}-by-{by}")


@printing
def slips(
    session: Session,
    moment: Moment,
    job: Job,
    tables: Annotated[list[int] | None, typer.Argument(help="Table numbers; by default all tables.")] = None,
    elimination: EliminationOption = False,
    up: UpOption = 4,
) -> None:
    """Print the slips of a round. If you cut the sheets as one stack, the slips are in table order."""
    stage = stage_asked(moment, elimination=elimination)
    found = look(job.window(session, moment), slips_of, table=tuple(tables or ()), stage=stage)
    job.give(session, moment, "slips", found, f"slips-{_stage(stage)}{found.round}", up=up)


def _stage(stage: Stage) -> str:
    return "elimination-" if stage == "elimination" else ""


@printing
def standings(session: Session, moment: Moment, job: Job) -> None:
    """Print standings exactly as posted, with the checkpoint that was signed for them."""
    found = look(job.window(session, moment), posting)
    job.give(session, moment, "standings", found, f"standings-{found.round}")
    for objection in standings_changed(moment.record, found.round + 1):
        typer.echo(f"note: {objection_line(moment.record, objection)}", err=True)


@printing
def bracket(session: Session, moment: Moment, job: Job, division: DivisionOption = None) -> None:
    """Print the bracket of the elimination stage."""
    drawn = the_bracket(moment.record, division)
    name = "bracket" if drawn.division is None else f"bracket-{drawn.division}"
    job.give(session, moment, "bracket", drawn_bracket(moment.record, drawn), name)


@printing
def places(session: Session, moment: Moment, job: Job) -> None:
    """Print the final places, the champion at the head."""
    job.give(session, moment, "places", look(job.window(session, moment), places_of), "places")


@printing
def scorecard(
    session: Session,
    moment: Moment,
    job: Job,
    players: Annotated[list[str] | None, typer.Argument(help="Names or #numbers; by default everybody.")] = None,
) -> None:
    """Print the score cards of some players, or of everybody."""
    numbers = tuple(find_player(moment.record, name).number for name in players or ())
    found = look(job.window(session, moment), score_cards_page, player=numbers)
    job.give(session, moment, "cards", found, "score-cards")


@printing
def overview(session: Session, moment: Moment, job: Job) -> None:
    """Print the tournament overview that the host sends in."""
    found = look(job.window(session, moment), overview_of)
    job.give(session, moment, "overview", found, "overview")


@printing
def blank(
    session: Session,
    moment: Moment,
    job: Job,
    tables: Annotated[
        int | None,
        typer.Option("--tables", min=1, max=5000, help="The number of tables; by default as many as needed."),
    ] = None,
) -> None:
    """Print the emergency set: instructions for going on without a computer, and the blank sheets for one round."""
    found = look(job.window(session, moment), blank_of, tables=tables)
    job.give(session, moment, "blank", found, "emergency-set")


COMMANDS: dict[str, Callable[..., None]] = {
    "players": players,
    "pairings": pairings,
    "slips": slips,
    "standings": standings,
    "bracket": bracket,
    "places": places,
    "scorecard": scorecard,
    "overview": overview,
    "blank": blank,
}
