"""Commands about decks: lists that are handed in and amended, and decks held against the rules."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, PrivateAttr

from matchledger.commands import decklists
from matchledger.commands.cards import CardText, pool_of
from matchledger.commands.command import Command, Number, Sizes, Text, known
from matchledger.commands.context import Context
from matchledger.commands.deck_checks import DeckCheck, decks_named, occasion_of, sleeves_seen
from matchledger.commands.draft import Clerk, Decision
from matchledger.events import AnyFact, DeckList
from matchledger.formats.decklist import read_decklist
from matchledger.formats.problem import FormatError
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record

ListText = Annotated[
    str,
    Field(min_length=1, max_length=100_000, description="a list under headings such as [dynasty], or CSV"),
]
Seen = Literal["opaque", "uniform", "distinct", "worn"]


class SubmitDeck(Command):
    """A player hands a deck list in; `late`, even though round 1 has begun."""

    kind: Literal["submit-deck"] = "submit-deck"
    player: Number
    deck: ListText
    late: bool = False

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        deck = _read(self.deck)
        return lambda record: decklists.submit(
            record, player=known(record, self.player)[0], deck=deck, late=self.late
        )


class AmendDeck(Command):
    """Whoever says it, as a leader, brings a list up to the deck in use; `advantageous`, where that may help."""

    kind: Literal["amend-deck"] = "amend-deck"
    player: Number
    deck: ListText
    advantageous: bool = False
    _leader: Clerk = PrivateAttr(default_factory=Clerk)

    def said_by(self, clerk: Clerk) -> AmendDeck:
        said = self.model_copy()
        said._leader = clerk  # noqa: SLF001 - of another one of the same
        return said

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        deck, leader = _read(self.deck), self._leader
        return lambda record: decklists.amend(
            record,
            player=known(record, self.player)[0],
            deck=deck,
            leader=leader.actor,
            role=leader.role,
            advantageous=self.advantageous,
        )


class CheckDecks(Command):
    """The decks of some players, or of everybody who has handed a list in, are held against the rules.

    `in_use` is the deck as it is played, `first_five` that of one game, `sleeves` what was seen of them: each of
    one player. `cards` says what the cards are; without them, what cannot be known stays open. Format, tier, region
    and day are the tournament's unless they are said.
    """

    kind: Literal["check-decks"] = "check-decks"
    players: tuple[Number, ...] = Field(default=(), max_length=1000)
    round: Number | None = None
    in_use: ListText | None = None
    first_five: ListText | None = None
    sleeves: tuple[Seen, ...] | None = Field(default=None, max_length=4)
    format: Text | None = None
    tier: Text | None = None
    region: Text | None = None
    day: date | None = None
    minimum: Sizes = Field(default={})
    cards: CardText | None = None

    def decision(self, context: Context) -> Decision:  # noqa: ARG002
        pool = pool_of(self.cards)
        in_use = None if self.in_use is None else _read(self.in_use)
        first_five = None if self.first_five is None else _read(self.first_five)
        sleeves = None if self.sleeves is None else sleeves_seen(self.sleeves)

        def check(record: Record) -> list[AnyFact]:
            look = DeckCheck(
                occasion_of(
                    record,
                    format_=self.format,
                    tier=self.tier,
                    region=self.region,
                    day=self.day,
                    minimum=self.minimum,
                ),
                pool,
                in_use,
                first_five,
                sleeves,
            )
            players = decks_named(record, known(record, *self.players))
            if look.is_of_one and len(self.players) != 1:
                raise UsageProblem(
                    sentence("a deck in use, a First Five and sleeves are those of one player: name one")
                )
            return [fact for player in players for fact in look.facts(record, player, self.round)]

        return check


def _read(text: str) -> DeckList:
    try:
        return read_decklist(text.encode("utf-8", "surrogatepass"))
    except FormatError as problem:
        raise UsageProblem(sentence("the list: %(problem)s", problem=problem.args[0])) from None
