"""Rendering: templates in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from functools import cache, partial
from hashlib import blake2b
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from matchledger.notation.outcomes import is_score
from matchledger.text.translation import (
    languages,
    long_date,
    preferred,
    told,
    translations,
    with_decimal_mark,
    word_of,
)
from matchledger.web.chosen import LANGUAGE
from matchledger.web.log_lines import in_runs, tally_of, topic_of, weighed
from matchledger.web.naming import OWN_NAMES, named
from matchledger_projections.fractions import as_halves
from matchledger_projections.message import Sentence, word
from matchledger_projections.narration.conduct import OFFENCES
from matchledger_projections.rulebook.scoring import points_text, unit_name, unit_of
from matchledger_projections.standings.tiebreakers import TIEBREAKERS

Values = dict[str, Any]
_CODE = re.compile(r" \([A-Z][A-Z0-9]+(?:-[A-Z0-9.]+)+\)")  # the rule behind a note
STATIC = resources.files("matchledger.web") / "static"


def language_of(request: Request) -> str:
    """Return a visitor's language: from `?lang=`, then from the cookie, then from the browser's preference."""
    chosen = request.query_params.get(LANGUAGE) or request.cookies.get(LANGUAGE)
    return preferred(chosen, request.headers.get("accept-language", ""))


def render(template: str, language: str, **values: Any) -> str:
    """Return a page as text. `values` must have a value for every name in the template.

    `asked` are the parameters that links to other languages repeat. Links never repeat the raw address, because
    the address may contain a token.
    """
    return _environment(language).get_template(template).render(**values)


def language_links(request: Request) -> Values:
    """Return the values that leave out a page's links to other languages, if the page answers a form. The answer to
    a form has no address that a link can name.
    """
    return {} if request.method == "GET" else {"languages": {}}


def private_page(request: Request, template: str, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a page for one person, which no browser may cache."""
    text = render(template, language_of(request), **language_links(request), **values)
    return HTMLResponse(text, status, headers={"cache-control": "no-store"})


@cache
def _environment(language: str) -> Environment:
    environment = Environment(
        loader=PackageLoader("matchledger.web"),
        autoescape=True,
        auto_reload=False,  # the templates do not change while the server runs
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= _words(language)
    environment.filters |= {"told": partial(_told, language=language), "word": word, "named": named}
    environment.filters["in_words"] = partial(_in_words, language=language)
    environment.filters |= {"runs": in_runs, "tally": tally_of, "topic": topic_of}
    environment.filters["uncoded"] = lambda text: _CODE.sub("", text)
    environment.filters["weighed"] = partial(weighed, language=language)
    environment.filters["numeral"] = partial(with_decimal_mark, language=language)
    environment.filters["day"] = partial(long_date, language=language)
    # Jinja's own filter would turn all other letters into small letters.
    environment.filters["capitalize"] = lambda text: text[:1].upper() + text[1:]
    environment.globals |= {"language": language, "languages": languages(), "asked": [], "static": static_url}
    environment.globals |= {"unit_of": unit_of, "unit_name": unit_name, "points_text": points_text}
    environment.globals |= {"as_halves": as_halves, "at": clock_time}
    own_names = {name: told(word(name), language) for name in sorted(OWN_NAMES)}
    environment.globals["own_names"] = own_names
    environment.filters["recorder"] = lambda name: own_names.get(name, name)
    environment.globals["is_score"] = is_score
    environment.globals["offences"] = OFFENCES
    environment.globals["phrases"] = {name: tiebreaker.phrase for name, tiebreaker in TIEBREAKERS.items()}
    return environment


def _words(language: str) -> Values:
    """Return the functions that translate the texts of the templates. Jinja's own functions do the same, but in a
    loop they copy all names of the template for each text.
    """
    spoken = translations(language)

    @cache
    def marked(text: str) -> Markup:
        return Markup(_held(spoken.gettext(text)))  # noqa: S704 - the text is the template's own

    def gettext(text: str, **values: object) -> Markup:
        return marked(text) % values if values else marked(text)

    def ngettext(one: str, many: str, num: int, /, **values: object) -> Markup:
        said = _held(spoken.ngettext(one, many, num))
        return Markup(said) % {"num": num, **values}  # noqa: S704 - as above

    return {"_": gettext, "ngettext": ngettext}


def _held(text: str) -> str:
    """Return a text in which a line cannot end inside "K.-o."."""
    return text.replace("K.-o.-", "K.-\u2060o.-\u2060")


def _told(text: str, language: str) -> str:
    return _held(told(text, language)) if isinstance(text, Sentence) else text


def _in_words(names: Iterable[str], language: str) -> list[tuple[str, str]]:
    """Return names of the program, such as kinds of entries, each after its words and in the order of the words."""
    return sorted((told(word_of(name), language), name) for name in names)


def clock_time(moment: datetime, form: str = "%H:%M") -> str:
    """Return a moment as text for a page, in the machine's own time zone."""
    return moment.astimezone().strftime(form)


@cache
def static_url(name: str) -> str:
    """Return the address of a static file. The address changes with the file's content, so browsers may cache the
    file for ever.
    """
    digest = blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()
    return f"/static/{name}?v={digest}"
