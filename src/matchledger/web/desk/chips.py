"""Chips above a list: each chip selects a share of the lines, and shows their number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player

Groups = Mapping[str, Callable[[Player], bool]]
DIVISION = "division:"  # the beginning of a chip for a division


class Chip(Struct, frozen=True):
    """A button above a list that shows only some of its lines. The chip "" shows the whole list."""

    key: str
    count: int


def chosen_by(
    chip: str, players: Sequence[Player], groups: Groups, always: Collection[str] = ()
) -> tuple[list[Chip], list[Player]]:
    """Return the chips of a list, and the players that the chosen `chip` shows. An unknown chip shows all players.

    A chip that would show nobody, or everybody, is left out, except the chips that are shown `always`.
    """
    shares = {key: [player for player in players if fits(player)] for key, fits in groups.items()}
    chips = [
        Chip(key, len(share))
        for key, share in shares.items()
        if key == chip or key in always or 0 < len(share) < len(players)
    ]
    return [Chip("", len(players)), *chips] if chips else [], shares.get(chip, list(players))


def in_divisions(players: Sequence[Player]) -> dict[str, list[Player]]:
    """Group players by division, without changing their order."""
    divisions = sorted({player.division or "" for player in players})
    return {
        division: [player for player in players if (player.division or "") == division] for division in divisions
    }


def by_division(record: Record) -> dict[str, Callable[[Player], bool]]:
    """Return a group for each division."""
    divisions = sorted({player.division for player in record.entered() if player.division})
    return {
        f"{DIVISION}{division}": lambda player, of=division: player.division == of  # type: ignore[misc]
        for division in divisions
    }
