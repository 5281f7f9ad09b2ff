"""The bracket as a picture: positions, winners, and the text for a screen reader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.drawings.conftest import EIGHT, Picture, bracket_of, seeded
from tests.golden import Golden
from tests.stages.conftest import Event

from matchledger import drawings
from matchledger_projections.document import Document

EXPECTED = Path(__file__).parent / "expected"
KnockedOut = Callable[..., Document]


def test_a_finished_bracket_is_drawn_as_expected(knocked_out: KnockedOut, golden: Golden) -> None:
    golden.holds(EXPECTED / "bracket.svg", drawings.bracket(knocked_out([3], [], [1])))


def test_games_whose_winners_meet_are_next_to_each_other(knocked_out: KnockedOut) -> None:
    names = [text for text in Picture.of(drawings.bracket(knocked_out([]))).texts if " " in text]
    first_round = [name.split("  ")[0] for name in names if name[0].isdigit()][:8]
    assert first_round == ["1", "8", "4", "5", "2", "7", "3", "6"]


def test_bold_is_not_the_only_mark_of_winners(knocked_out: KnockedOut) -> None:
    svg = drawings.bracket(knocked_out([3]))
    assert [name for name in Picture.of(svg).bold if name[0].isdigit()] == [
        "1  Ann Lee",
        "4  Di Kaur",
        "2  Bo Chen",
        "6  Flo Diaz",
    ]
    assert svg.count('stroke-width="2"') == 4


def test_future_games_are_empty_and_described(knocked_out: KnockedOut) -> None:
    picture = Picture.of(drawings.bracket(knocked_out([])))
    assert picture.title == "Bracket, Open"
    assert picture.description == (
        "Quarterfinals: game 1, Ann Lee beat Hana Ito; game 2, Bo Chen beat Gus Bell; "
        "game 3, Cy Roe beat Flo Diaz; game 4, Di Kaur beat Ed Ong. "
        "Semifinals: game 1, Ann Lee against Di Kaur; game 2, Bo Chen against Cy Roe. Final: game 1, to come."
    )


def test_the_drawing_names_byes(knocked_out: KnockedOut) -> None:
    picture = Picture.of(drawings.bracket(knocked_out([], names=EIGHT[:6])))
    assert picture.texts.count("bye") == 2
    assert "game 1, Ann Lee has a bye" in picture.description


def test_the_game_for_third_place_is_below_the_final() -> None:
    event = seeded(EIGHT[:4], "pokemon-2009")
    document = bracket_of(_with_rounds(event)) | {
        "playoff": {
            "number": 2,
            "players": ["Cy Roe", None],
            "empty": [False, False],
            "winner": None,
            "outcome": "to come",
            "games": None,
        }
    }
    picture = Picture.of(drawings.bracket(document))
    assert "3rd and 4th place" in picture.texts
    assert picture.description.endswith("3rd and 4th place: game 2, to come.")
    assert picture.is_inside()


def test_the_drawing_cuts_a_long_name_and_its_title_has_the_whole_name(knocked_out: KnockedOut) -> None:
    name = "Bartholomäus Wolfeschlegelsteinhausen von Bergerdorff"
    svg = drawings.bracket(knocked_out([], names=[name, *EIGHT[1:]]))
    assert f"<title>1  {name}</title>" in svg
    assert any(text.endswith("…") for text in Picture.of(svg).texts)
    assert name in Picture.of(svg).description


def test_a_bracket_uses_the_language_of_the_reader(knocked_out: KnockedOut) -> None:
    words = {"Final": "Finale", "Semifinals": "Halbfinale"}
    svg = drawings.bracket(knocked_out([]), say=lambda message: words.get(message, message))
    assert {"Finale", "Halbfinale"} <= set(Picture.of(svg).texts)


@pytest.mark.parametrize("players", [2, 3, 5, 8, 13, 16, 32, 64])
def test_nothing_is_drawn_outside_the_sheet(players: int) -> None:
    event = _with_rounds(seeded([f"Player {number}" for number in range(1, players + 1)]))
    assert Picture.of(drawings.bracket(bracket_of(event))).is_inside()


@given(st.lists(st.text(min_size=1, max_size=60).filter(str.strip), min_size=4, max_size=4, unique=True))
def test_a_bracket_with_any_names_is_valid_svg_inside_its_sheet(names: list[str]) -> None:
    document = bracket_of(_with_rounds(seeded(EIGHT[:4])))
    picture = Picture.of(drawings.bracket(_renamed(document, dict(zip(EIGHT, names, strict=False)))))
    assert picture.is_inside()


def test_names_in_a_drawing_are_never_markup() -> None:
    document = _renamed(bracket_of(_with_rounds(seeded(EIGHT[:4]))), {"Ann Lee": "<script>1&2</script>"})
    svg = drawings.bracket(document)
    assert "<script>" not in svg
    assert "1  <script>1&2</script>" in Picture.of(svg).texts


def _with_rounds(event: Event) -> Event:
    event.pair()
    return event


def _renamed(document: Document, names: dict[str, str]) -> Document:
    """Return a bracket with other names."""

    def game(said: Document) -> Document:
        players = [names.get(player, player) for player in said["players"]]
        return {**said, "players": players, "winner": names.get(said["winner"], said["winner"])}

    rounds = [{**round_, "games": [game(said) for said in round_["games"]]} for round_ in document["rounds"]]
    return {**document, "rounds": rounds, "seeds": [names.get(player, player) for player in document["seeds"]]}
