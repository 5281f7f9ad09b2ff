"""Sudden Death: the turn from which wounds decide a game of Ashes after time is called (ASH-SD)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from matchledger_projections.record.round import Round
from matchledger_projections.record.round_clock import RoundClock

DISCARDS = 2  # how many cards a player discards at the start of each turn


class SuddenDeath(Struct, frozen=True):
    """A table after time: the player who pays first, and the player who has a free turn before. A player is None
    if nobody recorded who it is.
    """

    table: int
    begins: int | None
    free: int | None


def from_turn(players: tuple[int, int], first_player: int, turn: int) -> tuple[int, int | None]:
    """Return who pays first and who has a free turn before that, from the player whose turn it was at time.

    Sudden Death begins with the First Player's next turn: at once after the Second Player's turn, otherwise one
    turn later.
    """
    other = players[1] if first_player == players[0] else players[0]
    return first_player, (other if turn == first_player else None)


def wounds(cards: int) -> int:
    """Return the wounds of a player with `cards` cards left to discard, in hand, on the spellboard and in the
    draw pile.
    """
    return max(DISCARDS - cards, 0)


def sudden_deaths(round_: Round, clock: RoundClock) -> Iterator[SuddenDeath]:
    """Yield every table that still plays, with the recorded first player and turn."""
    turns = {call.table: call.turn for call in clock.calls if call.turn is not None}
    for table in round_.outstanding:
        noted, turn = round_.first_player(table), turns.get(table)
        if noted is None:
            yield SuddenDeath(table, None, None)
        elif turn is None:
            yield SuddenDeath(table, noted.first_player, None)
        else:
            yield SuddenDeath(table, *from_turn(round_.tables[table], noted.first_player, turn))
