"""The contents of a record, for comparing records."""

from __future__ import annotations

from typing import Any

from matchledger_projections.record.retractions import Retractions
from matchledger_projections.record.roster import Roster
from matchledger_projections.record.round import Round


def state(value: Any) -> Any:
    """Return everything that a record contains, at every depth. A round refers to its record, which is not part
    of its contents.
    """
    match value:
        case Roster():
            assert value.names is not None  # list the players who came since the last search for a name
            return {name: state(held) for name, held in vars(value).items()}
        case Retractions():
            return {name: state(held) for name, held in vars(value).items()}
        case Round():
            return {
                name: state(getattr(value, name)) for name in Round.__slots__ if name not in ("_record", "_seats")
            }
        case dict():
            return {key: state(held) for key, held in value.items()}
        case list() | tuple():
            return [state(held) for held in value]
        case _:
            return value
