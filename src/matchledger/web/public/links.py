"""Links: the address of each public page, on the server and in a folder of files."""

from __future__ import annotations

from typing import Protocol
from urllib.parse import urlencode
from uuid import UUID

from matchledger.events import Stage
from matchledger_projections.record.two_clocks import Clock


class Links(Protocol):
    """The address of each page. A link is None for a page that only the server has."""

    @property
    def seating(self) -> str: ...
    @property
    def event(self) -> str: ...
    @property
    def tables(self) -> str: ...
    @property
    def standings(self) -> str: ...
    @property
    def crosstable(self) -> str: ...
    @property
    def bracket(self) -> str: ...
    @property
    def podium(self) -> str: ...
    @property
    def log(self) -> str: ...
    @property
    def wall(self) -> str | None: ...
    @property
    def files(self) -> dict[str, str]: ...
    @property
    def place_files(self) -> dict[str, str]: ...
    @property
    def own(self) -> str | None: ...
    @property
    def stream(self) -> str | None: ...
    @property
    def sign_up(self) -> str | None: ...
    def logo(self, name: str) -> str | None: ...
    def player(self, number: int) -> str: ...
    def why(self, number: int) -> str: ...
    def after_round(self, round_: int, clock: Clock) -> str: ...
    def at_entry(self, position: int) -> str | None: ...
    def round_tables(self, stage: Stage, round_: int) -> str: ...
    def match(self, stage: Stage, round_: int, table: int) -> str: ...
    def log_page(self, page: int, wanted: str, kind: str | None = None) -> str: ...


class ServerLinks:
    """The pages of one tournament on the server."""

    def __init__(self, tournament: UUID) -> None:
        self._base = f"/t/{tournament}"
        self.seating = f"{self._base}/"
        self.event = f"{self._base}/event"
        self.tables = f"{self._base}/tables"
        self.standings = f"{self._base}/standings"
        self.crosstable = f"{self._base}/crosstable"
        self.bracket = f"{self._base}/bracket"
        self.podium = f"{self._base}/podium"
        self.log = f"{self._base}/log"
        self.wall: str | None = f"{self._base}/wall"
        api = f"/api/tournaments/{tournament}"
        self.files = {"CSV": f"{self.standings}.csv", "JSON": f"{api}/standings"}
        self.place_files = {"CSV": f"{self._base}/places.csv", "JSON": f"{api}/places"}
        self.own: str | None = f"{self._base}/me"
        self.stream: str | None = f"{self._base}/stream"
        self.sign_up: str | None = f"{self._base}/sign-up"

    def logo(self, name: str) -> str | None:
        return f"{self._base}/logo/{name}"

    def player(self, number: int) -> str:
        return f"{self._base}/player/{number}"

    def why(self, number: int) -> str:
        return f"{self._base}/player/{number}/why"

    def after_round(self, round_: int, clock: Clock) -> str:
        return f"{self.standings}?round={round_}&clock={clock}"

    def at_entry(self, position: int) -> str | None:
        return f"{self.standings}?entry={position}"

    def round_tables(self, stage: Stage, round_: int) -> str:
        return f"{self.tables}/{stage}/{round_}"

    def match(self, stage: Stage, round_: int, table: int) -> str:
        return f"{self._base}/match/{stage}/{round_}/{table}"

    def log_page(self, page: int, wanted: str, kind: str | None = None) -> str:
        asked = {"page": page, "q": wanted, "kind": kind or ""}
        return f"{self.log}?{urlencode({name: value for name, value in asked.items() if value})}"


class FolderLinks:
    """The pages of one tournament as files in one folder, without a server."""

    def __init__(self, logo: str | None = None) -> None:
        """Set up the links. `logo` is the file of the event's logo, if the folder has one."""
        self._logo = logo
        self.seating = "index.html"
        self.event = "event.html"
        self.tables = "tables.html"
        self.standings = "standings.html"
        self.crosstable = "crosstable.html"
        self.bracket = "bracket.html"
        self.podium = "podium.html"
        self.log = "log.html"
        self.wall: str | None = None
        self.files: dict[str, str] = {}
        self.place_files: dict[str, str] = {}
        self.own: str | None = None
        self.stream: str | None = None
        self.sign_up: str | None = None

    def logo(self, name: str) -> str | None:  # noqa: ARG002 - a folder has one logo, and no earlier one
        return self._logo

    def player(self, number: int) -> str:
        return f"player-{number}.html"

    def why(self, number: int) -> str:
        return f"why-{number}.html"

    def after_round(self, round_: int, clock: Clock) -> str:
        return f"standings-{round_}-{clock}.html"

    def at_entry(self, position: int) -> str | None:  # noqa: ARG002 - a page for each entry would be too many files
        return None

    def round_tables(self, stage: Stage, round_: int) -> str:
        return f"tables-{stage}-{round_}.html"

    def match(self, stage: Stage, round_: int, table: int) -> str:
        return f"match-{stage}-{round_}-{table}.html"

    def log_page(self, page: int, wanted: str, kind: str | None = None) -> str:  # noqa: ARG002 - a search needs a server
        return self.log if page == 1 else f"log-{page}.html"
