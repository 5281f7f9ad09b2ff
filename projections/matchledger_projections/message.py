"""Sentences: messages in English that a face can translate for its reader.

A sentence is a string like any other. It keeps its pattern and the values in it, which can be sentences themselves.
The code that decides therefore writes each message once, and not once for each language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from matchledger_projections.text_line import one_line, plain

_LONGEST = 2000  # characters: a refusal may list every possible name
PLACE = re.compile(r"%\(\w+\)[srd]")
Gettext = Callable[[str], str]
Ngettext = Callable[[str, str, int], str]


class Sentence(str):  # noqa: SLOT000 - it keeps its parts
    """An English text that knows its pattern, with places such as `%(player)s`, and the `values` in them.

    `many` is the pattern for every `number` except one, or None for a text without a number. `hint` knows the
    `demands`.
    """

    message: str
    values: Mapping[str, object]
    many: str | None
    number: int
    demands: tuple[str, ...] = ()

    def in_words_of(self, gettext: Gettext, ngettext: Ngettext) -> str:
        """The same sentence in another language. A text without a translation stays as it is."""
        if self.many is not None:
            message = ngettext(self.message, self.many, self.number)
        else:
            message = gettext(self.message) if _has_words(self.message) else self.message
        values = {name: in_words_of(value, gettext, ngettext) for name, value in self.values.items()}
        return message % values if values else message


def _has_words(message: str) -> bool:
    """Whether a pattern has words, and not only places."""
    return any(map(str.isalpha, PLACE.sub("", message)))


def in_words_of(value: object, gettext: Gettext, ngettext: Ngettext) -> object:
    """A sentence in another language. Any other value, such as a name, stays."""
    return value.in_words_of(gettext, ngettext) if isinstance(value, Sentence) else value


def _sentence(text: str, message: str, values: Mapping[str, object], many: str | None, number: int) -> Sentence:
    made = Sentence(text)
    made.message, made.values, made.many, made.number = message, values, many, number
    return made


def sentence(message: str, /, **values: object) -> Sentence:
    """A text that can be translated.

    Each caller writes its pattern as a literal, so that the catalogues find it.
    """
    _make_plain(message, values)
    return _sentence(message % values if values else message, message, values, None, 1)


def _make_plain(message: str, values: dict[str, object]) -> None:
    """A typed value cannot begin a line of its own in a sentence (A-10). `%r` already prevents it."""
    for name, value in values.items():
        if type(value) is str and not value.isprintable() and f"%({name})r" not in message:
            values[name] = plain(value)


def numbered(one: str, many: str, /, count: int, **values: object) -> Sentence:
    """A text with a number of things; `%(count)s` is the number."""
    values["count"] = count
    _make_plain(one, values)
    return _sentence((one if count == 1 else many) % values, one, values, many, count)


def no_entry(position: int, size: int) -> Sentence:
    """The refusal of a position beyond the end of a log."""
    return numbered(
        "there is no entry %(entry)s: the log has %(count)s entry",
        "there is no entry %(entry)s: the log has %(count)s entries",
        size,
        entry=position,
    )


def word(text: str) -> Sentence:
    """A word from data, such as a kind of result. The words of a house rulebook have no translation."""
    return _sentence(text, text, {}, None, 1)


def joined(parts: Iterable[object], between: str = ", ") -> Sentence:
    """Texts one after the other, each translatable. `between` contains no words."""
    values: dict[str, object] = {f"p{number}": part for number, part in enumerate(parts)}
    message = between.replace("%", "%%").join(f"%({name})s" for name in values)
    _make_plain(message, values)
    return _sentence(message % values if values else "", message, values, None, 1)


def both(parts: Iterable[str]) -> str:
    """Texts in one list: "A", "A and B", "A, B and C"; "" for an empty list."""
    all_parts = list(parts)
    if len(all_parts) < 2:  # noqa: PLR2004 - nothing to join
        return all_parts[0] if all_parts else ""
    *others, last = all_parts
    first = others[0] if len(others) == 1 else joined(others)
    return sentence("%(first)s and %(second)s", first=first, second=last)


class UsageProblem(Exception):
    """A request that cannot be understood.

    The message is one line that lists the possible requests.

    It is a sentence if a page can show it, so that readers get it in their language.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message, _LONGEST))


class NotThere(UsageProblem):
    """A request for a thing that does not exist."""
