"""The timeline: which entries belong to a past round, as known and as corrected."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.events import (
    AnyFact,
    CutMade,
    EntryRetracted,
    Person,
    PlayerArrivedLate,
    PlayerDisqualified,
    PlayerDropped,
    PlayerRegistered,
    PlayerRejoined,
    RematchAllowed,
    ResultCorrected,
    RoundPaired,
    RoundStarted,
    Slip,
    StandingsPosted,
    TieResolved,
    TournamentClosed,
)
from matchledger.service.importing import Transcription
from matchledger_projections.record.record import Record, fold
from matchledger_projections.record.two_clocks import about_rounds, position_when_known, round_of
from matchledger_projections.standings.standings import standings

Replay = Callable[[str], Transcription]

SHEET = """
rulebook l5r-2018
players A B C D
round 1
  A > B
  C > D
round 2
  A > C
  B > D
correct 1 B > A
drop C
round 3
  A > D
  B bye
cut 2
elimination 1
  B > A
close
"""
AFTER_SWISS = 2**31


@pytest.mark.parametrize(
    ("fact", "round_"),
    [
        (PlayerRegistered(number=1, person=Person(name="A")), None),
        (PlayerArrivedLate(number=1, person=Person(name="A"), losses=(1, 2)), 2),
        (PlayerArrivedLate(number=1, person=Person(name="A")), 0),
        (PlayerDropped(player=1, after_round=3), 3),
        (PlayerDisqualified(player=1, after_round=3), 3),
        (PlayerRejoined(player=1, losses=(4,)), 4),
        (RematchAllowed(round=2, players=(1, 2)), 2),
        (RoundPaired(round=2, tables=()), 2),
        (RoundPaired(stage="elimination", round=1, tables=()), AFTER_SWISS),
        (RoundStarted(round=2), 2),
        (
            ResultCorrected(supersedes=1, round=1, table=1, players=(1, 2), slip=Slip(kind="win", winner=1)),
            1,
        ),
        (TieResolved(round=2, players=(1, 2)), 2),
        (StandingsPosted(round=2, rows=()), 2),
        (CutMade(round=3, seeds=(1, 2)), AFTER_SWISS),
        (TournamentClosed(round=3, secret="0" * 64), AFTER_SWISS),
    ],
    ids=lambda value: value.kind if hasattr(value, "kind") else str(value),
)
def test_every_fact_concerns_a_round_or_the_whole_tournament(fact: AnyFact, round_: int | None) -> None:
    assert round_of(fact) == round_


def test_as_corrected_has_the_opening_and_the_earlier_rounds(replay: Replay) -> None:
    entries = replay(SHEET).draft.entries
    kept = about_rounds(entries, 1)
    assert [entry.fact.kind for entry in kept] == [
        "tournament-opened",
        "file-imported",
        *["player-registered"] * 4,
        "round-paired",
        *["result-reported"] * 2,
        "result-corrected",
    ]


def test_a_drop_after_a_round_belongs_to_the_round(replay: Replay) -> None:
    entries = replay(SHEET).draft.entries
    kinds = [[entry.fact.kind for entry in about_rounds(entries, number)] for number in (1, 2)]
    assert ["player-dropped" in found for found in kinds] == [False, True]


def test_the_elimination_stage_comes_after_every_swiss_round(replay: Replay) -> None:
    kinds = {entry.fact.kind for entry in about_rounds(replay(SHEET).draft.entries, 3)}
    assert kinds.isdisjoint({"cut-made", "tournament-closed"})
    assert len(about_rounds(replay(SHEET).draft.entries, AFTER_SWISS)) == len(replay(SHEET).draft.entries)


def test_a_retraction_belongs_to_the_round_of_its_entry(replay: Replay) -> None:
    draft = replay(SHEET.partition("cut")[0]).draft
    correction = next(entry.position for entry in draft.entries if entry.fact.kind == "result-corrected")
    slip_of_round_3 = draft.record.position
    for retracts in (correction, draft.record.position + 1, slip_of_round_3):
        draft.decide(partial(_facts, EntryRetracted(retracts=retracts)))
    kept = {entry.position for entry in about_rounds(draft.entries, 1)}
    assert {slip_of_round_3 + 1, slip_of_round_3 + 2} <= kept
    assert slip_of_round_3 + 3 not in kept


def _facts(fact: AnyFact, _: Record) -> list[AnyFact]:
    return [fact]


# -- when a round counted


def _when_known(sheet: str, round_: int, replay: Replay) -> tuple[int, str]:
    """Return the position that a past round ends with, and the kind of the entry there."""
    draft = replay(sheet).draft
    position = position_when_known(draft.record, draft.entries, round_)
    return position, draft.entries[position - 1].fact.kind


def test_a_round_as_known_ends_where_the_next_round_was_paired(replay: Replay) -> None:
    assert _when_known(SHEET, 1, replay) == (9, "result-reported")
    assert _when_known(SHEET, 2, replay) == (14, "player-dropped")


def test_the_last_round_as_known_ends_where_the_cut_was_made(replay: Replay) -> None:
    assert _when_known(SHEET, 3, replay)[1] == "result-reported"


def test_the_latest_round_as_known_ends_with_the_log(replay: Replay) -> None:
    sheet = SHEET.partition("round 3")[0]
    assert _when_known(sheet, 2, replay) == (14, "player-dropped")


def test_standings_as_known_are_those_of_the_last_posting_before_the_next_round(replay: Replay) -> None:
    draft = replay(SHEET.partition("correct")[0]).draft
    posted = [draft.decide(lambda _: [StandingsPosted(round=2, rows=())])[0].position for _ in range(2)]
    draft.decide(lambda _: [PlayerDropped(player=3, after_round=2)])
    assert position_when_known(draft.record, draft.entries, 2) == posted[-1]
    assert position_when_known(draft.record, draft.entries, 1) == 9


def test_a_posting_after_the_next_pairing_does_not_move_the_end_of_a_round_as_known(replay: Replay) -> None:
    draft = replay(SHEET.partition("cut")[0]).draft
    draft.decide(lambda _: [StandingsPosted(round=2, rows=())])
    assert position_when_known(draft.record, draft.entries, 2) == 14


def test_after_the_next_round_is_retracted_a_round_as_known_ends_with_the_log(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B C D\nround 1\n A > B\n C > D\nround 2\n A - C\n B - D\n").draft
    draft.decide(lambda _: [EntryRetracted(retracts=draft.record.position)])
    assert position_when_known(draft.record, draft.entries, 1) == draft.record.position


def test_a_return_without_a_charged_loss_belongs_to_the_last_paired_round(replay: Replay) -> None:
    """The player's first return is charged with round 2. The second return comes in the same round, so no round is
    left to charge.
    """
    entries = replay(
        "rulebook ashes-2022\nplayers A B C\nround 1\n  B > C (1)\n  A bye\ndrop A\n"
        "round 2\n  B > C (1) rematch\nrejoin A\ndrop A\nrejoin A\n"
    ).draft.entries
    whole = fold(entries)
    for number, status in ((1, "dropped"), (2, "active")):
        alone = fold(about_rounds(entries, number))
        assert whole.status(1, number) == alone.status(1) == status
        assert list(standings(whole, number).rows) == list(standings(alone, number).rows)


def test_a_late_arrival_after_a_retracted_pairing_belongs_to_the_round_before(replay: Replay) -> None:
    draft = replay("rulebook pokemon-2009\nplayers A B C D\nround 1\n  A > B\n  C > D\n").draft
    [paired] = draft.decide(partial(rounds.pair_round, secret=bytes(32)))
    draft.decide(partial(slips.retract, entry=paired))
    [late] = draft.decide(partial(roster.arrive_late, person=Person(name="H"), losses=()))
    assert late in about_rounds(draft.entries, 1)
    assert late not in about_rounds(draft.entries, 0)
