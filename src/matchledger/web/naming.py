"""Names on pages: the surname is bold, and a line breaks only before the surname."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import get_args

from markupsafe import Markup, escape

from matchledger.commands.draft import SERVER, Clerk
from matchledger.events import Person, Role
from matchledger.service.player_links import STATION
from matchledger_projections.record.roster import Player
from matchledger_projections.record.surnames import Parts, filed_under, parts_of

# What the program calls people and stations that have no other name. Old logs have entries of the public pages.
OWN_NAMES = frozenset({*get_args(Role), Clerk().station, SERVER, STATION, "public pages"})
SHORT = 12  # letters of a name on a chip
WHOLE = 17  # letters of a part of a name that has room in one line everywhere


def named(player: Player | str, shown: str | None = None) -> Markup:
    """Return a player's name for a page. `shown` is the public name, if it differs from the player's own name."""
    person = _person(player)
    return in_bold(parts_of(shown or person.name, person))


def in_bold(parts: Parts) -> Markup:
    """Return a name for a page, from its parts."""
    before, surname, after = parts
    given = before.rstrip()
    first = f"<i{_kept(given)}>{escape(given)}</i>{before[len(given) :]}" if _kept(given) else escape(before)
    bold = f"<b{_kept(surname)}>{escape(surname)}</b>"
    return Markup(f"{first}{bold}{escape(after)}")  # noqa: S704 - every part is escaped


def _kept(part: str) -> str:
    """Return the class that keeps the words of a part of a name in one line, if the part has several words."""
    if " " not in part and "-" not in part:
        return ""
    return ' class="whole"' if len(part) <= WHOLE else ' class="held"'


def naming(players: Iterable[Player]) -> Callable[[str], Markup]:
    """Return a function that sets a name for a page. A player's name follows the roster's surname."""
    known = {player.name: player for player in players}
    return lambda name: named(known.get(name, name))


def short_name(player: Player | str, shown: str | None = None) -> str:
    """Return a name for a chip: the first given name, up to its hyphen, and the initial of the surname."""
    person = _person(player)
    name = shown or person.name
    before, _, after = parts_of(name, person)
    given = (before or after.lstrip(", ")).split()
    if len(name) <= SHORT or not given:
        return name
    first = given[0].split("-")[0] if len(given[0]) > SHORT else given[0]
    return f"{first} {filed_under(person)[0]}."


def tile_name(player: Player) -> str:
    """Return a name for a tile of the hall: the initial of the given name, and the surname."""
    before, surname, _ = parts_of(player.name, player.person)
    given = before.strip()
    return f"{given[0]}. {surname}" if given else player.name


def initials(player: Player | str, shown: str | None = None) -> str:
    """Return a name for a chip on a phone: the initial of the given name, and three letters of the surname. If a
    public page shows only initials of the player, the chip also shows only initials.
    """
    person = _person(player)
    before, _, after = parts_of(shown or person.name, person)
    given, surname = (before or after.lstrip(", "))[:1], filed_under(person)
    if shown is not None and shown != person.name:
        return f"{given}{surname[:1]}"
    return f"{given}.{surname[:3]}" if given else surname[:3]


def _person(player: Player | str) -> Person:
    return Person(name=player) if isinstance(player, str) else player.person
