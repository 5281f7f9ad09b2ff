"""Deck checks: the data that a check needs, and its findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Struct
from pydantic import Field

from matchledger.commands.command import Command, Context, Number, Players, Sizes, Text, Typed, known
from matchledger.commands.decklists import ListText, check, need_registered, read_list
from matchledger.events import AnyFact, DeckList
from matchledger.formats.card_data import read_card_data
from matchledger.formats.text import FormatError, did_you_mean, listed
from matchledger.notation.problems import UsageProblem
from matchledger_projections.decks.cards import CardPool
from matchledger_projections.decks.checking import (
    check_deck,
    check_first_five,
    check_sleeves,
    check_unchanged,
)
from matchledger_projections.decks.deck import PARTS
from matchledger_projections.decks.findings import Finding
from matchledger_projections.decks.registered import FORMATS, Registered, registered
from matchledger_projections.decks.sleeves import SEEN, Sleeves
from matchledger_projections.message import sentence
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.sections import TIERS, Occasion

LONGEST_CARD_DATA = 8_000_000  # characters
CardText = Annotated[str, Field(max_length=LONGEST_CARD_DATA, description="card data as CSV or JSON")]


def pool_of(text: str | None) -> CardPool | None:
    """Return the cards in card data, or None without data. Raises UsageProblem for invalid data."""
    return None if text is None else _read(text)


@lru_cache(maxsize=2)  # a desk checks many decks with one file of card data
def _read(text: str) -> CardPool:
    try:
        return read_card_data(text.encode("utf-8", "surrogatepass")).pool
    except FormatError as problem:
        raise UsageProblem(sentence("card data: %(problem)s", problem=problem.args[0])) from None


class DeckCheck(Struct, frozen=True):
    """What a deck check needs: the event, card data if any, and one player's deck.

    `in_use` is the deck in play, to compare with the list. `first_five` is the First Five of one game (Ashes).
    """

    occasion: Occasion
    pool: CardPool | None = None
    in_use: DeckList | None = None
    first_five: DeckList | None = None
    sleeves: Sleeves | None = None

    @property
    def is_of_one(self) -> bool:
        """Return whether a given field is about one player only."""
        return self.in_use is not None or self.first_five is not None or self.sleeves is not None

    def findings(self, current: Registered) -> list[Finding]:
        """Return the findings for a list and a deck, one for each rule."""
        pool, occasion = self.pool, self.occasion
        found = list(check_deck(current.deck if self.in_use is None else self.in_use, pool, occasion))
        if self.in_use is not None:
            found.append(check_unchanged(current.deck, self.in_use, pool, occasion))
        if self.first_five is not None:
            found += check_first_five(self.first_five, current.deck, pool, occasion)
        if self.sleeves is not None:
            found.append(check_sleeves(self.sleeves, occasion))
        return found

    def facts(self, record: Record, player: int, round_: int | None) -> list[AnyFact]:
        """Return the findings as facts. Raises Refusal."""
        return check(
            record,
            player=player,
            findings=self.findings(need_registered(record, player)),
            in_use=self.in_use,
            round_=round_,
            card_data=None if self.pool is None else self.pool.version,
        )


def decks_named(record: Record, players: Sequence[int]) -> list[int]:
    """Return the named players, or all players with a list. Raises UsageProblem if there is no list."""
    if players:
        return list(dict.fromkeys(players))
    everybody = [player.number for player in record.active_players() if registered(record, player.number)]
    if not everybody:
        raise UsageProblem(sentence("no deck list was submitted yet: submit one first"))
    return everybody


def occasion_of(
    record: Record,
    *,
    format_: str | None = None,
    tier: str | None = None,
    region: str | None = None,
    day: date | None = None,
    minimum: Mapping[str, int] | None = None,
) -> Occasion:
    """Return the conditions of a deck check: the event's format, tier, region and day, unless an option gives
    another value. Raises UsageProblem.
    """
    readings = record.rulebook.readings
    name = format_ or readings.deck_format
    if name not in FORMATS:
        hint = did_you_mean(name, list(FORMATS)) if format_ else "; name a format"
        said = f"there is no deck format {name!r}" if format_ else f"{record.rulebook.id} has no rules for decks"
        raise UsageProblem(
            sentence("%(said)s%(hint)s: there are %(listed)s", said=said, hint=hint, listed=listed(FORMATS))
        )
    known = {one: one for one in TIERS}
    if tier is not None and tier not in known:
        raise UsageProblem(
            sentence("there is no tier %(tier)r: there are %(listed)s", tier=tier, listed=listed(TIERS))
        )
    if unknown := sorted(set(minimum or {}) - set(PARTS)):
        raise UsageProblem(
            sentence("a deck has no part %(part)r: there are %(listed)s", part=unknown[0], listed=listed(PARTS))
        )
    return Occasion(
        format=name,
        tier=record.rulebook.tier if tier is None else known[tier],
        region=None if region is None else "-".join(region.casefold().split()),
        day=day,
        minimum=dict(minimum or {}),
        chained_list=readings.chained_list == "on",
        counts=record.rulebook.decks,
    )


def sleeves_seen(words: Iterable[str]) -> Sleeves:
    """Return the observed sleeves from words. Raises UsageProblem."""
    seen = set(words)
    if unknown := sorted(seen - set(SEEN)):
        raise UsageProblem(
            sentence(
                "%(part)r is not a finding about sleeves: there are %(listed)s",
                part=unknown[0],
                listed=listed(SEEN),
            )
        )
    return Sleeves(**{word: word in seen for word in SEEN})


Seen = Literal["opaque", "uniform", "distinct", "worn"]
# Marks that a judge can see. The default is no observation, because an empty form does not prove that the sleeves
# are good.
SleevesSeen = Annotated[
    tuple[Seen, ...],
    Field(max_length=4),
    Typed(lambda _, words: [word for word in words if word != "none"], many=True),
]


class CheckDecks(Command):
    """Check the decks of some players, or of all players with a list, against the rules.

    `in_use` is the deck in play, `first_five` the First Five of one game, `sleeves` the observed sleeves.
    `in_use`, `first_five` and `sleeves` need a check of exactly one player. `cards` is the card data, without
    which some rules stay open. By default, format, tier, region and day are the tournament's.
    """

    players: Annotated[Players, Field(max_length=1000)] = ()
    round: Number | None = None
    in_use: ListText | None = None
    first_five: ListText | None = None
    sleeves: SleevesSeen | None = None
    format: Text | None = None
    tier: Text | None = None
    region: Text | None = None
    day: date | None = None
    minimum: Sizes = Field(default={})
    cards: CardText | None = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        look = self.look(record)
        players = decks_named(record, known(record, *self.players))
        if look.is_of_one and len(self.players) != 1:
            raise UsageProblem(
                sentence("the check of a deck in play, a First Five or sleeves needs one player: name the player")
            )
        return [fact for player in players for fact in look.facts(record, player, self.round)]

    def look(self, record: Record) -> DeckCheck:
        """Return what this check needs: the conditions, the card data, and the given decks and sleeves."""
        return DeckCheck(
            occasion_of(
                record,
                format_=self.format,
                tier=self.tier,
                region=self.region,
                day=self.day,
                minimum=self.minimum,
            ),
            pool_of(self.cards),
            None if self.in_use is None else read_list(self.in_use),
            None if self.first_five is None else read_list(self.first_five),
            None if self.sleeves is None else sleeves_seen(self.sleeves),
        )
