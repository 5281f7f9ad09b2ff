"""Commands about decks: checks against the rules, beside the commands about deck lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli import decklists
from matchledger.cli.codes import CheckFailed
from matchledger.cli.decklists import VERDICTS, read_list
from matchledger.cli.files import in_file, read_file
from matchledger.cli.recording import command_of
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.tables import columns
from matchledger.commands.deck_checks import CheckDecks, decks_named
from matchledger.commands.decklists import need_registered
from matchledger.formats.card_data import read_card_data, unused_columns
from matchledger.formats.text import listed
from matchledger_projections.decks.deck import PARTS
from matchledger_projections.decks.findings import Finding
from matchledger_projections.decks.registered import FORMATS
from matchledger_projections.decks.sleeves import SEEN
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import TIERS

app = typer.Typer(help="Deck lists: hand in, amend, check, show.", rich_markup_mode=None)


@writing
def check(
    session: Session,
    players: Annotated[
        list[str] | None, typer.Argument(help="The players whose decks to check; by default all players.")
    ] = None,
    cards: Annotated[Path | None, typer.Option("--cards", help="Card data: CSV or JSON.")] = None,
    round_: Annotated[int | None, typer.Option("--round", "-r", min=1, help="The round of the check.")] = None,
    in_use: Annotated[
        Path | None,
        typer.Option("--in-use", help="A file with the deck in play, to compare with the registered list."),
    ] = None,
    first_five: Annotated[
        Path | None, typer.Option("--first-five", help="A file with the player's First Five (Ashes).")
    ] = None,
    sleeves: Annotated[
        str | None, typer.Option("--sleeves", help=f"What you saw, with commas: {listed(SEEN)}.")
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help=f"Replaces the tournament's value: {listed(FORMATS)}.")
    ] = None,
    tier: Annotated[
        str | None, typer.Option("--tier", help=f"Replaces the tournament's value: {listed(TIERS)}.")
    ] = None,
    region: Annotated[
        str | None,
        typer.Option(
            "--region",
            help="The event's region, if not north-america: card dates are then the organizer's to check.",
        ),
    ] = None,
    day: Annotated[str | None, typer.Option("--date", help="Day of the event, such as 2018-10-29.")] = None,
    minimum: Annotated[
        list[str] | None, typer.Option("--minimum", help="Smallest size of a part, such as dynasty=40.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the findings; record nothing.")] = False,
) -> None:
    """Check decks against the rules. Each rule makes one entry; the exit code is 1 if a rule is broken."""
    fields = {
        "round": round_,
        "in_use": None if in_use is None else read_list(in_use),
        "first_five": None if first_five is None else read_list(first_five),
        "sleeves": None if sleeves is None else [word.strip() for word in sleeves.split(",") if word.strip()],
        "format": format_,
        "tier": tier,
        "region": region,
        "day": day,
        "minimum": dict(map(_minimum, minimum or ())),
        "cards": None if cards is None else card_data(cards),
    }
    named = decks_named(session.record, [session.player(name) for name in players or ()])
    commands = [command_of(session, CheckDecks, fields | {"players": (player,)}) for player in named]
    broken = False
    for part, command in enumerate(commands):
        assert isinstance(command, CheckDecks)  # noqa: S101 - these fields belong to CheckDecks
        look = command.look(session.record)
        if look.is_of_one and len(named) != 1:
            raise UsageProblem("--in-use, --first-five and --sleeves are about one deck: name its player")
        findings = look.findings(need_registered(session.record, named[part]))
        if not dry_run:
            (session.part(part) if len(named) > 1 else session).execute(command)
        _say_findings(session.record, named[part], findings)
        broken |= any(finding.ok is False for finding in findings)
    if broken:
        raise CheckFailed


def _say_findings(record: Record, player: int, findings: Iterable[Finding]) -> None:
    typer.echo(record.players[player].name)
    rows = [["", VERDICTS[finding.ok], finding.rule, finding.what] for finding in findings]
    for line in columns(["", "", "rule", "found"], rows):
        typer.echo(line)


def _minimum(text: str) -> tuple[str, int]:
    part, _, number = text.partition("=")
    if part not in PARTS or not (number.isascii() and number.isdigit() and len(number) <= 4):  # noqa: PLR2004 - 9999 is enough
        raise UsageProblem(f"{text!r} is not a size such as dynasty=40")
    return part, int(number)


def card_data(path: Path) -> str:
    """The text of a card data file, with a note for each unread column."""
    data = read_file(path)
    with in_file(path):
        found = read_card_data(data)
    if found.unused:
        typer.echo(f"{path}: columns that are not read: {unused_columns(found.unused)}", err=True)
    return data.decode("utf-8")


COMMANDS: dict[str, Callable[..., None]] = {**decklists.COMMANDS, "check": check}
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)
