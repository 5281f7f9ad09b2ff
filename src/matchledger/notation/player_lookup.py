"""Lookup: find the player, tournament or person with a name."""

from __future__ import annotations

from pydantic import ValidationError

from matchledger.events import Person
from matchledger.formats.text import did_you_mean, problem_with_name
from matchledger.notation.problems import UsageProblem, wrong_value
from matchledger_projections.conduct.staff import Leader, leader_called, leaders
from matchledger_projections.message import demanding, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player, is_membership, known_as

LONGEST_FORMAT = 60  # characters


class NoSuchName(UsageProblem):
    """No player, tournament or person has this name."""

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


def find_player(record: Record, name: str) -> Player:
    """Return a player by name, by number (#7), by a membership number, or by the unique beginning of a name."""
    wanted, called = known_as(name), record.named(name)
    if not wanted:
        raise UsageProblem(sentence("the name is empty: name a player, or write a number such as #7"))
    entered = record.entered()
    found = [] if called is None else [called]
    if name.startswith("#") and name[1:].isdecimal():
        numbered = [player for player in entered if str(player.number) == name[1:].lstrip("0")]
        if numbered and found and numbered != found:
            raise UsageProblem(
                sentence(
                    "%(name)s is the number of %(player)s, and the name of #%(other)s: write %(player)r or "
                    "#%(other)s",
                    name=name,
                    player=numbered[0].name,
                    other=found[0].number,
                )
            )
        found = numbered or found
    elif not found:
        found = [player for player in entered if has_number(player, wanted)]
        found = found or [player for player in entered if known_as(player.name).startswith(wanted)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(player.name for player in found[:5])
        raise UsageProblem(sentence("%(name)r can be %(names)s: write the whole name", name=name, names=names))
    if any(name == str(player.number) for player in entered):
        raise UsageProblem(
            sentence(
                "there is no player %(name)r: to name the player with that number, write %(number)r",
                name=name,
                number=f"#{name}",
            )
        )
    hint = did_you_mean(name, [player.name for player in entered])
    raise NoSuchName(
        sentence("there is no player %(name)r%(hint)s", name=name, hint=hint)
        if hint
        else demanding(sentence("there is no player %(name)r", name=name), "the players"),
        name,
    )


def find_exactly(record: Record, name: str) -> Player:
    """Return a player by the whole name or by number (#7), for commands that cannot be undone. Raises
    UsageProblem.
    """
    found = find_player(record, name)
    if name.startswith("#") or known_as(found.name) == known_as(name):
        return found
    raise UsageProblem(
        sentence(
            "%(name)r is only the beginning of a name: write the whole name, %(player)r, or #%(number)s",
            name=name,
            player=found.name,
            number=found.number,
        )
    )


def has_number(player: Player, wanted: str) -> bool:
    """Return whether a player has this membership number in a column of the roster (DCI, POP)."""
    numbers = (value for column, value in player.person.details.items() if is_membership(column))
    return any(known_as(number) == wanted for number in numbers)


def is_found_by(player: Player, wanted: str) -> bool:
    """Return whether a search finds a player: by #number, by part of the name, or by a whole membership number."""
    needle = known_as(wanted)
    numbered = needle.removeprefix("#") == str(player.number)
    return numbered or needle in known_as(player.name) or has_number(player, needle)


def number_typed(record: Record, written: str) -> int:
    """Return the number of a player from a desk's typed text: a number, a number after #, or a name.

    The function does not check that the number exists. Raises UsageProblem for an unknown name.
    """
    text = written.strip()
    digits = text.removeprefix("#").split(" ")[0]
    if digits.isdecimal() and len(digits) < 10 and (text.startswith("#") or digits == text):  # noqa: PLR2004 - larger numbers do not exist
        member = next((player.number for player in record.entered() if has_number(player, text)), None)
        return int(digits) if member is None or int(digits) in record.players else member
    return find_player(record, text).number


def find_leader(record: Record, name: str) -> Leader:
    """Return a leader of the event by name."""
    if (leader := leader_called(record, name)) is not None:
        return leader
    hint = did_you_mean(name, [leader.name for leader in leaders(record)])
    raise UsageProblem(
        sentence("there is no %(name)r on the staff%(hint)s", name=name, hint=hint)
        if hint
        else demanding(sentence("there is no %(name)r on the staff", name=name), "the leaders")
    )


def format_named(text: str) -> str:
    """Return the deck format with a name, in capitals or small letters."""
    name = "-".join(text.casefold().split())
    if not name.isprintable() or not 0 < len(name) <= LONGEST_FORMAT:
        raise UsageProblem(
            sentence(
                "a format is one or two words such as draft, with %(count)s characters at most",
                count=LONGEST_FORMAT,
            )
        )
    return name


def person_named(name: str | None, **fields: object) -> Person:
    """Return a person from the fields of a form. Raises UsageProblem for an invalid name, year or contact."""
    name = " ".join(part for part in (name or "").split(" ") if part)
    if (problem := problem_with_name(name)) is not None:
        raise UsageProblem(problem, "name")
    try:
        return Person.model_validate({"name": name, **fields})
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageProblem(wrong_value(first), ".".join(map(str, first["loc"]))) from None
