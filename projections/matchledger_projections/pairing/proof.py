"""The proof that every pairing of a round has a rematch, in a sentence that anyone at the desk can check.

Before allowing a rematch, an organizer should see why none can be avoided. The sentence names sets of
players, each odd in number, who have met everybody outside except a few players (the theorem of Tutte and
Berge, see `Obstruction`). Each set needs one of these few players, and there are more sets than such players.
"""

from __future__ import annotations

from collections.abc import Collection

from matchledger_projections.message import Sentence, joined, numbered, sentence
from matchledger_projections.pairing.field import Obstruction
from matchledger_projections.record.record import Record

NAMED = 8
"""The most players named. Above it the sentence gives only their number, because a refusal is one line."""


def proof(record: Record, obstruction: Obstruction) -> Sentence:
    """The reason why some player lacks an opponent in every pairing."""
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
        "each of these %(count)s players has no new opponent except %(others)s: %(sets)s",
        count=count,
        others=others,
        sets=players,
    )


def _of_sets(count: int, sets: Sentence, others: Sentence | None) -> Sentence:
    if others is None:
        return sentence(
            (
                "each of these %(count)s groups has an odd number of players, and no new opponent outside the "
                "group: %(sets)s"
            ),
            count=count,
            sets=sets,
        )
    return sentence(
        (
            "each of these %(count)s groups has an odd number of players, and no new opponent outside the "
            "group except %(others)s: %(sets)s"
        ),
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
    """Players by number, then the bye."""
    return player is None, player or 0
