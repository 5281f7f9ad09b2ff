"""Windows: the part of a tournament at a moment that a reader may see. The command line, the pages and the API read
with `look`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Concatenate, ParamSpec, TypeVar
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import Stage
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.service.redaction import Discretion
from matchledger_projections.message import demanding, no_entry, sentence
from matchledger_projections.record.record import Record
from matchledger_projections.record.two_clocks import Clock, position_when_known
from matchledger_projections.views.sight import Sight

Asked = ParamSpec("Asked")
View = TypeVar("View")
Seen = TypeVar("Seen", bound=Sight)


class Window(Sight, frozen=True, kw_only=True, dict=True):
    """A view of a tournament in a ledger."""

    ledger: Ledger
    tournament: UUID


def open_window(ledger: Ledger, tournament: UUID, moment: Moment, discretion: Discretion | None = None) -> Window:
    """Return the view of a moment. Without `discretion`, the view shows everything."""
    whole = moment.record
    record = whole if discretion is None else discretion.record(whole)
    return Window(
        whole=whole,
        record=record,
        round=moment.round,
        clock=moment.clock,
        through=moment.through,
        read=lambda after: ledger.entries(tournament, after=after, through=moment.position),
        shown=iter if discretion is None else lambda entries: discretion.entries(entries, record),
        is_public=discretion is not None,
        ledger=ledger,
        tournament=tournament,
    )


def look(
    window: Seen, answer: Callable[Concatenate[Seen, Asked], View], *args: Asked.args, **asked: Asked.kwargs
) -> View:
    """Return the view that an answer gives of a window. Raises UsageProblem for an impossible request."""
    return answer(window, *args, **asked)


_DIGITS = 12  # the most digits of a position. A longer number is no position


class Moment(Struct, frozen=True):
    """A requested state: a record, the round, and the clock."""

    record: Record
    round: int | None
    clock: Clock
    through: int | None = None

    @property
    def position(self) -> int:
        return self.record.position


def moment_of(
    ledger: Ledger,
    tournament: UUID,
    round_: int | None = None,
    as_of: str | None = None,
    *,
    as_known: bool | None = None,
    stage: Stage = "swiss",
) -> Moment:
    """Return the requested moment. Raises UsageProblem if the moment does not exist.

    An elimination round is not checked here, because the view itself checks that the round was paired.
    """
    moment = _moment(ledger, tournament, round_, as_of, as_known=as_known)
    if stage == "elimination":  # elimination rounds have their own numbers, so no Swiss round limits the moment
        return replace(moment, through=None)
    latest = moment.record.latest_round()
    if moment.round is not None and moment.round > (latest.number if latest else 0):
        elimination = latest is None and moment.record.latest_round("elimination") is not None
        said = sentence("round %(round)s was not paired at that moment", round=moment.round)
        if elimination:
            said = demanding(
                sentence("%(refused)s: this event has only elimination rounds", refused=said),
                "an elimination round",
            )
        raise UsageProblem(said)
    return moment


def _moment(
    ledger: Ledger, tournament: UUID, round_: int | None, as_of: str | None, *, as_known: bool | None
) -> Moment:
    if as_of is not None:
        if as_known is False:
            raise UsageProblem(
                demanding(
                    sentence(
                        "a past moment of the log leaves out later corrections: ask for the moment alone, or "
                        "for a round as corrected"
                    ),
                    "no other moment",
                )
            )
        record = ledger.record_as_of(tournament, position_of(ledger, tournament, as_of))
        return Moment(record, round_, "as-known")
    if as_known is None and round_ is None:
        # If no moment is given, use the whole log.
        return Moment(ledger.record(tournament), None, "as-known")
    if not as_known:
        return Moment(ledger.record(tournament), round_, "as-corrected", through=round_)
    wanted = ledger.record(tournament).finished_rounds if round_ is None else round_
    position = position_when_known(ledger.record(tournament), ledger.entries(tournament), wanted)
    return Moment(ledger.record_as_of(tournament, position), wanted, "as-known")


def position_of(ledger: Ledger, tournament: UUID, as_of: str) -> int:
    """Return the position that a text gives, as a number or as a time."""
    if as_of.isdecimal() and len(as_of) <= _DIGITS:
        position = int(as_of)
        size = ledger.record(tournament).position
        if not 1 <= position <= size:
            raise UsageProblem(no_entry(position, size))
        return position
    moment = _time(ledger, tournament, as_of)
    position = ledger.position_at(tournament, moment)
    if position == 0:
        raise UsageProblem(sentence("nothing was recorded before %(moment)s", moment=as_of))
    return position


def _time(ledger: Ledger, tournament: UUID, text: str) -> datetime:
    """Return the time in a text: ISO 8601, or the last HH:MM before the last entry. A time without a zone is local
    time.

    HH:MM before the first entry means the day of the last entry.
    """
    try:
        if len(text) <= len("HH:MM:SS"):
            ends = (ledger.entry(tournament, position) for position in (1, ledger.record(tournament).position))
            first, last = (entry.recorded_at.astimezone() for entry in ends)
            clock = time.fromisoformat(text)
            day, before = (
                datetime.combine(last.date() - timedelta(days=days), clock).astimezone() for days in (0, 1)
            )
            moment = before if day > last and before >= first else day
        else:
            moment = datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError):
        raise UsageProblem(
            sentence("%(text)r is neither a position nor a time such as 14:20 or 2026-05-03T14:20", text=text)
        ) from None
    # A time without a fraction means the end of that second.
    return moment + timedelta(microseconds=999_999 if moment.microsecond == 0 else 0)
