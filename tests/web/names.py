"""Names on pages, for tests that read a page as text."""

from __future__ import annotations

import re


def plain(page: str) -> str:
    """Return a page whose names are not marked up."""
    return re.sub(r"<([bi])(?: class=\"(?:whole|held)\")?>([^<\d][^<]*)</\1>", r"\2", page)
