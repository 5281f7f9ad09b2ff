"""The description of the API: OpenAPI, where every part of a union requires the key that identifies it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from fastapi import FastAPI


class Described(FastAPI):
    """An application whose description requires the `kind` of every command and fact, as the server does.

    In the models, `kind` has one value that our own code may omit, so the models call it optional.
    """

    described: ClassVar[dict[str, Any]] = {}

    def openapi(self) -> dict[str, Any]:
        """The description, made once because every application has the same routes."""
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
    """The distinguishing keys of each union's models, anywhere in the description."""
    if isinstance(part, dict):
        if isinstance(found := part.get("discriminator"), dict) and "mapping" in found:
            yield found
        part = list(part.values())
    if isinstance(part, list):
        for inner in part:
            yield from _discriminators(inner)
