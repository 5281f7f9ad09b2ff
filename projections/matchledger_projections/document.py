"""Documents: the JSON of a view contains its fields, in order.

Exact numbers are "p/q", moments ISO 8601, players names.

A view is a frozen Struct or a NamedTuple. The type of a field tells how to write it: `PlayerName` as a name,
`Player` as a name and a number, `ExactFraction` as "p/q". A document leaves out `Unsaid` fields.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from msgspec import NODEFAULT, Struct

from matchledger.events import Entry, Role
from matchledger_projections.fractions import as_text
from matchledger_projections.record.record import Record

T = TypeVar("T")
Document = dict[str, Any]
Cited = Callable[[int], Entry | None]

# Only the player and the staff may read a deck list, so a document shows its hash.
PRIVATE = {"deck", "difference", "finding"}


class Names(Struct, frozen=True):
    """The record that names the players, and the entries that can be cited, by position."""

    record: Record
    entry: Cited


class As(Struct, frozen=True):
    """How to write a value, and which type the value has in the document."""

    write: Callable[[Any, Names], Any]
    type: Any


class Keys(Struct, frozen=True):
    """Marks a field that becomes several keys, each with its own `As`."""

    keys: Mapping[str, As]


class _Marker:
    """Marks a field of a view: never written (`UNSAID`), not written at its default (`LEFT_OUT`), or replaced by
    its own keys (`SPREAD`).
    """


UNSAID, LEFT_OUT, SPREAD = _Marker(), _Marker(), _Marker()


def renamed(key: str, hint: Any) -> Keys:
    """Return a field that has another key in the document."""
    write = writer(hint)
    return Keys({key: As(write, hint)})


def copied(view: type[T], *sources: object, **own: object) -> T:
    """Build a view from sources: each field comes from the first source that has it, or from `own`."""
    names: tuple[str, ...] = view.__struct_fields__  # type: ignore[attr-defined] # a view is a Struct
    found = (
        (name, next(getattr(source, name) for source in sources if hasattr(source, name)))
        for name in names
        if name not in own
    )
    return view(**dict(found), **own)


# -- the types of fields


def name_of(player: int, names: Names) -> str:
    """Return the name of a player for the reader of the document."""
    return names.record.players[player].name


def _division(player: int, names: Names) -> str | None:
    return names.record.players[player].division


class Citation(NamedTuple):
    """The entry behind a value, and who recorded it."""

    position: int
    recorded_at: datetime
    actor: str
    role: Role
    station: str
    reason: str | None


def _cited(position: int, names: Names) -> Document | None:
    entry = names.entry(position)
    return None if entry is None else {key: written(getattr(entry, key)) for key in Citation._fields}


_NUMBER = As(lambda player, _: player, int)
PlayerName = Annotated[int, As(name_of, str)]
Player = Annotated[int, Keys({"player": As(name_of, str), "number": _NUMBER})]
DivisionPlayer = Annotated[
    int, Keys({"player": As(name_of, str), "number": _NUMBER, "division": As(_division, str | None)})
]
ExactFraction = Annotated[Fraction, As(lambda value, _: as_text(value), str)]
CitedEntry = Annotated[int, As(_cited, Citation | None)]


# -- documents from views


def document(view: Any, record: Record, cited: Cited = lambda _: None) -> Any:
    """Return the JSON document of a view or a list of views, with players' names from the `record`."""
    return _dynamic(view, Names(record, cited))


class Field(NamedTuple):
    """A key of a document: where its value comes from, how to write it, and when to leave it out."""

    key: str
    attribute: str
    hint: Any
    as_: As | None
    default: Any
    spread: bool


@cache
def fields_of(view: type) -> tuple[Field, ...]:
    """The keys of a view, in order."""
    hints = get_type_hints(view, include_extras=True)
    if not issubclass(view, Struct):
        return tuple(_fields(getattr(view, "_fields", ()), hints, {}))
    names, defaults = view.__struct_fields__, view.__struct_defaults__
    return tuple(_fields(names, hints, dict(zip(reversed(names), reversed(defaults), strict=False))))


def _fields(names: tuple[str, ...], hints: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[Field]:
    for name in names:
        hint = hints[name]
        marks = hint.__metadata__ if get_origin(hint) is Annotated else ()
        if UNSAID in marks:
            continue
        default = defaults[name] if LEFT_OUT in marks else NODEFAULT
        if marks and isinstance(marks[0], Keys):
            for key, as_ in marks[0].keys.items():
                yield Field(key, name, as_.type, as_, default, spread=False)
        else:
            yield Field(name.rstrip("_"), name, hint, As(writer(hint), Any), default, SPREAD in marks)


Write = Callable[[Any, Names], Any]


@cache
def writer(hint: Any) -> Write:  # noqa: PLR0911 - each kind of type has its own return
    """Return the function that writes values of a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        mark = hint.__metadata__[0]
        return mark.write if isinstance(mark, As) else writer(arguments[0])
    if hint in (int, str, bool, float, Any) or origin is Literal:
        return _as_it_is
    if origin in (types.UnionType, Union):
        return _optional(tuple(part for part in arguments if part is not type(None)))
    if origin in (tuple, list, frozenset) and (len(arguments) == 1 or arguments[-1] is Ellipsis):
        one = writer(arguments[0])
        order: Callable[[Any], Any] = sorted if origin is frozenset else iter
        return lambda values, names: [one(value, names) for value in order(values)]
    if origin is tuple:
        each = tuple(map(writer, arguments))
        return lambda values, names: [write(value, names) for write, value in zip(each, values, strict=True)]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, value = map(writer, arguments)
        return lambda values, names: {key(k, names): value(v, names) for k, v in values.items()}
    return _dynamic


def _optional(parts: tuple[Any, ...]) -> Write:
    """Return a writer for a union of types, which writes None as null and any other value by its own type."""
    if len(parts) > 1:
        return _as_it_is if all(writer(part) is _as_it_is for part in parts) else _dynamic
    write = writer(parts[0])
    return write if write is _as_it_is else lambda value, names: None if value is None else write(value, names)


def _as_it_is(value: Any, _: Names) -> Any:
    return value


def _dynamic(value: Any, names: Names) -> Any:
    if isinstance(value, Struct) or hasattr(value, "_fields"):
        return _view(value, names)
    if isinstance(value, list | tuple):
        return [_dynamic(part, names) for part in value]
    return written(value)


def _view(view: Any, names: Names) -> Document:
    made: Document = {}
    for key, attribute, _, as_, default, spread in fields_of(view.__class__):
        value = getattr(view, attribute)
        if default is not NODEFAULT and value == default:
            continue
        said = value if as_ is None else as_.write(value, names)
        made |= said if spread else {key: said}
    return made


def written(value: Any) -> Any:
    """Return a value without players as JSON. An entry is written without its deck list."""
    match value:
        case Fraction():
            return as_text(value)
        case date():  # this comes second, because a datetime is a date too
            return value.isoformat()
        case UUID():
            return str(value)
        case Entry():
            return value.model_dump(mode="json", exclude={"fact": PRIVATE})
        case _ if hasattr(value, "model_dump"):
            return value.model_dump(mode="json")
        case _:
            return value
