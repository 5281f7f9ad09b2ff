"""Real events from today's software: the program reproduces the official places of each division.

The repository does not contain the files of real events.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.event import SECRET

from matchledger.formats.reader import read_transcript
from matchledger.service.importing import transcribe
from matchledger.service.official_numbers import compare
from matchledger_projections.divisions.tables import division_table

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "real-events"
FILES = sorted([*FOLDER.glob("pokemon-tom/*.tdf"), *FOLDER.glob("pokemon-pokedata/*.json")])

pytestmark = pytest.mark.skipif(not FILES, reason="the real events are not at hand")


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in FILES])
def test_every_real_division_matches_the_standings_of_the_software_that_ran_it(path: Path) -> None:
    data = path.read_bytes()
    transcript = read_transcript(data)
    draft = transcribe(transcript, data=data, source=path.name, secret=SECRET).draft
    assert transcript.official is not None
    assert compare(draft.record, transcript.official).mismatches == []
    compared = 0
    for division, official in transcript.official.orders.items():
        rows = division_table(draft.record, division).rows
        places = {draft.record.players[row.player].name: row.rank for row in rows}
        assert places.keys() >= set(official)
        ranks = [places[name] for name in official]
        assert None not in ranks
        assert ranks == sorted(rank for rank in ranks if rank is not None)
        compared += len(official)
    assert compared > 8
