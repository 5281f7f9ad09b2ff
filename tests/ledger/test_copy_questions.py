"""What two copies of a ledger say differently is settled by a person before they are merged (issue 16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.event import SECRET
from tests.ledger.laptops import ORGANIZER, Laptop, fork, one_slip

from matchledger.commands import people, roster
from matchledger.commands import results as slips
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.events import (
    AnyFact,
    Person,
    StructureAnnounced,
)
from matchledger.ledger import verify
from matchledger.notation.slip import Written

Two = tuple[Laptop, Laptop]


@pytest.fixture(autouse=True)
def own_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MATCHLEDGER_KEYS", raising=False)


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    """Two laptops; round 1 is paired on both, and table 1 reported."""
    yield from fork(tmp_path, before=one_slip)


def facts(laptop: Laptop, kind: type[AnyFact]) -> list[AnyFact]:
    return [entry.fact for entry in laptop.entries if isinstance(entry.fact, kind)]


def holds(laptop: Laptop) -> bool:
    return verify(laptop.ledger, laptop.tournament) == []


# -- what a person settles


RETRACT = "retract it in one of them"
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
    there.decide(clock.pause)


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


def _closed_here(here: Laptop, there: Laptop) -> None:
    for table in (2, 3, 4):
        here.report(table, 0)
    here.ledger.decide(
        here.tournament, partial(opening.close, secret=SECRET, deviating=True), clerk=ORGANIZER, reason="late"
    )
    there.drop(8)


QUESTIONS: dict[Callable[[Laptop, Laptop], None], tuple[str, ...]] = {
    _unlike_late: ("Zoe entered in both copies, and not alike: correct one of them",),
    _late_before_a_round: ("Zoe entered in the other copy, and this one has paired since: enter Zoe here too",),
    _drop_before_a_round: (
        "Hal left or came back in the other copy, and this one has paired since: record it here too",
    ),
    _paired_unlike: ("round 2 is paired in both copies, and not alike: take it back in one of them",),
    _paired_there: ("round 2 is paired in the other copy alone: merge this copy into the other one",),
    _clock_on_both: ("the clock of round 1 ran in both copies (entry 12 here, entry 12 there): " + RETRACT,),
    _renamed_unlike: (
        "Anna was put right in both copies, and not alike (entry 12 here, entry 12 there): " + RETRACT,
    ),
    _announced_there: ("entry 12 of the other copy (structure announced) is not here: " + RECORD,),
    _seated_anew: (
        "entry 12 of the other copy (pairing amended) is not here: " + RECORD,
        "table 3 of round 1 has other players in the other copy: seat it alike in both",
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
def test_what_a_person_settles_is_shown_and_nothing_is_recorded(
    two: Two, play: Callable[[Laptop, Laptop], None], open_questions: tuple[str, ...]
) -> None:
    here, there = two
    if play is _paired_there:
        here.report(2, 0)
    elif play in (_announced_there, _seated_anew):
        here.drop(2)
    play(here, there)
    assert tuple(here.questions(there)) == open_questions


def test_a_round_taken_back_on_one_laptop_no_longer_keeps_the_copies_apart(two: Two) -> None:
    here, there = two
    _paired_unlike(here, there)
    for position in (16, 15):
        there.retract(position)
    assert list(here.merge(there).values()) == ["same", "same", "same", "kept", "kept", "kept", "kept"]
    assert holds(here)


def test_a_round_that_both_paired_alike_is_one_round(two: Two) -> None:
    here, there = two
    for laptop in two:
        for table in (2, 3, 4):
            laptop.report(table, 0)
        laptop.pair((1, 3), (5, 7), (2, 4), (6, 8))
    there.decide(partial(slips.report, table=1, written=Written(winner=0)))
    assert list(here.merge(there).values()) == ["same", "same", "same", "same", "counts"]
    assert holds(here)
