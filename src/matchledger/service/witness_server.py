"""A witness's server: ask the server to cosign the last checkpoint of a log (C2SP tlog-witness)."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from http import HTTPStatus
from typing import Any
from uuid import UUID

from matchledger.commands.witnesses import KeepCosignature
from matchledger.ledger import Ledger
from matchledger.notation.problems import UsageProblem
from matchledger.proof.checkpoint import Checkpoint, Signature
from matchledger.proof.keys import CheckpointError
from matchledger.proof.witness import PATH, RolledBack
from matchledger.service.witnessing import submission_of
from matchledger_projections.message import one_line, sentence, word

_SERVER = re.compile(r"https?://\S+")
_PATIENCE = 30  # seconds
_LONGEST = 100_000  # the most bytes of an answer
# Try again, because another station may ask the witness at the same time and change the number of entries that it
# saw.
_ATTEMPTS = 3


def is_server(source: str) -> bool:
    """Return whether a text is the address of a server."""
    return _SERVER.fullmatch(source) is not None


def cosigned_by(server: str, key: str, ledger: Ledger, tournament: UUID) -> KeepCosignature:
    """Return the command that stores the server's cosignature under the last checkpoint. `key` is the key of the
    witness.

    Raises RolledBack if the server saw a different log, and UsageProblem if the server does not answer or refuses.
    """
    if not is_server(server):
        raise UsageProblem(sentence("%(text)r is not the address of a server: write http...", text=server))
    address, seen = f"{server.rstrip('/')}{PATH}", 0
    for _ in range(_ATTEMPTS):
        submission = submission_of(ledger, tournament, seen)
        if submission is None:
            raise UsageProblem(sentence("no checkpoint was signed yet: sign one first"))
        size = Checkpoint.parse(submission.note.text).head.size
        if seen > size:
            raise RolledBack(
                sentence(
                    "%(server)s saw %(seen)s entries, and the last checkpoint has %(size)s",
                    server=server,
                    seen=seen,
                    size=size,
                )
            )
        status, said = answer_of(address, str(submission).encode(), {"content-type": "text/plain"})
        text = said.decode("utf-8", "replace").strip()
        if status == HTTPStatus.OK:
            try:
                note = submission.note.cosigned(*map(Signature.parse, text.split("\n")))
            except CheckpointError as problem:
                raise _problem(address, problem) from None
            return KeepCosignature(note=str(note), key=key)
        if status == HTTPStatus.UNPROCESSABLE_ENTITY:
            raise RolledBack(word(one_line(text)))
        if status != HTTPStatus.CONFLICT or not re.fullmatch("[0-9]{1,18}", text):
            break
        if int(text) == seen:
            raise RolledBack(sentence("%(server)s saw another log of %(seen)s entries", server=server, seen=seen))
        seen = int(text)
    raise UsageProblem(
        sentence("%(address)s refuses: %(problem)s", address=address, problem=one_line(text) or str(status))
    )


def answer_of(address: str, data: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
    """Return the status and the body of the answer to an HTTP request. A request with a body follows no
    redirection. Raises UsageProblem if no answer comes.
    """
    request = urllib.request.Request(address, data, headers)  # noqa: S310 - callers allow http and https only
    opener = urllib.request.build_opener() if data is None else urllib.request.build_opener(_NoRedirection)
    try:
        with opener.open(request, timeout=_PATIENCE) as answer:
            return answer.status, answer.read(_LONGEST)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read(_LONGEST)
    except (OSError, ValueError) as problem:
        raise _problem(address, getattr(problem, "reason", problem)) from None


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _problem(address: str, problem: object) -> UsageProblem:
    return UsageProblem(
        sentence("%(address)s does not answer: %(problem)s", address=address, problem=one_line(str(problem)))
    )
