"""Seats: fixed tables, the tables of a division, table swaps, and awarded byes."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Deviating,
    Number,
    Player,
    Text,
    argument,
    known,
    option,
)
from matchledger.commands.divisions import need_divisions
from matchledger.commands.refusal import Refusal, departing, name_of, need_open, no_player_in
from matchledger.commands.structures import has_begun
from matchledger.events import AnyFact, ByesAwarded, PairingAmended, Seating, TableFixed, TablesNumbered
from matchledger.notation.problems import UsageProblem
from matchledger_projections.divisions.grouping import division_sizes
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.stages.departure import Departure

_LARGEST = 9999  # the highest table number
Table = Annotated[int, Field(ge=1, le=_LARGEST)]
Rounds = Annotated[int, Field(ge=1, le=99)]


def award_byes(
    record: Record, *, player: int, rounds: int, name: str | None = None, deviating: bool = False
) -> list[AnyFact]:
    """Award a player a bye in each of the first Swiss rounds, before round 1 is paired.

    More rounds than the rulebook allows need `deviating`.
    """
    need_open(record)
    if has_begun(record):
        raise Refusal(sentence("byes must be awarded before round 1 is paired"))
    rule = record.rulebook.bye
    departs = [
        Departure(
            rule.rule,
            sentence(
                "%(player)s would have %(rounds)s awarded byes, but %(rulebook)s allows %(most)s",
                player=name or name_of(record, player),
                rounds=rounds,
                rulebook=record.rulebook.id,
                most=rule.awarded,
            ),
        )
    ]
    rules = departing(departs if rounds > rule.awarded else [], deviating=deviating)
    return [ByesAwarded(player=player, rounds=rounds, deviations=rules)]


def need_free_table(record: Record, player: int, table: int | None) -> None:
    """Refuse a fixed table that belongs to another active player."""
    taken = (other for other, held in record.fixed_tables.items() if held == table and other != player)
    holder = next(taken, None)
    if table is not None and holder is not None and record.status(holder) == "active":
        raise Refusal(
            sentence(
                "table %(table)s belongs to %(player)s: name another", table=table, player=name_of(record, holder)
            )
        )


class FixTable(Command):
    """Seat a player at the same table in every coming round; without --table, at any table again."""

    player: Annotated[Player, PLAYER]
    table: Annotated[Table | None, option("--table", "The table, such as 1.")] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        player = known(record, self.player)[0]
        need_open(record)
        if record.fixed_tables.get(player) == self.table:
            raise UsageProblem(sentence("%(player)s: nothing would change", player=name_of(record, player)))
        need_free_table(record, player, self.table)
        return [TableFixed(player=player, table=self.table)]


class NumberTables(Command):
    """Start the table numbers of a division at another number, in every later round."""

    division: Annotated[Text, argument("The division, such as masters.")]
    first: Annotated[Table, argument("The division's first table, such as 101.")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        need_open(record)
        need_divisions(record)
        known_now = sorted(name for name in division_sizes(record) if name)
        if self.division.casefold() not in known_now:
            raise UsageProblem(no_player_in(self.division, known_now))
        if record.first_tables.get(self.division.casefold()) == self.first:
            raise UsageProblem(sentence("%(division)s: nothing would change", division=self.division))
        return [TablesNumbered(division=self.division.casefold(), first=self.first)]


class SwapTables(Command):
    """Exchange two tables of the posted round, or move one to a free table; results stay."""

    shown_first: ClassVar = True
    in_play: ClassVar = True
    first: Annotated[Number, argument("A table of the round.")]
    second: Annotated[Table, argument("The other table.")]

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Swap two tables of the posted round, or move one to a free table.

        The players keep their slips and extra time.
        """
        need_open(record)
        first, second = self.first, self.second
        latest = record.current_round
        if latest is None:
            raise Refusal(sentence("no round is paired: pair one first"))
        tables = latest.tables
        if first not in tables:
            first, second = second, first
        if first not in tables or first == second:
            raise UsageProblem(
                sentence(
                    "round %(round)s has no such tables: name two tables, one of them in use", round=latest.number
                )
            )
        moves = [(first, second), *([(second, first)] if second in tables else [])]
        return [
            PairingAmended(
                stage=latest.stage,
                round=latest.number,
                removed=tuple(Seating(table=here, players=tables[here]) for here, _ in moves),
                added=tuple(Seating(table=there, players=tables[here]) for here, there in moves),
            )
        ]


class AwardByes(Command):
    """Award a player a bye in round 1, or in the first rounds, before round 1 is paired."""

    player: Annotated[Player, PLAYER]
    rounds: Annotated[Rounds, option("--rounds", "Number of first rounds with a bye.")] = 1
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        player = known(record, self.player)[0]
        facts = award_byes(record, player=player, rounds=self.rounds, deviating=self.deviating)
        if (awarded := record.byes_awarded.get(player)) is not None and awarded.rounds == self.rounds:
            raise UsageProblem(sentence("%(player)s: nothing would change", player=name_of(record, player)))
        return facts
