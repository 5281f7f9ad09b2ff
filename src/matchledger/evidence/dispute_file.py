"""Dispute files: one match in one file, with proof from the log, for a reader who does not have the log.

`docs/verify.py` verifies a bundle, and shares no code with this program. Every statement in a bundle is in a stored
entry, is signed, or follows from entries and signatures. The verifier derives all statements again, even the
explanation. Other players appear only as numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from matchledger.events import (
    AnyFact,
    CheckpointSigned,
    Entry,
    PersonCorrected,
    PlayerDropped,
    TokenAdmitted,
    TokenKeyDistrusted,
    TokenKeyTrusted,
)
from matchledger.evidence.match_statements import name_of, names_in, testimony
from matchledger.ledger.recorder import EntryRow
from matchledger.ledger.tree import Tree
from matchledger.proof.authorship import after_of
from matchledger.proof.checkpoint import Checkpoint, Signature, SignedNote
from matchledger.proof.keys import to_base64
from matchledger.proof.match_map import REFERENCES, Listing, Match, Result, concerns
from matchledger_projections.record.record import Record

FORMAT = "matchledger-bundle/1"
# This format adds the keys to the two registrations, if they are encrypted.
FORMAT_WITH_KEYS = "matchledger-bundle/2"
FORMAT_WITH_LISTING = "matchledger-bundle/3"  # this format adds the proof that no entry is missing
FORMAT_WITH_WITNESSES = "matchledger-bundle/4"  # this format adds cosignatures, and may lack the listing
OPENING = 1  # the position of the entry that opens the tournament


def entries_about(match: Match, entries: Iterable[Entry], record: Record, *, names: bool = True) -> list[Entry]:
    """Return the entries behind a match: the opening, both registrations, the pairing, and everything about the
    result.

    If stations sign, the entries that admitted these stations are included. Without `names`, the registrations and
    their corrections are left out.
    """
    entries = list(entries)
    registered = {record.players[player].position for player in match.players} if names else set()
    chosen: dict[int, Entry] = {}
    commands: set[str] = set()
    for entry in entries:
        fact = entry.fact
        refers = any(getattr(fact, name, None) in chosen for name in REFERENCES)
        if names and isinstance(fact, PersonCorrected):
            refers = refers or fact.player in match.players
        if entry.position == OPENING or entry.position in registered or refers or concerns(match, fact):
            chosen[entry.position] = entry
            if isinstance(fact, Result):
                commands.add(entry.command)
        elif isinstance(fact, PlayerDropped) and fact.player in match.players and entry.command in commands:
            chosen[entry.position] = entry  # the command that records a no-show also drops the absent player
    if any(fact.signed for _, fact in record.every(TokenKeyTrusted)):
        tokens = {entry.token for entry in chosen.values()}
        chosen |= {entry.position: entry for entry in entries if _lets_in(entry.fact, tokens)}
    return sorted(chosen.values(), key=lambda entry: entry.position)


def _lets_in(fact: AnyFact, tokens: AbstractSet[str | None]) -> bool:
    """Return whether a fact trusts a token key, or admits one of the given tokens."""
    guards = isinstance(fact, TokenKeyTrusted | TokenKeyDistrusted)
    return guards or (isinstance(fact, TokenAdmitted) and fact.token in tokens)


def covering(entries: Sequence[Entry], checkpoints: Sequence[CheckpointSigned]) -> int | None:
    """Return the size of the last checkpoint, if it covers all these entries."""
    size = checkpoint_of(checkpoints[-1]).head.size if checkpoints else 0
    return size if size >= entries[-1].position else None


def checkpoint_of(fact: CheckpointSigned) -> Checkpoint:
    return Checkpoint.parse(SignedNote.parse(fact.note).text)


def bundle_text(
    match: Match,
    entries: Sequence[Entry],
    rows: Sequence[EntryRow],
    tree: Tree,
    checkpoints: Sequence[CheckpointSigned],
    *,
    keys: Mapping[int, bytes] | None = None,
    listing: Listing | None = None,
    cosignatures: Mapping[str, Sequence[Signature]] | None = None,
) -> str:
    """Return the bundle of a match, in the one form of JSON that the verifier accepts.

    `rows` are the stored entries, and `tree` is the tree for their proofs. `keys` open the encrypted registrations
    of players. Without a player's key, the verifier knows only the number, and `entries` must not show more.
    `listing` is the match's place in the map of matches that the last checkpoint signed. `cosignatures` has the
    witnesses' cosignatures by the note of their checkpoint.
    """
    names = names_in(entries)
    document: dict[str, Any] = {
        "format": FORMAT_WITH_KEYS if keys else FORMAT,
        "match": {
            "stage": match.stage,
            "round": match.round,
            "table": match.table,
            "players": list(match.players),
            "names": [name_of(names, player) for player in match.players],
        },
        "explanation": testimony(match.players, entries, names),
        "tree": {"size": tree.head.size, "root": to_base64(tree.head.root)},
        "checkpoints": [
            {
                "note": str(SignedNote.parse(fact.note).cosigned(*(cosignatures or {}).get(fact.note, ()))),
                "key": fact.key,
                "consistency": _texts(tree.consistency(checkpoint_of(fact).head.size)),
            }
            for fact in checkpoints
        ],
        "entries": [
            {
                "position": row.position,
                "topic": row.topic,
                "stored": to_base64(row.state),
                "inclusion": _texts(tree.inclusion(row.position)),
                **_before(row, tree),
            }
            for row in rows
        ],
    }
    if keys or listing is not None or cosignatures:
        document["keys"] = {str(player): to_base64(key) for player, key in (keys or {}).items()}
    if listing is not None:
        document["format"] = FORMAT_WITH_LISTING
        document["listing"] = {
            "size": listing.size,
            "index": listing.index,
            "positions": list(listing.positions),
            "inclusion": _texts(listing.proof),
        }
    if cosignatures:
        document |= {"format": FORMAT_WITH_WITNESSES, "listing": document.get("listing")}
    return f"{json.dumps(document, indent=1)}\n"


def _before(row: EntryRow, tree: Tree) -> dict[str, list[str]]:
    """Return the leaf hash of the entry before and its proof, if the station signed that hash too."""
    if after_of(row.state) is None:
        return {}
    return {"before": _texts([tree.leaf(row.position - 1), *tree.inclusion(row.position - 1)])}


def _texts(hashes: Iterable[bytes]) -> list[str]:
    return [to_base64(node) for node in hashes]
