"""Age divisions and flights are pools of one engine: separated, modified, or ignored."""

from __future__ import annotations

import pytest
from tests.pairing.conftest import Event, Play

from matchledger.commands.refusal import Refusal
from matchledger.events import RoundPaired
from matchledger_projections.divisions.grouping import division_mode
from matchledger_projections.pairing.lineup import pools


def enter(played: Event, junior: int, senior: int, masters: int) -> None:
    for division, size in (("junior", junior), ("senior", senior), ("masters", masters)):
        played.enter(size, division)


def divisions_at_tables(played: Event, round_: int) -> list[tuple[str, str]]:
    found = played.record.round(round_)
    assert found is not None
    players = played.record.players
    return [(players[one].division or "", players[two].division or "") for one, two in found.tables.values()]


@pytest.mark.parametrize(
    ("sizes", "mode"),
    [
        pytest.param((6, 6, 6), "separated", id="TV-PKM-POD-1"),
        pytest.param((5, 11, 16), "modified", id="TV-PKM-POD-2"),
        pytest.param((0, 8, 20), "separated", id="TV-PKM-POD-3"),
        pytest.param((0, 5, 20), "modified", id="TV-PKM-POD-4"),
        pytest.param((0, 0, 20), "none", id="TV-PKM-POD-5"),
    ],
)
def test_the_sizes_of_divisions_decide_how_they_are_paired(
    event: Play, sizes: tuple[int, int, int], mode: str
) -> None:
    played = event("pokemon-2009")
    enter(played, *sizes)
    assert division_mode(played.record) == mode


def test_an_empty_division_forces_age_modified_pairing_if_the_policy_says_so(event: Play) -> None:
    played = event("pokemon-2009", POL_PKM_EMPTY_DIV="modified")
    enter(played, 0, 8, 20)
    assert division_mode(played.record) == "modified"


def test_players_without_divisions_are_one_field(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(9)
    assert [(pool.name, len(pool.players), pool.divisions) for pool in pools(played.record, range(1, 10))] == [
        ("", 9, None)
    ]


def test_other_rulebooks_ignore_divisions(event: Play) -> None:
    played = event("l5r-2018")
    enter(played, 6, 6, 6)
    assert division_mode(played.record) == "none"


def test_separated_divisions_never_meet_and_have_their_own_byes_and_draws(event: Play) -> None:
    played = event("pokemon-2009")
    enter(played, 7, 6, 9)
    played.play_plainly(3)
    for round_ in (1, 2, 3):
        tables = divisions_at_tables(played, round_)
        assert tables == sorted(tables)
        assert all(one == other for one, other in tables)
        found = played.record.round(round_)
        assert found is not None
        assert [played.record.players[bye.player].division for bye in found.byes] == ["junior", "masters"]
    paired = [entry.fact for entry in played.draft.entries if isinstance(entry.fact, RoundPaired)]
    assert [[pool.name for pool in fact.pools] for fact in paired] == [["junior", "masters", "senior"]] * 3
    assert len({pool.seed for fact in paired for pool in fact.pools} | {fact.seed for fact in paired}) == 12


def test_divisions_with_few_players_share_a_field_and_prefer_their_own_opponents(event: Play) -> None:
    played = event("pokemon-2009")
    enter(played, 3, 8, 8)
    played.pair()
    crossing = [two for two in divisions_at_tables(played, 1) if len(set(two)) > 1]
    byes = played.record.round(1)
    assert byes is not None
    left = {played.record.players[bye.player].division for bye in byes.byes}
    # There are 19 players. If the bye leaves two divisions odd, one pair joins players of both.
    assert len(crossing) == (0 if left == {"junior"} else 1)


def test_a_late_player_changes_no_mode(event: Play) -> None:
    played = event("pokemon-2009")
    enter(played, 0, 6, 6)
    played.play_plainly(1)
    played.arrive_late("senior")
    assert division_mode(played.record) == "separated"
    with pytest.raises(Refusal, match="nobody plays in junior, and play has begun"):
        played.arrive_late("junior")
    assert division_mode(played.record) == "separated"


def test_a_drop_changes_no_mode(event: Play) -> None:
    played = event("pokemon-2009")
    enter(played, 6, 6, 6)
    played.play_plainly(1)
    played.drop(1)
    assert division_mode(played.record) == "separated"


def test_flights_of_a_division_do_not_meet(event: Play) -> None:
    played = event("pokemon-2009")
    played.enter(6, "senior")
    played.enter(6, "masters", flight="A")
    played.enter(8, "masters", flight="B")
    played.pair()
    paired = played.draft.entries[-1].fact
    assert isinstance(paired, RoundPaired)
    assert [pool.name for pool in paired.pools] == ["masters, flight A", "masters, flight B", "senior"]
    flights = [
        {played.record.players[player].attributes.get("flight") for player in seating.players}
        for seating in paired.tables
    ]
    assert flights == [{"A"}] * 3 + [{"B"}] * 4 + [{None}] * 3


def test_a_division_without_a_player_for_the_bye_is_named(event: Play) -> None:
    played = event("pokemon-2009", POL_PKM_DIVISIONS="separated")
    enter(played, 1, 6, 0)
    played.play_plainly(1)
    with pytest.raises(
        Refusal, match="round 2 of junior has no bye to give, because everybody has had one: pair it by hand"
    ):
        played.pair()
