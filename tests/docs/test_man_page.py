"""The man page lists every command with the program's own summary."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tests.golden import Golden

from matchledger.cli.contents import HEADINGS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "matchledger.1"
MARK = ".SH COMMANDS\n"


def _commands() -> Iterator[str]:
    for heading, summaries in HEADINGS.items():
        yield f".SS {heading}\n"
        for name, summary in summaries.items():
            yield f".TP\n.B {_plain(name)}\n{_plain(summary)}.\n"


def _plain(text: str) -> str:
    """Return the text that roff prints."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")


def test_the_man_page_lists_every_command(golden: Golden) -> None:
    head, _, rest = PAGE.read_text("utf-8").partition(MARK)
    tail = rest[rest.index(".SH ") :]
    golden.holds(PAGE, f"{head}{MARK}{''.join(_commands())}{tail}")
