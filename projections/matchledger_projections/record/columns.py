"""Columns: many records stored as one array per field, so that the whole array is written and read at once."""

from __future__ import annotations

import struct
from binascii import a2b_base64, b2a_base64
from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, PlainSerializer, PlainValidator


def _packed(numbers: Sequence[int]) -> str:
    """Return numbers of up to 31 bits as one text. Raises struct.error for a larger number."""
    return b2a_base64(struct.pack(f"<{len(numbers)}i", *numbers), newline=False).decode("ascii")


def _unpacked(text: str) -> list[int]:
    data = a2b_base64(text)
    return list(struct.unpack(f"<{len(data) // 4}i", data))


Numbers = Annotated[list[int], PlainValidator(_unpacked), PlainSerializer(_packed)]
"""A column of numbers. As one text it is read much faster than number by number."""


class Columns(BaseModel):
    """Columns whose values at the same index belong to one record."""

    model_config = ConfigDict(extra="forbid", defer_build=True)  # only a ledger with a cache needs this class


class SparseNumbers(Columns):
    """A column of numbers, some of which are missing. A column without any number is stored as an empty one."""

    numbers: Numbers
    empty: Numbers

    @classmethod
    def of(cls, values: Sequence[int | None]) -> SparseNumbers:
        empty = [place for place, value in enumerate(values) if value is None]
        if len(empty) == len(values):
            return cls.model_construct(numbers=[], empty=[])
        return cls.model_construct(numbers=[value or 0 for value in values], empty=empty)

    def values(self) -> list[int | None]:
        values: list[int | None] = [*self.numbers]
        for place in self.empty:
            values[place] = None
        return values
