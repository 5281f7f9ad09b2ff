"""Copies that diverged: find the entries that only the other copy has, and merge these entries.

Each merged entry becomes an entry of this log, with a new position, time and command. A merge entry before the
merged entries stores their original bytes, so that this log can compute the other copy's tree head.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from uuid import UUID

from msgspec import Struct, field
from msgspec.structs import replace

from matchledger.commands.copies import deal_with
from matchledger.commands.diverged import Diverged, Entrance, Outcome
from matchledger.commands.draft import Clerk, Draft, now
from matchledger.commands.permission import need_permission
from matchledger.events import CopiedEntry, CopyMerged, Entry, RoundSetAside, TokenRevoked
from matchledger.ledger.admission import need_admitted
from matchledger.ledger.application import Ledger
from matchledger.ledger.merged_copies import VOUCHED
from matchledger.ledger.problems import LedgerError, as_ledger_errors
from matchledger.ledger.recorder import EntryRow, is_text
from matchledger.ledger.records import SENSELESS
from matchledger.ledger.sealing import sealed_for
from matchledger.ledger.tree import Tree, sound_tree
from matchledger.ledger.verification import beyond_role, verify
from matchledger.proof.checkpoint import origin_of
from matchledger.proof.merkle import TreeHead
from matchledger_projections.message import Sentence, demanding, joined, sentence
from matchledger_projections.record.desk_calls import round_said
from matchledger_projections.record.erasures import erased
from matchledger_projections.record.record import Record
from matchledger_projections.views.coherence import incoherence

_LONGEST_NAME = 200  # characters


class CopyPlan(Struct, frozen=True):
    """The effect of merging a copy: nothing, rows that continue this log, or a draft of new entries.

    Nothing is recorded before a person has answered all `questions`. `forged` are the entries that do not count
    even in the other copy. `beyond_role` are the entries that the other copy's stations were not permitted to
    record. Each entry in `forged` and `beyond_role` has a reason. The merge leaves out the entries in `forged`
    and `beyond_role`.
    """

    tournament: UUID
    fork: int
    head: TreeHead  # the other copy's tree head
    outcomes: Sequence[Outcome] = ()
    questions: Sequence[Sentence] = ()
    rows: Sequence[EntryRow] = ()
    draft: Draft | None = None
    keys: Mapping[int, bytes] = field(default_factory=dict)
    forged: Mapping[int, str] = field(default_factory=dict)
    beyond_role: Mapping[int, str] = field(default_factory=dict)

    @property
    def left_out(self) -> Mapping[int, str]:
        """Return the other copy's entries that the merge leaves out, each with the reason."""
        return {**self.beyond_role, **self.forged}

    @property
    def is_empty(self) -> bool:
        """Return whether the merge would add nothing to this copy."""
        return not self.rows and self.draft is None and not self.questions


@as_ledger_errors()
def plan_merge(
    ledger: Ledger,
    tournament: UUID,
    other: Ledger,
    *,
    source: str,
    clerk: Clerk,
    renumber: bool = False,
    own_rounds: bool = False,
    reason: str | None = None,
    command: str | None = None,
) -> CopyPlan:
    """Return what merging another copy would do, without recording anything.

    An entry never counts in this log if it does not count in the other copy, or if its station had no right to
    record it. If a counting entry follows, the merge stores the bytes of entries that do not count, because the
    other copy's tree head covers them.

    Raises LedgerError if the copy does not verify, belongs to another log, has unreadable names, or depends on an
    entry beyond a role. Raises Refusal for a person who may not merge.
    """
    no_copy = LedgerError(sentence("%(file)s does not hold this tournament: name a copy of it", file=source))
    if tournament not in other.tournaments():
        raise no_copy
    sound_tree(ledger, tournament)
    forged, beyond = _left_out(other, tournament, source)
    _need_known(ledger, other, tournament)
    own, theirs = list(ledger.recorder.entry_rows(tournament)), list(other.recorder.entry_rows(tournament))
    fork = _fork(own, theirs)
    if fork == 0:
        raise no_copy
    forged, beyond = (
        {position: problem for position, problem in found.items() if position > fork} for found in (forged, beyond)
    )
    there = _record_without(other, tournament, beyond, source) if beyond else other.record(tournament)
    left_out = {**beyond, **forged}
    while theirs[-1].position in left_out:
        del theirs[-1]
    draft = Draft(tournament, ledger.record_as_of(tournament, len(own)), clerk)
    need_admitted(draft.record, clerk, now())
    plan = CopyPlan(tournament, fork, Tree(theirs).head, forged=forged, beyond_role=beyond)
    if len(theirs) == fork:
        return plan
    _need_text(theirs[fork:], source)
    need_permission(draft.record, [_merged(plan, source, theirs)], actor=clerk.actor, role=clerk.role)
    keys = _keys(other, tournament, [row for row in theirs[fork:] if row.position not in left_out], source)
    if len(own) == fork and not beyond:  # the other copy only continues this log, so its entries count unchanged
        return replace(plan, rows=theirs[fork:], keys=keys)
    copies = Diverged(
        here=ledger.record_as_of(tournament, len(own)),
        there=there,
        fork=fork,
        own=list(ledger.entries(tournament, after=fork)),
        next=len(own) + 2,
        known=_known(ledger.record(tournament), fork, theirs),
        renumber=renumber,
        own_rounds=own_rounds,
    )
    entries = (
        entry
        for entry in other.entries(tournament, after=fork, through=len(theirs))
        if entry.position not in left_out
    )
    deal_with(copies, entries, lambda position: ledger.entry(tournament, position))
    if reason is None:
        if copies.set_aside:
            copies.questions.append(_needs_a_reason(copies.set_aside))
        copies.questions += _of_revoked_tokens(ledger.record(tournament), copies.outcomes)
    plan = replace(plan, outcomes=copies.outcomes, questions=copies.questions)
    if copies.questions or not copies.finds_new:
        return plan
    merged = _merged(plan, source, theirs, copies.outcomes, copies.set_aside)
    draft.decide(lambda _: [merged], reason=reason, command=command)
    signs = clerk.token is not None or ledger.authors(tournament).signing
    for entry in copies.made:
        entered = _vouched_for(entry, draft.entries[0]) if signs else entry
        draft.record.apply(entered)
        draft.entries.append(entered)
    return replace(plan, draft=draft, keys={copies.player_of(player): key for player, key in keys.items()})


def merge_copy(ledger: Ledger, plan: CopyPlan) -> Sequence[Entry]:
    """Record a plan completely or not at all. Raises Conflict if another station recorded an entry first."""
    if plan.rows:
        ledger.go_on(plan.tournament, plan.rows, plan.keys)
        return list(ledger.entries(plan.tournament, after=plan.fork))
    if plan.draft is None:
        return []
    ledger.take_keys(plan.tournament, plan.keys)
    ledger.keep(plan.draft)
    return plan.draft.entries


def _left_out(other: Ledger, tournament: UUID, source: str) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """Return the entries of the other copy that do not count, and its entries beyond their station's role, each
    with the reason. Raises LedgerError for any other problem of the copy.
    """
    findings = verify(other, tournament, others=False)
    forged, beyond = {}, {}
    if not any(finding.damage for finding in findings):
        forged = other.authors(tournament).forged
        beyond = {finding.position: finding.what for finding in beyond_role(other, tournament)}
    for finding in findings:
        if finding.position not in forged and beyond.get(finding.position) != finding.what:
            raise LedgerError(
                sentence(
                    "%(file)s does not pass the check, so nothing is merged: %(finding)s",
                    file=source,
                    finding=str(finding),
                )
            )
    sound_tree(other, tournament)
    return forged, beyond


def _record_without(other: Ledger, tournament: UUID, beyond: dict[int, str], source: str) -> Record:
    """Return the record of the other copy without the entries in `beyond`. A retracted entry that depends on an
    entry in `beyond` is left out too. Raises LedgerError if a dependent entry was not retracted.
    """
    whole, record = other.record(tournament), Record()
    for entry in other.entries(tournament):
        if entry.position in beyond:
            continue
        try:
            # The number of a new player is not checked, because the merge gives the player a number.
            sound = isinstance(entry.fact, Entrance) or incoherence(record, entry) is None
            if sound:
                record.apply(entry)
        except SENSELESS:
            sound = False
        if not sound and not whole.is_dead(entry.position):
            raise LedgerError(
                sentence(
                    (
                        "entry %(entry)s of %(file)s rests on entry %(beyond)s, which its station had no right to "
                        "record: retract both there, then merge"
                    ),
                    entry=entry.position,
                    file=source,
                    beyond=max(position for position in beyond if position < entry.position),
                )
            )
        if not sound:
            beyond[entry.position] = "was retracted, and rests on an entry that is left out"
    return record


def _need_known(ledger: Ledger, other: Ledger, tournament: UUID) -> None:
    """Read both copies. Raise LedgerError for an entry that only a newer version can read."""
    for copy in (ledger, other):
        copy.record(tournament)
        copy.need_known(tournament)


def _need_text(rows: Sequence[EntryRow], source: str) -> None:
    """Raise LedgerError for a row that is not text, because a merge stores the other copy's entries as text."""
    for row in rows:
        if not is_text(row):
            raise LedgerError(
                sentence(
                    (
                        "entry %(entry)s of %(file)s is not text, so this ledger cannot keep it: merge this ledger "
                        "into %(file)s"
                    ),
                    entry=row.position,
                    file=source,
                )
            )


def _fork(own: Sequence[EntryRow], theirs: Sequence[EntryRow]) -> int:
    """Return the number of entries that both copies share from the beginning."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(own, theirs, strict=False))
    return sum(1 for _ in alike)


def _needs_a_reason(rounds: Sequence[RoundSetAside]) -> Sentence:
    said = sentence(
        "%(rounds)s of the other copy would not count: to merge anyway, give a reason",
        rounds=joined(round_said(each.stage, each.number) for each in rounds),
    )
    return demanding(said, "a reason")


def _of_revoked_tokens(here: Record, outcomes: Sequence[Outcome]) -> Iterator[Sentence]:
    """Yield a question for each token that this copy revoked and that signed entries that would count (A-3)."""
    for revoked, fact in here.every(TokenRevoked):
        new = [one.theirs for one in outcomes if one.how == "counts" and one.theirs.token == fact.token]
        if new:
            said = sentence(
                "%(actor)s at station %(station)s signed entries %(entries)s of the other copy with a token that "
                "entry %(entry)s revoked: compare them with the slips, and give a reason",
                actor=new[0].actor,
                station=new[0].station,
                entries=", ".join(str(entry.position) for entry in new),
                entry=revoked,
            )
            yield demanding(said, "a reason")


def _merged(
    plan: CopyPlan,
    source: str,
    theirs: Sequence[EntryRow],
    outcomes: Sequence[Outcome] = (),
    set_aside: Sequence[RoundSetAside] = (),
) -> CopyMerged:
    at = {outcome.theirs.position: outcome.entry for outcome in outcomes}
    return CopyMerged(
        source=source[-_LONGEST_NAME:],
        origin=origin_of(plan.tournament),
        fork=plan.fork,
        size=plan.head.size,
        root=plan.head.root.hex(),
        entries=tuple(
            CopiedEntry(topic=row.topic, state=row.state.decode(), entry=at.get(row.position))
            for row in theirs[plan.fork :]
        ),
        set_aside=tuple(set_aside),
    )


def _vouched_for(entry: Entry, merged: Entry) -> Entry:
    """Return an entry of the other copy in the name of the organizer who merges it.

    The station's signature stays with the entry's original bytes, because it does not cover the new entry.
    """
    return entry.model_copy(update={name: getattr(merged, name) for name in VOUCHED})


def _known(record: Record, fork: int, theirs: Sequence[EntryRow]) -> dict[int, int | None]:
    """Return the other copy's entries from earlier merges, each with its position in this log."""
    known: dict[int, int | None] = {}
    for _, fact in record.every(CopyMerged):
        if fact.fork != fork:
            continue
        for row, copied in zip(theirs[fork:], fact.entries, strict=False):
            if (row.topic, row.state.decode()) == (copied.topic, copied.state):
                known[row.position] = copied.entry
    return known


def _keys(other: Ledger, tournament: UUID, rows: Sequence[EntryRow], source: str) -> dict[int, bytes]:
    """Return the keys that open the names in some entries of the other copy. Raises LedgerError if a key is
    missing.
    """
    players = {player for row in rows for player in sealed_for(row.topic, row.state)}
    keys = {player: other.ring.key(tournament, player) for player in sorted(players)}
    gone = erased(other.record(tournament))
    lost = [player for player, key in keys.items() if key is None and player not in gone]
    if lost:
        raise LedgerError(
            sentence(
                "the key to #%(player)s of the other copy is not here: copy %(file)s.keys from its machine",
                player=lost[0],
                file=source,
            )
        )
    return {player: key for player, key in keys.items() if key is not None}
