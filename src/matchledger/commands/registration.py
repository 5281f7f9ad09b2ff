"""Registration of a roster: each line as one player alone would be registered, and all of them or nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import uuid4

from matchledger.commands import roster
from matchledger.commands.context import Context
from matchledger.commands.draft import Decision, Draft
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, Person, PlayerRegistered
from matchledger.formats.roster_file import KNOWN_COLUMNS, RosterLine
from matchledger.notation.player_lookup import person_named
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as


@dataclass(frozen=True, slots=True)
class Enrolled:
    """A line of a roster, held against the log and the lines before it.

    `number` is that of the player whom it registers, who may be `elsewhere`: in another division than the year of
    birth gives. `known` is that of the one who has the name already; `problem` is what keeps the line from being
    registered.
    """

    line: int
    name: str
    division: str | None = None
    number: int | None = None
    known: int | None = None
    problem: UsageProblem | Refusal | None = None
    elsewhere: bool = False


def enrol(
    record: Record,
    lines: Iterable[RosterLine],
    *,
    skip_registered: bool = False,
    deviating: bool = False,
) -> tuple[list[Enrolled], list[AnyFact]]:
    """What each line of a roster leads to on a record that is changed by it, and the facts that follow.

    With `skip_registered` whoever is in the tournament already is left out, and is no problem; nor is another
    division than the year of birth gives, where that is meant to be `deviating`.
    """
    # Nobody's leave is asked here: whoever records it is asked once, for all of it.
    draft = Draft(uuid4(), record)
    named: dict[str, int] = {}
    found = [_enrolled(draft, line, named, skip_registered=skip_registered, deviating=deviating) for line in lines]
    return found, [entry.fact for entry in draft.entries]


def _enrolled(
    draft: Draft, line: RosterLine, named: dict[str, int], *, skip_registered: bool, deviating: bool
) -> Enrolled:
    name, division = line.cells.get("name", ""), line.cells.get("division")
    known = None
    try:
        person = _person_of(line, named)
        known = draft.record.named(person.name)
        if known is not None and skip_registered:
            return Enrolled(line.line, name, known.division, known=known.number)
        more = {column: value for column, value in line.cells.items() if column not in KNOWN_COLUMNS}
        entries = draft.decide(
            lambda record: roster.register(
                record, person=person, division=division, attributes=more, deviating=deviating
            )
        )
    except (UsageProblem, Refusal) as problem:
        return Enrolled(line.line, name, division, known=known.number if known else None, problem=problem)
    [fact] = [entry.fact for entry in entries if isinstance(entry.fact, PlayerRegistered)]
    return Enrolled(line.line, name, fact.division, number=fact.number, elsewhere=bool(fact.deviations))


def _person_of(line: RosterLine, named: dict[str, int]) -> Person:
    """Whom a line names; `named` are those of the lines before it, by the name as names are compared."""
    if line.problem is not None:
        raise UsageProblem(line.problem)
    cells = line.cells
    person = person_named(name=cells.get("name"), born=cells.get("born"), contact=cells.get("contact"))
    if (above := named.setdefault(known_as(person.name), line.line)) != line.line:
        raise Refusal(
            sentence(
                "%(player)s stands in line %(line)s as well: give a second player of that name a "
                "distinguishing mark",
                player=person.name,
                line=above,
            )
        )
    return person


def wrong_line(wrong: Enrolled) -> UsageProblem | Refusal:
    """The first line that is wrong, as what the whole roster is refused for."""
    assert wrong.problem is not None, "nothing is wrong with this line"  # noqa: S101 - a mistake of ours alone
    said = sentence(
        "line %(line)s: %(problem)s; nobody was registered", line=wrong.line, problem=wrong.problem.args[0]
    )
    if isinstance(wrong.problem, UsageProblem):
        return UsageProblem(said)
    refused = Refusal(said)
    refused.rule = wrong.problem.rule
    return refused


def registration(
    context: Context,
    lines: list[RosterLine],
    *,
    skip_registered: bool = False,
    deviating: bool = False,
    refused: Callable[[Enrolled], Exception] = wrong_line,
) -> Decision:
    """The decision to register a whole roster; it raises what is `refused` of the first line that is wrong."""

    def register(record: Record) -> list[AnyFact]:
        found, facts = enrol(
            context.replay(record.position), lines, skip_registered=skip_registered, deviating=deviating
        )
        for line in found:
            if line.problem is not None:
                raise refused(line)
        if not facts:
            raise UsageProblem(sentence("everybody on the roster is registered already: nobody was registered"))
        return facts

    return register
