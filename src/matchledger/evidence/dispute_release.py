"""Releases: make the bundle of one match, and record the release in the log if the bundle has names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Literal
from uuid import UUID

from msgspec import Struct

from matchledger.commands import privacy
from matchledger.commands.permission import need_permission
from matchledger.events import CheckpointSigned, Entry, Stage
from matchledger.evidence.dispute_file import bundle_text, checkpoint_of, covering, entries_about
from matchledger.ledger import Clerk, Ledger, sign_checkpoint, sound_tree
from matchledger.notation.problems import UsageProblem
from matchledger.proof.checkpoint import Signature
from matchledger.proof.keys import SigningKey
from matchledger.proof.match_map import Listing, Match, MatchMap
from matchledger_projections.message import Sentence, both, demanding, sentence
from matchledger_projections.record.record import Record


class Bundle(Struct, frozen=True):
    """A bundle's text, the numbers of its entries and checkpoints, and notes for the person who gives the bundle
    out.
    """

    text: str
    entries: int
    size: int
    checkpoints: int
    notes: Sequence[str]


def _called(stage: Stage, number: int) -> Sentence:
    if stage == "elimination":
        return sentence("elimination round %(round)s", round=number)
    return sentence("Swiss round %(round)s", round=number)


def find_match(record: Record, number: int, table: int, stage: Stage) -> Match:
    """Return the match at a table. Raises UsageProblem if there is none."""
    round_ = record.round(number, stage)
    if round_ is None:
        raise UsageProblem(sentence("%(round)s is not paired", round=_called(stage, number)))
    if table not in round_.tables:
        raise UsageProblem(sentence("%(round)s has no table %(table)s", round=_called(stage, number), table=table))
    return Match(stage, number, table, round_.tables[table])


def hand_bundle_out(
    ledger: Ledger,
    tournament: UUID,
    match: Match,
    *,
    to: str,
    names: bool,
    clerk: Clerk,
    command: str | None = None,
    reason: str | None = None,
    key: SigningKey | None = None,
) -> Bundle:
    """Make the bundle of a match.

    With `names`, the log records the file under the name `to`.

    Only roles that may disclose names can give out a bundle, with or without names (rules 0.3). With a `key`, sign
    a checkpoint first if no checkpoint covers the match yet. Raises what `Ledger.decide` raises.
    """
    given = privacy.hand_names_out(ledger.record(tournament), form="bundle", to=to)
    need_permission(ledger.record(tournament), given, actor=clerk.actor, role=clerk.role)
    entries = entries_about(match, ledger.entries(tournament), ledger.record(tournament), names=names)
    keys = ledger.person_keys(tournament, entries)
    if keys:
        note_names_handed_out(
            ledger, tournament, form="bundle", to=to, clerk=clerk, players=keys, command=command, reason=reason
        )
    if key is not None and covering(entries, _checkpoints(ledger.record(tournament))) is None:
        sign_checkpoint(ledger, tournament, key, clerk=clerk)
    record = ledger.record(tournament)
    checkpoints = _checkpoints(record)
    covered = covering(entries, checkpoints)
    tree = sound_tree(ledger, tournament, covered)
    positions = {entry.position for entry in entries}
    rows = [
        row for row in ledger.recorder.entry_rows(tournament, through=tree.head.size) if row.position in positions
    ]
    listing = None if covered is None else _listing(ledger, tournament, match, checkpoints[-1])
    cosigned = _cosignatures(record)
    text = bundle_text(match, entries, rows, tree, checkpoints, keys=keys, listing=listing, cosignatures=cosigned)
    notes = list(_notes(record, match, entries, signed=covered is not None))
    return Bundle(text, len(entries), tree.head.size, len(checkpoints), notes)


def _listing(ledger: Ledger, tournament: UUID, match: Match, last: CheckpointSigned) -> Listing | None:
    """Return the match's place in the map that a checkpoint signed, or None if an older checkpoint has no map."""
    signed = checkpoint_of(last)
    mapped = MatchMap(ledger.entries(tournament, through=signed.head.size))
    return mapped.listing(match) if signed.matches == mapped.head.root else None


def note_names_handed_out(
    ledger: Ledger,
    tournament: UUID,
    *,
    form: Literal["export", "bundle"],
    to: str,
    clerk: Clerk,
    players: Iterable[int] = (),
    command: str | None = None,
    reason: str | None = None,
) -> None:
    """Record that a copy with names will be made. The record comes before the copy, so that every certificate of
    erasure names the copy.
    """
    ledger.decide(
        tournament,
        partial(privacy.hand_names_out, form=form, to=to, players=players),
        clerk=clerk,
        command=None if command is None else f"{command}/names",
        reason=reason,
    )


def _checkpoints(record: Record) -> list[CheckpointSigned]:
    return [fact for _, fact in record.checkpoints]


def _cosignatures(record: Record) -> dict[str, list[Signature]]:
    """Return the witnesses' cosignatures by the note of their checkpoint."""
    notes = {at: fact.note for at, fact in record.checkpoints}
    found: dict[str, list[Signature]] = {}
    for _, fact in record.cosignatures:
        found.setdefault(notes[fact.checkpoint], []).append(Signature.parse(fact.line))
    return found


def _notes(record: Record, match: Match, entries: list[Entry], *, signed: bool) -> Iterator[str]:
    if not signed:
        yield demanding(
            sentence("no checkpoint covers all of these entries: sign one, or the dispute file proves little"),
            "a signing key",
        )
    for player in match.players:
        person = record.players[player].person
        private = [name for name in ("born", "contact") if getattr(person, name) is not None]
        if private and any(entry.position == record.players[player].position for entry in entries):
            yield demanding(
                sentence(
                    "the registration of %(player)s also has %(fields)s: a file without names leaves them out",
                    player=person.name,
                    fields=both(private),
                ),
                "numbers alone",
            )
    others = [other for other in record.entered() if other.number not in match.players]
    for entry in entries:
        free_text = f"{entry.actor} {entry.reason or ''}"
        for other in others:
            if len(other.name) > 1 and re.search(rf"\b{re.escape(other.name)}\b", free_text, re.IGNORECASE):
                yield sentence(
                    "the text of entry %(entry)s contains the name of %(player)s, which cannot be removed",
                    entry=entry.position,
                    player=other.name,
                )
