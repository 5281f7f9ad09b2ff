"""The log describes each kind of fact in its own line, in the words that judges and players use."""

from __future__ import annotations

from typing import get_args

import pytest

from matchledger.events import AnyFact, Fact
from matchledger_projections import narration


@pytest.mark.parametrize("kind", get_args(AnyFact), ids=lambda kind: kind.__name__)
def test_every_kind_of_fact_has_a_sentence_for_the_log(kind: type[Fact]) -> None:
    assert kind in narration.TELLERS
