"""Translations: English as written in the templates, other languages from `locale/<language>/LC_MESSAGES/*.po`.

The catalogs are read as they are edited; there is nothing to compile.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO

from babel import Locale
from babel.core import UnknownLocaleError, negotiate_locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

DOMAIN = "matchledger"
SOURCE = "en"


@cache
def languages() -> dict[str, str]:
    """The languages that there are, each by the name that its speakers give it."""
    folder = resources.files("matchledger.web") / "locale"
    found = sorted(entry.name for entry in folder.iterdir() if (entry / "LC_MESSAGES").is_dir())
    return {code: Locale.parse(code).get_display_name(code) or code for code in (SOURCE, *found)}


@cache
def translations(language: str) -> NullTranslations:
    """What `_()` says in a language; English for one that there is no catalog of."""
    if language == SOURCE or language not in languages():
        return NullTranslations()
    file = resources.files("matchledger.web") / "locale" / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    compiled = BytesIO()
    write_mo(compiled, read_po(BytesIO(file.read_bytes()), locale=language, domain=DOMAIN))
    compiled.seek(0)
    return GNUTranslations(compiled)


def preferred(chosen: str | None, accepted: str) -> str:
    """The language to speak: the one that was chosen, or the best of an Accept-Language header."""
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
