"""What is the staff's to read: leaders, calls, conduct, deck lists, tokens, and what is to be decided."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from matchledger.commands.repairs import plan_repair, repair_clock
from matchledger.documents.calls import calls_document
from matchledger.documents.conduct import conduct_document
from matchledger.documents.foresight import repair_document
from matchledger.documents.typed.foresight import RepairPage
from matchledger.documents.typed.pairing import NextRoundPage
from matchledger.documents.typed.staff import (
    CallsPage,
    ConductPage,
    DeckPage,
    RefusedToken,
    StaffPage,
    TakenToken,
    TokensPage,
)
from matchledger.ledger import now
from matchledger.questions import staff as of_staff
from matchledger.questions.window import Window
from matchledger.service.next_round import prepare_round, prepared_document
from matchledger.web.api.asking import Asking, AtMoment, for_the_staff, with_a_key
from matchledger.web.api.rounds import PlayerNumber
from matchledger.web.doors import NotLetIn
from matchledger.web.pages.asking import AVisitor, key_of
from matchledger_projections.message import sentence
from matchledger_projections.record.desk_calls import calls as every_call
from matchledger_projections.record.desk_calls import open_calls

router = APIRouter(prefix="/api", tags=["matchledger"])


@for_the_staff(router, "staff", StaffPage)
async def staff(asking: Asking, when: AtMoment) -> Response:
    """Who leads the event, and who rules in the games of leaders who play in the latest round."""
    return await asking.answer_now(lambda window: of_staff.staff(window.record), when)


@for_the_staff(router, "calls", CallsPage)
async def calls(
    asking: Asking,
    when: AtMoment,
    every: Annotated[bool, Query(alias="all", description="Those that wait for nobody, too.")] = False,
) -> Response:
    """The calls that wait at the desk."""

    def read(window: Window) -> object:
        found = every_call(window.record) if every else open_calls(window.record)
        return calls_document(window.record, found)

    return await asking.answer_now(read, when)


@for_the_staff(router, "conduct", ConductPage)
async def conduct(asking: Asking, when: AtMoment) -> Response:
    """Penalties, rulings, and what happened to cards."""
    return await asking.answer_now(lambda window: conduct_document(window.record), when)


@for_the_staff(router, "decks/{player}", DeckPage)
async def deck(
    asking: Asking,
    player: PlayerNumber,
    when: AtMoment,
    cards: Annotated[bool, Query(description="With the list itself, and what checks found in it.")] = False,
) -> Response:
    """A registered deck: hashes, amendments, checks."""
    return await asking.answer_now(
        lambda window: of_staff.deck(window.record, window.need_player(player), cards=cards), when
    )


@for_the_staff(router, "tokens", TokensPage)
async def tokens(asking: Asking, when: AtMoment) -> Response:
    """The keys that are trusted and the tokens that came in."""
    return await asking.answer_now(lambda window: of_staff.tokens(window.record), when)


@with_a_key(router, "token", TakenToken | RefusedToken)
async def token(request: Request, asking: Asking) -> Response:
    """What the token says that is shown as the key, and whether the tournament takes it."""
    text = key_of(request)
    if not text:
        raise NotLetIn(sentence("show a token: `Authorization: Bearer TOKEN`"))
    return await asking.answer_now(lambda window: of_staff.token(window.whole, window.tournament, text, now()))


@for_the_staff(router, "next-round", NextRoundPage)
async def next_round(
    asking: Asking,
    visitor: AVisitor,
    allow_rematch: Annotated[bool, Query(description="Let as few players as possible meet again.")] = False,
    deviating: Annotated[bool, Query(description="Beyond the announced rounds.")] = False,
) -> Response:
    """The round to come and what speaks against posting it, for those who may record; nothing is recorded."""
    _ = visitor.writing

    def read(window: Window) -> object:
        prepared = prepare_round(window.ledger, window.tournament, allow_rematch=allow_rematch, deviating=deviating)
        return prepared_document(prepared)

    return await asking.answer_now(read)


@for_the_staff(router, "repair", RepairPage)
async def repair(
    asking: Asking,
    round_: Annotated[
        int | None, Query(alias="round", ge=1, le=999_999, description="The round; the last one.")
    ] = None,
) -> Response:
    """What can be done about pairings that rest on a wrong slip."""

    def read(window: Window) -> object:
        record = window.record
        return repair_document(record, plan_repair(record, clock=repair_clock(record), number=round_))

    return await asking.answer_now(read)
