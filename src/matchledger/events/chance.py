"""Chance: the inputs of draws besides the organizer's secret and the points."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from matchledger.events.fact import Fact, PlayerNumber

Derivation = Literal[1, 2]
Chain = Literal["quicknet"]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Word = Annotated[str, Field(min_length=1, max_length=100)]


class DrawBasisFixed(Fact):
    """The digest of all registrations before a draw, computed over their stored bytes.

    The digest is recorded with the draw, and needs no permission of its own.
    """

    action = "pair"
    public = True
    anybody = True
    retractable = False
    kind: Literal["draw-basis-fixed"] = "draw-basis-fixed"
    registrations: Digest = Field(description="SHA-256 of the sorted leaf hashes of the entries")
    registered: PositiveInt = Field(description="how many entries the digest is made of")


class WordPledged(Fact):
    """A player chose a secret word. `digest` is the word's SHA-256, or None for a word on a folded paper."""

    action = "contribute"
    public = True
    kind: Literal["word-pledged"] = "word-pledged"
    player: PlayerNumber
    digest: Digest | None = None


class OpenedWord(BaseModel):
    """A word, and the player who pledged it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    player: PlayerNumber
    word: Word


class WordsOpened(Fact):
    """The pledged words were opened together. `unopened` are the players who did not say their words."""

    action = "gather-chance"
    public = True
    retractable = False
    kind: Literal["words-opened"] = "words-opened"
    words: tuple[OpenedWord, ...] = Field(min_length=1)
    unopened: tuple[PlayerNumber, ...] = ()


class BeaconNamed(Fact):
    """A future round of a public randomness beacon was named, for the draws after the round is published.

    The naming can be retracted until the round is read.
    """

    action = "gather-chance"
    public = True
    kind: Literal["beacon-named"] = "beacon-named"
    chain: Chain
    number: PositiveInt = Field(description="the round of the beacon")


class BeaconRead(Fact):
    """The named beacon round was published. The round's randomness is the SHA-256 of the signature.

    A mistyped signature can be retracted before the next draw.
    """

    action = "gather-chance"
    public = True
    kind: Literal["beacon-read"] = "beacon-read"
    chain: Chain
    number: PositiveInt = Field(description="the round of the beacon")
    signature: str = Field(pattern="^[0-9a-f]{96}$")


ChanceFact = DrawBasisFixed | WordPledged | WordsOpened | BeaconNamed | BeaconRead
