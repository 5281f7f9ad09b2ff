"""Two copies of a ledger that differ in merged or transferred registrations, byes, fixed tables, undone rounds or
the close.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.event import SECRET, deciding
from tests.ledger.laptops import ORGANIZER, TABLES, Laptop, Two, fork, holds, one_slip

from matchledger.commands import round_clock as clock
from matchledger.commands import tournaments as opening
from matchledger.commands.command import Command
from matchledger.commands.merging import MergePlayers, TransferRegistration
from matchledger.commands.penalties import GivePenalty
from matchledger.commands.people import RenamePlayer
from matchledger.commands.roster import DisqualifyPlayer, DropPlayer, RejoinPlayer
from matchledger.commands.seats import AwardByes, FixTable
from matchledger.events import PenaltyGiven

pytestmark = pytest.mark.usefixtures("own_keys")


@pytest.fixture
def before_play(tmp_path: Path) -> Iterator[Two]:
    """Two copies of an event with registered players and no rounds."""
    yield from fork(tmp_path, paired=False)


def last(laptop: Laptop) -> int:
    return laptop.entries[-1].position


ENDED = [MergePlayers(player=6, other=7), TransferRegistration(player=7, name="Zoe")]
ADDED = [
    DisqualifyPlayer(player=7),
    DropPlayer(player=7),
    AwardByes(player=7),
    FixTable(player=7, table=2),
    RenamePlayer(player=7, name="Gilda"),
]


def _kinds(command: Command) -> str:
    return str(command.model_dump()["kind"])


@pytest.mark.parametrize("added", ADDED, ids=_kinds)
@pytest.mark.parametrize("ended", ENDED, ids=_kinds)
def test_a_merge_asks_about_additions_to_a_registration_that_ended_here(
    before_play: Two, ended: Command, added: Command
) -> None:
    here, there = before_play
    here.give(ended, "organizer")
    there.give(added, "organizer", reason="cheated")
    [asked] = here.questions(there)
    assert asked == (
        f"entry {last(there)} of the other copy: #7 is no longer registered here: record the entry here for the "
        "right player, and retract it in the other copy"
    )
    there.retract(last(there))
    here.merge(there)
    assert holds(here)


@pytest.mark.parametrize("added", ADDED, ids=_kinds)
@pytest.mark.parametrize("ended", ENDED, ids=_kinds)
def test_additions_here_stay_with_a_registration_that_ended_in_the_other_copy(
    before_play: Two, ended: Command, added: Command
) -> None:
    here, there = before_play
    there.give(ended, "organizer")
    here.give(added, "organizer", reason="cheated")
    own = last(here)
    [asked] = [asked for asked in here.questions(there) if "ends there" in asked]
    assert asked == (
        f"entry {_ending(there)} of the other copy: registration #7 ends there, but entry {own} was added to it "
        f"here: retract entry {own}, and record that entry again after the merge for the right player"
    )
    here.retract(own)
    here.merge(there, renumber=True)
    assert "Gil" not in [player.name for player in here.record.active_players()]
    assert holds(here)


def _ending(laptop: Laptop) -> int:
    """Return the entry that ended registration #7."""
    registered = laptop.record.players[7].position
    return next(entry.position for entry in laptop.entries if getattr(entry.fact, "retracts", None) == registered)


def test_byes_from_the_other_copy_do_not_count_after_round_1_is_paired_here(before_play: Two) -> None:
    here, there = before_play
    here.pair(*TABLES.values())
    there.give(AwardByes(player=1))
    assert here.questions(there) == [
        f"entry {last(there)} of the other copy: byes must be awarded before round 1 is paired"
    ]


def test_equal_byes_in_both_copies_count_once(before_play: Two) -> None:
    here, there = before_play
    for laptop in before_play:
        laptop.give(AwardByes(player=1))
    here.pair((2, 3), (4, 5), (6, 7))
    assert list(here.merge(there).values()) == ["same"]


def test_a_merge_asks_about_different_byes_for_one_player(before_play: Two) -> None:
    here, there = before_play
    here.give(AwardByes(player=1))
    there.give(AwardByes(player=1, rounds=2, deviating=True), reason="won a trial")
    assert here.questions(there) == [
        "the two copies differ about Ann (entry 10 here, entry 10 there): retract one of the two entries"
    ]


def test_a_merge_asks_about_a_table_that_the_copies_fixed_for_different_players(before_play: Two) -> None:
    here, there = before_play
    here.give(FixTable(player=1, table=3))
    there.give(FixTable(player=2, table=3))
    assert here.questions(there) == ["entry 10 of the other copy: table 3 belongs to Ann: name another"]


def test_a_table_that_the_other_copy_fixed_and_freed_is_free(before_play: Two) -> None:
    here, there = before_play
    here.give(FixTable(player=1, table=3))
    there.give(FixTable(player=1, table=3))
    there.give(FixTable(player=1))
    assert list(here.merge(there).values()) == ["same", "counts"]
    assert here.record.fixed_tables.get(1) is None


@pytest.mark.parametrize("what", [clock.start_round, partial(clock.extend, table=2, minutes=5, reason="judge")])
def test_a_merge_asks_about_the_clock_of_a_round_that_was_undone_here(tmp_path: Path, what: object) -> None:
    for here, there in fork(tmp_path):
        here.retract(10)
        here.drop(8)
        there.decide(what)  # type: ignore[arg-type] # a decision
        assert here.questions(there) == [
            "entry 11 of the other copy is about a round 1 that was undone here: retract it there"
        ]
        here.pair((1, 3), (2, 5), (4, 6))  # this copy has another round 1
        assert "entry 11 of the other copy is about a round 1 that was undone here: retract it there" in (
            here.questions(there)
        )


def test_a_player_disqualified_here_stays_out_even_if_the_other_copy_returned_the_player(
    two: Two,
) -> None:
    here, there = two
    here.give(DisqualifyPlayer(player=5), "organizer", reason="cheated")
    there.give(DropPlayer(player=5))
    there.give(RejoinPlayer(player=5))
    assert list(here.merge(there).values()) == ["kept", "kept"]
    assert here.record.status(5) == "disqualified"
    assert holds(here)


def test_a_player_dropped_here_and_disqualified_in_the_other_copy_is_disqualified(two: Two) -> None:
    here, there = two
    here.give(DropPlayer(player=5))
    there.give(DisqualifyPlayer(player=5), "organizer", reason="cheated")
    assert list(here.merge(there).values()) == ["counts"]
    assert here.record.status(5) == "disqualified"


# -- the close


def _close(laptop: Laptop) -> None:
    close = partial(opening.close, secret=SECRET, deviating=True)
    laptop.ledger.decide(
        laptop.tournament,
        deciding(close),
        clerk=ORGANIZER,
        command=f"close-{laptop.station}",
        reason="the hall shuts",
    )


def test_a_closed_copy_can_be_merged_and_the_desk_closes_the_whole_event(tmp_path: Path) -> None:
    for here, there in fork(tmp_path, before=one_slip):
        there.report(2, 0)
        _close(there)
        here.give(RenamePlayer(player=1, name="Anna"))
        assert list(here.merge(there).values()) == ["counts", "kept"]
        assert here.record.closing is None
        _close(here)
        assert list(here.merge(there).values()) == ["counts", "kept"] or here.plan(there).is_empty
        assert holds(here)


def test_two_closed_copies_are_closed_once(tmp_path: Path) -> None:
    for here, there in fork(tmp_path, before=one_slip):
        _close(here)
        _close(there)
        plan = here.plan(there)
        assert list(plan.questions) == []
        assert [outcome.how for outcome in plan.outcomes] == ["same"]


def test_a_name_corrected_in_a_copy_reaches_the_closed_event(tmp_path: Path) -> None:
    for here, there in fork(tmp_path, before=one_slip):
        _close(here)
        there.give(RenamePlayer(player=1, name="Anna"))
        assert list(here.merge(there).values()) == ["counts"]
        assert here.record.players[1].name == "Anna"


def test_a_penalty_that_both_copies_moved_in_a_merge_of_registrations_counts_once(tmp_path: Path) -> None:
    """Before the fix, the penalty counted twice, and a second penalty can be worse than the first."""

    def warned(laptop: Laptop) -> None:
        laptop.give(GivePenalty(player=7, penalty="warning", offence="unsporting"), "judge")

    for here, there in fork(tmp_path, before=warned, paired=False):
        for laptop in (here, there):
            laptop.give(MergePlayers(player=6, other=7), "organizer")
        there.give(DropPlayer(player=2), "organizer")
        assert {*here.merge(there).values()} == {"same", "counts"}
        assert [given.player for _, given in here.record.counting(PenaltyGiven)] == [6]
        assert holds(here)
