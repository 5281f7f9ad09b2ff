"""Views for paper only: lists of players and tables, slips, posted standings, and the emergency set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Annotated, Literal, cast, get_args

from msgspec import Struct

from matchledger.events import Stage, StandingsPosted
from matchledger_projections.decks.registered import lacking_list
from matchledger_projections.document import Player, PlayerName
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.record.desk_calls import Unsettled, unsettled
from matchledger_projections.record.phones import checked_in
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Status
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import list_order
from matchledger_projections.rulebook.rulebook import Rulebook, TiebreakName
from matchledger_projections.rulebook.scoring import ResultKind
from matchledger_projections.stages.bracket import brackets, round_name
from matchledger_projections.stages.time_tiebreaks import kinds_of
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.standings.standings import Row
from matchledger_projections.views.sight import Asked, Headed, Sight, answers, heading, title
from matchledger_projections.views.tables import OfStage

ListOrder = Literal["name", "table"]
MOST = 5000  # tables
Worth = tuple[int | None, int | None]


def name_of_round(record: Record, round_: Round) -> str:
    """Return the name of a round on a sheet: "Round 3", or "Semifinals"."""
    if round_.stage == "swiss":
        return sentence("Round %(number)s", number=round_.number)
    return round_name(brackets(record), round_.number)


# -- lists


class ListedSeat(Struct, frozen=True):
    """A player on the list of a round, with the points before the round, or null in an elimination round.
    `disqualified` players are marked (L5R-IV.2-DQ).
    """

    player: Player
    points: int | None
    disqualified: bool


class ListedTable(Struct, frozen=True):
    """A line of the list of tables. A line without a table is a bye."""

    table: int | None
    players: tuple[ListedSeat, ...]


class PairingListSheet(Struct, frozen=True):
    """The list of pairings, as `matchledger print pairings --json` prints it."""

    head: Headed
    stage: Stage
    round: int
    name: str
    unit: str
    by: ListOrder
    lines: tuple[ListedTable, ...]


@answers("sheets/pairings")
def pairing_list(
    sight: Sight,
    *,
    by: Annotated[ListOrder, Asked("In order of names, or of tables.")] = "name",
    stage: OfStage = None,
) -> PairingListSheet:
    """The list of pairings for a printed sheet."""
    return pairing_list_of(sight.record, sight.need_round(stage), by=by)


def pairing_list_of(record: Record, round_: Round, *, by: ListOrder) -> PairingListSheet:
    """Return the list of a round.

    The list shows each player's points before the round, so that players can report wrong points in time.
    """
    points = crosstable(record, record.rulebook, round_.number - 1).points if round_.stage == "swiss" else ()

    def seat(player: int) -> ListedSeat:
        out = record.status(player) == "disqualified"
        return ListedSeat(player, points[player] if player < len(points) else None, out)

    lines = [ListedTable(table, (seat(one), seat(other))) for table, (one, other) in round_.tables.items()]
    lines += [ListedTable(None, (seat(bye.player),)) for bye in round_.byes]
    if by == "name":
        turned = [
            ListedTable(line.table, line.players[turn:] + line.players[:turn])
            for line in lines
            for turn in range(len(line.players))
        ]
        lines = sorted(turned, key=lambda line: list_order(record.players[line.players[0].player].person))
    return PairingListSheet(
        heading(record),
        round_.stage,
        round_.number,
        name_of_round(record, round_),
        record.rulebook.unit,
        by,
        tuple(lines),
    )


class PlayerToCheckIn(Struct, frozen=True):
    """A player on the player list. `has_list` is null if the event requires no deck lists."""

    number: int
    player: PlayerName
    division: str | None
    here: bool
    has_list: bool | None


class PlayerListSheet(Struct, frozen=True):
    """The list of active players, as `matchledger print players --json` prints it."""

    head: Headed
    players: tuple[PlayerToCheckIn, ...]


@answers("sheets/players", "staff")
def player_list(sight: Sight) -> PlayerListSheet:
    """The active players in order of surnames, with the check-ins and the deck lists that were handed in."""
    record = sight.record
    active, here = record.active_players(), checked_in(record)
    numbers = [player.number for player in active]
    without = set(lacking_list(record, numbers))
    asks_for_lists = record.structure is not None and record.structure.deck_lists
    return PlayerListSheet(
        heading(record),
        tuple(
            PlayerToCheckIn(
                player.number,
                player.number,
                player.division,
                player.number in here,
                player.number not in without if asks_for_lists else None,
            )
            for player in sorted(active, key=lambda player: list_order(player.person))
        ),
    )


# -- slips


class SlipResult(Struct, frozen=True):
    """A kind of result on a slip besides a plain win, and its points for either player."""

    kind: str
    worth: Worth


class SlipForm(Struct, frozen=True):
    """The questions on a slip: the questions for each player, and the kinds of result besides a plain win."""

    unit: str
    each: tuple[str, ...]
    results: tuple[SlipResult, ...]
    judgment: bool


def slip_form(rulebook: Rulebook, stage: Stage = "swiss") -> SlipForm:
    """Return the questions on the slips of a stage."""
    results = ((kind, rulebook.results[kind]) for kind in kinds_of(rulebook, stage))
    return SlipForm(
        rulebook.unit,
        tuple(_asked_of_each(rulebook, stage)),
        tuple(SlipResult(kind, _worth(result)) for kind, result in results if not result.as_written),
        "judgment" in rulebook.results,
    )


def _worth(result: ResultKind) -> Worth:
    return (result.winner, result.loser) if result.each is None else (result.each, result.each)


def _asked_of_each(rulebook: Rulebook, stage: Stage) -> Iterator[str]:
    if rulebook.games is not None and rulebook.games.needed(stage) > 1:
        yield "games won"
        if rulebook.knows_draws:
            yield "games drawn"
    if any(worth.as_written for worth in rulebook.results.values()):
        yield "points"
    if rulebook.blood_points is not None:
        yield "blood points"
    if "judgment" in rulebook.results:  # only a game with the Emperor's Judgment (L5R-IV.3b-EJ)
        yield from ("provinces broken", "honor", "favor", "decided first player")


class BlankSlip(Struct, frozen=True):
    """The slip of a table. `code` is the content of the slip's QR code."""

    table: int
    players: tuple[PlayerName, ...]
    numbers: tuple[int, ...]
    code: str


class SlipsSheet(Struct, frozen=True):
    """The slips of a round, as `matchledger print slips --json` prints them."""

    head: Headed
    stage: Stage
    round: int
    name: str
    form: SlipForm
    slips: tuple[BlankSlip, ...]


def slips_of(
    record: Record, round_: Round, code: Callable[[Round, int], str], tables: Collection[int] = ()
) -> SlipsSheet:
    """Return the slips of a round, or of some of its tables. Raise UsageProblem for a table that does not exist."""
    if not round_.tables:
        raise UsageProblem(sentence("round %(round)s has no tables, and needs no slips", round=round_.number))
    if unknown := set(tables) - set(round_.tables):
        raise UsageProblem(
            sentence("round %(round)s has no table %(table)s", round=round_.number, table=min(unknown))
        )
    return SlipsSheet(
        heading(record),
        round_.stage,
        round_.number,
        name_of_round(record, round_),
        slip_form(record.rulebook, round_.stage),
        tuple(
            BlankSlip(table, players, players, code(round_, table))
            for table, players in round_.tables.items()
            if not tables or table in tables
        ),
    )


class RoundSheets(Struct, frozen=True):
    """All sheets of a round: both lists, and the slips. `slips` is None for a round without tables."""

    head: Headed
    lists: tuple[PairingListSheet, ...]
    slips: SlipsSheet | None


def round_sheets_of(record: Record, round_: Round, code: Callable[[Round, int], str]) -> RoundSheets:
    """Return the sheets of a round."""
    return RoundSheets(
        heading(record),
        tuple(pairing_list_of(record, round_, by=by) for by in get_args(ListOrder)),
        slips_of(record, round_, code) if round_.tables else None,
    )


# -- standings as posted


class PostedSheet(Struct, frozen=True):
    """Standings exactly as posted, as `matchledger print standings --json` prints them.

    `checkpoint` is the signed note about these standings. `decimals` has the number of decimals of each rounded
    tiebreaker. `unsettled` are the tables whose result has been missing or contested since.
    """

    tournament: str
    rulebook: str
    unit: str
    round: int
    position: int
    unsettled: Unsettled
    posted_at: datetime
    tree_head: str
    checkpoint: str | None
    decimals: Mapping[str, int]
    standings: tuple[Row, ...]


def posted_sheet(
    record: Record, position: int, posted: StandingsPosted, *, posted_at: datetime, tree_head: str
) -> PostedSheet:
    """Return the standings in a posting, with the first checkpoint that names the posting."""
    marked, law = f"\nstandings {position} ", record.rulebook
    return PostedSheet(
        title(record),
        record.rulebook.id,
        record.rulebook.unit,
        posted.round,
        position,
        unsettled(record, posted.round),
        posted_at,
        tree_head,
        next((fact.note for _, fact in record.checkpoints if marked in fact.note), None),
        {name: places for name in law.tiebreaks if (places := law.decimals(name)) is not None},
        tuple(
            Row(
                row.rank,
                row.player,
                row.points,
                cast(Status, row.status),
                row.tied,
                {cast(TiebreakName, name): Fraction(value) for name, value in row.tiebreaks.items()},
            )
            for row in posted.rows
        ),
    )


def last_posting(record: Record, round_: int | None) -> tuple[int, StandingsPosted]:
    """Return the standings that were posted last, or that were posted last after a given round. Raise UsageProblem
    if no such standings were posted.
    """
    postings = [found for found in record.postings if round_ in (None, found[1].round)]
    if not postings:
        raise UsageProblem(sentence("these standings were not posted: post them, then print them"))
    return postings[-1]


# -- without a computer


class ByeWorth(Struct, frozen=True):
    """The points for a bye, and the rule about these points."""

    points: int
    rule: str


class BlankSheet(Struct, frozen=True):
    """The content of sheets for continuing without a computer, as `matchledger print blank --json` prints it."""

    head: Headed
    tables: int
    players: int
    form: SlipForm
    bye: ByeWorth
    worth: Mapping[str, Worth]


@answers("sheets/blank", "staff")
def blank(
    sight: Sight,
    *,
    tables: Annotated[
        int | None, Asked("For so many tables; for as many as are needed.", least=1, most=MOST)
    ] = None,
) -> BlankSheet:
    """Instructions for continuing without a computer, and the blank sheets for one round."""
    record = sight.record
    law, playing = record.rulebook, len(record.active_players())
    return BlankSheet(
        heading(record),
        tables or max(1, playing // 2),
        playing,
        slip_form(law),
        ByeWorth(law.bye.points, law.bye.rule),
        {kind: _worth(worth) for kind, worth in law.results.items() if not worth.as_written},
    )
