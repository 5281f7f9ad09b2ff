"""Models of the API: the type of each document, made from the fields of its view, and the OpenAPI description."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, ClassVar, TypeVar, Union, get_args, get_origin

from fastapi import FastAPI
from msgspec import NODEFAULT, Struct
from pydantic import BaseModel, ConfigDict, Field, create_model

from matchledger_projections.document import As, fields_of
from matchledger_projections.standings.standings import Row

# In the API, the class has a different name, because a class for the rulebook's structures is called Row too.
_NAMES: dict[type, str] = {Row: "StandingsRow"}
Fields = Iterator[tuple[str, tuple[Any, Any]]]


@cache
def model_of(hint: Any) -> Any:  # noqa: PLR0911 - each kind of type has its own return
    """Return the type in a document for the type `hint` in a view."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        marks = [mark for mark in hint.__metadata__ if isinstance(mark, As)]
        return model_of(marks[0].type) if marks else model_of(arguments[0])
    if origin in (types.UnionType, Union):
        return Union[tuple(map(model_of, arguments))]  # noqa: UP007 - known only at run time
    if origin in (tuple, list, frozenset) or isinstance(hint, TypeVar):
        if origin is tuple and Ellipsis not in arguments:
            return tuple[tuple(map(model_of, arguments))]  # type: ignore[misc] # made while the program runs
        return list[model_of(arguments[0])]  # type: ignore[misc]
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return dict[model_of(arguments[0]), model_of(arguments[1])]  # type: ignore[misc]
    if isinstance(origin, type):
        return list[model_of(arguments[0])]  # type: ignore[misc] # a sequence
    if hint is Fraction or (isinstance(hint, type) and issubclass(hint, str)):
        return str
    if _is_view(hint):
        forbid = ConfigDict(extra="forbid")
        made: Any = dict(_fields(hint))
        return create_model(_NAMES.get(hint, hint.__name__), __config__=forbid, __doc__=hint.__doc__, **made)
    return hint


def _is_view(hint: Any) -> bool:
    return isinstance(hint, type) and (issubclass(hint, Struct) or hasattr(hint, "_fields"))


def _fields(view: type) -> Fields:
    for key, _, hint, _, default, spread in fields_of(view):
        if spread:
            yield from _spread(get_args(hint)[0])
        elif key == "from":
            yield "from_", (model_of(hint), Field(alias="from"))
        else:
            yield key, (model_of(hint), ... if default is NODEFAULT else _default(default))


def _spread(view: type) -> Fields:
    if not issubclass(view, BaseModel):
        yield from _fields(view)
        return
    for name, field in view.model_fields.items():
        yield name, (field.annotation, Field(discriminator=field.discriminator))


def _default(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


class Described(FastAPI):
    """An application whose description requires the `kind` of every command and fact, as the server does.

    In a model, `kind` has a default, because this program's own code may omit the kind. Therefore the plain
    description calls `kind` optional.
    """

    described: ClassVar[dict[str, Any]] = {}

    def openapi(self) -> dict[str, Any]:
        """Return the description. The description is made once, because every application has the same routes."""
        if not self.described:
            self.described.update(super().openapi())
            _demand_what_tells_apart(self.described)
        return self.described


def _demand_what_tells_apart(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    for discriminator in _discriminators(described):
        field = discriminator["propertyName"]
        for reference in discriminator["mapping"].values():
            model = schemas[reference.rpartition("/")[2]]
            model["required"] = [field, *(other for other in model.get("required", ()) if other != field)]


def _discriminators(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the `discriminator` of each union of models, anywhere in the description."""
    if isinstance(part, dict):
        if isinstance(found := part.get("discriminator"), dict) and "mapping" in found:
            yield found
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _discriminators(inner)
