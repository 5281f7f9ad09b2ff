"""Outcomes as a scorekeeper types them: `12 a`, `12 b modified-win`, `12 draw`, `12 a:9`, `12 4-1`, `12 2-1-1`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import time
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import Stage
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip import HELP as NOTES
from matchledger.notation.slip import UNFINISHED, Noted, Written, is_note, read_notes, read_time
from matchledger_projections.message import Sentence, joined, sentence
from matchledger_projections.record.judgment import JUDGMENT
from matchledger_projections.rulebook.games import GameRules
from matchledger_projections.rulebook.rulebook import Rulebook

HELP = sentence(
    "a or b (the winner), draw, 2-1 (games or points), 2-1-1 (with drawn games), a:9 (loser's blood points), "
    "unfinished; then a kind such as modified-win; then %(notes)s",
    notes=NOTES,
)

_WITHOUT_SIDE = (JUDGMENT, UNFINISHED)  # these kinds name no winner: the slip's notes decide
_SIDE = re.compile(r"^(?P<side>[ab])(:(?P<blood>[0-9]{1,6}))?$", re.IGNORECASE)
_PLAIN = (
    "win",
    "draw",
    "concession",
    "no-show",
)  # the help lists these kinds in other words, or needs a player for them
_WORDS = ("win", "loss", "draw", "judgment", UNFINISHED, "concession")
_WON = {"win": True, "won": True, "w": True, "loss": False, "lost": False, "l": False}
_TABLE = re.compile(r"^[0-9]{1,6}$")
_SCORES = re.compile(r"^(?P<first>[0-9]{1,6})-(?P<second>[0-9]{1,6})(-(?P<drawn>[0-9]{1,6}))?$")


def read_outcome(words: Sequence[str], rulebook: Rulebook) -> Written:
    """Return the outcome in the words after a table number. Raises UsageProblem for unclear words."""
    noted = _noted([word for word in words if is_note(word)])
    words = [word for word in words if not is_note(word)]
    if not words:
        raise UsageProblem(sentence("an outcome is missing: write %(help)s", help=outcome_help(rulebook)))
    return replace(_outcome(words, rulebook), noted=noted)


def outcome_help(rulebook: Rulebook) -> Sentence:
    """Return a sentence with every outcome that can be typed under a rulebook."""
    kinds = [kind for kind in rulebook.results if kind not in _PLAIN and not rulebook.results[kind].as_written]
    known: list[object] = [sentence("a or b (the winner)")]
    if "draw" in rulebook.results:
        known.append("draw")
    if rulebook.games is not None:
        needed = rulebook.games.needed("swiss")
        known.append(sentence("%(score)s (games)", score=f"{needed}-{needed - 1}"))
        known.append(f"{needed}-{needed - 1} concession")
    elif any(worth.as_written for worth in rulebook.results.values()):
        known.append(sentence("4-1 (points)"))
    if rulebook.blood_points is not None:
        known.append(sentence("a:9 (loser's blood points)"))
    decided = [f"a {kind}" for kind in kinds if rulebook.results[kind].winner is not None]
    by_time = [UNFINISHED] if rulebook.judges_unfinished and UNFINISHED not in kinds else []
    return joined([*known, *decided, *(kind for kind in kinds if rulebook.results[kind].winner is None), *by_time])


def from_side(words: Sequence[str], side: int) -> list[str]:
    """Translate an outcome from one player's view, such as `win` or `modified-loss`, into an outcome of the table.

    `side` is 0 for the first player of the table and 1 for the second. Raises UsageProblem for `a` and `b`.
    """
    first, *rest = [word for word in words if not is_note(word)] or [""]
    notes = [word for word in words if is_note(word)]
    if is_side(first):
        raise UsageProblem(sentence("a and b are the players of a table: after a name, write win or loss"))
    plain, colon, blood = first.casefold().partition(":")
    if (won := _WON.get(plain)) is not None:
        return [f"{'ab'[side if won else 1 - side]}{colon}{blood}", *rest, *notes]
    if scores := _SCORES.match(first):
        two = (scores["first"], scores["second"])[:: -1 if side else 1]
        return ["-".join([*two, *filter(None, [scores["drawn"]])]), *rest, *notes]
    if plain.endswith(("-win", "-loss")) and plain != "double-loss":
        winner = side if plain.endswith("-win") else 1 - side
        return [f"{'ab'[winner]}{colon}{blood}", plain, *rest, *notes]
    return list(words)


def _noted(words: Sequence[str]) -> Noted:
    try:
        return read_notes([word.casefold() for word in words])
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None


def _outcome(words: Sequence[str], rulebook: Rulebook) -> Written:
    first, *rest = words
    if len(rest) > 1:
        raise UsageProblem(
            sentence(
                "%(words)r has too many words for one result: write %(help)s",
                words=" ".join(words),
                help=outcome_help(rulebook),
            )
        )
    kind = rest[0].casefold() if rest else None
    if side := _SIDE.match(first):
        return _won(side, kind)
    if scores := _SCORES.match(first):
        if kind is not None and rulebook.games is None:
            raise UsageProblem(
                sentence("write only the points: %(first)s, not %(first)s %(kind)s", first=first, kind=kind)
            )
        two = (int(scores["first"]), int(scores["second"]))
        drawn = int(scores["drawn"] or 0)
        if kind is None or (kind == "draw" and not any((*two, drawn))):
            kind = "score"
        if scores["drawn"] is not None:
            return Written(kind=kind, games=(*two, drawn))
        return Written(kind=kind, scores=two)
    if kind is None and first.casefold() in ("d", "draw", "="):
        return Written(kind="draw")
    if kind is None and (first.casefold() in _WITHOUT_SIDE or re.fullmatch(r"[a-z]+(-[a-z]+)+", first.casefold())):
        return Written(kind=first.casefold())
    if kind is None and first.casefold() in _WON:
        raise UsageProblem(
            sentence("%(first)r names no winner: write a or b, or the player's name first", first=first)
        )
    raise UsageProblem(
        sentence("%(first)r is not an outcome: write %(help)s", first=first, help=outcome_help(rulebook))
    )


def _won(side: re.Match[str], kind: str | None) -> Written:
    if kind is not None and _SCORES.match(kind):
        raise UsageProblem(
            sentence("write only the score: %(score)s, not %(first)s %(score)s", score=kind, first=side.string)
        )
    blood = side["blood"]
    return Written(
        kind=kind or "win",
        winner="ab".index(side["side"].casefold()),
        blood_points=None if blood is None else int(blood),
    )


def read_came(text: str) -> int | time:
    """Return the typed arrival time of slips. Raises UsageProblem."""
    try:
        return read_time(text)
    except ValueError as problem:
        raise UsageProblem(problem.args[0]) from None


def came_at(outcome: Sequence[str], came: str | None) -> str:
    """Return an outcome with an arrival time, unless the outcome already has an arrival time."""
    says = came is None or any(word.casefold().startswith("slip=") for word in outcome)
    return " ".join(outcome if says else (*outcome, f"slip={came}"))


def is_side(word: str) -> bool:
    """Return whether a word names the winner by side: a or b, perhaps with blood points."""
    return _SIDE.match(word) is not None


def is_score(word: str) -> bool:
    """Return whether a word is a score: 2-1 or 1-1-1."""
    return _SCORES.match(word) is not None


def is_table(word: str) -> bool:
    """Return whether a word can be the number of a table."""
    return _TABLE.match(word) is not None


def read_slips(words: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Read several slips in one line: each has a table number or a player's name, and an outcome.

    After the outcome of a slip, a word that cannot belong to that slip begins the next slip.
    """
    slips: list[tuple[str, list[str]]] = []
    for word in words:
        if not slips or is_table(word) or (slips[-1][1] and not _may_go_on(word)):
            slips.append((word, []))
        else:
            slips[-1][1].append(word)
    return slips


def _may_go_on(word: str) -> bool:
    """Return whether a word can follow the first word of an outcome: a kind of result, or a note."""
    plain = word.casefold()
    return is_note(word) or plain in _WORDS or "-" in plain[1:-1] or is_side(word)


def need_one_result(slips: Iterable[tuple[int, Written]]) -> None:
    """Refuse a line with two different results for one table: one of the slips names the wrong table. The same slip
    may appear twice in the line. Raises UsageProblem.
    """
    first: dict[int, Written] = {}
    for table, written in slips:
        if first.setdefault(table, written) != written:
            raise UsageProblem(
                sentence(
                    "table %(table)s is in the line with two results: nothing was recorded, check the line",
                    table=table,
                )
            )


class OutcomeKey(Struct, frozen=True):
    """A key of the numeric pad: its outcome, the kind, and the winning side."""

    key: str
    outcome: str
    kind: str
    side: Literal["a", "b"] | None


def outcome_keys(rulebook: Rulebook, stage: Stage = "swiss") -> list[OutcomeKey]:
    """Return the outcomes of a numeric pad: odd keys for the first player, even keys for the second, 0 for no
    winner.

    The keys 1 and 2 are the plain win. The next pairs of keys are the rulebook's other decided results. If games
    count, the pairs of keys are the possible scores, and 0 is a match that is tied at time. An elimination match
    has no key 0, because somebody must go on.
    """
    games = rulebook.games
    keys = _kind_keys(rulebook) if games is None else _game_keys(rulebook, games, stage)
    return [key for key in keys if stage == "swiss" or key.key != _NOBODY]


def outcome_of_key(rulebook: Rulebook, typed: str, stage: Stage) -> str | None:
    """Return the outcome of a typed key, or None if the text is no key. The key 0 has its outcome in every stage,
    so that a refusal can give the reason.
    """
    known = outcome_keys(rulebook, stage) + outcome_keys(rulebook)
    return next((key.outcome for key in known if key.key == typed), None)


def _kind_keys(rulebook: Rulebook) -> list[OutcomeKey]:
    decided = [kind for kind, worth in rulebook.results.items() if worth.winner is not None and kind not in _OWN]
    if "match-loss" in decided:  # without games, a lost game is a lost match
        decided = [kind for kind in decided if kind != "game-loss"]
    keys = []
    for index, kind in enumerate(decided[:_PAIRS]):
        word = "" if kind == "win" else f" {kind}"
        keys += [
            OutcomeKey(str(2 * index + 1), f"a{word}", kind, "a"),
            OutcomeKey(str(2 * index + 2), f"b{word}", kind, "b"),
        ]
    for key, kind in ((_NOBODY, "draw"), ("9", "double-loss")):
        if kind in rulebook.results:
            keys.append(OutcomeKey(key, kind, kind, None))
    return keys


def _game_keys(rulebook: Rulebook, rule: GameRules, stage: Stage) -> list[OutcomeKey]:
    needed = rule.needed(stage)
    scores = [
        (won, lost)
        for won in range(needed, 0, -1)
        for lost in range(won)
        if not rulebook.is_unfinished((won, lost, 0), stage)
    ][:_PAIRS]
    keys = []
    for index, (won, lost) in enumerate(scores):
        keys += [
            OutcomeKey(str(2 * index + 1), f"{won}-{lost}", f"{won}-{lost}", "a"),
            OutcomeKey(str(2 * index + 2), f"{lost}-{won}", f"{won}-{lost}", "b"),
        ]
    if "draw" in rulebook.results:
        level = needed - 1
        keys.append(OutcomeKey(_NOBODY, f"{level}-{level}-1", f"{level}-{level}-1", None))
    if "double-loss" in rulebook.results:
        keys.append(OutcomeKey("9", "double-loss", "double-loss", None))
    return keys


_PAIRS = 4
_NOBODY = "0"
_OWN = {"concession", "no-show"}  # these kinds have their own commands, so the desk has no key for them
