"""Deck lists: submitted, amended, checked. Everything in facts about decks is personal data, except the hashes."""

from typing import Literal

from pydantic import Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber


class ListedCard(Fact):
    """One line of a deck list: a card's name as written, the part of the deck, and the number of copies."""

    part: str = Field(pattern="^[a-z][a-z-]{0,39}$")
    name: str = Field(min_length=1, max_length=200)
    count: int = Field(ge=1, le=999)


class DeckList(Fact):
    """The cards of a player's deck. They are personal data, like `Person`: public views show only the SHA-256."""

    cards: tuple[ListedCard, ...] = Field(min_length=1)


class DeckDifference(Fact):
    """The cards that an amendment removed from a list, and the cards that it added. The difference is personal
    data, like the list.
    """

    removed: tuple[ListedCard, ...] = ()
    added: tuple[ListedCard, ...] = ()


class DeckFinding(Fact):
    """What a deck check found, in words that may name cards. The finding is personal data, like the list."""

    text: str = Field(max_length=2000)


class DeckSubmitted(Fact):
    """A player submitted a deck list. `sha256` is the hash of the list's canonical text."""

    action = "submit-deck"
    routine = True
    kind: Literal["deck-submitted"] = "deck-submitted"
    player: PlayerNumber
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    deck: DeckList | None = Field(default=None, description="None where it was erased, or its key is not here")


class DeckAmended(Fact):
    """A leader updated a deck list to the deck that the player uses.

    The earlier list stays in the log.

    `sha256` is the hash of the amended list. `advantageous` says that the change was significant and may help
    the player.
    """

    action = "amend-deck"
    kind: Literal["deck-amended"] = "deck-amended"
    player: PlayerNumber
    leader: str = Field(min_length=1, max_length=200)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    difference: DeckDifference | None = Field(default=None, description="as the deck of a list handed in")
    advantageous: bool = False


class DeckChecked(Fact):
    """A deck was checked against one rule.

    `ok` is None if the check could not decide. `sha256` is the hash of the list.

    `card_data` is the SHA-256 of the card data file.
    """

    action = "check-deck"
    routine = True
    kind: Literal["deck-checked"] = "deck-checked"
    player: PlayerNumber
    rule: str
    ok: bool | None
    round: PositiveInt | None = None
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    card_data: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    finding: DeckFinding | None = None


DeckFact = DeckSubmitted | DeckAmended | DeckChecked
