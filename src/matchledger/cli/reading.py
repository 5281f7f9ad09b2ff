"""Commands that show what the log says."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import typer

from matchledger.cli.files import other_rulebook
from matchledger.cli.options import JsonOption
from matchledger.cli.session import Moment, Session, reading, window_of
from matchledger.cli.standings_text import standings_table
from matchledger.cli.tables import columns
from matchledger.commands.refusal import counted
from matchledger.documents.document import PRIVATE
from matchledger.documents.tables import players_document
from matchledger.questions.standings import divisions_shown
from matchledger.questions.standings import standings as standings_asked
from matchledger_projections.narration import tell
from matchledger_projections.record.roster import Status
from matchledger_projections.record.two_clocks import about_rounds
from matchledger_projections.standings.standings import standings as rank


@reading
def standings(
    session: Session,
    moment: Moment,
    rulebook: Annotated[
        str | None, typer.Option("--rulebook", "-b", help="Rank under another rulebook: hypothetical.")
    ] = None,
    division: Annotated[
        str | None, typer.Option("--division", help="One division, its places counted in it; all for each in turn.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the standings after the last finished round, or at any moment."""
    record, other_law = moment.record, other_rulebook(rulebook)
    if as_json:
        document = standings_asked(window_of(session, moment), other_law, division)
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    law = other_law or record.rulebook
    table = rank(record, moment.round, law)
    shown = divisions_shown(moment, law, division)
    title = record.opening.name if record.opening is not None else ""
    typer.echo(f"{title}, {law.id}")
    typer.echo(f"Standings after round {table.round}, {moment.clock.replace('-', ' ')}, entry {moment.position}")
    if rulebook is not None:
        typer.echo(f"HYPOTHETICAL: the tournament was played under {record.rulebook.id}.")
    round_ = record.round(table.round)
    if round_ is not None and round_.outstanding:
        typer.echo(f"PROVISIONAL: no result from tables {', '.join(map(str, round_.outstanding))}.")
    for line in standings_table(record, table, law) if not shown else ():
        typer.echo(line)
    for place, found in enumerate(shown):
        after = "" if found.round == table.round else f", after round {found.round}"
        typer.echo(f"{'' if place == 0 else chr(10)}{found.division or 'no division'}{after}")
        for line in standings_table(record, found.table, law, found.rows):
            typer.echo(line)
    if any(row.tied for found in shown for row in found.rows) or (table.ties and not shown):
        typer.echo("= level: awaits a recorded draw (matchledger tie).")


@reading
def players(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    as_json: JsonOption = False,
) -> None:
    """Show who is in, and who was, with their numbers."""
    record = moment.record
    if as_json:
        typer.echo(json.dumps(players_document(record), ensure_ascii=False))
        return
    entered = record.entered()
    active = sum(record.status(player.number) == "active" for player in entered)
    title = record.opening.name if record.opening is not None else ""
    typer.echo(f"{title}: {counted(active, 'player')} in, {len(entered) - active} out, entry {moment.position}")
    rows = [
        [f"#{player.number}", player.name, _unless_active(record.status(player.number)), player.division or ""]
        for player in entered
    ]
    divided = any(player.division for player in entered)
    for line in columns(["", "Player", "", "Division" if divided else ""], rows, right=[0]) if rows else ():
        typer.echo(line)


def _unless_active(status: Status) -> str:
    return "" if status == "active" else status


@reading
def log(
    session: Session,
    moment: Moment,
    as_json: Annotated[bool, typer.Option("--json", help="One entry per line, as JSON.")] = False,
) -> None:
    """Show the log: every entry, who made it, when, and whether it still counts."""
    entries = session.ledger.entries(session.tournament, through=moment.position)
    if moment.through is not None:
        entries = iter(about_rounds(entries, moment.through))
    if as_json:
        for entry in entries:
            typer.echo(entry.model_dump_json(exclude=PRIVATE))
        return
    record = moment.record
    rows = [
        [
            str(entry.position),
            entry.recorded_at.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
            f"{entry.actor} ({entry.role}, {entry.station})",
            tell(record, entry.fact) + (f"; {entry.reason}" if entry.reason else ""),
            "no longer counts" if record.is_dead(entry.position) else "",
        ]
        for entry in entries
    ]
    for line in columns(["", "recorded", "by", "what", ""], rows, right=[0]):
        typer.echo(line)


COMMANDS: dict[str, Callable[..., None]] = {
    "standings": standings,
    "players": players,
    "log": log,
}
