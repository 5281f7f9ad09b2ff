"""The roster: who is in a tournament, since when, and who has left."""

from __future__ import annotations

import unicodedata
from bisect import insort
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
    """A player as entered; `losses` are the rounds charged to a late arrival, None for a player on time.

    `since` is the last round that was over, or under way, when the player came; 0 for a player on time.
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
    """What stands for the name of a player who was erased, or whose key is not at hand."""
    return f"Player {player}"


def known_as(name: str) -> str:
    """A name as names are compared: neither case, nor blanks, nor how an accent is encoded make another player."""
    return " ".join(unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).split())


# Columns of a roster that hold the number of a player in the publisher's program.
_MEMBERSHIPS = {"membership", "membership number", "member", "player id", "dci", "pop", "pop id", "gem id"}


def is_membership(column: str) -> bool:
    """Return whether a column of a roster holds the number of a player in the publisher's program."""
    return column.casefold().replace("_", " ").replace("-", " ") in _MEMBERSHIPS


def plain_letters(name: str) -> str:
    """The letters that somebody looks for: neither case nor accents move a name in a list."""
    letters = unicodedata.normalize("NFKD", name.translate(_STROKED).casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


# Letters with a stroke through them do not come apart into a letter and an accent.
_STROKED = str.maketrans("ŁłØøĐđĦħ", "LlOoDdHh")


def list_order(name: str) -> tuple[str, str]:
    """Where a name stands in a list by name: by the surname where there is one, then by the whole name (C-D18).

    The surname is what stands before a comma, else the last word of several.
    """
    surname, comma, _ = name.partition(",")
    last = name.rsplit(maxsplit=1)[-1]
    return plain_letters(surname if comma else last if last[:1].isalpha() else name), plain_letters(name)


class Roster(Retractions):
    """The players by number, in order of registration, and their comings and goings by position."""

    def __init__(self) -> None:
        super().__init__()
        self.players: dict[int, Player] = {}
        self.movements: dict[int, list[tuple[int, Movement]]] = {}
        self.entered_as: dict[int, Player] = {}  # players whose data was put right since, as they entered
        self._named: dict[str, list[int]] = {}
        self._unnamed: list[int] = []  # who came since a name was last looked for
        self._moved_after: dict[int, int] = {}

    def status(self, player: int, through: int | None = None) -> Status:
        """Whether a player is in, as of the end of round `through` (now, if None)."""
        return self.standing_of(player, through)[0]

    def standing_of(self, player: int, through: int | None = None) -> tuple[Status, int | None]:
        """A player's status as of a round, and the last round on the record of one who is out."""
        status: Status = "active"
        left_after: int | None = None
        for position, fact in self.movements.get(player, ()):
            if self.is_dead(position):
                continue
            match fact:
                case PlayerRejoined():
                    if through is None or self._moved_after[position] <= through:
                        status, left_after = "active", None
                case PlayerDropped() | PlayerDisqualified():
                    if through is None or self._has_left(position, fact, through):
                        status = "dropped" if isinstance(fact, PlayerDropped) else "disqualified"
                        left_after = fact.after_round
        return status, left_after

    def _has_left(self, position: int, fact: PlayerDropped | PlayerDisqualified, through: int) -> bool:
        """Whether a player had left by the end of a Swiss round.

        Leaving the elimination stage changes no Swiss standings, but a disqualified player is ranked in no final
        ones (L5R-IV.2-DQ).
        """
        if fact.stage == "swiss":
            return fact.after_round <= through
        return isinstance(fact, PlayerDisqualified) and self._moved_after[position] <= through

    def charged_rounds(self, player: int, through: int) -> list[int]:
        """The rounds up to `through` that count as unpaired losses, for coming late or coming back."""
        rounds = [number for number in self.players[player].losses or () if number <= through]
        for position, fact in self.movements.get(player, ()):
            if isinstance(fact, PlayerRejoined) and self._moved_after[position] <= through:
                rounds += fact.losses if not self.is_dead(position) else ()
        return rounds

    def entered(self, through: int | None = None) -> list[Player]:
        """The players who had entered by the end of a round (by now, if None), in order of registration."""
        players = list(self.players.values())
        if self.has_retractions:
            players = [player for player in players if not self.is_dead(player.position)]
        if through is None:
            return players
        return [player for player in players if player.since <= through]

    def named(self, name: str) -> Player | None:
        """The player of a name, compared as by `known_as`."""
        for number in self.names.get(known_as(name), ()):
            if not self.is_dead(self.players[number].position):
                return self.players[number]
        return None

    @property
    def names(self) -> dict[str, list[int]]:
        """The players of each name, as `known_as` has it; nobody is filed before somebody asks."""
        for number in self._unnamed:
            insort(self._named.setdefault(known_as(self.players[number].name), []), number)
        self._unnamed.clear()
        return self._named

    def active_players(self) -> list[Player]:
        return [player for player in self.entered() if self.status(player.number) == "active"]

    def enter(self, position: int, fact: PlayerRegistered | PlayerArrivedLate, latest: int) -> None:
        """Takes a player in, when round `latest` was the last one paired."""
        losses = fact.losses if isinstance(fact, PlayerArrivedLate) else None
        since = 0 if losses is None else max(losses, default=latest)
        self.players[fact.number] = Player(
            fact.number, fact.person, fact.division, fact.attributes, position, losses, since
        )
        self._unnamed.append(fact.number)

    def forget(self, player: int) -> None:
        """Makes a number of a player's name, at this moment and at all before it."""
        unknown = Person(name=pseudonym(player))
        if player in self.entered_as:
            self.entered_as[player] = self.entered_as[player]._replace(person=unknown)
        self.call(player, unknown)

    def call(self, player: int, person: Person) -> None:
        """Replaces who a player is, at this moment and at all before it."""
        known = self.players[player]
        self.names[known_as(known.name)].remove(player)
        self.players[player] = known._replace(person=person)
        self._unnamed.append(player)

    def take_names_from(self, whole: Roster) -> None:
        """Calls every player as a later record does."""
        for number in whole.entered_as.keys() & self.players.keys():
            self.call(number, whole.players[number].person)

    def take_roster_from(self, whole: Roster, position: int) -> None:
        """Fills an empty one with what another says up to a position."""
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
        """Notes that a player left or came back, when round `latest` was the last one paired."""
        self.movements.setdefault(fact.player, []).append((position, fact))
        charged = fact.losses if isinstance(fact, PlayerRejoined) else ()
        self._moved_after[position] = max(charged, default=latest)
