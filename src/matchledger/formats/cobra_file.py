"""The JSON of a Cobra or NRTM export as a checked model; what is of an odd type is refused by its path."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, BeforeValidator, ConfigDict, FailFast, ValidationError
from pydantic.alias_generators import to_camel

from matchledger.formats.text import decode
from matchledger.formats.transcript import FormatError

_LARGEST = 999_999
_MOST_DIGITS = 40
_MOST_PARTS = 2_000_000


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
    """A whole number from 0, also where a program wrote it as a text or with a zero behind the point."""
    if value is None or value == "":
        return None
    text = _simple_text(value)
    if not re.fullmatch(r"[0-9]{1,9}(\.0{1,9})?", text) or int(text.partition(".")[0]) > _LARGEST:
        raise ValueError(f"a whole number from 0 to {_LARGEST} belongs here, not {_shown(value)}")
    return int(text.partition(".")[0])


def _place(value: Any) -> int | None:
    """A rank, a seed or a table; 0 stands for none."""
    return _whole(value) or None


def _flag(value: Any) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    if isinstance(value, int | str) and str(value).lower() in {"0", "1", "true", "false"}:
        return str(value).lower() in {"1", "true"}
    raise ValueError(f"true or false belongs here, not {_shown(value)}")


def _written_number(value: Any) -> str | None:
    """A decimal number as it is printed in the file."""
    if value is None or value == "":
        return None
    if isinstance(value, Decimal) and abs(value.adjusted()) < _MOST_DIGITS:
        value = format(value, "f")
    text = _simple_text(value)
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,80})?", text):
        raise ValueError(f"a number belongs here, not {_shown(value)}")
    return text


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    raise ValueError(f"a text belongs here, not {_shown(value)}")


def _items(value: Any) -> Any:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    # pydantic collects a ValueError and would let a TypeError through
    raise ValueError(f"a list belongs here, not {_shown(value)}")


def _simple_text(value: Any) -> str:
    """A number or a text as text, "" for anything that is neither."""
    return str(value).strip() if isinstance(value, int | str | Decimal) and not isinstance(value, bool) else ""


def _shown(value: Any) -> str:
    """A value as JSON has it, short enough for one line."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = json.dumps(value, default=str)
    return text if len(text) <= _MOST_DIGITS else f"{text[:_MOST_DIGITS]}..."


Id = Annotated[str | None, BeforeValidator(_id)]
KnownId = Annotated[str, BeforeValidator(_known_id)]
Whole = Annotated[int | None, BeforeValidator(_whole)]
Placed = Annotated[int | None, BeforeValidator(_place)]
Flag = Annotated[bool, BeforeValidator(_flag)]
WrittenNumber = Annotated[str | None, BeforeValidator(_written_number)]
Text = Annotated[str, BeforeValidator(_text)]


class _Part(BaseModel):
    # Programs add fields of their own; what is not about the tournament is none of our business.
    model_config = ConfigDict(frozen=True, extra="ignore", alias_generator=to_camel)


class Side(_Part):
    """One side of a match; `winner` in elimination matches only."""

    id: Id = None
    combined_score: Whole = None
    runner_score: Whole = None
    corp_score: Whole = None
    winner: Annotated[bool | None, BeforeValidator(lambda value: None if value is None else _flag(value))] = None

    @property
    def score(self) -> int | None:
        """The points as written, None where none are."""
        if self.combined_score is not None:
            return self.combined_score
        if "combined_score" in self.model_fields_set and not (self.runner_score or self.corp_score):
            return None
        if self.runner_score is None and self.corp_score is None:
            return None
        return (self.runner_score or 0) + (self.corp_score or 0)


class Match(_Part):
    table: Placed = None
    player1: Side | None = None
    player2: Side | None = None
    elimination_game: Flag = False
    intentional_draw: Flag = False
    two_for_one: Flag = False

    @property
    def is_elimination(self) -> bool:
        """Whether the match belongs to the cut: the file says so, or it has winners and no points."""
        sides = [side for side in (self.player1, self.player2) if side is not None]
        named = any(side.winner is not None for side in sides)
        return self.elimination_game or (named and all(side.score is None for side in sides))


class Player(_Part):
    """A player with the numbers that the program computed; None where it wrote none."""

    id: KnownId
    name: Text = ""
    rank: Placed = None
    match_points: WrittenNumber = None
    strength_of_schedule: WrittenNumber = None
    extended_strength_of_schedule: WrittenNumber = None
    forfeit: Flag = False
    super_bye: Flag = False

    @property
    def numbers(self) -> dict[str, str]:
        found = {
            "points": self.match_points,
            "strength_of_schedule": self.strength_of_schedule,
            "extended_strength_of_schedule": self.extended_strength_of_schedule,
        }
        return {name: text for name, text in found.items() if text is not None}


class EliminationPlayer(_Part):
    id: KnownId
    seed: Placed = None
    rank: Placed = None


# One problem is enough to refuse a file: millions of them are not collected.
Round = Annotated[list[Match], FailFast(), BeforeValidator(_items)]


class CobraFile(_Part):
    """A whole export."""

    name: Text = ""
    cut_to_top: Whole = None
    preliminary_rounds: Whole = None
    players: Annotated[list[Player], FailFast(), BeforeValidator(_items)]
    elimination_players: Annotated[list[EliminationPlayer], FailFast(), BeforeValidator(_items)] = []
    rounds: Annotated[list[Round], FailFast(), BeforeValidator(_items)]


def parse_cobra(data: bytes) -> CobraFile:
    """The checked content of an export. Raises FormatError with a line, or a path such as rounds[2][4].table."""
    found = _json(decode(data))
    if not isinstance(found, dict):
        raise FormatError("the JSON is not the export of a tournament: it is no object with players and rounds")
    try:
        return CobraFile.model_validate(found)
    except ValidationError as error:
        raise FormatError(_first_problem(error)) from None


def _json(text: str) -> Any:
    if text.count("[") + text.count("{") > _MOST_PARTS:
        raise FormatError("the JSON has millions of parts; is it really the record of one event?")
    try:
        return json.loads(
            text, parse_float=Decimal, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles
        )
    except json.JSONDecodeError as error:
        raise FormatError(f"not valid JSON at column {error.colno}: {error.msg}", error.lineno) from None
    except RecursionError:
        raise FormatError("the JSON is nested too deeply for the export of a tournament") from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("the JSON has a number with thousands of digits") from None


def _refuse_constant(name: str) -> NoReturn:
    raise FormatError(f"the JSON has {name} in the place of a number")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise FormatError(f"the JSON has {_shown(twice)} twice in the same object")
    return found


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False, include_input=False)[0]
    path = ""
    for part in problem["loc"]:
        path += f"[{part}]" if isinstance(part, int) else f"{'.' if path else ''}{part}"
    message = {"missing": "is missing", "model_type": "an object belongs here"}.get(
        problem["type"], problem["msg"].removeprefix("Value error, ")
    )
    return f"{path}: {message}"
