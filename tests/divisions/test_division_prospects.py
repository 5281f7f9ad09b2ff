"""Prospects of divisions: whatif, previews and clinch show each cut with its own edge."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.desk import RunCli
from tests.divisions.conftest import Event, Start

from matchledger.cli import run
from matchledger.commands import divisions
from matchledger.commands import results as slips
from matchledger.events import DivisionMode, Entry
from matchledger.ledger import Draft
from matchledger.notation.slip import Written
from matchledger_projections.document import document
from matchledger_projections.record.record import fold
from matchledger_projections.stages.cut import cuts_known, top_of
from matchledger_projections.views.clinch import Clinch, clinch, decided_by_points
from matchledger_projections.views.consequences import consequences
from matchledger_projections.views.cutline import cut_lines


def begun(start: Start, mode: DivisionMode) -> Event:
    """Four juniors and four masters after one of two rounds. For each division a cut to the top two is
    announced.
    """
    event = start(junior=4, masters=4)
    event.announce(rounds=2, division_cuts={"junior": 2, "masters": 2}, deviating=True)
    event.decide(divisions.DecideDivisions, mode=mode, deviating=True)
    event.play(1)
    event.pair()
    return event


def entries_of(event: Event) -> list[Entry]:
    return list(event.draft.entries)


def told(event: Event, found: Clinch) -> dict[str, str]:
    return {event.name(prospect.player): prospect.fate for prospect in found.prospects}


@pytest.mark.parametrize("mode", ["separated", "modified"])
def test_the_prospects_of_a_division_cover_only_its_players(start: Start, mode: DivisionMode) -> None:
    event = begun(start, mode)
    assert cuts_known(event.record) == {"junior": 2, "masters": 2}
    for division in ("junior", "masters"):
        found = clinch(entries_of(event), rounds_left=1, cut=2, division=division)
        assert (found.division, found.basis) == (division, "exact")
        assert {name.rstrip("1234") for name in told(event, found)} == {division}


@pytest.mark.parametrize("mode", ["separated", "modified"])
@pytest.mark.parametrize("division", ["junior", "masters"])
def test_clinch_by_bounds_in_a_division_never_contradicts_the_exact_search(
    start: Start, mode: DivisionMode, division: str
) -> None:
    event = begun(start, mode)
    for entries, left in ((entries_of(event), 1), (entries_of(event)[:-1], 1)):
        exact = clinch(entries, rounds_left=left, cut=2, division=division, most_endings=10**5)
        bound = clinch(entries, rounds_left=left, cut=2, division=division, most_endings=0)
        assert bound.basis == "bound"
        for searched, counted in zip(exact.prospects, bound.prospects, strict=True):
            assert counted.fate in ("undecided", searched.fate) or searched.fate == "undecided"


@pytest.mark.parametrize("mode", ["separated", "modified"])
def test_a_certain_player_reaches_the_cut_in_every_ending(start: Start, mode: DivisionMode) -> None:
    event = begun(start, mode)
    before = entries_of(event)
    found = {one: told(event, clinch(before, rounds_left=1, cut=2, division=one)) for one in ("junior", "masters")}
    latest = event.record.latest_round()
    assert latest is not None
    for winners in range(1 << len(latest.tables)):
        draft = Draft(before[0].tournament, fold(before))
        for place, table in enumerate(latest.tables):
            written = Written(winner=winners >> place & 1)
            draft.decide(partial(slips.report, table=table, written=written))
        for division, line in zip(found, cut_lines(draft.record, cuts_known(draft.record)), strict=True):
            inside, maybe = set(line.inside), {*line.inside, *line.level}
            for name, fate in found[division].items():
                assert fate != "certain" or event.number(name) in inside
                assert fate != "impossible" or event.number(name) not in maybe


def without_slip(event: Event, round_: int, player: str) -> list[Entry]:
    """Retract the slip of a player's match in an earlier round, and return the entries."""
    where = event.record.round(round_)
    assert where is not None
    table = where.table_of(event.number(player))
    report = None if table is None else where.report(table, where.tables[table])
    assert report is not None
    event.decide(slips.retract, entry=event.draft.entries[report.position - 1])
    return entries_of(event)


@pytest.mark.parametrize("most_endings", [0, 20_000])
def test_an_open_match_of_an_earlier_round_can_still_decide_the_cut(start: Start, most_endings: int) -> None:
    event = begun(start, "separated")
    event.report()
    before = without_slip(event, 1, "junior1")
    where = event.record.round(1)
    assert where is not None
    [table] = where.outstanding
    found = clinch(before, rounds_left=0, cut=2, division="junior", most_endings=most_endings)
    assert [str(one) for one in found.missing] == [f"table {table} of round 1 has no result"]
    assert document(found, event.record)["without_result"] == [{"round": 1, "table": table}]
    reached = []
    for written in (Written(winner=0), Written(winner=1)):
        draft = Draft(before[0].tournament, fold(before))
        draft.decide(partial(slips.report, table=table, written=written, round_=1))
        [line] = [one for one in cut_lines(draft.record, cuts_known(draft.record)) if one.division == "junior"]
        reached.append((set(line.inside), {*line.inside, *line.level}))
    assert reached[0] != reached[1]
    fates = told(event, found)
    for name, fate in fates.items():
        number = event.number(name)
        assert fate != "certain" or all(number in inside for inside, _ in reached)
        assert fate != "impossible" or not any(number in maybe for _, maybe in reached)
    assert ("open" if most_endings else "undecided") in fates.values()
    other = clinch(before, rounds_left=0, cut=2, division="masters", most_endings=most_endings)
    assert (other.missing, "open" in told(event, other).values()) == ((), False)


def test_points_tell_nothing_while_many_matches_of_earlier_rounds_are_open(start: Start) -> None:
    event = begun(start, "modified")
    event.report()
    for player in event.record.round(1).tables.values():  # type: ignore[union-attr]
        entries = without_slip(event, 1, event.name(player[0]))
    with pytest.raises(ValueError, match="before these results are in: tables 1, 2, 3, 4 of round 1"):
        clinch(entries, rounds_left=0, cut=2, division="junior", most_endings=0)


def test_a_preview_of_a_correction_shows_each_cut_that_changes(start: Start) -> None:
    event = begun(start, "separated")
    event.report()
    before = event.draft.record
    corrected = Draft(entries_of(event)[0].tournament, fold(entries_of(event)))
    first = before.rounds()[0]
    player = event.number("junior1")
    table = first.table_of(player)
    assert table is not None
    other = Written(winner=1 - first.tables[table].index(player))
    corrected.decide(partial(slips.correct, table=table, round_=1, written=other, override=True))
    found = consequences(before, corrected.record).cuts
    assert [(cut.division, cut.size, cut.made) for cut in found] == [("junior", 2, False)]


def test_each_flight_has_its_own_line_of_the_cut(start: Start) -> None:
    event = start(masters=64)
    event.announce(rounds=5, division_cuts={"masters": 8})
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    event.play(5)
    [line] = cut_lines(event.record, cuts_known(event.record))
    assert (line.inside, line.level) == (top_of(event.record, "masters", 8, 5), ())
    with pytest.raises(ValueError, match="masters plays in flights"):
        clinch(entries_of(event), rounds_left=0, cut=8, division="masters")


def test_flights_of_one_division_leave_the_prospects_of_the_others(start: Start) -> None:
    event = start(junior=16, masters=64)
    event.decide(divisions.DecideDivisions, mode="separated", deviating=True)
    event.announce(rounds=5, division_cuts={"junior": 4, "masters": 8}, deviating=True)
    event.decide(divisions.DrawFlights, division="masters", flights=2)
    event.play(5)
    fates = decided_by_points(event.record)
    assert {event.name(player).rstrip("0123456789") for player in fates} == {"junior"}
    assert "certain" in fates.values()


@pytest.mark.parametrize("mode", ["separated", "modified"])
def test_prospects_by_points_leave_out_a_round_in_progress(start: Start, mode: DivisionMode) -> None:
    event = start(junior=8, masters=8)
    event.announce(rounds=3, division_cuts={"junior": 2, "masters": 2}, deviating=True)
    event.decide(divisions.DecideDivisions, mode=mode, deviating=True)
    event.play(2)
    event.pair()
    before = decided_by_points(event.record)
    assert set(before.values()) & {"certain", "impossible", "open"}
    latest = event.record.latest_round()
    assert latest is not None
    for table in list(latest.tables)[:-1]:
        event.decide(slips.report, table=table, written=Written(winner=0))
        assert decided_by_points(event.record) == before
    event.report()
    assert decided_by_points(event.record) != before


SHEET = """\
rulebook pokemon-2009
event Regional
player Ann division=junior
player Bo division=junior
player Cy division=masters
player Di division=masters
round 1
  Ann > Bo
  Cy > Di
cut junior=2 masters=2
"""


def test_the_output_names_the_division(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = tmp_path / "regional.sheet"
    sheet.write_text(SHEET, "utf-8")
    monkeypatch.setenv("MATCHLEDGER_LEDGER", str(tmp_path / "regional.ledger"))
    assert run(["import", str(sheet)]) == 0
    said = run_cli("clinch", "--rounds-left", "0").out
    assert "Cut of 2 for junior with 0 rounds left" in said
    assert "Cut of 2 for masters with 0 rounds left" in said
    document = run_cli("clinch", "--rounds-left", "0", "--division", "Masters", "--json").document
    assert [player["player"] for player in document["players"]] == ["Cy", "Di"]
    assert "HYPOTHETICAL cut of 2 for junior: Bo, Ann" in run_cli("whatif", "--set", "1 1 b").out
    assert (
        "there is no division 'senior'"
        in run_cli("clinch", "--rounds-left", "0", "--division", "senior", code=2).err
    )
