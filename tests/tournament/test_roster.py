"""The roster: registration, late arrivals, drops, rejoining and disqualification."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import UUID

import pytest
from tests.event import SECRET, deciding

from matchledger.commands import cuts, roster
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import AnyFact, Person, PlayerDisqualified, PlayerDropped, PlayerRegistered
from matchledger.ledger import Decision, Draft
from matchledger.notation.slip import Written
from matchledger_projections.standings.standings import standings

Play = Callable[[str], Draft]
Refused = Callable[[Draft, Decision], str]

FOUR = "rulebook l5r-2018\nplayers A B C D\n"
PLAYED = FOUR + "round 1\n  A > B\n  C > D\n"
CUT = PLAYED + "draw A C\ncut 2\n"
FIVE_ROUNDS = "rulebook pokemon-2009\nplayers A B C D\n"


def person(name: str) -> Person:
    return Person(name=name)


def table_row(draft: Draft, player: int) -> tuple[int | None, int, str]:
    row = next(row for row in standings(draft.record).rows if row.player == player)
    return row.rank, row.points, row.status


# -- registration


def test_players_are_numbered_in_order_of_registration(play: Play) -> None:
    draft = play(FOUR)
    [entry] = draft.decide(
        partial(
            roster.register, person=person("Ann"), division="junior", attributes={"clan": "Crab", "flight": "2"}
        )
    )
    with_details = person("Ann").model_copy(update={"details": {"clan": "Crab"}})
    assert entry.fact == PlayerRegistered(
        number=5, person=with_details, division="junior", attributes={"flight": "2"}
    ), "columns that affect pairings are unencrypted, the rest is sealed with the name"


@pytest.mark.parametrize("name", ["A", "a"])
def test_a_name_can_be_registered_once_in_any_spelling(play: Play, refused: Refused, name: str) -> None:
    assert refused(play(FOUR), partial(roster.register, person=person(name))) == (
        f"{name} is registered already: add something to a second player's name to tell them apart"
    )


def test_registration_ends_when_round_1_is_paired(play: Play, refused: Refused) -> None:
    assert refused(play(PLAYED), partial(roster.register, person=person("Ann"))) == (
        "round 1 is paired: enter Ann as a late arrival"
    )


def test_registration_needs_a_tournament(refused: Refused) -> None:
    assert refused(Draft(UUID(int=1)), partial(roster.register, person=person("Ann"))) == (
        "no tournament is open: open one first"
    )


# -- late arrivals


def test_a_late_player_is_charged_with_every_round_that_has_started(play: Play) -> None:
    """TV-PKM-LATE-1: a player who comes after the start of round 2 has two losses, plays from round 3 on, and is
    tardy.
    """
    draft = play(FIVE_ROUNDS + "round 1\n  A > B\n  C > D\nround 2\n  A > C\n  B > D\n")
    [entry] = draft.decide(partial(roster.arrive_late, person=person("H")))
    assert entry.fact.losses == (1, 2)  # type: ignore[union-attr] # a late arrival
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert 5 in draft.record.round(3).players  # type: ignore[union-attr] # it was just paired
    assert standings(draft.record, 2).table.late == {5}


@pytest.mark.parametrize(("rounds_started", "losses"), [(None, (1, 2)), (1, (1,)), (2, (1, 2))])
def test_before_play_a_late_player_is_added_at_once_or_waits(
    play: Play, rounds_started: int | None, losses: tuple[int, ...]
) -> None:
    """TV-PKM-LATE-2: round 2 is posted but has not started. A player who is added now gets one loss, and a player
    who waits gets two.
    """
    draft = play(FIVE_ROUNDS + "round 1\n  A > B\n  C > D\n")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    [entry] = draft.decide(partial(roster.arrive_late, person=person("H"), rounds_started=rounds_started))
    assert entry.fact.losses == losses  # type: ignore[union-attr] # a late arrival


def test_a_late_player_who_is_added_at_once_is_seated_by_an_amendment(play: Play) -> None:
    draft = play(FIVE_ROUNDS + "round 1\n  A > B\n  C > D\n")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    draft.decide(partial(roster.arrive_late, person=person("H"), rounds_started=1))
    draft.decide(partial(rounds.amend_pairing, games=[], byes=[5]))
    latest = draft.record.latest_round()
    assert latest is not None
    assert [bye.player for bye in latest.byes] == [5]
    for table in latest.tables:
        draft.decide(partial(slips.report, table=table, written=Written(winner=0)))
    assert standings(draft.record).table.points[5] == 1


@pytest.mark.parametrize("gone", [roster.drop, roster.disqualify])
def test_a_late_player_is_not_seated_against_a_player_who_left(
    play: Play, gone: Callable[..., list[AnyFact]]
) -> None:
    """Before the fix, a late player met the player with the bye, who had dropped."""
    draft = play("rulebook l5r-2018\nplayers A B C\n")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    [bye] = draft.record.latest_round().byes  # type: ignore[union-attr] # it was just paired
    draft.decide(partial(gone, player=bye.player))
    [entry] = draft.decide(partial(roster.arrive_late, person=person("H")))
    assert entry.fact.losses == (1,)  # type: ignore[union-attr] # a late arrival


def test_a_late_player_who_waits_is_not_seated(play: Play, refused: Refused) -> None:
    draft = play(FIVE_ROUNDS + "round 1\n  A > B\n  C > D\n")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    draft.decide(partial(roster.arrive_late, person=person("H"), rounds_started=2))
    assert refused(draft, partial(rounds.amend_pairing, games=[], byes=[5])) == (
        "H is charged with a loss for round 2, and cannot play in it as well"
    )


def test_a_recorded_start_starts_the_round(play: Play) -> None:
    draft = play(FOUR)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    draft.decide(clock.start_round)
    [entry] = draft.decide(partial(roster.arrive_late, person=person("H")))
    assert entry.fact.losses == (1,)  # type: ignore[union-attr] # a late arrival


@pytest.mark.parametrize(
    ("sheet", "started", "reason"),
    [
        (FOUR, None, "no round is paired yet: register Ann as on time"),
        (
            PLAYED,
            0,
            "1 round is paired and 1 has started: charge a late player with 1, not 0 (POLICY)",
        ),
        (
            PLAYED,
            2,
            "1 round is paired and 1 has started: charge a late player with 1, not 2 (POLICY)",
        ),
        (CUT, None, "the cut is made: Ann can no longer enter (POLICY)"),
    ],
)
def test_a_late_player_against_the_rules_is_refused(
    play: Play, refused: Refused, sheet: str, started: int | None, reason: str
) -> None:
    decision = partial(roster.arrive_late, person=person("Ann"), rounds_started=started)
    assert refused(play(sheet), decision) == reason


def test_a_late_player_is_charged_with_the_started_or_the_paired_rounds_only(play: Play, refused: Refused) -> None:
    draft = play(PLAYED)
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert refused(draft, partial(roster.arrive_late, person=person("Ann"), rounds_started=0)) == (
        "2 rounds are paired and 1 has started: charge a late player with 1 or 2, not 0 (POLICY)"
    )


def test_a_late_player_needs_a_new_name(play: Play, refused: Refused) -> None:
    assert refused(play(PLAYED), partial(roster.arrive_late, person=person("B"))) == (
        "B is registered already: add something to a second player's name to tell them apart"
    )


# -- drops


@pytest.mark.parametrize(
    ("sheet", "after"), [(FOUR, 0), (PLAYED, 1), (FOUR + "round 1\n  C > D\n  B bye\nlate H 1\n", 0)]
)
def test_a_drop_records_its_round(play: Play, sheet: str, after: int) -> None:
    draft = play(sheet)
    [entry] = draft.decide(partial(roster.drop, player=1, cause="ill"))
    assert entry.fact == PlayerDropped(player=1, after_round=after, cause="ill")
    assert draft.record.status(1) == "dropped"


def test_a_late_player_who_drops_at_once_keeps_the_losses(play: Play) -> None:
    draft = play(PLAYED + "late H 1\n")
    [entry] = draft.decide(partial(roster.drop, player=5))
    assert entry.fact.after_round == 1  # type: ignore[union-attr] # a drop


def test_a_dropped_player_is_not_paired_again(play: Play) -> None:
    draft = play(PLAYED + "drop B\n")
    draft.decide(partial(rounds.pair_round, secret=SECRET))
    assert draft.record.round(2).players == {1, 3, 4}  # type: ignore[union-attr] # it was just paired


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        (PLAYED + "drop B\n", "B has dropped already"),
        (PLAYED + "disqualify B\n", "B is disqualified: name another, or retract entry 10 first"),
    ],
)
def test_only_an_active_player_can_drop(play: Play, refused: Refused, sheet: str, reason: str) -> None:
    assert refused(play(sheet), partial(roster.drop, player=2)) == reason


# -- rejoining


def test_a_returning_player_is_charged_with_missed_rounds(play: Play) -> None:
    draft = play(PLAYED + "drop B\nround 2\n  A > C\n  D bye\n")
    [entry] = draft.decide(partial(roster.rejoin, player=2))
    assert entry.fact.losses == (2,)  # type: ignore[union-attr] # rejoined
    assert table_row(draft, 2) == (4, 2, "active")


def test_a_returning_player_is_charged_with_every_missed_round(play: Play) -> None:
    missed = "drop B\nround 2\n  A > C\n  D bye\nround 3\n  A > D\n  C bye\n"
    draft = play(PLAYED + missed)
    [entry] = draft.decide(partial(roster.rejoin, player=2))
    assert entry.fact.losses == (2, 3)  # type: ignore[union-attr] # rejoined
    assert table_row(draft, 2)[1] == 3, "a loss for each"


def test_a_player_who_returns_at_once_is_charged_with_nothing(play: Play) -> None:
    draft = play(PLAYED + "drop B\n")
    [entry] = draft.decide(partial(roster.rejoin, player=2))
    assert entry.fact.losses == ()  # type: ignore[union-attr] # rejoined


def test_a_player_who_drops_again_is_not_charged_twice(play: Play) -> None:
    draft = play(PLAYED + "drop B\nround 2\n  A > C\n  D bye\nrejoin B\ndrop B\n")
    [entry] = draft.decide(partial(roster.rejoin, player=2))
    assert entry.fact.losses == ()  # type: ignore[union-attr] # rejoined
    assert table_row(draft, 2) == (4, 2, "active")


@pytest.mark.parametrize(
    ("sheet", "reason"),
    [
        (PLAYED, "B has not dropped"),
        (PLAYED + "disqualify B\n", "B is disqualified and cannot come back (L5R-IV.2-DQ)"),
        (
            PLAYED + "drop B\ndraw A C\ncut 2\n",
            "the stage that B left is over: no player rejoins after the cut (L5R-IV.2-REJOIN)",
        ),
    ],
)
def test_returning_against_the_rules_is_refused(play: Play, refused: Refused, sheet: str, reason: str) -> None:
    assert refused(play(sheet), partial(roster.rejoin, player=2)) == reason


# -- disqualification


def test_a_disqualified_player_has_no_place_and_the_results_still_count(play: Play) -> None:
    draft = play(PLAYED)
    [entry] = draft.decide(partial(roster.disqualify, player=3, recommended_by="Mo"))
    assert entry.fact == PlayerDisqualified(player=3, after_round=1, recommended_by="Mo")
    assert table_row(draft, 3) == (None, 10, "disqualified")
    assert table_row(draft, 4)[1] == 1


def test_a_dropped_player_can_still_be_disqualified(play: Play) -> None:
    draft = play(PLAYED + "drop C\n")
    draft.decide(partial(roster.disqualify, player=3))
    assert draft.record.status(3) == "disqualified"


def test_a_player_cannot_be_disqualified_twice(play: Play, refused: Refused) -> None:
    assert refused(play(PLAYED + "disqualify C\n"), partial(roster.disqualify, player=3)) == (
        "C is disqualified already"
    )


# -- a tournament that is over


@pytest.mark.parametrize(
    "decision",
    [
        partial(roster.register, person=Person(name="Ann")),
        partial(roster.arrive_late, person=Person(name="Ann")),
        partial(roster.drop, player=1),
        partial(roster.rejoin, player=1),
        partial(roster.disqualify, player=1),
        partial(rounds.pair_round, secret=SECRET),
        partial(rounds.pair_by_hand, games=[]),
        clock.start_round,
        partial(rounds.amend_pairing, games=[]),
        partial(slips.report, table=1, written=Written(winner=0)),
        partial(slips.concede, by=1),
        partial(slips.no_show, absent=(1,)),
        partial(slips.correct, table=1, round_=1, written=Written(winner=1)),
        deciding(opening.PostStandings),
        partial(cuts.make_cut, size=2),
        partial(opening.close, secret=SECRET),
    ],
)
def test_a_closed_tournament_takes_no_more_commands(play: Play, refused: Refused, decision: Decision) -> None:
    draft = play(PLAYED + "close\n")
    said = f"the tournament is closed: retract entry {draft.entries[-1].position} to go on"
    assert refused(draft, decision) == said
