"""Sentences: what the core says, in English, in a form that a face can say again in the language of its reader.

A sentence is a string like any other. It remembers the text that it was made from and what stands in its places,
which can be sentences themselves; so nothing has to be said twice, once for each language, where it is decided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from matchledger_projections.text_line import one_line, plain

_LONGEST = 2000  # characters: a refusal may list every name that would do
PLACE = re.compile(r"%\(\w+\)[srd]")
Gettext = Callable[[str], str]
Ngettext = Callable[[str, str, int], str]


class Sentence(str):  # noqa: SLOT000 - it keeps what it was made from
    """A text in English that knows its `message`, with places such as `%(player)s`, and the `values` in them.

    `many` is the message for another `number` than one, None for a text in which nothing is counted. `demands` are
    what it asks for, as `demand` knows them.
    """

    message: str
    values: Mapping[str, object]
    many: str | None
    number: int
    demands: tuple[str, ...] = ()

    def in_words_of(self, gettext: Gettext, ngettext: Ngettext) -> str:
        """The same in another language; a text that has no translation stays as it is."""
        if self.many is not None:
            message = ngettext(self.message, self.many, self.number)
        else:
            message = gettext(self.message) if _has_words(self.message) else self.message
        values = {name: in_words_of(value, gettext, ngettext) for name, value in self.values.items()}
        return message % values if values else message


def _has_words(message: str) -> bool:
    """Whether a message says something, and does not only arrange what stands in its places."""
    return any(map(str.isalpha, PLACE.sub("", message)))


def in_words_of(value: object, gettext: Gettext, ngettext: Ngettext) -> object:
    """A sentence in another language; anything else, a name for one, as it is."""
    return value.in_words_of(gettext, ngettext) if isinstance(value, Sentence) else value


def _sentence(text: str, message: str, values: Mapping[str, object], many: str | None, number: int) -> Sentence:
    made = Sentence(text)
    made.message, made.values, made.many, made.number = message, values, many, number
    return made


def sentence(message: str, /, **values: object) -> Sentence:
    """A text that can be translated. Its message is written out where this is called, for the catalogues."""
    _make_plain(message, values)
    return _sentence(message % values if values else message, message, values, None, 1)


def _make_plain(message: str, values: dict[str, object]) -> None:
    """What somebody typed cannot begin a line of its own in a sentence of ours (A-10); `%r` sees to that itself."""
    for name, value in values.items():
        if type(value) is str and not value.isprintable() and f"%({name})r" not in message:
            values[name] = plain(value)


def numbered(one: str, many: str, /, count: int, **values: object) -> Sentence:
    """A text about so many things; `%(count)s` is their number."""
    values["count"] = count
    _make_plain(one, values)
    return _sentence((one if count == 1 else many) % values, one, values, many, count)


def word(text: str) -> Sentence:
    """A word out of data, such as a kind of result; a house rulebook's own has no translation."""
    return _sentence(text, text, {}, None, 1)


def joined(parts: Iterable[object], between: str = ", ") -> Sentence:
    """Texts one after the other, each of which stays translatable; `between` holds no words."""
    values: dict[str, object] = {f"p{number}": part for number, part in enumerate(parts)}
    message = between.replace("%", "%%").join(f"%({name})s" for name in values)
    _make_plain(message, values)
    return _sentence(message % values if values else "", message, values, None, 1)


def both(parts: Iterable[str]) -> str:
    """Two texts with an "and" between them; more or fewer likewise."""
    all_parts = list(parts)
    if not all_parts:
        return ""
    first, *others = all_parts
    for other in others:
        first = sentence("%(first)s and %(second)s", first=first, second=other)
    return first


class UsageProblem(Exception):
    """Something was asked for in a way that cannot be understood; one line that says what can.

    It is a sentence wherever a page can show it, so that it is said in the language of its reader.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message, _LONGEST))


class NotThere(UsageProblem):
    """Something was asked for that does not exist."""
