"""Honours: the champions, and everybody's final place, by division."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from matchledger.events import Stage
from matchledger.web.public.hall import Hall
from matchledger.web.public.knockout import knockouts
from matchledger.web.public.places import Tally, tally
from matchledger_projections.stages.placing import Place

DASH = "\N{EN DASH}"
SHOWN = 8  # how many places a podium shows beside the champion


class Honoured(NamedTuple):
    """A player's final place, from `first` to `last` if several share it. `first` is None for a player without a
    place.
    """

    place: Place
    name: str
    tally: Tally
    letter: str

    @property
    def shown(self) -> str:
        """Return the place as a page shows it: one number, a range, or a dash."""
        first, last = self.place.first, self.place.last
        if first is None:
            return DASH
        return str(first) if first == last else f"{first}{DASH}{last}"


class Honours(Struct, frozen=True):
    """The final places of a division, or of everybody if `division` is None. `final` has the champion's score in
    the final, the opponent's score, and the opponent's name.
    """

    division: str | None
    champion: int | None
    final: tuple[int | None, int | None, str] | None
    places: list[Honoured]

    @property
    def crowned(self) -> Honoured | None:
        """Return the champion's line, or None without a champion."""
        return next((one for one in self.places if one.place.player == self.champion), None)

    @property
    def podium(self) -> list[Honoured]:
        """Return the best players below the champion."""
        return self._below[: SHOWN - 1]

    @property
    def rest(self) -> list[Honoured]:
        """Return the lines below the podium, or all lines without a champion."""
        return self.places if self.champion is None else self._below[SHOWN - 1 :]

    @property
    def _below(self) -> list[Honoured]:
        return [one for one in self.places if one.place.player != self.champion]


def honours(hall: Hall) -> list[Honours]:
    """Return the honours of every division with its own places."""
    champions = dict(hall.champions)
    finals = {one.division: one for one in knockouts(hall)}
    found = []
    for division, places in hall.places:
        knockout = finals.get(division)
        sides = () if knockout is None or knockout.champion is None else knockout.levels[-1].games[0].sides
        champion = champions.get(division)
        won = next((side for side in sides if side.state == "won" and side.player == champion), None)
        lost = next((side for side in sides if side.state == "lost"), None)
        final = None
        if won is not None and lost is not None and lost.player is not None:
            final = won.score, lost.score, hall.name(lost.player)
        table = hall.standings.table
        lines = [
            Honoured(place, hall.name(place.player), tally(table, place.player), hall.letter(place.player))
            for place in places
        ]
        found.append(Honours(division, champion, final, lines))
    return found


def is_title(hall: Hall, stage: Stage, round_: int, winner: int) -> bool:
    """Return whether the winner of a match won the title in it: the champion's last match of the elimination."""
    if stage != "elimination" or all(winner != champion for _, champion in hall.champions):
        return False
    return round_ == max(one.number for one in hall.whole.rounds(stage) if one.table_of(winner) is not None)
