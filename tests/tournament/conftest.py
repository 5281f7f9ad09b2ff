"""Decisions on tournaments that come from score sheets. Players have numbers in the order of the sheet, from 1."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matchledger.commands.refusal import Refusal
from matchledger.ledger import Decision, Draft
from matchledger.service.importing import Transcription

Play = Callable[[str], Draft]
Refused = Callable[[Draft, Decision], str]


@pytest.fixture
def play(replay: Callable[[str], Transcription]) -> Play:
    """Return the draft of a tournament from a score sheet."""
    return lambda sheet: replay(sheet).draft


@pytest.fixture
def refused() -> Refused:
    """Return the reason for a refused decision: one line. Nothing changes."""

    def refused(draft: Draft, decision: Decision) -> str:
        entries, position = list(draft.entries), draft.record.position
        with pytest.raises(Refusal) as caught:
            draft.decide(decision)
        assert (draft.entries, draft.record.position) == (entries, position)
        message = str(caught.value)
        assert "\n" not in message
        return message

    return refused
