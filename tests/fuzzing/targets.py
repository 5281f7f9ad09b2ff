"""Targets: a function for each place where strangers' bytes come in.

A target returns if it understands the bytes, or refuses them properly: with one printable line in an exception of
this project. Any other exception is a finding.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
import json
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from tests.documents import standings_document
from tests.event import SECRET
from tests.ledger.alike import alike

from matchledger.commands.command import Command
from matchledger.commands.draft import Clerk
from matchledger.commands.refusal import Refusal
from matchledger.commands.registry import union
from matchledger.evidence.export import read_export
from matchledger.formats.card_data import read_card_data
from matchledger.formats.decklist import read_decklist
from matchledger.formats.reader import read_transcript
from matchledger.formats.roster_file import read_pasted, read_roster
from matchledger.formats.text import FormatError
from matchledger.ledger import Draft, Ledger, LedgerError, open_ledger
from matchledger.ledger.keyring import KEY_BYTES, KeyRing, KeyRingError
from matchledger.ledger.mapper import Unreadable, decode, decode_to_fold
from matchledger.ledger.recorder import EntryRow
from matchledger.ledger.tree import Tree
from matchledger.notation.outcomes import read_slips
from matchledger.notation.player_lookup import find_player
from matchledger.notation.problems import UsageProblem
from matchledger.notation.slip_code import SlipCodeError, table_of_slip
from matchledger.proof.checkpoint import Checkpoint, SignedNote
from matchledger.proof.keys import CheckpointError, SigningKey, VerificationKey
from matchledger.proof.merkle import TreeHead
from matchledger.proof.station_token import TokenRefused, read, signed
from matchledger.service.execute import context_of
from matchledger.service.importing import transcribe
from matchledger.service.official_numbers import compare
from matchledger.service.window import moment_of
from matchledger_projections.document import written
from matchledger_projections.record.record import Record
from matchledger_projections.record.snapshot import restored, snapshot
from matchledger_projections.rulebook.rulebook import RulebookError, parse_rulebook
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.explanation import explain
from matchledger_projections.views.sight import Sight
from matchledger_projections.views.tables import pairings_of

Target = Callable[[bytes], object]

HERE = UUID(int=1)
NOW = datetime(2026, 5, 2, 9, 0, tzinfo=UTC)
KEY = SigningKey("organizer", SECRET)
REFUSALS = (
    CheckpointError,
    FormatError,
    KeyRingError,
    LedgerError,
    Refusal,
    RulebookError,
    SlipCodeError,
    TokenRefused,
    Unreadable,
    UsageProblem,
)
_LONGEST_REFUSAL = 2100  # characters
_MOST_LOOKED_AT = 30  # the most rounds and players that are checked in one log


def refused_well(target: Callable[[], object]) -> None:
    """Run a function, and assert that any exception from it is one of this project with one line."""
    try:
        target()
    except REFUSALS as refusal:
        said = str(refusal)
        assert said.isprintable(), f"the refusal cannot be printed: {said!r}"
        assert 0 < len(said) < _LONGEST_REFUSAL, f"the refusal has {len(said)} characters"


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


# -- events of other programs, and other files


def _importer(name: str) -> Target:
    """Read a foreign event, execute it, rank it, and compare it with its own numbers."""

    def carry_out(data: bytes) -> None:
        transcript = read_transcript(data, name)
        draft = transcribe(transcript, data=data, source=name, secret=SECRET).draft
        compare(draft.record, transcript.official)

    return carry_out


def _roster(data: bytes) -> None:
    assert list(read_roster(data)), "a roster that names nobody is refused"
    assert list(read_pasted(data.decode("utf-8", "replace"))), "and so is one that is pasted"


def _rulebook(data: bytes) -> None:
    parse_rulebook(_text(data)).under({})


# -- stored files that come back


def _export(data: bytes) -> None:
    """Import a changed export, which cannot match its tree head."""
    look_at(read_export(data).record)


def _log(data: bytes) -> None:
    """Import an invented export with a correct tree head. `data` holds the stored entries of the export, one per
    line.
    """
    look_at(read_export(exported(data.split(b"\n"))).record)


def exported(stored: list[bytes]) -> bytes:
    """Return an export of these stored entries with their tree head."""
    states = [_text(state).encode() for state in stored]
    rows = tuple(EntryRow(number, _topic(state), state) for number, state in enumerate(states, 1))
    header = {
        "format": "matchledger-export/1",
        "tournament": str(HERE),
        "size": len(rows),
        "root": Tree(rows).head.root.hex(),
        "secret": None,
    }
    entries = ({"position": row.position, "topic": row.topic, "stored": row.state.decode()} for row in rows)
    return "".join(f"{json.dumps(line)}\n" for line in (header, *entries)).encode()


def _topic(state: bytes) -> str:
    """Return the kind that stored bytes name."""
    return _text(state.partition(b'"kind":"')[2].partition(b'"')[0])[:25]


def _stored_entry(data: bytes) -> None:
    """Read a row that a person wrote into the event store. The reader that shows entries and the reader that
    folds them must agree on the row.
    """
    row = EntryRow(1, _topic(data), data)
    try:
        [folded] = decode_to_fold(HERE, [row], KeyRing())
    finally:
        entry = decode(HERE, *row)
    written(entry)
    assert alike(folded, entry)


def _key_ring(data: bytes) -> None:
    ring = KeyRing(_folder() / "event.keys")
    assert ring.path is not None
    ring.path.write_bytes(data)
    ring.path.chmod(0o600)
    for player in range(3):
        key = ring.key(HERE, player)
        assert key is None or len(key) == KEY_BYTES


@functools.cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="fuzzing-"))


# -- proofs that come back on paper


def _bundle(data: bytes) -> None:
    """Verify a dispute file with docs/verify.py, which catches every exception that a bad file may raise."""
    page = _verifier()
    caught = (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
    try:
        page.verify(data.decode(), [], None, None, [])
    except (page.Wrong, *caught):
        return


@functools.cache
def _verifier() -> ModuleType:
    file = Path(__file__).resolve().parents[2] / "docs" / "verify.py"
    spec = importlib.util.spec_from_file_location("verify_page", file)
    assert spec is not None
    assert spec.loader is not None
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    return page


def _checkpoint(data: bytes) -> None:
    note = SignedNote.parse(_text(data))
    assert Checkpoint.parse(note.text).text == note.text
    note.signers([KEY.verification])


def _key(data: bytes) -> None:
    """Read a line that should be a verification key, a signing key or a tree head."""
    text = _text(data)
    refused_well(lambda: VerificationKey.parse(text))
    refused_well(lambda: SigningKey.parse(text))
    try:
        TreeHead.parse(text)
    except ValueError:
        return


def _token(data: bytes) -> None:
    read([KEY.verification], _text(data), NOW)


def _signed_token(data: bytes) -> None:
    """Read a token with any contents under a valid signature."""
    read([KEY.verification], signed(KEY, data, bytes(32)), NOW, tournament=HERE)


# -- typed, scanned and sent input


def _slip_code(data: bytes) -> None:
    table_of_slip(event().record(played()), _text(data))


def _words(data: bytes) -> None:
    """Read typed input: slips, a player, a moment."""
    text, ledger = _text(data), event()
    refused_well(lambda: read_slips(text.split()))
    refused_well(lambda: find_player(ledger.record(played()), text))
    refused_well(lambda: moment_of(ledger, played(), as_of=text))


_COMMANDS: TypeAdapter[Command] = TypeAdapter(union())


def _command(data: bytes) -> None:
    """Execute the body of an API request on a round in progress."""
    try:
        asked = _COMMANDS.validate_json(data)
    except ValidationError:
        return
    context = context_of(event(), played(), Clerk(), "asked for")
    record = event().record(played())
    draft = Draft(played(), record.as_of(record.position))
    draft.decide(lambda record: asked.decide(record, context), reason="asked for")
    look_at(draft.record)


# -- views of any record


def look_at(record: Record) -> None:
    """Compute the views that every event has: tables, pairings, and reasons for places."""
    law = record.rulebook
    for number in range(min(record.finished_rounds, _MOST_LOOKED_AT) + 1):
        json.dumps(standings_document(record, number))
    for round_ in itertools.islice([*record.rounds(), *record.rounds("elimination")], _MOST_LOOKED_AT):
        sight = Sight.of(record)
        json.dumps(sight.document(pairings_of(sight, round_)))
    table = standings(record)
    for row in itertools.islice(table.rows, _MOST_LOOKED_AT):
        explain(record, table, law, row.player)
    assert snapshot(restored(snapshot(record))) == snapshot(record)


SHEET = b"""rulebook l5r-2018
players Ann Bo Cy Di Ed
round 1
  Ann > Bo
  Cy > Di
  Ed bye
round 2
  Ann > Cy
  Bo - Ed
  Di bye
"""


@functools.cache
def event() -> Ledger:
    """A ledger in memory whose round is in progress."""
    ledger = open_ledger(":memory:", create=True)
    transcription = transcribe(read_transcript(SHEET, "sheet"), data=SHEET, source="event.sheet", secret=SECRET)
    ledger.keep(transcription.draft, secret=SECRET)
    return ledger


@functools.cache
def played() -> UUID:
    """The tournament in the ledger that `event` returns."""
    return event().tournaments()[0]


UNGUARDED: dict[str, Callable[[bytes], Any]] = {
    "sheet": _importer("sheet"),
    "cobra": _importer("cobra"),
    "tom": _importer("tom"),
    "pokedata": _importer("pokedata"),
    "melee": _importer("melee"),
    "aesops": _importer("aesops"),
    "any-file": read_transcript,
    "roster": _roster,
    "decklist": read_decklist,
    "card-data": read_card_data,
    "rulebook": _rulebook,
    "export": _export,
    "log": _log,
    "stored-entry": _stored_entry,
    "key-ring": _key_ring,
    "bundle": _bundle,
    "checkpoint": _checkpoint,
    "key": _key,
    "token": _token,
    "signed-token": _signed_token,
    "slip-code": _slip_code,
    "words": _words,
    "command": _command,
}


def _guarded(target: Target) -> Target:
    return lambda data: refused_well(lambda: target(data))


TARGETS: dict[str, Target] = {name: _guarded(target) for name, target in UNGUARDED.items()}
