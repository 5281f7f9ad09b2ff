"""Copies: a copy of the ledger that had continued separately was merged into this ledger."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt

from matchledger.events.chance import Digest
from matchledger.events.fact import Fact, Stage


def _is_empty(value: tuple[object, ...]) -> bool:
    return not value


class CopiedEntry(BaseModel):
    """An entry that only the other copy had, with its topic and its stored bytes as text.

    `entry` is the position of the entry in this log that the merge made, or of an equal entry of this log. `entry`
    is None if the copied entry does not count in this log.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    topic: str = Field(max_length=1000)
    state: str
    entry: PositiveInt | None = None


class RoundSetAside(BaseModel):
    """A round of the other copy that does not count, because a person chose this copy's pairing."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    stage: Stage
    number: PositiveInt


class CopyMerged(Fact):
    """Another copy of this log was merged.

    The counting entries of the other copy follow as entries of this log.

    Both copies share the first `fork` entries. `entries` are the other copy's entries after the fork. `size` and
    `root` are the other copy's tree head, and `origin` is the log's name in checkpoints. `source` is the name of
    the other copy's file, without the folder. `set_aside` are the rounds of the other copy that a person decided
    against.
    """

    action = "merge-copies"
    retractable = False
    paired_on = False
    kind: Literal["copy-merged"] = "copy-merged"
    source: str = Field(max_length=200)
    origin: str = Field(max_length=100)
    fork: NonNegativeInt
    size: PositiveInt
    root: Digest
    entries: tuple[CopiedEntry, ...] = Field(min_length=1)
    set_aside: tuple[RoundSetAside, ...] = Field(default=(), exclude_if=_is_empty)
