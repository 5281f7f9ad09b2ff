"""Repair in divisions or flights that play apart, and in divisions that prefer their own players (PKM-4-REPAIR)."""

from __future__ import annotations

import pytest
from tests.audit.test_repair import REDRAW, choose, correct, hand, number, plan, tables
from tests.audit.test_reseating import all_seats, sound_by_definition
from tests.conftest import Replay
from tests.event import SECRET
from tests.pairing.conftest import Event

from matchledger.commands.repairs import round_to_repair
from matchledger.events import RoundPaired
from matchledger.ledger import Draft
from matchledger_projections.pairing.lineup import pools
from matchledger_projections.pairing.posted_pools import PostedPool, posted_pools
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.chance import draw_seed, pairing_purpose, results_digest
from matchledger_projections.record.record import Record, fold
from matchledger_projections.views.consequences import consequences

MASTERS = """
  A > E
  B > F
  C > G
  D > H
"""
MASTERS_AGAIN = """
  A > C
  B > D
  E > G
  F > H
"""


def two_rounds(replay: Replay, juniors: str, first: str, second: str) -> Draft:
    """The first two rounds of TV-PKM-REPAIR as one division, with juniors who play apart."""
    players = [f"player {name} division={'junior' if name in juniors else 'masters'}" for name in "ABCDEFGHIJKLMN"]
    known = players[: max(8, *(number(name) for name in juniors))]
    rounds = f"round 1{MASTERS}{first}\nround 2{MASTERS_AGAIN}{second}"
    sheet = "\n".join(["rulebook pokemon-2009", "option POL-PKM-DIVISIONS=separated", REDRAW, *known, rounds])
    return replay(sheet).draft


def six_juniors(replay: Replay) -> Draft:
    """Two divisions after the posting of round 3. The juniors with one win have already met, so both are paired
    down.
    """
    draft = two_rounds(replay, "IJKLMN", "  I > J\n  K > L\n  M > N", "  I > K\n  M > J\n  L > N")
    hand(draft, "AB", "CF", "DE", "GH", "IM", "KN", "LJ")
    return draft


def posted(record: Record) -> list[PostedPool]:
    latest = record.latest_round()
    assert latest is not None
    return posted_pools(record, latest)


def byes(record: Record) -> str:
    latest = record.latest_round()
    assert latest is not None
    return "".join(record.players[bye.player].name for bye in latest.byes)


# -- divisions that play apart


def test_a_wrong_slip_moves_players_of_its_own_division_only(replay: Replay) -> None:
    draft = six_juniors(replay)
    assert all(pool.is_sound for pool in posted(draft.record))
    correct(draft)
    minimal = plan(draft).option("minimal")
    assert (minimal.players, minimal.tables, minimal.because) == (4, 2, "no valid pairing moves fewer players")
    choose(draft, "minimal")
    assert tables(draft.record) == ["AF", "BC", "DE", "GH", "IM", "KN", "LJ"]


def test_a_division_without_a_table_in_the_round_needs_no_repair(replay: Replay) -> None:
    draft = two_rounds(replay, "IJ", "  I > J", "  I > J rematch")
    hand(draft, "AB", "CF", "DE", "GH")
    assert round_to_repair(draft.record) is None
    correct(draft, 1, 5)
    assert round_to_repair(draft.record) is None
    correct(draft, 1, 1)
    assert round_to_repair(draft.record) == 3


def test_the_fewest_moves_of_two_divisions_are_added(replay: Replay) -> None:
    draft = six_juniors(replay)
    correct(draft)
    correct(draft, table=5)
    reseated = plan(draft).option("minimal").reseated
    assert reseated is not None
    assert (len(reseated.moved), reseated.at_least) == (4 + 6, 4 + 6)
    choose(draft, "minimal")
    assert set(map(frozenset, tables(draft.record)[4:])) == set(map(frozenset, ("KM", "IL", "JN")))
    assert all(pool.is_sound for pool in posted(draft.record))


def test_a_repair_moves_the_bye_inside_its_division(replay: Replay) -> None:
    """The true results: J won, and L beat K. With the true results, K is last among the juniors and gets their
    bye.
    """
    draft = two_rounds(replay, "IJKLM", "  I > J\n  K > L\n  M bye", "  I > K\n  M > J\n  L bye")
    hand(draft, "AB", "CF", "DE", "GH", "IL", "MK", byes="J")
    assert all(pool.is_sound for pool in posted(draft.record))
    correct(draft, round_=1, table=6)
    correct(draft, round_=2, table=6)
    assert plan(draft).option("minimal").players == 5
    choose(draft, "minimal")
    assert tables(draft.record)[:4] == ["AB", "CF", "DE", "GH"]
    assert set(map(frozenset, tables(draft.record)[4:])) == set(map(frozenset, ("IM", "JL")))
    assert byes(draft.record) == "K"


def test_a_division_that_cannot_be_repaired_does_not_stop_the_others(replay: Replay) -> None:
    """The only junior has a third bye, which no rule allows."""
    draft = two_rounds(replay, "I", "  I bye", "  I bye")
    hand(draft, "AB", "CF", "DE", "GH", byes="I")
    before = fold(draft.entries)
    correct(draft)
    assert [(change.round, change.sound) for change in consequences(before, draft.record).pairings] == [(3, False)]
    minimal = plan(draft).option("minimal")
    assert minimal.because == (
        "no valid pairing moves fewer players; "
        "junior stays as posted: the players who can still be moved cannot be paired without a rematch "
        "or a second bye"
    )
    choose(draft, "minimal")
    assert tables(draft.record) == ["AF", "BC", "DE", "GH"]
    assert byes(draft.record) == "I"


def test_a_table_across_divisions_was_set_by_hand_and_is_not_moved(replay: Replay) -> None:
    draft = two_rounds(replay, "H", "", "")
    hand(draft, "AB", "CF", "DE", "GH")
    correct(draft)
    assert plan(draft).option("minimal").players == 4
    choose(draft, "minimal")
    assert tables(draft.record) == ["AF", "BC", "DE", "GH"]


def test_a_new_draw_is_made_for_each_division_alone(replay: Replay) -> None:
    draft = six_juniors(replay)
    correct(draft)
    choose(draft, "all")
    drawn = draft.entries[-1].fact
    assert isinstance(drawn, RoundPaired)
    digest = results_digest(draft.record, 2)
    assert {pool.name: pool.seed for pool in drawn.pools} == {
        name: draw_seed(SECRET, pairing_purpose(3, name), digest).hex() for name in ("junior", "masters")
    }
    assert all(len({two[0] in "IJKLMN", two[1] in "IJKLMN"}) == 1 for two in tables(draft.record))
    assert all(pool.is_sound for pool in posted(draft.record))
    assert rederive(draft.entries).draws[-1].verdict == "as derived"


# -- divisions that share a field


def test_a_repair_prefers_an_opponent_of_the_same_division_to_one_of_the_same_record(replay: Replay) -> None:
    """After the correction A and E have the same record. A is a master, so A meets a master with another record."""
    players = [f"player {name} division={'masters' if name < 'E' else 'junior'}" for name in "ABCDEFGH"]
    sheet = ["rulebook pokemon-2009", *players, "round 1", "A > B", "C > E", "F > D", "G > H"]
    draft = replay("\n".join(sheet)).draft
    hand(draft, "AC", "BD", "FG", "EH")
    correct(draft, round_=1, table=2)
    assert plan(draft).sound
    draft = replay("\n".join(sheet)).draft
    hand(draft, "AE", "BD", "FG", "CH")
    correct(draft, round_=1, table=2)
    assert not plan(draft).sound
    choose(draft, "minimal")
    assert set(map(frozenset, tables(draft.record))) == set(map(frozenset, ("AC", "BD", "FG", "EH")))


# -- compared with every possible pairing


@pytest.mark.parametrize(
    ("policy", "field"),
    [
        pytest.param("separated", [(5, "junior", {}), (7, "masters", {})], id="divisions apart"),
        pytest.param("separated", [(6, "masters", {"flight": "A"}), (7, "masters", {"flight": "B"})], id="flights"),
        pytest.param("modified", [(3, "junior", {}), (4, "masters", {})], id="Age Modified, odd"),
        pytest.param("modified", [(3, "junior", {}), (5, "masters", {})], id="Age Modified, even"),
    ],
)
def test_no_other_valid_pairing_of_a_pool_moves_fewer_players(
    policy: str, field: list[tuple[int, str, dict[str, str]]]
) -> None:
    repaired = 0
    for chance in range(12):
        played = Event("pokemon-2009", {"POL-PKM-DIVISIONS": policy}, chance)
        for size, division, attributes in field:
            played.enter(size, division, **attributes)
        played.play_plainly(2)
        played.pair()
        before = posted(played.record)
        played.correct(round_=2)
        repaired += repaired_with_fewest(played.draft, corrected_pool=before[0].name)
    assert repaired


def repaired_with_fewest(draft: Draft, *, corrected_pool: str) -> bool:
    """Repair a round if it needs a repair, and compare the result with all pairings of each pool."""
    before = {pool.name: pool for pool in posted(draft.record)}
    fewest = 0
    for pool in before.values():
        sound = sound_by_definition(pool.lineup, list(all_seats(sorted(pool.lineup.players))))
        assert sound, "the events of this test are played so far only that pairings are left"
        fewest += min(len(seats.moved_from(pool.seats)) for seats in sound)
    found = plan(draft)
    if found.sound:
        assert fewest == 0
        return False
    minimal = found.option("minimal")
    assert minimal.reseated is not None
    assert (minimal.players, minimal.reseated.at_least) == (fewest, fewest)
    choose(draft, "minimal")
    after = {pool.name: pool for pool in posted(draft.record)}
    assert all(pool.is_sound for pool in after.values())
    assert [name for name in after if after[name].seats != before[name].seats] == [corrected_pool]
    home = {
        player: pool.name for pool in pools(draft.record, sorted(draft.record.players)) for player in pool.players
    }
    assert all(home[one] == home[other] for pool in after.values() for one, other in pool.seats.pairs)
    return True
