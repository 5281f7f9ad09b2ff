"""Merged copies: check each copy's tree head, and the outcome of each of its entries."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from uuid import UUID

from matchledger.events import (
    AnyFact,
    CopyMerged,
    Entry,
    FirstPlayerSet,
    MatchConceded,
    NoShowRecorded,
    PlayerArrivedLate,
    PlayerRegistered,
    ResultCorrected,
    ResultReported,
    RoundPaired,
    SlipRefused,
    TieResolved,
)
from matchledger.ledger.application import Ledger
from matchledger.ledger.authors import Authors
from matchledger.ledger.mapper import Unreadable, decode, is_newer
from matchledger.ledger.recorder import EntryRow
from matchledger.proof.checkpoint import origin_of
from matchledger.proof.merkle import Frontier, TreeHead, leaf_hash
from matchledger_projections.record.references import referring
from matchledger_projections.record.reports import slip_in

MERGED = CopyMerged.model_fields["kind"].default
VOUCHED = ("actor", "role", "station", "token")  # the merging organizer vouches for these fields of an entry
_ABOUT_A_MATCH = (FirstPlayerSet, MatchConceded, NoShowRecorded, ResultCorrected, ResultReported)
_PERSONAL = ("person", "deck", "difference", "finding")


def copy_problems(ledger: Ledger, tournament: UUID) -> Iterator[tuple[int, str]]:
    """Yield the problems of the copies merged into a log, each after its position."""
    authors = ledger.authors(tournament)
    for row in ledger.recorder.entry_rows(tournament):
        if row.topic == MERGED and authors.counts(row):
            try:
                merged = decode(tournament, *row)
            except Unreadable:
                continue  # reading the log has already reported this problem
            if isinstance(merged.fact, CopyMerged):
                yield from _problems(ledger, tournament, merged, merged.fact)


def _problems(ledger: Ledger, tournament: UUID, merged: Entry, fact: CopyMerged) -> Iterator[tuple[int, str]]:
    position = merged.position
    if fact.origin != origin_of(tournament) or fact.fork >= position:
        yield position, "merged a copy of another log"
        return
    rows = [
        EntryRow(number, copied.topic, copied.state.encode())
        for number, copied in enumerate(fact.entries, fact.fork + 1)
    ]
    frontier, authors = Frontier(), Authors(tournament)
    for row in chain(ledger.recorder.entry_rows(tournament, through=fact.fork), rows):
        frontier.append(leaf_hash(*row))
        authors.counts(row)
    if frontier.head != TreeHead(fact.size, bytes.fromhex(fact.root)):
        yield position, "merged a copy with another tree head than it names"
    else:
        yield from _false_entries(ledger, merged, fact, rows, authors)


def _false_entries(
    ledger: Ledger, merged: Entry, fact: CopyMerged, rows: list[EntryRow], authors: Authors
) -> Iterator[tuple[int, str]]:
    """Yield a problem for each merged entry that differs from the other copy, or that does not count in the other
    copy. `authors` are the authors of the other copy.
    """
    tournament, position = merged.tournament, merged.position
    at: dict[int, int | None] = {number: number for number in range(1, fact.fork + 1)}
    at |= {row.position: copied.entry for row, copied in zip(rows, fact.entries, strict=True)}
    numbers: dict[int, int] = {}
    made: set[int] = set()  # entries here that were compared already: equal slips of the copy name the same entry
    for row, copied in zip(rows, fact.entries, strict=True):
        if copied.entry is None:  # the entry does not count here, and may be junk
            continue
        if not authors.counts(row):
            yield position, f"merged an entry that {authors.forged[row.position]}"
            continue
        if is_newer(row):
            continue
        try:
            theirs = decode(tournament, *row)
        except Unreadable as problem:
            yield position, f"merged an entry that {problem}"
            continue
        here = next(ledger.entries(tournament, after=copied.entry - 1, through=copied.entry), None)
        if here is None:
            yield position, f"names entry {copied.entry} for entry {row.position} of the copy: no such entry counts"
            continue
        _learn(numbers, theirs, here)
        made_of_it = copied.entry > position and copied.entry not in made
        made.add(copied.entry)
        if made_of_it and not _is_same(theirs, here, merged, numbers, at):
            yield copied.entry, f"is not what entry {row.position} of the copy was that entry {position} merged"


def _learn(numbers: dict[int, int], theirs: Entry, here: Entry) -> None:
    """Note a player's number in this log if the other copy has a different number."""
    entered, found = theirs.fact, here.fact
    if isinstance(entered, PlayerRegistered | PlayerArrivedLate) and isinstance(
        found, PlayerRegistered | PlayerArrivedLate
    ):
        numbers[entered.number] = found.number


def _is_same(theirs: Entry, here: Entry, merged: Entry, numbers: dict[int, int], at: dict[int, int | None]) -> bool:
    fact = referring(
        theirs.fact,
        player=lambda number: numbers.get(number, number),
        entry=lambda position: at.get(position) or position,
    )
    found = here.fact
    same = theirs.model_copy(update={"position": here.position, "fact": found})
    vouched_for = same.model_copy(update={name: getattr(merged, name) for name in VOUCHED})
    return _says(fact, found) and here in (same, vouched_for)


def _says(fact: AnyFact, found: AnyFact) -> bool:
    """Return whether a fact equals an entry of the other copy, apart from encrypted personal data, and from the
    table of a match, which may differ in the two copies.
    """
    match fact, found:
        case (
            RoundPaired(),
            RoundPaired(),
        ):  # a round whose draw has another outcome in this copy counts as paired by hand
            return found in (fact, fact.model_copy(update={"seed": None, "pools": ()}))
        case TieResolved(), TieResolved():
            return found in (fact, fact.model_copy(update={"seed": None}))
        case SlipRefused(), SlipRefused():
            return found == fact.model_copy(update={"table": found.table, "contradicts": found.contradicts})
        case ResultReported() | MatchConceded() | NoShowRecorded() | ResultCorrected(), SlipRefused():
            match = (fact.stage, fact.round, fact.players)
            return (found.stage, found.round, found.players, found.slip) == (*match, slip_in(fact))
        case _:
            own = (*_PERSONAL, "table") if isinstance(fact, _ABOUT_A_MATCH) else _PERSONAL
            kept = {name: getattr(found, name) for name in own if name in type(fact).model_fields}
            return type(fact) is type(found) and found == fact.model_copy(update=kept)
