"""Decks for the L5R Legacy format: bans, copy limits, clans and the cards that begin in play (LEG-*)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from matchledger_projections.decks.cards import Card, CardPool, folded
from matchledger_projections.decks.deck import Deck, Line
from matchledger_projections.decks.findings import Evidence, Finding, as_read, some
from matchledger_projections.decks.law import Clan, Legacy, TitleAndType, legacy
from matchledger_projections.decks.same_cards import PERSONALITY, SameCards, readings, separate_card
from matchledger_projections.rulebook.sections import Occasion

PARTS = ("stronghold", "pregame", "start", "dynasty", "fate")
DECKS = ("dynasty", "fate")
DRAFT, BIGDECK = "legacy-draft", "legacy-bigdeck"
UNALIGNED = "Unaligned"


def check(deck: Deck, occasion: Occasion, pool: CardPool | None) -> list[Finding]:
    """Check every rule of the Legacy format that needs only the list, in one of its variants."""
    law = legacy()
    same = readings(pool or CardPool(()))
    return [
        _scope(deck),
        _separate(deck, law),
        _clan(deck, law),
        _banned("LEG-BAN", deck, law.banned),
        _banned("LEG-BAN-DRAFT", deck, () if occasion.format == DRAFT else law.draft_only),
        *_limits(deck, same, occasion, law),
        _pregame(deck, law),
        _start(deck, occasion, law),
        _sizes(deck, occasion),
    ]


def _scope(deck: Deck) -> Finding:
    """Check that each entry is a card in the card data, in a part that the game has (LEG-SCOPE)."""
    evidence = Evidence("LEG-SCOPE")
    if others := [line.name for line in deck.lines if line.part not in PARTS]:
        evidence.fault(f"no part of a deck of this game takes {some(others)}")
    for line in deck.lines:
        evidence.of(line, "title")
    return evidence.verdict(f"every entry is one card{as_read(deck)}")


def _separate(deck: Deck, law: Legacy) -> Finding:
    """Check that each line tells which card it means if separate cards share its title (LEG-SEP)."""
    evidence = Evidence("LEG-SEP")
    for line in deck.lines:
        if evidence.of(line, "title") is not None and _separate_card(line, law) is None:
            evidence.lack(_unknown_separate(line, law))
    return evidence.verdict("no two separate cards are taken for one")


def _unknown_separate(line: Line, law: Legacy) -> str:
    """Say why a line does not tell which separate card it means, and what to do."""
    what = f"there are separate cards called {line.title}"
    how = law.separation(line.title)
    if how is not None and how.keyword:
        return f"{what}: the card data must give its keywords"
    if len(line.printings) > 1 or line.card is None or not line.card.product:
        return f"{what}: write the product in parentheses"
    return f"{what}, and {line.card.printed_in} is not listed as a printing of either"


def _separate_card(line: Line, law: Legacy) -> int | None:
    """Return the separate card that all printings of a line mean, or None if they mean several cards or an
    unknown card.
    """
    found = {separate_card(card, law) for card in line.printings}
    return found.pop() if len(found) == 1 else None


# -- clans


def alignment(personality: Card, strongholds: Iterable[Card]) -> frozenset[str] | None:
    """Return the clans of a Personality while some strongholds are in play (LEG-CLAN).

    The result is empty for an Unaligned Personality, and None if the card data lack its keywords.
    """
    if personality.keywords is None:
        return None
    in_play = {stronghold.reference for stronghold in strongholds}
    return frozenset(
        name
        for name, clan in legacy().clans.items()
        if clan.keyword & personality.keywords and (clan.stronghold is None or clan.stronghold in in_play)
    )


def _clan(deck: Deck, law: Legacy) -> Finding:
    """Check that the stronghold's clan is allowed (LEG-CLAN). The finding also says how the Personalities are
    aligned.
    """
    evidence = Evidence("LEG-CLAN")
    stronghold = deck.only("stronghold")
    if stronghold is None:
        evidence.lack("the list does not name one stronghold")
        return evidence.verdict("")
    for named in evidence.of(stronghold, "clan") or ():
        if (problem := _problem_with_clan(stronghold, _clan_named(named, law))) is not None:
            evidence.fault(f"{stronghold.title}: {named} {problem}")
    return evidence.verdict(f"the clan can be played; {_alignments(deck, stronghold)}")


def _clan_named(name: str, law: Legacy) -> Clan | None:
    return next((clan for known, clan in law.clans.items() if folded(known) == name.removesuffix(" clan")), None)


def _problem_with_clan(stronghold: Line, clan: Clan | None) -> str | None:
    if clan is None:
        return "is no clan of the format"
    if not clan.playable:
        return "has no stronghold that is legal"
    if clan.stronghold is not None and stronghold.card and stronghold.card.reference != clan.stronghold:
        return f"is a clan with the stronghold {clan.only_with} alone"
    return None


def _alignments(deck: Deck, stronghold: Line) -> str:
    counts: Counter[str] = Counter()
    for line in deck.part("dynasty"):
        if line.card is not None and line.card.type == PERSONALITY:
            aligned = alignment(line.card, stronghold.printings)
            counts[" and ".join(sorted(aligned)) or UNALIGNED if aligned is not None else "unknown"] += line.count
    said = ", ".join(f"{count} {clan}" for clan, count in counts.most_common())
    return f"Personalities: {said or 'none'}"


# -- bans and copies


def _banned(rule: str, deck: Deck, banned: Collection[TitleAndType]) -> Finding:
    """Check for banned titles by type of card (LEG-BAN, LEG-BAN-DRAFT)."""
    evidence = Evidence(rule)
    types = {folded(card.title): card.type for card in banned}
    for line in deck.lines:
        expected = types.get(folded(line.title))
        if expected is not None and evidence.of(line, "type") == expected:
            evidence.fault(f"{line.title} is banned")
        elif banned:
            evidence.of(line, "title")
    return evidence.verdict("no banned card")


def _limits(deck: Deck, same: Iterable[SameCards], occasion: Occasion, law: Legacy) -> Iterator[Finding]:
    """Check the copies of one card (LEG-LIMIT), and of different cards that count as one (LEG-SAME). BigDeck has no
    limits.
    """
    alone, together = Evidence("LEG-LIMIT"), Evidence("LEG-SAME")
    if occasion.format == BIGDECK:
        for evidence in (alone, together):
            evidence.lack("the document does not define how many copies a BigDeck may hold")
            yield evidence.verdict("")
        return
    for lines in _classes(deck, same, law, together):
        titles = list(dict.fromkeys(line.title if line.card is None else line.card.full_title for line in lines))
        count = sum(line.count for line in lines)
        unique = [alone.of(line, "unique") for line in lines]
        limit = law.copies_unique if any(unique) else law.copies
        if count > limit:
            kind = "unique, " if any(unique) else ""
            what = f"{count} of {' and '.join(titles)} ({kind}{limit} at most)"
            (together if len(titles) > 1 else alone).fault(what)
    for line in deck.part(*DECKS):
        alone.of(line, "title")
    yield alone.verdict("no card too often")
    yield together.verdict("no cards that count as one too often")


def _classes(deck: Deck, same: Iterable[SameCards], law: Legacy, evidence: Evidence) -> Iterator[list[Line]]:
    """Group the lines of both decks into classes of the same card.

    A line whose class is unknown is a class of its own.

    A class that several readings give is yielded once.
    """
    seen: set[tuple[Line, ...]] = set()
    for reading in same:
        classes: dict[object, list[Line]] = {}
        for line in deck.part(*DECKS):
            classes.setdefault(_class_of(line, reading, law, evidence) or line, []).append(line)
        for lines in classes.values():
            if tuple(lines) not in seen:
                seen.add(tuple(lines))
                yield lines


def _class_of(line: Line, same: SameCards, law: Legacy, evidence: Evidence) -> object | None:
    known = [evidence.of(line, field) for field in ("type", "experience")]
    is_personality = line.card is not None and line.card.type in (PERSONALITY, None)
    for field in ("soul_of", "counts_as", "alternate_titles") if is_personality else ():
        evidence.of(line, field)
    if line.card is None:
        return None
    if _separate_card(line, law) is None:
        evidence.lack(f"which of the separate cards {line.title} is")
    for gap in same.gaps(line.card):
        evidence.lack(gap)
    return None if None in known else same.class_of(line.card)


# -- what begins in play


def _pregame(deck: Deck, law: Legacy) -> Finding:
    """Check for one stronghold, at most one Sensei or Wind, and no Wind in a deck (LEG-PREGAME)."""
    evidence = Evidence("LEG-PREGAME")
    if (strongholds := deck.count("stronghold")) != 1:
        evidence.fault(f"{strongholds} strongholds, 1 is needed")
    for line in deck.part(*DECKS):
        if evidence.of(line, "type") == "wind":
            evidence.fault(f"{line.title} is a Wind and stands in the {line.part} deck")
    for line in deck.part("pregame"):
        if (type_ := evidence.of(line, "type")) not in (None, "wind", "sensei"):
            evidence.fault(f"{line.title} is a {type_}, neither a Sensei nor a Wind")
    revealed = deck.count("pregame")
    stronghold = deck.only("stronghold")
    allowed: int | None = law.pregame_cards
    if revealed > law.pregame_cards and stronghold is not None:
        allowed = evidence.of(stronghold, "pregame_cards")
    if allowed is not None and revealed > allowed:
        evidence.fault(f"{revealed} Sensei and Winds, {allowed} at most")
    return evidence.verdict("stronghold, Sensei and Wind are as they should be")


def _start(deck: Deck, occasion: Occasion, law: Legacy) -> Finding:
    """Check that the Holdings that begin in play are those of the variant (LEG-STARTHOLD)."""
    evidence = Evidence("LEG-STARTHOLD")
    start = law.start[occasion.format]
    allowed = [folded(title) for title in start.holdings]
    if (found := deck.count("start")) > len(allowed):
        evidence.fault(f"{found} Holdings begin in play, {len(allowed)} at most")
    titles = Counter[str]()
    for line in deck.part("start"):
        titles[folded(line.title)] += line.count
        if folded(line.title) in allowed:
            continue
        if not start.instead:
            evidence.fault(f"{line.title} does not begin in play in this variant")
            continue
        keywords = evidence.of(line, "keywords")
        if keywords is not None and start.instead not in keywords:
            evidence.fault(f"{line.title} does not begin in play in this variant")
    if any(count > 1 for count in titles.values()):
        evidence.fault("a Holding begins in play twice")
    return evidence.verdict(f"{found} Holdings begin in play" if found else "no Holding is named to begin in play")


def _sizes(deck: Deck, occasion: Occasion) -> Finding:
    """Check the sizes of the decks without the Holdings that begin in play (LEG-STARTHOLD).

    The arc sets the minimum sizes (LEG-SCOPE), which the occasion gives.
    """
    evidence = Evidence("LEG-STARTHOLD")
    for part in DECKS:
        least = occasion.minimum.get(part)
        if least is None:
            evidence.lack(f"the minimum size of the {part} deck is not given")
        elif (found := deck.count(part)) < least:
            begun = f"; {deck.count('start')} that begin in play do not count" if deck.count("start") else ""
            evidence.fault(f"the {part} deck has {found} cards, {least} are needed{begun}")
    return evidence.verdict("the decks are large enough")
