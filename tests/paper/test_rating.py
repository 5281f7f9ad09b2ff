"""SWR-RATING: an event counts with eight participants or more, and the papers are due after seven days."""

from __future__ import annotations

from datetime import date

import pytest
from tests.conftest import Replay
from tests.event import SECRET, deciding

from matchledger.commands import results as slips
from matchledger.commands import tournaments as opening
from matchledger.commands.refusal import Refusal
from matchledger.ledger import Draft
from matchledger_projections.views.rating import participants, rating

ENDED = date(2004, 8, 7)


def played(replay: Replay, players: int, *heading: str, ended: date | None = ENDED) -> Draft:
    """A closed Street Warriors event of one round."""
    names = [f"P{number}" for number in range(1, players + 1)]
    games = [f"  {one} > {other}" for one, other in zip(names[::2], names[1::2], strict=False)]
    byes = [f"  {names[-1]} bye"] if players % 2 else []
    sheet = ["rulebook street-warriors-2004", *heading, f"players {' '.join(names)}", "round 1", *games, *byes]
    draft = replay("\n".join(sheet)).draft
    draft.decide(lambda record: opening.close(record, secret=SECRET, ended=ended, deviating=True))
    return draft


def file(draft: Draft, day: int, cards: int | None = None) -> None:
    draft.decide(deciding(opening.FileOverview, sent=date(2004, 8, day), cards=cards))


@pytest.mark.parametrize(
    ("players", "day", "verdict", "rated"),
    [
        pytest.param(8, 14, "rated", True, id="TV-SWR-RATE-1"),
        pytest.param(8, 15, "late", False, id="TV-SWR-RATE-2"),
        pytest.param(7, None, "too few", False, id="TV-SWR-RATE-3"),
        pytest.param(8, None, "to be sent", None, id="nothing was sent yet"),
        pytest.param(8, 7, "rated", True, id="sent on the day itself"),
    ],
)
def test_an_event_is_rated_only_if_complete_and_in_time(
    replay: Replay, players: int, day: int | None, verdict: str, *, rated: bool | None
) -> None:
    draft = played(replay, players)
    if day is not None:
        file(draft, day, cards=players)
    found = rating(draft.record)
    assert (found.verdict, found.rated) == (verdict, rated)
    assert (found.needed, found.deadline, found.rule) == (8, date(2004, 8, 14), "SWR-RATING")


def test_every_score_card_must_be_sent(replay: Replay) -> None:
    draft = played(replay, 9)
    file(draft, 8, cards=8)
    assert rating(draft.record).verdict == "cards missing"


def test_a_pass_counts_as_a_round_and_registration_alone_is_no_participation(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B C D\ndrop D\nround 1\n  A > B\n  C bye\n").draft
    assert participants(draft.record) == (1, 2, 3)


def test_an_event_without_an_approved_host_is_never_rated(replay: Replay) -> None:
    draft = played(replay, 8, "option POL-SWR-APPROVED-HOST=no")
    file(draft, 8)
    assert rating(draft.record).verdict == "host not approved"


def test_without_the_last_day_the_deadline_is_unknown(replay: Replay) -> None:
    draft = played(replay, 8, ended=None)
    assert rating(draft.record).verdict == "to be sent"
    file(draft, 8)
    assert (rating(draft.record).verdict, rating(draft.record).deadline) == ("end unknown", None)


def test_the_rating_of_an_event_in_progress_is_undecided(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B\nround 1\n  A > B\n").draft
    assert (rating(draft.record).verdict, rating(draft.record).rated) == ("under way", None)


def test_other_rulebooks_have_no_ratings(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\nplayers A B\nround 1\n  A > B\nclose\n").draft
    assert rating(draft.record).verdict == "no rule"
    with pytest.raises(Refusal, match="l5r-2018 asks for no overview: there is nothing to send"):
        file(draft, 8)


def test_sending_an_overview_can_be_retracted_and_recorded_again(replay: Replay) -> None:
    draft = played(replay, 8)
    file(draft, 15)
    with pytest.raises(
        Refusal, match=r"the overview was sent on 2004-08-15 \(entry 17\): retract that entry first"
    ):
        file(draft, 14)
    draft.decide(lambda record: slips.retract(record, entry=draft.entries[-1]))
    file(draft, 14)
    assert rating(draft.record).verdict == "rated"


@pytest.mark.parametrize(
    ("day", "cards", "problem"),
    [
        (
            6,
            None,
            "the event ended on 2004-08-07, so the overview cannot have been sent on 2004-08-06 (SWR-RATING)",
        ),
        (8, 9, "9 score cards are too many: 8 players took part (SWR-RATING)"),
    ],
)
def test_an_impossible_day_or_number_of_cards_is_refused(
    replay: Replay, day: int, cards: int | None, problem: str
) -> None:
    draft = played(replay, 8)
    with pytest.raises(Refusal) as refused:
        file(draft, day, cards)
    assert str(refused.value) == problem


def test_nothing_is_sent_before_the_tournament_is_closed(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B\nround 1\n  A > B\n").draft
    with pytest.raises(
        Refusal, match=r"the tournament is not closed: close it, then send the overview \(SWR-RATING\)"
    ):
        file(draft, 8)
