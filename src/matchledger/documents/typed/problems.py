"""The type of what is wrong with a request."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from matchledger.documents.typed.base import Typed


class OtherEntry(Typed):
    """The entry of the station that was first."""

    entry: int
    actor: str
    station: str
    recorded_at: datetime
    said: str


class Problem(Typed):
    """What is wrong with a request, as RFC 9457 lays it down, with the rule that refuses it.

    `other` is the entry of the station that was first, `refused` the position of the entry that keeps a slip which
    says otherwise.
    """

    type: str
    title: Literal[
        "not-let-in",
        "token-refused",
        "not-found",
        "not-understood",
        "refused-by-the-rules",
        "moved",
        "table-taken",
        "conflict",
        "ledger",
        "http",
    ]
    status: int
    detail: str
    rule: str | None = None
    other: OtherEntry | None = None
    refused: int | None = None
