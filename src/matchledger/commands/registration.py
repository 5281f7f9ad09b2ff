"""Registering one player, or a roster. Each line of a roster follows the rules for one player. If one line is
wrong, no player is registered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Annotated, ClassVar
from uuid import uuid4

from msgspec import Struct
from pydantic import Field, PrivateAttr

from matchledger.commands import roster
from matchledger.commands.command import Command, Context, Deviating, Text
from matchledger.commands.draft import Draft
from matchledger.commands.people import Columns
from matchledger.commands.refusal import Refusal
from matchledger.events import AnyFact, EntryRetracted, Person, PlayerRegistered
from matchledger.formats.roster_file import KNOWN_COLUMNS, RosterLine, read_pasted
from matchledger.formats.text import FormatError
from matchledger.notation.player_lookup import person_named
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player, known_as, memberships


class Enrolled(Struct, frozen=True):
    """A line of a roster, checked against the log and the earlier lines.

    `number` is the new player's number. `elsewhere` means that the division does not match the year of birth.
    `known` is the number of a registered player with this name. `ended` is the entry that merged, transferred or
    retracted the registration with this name. `problem` is the error that prevents the registration. `wrong` is the
    cell with this error, if it is one cell.
    """

    line: int
    name: str
    division: str | None = None
    number: int | None = None
    known: int | None = None
    problem: UsageProblem | Refusal | None = None
    wrong: str | None = None
    elsewhere: bool = False
    ended: int | None = None


def enrol(
    record: Record,
    lines: Iterable[RosterLine],
    *,
    skip_registered: bool = False,
    deviating: bool = False,
) -> tuple[list[Enrolled], list[AnyFact]]:
    """Register each line of a roster on a changing copy of the record, and return the facts.

    With `skip_registered`, leave out registered players: an earlier name or a membership number identifies a player
    too. Also leave out players whose registrations were merged, transferred or retracted since, because the roster
    is older. With `deviating`, accept a division that does not match the year of birth.
    """
    # The clerk's permission was checked before, once for the whole roster.
    draft = Draft(uuid4(), record)
    named: dict[str, int] = {}
    numbered: dict[tuple[str, str], int] = {}
    known = Acquaintances.of(record) if skip_registered else None
    taken = roster.numbers_taken(record)
    found = [_enrolled(draft, line, named, numbered, known, taken, deviating=deviating) for line in lines]
    return found, [entry.fact for entry in draft.entries]


class Acquaintances(Struct, frozen=True):
    """The registered players by the name at registration, and by each membership number. `ended` has retracted
    registrations by name.
    """

    by_name: Mapping[str, Player]
    by_number: Mapping[tuple[str, str], Player]
    ended: Mapping[str, int]

    @classmethod
    def of(cls, record: Record) -> Acquaintances:
        players = record.entered()
        entered_as = record.entered_as
        retracted = {fact.retracts: at for at, fact in record.counting(EntryRetracted) if not fact.undo}
        return cls(
            {known_as(entered_as[one.number].name): one for one in players if one.number in entered_as},
            roster.numbers_taken(record),
            {
                known_as(name): retracted[one.position]
                for one in record.players.values()
                if one.position in retracted
                for name in (one.name, entered_as.get(one.number, one).name)
            },
        )

    def find(self, person: Person, cells: Mapping[str, str]) -> Player | None:
        """Return the registered player of a roster line, found by a membership number or by the name at
        registration, or None. Two people with the same name and different membership numbers are different players.
        """
        numbers = dict(memberships(cells))
        for number in numbers.items():
            if number in self.by_number:
                return self.by_number[number]
        found = self.by_name.get(known_as(person.name))
        theirs = {} if found is None else dict(memberships(found.person.details))
        return None if any(theirs.get(kind, value) != value for kind, value in numbers.items()) else found


def _enrolled(
    draft: Draft,
    line: RosterLine,
    named: dict[str, int],
    numbered: dict[tuple[str, str], int],
    registered: Acquaintances | None,
    taken: Mapping[tuple[str, str], Player],
    *,
    deviating: bool,
) -> Enrolled:
    name, division = line.cells.get("name", ""), line.cells.get("division")
    known = None
    try:
        person = _person_of(line, named)
        known = draft.record.named(person.name)
        if registered is not None:
            known = known or registered.find(person, line.cells)
        if known is not None and registered is not None:
            return Enrolled(line.line, name, known.division, known=known.number)
        if registered is not None and (ended := registered.ended.get(known_as(person.name))) is not None:
            return Enrolled(line.line, name, division, ended=ended)
        _need_own_number(line, numbered)
        roster.need_own_numbers(taken, line.cells, name=person.name)
        byes = _byes_of(line)
        more = {column: value for column, value in line.cells.items() if column not in KNOWN_COLUMNS}
        entries = draft.decide(
            lambda record: roster.register(
                record, person=person, division=division, attributes=more, byes=byes, deviating=deviating
            )
        )
    except (UsageProblem, Refusal) as problem:
        cell = line.cells.get(problem.field) if isinstance(problem, UsageProblem) and problem.field else None
        number = known.number if known else None
        return Enrolled(line.line, name, division, known=number, problem=problem, wrong=cell)
    [fact] = [entry.fact for entry in entries if isinstance(entry.fact, PlayerRegistered)]
    return Enrolled(line.line, name, fact.division, number=fact.number, elsewhere=bool(fact.deviations))


def _person_of(line: RosterLine, named: dict[str, int]) -> Person:
    """Return the person of a line. `named` are the people of earlier lines, by their name in comparable form."""
    if line.problem is not None:
        raise UsageProblem(line.problem)
    cells = line.cells
    person = person_named(name=cells.get("name"), born=cells.get("born"), contact=cells.get("contact"))
    if (above := named.setdefault(known_as(person.name), line.line)) != line.line:
        raise Refusal(
            sentence(
                "%(player)s is in line %(line)s too: add something to one of the names to tell them apart",
                player=person.name,
                line=above,
            )
        )
    return person


def _need_own_number(line: RosterLine, numbered: dict[tuple[str, str], int]) -> None:
    """Refuse a membership number that an earlier line has. `numbered` are the earlier lines by their membership
    numbers.
    """
    for kind, number in memberships(line.cells):
        if (above := numbered.setdefault((kind, number), line.line)) != line.line:
            raise Refusal(
                sentence(
                    "%(player)s has the number %(number)s of line %(line)s too: correct one of the lines",
                    player=line.cells.get("name", ""),
                    number=number,
                    line=above,
                )
            )


def _byes_of(line: RosterLine) -> int:
    """Return how many byes a line awards. An empty cell awards no bye."""
    written = line.cells.get("byes", "0")
    if not (written.isdecimal() and len(written) < 3):  # noqa: PLR2004 - no player has a hundred byes
        raise UsageProblem(sentence("%(text)r is not a number of byes: write 1", text=written))
    return int(written)


def ended_in(lines: Iterable[Enrolled]) -> list[Enrolled]:
    """Return the roster lines that are left out because the players' registrations ended."""
    return [line for line in lines if line.ended is not None]


def left_out(line: Enrolled) -> Sentence:
    """Return a sentence with the reason why a line of an ended registration is left out."""
    return sentence(
        "%(player)s is left out, because entry %(entry)s ended that registration: to enter %(player)s again, "
        "register the player alone",
        player=line.name,
        entry=line.ended,
    )


def _wrong(wrong: Enrolled) -> UsageProblem | Refusal:
    """Return the error about the whole roster, made from its first wrong line."""
    assert wrong.problem is not None, "nothing is wrong with this line"  # noqa: S101 - only for a mistake of ours
    said = sentence(
        "line %(line)s: %(problem)s; no player was registered", line=wrong.line, problem=wrong.problem.args[0]
    )
    if isinstance(wrong.problem, UsageProblem):
        return UsageProblem(said, "roster")
    refused = Refusal(said)
    refused.rule = wrong.problem.rule
    return refused


class RegisterPlayer(Command):
    """Register one player: as on time before round 1 and before flights are drawn, and as late afterwards.

    `byes` is the number of first rounds with an awarded bye. `late` forces a registration as late, or as on time.
    Without `late`, the state of the log decides. `rounds_started` is the organizer's number of rounds to charge as
    losses. `details` are columns of the roster, such as membership numbers. `deviating` allows a division against
    the year of birth.
    """

    name: Annotated[str, Field(max_length=200)]
    born: Annotated[int, Field(ge=1900, le=2100)] | None = None
    division: Text | None = None
    rounds_started: Annotated[int, Field(ge=0, le=999)] | None = None
    deviating: Deviating = False
    late: bool | None = None
    byes: Annotated[int, Field(ge=0, le=99)] = 0
    contact: Text | None = None
    details: Columns = Field(default={})

    def draws(self, record: Record) -> bool:
        return bool(record.flights_drawn)

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        person = person_named(self.name, born=self.born, contact=self.contact)
        if self.details:
            roster.need_own_numbers(roster.numbers_taken(record), self.details, name=person.name)
        if not (roster.comes_late(record) if self.late is None else self.late):
            return roster.register(
                record,
                person=person,
                division=self.division,
                attributes=self.details,
                byes=self.byes,
                deviating=self.deviating,
            )
        if self.byes:
            raise Refusal(sentence("byes must be awarded before round 1 is paired"))
        return roster.arrive_late(
            record,
            person=person,
            division=self.division,
            attributes=self.details,
            rounds_started=self.rounds_started,
            deviating=self.deviating,
            secret=context.secret,
        )


# The most rows and bytes of a roster sent over the network: no slip is recorded while the server checks it. The
# command line reads a larger roster from a file.
LONGEST_ROSTER = 100_000  # characters
MOST_ON_ROSTER = 5_000  # players


class RegisterRoster(Command):
    """Register all players of a roster before round 1, or none if a line is wrong.

    A roster has one name per line, or is a table whose heading has `name` and perhaps `born`, `division`,
    `contact`, `byes` or others. `skip_registered` leaves out registered names. `deviating` uses a line's division
    even if the year of birth gives a different one.
    """

    shown_first: ClassVar = True
    roster: Annotated[
        str,
        Field(min_length=1, max_length=LONGEST_ROSTER, description="one name a line, or a table with names"),
    ]
    skip_registered: bool = False
    deviating: Deviating = False
    _lines: list[RosterLine] | None = PrivateAttr(default=None)

    @classmethod
    def of_lines(cls, lines: list[RosterLine], *, skip_registered: bool, deviating: bool) -> RegisterRoster:
        """Return the roster in a file. A file may have more lines than a roster sent over the network."""
        made = cls(roster="-", skip_registered=skip_registered, deviating=deviating)
        made._lines = lines
        return made

    def lines(self) -> list[RosterLine]:
        """Parse the text of a roster. Raises UsageProblem for a text that is not a roster."""
        if self._lines is not None:
            return self._lines
        try:
            lines = list(islice(read_pasted(self.roster), MOST_ON_ROSTER + 1))
        except FormatError as problem:
            said = sentence("%(problem)s; no player was registered", problem=problem.said)
            if problem.line is not None:
                said = sentence("line %(line)s: %(problem)s", line=problem.line, problem=said)
            raise UsageProblem(said, "roster") from None
        if len(lines) > MOST_ON_ROSTER:
            raise UsageProblem(
                sentence(
                    "there are more than %(most)s players: send them in parts, or register them from a file",
                    most=MOST_ON_ROSTER,
                )
            )
        return lines

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        found, facts = enrol(
            context.replay(record.position),
            self.lines(),
            skip_registered=self.skip_registered,
            deviating=self.deviating,
        )
        for line in found:
            if line.problem is not None:
                raise _wrong(line)
        if not facts and (ended := ended_in(found)):
            raise UsageProblem(joined((sentence("no player added"), *map(left_out, ended)), "; "))
        if not facts:
            raise UsageProblem(sentence("no player added: every player of the roster is registered already"))
        return facts
