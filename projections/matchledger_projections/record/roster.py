"""The roster: the players of a tournament, when each one came, and who has left."""

from __future__ import annotations

import unicodedata
from bisect import insort
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from matchledger.events import (
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
)
from matchledger_projections.record.retractions import Retractions

Status = Literal["active", "dropped", "disqualified"]
Movement = PlayerDropped | PlayerRejoined | PlayerDisqualified


class Player(NamedTuple):
    """A player as registered.

    `losses` are the rounds charged to a late player, or None if the player was on time.

    `since` is the last round that was over or in progress when the player came, or 0 if the player was on time.
    """

    number: int
    person: Person
    division: str | None
    attributes: dict[str, str]
    position: int
    losses: tuple[int, ...] | None
    since: int

    @property
    def name(self) -> str:
        return self.person.name


def pseudonym(player: int) -> str:
    """Return the text shown for a player who was erased, or whose key is missing here."""
    return f"Player {player}"


def known_as(name: str) -> str:
    """Return a name in comparable form: case, spaces and the encoding of accents make no difference."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())


# Roster columns with the player's number at the publisher.
_MEMBERSHIPS = {"membership", "membership number", "member", "player id", "dci", "pop", "pop id", "gem id"}


def is_membership(column: str) -> bool:
    """Return whether a column of a roster has the player's number at the publisher."""
    return _heading(column) in _MEMBERSHIPS


def memberships(columns: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The membership numbers in the columns of a player, each behind its column in lower case."""
    for column, value in columns.items():
        if is_membership(column) and value.strip():
            yield column.casefold(), value.strip()


# Names of the roster column for surnames. The column is needed, because a full name does not show which part is the
# surname.
_SURNAMES = {"surname", "last name", "lastname", "family name", "nachname", "familienname"}


def is_surname(column: str) -> bool:
    """Return whether a column of a roster has the player's surname."""
    return _heading(column) in _SURNAMES


def _heading(column: str) -> str:
    return column.casefold().replace("_", " ").replace("-", " ").strip()


def plain_letters(name: str) -> str:
    """Return the letters of a name without case and accents, for sorting and searching."""
    if name.isascii():
        return name.casefold()
    letters = unicodedata.normalize("NFKD", name.translate(_STROKED).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


# Unicode does not split a letter with a stroke into letter and accent.
_STROKED = str.maketrans("ŁłØøĐđĦħ", "LlOoDdHh")


class Roster(Retractions):
    """The players by number in order of registration, and when each came or left, by position."""

    def __init__(self) -> None:
        super().__init__()
        self.players: dict[int, Player] = {}
        self.movements: dict[int, list[tuple[int, Movement]]] = {}
        self.entered_as: dict[int, Player] = {}  # players as first registered, if their data were corrected later
        self._named: dict[str, list[int]] = {}
        self._unnamed: list[int] = []  # new players since the last search for a name
        self._moved_after: dict[int, int] = {}

    def status(self, player: int, through: int | None = None) -> Status:
        """Return a player's status at the end of round `through` (None means now): active, dropped or
        disqualified.
        """
        return self.standing_of(player, through)[0]

    def standing_of(self, player: int, through: int | None = None) -> tuple[Status, int | None]:
        """Return a player's status after a round and, if the player left, the last round on the player's record."""
        status: Status = "active"
        left_after: int | None = None
        if player not in self.movements:  # most players never leave and return
            return status, left_after
        for position, fact in self.movements[player]:
            if self.is_dead(position):
                continue
            match fact:
                case PlayerRejoined():
                    if through is None or self._came_after(position, fact) <= through:
                        status, left_after = "active", None
                case PlayerDropped() | PlayerDisqualified():
                    # A player who leaves in the elimination stage keeps the place in the Swiss standings.
                    if through is None or (fact.stage == "swiss" and fact.after_round <= through):
                        status = "dropped" if isinstance(fact, PlayerDropped) else "disqualified"
                        left_after = fact.after_round
        return status, left_after

    def charged_rounds(self, player: int, through: int) -> list[int]:
        """Return the rounds up to `through` that count as unpaired losses, for a late arrival or a late return."""
        losses = self.players[player].losses
        if not losses and player not in self.movements:  # most players come on time and stay
            return []
        rounds = [number for number in losses or () if number <= through]
        for position, fact in self.movements.get(player, ()):
            if isinstance(fact, PlayerRejoined) and self._came_after(position, fact) <= through:
                rounds += fact.losses if not self.is_dead(position) else ()
        return [number for number in rounds if self.misses(player, number)]

    def charged_with(self, number: int) -> set[int]:
        """Return the players to whom a round counts as an unpaired loss."""
        came_late = {player for player, entered in self.players.items() if entered.losses}
        some = came_late | (self.movements.keys() & self.players.keys())
        return {player for player in some if number in self.charged_rounds(player, number)}

    def late_losses(self, player: int) -> tuple[int, ...] | None:
        """Return the rounds that a late player misses. Return None for a player on time."""
        losses = self.players[player].losses
        return None if losses is None else tuple(number for number in losses if self.misses(player, number))

    def misses(self, _player: int, _number: int) -> bool:
        """Return whether a player misses a round that an entry charged."""
        return True

    def entered_after(self, player: Player) -> int:
        """Return the last round that was over or in progress when a player entered, or 0 if the player was on
        time.
        """
        return self._over_before(player.number, player.losses or (), player.since)

    def _came_after(self, position: int, fact: PlayerRejoined) -> int:
        return self._over_before(fact.player, fact.losses, self._moved_after[position])

    def _over_before(self, player: int, charged: Iterable[int], latest: int) -> int:
        """Return the last round that a player missed. If a charged loss was taken back, return the round before
        that loss.
        """
        return min((number - 1 for number in charged if not self.misses(player, number)), default=latest)

    def entered(self, through: int | None = None) -> list[Player]:
        """Return the players who had entered by the end of a round (None means now), in order of registration."""
        players = list(self.players.values())
        if self.has_retractions:
            players = [player for player in players if not self.is_dead(player.position)]
        if through is None:
            return players
        return [one for one in players if (self.entered_after(one) if one.losses else one.since) <= through]

    def named(self, name: str) -> Player | None:
        """Return the player with a name, compared by `known_as`, or None."""
        for number in self.names.get(known_as(name), ()):
            if not self.is_dead(self.players[number].position):
                return self.players[number]
        return None

    @property
    def names(self) -> dict[str, list[int]]:
        """Return the players by name in comparable form. The first search builds the index of names."""
        for number in self._unnamed:
            insort(self._named.setdefault(known_as(self.players[number].name), []), number)
        self._unnamed.clear()
        return self._named

    def active_players(self) -> list[Player]:
        moved = self.movements
        players = self.entered()
        return [one for one in players if self.status(one.number) == "active"] if moved else players

    def enter(
        self,
        position: int,
        fact: PlayerRegistered | PlayerArrivedLate,
        losses: tuple[int, ...] | None = None,
        since: int = 0,
    ) -> None:
        """Add a player. `losses` and `since` belong to a late player, as in `Player`."""
        self.players[fact.number] = Player(
            fact.number, fact.person, fact.division, fact.attributes, position, losses, since
        )
        self._unnamed.append(fact.number)

    def forget(self, player: int) -> None:
        """Replace a player's name by the number, at this and every earlier moment."""
        unknown = Person(name=pseudonym(player))
        if player in self.entered_as:
            self.entered_as[player] = self.entered_as[player]._replace(person=unknown)
        self.call(player, unknown)

    def call(self, player: int, person: Person) -> None:
        """Replace a player's data, at this and every earlier moment."""
        known = self.players[player]
        self.names[known_as(known.name)].remove(player)
        self.players[player] = known._replace(person=person)
        self._unnamed.append(player)

    def take_names_from(self, whole: Roster) -> None:
        """Take every player's name from a later record."""
        for number in whole.entered_as.keys() & self.players.keys():
            self.call(number, whole.players[number].person)

    def take_roster_from(self, whole: Roster, position: int) -> None:
        """Fill an empty roster from another up to a position."""
        self.take_from(whole, position)
        self.players = {number: player for number, player in whole.players.items() if player.position <= position}
        self._unnamed = list(self.players)
        self.entered_as = {
            number: player for number, player in whole.entered_as.items() if player.position <= position
        }
        for number, movements in whole.movements.items():
            if known := [moved for moved in movements if moved[0] <= position]:
                self.movements[number] = known
        self._moved_after = {at: last for at, last in whole._moved_after.items() if at <= position}

    def move(self, position: int, fact: Movement, latest: int) -> None:
        """Note that a player left or returned. `latest` is the last round that was paired before."""
        self.movements.setdefault(fact.player, []).append((position, fact))
        charged = fact.losses if isinstance(fact, PlayerRejoined) else ()
        self._moved_after[position] = max(charged, default=latest)
