"""Style sheets, scripts and the typeface: files whose address changes with their content."""

from __future__ import annotations

import gzip
import os
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_TEXTS = (".css", ".js", ".svg", ".txt")  # the typeface is packed already


class Unchanging(StaticFiles):
    """Send the files, packed if the browser can unpack them, so that a slow phone shows its first text early.

    A file that a script imports has a fixed address, so browsers ask again each time whether the file has changed.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        answer = await super().get_response(path, scope)
        lasting = b"v=" in scope["query_string"]
        answer.headers["cache-control"] = "public, max-age=31536000, immutable" if lasting else "no-cache"
        return answer

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        answer = super().file_response(full_path, stat_result, scope, status_code)
        path = Path(full_path)
        if path.suffix not in _TEXTS:
            return answer
        answer.headers["vary"] = "accept-encoding"
        if answer.status_code != status_code or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            return answer
        kept = {name: answer.headers[name] for name in ("content-type", "etag", "last-modified", "vary")}
        return Response(_packed(path, stat_result.st_mtime_ns), headers=kept | {"content-encoding": "gzip"})


@cache
def _packed(path: Path, changed: int) -> bytes:  # noqa: ARG001 - a changed file is packed again
    return gzip.compress(path.read_bytes(), mtime=0)
