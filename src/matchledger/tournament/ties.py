"""Ties that the rulebook leaves to chance, or to a game between the players."""

from __future__ import annotations

from collections.abc import Sequence

from matchledger.events import AnyFact, TieResolved
from matchledger.tournament.refusal import Refusal, names_of, need_open
from matchledger_projections.chance import seeds_of, tie_purpose
from matchledger_projections.pairing.drawing import drawn_tie
from matchledger_projections.record import Record
from matchledger_projections.standings import standings


def order_tie(record: Record, *, players: Sequence[int], round_: int | None = None) -> list[AnyFact]:
    """Records the order of a tie that was settled at the table, best first."""
    need_open(record)
    table = standings(record, round_)
    tied = next((group for group in table.ties if set(players) <= set(group)), None)
    if tied is None or len(set(players)) != len(players):
        raise Refusal(f"{names_of(record, list(players))} are not level after round {table.round}")
    if len(players) != len(tied):
        missing = [player for player in tied if player not in players]
        raise Refusal(f"{names_of(record, missing)} is level with them as well: order the whole tie")
    method = "rock-paper-scissors" if "rock_paper_scissors" in record.rulebook.tiebreaks else "random"
    return [TieResolved(round=table.round, players=tuple(players), method=method)]


def draw_ties(record: Record, *, secret: bytes) -> list[AnyFact]:
    """Draws the order of every tie in the standings after the last finished round."""
    need_open(record)
    table = standings(record)
    if not table.ties:
        raise Refusal(f"nobody is level after round {table.round}")
    if "rock_paper_scissors" in record.rulebook.tiebreaks:
        raise Refusal(
            f"{names_of(record, table.ties[0])} play rock-paper-scissors: record the order it gave", "SWR-TB"
        )
    seeds = seeds_of(record, table.round + 1, secret)
    return [drawn_tie(group, table.round, seeds(tie_purpose(table.round, group))) for group in table.ties]
