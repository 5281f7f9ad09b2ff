"""Decks for Legend of the Five Rings: The Card Game: construction, list and legality (L5R-II.2a, II.2b, II.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from matchledger_projections.decks.cards import NEUTRAL, RINGS, Card, folded
from matchledger_projections.decks.deck import Deck, Line
from matchledger_projections.decks.findings import Evidence, Finding, as_read, some
from matchledger_projections.decks.law import FiveRings, Size, five_rings
from matchledger_projections.rulebook.sections import Occasion

PARTS = ("stronghold", "role", "province", "dynasty", "conflict")
MOST_OF_A_RING = 2  # how many provinces of one ring a role allows


def check(deck: Deck, occasion: Occasion) -> list[Finding]:
    """Check every rule of L5R-II.2a to II.3 that needs only the list."""
    law = five_rings()
    return [
        _unique_names(deck),
        _set(deck, law),
        _clan(deck),
        _dynasty(deck, law),
        _conflict(deck, law),
        _influence(deck),
        _characters(deck, law),
        _copies(deck, law),
        _provinces(deck),
        _role(deck, law),
        _legal(deck, occasion, law),
    ]


def _unique_names(deck: Deck) -> Finding:
    """Check that each entry of the list names exactly one card (L5R-II.2b-LIST)."""
    evidence = Evidence("L5R-II.2b-LIST")
    for line in deck.lines:
        if line.card is None and line.is_ambiguous:
            evidence.fault(f"{line.name}: {line.problem}")
        elif line.card is None:
            evidence.of(line, "title")
    return evidence.verdict(f"every entry names one card{as_read(deck)}")


def _set(deck: Deck, law: FiveRings) -> Finding:
    """Check the set of L5R-II.2a-SET: two decks, a stronghold, the provinces, at most one role, and nothing
    else.
    """
    evidence = Evidence("L5R-II.2a-SET")
    for part, number in (("stronghold", law.strongholds), ("province", law.provinces)):
        if (found := deck.count(part)) != number:
            evidence.fault(f"{found} {part} cards, {number} are needed")
    if (roles := deck.count("role")) > law.roles:
        evidence.fault(f"{roles} role cards, {law.roles} at most")
    for part in ("dynasty", "conflict"):
        if not deck.count(part):
            evidence.fault(f"there is no {part} deck")
    if others := [line.name for line in deck.lines if line.part not in PARTS]:
        evidence.fault(f"no part of a deck of this game takes {some(others)}")
    for part in ("stronghold", "province", "role"):
        _need_own_part(evidence, deck, part)
    return evidence.verdict("stronghold, provinces, dynasty deck and conflict deck are there")


def _need_own_part(evidence: Evidence, deck: Deck, part: str) -> None:
    """Demand that each card is in the part of the deck that it was printed for."""
    for line in deck.part(part):
        belongs = evidence.of(line, "deck")
        if belongs is not None and belongs != part:
            evidence.fault(f"{line.title} is a {belongs} card and stands among the {part} cards")


def _own_clan(evidence: Evidence, deck: Deck) -> str | None:
    """Return the stronghold's clan, which is the clan of decks and provinces too, or None (L5R-II.2a-CLAN)."""
    stronghold = deck.only("stronghold")
    if stronghold is None:
        evidence.lack("the list does not name one stronghold")
        return None
    clans = evidence.of(stronghold, "clan")
    if clans is None:
        return None
    if len(clans) != 1 or NEUTRAL in clans:
        evidence.lack(f"{stronghold.title} is not a stronghold of one clan")
        return None
    return str(next(iter(clans)))


def _clan(deck: Deck) -> Finding:
    """Check that the card data tell the clan of the stronghold (L5R-II.2a-CLAN)."""
    evidence = Evidence("L5R-II.2a-CLAN")
    clan = _own_clan(evidence, deck)
    return evidence.verdict(f"the stronghold is {clan}")


def _foreign(evidence: Evidence, deck: Deck, part: str) -> Iterator[tuple[Line, frozenset[str]]]:
    """Yield the cards of a part that are neither neutral nor of the stronghold's clan, with their clans."""
    clan = _own_clan(evidence, deck)
    for line in deck.part(part):
        clans = evidence.of(line, "clan")
        if clans is not None and clan is not None and not clans & {clan, NEUTRAL}:
            yield line, clans


def _need_size(evidence: Evidence, deck: Deck, part: str, size: Size) -> None:
    if not size.least <= (found := deck.count(part)) <= size.most:
        evidence.fault(f"the {part} deck has {found} cards, {size.least} to {size.most} are allowed")


def _dynasty(deck: Deck, law: FiveRings) -> Finding:
    """Check the dynasty deck: its size, and only in-clan and neutral cards (L5R-II.2a-DYN)."""
    evidence = Evidence("L5R-II.2a-DYN")
    _need_size(evidence, deck, "dynasty", law.dynasty)
    _need_own_part(evidence, deck, "dynasty")
    if foreign := [line.title for line, _ in _foreign(evidence, deck, "dynasty")]:
        evidence.fault(f"out of clan: {some(foreign)}")
    return evidence.verdict(f"{deck.count('dynasty')} cards, in-clan and neutral")


def _conflict(deck: Deck, law: FiveRings) -> Finding:
    """Check the conflict deck: its size, and out-of-clan cards from only one other clan (L5R-II.2a-CON)."""
    evidence = Evidence("L5R-II.2a-CON")
    _need_size(evidence, deck, "conflict", law.conflict)
    _need_own_part(evidence, deck, "conflict")
    clans = [clans for _, clans in _foreign(evidence, deck, "conflict")]
    if clans and not frozenset.intersection(*clans):
        evidence.fault(f"out-of-clan cards from more than one clan: {', '.join(sorted(frozenset().union(*clans)))}")
    return evidence.verdict(f"{deck.count('conflict')} cards, out-of-clan ones from one clan at most")


def _influence(deck: Deck) -> Finding:
    """Compare the influence of out-of-clan conflict cards with that of stronghold and role (L5R-II.2a-INF)."""
    evidence = Evidence("L5R-II.2a-INF")
    spent = 0
    for line, _ in _foreign(evidence, deck, "conflict"):
        spent += line.count * (evidence.of(line, "influence") or 0)
    allowed = 0
    if stronghold := deck.only("stronghold"):
        allowed += evidence.of(stronghold, "influence_maximum") or 0
    for role in deck.part("role"):
        allowed += evidence.of(role, "influence_bonus") or 0
    said = f"influence {spent} of {allowed}"
    # If the card data lack a number, the sum and the limit cannot be compared.
    if not evidence.has_gaps and spent > allowed:
        evidence.fault(said)
    return evidence.verdict(said)


def _characters(deck: Deck, law: FiveRings) -> Finding:
    """Check the characters in the conflict deck (L5R-II.2a-CHAR)."""
    evidence = Evidence("L5R-II.2a-CHAR")
    found = sum(line.count for line in deck.part("conflict") if evidence.of(line, "type") == "character")
    if found > law.conflict_characters:
        evidence.fault(f"{found} characters in the conflict deck, {law.conflict_characters} at most")
    return evidence.verdict(f"{found} characters in the conflict deck")


def _copies(deck: Deck, law: FiveRings) -> Finding:
    """Count copies by title over both decks (L5R-II.2a-COPY). All printings of a title count together."""
    evidence = Evidence("L5R-II.2a-COPY")
    copies: Counter[str] = Counter()
    names: dict[str, str] = {}
    for line in deck.part("dynasty", "conflict"):
        evidence.of(line, "title")
        copies[folded(line.title)] += line.count
        names.setdefault(folded(line.title), line.title)
    for title, count in copies.items():
        if count > law.copies:
            evidence.fault(f"{count} copies of {names[title]} in both decks together, {law.copies} at most")
    return evidence.verdict(f"no title more than {law.copies} times")


def _provinces(deck: Deck) -> Finding:
    """Check that each ring has a province (L5R-II.2a-PROV). A role may allow a second province of one ring in place
    of another ring's.
    """
    evidence = Evidence("L5R-II.2a-PROV")
    if foreign := [line.title for line, _ in _foreign(evidence, deck, "province")]:
        evidence.fault(f"out of clan: {some(foreign)}")
    rings = Counter[str]()
    for line in deck.part("province"):
        if (ring := evidence.of(line, "ring")) is not None:
            rings[ring] += line.count
    doubled = [ring for ring, count in rings.items() if count > 1]
    extra = [evidence.of(role, "extra_ring") for role in deck.part("role")] if doubled else []
    for ring in doubled:
        # If the card data do not describe the role, the role may allow two provinces of one ring. No role allows
        # three provinces of one ring.
        if rings[ring] > MOST_OF_A_RING or (ring not in extra and None not in extra):
            evidence.fault(f"{rings[ring]} provinces of {ring}")
    absent = [ring for ring in RINGS if not rings[ring]]
    if absent and not doubled and rings.total() == deck.count("province"):
        evidence.fault(f"no province of {', '.join(absent)}")
    return evidence.verdict("the provinces that the role allows" if doubled else "a province for each ring")


def _role(deck: Deck, law: FiveRings) -> Finding:
    """Check that a clan's role is used only by that clan (L5R-II.2a-ROLE). Any clan may use other roles, or
    none.
    """
    evidence = Evidence("L5R-II.2a-ROLE")
    clan = _own_clan(evidence, deck) if deck.count("role") else None
    for role in deck.part("role"):
        traits = evidence.of(role, "keywords")
        if traits is None or not traits & set(law.clan_roles):
            continue
        clans = evidence.of(role, "clan")
        if clans is not None and clan is not None and clan not in clans:
            evidence.fault(f"{role.title} is a role of another clan than {clan}")
    return evidence.verdict("a role that the clan may use" if deck.count("role") else "no role")


def _legal(deck: Deck, occasion: Occasion, law: FiveRings) -> Finding:
    """Check that every card is legal on the day of the event (L5R-II.3-LEGAL)."""
    evidence = Evidence("L5R-II.3-LEGAL")
    if occasion.day is None or occasion.tier is None:
        evidence.lack("the day and the tier of the event are not given")
        return evidence.verdict("")
    for line in deck.lines:
        field = "released" if _is_home(occasion, law) else "legal_from"
        dates = [first for card in line.printings if (first := legal_from(card, occasion)) is not None]
        if not dates:
            evidence.of(line, field)
        elif min(dates) > occasion.day:
            evidence.fault(f"{line.title} is legal from {min(dates)} on")
    return evidence.verdict(f"every card is legal on {occasion.day}")


def legal_from(card: Card, occasion: Occasion) -> date | None:
    """Return the first day on which a printing is legal at an event of a tier and region (L5R-II.3-LEGAL).

    In North America the first day is the release, or for Premier events 11 days after the release. Elsewhere the
    organizer supplies the date. Return None if the date or the tier is unknown.
    """
    law = five_rings()
    if not _is_home(occasion, law):
        return card.legal_from
    if card.released is None or occasion.tier is None:
        return None
    return card.released + timedelta(days=law.days_after_release[occasion.tier])


def _is_home(occasion: Occasion, law: FiveRings) -> bool:
    return (occasion.region or law.home_region) == law.home_region
