"""What takes long to work out, for the staff: differences, suppositions, prospects, the whole log verified."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from matchledger.documents.typed.audit import ClinchPage, DifferencePage, SuppositionPage
from matchledger.documents.typed.log import VerificationPage
from matchledger.questions import supposing
from matchledger.questions.comparing import compare
from matchledger.questions.verification import tree_head, verification
from matchledger.questions.window import Window
from matchledger.web.api.asking import Asking, AtMoment, UnderRulebook, for_the_staff, other_rulebook

router = APIRouter(prefix="/api", tags=["matchledger"])

MOST = 100  # suppositions


@for_the_staff(router, "diff", DifferencePage)
async def difference(
    asking: Asking,
    when: AtMoment,
    first: Annotated[
        str, Query(alias="from", max_length=60, description="A moment, as `matchledger diff` takes it.")
    ],
    second: Annotated[str, Query(alias="to", max_length=60, description="Another.")] = "now",
    rulebook: UnderRulebook = None,
) -> Response:
    """Who moved between two moments, or two clocks, and the entries that moved them."""
    return await asking.answer_apart(
        lambda window: compare(window, first, second, other_rulebook(rulebook)).document, when
    )


@for_the_staff(router, "whatif", SuppositionPage)
async def what_if(
    asking: Asking,
    when: AtMoment,
    set_: Annotated[
        list[str] | None,
        Query(alias="set", max_length=MOST, description="A result: `3 12 b` is round 3, table 12, b wins."),
    ] = None,
    remove: Annotated[
        list[str] | None, Query(max_length=MOST, description="A table without its result: `2 4`.")
    ] = None,
    drop: Annotated[list[int] | None, Query(max_length=MOST, description="A player who leaves, by number.")] = None,
    rulebook: UnderRulebook = None,
    cut: Annotated[int | None, Query(ge=1, le=10**6, description="Who would make a cut of this size.")] = None,
) -> Response:
    """What the standings would be if results were others. Nothing is recorded."""

    def read(window: Window) -> object:
        gone = [window.need_player(number) for number in drop or ()]
        supposed = supposing.supposition(set_ or (), remove or (), gone)
        return supposing.what_if(window, supposed, rulebook=other_rulebook(rulebook), cut=cut).document

    return await asking.answer_apart(read, when)


@for_the_staff(router, "clinch", ClinchPage)
async def clinch(
    asking: Asking,
    when: AtMoment,
    rounds_left: Annotated[
        int | None, Query(ge=0, le=1000, description="Swiss rounds to come, the one in progress included.")
    ] = None,
    cut: Annotated[int | None, Query(ge=1, le=10**6, description="How many will go on.")] = None,
    highest: Annotated[
        int | None, Query(ge=0, le=10**6, description="The most that one player can score at a table.")
    ] = None,
    division: Annotated[str | None, Query(max_length=60, description="The cut of one division.")] = None,
) -> Response:
    """Whose place in the cut is certain, impossible or open, and whether an intentional draw is safe."""
    return await asking.answer_apart(
        lambda window: (
            supposing.clinch(window, rounds_left=rounds_left, cut=cut, highest=highest, division=division).document
        ),
        when,
    )


@for_the_staff(router, "verify", VerificationPage)
async def verify(
    asking: Asking,
    head: Annotated[
        str | None, Query(max_length=200, description="A tree head from outside, such as on posted standings.")
    ] = None,
    pairings: Annotated[bool, Query(description="Make every draw again as well: rounds, and ties.")] = False,
) -> Response:
    """Holds every entry against its hash, every checkpoint against its key, and the log against both."""
    known = tree_head(head)
    return await asking.answer_apart(
        lambda window: verification(window.ledger, window.tournament, known=known, draws=pairings).document
    )
