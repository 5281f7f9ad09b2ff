"""A witness as a server: `add-checkpoint` of C2SP tlog-witness."""

from __future__ import annotations

import re
import sys

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from matchledger.proof.checkpoint import Checkpoint
from matchledger.proof.keys import CheckpointError
from matchledger.proof.witness import PATH, RolledBack, Submission
from matchledger.service.witnessing import Witness
from matchledger.web.limit import Limit
from matchledger.web.pages.asking import address_of
from matchledger.web.security import LARGEST_OF_A_STRANGER

SIZE_TYPE = "text/x.tlog.size"
TIMES, SECONDS = 60, 60.0  # how many requests one address may send, in how many seconds
_ORIGIN = re.compile(r"matchledger/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class _Refused(Exception):
    """The status and the reason of a refused request."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def create_witness(witness: Witness) -> Starlette:
    """Return the server of a witness. Anybody may send a checkpoint, because it counts only with the signature of
    a known log.
    """
    limit = Limit(TIMES, SECONDS)

    async def add_checkpoint(request: Request) -> Response:
        try:
            body = await _body(request, limit)
            # The function uses no thread, because the stored checkpoint must not change between the check and the
            # signature.
            return _answer(witness, body)
        except _Refused as problem:
            return PlainTextResponse(f"{problem}\n", problem.status)

    return Starlette(routes=[Route(PATH, add_checkpoint, methods=["POST"])])


async def _body(request: Request, limit: Limit) -> bytes:
    if not limit.allows(address_of(request)):
        raise _Refused(429, f"more than {TIMES} requests a minute: wait")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LARGEST_OF_A_STRANGER:
            raise _Refused(413, f"more than {LARGEST_OF_A_STRANGER // 1000} kB")
    return bytes(body)


def _answer(witness: Witness, body: bytes) -> Response:
    try:
        submission = Submission.parse(body.decode())
        checkpoint = Checkpoint.parse(submission.note.text)
    except (UnicodeDecodeError, CheckpointError) as problem:
        raise _Refused(400, str(problem)) from None
    if not _ORIGIN.fullmatch(checkpoint.origin):
        raise _Refused(404, "this witness knows no such log")
    if not submission.note.signers(witness.logs):
        raise _Refused(403, "the checkpoint is not signed with a key that this witness knows")
    if submission.old > checkpoint.head.size:
        raise _Refused(400, "the old size is larger than the checkpoint")
    seen = witness.seen(checkpoint.origin)
    size = 0 if seen is None else seen.size
    signed_twice = seen is not None and checkpoint.head.size == size and checkpoint.head != seen
    if signed_twice:
        sys.stderr.write(
            f"SIGNED TWO LOGS of {size} entries. One is in {witness.folder}, the other here:\n{submission.note}"
        )
    if submission.old != size or signed_twice:
        return Response(f"{size}\n", 409, media_type=SIZE_TYPE)
    if not size and submission.proof:
        raise _Refused(422, "a proof from size 0 is empty")
    try:
        return PlainTextResponse(f"{witness.cosign(submission)}\n")
    except RolledBack as problem:
        raise _Refused(422, str(problem)) from None
    except OSError:
        raise _Refused(500, "what was seen cannot be kept: nothing is cosigned") from None
