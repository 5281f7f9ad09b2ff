"""Papers on the command line: score cards, the overview, the rating and its deadline."""

from __future__ import annotations

import pytest
from freezegun import freeze_time
from tests.cli.conftest import Desk


@pytest.fixture
def eight(desk: Desk) -> Desk:
    """A Street Warriors event of eight players with one round at four tables, on 7 August 2004."""
    with freeze_time("2004-08-07 10:00"):
        desk("open 'Street Night' -b street-warriors-2004 --actor Hal")
        for number in range(1, 9):
            desk(f"register P{number}")
        desk("pair --table P1/P2 --table P3/P4 --table P5/P6 --table P7/P8")
        assert desk("report 1 a 2 draw 3 b --actor Jo --role judge").code == 0
    return desk


def test_a_score_card_names_the_recorder_of_each_line(eight: Desk) -> None:
    assert eight("scorecard P2 P7").lines == [
        "Street Night, street-warriors-2004, entry 13",
        "Score card 2: P2",
        "Round  Table  Opponent  Result  TP  Total  Written by",
        "    1      1  P1        loss     0      0  Jo (judge), entry 11",
        "",
        "Score card 7: P7",
        "Round  Table  Opponent  Result  TP  Total  Written by",
        "    1      4  P8",
    ]


def test_without_a_name_the_command_prints_the_card_of_every_player(eight: Desk) -> None:
    document = eight("scorecard --json").document
    assert [card["player"] for card in document["cards"]] == [f"P{number}" for number in range(1, 9)]
    assert (document["unit"], document["bye_name"]) == ("TP", "PASS")


def test_rating_shows_the_state_of_the_event_until_the_papers_are_sent(eight: Desk) -> None:
    line = "not decided: the tournament is not closed; 6 participants so far, 8 are needed (SWR-RATING)"
    assert eight("rating").lines[1] == line
    with freeze_time("2004-08-07 18:00"):
        eight("report 4 a")
        eight("close --yes --reason short")
    assert eight("rating").lines == [
        "Street Night, street-warriors-2004, entry 15",
        "to be sent in by 2004-08-14: the overview with 8 score cards (SWR-RATING)",
    ]
    with freeze_time("2004-08-14 23:00"):
        assert eight("file-overview").lines == [
            "rated: sent on 2004-08-14 with 8 score cards, due by 2004-08-14 (SWR-RATING)"
        ]
    document = eight("rating --json").document
    assert (document["verdict"], document["rated"]) == ("rated", True)
    assert document["filed"] == {"sent": "2004-08-14", "cards": 8, "entry": 16}


def test_the_last_day_and_the_day_of_sending_can_be_given(eight: Desk) -> None:
    eight("report 4 a")
    eight("close --yes --ended 2004-08-08 --reason short")
    assert eight("file-overview --sent 2004-08-16 --cards 8").lines == [
        "not rated: sent on 2004-08-16, after 2004-08-15 (SWR-RATING)"
    ]
    assert eight("close --yes --ended 8.8.2004").problem == "'8.8.2004' is not a day: write it as 2026-05-02"


def test_the_overview_shows_the_event_on_one_page(eight: Desk) -> None:
    with freeze_time("2004-08-07 18:00"):
        eight("report 4 a")
        eight("close --yes --reason short")
    lines = eight("overview").lines
    assert lines[:8] == [
        "Tournament overview: Street Night",
        "Rulebook     STREET WARriorS CCG Tournament Guide, 1.0, 2004",
        "Held         2004-08-07",
        "Host         Hal",
        "Recorded by  Hal (organizer), scorekeeper (scorekeeper), Jo (judge)",
        "Players      8 enrolled, 8 took part",
        "Rounds       1",
        "Score cards  8",
    ]
    document = eight("overview --json").document
    assert (document["host"], document["began"], document["ended"]) == ("Hal", "2004-08-07", "2004-08-07")
    assert len(document["places"]) == document["score_cards"] == 8


@pytest.mark.finding("L-W1")
def test_a_disqualified_player_is_listed_as_disqualified(eight: Desk) -> None:
    """The player has neither a rank nor a place."""
    eight("report 4 a")
    name = eight("standings --json").document["standings"][0]["player"]
    eight(f"disqualify {name} --yes --role organizer")
    [line] = [line for line in eight("overview").lines if name in line.split()]
    assert line.split()[0] == "-"
    assert line.endswith("disqualified")
    assert any(f"{name} (disqualified)" in line for line in eight("pairings").lines)
    assert any(f"{name} (disqualified)" in line for line in eight("pairings --by-name").lines)
    assert not any("disqualified" in line for line in eight("pairings --csv").lines)
