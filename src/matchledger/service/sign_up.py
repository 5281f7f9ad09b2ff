"""Signing up: people put their names on the waiting list by phone, and the desk accepts or declines each person.

The list is outside the log, so that strangers cannot write names into the log. Accepting a person is a registration
like any other, on time or late. The order of the list and the number of free places decide who has a place.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any, Literal, NamedTuple
from uuid import UUID

from matchledger.commands.command import made_of
from matchledger.commands.draft import named_part, new_command
from matchledger.commands.phones import need_allowed
from matchledger.commands.refusal import Refusal, late_rule
from matchledger.commands.registration import RegisterPlayer
from matchledger.ledger import Clerk, Ledger
from matchledger.ledger.beside import SideFile, Waiting
from matchledger.notation.player_lookup import person_named
from matchledger.notation.problems import UsageProblem
from matchledger.service.execute import Done, Request, context_of, execute
from matchledger_projections.divisions.grouping import division_years
from matchledger_projections.message import Sentence, sentence
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.phones import link_age, phones_may, places, undone
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import known_as

MOST_WAITING = 400  # the most people who wait for one tournament
LONGEST = 80  # the most characters of a field
MEMBERSHIP = "membership"  # the roster column with the membership number
Standing = Literal["place", "waiting", "late", "accepted", "declined", "gone"]


class Questions(NamedTuple):
    """The data that people must give besides their name: a year of birth, or one of some divisions."""

    born: bool
    divisions: tuple[str, ...]


class Line(NamedTuple):
    """A person on the list. `before` is the number of people who have waited longer for a place, or None if the
    person has a place, or if the desk has decided.

    `problem` is the reason why the person cannot be registered with these data. `anyway` says that the desk can
    register the person despite the problem, with a reason.
    """

    person: Waiting
    wish: RegisterPlayer
    before: int | None
    problem: str | None = None
    anyway: bool = False


class Seen(NamedTuple):
    """The data that a person's own phone shows. `player` is the number of an accepted person."""

    standing: Standing
    name: str = ""
    before: int = 0
    player: int | None = None


def questions(record: Record) -> Questions:
    """Return the data that the rulebook needs about a new player."""
    rule = record.rulebook.divisions
    if rule is None or record.rulebook.readings.divisions == "none":
        return Questions(False, ())
    return Questions(True, ()) if division_years(record) else Questions(False, rule.names)


def free_places(record: Record) -> int | None:
    """Return the number of free places. Return None if places are not limited."""
    limit = places(record)
    return None if limit is None else max(0, limit - len(record.active_players()))


def sign_up(
    side: SideFile, ledger: Ledger, tournament: UUID, given: Mapping[str, str], codes: Iterable[str] = ()
) -> str:
    """Put a person on the list, and return the code for the person's phone. `codes` are the people who signed up
    on the same phone before.

    If the list is kept in a file, the entry is on the disk when the function returns. Raises Refusal if the list is
    closed or full, or if the same phone has put the name on the list, and UsageProblem for an invalid name, year or
    division.
    """
    record = ledger.record(tournament)
    need_open_list(record)
    wish = _wish(questions(record), {name: value.strip() for name, value in given.items() if value.strip()})
    for code in codes:
        before = seen(side, ledger, tournament, code)
        if before.name and known_as(before.name) == known_as(wish.name):
            raise Refusal(sentence("%(player)s has signed up on this phone already", player=before.name))
    if record.players:
        ledger.ring.need_file()
    code = secrets.token_urlsafe(16)
    if not side.add(tournament, code, wish.model_dump_json(exclude_defaults=True), most=MOST_WAITING):
        raise Refusal(sentence("%(count)s people are waiting already: go to the desk", count=MOST_WAITING))
    return code


def need_open_list(record: Record) -> None:
    """Refuse a sign-up if the organizer does not allow sign-up by phone, or if the last round is paired."""
    need_allowed(record, "sign-up")
    if record.cut is not None:
        raise Refusal(sentence("the cut is made: nobody can enter any more"), late_rule(record))
    if _is_last_round_paired(record):
        raise Refusal(sentence("the last round is paired: ask at the desk"), late_rule(record))


def _wish(asked: Questions, given: Mapping[str, str]) -> RegisterPlayer:
    name = person_named(given.get("name")).name
    fields: dict[str, Any] = {"name": name}
    if asked.born:
        if "born" not in given:
            raise UsageProblem(sentence("the year of birth is missing: it decides the division"))
        fields["born"] = given["born"]
    if asked.divisions:
        wanted = given.get("division", "").casefold()
        if (division := next((name for name in asked.divisions if name.casefold() == wanted), None)) is None:
            raise UsageProblem(sentence("choose a division"))
        fields["division"] = division
    if "contact" in given:
        fields["contact"] = given["contact"]
    if MEMBERSHIP in given:
        fields["details"] = {MEMBERSHIP: given[MEMBERSHIP]}
    wish = made_of(RegisterPlayer, fields)
    assert isinstance(wish, RegisterPlayer)  # noqa: S101 - the request above holds a RegisterPlayer
    return wish


def forget_after_close(side: SideFile, ledger: Ledger, tournament: UUID) -> None:
    """Delete the list of a tournament that is closed."""
    if ledger.record(tournament).closing is not None:
        side.forget(tournament)


def waiting_list(side: SideFile, ledger: Ledger, tournament: UUID) -> list[Line]:
    """Return the people who wait, in order of arrival. After the tournament is closed, the list is deleted."""
    record = ledger.record(tournament)
    if record.closing is not None:
        side.forget(tournament)
        return []
    return _lines(side, record, tournament)


def turned_away(side: SideFile, ledger: Ledger, tournament: UUID) -> list[Line]:
    """Return the people who do not wait and are no players: declined, or accepted and later retracted."""
    record = ledger.record(tournament)
    return [
        Line(person, wish, None)
        for person in side.people(tournament)
        if not _waits(person, undone(record)) and not _is_player(record, person)
        if (wish := _wish_of(record, person)) is not None
    ]


def _lines(side: SideFile, record: Record, tournament: UUID) -> list[Line]:
    free, back = free_places(record), undone(record)
    wishes = [(one, _wish_of(record, one)) for one in side.people(tournament) if _waits(one, back)]
    known = [(person, wish) for person, wish in wishes if wish is not None]
    return [
        Line(person, wish, None if free is None or index < free else index - free)
        for index, (person, wish) in enumerate(known)
    ]


def _waits(person: Waiting, undone_entries: Collection[int]) -> bool:
    return person.state == "waiting" or (person.state == "accepted" and person.entry in undone_entries)


def _is_player(record: Record, person: Waiting) -> bool:
    return person.state == "accepted" and person.entry is not None and not record.is_dead(person.entry)


def _wish_of(record: Record, person: Waiting) -> RegisterPlayer | None:
    """Return a person's data: as given on the phone, or from the registration that was taken back."""
    if person.text:
        return RegisterPlayer.model_validate_json(person.text)
    player = next((one for one in record.players.values() if one.position == person.entry), None)
    if player is None or player.number in erased(record):
        return None
    their = player.person
    return RegisterPlayer(
        name=their.name, born=their.born, contact=their.contact, details=their.details, division=player.division
    )


def checked(ledger: Ledger, tournament: UUID, clerk: Clerk, line: Line) -> Line:
    """Return the line. If the person cannot be registered with these data, the line includes the problem."""
    record, context = ledger.record(tournament), context_of(ledger, tournament, clerk)
    try:
        line.wish.decide(record, context)
    except (Refusal, UsageProblem) as problem:
        anyway = line.wish.model_copy(update={"deviating": True})
        with suppress(Refusal, UsageProblem):
            anyway.decide(record, context)
            return line._replace(problem=problem.args[0], anyway=True)
        return line._replace(problem=problem.args[0])
    return line


def seen(side: SideFile, ledger: Ledger, tournament: UUID, code: str) -> Seen:
    """Return the data for the phone with a code. The state is "gone" for an unknown code, for a registration that
    was taken back or erased, and after the close. It is "late" if no round is left to play.
    """
    record = ledger.record(tournament)
    person = side.person(tournament, code)
    if person is None:
        return Seen("gone")
    if person.state == "declined":
        return Seen("declined")
    if person.state == "accepted" and not _waits(person, undone(record)):
        return _seen_as_player(record, person)
    line = next((line for line in _lines(side, record, tournament) if line.person.id == person.id), None)
    if line is None or record.closing is not None:
        return Seen("gone")
    if record.cut is not None or _is_last_round_paired(record):
        return Seen("late", line.wish.name)
    return Seen("place" if line.before is None else "waiting", line.wish.name, line.before or 0)


def _seen_as_player(record: Record, person: Waiting) -> Seen:
    player = next((one for one in record.entered() if one.position == person.entry), None)
    if player is None or link_age(record, player.number) or player.number in erased(record):
        return Seen("gone")
    return Seen("accepted", player.name, player=player.number)


def withdraw(side: SideFile, ledger: Ledger, tournament: UUID, code: str) -> None:
    """Delete the person with a phone's code from the list. A player stays."""
    person = side.person(tournament, code)
    if person is not None and not _is_player(ledger.record(tournament), person):
        side.forget(tournament, person.id)


def decline(side: SideFile, people: Iterable[Line]) -> None:
    """Take people off the list, and tell their phones."""
    for line in people:
        side.settle(line.person.id, "declined")


def put_back(side: SideFile, people: Iterable[Line]) -> None:
    """Put people back on the list, at their old places."""
    for line in people:
        side.settle(line.person.id, "waiting")


def accept(
    side: SideFile,
    ledger: Ledger,
    tournament: UUID,
    line: Line,
    clerk: Clerk,
    *,
    changes: Mapping[str, Any] | None = None,
    reason: str | None = None,
    typed: str | None = None,
) -> Done:
    """Register a person from the list, with the desk's `changes`, and tell the person's phone. One undo takes back
    all people who are accepted in one `typed` line.

    Raises the errors of `execute`, and Refusal if no place is free. After a crash, a repeated call registers nobody
    twice.
    """
    record, own = ledger.record(tournament), _command_of(line.person)
    before = next((command for command in record.commands if command.endswith(own)), None)
    if free_places(record) == 0 and before is None:
        raise Refusal(sentence("all %(places)s places are taken: allow more places first", places=places(record)))
    command = made_of(RegisterPlayer, line.wish.model_dump() | dict(changes or {}))
    id_ = before or (own if typed is None else named_part(typed, own))
    done = execute(ledger, tournament, Request(command, clerk, id_, reason))
    side.settle(line.person.id, "accepted", done.entries[0].position)
    return done


def _command_of(person: Waiting) -> str:
    """Return the id of the command that registers a person. After an undo, a person is registered anew."""
    again = "" if person.entry is None else f"-{person.entry}"
    return f"sign-up-{person.code[:32]}{again}"


def accept_all(
    side: SideFile, ledger: Ledger, tournament: UUID, clerk: Clerk
) -> tuple[list[Done], list[tuple[str, Sentence]]]:
    """Register everybody on the list who has a place. Return the registrations, and the refused names with the
    reasons.
    """
    accepted, refused, typed = [], [], new_command()
    for line in waiting_list(side, ledger, tournament):
        if line.before is not None:
            break
        try:
            accepted.append(accept(side, ledger, tournament, line, clerk, typed=typed))
        except (Refusal, UsageProblem) as problem:
            refused.append((line.wish.name, problem.args[0]))
    return accepted, refused


def is_open(record: Record) -> bool:
    """Return whether people may sign up by phone now."""
    return "sign-up" in phones_may(record) and record.cut is None and not _is_last_round_paired(record)


def _is_last_round_paired(record: Record) -> bool:
    plan = record.structure
    return plan is not None and 0 < plan.rounds <= len(record.rounds())
