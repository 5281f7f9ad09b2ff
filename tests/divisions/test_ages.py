"""Years of birth: the division that they give, and who may play in another division."""

from __future__ import annotations

import pytest
from tests.divisions.conftest import Start

from matchledger.commands import merging, people, roster
from matchledger.commands.refusal import Refusal
from matchledger.events import Person, PlayerRegistered
from matchledger_projections.divisions.grouping import division_by_birth
from matchledger_projections.rulebook.rulebook import RulebookError, parse_rulebook, rulebook_text
from matchledger_projections.views.integrity import integrity


@pytest.mark.parametrize(
    ("born", "division"),
    [
        pytest.param(1999, "junior", id="TV-PKM-DIV-1: 1999"),
        pytest.param(1998, "senior", id="TV-PKM-DIV-1: 1998"),
        pytest.param(1995, "senior", id="TV-PKM-DIV-1: 1995"),
        pytest.param(1994, "masters", id="TV-PKM-DIV-1: 1994"),
    ],
)
def test_a_year_of_birth_gives_the_division(start: Start, born: int, division: str) -> None:
    event = start()
    event.decide(roster.register, person=Person(name="Ann", born=born))
    assert event.record.players[1].division == division


def test_the_years_of_birth_can_be_set_for_another_season(start: Start) -> None:
    event = start(years={"junior": 2013, "senior": 2009})
    assert [division_by_birth(event.record, born) for born in (2013, 2012, 2009, 2008)] == [
        "junior",
        "senior",
        "senior",
        "masters",
    ]


def test_a_division_in_other_letter_case_gets_its_known_name(start: Start) -> None:
    event = start("pokemon-2026")
    event.register("Ann", "Bo", division="Masters")
    event.register("Cy", division="Guests")
    event.register("Di", division="GUESTS")
    event.decide(people.CorrectPlayer, player=event.number("Bo"), division="SENIOR", deviating=True)
    event.decide(merging.TransferRegistration, player=event.number("Di"), name="Ed", division="masters")
    event.pair()
    event.late("Fay", "MASTERS")
    found = {player.name: player.division for player in event.record.entered()}
    assert found == {"Ann": "masters", "Bo": "senior", "Cy": "Guests", "Ed": "masters", "Fay": "masters"}


def test_a_division_keeps_the_name_that_its_players_have_in_an_older_log(start: Start) -> None:
    event = start("pokemon-2026")
    person = Person(name="Ann")
    event.draft.decide(lambda _: [PlayerRegistered(number=1, person=person, division="Masters")])
    event.register("Bo", division="masters")
    assert [player.division for player in event.record.entered()] == ["Masters", "Masters"]


@pytest.mark.parametrize(
    ("years", "problem"),
    [
        ({"junior": 2013}, "every division but masters needs its first year of birth: junior, senior"),
        (
            {"junior": 2009, "senior": 2013},
            (
                "each division's first year of birth must be earlier than the one before, between 2100 and "
                "1900: junior 2009, senior 2013"
            ),
        ),
    ],
)
def test_impossible_years_are_refused(start: Start, years: dict[str, int], problem: str) -> None:
    with pytest.raises(Refusal) as refused:
        start(years=years)
    assert str(refused.value) == problem


def test_without_years_a_rulebook_gives_no_divisions(start: Start) -> None:
    with pytest.raises(
        Refusal, match="l5r-2018 has no divisions by year of birth: open the tournament without years"
    ):
        start("l5r-2018", years={"junior": 2013})
    event = start("l5r-2018")
    assert division_by_birth(event.record, 1999) is None
    event.decide(roster.register, person=Person(name="Ann", born=1999), division="kids")
    assert event.record.players[1].division == "kids"


def test_another_division_needs_a_reason_and_is_marked(start: Start) -> None:
    event = start()
    ann = Person(name="Ann", born=1999)
    assert event.refusal(roster.register, person=ann, division="masters") == (
        "Ann was born in 1999 and plays in junior, not masters: give a reason to deviate (PKM-3.1.1-POD)"
    )
    event.decide(roster.register, person=ann, division="masters", deviating=True)
    assert event.record.players[1].division == "masters"
    assert [item.kind for item in integrity(event.draft.entries, shipped_laws=[rulebook_text("pokemon-2009")])] == [
        "division other than by birth"
    ]


def test_a_division_can_be_typed_in_any_case(start: Start) -> None:
    event = start()
    event.decide(roster.register, person=Person(name="Ann", born=1999), division="Junior")
    assert event.record.players[1].division == "junior"


def test_a_late_player_also_gets_a_division_by_year_of_birth(start: Start) -> None:
    event = start(masters=4)
    event.pair()
    event.late("Zed", born=1990, rounds_started=0)
    assert event.record.players[5].division == "masters"
    refusal = event.refusal(roster.arrive_late, person=Person(name="Yan", born=1990), division="senior")
    assert refusal.endswith("plays in masters, not senior: give a reason to deviate (PKM-3.1.1-POD)")


def test_a_rulebook_must_give_a_year_to_every_division_except_the_oldest() -> None:
    law = rulebook_text("pokemon-2009")
    for wrong in ("junior = 1995, senior = 1999", "junior = 1999", "junior = 1999, masters = 1995"):
        with pytest.raises(RulebookError, match="born_from gives every division but the last a year"):
            parse_rulebook(law.replace("junior = 1999, senior = 1995", wrong))
