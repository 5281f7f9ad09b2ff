"""Commands that record and list penalties, rulings, and lost or damaged cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any, get_args

import typer

from matchledger.cli.options import JsonOption, PlayerArgument
from matchledger.cli.recording import Printer, command_of, tell_entries
from matchledger.cli.session import Moment, Session, UsageProblem, reading, show, window_of, writing
from matchledger.cli.tables import columns
from matchledger.commands.card_incidents import NoteCard
from matchledger.commands.command import Command
from matchledger.commands.penalties import GivePenalty
from matchledger.commands.rulings import GiveRuling, ReviewRuling
from matchledger.events import CardIncident, Entry, PenaltyGiven, PlayerDropped, RulingGiven
from matchledger.events.conduct import Damage
from matchledger.service.execute import Done
from matchledger.service.window import look
from matchledger_projections.conduct.penalties import (
    Given,
    Incident,
    Ruling,
    incidents,
    missing,
    penalties,
    proxies,
    rulings,
)
from matchledger_projections.decks.registered import advantageous
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record
from matchledger_projections.views.desk import conduct as conduct_page

_CARDS = get_args(Damage)

TableOption = Annotated[int | None, typer.Option("--table", help="The table in the round in play.", min=1)]
NoteOption = Annotated[str | None, typer.Option("--note", help="What happened, in a few words.")]
LeaderOption = Annotated[
    str | None,
    typer.Option("--by", help="The official who decided; by default the person who records it."),
]


def _penalised(session: Session, command: GivePenalty, done: Done) -> None:
    record, entries = session.record, done.entries
    tell_entries(session, command, done)
    for given in penalties(record, command.player):
        if given.position < entries[0].position:
            typer.echo(f"Before: {tell(record, given.fact)} (entry {given.position}).")
    if command.penalty in ("game-loss", "match-loss") and len(entries) == 1:
        typer.echo("No result is recorded with it: report or correct the match that it costs.")
    if command.penalty == "recommend-disqualification":
        rule, name = record.rulebook.conduct.recommendation, record.players[command.player].name
        typer.echo(f"The organizer decides: disqualify {name}{f' ({rule})' if rule else ''}.")


@writing
def ruling(
    session: Session,
    words: Annotated[
        list[str],
        typer.Argument(
            help="The question and the outcome; for a review only the outcome.", metavar="QUESTION OUTCOME"
        ),
    ],
    table: TableOption = None,
    review: Annotated[
        int | None, typer.Option("--review", help="The entry of the ruling under review.", min=1)
    ] = None,
    by: LeaderOption = None,
    source: Annotated[
        str | None, typer.Option("--source", help="The source of the question, such as a spectator's report.")
    ] = None,
    final: Annotated[bool, typer.Option("--final", help="The ruling is a marshal's, and final.")] = False,
) -> None:
    """Record a ruling, or a marshal's final review."""
    command: type[Command] = GiveRuling
    if review is not None:
        if len(words) != 1 or table is not None:
            raise UsageProblem("a review needs the outcome alone: question and table are those of the ruling")
        command = ReviewRuling
        given: dict[str, Any] = {"position": review, "outcome": words[0]}
    else:
        question, outcome = _question_and_outcome(words)
        given = {"question": question, "outcome": outcome, "table": table, "final": final}
    made = command_of(session, command, given | {"judge": by, "source": source})
    tell_entries(session, made, session.execute(made))


def _question_and_outcome(words: list[str]) -> tuple[str, str]:
    match [word.strip() for word in words]:
        case [question, outcome] if question and outcome:
            return question, outcome
    raise UsageProblem("a ruling needs the question and the outcome, each in quotes")


@writing
def card(
    session: Session,
    player: PlayerArgument,
    what: Annotated[str, typer.Argument(help=f"What happened: {', '.join(_CARDS)}.")],
    card: Annotated[str, typer.Argument(help="The name of the card.")],
    during_game: Annotated[
        bool, typer.Option("--during-game", help="The card was lost during a game: the player loses that game.")
    ] = False,
    minutes: Annotated[
        int | None,
        typer.Option(
            "--minutes", help="Minutes to look for the card; by default the rulebook's number.", min=1, max=600
        ),
    ] = None,
    not_found: Annotated[
        bool, typer.Option("--not-found", help="The card was not found in time: the player loses the game.")
    ] = False,
    still_missing: Annotated[
        bool,
        typer.Option(
            "--still-missing",
            help="Drop the player, whose card was still missing at the next round.",
        ),
    ] = False,
    by: LeaderOption = None,
    note: NoteOption = None,
    blood_points: Annotated[
        int | None,
        typer.Option("--blood-points", help="The loser's blood points, if the card costs the game.", min=0),
    ] = None,
    ended: Annotated[
        str | None,
        typer.Option("--ended", help="When the game ended, on the round's clock: 69:59.", metavar="TIME"),
    ] = None,
) -> None:
    """Record a lost, found or damaged card, or a proxy."""
    _need_word(what, _CARDS, "word for a card")
    said = {
        "--during-game": during_game,
        "--minutes": minutes is not None,
        "--not-found": not_found,
        "--still-missing": still_missing,
    }
    given = [option for option, is_given in said.items() if is_given]
    if given and what != "lost":
        raise UsageProblem(f"{given[0]} is about a card that is lost")
    if len(given) > 1:
        raise UsageProblem(f"{given[0]} and {given[1]} exclude each other: they are steps one after the other")
    if note is not None and what not in ("damaged", "proxy"):
        raise UsageProblem("--note says what can no longer be read on a damaged card, or on its proxy")
    step = given[0].removeprefix("--") if given and minutes is None else what
    step = "lost-during-game" if step == "during-game" else step
    fields = {"player": player, "card": card, "what": step, "leader": by, "minutes": minutes, "note": note}
    fields |= {"blood_points": blood_points, "ended": ended}
    made = command_of(session, NoteCard, fields)
    done = session.execute(made)
    tell_entries(session, made, done)
    _say_open_table(session.record, done.entries)


def _say_open_table(record: Record, entries: Sequence[Entry]) -> None:
    """If a player was dropped from the current round, name the opponent who waits."""
    latest = record.current_round
    for entry in entries:
        if isinstance(entry.fact, PlayerDropped) and latest is not None:
            table = latest.table_of(entry.fact.player)
            if table in latest.outstanding:
                typer.echo(f"Table {table} is still open: report its result.")


def _need_word(word: str, known: tuple[str, ...], what: str) -> None:
    if word not in known:
        raise UsageProblem(f"there is no {what} {word!r}: there are {', '.join(known)}")


@reading
def conduct(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """List penalties, rulings, and what happened to cards."""
    window, record = window_of(session, moment), moment.record
    lines = [*_penalty_lines(record), *_ruling_lines(record), *_card_lines(record), *_amendment_lines(record)]
    page = look(window, conduct_page)
    show(window, page, lines or ["No penalty, no ruling, no card."], as_json=as_json)


def _penalty_lines(record: Record) -> Iterator[str]:
    if given := penalties(record):
        rows = [[*_place(each.position, each.fact), *_penalty_row(record, each)] for each in given]
        yield from columns(["", "Round", "Table", "Player", "Penalty", "For", ""], rows, [0, 1, 2])


def _penalty_row(record: Record, given: Given) -> list[str]:
    fact = given.fact
    beside = [] if fact.note is None else [fact.note]
    if given.unwarned is not None:
        beside.append(f"no earlier warning ({given.unwarned})")
    if fact.penalty == "recommend-disqualification":
        is_out = record.status(fact.player) == "disqualified"
        beside.append("disqualified" if is_out else "the organizer decides")
    return [record.players[fact.player].name, fact.called or fact.penalty, fact.offence, ", ".join(beside)]


def _ruling_lines(record: Record) -> Iterator[str]:
    if given := rulings(record):
        rows = [[*_place(each.position, each.fact), *_ruling_row(each)] for each in given]
        yield from columns(["", "Round", "Table", "Ruled by", "Question", "Outcome", ""], rows, [0, 1, 2])


def _ruling_row(ruling: Ruling) -> list[str]:
    fact = ruling.fact
    beside = [f"on {fact.source}"] if fact.source is not None else []
    beside += [f"reviews entry {fact.reviews}"] if fact.reviews is not None else []
    beside += ["final"] if fact.final else []
    beside += [f"reviewed in entry {ruling.reviewed_by}"] if ruling.reviewed_by is not None else []
    return [fact.judge, fact.question, fact.outcome, ", ".join(beside)]


def _card_lines(record: Record) -> Iterator[str]:
    if given := incidents(record):
        lacking, held = ({each.position for each in some} for some in (missing(record), proxies(record)))
        rows = [[*_place(each.position, each.fact), *_card_row(record, each, lacking, held)] for each in given]
        yield from columns(["", "Round", "Table", "Player", "Card", "", "Leader", ""], rows, [0, 1, 2])


def _amendment_lines(record: Record) -> Iterator[str]:
    for position, fact in advantageous(record):
        yield f"Entry {position}: {tell(record, fact)}"


def _card_row(record: Record, incident: Incident, lacking: set[int], held: set[int]) -> list[str]:
    fact = incident.fact
    beside = [str(fact.when)] if fact.when is not None else []
    beside += [str(fact.date)] if fact.date is not None else []
    beside += [fact.note] if fact.note is not None else []
    beside += ["missing"] if incident.position in lacking else []
    beside += ["holds for the tournament"] if incident.position in held else []
    return [record.players[fact.player].name, fact.card, fact.what, fact.leader, ", ".join(beside)]


def _place(position: int, fact: PenaltyGiven | RulingGiven | CardIncident) -> list[str]:
    round_ = "" if fact.round is None else f"{'E' if fact.stage == 'elimination' else ''}{fact.round}"
    return [str(position), round_, "" if fact.table is None else str(fact.table)]


PRINTERS: dict[str, Printer] = {"penalty": _penalised}
