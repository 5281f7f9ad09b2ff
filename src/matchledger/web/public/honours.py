"""Honours: the champions, and everybody's final place, by division."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec import Struct

from matchledger.events import Stage
from matchledger.web.public.hall import Hall
from matchledger.web.public.places import Tally, tally
from matchledger_projections.record.lateness import ABSENT, WITHOUT_PLAY
from matchledger_projections.stages.bracket import Bracket
from matchledger_projections.stages.placing import Place

DASH = "\N{EN DASH}"
SHOWN = 8  # how many places a podium shows beside the champion


class Honoured(NamedTuple):
    """A player's final place, from `first` to `last` if several share it. `first` is None for a player without a
    place. An open place can still change: after the close, no place can.
    """

    place: Place
    is_open: bool
    name: str
    tally: Tally
    letter: str

    @property
    def shown(self) -> str:
        """Return the place as a page shows it: one number, a range, or a dash, with "?" while it is open."""
        first, last = self.place.first, self.place.last
        if first is None:
            return DASH
        shared = str(first) if first == last else f"{first}{DASH}{last}"
        return f"{shared}?" if self.is_open else shared


class Final(NamedTuple):
    """How the champion won the final: in a match with the `scores` of both, against no opponent (`unplayed`), or
    after the disqualification of the opponent, whatever the result on the table.
    """

    how: Literal["played", "unplayed", "disqualified"]
    opponent: int
    scores: tuple[int, int] | None


class Honours(Struct, frozen=True):
    """The final places of a division, or of everybody if `division` is None. Without a champion or a final, `final`
    is None.
    """

    division: str | None
    champion: int | None
    final: Final | None
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
    champions, closed = dict(hall.champions), hall.whole.closing is not None
    drawn = {one.division: one for one in hall.brackets}
    found = []
    for division, places in hall.places:
        champion, bracket = champions.get(division), drawn.get(division)
        final = None if champion is None or bracket is None else _final(hall, bracket, champion)
        table = hall.standings.table
        lines = [
            Honoured(
                place,
                not (place.decided or closed),
                hall.name(place.player),
                tally(table, place.player),
                hall.letter(place.player),
            )
            for place in places
        ]
        found.append(Honours(division, champion, final, lines))
    return found


def _final(hall: Hall, drawn: Bracket, champion: int) -> Final | None:
    """Return how the champion won the final, or None if nobody else was to play in it."""
    game = drawn.rounds[-1][0]
    opponent = next((player for player in game.players if player != champion), None)
    if opponent is None or champion not in game.players:
        return None
    round_ = hall.whole.round(len(drawn.rounds), "elimination")
    report = None if round_ is None or game.table is None else round_.report(game.table, round_.tables[game.table])
    if report is None or report.kind in ABSENT:
        return Final("unplayed", opponent, None)
    was_played = report.winner == champion and report.kind not in WITHOUT_PLAY
    if opponent in hall.disqualified and not was_played:
        return Final("disqualified", opponent, None)
    own, others = report.score_of(champion), report.score_of(opponent)
    return Final("played", opponent, (own[0], others[0]) if own and others else None)


def is_title(hall: Hall, stage: Stage, round_: int, winner: int) -> bool:
    """Return whether the winner of a match won the title in it: the champion's last match of the elimination."""
    if stage != "elimination" or all(winner != champion for _, champion in hall.champions):
        return False
    return round_ == max(one.number for one in hall.whole.rounds(stage) if one.table_of(winner) is not None)
