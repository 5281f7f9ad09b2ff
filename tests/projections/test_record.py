"""The record: which entries of a log count, after corrections, retractions, and retracted retractions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matchledger.events import (
    AnyFact,
    Bye,
    EntryRetracted,
    PairingAmended,
    PlayerRejoined,
    ResultCorrected,
    RoundPaired,
    RoundStarted,
    Seating,
    Slip,
    StandingsPosted,
)
from matchledger.ledger import Draft
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.round import Round

Replay = Callable[[str], Transcription]

SHEET = "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\n"


def _record(draft: Draft, *facts: AnyFact) -> int:
    """Record facts unchanged, and return the position of the last."""
    return draft.decide(lambda _: facts)[-1].position


def _round(record: Record, number: int = 1) -> Round:
    found = record.round(number)
    assert found is not None
    return found


def _kind(record: Record, table: int = 1) -> str | None:
    round_ = _round(record)
    report = round_.report(table, round_.tables[table])
    return None if report is None else report.slip.kind


def _corrected(supersedes: int, kind: str) -> ResultCorrected:
    return ResultCorrected(supersedes=supersedes, round=1, table=1, players=(1, 2), slip=Slip(kind=kind, winner=1))


# -- what counts


def test_the_latest_slip_of_a_table_counts(replay: Replay) -> None:
    draft = replay(SHEET).draft
    first = _round(draft.record).report(1, (1, 2))
    assert first is not None
    second = _record(draft, _corrected(first.position, "judgment"))
    _record(draft, _corrected(second, "modified-win"))
    assert _kind(draft.record) == "modified-win"


def test_retracting_a_correction_restores_the_earlier_slip(replay: Replay) -> None:
    draft = replay(SHEET).draft
    one = _record(draft, _corrected(8, "judgment"))
    two = _record(draft, _corrected(one, "modified-win"))
    _record(draft, EntryRetracted(retracts=two))
    assert _kind(draft.record) == "judgment"
    _record(draft, EntryRetracted(retracts=one))
    assert _kind(draft.record) == "win"


def test_a_retracted_retraction_has_no_effect(replay: Replay) -> None:
    draft = replay(SHEET).draft
    correction = _record(draft, _corrected(8, "judgment"))
    retraction = _record(draft, EntryRetracted(retracts=correction))
    again = _record(draft, EntryRetracted(retracts=retraction))
    assert (_kind(draft.record), draft.record.is_dead(correction)) == ("judgment", False)
    _record(draft, EntryRetracted(retracts=again))
    assert (_kind(draft.record), draft.record.is_dead(correction)) == ("win", True)


def test_two_retractions_of_one_entry_must_both_be_retracted(replay: Replay) -> None:
    draft = replay(SHEET).draft
    correction = _record(draft, _corrected(8, "judgment"))
    one, two = (_record(draft, EntryRetracted(retracts=correction)) for _ in range(2))
    _record(draft, EntryRetracted(retracts=one))
    assert draft.record.is_dead(correction)
    _record(draft, EntryRetracted(retracts=two))
    assert not draft.record.is_dead(correction)


def test_a_retracted_slip_leaves_its_table_open(replay: Replay) -> None:
    draft = replay(SHEET).draft
    report = _round(draft.record).report(2, (3, 4))
    assert report is not None
    _record(draft, EntryRetracted(retracts=report.position))
    assert _round(draft.record).outstanding == (2,)
    assert draft.record.finished_rounds == 0


# -- rounds


def test_a_retracted_pairing_makes_room_for_another(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n A - B\n C - D\n").draft
    first = draft.record.position
    _record(draft, EntryRetracted(retracts=first))
    assert draft.record.latest_round() is None
    second = RoundPaired(round=1, tables=(Seating(table=1, players=(1, 3)), Seating(table=2, players=(2, 4))))
    _record(draft, second)
    assert _round(draft.record).tables == {1: (1, 3), 2: (2, 4)}
    assert [round_.position for round_ in draft.record.rounds()] == [draft.record.position]


def test_an_amended_pairing_changes_only_its_tables(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B C D E\nround 1\n A - B\n C > D\n E bye\n").draft
    amendment = PairingAmended(
        round=1,
        removed=(Seating(table=1, players=(1, 2)),),
        added=(Seating(table=1, players=(1, 5)),),
        byes_removed=(5,),
        byes_added=(2,),
    )
    position = _record(draft, amendment)
    round_ = _round(draft.record)
    assert round_.tables == {1: (1, 5), 2: (3, 4)}
    assert round_.byes == (Bye(player=2),)
    assert (round_.table_of(5), round_.table_of(2), round_.table_between(5, 1)) == (1, None, 1)
    assert round_.players == {1, 2, 3, 4, 5}
    _record(draft, EntryRetracted(retracts=position))
    assert round_.tables == {1: (1, 2), 2: (3, 4)}
    assert round_.byes == (Bye(player=5),)
    assert (round_.table_of(2), round_.table_between(1, 2)) == (1, 1)


def test_a_slip_of_players_who_were_reseated_does_not_count(replay: Replay) -> None:
    draft = replay(SHEET).draft
    amendment = PairingAmended(
        round=1,
        removed=(Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))),
        added=(Seating(table=1, players=(1, 3)), Seating(table=2, players=(2, 4))),
    )
    _record(draft, amendment)
    assert _round(draft.record).outstanding == (1, 2)


def test_a_start_or_a_slip_starts_a_round(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B\nround 1\n A - B\n").draft
    assert not _round(draft.record).has_started
    started = _record(draft, RoundStarted(round=1))
    assert _round(draft.record).has_started
    _record(draft, EntryRetracted(retracts=started))
    assert not _round(draft.record).has_started
    assert _round(replay(SHEET).draft.record).has_started


def test_each_stage_counts_its_own_rounds(replay: Replay) -> None:
    record = replay(SHEET + "draw A C\ncut 2\nelimination 1\n A > C\n").draft.record
    assert [round_.number for round_ in record.rounds()] == [1]
    assert [round_.number for round_ in record.rounds("elimination")] == [1]
    assert record.cut is not None
    assert record.cut.seeds == (1, 3)
    assert record.finished_rounds == 1


# -- who is in


def test_which_players_are_active_depends_on_the_round(replay: Replay) -> None:
    sheet = (
        "rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\ndrop B\nlate E 1\n"
        "round 2\n A > C\n D > E\nrejoin B\ndisqualify D\n"
    )
    record = replay(sheet).draft.record
    statuses = {through: [record.status(number, through) for number in (1, 2, 4)] for through in (0, 1, 2)}
    assert statuses == {
        0: ["active", "active", "active"],
        1: ["active", "dropped", "active"],
        2: ["active", "active", "disqualified"],
    }
    assert [[player.name for player in record.entered(through)] for through in (0, 1)] == [
        ["A", "B", "C", "D"],
        ["A", "B", "C", "D", "E"],
    ]
    assert [player.name for player in record.active_players()] == ["A", "B", "C", "E"]
    assert [record.charged_rounds(number, 2) for number in (1, 2, 5)] == [[], [2], [1]]


def test_a_retracted_drop_has_no_effect(replay: Replay) -> None:
    draft = replay(SHEET + "drop B\n").draft
    _record(draft, EntryRetracted(retracts=draft.record.position))
    assert (draft.record.status(2), draft.record.standing_of(2)) == ("active", ("active", None))


def test_a_retracted_return_leaves_the_player_dropped(replay: Replay) -> None:
    draft = replay(SHEET + "drop B\n").draft
    _record(draft, EntryRetracted(retracts=_record(draft, PlayerRejoined(player=2))))
    assert draft.record.standing_of(2) == ("dropped", 1)


def test_a_retracted_registration_leaves_no_player(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B\n").draft
    _record(draft, EntryRetracted(retracts=draft.record.position))
    assert [player.name for player in draft.record.entered()] == ["A"]


# -- the rest of the log


def test_a_posting_cannot_be_undone(replay: Replay) -> None:
    draft = replay(SHEET).draft
    posted = StandingsPosted(round=1, rows=())
    position = _record(draft, posted)
    _record(draft, EntryRetracted(retracts=position))
    assert draft.record.postings == [(position, posted)]


def test_the_opening_contains_the_rulebook_of_the_record(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\noption POL-L5R-NOSHOW=bye\nplayers A B\n").draft.record
    assert (record.rulebook.id, record.rulebook.readings.no_show) == ("l5r-2018", "bye")
    with pytest.raises(LookupError, match=r"^the log does not begin with the opening of a tournament$"):
        _ = Record().rulebook


def test_a_record_equals_the_fold_of_its_entries(replay: Replay) -> None:
    draft = replay(SHEET + "drop B\n").draft
    record = fold(draft.entries[:-1])
    assert (record.position, record.status(2)) == (draft.record.position - 1, "active")
    assert record.tournament == draft.tournament
    assert record.commands == {entry.command for entry in draft.entries[:-1]}
