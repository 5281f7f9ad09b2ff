"""The facts of a tournament: frozen models in the past tense, each with the entry that records it.

A fact says what happened; an entry says where it stands in the log, who recorded it, when and from which
station. Facts refer to players by number, in order of registration from 1. What identifies a person stands in
`Person` and nowhere else, what a player plays with in `DeckList`, `DeckDifference` and `DeckFinding`. No fact
holds anything that can be derived from the facts before it, with two exceptions that are facts in their own
right: what was posted on the wall, and what chance decided.
"""

from __future__ import annotations

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, NonNegativeInt, PositiveInt

Stage = Literal["swiss", "elimination"]
Style = Literal["swiss", "elimination", "swiss-with-cut"]
DrawMethod = Literal["cut-seeds", "random-seeds", "random-places", "random-numbers"]
RepairChoice = Literal["leave", "minimal", "all"]
Role = Literal["organizer", "marshal", "judge", "scorekeeper", "player"]
ROLES: tuple[Role, ...] = ("organizer", "marshal", "judge", "scorekeeper", "player")

PlayerNumber = PositiveInt
Two = tuple[PlayerNumber, PlayerNumber]


class Fact(BaseModel):
    """What all facts share: they never change, and know every one of their fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Person(Fact):
    """Who a player is. The only personal data in a log, so that it can be encrypted, left out or erased."""

    name: str = Field(min_length=1, max_length=200)
    born: int | None = Field(default=None, ge=1900, le=2100, description="year of birth")
    contact: str | None = Field(default=None, max_length=200)


class TimeTiebreak(Fact):
    """What decided an elimination game that time ended, in table order (SWR-SE-TIME); only what was looked at.

    `flips` are the numbers of the cards that both discarded at the same time, None for a player without one;
    `rock_paper_scissors` is the winner's side, 0 or 1.
    """

    matches: tuple[NonNegativeInt, NonNegativeInt]
    power: tuple[int, int] | None = None
    faction: tuple[NonNegativeInt, NonNegativeInt] | None = None
    discard: tuple[NonNegativeInt, NonNegativeInt] | None = None
    flips: tuple[tuple[int | None, int | None], ...] = ()
    rock_paper_scissors: Literal[0, 1] | None = None


class Slip(Fact):
    """What one slip says: the kind of result, in the rulebook's words, and what is written beside it."""

    kind: str
    winner: PlayerNumber | None = None
    scores: tuple[int, int] | None = Field(default=None, description="points as written, in table order")
    blood_points: NonNegativeInt | None = Field(default=None, description="the loser's blood points")
    tiebreak: TimeTiebreak | None = None


class Seating(Fact):
    """Two players at a numbered table."""

    table: PositiveInt
    players: Two


class Bye(Fact):
    """A player without an opponent; `points` only where a foreign file writes points of its own."""

    player: PlayerNumber
    points: int | None = None


class TournamentOpened(Fact):
    """The tournament began to exist, under a law that the log carries in full from here on."""

    kind: Literal["tournament-opened"] = "tournament-opened"
    name: str = Field(min_length=1, max_length=200)
    rulebook: str
    law: str = Field(description="the rulebook's whole text (TOML), as it was when the tournament opened")
    policies: dict[str, str] = Field(default={}, description="policy flags other than the rulebook's defaults")
    commitment: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the secret behind every draw")


class FileImported(Fact):
    """The entries that follow were read from a file; `notes` says line by line what was adjusted."""

    kind: Literal["file-imported"] = "file-imported"
    name: str
    format: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    notes: tuple[str, ...] = ()


class PlayerRegistered(Fact):
    """A player entered the tournament before it had started."""

    kind: Literal["player-registered"] = "player-registered"
    number: PlayerNumber
    person: Person
    division: str | None = None
    attributes: dict[str, str] = {}


class PlayerArrivedLate(Fact):
    """A player entered a tournament under way, and was charged with a loss for each round in `losses`."""

    kind: Literal["player-arrived-late"] = "player-arrived-late"
    number: PlayerNumber
    person: Person
    division: str | None = None
    attributes: dict[str, str] = {}
    losses: tuple[PositiveInt, ...] = ()


class PlayerDropped(Fact):
    """A player left; `after_round` is the last Swiss round on the player's record.

    One who leaves after the cut leaves the elimination stage: the Swiss standings stay as they were.
    """

    kind: Literal["player-dropped"] = "player-dropped"
    player: PlayerNumber
    after_round: NonNegativeInt
    cause: str = "request"
    stage: Stage = "swiss"


class PlayerRejoined(Fact):
    """A dropped player came back, charged with an unpaired loss for each round in `losses`."""

    kind: Literal["player-rejoined"] = "player-rejoined"
    player: PlayerNumber
    losses: tuple[PositiveInt, ...] = ()


class PlayerDisqualified(Fact):
    """A player was removed for good. Results already on record stand."""

    kind: Literal["player-disqualified"] = "player-disqualified"
    player: PlayerNumber
    after_round: NonNegativeInt
    recommended_by: str | None = None
    stage: Stage = "swiss"


class RematchAllowed(Fact):
    """Somebody with the right to do so let two players meet again."""

    kind: Literal["rematch-allowed"] = "rematch-allowed"
    round: PositiveInt
    players: Two


class PoolDraw(Fact):
    """The draw of players who were paired among themselves, such as an age division."""

    name: str
    seed: str = Field(pattern="^[0-9a-f]{64}$")


class RoundPaired(Fact):
    """A round's tables and byes. `seed` is there when chance derived them, and absent when a hand wrote them.

    `pools` are there when the field was paired in several parts, each by a draw of its own.
    """

    kind: Literal["round-paired"] = "round-paired"
    stage: Stage = "swiss"
    round: PositiveInt
    tables: tuple[Seating, ...]
    byes: tuple[Bye, ...] = ()
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    pools: tuple[PoolDraw, ...] = ()


class RoundStarted(Fact):
    """Play in a round began."""

    kind: Literal["round-started"] = "round-started"
    stage: Stage = "swiss"
    round: PositiveInt
    minutes: PositiveInt | None = None


class PairingAmended(Fact):
    """Some tables of a posted round were changed; tables that are not named stay as they were."""

    kind: Literal["pairing-amended"] = "pairing-amended"
    stage: Stage = "swiss"
    round: PositiveInt
    removed: tuple[Seating, ...]
    added: tuple[Seating, ...]
    byes_removed: tuple[PlayerNumber, ...] = ()
    byes_added: tuple[PlayerNumber, ...] = ()


class RepairChosen(Fact):
    """What was done about a round that was paired before a record was put right; who and why stand in the entry.

    `correction` is the position of the entry that put the record right, `tables` the tables of the posted round
    whose players were seated anew.
    """

    kind: Literal["repair-chosen"] = "repair-chosen"
    round: PositiveInt
    choice: RepairChoice
    correction: PositiveInt
    tables: tuple[PositiveInt, ...] = ()


class ResultReported(Fact):
    """A slip came in."""

    kind: Literal["result-reported"] = "result-reported"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip


class MatchConceded(Fact):
    """A player conceded the match; only the player who concedes can."""

    kind: Literal["match-conceded"] = "match-conceded"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    by: PlayerNumber
    blood_points: NonNegativeInt | None = None


class NoShowRecorded(Fact):
    """One or both players of a table did not appear."""

    kind: Literal["no-show-recorded"] = "no-show-recorded"
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    absent: tuple[PlayerNumber, ...] = Field(min_length=1, max_length=2)


class ResultCorrected(Fact):
    """What an earlier entry says of a match was wrong; this is right."""

    kind: Literal["result-corrected"] = "result-corrected"
    supersedes: PositiveInt = Field(description="position of the entry that this one replaces")
    stage: Stage = "swiss"
    round: PositiveInt
    table: PositiveInt
    players: Two
    slip: Slip


class EntryRetracted(Fact):
    """An entry was made by mistake. It stays in the log and no longer counts; so can this one be taken back."""

    kind: Literal["entry-retracted"] = "entry-retracted"
    retracts: PositiveInt = Field(description="position of the entry that no longer counts")


class TieResolved(Fact):
    """Players whom the rulebook leaves level were put in order, best first, as of a round."""

    kind: Literal["tie-resolved"] = "tie-resolved"
    round: NonNegativeInt
    players: tuple[PlayerNumber, ...] = Field(min_length=2)
    method: Literal["random", "rock-paper-scissors", "other"] = "random"
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class PostedRow(Fact):
    """One line of posted standings; `rank` is None for a player who is listed without a place."""

    rank: PositiveInt | None
    player: PlayerNumber
    points: int
    status: str
    tied: bool
    tiebreaks: dict[str, str]


class StandingsPosted(Fact):
    """The standings that were put on the wall, exactly as they hung there."""

    kind: Literal["standings-posted"] = "standings-posted"
    round: NonNegativeInt
    rows: tuple[PostedRow, ...]


class CheckpointSigned(Fact):
    """Somebody put a name to the log as it was before this entry: its tree head, in a signed note.

    `consistency` ties the note to the one in entry `previous`: RFC 6962 proof that the log only grew between them.
    """

    kind: Literal["checkpoint-signed"] = "checkpoint-signed"
    note: str = Field(description="the checkpoint, in the C2SP form, as it can be printed")
    key: str = Field(description="the verification key that the note says it was signed with")
    previous: PositiveInt | None = Field(default=None, description="position of the checkpoint before this one")
    consistency: tuple[str, ...] = Field(default=(), description="hashes in Base64")


class CutMade(Fact):
    """The players who go on to the elimination stage, best seed first, on the standings after `round`."""

    kind: Literal["cut-made"] = "cut-made"
    round: NonNegativeInt
    seeds: tuple[PlayerNumber, ...] = Field(min_length=2)


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

    kind: Literal["deck-submitted"] = "deck-submitted"
    player: PlayerNumber
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    deck: DeckList


class DeckAmended(Fact):
    """A leader brought a deck list up to what the player plays with; the list before it stays as it was.

    `sha256` is that of the list as amended; `advantageous` says that the change was significant and might have
    been to the player's advantage.
    """

    kind: Literal["deck-amended"] = "deck-amended"
    player: PlayerNumber
    leader: str = Field(min_length=1, max_length=200)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    difference: DeckDifference
    advantageous: bool = False


class DeckChecked(Fact):
    """A deck was held against one rule; `ok` is None where it could not be told, `sha256` the list's.

    `card_data` is the SHA-256 of the file that said what the cards are.
    """

    kind: Literal["deck-checked"] = "deck-checked"
    player: PlayerNumber
    rule: str
    ok: bool | None
    round: PositiveInt | None = None
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    card_data: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    finding: DeckFinding | None = None


class StructureAnnounced(Fact):
    """What was announced of the event: its style, rounds and cut. The latest announcement counts.

    `structure` is the rulebook's table that it follows, or `custom`; `deviations` are the rules that it departs
    from. `rounds` are Swiss rounds, 0 where the event begins with elimination; a cut of 0 is none.
    """

    kind: Literal["structure-announced"] = "structure-announced"
    style: Style
    structure: str
    rounds: NonNegativeInt
    cut: NonNegativeInt = 0
    playoff: bool = Field(default=False, description="a match for 3rd and 4th place")
    untimed_final: bool = False
    prizes: NonNegativeInt | None = None
    deviations: tuple[str, ...] = ()


class QualifierReplaced(Fact):
    """A qualifier left before the elimination stage began: those below moved up, `by` became the lowest seed.

    `declined` are the players who were asked before and did not want to.
    """

    kind: Literal["qualifier-replaced"] = "qualifier-replaced"
    player: PlayerNumber
    by: PlayerNumber
    declined: tuple[PlayerNumber, ...] = ()


class BracketDrawn(Fact):
    """The games of the first elimination round, in order of game number; one with a single player is a bye.

    In every later round the winner of game 1 meets the winner of the game with the highest number, and so on.
    `seed` is what chance filled the bracket by, `numbers_seed` what it numbered the games by.
    """

    kind: Literal["bracket-drawn"] = "bracket-drawn"
    method: DrawMethod
    games: tuple[Annotated[tuple[PlayerNumber, ...], Field(min_length=1, max_length=2)], ...] = Field(min_length=1)
    seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    numbers_seed: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")


class TournamentClosed(Fact):
    """The tournament ended; the secret behind its draws is revealed."""

    kind: Literal["tournament-closed"] = "tournament-closed"
    round: NonNegativeInt
    secret: str = Field(pattern="^[0-9a-f]{64}$")


AnyFact = (
    TournamentOpened
    | FileImported
    | PlayerRegistered
    | PlayerArrivedLate
    | PlayerDropped
    | PlayerRejoined
    | PlayerDisqualified
    | RematchAllowed
    | RoundPaired
    | RoundStarted
    | PairingAmended
    | RepairChosen
    | ResultReported
    | MatchConceded
    | NoShowRecorded
    | ResultCorrected
    | EntryRetracted
    | TieResolved
    | StandingsPosted
    | CheckpointSigned
    | CutMade
    | StructureAnnounced
    | QualifierReplaced
    | BracketDrawn
    | DeckSubmitted
    | DeckAmended
    | DeckChecked
    | TournamentClosed
)


class Entry(BaseModel):
    """A fact as recorded: its position in the tournament's log, from 1, and the circumstances.

    Order is by `position`, never by time. `command` identifies the command that led to the entry: the same
    command sent twice is recorded once.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tournament: UUID
    position: PositiveInt
    recorded_at: AwareDatetime
    actor: str
    role: Role
    station: str
    command: str
    reason: str | None = None
    fact: Annotated[AnyFact, Field(discriminator="kind")]
