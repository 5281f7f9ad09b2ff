"""Commands about calls to the desk: a player disputes a result, and the desk looks into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, cast, get_args

import typer

from matchledger.cli.options import JsonOption, PlayerArgument, stage_of
from matchledger.cli.reading import waiting_line
from matchledger.cli.session import Moment, Session, UsageProblem, reading, show, window_of, writing
from matchledger.cli.tables import columns
from matchledger.commands import calls as decisions
from matchledger.commands.calls import AnswerCall
from matchledger.events import Stage
from matchledger.events.phones import Answer, Claim
from matchledger.service.window import look
from matchledger_projections.record.desk_calls import open_calls
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import CallLine, CallsPage, ContestedLine, ContradictionLine, RequestLine
from matchledger_projections.views.desk import calls as calls_page

_CLAIMS, _ANSWERS = get_args(Claim), get_args(Answer)


@writing
def call(
    session: Session,
    player: PlayerArgument,
    round_: Annotated[
        int | None, typer.Option("--round", "-r", min=1, help="The Swiss round; by default the latest match.")
    ] = None,
    claim: Annotated[
        str, typer.Option("--claim", help=f"What the player reports: {', '.join(_CLAIMS)}.")
    ] = "other",
    elimination: Annotated[
        bool, typer.Option("--elimination", help="The match is in the elimination stage.")
    ] = False,
) -> None:
    """Call the desk about a wrong result."""
    if claim not in _CLAIMS:
        raise UsageProblem(f"there is no claim {claim!r}: there are {', '.join(_CLAIMS)}")
    number, record = session.player(player), session.record
    plays_on = round_ is None and any(number in one.players for one in record.rounds("elimination"))
    stage = stage_of(elimination=elimination or plays_on)
    latest = record.latest_round(stage)
    wanted = round_ or (latest.number if latest is not None else 0)
    if not wanted:
        raise UsageProblem("no round is paired: there is no result to be wrong")
    entries = session.decide(
        lambda record: decisions.call_desk(
            record,
            player=number,
            round_=wanted,
            stage=stage,
            claim=cast(Claim, claim),
            disputes=_counting(record, stage, wanted, number),
        )
    )
    typer.echo(f"The desk is called (entry {entries[0].position}).")


def _counting(record: Record, stage: Stage, number: int, player: int) -> int | None:
    round_ = record.round(number, stage)
    table = None if round_ is None else round_.table_of(player)
    report = None if round_ is None or table is None else round_.report(table, round_.tables[table])
    return None if report is None else report.position


@reading
def calls(
    session: Session,
    moment: Moment,
    every: Annotated[bool, typer.Option("--all", help="Answered calls, too.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what waits for the desk: calls, contradicting slips, contested tables and requests."""
    window = window_of(session, moment)
    page = look(window, calls_page, every=every)
    show(window, page, [*_calls(window.record, page), *waiting_line(window)], as_json=as_json)


def _calls(record: Record, page: CallsPage) -> Iterator[str]:
    if not (page.calls or page.contradictions or page.contested or page.requests):
        yield "No call waits."
        return
    rows = [_row(record, line) for line in page.calls]
    rows += [
        [*_match(record, line), f"slip contradicts entry {line.contradicts}", "correct it, or retract the slip"]
        for line in page.contradictions
    ]
    rows += [
        [*_match(record, line), "the players say different things by phone", "report it"] for line in page.contested
    ]
    rows += [_request(record, line) for line in page.requests]
    yield from columns(["", "Round", "Table", "Players", "Says", ""], rows, [0, 1, 2])


def _row(record: Record, line: CallLine) -> list[str]:
    disputed = "no result" if line.disputes is None else f"entry {line.disputes} is wrong"
    claim = "" if line.claim == "other" else f", {line.claim}"
    return [
        *_match(record, line),
        f"{record.players[line.by].name}: {disputed}{claim}",
        line.state if line.answer is None else f"answered: {line.answer}",
    ]


def _request(record: Record, line: RequestLine) -> list[str]:
    wants = {"judge": "wants a judge", "drop": "asks to be dropped"}[line.wants]
    table = "" if line.table is None else str(line.table)
    round_ = "" if line.round is None else str(line.round)
    return [
        str(line.position),
        round_,
        table,
        record.players[line.by].name,
        wants,
        f"answer-request {line.position}",
    ]


def _match(record: Record, line: CallLine | ContradictionLine | ContestedLine) -> list[str]:
    return [
        str(line.claims[-1] if isinstance(line, ContestedLine) else line.position),
        f"E{line.round}" if line.stage == "elimination" else str(line.round),
        str(line.table),
        " - ".join(record.players[player].name for player in line.players),
    ]


@writing
def answer(
    session: Session,
    positions: Annotated[list[int], typer.Argument(help="The calls, by the positions of their entries.", min=1)],
    answer: Annotated[
        str, typer.Option("--answer", help=f"The desk's answer about the result: {', '.join(_ANSWERS)}.")
    ] = "stands",
) -> None:
    """Answer calls to the desk; a correction answers its own call."""
    if answer not in _ANSWERS:
        raise UsageProblem(f"there is no answer {answer!r}: there are {', '.join(_ANSWERS)}")
    each = list(dict.fromkeys(positions))
    for part, position in zip(session.parts(len(each)), each, strict=True):
        part.execute(AnswerCall(position=position, answer=cast(Answer, answer)))
    waiting = len(open_calls(session.record))
    typer.echo(f"Answered: {answer}. {waiting or 'No'} call{'' if waiting == 1 else 's'} left.")
