"""Mutants of the L5R tournament regulations of 2018."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

_BOOK = "rulebooks/l5r-2018.toml"
_DECKS = "data/l5r-2018.toml"
_CHECKS = "decks/l5r.py"

MUTANTS = (
    # roles
    Mutant("L5R-I.1-ORG", "An event has several organizers.", 'if role == "organizer":', 'if role == "chief":'),
    Mutant(
        "L5R-I.2-MARSHAL",
        "A final ruling can be reviewed.",
        "if ruling.fact.final:",
        "if ruling.fact.final and not position:",
    ),
    Mutant(
        "L5R-I.3-JUDGE",
        "A review is not final.",
        "reviews=self.position,\n                final=True,",
        "reviews=self.position,\n                final=False,",
    ),
    Mutant(
        "L5R-I.6-LEADERPLAY",
        "Leaders play in Formal events too.",
        'playing_tiers = ["relaxed"]',
        'playing_tiers = ["relaxed", "formal"]',
        _BOOK,
    ),
    Mutant(
        "L5R-I.6-LEADERPLAY",
        "Nobody else has to be announced.",
        "if not any(leader.announced and leader.duty",
        "if others and not any(leader.announced and leader.duty",
    ),
    Mutant(
        "L5R-I.7-CONDUCT",
        "A marshal disqualifies.",
        'disqualify = { roles = ["organizer"], rule',
        'disqualify = { roles = ["organizer", "marshal"], rule',
        _BOOK,
    ),
    Mutant(
        "L5R-I.7-CONDUCT",
        "A judge disqualifies.",
        'disqualify = { roles = ["organizer"], rule',
        'disqualify = { roles = ["organizer", "judge"], rule',
        _BOOK,
    ),
    # materials
    Mutant(
        "L5R-II.2-PLAYERMAT",
        "Deck lists are not asked for.",
        "record.structure is None or not record.structure.deck_lists:",
        "record.structure is None or record.structure.deck_lists:",
    ),
    Mutant("L5R-II.2a-SET", "Six provinces.", "provinces = 5 ", "provinces = 6 ", _DECKS),
    Mutant(
        "L5R-II.2a-CLAN",
        "Provinces of any clan.",
        '_foreign(evidence, deck, "province")]:',
        '_foreign(evidence, deck, "none")]:',
        _CHECKS,
    ),
    Mutant(
        "L5R-II.2a-DYN",
        "A dynasty deck has 41 cards.",
        "dynasty = { least = 40,",
        "dynasty = { least = 41,",
        _DECKS,
    ),
    Mutant(
        "L5R-II.2a-DYN",
        "A dynasty deck has no upper limit.",
        "dynasty = { least = 40, most = 45 }",
        "dynasty = { least = 40, most = 60 }",
        _DECKS,
    ),
    Mutant(
        "L5R-II.2a-CON",
        "A conflict deck has 41 cards.",
        "conflict = { least = 40,",
        "conflict = { least = 41,",
        _DECKS,
    ),
    Mutant(
        "L5R-II.2a-CON",
        "A conflict deck has no upper limit.",
        "conflict = { least = 40, most = 45 }",
        "conflict = { least = 40, most = 60 }",
        _DECKS,
    ),
    Mutant(
        "L5R-II.2a-CON",
        "Cards of several other clans.",
        "if clans and not frozenset.intersection(*clans):",
        "if clans and not frozenset.union(*clans):",
        _CHECKS,
    ),
    Mutant(
        "L5R-II.2a-INF",
        "Influence is counted once a title.",
        "spent += line.count * (evidence.of",
        "spent += (evidence.of",
        _CHECKS,
    ),
    Mutant(
        "L5R-II.2a-CHAR", "Eleven characters.", "conflict_characters = 10 ", "conflict_characters = 11 ", _DECKS
    ),
    Mutant(
        "L5R-II.2a-COPY",
        "Copies are counted by deck.",
        "copies[folded(line.title)] += line.count",
        "copies[folded(line.title)] = line.count",
        _CHECKS,
    ),
    Mutant(
        "L5R-II.2a-PROV",
        "Two provinces of a ring.",
        "if rings[ring] > MOST_OF_A_RING or (ring not in extra",
        "if rings[ring] > MOST_OF_A_RING or (ring in extra",
        _CHECKS,
    ),
    Mutant(
        "L5R-II.2a-ROLE",
        "Keepers are for every clan.",
        'clan_roles = ["keeper", "seeker"]',
        'clan_roles = ["seeker"]',
        _DECKS,
    ),
    Mutant(
        "L5R-II.2a-FIXED", "Sideboards are allowed.", "if not same_cards(listed, used):", "if not listed.lines:"
    ),
    Mutant(
        "L5R-II.2b-LIST",
        "The first card of a name is taken.",
        "        if len(cards) == 1:\n",
        "        if cards:\n",
    ),
    Mutant(
        "L5R-II.2b-LISTFIX",
        "An amendment replaces the list.",
        "listed(counted(deck.cards) - counted(change.removed) + counted(change.added))",
        "listed(counted(change.added))",
    ),
    Mutant(
        "L5R-II.2c-SLEEVE",
        "Formal events need no sleeves.",
        'sleeved_tiers = ["formal", "premier"]',
        'sleeved_tiers = ["premier"]',
        _DECKS,
    ),
    Mutant(
        "L5R-II.2d-LOST",
        "A lost card costs no game.",
        "_need_same_match(record, player, seat, lost)\n"
        "                return lost.card, self._concession(record, player, seat, noted)",
        "_need_same_match(record, player, seat, lost)\n                return lost.card, []",
    ),
    Mutant(
        "L5R-II.2d-LOST",
        "A card that was found is still missing.",
        'if incident.fact.what in ("lost", "found"):',
        'if incident.fact.what == "lost":',
    ),
    Mutant(
        "L5R-II.2d-DAMAGED",
        "A proxy holds for a round.",
        'incident.fact.what == "proxy"]',
        'incident.fact.what == "proxy" and incident.fact.round == len(record.rounds())]',
    ),
    Mutant("L5R-II.3-LEGAL", "Premier events wait ten days.", "premier = 11", "premier = 10", _DECKS),
    Mutant("L5R-II.3-LEGAL", "Relaxed events wait a day.", "relaxed = 0", "relaxed = 1", _DECKS),
    # play
    Mutant(
        "L5R-IV.1-CLOCK",
        "The final may have no time limit.",
        "final = 100",
        'final = 100\nuntimed_final = "L5R-IV.1-CLOCK"',
        _BOOK,
    ),
    Mutant("L5R-IV.1-CLOCK", "The final is as long as any round.", "final = 100", "final = 65", _BOOK),
    Mutant("L5R-IV.1-CLOCK", "A round has 60 minutes.", "swiss = 65", "swiss = 60", _BOOK),
    Mutant(
        "L5R-IV.2-ANNOUNCE",
        "Structures are announced at any time.",
        "    if begun:\n        need_deviating(",
        "    if begun and not rounds:\n        need_deviating(",
    ),
    Mutant(
        "L5R-IV.2-BYEWIN",
        "A bye is a modified win.",
        '[bye]\nrule = "L5R-IV.2a-BYE"\npoints = 10',
        '[bye]\nrule = "L5R-IV.2a-BYE"\npoints = 6',
        _BOOK,
    ),
    Mutant(
        "L5R-IV.2-DROP",
        "A dropped player is still paired.",
        "for player in record.active_players()\n        if round_ not in",
        "for player in record.entered()\n        if round_ not in",
    ),
    Mutant("L5R-IV.2-NOSHOW", "Nobody is dropped for not appearing.", "drops = true", "drops = false", _BOOK),
    Mutant(
        "L5R-IV.2-NOSHOW",
        "A player who does not appear gets no points.",
        "no-show = { winner = 10, loser = 1,",
        "no-show = { winner = 10, loser = 0,",
        _BOOK,
    ),
    Mutant(
        "L5R-IV.2-REJOIN",
        "Rejoining costs nothing.",
        "return range((left_after or 0) + 1, (latest.number if latest else 0) + 1)",
        "return range(0)",
    ),
    Mutant(
        "L5R-IV.2-DQ",
        "Only players in the bracket lose their place.",
        "latest = through >= record.finished_rounds if latest is None else latest",
        "latest = bool(latest)",
    ),
    Mutant(
        "L5R-IV.2-DQ",
        "A disqualified player keeps the place in the bracket.",
        'unranked = [player for player in course.players if record.status(player) == "disqualified"]',
        "unranked: list[int] = []",
    ),
    Mutant(
        "L5R-IV.2-DQ",
        "A disqualification during a round counts only after that round.",
        'if latest and record.status(number) == "disqualified":',
        'if not table.through and record.status(number) == "disqualified":',
    ),
    Mutant(
        "L5R-IV.2-DQ",
        "A disqualified finalist leaves a hole in the places.",
        "placed = sum(place.first is not None for place in in_elimination)",
        "placed = len(in_elimination)",
    ),
    # Swiss
    # cut and elimination
    Mutant(
        "L5R-IV.2b-CUT",
        "Dropped players go on.",
        'if player in staying or record.status(player) == "active")',
        'if player in staying or record.status(player) != "disqualified")',
    ),
    Mutant(
        "L5R-IV.2b-CUTDROP",
        "The newcomer takes the leaver's seed.",
        "            seeds.remove(replaced.player)\n            seeds.append(replaced.by)",
        "            seeds[seeds.index(replaced.player)] = replaced.by",
    ),
    Mutant(
        "L5R-IV.2c-SEED",
        "First meets second.",
        "(order[place], order[size - 1 - place]) if",
        "(order[2 * place], order[2 * place + 1]) if",
    ),
    Mutant(
        "L5R-IV.2c-RENUM",
        "Neighbours meet in the next round.",
        "[(games[place].winner, games[-1 - place].winner) for",
        "[(games[2 * place].winner, games[2 * place + 1].winner) for",
    ),
    Mutant(
        "L5R-IV.2c-STARTBYE",
        "The byes go to the last of the order.",
        "    paired = zip(order[byes::2], order[byes + 1 :: 2], strict=True)\n    return "
        "[*((player,) for player in order[:byes]), *paired]",
        "    paired = zip(order[: len(order) - byes : 2], order[1 : len(order) - byes : 2], "
        "strict=True)\n    return [*paired, *((player,) for player in order[:0])]",
    ),
    Mutant("L5R-IV.2c-DROP", "Leaving loses the match.", 'leaving = "bye"', 'leaving = "loss"', _BOOK),
    # the end of a round
    Mutant(
        "L5R-IV.3-END",
        "A concession costs nothing.",
        "concession = { winner = 10, loser = 1,",
        "concession = { winner = 10, loser = 10,",
        _BOOK,
    ),
    Mutant(
        "L5R-IV.3a-65",
        "A judgment begins before time.",
        "if over is None else over >= due[0].at)",
        "if over is None else over >= 0)",
    ),
    Mutant(
        "L5R-IV.3a-70",
        "70:00 is late already.",
        "if mark.late_slip is not None and came > each.at:",
        "if mark.late_slip is not None and came >= each.at:",
    ),
    Mutant(
        "L5R-IV.3a-70",
        "When the game ended counts, not the slip.",
        "came = max((time for time in (ended, received) if time is not None), default=None)",
        "came = ended if ended is not None else received",
    ),
    Mutant(
        "L5R-IV.3a-75",
        "75:00 is still playing time.",
        "if ended is not None and ended >= each.at:",
        "if ended is not None and ended > each.at:",
    ),
    Mutant(
        "L5R-IV.3b-EJ",
        "Broken provinces give up to eight points.",
        "FOR_HONOR, FOR_FAVOR = 2, 6, 2, 1",
        "FOR_HONOR, FOR_FAVOR = 2, 8, 2, 1",
    ),
    Mutant(
        "L5R-IV.3b-EJ",
        "The favor gives two points.",
        "FOR_HONOR, FOR_FAVOR = 2, 6, 2, 1",
        "FOR_HONOR, FOR_FAVOR = 2, 6, 2, 2",
    ),
    Mutant(
        "L5R-IV.3b-EJ",
        "Equal honor counts for both.",
        "if written.honor[side] > written.honor[1 - side]",
        "if written.honor[side] >= written.honor[1 - side]",
    ),
    Mutant(
        "L5R-IV.3b-EJ",
        "A game is judged in a round that nobody started.",
        "(now is None if over is None else over >= due[0].at)",
        "(over is None or over >= due[0].at)",
    ),
    # points and structures
    Mutant(
        "L5R-IV.4-POINTS",
        "A loss is worth nothing.",
        "win = { winner = 10, loser = 1,",
        "win = { winner = 10, loser = 0,",
        _BOOK,
    ),
    Mutant(
        "L5R-IV.4a",
        "Ties are drawn at once.",
        'tiebreaks = ["strength_of_schedule", "extended_strength_of_schedule", "random_draw"]',
        'tiebreaks = ["random_draw"]',
        _BOOK,
    ),
    Mutant(
        "L5R-IV.4a-SOS",
        "Only paired rounds count.",
        'reading = "denominator", default = "all-rounds", rule = "L5R-IV.4a-SOS"',
        'reading = "denominator", default = "paired-rounds", rule = "L5R-IV.4a-SOS"',
        _BOOK,
    ),
    Mutant(
        "L5R-IV.4a-EXT",
        "There is no extended strength of schedule.",
        '"strength_of_schedule", "extended_strength_of_schedule", "random_draw"]',
        '"strength_of_schedule", "random_draw"]',
        _BOOK,
    ),
    Mutant(
        "L5R-V.1-BASIC",
        "41 to 44 players cut to the top 4.",
        '"41-44" = { rounds = 5, cut = 8 }',
        '"41-44" = { rounds = 5, cut = 4 }',
        _BOOK,
    ),
    Mutant(
        "L5R-V.2-ADV",
        "149 players cut to the top 16.",
        '"149-288" = { rounds = 6, cut = 32 }',
        '"149-288" = { rounds = 6, cut = 16 }',
        _BOOK,
    ),
    Mutant(
        "L5R-II.2a-ROLE",
        "A role of another clan is allowed.",
        "if clans is not None and clan is not None and clan not in clans:",
        "if clans is not None and clan is None:",
        _CHECKS,
    ),
    Mutant(
        "L5R-III.2-FIRSTPLAYER",
        "The decider is the first player.",
        "            first_player=first_player,\n            decider=decider,",
        "            first_player=decider or first_player,\n            decider=decider,",
    ),
    Mutant(
        "L5R-IV.2-REMATCH",
        "The last opponent alone is avoided.",
        "return Encounters(self.size, [column.opponents for column in self.columns])",
        "return Encounters(self.size, [column.opponents for column in self.columns[-1:]])",
    ),
    Mutant(
        "L5R-IV.2a-GROUP",
        "Every round is paired at random.",
        "groups.setdefault(scored[player], []).append(lot)",
        "groups.setdefault(0, []).append(lot)",
    ),
    Mutant(
        "L5R-IV.2a-GROUP",
        "The top is paired against the bottom.",
        "    return [by_lot(groups[points]) for points in sorted(groups, reverse=True)]\n",
        "    ranked = [lot for points in sorted(groups, reverse=True) for lot in by_lot(groups[points])]\n"
        "    half = (len(ranked) + 1) // 2\n"
        "    return [list(dict.fromkeys((ranked[place], ranked[-1 - place]))) for place in range(half)]\n",
    ),
    Mutant(
        "L5R-IV.2b-CUT",
        "A cut can have any size.",
        "return cut in allowed if allowed else not cut & (cut - 1)",
        "return cut > 1",
    ),
    Mutant(
        "L5R-IV.2-NOSHOW",
        "Both players lose and stay in.",
        "law.drops_absent and law.results[slip.kind].rule == law.no_show.rule",
        "law.drops_absent and law.results[slip.kind].rule != law.no_show.rule",
    ),
    Mutant(
        "L5R-IV.2a-BYE",
        "A hand gives the bye to anybody.",
        "        if _paired(lineup, equals) is not None:\n            return False\n",
        "",
    ),
    Mutant(
        "L5R-IV.2a-BYE",
        "A hand may give as many byes as it likes.",
        "if len(given) > count % 2:",
        "if len(given) > count:",
    ),
    Mutant(
        "L5R-IV.2a-BYE",
        "The bye goes to anybody with the fewest wins.",
        'choice = "lowest-ranked"',
        'choice = "weakest-record"',
        _BOOK,
    ),
    Mutant(
        "L5R-IV.2a-WINNER",
        "Places follow the order of registration.",
        "    for group in table.groups:\n        listed =",
        "    for group in sorted(table.groups):\n        listed =",
    ),
    Mutant(
        "L5R-IV.2b-CUTDROP",
        "A dropped qualifier is still in the elimination stage.",
        'for player in seeds if record.status(player) != "active"}',
        'for player in seeds if record.status(player) == "disqualified"}',
    ),
    Mutant(
        "L5R-IV.2b-CUTDROP",
        "Pokémon's window: until the bracket is drawn.",
        'replacement = "before-first-game"',
        'replacement = "before-draw"',
        _BOOK,
    ),
    Mutant(
        "L5R-IV.2c-PLACE",
        "Eliminated players share their places.",
        'POL-L5R-SE-PLACING = { reading = "elimination_placing", default = "seed"',
        'POL-L5R-SE-PLACING = { reading = "elimination_placing", default = "shared"',
        _BOOK,
    ),
    Mutant(
        "L5R-VI-TIER",
        "A deck check is for a Relaxed event.",
        "tier=record.rulebook.tier if tier is None else known[tier],",
        "tier=known[tier or 'relaxed'],",
    ),
    Mutant(
        "L5R-IV.4a-RANDOM",
        "Who registered first ranks higher.",
        "                order = [player for player in tie.players if player in group]",
        "                order = sorted(player for player in tie.players if player in group)",
    ),
    Mutant(
        "L5R-V.3-CUSTOM",
        "Every structure counts as one of the table.",
        "against if against is not None and follows_it else CUSTOM",
        "against or CUSTOM",
    ),
    Mutant(
        "L5R-IV.2a-R1",
        "Round 1 is the same whatever is drawn.",
        "zip(registered, lots(seed, registered), strict=True)",
        "zip(registered, lots(bytes(32), registered), strict=True)",
    ),
    Mutant(
        "L5R-IV.2a-PAIRDOWN",
        "Who came down waits for the group below, too.",
        "            return [*guests, *natives]\n",
        "            return [*natives, *guests]\n",
    ),
    Mutant(
        "L5R-III.2-START",
        "A start after the last game is as good.",
        "return record.rulebook.clock.start if played else None",
        "return None",
    ),
    Mutant("L5R-III.2-START", "A round needs no start.", 'start = "L5R-III.2-START"\n', "", _BOOK),
    Mutant(
        "L5R-V.3-CUSTOM", "Premier events use the tables.", 'custom_tiers = ["premier"]', "custom_tiers = []", _BOOK
    ),
    # where features meet
    Mutant(
        "L5R-IV.3a-70",
        "A concession is never late.",
        'NEVER_LATE = frozenset({"no-show",',
        'NEVER_LATE = frozenset({"concession", "no-show",',
    ),
    Mutant(
        "L5R-IV.2-NOSHOW",
        "A player who did not appear stays in, and nobody asks why.",
        "deviations=(record.rulebook.no_show.rule,) if drops and stays else (),",
        "deviations=(),",
    ),
    Mutant(
        "L5R-I.6-LEADERPLAY",
        "A leader who was appointed later rules where a leader plays.",
        'if leader.announced and leader.duty == "active" and leader.player not in playing',
        'if leader.duty == "active" and leader.player not in playing',
    ),
    Mutant(
        "L5R-I.6-LEADERPLAY",
        "Between two leaders any other leader rules.",
        "return chiefs if chiefs and len(leaders_in(record, playing)) > 1 else order",
        "return order",
    ),
    Mutant(
        "L5R-II.2d-LOST",
        "A player whose card is missing is paired without a word.",
        "for entry, player in lost if player in seated]",
        "for entry, player in lost if player not in seated]",
    ),
    Mutant(
        "L5R-I.6-LEADERPLAY",
        "A leader judges a game of their own.",
        "if where is not None and is_ruled(",
        "if where is None and is_ruled(",
    ),
    Mutant(
        "L5R-IV.3a-75",
        "A penalty costs a game after all play has stopped.",
        "slip.kind not in ENDED_OFF_THE_TABLE:",
        'slip.kind not in (JUDGMENT, "concession"):',
    ),
    Mutant(
        "L5R-IV.2b-CUT",
        "A bracket is made from an old cut, and nobody asks why.",
        "for _ in (() if record.imports else outdated_cuts(record))",
        "for _ in ()",
    ),
    Mutant(
        "L5R-IV.2b-CUT",
        "A hand pairs an old cut, and nobody asks why.",
        "of_bracket(record) if expected == 1 else",
        "of_bracket(record) if expected == 0 else",
    ),
    Mutant(
        "L5R-II.2-PLAYERMAT",
        "A late player needs no deck list.",
        "lacking_list(record, sorted(seated - played))",
        "lacking_list(record, [] if played else sorted(seated))",
    ),
    Mutant(
        "L5R-IV.2-ANNOUNCE",
        "A round is paired without an announcement, and nobody says so.",
        "if number == 1 and demanded and record.structure is None and",
        "if number == 0 and demanded and record.structure is None and",
    ),
    Mutant(
        "L5R-IV.2-DQ",
        "The overview does not say who was disqualified.",
        '_status(lambda line: line["status"])',
        '_status(lambda _: "active")',
    ),
)
