"""Commands of a witness: cosign a checkpoint on a second machine, and keep the cosignature in the log."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

import typer

from matchledger.cli.codes import CheckFailed
from matchledger.cli.files import read_text
from matchledger.cli.keys import VerificationKeyOption, read_key, read_verification_keys
from matchledger.cli.recording import tell_entries
from matchledger.cli.serving import (
    EVERYWHERE,
    LOOPBACK,
    ProxyOption,
    address_to_type,
    need_free,
    need_web,
)
from matchledger.cli.session import Session, UsageProblem, writing
from matchledger.cli.verifying import read_note
from matchledger.commands.witnesses import KeepCosignature
from matchledger.proof.checkpoint import SignedNote
from matchledger.proof.keys import CheckpointError, from_base64
from matchledger.proof.witness import PATH, RolledBack, Submission
from matchledger.service.witness_server import answer_of, cosigned_by, is_server
from matchledger.service.witnessing import Witness
from matchledger_projections.message import one_line

_PAGE = re.compile(r"(https?://[^/]+)/t/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:/|$)")


def witness(
    key_file: Annotated[Path, typer.Option("--key", help="The key file of the witness.", show_default=False)],
    source: Annotated[
        str | None,
        typer.Argument(
            help="A public page of the event (http...), or a file with a checkpoint.", show_default=False
        ),
    ] = None,
    vkey: VerificationKeyOption = None,
    seen: Annotated[
        Path | None,
        typer.Option(
            "--seen",
            help="The folder for the checkpoints that the witness saw; by default KEY.seen.",
            show_default=False,
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            "--token", envvar="MATCHLEDGER_TOKEN", help="Send the cosignature to the server.", show_default=False
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            "--serve", min=1, max=65535, help="Wait for checkpoints on this port instead (C2SP tlog-witness)."
        ),
    ] = None,
    network: Annotated[bool, typer.Option("--network", help="With --serve, let other machines in.")] = False,
    proxy: ProxyOption = None,
) -> None:
    """Cosign a checkpoint, if the log contains everything that you saw before."""
    keys = read_verification_keys(vkey)
    if not keys:
        raise UsageProblem("the signer of the checkpoint is unknown: give the organizer's key as --vkey")
    folder = key_file.with_name(f"{key_file.name}.seen") if seen is None else seen
    cosigner = Witness(read_key(key_file, alone=True), keys, folder)
    if port is not None and source is None:
        _serve(cosigner, port, proxy, network=network)
        return
    if port is not None or source is None:
        raise UsageProblem("give a page or a file with a checkpoint, or --serve PORT to wait for checkpoints")
    try:
        submission = (
            _fetched(source, cosigner) if _PAGE.match(source) else Submission.parse(read_text(Path(source)))
        )
        cosigned = submission.note.cosigned(cosigner.cosign(submission))
    except CheckpointError as problem:
        raise UsageProblem(f"not cosigned: {problem}") from None
    except OSError as problem:
        raise UsageProblem(f"{folder} cannot be used: {problem.strerror}; nothing is cosigned") from None
    except RolledBack as problem:
        typer.echo(f"ROLLED BACK OR REWRITTEN: {problem}. Not cosigned. What you saw is in {folder}.")
        raise CheckFailed from None
    typer.echo(str(cosigned), nl=False)
    typer.echo(f"Cosigned. It verifies with {cosigner.key.of_witness}", err=True)
    if token is not None:
        address, tournament = _page(source)
        said = {"kind": "keep-cosignature", "note": str(cosigned), "key": str(cosigner.key.of_witness)}
        _asked(f"{address}/api/tournaments/{tournament}/commands", said, token)
        typer.echo(f"The ledger at {address} keeps it.", err=True)


def _serve(cosigner: Witness, port: int, proxy: str | None, *, network: bool) -> None:
    need_web("witness --serve")
    from matchledger.web import connections  # noqa: PLC0415 - it comes with an extra
    from matchledger.web.witness import create_witness  # noqa: PLC0415 - it comes with an extra

    host = EVERYWHERE if network else LOOPBACK
    need_free(host, port)
    where = f"http://{address_to_type(host)}:{port}"
    typer.echo(f"Waiting for checkpoints at {where}{PATH} (Ctrl+C ends it)")
    typer.echo(f"Cosignatures verify with {cosigner.key.of_witness}", err=True)
    connections.run(create_witness(cosigner), connections.Listening(host, port, proxy=proxy), where)


def _fetched(source: str, cosigner: Witness) -> Submission:
    """Return the checkpoint and the proof that a server submits to the witness. Raises RolledBack if the server's
    log is shorter than the log that the witness saw.
    """
    address, tournament = _page(source)
    seen = cosigner.seen(f"matchledger/{tournament}")
    earlier = 0 if seen is None else seen.size
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
    """Return the server's address and the tournament's id from the address of a public page."""
    found = _PAGE.match(source)
    if found is None:
        raise UsageProblem(f"{source} is no public page of an event: give an address such as https://host/t/ID/")
    return found[1], found[2]


def _asked(address: str, body: object = None, token: str | None = None) -> Any:
    """The JSON answer at an address. With a body, post the body to the address as JSON."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    status, said = answer_of(address, data, headers)
    if status != HTTPStatus.OK:
        raise UsageProblem(f"{address} refuses: {_detail(said) or status}")
    try:
        return json.loads(said)
    except ValueError as problem:
        raise UsageProblem(f"{address} does not answer: {problem}") from None


def _detail(answer: bytes) -> str:
    try:
        return one_line(json.loads(answer)["detail"])
    except (ValueError, KeyError, TypeError):
        return ""


@writing
def witnessed(
    session: Session,
    source: Annotated[
        str,
        typer.Argument(
            help="The cosigned checkpoint, as `witness` wrote it, or the address of a witness's server (http...).",
            show_default=False,
        ),
    ],
    vkey: Annotated[str, typer.Option("--vkey", help="The key of the witness, as `witness` prints it.")],
) -> None:
    """Store a witness's cosignature of a checkpoint of this log."""
    try:
        if is_server(source):
            command = cosigned_by(source, vkey, session.ledger, session.tournament)
        else:
            command = KeepCosignature(note=str(read_note(Path(source))), key=vkey)
    except RolledBack as problem:
        typer.echo(f"ROLLED BACK OR REWRITTEN: {problem}. The witness did not cosign.")
        raise CheckFailed from None
    tell_entries(session, command, session.execute(command))
