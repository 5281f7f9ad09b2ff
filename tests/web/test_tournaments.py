"""The list of tournaments: what is played now, what comes, and what is over."""

from datetime import date
from uuid import UUID

from matchledger.web.pages.tournaments import Listed, in_order


def listed(
    name: str, *, day: date | None = None, round_: int = 0, players: int = 8, closed: bool = False
) -> Listed:
    return Listed(UUID(int=1), name, players, round_, 3, closed, day, None, "teal", None, "a game", [])


def test_tournaments_in_play_come_first_and_the_next_day_leads_the_coming_ones() -> None:
    every = [
        listed("empty", players=0),
        listed("old", day=date(2026, 3, 1), round_=3, closed=True),
        listed("later", day=date(2026, 6, 2)),
        listed("undated"),
        listed("latest", day=date(2026, 4, 1), round_=3, closed=True),
        listed("soon", day=date(2026, 6, 1), players=0),
        listed("running", round_=2),
    ]
    names = [one.name for one in in_order(every)]
    assert names == ["running", "soon", "later", "undated", "empty", "latest", "old"]
