"""Ties that the rulebook leaves to chance, or to a game between the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from matchledger.commands.command import Command, Context, Players, known
from matchledger.commands.refusal import Refusal, names_of, need_open
from matchledger.events import AnyFact, TieResolved
from matchledger_projections.divisions.tables import standings_apart
from matchledger_projections.message import sentence
from matchledger_projections.pairing.drawing import drawn_tie
from matchledger_projections.pairing.footing import seeds_of
from matchledger_projections.record.chance import tie_purpose
from matchledger_projections.record.record import Record
from matchledger_projections.stages.cut import plays_for_order


def order_tie(record: Record, *, players: Sequence[int], round_: int | None = None) -> list[AnyFact]:
    """Record the order of a tie that was settled at the table, best first."""
    need_open(record)
    through = record.finished_rounds if round_ is None else round_
    last, tied = next(
        ((last, group) for last, group in ties_after(record, through) if set(players) <= set(group)), (0, ())
    )
    if not tied or len(set(players)) != len(players):
        raise Refusal(
            sentence(
                "%(players)s are not tied after round %(round)s",
                players=names_of(record, list(players)),
                round=through,
            )
        )
    if len(players) != len(tied):
        missing = [player for player in tied if player not in players]
        raise Refusal(
            sentence("%(players)s is tied too: order all tied players", players=names_of(record, missing))
        )
    method = "rock-paper-scissors" if plays_for_order(record) else "random"
    return [TieResolved(round=last, players=tuple(players), method=method)]


def ties_after(record: Record, through: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return each tied group of players, with the round after which the players are tied.

    Divisions that play separately are ranked separately.

    Before the first finished round there is no ranking, and no tie.
    """
    if not through:
        return []
    return [(table.round, group) for table in standings_apart(record, through) for group in table.ties]


class DrawTies(Command):
    """Draw the order of every tie that the rulebook leaves to chance."""

    def draws(self, _: Record) -> bool:
        return True

    def decide(self, record: Record, context: Context) -> list[AnyFact]:
        need_open(record)
        through = record.finished_rounds
        found = ties_after(record, through)
        if not found:
            raise Refusal(sentence("no players are tied after round %(round)s", round=through))
        if plays_for_order(record):
            raise Refusal(
                sentence(
                    "%(players)s play rock-paper-scissors: record the order of that game",
                    players=names_of(record, found[0][1]),
                ),
                record.rulebook.tiebreak_rules.get("rock_paper_scissors"),
            )
        return [
            drawn_tie(group, round_, seeds_of(record, round_ + 1, context.secret())(tie_purpose(round_, group)))
            for round_, group in found
        ]


class OrderTie(Command):
    """Record the order of a tie that was settled at the table, best first."""

    players: Annotated[Players, Field(min_length=2, max_length=1000)]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        return order_tie(record, players=known(record, *self.players))
