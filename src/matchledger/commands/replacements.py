"""Replacing a qualifier who leaves before the elimination stage begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from matchledger.commands.command import PLAYER, Command, Context, Deviating, Player, Players, known, option
from matchledger.commands.refusal import Refusal, departing, name_of, names_of, need_open
from matchledger.events import AnyFact, EntryRetracted, PlayerDropped, QualifierReplaced
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.stages.bracket import qualifiers
from matchledger_projections.stages.cut import until_ordered
from matchledger_projections.stages.departure import Departure
from matchledger_projections.stages.leaving import in_line, may_replace


def _next_in_line(
    record: Record, player: int, declined: Sequence[int], *, deviating: bool
) -> tuple[int, tuple[str, ...]]:
    """Return the next player in line who accepts the place, and the rules that this choice departs from."""
    found = _first_asked(record, in_line(record, player), declined)
    if found is not None:
        return found, ()
    found = _first_asked(record, in_line(record, player, any_flight=True), declined)
    flights = record.rulebook.flights
    if found is None or flights is None:
        raise Refusal(sentence("nobody is left to replace the player: drop the player, and the opponent has a bye"))
    text = sentence(
        "no player is left in the flight of %(player)s, and the same number of players must advance from "
        "each flight",
        player=name_of(record, player),
    )
    return found, departing([Departure(flights.finals_rule, text)], deviating=deviating)


def _first_asked(record: Record, line: Sequence[Sequence[int]], declined: Sequence[int]) -> int | None:
    for group in line:
        asked = [other for other in group if other not in declined]
        if len(asked) > 1:
            said = sentence("%(players)s are tied", players=names_of(record, asked))
            raise Refusal(until_ordered(record, said))
        if asked:
            return asked[0]
    return None


def take_bracket_back(record: Record) -> list[AnyFact]:
    """Retract brackets without results, together with the round paired from them."""
    first = record.round(1, "elimination")
    drawn = [position for position, _ in reversed(record.brackets_drawn)]
    back = [first.position, *drawn] if drawn and first is not None else drawn
    return [EntryRetracted(retracts=entry) for entry in back]


class ReplaceQualifier(Command):
    """Replace a qualifier who leaves with the next player, as the lowest seed."""

    shown_first: ClassVar = True
    player: Annotated[Player, PLAYER]
    declined: Annotated[
        Players,
        Field(max_length=1000),
        option("--declined", "A player who was asked and declined; repeat for each player."),
    ] = ()
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        """Give a leaving qualifier's place to the next player who accepts.

        If flights share the cut, the next player is from the same flight (PKM-3.3.3.2-FINALS). A player of another
        flight needs `deviating`. Lower seeds move up, and the new player is the lowest seed (L5R-IV.2b-CUTDROP). A
        replacement is possible until the first elimination game is played, or only until the bracket is drawn
        (PKM-3.3-CUT). A bracket that is already drawn is retracted.
        """
        known(record, self.player, *self.declined)
        need_open(record)
        rules = record.rulebook.elimination
        if record.cut is None:
            raise Refusal(sentence("the cut is not made yet: no player has qualified"))
        if self.player not in qualifiers(record):
            raise Refusal(sentence("%(player)s is not among the qualifiers", player=name_of(record, self.player)))
        if not may_replace(record):
            too_late = (
                sentence("the bracket is drawn, so nobody can replace the player: drop the player")
                if rules.replacement == "before-draw"
                else sentence("an elimination game was played, so nobody can replace the player: drop the player")
            )
            raise Refusal(too_late, rules.rule("replacement"))
        newcomer, departed = _next_in_line(record, self.player, self.declined, deviating=self.deviating)
        facts: list[AnyFact] = []
        if record.status(self.player) == "active":
            facts.append(PlayerDropped(player=self.player, after_round=record.cut.round, stage="elimination"))
        return [
            *facts,
            QualifierReplaced(player=self.player, by=newcomer, declined=self.declined, deviations=departed),
            *take_bracket_back(record),
        ]
