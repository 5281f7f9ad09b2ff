"""Demands: what a sentence asks the reader to add, such as a reason.

A sentence says what is missing in the words of the field. Each face - command line, page, API - looks up the demand
here and names its own option, field or button.
"""

from __future__ import annotations

from typing import Literal

from matchledger_projections.message import Sentence

Demand = Literal[
    "a bracket's division",
    "a correction",
    "a cut",
    "a division",
    "a known moment",
    "a late arrival",
    "a late list",
    "a leader",
    "a leader who goes",
    "a reason",
    "a rejoining player",
    "a round undone",
    "new numbers",
    "a rematch",
    "a seat",
    "a second key file",
    "a signing key",
    "a token",
    "a tournament",
    "a trusted key",
    "an elimination round",
    "an exception",
    "another bracket",
    "another key file",
    "cards of a faction",
    "names in clear",
    "no other clerk",
    "no other moment",
    "numbers alone",
    "one's own name",
    "pairings by hand",
    "rounds to come",
    "the calls",
    "the leaders",
    "the pairings verified",
    "the places",
    "the players",
    "the rules",
    "the rulings",
    "the tokens",
    "this copy's rounds",
    "what decided at time",
]


def demanding(said: Sentence, *demands: Demand) -> Sentence:
    """A sentence with its demands. Any one of several is enough."""
    said.demands = demands
    return said


def demands_of(said: object) -> tuple[str, ...]:
    """The demands of a sentence and of the sentences inside it, each once. A text of another type has no
    demands.
    """
    if not isinstance(said, Sentence):
        return ()
    inside = (demand for value in said.values.values() for demand in demands_of(value))
    return tuple(dict.fromkeys((*said.demands, *inside)))
