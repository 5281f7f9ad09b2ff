"""The words on a slip, and what they mean under the rulebook."""

from __future__ import annotations

from msgspec.structs import replace

from matchledger.commands.refusal import Refusal
from matchledger.events import Games, Slip, Stage
from matchledger.notation.outcomes import outcome_help
from matchledger.notation.slip import UNFINISHED, Written
from matchledger_projections.message import sentence, word
from matchledger_projections.rulebook.games import games_text
from matchledger_projections.rulebook.rulebook import Rulebook


def slip_of(rulebook: Rulebook, players: tuple[int, int], written: Written, stage: Stage = "swiss") -> Slip:
    """Return the slip in the rulebook's terms. Refuse words that the rulebook does not know."""
    written = _with_games(rulebook, written, stage)
    kind = rulebook.results.get(written.kind)
    if kind is None:
        if written.kind == "score" and written.as_found and rulebook.keeps_points_found:
            return _scored(rulebook, players, written)
        known = outcome_help(rulebook)
        if written.kind == "score":
            raise Refusal(
                sentence(
                    "%(rulebook)s accepts no points on a slip: write %(known)s",
                    rulebook=rulebook.id,
                    known=known,
                )
            )
        if written.kind == "draw":
            raise Refusal(
                sentence("%(rulebook)s has no draws: write %(known)s", rulebook=rulebook.id, known=known),
                rulebook.results["win"].rule,
            )
        raise Refusal(
            sentence(
                "%(rulebook)s has no result %(kind)r: write %(known)s",
                rulebook=rulebook.id,
                kind=written.kind,
                known=known,
            )
        )
    if kind.as_written:
        return _scored(rulebook, players, written)
    judged = written.winner is None and written.noted.broken is not None  # the counts on the slip decide the winner
    if (kind.winner is None) != (written.winner is None) and not judged:
        raise Refusal(
            sentence("a %(kind)s has no winner", kind=word(written.kind))
            if kind.winner is None
            else sentence("a %(kind)s needs a winner", kind=word(written.kind))
        )
    _check_blood_points(rulebook, written)
    winner = None if written.winner is None else players[written.winner]
    return Slip(kind=written.kind, winner=winner, blood_points=written.blood_points, games=written.games)


def _with_games(rulebook: Rulebook, written: Written, stage: Stage) -> Written:
    """Return the slip with its games if the rulebook counts games, and with the winner by these games."""
    rule = rulebook.games
    games = written.games
    if rule is not None and written.scores is not None:
        games = (*written.scores, 0)
    if games is None:
        return written
    text = games_text(games)
    if rule is None:
        raise Refusal(
            sentence(
                "%(rulebook)s counts no games: write %(known)s, not %(games)s",
                rulebook=rulebook.id,
                known=outcome_help(rulebook),
                games=text,
            )
        )
    if not written.as_found and (problem := rule.problem(games, stage)) is not None:
        raise Refusal(problem, rule.rule)
    first, second, _ = games
    winner = None if first == second else int(second > first)
    if written.winner not in (None, winner):
        raise Refusal(
            sentence(
                "the games %(games)s do not make the named player the winner: correct the games or the winner",
                games=text,
            ),
            rule.rule,
        )
    if not written.as_found:
        _need_meant(rulebook, written, games, winner, stage)
    kind = written.kind
    if kind in ("win", "score", "draw"):
        kind = "win" if winner is not None else "draw"
        nothing = sum(games) == 0 or (written.as_found and "draw" not in rulebook.results)
        if kind == "draw" and nothing and "double-loss" in rulebook.results:
            kind = "double-loss"
    elif (worth := rulebook.results.get(kind)) is not None and worth.winner is None:
        winner = None  # time ended this match, and both players lose by the number of games
    return replace(written, kind=kind, winner=winner, scores=None, games=games)


def _need_meant(rulebook: Rulebook, written: Written, games: Games, winner: int | None, stage: Stage) -> None:
    """Refuse games that leave the match open or contradict the kind of result."""
    rule = None if rulebook.games is None else rulebook.games.rule
    text, worth = games_text(games), rulebook.results.get(written.kind)
    if written.kind == "score" and sum(games) == 0:
        by_time = [UNFINISHED] if rulebook.judges_unfinished else []
        others = [*by_time, *(kind for kind in ("draw", "double-loss") if kind in rulebook.results)]
        raise Refusal(
            sentence("%(games)s has no finished game: write one of %(known)s", games=text, known=", ".join(others)),
            rule,
        )
    if written.kind in ("win", "score") and winner is not None and rulebook.is_unfinished(games, stage):
        raise Refusal(
            sentence("%(games)s is not finished: write %(games)s unfinished, or %(games)s concession", games=text),
            next((mark.rule for mark in rulebook.clock.marks if mark.unfinished == "double-loss"), rule),
        )
    if written.kind == "no-show":
        raise Refusal(sentence("a no-show has no games: leave %(games)s out", games=text), rule)
    if written.kind == "draw" and winner is not None:
        raise Refusal(sentence("%(games)s is not a draw: leave draw out, or correct the games", games=text), rule)
    if worth is not None and worth.winner is not None and winner is None:
        raise Refusal(
            sentence(
                "%(games)s has no winner: count the conceded game too, such as 2-1 %(kind)s",
                games=text,
                kind=written.kind,
            ),
            rule,
        )


def at_time(written: Written, kind: str) -> Written:
    """Return an unfinished slip under the rulebook. If the rulebook calls the match a draw, the player with more
    won games still wins.
    """
    first, second = written.scores or (written.games or (0, 0, 0))[:2]
    return replace(written, kind="score" if kind == "draw" and first != second else kind)


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
    if (first < 0 or second < 0) and not written.as_found:
        raise Refusal(sentence("points on a slip cannot be negative"))
    winner = None if first == second else players[0] if first > second else players[1]
    return Slip(kind=written.kind, winner=winner, scores=written.scores)


def _check_blood_points(rulebook: Rulebook, written: Written) -> None:
    """Check the blood points: a decided slip has the loser's, and the rulebook fixes the winner's (ASH-SLIP)."""
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
    need_blood_points(rulebook, written.kind, written.blood_points)


def need_blood_points(rulebook: Rulebook, kind: str, points: int | None) -> None:
    """Refuse a win, a concession or a penalty loss without the loser's blood points (ASH-BP)."""
    rule = rulebook.blood_points
    if rule is not None and kind in {"win", "concession", "game-loss"} and points is None:
        raise Refusal(sentence("the slip does not give the loser's blood points"), rule.rule)
