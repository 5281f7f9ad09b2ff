"""Registered lists: a player's deck list as submitted, with later amendments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from matchledger.events import DeckAmended, DeckList, DeckSubmitted, StructureAnnounced
from matchledger_projections.decks.deck import amended
from matchledger_projections.record.record import Record
from matchledger_projections.record.round import Round
from matchledger_projections.rulebook.rulebook import Rulebook
from matchledger_projections.rulebook.sections import UNWRITTEN


class Registered(Struct, frozen=True):
    """A player's current list, the entry that submitted it, and its amendments.

    If the list was erased or its key is missing here, the list is not `readable` and has no cards. Its hash
    stays.
    """

    position: int
    deck: DeckList
    sha256: str
    amendments: tuple[tuple[int, DeckAmended], ...] = ()
    readable: bool = True


_NO_CARDS = DeckList.model_construct(cards=())


def advantageous(record: Record) -> list[tuple[int, DeckAmended]]:
    """Return the counting amendments that a leader marked as an advantage for the player, with their positions."""
    found = [
        (position, fact)
        for listed in record.decks.values()
        for position, fact in listed
        if isinstance(fact, DeckAmended) and fact.advantageous and not record.is_dead(position)
    ]
    return sorted(found, key=lambda each: each[0])


def rounds_with_lists(record: Record) -> list[Round]:
    """Return the rounds in which each player needs a list, in order: those paired since lists were announced.

    If no lists were announced, return all rounds, because a list that is submitted anyway is due before round 1.
    """
    since = 0
    for position, plan in record.counting(StructureAnnounced):
        since = (since or position) if plan.deck_lists else 0
    rounds = (*record.rounds("swiss"), *record.rounds("elimination"))
    return [round_ for round_ in rounds if round_.position > since]


def begun_with_lists(record: Record) -> Round | None:
    """Return the first round that needs lists, or None before that round begins."""
    first = next(iter(rounds_with_lists(record)), None)
    return first if first is not None and first.has_started else None


def late_for(record: Record, player: int) -> Round | None:
    """Return the round for which a list submitted now is late, or None, also for a player who arrived late."""
    return begun_with_lists(record) if record.players[player].losses is None else None


def is_replaceable(record: Record, player: int) -> bool:
    """Return whether a list is in that another list can replace: no leader has amended the list, and no round that
    needs lists has begun.
    """
    current = registered(record, player)
    return current is not None and not current.amendments and begun_with_lists(record) is None


def came_by_merge(record: Record, fact: DeckSubmitted) -> bool:
    """Return whether a list came from another registration, so that undoing the merge returns it."""
    return any(
        player != fact.player and listed.sha256 == fact.sha256 and record.is_dead(position)
        for player, all_listed in record.decks.items()
        for position, listed in all_listed
        if isinstance(listed, DeckSubmitted)
    )


def lacking_list(record: Record, players: Iterable[int]) -> list[int]:
    """Return which of the given players have not submitted the list that the event requires
    (L5R-II.2-PLAYERMAT).
    """
    if record.structure is None or not record.structure.deck_lists:
        return []
    return [player for player in players if registered(record, player) is None]


def list_rule(record: Record) -> str:
    """Return the rule that demands a list before the start, or `POLICY` if the document has none."""
    format_ = FORMATS.get(record.rulebook.readings.deck_format)
    return UNWRITTEN if format_ is None else format_.handing_in


def amending_rule(record: Record) -> str:
    """Return the rule about amendments of a list, or `POLICY` if the document has none."""
    format_ = FORMATS.get(record.rulebook.readings.deck_format)
    return UNWRITTEN if format_ is None else format_.amending


def registered(record: Record, player: int) -> Registered | None:
    """Return the list of a player, or None if none was submitted or it was retracted."""
    current: Registered | None = None
    for position, fact in record.decks.get(player, ()):
        if record.is_dead(position):
            continue
        if isinstance(fact, DeckSubmitted):
            current = Registered(position, fact.deck or _NO_CARDS, fact.sha256, readable=fact.deck is not None)
        elif current is not None:
            readable = current.readable and fact.difference is not None
            deck = amended(current.deck, fact.difference) if readable and fact.difference else _NO_CARDS
            amendments = (*current.amendments, (position, fact))
            current = Registered(current.position, deck, fact.sha256, amendments, readable=readable)
    return current


class DeckFormat(NamedTuple):
    """A deck format: its rules about submitting and changing a list."""

    # The rule that demands a list before the event starts.
    handing_in: str
    # The rule that keeps a deck the same during the tournament.
    fixed: str
    # The rule that lets a leader update a list, if the game has one.
    may_be_amended: bool
    amending: str


L5R = DeckFormat("L5R-II.2-PLAYERMAT", "L5R-II.2a-FIXED", True, "L5R-II.2b-LISTFIX")
ASHES = DeckFormat("ASH-LIST", "ASH-LIST", False, "ASH-LIST")
_POLICY = DeckFormat(UNWRITTEN, UNWRITTEN, True, UNWRITTEN)

FORMATS: dict[str, DeckFormat] = {
    "l5r-2018": L5R,
    "legacy": _POLICY,
    "legacy-bigdeck": _POLICY,
    "legacy-draft": _POLICY,
    "ashes-2022": ASHES,
    "street-warriors-2004": _POLICY,
    "counts": _POLICY,
}

_OF_L5R = frozenset({"l5r-2018", "legacy", "legacy-bigdeck", "legacy-draft"})


def formats_of(rulebook: Rulebook) -> frozenset[str]:
    """Return the deck formats for the game of a rulebook, with the format in use."""
    own = {policy.default for policy in rulebook.policies.values() if policy.reading == "deck_format"}
    found = {"none", rulebook.readings.deck_format, *own}
    if rulebook.decks is not None:
        found.add("counts")
    return frozenset(found | _OF_L5R if found & _OF_L5R else found)
