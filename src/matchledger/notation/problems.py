"""Usage problems: requests that the program cannot understand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from matchledger_projections.message import Sentence, UsageProblem, joined, sentence, word

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


def wrong_value(error: ErrorDetails, *, skip: int = 0) -> Sentence:
    """Return a sentence about an invalid value in a form. The first `skip` parts of the error's location are not
    names of fields.
    """
    names = [str(part) for part in error["loc"][skip:] if isinstance(part, str)]
    field = _field(names)
    wrong = _WRONG.get(error["type"])
    return joined((field, word(error["msg"]) if wrong is None else wrong(error.get("ctx", {}))), ": ")


def _field(names: list[str]) -> Sentence:
    if names == ["born"]:
        return sentence("year of birth")
    return word(" ".join(names).replace("_", " ")) if names else sentence("the form")


def _own_words(bounds: dict[str, Any]) -> Sentence:
    said = bounds["error"].args[0]
    return said if isinstance(said, Sentence) else word(str(said))


# Plain words for common mistakes, by pydantic's kind of error.
_WRONG: dict[str, Callable[[dict[str, Any]], Sentence]] = {
    "missing": lambda _: sentence("this is missing"),
    "int_parsing": lambda _: sentence("this is not a whole number"),
    "int_type": lambda _: sentence("this is not a whole number"),
    "int_from_float": lambda _: sentence("this is not a whole number"),
    "bool_parsing": lambda _: sentence("this is neither yes nor no"),
    "greater_than_equal": lambda bounds: sentence("this is too small: %(least)s or more", least=bounds["ge"]),
    "less_than_equal": lambda bounds: sentence("this is too large: %(most)s or less", most=bounds["le"]),
    "string_too_short": lambda bounds: sentence("this is too short: %(least)s or more", least=bounds["min_length"]),
    "too_short": lambda bounds: sentence("this is too short: %(least)s or more", least=bounds["min_length"]),
    "string_too_long": lambda bounds: sentence("this is too long: %(most)s or less", most=bounds["max_length"]),
    "too_long": lambda bounds: sentence("this is too long: %(most)s or less", most=bounds["max_length"]),
    "string_unicode": lambda _: sentence("this is not UTF-8: write it in UTF-8"),
    "literal_error": lambda bounds: sentence("this can be %(known)s", known=bounds["expected"]),
    "date_parsing": lambda _: sentence("this is not a date: write it as 2026-05-31"),
    "date_from_datetime_parsing": lambda _: sentence("this is not a date: write it as 2026-05-31"),
    "union_tag_invalid": lambda bounds: sentence("there is no command %(kind)r", kind=bounds["tag"]),
    "value_error": _own_words,
}

__all__ = ["UsageProblem", "wrong_value"]
