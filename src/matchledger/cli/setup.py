"""Commands that begin and end a tournament, and register its players."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated
from uuid import UUID, uuid4

import typer

from matchledger.cli.files import read_file, read_rulebook
from matchledger.cli.options import LedgerOption, NamesInClearOption
from matchledger.cli.recording import Printer, command_of
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.terminal import agreed
from matchledger.cli.ways import problem_here
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal, counted
from matchledger.commands.registration import RegisterPlayer, RegisterRoster, ended_in, enrol, left_out
from matchledger.events import PlayerRegistered
from matchledger.formats.roster_file import read_roster
from matchledger.formats.text import FormatError
from matchledger.ledger import Clerk, Draft, Ledger, open_ledger
from matchledger.ledger.keyring import KeyRingError
from matchledger.ledger.location import is_given_up, short_id
from matchledger.notation.player_lookup import person_named
from matchledger.service.opening import of_the_same_name
from matchledger_projections.decks.registered import lacking_list
from matchledger_projections.divisions.grouping import division_by_birth
from matchledger_projections.message import joined
from matchledger_projections.record import chance
from matchledger_projections.record.record import Record
from matchledger_projections.standings.crosstable import ranks_below

SECRET_BYTES = 32
BornOption = Annotated[int | None, typer.Option("--born", help="Year of birth.")]
DivisionOption = Annotated[str | None, typer.Option("--division", help="Division, such as junior.")]


def open_(
    name: Annotated[str, typer.Argument(help="The name of the tournament.")],
    rulebook: Annotated[
        str, typer.Option("--rulebook", "-b", help="Id of a rulebook, as rulebook lists them, or a .toml file.")
    ],
    ledger: LedgerOption,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy", "-p", help="A policy with another value than its default, such as POL-ALL-REPAIR=never."
        ),
    ] = None,
    division_from: Annotated[
        list[str] | None,
        typer.Option(
            "--division-from",
            help="A division and its first year of birth, such as junior=1999; the oldest division needs none.",
        ),
    ] = None,
    names_in_clear: NamesInClearOption = False,
    actor: Annotated[str, typer.Option("--actor", envvar="MATCHLEDGER_ACTOR")] = "organizer",
    station: Annotated[str, typer.Option("--station", envvar="MATCHLEDGER_STATION")] = "desk",
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Open a tournament; this makes the ledger if it does not exist."""
    policies = dict(_policy(text) for text in policy or ())
    years = dict(_first_year(text) for text in division_from or ())
    secret = secrets.token_bytes(SECRET_BYTES)
    law = read_rulebook(rulebook)
    draft = Draft(uuid4(), clerk=Clerk(actor, "organizer", station))
    draft.decide(
        lambda record: opening.open_tournament(
            record,
            name=name,
            law=law,
            policies=policies,
            secret=secret,
            division_years=years,
            sealed=not names_in_clear,
            derivation=chance.DERIVATION,
        )
    )
    with open_ledger(ledger, create=True) as kept:
        if not _may_be_second(kept, name, yes=yes):
            return
        kept.keep(draft, secret=secret)
        keys = None if names_in_clear else kept.ring.path
        first_keys = _first_keys(kept, draft.tournament)
    typer.echo(f"{name} is open under {rulebook}. Next: register players.")
    if first_keys is not None:
        typer.echo(f"note: {first_keys}", err=True)
    elif keys is not None:
        typer.echo(f"The keys to the players' names go into {keys}: it belongs to the ledger, copy both together.")


def _first_keys(ledger: Ledger, tournament: UUID) -> str | None:
    """Say what to do if the names of other tournaments were encrypted with keys that are missing here (C-D7)."""
    try:
        ledger.need_key_file(tournament)
    except KeyRingError as problem:
        return problem_here(problem)
    return None


def _may_be_second(kept: Ledger, name: str, *, yes: bool) -> bool:
    """Ask on a terminal whether to open a second tournament, and note one with the same name (C-D8)."""
    if same := of_the_same_name(kept, name):
        ids = ", ".join(map(short_id, same))
        way = "name each by its id, and close one that you opened by mistake"
        typer.echo(f"note: {name} is open in this ledger already ({ids}): {way}", err=True)
        question = "Open a second tournament of this name?"
    elif others := [record.name for one, record in kept.records() if not is_given_up(kept, one)]:
        question = f"This ledger holds {', '.join(map(repr, others[:3]))}. Open another tournament in it?"
    else:
        return True
    return yes or not sys.stdin.isatty() or agreed(question)


def _policy(text: str) -> tuple[str, str]:
    flag, equals, value = text.partition("=")
    if not equals or not value:
        raise UsageProblem(f"{text!r} is not a policy: write POL-...=value")
    return flag, value


def _first_year(text: str) -> tuple[str, int]:
    division, equals, year = text.partition("=")
    if not equals or not (year.isdecimal() and len(year) == 4):  # noqa: PLR2004 - a year has four digits
        raise UsageProblem(f"{text!r} is not a division and a year: write junior=1999")
    return division, int(year)


@writing
def register(
    session: Session,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME", help="The player's name, in quotes if it has spaces.")
    ] = None,
    roster_file: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help=(
                "A roster with the column 'name'; 'born', 'division', 'contact', 'byes' and other columns may "
                "follow."
            ),
        ),
    ] = None,
    born: BornOption = None,
    division: DivisionOption = None,
    byes: Annotated[
        int, typer.Option("--byes", help="Number of first rounds with an awarded bye.", min=0, max=99)
    ] = 0,
    skip_registered: Annotated[
        bool,
        typer.Option("--skip-registered", help="With --csv: leave out players who are registered already."),
    ] = False,
) -> None:
    """Register one player, or a whole roster."""
    if bool(names) == (roster_file is not None):
        raise UsageProblem("name a player, or give a roster with --csv")
    if roster_file is not None:
        facts = _register_all(session, roster_file, skip_registered=skip_registered)
        elsewhere = sum(bool(fact.deviations) for fact in facts)
        apart = f", {elsewhere} in another division than the year of birth gives" if elsewhere else ""
        typer.echo(f"{counted(len(facts), 'player')} registered{apart}.")
        return
    command = command_of(
        session,
        RegisterPlayer,
        {"name": _one_name(names or []), "born": born, "division": division, "late": False, "byes": byes},
    )
    entries = session.execute(command).entries
    person = person_named(name=names[0] if names else None)
    entered = session.record.named(person.name)
    where = f" in {entered.division}" if entered is not None and entered.division else ""
    typer.echo(f"{person.name} is registered{where} (entry {entries[-1].position}).")


def _one_name(names: Sequence[str]) -> str:
    """Return the name on a command line that gives exactly one name. Refuse two words, and the name of a file."""
    if len(names) > 1:
        raise UsageProblem(f'one player at a time, and a name with spaces in quotes: register "{" ".join(names)}"')
    if names[0].casefold().endswith(".csv"):
        raise UsageProblem(f"{names[0]} is a roster, not a player: register --csv {names[0]}")
    return names[0]


def _register_all(session: Session, path: Path, *, skip_registered: bool) -> list[PlayerRegistered]:
    """Register all players of a roster, or none. With a reason, a division in the roster may differ from the
    division by year of birth.
    """
    try:
        lines = list(read_roster(read_file(path)))
    except FormatError as problem:
        raise UsageProblem(f"{path}{',' if problem.line else ':'} {problem}; no player was registered") from None

    command = RegisterRoster.of_lines(lines, skip_registered=skip_registered, deviating=session.reason is not None)
    try:
        before = session.record.position
        facts = [entry.fact for entry in session.execute(command).entries]
        if skip_registered:
            found, _ = enrol(session.ledger.record_as_of(session.tournament, before), lines, skip_registered=True)
            for line in ended_in(found):
                typer.echo(f"note: line {line.line}: {left_out(line)}", err=True)
        return [fact for fact in facts if isinstance(fact, PlayerRegistered)]
    except (UsageProblem, Refusal) as problem:
        if str(problem).startswith("line "):
            raise UsageProblem(joined((f"{path}, ", problem.args[0]), "")) from None
        raise


@writing
def late(
    session: Session,
    name: Annotated[str, typer.Argument(help="The player's name.")],
    rounds_started: Annotated[
        int | None, typer.Option("--losses", help="Rounds to charge as losses, if the organizer decides so.")
    ] = None,
    born: BornOption = None,
    division: DivisionOption = None,
) -> None:
    """Register a late player, after round 1 has begun."""
    given = {"name": name, "rounds_started": rounds_started, "born": born, "division": division, "late": True}
    session.execute(command_of(session, RegisterPlayer, given))
    person = person_named(name=name)
    arrived = session.record.named(person.name)
    losses = arrived.losses if arrived is not None else None
    charged = f", charged with {counted(len(losses), 'loss', 'losses')}" if losses else ""
    typer.echo(
        f"{person.name} is in{charged}"
        f"{', and ranks below players on time' if ranks_below(session.record.rulebook, losses) else ''}."
    )
    if arrived is not None:
        if division is None and born is not None and arrived.division != division_by_birth(session.record, born):
            typer.echo(f"{person.name} plays in {arrived.division}.")
        for line in _seat_of(session.record, arrived.number, person.name):
            typer.echo(line)
    joined = next(
        (fact for fact in session.record.flights_joined if arrived and fact.player == arrived.number), None
    )
    if joined is not None:
        typer.echo(f"{person.name} plays in flight {joined.flight}.")


def _seat_of(record: Record, player: int, name: str) -> Iterator[str]:
    """Describe a late player's seat in the posted round, and say whether the deck list is missing."""
    latest = record.latest_round()
    table = None if latest is None else latest.table_of(player)
    if latest is not None and table is not None:
        [opponent] = {*latest.tables[table]} - {player}
        yield f"{name} plays at table {table} against {record.players[opponent].name}."
    elif latest is not None and player in latest.players:
        yield f"{name} has the bye of round {latest.number}."
    if lacking_list(record, [player]):
        yield f"{name} has not handed in a deck list."


def _closed(session: Session, _: object, __: object) -> None:
    typer.echo(f"The tournament is closed. Tree head {session.ledger.head(session.tournament)}")


PRINTERS: dict[str, Printer] = {"close": _closed}
