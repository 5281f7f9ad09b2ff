"""Mutants of the L5R Legacy format."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

_DATA = "data/legacy.toml"
_CHECKS = "decks/legacy.py"
_SAME = "decks/same_cards.py"

MUTANTS = (
    Mutant(
        "LEG-SCOPE",
        "The minimum of the 2018 game is taken.",
        "least = occasion.minimum.get(part)",
        "least = occasion.minimum.get(part, 40)",
        _CHECKS,
    ),
    Mutant(
        "LEG-MRP",
        "Each printing has a limit of its own.",
        "classes.setdefault(_class_of(line, reading, law, evidence) or line, [])",
        "classes.setdefault(line, [])",
        _CHECKS,
    ),
    Mutant(
        "LEG-SEP",
        "Both Hida Kisada are one card.",
        '"Hida Kisada" = { products = [["Obsidian Edition", "Scorpion Clan Coup 3", "Enemy of My '
        'Enemy"], ["Emperor Edition", "Ivory Edition"]]',
        '"Hida Kisada" = { products = [["Obsidian Edition", "Scorpion Clan Coup 3", "Enemy of My '
        'Enemy", "Emperor Edition", "Ivory Edition"]]',
        _DATA,
    ),
    Mutant(
        "LEG-SEP",
        "The experienced Utaku Keyo is forgotten.",
        '["Lotus Edition", "Test of Enlightenment"]',
        '["Lotus Edition"]',
        _DATA,
    ),
    Mutant("LEG-SEP", "Hida Yakamo is one personality.", '"Hida Yakamo" = { keyword = "Oni" }', "", _DATA),
    Mutant(
        "LEG-CLAN",
        "Hare is always a clan.",
        '"Hare" = { keyword = ["Hare Clan"], while = "Shiro Usagi" }',
        '"Hare" = { keyword = ["Hare Clan"] }',
        _DATA,
    ),
    Mutant(
        "LEG-CLAN",
        "Spirit can be played.",
        '"Spirit" = { keyword = ["Spirit"], playable = false }',
        '"Spirit" = { keyword = ["Spirit"] }',
        _DATA,
    ),
    Mutant(
        "LEG-BAN",
        "Minor Oni Servant is legal.",
        '  { title = "Minor Oni Servant", type = "follower" },\n',
        "",
        _DATA,
    ),
    Mutant(
        "LEG-BAN",
        "The Master of Five is banned as a Personality.",
        '{ title = "The Master of Five", type = "event" }',
        '{ title = "The Master of Five", type = "personality" }',
        _DATA,
    ),
    Mutant(
        "LEG-BAN",
        "Breach of Etiquette is legal.",
        '  { title = "Breach of Etiquette", type = "strategy" },\n',
        "",
        _DATA,
    ),
    Mutant(
        "LEG-BAN-DRAFT",
        "Nanashi Mura is legal everywhere.",
        '  { title = "Nanashi Mura", type = "stronghold" },\n',
        "",
        _DATA,
    ),
    Mutant(
        "LEG-BAN-DRAFT",
        "Nanashi Mura is banned in drafts too.",
        "() if occasion.format == DRAFT else law.draft_only",
        "law.draft_only",
        _CHECKS,
    ),
    Mutant("LEG-LIMIT", "Three copies of a unique card.", "copies_unique = 1 ", "copies_unique = 3 ", _DATA),
    Mutant("LEG-LIMIT", "Four copies of a card.", "copies = 3  ", "copies = 4  ", _DATA),
    Mutant(
        "LEG-SAME",
        "The named groups are forgotten.",
        "        for group in law.groups:\n",
        "        for group in law.groups[:0]:\n",
        _SAME,
    ),
    Mutant(
        "LEG-SAME",
        "A card that counts as another stands alone.",
        "    yield from card.counts_as or ()\n",
        "",
        _SAME,
    ),
    Mutant(
        "LEG-SAME",
        "Soul of X reaches one step only, and binds nobody.",
        "    yield from card.soul_of or ()\n",
        "",
        _SAME,
    ),
    Mutant(
        "LEG-SAME",
        "Any unique card does not make the group unique.",
        "law.copies_unique if any(unique) else law.copies",
        "law.copies",
        _CHECKS,
    ),
    Mutant(
        "LEG-EXP-TITLE",
        "Titles of an equal level are not inherited.",
        "if _number(version) <= _number(card):\n                    waiting",
        "if _number(version) < _number(card):\n                    waiting",
        _SAME,
    ),
    Mutant(
        "LEG-EXP-TITLE",
        "An inherited title passes no further titles on.",
        "                    waiting += version.alternate_titles or ()\n        return found",
        "                    found.update(version.alternate_titles or ())\n        return found",
        _SAME,
    ),
    Mutant(
        "LEG-EXP-TITLE",
        "Titles of higher levels are inherited.",
        "if _number(version) <= _number(card):\n                    waiting",
        "if _number(version) >= 0:\n                    waiting",
        _SAME,
    ),
    Mutant(
        "LEG-EXP-TITLE",
        "Titles of lower levels are not inherited.",
        "if _number(version) <= _number(card):\n                    waiting",
        "if _number(version) == _number(card):\n                    waiting",
        _SAME,
    ),
    Mutant("LEG-KYD", "KYD is no level of its own.", '(found["mark"] or "").casefold())', '"")', "decks/cards.py"),
    Mutant("LEG-PREGAME", "A Sensei and a Wind together.", "pregame_cards = 1 ", "pregame_cards = 2 ", _DATA),
    Mutant(
        "LEG-PREGAME",
        "A Wind may be in a deck.",
        'if evidence.of(line, "type") == "wind":',
        'if evidence.of(line, "type") == "sensei":',
        _CHECKS,
    ),
    Mutant(
        "LEG-STARTHOLD",
        "A draft begins with a Legacy Holding.",
        "[start.legacy-draft]\nholdings = []",
        '[start.legacy-draft]\nholdings = ["Bamboo Harvesters"]\ninstead = "Legacy"',
        _DATA,
    ),
    Mutant(
        "LEG-STARTHOLD",
        "BigDeck begins without Border Keep.",
        'holdings = ["Bamboo Harvesters", "Border Keep"]',
        'holdings = ["Bamboo Harvesters"]',
        _DATA,
    ),
    Mutant(
        "LEG-STARTHOLD",
        "Holdings in play count toward the deck's size.",
        "elif (found := deck.count(part)) < least:",
        'elif (found := deck.count(part, "start")) < least:',
        _CHECKS,
    ),
    Mutant(
        "LEG-OPT-MONKEY",
        "Monkey Clan is nobody's keyword.",
        '["Toturi\'s Army", "Monkey Clan"]',
        '["Toturi\'s Army"]',
        _DATA,
    ),
    Mutant(
        "LEG-SAME",
        "The soul of a separated title is the first card of that title.",
        "choices = product(*(range(1, law.versions(title) + 1) for title in titles))",
        "choices = product(*((1,) for _ in titles))",
    ),
    Mutant(
        "LEG-SAME",
        "A named group is left out.",
        '  ["Shinjo Kadonomaro", "Shinjo Suboto"],\n',
        "",
        _DATA,
    ),
    Mutant("LEG-SAME", "Otaku Tetsuko is Utaku Tetsuko.", '"Otaku Tetsuko"', '"Utaku Tetsuko"', _DATA),
    Mutant(
        "LEG-SAME",
        "Bayushi Goshiu counts at any level.",
        '"Bayushi Goshiu Experienced 2"',
        '"Bayushi Goshiu"',
        _DATA,
    ),
    Mutant(
        "LEG-PREGAME",
        "Two strongholds are allowed.",
        'if (strongholds := deck.count("stronghold")) != 1:',
        'if (strongholds := deck.count("stronghold")) < 1:',
    ),
)
