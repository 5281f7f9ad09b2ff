"""The page of decks: submitted lists, the history of one deck, and the findings of checks."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from matchledger.commands.decklists import deck_format
from matchledger.formats.decklist import list_text
from matchledger.notation.player_lookup import is_found_by
from matchledger.web.deck_parts import parts_of_deck
from matchledger.web.desk.chips import by_division, chosen_by, in_divisions
from matchledger.web.desk.players import LISTED, by_surname, meant, names_to_type
from matchledger.web.rendering import Values
from matchledger_projections.decks.registered import FORMATS, begun_with_lists, registered
from matchledger_projections.decks.sleeves import SEEN
from matchledger_projections.record.record import Record
from matchledger_projections.record.roster import Player
from matchledger_projections.rulebook.sections import TIERS

Verdict = Literal["ok", "fails", "open"]
_VERDICTS: dict[bool | None, Verdict] = {True: "ok", False: "fails", None: "open"}
# A part that names the usual heading of a list, for each format whose lists have headings of their own.
_PARTS = {
    "l5r-2018": "dynasty",
    "legacy": "dynasty",
    "legacy-bigdeck": "dynasty",
    "legacy-draft": "dynasty",
    "ashes-2022": "phoenixborn",
    "street-warriors-2004": "boss",
}
_GRAVEST: tuple[Verdict, ...] = ("fails", "open", "ok")


class DeckLine(Struct, frozen=True):
    """A player in the list, with the worst of the latest findings."""

    number: int
    name: str
    verdict: Verdict | None


class Group(Struct, frozen=True):
    """The listed players of a division, and how many players the whole division has."""

    lines: list[DeckLine]
    whole: int


def decks_view(record: Record, wanted: str, chosen: int | None, chip: str = "") -> Values:
    """Return the contents of the page, with the players in the order of their surnames. If a search finds one
    player, that player is selected.
    """
    active = record.active_players()
    every = {player.number: _line(record, player) for player in record.players.values()}
    having = {number for number in every if registered(record, number) is not None}
    verdicts = [line.verdict for line in every.values()]
    unchecked = {"not-checked": lambda player: player.number in having and every[player.number].verdict is None}
    latest = record.current_round
    chips, found = chosen_by(
        chip,
        [player for player in by_surname(record) if is_found_by(player, wanted)],
        {
            "missing": lambda player: player in active and player.number not in having,
            "handed-in": lambda player: player.number in having,
            **(unchecked if any(verdicts) else {}),
            "problem": lambda player: every[player.number].verdict not in (None, "ok"),
            **by_division(record),
        },
        always=("missing", "handed-in"),
    )
    if chosen is None and wanted.strip():
        chosen = meant(found, wanted)
    format_ = deck_format(record)
    listed = {player.number for player in found[:LISTED]}

    def grouped(*, handed_in: bool) -> dict[str, Group]:
        players = [player for player in found if (player.number in having) == handed_in]
        return {
            division: Group([every[one.number] for one in share if one.number in listed], len(share))
            for division, share in in_divisions(players).items()
        }

    with_list = sum(player.number in having for player in active)
    return {
        "wanted": wanted,
        "chip": chip,
        "chips": chips,
        "listed": len(listed),
        "lacks": grouped(handed_in=False),
        "has": grouped(handed_in=True),
        "found": len(found),
        "handed_in": with_list,
        "lacking": len(active) - with_list,
        "chosen": None if chosen is None or chosen not in record.players else _deck(record, chosen),
        "checked": sum(one.number in having and every[one.number].verdict is not None for one in found),
        "lacks_data": "open" in verdicts,
        "round": "" if latest is None else latest.number,
        "format": None if format_ is None else record.rulebook.readings.deck_format,
        "part": _PARTS.get(record.rulebook.readings.deck_format),
        "amendable": format_ is None or format_.may_be_amended,
        "begun": begun_with_lists(record) is not None,
        "formats": list(FORMATS),
        "tiers": TIERS,
        "seen": SEEN,
        "names": names_to_type(record),
    }


def _line(record: Record, player: Player) -> DeckLine:
    latest = {fact.rule: _VERDICTS[fact.ok] for _, fact in record.deck_checks(player.number)}
    return DeckLine(
        player.number,
        player.name,
        next((verdict for verdict in _GRAVEST if verdict in latest.values()), None),
    )


def _deck(record: Record, player: int) -> Values:
    """Return the history of a player's deck, the latest check first. `text` is the deck list, or None if it was
    erased. `verdict` is the worst of the latest findings.

    `changed` is the entry of the last amendment or, without amendments, of the list; it is 0 without a list.
    """
    current = registered(record, player)
    return {
        "player": record.players[player],
        "current": current,
        "text": None if current is None or not current.readable else "\n".join(list_text(current.deck)),
        "size": 0 if current is None else sum(card.count for card in current.deck.cards),
        "parts": [] if current is None or not current.readable else parts_of_deck(current.deck),
        "verdict": _line(record, record.players[player]).verdict,
        "amendments": [] if current is None else current.amendments,
        "changed": 0
        if current is None
        else max((position for position, _ in current.amendments), default=current.position),
        "checks": record.deck_checks(player)[::-1],
        "verdicts": _VERDICTS,
    }
