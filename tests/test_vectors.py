"""Vectors of the rule catalogue about Swiss points, byes, tiebreakers, replay and undo: a score sheet goes in, a
table comes out. `fixtures/README.md` explains `expected.json`. People or separate programs computed the numbers
in that file; none is copied from our output.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from freezegun import freeze_time
from pydantic import BaseModel, ConfigDict
from tests.documents import standings_document
from tests.golden import Golden

from matchledger.cli import BAD_INPUT, DONE, run
from matchledger.events import Entry
from matchledger.formats.text import FormatError
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.two_clocks import Clock, about_rounds, position_when_known
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text
from matchledger_projections.standings.crosstable import crosstable
from matchledger_projections.standings.standings import Standings, standings
from matchledger_projections.standings.tiebreaks import Tiebreaks

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

Replay = Callable[[str], Transcription]
Cell = str | int | None


class _Expected(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ExpectedTable(_Expected):
    """The standings at one moment, under the tournament's or another rulebook, and the numbers behind the
    standings.
    """

    title: str
    round: int
    clock: Clock = "as-corrected"
    rulebook: str | None = None
    options: dict[str, str] = {}
    status: dict[str, str] = {}
    win_percentages: dict[str, str] = {}
    records: dict[str, list[tuple[int, str, str | None, int]]] = {}
    columns: list[str]
    rows: list[list[Cell]]


class ExpectedSlip(_Expected):
    """The points of one slip for the two players of its table."""

    vector: str
    round: int
    table: int
    players: tuple[str, str]
    points: tuple[int, int]


class ExpectedPairings(_Expected):
    round: int
    clock: Clock
    tables: list[tuple[str, str]]
    byes: list[str]


class Expected(_Expected):
    """An `expected.json`."""

    vector: str
    sheet: str = "event.sheet"
    refused: str | None = None
    tables: list[ExpectedTable] = []
    slips: list[ExpectedSlip] = []
    pairings: list[ExpectedPairings] = []


@dataclass(frozen=True, slots=True)
class Vector:
    """A fixture: its folder and what it expects."""

    folder: Path
    expected: Expected

    def sheet(self, options: dict[str, str] | None = None) -> str:
        """Return the score sheet, with policies that differ from the default below its first line."""
        first, _, rest = (self.folder / self.expected.sheet).resolve().read_text("utf-8").partition("\n")
        chosen = "".join(f"option {flag}={value}\n" for flag, value in (options or {}).items())
        return f"{first}\n{chosen}{rest}"


VECTORS = [
    Vector(file.parent, Expected.model_validate_json(file.read_bytes()))
    for file in sorted(FIXTURES.glob("*/expected.json"))
]
PLAYED = [vector for vector in VECTORS if vector.expected.refused is None]
REFUSED = [vector for vector in VECTORS if vector.expected.refused is not None]


def _named(vectors: Iterable[Vector]) -> list[ParameterSet]:
    return [pytest.param(vector, id=vector.expected.vector) for vector in vectors]


TABLES = [(vector, table) for vector in PLAYED for table in vector.expected.tables]


def _tables(chosen: Callable[[ExpectedTable], bool] = lambda _: True) -> list[ParameterSet]:
    return [pytest.param(vector, table, id=_id(vector, table)) for vector, table in TABLES if chosen(table)]


def _id(vector: Vector, table: ExpectedTable) -> str:
    return f"{vector.expected.vector}: {table.title}"


# -- every table, in memory and through the command line


@pytest.mark.parametrize(("vector", "table"), _tables())
def test_each_score_sheet_gives_its_expected_standings(
    vector: Vector, table: ExpectedTable, replay: Replay
) -> None:
    draft = replay(vector.sheet(table.options)).draft
    record = _as_of(draft.record, draft.entries, table.round, table.clock)
    found = standings(record, table.round, _law(record, table))
    assert _rows(record, found, table.columns) == table.rows
    assert {name for row in found.rows for name in row.tiebreaks} == set(table.columns[3:])
    assert _status(record, found) == table.status


@pytest.mark.parametrize(("vector", "table"), _tables())
def test_the_command_line_shows_the_expected_standings(
    vector: Vector, table: ExpectedTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = _imported(vector.sheet(table.options), tmp_path, capsys)
    arguments = ["standings", "--ledger", ledger, "--json", "--round", str(table.round), f"--{table.clock}"]
    arguments += ["--rulebook", table.rulebook] if table.rulebook else []
    assert run(arguments) == DONE
    document = json.loads(capsys.readouterr().out)
    assert (document["round"], document["clock"]) == (table.round, table.clock)
    assert document["hypothetical"] == (table.rulebook is not None)
    shown = [
        [
            f"{row['rank'] or '-'}{'=' if row['tied'] else ''}",
            row["player"],
            row["points"],
            *(_shortened(row["tiebreaks"].get(name)) for name in table.columns[3:]),
        ]
        for row in document["standings"]
    ]
    assert shown == table.rows
    assert {
        row["player"]: row["status"] for row in document["standings"] if row["status"] != "active"
    } == table.status


@pytest.mark.parametrize(("vector", "table"), _tables(lambda table: table.clock == "as-corrected"))
def test_no_standings_depend_on_a_later_round(vector: Vector, table: ExpectedTable, replay: Replay) -> None:
    entries = replay(vector.sheet(table.options)).draft.entries
    record = fold(about_rounds(entries, table.round))
    assert _rows(record, standings(record, table.round, _law(record, table)), table.columns) == table.rows


@pytest.mark.parametrize("vector", _named(PLAYED))
def test_two_replays_of_a_log_are_equal_byte_for_byte(vector: Vector, replay: Replay) -> None:
    draft = replay(vector.sheet()).draft
    stored = [entry.model_dump_json() for entry in draft.entries]
    once, again = (fold(Entry.model_validate_json(state) for state in stored) for _ in range(2))
    rounds = range(len(draft.record.rounds()) + 1)
    assert [_shown(once, number) for number in rounds] == [_shown(draft.record, number) for number in rounds]
    assert [_shown(again, number) for number in rounds] == [_shown(once, number) for number in rounds]


# -- the reasons for a table


@pytest.mark.parametrize(
    ("vector", "table", "player"),
    [
        pytest.param(vector, table, player, id=f"{_id(vector, table)}: {player}")
        for vector, table in TABLES
        for player in table.win_percentages
    ],
)
def test_the_own_win_percentage_equals_the_value_that_opponents_use(
    vector: Vector, table: ExpectedTable, player: str, replay: Replay
) -> None:
    record = replay(vector.sheet(table.options)).draft.record
    law = _law(record, table)
    tiebreaks = Tiebreaks(crosstable(record, law, table.round), law, lambda number: crosstable(record, law, number))
    found = tiebreaks.win_percentage.value(_number(record, player))
    assert str(found) == table.win_percentages[player]


@pytest.mark.parametrize(
    ("vector", "table", "player"),
    [
        pytest.param(vector, table, player, id=f"{_id(vector, table)}: {player}")
        for vector, table in TABLES
        for player in table.records
    ],
)
def test_a_record_of_a_player_is_listed_round_by_round(
    vector: Vector, table: ExpectedTable, player: str, replay: Replay
) -> None:
    record = replay(vector.sheet(table.options)).draft.record
    lines = crosstable(record, _law(record, table), table.round).lines(_number(record, player))
    found = [
        (line.round, line.outcome, None if line.opponent is None else _name(record, line.opponent), line.points)
        for line in lines
    ]
    assert found == table.records[player]


@pytest.mark.parametrize(
    ("vector", "slip"),
    [pytest.param(vector, slip, id=slip.vector) for vector in PLAYED for slip in vector.expected.slips],
)
def test_a_slip_gives_the_expected_points(vector: Vector, slip: ExpectedSlip, replay: Replay) -> None:
    record = replay(vector.sheet()).draft.record
    round_ = record.round(slip.round)
    assert round_ is not None
    two = round_.tables[slip.table]
    assert tuple(_name(record, player) for player in two) == slip.players
    table = crosstable(record, record.rulebook, slip.round)
    assert tuple(table.lines(player)[-1].points for player in two) == slip.points


# -- refusals: nothing is recorded


@pytest.mark.parametrize("vector", _named(REFUSED))
def test_the_error_about_a_sheet_names_the_line(
    vector: Vector, replay: Replay, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FormatError) as refusal:
        replay(vector.sheet())
    assert str(refusal.value) == vector.expected.refused
    ledger = tmp_path / "event.ledger"
    sheet = vector.folder / "event.sheet"
    assert run(["import", str(sheet), "--ledger", str(ledger)]) == BAD_INPUT
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"matchledger: {sheet}, {vector.expected.refused}\n")
    assert not ledger.exists()


# -- replay and undo


@pytest.mark.parametrize(
    ("vector", "table"),
    [case for case in TABLES if case[0].expected.sheet == "../tv-x-l5r/event.sheet"],
)
def test_hypothetical_standings_equal_the_standings_under_that_rulebook(
    vector: Vector, table: ExpectedTable, replay: Replay
) -> None:
    assert table.rulebook is not None
    record = replay(vector.sheet().replace("l5r-2018", table.rulebook)).draft.record
    assert record.rulebook.id == table.rulebook
    assert _rows(record, standings(record, table.round), table.columns) == table.rows


@pytest.mark.parametrize(
    ("vector", "expected"),
    [
        pytest.param(vector, expected, id=f"{vector.expected.vector}: round {expected.round}, {expected.clock}")
        for vector in PLAYED
        for expected in vector.expected.pairings
    ],
)
def test_posted_standings_stay_as_posted(vector: Vector, expected: ExpectedPairings, replay: Replay) -> None:
    draft = replay(vector.sheet()).draft
    record = _as_of(draft.record, draft.entries, expected.round, expected.clock)
    round_ = record.round(expected.round)
    assert round_ is not None
    tables = [(_name(record, first), _name(record, second)) for first, second in round_.tables.values()]
    assert tables == expected.tables
    assert [_name(record, bye.player) for bye in round_.byes] == expected.byes


def test_a_retracted_correction_changes_no_standings(replay: Replay) -> None:
    untouched = replay(_vector("TV-X-L5R").sheet()).draft
    restored = replay(_vector("TV-UNDO-4").sheet()).draft
    assert len(restored.entries) == len(untouched.entries) + 2
    kinds = [entry.fact.kind for entry in restored.entries]
    assert kinds == [entry.fact.kind for entry in untouched.entries] + ["result-corrected", "entry-retracted"]
    for number in range(4):
        before, after = _shown(untouched.record, number), _shown(restored.record, number)
        assert after == before.replace(
            f'"position": {untouched.record.position}', f'"position": {restored.record.position}'
        )


def test_every_replay_uses_the_recorded_draw(replay: Replay) -> None:
    entries = replay(_vector("TV-L5R-C").sheet()).draft.entries
    drawn, undrawn = fold(entries), fold(entries[:-1])
    assert [_name(drawn, player) for player in standings(drawn).order] == ["A", "C", "D", "B"]
    assert [[_name(undrawn, player) for player in tie] for tie in standings(undrawn).ties] == [["B", "C", "D"]]


@pytest.mark.parametrize("vector", _named(VECTORS))
def test_a_fixture_names_its_source(vector: Vector) -> None:
    source = (vector.folder / "SOURCE.md").read_text("utf-8")
    assert source.startswith(f"# {vector.expected.vector}\n\n")
    assert vector.folder.name == vector.expected.vector.lower()


# -- posted standings, byte for byte

GOLDEN = [
    ("STORE-CHAMPIONSHIP", "standings.txt", ["standings"]),
    ("STORE-CHAMPIONSHIP", "standings-after-round-2.txt", ["standings", "--round", "2"]),
    ("STORE-CHAMPIONSHIP", "standings-after-round-1-as-known.txt", ["standings", "--round", "1", "--as-known"]),
    ("STORE-CHAMPIONSHIP", "pairings-of-round-5.txt", ["pairings", "--round", "5"]),
    ("STORE-CHAMPIONSHIP", "log.txt", ["log"]),
    ("TV-PKM-A", "standings.txt", ["standings"]),
    ("TV-ASH-B", "standings.txt", ["standings"]),
    ("TV-SWR-C", "standings.txt", ["standings"]),
]


@pytest.mark.usefixtures("quiet_afternoon")
@pytest.mark.parametrize(
    ("name", "file", "command"), [pytest.param(*case, id=f"{case[0]}: {case[1]}") for case in GOLDEN]
)
def test_command_output_matches_its_golden_file(
    name: str,
    file: str,
    command: list[str],
    golden: Golden,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    vector = _vector(name)
    ledger = _imported(vector.sheet(), tmp_path, capsys)
    assert run([*command, "--ledger", ledger]) == DONE
    golden.holds(vector.folder / file, capsys.readouterr().out)


@pytest.fixture
def quiet_afternoon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test has the same time, time zone and secret."""
    monkeypatch.setattr("secrets.token_bytes", lambda size: bytes(range(size)))
    with monkeypatch.context() as zone, freeze_time("2026-05-02 14:20:00"):
        zone.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


# -- helpers


def _vector(name: str) -> Vector:
    return next(vector for vector in VECTORS if vector.expected.vector == name)


def _as_of(record: Record, entries: list[Entry], round_: int, clock: Clock) -> Record:
    if clock == "as-corrected":
        return record
    return fold(entries[: position_when_known(record, entries, round_)])


def _law(record: Record, table: ExpectedTable) -> Rulebook:
    return record.rulebook if table.rulebook is None else parse_rulebook(rulebook_text(table.rulebook))


def _rows(record: Record, found: Standings, columns: list[str]) -> list[list[Cell]]:
    return [
        [
            f"{row.rank or '-'}{'=' if row.tied else ''}",
            _name(record, row.player),
            row.points,
            *(str(row.tiebreaks[name]) if name in row.tiebreaks else None for name in columns[3:]),
        ]
        for row in found.rows
    ]


def _status(record: Record, found: Standings) -> dict[str, str]:
    return {_name(record, row.player): row.status for row in found.rows if row.status != "active"}


def _shown(record: Record, round_: int) -> str:
    return json.dumps(standings_document(record, round_))


def _shortened(value: str | None) -> str | None:
    """Return a fraction of a document, "p/q", in the form that readers see: without "/1"."""
    return None if value is None else value.removesuffix("/1")


def _imported(sheet: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    file, ledger = folder / "event.sheet", folder / "event.ledger"
    file.write_text(sheet, "utf-8")
    assert run(["import", str(file), "--ledger", str(ledger)]) == DONE
    capsys.readouterr()
    return str(ledger)


def _name(record: Record, player: int) -> str:
    return record.players[player].name


def _number(record: Record, name: str) -> int:
    return next(number for number, player in record.players.items() if player.name == name)
