"""The page of players: the list, and the actions for one player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matchledger.commands.roster import comes_late
from matchledger.notation.player_lookup import is_found_by
from matchledger.web.desk.state import latest_round
from matchledger.web.rendering import Values
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player
from matchledger_projections.record.round import Round

LISTED = 200  # players on one page; a search finds the others
PROPOSED = 500  # names that a field suggests


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player in the list, with the table of the round in progress."""

    number: int
    name: str
    division: str | None
    status: str
    table: int | None


def players_view(record: Record, wanted: str, chosen: int | None) -> Values:
    """The players, in order of registration. If a search finds one player, that player is chosen."""
    entered = record.entered()
    found = [player for player in entered if is_found_by(player, wanted)]
    latest = latest_round(record)
    if chosen is None and wanted.strip():
        chosen = only_one(found)
    return {
        "wanted": wanted,
        "lines": [_line(record, latest, player) for player in found[:LISTED]],
        "found": len(found),
        "active": len(record.active_players()),
        "late": comes_late(record),
        "judged": record.rulebook.clock.judgment,
        "chosen": next((_line(record, latest, player) for player in entered if player.number == chosen), None),
        "divisions": sorted({player.division for player in entered if player.division}),
        "columns": sorted({column for player in entered for column in player.person.details}),
    }


def only_one(found: Sequence[Player]) -> int | None:
    """The number of the only player that a search found."""
    return found[0].number if len(found) == 1 else None


def _line(record: Record, latest: Round | None, player: Player) -> PlayerLine:
    table = None if latest is None else latest.table_of(player.number)
    return PlayerLine(player.number, player.name, player.division, record.status(player.number), table)


def names_to_type(record: Record) -> list[str]:
    """The names that a field suggests; none if there are too many to send each time."""
    entered = record.entered()
    return [player.name for player in entered] if len(entered) <= PROPOSED else []
