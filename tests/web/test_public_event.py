"""What the public finds besides pairings: places of a large field, the crosstable, and pages for other sites."""

from __future__ import annotations

import pytest
from tests.benchmarks.events import TOURNAMENT, Played

from matchledger.service.redaction import Discretion
from matchledger.web.public import pages
from matchledger.web.public.hall import Hall
from matchledger.web.public.links import ServerLinks
from matchledger.web.public.pages import Face

LARGE, ROUNDS = 300, 9
MOST = 100_000  # bytes of a page


@pytest.fixture(scope="module")
def regional() -> Hall:
    """300 players after nine rounds."""
    played = Played("pokemon-2009", LARGE, keep=True)
    played.play(ROUNDS)
    return Hall(played.record, played.entries, Discretion.about([]))


@pytest.fixture
def face() -> Face:
    return Face("en", ServerLinks(TOURNAMENT))


def test_the_standings_of_three_hundred_players_are_a_page_below_a_hundred_kilobytes(
    regional: Hall, face: Face
) -> None:
    page = pages.standings_page(face, regional)
    assert page.count('<th scope="row">') == LARGE
    assert len(page.encode()) < MOST
