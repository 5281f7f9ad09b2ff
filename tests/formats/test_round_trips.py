"""Round trips: random events under every rulebook are written in each format and read back."""

from __future__ import annotations

import csv
import io
from collections import Counter
from contextlib import suppress
from functools import partial

import pytest
from tests.audit.random_events import play
from tests.event import SECRET, deciding

from matchledger.commands import cuts, eliminations, roster, ties
from matchledger.commands import results as slips
from matchledger.commands.refusal import Refusal
from matchledger.formats.log_transcript import transcript_of
from matchledger.formats.reader import read_transcript
from matchledger.formats.writer import write_transcript
from matchledger.notation.slip import Written
from matchledger.service.importing import transcribe
from matchledger_projections.record.record import Record
from matchledger_projections.rulebook.rulebook import shipped_rulebooks
from matchledger_projections.standings.standings import standings

SEEDS = range(2)


def recorded(data: bytes, form: str) -> Record:
    return transcribe(read_transcript(data, form), data=data, source="x", secret=bytes(32)).draft.record


def an_event(rulebook: str, seed: int) -> Record:
    """Three rounds with drops, late players, corrections and a disqualification, then a cut to four."""
    sheet, _ = write_transcript(transcript_of(play(seed, rulebook, 9 + seed, 3).record), "sheet")
    draft = transcribe(read_transcript(sheet), data=sheet, source="x", secret=SECRET).draft
    last = next(row.player for row in reversed(list(standings(draft.record, 3).rows)) if row.status == "active")
    draft.decide(partial(roster.disqualify, player=last))
    with suppress(Refusal):  # some events have no tied players
        draft.decide(deciding(ties.DrawTies))
    draft.decide(partial(cuts.make_cut, size=4))
    draft.decide(partial(eliminations.pair_elimination, secret=SECRET))
    blood = None if draft.record.rulebook.blood_points is None else 7
    won = Written(kind="win", winner=1, blood_points=blood)
    for number in draft.record.rounds("elimination")[0].tables:
        draft.decide(partial(slips.report, table=number, written=won, stage="elimination"))
    return draft.record


def table(record: Record) -> dict[str, tuple[object, ...]]:
    """Return the points and tiebreakers of each player, without drawn orders."""
    return {
        record.players[row.player].name: (
            row.points,
            *(value for name, value in row.tiebreaks.items() if name != "random_draw"),
        )
        for row in standings(record, record.finished_rounds).rows
    }


def outcomes(record: Record) -> Counter[tuple[object, ...]]:
    """Return each round's opponents and winners."""
    found: Counter[tuple[object, ...]] = Counter()
    name = {player.number: player.name for player in record.players.values()}
    for stage in ("swiss", "elimination"):
        for round_ in record.rounds(stage):
            for _, players, report in round_.results():
                winner = None if report is None or report.slip.winner is None else name[report.slip.winner]
                found[stage, round_.number, frozenset(name[one] for one in players), winner] += 1
            for bye in round_.byes:
                found[stage, round_.number, name[bye.player], "bye"] += 1
    return found


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rulebook", shipped_rulebooks())
def test_each_format_can_be_written_and_read_back(rulebook: str, seed: int) -> None:
    record = an_event(rulebook, seed)
    transcript = transcript_of(record)
    for form in ("sheet", "cobra", "tom"):
        data, left_out = write_transcript(transcript, form)
        back = recorded(data, form)
        if form != "cobra":
            assert outcomes(back) == outcomes(record), form
        if form == "sheet" or (form, rulebook) in {("cobra", "netrunner-2023"), ("tom", "pokemon-tom")}:
            assert table(back) == table(record), form
        elif form == "cobra" and not any("losses" in line for line in left_out):
            assert {name: row[0] for name, row in table(back).items()} == {
                name: row[0] for name, row in table(record).items()
            }
        foreign = {"cobra": "netrunner-2023", "tom": "pokemon-tom"}.get(form, rulebook)
        assert any(line.startswith("the rulebook") for line in left_out) == (foreign != rulebook)
        assert any("disqualifications" in line for line in left_out) == (form != "sheet")
    rows = list(csv.DictReader(io.StringIO(write_transcript(transcript, "csv")[0].decode())))
    assert {row["player"]: int(row["points"]) for row in rows} == {
        name: row[0] for name, row in table(record).items()
    }
