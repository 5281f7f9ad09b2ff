"""Deck lists: handed in, amended, checked. Personal, but for their hashes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber


class ListedCard(Fact):
    """One line of a deck list: a card as it is written there, and how often it stands in a part of the deck."""

    part: str = Field(pattern="^[a-z][a-z-]{0,39}$")
    name: str = Field(min_length=1, max_length=200)
    count: int = Field(ge=1, le=999)


class DeckList(Fact):
    """What a player plays with. Personal, as `Person` is: public views show its SHA-256 alone."""

    cards: tuple[ListedCard, ...] = Field(min_length=1)


class DeckDifference(Fact):
    """What an amendment took from a deck list and added to it. Personal, as the list is."""

    removed: tuple[ListedCard, ...] = ()
    added: tuple[ListedCard, ...] = ()


class DeckFinding(Fact):
    """What a check found in a deck, in words that may name its cards. Personal, as the list is."""

    text: str = Field(max_length=2000)


class DeckSubmitted(Fact):
    """A player handed a deck list in; `sha256` is that of its canonical text."""

    action = "submit-deck"
    kind: Literal["deck-submitted"] = "deck-submitted"
    player: PlayerNumber
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    deck: DeckList | None = Field(default=None, description="None where it was erased, or its key is not here")


class DeckAmended(Fact):
    """A leader brought a deck list up to what the player plays with; the list before it stays as it was.

    `sha256` is that of the list as amended; `advantageous` says that the change was significant and might have
    been to the player's advantage.
    """

    action = "amend-deck"
    kind: Literal["deck-amended"] = "deck-amended"
    player: PlayerNumber
    leader: str = Field(min_length=1, max_length=200)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    difference: DeckDifference | None = Field(default=None, description="as the deck of a list handed in")
    advantageous: bool = False


class DeckChecked(Fact):
    """A deck was checked against one rule; `ok` is None where it could not be told, `sha256` the list's.

    `card_data` is the SHA-256 of the file that said what the cards are.
    """

    action = "check-deck"
    kind: Literal["deck-checked"] = "deck-checked"
    player: PlayerNumber
    rule: str
    ok: bool | None
    round: PositiveInt | None = None
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    card_data: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    finding: DeckFinding | None = None


DeckFact = DeckSubmitted | DeckAmended | DeckChecked
