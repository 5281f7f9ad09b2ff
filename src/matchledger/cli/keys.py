"""Key files: each has one signing key of the organizer, outside every ledger."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.files import need_plain
from matchledger.cli.session import UsageProblem
from matchledger.proof.keys import ED25519, CheckpointError, SigningKey, VerificationKey

KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key",
        envvar="MATCHLEDGER_KEY",
        help="The organizer's key file, to sign a checkpoint.",
        show_default=False,
    ),
]
VerificationKeyOption = Annotated[
    list[str] | None, typer.Option("--vkey", help="A verification key (NAME+ID+BASE64) whose signatures you trust.")
]
_OTHERS = 0o077


def key(
    file: Annotated[Path, typer.Argument(help="The file for the key: not beside the ledger.")],
    name: Annotated[
        str | None,
        typer.Option("--name", help="The name in the key, such as example.org/judges; by default the file's name."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Show the verification key of a key file.")] = False,
    witness: Annotated[bool, typer.Option("--witness", help="Make the key of a witness: see `witness`.")] = False,
) -> None:
    """Make a key for signing checkpoints, and show its public key."""
    made = read_key(file) if show else make_key(file, name)
    typer.echo(str(made.of_witness if witness else made.verification))
    if show:
        return
    typer.echo(f"{file} signs: keep it secret. The line above verifies: give it to everybody.", err=True)


def make_key(file: Path, name: str | None) -> SigningKey:
    """Make a new key in a new file."""
    try:
        made = SigningKey.generate(file.stem if name is None else name)
    except CheckpointError as error:
        raise UsageProblem(f"{error}: give a --name") from None
    _write_key(file, made)
    return made


def _write_key(file: Path, made: SigningKey) -> None:
    """Write a key file that, from its creation, only its owner can read. Never overwrite a file."""
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageProblem(f"{file} is there already: --show it, or name another file") from None
    except OSError as error:
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None
    try:
        with os.fdopen(descriptor, "w") as stream:
            stream.write(f"{made}\n")
            stream.flush()
            os.fsync(descriptor)
    except OSError as error:  # the disk is full: half a key would be in the way of the next try
        file.unlink()
        raise UsageProblem(f"{file} cannot be written: {error.strerror}") from None


def read_key(file: Path, *, alone: bool = False) -> SigningKey:
    """Return the signing key in a file. If others can read the file, warn or refuse."""
    need_plain(file)
    try:
        made = SigningKey.parse(file.read_text("utf-8"))
        mode = file.stat().st_mode
    except CheckpointError as error:
        raise UsageProblem(f"{file}: {error}") from None
    except UnicodeDecodeError:
        raise UsageProblem(f"{file}: this is not a signing key: make one with `matchledger key`") from None
    except OSError as error:
        raise UsageProblem(f"the key {file} cannot be read: {error.strerror}") from None
    if os.name == "posix" and mode & _OTHERS:
        if alone:
            raise UsageProblem(f"others can read the key {file}: chmod 600 it, or make a new one if they may have")
        typer.echo(f"note: others can read the key {file}: chmod 600 it", err=True)
    return made


def read_verification_keys(texts: list[str] | None, types: Sequence[bytes] = (ED25519,)) -> list[VerificationKey]:
    """Return the keys given with --vkey. Raises UsageProblem for a key that is not of one of these types."""
    try:
        return [VerificationKey.parse(text, types=types) for text in texts or ()]
    except CheckpointError as error:
        raise UsageProblem(str(error)) from None
