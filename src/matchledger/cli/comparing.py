"""Commands that hold two moments of a tournament against each other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, NamedTuple

import typer

from matchledger.cli.explaining import RulebookOption
from matchledger.cli.rounds import JsonOption
from matchledger.cli.session import Moment, Session, UsageProblem, reading
from matchledger.cli.setup import read_rulebook
from matchledger.cli.tables import columns
from matchledger.documents.audit import difference_document
from matchledger.events import Entry, EntryRetracted
from matchledger.moments import position_of
from matchledger.wording import HEADINGS, value_text
from matchledger_projections.audit.attribution import Cause, View
from matchledger_projections.audit.difference import Change, Difference, Measured, Move, difference
from matchledger_projections.audit.narration import tell
from matchledger_projections.exact import as_text
from matchledger_projections.record import Record, fold
from matchledger_projections.rulebook import Rulebook, TiebreakName, parse_rulebook
from matchledger_projections.standings import Row
from matchledger_projections.timeline import position_when_known

MOMENTS = (
    "now; a position such as 143; a time such as 14:20; posted (the last posting), posted:3 (the last one after "
    "round 3), posted:3.1 (the first one); known:3 (round 3 as known then); round:3 (round 3 as corrected). "
    "Behind any of the first three, @2 looks at round 2: now@2, 143@2, 14:20@2."
)
_POSTED = re.compile(r"^posted(:(?P<round>\d+)(\.(?P<which>\d+))?)?$")
_CLOCK = re.compile(r"^(?P<clock>known|round):(?P<round>\d+)$")
_LISTED = 8  # entries named one by one behind a player who moved


class Sight(NamedTuple):
    """A view, and what it is called."""

    view: View
    label: str


@reading
def diff(
    session: Session,
    moment: Moment,
    first: Annotated[str, typer.Argument(help=f"A moment: {MOMENTS}", metavar="FROM")],
    second: Annotated[str, typer.Argument(help="Another moment, in the same form.", metavar="TO")] = "now",
    rulebook: RulebookOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show who moved between two moments, or two clocks, and the entries that moved them."""
    entries = list(session.ledger.entries(session.tournament, through=moment.position))
    record = moment.record
    law = record.rulebook if rulebook is None else parse_rulebook(read_rulebook(rulebook))
    sights = [_sight(session, record, entries, text) for text in (first, second)]
    found = difference(entries, sights[0].view, sights[1].view, None if rulebook is None else law)
    if as_json:
        document = difference_document(record, found, rulebook=law, hypothetical=rulebook is not None)
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    title = record.opening.name if record.opening is not None else ""
    typer.echo(f"{title}, {law.id}")
    if rulebook is not None:
        typer.echo(f"HYPOTHETICAL: the tournament was played under {record.rulebook.id}.")
    for word, sight in zip(("From", "To  "), sights, strict=True):
        typer.echo(f"{word} {sight.label}")
    for line in _difference(record, found, law, entries):
        typer.echo(line)


def _sight(session: Session, record: Record, entries: list[Entry], text: str) -> Sight:
    when, at, round_text = text.strip().partition("@")
    if (posted := _POSTED.match(when)) and not at:
        return _posting(record, posted["round"], posted["which"])
    if (clock := _CLOCK.match(when)) and not at:
        return _clock(record, entries, clock["clock"], int(clock["round"]))
    if at and not round_text.isdecimal():
        raise UsageProblem(f"{text!r} is not a moment: behind @ stands the number of a round")
    position = (
        record.position
        if when == "now"
        else min(position_of(session.ledger, session.tournament, when), record.position)
    )
    then = record if position == record.position else fold(entries[:position])
    round_ = int(round_text) if at else then.finished_rounds
    latest = then.latest_round()
    if round_ > (latest.number if latest is not None else 0):
        raise UsageProblem(f"round {round_} was not paired at {when}")
    clock_words = "as it stands" if when == "now" else f"as known at {when}"
    return Sight(View(position, round_), f"round {round_} {clock_words}, entry {position}")


def _posting(record: Record, round_text: str | None, which: str | None) -> Sight:
    postings = [
        (position, posting)
        for position, posting in record.postings
        if round_text is None or posting.round == int(round_text)
    ]
    if not postings:
        of_round = "" if round_text is None else f" after round {round_text}"
        raise UsageProblem(f"no standings{of_round} were posted")
    index = len(postings) if which is None else int(which)
    if not 1 <= index <= len(postings):
        raise UsageProblem(f"the standings after round {round_text} were posted {len(postings)} times, not {which}")
    position, posting = postings[index - 1]
    return Sight(View(position, posting.round), f"round {posting.round} as posted, entry {position}")


def _clock(record: Record, entries: list[Entry], clock: str, round_: int) -> Sight:
    if record.round(round_) is None:
        raise UsageProblem(f"round {round_} is not paired")
    if clock == "round":
        return Sight(View(record.position, round_), f"round {round_} as corrected, entry {record.position}")
    position = position_when_known(record, entries, round_)
    return Sight(View(position, round_), f"round {round_} as known, entry {position}")


def _difference(record: Record, found: Difference, law: Rulebook, entries: list[Entry]) -> Iterator[str]:
    if not found.moves:
        yield "Nobody moved."
        return
    yield ""
    yield from columns(
        ["Player", "Place", law.unit, "What else changed", "Moved by entry"],
        [_move_row(record, move, law) for move in found.moves],
    )
    how = {move.cause.how for move in found.moves}
    yield ""
    if "removal" in how:
        yield "An entry is named where the line would be another without it."
    if "together" in how:
        yield "*  no single entry changes the line: these do so together."
    if "dependency" in how:
        yield "~  named by dependency: too many entries to replay the table without each."
    named = {position for move in found.moves for position in move.cause.entries[:_LISTED]}
    yield ""
    yield from _entries(record, named, entries)


def _move_row(record: Record, move: Move, law: Rulebook) -> list[str]:
    return [*change_cells(record, move.player, move.changes, move.after, law), _cause(move.cause)]


def change_cells(
    record: Record, player: int, changes: Iterable[Change], after: Row | None, law: Rulebook
) -> list[str]:
    """A player who moved, in words: name, place, points, and what else changed, each from and to."""
    changed = {change.name: change for change in changes}
    others = [_tiebreak_change(name, changed[name]) for name in law.tiebreaks if name in changed]
    if (status := changed.get("status")) is not None:
        others.append(f"{status.before or 'not in'} -> {status.after or 'not in'}")
    return [
        record.players[player].name,
        _rank_change(changed, after),
        _from_to(changed.get("points"), after.points if after is not None else ""),
        ", ".join(others),
    ]


def _tiebreak_change(name: TiebreakName, change: Change) -> str:
    before, after = (value if isinstance(value, Fraction) else None for value in (change.before, change.after))
    words = [value_text(name, value) or "-" for value in (before, after)]
    if words[0] == words[1]:
        words = ["-" if value is None else as_text(value) for value in (before, after)]
    return f"{HEADINGS[name]} {words[0]} -> {words[1]}"


def _rank_change(changed: Mapping[Measured, Change], after: Row | None) -> str:
    rank_, tied = changed.get("rank"), changed.get("tied")
    now = _rank(after.rank, tied=after.tied) if after is not None else "-"
    if rank_ is None and tied is None:
        return now
    rank_before = rank_.before if rank_ is not None else after.rank if after is not None else None
    was_tied = tied.before if tied is not None else after is not None and after.tied
    return f"{_rank(rank_before, tied=bool(was_tied))} -> {now}"


def _rank(value: object, *, tied: bool) -> str:
    return "-" if value is None else f"{value}{'=' if tied else ''}"


def _from_to(change: Change | None, unchanged: object) -> str:
    if change is None:
        return str(unchanged)
    before, after = ("-" if value is None else str(value) for value in (change.before, change.after))
    return f"{before} -> {after}"


def _cause(cause: Cause) -> str:
    mark = {"removal": "", "together": "* ", "dependency": "~ "}[cause.how]
    listed = ", ".join(map(str, cause.entries[:_LISTED]))
    more = len(cause.entries) - _LISTED
    return f"{mark}{listed}" + (f" and {more} more" if more > 0 else "")


def _entries(record: Record, named: Iterable[int], entries: list[Entry]) -> Iterator[str]:
    wanted = set(named)
    rows = [
        [
            str(entry.position),
            entry.recorded_at.astimezone().strftime("%Y-%m-%d %H:%M:%S"),
            f"{entry.actor} ({entry.role}, {entry.station})",
            _told(record, entry, entries) + (f"; {entry.reason}" if entry.reason else ""),
        ]
        for entry in entries
        if entry.position in wanted
    ]
    yield from columns(["Entry", "Recorded", "By", "What"], rows, right=[0])


def _told(record: Record, entry: Entry, entries: list[Entry]) -> str:
    """What an entry says; of a retraction, also what it took back."""
    said = tell(record, entry.fact)
    if isinstance(entry.fact, EntryRetracted):
        return f"{said} ({tell(record, entries[entry.fact.retracts - 1].fact)})"
    return said


COMMANDS: dict[str, Callable[..., None]] = {"diff": diff}
