"""Who is still in play: the players for whom a game of the event is left, and what their phones may do."""

from __future__ import annotations

from collections.abc import Sequence

from matchledger.events import PhoneUse
from matchledger_projections.divisions.grouping import division_of
from matchledger_projections.record.phones import phones_may
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import Bracket, cut_of
from matchledger_projections.stages.placing import contested_players
from matchledger_projections.stages.structure import swiss_is_over

_OF_PLAYERS_IN_PLAY: frozenset[PhoneUse] = frozenset({"deck", "drop", "check-in"})


def player_may(record: Record, player: int, drawn: Sequence[Bracket]) -> frozenset[PhoneUse]:
    """Return what a player may do with a personal link. `drawn` are the brackets of the event.

    A disqualified player's link only shows. A player who dropped still reports the match of the current round. A
    player without a game left still calls a judge.
    """
    if record.status(player) == "disqualified":
        return frozenset()
    return phones_may(record) - (frozenset() if plays_on(record, player, drawn) else _OF_PLAYERS_IN_PLAY)


def plays_on(record: Record, player: int, drawn: Sequence[Bracket]) -> bool:
    """Return whether a game of the event may be left for a player. `drawn` are the brackets of the event."""
    return record.closing is None and record.status(player) == "active" and not _is_out(record, player, drawn)


def _is_out(record: Record, player: int, drawn: Sequence[Bracket]) -> bool:
    """Return whether an active player has no game left: outside the cut, after a defeat in a bracket, or after the
    last game.
    """
    division = division_of(record, player)
    if any(cut.division in (None, division) for cut in record.cuts):
        if cut_of(record, player) is None:
            return True
    elif record.rounds() and (record.cuts or not record.rounds("elimination")):
        return swiss_is_over(record, division)
    if player in contested_players(record):
        return False
    return lost_round(drawn, player) is not None or any(
        one.is_over and player in one.rounds[-1][0].players for one in drawn
    )


def lost_round(drawn: Sequence[Bracket], player: int) -> int | None:
    """Return the elimination round that a player lost, or None while the player has a game to come."""
    for one in drawn:
        for number, games in enumerate(one.rounds, 1):
            if any(player in game.losers for game in games):
                return None if _plays_for_third(one, number) else number
    return None


def _plays_for_third(drawn: Bracket, number: int) -> bool:
    """Return whether the losers of a round still play for 3rd and 4th place."""
    return drawn.playoff is not None and drawn.playoff.winner is None and number == len(drawn.rounds) - 1
