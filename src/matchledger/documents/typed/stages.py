"""The types of documents about stages and divisions: structure, bracket, places, divisions, flights."""

from __future__ import annotations

from pydantic import Field

from matchledger.documents.typed.base import OfTournament, PlayerNamed, Typed, UnderRulebook
from matchledger.events import DivisionMode, DrawMethod, Style
from matchledger_projections.stages.bracket import Outcome


class AnnouncedStructure(Typed):
    """The structure that everybody was told."""

    style: Style
    structure: str
    rounds: int
    cut: int
    division_cuts: dict[str, int]
    division_rounds: dict[str, int]
    playoff: bool
    untimed_final: bool
    prizes: int | None
    format: str | None
    deviations: list[str]
    deck_lists: bool
    house_rules: list[str]


class ProposedStructure(Typed):
    """What a table of the rulebook gives for the attendance."""

    structure: str
    rule: str
    style: Style
    rounds: list[int]
    cuts: list[int]
    division_cuts: dict[str, list[int]]
    division_rounds: dict[str, list[int]]


class StructurePage(UnderRulebook):
    """The structures of the rulebook and the one announced, as `matchledger structure --json` prints them."""

    players: int
    divisions: dict[str, int]
    format: str | None
    announced: AnnouncedStructure | None
    proposals: list[ProposedStructure]


class BracketGame(Typed):
    """A game of a bracket; a player is null where nobody is known yet, or where nobody comes (`empty`)."""

    number: int
    players: tuple[str | None, str | None]
    empty: tuple[bool, bool]
    winner: str | None
    outcome: Outcome


class BracketRound(Typed):
    """A round of a bracket; `from_the_top` is the order in which its games stand on a sheet."""

    round: int
    title: str
    games: list[BracketGame]
    from_the_top: list[int]


class DrawnBracket(OfTournament):
    """A bracket."""

    division: str | None
    method: DrawMethod | None
    seed: str | None
    numbers_seed: str | None
    seeds: list[str]
    rounds: list[BracketRound]
    playoff: BracketGame | None
    champion: str | None


class BracketPage(DrawnBracket):
    """The bracket, as `matchledger bracket --json` prints it; of several the first, and all of them."""

    brackets: list[DrawnBracket] = Field(default=[])


class PlaceLine(PlayerNamed):
    """A final place and the rule that gave it; `first` and `last` are null without one."""

    first: int | None
    last: int | None
    rule: str
    why: str
    division: str | None
    decided: bool


class PlacesPage(UnderRulebook):
    """Everybody's final place, as `matchledger places --json` prints them."""

    places: list[PlaceLine]


class LeaderOfDivision(PlayerNamed):
    """Who leads a division."""

    points: int


class DivisionLine(Typed):
    """A division: who leads it, after which round."""

    division: str | None
    round: int
    players: int
    leaders: list[LeaderOfDivision]


class DivisionsPage(UnderRulebook):
    """The divisions, as `matchledger divisions --json` prints them; `decided` is null before anybody decided."""

    first_years: dict[str, int]
    sizes: dict[str, int]
    asked_for: DivisionMode
    mode: DivisionMode
    decided: DivisionMode | None
    deviations: list[str]
    divisions: list[DivisionLine]


class FlightObjection(Typed):
    """Why a number of flights is not allowed."""

    rule: str
    text: str


class FlightProposal(Typed):
    """What a number of flights would mean."""

    flights: int
    sizes: list[int]
    rounds: int
    qualifiers: int | None
    allowed: bool
    objections: list[FlightObjection]


class DrawnFlights(Typed):
    """The flights as drawn, late players included."""

    entry: int
    seed: str | None
    original_sizes: list[int]
    deviations: list[str]
    flights: list[list[PlayerNamed]]


class DivisionFlights(Typed):
    """The flights of a division."""

    division: str
    players: int
    cut: int | None
    drawn: DrawnFlights | None
    proposals: list[FlightProposal]


class FlightsPage(UnderRulebook):
    """The flights, as `matchledger flights --json` prints them."""

    divisions: list[DivisionFlights]
