"""Writers: a log in the form of another program, read back equal as far as the form can hold it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from tests.conftest import Replay

from matchledger.formats.log_transcript import transcript_of
from matchledger.formats.reader import read_transcript
from matchledger.formats.writer import WRITERS, write_transcript
from matchledger.service.importing import transcribe
from matchledger.service.official_numbers import compare
from matchledger_projections.record.record import Record
from matchledger_projections.standings.standings import standings

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"

REPLAYED = [
    path
    for path in sorted(FIXTURES.glob("*/event.sheet"))
    if "refused" not in (path.parent / "expected.json").read_text("utf-8")
]

NETRUNNER = """\
rulebook netrunner-2023
event "Game Night"
players Ann "Bo Lee" Cy Di Eva
round 1
  Ann 6-0 "Bo Lee"
  Cy 4-1 Di
  Eva bye
round 2
  Ann 3-3 Cy
  "Bo Lee" 6-0 Eva
  Di bye
drop Di
round 3
  Ann 0-6 Eva
  Cy 6-0 "Bo Lee"
"""

POKEMON = """\
rulebook pokemon-tom
event "League Challenge"
player "Ann Lee" division=masters born=1990
player Bo division=masters born=1991
player Cy division=masters born=1992
player Di division=masters born=1993
round 1
  "Ann Lee" > Bo
  Cy = Di
late Eva 1
round 2
  "Ann Lee" > Cy
  Bo > Di
  Eva bye
drop Bo
round 3
  Eva > Cy
  "Ann Lee" > Di
"""

MAGIC = """\
rulebook magic-mtr
event "Friday Night"
players Ann Bo Cy Di
round 1
  Ann > Bo 2-1
  Cy = Di 1-1-1
round 2
  Cy > Ann 2-0
  Bo > Di 2-0
cut 2
elimination 1
  Cy > Bo 2-1
"""


def table(record: Record) -> list[tuple[object, ...]]:
    """The Swiss standings: rank, name, points and tiebreakers of each player."""
    rows = standings(record, record.finished_rounds).rows
    return [(row.rank, record.players[row.player].name, row.points, tuple(row.tiebreaks.values())) for row in rows]


def read_back(record: Record, form: str) -> Record:
    data, _ = write_transcript(transcript_of(record), form)
    return transcribe(read_transcript(data, form), data=data, source="back", secret=bytes(32)).draft.record


@pytest.mark.parametrize("sheet", [NETRUNNER, POKEMON, MAGIC], ids=["netrunner", "pokemon", "magic"])
def test_a_sheet_that_is_written_is_read_back_with_the_same_standings(replay: Replay, sheet: str) -> None:
    record = replay(sheet).draft.record
    assert table(read_back(record, "sheet")) == table(record)


@pytest.mark.parametrize("path", REPLAYED, ids=lambda path: path.parent.name)
def test_every_fixture_comes_back_from_its_own_sheet(replay: Replay, path: Path) -> None:
    record = replay(path.read_text("utf-8")).draft.record
    assert table(read_back(record, "sheet")) == table(record)


@pytest.mark.parametrize(("form", "sheet"), [("cobra", NETRUNNER), ("tom", POKEMON)])
def test_the_own_software_of_a_game_gets_the_same_standings(replay: Replay, form: str, sheet: str) -> None:
    record = replay(sheet).draft.record
    assert table(read_back(record, form)) == table(record)


def test_the_official_numbers_of_an_exported_file_are_those_of_the_log(replay: Replay) -> None:
    data, _ = write_transcript(transcript_of(replay(NETRUNNER).draft.record), "cobra")
    transcript = read_transcript(data)
    record = transcribe(transcript, data=data, source="x", secret=bytes(32)).draft.record
    assert transcript.official is not None
    assert list(transcript.official.values["Ann"]) == [
        "points",
        "strength_of_schedule",
        "extended_strength_of_schedule",
    ]
    assert compare(record, transcript.official).mismatches == []


def test_a_file_that_cannot_hold_something_says_so(replay: Replay) -> None:
    record = replay(MAGIC.replace("cut 2\n", "correct 1 Ann > Bo 2-0\ncut 2\n")).draft.record
    _, left_out = write_transcript(transcript_of(record), "tom")
    assert left_out == ["1 correction: the result that counts is written", "games and scores inside a match"]


@pytest.mark.parametrize("form", ["tcg-plus", "carde"])
def test_the_columns_of_a_publisher_are_its_own(replay: Replay, form: str) -> None:
    data, left_out = write_transcript(transcript_of(replay(MAGIC).draft.record), form)
    heading, first, *_ = csv.reader(io.StringIO(data.decode()))
    assert heading == ["Ranking", "Membership Number", "User Name", "Win Points", "OMW %", "OOMW %"]
    assert first == ["1", "", "Cy", "4", "41.50", ""]
    assert "membership numbers of 4 players: none was registered" in left_out


def test_a_name_that_looks_like_a_formula_is_a_text_in_a_spreadsheet(replay: Replay) -> None:
    sheet = 'rulebook pokemon-tom\nplayers "=A1+2" Bo\nround 1\n  "=A1+2" > Bo\n'
    data, _ = write_transcript(transcript_of(replay(sheet).draft.record), "csv")
    assert "'=A1+2" in data.decode()


def test_every_format_that_is_read_from_a_program_in_use_is_written() -> None:
    assert list(WRITERS) == ["sheet", "cobra", "tom", "tcg-plus", "carde", "csv"]
