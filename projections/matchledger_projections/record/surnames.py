"""Surnames: the part of a name by which lists are sorted, and which pages set in bold."""

from __future__ import annotations

from typing import NamedTuple

from matchledger.events import Person
from matchledger_projections.record.roster import is_surname, plain_letters

# Words before a surname that belong to it: "van den Bergh", "De La Cruz".
_PARTICLES = {"af", "al", "av", "ben", "bin", "el", "ibn", "op", "'t", "te", "ten", "ter", "van", "vom", "von"}
_PARTICLES |= {"da", "dal", "das", "de", "del", "della", "dem", "den", "der", "des", "di", "do", "dos", "du"}
_PARTICLES |= {"la", "las", "le", "les", "lo", "los", "zu", "zum", "zur"}
_LINKS = {"y", "e", "i", "und"}  # words that join two family names, as in "García y Vega"
_SUFFIXES = {"jr", "sr", "ii", "iii", "iv"}  # words after a surname


class Parts(NamedTuple):
    """The parts of a name: the surname, and the words before and after it. `surname` is the whole name if the name
    does not show which part is the surname.
    """

    before: str
    surname: str
    after: str


def surname_of(person: Person) -> str:
    """Return a player's surname with its particles (C-D18).

    The surname comes from the roster's column for it. Without that column, the surname is the part before a
    comma in the name, or the last word with the particles before it.
    """
    return _stated(person) or _in_a_name(person.name)


def filed_under(person: Person) -> str:
    """Return the part of a surname by which a list sorts.

    A surname from the roster counts whole. In any other surname, particles with small letters do not count: "Ann
    van den Bergh" is sorted under B.
    """
    if stated := _stated(person):
        return stated
    words = _in_a_name(person.name).split()
    while len(words) > 1 and words[0] in _PARTICLES:
        del words[0]
    return " ".join(words)


def list_order(person: Person) -> tuple[str, str]:
    """Return the sort key of a player in a list: first the surname, then the whole name (C-D18)."""
    return plain_letters(filed_under(person)), plain_letters(person.name)


def _stated(person: Person) -> str:
    for column, value in person.details.items():
        if is_surname(column) and value.strip():
            return value.strip()
    surname, comma, _ = person.name.partition(",")
    return surname.strip() if comma else ""


def _in_a_name(name: str) -> str:
    words = name.split()
    end = len(words)
    while end > 1 and words[end - 1].casefold().strip(".") in _SUFFIXES:
        end -= 1
    if not words[end - 1][:1].isalpha():
        return name
    start = end - 1
    while start > 1:
        if words[start - 1].casefold() in _PARTICLES:
            start -= 1
        elif words[start - 1] in _LINKS and start > 2:  # noqa: PLR2004 - a given name, a surname and the link
            start -= 2
        else:
            break
    return " ".join(words[start:end])


def parts_of(name: str, person: Person) -> Parts:
    """Split the name that a page shows for a player, around the player's surname."""
    wanted, words = plain_letters(surname_of(person)), name.split(" ")
    for start in range(len(words)) if "," in name else reversed(range(len(words))):
        for end in range(start + 1, len(words) + 1):
            found = " ".join(words[start:end]).rstrip(",")
            if plain_letters(found) == wanted:
                before = "".join(f"{word} " for word in words[:start])
                return Parts(before, found, name[len(before) + len(found) :])
    return Parts("", name, "")
