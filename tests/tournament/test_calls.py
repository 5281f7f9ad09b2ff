"""Calls to the desk: a player disputes a result, and a stranger cannot fill the log with calls."""

from __future__ import annotations

from functools import partial

import pytest
from tests.event import deciding
from tests.tournament.conftest import Play, Refused

from matchledger.commands import calls
from matchledger.commands import results as slips
from matchledger.events.phones import Claim
from matchledger.ledger import Decision, Draft
from matchledger.notation.slip import Written
from matchledger_projections.narration import tell
from matchledger_projections.record.desk_calls import calls as calls_of
from matchledger_projections.record.desk_calls import open_calls
from matchledger_projections.views.history import history_of_player, history_of_table

A, B, C, D = 1, 2, 3, 4
ONE_OF_TWO = "rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C > D\n"
SLIP = 8  # the entry in which A beat B


@pytest.fixture
def played(play: Play) -> Draft:
    return play(ONE_OF_TWO)


def states(draft: Draft) -> list[str]:
    return [call.state for call in calls_of(draft.record)]


def wrong(player: int = B, disputes: int | None = SLIP, claim: Claim = "won") -> Decision:
    return partial(calls.call_desk, player=player, round_=1, claim=claim, disputes=disputes)


def test_a_call_names_the_match_the_player_and_the_disputed_entry(played: Draft) -> None:
    [entry] = played.decide(wrong())
    assert tell(played.record, entry.fact) == (
        "round 1, table 1: the desk was called for B, saying that entry 8 is wrong, and that the player won"
    )
    assert states(played) == ["open"]


def test_a_call_changes_no_standings(played: Draft) -> None:
    before = played.record.round(1).report(1, (A, B))  # type: ignore[union-attr] # it is paired
    played.decide(wrong())
    assert played.record.round(1).report(1, (A, B)) == before  # type: ignore[union-attr] # it is paired


def test_a_correction_answers_a_call_and_retracting_the_correction_reopens_the_call(played: Draft) -> None:
    played.decide(wrong())
    [correction] = played.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    assert states(played) == ["overtaken"]
    played.decide(partial(slips.retract, entry=correction))
    assert states(played) == ["open"]


def test_the_desk_answers_a_call_once_and_can_retract_the_answer(played: Draft, refused: Refused) -> None:
    [call] = played.decide(wrong())
    answer = deciding(calls.AnswerCall, position=call.position)
    [answered] = played.decide(answer)
    assert states(played) == ["answered"]
    said = tell(played.record, answered.fact)
    assert said == "round 1, table 1: the call of B was answered: the result stands"
    assert refused(played, answer) == f"call {call.position} has been answered: retract that answer to give another"
    played.decide(partial(slips.retract, entry=answered))
    assert states(played) == ["open"]


def test_only_calls_can_be_answered(played: Draft, refused: Refused) -> None:
    said = refused(played, deciding(calls.AnswerCall, position=SLIP))
    assert said == "entry 8 is not a call to the desk"


def test_each_result_of_a_match_can_have_one_call(played: Draft, refused: Refused) -> None:
    [call] = played.decide(wrong())
    again = refused(played, wrong(player=A, claim="lost"))
    assert again == f"the desk has been called about table 1 (entry {call.position}) and will come"
    played.decide(deciding(calls.AnswerCall, position=call.position))
    assert refused(played, wrong()) == (
        f"the desk has answered a call about this result of table 1 (entry {call.position}): speak to a judge"
    )
    [correction] = played.decide(partial(slips.correct, table=1, round_=1, written=Written(winner=1)))
    played.decide(wrong(player=A, disputes=correction.position, claim="other"))


@pytest.mark.parametrize(("player", "claim"), [(A, "won"), (B, "lost")])
def test_a_call_that_reports_the_recorded_result_is_refused_and_does_not_count(
    played: Draft, refused: Refused, player: int, claim: Claim
) -> None:
    before = played.record.position
    assert refused(played, wrong(player, claim=claim)) == "it is recorded like that"
    assert played.record.position == before
    played.decide(wrong(player, claim="drew"))


def test_a_call_that_reports_the_recorded_draw_is_refused(play: Play, refused: Refused) -> None:
    draft = play("rulebook street-warriors-2004\nplayers A B\nround 1\n  A = B\n")
    slip = draft.record.round(1).report(1, (A, B)).position  # type: ignore[union-attr] # it is reported
    assert refused(draft, wrong(A, slip, "drew")) == "it is recorded like that"


def test_a_result_that_changed_unseen_cannot_be_disputed(played: Draft, refused: Refused) -> None:
    assert refused(played, wrong(disputes=None)) == (
        "the result of table 1 has changed since this page was shown: reload it"
    )


def test_a_player_without_a_table_goes_to_the_desk(play: Play, refused: Refused) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C\nround 1\n  A > B\n  C bye\n")
    said = refused(draft, partial(calls.call_desk, player=C, round_=1))
    assert said == "this player has no table in round 1: ask at the desk"


def test_a_call_about_a_missing_result_ends_when_the_slip_comes(play: Play) -> None:
    draft = play("rulebook l5r-2018\nplayers A B C D\nround 1\n  A > B\n  C - D\n")
    draft.decide(partial(calls.call_desk, player=C, round_=1, disputes=None))
    assert states(draft) == ["open"]
    draft.decide(partial(slips.report, table=2, written=Written(winner=0)))
    assert states(draft) == ["overtaken"]


def test_strangers_cannot_fill_the_log(play: Play, refused: Refused, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "OPEN_AT_ONCE", 1)
    draft = play(ONE_OF_TWO)
    draft.decide(wrong())
    said = refused(draft, partial(calls.call_desk, player=C, round_=1, disputes=9))
    assert said == "1 calls are waiting at the desk: go there and talk to the staff"
    draft.decide(deciding(calls.AnswerCall, position=open_calls(draft.record)[0].position))
    draft.decide(partial(calls.call_desk, player=C, round_=1, disputes=9))


def test_histories_of_the_match_and_the_player_include_the_call_and_its_answer(played: Draft) -> None:
    [call] = played.decide(wrong())
    [answer] = played.decide(deciding(calls.AnswerCall, position=call.position))
    for touches in (
        history_of_table(played.entries, played.record, "swiss", 1, 1),
        history_of_player(played.entries, played.record, A),
    ):
        assert {call.position, answer.position} <= {touch.entry.position for touch in touches}
