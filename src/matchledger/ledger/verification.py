"""Verification: whether a tournament's log is intact and signed, and which entry is altered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import groupby, zip_longest
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from matchledger.events import CheckpointCosigned, CheckpointSigned, Entry, PersonErased, StandingsPosted
from matchledger.ledger.application import Ledger
from matchledger.ledger.authors import Authors
from matchledger.ledger.keyring import KeyRing
from matchledger.ledger.mapper import Unreadable, decode, is_newer
from matchledger.ledger.merged_copies import MERGED, copy_problems
from matchledger.ledger.problems import as_ledger_errors
from matchledger.ledger.recorder import EntryRow, TreeRow
from matchledger.ledger.records import SENSELESS, without_collector
from matchledger.ledger.sealing import PERSONAL, sealed_for
from matchledger.ledger.signing import sighting_of
from matchledger.ledger.tree import Tree
from matchledger.proof.checkpoint import Checkpoint, Posted, SignedNote, origin_of
from matchledger.proof.keys import CheckpointError, VerificationKey, from_base64
from matchledger.proof.match_map import MatchMap
from matchledger.proof.merkle import Frontier, TreeHead, is_consistent, leaf_hash
from matchledger_projections.conduct.permissions import action_of, who_may
from matchledger_projections.message import one_line
from matchledger_projections.record.chance import commitment
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.snapshot import snapshot
from matchledger_projections.stages.postings import mispostings
from matchledger_projections.views.coherence import incoherence


class Finding(Struct, frozen=True):
    """A finding and the position of its entry. The position is 0 if the finding is outside the entries.

    `damage` means that it is unknown which entries count, so nothing more is derived from the log.
    """

    position: int
    what: str
    damage: bool = False

    def __str__(self) -> str:
        return f"entry {self.position}: {self.what}" if self.position else f"beside the log: {self.what}"


@as_ledger_errors()
@without_collector()
def verify(
    ledger: Ledger,
    tournament: UUID,
    *,
    known: TreeHead | None = None,
    note: SignedNote | None = None,
    keys: Sequence[VerificationKey] = (),
    others: bool = True,
) -> list[Finding]:
    """Return all problems of a log in order of position. An intact log has no problems.

    Each entry is checked against its tree row, the tree rows against each other, and the log against every
    checkpoint. `known` is a tree head and `note` is a signed checkpoint. `known` and `note` come from outside the
    ledger, for example from posted standings. Only evidence from outside reveals a log that was shortened together
    with its tree and its checkpoints. `keys` are the keys that are trusted to sign. Without `keys`, a checkpoint is
    checked with the key that the checkpoint names. With `others`, also report unreadable tournaments and rows
    outside every tournament.
    """
    beside = [Finding(0, problem) for problem in ledger.ring.problems()]
    cached = ledger.cached_record(tournament)  # read the cache first, because all later calls read the log
    kinds: set[str] = set()
    authors = Authors(tournament)
    folded = _Folded()
    findings = list(_findings(ledger, tournament, kinds, authors, folded))
    if folded.record is not None and not findings:
        ledger.take_record(tournament, folded.record, authors)
    # A forged entry does not count. A forged entry must not stop the other checks, or any station could stop them.
    findings = [
        replace(finding, damage=finding.damage or finding.position not in authors.forged) for finding in findings
    ]
    if _CHECKPOINT in kinds:
        signers = [key for key in keys if not key.is_of_witness]
        findings += _checkpoint_findings(ledger, tournament, signers, authors)
    witnesses = {str(key) for key in keys if key.is_of_witness}
    if witnesses or _COSIGNATURE in kinds:
        findings += _cosignature_findings(ledger, tournament, witnesses, authors)
    if known is not None:
        findings += _against(ledger, tournament, known)
    if note is not None:
        findings += _against_note(ledger, tournament, note, keys)
    if others and (strays := ledger.recorder.strays()):
        findings.append(
            Finding(0, f"rows that no command has written, without a place in any tournament: {strays}")
        )
    beside += [Finding(0, problem) for problem in (ledger.recorder.foreign() if others else ())]
    unread = ledger.quarantined() if others else {}
    beside += [
        Finding(
            0, f"tournament {stranger} cannot be read ({problem}): matchledger set-aside {stranger} leaves it out"
        )
        for stranger, problem in unread.items()
        if stranger != tournament
    ]
    named = {finding.position for finding in findings}
    findings += [
        Finding(position, problem) for position, problem in authors.forged.items() if position not in named
    ]
    if not any(finding.damage for finding in findings):
        try:
            compared = list(_compared(ledger, tournament, cached, kinds))
        except SENSELESS as problem:
            compared = [_senseless(ledger, tournament, problem)]
        named = {finding.position for finding in findings} - {0}
        findings += [finding for finding in compared if finding.position not in named]
    return sorted([*beside, *findings], key=lambda finding: finding.position)


def _compared(ledger: Ledger, tournament: UUID, cached: Record | None, kinds: set[str]) -> Iterator[Finding]:
    """Yield contradictions between entries, and between entries and the data next to the log, such as the cache.
    `kinds` are the kinds of the entries.
    """
    yield from _exchanged_secret(ledger, tournament)
    yield from (Finding(*found) for found in mispostings(ledger.record(tournament)))
    yield from beyond_role(ledger, tournament)
    if MERGED in kinds:
        yield from (Finding(*found) for found in copy_problems(ledger, tournament))
    yield from _false_maps(ledger, tournament)
    yield from _false_cache(ledger, tournament, cached)


def _senseless(ledger: Ledger, tournament: UUID, problem: Exception) -> Finding:
    """Return the first entry that no command could have recorded after the earlier entries."""
    record = Record()
    for entry in ledger.entries(tournament):
        try:
            why = incoherence(record, entry)
            record.apply(entry)
        except SENSELESS as found:
            why = one_line(str(found))
        if why is not None:
            return Finding(entry.position, f"makes no sense after the entries before it: {why}", damage=True)
    return Finding(0, one_line(f"the entries make no tournament: {problem}"), damage=True)


def remarks(ledger: Ledger, tournament: UUID) -> list[str]:
    """Return remarks about an undamaged log, such as why it can only be read."""
    record = ledger.record(tournament)
    said = []
    if newer := ledger.newer(tournament):
        said.append(
            f"a newer version of matchledger recorded entries {', '.join(map(str, newer))}: install it to see them"
        )
        if unchecked := [str(at) for at, _ in record.checkpoints if at > newer[0]]:
            said.append(
                f"the lists of matches in the checkpoints of entries {', '.join(unchecked)} were not checked: only "
                "the newer version can"
            )
    lost = ledger.recorder.may_read_secrets() and ledger.recorder.sealed_secret(tournament) is None
    if record.closing is None and lost:
        said.append(
            "the secret behind the draws is not in this ledger: it can neither draw nor close; the machine "
            "that opened the tournament has it, and so do its mirrors"
        )
    authors = ledger.authors(tournament)
    if authors.signing:
        said.append(f"stations signed {authors.signed} entries; {authors.unsigned} since then name no token")
    return said


def beyond_role(ledger: Ledger, tournament: UUID) -> Iterator[Finding]:
    """Yield the entries that the rulebook does not allow the station's role to record. Entries beyond a
    station's role count until somebody retracts them.
    """
    if not ledger.authors(tournament).signing:
        return
    record = Record()
    for _, command in groupby(ledger.entries(tournament), key=lambda entry: entry.command):
        entries = list(command)
        for entry in entries if record.opening is not None else ():
            action = action_of(record, entry.fact)
            if entry.token is None or action is None:
                continue
            if entry.role not in who_may(record.rulebook, action).everybody:
                yield Finding(
                    entry.position,
                    one_line(f"was recorded by {entry.actor} at {entry.station}: a {entry.role} may not {action}"),
                )
        for entry in entries:
            record.apply(entry)


def _exchanged_secret(ledger: Ledger, tournament: UUID) -> Iterator[Finding]:
    secret, opening = ledger.recorder.sealed_secret(tournament), ledger.record_as_of(tournament, 1).opening
    if secret is not None and opening is not None and opening.commitment != commitment(secret):
        yield Finding(0, "the secret behind the draws does not match the opening entry")


def _false_cache(ledger: Ledger, tournament: UUID, cached: Record | None) -> Iterator[Finding]:
    """Yield a finding if the cache contradicts the log. A contradicting cache is renamed and kept."""
    if cached is None or ledger.cache is None:
        return
    record = ledger.record(tournament)
    if record.position != cached.position:
        record = fold(ledger.entries(tournament, through=cached.position))
    if snapshot(cached) != snapshot(record):
        yield Finding(0, f"the cache held another record than the log: it is kept as {ledger.cache.put_away()}")


class _Folded:
    """The record of the decoded entries, so that no entry is decoded twice.

    The record is None if the ledger must read the log itself: after an erasure, an entry that does not count, or an
    impossible entry.
    """

    def __init__(self) -> None:
        self.record: Record | None = Record()

    def take(self, entry: Entry | None) -> None:
        """Apply the next entry. `entry` is None for an entry that cannot be applied."""
        if self.record is None:
            return
        if entry is None or type(entry.fact) is PersonErased or entry.position != self.record.position + 1:
            self.record = None
            return
        try:
            self.record.apply(entry)
        except SENSELESS:
            self.record = None


def _findings(
    ledger: Ledger, tournament: UUID, kinds: set[str], authors: Authors, folded: _Folded
) -> Iterator[Finding]:
    """Yield the problems of single entries and their hashes. `kinds` collects the kinds of the entries, `authors`
    checks their authors, and `folded` replays the entries.
    """
    frontier = Frontier()
    rows = zip_longest(ledger.recorder.entry_rows(tournament), ledger.recorder.tree_rows(tournament))
    entry: EntryRow | None
    tree: TreeRow | None
    for entry, tree in _aligned(rows):
        position = entry.position if entry is not None else tree.position if tree is not None else 0
        counts = entry is not None and authors.counts(entry)
        decoded = None
        if entry is None:
            yield Finding(position, "is missing from the log, and its hash is still there")
        elif tree is None:
            yield Finding(position, "is in the log and was never recorded: it has no hash")
        else:
            kinds.add(entry.topic)
            decoded, problem = (None, "") if is_newer(entry) else _decoded(tournament, entry, ledger.ring)
            if not problem and entry.topic in PERSONAL and _lacks_key(ledger.ring, tournament, entry):
                problem = "cannot be read with the keys here"
            if problem or tree.nodes[:1] != (leaf_hash(*entry),):
                yield from _altered(ledger, tournament, entry, tree, problem)
        folded.take(decoded if counts else None)
        if tree is not None:
            yield from _misgrown(frontier, tree)


def _aligned(
    rows: Iterator[tuple[EntryRow | None, TreeRow | None]],
) -> Iterator[tuple[EntryRow | None, TreeRow | None]]:
    """Yield pairs of an entry and its tree row. One of the two may be missing."""
    entries: dict[int, EntryRow] = {}
    trees: dict[int, TreeRow] = {}
    for entry, tree in rows:
        if entry is not None and tree is not None and entry.position == tree.position and not entries and not trees:
            yield entry, tree
            continue
        if entry is not None:
            entries[entry.position] = entry
        if tree is not None:
            trees[tree.position] = tree
    for position in sorted(entries.keys() | trees.keys()):
        yield entries.get(position), trees.get(position)


def _altered(ledger: Ledger, tournament: UUID, entry: EntryRow, tree: TreeRow, with_keys: str) -> Iterator[Finding]:
    """Yield the problem of an entry with a wrong hash, or with text that the available keys cannot decrypt
    (`with_keys`).
    """
    # If an entry is readable with its keys, it is readable without its keys too.
    problem = with_keys and _decoded(tournament, entry)[1]
    if tree.nodes[:1] != (leaf_hash(*entry),):
        yield Finding(entry.position, f"was altered after it was recorded{problem and f' ({problem})'}")
    elif problem:
        yield Finding(entry.position, problem)
    elif with_keys:  # the bytes are intact, but the keys here do not open the entry
        players = ", ".join(f"#{player}" for player in sorted(sealed_for(entry.topic, entry.state)))
        where = "the key ring" if ledger.ring.path is None else ledger.ring.path
        yield Finding(entry.position, f"does not open with the key of {players} in {where}: restore that key")


def _lacks_key(ring: KeyRing, tournament: UUID, row: EntryRow) -> bool:
    """Return whether the key of a player in a row belongs to another copy."""
    return any(ring.is_rejected(tournament, player) for player in sealed_for(row.topic, row.state))


def _decoded(tournament: UUID, row: EntryRow, ring: KeyRing | None = None) -> tuple[Entry | None, str]:
    """Return the entry in a row, or the reason why it cannot be read."""
    try:
        return decode(tournament, *row, ring), ""
    except Unreadable as error:
        return None, str(error)


def _misgrown(frontier: Frontier, tree: TreeRow) -> Iterator[Finding]:
    if tree.position != frontier.size + 1:
        gap = f"follows entry {frontier.size}: the hashes between them are missing"
        yield Finding(tree.position, gap, damage=True)
    nodes = tuple(frontier.append(tree.nodes[0] if tree.nodes else b""))
    if nodes != tree.nodes or frontier.root != tree.root:
        yield Finding(tree.position, "does not fit the tree of the entries before it")


def _against(ledger: Ledger, tournament: UUID, known: TreeHead) -> Iterator[Finding]:
    frontier = Frontier()
    for row in ledger.recorder.entry_rows(tournament, through=known.size):
        frontier.append(leaf_hash(*row))
    if frontier.size < known.size:
        yield Finding(
            known.size, f"the log ends with entry {frontier.size}, and once had {known.size}", damage=True
        )
    elif frontier.root != known.root:
        yield Finding(known.size, "the log up to here does not match the known tree head", damage=True)


def _against_note(
    ledger: Ledger, tournament: UUID, note: SignedNote, keys: Sequence[VerificationKey]
) -> Iterator[Finding]:
    checkpoint = Checkpoint.parse(note.text)
    size = checkpoint.head.size
    if not note.signers(keys):
        yield Finding(size, "the checkpoint from outside is not signed with the key given: it proves nothing")
    elif checkpoint.origin != origin_of(tournament):
        yield Finding(size, f"the checkpoint from outside is about another log, {checkpoint.origin}")
    else:
        yield from _against(ledger, tournament, checkpoint.head)


def _checkpoint_findings(
    ledger: Ledger, tournament: UUID, keys: Sequence[VerificationKey], authors: Authors
) -> Iterator[Finding]:
    """Check every checkpoint that counts against the entries before it."""
    tree = Tree()
    earlier: _Kept | None = None
    posted: Posted | None = None
    for row in ledger.recorder.entry_rows(tournament):
        counts = authors.counts(row)
        if counts and row.topic == _CHECKPOINT:
            try:
                kept = _kept(tournament, row)
            except (Unreadable, CheckpointError):
                yield Finding(row.position, "holds a checkpoint that cannot be read")
            else:
                for problem in _problems(kept, tree, earlier, posted, keys):
                    yield Finding(row.position, problem)
                earlier = kept
        tree.append(row)
        if counts and row.topic == _POSTING:
            posted = _posted(tournament, row, tree) or posted


def _cosignature_findings(
    ledger: Ledger, tournament: UUID, witnesses: AbstractSet[str], authors: Authors
) -> Iterator[Finding]:
    """Check every counting cosignature against its checkpoint. Yield a finding for each given witness who cosigned
    no checkpoint.
    """
    notes: dict[int, SignedNote] = {}
    missing = set(witnesses)
    for row in filter(authors.counts, ledger.recorder.entry_rows(tournament)):
        try:
            if row.topic == _CHECKPOINT:
                notes[row.position] = _kept(tournament, row).note
            elif row.topic == _COSIGNATURE:
                fact = decode(tournament, *row).fact
                assert isinstance(fact, CheckpointCosigned)  # noqa: S101 - decode compares the topic with the fact
                if sighting_of(fact, notes.get(fact.checkpoint)) is None:
                    yield Finding(
                        row.position, "holds a cosignature that its witness did not make for this checkpoint"
                    )
                missing.discard(fact.key)
        except (Unreadable, CheckpointError):
            if row.topic == _COSIGNATURE:
                yield Finding(row.position, "holds a cosignature that cannot be read")
    yield from (Finding(0, f"witness {key} cosigned no checkpoint of this log") for key in sorted(missing))


_CHECKPOINT = CheckpointSigned.model_fields["kind"].default
_COSIGNATURE = CheckpointCosigned.model_fields["kind"].default
_POSTING = StandingsPosted.model_fields["kind"].default


class _Kept(Struct, frozen=True):
    """A checkpoint in the log."""

    position: int
    fact: CheckpointSigned
    note: SignedNote
    checkpoint: Checkpoint
    tournament: UUID


def _kept(tournament: UUID, row: EntryRow) -> _Kept:
    fact = decode(tournament, *row).fact
    assert isinstance(fact, CheckpointSigned)  # noqa: S101 - decode compares the topic with the fact
    note = SignedNote.parse(fact.note)
    return _Kept(row.position, fact, note, Checkpoint.parse(note.text), tournament)


def _posted(tournament: UUID, row: EntryRow, tree: Tree) -> Posted | None:
    try:
        fact = decode(tournament, *row).fact
    except Unreadable:
        return None
    assert isinstance(fact, StandingsPosted)  # noqa: S101 - decode compares the topic with the fact
    return Posted(fact.round, row.position, tree.leaf(tree.head.size))


def _problems(
    kept: _Kept, tree: Tree, earlier: _Kept | None, posted: Posted | None, keys: Sequence[VerificationKey]
) -> Iterator[str]:
    checkpoint = kept.checkpoint
    if not kept.note.signers(keys or _named_key(kept.fact)):
        key = "any of the keys given" if keys else "the key that it names"
        yield f"its checkpoint is not signed with {key}"
    if checkpoint.origin != origin_of(kept.tournament):
        yield f"its checkpoint is about another log, {checkpoint.origin}"
    if checkpoint.head != tree.head:
        since = earlier.position if earlier is not None else 1
        yield f"signed another log than the one before it: look at entries {since} to {kept.position - 1}"
    elif _without_map(checkpoint) != (posted.lines if posted is not None else ()):
        yield "its checkpoint does not cover the standings that were posted last"
    if kept.fact.previous != (earlier.position if earlier is not None else None):
        yield "its checkpoint is not tied to the one before it"
    elif earlier is not None and not _goes_on(earlier, kept):
        yield f"its checkpoint does not go on from the one in entry {earlier.position}"


def _without_map(checkpoint: Checkpoint) -> tuple[str, ...]:
    try:
        return checkpoint.extensions if checkpoint.matches is None else checkpoint.extensions[:-1]
    except ValueError:
        return checkpoint.extensions


def _false_maps(ledger: Ledger, tournament: UUID) -> Iterator[Finding]:
    """Yield the checkpoints whose signed map of matches contradicts the earlier entries (A-6)."""
    for position, fact in ledger.record(tournament).checkpoints:
        try:
            signed = Checkpoint.parse(SignedNote.parse(fact.note).text)
        except CheckpointError:
            continue  # an earlier check has named the entry
        if signed.matches is not None and not _is_beyond(ledger, tournament, signed.head.size):
            mapped = MatchMap(ledger.entries(tournament, through=signed.head.size))
            if mapped.head.root != signed.matches:
                yield Finding(position, "its checkpoint lists other entries about some match than the log has")


def _is_beyond(ledger: Ledger, tournament: UUID, size: int) -> bool:
    """Return whether a newer version of this program recorded one of the first `size` entries. The newer version
    may have listed the entry under a match.
    """
    return any(position <= size for position in ledger.newer(tournament))


def _named_key(fact: CheckpointSigned) -> list[VerificationKey]:
    try:
        return [VerificationKey.parse(fact.key)]
    except CheckpointError:
        return []


def _goes_on(earlier: _Kept, later: _Kept) -> bool:
    try:
        proof = [from_base64(text) for text in later.fact.consistency]
    except ValueError:
        return False
    return is_consistent(earlier.checkpoint.head, later.checkpoint.head, proof)
