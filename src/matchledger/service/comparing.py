"""Comparing two moments: the players who moved in the standings, and the entries that moved them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from matchledger.events import Entry
from matchledger.service.window import Window, position_of
from matchledger_projections.message import UsageProblem, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import position_when_known
from matchledger_projections.views.attribution import View
from matchledger_projections.views.difference import Difference, difference
from matchledger_projections.views.sight import Asked, answers
from matchledger_projections.views.tables import UnderRulebook

MOMENTS = (
    "now; a position such as 143; a time such as 14:20; posted (the last posting), posted:3 (the last one after "
    "round 3), posted:3.1 (the first one); known:3 (round 3 as known then); round:3 (round 3 as corrected). "
    "After now, a position or a time, @2 looks at round 2: now@2, 143@2, 14:20@2."
)
_POSTED = re.compile(r"^posted(:(?P<round>\d+)(\.(?P<which>\d+))?)?$")
_CLOCK = re.compile(r"^(?P<clock>known|round):(?P<round>\d+)$")


class Labelled(NamedTuple):
    """A moment and its label."""

    view: View
    label: str


AMoment = Annotated[str, Asked("A moment, as `matchledger diff` takes it.", longest=60, name="from")]


@answers("diff", "staff", slow=True)
def compare(
    window: Window,
    *,
    first: AMoment,
    second: Annotated[str, Asked("Another.", longest=60, name="to")] = "now",
    rulebook: UnderRulebook = None,
) -> Difference:
    """Show who moved between two moments, or through later corrections, and the entries that moved them."""
    one, other = labelled(window, first, second)
    return difference(window.log(), one.view, other.view, rulebook)


def labelled(window: Window, *moments: str) -> list[Labelled]:
    """Return the two moments that `MOMENTS` describes. Raises UsageProblem for a text that names no moment."""
    record, entries = window.whole, window.log()
    return [_labelled(window, record, entries, text) for text in moments]


def _labelled(window: Window, record: Record, entries: Sequence[Entry], text: str) -> Labelled:
    when, at, round_text = text.strip().partition("@")
    if (posted := _POSTED.match(when)) and not at:
        return _posting(record, posted["round"], posted["which"])
    if (clock := _CLOCK.match(when)) and not at:
        return _clock(record, entries, clock["clock"], int(clock["round"]))
    if at and not round_text.isdecimal():
        raise UsageProblem(sentence("%(text)r is not a moment: write the number of a round after @", text=text))
    position = (
        record.position
        if when == "now"
        else min(position_of(window.ledger, window.tournament, when), record.position)
    )
    then = record if position == record.position else record.as_of(position)
    round_ = int(round_text) if at else then.finished_rounds
    latest = then.latest_round()
    if round_ > (latest.number if latest is not None else 0):
        raise UsageProblem(sentence("round %(round)s was not paired at %(when)s", round=round_, when=when))
    clock_words = "as it stands" if when == "now" else f"as known at {when}"
    return Labelled(View(position, round_), f"round {round_} {clock_words}, entry {position}")


def _posting(record: Record, round_text: str | None, which: str | None) -> Labelled:
    postings = [
        (position, posting)
        for position, posting in record.postings
        if round_text is None or posting.round == int(round_text)
    ]
    if not postings:
        raise UsageProblem(
            sentence("no standings were posted")
            if round_text is None
            else sentence("no standings after round %(round)s were posted", round=round_text)
        )
    index = len(postings) if which is None else int(which)
    if not 1 <= index <= len(postings):
        raise UsageProblem(
            sentence(
                "the standings after round %(round)s were posted %(count)s times, not %(which)s",
                round=round_text,
                count=len(postings),
                which=which,
            )
        )
    position, posting = postings[index - 1]
    return Labelled(View(position, posting.round), f"round {posting.round} as posted, entry {position}")


def _clock(record: Record, entries: Sequence[Entry], clock: str, round_: int) -> Labelled:
    if record.round(round_) is None:
        raise UsageProblem(sentence("round %(round)s is not paired", round=round_))
    if clock == "round":
        return Labelled(View(record.position, round_), f"round {round_} as corrected, entry {record.position}")
    position = position_when_known(record, entries, round_)
    return Labelled(View(position, round_), f"round {round_} as known, entry {position}")
