"""Names on pages: the surname is bold, and a line breaks only before the surname."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from markupsafe import Markup, escape

from matchledger.events import Person
from matchledger_projections.record.roster import Player
from matchledger_projections.record.surnames import filed_under, parts_of

SHORT = 12  # letters of a name on a chip
WHOLE = 17  # letters of a surname that has room in one line everywhere


def named(player: Player | str, shown: str | None = None) -> Markup:
    """Return a player's name for a page. `shown` is the public name, if it differs from the player's own name."""
    person = _person(player)
    before, surname, after = parts_of(shown or person.name, person)
    several = len(surname) <= WHOLE and (" " in surname or "-" in surname)
    bold = f'<b class="whole">{escape(surname)}</b>' if several else f"<b>{escape(surname)}</b>"
    return Markup(f"{escape(before)}{bold}{escape(after)}")  # noqa: S704 - every part is escaped


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


def _person(player: Player | str) -> Person:
    return Person(name=player) if isinstance(player, str) else player.person
