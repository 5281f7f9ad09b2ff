"""Before a merge, a person settles the differences between two copies of a ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from freezegun import freeze_time
from tests.event import SECRET, deciding
from tests.ledger.laptops import ORGANIZER, TABLES, Laptop, Two, facts, fork, holds

from matchledger.commands import decklists, people, privacy, roster
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.commands.decklists import read_list
from matchledger.commands.postings import PostPairings
from matchledger.commands.rounds import PairRound
from matchledger.commands.seats import SwapTables
from matchledger.commands.ties import DrawTies
from matchledger.commands.undo import RedoLast, UndoLast
from matchledger.events import (
    Person,
    RoundPaired,
    RoundStarted,
    SlipRefused,
    StructureAnnounced,
    TieResolved,
)
from matchledger.evidence.migration import copy_ledger
from matchledger.ledger import Decision, open_ledger
from matchledger.ledger.copies import merge_copy, plan_merge
from matchledger.notation.slip import Written
from matchledger_projections.narration import tell
from matchledger_projections.pairing.rederivation import rederive
from matchledger_projections.record.desk_calls import open_contradictions
from matchledger_projections.views.integrity import integrity

pytestmark = pytest.mark.usefixtures("own_keys")


# -- questions for a person


RETRACT = "retract one of the two entries"
SETTLE = "undo it in one of them, or let the one here count"
ALIKE = "differ from those here: make both copies alike, or merge this copy into the other one"
SEAT = "seat the same players in both"
RECORD = "record the same here, or merge this copy into the other one"


def _unlike_late(here: Laptop, there: Laptop) -> None:
    here.late("Zoe")
    there.decide(partial(roster.arrive_late, person=Person(name="Zoe", born=2001)))


def _late_before_a_round(here: Laptop, there: Laptop) -> None:
    for table in (2, 3, 4):
        here.report(table, 0)
    here.pair((1, 3), (5, 7), (2, 4), (6, 8))
    there.late("Zoe")


def _drop_before_a_round(here: Laptop, there: Laptop) -> None:
    for table in (2, 3, 4):
        here.report(table, 0)
    here.pair((1, 3), (5, 7), (2, 4), (6, 8))
    there.drop(8)


def _paired_unlike(here: Laptop, there: Laptop) -> None:
    for laptop in (here, there):
        for table in (2, 3, 4):
            laptop.report(table, 0)
    here.pair((1, 3), (5, 7), (2, 4), (6, 8))
    there.pair((1, 5), (3, 7), (2, 4), (6, 8))
    there.decide(partial(slips.report, table=1, written=Written(winner=0)))


def _paired_there(_: Laptop, there: Laptop) -> None:
    for table in (2, 3, 4):
        there.report(table, 0)
    there.pair((1, 5), (3, 7), (2, 4), (6, 8))


def _clock_on_both(here: Laptop, there: Laptop) -> None:
    here.decide(clock.start_round)
    there.decide(clock.start_round)
    there.decide(deciding(clock.PauseClock))


def _renamed_unlike(here: Laptop, there: Laptop) -> None:
    here.decide(partial(people.correct_person, player=1, person=Person(name="Anna")))
    there.decide(partial(people.correct_person, player=1, person=Person(name="Anne")))


def _announced_there(_: Laptop, there: Laptop) -> None:
    announced = StructureAnnounced(style="swiss-with-cut", structure="custom", rounds=3, cut=2)
    there.decide(lambda _: [announced])


def _seated_anew(_: Laptop, there: Laptop) -> None:
    there.decide(partial(rounds.amend_pairing, games=[(5, 7), (6, 8)]))
    there.report(3, 0)


def _taken_back_under_a_correction(here: Laptop, there: Laptop) -> None:
    here.retract(11)
    there.correct(1, 1)


def _taken_back_under_a_correction_and_a_contradiction(here: Laptop, there: Laptop) -> None:
    _taken_back_under_a_correction(here, there)
    there.report(1, 0)


def _closed_here(here: Laptop, there: Laptop) -> None:
    for table in (2, 3, 4):
        here.report(table, 0)
    here.ledger.decide(
        here.tournament, partial(opening.close, secret=SECRET, deviating=True), clerk=ORGANIZER, reason="late"
    )
    there.drop(8)


QUESTIONS: dict[Callable[[Laptop, Laptop], None], tuple[str, ...]] = {
    _unlike_late: ("Zoe is registered differently in the two copies: correct one of them",),
    _late_before_a_round: (
        "Zoe entered in the other copy, and the rounds of the two copies differ: enter Zoe here too",
    ),
    _drop_before_a_round: (
        "Hal left or came back in the other copy, and the rounds of the two copies differ: record the same here",
    ),
    _paired_unlike: (f"round 2 is paired differently in the two copies: {SETTLE}",),
    _paired_there: (f"only the other copy has paired round 2, and its results or players {ALIKE}",),
    _clock_on_both: ("the clock of round 1 ran in both copies (entry 12 here, entry 12 there): " + RETRACT,),
    _renamed_unlike: (
        "the two copies differ about Anna (entry 12 here, entry 12 there): retract one of the two entries",
    ),
    _announced_there: ("entry 12 of the other copy (structure announced) is not here: " + RECORD,),
    _seated_anew: (
        "entry 12 of the other copy (pairing amended) is not here: " + RECORD,
        "table 3 of round 1 has other players in the other copy: seat the same players in both",
    ),
    _taken_back_under_a_correction_and_a_contradiction: (
        (
            "table 1 of round 1 has no result here. In the other copy its result was corrected or contradicted: "
            "report it here too"
        ),
    ),
    _taken_back_under_a_correction: (
        (
            "table 1 of round 1 has no result here. In the other copy its result was corrected or contradicted: "
            "report it here too"
        ),
    ),
    _closed_here: ("entry 12 of the other copy: the tournament is closed: retract entry 15 to go on",),
}


@pytest.mark.parametrize(("play", "open_questions"), QUESTIONS.items())
def test_open_questions_are_listed_and_nothing_is_recorded(
    two: Two, play: Callable[[Laptop, Laptop], None], open_questions: tuple[str, ...]
) -> None:
    here, there = two
    if play is _paired_there:
        here.report(2, 1)
    elif play in (_announced_there, _seated_anew):
        here.drop(2)
    play(here, there)
    assert tuple(here.questions(there)) == open_questions


def test_after_a_laptop_undoes_its_round_the_merge_works(two: Two) -> None:
    here, there = two
    _paired_unlike(here, there)
    for position in (16, 15):
        there.retract(position)
    assert list(here.merge(there).values()) == ["same", "same", "same", "kept", "kept", "kept", "kept"]
    assert holds(here)


def _swapped(laptop: Laptop, second: int) -> None:
    laptop.give(SwapTables(first=2, second=second))


@pytest.mark.parametrize("second", [3, 9], ids=["two tables in use", "a free table"])
def test_slips_of_tables_that_a_copy_has_swapped_are_merged_by_their_players(two: Two, second: int) -> None:
    """A person decides about the swap itself, which only one copy has."""
    here, there = two
    _swapped(here, second)
    here.report(4, 0)
    there.report(2, 0)
    there.report(3, 1)
    assert f"entry 12 of the other copy (pairing amended) is not here: {RECORD}" in there.questions(here)
    _swapped(there, second)
    there.correct(second, 1)
    assert list(here.merge(there).values()) == ["counts", "counts", "same", "counts"]
    assert _winners(here) == {(1, 2): 1, (3, 4): 4, (5, 6): 6, (7, 8): 7}
    there.merge(here)
    assert here.plan(there).is_empty
    assert all(map(holds, two))


def _winners(laptop: Laptop) -> dict[tuple[int, int], int | None]:
    """Return the winner of each match with a result."""
    round_ = laptop.record.round(1)
    assert round_ is not None
    return {players: report.winner for _, players, report in round_.results() if report is not None}


@pytest.mark.parametrize("other_way", [False, True])
def test_a_swap_that_one_copy_took_back_is_taken_back_in_both(two: Two, *, other_way: bool) -> None:
    here, there = two
    for laptop in two:
        _swapped(laptop, 3)
    here.report(3, 0)
    there.give(UndoLast())
    there.report(3, 1)
    first, second = (there, here) if other_way else two
    first.merge(second)
    assert _winners(first) == {(1, 2): 1, TABLES[2]: 3, TABLES[3]: 6}
    second.merge(first)
    assert _winners(second) == _winners(first)
    for laptop in two:
        assert laptop.record.round(1).tables == TABLES  # type: ignore[union-attr]
        assert holds(laptop)


def test_a_slip_from_a_table_of_a_swap_that_was_taken_back_stays_with_its_players(two: Two) -> None:
    """Before the fix, this slip counted for the players who sit at its table now."""
    here, there = two
    _swapped(there, 3)
    there.report(3, 1)
    there.retract(12)
    here.report(3, 0)
    here.merge(there)
    assert _winners(here) == {(1, 2): 1, TABLES[2]: 4, TABLES[3]: 5}
    assert holds(here)


def test_a_swap_repeated_in_one_copy_stays(two: Two) -> None:
    here, there = two
    _swapped(here, 3)
    _swapped(there, 3)
    there.give(UndoLast())
    _swapped(there, 3)
    here.merge(there)
    assert here.record.round(1).tables == TABLES | {2: TABLES[3], 3: TABLES[2]}  # type: ignore[union-attr]
    assert holds(here)


def test_slips_of_tables_swapped_in_both_copies_are_compared_by_their_players(two: Two) -> None:
    here, there = two
    _swapped(here, 3)
    there.report(2, 0)
    there.report(3, 1)
    _swapped(there, 3)
    here.report(3, 0)
    here.report(2, 0)
    assert list(here.merge(there).values()) == ["same", "refused", "same"]
    assert [slip.players for _, slip in open_contradictions(here.record)] == [TABLES[3]]
    assert holds(here)


def test_a_round_paired_equally_on_both_laptops_is_one_round(two: Two) -> None:
    here, there = two
    for laptop in two:
        for table in (2, 3, 4):
            laptop.report(table, 0)
        laptop.pair((1, 3), (5, 7), (2, 4), (6, 8))
    there.decide(partial(slips.report, table=1, written=Written(winner=0)))
    assert list(here.merge(there).values()) == ["same", "same", "same", "same", "counts"]
    assert holds(here)


@pytest.mark.parametrize("before", [0, 5], ids=["in time", "early"])
def test_a_merged_start_is_judged_by_the_pairing_and_the_postings_of_its_own_laptop(
    tmp_path: Path, before: int
) -> None:
    """Before the fix, `integrity` listed every start that the other laptop posted and this laptop paired later."""
    for here, there in fork(tmp_path, "pokemon-2009", paired=False):
        with freeze_time("2026-05-02 10:00") as time:
            for laptop in (there, here):
                laptop.pair(*TABLES.values())
                time.tick(600)
        started = datetime(2026, 5, 2, 10, 2, tzinfo=UTC) - timedelta(minutes=before)
        with freeze_time("2026-05-02 10:03"):
            there.give(PostPairings())
            there.decide(partial(clock.start_round, at=started, deviating=before > 0))
        here.merge(there)
        listed = [item.kind for item in integrity(here.entries) if isinstance(item.entry.fact, RoundStarted)]
        assert listed == (["departure from a rule"] if before else [])


def test_a_round_from_the_other_laptop_counts_if_both_copies_agree_before_it(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    _paired_there(here, there)
    there.decide(clock.start_round)
    there.decide(partial(slips.report, table=1, written=Written(winner=1)))
    assert list(here.merge(there).values()) == ["same", "counts", "counts", "counts", "counts", "counts"]
    paired = here.record.round(2)
    assert paired is not None
    assert paired.tables == {1: (1, 5), 2: (3, 7), 3: (2, 4), 4: (6, 8)}
    report = paired.report(1, (1, 5))
    assert report is not None
    assert report.winner == 5
    assert holds(here)
    there.merge(here)
    assert there.plan(here).is_empty


def test_a_round_with_a_player_who_dropped_here_is_not_taken_over(two: Two) -> None:
    here, there = two
    here.drop(8)
    _paired_there(here, there)
    assert here.questions(there)[0].startswith("only the other copy has paired round 2, and its results")


def _all_slips(laptop: Laptop) -> None:
    for table in TABLES:
        laptop.report(table, 0)


def test_a_drawn_round_counts_as_drawn_if_the_draw_here_is_the_same(tmp_path: Path) -> None:
    for here, there in fork(tmp_path):
        for laptop in (here, there):
            _all_slips(laptop)
        there.give(PairRound())
        here.merge(there)
        drawn = rederive(here.entries, held=here.ledger.secret(here.tournament)).draws[-1]
        assert (drawn.round, drawn.verdict) == (2, "as derived")
        assert holds(here)


def test_a_drawn_round_counts_as_paired_by_hand_if_its_seed_draws_otherwise_here(tmp_path: Path) -> None:
    """Two late players have exchanged numbers here, so the same seed gives them different lots."""
    for here, there in fork(tmp_path, before=_all_slips):
        for laptop, names in ((here, ("Zoe", "Max")), (there, ("Max", "Zoe"))):
            for name in names:
                laptop.late(name)
        there.give(PairRound())
        here.merge(there, renumber=True)
        drawn = rederive(here.entries, held=here.ledger.secret(here.tournament)).draws[-1]
        assert (drawn.round, drawn.verdict) == (2, "entered by hand")
        assert holds(here)


def test_a_merged_round_brings_the_draw_that_decided_its_bye(tmp_path: Path) -> None:
    """Before the fix, the merge failed without a message that a person understands."""
    for here, there in fork(tmp_path, "l5r-2018", before=_all_slips):
        there.drop(8)
        entries = there.give(PairRound())
        assert [type(entry.fact) for entry in entries][-2:] == [TieResolved, RoundPaired]
        there.decide(partial(slips.report, table=1, written=Written(winner=0), round_=2))
        here.drop(8)
        assert set(here.merge(there).values()) <= {"counts", "same", "kept"}
        drawn = rederive(here.entries, held=here.ledger.secret(here.tournament)).draws[-2:]
        assert [draw.verdict for draw in drawn] == ["as derived", "as derived"]
        assert holds(here)


def test_a_drawn_tie_of_players_who_are_not_tied_here_does_not_stop_a_merge(tmp_path: Path) -> None:
    """A contradicting slip is refused in this copy, so other players are tied here than in the other copy."""
    for here, there in fork(tmp_path, "l5r-2018"):
        for laptop, winner in ((here, 0), (there, 1)):
            for table in (1, 2, 3):
                laptop.report(table, 0)
            laptop.report(4, winner)
        there.give(DrawTies())
        outcomes = here.merge(there)
        assert facts(here, TieResolved) == []
        assert "refused" in outcomes.values()
        assert holds(here)


def test_one_question_asks_about_a_round_that_was_undone_here(tmp_path: Path) -> None:
    """Before the fix, each slip of the undone round asked to pair the same players at a table here."""
    for here, there in fork(tmp_path):
        for table in (1, 2):
            there.report(table, 0)
        here.give(UndoLast(whole_round=True))
        [question] = here.questions(there)
        assert question == (
            "round 1 is not paired here, and the other copy went on with it: pair it here too, or undo it there"
        )
        here.give(RedoLast())
        assert set(here.merge(there).values()) == {"counts"}
        assert holds(here)


def test_a_tie_that_the_other_copy_drew_counts_without_its_seed(tmp_path: Path) -> None:
    for here, there in fork(tmp_path, "l5r-2018", before=_all_slips):
        here.late("Zoe")
        there.give(DrawTies())
        here.merge(there)
        found = facts(here, TieResolved)
        assert found
        assert all(isinstance(tie, TieResolved) and tie.seed is None for tie in found)
        assert holds(here)


def test_after_choosing_this_round_slips_of_the_other_round_are_refused(two: Two) -> None:
    """A slip counts if both copies have its match. Later rounds of the other copy do not count."""
    here, there = two
    _paired_unlike(here, there)
    there.decide(partial(slips.report, table=3, written=Written(winner=1)))
    for table in (2, 4):
        there.decide(partial(slips.report, table=table, written=Written(winner=0)))
    there.pair((1, 7), (3, 5), (2, 6), (4, 8))
    found = list(here.merge(there, own_rounds=True).values())
    assert found == ["same", "same", "same", "kept", "refused", "counts", "refused", "counts", "kept"]
    own = here.record.round(2)
    assert own is not None
    assert own.tables == {1: (1, 3), 2: (5, 7), 3: (2, 4), 4: (6, 8)}
    assert [own.report(table, own.tables[table]) is not None for table in TABLES] == [False, False, True, True]
    assert here.record.round(3) is None
    assert holds(here)
    assert here.plan(there, own_rounds=True).is_empty
    [merged] = [item for item in integrity(here.entries) if item.kind == "copy merged"]
    assert tell(here.record, merged.entry.fact).endswith("; set aside: round 2, round 3")
    refused = [tell(here.record, entry.fact) for entry in here.entries if isinstance(entry.fact, SlipRefused)]
    paired = own.position
    assert refused == [
        f"round 2, table {table}: a slip saying that {said} was refused, "
        f"because entry {paired} paired other players"
        for table, said in ((1, "Ann beat Ed"), (2, "Cy beat Gil"))
    ]
    assert open_contradictions(here.record) == [], "the person who merged has settled them"
    there.decide(partial(slips.correct, table=1, round_=2, written=Written(winner=1)))
    assert list(here.merge(there).values())[-1] == "refused", "a later slip of the round, without --own-rounds"
    assert holds(here)


def test_the_round_of_the_other_copy_is_left_out_only_for_a_reason(two: Two) -> None:
    here, there = two
    _paired_unlike(here, there)
    asked = plan_merge(
        here.ledger, here.tournament, there.ledger, source="there.ledger", clerk=ORGANIZER, own_rounds=True
    )
    assert [str(question) for question in asked.questions] == [
        "round 2 of the other copy would not count: to merge anyway, give a reason"
    ]
    assert merge_copy(here.ledger, asked) == []


def _erase(laptop: Laptop, player: int) -> None:
    erase = partial(privacy.erase, player=player, reason="asked")
    laptop.ledger.decide(laptop.tournament, erase, clerk=ORGANIZER, reason="asked")


def test_an_erasure_in_the_other_copy_is_an_erasure_here(two: Two) -> None:
    here, there = two
    here.report(2, 0)
    there.late("Zoe")
    for player in (3, 9):
        _erase(there, player)
    assert list(here.merge(there).values()) == ["counts", "counts", "counts"]
    assert [here.record.players[player].name for player in (1, 3, 9)] == ["Ann", "Player 3", "Player 9"]
    assert here.ledger.ring.key(here.tournament, 3) is None
    assert holds(here)
    _erase(here, 1)
    there.merge(here)
    assert there.record.players[1].name == "Player 1"
    assert here.plan(there).is_empty


@pytest.mark.parametrize(
    "about_bo",
    [
        partial(decklists.submit, player=2, deck=read_list("4 Island\n56 Forest"), late=True),
        partial(people.put_right, player=2, changes={"name": "Bob"}, secret=lambda: SECRET),
    ],
    ids=["deck", "name"],
)
def test_data_about_a_player_erased_here_are_left_out_and_do_not_stop_a_merge(two: Two, about_bo: Decision) -> None:
    here, there = two
    _erase(here, 2)
    there.decide(about_bo)
    there.report(3, 1)
    assert list(here.merge(there).values()) == ["kept", "counts"]
    assert here.winner(3) == 6
    assert here.plan(there).is_empty
    there.merge(here)
    for laptop in two:
        assert laptop.record.players[2].name == "Player 2"
        assert laptop.ledger.ring.key(laptop.tournament, 2) is None
        assert holds(laptop)


def test_copies_in_a_file_and_in_a_database_can_be_merged_both_ways(two: Two, database: str) -> None:
    """Each copy has one late player. The two copies together have a contradicting slip, a round and an erasure."""
    file, there = two
    with open_ledger(database, create=True) as kept:
        list(copy_ledger(file.ledger, kept))
        here = Laptop(kept, file.tournament, "server")
        here.report(2, 1)
        here.late("Zoe")
        there.late("Max")
        there.report(2, 0)
        for table in (3, 4):
            there.report(table, 0)
        _erase(there, 3)
        found = {"Max": "counts", "2": "refused", "3": "counts", "4": "counts", "erased": "counts"}
        assert list(here.merge(there, renumber=True).values()) == list(found.values())
        there.merge(here, renumber=True)
        for laptop in (here, there):
            assert {player.name for player in laptop.record.entered()} >= {"Max", "Zoe", "Player 3"}
            assert holds(laptop)
        here.correct(2, 0)
        here.pair((1, 9), (3, 5), (2, 10), (4, 7), (6, 8))
        assert list(there.merge(here, renumber=True).values())[-2:] == ["same", "counts"]
        assert holds(there)
