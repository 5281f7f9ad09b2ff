"""The clock in a score sheet: the times and values of paper slips, and extra time of tables."""

from __future__ import annotations

import pytest
from tests.conftest import Replay

from matchledger.events import EmperorsJudgment, FirstPlayerSet, ResultCorrected, ResultReported, TimeExtended
from matchledger.formats.text import FormatError
from matchledger_projections.record.snapshot import Snapshot, restored, snapshot
from matchledger_projections.standings.standings import standings

HEAD = "rulebook l5r-2018\nplayers A B 'C D' \"Ann Lee\"\n".replace("'C D'", '"C D"')
ROUND = HEAD + "round 1\n"


def points(replay: Replay, sheet: str) -> list[int]:
    record = replay(sheet).draft.record
    found = standings(record, 1).table.points
    return [found[player] for player in record.players]


def test_a_sheet_writes_sides_as_names(replay: Replay) -> None:
    sheet = ROUND + (
        '  "Ann Lee" > A judgment broken=0-0 honor=5-5 decider="Ann Lee" first=A ended=68:00 slip=69:00\n'
        '  B > "C D"\n'
    )
    draft = replay(sheet).draft
    facts = [entry.fact for entry in draft.entries]
    assert FirstPlayerSet(round=1, table=1, players=(4, 1), first_player=1, decider=4) in facts
    [slip] = [fact.slip for fact in facts if isinstance(fact, ResultReported) and fact.table == 1]
    assert slip.judgment == EmperorsJudgment(broken=(0, 0), honor=(5, 5), decider=0)
    assert (slip.ended, slip.received) == (4080, 4140)
    assert points(replay, sheet) == [1, 10, 1, 10]


def test_a_sheet_has_the_length_of_a_round_and_extra_time_for_a_table(replay: Replay) -> None:
    sheet = ROUND + (
        '  minutes 50\n  A > B slip=56:00\n  "Ann Lee" > "C D" slip=56:00\n  extend 2 1 "deck check"\n'
    )
    draft = replay(sheet).draft
    extended = next(entry for entry in draft.entries if isinstance(entry.fact, TimeExtended))
    assert (extended.reason, extended.fact.reason) == ("deck check", "deck check")  # type: ignore[union-attr]
    assert points(replay, sheet) == [10, 0, 1, 10]


def test_a_correction_in_a_sheet_has_its_own_times(replay: Replay) -> None:
    slips = '  A > B slip=60:00\n  "Ann Lee" > "C D"\n'
    right = "judgment broken=3-1 honor=4-9 ended=75:00 slip=76:00"
    sheet = f"{ROUND}{slips}correct 1 B > A {right}\n"
    draft = replay(sheet).draft
    [corrected] = [entry.fact for entry in draft.entries if isinstance(entry.fact, ResultCorrected)]
    assert corrected.slip.judgment == EmperorsJudgment(broken=(1, 3), honor=(9, 4))
    assert points(replay, sheet)[:2] == [0, 6]


@pytest.mark.parametrize(
    ("sheet", "problem"),
    [
        (ROUND + "  A > B ended=70\n", "line 4: '70' is not a time: write 69:59 as on the round's clock"),
        (ROUND + "  A > B decider=C\n", "line 4: decider is A or B, not 'C'"),
        (ROUND + "  A > B umpire=C\n", "line 4: 'umpire' is not a part of a slip: write ended=69:59"),
        (ROUND + "  A - B slip=70:00\n", "line 4: 'slip=70:00' follows a slip that has a result"),
        (ROUND + "  A > B judgment broken=0-1 honor=1-2\n", "line 4: the values give 0 to 4, so B wins"),
        (HEAD + "extend 1 3\n", "line 3: write extend inside the round of the table"),
        (HEAD + "minutes 50\n", "line 3: write minutes inside its round"),
        (ROUND + "  minutes 50\n  minutes 60\n", "line 5: round 1 has 50 minutes already"),
        (ROUND + "  A > B\n  extend 2 3\n", "line 5: round 1 has no table 2: its tables are 1 to 1"),
        (ROUND + "  A > B\n  extend 1\n", "line 5: write extend TABLE MINUTES"),
        (ROUND + "  A > B slip=@14:00\n", "line 4: the clock of round 1 was not started"),
    ],
)
def test_an_unclear_note_is_refused_with_its_line(replay: Replay, sheet: str, problem: str) -> None:
    with pytest.raises(FormatError) as caught:
        replay(sheet)
    assert str(caught.value).startswith(problem)


def test_a_record_from_a_snapshot_judges_slips_as_the_log_does(replay: Replay) -> None:
    record = replay(
        ROUND + '  A > B ended=69:00 slip=70:01\n  "Ann Lee" > "C D" judgment broken=2-1 honor=3-3 ended=75:00\n'
    ).draft.record
    text = snapshot(record).model_dump_json()
    again = restored(Snapshot.model_validate_json(text))
    found = [standings(each, 1).table.points for each in (record, again)]
    assert found[0] == found[1]
    assert [found[0][player] for player in record.players] == [10, 0, 0, 6]
