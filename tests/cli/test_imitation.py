"""Typed text cannot imitate a line of the program or control the terminal."""

from __future__ import annotations

import io
import json

import pytest
from tests.cli.conftest import Desk

from matchledger.cli.terminal import PlainStream

pytestmark = pytest.mark.finding("A-10")

LINE = "wrong\n99  2026-11-22 10:00:00  Kim (organizer, desk)  Standings of round 9 posted"
ESCAPE = "\x1b[2K\x1b[1A"


@pytest.fixture
def hostile(four: Desk) -> Desk:
    """Return every text option of the commands with a line break in its value."""
    four("report 1 a 2 b")
    assert four("correct 1 1 b", "--reason", LINE).code == 0
    assert four("penalty Ann warning --for other", "--note", LINE, "--reason", LINE).code == 0
    assert four("ruling", LINE, LINE).code == 0
    assert four("call Cy", "--actor", LINE, "--station", LINE).code == 0
    return four


@pytest.mark.parametrize(
    "line", ["log", "integrity", "history Ann", "replay", "explain --table 1", "calls", "conduct", "diff"]
)
def test_no_recorded_text_can_begin_a_new_line_of_output(hostile: Desk, line: str) -> None:
    said = hostile(line)
    assert not [shown for shown in (*said.lines, said.err) if shown.startswith("99  2026")]


def test_no_text_steers_the_terminal_and_json_output_keeps_its_values() -> None:
    beneath = io.StringIO()
    stream = PlainStream(beneath)
    print(f"a reason {ESCAPE}\tand \u202eits end\r", file=stream)
    assert beneath.getvalue() == "a reason \\u001b[2K\\u001b[1A\tand \\u202eits end\\u000d\n"
    beneath.truncate(0)
    beneath.seek(0)
    text = {"reason": "\x9b2J \u202e"}
    stream.writelines([json.dumps(text, ensure_ascii=False)])
    assert beneath.getvalue().isprintable()
    assert json.loads(beneath.getvalue()) == text
