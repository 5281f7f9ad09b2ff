"""Commands that pair rounds and show who plays where."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import typer

from matchledger.cli.options import JsonOption, stage_of
from matchledger.cli.pairing import say_preview, warn
from matchledger.cli.session import Moment, Session, UsageProblem, reading, writing
from matchledger.cli.tables import pairings_table, slip_form
from matchledger.commands import swiss as rounds
from matchledger.commands import ties
from matchledger.commands.refusal import counted
from matchledger.commands.rounds import next_round
from matchledger.documents.tables import pairings_document
from matchledger.events import Bye, Seating
from matchledger.ledger import Decision
from matchledger.questions.rounds import round_at
from matchledger.service.next_round import Checked, prepare_round
from matchledger_projections.pairing.check import games_without_leader
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import stage_now


@writing
def pair(
    session: Session,
    by_hand: Annotated[
        list[str] | None,
        typer.Option("--table", help="Pair by hand: 'Ann Lee/Bo Chen', once per table, or 'Ann Lee' for a bye."),
    ] = None,
    allow_rematch: Annotated[
        bool, typer.Option("--allow-rematch", help="Let as few players as possible meet again.")
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show the round, and what speaks against posting it; record nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Pair the next round."""
    if as_json and not preview:
        raise UsageProblem("--json shows a preview: give --preview with it")
    seatings = _seatings(session, by_hand) if by_hand else None
    deviating = session.reason is not None
    if preview:
        prepared = prepare_round(
            session.ledger, session.tournament, by_hand=seatings, allow_rematch=allow_rematch, deviating=deviating
        )
        say_preview(prepared, as_json=as_json)
        return
    if seatings is not None:
        _pair_by_hand(session, *seatings, allow_rematch=allow_rematch)
    else:
        _decide_checked(
            session, next_round(lambda: session.secret, allow_rematch=allow_rematch, deviating=deviating)
        )
    _say_round(session.record)


def _decide_checked(session: Session, decision: Decision) -> None:
    """Records a round, and says what somebody at the wall would object to."""
    checked = Checked(decision)
    session.decide(checked)
    warn(session.record, checked.objections)


def _pair_by_hand(session: Session, games: list[Seating], byes: list[Bye], *, allow_rematch: bool) -> None:
    rematches = [game.players for game in games if rounds.meeting(session.record, *game.players)]
    _decide_checked(
        session,
        lambda record: rounds.pair_by_hand(
            record,
            games=games,
            byes=byes,
            stage=stage_now(record),
            rematches=rematches if allow_rematch else (),
            deviating=session.reason is not None,
        ),
    )


def _seatings(session: Session, tables: list[str]) -> tuple[list[Seating], list[Bye]]:
    games: list[Seating] = []
    byes: list[Bye] = []
    for text in tables:
        players = [session.player(name.strip()) for name in text.split("/")]
        match players:
            case [first, second]:
                games.append(Seating(table=len(games) + 1, players=(first, second)))
            case [only]:
                byes.append(Bye(player=only))
            case _:
                raise UsageProblem(f"{text!r} names {len(players)} players: a table has two, a bye one")
    return games, byes


def _say_round(record: Record) -> None:
    latest = record.latest_round("elimination") or record.latest_round()
    if latest is not None:
        name = "Elimination round" if latest.stage == "elimination" else "Round"
        typer.echo(f"{name} {latest.number}: {counted(len(latest.tables), 'table')} (entry {record.position})")
        for line in pairings_table(record, latest):
            typer.echo(line)


@writing
def amend(
    session: Session,
    tables: Annotated[list[str], typer.Argument(help="'Ann Lee/Bo Chen' for a table, 'Ann Lee' for a bye.")],
    allow_rematch: Annotated[bool, typer.Option("--allow-rematch", help="Let them meet again.")] = False,
) -> None:
    """Seat some players of the posted round differently."""
    games, byes = _seatings(session, tables)
    rematches = [game.players for game in games if rounds.meeting(session.record, *game.players)]
    session.decide(
        lambda record: rounds.amend_pairing(
            record,
            games=[game.players for game in games],
            byes=[bye.player for bye in byes],
            rematches=rematches if allow_rematch else (),
        )
    )
    _say_round(session.record)
    warn(session.record, games_without_leader(session.record, _where_seated(session.record, games)))


def _where_seated(record: Record, games: list[Seating]) -> list[Seating]:
    """Games that were named, at the tables of the posted round that they came to."""
    latest = record.latest_round()
    tables = {} if latest is None else latest.tables
    return [
        Seating(table=table, players=two)
        for table, two in tables.items()
        if two in {game.players for game in games}
    ]


@writing
def tie(
    session: Session,
    players: Annotated[
        list[str] | None, typer.Argument(help="The players in order, best first; none to draw every tie.")
    ] = None,
) -> None:
    """Record the order of a tie, or draw the order of every tie."""
    if players:
        order = [session.player(name) for name in players]
        entries = session.decide(lambda record: ties.order_tie(record, players=order))
    else:
        secret = session.secret
        entries = session.decide(lambda record: ties.draw_ties(record, secret=secret))
    for entry in entries:
        numbers: tuple[int, ...] = getattr(entry.fact, "players", ())
        typer.echo(", ".join(session.record.players[number].name for number in numbers))


@reading
def pairings(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    elimination: Annotated[bool, typer.Option("--elimination", help="The elimination stage.")] = False,
    by_name: Annotated[bool, typer.Option("--by-name", help="One line per player.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show who plays where."""
    round_ = round_at(moment, stage_of(elimination=elimination))
    if as_json:
        typer.echo(json.dumps(pairings_document(moment.record, round_, clock=moment.clock), ensure_ascii=False))
        return
    typer.echo(f"Round {round_.number}, {moment.clock.replace('-', ' ')}, entry {moment.position}")
    for line in pairings_table(moment.record, round_, by_name=by_name):
        typer.echo(line)


@reading
def slip(
    session: Session,  # noqa: ARG001 - every reading command is given one
    moment: Moment,
    tables: Annotated[list[int] | None, typer.Argument(help="Table numbers; none for all tables.")] = None,
) -> None:
    """Print blank slips for the tables of a round."""
    in_elimination = moment.round is None and bool(moment.record.rounds("elimination"))
    round_ = round_at(moment, stage_of(elimination=in_elimination))
    for table in tables or list(round_.tables):
        if table not in round_.tables:
            raise UsageProblem(f"round {round_.number} has no table {table}")
        for line in slip_form(moment.record, round_, table):
            typer.echo(line)
        typer.echo("-" * 78)


COMMANDS: dict[str, Callable[..., None]] = {
    "pair": pair,
    "amend": amend,
    "pairings": pairings,
    "slip": slip,
    "tie": tie,
}
