"""Reports: every entry about a match in one form."""

from __future__ import annotations

import sys
from typing import Literal, NamedTuple

from matchledger.events import (
    EmperorsJudgment,
    Games,
    MatchConceded,
    NoShowRecorded,
    PlainSlip,
    ResultCorrected,
    ResultReported,
    Slip,
    TimeTiebreak,
)
from matchledger_projections.record.lateness import Verdict, When


class Report(NamedTuple):
    """One entry about a match: a slip, a concession, a no-show or a correction, all in one form.

    A report has only numbers and strings, so that a hundred thousand reports cost the garbage collector nothing.
    """

    position: int
    players: tuple[int, int]
    kind: str
    winner: int | None
    scores: tuple[int, int] | None
    blood_points: int | None
    tiebreak: TimeTiebreak | None = None
    ended: When | None = None
    received: When | None = None
    judgment: EmperorsJudgment | None = None
    verdict: Verdict | None = None
    games: Games | None = None

    @property
    def score(self) -> tuple[int, ...] | None:
        """Return the games or the points on the slip, in the order of `players`, with drawn games last, or None."""
        if self.games is None:
            return self.scores
        return self.games if self.games[2] else self.games[:2]

    def score_of(self, player: int | None) -> tuple[int, ...] | None:
        """Return the score with the player's own number first, or in table order if the player is None."""
        if self.score is None or player in (None, self.players[0]):
            return self.score
        return (self.score[1], self.score[0], *self.score[2:])

    def outcome_for(self, player: int) -> Literal["won", "lost", "drew"]:
        """Return the result for a player. Without a winner on the slip, the scores decide."""
        if self.winner is not None:
            return "won" if self.winner == player else "lost"
        if self.kind == "double-loss":
            return "lost"
        if self.scores is None or self.scores[0] == self.scores[1]:
            return "drew"
        return "won" if self.players[0 if self.scores[0] > self.scores[1] else 1] == player else "lost"

    @property
    def is_timed(self) -> bool:
        """Return whether the slip has a time or a value that decides its kind and winner."""
        return self.ended is not None or self.received is not None or self.judgment is not None

    @property
    def slip(self) -> Slip:
        """Return the entry as a slip, with the kind and winner that its times and values give."""
        return Slip(
            kind=self.kind,
            winner=self.winner,
            scores=self.scores,
            blood_points=self.blood_points,
            tiebreak=self.tiebreak,
            ended=self.ended,
            received=self.received,
            judgment=self.judgment,
            games=self.games,
        )

    @property
    def written(self) -> Slip:
        """Return the slip as written, before its times and values decide."""
        if self.verdict is None:
            return self.slip
        claimed = {"kind": self.verdict.claimed_kind, "winner": self.verdict.claimed_winner}
        return self.slip.model_copy(update=claimed)


def report_of(position: int, players: tuple[int, int], slip: Slip | PlainSlip) -> Report:
    """Return the entry at a position as a report."""
    return Report(
        position,
        players,
        sys.intern(slip.kind),
        slip.winner,
        slip.scores,
        slip.blood_points,
        slip.tiebreak,
        slip.ended,
        slip.received,
        slip.judgment,
        None,
        slip.games,
    )


def slip_in(fact: ResultReported | ResultCorrected | MatchConceded | NoShowRecorded) -> Slip:
    """Return the slip behind an entry about a match."""
    match fact:
        case MatchConceded():
            winner = fact.players[1] if fact.by == fact.players[0] else fact.players[0]
            return Slip(
                kind="concession",
                winner=winner,
                blood_points=fact.blood_points,
                ended=fact.ended,
                received=fact.received,
                games=fact.games,
            )
        case NoShowRecorded():
            present = [player for player in fact.players if player not in fact.absent]
            kind = "no-show" if present else "double-loss"
            return Slip(kind=kind, winner=next(iter(present), None), ended=fact.ended)
        case _:
            return fact.slip
