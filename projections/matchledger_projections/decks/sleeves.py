"""Sleeves: a leader's observations, checked against the rule of the event (L5R-II.2c-SLEEVE, ASH-SLEEVE)."""

from __future__ import annotations

from msgspec import Struct

from matchledger_projections.decks.findings import Evidence, Finding
from matchledger_projections.decks.law import five_rings
from matchledger_projections.rulebook.sections import Occasion


class Sleeves(Struct, frozen=True):
    """What a leader observed: whether both decks are in opaque sleeves, look uniform, and have different sleeves.

    Without sleeves, `uniform` describes the backs of the cards. `distinct` compares the sleeves of the two decks.
    `worn` says that the sleeves are in bad condition.
    """

    opaque: bool
    uniform: bool
    distinct: bool
    worn: bool = False


SEEN: tuple[str, ...] = Sleeves.__struct_fields__


def check_l5r(sleeves: Sleeves, occasion: Occasion) -> Finding:
    """Check for opaque, different and identical sleeves at Formal and Premier events, and for uniform decks at any
    event (L5R-II.2c-SLEEVE).
    """
    evidence = Evidence("L5R-II.2c-SLEEVE")
    if occasion.tier is None:
        evidence.lack("the tier of the event is not given")
    if not sleeves.uniform:
        evidence.fault("the cards of a deck do not look the same")
    if occasion.tier in five_rings().sleeved_tiers:
        if not sleeves.opaque:
            evidence.fault(f"{occasion.tier} events need opaque sleeves on both decks")
        if not sleeves.distinct:
            evidence.fault("the two decks need different sleeves")
    return evidence.verdict("the decks look as they should")


def check_ashes(sleeves: Sleeves) -> Finding:
    """Check that no card can be distinguished from another (ASH-SLEEVE). Sleeves are optional. If a player uses
    sleeves, they must be in good condition.
    """
    evidence = Evidence("ASH-SLEEVE")
    if not sleeves.uniform:
        evidence.fault("cards of the deck can be told apart: sleeves are needed")
    if sleeves.worn:
        evidence.fault("the sleeves are worn")
    return evidence.verdict("no card can be told from another")
