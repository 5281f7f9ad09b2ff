"""The inputs of draws besides the organizer's secret: registrations, players' words, and a public beacon."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from pydantic import Field

from matchledger.commands.command import (
    PLAYER,
    Command,
    Context,
    Deviating,
    Player,
    Typed,
    argument,
    known,
    option,
    player_named,
)
from matchledger.commands.draft import now, stamp
from matchledger.commands.refusal import Refusal, name_of, names_of, need_open
from matchledger.events import (
    AnyFact,
    BeaconNamed,
    BeaconRead,
    Chain,
    DrawBasisFixed,
    OpenedWord,
    WordPledged,
    WordsOpened,
)
from matchledger.notation.problems import UsageProblem
from matchledger_projections.message import demanding, is_printable, sentence
from matchledger_projections.pairing.footing import Beacon, beacons, drawn_after, entrances, groundless, pledges
from matchledger_projections.record.chance import derivation_of, out_at, registrations_digest, word_digest
from matchledger_projections.record.record import Record

LONGEST_WORD = 100  # characters


# -- the basis of a draw


def decide_on_basis(command: Command, record: Record, context: Context) -> Sequence[AnyFact]:
    """Return the facts of a command. A draw needs the digest of the registrations, so if the log lacks the digest,
    it comes first.
    """
    if not command.draws(record):
        return command.decide(record, context)
    founded, basis = on_basis(record, context)
    facts = command.decide(founded, context)
    return [*basis, *facts] if any(getattr(fact, "seed", None) for fact in facts) else facts


def on_basis(record: Record, context: Context) -> tuple[Record, list[AnyFact]]:
    """Return the record for a draw, and the facts that the draw needs and the log lacks. The returned record
    already contains the returned facts.
    """
    entered = entrances(record)
    if groundless(record) is None or not entered:
        return record, []
    digest = registrations_digest(context.leaves(entered))
    basis: list[AnyFact] = [DrawBasisFixed(registrations=digest, registered=len(entered))]
    founded = context.replay(record.position)
    tournament = record.tournament or UUID(int=0)
    for entry in stamp(basis, tournament=tournament, record=founded, clerk=context.clerk, command="basis"):
        founded.apply(entry)
    return founded, basis


# -- words and beacons


def _need_to_be_mixed_in(record: Record) -> None:
    need_open(record)
    if derivation_of(record) == 1:
        raise Refusal(
            sentence("the draws of this tournament have version 1, which mixes in neither words nor a beacon")
        )


def _said(record: Record, words: Sequence[str]) -> dict[int, str]:
    """Return each player's word by the player's number, from texts such as `#7=otter`. Raises UsageProblem."""
    said = {}
    for text in words:
        name, _, word = text.partition("=")
        if not name.strip() or not 1 <= len(word) <= LONGEST_WORD or not is_printable(word):
            raise UsageProblem(sentence("%(text)r is not a player and a word: write #7=otter", text=text))
        said[player_named(record, name)] = word
    return said


ChainOption = Annotated[Chain, option("--chain", "The beacon: {known}.")]
Round = Annotated[int, Field(ge=1, le=10**9)]


class PledgeWord(Command):
    """Record that a player pledged a word to the draws, with its SHA-256 if it is not on paper."""

    player: Annotated[Player, PLAYER]
    digest: Annotated[
        Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None,
        option("--digest", "The SHA-256 of the word in UTF-8, in hexadecimal; leave it out for a word on paper."),
    ] = None

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        player = known(record, self.player)[0]
        _need_to_be_mixed_in(record)
        if player in pledges(record):
            raise Refusal(
                sentence("%(player)s has pledged a word: retract that entry first", player=name_of(record, player))
            )
        return [WordPledged(player=player, digest=self.digest)]


class OpenWords(Command):
    """Open the pledged words, all together. To go on without a missing word, add a --reason."""

    words: Annotated[
        tuple[Annotated[str, Field(max_length=400)], ...],
        Field(min_length=1, max_length=10_000),
        Typed(lambda _, words: [word for word in words if word.partition("=")[2]], many=True),
        argument("#7=otter, one for each player.", "WORD"),
    ]
    deviating: Deviating = False

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        words = _said(record, self.words)
        _need_to_be_mixed_in(record)
        waiting = pledges(record)
        for player, word in words.items():
            if player not in waiting:
                raise Refusal(sentence("%(player)s has not pledged a word", player=name_of(record, player)))
            if waiting[player].digest not in (None, word_digest(word)):
                raise Refusal(
                    sentence(
                        "%(word)r is not the word that %(player)s pledged",
                        word=word,
                        player=name_of(record, player),
                    )
                )
        unopened = tuple(player for player in waiting if player not in words)
        if unopened and not self.deviating:
            raise Refusal(
                demanding(
                    sentence(
                        "the words of %(players)s are missing. Without them the organizer alone chooses the draws: "
                        "to leave them out, give a reason",
                        players=names_of(record, unopened),
                    ),
                    "a reason",
                )
            )
        opened = tuple(OpenedWord(player=player, word=words[player]) for player in waiting if player in words)
        return [WordsOpened(words=opened, unopened=unopened)]


def _named(record: Record, chain: Chain, number: int) -> Beacon | None:
    """Return the beacon's round with this number if the log names it, else None."""
    return next((one for one in beacons(record) if (one.chain, one.number) == (chain, number)), None)


def _need_unread(beacon: Beacon | None) -> None:
    """Refuse to change a beacon's round whose value is in the log."""
    if beacon is not None and beacon.read is not None:
        raise Refusal(
            sentence(
                "round %(round)s of the beacon is read: retract entry %(entry)s first",
                round=beacon.number,
                entry=beacon.read,
            )
        )


class NameBeacon(Command):
    """Name a future round of a public beacon, to mix it into the draws after its publication."""

    number: Annotated[Round, argument("The round of the beacon.", "ROUND")]
    chain: ChainOption = "quicknet"

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        _need_to_be_mixed_in(record)
        if _named(record, self.chain, self.number) is not None:
            raise Refusal(sentence("round %(round)s of the beacon is named already", round=self.number))
        if out_at(self.chain, self.number) <= now():
            raise Refusal(
                sentence("round %(round)s of the beacon is out already: name a later one", round=self.number)
            )
        return [BeaconNamed(chain=self.chain, number=self.number)]


def need_retractable_beacon(record: Record, position: int, fact: BeaconNamed | BeaconRead) -> None:
    """Refuse to retract a beacon round after a draw with it, and the naming of a round that was read."""
    if isinstance(fact, BeaconNamed):
        _need_unread(_named(record, fact.chain, fact.number))
    elif (draw := drawn_after(record, position)) is not None:
        raise Refusal(
            sentence(
                "entry %(entry)s drew with round %(round)s of the beacon: a beacon round can be corrected only "
                "before a draw",
                entry=draw,
                round=fact.number,
            )
        )


def need_no_beacon(record: Record, back: int) -> None:
    """Refuse to restore a beacon round, because its value may be known by now."""
    if record.is_dead(back) and record.kind_at(back) in (BeaconNamed, BeaconRead):
        raise Refusal(sentence("a beacon round does not come back: name a later round, or read the round again"))


class ReadBeacon(Command):
    """Mix the named beacon round into the draws, using the signature that the beacon published."""

    number: Annotated[Round, argument("The round of the beacon.", "ROUND")]
    signature: Annotated[str, Field(pattern="^[0-9a-f]{96}$"), argument("The beacon's signature, in hexadecimal.")]
    chain: ChainOption = "quicknet"

    def decide(self, record: Record, _: Context) -> list[AnyFact]:
        _need_to_be_mixed_in(record)
        found = _named(record, self.chain, self.number)
        if found is None:
            raise Refusal(sentence("round %(round)s of the beacon was not named beforehand", round=self.number))
        _need_unread(found)
        return [BeaconRead(chain=self.chain, number=self.number, signature=self.signature)]
