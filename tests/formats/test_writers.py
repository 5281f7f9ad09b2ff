"""Writers: a log in another program's format reads back as equal as the format allows."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from pathlib import Path

import pytest
from tests.conftest import Replay
from tests.desk import RunCli

from matchledger.commands import results as slips
from matchledger.commands import swiss as rounds
from matchledger.formats.log_transcript import transcript_of
from matchledger.formats.reader import read_transcript
from matchledger.formats.text import FormatError
from matchledger.formats.transcript import OfficialNumbers
from matchledger.formats.writer import WRITERS, write_transcript
from matchledger.ledger import open_ledger
from matchledger.notation.slip import Written
from matchledger.service.importing import transcribe
from matchledger.service.official_numbers import compare
from matchledger_projections.record.record import Record
from matchledger_projections.stages.placing import places
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
    """Return the Swiss standings: rank, name, points and tiebreakers of each player."""
    rows = standings(record, record.finished_rounds).rows
    return [(row.rank, record.players[row.player].name, row.points, tuple(row.tiebreaks.values())) for row in rows]


def read_back(record: Record, form: str) -> Record:
    data, _ = write_transcript(transcript_of(record), form)
    return transcribe(read_transcript(data, form), data=data, source="back", secret=bytes(32)).draft.record


@pytest.mark.parametrize("sheet", [NETRUNNER, POKEMON, MAGIC], ids=["netrunner", "pokemon", "magic"])
def test_a_written_sheet_can_be_read_back_with_the_same_standings(replay: Replay, sheet: str) -> None:
    record = replay(sheet).draft.record
    assert table(read_back(record, "sheet")) == table(record)


@pytest.mark.parametrize("path", REPLAYED, ids=lambda path: path.parent.name)
def test_the_sheet_written_from_a_fixture_gives_the_fixture(replay: Replay, path: Path) -> None:
    record = replay(path.read_text("utf-8")).draft.record
    assert table(read_back(record, "sheet")) == table(record)


@pytest.mark.parametrize(("form", "sheet"), [("cobra", NETRUNNER), ("tom", POKEMON)])
def test_the_software_of_each_game_gets_the_same_standings(replay: Replay, form: str, sheet: str) -> None:
    record = replay(sheet).draft.record
    assert table(read_back(record, form)) == table(record)


def test_an_exported_file_has_the_numbers_of_the_log(replay: Replay) -> None:
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


def test_a_cobra_file_has_the_points_behind_its_numbers(replay: Replay) -> None:
    """A Cobra file writes a Magic win as 3-0 and a draw as 1-1. Reading the file back gives the same points."""
    record = replay(MAGIC.replace("round 2", "late Eva 1\nround 2").replace("> Di 2-0", "> Di 2-0\n  Eva bye"))
    transcript = transcript_of(record.draft.record)
    data, left_out = write_transcript(transcript, "cobra")
    assert left_out == [
        "the rulebook magic-mtr: such a file is read under netrunner-2023",
        "losses that late players were charged with",
        "games inside a match",
    ]
    again = read_transcript(data)
    back = transcribe(again, data=data, source="x", secret=bytes(32)).draft.record
    points = {
        name: numbers["points"] for name, numbers in (transcript.official or OfficialNumbers()).values.items()
    }
    assert {name: str(got) for _, name, got, _ in table(back)} == points
    assert compare(back, again.official).compared["points"] == (5, 5)


def test_cobra_keeps_a_double_loss_in_a_bracket(replay: Replay) -> None:
    sheet = NETRUNNER.replace("round 2", "late Fay 1\nround 2").replace("  Di bye", "  Di 6-0 Fay")
    record = replay(
        f"{sheet}cut 4 Cy Ann Eva Fay\nelimination 1\n  Cy = Fay double-loss\n  Ann > Eva\n"
    ).draft.record
    data, left_out = write_transcript(transcript_of(record), "cobra")
    assert left_out == []
    back = transcribe(read_transcript(data), data=data, source="x", secret=bytes(32)).draft.record
    for found in (record, back):
        [bracket] = found.rounds("elimination")
        assert [report and report.slip.kind for _, _, report in bracket.results()] == ["double-loss", "win"]


CUT = """\
cut 4 Cy Ann Eva Fay
elimination 1
  Cy > Fay
  Ann > Eva
elimination 2
  Ann > Cy
close
"""


def test_cobra_keeps_a_closed_event_with_a_cut_closed(replay: Replay) -> None:
    """The file has the final ranks of the cut, so it also tells that the event is over."""
    sheet = NETRUNNER.replace("round 2", "late Fay 1\nround 2").replace("  Di bye", "  Di 6-0 Fay")
    record = replay(sheet + CUT).draft.record
    data, left_out = write_transcript(transcript_of(record), "cobra")
    assert left_out == []
    assert [player["rank"] for player in json.loads(data)["eliminationPlayers"]] == [2, 1, 3, 4]
    back = transcribe(read_transcript(data), data=data, source="x", secret=bytes(32)).draft.record
    assert back.closing is not None
    assert [place.first for place in places(back)] == [place.first for place in places(record)]
    still_open = replay(sheet + CUT.replace("close\n", "")).draft.record
    assert read_back(still_open, "cobra").closing is None


def test_cobra_export_reports_a_missing_end_and_missing_results(replay: Replay) -> None:
    _, open_yet = write_transcript(transcript_of(replay(NETRUNNER).draft.record), "cobra")
    assert open_yet == ["that the event goes on: every round is reported, and the file is read as a closed event"]
    lost = NETRUNNER.replace("Ann 0-6 Eva", "Ann = Eva double-loss") + 'cut 4 Cy Ann Eva "Bo Lee"\nclose\n'
    _, closed = write_transcript(transcript_of(replay(lost).draft.record), "cobra")
    assert closed == ["the closing: a place in the cut is not decided, and the file is read as an open event"]
    conceded = MAGIC.replace("Bo > Di 2-0", "Bo > Di concession")
    for form, written in (("cobra", "points"), ("tom", "a win or a tie")):
        _, left_out = write_transcript(transcript_of(replay(conceded).draft.record), form)
        assert f"kinds of result: concession written as {written}" in left_out


def test_an_export_reports_what_it_leaves_out(replay: Replay) -> None:
    record = replay(MAGIC.replace("cut 2\n", "correct 1 Ann > Bo 2-0\ncut 2\n")).draft.record
    _, left_out = write_transcript(transcript_of(record), "tom")
    assert left_out == [
        "1 correction: the result that counts is written",
        "the rulebook magic-mtr: such a file is read under pokemon-tom",
        "games inside a match",
    ]


DIVISIONS = """\
rulebook pokemon-tom
event "City Cup"
option POL-TOM-LATE=behind
player Ann division=junior born=2015 membership=4711
player Bo division=junior born=2016
player Cy division=masters born=1992
player Di division=masters born=1993
player Ed division=masters born=1994
player Fay division=masters clan=Crane
round 1
  Ann > Bo
  Cy > Di
  Ed = Fay
late Gus 1 losses=none
drop Bo decked
round 2
  Ann > Gus
  Cy > Ed
  Di > Fay
disqualify Fay
rejoin Bo losses=none
round 3
  Bo > Ann rematch
  Cy > Gus
  Di > Ed
cut junior=2 masters=2
elimination 1
  Bo > Ann
  Cy > Di
"""


@pytest.mark.parametrize("form", ["sheet", "tom", "cobra"])
def test_divisions_drops_and_a_cut_are_read_back_or_reported_as_left_out(replay: Replay, form: str) -> None:
    """The sheet and TOM keep the divisions. Cobra's file keeps the points, and the export names what it loses."""
    record = replay(DIVISIONS).draft.record
    data, left_out = write_transcript(transcript_of(record), form)
    back = transcribe(read_transcript(data, form), data=data, source="back", secret=bytes(32)).draft.record
    assert len(back.rounds()) == 3
    assert [round_.tables.keys() for round_ in back.rounds("elimination")] == [{1, 2}]
    if form == "sheet":
        assert left_out == []
        assert table(back) == table(record)
        assert back.players[1].person == record.players[1].person
        assert [cut.seeds for cut in back.cuts] == [cut.seeds for cut in record.cuts]
    left = {
        "tom": {
            "policies: POL-TOM-LATE=behind",
            "other columns of the roster: clan",
            "disqualifications: written as players who left, without a place to compare",
            "why players left: decked",
            "which division each player of the cut belongs to",
        },
        "cobra": {
            "the rulebook pokemon-tom: such a file is read under netrunner-2023",
            "policies: POL-TOM-LATE=behind",
            "divisions and years of birth",
            "membership numbers",
            "other columns of the roster: clan",
            "disqualifications: written as players who left, without a place to compare",
            "why players left: decked",
            "which division each player of the cut belongs to",
        },
    }
    assert set(left_out) == left.get(form, set())
    if form == "tom":
        assert {row[1:3] for row in table(back)} == {row[1:3] for row in table(record)}
        assert [player.division for player in back.entered()][:6] == ["junior"] * 2 + ["masters"] * 4
        assert back.players[1].person.details == {"membership": "4711"}


@pytest.mark.parametrize("rulebook", ["yu-gi-oh", "lorcana", "one-piece"])
def test_a_sheet_keeps_a_double_loss_with_games(replay: Replay, rulebook: str) -> None:
    sheet = f"rulebook {rulebook}\nplayers A B C D\nround 1\n  A = B double-loss 1-0\n  C = D double-loss 0-1-0\n"
    record = replay(sheet).draft.record
    back = read_back(record, "sheet")
    for found in (record, back):
        slips = [report.slip for _, _, report in found.rounds()[0].results() if report is not None]
        assert [(slip.kind, slip.winner, slip.games) for slip in slips] == [
            ("double-loss", None, (1, 0, 0)),
            ("double-loss", None, (0, 1, 0)),
        ]


@pytest.mark.parametrize("form", ["tcg-plus", "carde", "csv"])
def test_csv_lists_a_disqualified_player_last(replay: Replay, form: str) -> None:
    record = replay(MAGIC.partition("cut")[0] + "disqualify Cy\n").draft.record
    _, left_out = write_transcript(transcript_of(record), form)
    assert "disqualifications: Cy listed last, without a rank" in left_out


@pytest.mark.parametrize(("form", "sheet"), [("cobra", NETRUNNER), ("tom", POKEMON)])
@pytest.mark.parametrize("end", ["drop", "disqualify"])
def test_an_exported_file_passes_its_check_after_the_leader_dropped(
    replay: Replay, form: str, sheet: str, end: str
) -> None:
    leader = {"cobra": "Eva", "tom": '"Ann Lee"'}[form]
    data, _ = write_transcript(transcript_of(replay(f"{sheet}{end} {leader}\n").draft.record), form)
    transcript = read_transcript(data)
    record = transcribe(transcript, data=data, source="x", secret=bytes(32)).draft.record
    found = compare(record, transcript.official)
    assert found.mismatches == []
    compared = {name for order in (transcript.official or OfficialNumbers()).orders.values() for name in order}
    assert (leader.strip('"') in compared) == (end == "drop")


def test_a_sheet_keeps_odd_names_and_impossible_scores(replay: Replay) -> None:
    sheet = (
        'rulebook magic-melee\nplayers "round" "A = B" "#9" bye4\nround 1\n'
        '  "round" > "A = B" 3-0 as-found\n  "#9" = bye4 2-2-0 as-found\nround 2\n  "#9" > "round" 2-0\n'
        '  "A = B" = bye4 0-0-3\ncut 2 "A = B" "round"\nelimination 1\n  "round" > "A = B"\n'
    )
    record = replay(sheet).draft.record
    assert table(read_back(record, "sheet")) == table(record)
    assert read_back(record, "sheet").cuts[0].seeds == (2, 1)
    assert write_transcript(transcript_of(record), "sheet")[0].count(b"as-found") == 2
    negative = replay(NETRUNNER.replace("Cy 4-1 Di", "Cy 4--1 Di as-found")).draft.record
    for form in ("sheet", "cobra"):
        assert table(read_back(negative, form)) == table(negative)
    with pytest.raises(FormatError, match="line 4: 3-0 is impossible"):
        replay(sheet.replace(" as-found", ""))


def test_an_export_names_entries_that_another_program_cannot_store(
    run_cli: RunCli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.ledger"
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(path))
    run_cli("open", "Friday", "--rulebook", "magic-mtr")
    for name in ("Ann", 'Bo "The Bolt" Lee'):
        run_cli("register", name)
    run_cli("announce", "--rounds", "1", "--cut", "0", "--reason", "short")
    run_cli("pair")
    run_cli("penalty", "Ann", "warning", "--for", "slow-play")
    run_cli("report", "1", "2-1")
    run_cli("post")
    with open_ledger(path) as ledger:
        [tournament] = ledger.tournaments()
        data, left_out = write_transcript(transcript_of(ledger.record(tournament)), "sheet")
    assert left_out == [
        "the announced structure",
        "penalties",
        "postings",
        "double quotes in names: written as single ones",
    ]
    assert "player \"Bo 'The Bolt' Lee\"" in data.decode()


@pytest.mark.parametrize("form", ["tcg-plus", "carde"])
def test_each_publisher_gets_its_own_columns(replay: Replay, form: str) -> None:
    data, left_out = write_transcript(transcript_of(replay(MAGIC).draft.record), form)
    heading, first, *_ = csv.reader(io.StringIO(data.decode()))
    assert heading == ["Ranking", "Membership Number", "User Name", "Win Points", "OMW %", "OOMW %"]
    assert first == ["1", "", "Cy", "4", "41.50", ""]
    assert left_out == [
        "the rounds",
        "the elimination stage and the final places: these are the Swiss standings",
        "tiebreakers without a column: game_win_percentage, opponents_game_win_percentage",
        "nothing to write under OOMW %",
        "membership numbers of 4 players: none was registered",
    ]


def test_tom_keeps_seeds_that_the_tables_do_not_show(replay: Replay) -> None:
    """The first tables are Ann - Dan and Cat - Bob, but the order of the tables does not show the seeds."""
    sheet = (
        "rulebook pokemon-tom\nplayers Ann Bob Cat Dan\nround 1\n  Ann > Bob\n  Cat > Dan\n"
        "round 2\n  Ann > Cat\n  Bob > Dan\nround 3\n  Ann > Dan\n  Cat > Bob\n"
        "cut 4 Ann Cat Bob Dan\nelimination 1\n  Ann > Dan\n  Cat > Bob\n"
    )
    record = replay(sheet).draft.record
    back = read_back(record, "tom")
    assert [cut.seeds for cut in back.cuts] == [cut.seeds for cut in record.cuts] == [(1, 3, 2, 4)]


def test_a_name_that_looks_like_a_formula_is_text_in_a_spreadsheet(replay: Replay) -> None:
    sheet = 'rulebook pokemon-tom\nplayers "=A1+2" Bo\nround 1\n  "=A1+2" > Bo\n'
    data, _ = write_transcript(transcript_of(replay(sheet).draft.record), "csv")
    assert "'=A1+2" in data.decode()


def test_every_format_that_events_use_can_be_written() -> None:
    assert list(WRITERS) == ["sheet", "cobra", "tom", "tcg-plus", "carde", "csv"]


@pytest.mark.parametrize("form", ["cobra", "tom"])
def test_a_file_written_during_a_round_has_consistent_results(replay: Replay, form: str) -> None:
    """The points in the file include the result of the table that has reported."""
    rulebook = "netrunner-2023" if form == "cobra" else "pokemon-tom"
    won = "6-0" if form == "cobra" else ">"
    draft = replay(f"rulebook {rulebook}\nplayers A B C D\nround 1\n  A {won} B\n  C {won} D\n").draft
    draft.decide(partial(rounds.pair_round, secret=bytes(32)))
    slip = Written("score", scores=(6, 0)) if form == "cobra" else Written("win", winner=0)
    draft.decide(partial(slips.report, table=1, written=slip))
    data, _ = write_transcript(transcript_of(draft.record), form)
    again = read_transcript(data, form)
    back = transcribe(again, data=data, source="back", secret=bytes(32)).draft.record
    found = compare(back, again.official)
    assert found.mismatches == []
    assert found.order[1] > 0
