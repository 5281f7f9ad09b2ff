"""What is written on a slip, and what the rulebook makes of it."""

from __future__ import annotations

from matchledger.commands.refusal import Refusal
from matchledger.events import Slip
from matchledger.notation.slip import Written
from matchledger_projections.message import sentence, word
from matchledger_projections.rulebook.rulebook import Rulebook


def slip_of(rulebook: Rulebook, players: tuple[int, int], written: Written) -> Slip:
    """What is written, as the rulebook reads it. Refuses what the rulebook does not know."""
    kind = rulebook.results.get(written.kind)
    if kind is None:
        known = ", ".join(rulebook.results)
        if written.kind == "score":
            raise Refusal(
                sentence(
                    "%(rulebook)s takes no points as written: a slip says one of %(known)s",
                    rulebook=rulebook.id,
                    known=known,
                )
            )
        if written.kind == "draw":
            raise Refusal(
                sentence(
                    "%(rulebook)s knows no draws: a slip says one of %(known)s", rulebook=rulebook.id, known=known
                ),
                rulebook.results["win"].rule,
            )
        raise Refusal(
            sentence(
                "%(rulebook)s knows no result %(kind)r: a slip says one of %(known)s",
                rulebook=rulebook.id,
                kind=written.kind,
                known=known,
            )
        )
    if kind.as_written:
        return _scored(rulebook, players, written)
    judged = written.winner is None and written.noted.broken is not None  # who won follows from the values
    if (kind.winner is None) != (written.winner is None) and not judged:
        raise Refusal(
            sentence("a %(kind)s has no winner", kind=word(written.kind))
            if kind.winner is None
            else sentence("a %(kind)s needs a winner", kind=word(written.kind))
        )
    _check_blood_points(rulebook, written)
    winner = None if written.winner is None else players[written.winner]
    return Slip(kind=written.kind, winner=winner, blood_points=written.blood_points)


def _scored(rulebook: Rulebook, players: tuple[int, int], written: Written) -> Slip:
    if written.scores is None:
        raise Refusal(
            sentence(
                "%(rulebook)s scores a %(kind)s as written: give both players' points, such as 4-1",
                rulebook=rulebook.id,
                kind=word(written.kind),
            )
        )
    first, second = written.scores
    if first < 0 or second < 0:
        raise Refusal(sentence("points on a slip cannot be negative"))
    winner = None if first == second else players[0] if first > second else players[1]
    return Slip(kind=written.kind, winner=winner, scores=written.scores)


def _check_blood_points(rulebook: Rulebook, written: Written) -> None:
    """ASH-SLIP: a decided slip gives the loser's blood points, and the winner's are fixed."""
    rule = rulebook.blood_points
    if rule is None:
        return
    if written.winner_blood_points not in (None, rule.winner):
        raise Refusal(
            sentence(
                "the winner scores %(points)s blood points, not %(written)s",
                points=rule.winner,
                written=written.winner_blood_points,
            ),
            rule.rule,
        )
    if written.kind == "win" and written.blood_points is None:
        raise Refusal(sentence("the slip does not give the loser's blood points"), rule.rule)
