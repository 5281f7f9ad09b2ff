"""History: every entry about a player, a match or another entry, and what later happened to each."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.event import deciding

from matchledger.cli import run
from matchledger.commands import cuts
from matchledger.commands import results as slips
from matchledger.commands import tournaments as opening
from matchledger.ledger import Draft
from matchledger.service.importing import Transcription
from matchledger_projections.views.history import Touch, history_of_entry, history_of_player, history_of_table

Replay = Callable[[str], Transcription]

SHEET = """\
rulebook l5r-2018
players A B C D
round 1
  A > B
  C > D
round 2
  A > C
  B - D
correct 1 B > A modified-win
retract 1 A B
"""


def played(replay: Replay) -> Draft:
    return replay(SHEET.replace("  B - D", "  B > D")).draft


def brief(touches: list[Touch]) -> list[tuple[int, str, bool]]:
    return [(touch.entry.position, touch.what, touch.counts) for touch in touches]


def test_the_history_of_a_match_has_its_pairing_slip_correction_and_retraction(replay: Replay) -> None:
    draft = played(replay)
    touches = history_of_table(draft.entries, draft.record, "swiss", 1, 1)
    assert brief(touches) == [
        (7, "paired: A against B", True),
        (8, "round 1, table 1: A beat B", True),
        (13, "round 1, table 1 corrected (was entry 8): B beat A (modified-win)", False),
        (14, "entry 13 retracted", True),
    ]
    assert [(touch.superseded_by, touch.retracted_by) for touch in touches] == [
        ((), ()),
        ((13,), ()),
        ((), (14,)),
        ((), ()),
    ]


def test_the_history_of_a_player_has_every_entry_with_the_name(replay: Replay) -> None:
    draft = played(replay)
    draft.decide(deciding(opening.PostStandings))
    draft.decide(partial(cuts.make_cut, size=2, seeds=(1, 3)))
    assert brief(history_of_player(draft.entries, draft.record, 2)) == [
        (4, "B registered as number 2", True),
        (7, "round 1 paired: table 1 against A", True),
        (8, "round 1, table 1: A beat B", True),
        (10, "round 2 paired: table 2 against D", True),
        (12, "round 2, table 2: B beat D", True),
        (13, "round 1, table 1 corrected (was entry 8): B beat A (modified-win)", False),
        (14, "entry 13 retracted", True),
        (15, "standings after round 2 posted: at place 2 (tied) with 11 TP", True),
    ]
    assert brief(history_of_player(draft.entries, draft.record, 3))[-1] == (
        16,
        "cut to 2 after round 2: A, C",
        True,
    )


def test_the_history_of_an_entry_has_the_whole_chain(replay: Replay) -> None:
    draft = played(replay)
    draft.decide(lambda record: slips.retract(record, entry=draft.entries[13]))
    for position in (8, 13, 14, 15):
        chain = history_of_entry(draft.entries, draft.record, position)
        assert [(touch.entry.position, touch.counts) for touch in chain] == [
            (8, False), (13, True), (14, False), (15, True),
        ]  # fmt: skip


def test_histories_include_late_arrivals_drops_byes_and_amendments(replay: Replay) -> None:
    sheet = "rulebook l5r-2018\nplayers A B C\nround 1\n A > B\n C bye\ndrop C\nrejoin C\ndisqualify C\n"
    draft = replay(sheet).draft
    assert [what for _, what, _ in brief(history_of_player(draft.entries, draft.record, 3))] == [
        "C registered as number 3",
        "round 1 paired: bye",
        "C dropped after round 1 (request)",
        "C rejoined",
        "C disqualified after round 1",
    ]


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    sheet = tmp_path / "event.sheet"
    sheet.write_text(SHEET.replace("  B - D", "  B > D"))
    path = str(tmp_path / "event.ledger")
    assert run(["import", str(sheet), "--ledger", path]) == 0
    return path


def test_history_shows_the_fate_of_each_entry(ledger: str, run_cli: RunCli) -> None:
    assert run(["retract", "14", "--ledger", ledger, "--reason", "the paper is found"]) == 0
    lines = run_cli("history", "--table", "1", "1", "--ledger", ledger).lines
    assert lines[0] == "Round 1, table 1, entries up to 15"
    assert lines[3].endswith("no longer counts; superseded by entry 13")
    assert lines[4].endswith("(modified-win)  retracted by entry 14, which was taken back")
    assert lines[5].endswith("no longer counts; retracted by entry 15")


def test_the_reason_and_the_recorder_are_shown(ledger: str, run_cli: RunCli) -> None:
    judge = ["--actor", "Dee", "--role", "judge", "--station", "stage"]
    assert run(["correct", "2", "1", "b", "--reason", "wrong side", *judge, "--ledger", ledger]) == 0
    line = run_cli("history", "--entry", "15", "--ledger", ledger).lines[-1]
    assert "Dee (judge, stage)" in line
    assert line.endswith("round 2, table 1 corrected (was entry 11): C beat A; wrong side")


def test_the_json_document_has_stable_keys(ledger: str, run_cli: RunCli) -> None:
    document = run_cli("history", "A", "--ledger", ledger, "--json").document
    assert (document["about"], document["position"]) == ("A", 14)
    assert list(document["entries"][0]) == [
        "position", "recorded_at", "actor", "role", "station", "reason", "kind", "what", "superseded_by",
        "retracted_by", "counts",
    ]  # fmt: skip
    assert document["entries"][2]["superseded_by"] == [13]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name one thing: a PLAYER, --table ROUND TABLE, or --entry POSITION"),
        (["A", "--entry", "3"], "name one thing: a PLAYER, --table ROUND TABLE, or --entry POSITION"),
        (["--table", "1", "9"], "the log has no entry about table 9 of round 1"),
        (["--entry", "99"], "there is no entry 99: the log has 14 entries"),
    ],
)
def test_a_history_of_nothing_is_refused_in_one_line(
    ledger: str, run_cli: RunCli, arguments: list[str], message: str
) -> None:
    assert run_cli("history", *arguments, "--ledger", ledger, code=2).problem == f"{message}"
