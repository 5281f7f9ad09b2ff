"""Imported events: the program judges what happens after the import, and not the file itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.event import SECRET
from tests.stages.conftest import Event
from tests.stages.test_departures import listed, play, report

from matchledger.commands import cuts, structures
from matchledger.commands import round_clock as clock
from matchledger.commands import swiss as rounds
from matchledger.commands import tournaments as opening
from matchledger.service.importing import Transcription

Replay = Callable[[str], Transcription]

close = partial(opening.close, secret=SECRET)
pair = partial(rounds.pair_round, secret=SECRET)

NINE = "rulebook l5r-2018\nplayers A B C D E F G H I\n"
ONE_ROUND = NINE + "round 1\n  A > B\n  C > D\n  E > F\n  G > H\n  I bye\n"


@pytest.fixture
def imported(replay: Replay) -> Callable[[str], Event]:
    def read(sheet: str) -> Event:
        event = Event()
        event.draft = replay(sheet).draft
        return event

    return read


def test_a_roster_from_a_file_follows_the_announcement_rule(imported: Callable[[str], Event]) -> None:
    event = imported(NINE)
    event.decide(structures.AnnounceStructure, style="swiss-with-cut", rounds=4, cut=4)
    event.decide(pair)
    event.decide(clock.start_round)
    report(event)
    assert "not a cut to 3 after round 1" in event.refusal(cuts.make_cut, size=3)
    refused = event.refusal(close)
    assert "1 of 4 announced rounds were played" in refused
    assert "L5R-IV.2-ANNOUNCE" in refused
    event.decide(close, deviating=True)
    assert ("departure from the structures", ("L5R-IV.2-ANNOUNCE",)) in [
        (kind, rules[:1]) for kind, rules in listed(event)
    ]


def test_a_roster_from_a_file_follows_the_table_of_structures(imported: Callable[[str], Event]) -> None:
    event = imported(NINE)
    play(event, 1)
    assert "L5R-V.1-BASIC" in event.refusal(close)
    assert "L5R-V.1-BASIC" in event.refusal(cuts.make_cut, size=3)
    assert {"import", "structure not announced", "round that nobody started"} <= {kind for kind, _ in listed(event)}


def test_the_announcement_after_imported_rounds_is_judged_and_the_rounds_are_not(
    imported: Callable[[str], Event],
) -> None:
    event = imported(ONE_ROUND)
    assert {kind for kind, _ in listed(event)} == {"import", "manual pairing"}
    event.decide(structures.AnnounceStructure, style="swiss-with-cut", rounds=4, cut=4, deviating=True)
    play(event, 1)
    assert "2 of 4 announced rounds were played" in event.refusal(close)
    assert "not a cut to 2 after round 2" in event.refusal(cuts.make_cut, size=2)
    never_started = [rules for kind, rules in listed(event) if kind == "round that nobody started"]
    assert never_started == [("L5R-III.2-START",)]  # only round 2 was played here: round 1 came from the file


def test_imported_rounds_were_announced_elsewhere(imported: Callable[[str], Event]) -> None:
    event = imported(ONE_ROUND)
    event.decide(cuts.make_cut, size=3, seeds=[1, 3, 5])
    assert not [kind for kind, _ in listed(event) if kind.startswith("departure")]


def test_a_retracted_announcement_no_longer_applies_to_imported_rounds(imported: Callable[[str], Event]) -> None:
    event = imported(ONE_ROUND)
    event.decide(structures.AnnounceStructure, style="swiss-with-cut", rounds=4, cut=4, deviating=True)
    assert "announced rounds were played" in event.refusal(close)
    event.retract_last()
    event.decide(close)


def test_after_an_imported_round_the_standings_of_a_live_round_must_be_posted(
    imported: Callable[[str], Event],
) -> None:
    event = imported(ONE_ROUND.replace("l5r-2018", "pokemon-2009"))
    event.decide(structures.AnnounceStructure, style="swiss", rounds=4, prizes=4, deviating=True)
    event.decide(pair)
    report(event)
    event.decide(pair)
    unposted = [rules for kind, rules in listed(event) if kind == "paired before the standings were posted"]
    assert unposted == [("PKM-4-POST",)]  # only before round 3: round 1 was posted elsewhere
