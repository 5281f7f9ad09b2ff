"""The proof that a round has no pairing without a rematch, in a sentence that anybody at the desk can check.

Whoever allows a rematch should see why none can be avoided: sets of players, odd in number, who have met everybody
else but a few (the theorem of Tutte and Berge, see `Obstruction`). Each set needs one of these few, and there are
more sets.
"""

from __future__ import annotations

from collections.abc import Collection

from matchledger_projections.message import Sentence, joined, numbered, sentence
from matchledger_projections.pairing.field import Obstruction
from matchledger_projections.record.record import Record

NAMED = 8
"""How many are named; of more, their number is said, for a refusal is one line."""


def proof(record: Record, obstruction: Obstruction) -> Sentence:
    """Why an opponent is missing, whoever meets whom."""
    islands = sorted(obstruction.islands, key=lambda island: (len(island), sorted(map(_place, island))))
    sets = [_named(record, island) for island in islands[:NAMED]]
    if more := len(islands) - len(sets):
        sets.append(sentence("%(count)s more", count=more))
    others = _named(record, obstruction.separators) if obstruction.separators else None
    players_alone = all(len(island) == 1 and None not in island for island in islands)
    said = _of_players if players_alone else _of_sets
    return said(len(islands), joined(sets, "; "), others)


def _of_players(count: int, players: Sentence, others: Sentence | None) -> Sentence:
    if others is None:
        return sentence("each of these %(count)s players has no new opponent: %(sets)s", count=count, sets=players)
    return sentence(
        "each of these %(count)s players has no new opponent but %(others)s: %(sets)s",
        count=count,
        others=others,
        sets=players,
    )


def _of_sets(count: int, sets: Sentence, others: Sentence | None) -> Sentence:
    if others is None:
        return sentence(
            "each of these %(count)s sets of players is odd in number and has no new opponent outside it: %(sets)s",
            count=count,
            sets=sets,
        )
    return sentence(
        "each of these %(count)s sets of players is odd in number and has no new opponent outside it but "
        "%(others)s: %(sets)s",
        count=count,
        others=others,
        sets=sets,
    )


def _named(record: Record, players: Collection[int | None]) -> Sentence:
    if len(players) > NAMED:
        return numbered("%(count)s player", "%(count)s players", len(players))
    names = [
        sentence("the bye") if player is None else record.players[player].name
        for player in sorted(players, key=_place)
    ]
    return joined(names)


def _place(player: int | None) -> tuple[bool, int]:
    """Players by number, and the bye behind them."""
    return player is None, player or 0
