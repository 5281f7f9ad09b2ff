"""Charts: what they show for a played event, and that nothing is drawn outside the sheet."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import Replay
from tests.drawings.conftest import Picture
from tests.golden import Golden

from matchledger import drawings
from matchledger_projections.document import Document, document
from matchledger_projections.record.record import Record
from matchledger_projections.views.charts import course_of, field_of, pace_of

EXPECTED = Path(__file__).parent / "expected"

THREE_ROUNDS = """\
rulebook l5r-2018
event Three rounds
players Ann Bo Cy Di
round 1
  Ann > Bo
  Cy > Di modified-win
round 2
  Ann > Cy
  Bo > Di
drop Di
late Ed 2
round 3
  Ann > Ed
  Bo > Cy
"""


def course(record: Record, name: str) -> Document:
    found = record.named(name)
    assert found is not None
    made: Document = document(course_of(record, found.number), record)
    return made


def test_a_rank_chart_shows_the_player_after_each_round(replay: Replay, golden: Golden) -> None:
    document = course(replay(THREE_ROUNDS).draft.record, "Bo")
    assert [(line["round"], line["rank"], line["of"], line["points"]) for line in document["rounds"]] == [
        (1, 3, 4, 1),
        (2, 2, 5, 11),
        (3, 2, 5, 21),
    ]
    svg = drawings.rank_over_rounds(document)
    golden.holds(EXPECTED / "rank.svg", svg)
    assert Picture.of(svg).description == "Round 1: 3 of 4. Round 2: 2 of 5. Round 3: 2 of 5."
    assert Picture.of(svg).is_inside()


def test_a_late_player_has_no_rank_before_arriving(replay: Replay) -> None:
    document = course(replay(THREE_ROUNDS).draft.record, "Ed")
    assert [line["round"] for line in document["rounds"]] == [2, 3]


def test_a_round_without_a_place_leaves_a_gap() -> None:
    rounds = [{"round": number, "rank": rank, "of": 9} for number, rank in enumerate([4, None, 2, 1], 1)]
    svg = drawings.rank_over_rounds({"player": "Ann", "rounds": rounds})
    assert svg.count("<circle") == 3
    assert svg.count('stroke-width="2"') == 1
    assert "Round 2: no place." in Picture.of(svg).description


def test_charts_say_that_the_first_round_is_not_over(replay: Replay) -> None:
    record = replay("rulebook l5r-2018\nplayers Ann Bo\n").draft.record
    for svg in (
        drawings.rank_over_rounds(course(record, "Ann")),
        drawings.points_of_the_field(document(field_of(record), record)),
    ):
        assert Picture.of(svg).texts == ["No round is finished yet."]
        assert Picture.of(svg).is_inside()


def test_a_points_chart_shows_the_field_after_each_round(replay: Replay, golden: Golden) -> None:
    record = replay(THREE_ROUNDS).draft.record
    found = document(field_of(record), record)
    assert found["rounds"][0] == {
        "round": 1,
        "players": 4,
        "field": [{"points": points, "players": 1} for points in (0, 1, 6, 10)],
    }
    svg = drawings.points_of_the_field(found)
    golden.holds(EXPECTED / "field.svg", svg)
    assert Picture.of(svg).description.startswith("Round 1: 1 with 0 TP, 1 with 1 TP, 1 with 6 TP, 1 with 10 TP.")
    assert Picture.of(svg).is_inside()


def test_a_pace_chart_shows_the_slips_over_the_clock(replay: Replay, golden: Golden) -> None:
    record = replay(THREE_ROUNDS).draft.record
    round_ = record.round(1)
    assert round_ is not None
    noon = datetime(2026, 5, 3, 12, tzinfo=UTC)
    clock = {position: noon + timedelta(minutes=10 * (position - round_.position)) for position in range(1, 30)}
    found = document(pace_of(record, round_, recorded_at=clock), record)
    assert [(slip["table"], slip["seconds"]) for slip in found["slips"]] == [(1, 600), (2, 1200)]
    svg = drawings.slips_over_the_clock(found)
    golden.holds(EXPECTED / "pace.svg", svg)
    assert Picture.of(svg).description == (
        "2 of 2 slips have come in. The first slip came after 10 minutes, half of the slips by 10, "
        "the last after 20. The round has 65 minutes. The round was not started: minutes count from the pairing."
    )


courses = st.lists(
    st.integers(1, 400).flatmap(
        lambda of: st.fixed_dictionaries(
            {"rank": st.none() | st.integers(1, of), "of": st.just(of), "points": st.integers(0, 200)}
        )
    ),
    max_size=20,
)


@given(courses, st.text(max_size=50))
def test_every_rank_chart_stays_inside_its_sheet(lines: list[Document], player: str) -> None:
    rounds = [{"round": number, **line} for number, line in enumerate(lines, 1)]
    assert Picture.of(drawings.rank_over_rounds({"player": player, "rounds": rounds})).is_inside()


bars = st.dictionaries(st.integers(0, 200), st.integers(1, 5000), min_size=1, max_size=60)


@given(st.lists(bars, max_size=15))
def test_every_points_chart_stays_inside_its_sheet(fields: list[dict[int, int]]) -> None:
    rounds = [
        {"round": number, "field": [{"points": points, "players": players} for points, players in field.items()]}
        for number, field in enumerate(fields, 1)
    ]
    picture = Picture.of(drawings.points_of_the_field({"tournament": "Open", "unit": "TP", "rounds": rounds}))
    assert picture.is_inside()


@given(st.lists(st.integers(-600, 20_000), max_size=60), st.integers(0, 500), st.none() | st.integers(1, 200))
def test_every_pace_chart_stays_inside_its_sheet(seconds: list[int], more: int, minutes: int | None) -> None:
    document = {
        "round": 3,
        "tables": len(seconds) + more,
        "slips": [{"seconds": second} for second in seconds],
        "minutes": minutes,
        "from": "started",
    }
    assert Picture.of(drawings.slips_over_the_clock(document)).is_inside()
