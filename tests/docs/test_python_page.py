"""The example on the Python page runs unchanged, and can read any moment."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import matchledger
from matchledger.ledger import Contradiction

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"


def test_the_example_in_the_python_page_shows_the_standings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    [example] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    exec(compile(example, PAGE.name, "exec"), {})  # noqa: S102 - our own page
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert sorted(line[1] for line in lines) == ["Ann", "Bo", "Cy", "Di"]
    assert sorted(line[2] for line in lines) == ["0", "0", "3", "3"]
    with matchledger.Event.open("friday.ledger") as event:
        assert [row.points for row in event.standings(as_of="5").rows] == [0] * 4
        assert event.preview("drop-player", player=1).consequences.facts
        with pytest.raises(Contradiction, match="another result"):
            event.execute("report-slip", table=1, outcome="0-3")
        assert len(event.execute("drop-player", player=1, id="once").entries) == 1
        assert event.execute("drop-player", player=1, id="once").repeated
