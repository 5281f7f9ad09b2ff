"""Commands that prove: postings, signed checkpoints, and the integrity report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Annotated

import typer

from matchledger.cli.keys import KeyOption, read_key
from matchledger.cli.options import JsonOption
from matchledger.cli.previewing import Foresight
from matchledger.cli.session import Moment, Session, UsageProblem, reading, show, window_of, writing
from matchledger.cli.tables import fitted, table
from matchledger.commands.command import Command
from matchledger.commands.postings import PostPairings
from matchledger.commands.refusal import counted
from matchledger.commands.tournaments import PostStandings
from matchledger.events import CheckpointSigned, Entry
from matchledger.ledger import sign_checkpoint
from matchledger.proof.witness import Submission
from matchledger.service.window import look
from matchledger.service.witnessing import submission_of
from matchledger.text.columns import LOG, entry_columns
from matchledger.text.labels import in_brief
from matchledger_projections.message import plain
from matchledger_projections.record.record import Record
from matchledger_projections.views.integrity import Item, integrity_page


@writing
def post(
    session: Session,
    key_file: KeyOption = None,
    pairings: Annotated[bool, typer.Option("--pairings", help="Post the pairings of the round instead.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show the effects; record nothing.")] = False,
) -> None:
    """Post the standings: the log keeps them as posted, and --key signs them."""
    if pairings and key_file is not None:
        raise UsageProblem("standings are signed for, pairings are not: leave --key out")
    command = (PostPairings if pairings else PostStandings)(deviating=session.reason is not None)
    if preview:
        Foresight(preview=True, as_json=False, yes=False, cut=None).execute(session, command)
    if pairings:
        _post_pairings(session, command)
        return
    signing_key = None if key_file is None else read_key(key_file)
    # Sign before printing, because the reader may close the pipe after the first line.
    done = session.execute(command, key=signing_key)
    [posting], signed = done.entries, done.signed
    round_ = getattr(posting.fact, "round", 0)
    typer.echo(f"Standings after round {round_} are posted as entry {posting.position}.")
    typer.echo(f"Tree head {session.ledger.head(session.tournament, posting.position)}")
    if signed is not None:
        _show_checkpoint(signed)


def _post_pairings(session: Session, command: Command) -> None:
    [posting] = session.execute(command).entries
    round_ = getattr(posting.fact, "round", 0)
    typer.echo(f"The pairings of round {round_} are posted as entry {posting.position}.")
    before = [position for position, fact in session.record.postings if fact.round == round_ - 1]
    if before:
        hung = posting.recorded_at - session.ledger.entry(session.tournament, before[0]).recorded_at
        typer.echo(f"The standings after round {round_ - 1} have hung for {counted(hung.seconds // 60, 'minute')}.")


@writing
def checkpoint(
    session: Session,
    key_file: KeyOption = None,
    since: Annotated[
        int | None, typer.Option("--since", min=1, help="Add a proof for a witness that saw this many entries.")
    ] = None,
) -> None:
    """Sign the log; without a key, show the last checkpoint."""
    if key_file is not None:
        signing_key = read_key(key_file)
        entry = sign_checkpoint(
            session.ledger, session.tournament, signing_key, clerk=session.clerk, command=session.command
        )
    elif session.record.checkpoints:
        entry = session.ledger.entry(session.tournament, session.record.checkpoints[-1][0])
    else:
        raise UsageProblem("no checkpoint was signed yet: give a --key to sign one")
    _show_checkpoint(entry, None if since is None else submission_of(session.ledger, session.tournament, since))


def _show_checkpoint(entry: Entry, submission: Submission | None = None) -> None:
    """Print only the signed note to stdout, ready for a file, paper or a QR code. For a witness, print the
    consistency proof too.
    """
    fact = entry.fact
    assert isinstance(fact, CheckpointSigned)  # noqa: S101 - only signing makes these entries
    typer.echo(f"Checkpoint, kept as entry {entry.position}; it verifies with {fact.key}", err=True)
    typer.echo(submission or fact.note, nl=False)


@reading
def integrity(session: Session, moment: Moment, as_json: JsonOption = False) -> None:
    """List hand pairings, corrections, retractions, imports and broken rules: who, when and why."""
    window = window_of(session, moment)
    found = look(window, integrity_page)
    show(window, found, fitted(integrity_lines(moment.record, found.items)), as_json=as_json)


def integrity_lines(record: Record, items: Sequence[Item]) -> Iterator[str]:
    """List the integrity report, each item with its entry and its reason."""
    if not items:
        yield "Nothing was done by hand: every entry follows the rulebook."
        return
    lines = table(entry_columns(LOG, _what, attrgetter("entry")), items)
    yield next(lines)
    for item, line in zip(items, lines, strict=True):
        yield line
        yield f"      {in_brief(record, item.entry.fact)}"
        yield from (f"      open: {plain(question)}" for question in item.over)
        yield f"      {plain(item.entry.reason or 'no reason given')}"


def _rules(rules: Sequence[str]) -> str:
    return f" ({', '.join(rules)})" if rules else ""


def _what(item: Item) -> str:
    return f"{item.kind}{_rules(item.rules)}{'' if item.counts else ', taken back since'}"
