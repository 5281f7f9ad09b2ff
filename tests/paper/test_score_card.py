"""Score cards: every round of a player, the points, and the entry behind each."""

from __future__ import annotations

from functools import partial

import pytest
from tests.conftest import Replay
from tests.documents import document_of
from tests.event import SECRET, deciding

from matchledger.commands import eliminations, roster, structures
from matchledger.commands import results as slips
from matchledger.events import Person
from matchledger.ledger import Clerk, Draft
from matchledger.notation.slip import Written
from matchledger_projections.standings.standings import standings
from matchledger_projections.views.score_card import ScoreCardLine, score_cards, score_cards_page

TV_SWR_A = """
rulebook street-warriors-2004
players A B C D E
round 1
  A > B
  C > D
  E bye
round 2
  A = C
  E > B
  D bye
round 3
  E > C
  A > D
  B bye
"""


def told(draft: Draft, lines: tuple[ScoreCardLine, ...]) -> list[str]:
    names = {number: player.name for number, player in draft.record.players.items()}
    return [
        f"{line.round} {names.get(line.opponent or 0, '-')} {line.outcome} {line.points} {line.total}"
        for line in lines
    ]


@pytest.mark.parametrize(
    ("player", "lines"),
    [
        pytest.param("A", ["1 B win 3 3", "2 C draw 1 4", "3 D win 3 7"], id="TV-SWR-A: the card of A"),
        pytest.param("B", ["1 A loss 0 0", "2 E loss 0 0", "3 - bye 3 3"], id="TV-SWR-A: the card of B"),
        pytest.param("E", ["1 - bye 3 3", "2 B win 3 6", "3 C win 3 9"], id="TV-SWR-A: the card of E"),
    ],
)
def test_a_card_has_every_round(replay: Replay, player: str, lines: list[str]) -> None:
    draft = replay(TV_SWR_A).draft
    found = draft.record.named(player)
    assert found is not None
    [card] = score_cards(draft.record, [found.number])
    assert told(draft, card.swiss) == lines
    assert card.elimination == ()


def test_the_totals_of_all_cards_are_the_points_in_the_standings(replay: Replay) -> None:
    draft = replay(TV_SWR_A).draft
    cards = score_cards(draft.record, list(draft.record.players))
    assert {card.player: card.total for card in cards} == {
        row.player: row.points for row in standings(draft.record).rows
    }


def test_elimination_points_have_a_separate_total(replay: Replay) -> None:
    draft = replay(f"{TV_SWR_A}cut 2\nelimination 1\n  A > E\n").draft
    cards = score_cards(draft.record, [1, 5])
    assert [(card.total, told(draft, card.elimination)) for card in cards] == [
        (7, ["1 E win 3 3"]),
        (9, ["1 A loss 0 0"]),
    ]


def test_an_empty_place_in_a_bracket_gives_no_points(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B C\n").draft
    draft.decide(deciding(structures.AnnounceStructure, style="elimination"))
    draft.decide(partial(eliminations.pair_elimination, secret=SECRET))
    cards = score_cards(draft.record, [1, 2, 3])
    byes = [line for card in cards for line in card.elimination if line.outcome == "bye"]
    assert [(line.points, line.total) for line in byes] == [(0, 0)]


def test_a_correction_replaces_the_line_and_names_the_clerk(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B\nround 1\n  A > B\n").draft
    draft.clerk = Clerk("Jo", "judge", "desk")
    draft.decide(lambda record: slips.correct(record, table=1, round_=1, written=Written(winner=1)))
    document = document_of(draft.record, score_cards_page, entries=draft.entries, player=(1,))
    assert document["cards"][0]["swiss"] == [
        {
            "round": 1,
            "table": 1,
            "opponent": "B",
            "outcome": "loss",
            "kind": "win",
            "points": 0,
            "total": 0,
            "entry": 7,
            "writer": {"name": "Jo", "role": "judge"},
            "games": None,
        }
    ]


def test_a_round_in_progress_is_an_empty_line(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B\nround 1\n  A - B\n").draft
    [card] = score_cards(draft.record, [1])
    assert card.swiss == (ScoreCardLine(1, 1, 2, "open", None, 0, 0, None),)


def test_missed_rounds_are_on_the_card_with_their_entry(replay: Replay) -> None:
    draft = replay(
        "rulebook l5r-2018\nplayers A B\nround 1\n  A > B\nlate C 1\ndrop B\nround 2\n  A > C\nrejoin B\n"
    ).draft
    late, back = score_cards(draft.record, [3, 2])
    assert told(draft, late.swiss) == ["1 - absence 1 1", "2 A loss 1 2"]
    assert told(draft, back.swiss) == ["1 A loss 1 1", "2 - absence 1 2"]
    kinds = [draft.entries[line.entry - 1].fact.kind for card in (late, back) for line in card.swiss if line.entry]
    assert kinds == ["player-arrived-late", "result-reported", "result-reported", "player-rejoined"]


@pytest.mark.vector("POL-L5R-NOSHOW")
def test_a_match_that_counts_as_a_bye_is_a_bye_on_the_card(replay: Replay) -> None:
    draft = replay("rulebook l5r-2018\noption POL-L5R-NOSHOW=bye\nplayers A B\nround 1\n  A > B no-show\n").draft
    [present] = score_cards(draft.record, [1])
    assert told(draft, present.swiss) == ["1 - bye 10 10"]


def test_a_player_who_came_after_the_last_round_has_an_empty_card(replay: Replay) -> None:
    draft = replay("rulebook street-warriors-2004\nplayers A B\nround 1\n  A > B\n").draft
    draft.decide(lambda record: roster.arrive_late(record, person=Person(name="C")))
    [card] = score_cards(draft.record, [3])
    assert [line.outcome for line in card.swiss] == ["absence"]
    assert draft.record.players[3].losses == (1,)
