"""Commands about decks: hand in, amend and show lists, and check them against the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.codes import CheckFailed
from matchledger.cli.files import in_file, read_file
from matchledger.cli.options import JsonOption, PlayerArgument
from matchledger.cli.recording import command_of
from matchledger.cli.session import Moment, Session, UsageProblem, find_player, reading, window_of, writing
from matchledger.cli.tables import columns
from matchledger.commands.deck_checks import CheckDecks, decks_named
from matchledger.commands.decklists import AmendDeck, SubmitDeck, need_registered
from matchledger.formats.card_data import read_card_data, unused_columns
from matchledger.formats.decklist import list_text, read_decklist
from matchledger.formats.text import decode, listed
from matchledger.service.window import look
from matchledger_projections.decks.deck import PARTS
from matchledger_projections.decks.findings import Finding
from matchledger_projections.decks.registered import FORMATS, Registered, registered
from matchledger_projections.decks.sleeves import SEEN
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import TIERS
from matchledger_projections.views.desk import deck as deck_page

HELP = "Deck lists: hand in, amend, check, show."


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
        str | None, typer.Option("--format", help=f"A deck format other than the tournament's: {listed(FORMATS)}.")
    ] = None,
    tier: Annotated[
        str | None, typer.Option("--tier", help=f"A tier other than the tournament's: {listed(TIERS)}.")
    ] = None,
    region: Annotated[
        str | None,
        typer.Option(
            "--region",
            help="The event's region; outside north-america, the organizer checks the dates of cards.",
        ),
    ] = None,
    day: Annotated[str | None, typer.Option("--date", help="Day of the event, such as 2018-10-29.")] = None,
    minimum: Annotated[
        list[str] | None, typer.Option("--minimum", help="Smallest size of a part, such as dynasty=40.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the findings; record nothing.")] = False,
) -> None:
    """Check decks against the rules, and record one entry for each rule. The exit code is 1 if a deck breaks a
    rule.
    """
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
    for player, command, part in zip(named, commands, session.parts(len(named)), strict=True):
        assert isinstance(command, CheckDecks)  # noqa: S101 - these fields belong to CheckDecks
        look = command.look(session.record)
        if look.is_of_one and len(named) != 1:
            raise UsageProblem("--in-use, --first-five and --sleeves are about one deck: name its player")
        findings = look.findings(need_registered(session.record, player))
        if not dry_run:
            part.execute(command)
        _say_findings(session.record, player, findings)
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
    """Return the text of a card data file, and print a note for each column that is not used."""
    data = read_file(path)
    with in_file(path):
        found = read_card_data(data)
    if found.unused:
        typer.echo(f"{path}: columns that are not read: {unused_columns(found.unused)}", err=True)
    return data.decode("utf-8")


VERDICTS = {True: "ok", False: "FAILS", None: "open"}
ListArgument = Annotated[Path, typer.Argument(help="The list: text under headings such as [dynasty], or CSV.")]


@writing
def submit(
    session: Session,
    player: PlayerArgument,
    file: ListArgument,
    late: Annotated[
        bool, typer.Option("--late", help="Accept the list after round 1 began; needs a --reason.")
    ] = False,
) -> None:
    """Accept a player's deck list."""
    command = SubmitDeck(player=session.player(player), deck=read_list(file), late=late)
    _say_recorded(session.record, command.player, session.execute(command).entries[-1].position)


@writing
def amend(
    session: Session,
    player: PlayerArgument,
    file: ListArgument,
    advantageous: Annotated[
        bool, typer.Option("--advantageous", help="The change is significant and may be to the player's advantage.")
    ] = False,
) -> None:
    """As a leader, amend a list to match the deck in use; the log keeps the earlier list."""
    command = AmendDeck(player=session.player(player), deck=read_list(file), advantageous=advantageous)
    _say_recorded(session.record, command.player, session.execute(command).entries[-1].position)


def _say_recorded(record: Record, player: int, position: int) -> None:
    current = need_registered(record, player)
    cards = sum(card.count for card in current.deck.cards)
    typer.echo(f"{record.players[player].name}: a list of {cards} (entry {position}), SHA-256 {current.sha256}")


def read_list(path: Path) -> str:
    """Return the text of a deck list's file."""
    data = read_file(path)
    with in_file(path):
        read_decklist(data)
        return decode(data)


@reading
def show(
    session: Session,
    moment: Moment,
    player: PlayerArgument,
    cards: Annotated[
        bool, typer.Option("--cards", help="The list itself and the findings of its checks, for the staff.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the hashes, amendments and checks of a deck; with --cards, the list too."""
    record = moment.record
    found = find_player(record, player)
    current = registered(record, found.number)
    window = window_of(session, moment)
    page = look(window, deck_page, player=found.number, cards=cards)
    if as_json:
        document = window.document(page)
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    if current is None:
        typer.echo(f"{found.name} has handed in no list.")
    else:
        _say_list(found.name, current, cards=cards)
    rows = [
        [
            str(line.entry),
            VERDICTS[line.ok],
            line.rule,
            f"round {line.round}" if line.round else "",
            line.found or "",
        ]
        for line in page.checks
    ]
    for text in columns(["", "", "rule", "", ""], rows, right=[0]) if rows else ():
        typer.echo(text)


def _say_list(name: str, current: Registered, *, cards: bool) -> None:
    typer.echo(f"{name}: list of entry {current.position}, SHA-256 {current.sha256}")
    for position, fact in current.amendments:
        marked = ", marked as advantageous" if fact.advantageous else ""
        typer.echo(f"amended in entry {position} by {fact.leader}{marked}")
        change = fact.difference if cards else None
        for sign, lines in (("-", change.removed), ("+", change.added)) if change else ():
            for card in lines:
                typer.echo(f"  {sign}{card.count} {card.name} ({card.part})")
    if cards and not current.readable:
        typer.echo("The list was erased, or its key is not here.")
    elif cards:
        for line in list_text(current.deck):
            typer.echo(line)


COMMANDS: dict[str, Callable[..., None]] = {"submit": submit, "amend": amend, "show": show, "check": check}
