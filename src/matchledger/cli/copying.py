"""The commands about copies of a ledger: copy it into another store, or merge a diverged copy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.session import Session, UsageProblem, missing_keys, writing
from matchledger.cli.terminal import agreed
from matchledger.cli.ways import said_here
from matchledger.commands.diverged import Outcome
from matchledger.commands.refusal import Refusal, counted
from matchledger.evidence.migration import copy_ledger, sound_heads
from matchledger.ledger import copies, open_ledger
from matchledger.ledger.copies import CopyPlan, plan_merge
from matchledger.ledger.keyring import ring_of
from matchledger.ledger.location import is_database
from matchledger_projections.message import entries_listed, numbered, one_line
from matchledger_projections.narration import tell
from matchledger_projections.record.record import Record


def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help="A ledger: a file, or postgresql://...")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The ledger to copy to; made if it does not exist.")],
) -> None:
    """Copy all tournaments with their keys into another ledger, and verify the copy."""
    if source == target:
        raise UsageProblem("FROM and TO are the same ledger")
    with open_ledger(source, own_keys=True) as here:
        left = here.quarantined()
        # Check the source before the target file is made.
        heads = sound_heads(here, ring_of(target, in_database=is_database(target)))
        with open_ledger(target, create=True) as there:
            done = list(copy_ledger(here, there, heads))
            ring = there.ring
    for copied in done:
        said = "was there already" if copied.found_there else "copied"
        typer.echo(f"{copied.name}: {said}, tree head {copied.head.size}:{copied.head.root.hex()}")
        if copied.lost_names:
            typer.echo(missing_keys(copied.lost_names, ring), err=True)
    for tournament, problem in left.items():
        typer.echo(f"note: tournament {tournament} was not copied, because it cannot be read: {problem}", err=True)
    typer.echo(f"{counted(len(done), 'tournament')}, every tree head unchanged.")


@writing
def merge_copy(
    session: Session,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The other copy: a file, or postgresql://...")],
    renumber: Annotated[
        bool,
        typer.Option(
            "--renumber",
            help="If both copies gave one number to two players, give the other copy's player a new number.",
        ),
    ] = False,
    own_rounds: Annotated[
        bool, typer.Option("--own-rounds", help="Keep this copy's pairing of a round that both copies paired.")
    ] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show the effects; record nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Merge another copy of this ledger that was used separately.

    Use this command for two laptops that worked separately, for example after a network failure. An entry that
    both copies have is kept once. A slip that contradicts a result here is refused, and the desk settles it. Only
    an organizer may merge copies.
    """
    name = Path(other).name
    with open_ledger(other, own_keys=True) as copy:
        plan = plan_merge(
            session.ledger,
            session.tournament,
            copy,
            source=name,
            clerk=session.clerk,
            renumber=renumber,
            own_rounds=own_rounds,
            reason=session.reason,
            command=session.command,
        )
        lines = list(_plan_lines(plan, name, copy.record(session.tournament)))
    typer.echo("\n".join(lines))
    if plan.questions:
        raise Refusal(
            numbered(
                "%(count)s question is open: settle it, then merge",
                "%(count)s questions are open: settle them, then merge",
                len(plan.questions),
            )
        )
    if plan.is_empty:
        return
    if preview:
        typer.echo("PREVIEW: nothing is recorded.")
        return
    if not yes and sys.stdin.isatty() and not agreed("Merge the copy?"):
        return
    entries = copies.merge_copy(session.ledger, plan)
    typer.echo(
        f"Merged: {counted(len(entries), 'entry', 'entries')} added (entry {entries[0].position}). Next: verify."
    )


def _plan_lines(plan: CopyPlan, name: str, there: Record) -> Iterator[str]:
    """Describe what merging a copy would do, with a line for each entry that this ledger lacks."""
    if plan.is_empty:
        yield f"{name} has nothing that is not here."
        yield from _left_out(plan, name)
        return
    since = sum(position not in plan.left_out for position in range(plan.fork + 1, plan.head.size + 1))
    yield f"{name} left this log after entry {plan.fork}, and has {counted(since, 'entry', 'entries')} since."
    if plan.rows:
        yield "This copy recorded nothing since: the entries are added as they are."
    yield from (_outcome_line(there, outcome) for outcome in plan.outcomes if outcome.how != "same")
    if same := sum(outcome.how == "same" for outcome in plan.outcomes):
        yield f"{counted(same, 'entry', 'entries')} of them said here too."
    yield from _left_out(plan, name)
    yield from (f"Open: {said_here(question)}" for question in plan.questions)


def _left_out(plan: CopyPlan, name: str) -> Iterator[str]:
    for found in filter(None, (plan.forged, plan.beyond_role)):
        first, problem = next(iter(found.items()))
        if len(found) == 1:
            yield f"Entry {first} of {name} is left out: it {problem}."
        else:
            listed = one_line(entries_listed(sorted(found))).capitalize()
            yield f"{listed} of {name} are left out: entry {first} {problem}."


def _outcome_line(there: Record, outcome: Outcome) -> str:
    said = {"counts": "counts", "refused": "refused, contradicts this copy", "kept": "kept, does not count here"}
    return f"Entry {outcome.theirs.position} {said[outcome.how]}: {tell(there, outcome.theirs.fact)}"
