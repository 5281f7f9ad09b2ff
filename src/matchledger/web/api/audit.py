"""Why things are what they are: places, pairings, histories, what was done by hand, and the log itself."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from matchledger.documents.tables import entry_document
from matchledger.documents.typed.audit import ExplanationPage
from matchledger.documents.typed.log import EntryLine, HistoryPage, IntegrityPage
from matchledger.documents.typed.pairing import ByesExplanationPage, PairingExplanationPage
from matchledger.events import Stage
from matchledger.questions import log, meetings, places
from matchledger.questions.window import Window
from matchledger.web.api.asking import NOW, Asking, AtMoment, UnderRulebook, for_everybody, other_rulebook
from matchledger.web.api.rounds import PlayerNumber

router = APIRouter(prefix="/api", tags=["matchledger"])

LONGEST_PAGE = 1000  # entries

Number = Annotated[int, Path(ge=1, le=10**6)]
Position = Annotated[int, Path(ge=1, le=10**9, description="The position of an entry.")]


@for_everybody(router, "entries", list[EntryLine])
async def entries(
    asking: Asking,
    after: Annotated[int, Query(ge=0, le=10**9, description="Begin behind this position.")] = 0,
    limit: Annotated[int, Query(ge=1, le=LONGEST_PAGE, description="How many positions.")] = 100,
) -> Response:
    """The log, a page at a time: the entries behind `after`, as many positions as `limit` says."""

    def read(window: Window) -> object:
        page = window.ledger.entries(window.tournament, after=after, through=after + limit)
        return [entry_document(entry) for entry in window.shown(page)]

    return await asking.answer(read, NOW, after, limit)


@for_everybody(router, "explain/players/{player}", ExplanationPage)
async def explain(asking: Asking, player: PlayerNumber, when: AtMoment, rulebook: UnderRulebook = None) -> Response:
    """Why a player has a place: the slips, the tiebreakers, and what decided against the neighbours."""
    return await asking.answer(
        lambda window: places.explain(window, player, other_rulebook(rulebook)).document, when, rulebook
    )


@for_everybody(router, "explain/tables/{table}", PairingExplanationPage)
async def explain_pairing(asking: Asking, table: Number, when: AtMoment) -> Response:
    """Why the players of a table meet: their group, who was odd, who had met whom, and the draw."""
    return await asking.answer(lambda window: meetings.why_they_meet(window, table).document, when)


@for_everybody(router, "explain/byes", ByesExplanationPage)
async def explain_byes(asking: Asking, when: AtMoment) -> Response:
    """Why those of a round have a bye who have one."""
    return await asking.answer(
        lambda window: {"byes": [found.document for found in meetings.why_they_have_byes(window)]}, when
    )


@for_everybody(router, "history/players/{player}", HistoryPage)
async def history_of_player(asking: Asking, player: PlayerNumber, when: AtMoment) -> Response:
    """Every entry that touched a player, and what became of it."""
    return await asking.answer(lambda window: log.player_history(window, player).document(window), when)


@for_everybody(router, "history/matches/{stage}/{round_number}/{table}", HistoryPage)
async def history_of_match(
    asking: Asking, stage: Stage, round_number: Number, table: Number, when: AtMoment
) -> Response:
    """Every entry about a match, and what became of it."""
    return await asking.answer(
        lambda window: log.match_history(window, stage, round_number, table).document(window), when
    )


@for_everybody(router, "history/entries/{entry}", HistoryPage)
async def history_of_entry(asking: Asking, entry: Position, when: AtMoment) -> Response:
    """An entry, what it changed, and what changed it."""
    return await asking.answer(lambda window: log.entry_history(window, entry).document(window), when)


@for_everybody(router, "integrity", IntegrityPage)
async def integrity(asking: Asking, when: AtMoment) -> Response:
    """Every pairing by hand, correction, retraction, import and choice of rules; why, for the staff alone."""
    return await asking.answer(log.integrity, when)
