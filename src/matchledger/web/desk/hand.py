"""Forms that are checked before anything is recorded: a round paired by hand, and each line of a roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from msgspec import Struct

from matchledger.commands.command import known
from matchledger.commands.refusal import Refusal
from matchledger.commands.registration import Enrolled, RegisterRoster, enrol
from matchledger.commands.rounds import PairByHand
from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.next_round import prepare_round
from matchledger.text.labels import objection_line
from matchledger.web.desk.players import names_to_type
from matchledger.web.public.places import ranked, rows_of
from matchledger.web.rendering import Values
from matchledger_projections.divisions.grouping import division_of, divisions_apart
from matchledger_projections.message import sentence
from matchledger_projections.pairing.check import Objection
from matchledger_projections.pairing.lineup import to_be_paired
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player
from matchledger_projections.record.round import Round
from matchledger_projections.record.surnames import list_order
from matchledger_projections.rulebook.scoring import points_text
from matchledger_projections.stages.bracket import qualifiers, stage_now
from matchledger_projections.standings.crosstable import crosstable

Rows = list[tuple[str, str]]


class HandChecked(Struct, frozen=True):
    """A typed round with names, the objections to it, and the round in which a table's players `met` before."""

    tables: list[tuple[int, str, str]]
    byes: list[str]
    objections: list[str]
    met: dict[int, int]


def hand_view(ledger: Ledger, tournament: UUID, *, drawn: bool) -> Values:
    """Return the page before any round is typed. With `drawn`, the page begins with the tables of the draw."""
    record = ledger.record(tournament)
    stage = stage_now(record)
    latest = record.latest_round(stage)
    number = 1 if latest is None else latest.number + 1
    players = _to_be_seated(record, stage, number)
    games: Rows = [("", "")] * max(1, len(players) // 2)
    byes, refused = [""] * (1 + len(players) % 2), None
    if drawn and stage == "swiss":
        try:
            games, byes = _drawn(ledger, tournament)
        except Refusal as problem:
            refused = problem.args[0]
    return {
        "stage": stage,
        "number": number,
        "players": len(players),
        "picks": _picks(record, players, number if stage == "swiss" else 1),
        "missing": [] if latest is None else _without_result(record, latest),
        "unit": record.rulebook.unit,
        "games": games,
        "byes": byes,
        "names": names_to_type(record),
        "refused": refused,
    }


def _to_be_seated(record: Record, stage: Stage, number: int) -> list[int]:
    """Return the players to seat in a round. In an elimination round, return the players who have not lost."""
    if stage == "swiss":
        return to_be_paired(record, number)
    latest = record.latest_round("elimination")
    if latest is None:
        return list(qualifiers(record))
    through = [
        player
        for table, players in latest.tables.items()
        for player in players
        if (report := latest.report(table, players)) is None or report.winner == player
    ]
    return [*through, *(bye.player for bye in latest.byes)]


def _without_result(record: Record, round_: Round) -> list[tuple[int, str, str]]:
    """Return the tables of a round that have no result, with the names of their players."""
    players = record.players
    return [
        (table, players[first].name, players[second].name)
        for table, (first, second) in round_.tables.items()
        if table in round_.outstanding
    ]


class Pick(Struct, frozen=True):
    """A player to be seated by a click: the number, the text that the click types, the name, and the points.

    `division` is "" if everybody plays together. `opponents` has one number for each earlier round, and 0 for a
    round without an opponent.
    """

    division: str
    number: int
    typed: str
    name: str
    points: str
    opponents: tuple[int, ...]


def _picks(record: Record, players: Iterable[int], number: int) -> list[Pick]:
    """Return the players to be seated in a round, by division if the divisions play apart, then by points and
    surname.
    """
    table = crosstable(record, record.rulebook, number - 1)
    rows = rows_of(ranked(record)) if record.finished_rounds else {}
    typed = _typed(record)
    found = [record.players[player] for player in players]
    apart = divisions_apart(record, (player.number for player in found))

    def division(player: Player) -> str:
        return division_of(record, player.number) if apart else ""

    def order(player: Player) -> tuple[int, int, tuple[str, str]]:
        place = apart.index(division(player)) if apart else 0
        points = rows[player.number].points if player.number in rows else 0
        return place, -points, list_order(player.person)

    return [
        Pick(
            division(player),
            player.number,
            typed[player.number],
            player.name,
            points_text(rows[player.number].points, record.rulebook.unit) if player.number in rows else "",
            table.opponents[player.number],
        )
        for player in sorted(found, key=order)
    ]


def _typed(record: Record) -> dict[int, str]:
    """Return the text that names each player in a field: the name, with the number if players share the name."""
    names = Counter(player.name for player in record.entered())
    return {
        number: player.name if names[player.name] <= 1 else f"#{number} {player.name}"
        for number, player in record.players.items()
    }


def _drawn(ledger: Ledger, tournament: UUID) -> tuple[Rows, list[str]]:
    """Return the rows of the round with the result of the draw. Raises Refusal while the round cannot be drawn."""
    prepared = prepare_round(ledger, tournament)
    if prepared.round is None:
        raise Refusal(
            sentence("round %(number)s is not over, and the draw needs every result", number=prepared.number - 1)
        )
    name = _typed(prepared.record)
    return (
        [(name[first], name[second]) for first, second in prepared.round.tables.values()],
        [name[bye.player] for bye in prepared.round.byes] or [""],
    )


def check_by_hand(ledger: Ledger, tournament: UUID, command: PairByHand) -> HandChecked:
    """Return the typed round with all objections to it, even if a rule refuses the round."""
    record = ledger.record(tournament)

    def name(player: int) -> str:
        return record.players[player].name if player in record.players else f"#{player}"

    objections = _objections(ledger, tournament, command)
    return HandChecked(
        [(table, name(first), name(second)) for table, (first, second) in enumerate(command.games, 1)],
        [name(player) for player in command.byes],
        [objection_line(record, objection) for objection in objections],
        {
            objection.tables[0]: objection.round
            for objection in objections
            if objection.kind == "repeat" and objection.round is not None
        },
    )


def _objections(ledger: Ledger, tournament: UUID, command: PairByHand) -> list[Objection]:
    """Return the objections to a Swiss round. For an elimination round return none, because the bracket gives its
    games.
    """
    record = ledger.record(tournament)
    if stage_now(record) == "elimination":
        return []
    try:
        known(record, *(player for game in command.games for player in game), *command.byes)
        prepared = prepare_round(ledger, tournament, by_hand=command.seatings(record), deviating=True)
    except (Refusal, UsageProblem):  # the refusal concerns the whole round
        return []
    return list(prepared.objections)


class RosterChecked(Struct, frozen=True):
    """The lines of a roster, and how many of them register a player, name a registered player, or are wrong."""

    lines: list[Enrolled]
    new: int
    known: int
    wrong: int


def check_roster(ledger: Ledger, tournament: UUID, command: RegisterRoster) -> RosterChecked | None:
    """Return the result of each line, or None if the text is not a roster, because the page shows that problem
    anyway.
    """
    try:
        lines = command.lines()
    except UsageProblem:
        return None
    position = ledger.record(tournament).position
    found, _ = enrol(
        ledger.record_as_of(tournament, position),
        lines,
        skip_registered=command.skip_registered,
        deviating=command.deviating,
    )
    return RosterChecked(
        found,
        sum(line.number is not None for line in found),
        sum(line.known is not None for line in found),
        sum(line.problem is not None for line in found),
    )
