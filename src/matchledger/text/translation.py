"""Translations: the source has English messages, and `locale/<language>/LC_MESSAGES/*.po` has the other languages.

One catalogue has the messages of pages, paper, drawings and refusals. The catalogue is read directly, and not
compiled. Translation needs an extra with babel.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO

from babel import Locale
from babel.core import UnknownLocaleError, negotiate_locale
from babel.dates import format_date
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol

from matchledger_projections.message import Sentence, word

DOMAIN = "matchledger"
SOURCE = "en"


@cache
def languages() -> dict[str, str]:
    """Return the available languages, each under its own name."""
    folder = resources.files("matchledger") / "locale"
    found = sorted(entry.name for entry in folder.iterdir() if (entry / "LC_MESSAGES").is_dir())
    return {code: Locale.parse(code).get_display_name(code) or code for code in (SOURCE, *found)}


@cache
def translations(language: str) -> NullTranslations:
    """Return the function `_()` of a language. Without a catalogue, the function returns English."""
    if language == SOURCE or language not in languages():
        return NullTranslations()
    file = resources.files("matchledger") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(file.read_bytes()), locale=language, domain=DOMAIN))
    compiled.seek(0)
    return GNUTranslations(compiled)


def told(text: str, language: str) -> str:
    """Return a `Sentence` in a language. A text that is not a `Sentence`, such as a name, does not change."""
    if not isinstance(text, Sentence):
        return text
    spoken = translations(language)
    return text.in_words_of(spoken.gettext, spoken.ngettext)


def word_of(name: str) -> Sentence:
    """Return a name of the program, such as `slip-refused`, as words that can be translated."""
    return word(name.replace("-", " "))


def in_all_languages(*texts: str) -> str:
    """Return texts in every language, one after the other, so that readers find the words of their own pages."""
    return " ".join(told(text, language) for text in texts for language in languages())


def long_date(day: date, language: str) -> str:
    """Return a date with its weekday, in the form of a language."""
    return format_date(day, "full", locale=language)


def date_in_words(day: date, language: str) -> str:
    """Return a date without its weekday, in the form of a language."""
    return format_date(day, "long", locale=language)


def with_decimal_mark(number: str, language: str) -> str:
    """Return a number with the decimal mark of a language. Words and other texts do not change."""
    whole, _, decimals = number.partition(".")
    if not (whole.removeprefix("-").isdecimal() and decimals.isdecimal()):
        return number
    return f"{whole}{get_decimal_symbol(language)}{decimals}"


def speaker(language: str) -> Callable[[str], str]:
    """Return the function that translates messages into a language: a page's words, or a `Sentence`."""
    return lambda text: told(text if isinstance(text, Sentence) else word(text), language)


def preferred(chosen: str | None, accepted: str) -> str:
    """Return the language to use: the chosen language, or else the best language in an Accept-Language header."""
    if chosen in languages():
        return str(chosen)
    weighted = [_weighted(part) for part in accepted.split(",") if part.strip()]
    wanted = [code for code, weight in sorted(weighted, key=lambda one: -one[1]) if weight > 0]
    try:
        return negotiate_locale(wanted, list(languages()), sep="-") or SOURCE
    except (ValueError, UnknownLocaleError):
        return SOURCE


def _weighted(part: str) -> tuple[str, float]:
    code, _, parameters = part.strip().partition(";")
    try:
        return code, float(parameters.strip().removeprefix("q=") or 1)
    except ValueError:
        return code, 0.0
