"""Commands of a witness: cosign a checkpoint on a second machine, and keep the cosignature in the log."""

from __future__ import annotations

import json
import os
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from matchledger.cli.codes import CheckFailed
from matchledger.cli.files import read_text
from matchledger.cli.keys import VerificationKeyOption, read_key, read_verification_keys
from matchledger.cli.recording import tell_entries
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.verifying import read_note
from matchledger.commands.draft import now
from matchledger.commands.witnesses import KeepCosignature
from matchledger.proof.checkpoint import Checkpoint, Signature, SignedNote
from matchledger.proof.keys import CheckpointError, SigningKey, VerificationKey, from_base64
from matchledger.proof.witness import RolledBack, Submission, need_extension
from matchledger_projections.text_line import one_line

_PAGE = re.compile(r"(https?://[^/]+)/t/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)")
_PATIENCE = 30  # seconds
_LONGEST = 100_000  # bytes of an answer


def witness(
    source: Annotated[
        str, typer.Argument(help="A public page of the event (http...), or a file with a checkpoint.")
    ],
    key_file: Annotated[Path, typer.Option("--key", help="The key file of the witness.", show_default=False)],
    vkey: VerificationKeyOption = None,
    seen: Annotated[
        Path | None,
        typer.Option("--seen", help="The folder for what the witness saw; else KEY.seen.", show_default=False),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token", envvar="MATCHLEDGER_TOKEN", help="Send the cosignature to the server.", show_default=False
        ),
    ] = None,
) -> None:
    """Cosign a checkpoint, if the log contains everything that you saw before."""
    keys = read_verification_keys(vkey)
    if not keys:
        raise UsageProblem("the signer of the checkpoint is unknown: give the organizer's key as --vkey")
    key = read_key(key_file, alone=True)
    memory = Memory(key_file.with_name(f"{key_file.name}.seen") if seen is None else seen)
    try:
        cosigned = _cosigned(source, keys, key, memory)
    except CheckpointError as problem:
        raise UsageProblem(f"not cosigned: {problem}") from None
    except RolledBack as problem:
        typer.echo(f"ROLLED BACK OR REWRITTEN: {problem}. Not cosigned. What you saw is in {memory.folder}.")
        raise CheckFailed from None
    typer.echo(str(cosigned), nl=False)
    typer.echo(f"Cosigned. It verifies with {key.of_witness}", err=True)
    if token is not None:
        address, tournament = _page(source)
        said = {"kind": "keep-cosignature", "note": str(cosigned), "key": str(key.of_witness)}
        _asked(f"{address}/api/tournaments/{tournament}/commands", said, token)
        typer.echo(f"The ledger at {address} keeps it.", err=True)


class Memory:
    """The last checkpoint of each log that a witness cosigned, a file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def last(self, origin: str) -> Checkpoint | None:
        """The last checkpoint of a log that was cosigned, or None."""
        file = self._file(origin)
        return Checkpoint.parse(SignedNote.parse(read_text(file)).text) if file.exists() else None

    def keep(self, origin: str, note: SignedNote) -> None:
        """Keep a cosigned checkpoint on disk before anybody gets the cosignature."""
        file = self._file(origin)
        new = file.with_suffix(".new")
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            with new.open("w", encoding="utf-8") as stream:
                stream.write(str(note))
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(file)
        except OSError as problem:
            raise UsageProblem(f"{file} cannot be written: {problem.strerror}; nothing is cosigned") from None

    def _file(self, origin: str) -> Path:
        return self.folder / f"{quote(origin, safe='')}.checkpoint"


def _cosigned(source: str, keys: list[VerificationKey], key: SigningKey, memory: Memory) -> SignedNote:
    """The checkpoint at a source with the cosignature of a key."""
    submission = _fetched(source, memory) if _PAGE.match(source) else Submission.parse(read_text(Path(source)))
    origin = Checkpoint.parse(submission.note.text).origin
    last = memory.last(origin)
    need_extension(submission, keys, None if last is None else last.head)
    line = Signature.parse(key.cosign(submission.note.text, int(now().timestamp())).removesuffix("\n"))
    cosigned = submission.note.cosigned(line)
    memory.keep(origin, cosigned)
    return cosigned


def _fetched(source: str, memory: Memory) -> Submission:
    """What a server submits. Raises RolledBack if its log is shorter than what the witness saw."""
    address, tournament = _page(source)
    last = memory.last(f"matchledger/{tournament}")
    earlier = 0 if last is None else last.head.size
    said = _asked(f"{address}/api/tournaments/{tournament}/consistency?earlier={earlier}")
    try:
        if said["size"] < earlier:
            raise RolledBack(f"you saw {earlier} entries, and the log has {said['size']}")
        signed = said["checkpoint"]
        if signed is None:
            raise CheckpointError("no checkpoint was signed yet: the organizer signs one with checkpoint --key")
        return Submission(earlier, tuple(map(from_base64, signed["proof"])), SignedNote.parse(signed["note"]))
    except (KeyError, TypeError, AttributeError) as problem:
        raise UsageProblem(f"{address} does not answer as a ledger does ({type(problem).__name__})") from None


def _page(source: str) -> tuple[str, str]:
    """The address of the server and the tournament of a public page."""
    found = _PAGE.match(source)
    if found is None:
        raise UsageProblem(f"{source} is no public page of an event: give an address such as https://host/t/ID/")
    return found[1], found[2]


def _asked(address: str, body: object = None, token: str | None = None) -> Any:
    """The JSON answer at an address. With a body, it is posted."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address, data, headers)  # noqa: S310 - _PAGE allows http and https only
    try:
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310 - as above
            return json.loads(answer.read(_LONGEST))
    except urllib.error.HTTPError as problem:
        with problem:
            raise UsageProblem(f"{address} refuses: {_detail(problem.read(_LONGEST)) or problem.reason}") from None
    except (OSError, ValueError) as problem:
        raise UsageProblem(f"{address} does not answer: {getattr(problem, 'reason', problem)}") from None


def _detail(answer: bytes) -> str:
    try:
        return one_line(json.loads(answer)["detail"])
    except (ValueError, KeyError, TypeError):
        return ""


@writing
def witnessed(
    session: Session,
    file: Annotated[Path, typer.Argument(help="The cosigned checkpoint, as `witness` wrote it.")],
    vkey: Annotated[str, typer.Option("--vkey", help="The key of the witness, as `witness` said it.")],
) -> None:
    """Keep a witness's cosignature under a checkpoint of this log."""
    command = KeepCosignature(note=str(read_note(file)), key=vkey)
    tell_entries(session, command, session.execute(command))


COMMANDS: dict[str, Callable[..., None]] = {"witness": witness, "witnessed": witnessed}
