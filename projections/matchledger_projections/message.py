"""Sentences: messages in English that can be translated, and what they ask the reader to add.

A sentence is a string that remembers its pattern and its values, which may be sentences too. Therefore the code
that decides writes each message once, and not once per language.

If a sentence demands something, such as a reason, the command line adds the name of the option, and a page the name
of the field or button.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import groupby, pairwise
from typing import Literal

LONGEST = 500  # characters
# These invisible characters shape letters in Persian, Hindi, Malayalam and others, and emoji.
JOINERS = "\u200c\u200d"
# Characters that choose a form of the letter before them: Mongolian, emoji, and rare kanji in Japanese names.
_VARIANTS = re.compile("[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# Python calls these printable, but they are invisible.
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U0001d159"
_MOST_MARKS = 8  # above and below one letter: a higher stack covers other lines


def one_line(message: str, longest: int = LONGEST) -> str:
    """Return a message that cannot break its line, steer a terminal, or fill a screen."""
    shown = plain(message)
    return shown if len(shown) <= longest else f"{shown[:longest]}..."


def plain(text: str) -> str:
    """Return text with line breaks and control characters written out, so that it cannot imitate our lines."""
    return text if text.isprintable() else "".join(map(_printable, text))


def is_printable(text: str) -> bool:
    """Return whether a text can be printed and seen. Joiners and variants are allowed only after a letter outside
    ASCII.
    """
    return (
        text.isprintable()
        if text.isascii()
        else all(_is_seen(before, letter) for before, letter in pairwise(f" {text}")) and not _covers_lines(text)
    )


def _covers_lines(text: str) -> bool:
    marked = groupby(text, key=lambda letter: unicodedata.combining(letter) > 0)
    return any(is_mark and sum(1 for _ in marks) > _MOST_MARKS for is_mark, marks in marked)


def _is_seen(before: str, letter: str) -> bool:
    if letter in JOINERS or _VARIANTS.match(letter):
        return before.isprintable() and not before.isascii()
    return letter.isprintable() and letter not in _BLANKS


def _printable(character: str) -> str:
    return character if character.isprintable() or character in JOINERS else ascii(character)[1:-1]


_LONGEST = 2000  # the most characters. A refusal may list every possible name
PLACE = re.compile(r"%\(\w+\)[srd]")
Gettext = Callable[[str], str]
Ngettext = Callable[[str, str, int], str]


class Sentence(str):  # noqa: SLOT000 - each object keeps its pattern and values
    """An English text that knows its pattern, with placeholders such as `%(player)s`, and their `values`.

    `many` is the pattern for every `number` except one, or None for a text without a number. `hint` contains the
    `demands`.
    """

    message: str
    values: Mapping[str, object]
    many: str | None
    number: int
    demands: tuple[str, ...] = ()

    def in_words_of(self, gettext: Gettext, ngettext: Ngettext) -> str:
        """Return this sentence in another language. A sentence without a translation stays English."""
        if self.many is not None:
            message = ngettext(self.message, self.many, self.number)
        else:
            message = gettext(self.message) if _has_words(self.message) else self.message
        values = {name: in_words_of(value, gettext, ngettext) for name, value in self.values.items()}
        return message % values if values else message

    def with_values(self, others: Mapping[str, object]) -> Sentence:
        """Return this sentence with other values for some of its placeholders."""
        message = self.message if self.many is None or self.number == 1 else self.many
        values = {**self.values, **others}
        made = _sentence(message % values if values else message, self.message, values, self.many, self.number)
        made.demands = self.demands
        return made


def _has_words(message: str) -> bool:
    """Return whether a pattern has words besides placeholders."""
    return any(map(str.isalpha, PLACE.sub("", message)))


def in_words_of(value: object, gettext: Gettext, ngettext: Ngettext) -> object:
    """Return a sentence in another language. A value that is not a sentence, such as a name, does not change."""
    return value.in_words_of(gettext, ngettext) if isinstance(value, Sentence) else value


def _sentence(text: str, message: str, values: Mapping[str, object], many: str | None, number: int) -> Sentence:
    made = Sentence(text)
    made.message, made.values, made.many, made.number = message, values, many, number
    return made


def sentence(message: str, /, **values: object) -> Sentence:
    """Return a text that can be translated.

    Each caller writes its pattern as a literal, so that the catalogues find it.
    """
    _make_plain(message, values)
    return _sentence(message % values if values else message, message, values, None, 1)


def _make_plain(message: str, values: dict[str, object]) -> None:
    """Escape typed values, so that no value can begin a new line in a sentence (A-10). A placeholder with `%r`
    escapes its value itself.
    """
    for name, value in values.items():
        if type(value) is str and not value.isprintable() and f"%({name})r" not in message:
            values[name] = plain(value)


def numbered(one: str, many: str, /, count: int, **values: object) -> Sentence:
    """Return a text with a number of things. `%(count)s` is the number."""
    values["count"] = count
    _make_plain(one, values)
    return _sentence((one if count == 1 else many) % values, one, values, many, count)


def no_entry(position: int, size: int) -> Sentence:
    """Return the refusal of a position beyond the end of a log."""
    return numbered(
        "there is no entry %(entry)s: the log has %(count)s entry",
        "there is no entry %(entry)s: the log has %(count)s entries",
        size,
        entry=position,
    )


def entries_listed(positions: Collection[int]) -> str:
    """Return positions in order as text: entries 3, 4, 9 to 12."""
    runs: list[list[int]] = []
    for position in positions:
        if runs and position == runs[-1][-1] + 1:
            runs[-1].append(position)
        else:
            runs.append([position])
    listed = ", ".join(
        f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run))  # noqa: PLR2004 - "3 to 4" is longer than "3, 4"
        for run in runs
    )
    return f"{'entry' if len(positions) == 1 else 'entries'} {listed or 'none'}"


def word(text: str) -> Sentence:
    """Return a word from data, such as a kind of result. The words of a house rulebook have no translation."""
    return _sentence(text, text, {}, None, 1)


def named_in(said: object) -> set[str]:
    """Return the values that a sentence names, also inside its sentences, as texts."""
    if not isinstance(said, Sentence):
        return {str(said)}
    return set().union(*map(named_in, said.values.values()))


def joined(parts: Iterable[object], between: str = ", ") -> Sentence:
    """Return texts one after the other, as a sentence in which each text can be translated. `between` contains no
    words.
    """
    values: dict[str, object] = {f"p{number}": part for number, part in enumerate(parts)}
    message = between.replace("%", "%%").join(f"%({name})s" for name in values)
    _make_plain(message, values)
    return _sentence(message % values if values else "", message, values, None, 1)


def both(parts: Iterable[str]) -> str:
    """Return texts in one list: "A", "A and B", "A, B and C". An empty list gives ""."""
    all_parts = list(parts)
    if len(all_parts) < 2:  # noqa: PLR2004 - a single text needs no joining
        return all_parts[0] if all_parts else ""
    *others, last = all_parts
    first = others[0] if len(others) == 1 else joined(others)
    return sentence("%(first)s and %(second)s", first=first, second=last)


class UsageProblem(Exception):
    """A request that the program cannot understand.

    The message is one line that lists the possible requests.

    A message that a page can show is a `Sentence`, so that readers get it in their language. `field` is the name
    of the wrong field, or None if the problem is about no field.
    """

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(one_line(message, _LONGEST))
        self.field = field


class NotThere(UsageProblem):
    """A request for a thing that does not exist."""


Demand = Literal[
    "a bracket's division",
    "a correction",
    "a cut",
    "a decided tie",
    "a division",
    "a known moment",
    "a late arrival",
    "a late list",
    "a leader",
    "a leader who goes",
    "a number of rounds",
    "a reason",
    "a rejoining player",
    "a round undone",
    "new numbers",
    "a rematch",
    "a seat",
    "a second key file",
    "a signing key",
    "a token",
    "a tournament",
    "a trusted key",
    "an elimination round",
    "an exception",
    "another bracket",
    "another key file",
    "cards of a faction",
    "names in clear",
    "no other clerk",
    "no other moment",
    "numbers alone",
    "one division",
    "one's own name",
    "pairings by hand",
    "rounds to come",
    "the calls",
    "the leaders",
    "the pairings verified",
    "the places",
    "the players",
    "the rules",
    "the rulings",
    "the tokens",
    "this copy's rounds",
    "what decided at time",
]


def demanding(said: Sentence, *demands: Demand) -> Sentence:
    """Return a sentence with its demands. If a sentence has several demands, the reader needs to meet only one."""
    said.demands = demands
    return said


def demands_of(said: object) -> tuple[str, ...]:
    """Return the demands of a sentence and of the sentences inside it, each once. A text that is not a `Sentence`
    has no demands.
    """
    if not isinstance(said, Sentence):
        return ()
    inside = (demand for value in said.values.values() for demand in demands_of(value))
    return tuple(dict.fromkeys((*said.demands, *inside)))
