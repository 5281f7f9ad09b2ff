"""Time tiebreaks: deciding an elimination game that time ended, by its players' counts (SWR-SE-TIME)."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from matchledger.commands.command import Command, Context, Count, Deviating, Number, Typed
from matchledger.commands.deck_checks import CardText, pool_of
from matchledger.commands.draft import now
from matchledger.commands.refusal import Refusal, departing, name_of, need_open, players_at
from matchledger.commands.results import has_result
from matchledger.commands.timing import need_time_over, place_of
from matchledger.events import AnyFact, ResultReported, Slip, TimeTiebreak
from matchledger.notation.problems import UsageProblem
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.decks.deck import look_up
from matchledger_projections.decks.registered import registered
from matchledger_projections.decks.street_warriors import faction_cards
from matchledger_projections.message import demanding, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.stages.departure import of_result
from matchledger_projections.stages.time_tiebreaks import Undecided, decide


def end_at_time(
    record: Record,
    *,
    table: int,
    written: TimeTiebreak,
    pool: CardPool | None = None,
    deviating: bool = False,
    now: datetime | None = None,
) -> list[AnyFact]:
    """Decide a game that time ended, by its players' counts (SWR-SE-TIME). Refuse while the clock runs.

    A game needs `deviating` if, after a correction, one of its players no longer reaches the game.

    If the cards of the BOSS's faction decide and nobody counted them, count them in the registered decks with the
    card data in `pool`.
    """
    need_open(record)
    if not record.rulebook.elimination.time_tiebreaks:
        raise Refusal(
            sentence(
                "%(rulebook)s does not decide a game at time by the players' counts",
                rulebook=record.rulebook.id,
            )
        )
    latest = record.latest_round("elimination")
    if latest is None:
        said = sentence("no elimination round is paired; a Swiss game at time is a draw")
        raise Refusal(said, record.rulebook.clock.rule)
    players = players_at(latest, table)
    if (known := latest.report(table, players)) is not None:
        raise Refusal(has_result(latest, table, known))
    need_time_over(place_of(record, latest, table, players), now)
    written = _with_factions(record, players, written, pool)
    try:
        winner, _ = decide(written)
    except Undecided as problem:
        raise Refusal(problem.said, record.rulebook.elimination.rule("at_time")) from None
    slip = Slip(kind="time-tiebreak", winner=players[winner], tiebreak=written)
    departing(of_result(record, latest, players, slip), deviating=deviating)
    return [ResultReported(stage="elimination", round=latest.number, table=table, players=players, slip=slip)]


def _with_factions(
    record: Record, players: tuple[int, int], written: TimeTiebreak, pool: CardPool | None
) -> TimeTiebreak:
    """Return the counts. If the third comparison is needed and its counts are missing, count the faction's cards in
    the registered decks.
    """
    level = written.power is not None and written.matches[0] == written.matches[1]
    if pool is None or written.faction is not None or not level or len(set(written.power or ())) > 1:
        return written
    counts = []
    for player in players:
        listed = registered(record, player)
        if listed is None:
            name = name_of(record, player)
            raise Refusal(
                demanding(
                    sentence("%(player)s has handed in no list: count the faction's cards", player=name),
                    "cards of a faction",
                ),
                record.rulebook.elimination.rule("at_time"),
            )
        count, finding = faction_cards(look_up(listed.deck, pool))
        if count is None:
            raise Refusal(
                demanding(
                    sentence(
                        "the faction of %(player)s %(finding)s: count the faction's cards",
                        player=name_of(record, player),
                        finding=finding.what,
                    ),
                    "cards of a faction",
                ),
                record.rulebook.elimination.rule("at_time"),
            )
        counts.append(count)
    return written.model_copy(update={"faction": (counts[0], counts[1])})


Signed = Annotated[int, Field(ge=-999_999, le=999_999)]
_TWO = Typed(lambda _, text: read_two(text.strip()))  # two numbers in table order, such as 5-4


class EndAtTime(Command):
    """Decide an elimination game that time ended by its players' counts. Each count is in table order.

    `flips` are the numbers of cards that both players discarded together. The number is null for a player without a
    card. `cards` is the card data from which to count the cards of the BOSS's faction, if no one counted them.
    """

    in_play: ClassVar = True
    table: Number
    matches: Annotated[tuple[Count, Count], _TWO]
    power: Annotated[tuple[Signed, Signed] | None, _TWO] = None
    faction: Annotated[tuple[Count, Count] | None, _TWO] = None
    discard: Annotated[tuple[Count, Count] | None, _TWO] = None
    flips: Annotated[
        tuple[tuple[Count | None, Count | None], ...],
        Field(max_length=1000),
        Typed(lambda _, text: [read_flip(one) for one in text.split()]),
    ] = ()
    rock_paper_scissors: Literal["a", "b"] | None = None
    cards: CardText | None = None
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        written = TimeTiebreak(
            matches=self.matches,
            power=self.power,
            faction=self.faction,
            discard=self.discard,
            flips=self.flips,
            rock_paper_scissors=None if self.rock_paper_scissors is None else _SIDES[self.rock_paper_scissors],
        )
        return end_at_time(
            record,
            table=self.table,
            written=written,
            pool=pool_of(self.cards),
            deviating=self.deviating,
            now=now(),
        )


_SIDES: dict[Literal["a", "b"], Literal[0, 1]] = {"a": 0, "b": 1}


_COUNTS = re.compile(r"^(-?[0-9]{1,6})-(-?[0-9]{1,6})$")
_CARDS = re.compile(r"^([0-9]{1,6}|none)-([0-9]{1,6}|none)$")


def read_two(text: str) -> tuple[int, int]:
    """Return two numbers in table order. Raises UsageProblem."""
    if (found := _COUNTS.match(text)) is None:
        raise UsageProblem(sentence("%(text)r is not two numbers in table order: write 5-4", text=text))
    return int(found[1]), int(found[2])


def read_flip(text: str) -> tuple[int | None, int | None]:
    """Return the numbers of two cards that were discarded together. The number is None for a player without a card.
    Raises UsageProblem.
    """
    if (found := _CARDS.match(text)) is None:
        raise UsageProblem(
            sentence("%(text)r is not two cards: write 14-8, or 8-none where a player has no card", text=text)
        )
    first, second = (None if card == "none" else int(card) for card in found.groups())
    return first, second
