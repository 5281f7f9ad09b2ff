"""The page of decks: submitted lists, the records of one deck, and the findings of checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from matchledger.commands.decklists import deck_format
from matchledger.formats.decklist import list_text
from matchledger.web.desk.players import LISTED, names_to_type, only_one
from matchledger_projections.decks.formats import FORMATS
from matchledger_projections.decks.registered import Registered, registered
from matchledger_projections.decks.sleeves import SEEN
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player, known_as
from matchledger_projections.rulebook.occasion import TIERS

Verdict = Literal["ok", "fails", "open"]
_VERDICTS: dict[bool | None, Verdict] = {True: "ok", False: "fails", None: "open"}
_GRAVEST: tuple[Verdict, ...] = ("fails", "open", "ok")


@dataclass(frozen=True, slots=True)
class DeckLine:
    """A player in the list: the entry of the deck list, and the worst of the latest findings."""

    number: int
    name: str
    entry: int | None
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class AmendedLine:
    """What a leader changed in a list."""

    position: int
    leader: str
    advantageous: bool
    removed: list[str]
    added: list[str]


@dataclass(frozen=True, slots=True)
class CheckedLine:
    """A check's finding for one rule. `stale` is true if the list was amended later."""

    position: int
    rule: str
    verdict: Verdict
    round: int | None
    found: str | None
    stale: bool


@dataclass(frozen=True, slots=True)
class DeckView:
    """The records of a player's deck. `text` is the submitted list, or None if it is erased."""

    number: int
    name: str
    entry: int | None
    sha256: str | None
    text: str | None
    size: int
    amendments: list[AmendedLine]
    checks: list[CheckedLine]


@dataclass(frozen=True, slots=True)
class DecksView:
    """The players found by name or number, with their lists, and the chosen one.

    `format` is the deck format of the tournament, or None if its rulebook has no deck rules.
    """

    wanted: str
    lines: list[DeckLine]
    found: int
    handed_in: int
    lacking: int
    chosen: DeckView | None
    format: str | None
    amendable: bool
    begun: bool
    formats: list[str]
    tiers: tuple[str, ...]
    seen: tuple[str, ...]
    names: list[str]


def decks_view(record: Record, wanted: str, chosen: int | None) -> DecksView:
    """The page as it is now, in order of registration. If a search finds one player, that player is chosen."""
    needle = known_as(wanted)
    active = record.active_players()
    found = [player for player in record.entered() if _fits(player, needle)]
    if chosen is None and wanted.strip():
        chosen = only_one(found)
    format_ = deck_format(record)
    with_list = sum(registered(record, player.number) is not None for player in active)
    first = record.round(1)
    return DecksView(
        wanted,
        [_line(record, player) for player in found[:LISTED]],
        len(found),
        with_list,
        len(active) - with_list,
        None if chosen is None or chosen not in record.players else _deck(record, chosen),
        None if format_ is None else record.rulebook.readings.deck_format,
        format_ is None or format_.may_be_amended,
        first is not None and first.has_started,
        list(FORMATS),
        TIERS,
        SEEN,
        names_to_type(record),
    )


def _fits(player: Player, needle: str) -> bool:
    return needle.removeprefix("#") == str(player.number) or needle in known_as(player.name)


def _line(record: Record, player: Player) -> DeckLine:
    current = registered(record, player.number)
    latest = {fact.rule: _VERDICTS[fact.ok] for _, fact in record.deck_checks(player.number)}
    return DeckLine(
        player.number,
        player.name,
        None if current is None else current.position,
        next((verdict for verdict in _GRAVEST if verdict in latest.values()), None),
    )


def _deck(record: Record, player: int) -> DeckView:
    current = registered(record, player)
    return DeckView(
        player,
        record.players[player].name,
        None if current is None else current.position,
        None if current is None else current.sha256,
        None if current is None or not current.readable else _text(current),
        0 if current is None else sum(card.count for card in current.deck.cards),
        [] if current is None else _amendments(current),
        _checks(record, player, current),
    )


def _text(current: Registered) -> str:
    """A list in the form of its submission."""
    return "\n".join(list_text(current.deck))


def _amendments(current: Registered) -> list[AmendedLine]:
    return [
        AmendedLine(
            position,
            fact.leader,
            fact.advantageous,
            [f"{card.count} {card.name}" for card in fact.difference.removed] if fact.difference else [],
            [f"{card.count} {card.name}" for card in fact.difference.added] if fact.difference else [],
        )
        for position, fact in current.amendments
    ]


def _checks(record: Record, player: int, current: Registered | None) -> list[CheckedLine]:
    """The latest first."""
    changed = max((position for position, _ in current.amendments), default=0) if current is not None else 0
    return [
        CheckedLine(
            position,
            fact.rule,
            _VERDICTS[fact.ok],
            fact.round,
            None if fact.finding is None else fact.finding.text,
            position < changed,
        )
        for position, fact in reversed(record.deck_checks(player))
    ]
