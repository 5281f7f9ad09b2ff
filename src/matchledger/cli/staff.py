"""Commands about the staff: who leads the event, who is on duty, and who rules in the games of those who play."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption
from matchledger.cli.recording import recording
from matchledger.cli.session import Moment, Session, reading, writing
from matchledger.cli.tables import columns
from matchledger.commands.staff import AssignStaff, ChangeDuty, disorder
from matchledger.events import Duty
from matchledger.notation.player_lookup import find_leader, person_named
from matchledger.questions.staff import games_of_leaders
from matchledger.questions.staff import staff as staff_asked
from matchledger.service.execute import Done
from matchledger_projections.conduct.staff import (
    Leader,
    assignments,
    chief_marshals,
    responsible_leader,
)
from matchledger_projections.record.record import Record

app = typer.Typer(help="The staff: organizer, marshals and judges, and which of them play.", rich_markup_mode=None)
_OFF_DUTY = {"active": "", "spectator": "off duty", "left": "left"}

LeaderArgument = Annotated[str, typer.Argument(help="The leader's name.")]


def _assigned(_: Session, command: AssignStaff, done: Done) -> None:
    [entry] = done.entries
    typer.echo(f"{person_named(command.name).name} is {command.role} (entry {entry.position}).")


@writing
def leave(session: Session, name: LeaderArgument) -> None:
    """Note that somebody leads the event no longer."""
    _change(session, name, "left", "is on the staff no longer")


@writing
def rest(session: Session, name: LeaderArgument) -> None:
    """Note that a leader is off duty, and a spectator until `staff return`."""
    _change(session, name, "spectator", "is off duty, and a spectator")


@writing
def return_(session: Session, name: LeaderArgument) -> None:
    """Note that a leader is on duty again."""
    _change(session, name, "active", "is on duty again")


def _change(session: Session, name: str, duty: Duty, said: str) -> None:
    leader = find_leader(session.record, name)
    [entry] = session.execute(ChangeDuty(name=leader.name, duty=duty)).entries
    typer.echo(f"{leader.name} {said} (entry {entry.position}).")
    for problem in disorder(session.record):
        typer.echo(f"note: {problem}", err=True)


@reading
def list_(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    as_json: JsonOption = False,
) -> None:
    """Show the staff, and who rules in the games of leaders who play in the latest round."""
    record = moment.record
    if as_json:
        typer.echo(json.dumps(staff_asked(record), ensure_ascii=False))
        return
    found = assignments(record)
    if not found:
        typer.echo("Nobody is on the staff: staff add NAME organizer")
        return
    for line in columns(
        ["Entry", "Name", "Role", "", "", "", "Rule"], [_row(record, leader) for leader in found], [0]
    ):
        typer.echo(line)
    _say_final_rulings(record)
    if record.rulebook.staff is not None and record.rulebook.tier is not None:
        typer.echo(f"Tier: {record.rulebook.tier} ({record.rulebook.staff.tiers})")
    for table, players in games_of_leaders(record):
        names = " - ".join(record.players[player].name for player in players)
        ruling = responsible_leader(record, players)
        typer.echo(f"Table {table}, {names}: {'nobody can rule' if ruling is None else f'{ruling.name} rules'}")


def _say_final_rulings(record: Record) -> None:
    """Whose ruling is final, and the rule that makes it so: a marshal's, or the organizer's for want of one."""
    chiefs = chief_marshals(record)
    names = " or ".join(leader.name for leader in chiefs) or "nobody on duty"
    rules = record.rulebook.staff
    cited = f" ({rules.rule_of(chiefs[0].role)})" if rules is not None and chiefs else ""
    typer.echo(f"Final rulings: {names}{cited}")


def _row(record: Record, leader: Leader) -> list[str]:
    plays = "" if leader.player is None or not leader.plays else f"plays as {record.players[leader.player].name}"
    announced = "" if leader.announced else "after round 1"
    rule = "" if record.rulebook.staff is None else record.rulebook.staff.rule_of(leader.role)
    return [str(leader.position), leader.name, leader.role, announced, _OFF_DUTY[leader.duty], plays, rule]


COMMANDS: dict[str, Callable[..., None]] = {
    "add": recording("staff add", _assigned),
    "leave": leave,
    "rest": rest,
    "return": return_,
    "list": list_,
}
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)
