"""Commands about the staff: the leaders, who is on duty, and who rules in the games of leaders."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption
from matchledger.cli.recording import recording
from matchledger.cli.session import Moment, Session, reading, show, window_of, writing
from matchledger.cli.tables import columns
from matchledger.commands.staff import AssignStaff, ChangeDuty
from matchledger.events import Duty
from matchledger.notation.player_lookup import find_leader, person_named
from matchledger.service.execute import Done
from matchledger.service.window import look
from matchledger_projections.conduct.staff import chief_marshals
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import LeaderLine, StaffPage
from matchledger_projections.views.desk import staff as staff_page

HELP = "The staff: organizer, marshals and judges, and which of them play."
_OFF_DUTY = {"active": "", "spectator": "off duty", "left": "left"}

LeaderArgument = Annotated[str, typer.Argument(help="The leader's name.")]


def _assigned(_: Session, command: AssignStaff, done: Done) -> None:
    [entry] = done.entries
    typer.echo(f"{person_named(command.name).name} is {command.role} (entry {entry.position}).")


@writing
def leave(session: Session, name: LeaderArgument) -> None:
    """Record that a leader leaves the staff."""
    _change(session, name, "left", "is on the staff no longer")


@writing
def rest(session: Session, name: LeaderArgument) -> None:
    """Note that a leader is off duty and only watches, until `staff return`."""
    _change(session, name, "spectator", "is off duty, and a spectator")


@writing
def return_(session: Session, name: LeaderArgument) -> None:
    """Note that a leader is on duty again."""
    _change(session, name, "active", "is on duty again")


def _change(session: Session, name: str, duty: Duty, said: str) -> None:
    leader = find_leader(session.record, name)
    [entry] = session.execute(ChangeDuty(name=leader.name, duty=duty)).entries
    typer.echo(f"{leader.name} {said} (entry {entry.position}).")


@reading
def list_(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """Show the staff, and who rules in the games of leaders who play in the latest round."""
    window = window_of(session, moment)
    page = look(window, staff_page)
    show(window, page, _staff(window.record, page), as_json=as_json)


def _staff(record: Record, page: StaffPage) -> Iterator[str]:
    if not page.staff:
        yield "The staff list is empty: staff add NAME organizer"
        return
    yield from columns(
        ["Entry", "Name", "Role", "", "", "", "Rule"], [_row(record, line) for line in page.staff], [0]
    )
    yield _final_rulings(record)
    if record.rulebook.staff is not None and page.tier is not None:
        yield f"Tier: {page.tier} ({record.rulebook.staff.tiers})"
    for game in page.games:
        names = " - ".join(record.players[player].name for player in game.players)
        rules = "nobody can rule" if game.ruled_by is None else f"{game.ruled_by} rules"
        yield f"Table {game.table}, {names}: {rules}"


def _final_rulings(record: Record) -> str:
    """Say who gives final rulings, with the rule: a marshal, or without a marshal the organizer."""
    chiefs = chief_marshals(record)
    names = " or ".join(leader.name for leader in chiefs) or "nobody on duty"
    rules = record.rulebook.staff
    cited = f" ({rules.rule_of(chiefs[0].role)})" if rules is not None and chiefs else ""
    return f"Final rulings: {names}{cited}"


def _row(record: Record, line: LeaderLine) -> list[str]:
    plays = "" if line.player is None or not line.plays else f"plays as {record.players[line.player].name}"
    announced = "" if line.announced else "after round 1"
    return [str(line.entry), line.name, line.role, announced, _OFF_DUTY[line.duty], plays, line.rule or ""]


COMMANDS: dict[str, Callable[..., None]] = {
    "add": recording("staff add", _assigned),
    "leave": leave,
    "rest": rest,
    "return": return_,
    "list": list_,
}
