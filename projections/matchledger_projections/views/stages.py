"""The stages of an event: its structure, its bracket, the final places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Struct

from matchledger.events import DivisionMode, DrawMethod, StructureAnnounced, Style
from matchledger_projections.divisions.grouping import (
    departures,
    division_mode,
    division_sizes,
    division_years,
    fitting_mode,
    late_players,
)
from matchledger_projections.divisions.tables import division_tables
from matchledger_projections.document import LEFT_OUT, SPREAD, UNSAID, As, Player, PlayerName
from matchledger_projections.message import Sentence, UsageProblem, demanding, joined, sentence
from matchledger_projections.record.attendance import attendance
from matchledger_projections.record.desk_calls import (
    Unsettled,
    closed_over,
    contested_at_close,
    contested_tables,
    provisional,
    unsettled,
)
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import (
    Bracket,
    Game,
    GameAt,
    contested_games,
    round_title,
    seeds_in,
    without_contested,
)
from matchledger_projections.stages.bracket import brackets as drawn_brackets
from matchledger_projections.stages.flights import FlightPlan, field_now, flight_plans, flights_of
from matchledger_projections.stages.placing import Place, champions, nobody_won, places_by_division
from matchledger_projections.stages.structure import (
    Proposal,
    announced_cut,
    format_of,
    has_own_structure,
    proposals,
)
from matchledger_projections.views.sight import Headed, Sight, answers, heading, title
from matchledger_projections.views.tables import OfDivision

# -- structure


class AnnouncedStructure(Struct, frozen=True):
    """The announced structure."""

    style: Style
    structure: str
    rounds: int
    cut: int
    division_cuts: Mapping[str, int]
    division_rounds: Mapping[str, int]
    playoff: bool
    untimed_final: bool
    prizes: int | None
    format: str | None
    deviations: tuple[str, ...]
    deck_lists: bool
    house_rules: tuple[str, ...]


def _as_announced(fact: StructureAnnounced, _: object) -> object:
    return fact.model_dump(mode="json", exclude={"kind"})


Announced = Annotated[StructureAnnounced, As(_as_announced, AnnouncedStructure)]


class StructurePage(Struct, frozen=True):
    """The rulebook's structures and the announced structure, as `matchledger structure --json` prints them."""

    head: Headed
    players: int
    divisions: Mapping[str, int]
    format: str | None
    announced: Announced | None
    proposals: tuple[Proposal, ...]


@answers("structure")
def structure(sight: Sight) -> StructurePage:
    """The rulebook's structures for the attendance and the tier, and the announced structure."""
    record = sight.record
    law = record.rulebook
    sizes = attendance(record)
    return StructurePage(
        heading(record),
        sum(sizes.values()),
        {division: size for division, size in sizes.items() if division},
        format_of(record),
        record.structure,
        () if has_own_structure(law) else tuple(proposals(law, field_now(record))),
    )


# -- bracket


class BracketRound(Struct, frozen=True):
    """A round of a bracket. `from_the_top` is the order of the round's games on a sheet."""

    round: int
    title: str
    games: tuple[Game, ...]
    from_the_top: tuple[int, ...]


class DrawnBracket(Struct, frozen=True):
    """A bracket. `disqualified` lists the bracket's disqualified players (L5R-IV.2-DQ). `contested` lists the games
    whose recorded result is contested: until the desk has settled them, they are open.
    """

    tournament: str
    position: int
    division: str | None
    method: DrawMethod | None
    seed: str | None
    numbers_seed: str | None
    seeds: tuple[PlayerName, ...]
    rounds: tuple[BracketRound, ...]
    playoff: Game | None
    champion: PlayerName | None
    disqualified: Annotated[tuple[PlayerName, ...], LEFT_OUT] = ()
    contested: Annotated[tuple[GameAt, ...], LEFT_OUT] = ()


class BracketPage(Struct, frozen=True):
    """The bracket, as `matchledger bracket --json` prints it. If there are several brackets, the page has the first
    bracket and a list of all brackets.
    """

    first: Annotated[DrawnBracket, SPREAD]
    brackets: Annotated[tuple[DrawnBracket, ...], LEFT_OUT] = ()


@answers("bracket")
def bracket(sight: Sight, *, division: OfDivision = None) -> BracketPage:
    """The bracket of the elimination stage, or the brackets of all divisions."""
    found = [drawn_bracket(sight.record, drawn) for drawn in brackets(sight.record, division)]
    return BracketPage(found[0], tuple(found) if len(found) > 1 else ())


def brackets(record: Record, division: str | None = None) -> list[Bracket]:
    """Return the drawn brackets, or the bracket of a division. Raise UsageProblem if no bracket is drawn."""
    drawn = drawn_brackets(record)
    if not drawn:
        raise UsageProblem(demanding(sentence("no bracket is drawn at that moment"), "the places"))
    found = [one for one in drawn if division is None or one.division == division.casefold()]
    if not found:
        raise UsageProblem(
            demanding(sentence("there is no bracket of %(division)r", division=division), "another bracket")
        )
    return found


def the_bracket(record: Record, division: str | None = None) -> Bracket:
    """Return the only bracket, or the bracket of a division. Raise UsageProblem if several are possible."""
    drawn = drawn_brackets(record)
    found = [one for one in drawn if division is None or one.division == division.casefold()]
    if drawn and len(found) != 1:
        names = joined(one.division or sentence("all") for one in drawn)
        raise UsageProblem(
            demanding(
                sentence("there are brackets of %(names)s: name one of them", names=names), "a bracket's division"
            )
        )
    return brackets(record, division)[0]


def drawn_bracket(record: Record, drawn: Bracket) -> DrawnBracket:
    """Return a bracket as a view."""
    shown = without_contested(record, drawn)
    fact = next((fact for _, fact in record.brackets_drawn if fact.division == drawn.division), None)
    return DrawnBracket(
        title(record),
        record.position,
        drawn.division,
        None if fact is None else fact.method,
        None if fact is None else fact.seed,
        None if fact is None else fact.numbers_seed,
        seeds_in(record, drawn.division),
        tuple(
            BracketRound(number, round_title(len(games)), games, tuple(game.number for game in order))
            for number, (games, order) in enumerate(zip(shown.rounds, shown.from_the_top(), strict=True), 1)
        ),
        shown.playoff,
        champions(record).get(drawn.division),
        tuple(
            player for game in drawn.rounds[0] for player in game.players if record.status(player) == "disqualified"
        ),
        tuple(contested_games(record, drawn)),
    )


# -- places


class PlaceLine(Struct, frozen=True):
    """A final place and its rule. `first` and `last` are null for a player without a place."""

    first: int | None
    last: int | None
    player: Player
    rule: str
    why: str
    division: str | None
    decided: bool


class PlacesPage(Struct, frozen=True):
    """The final places, as `matchledger places --json` prints them. The places name a champion as soon as the
    champion is decided. `no_champion` has the divisions in which nobody can win any more, or null for an event
    without divisions. `unsettled` are the tables of the Swiss rounds that can still change the places,
    `contested_games` are the elimination games with a contested result, and
    `contested_at_close` counts the results that were contested when the event was closed.
    """

    head: Headed
    unsettled: Unsettled
    contested_at_close: int
    places: tuple[PlaceLine, ...]
    champions: tuple[PlayerName, ...]
    no_champion: tuple[str | None, ...]
    divisions: Annotated[tuple[tuple[str | None, tuple[PlaceLine, ...]], ...], UNSAID]
    contested_games: Annotated[tuple[GameAt, ...], LEFT_OUT] = ()

    @property
    def said(self) -> Sentence:
        """Say which results the places wait for, or that the event was closed without them, or return ""."""
        missing, contested = map(len, self.unsettled)
        return provisional(missing, contested + len(self.contested_games)) or closed_over(self.contested_at_close)


@answers("places")
def places(sight: Sight) -> PlacesPage:
    """The final places, with the rule behind each place."""
    record = sight.record
    divisions = tuple(
        (division, tuple(_place(record, place) for place in inside))
        for division, inside in places_by_division(record)
    )
    whole = tuple(place for _, inside in divisions for place in inside)
    return PlacesPage(
        heading(record),
        unsettled(record, record.finished_rounds),
        contested_at_close(record),
        whole,
        tuple(dict.fromkeys(champions(record).values())),
        tuple(nobody_won(record)),
        divisions,
        tuple(GameAt(round_, table) for stage, round_, table in contested_tables(record) if stage != "swiss"),
    )


def _place(record: Record, place: Place) -> PlaceLine:
    division = record.players[place.player].division
    return PlaceLine(place.first, place.last, place.player, place.rule, place.why, division, place.decided)


# -- divisions and flights


class LeaderOfDivision(Struct, frozen=True):
    """The leader of a division."""

    player: Player
    points: int


class DivisionLine(Struct, frozen=True):
    """A division, its leader, and the round of the standings that this player leads."""

    division: str | None
    round: int
    players: int
    leaders: tuple[LeaderOfDivision, ...]


class DivisionsPage(Struct, frozen=True):
    """The divisions, as `matchledger divisions --json` prints them. `decided` is null before the decision about
    divisions.

    `sizes` decide the mode and the structure. `late` counts the late players who are not in the sizes.
    """

    head: Headed
    first_years: Mapping[str, int]
    sizes: Mapping[str, int]
    late: Mapping[str, int]
    asked_for: DivisionMode
    mode: DivisionMode
    decided: DivisionMode | None
    deviations: tuple[str, ...]
    divisions: tuple[DivisionLine, ...]


@answers("divisions")
def divisions(sight: Sight) -> DivisionsPage:
    """The divisions: their years of birth and sizes, whether they play separately, and their leaders."""
    record = sight.record
    decided = record.divisions_decided
    return DivisionsPage(
        heading(record),
        division_years(record),
        dict(division_sizes(record)),
        dict(late_players(record)),
        fitting_mode(record),
        division_mode(record),
        None if decided is None else decided.mode,
        tuple(departures(record, division_mode(record))),
        tuple(
            DivisionLine(
                found.division,
                found.round,
                len(found.rows),
                tuple(LeaderOfDivision(row.player, row.points) for row in found.rows if row.rank == 1),
            )
            for found in division_tables(record)
        ),
    )


class FlightPlayer(Struct, frozen=True):
    """A player in a flight."""

    player: Player


class DrawnFlights(Struct, frozen=True):
    """The drawn flights, with late players included."""

    entry: int
    seed: str | None
    original_sizes: tuple[int, ...]
    deviations: tuple[str, ...]
    flights: tuple[tuple[FlightPlayer, ...], ...]


class DivisionFlights(Struct, frozen=True):
    """The flights of a division: the drawn flights, or a plan for each number of flights."""

    division: str
    players: int
    cut: int | None
    drawn: DrawnFlights | None
    proposals: tuple[FlightPlan, ...]


class FlightsPage(Struct, frozen=True):
    """The flights, as `matchledger flights --json` prints them."""

    head: Headed
    divisions: tuple[DivisionFlights, ...]


@answers("flights")
def flights(sight: Sight, *, division: OfDivision = None) -> FlightsPage:
    """The drawn flights, or a plan for each number of flights."""
    record = sight.record
    every = [_flights(record, name, size) for name, size in sorted(division_sizes(record).items())]
    found = tuple(one for one in every if division in (None, one.division))
    if not found and division is not None:
        known = joined(one.division or sentence("no division") for one in every)
        raise UsageProblem(
            sentence(
                "there is no division %(division)r: there are %(known)s",
                division=division,
                known=known or sentence("none"),
            )
        )
    return FlightsPage(heading(record), found)


def _flights(record: Record, division: str, size: int) -> DivisionFlights:
    cut = announced_cut(record, division)
    position, drawn = next(
        (found for found in reversed(record.flights_drawn) if found[1].division == division), (0, None)
    )
    return DivisionFlights(
        division,
        size,
        cut,
        None
        if drawn is None
        else DrawnFlights(
            position,
            drawn.seed,
            tuple(map(len, drawn.flights)),
            drawn.deviations,
            tuple(tuple(map(FlightPlayer, flight)) for flight in flights_of(record, division)),
        ),
        tuple(flight_plans(record, division, cut)),
    )
