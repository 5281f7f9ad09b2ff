"""JSON from other programs, parsed safely and validated value by value. A wrong value is refused with its path."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from typing import Annotated, Any, NoReturn, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from matchledger.formats.text import FormatError, decode
from matchledger_projections.message import sentence

_LARGEST = 999_999
_MOST_DIGITS = 40
_MOST_PARTS = 2_000_000
_MOST_VALUES = 5_000_000


def _id(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | str) or len(str(value)) > _MOST_DIGITS:
        raise ValueError(f"an id is a number or a short text, not {_shown(value)}")
    return str(value).strip() or None


def _known_id(value: Any) -> str:
    if (found := _id(value)) is None:
        raise ValueError("an id is missing")
    return found


def _whole(value: Any) -> int | None:
    """Return a whole number from 0 up, or None for an empty value. The file may write the number as text, or with a
    zero after the point.
    """
    if value is None or value == "":
        return None
    text = _simple_text(value)
    if not re.fullmatch(r"[0-9]{1,9}(\.0{1,9})?", text) or int(text.partition(".")[0]) > _LARGEST:
        raise ValueError(f"a whole number from 0 to {_LARGEST} belongs here, not {_shown(value)}")
    return int(text.partition(".")[0])


def _signed(value: Any) -> int | None:
    """Return a whole number that may be negative, such as points after a deduction, or None for an empty value."""
    if isinstance(value, int | str) and not isinstance(value, bool) and str(value).strip().startswith("-"):
        found = _whole(str(value).strip().removeprefix("-"))
        return None if found is None else -found
    return _whole(value)


def _place(value: Any) -> int | None:
    """Return a rank, a seed or a table number, or None. 0 means none."""
    return _whole(value) or None


def flag(value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, int | str) and str(value).lower() in {"0", "1", "true", "false"}:
        return str(value).lower() in {"1", "true"}
    raise ValueError(f"true or false belongs here, not {_shown(value)}")


def _written_number(value: Any) -> str | None:
    """Return the text of a decimal number with the file's digits, or None if the value is empty."""
    if value is None or value == "":
        return None
    if isinstance(value, Decimal) and abs(value.adjusted()) < _MOST_DIGITS:
        value = format(value, "f")
    text = _simple_text(value)
    if not re.fullmatch(r"-?[0-9]{1,9}(\.[0-9]{1,80})?", text):
        raise ValueError(f"a number belongs here, not {_shown(value)}")
    return text


def _share(value: Any) -> str | None:
    """Return a share of 1 as the file writes it, or a percentage as a share of 1. "33.33%" gives 0.3333, and an
    empty value gives None.
    """
    if isinstance(value, str) and value.strip().endswith("%"):
        written = _written_number(value.strip().removesuffix("%").rstrip())
        return None if written is None else format(Decimal(written).scaleb(-2), "f")
    return _written_number(value)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"a text belongs here, not {_shown(value)}")


def items(value: Any) -> Any:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    # pydantic reports a ValueError as a problem of the field, but lets a TypeError escape
    raise ValueError(f"a list belongs here, not {_shown(value)}")


def _simple_text(value: Any) -> str:
    """Return a number or a text as text, and "" for true, false, null, a list or an object."""
    return str(value).strip() if isinstance(value, int | str | Decimal) and not isinstance(value, bool) else ""


def _shown(value: Any) -> str:
    """Return a value as JSON, short enough for one line."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value, default=str)
    return text if len(text) <= _MOST_DIGITS else f"{text[:_MOST_DIGITS]}..."


Id = Annotated[str | None, BeforeValidator(_id)]
KnownId = Annotated[str, BeforeValidator(_known_id)]
Whole = Annotated[int | None, BeforeValidator(_whole)]
Signed = Annotated[int | None, BeforeValidator(_signed)]
Placed = Annotated[int | None, BeforeValidator(_place)]
Flag = Annotated[bool, BeforeValidator(flag)]
WrittenNumber = Annotated[str | None, BeforeValidator(_written_number)]
Share = Annotated[str | None, BeforeValidator(_share)]
Text = Annotated[str, BeforeValidator(_text)]


class Part(BaseModel):
    """The base of models for objects in another program's file."""

    # Programs add fields of their own. Ignore them.
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


def parse_json(data: bytes) -> Any:
    """Return the value in a JSON file, with decimals instead of floats. Raises FormatError, one line with its
    place.
    """
    text = decode(data)
    if text.count("[") + text.count("{") > _MOST_PARTS or text.count(",") > _MOST_VALUES:
        raise FormatError(sentence("the JSON has millions of parts; is it really the record of one event?"))
    try:
        return json.loads(
            text, parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles
        )
    except json.JSONDecodeError as error:
        wrong = sentence("not valid JSON at column %(column)s: %(error)s", column=error.colno, error=error.msg)
        raise FormatError(wrong, error.lineno) from None
    except RecursionError:
        raise FormatError(sentence("the JSON is nested too deeply for the record of an event")) from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError(sentence("the JSON has a number with thousands of digits")) from None


def _refuse_constant(name: str) -> NoReturn:
    raise FormatError(sentence("the JSON has %(name)s where a number belongs", name=name))


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise FormatError(sentence("the JSON has %(key)s twice in the same object", key=_shown(twice)))
    return found


Checked = TypeVar("Checked", bound=BaseModel)


def checked(model: type[Checked], value: Any) -> Checked:
    """Return a value as a validated model. Raises FormatError with a path such as rounds[2][4].table."""
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise FormatError(_first_problem(error)) from None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    path = ""
    for part in problem["loc"]:
        path += f"[{part}]" if isinstance(part, int) else f"{'.' if path else ''}{part}"
    message = {"missing": "is missing", "model_type": "an object belongs here"}.get(
        problem["type"], problem["msg"].removeprefix("Value error, ")
    )
    return f"{path}: {message}"
