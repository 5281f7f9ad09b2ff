"""The words of a score sheet's line, and the slips in them."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import Games
from matchledger.formats.text import YEARS, FormatError, listed, problem_with_name
from matchledger.formats.transcript import Entrant, Outcome

SLIP_FORMS = "A > B, A > B KIND, A > B (9), A > B 2-1, A = B, A = B 1-1-1, A 4-1 B, A - B, A bye"
OPERATORS = frozenset({">", "=", "<", "-"})

_WORD = re.compile(r'(?:[^\s"#]|"[^"]*")+')
_SCORES = re.compile(r"(-?\d{1,4})-(-?\d{1,4})")
_GAMES = re.compile(r"(\d{1,4})-(\d{1,4})(?:-(\d{1,4}))?")
_BESIDE = re.compile(r"\((\d{1,4})(?:-(\d{1,4}))?\)")
_ATTRIBUTE = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)")
_NOTE = re.compile(r"[a-z]+=.+")
_KIND = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


class Word(Struct, frozen=True):
    """A word, and whether it began with a double quote. A quoted word is a name, never a sign."""

    text: str
    quoted: bool
    start: int

    def is_sign(self, *signs: str) -> bool:
        return not self.quoted and self.text in signs


class Line(Struct, frozen=True):
    """A line that is not blank. `text` is the line without its comment."""

    number: int
    words: list[Word]
    text: str

    @property
    def arguments(self) -> list[Word]:
        return self.words[1:]

    def refuse(self, message: str) -> FormatError:
        return FormatError(message, self.number)


class WrittenSlip(Struct, frozen=True):
    """A slip on a line. A pairing without a result has no outcome."""

    first: str
    second: str
    outcome: Outcome | None
    rematch: bool = False


class WrittenBye(Struct, frozen=True):
    player: str
    points: int | None = None


def words_of(text: str, line: int) -> tuple[list[Word], int]:
    """Return the words of a line before its comment, and the comment's index (without a comment, the line's
    length).
    """
    words: list[Word] = []
    at = 0
    while at < len(text) and text[at] != "#":
        if text[at].isspace():
            at += 1
            continue
        found = _WORD.match(text, at)
        if found is None:
            raise FormatError('a double quote is opened and not closed; write "Ann Lee"', line)
        word = found[0]
        if "“" in word or "”" in word or "„" in word:
            raise FormatError('write names in straight double quotes: "Ann Lee"', line)
        words.append(Word(word.replace('"', ""), word.startswith('"'), at))
        at = found.end()
        if at < len(text) and text[at] == '"':
            raise FormatError('a double quote is opened and not closed; write "Ann Lee"', line)
    return words, at


def is_slip(words: list[Word]) -> bool:
    """Return whether a line is about a table or a bye, and is not an instruction."""
    return len(words) > 1 and (
        words[1].is_sign(*OPERATORS, "bye")
        or (not words[1].quoted and _SCORES.fullmatch(words[1].text) is not None)
    )


def slip_of(words: list[Word], line: int) -> WrittenSlip | WrittenBye:
    """Return the slip in the words of a line. Raises FormatError, with the forms that a slip may have."""
    if not is_slip(words):
        raise FormatError(_not_a_slip(words), line)
    first, sign, rest = words[0].text, words[1], words[2:]
    if sign.is_sign("bye"):
        points, rest = _number_beside(rest, line)
        _refuse_more(rest, line)
        return WrittenBye(first, points)
    if not rest:
        raise FormatError(f"a second player is missing; a slip is {SLIP_FORMS}", line)
    second, rest = rest[0].text, rest[1:]
    if sign.is_sign("<"):
        raise FormatError(f"write the winner first: {second} > {first}", line)
    if first == second:
        raise FormatError(f"{first} cannot play against {first}", line)
    notes = tuple(word.text for word in rest if _is_note(word))
    rest = [word for word in rest if not _is_note(word)]
    if rematch := bool(rest) and rest[-1].is_sign("rematch"):
        rest = rest[:-1]
    if as_found := bool(rest) and rest[-1].is_sign("as-found"):
        rest = rest[:-1]
    outcome = _outcome(sign.text, first, second, rest, line)
    if as_found and outcome is not None:
        outcome = replace(outcome, as_found=True)
    if notes and outcome is None:
        raise FormatError(f"{notes[0][:40]!r} follows a slip that has a result", line)
    return WrittenSlip(first, second, replace(outcome, notes=notes) if outcome and notes else outcome, rematch)


def _is_note(word: Word) -> bool:
    """Return whether a word is a note about the end of the game, such as ended=69:59 or decider="Ann Lee"."""
    return not word.quoted and _NOTE.fullmatch(word.text) is not None


def whole_number(word: Word, what: str, line: int, least: int = 1) -> int:
    """Return the number in a word. Raises FormatError, with the kind of number that is expected."""
    if not re.fullmatch(r"[0-9]{1,5}", word.text) or int(word.text) < least:
        raise FormatError(f"{what} must be a whole number from {least}, not {word.text[:40]!r}", line)
    return int(word.text)


def _outcome(sign: str, first: str, second: str, rest: list[Word], line: int) -> Outcome | None:
    if sign == "-":
        _refuse_more(rest, line)
        return None
    if scores := _SCORES.fullmatch(sign):
        _refuse_more(rest, line)
        return _score(first, second, int(scores[1]), int(scores[2]))
    kind = None
    if any(word.is_sign("rematch") for word in rest):
        raise FormatError("write rematch at the end of the line", line)
    if rest and not rest[0].quoted and _KIND.fullmatch(rest[0].text):
        kind, rest = rest[0].text, rest[1:]
    games, rest = _games(sign, rest, line, any_score=sign == "=" and kind not in (None, "draw"))
    if sign == "=":
        if rest and rest[0].text.startswith("("):
            raise FormatError("points in brackets follow only a match with a winner", line)
        _refuse_more(rest, line)
        return Outcome(kind or "draw", games=games)
    winners, losers, rest = _blood_points(rest, line)
    _refuse_more(rest, line)
    return Outcome(kind or "win", first, blood_points=losers, winner_blood_points=winners, games=games)


def _games(sign: str, rest: list[Word], line: int, *, any_score: bool) -> tuple[Games | None, list[Word]]:
    """Return the games in a slip and the words after the games. 2-1-1 means: 2 won by the first-named player, 1
    lost, 1 drawn.

    `any_score` allows any games, for a match that both players lose on time.
    """
    found = None if not rest or rest[0].quoted else _GAMES.fullmatch(rest[0].text)
    if found is None:
        return None, rest
    first, second, drawn = int(found[1]), int(found[2]), int(found[3] or 0)
    if not any_score and ((sign == "=") != (first == second) or first < second):
        what = "a draw" if sign == "=" else "a match that the first player won"
        raise FormatError(f"{found[0]} are not the games of {what}; write A > B 2-1 or A = B 1-1-1", line)
    return (first, second, drawn), rest[1:]


def _score(first: str, second: str, mine: int, theirs: int) -> Outcome:
    winner = None if mine == theirs else first if mine > theirs else second
    return Outcome("score", winner, (mine, theirs))


def _blood_points(rest: list[Word], line: int) -> tuple[int | None, int | None, list[Word]]:
    """Return the blood points: (9) is the loser's score, (25-9) the winner's and the loser's."""
    found, rest = _beside(rest, line)
    if found is None:
        return None, None, rest
    if found[2] is None:
        return None, int(found[1]), rest
    return int(found[1]), int(found[2]), rest


def _number_beside(rest: list[Word], line: int) -> tuple[int | None, list[Word]]:
    found, rest = _beside(rest, line)
    if found is not None and found[2] is not None:
        raise FormatError("a bye has one number of points: E bye (7)", line)
    return (None if found is None else int(found[1])), rest


def _beside(rest: list[Word], line: int) -> tuple[re.Match[str] | None, list[Word]]:
    """Return the points in brackets at the beginning of `rest`, if any, and the words after them."""
    if not rest or rest[0].quoted or not rest[0].text.startswith("("):
        return None, rest
    end = next((index for index, word in enumerate(rest) if word.text.endswith(")")), len(rest) - 1)
    written = "".join(word.text for word in rest[: end + 1])
    if (found := _BESIDE.fullmatch(written)) is None:
        raise FormatError(f"{written[:40]!r} is not understood; points are written (9) or (25-9)", line)
    return found, rest[end + 1 :]


def _refuse_more(rest: list[Word], line: int) -> None:
    if rest:
        raise FormatError(f"{listed(word.text for word in rest)[:40]!r} is too much; a slip is {SLIP_FORMS}", line)


def _not_a_slip(words: list[Word]) -> str:
    if len(words) == 1 and not words[0].quoted and any(sign in words[0].text for sign in "<>="):
        return f"put blanks around the sign in {words[0].text[:40]!r}: A > B"
    beginning = " ".join(word.text for word in words)[:40]
    return f"{beginning!r} is not a slip; a slip is {SLIP_FORMS}"


def checked_name(name: str, line: Line) -> str:
    """Return the name of a player or an event. Raises FormatError if the text cannot be a name."""
    if problem := problem_with_name(name):
        raise line.refuse(problem)
    return name


def charged_losses(words: list[Word], line: Line) -> tuple[tuple[int, ...] | None, list[Word]]:
    """Return the rounds in losses=1,3 or losses=none (None if no such word is there), and the other words."""
    said = [word for word in words if not word.quoted and word.text.startswith("losses=")]
    if not said:
        return None, words
    text = said[0].text.removeprefix("losses=")
    if len(said) > 1 or not re.fullmatch(r"none|[0-9]{1,3}(,[0-9]{1,3})*", text):
        raise line.refuse("write losses=none, or the rounds that count as lost: losses=1,3")
    rounds = () if text == "none" else tuple(int(number) for number in text.split(","))
    return rounds, [word for word in words if word is not said[0]]


def entrant_of(name: str, words: list[Word], line: Line) -> Entrant:
    """Return a player, with the attributes after the name. Raises FormatError."""
    attributes: dict[str, str] = {}
    for word in words:
        found = _ATTRIBUTE.fullmatch(word.text)
        if found is None or not found[2]:
            raise line.refuse(
                f"{word.text[:40]!r} is not an attribute; write KEY=VALUE, for example division=junior"
            )
        if found[1] in attributes:
            raise line.refuse(f"{found[1]} is on this line twice")
        attributes[found[1]] = found[2]
    division, born = attributes.pop("division", None), attributes.pop("born", None)
    if born is not None and not (re.fullmatch(r"[0-9]{4}", born) and int(born) in YEARS):
        raise line.refuse(f"born is a year from {YEARS[0]} to {YEARS[-1]}, not {born[:40]!r}")
    return Entrant(name, division, None if born is None else int(born), attributes)
