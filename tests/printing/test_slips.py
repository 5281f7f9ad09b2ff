"""Slips: their order after the stack is cut, the codes for the desk, and the fields of each rulebook."""

from __future__ import annotations

import re
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from tests.conftest import Replay
from tests.printing.conftest import Printed, sheet

from matchledger import printing
from matchledger.notation.slip_code import SlipCode, SlipCodeError, is_slip_code, table_of_slip
from matchledger.printing.forms import cut_stack
from matchledger.service.readings import code_of
from matchledger_projections.document import document
from matchledger_projections.rulebook.house import house_rulebook, house_rules
from matchledger_projections.rulebook.rulebook import parse_rulebook, rulebook_text
from matchledger_projections.views.sheets import slip_form, slips_of


@given(st.integers(0, 300), st.integers(1, 6))
def test_slips_lie_in_order_after_the_stack_is_cut(count: int, up: int) -> None:
    sheets = cut_stack(range(count), up)
    assert all(len(slips) == up for slips in sheets)
    piles = [[slips[place] for slips in sheets] for place in range(up)]
    assert [slip for pile in piles for slip in pile if slip is not None] == list(range(count))


def test_ten_tables_need_three_sheets(replay: Replay, printed: Printed) -> None:
    record = replay(sheet(20)).draft.record
    round_ = record.round(1)
    assert round_ is not None
    paper = printed(printing.slips, document(slips_of(record, round_, code_of(record)), record), record)
    tables = [[SlipCode.parse(code).table for code in paper.codes(page)] for page in range(len(paper.pages))]
    assert tables == [[1, 4, 7, 10], [2, 5, 8], [3, 6, 9]]
    assert re.findall(r"Player\d+", paper.pages[1]) == [
        "Player003",
        "Player004",
        "Player009",
        "Player010",
        "Player015",
        "Player016",
    ]
    assert "Round 1" in paper.pages[2]


def test_a_slip_of_a_game_with_half_points_offers_a_draw_for_half_a_point(replay: Replay, printed: Printed) -> None:
    record = replay(sheet(2)).draft.record
    round_ = record.round(1)
    assert round_ is not None
    chess = parse_rulebook(house_rulebook(house_rules(id="own-chess", win="1", draw="1/2", best_of="none")))
    form = {"form": to_builtins(slip_form(chess))}
    paper = printed(printing.slips, document(slips_of(record, round_, code_of(record)), record) | form, record)
    assert "draw (½\N{EN DASH}½)" in paper.pages[0]
    assert "concession (1\N{EN DASH}0)" in paper.pages[0]


def test_the_number_of_slips_on_a_sheet_can_be_lowered(replay: Replay, printed: Printed) -> None:
    record = replay(sheet(12)).draft.record
    round_ = record.round(1)
    assert round_ is not None
    paper = printed(printing.slips, document(slips_of(record, round_, code_of(record)), record), record, up=2)
    assert len(paper.pages) == 3


def test_a_name_of_two_hundred_letters_fits_on_its_slip(replay: Replay, printed: Printed) -> None:
    long = " ".join(["Wolfeschlegelsteinhausen"] * 8)
    text = sheet(2).replace("Player001", f'"{long}"')
    record = replay(text).draft.record
    round_ = record.round(1)
    assert round_ is not None
    paper = printed(printing.slips, document(slips_of(record, round_, code_of(record)), record), record)
    assert len(paper.pages) == 1
    assert paper.text.count("Wolfeschlegelsteinhausen") == 8


@pytest.mark.parametrize(
    ("rulebook", "each"),
    [
        ("l5r-2018", ["provinces broken", "honor", "favor", "decided first player"]),
        ("ashes-2022", ["blood points"]),
        ("magic-mtr", ["games won", "games drawn"]),
        ("yu-gi-oh", ["games won"]),
        ("one-piece", []),
        ("netrunner-2023", ["points"]),
        ("pokemon-2009", []),
    ],
)
def test_a_slip_has_fields_for_what_the_rulebook_needs(
    rulebook: str, each: list[str], replay: Replay, printed: Printed
) -> None:
    assert list(slip_form(parse_rulebook(rulebook_text(rulebook))).each) == each
    record = replay(sheet(4, rulebook)).draft.record
    round_ = record.round(1)
    assert round_ is not None
    paper = printed(printing.slips, document(slips_of(record, round_, code_of(record)), record), record)
    assert all(asked in paper.text for asked in each)
    assert ("modified-win (6\N{EN DASH}0)" in paper.text) == (rulebook == "l5r-2018")


def test_street_warriors_has_different_slips_for_swiss_and_elimination() -> None:
    rulebook = parse_rulebook(rulebook_text("street-warriors-2004"))
    swiss, elimination = (
        {result.kind for result in slip_form(rulebook, stage).results} for stage in ("swiss", "elimination")
    )
    assert swiss - elimination == {"draw"}
    assert elimination - swiss == {"time-tiebreak"}


# -- the code


codes = st.builds(
    SlipCode,
    st.uuids(),
    st.sampled_from(["swiss", "elimination"]),
    st.integers(1, 999_999),
    st.integers(1, 999_999),
)


@given(codes, st.sampled_from([str, str.lower]))
def test_a_slip_code_can_be_read_back(code: SlipCode, typed: type[str]) -> None:
    assert SlipCode.parse(f" {typed(str(code))}\n") == code
    assert is_slip_code(typed(str(code)))


def test_a_slip_code_from_a_scanner_on_a_german_keyboard_can_be_read() -> None:
    code = SlipCode(UUID(int=7), "elimination", 2, 31)
    assert SlipCode.parse(str(code).replace(":", "Ö")) == code
    assert SlipCode.parse(str(code).lower().replace(":", "ö")) == code


@pytest.mark.parametrize("text", ["12", "MLSLIP1", "MLSLIP1:00:S1:1", f"MLSLIP1:{UUID(int=1).hex}:S0:1", ""])
def test_an_invalid_slip_code_is_refused(text: str) -> None:
    with pytest.raises(SlipCodeError, match="this is not the code of a slip: type the table number instead"):
        SlipCode.parse(text)


def test_the_desk_accepts_only_slips_of_the_round_in_progress(replay: Replay) -> None:
    record = replay(sheet(4)).draft.record
    assert record.tournament is not None
    assert table_of_slip(record, str(SlipCode(record.tournament, "swiss", 1, 2))) == 2
    with pytest.raises(SlipCodeError, match="belongs to another tournament: nothing was recorded"):
        table_of_slip(record, str(SlipCode(UUID(int=99), "swiss", 1, 2)))
    with pytest.raises(SlipCodeError, match="this slip belongs to round 2: correct its result if it is wrong"):
        table_of_slip(record, str(SlipCode(record.tournament, "swiss", 2, 2)))
    with pytest.raises(SlipCodeError, match="this slip belongs to elimination round 1"):
        table_of_slip(record, str(SlipCode(record.tournament, "elimination", 1, 2)))
