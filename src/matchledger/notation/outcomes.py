"""Outcomes as a scorekeeper types them: `12 a`, `12 b modified-win`, `12 draw`, `12 a:9`, `12 4-1`, `12 2-1-1`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import time
from typing import Literal

from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import UNFINISHED, Noted, Written
from matchledger.notation.slip_times import HELP as NOTES
from matchledger.notation.slip_times import is_note, read_notes, read_time
from matchledger_projections.message import sentence
from matchledger_projections.record.judgment import JUDGMENT
from matchledger_projections.rulebook.games import GameRules
from matchledger_projections.rulebook.rulebook import Rulebook

HELP = sentence(
    "a or b (the winner), draw, 2-1 (games or points), 2-1-1 (with drawn games), a:9 (loser's blood points), "
    "unfinished; then a kind such as "
    "modified-win; then %(notes)s",
    notes=NOTES,
)

_WITHOUT_SIDE = (JUDGMENT, UNFINISHED)  # whose winner follows from what is noted, or who have none
_SIDE = re.compile(r"^(?P<side>[ab])(:(?P<blood>[0-9]{1,6}))?$", re.IGNORECASE)
_TABLE = re.compile(r"^[0-9]{1,6}$")
_SCORES = re.compile(r"^(?P<first>[0-9]{1,6})-(?P<second>[0-9]{1,6})(-(?P<drawn>[0-9]{1,6}))?$")


def read_outcome(words: Sequence[str]) -> Written:
    """What the words after a table number say. Raises UsageProblem for what cannot be understood."""
    noted = _noted([word for word in words if is_note(word)])
    words = [word for word in words if not is_note(word)]
    if not words:
        raise UsageProblem(sentence("an outcome is missing: %(help)s", help=HELP))
    return replace(_outcome(words), noted=noted)


def _noted(words: Sequence[str]) -> Noted:
    try:
        return read_notes([word.casefold() for word in words])
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None


def _outcome(words: Sequence[str]) -> Written:
    first, *rest = words
    if len(rest) > 1:
        raise UsageProblem(
            sentence("%(words)r is too much for one outcome: %(help)s", words=" ".join(words), help=HELP)
        )
    kind = rest[0].casefold() if rest else None
    if side := _SIDE.match(first):
        blood = side["blood"]
        return Written(
            kind=kind or "win",
            winner="ab".index(side["side"].casefold()),
            blood_points=None if blood is None else int(blood),
        )
    if scores := _SCORES.match(first):
        if kind is not None:
            raise UsageProblem(
                sentence("points as written stand alone: %(first)s, not %(first)s %(kind)s", first=first, kind=kind)
            )
        two = (int(scores["first"]), int(scores["second"]))
        if scores["drawn"] is not None:
            return Written(kind="score", games=(*two, int(scores["drawn"])))
        return Written(kind="score", scores=two)
    if kind is None and first.casefold() in ("d", "draw", "="):
        return Written(kind="draw")
    if kind is None and (first.casefold() in _WITHOUT_SIDE or re.fullmatch(r"[a-z]+(-[a-z]+)+", first.casefold())):
        return Written(kind=first.casefold())
    raise UsageProblem(sentence("%(first)r is not an outcome: %(help)s", first=first, help=HELP))


def read_came(text: str) -> int | time:
    """When slips came, as it is typed. Raises UsageProblem."""
    try:
        return read_time(text)
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None


def came_at(outcome: Sequence[str], came: str | None) -> str:
    """An outcome that came at some time, unless it says itself when it did."""
    says = came is None or any(word.casefold().startswith("slip=") for word in outcome)
    return " ".join(outcome if says else (*outcome, f"slip={came}"))


def is_table(word: str) -> bool:
    """Whether a word can be the number of a table."""
    return _TABLE.match(word) is not None


def read_slips(words: Sequence[str]) -> list[tuple[int, list[str]]]:
    """Several slips in one line, each a table number and the words of an outcome that is understood.

    Raises UsageProblem for a table that stands there twice: of two slips one has the wrong table on it, and nobody
    knows which.
    """
    slips: list[tuple[int, list[str]]] = []
    for word in words:
        if is_table(word):
            slips.append((int(word), []))
        elif slips:
            slips[-1][1].append(word)
        else:
            raise UsageProblem(
                sentence("%(word)r stands where a table number should: 12 a, or 12 b modified-win", word=word)
            )
    tables = [table for table, _ in slips]
    if twice := [table for table in dict.fromkeys(tables) if tables.count(table) > 1]:
        raise UsageProblem(
            sentence("table %(table)s stands twice in one line: nothing was recorded, look again", table=twice[0])
        )
    for _, outcome in slips:
        read_outcome(outcome)
    return slips


@dataclass(frozen=True, slots=True)
class OutcomeKey:
    """A key of the numeric pad: the outcome that it stands for, its kind, and the side that wins by it."""

    key: str
    outcome: str
    kind: str
    side: Literal["a", "b"] | None


def outcome_keys(rulebook: Rulebook) -> list[OutcomeKey]:
    """What the keys of a numeric pad stand for: odd for the first player, even for the second, 0 for nobody.

    1 and 2 are the plain win; the pairs after them the rulebook's other decided results, as far as keys go. Where
    games count, the pairs are their scores, and 0 is the match that time ended level.
    """
    if rulebook.games is not None:
        return _game_keys(rulebook, rulebook.games)
    decided = [kind for kind, worth in rulebook.results.items() if worth.winner is not None and kind not in _OWN]
    keys = []
    for index, kind in enumerate(decided[:_PAIRS]):
        word = "" if kind == "win" else f" {kind}"
        keys += [
            OutcomeKey(str(2 * index + 1), f"a{word}", kind, "a"),
            OutcomeKey(str(2 * index + 2), f"b{word}", kind, "b"),
        ]
    for key, kind in (("0", "draw"), ("9", "double-loss")):
        if kind in rulebook.results:
            keys.append(OutcomeKey(key, kind, kind, None))
    return keys


def _game_keys(rulebook: Rulebook, rule: GameRules) -> list[OutcomeKey]:
    needed = rule.needed("swiss")
    scores = [(won, lost) for won in range(needed, 0, -1) for lost in range(won)][:_PAIRS]
    keys = []
    for index, (won, lost) in enumerate(scores):
        keys += [
            OutcomeKey(str(2 * index + 1), f"{won}-{lost}", f"{won}-{lost}", "a"),
            OutcomeKey(str(2 * index + 2), f"{lost}-{won}", f"{won}-{lost}", "b"),
        ]
    if "draw" in rulebook.results:
        level = needed - 1
        keys.append(OutcomeKey("0", f"{level}-{level}-1", f"{level}-{level}-1", None))
    if "double-loss" in rulebook.results:
        keys.append(OutcomeKey("9", "double-loss", "double-loss", None))
    return keys


_PAIRS = 4
_OWN = {"concession", "no-show"}  # they are said of a player, not typed from a slip
