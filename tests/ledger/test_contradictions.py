"""Two stations report different results for one table. The log has both slips, one of them as refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from uuid import UUID

import pytest
from tests.ledger.states import state

from matchledger.commands import results as slips
from matchledger.commands import roster
from matchledger.commands import swiss as rounds
from matchledger.commands.refusal import Refusal
from matchledger.events import Bye, Seating, SlipRefused
from matchledger.ledger import Clerk, Contradiction, Decision, Draft, Ledger, open_ledger, verify
from matchledger.notation.slip import Written
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.history import history_of_player, history_of_table

NORTH, SOUTH = Clerk("Kim", "scorekeeper", "north"), Clerk("Bo", "judge", "south")
FIRST = 8  # the position of the first slip


@pytest.fixture
def event(place: str, begin: Callable[..., UUID]) -> Iterator[tuple[Ledger, UUID]]:
    """A round of two tables. The slip of table 1 is recorded: A beat B."""
    with open_ledger(place, create=True) as ledger:
        tournament = begin(ledger, "A", "B", "C", "D", "E")
        games = [Seating(table=1, players=(1, 2)), Seating(table=2, players=(3, 4))]
        pairing = partial(rounds.pair_by_hand, games=games, byes=[Bye(player=5)])
        ledger.decide(tournament, pairing, clerk=Clerk(role="organizer"))
        [first] = ledger.decide(tournament, a_beat_b, clerk=NORTH, command="north 1")
        assert first.position == FIRST
        yield ledger, tournament


a_beat_b: Decision = partial(slips.report, table=1, written=Written(winner=0))
b_beat_a: Decision = partial(slips.report, table=1, written=Written(winner=1))


def refused(ledger: Ledger, tournament: UUID, decision: Decision, command: str | None = None) -> Contradiction:
    with pytest.raises(Contradiction) as caught:
        ledger.decide(tournament, decision, clerk=SOUTH, command=command)
    return caught.value


def test_the_log_has_two_different_slips_and_the_second_as_refused(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    before = list(standings(ledger.record(tournament)).rows)
    problem = refused(ledger, tournament, b_beat_a)
    assert str(problem) == (
        "table 1 of round 1 has another result already (entry 8): this slip is kept as refused (entry 9); "
        "correct the result, or retract entry 9"
    )
    kept = ledger.entry(tournament, 9)
    assert (kept.actor, kept.role, kept.station) == ("Bo", "judge", "south")
    assert isinstance(kept.fact, SlipRefused)
    assert (kept.fact.slip.winner, kept.fact.contradicts, kept.fact.why) == (2, FIRST, "has-a-result")
    assert list(standings(ledger.record(tournament)).rows) == before
    assert ledger.record(tournament).round(1).outstanding == (2,)  # type: ignore[union-attr] # it was paired
    assert verify(ledger, tournament) == []


@pytest.mark.parametrize(
    ("decision", "kind", "winner"),
    [
        (partial(slips.report, table=1, written=Written("modified-win", winner=0)), "modified-win", 1),
        (partial(slips.concede, by=2), "concession", 1),
        (partial(slips.no_show, absent=(1,)), "no-show", 2),
        (partial(slips.no_show, absent=(1, 2)), "double-loss", None),
    ],
)
def test_every_contradicting_report_is_kept(
    event: tuple[Ledger, UUID], decision: Decision, kind: str, winner: int | None
) -> None:
    ledger, tournament = event
    fact = refused(ledger, tournament, decision).entry.fact
    assert isinstance(fact, SlipRefused)
    assert (fact.slip.kind, fact.slip.winner) == (kind, winner)
    assert [player.number for player in ledger.record(tournament).active_players()] == [1, 2, 3, 4, 5]


def test_a_repeated_contradiction_gets_the_same_answer_and_no_entry(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    first = refused(ledger, tournament, b_beat_a, command="south 1")
    correction = partial(slips.correct, table=1, round_=1, written=Written(winner=1))
    ledger.decide(tournament, correction, clerk=SOUTH)
    again = refused(ledger, tournament, b_beat_a, command="south 1")
    assert (str(again), again.entry) == (str(first), first.entry)
    assert ledger.head(tournament).size == FIRST + 2


@pytest.mark.parametrize(
    "decision",
    [
        a_beat_b,  # this slip has the same result, so it does not contradict
        partial(slips.report, table=9, written=Written(winner=0)),
        partial(slips.report, table=1, written=Written("draw")),
        partial(slips.no_show, absent=(5,)),
    ],
    ids=["the same result", "no such table", "no such outcome", "a bye"],
)
def test_a_second_slip_that_is_equal_is_refused_without_an_entry(
    event: tuple[Ledger, UUID], decision: Decision
) -> None:
    ledger, tournament = event
    with pytest.raises(Refusal):
        ledger.decide(tournament, decision, clerk=SOUTH)
    assert ledger.head(tournament).size == FIRST


def test_a_clerk_without_permission_to_report_leaves_no_entry(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    with pytest.raises(Refusal, match="has a result already"):
        ledger.decide(tournament, b_beat_a, clerk=Clerk("Mallory", "player", "phone"))
    assert ledger.head(tournament).size == FIRST


def test_a_draft_records_no_refused_slip(event: tuple[Ledger, UUID]) -> None:
    """Two slips for one table in a score sheet or a whatif are a mistake of the author."""
    ledger, tournament = event
    draft = Draft(tournament, ledger.record_as_of(tournament, FIRST))
    with pytest.raises(Refusal, match="has a result already"):
        draft.decide(b_beat_a)
    assert draft.entries == []


def test_of_two_simultaneous_stations_the_second_gets_a_refused_slip(event: tuple[Ledger, UUID]) -> None:
    """The command was decided while the table was open, and is decided again on the current log."""
    ledger, tournament = event
    others = iter([partial(slips.report, table=2, written=Written(winner=0))])

    def late(record: object) -> object:
        facts = slips.report(record, table=2, written=Written(winner=1))  # type: ignore[arg-type] # a record
        for other in others:
            ledger.decide(tournament, other, clerk=NORTH)
        return facts

    problem = refused(ledger, tournament, late)  # type: ignore[arg-type] # a decision
    assert problem.contradicted == FIRST + 1
    assert problem.entry.position == FIRST + 2


def test_histories_of_the_match_and_its_players_show_both_slips(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    refused(ledger, tournament, b_beat_a)
    record, entries = ledger.record(tournament), list(ledger.entries(tournament))
    said = "round 1, table 1: a slip saying that B beat A was refused, because entry 8 has another result"
    for told in (history_of_table(entries, record, "swiss", 1, 1), history_of_player(entries, record, 2)):
        assert [(touch.entry.position, touch.counts) for touch in told][-2:] == [(8, True), (9, True)]
        assert told[-1].what == said
    ledger.decide(tournament, partial(slips.retract, entry=ledger.entry(tournament, 9)), clerk=SOUTH)
    told = history_of_table(list(ledger.entries(tournament)), ledger.record(tournament), "swiss", 1, 1)
    assert [(touch.entry.position, touch.counts) for touch in told][-3:] == [(8, True), (9, False), (10, True)]


def test_a_refused_slip_can_be_retracted_and_restored(event: tuple[Ledger, UUID]) -> None:
    ledger, tournament = event
    entry = refused(ledger, tournament, b_beat_a).entry
    assert [position for position, _ in ledger.record(tournament).slips_refused] == [9]
    [gone] = ledger.decide(tournament, partial(slips.retract, entry=entry), clerk=SOUTH)
    assert ledger.record(tournament).slips_refused == []
    ledger.decide(tournament, partial(roster.drop, player=5), clerk=SOUTH)
    ledger.decide(tournament, partial(slips.retract, entry=gone), clerk=SOUTH)
    assert [position for position, _ in ledger.record(tournament).slips_refused] == [9]


def test_a_restored_record_includes_the_refused_slip(event: tuple[Ledger, UUID], place: str) -> None:
    ledger, tournament = event
    refused(ledger, tournament, b_beat_a)
    with open_ledger(place) as other:
        assert state(other.record(tournament)) == state(ledger.record(tournament))
