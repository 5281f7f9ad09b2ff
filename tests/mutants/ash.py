"""Mutants of the Ashes rules."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

_BOOK = "rulebooks/ashes-2022.toml"
_DECKS = "data/ashes-2022.toml"

MUTANTS: tuple[Mutant, ...] = (
    Mutant("ASH-CUT", "An untimed final departs.", 'untimed_final = "ASH-CUT"\n', "", _BOOK),
    Mutant(
        "ASH-BYE",
        "A hand gives the bye to anybody.",
        "        if _paired(lineup, equals) is not None:\n            return False\n",
        "",
    ),
    Mutant(
        "ASH-BYE",
        "Only a bye of round 1 is random.",
        'reading = "first_bye", default = "random"',
        'reading = "first_bye", default = "weakest"',
        _BOOK,
    ),
    Mutant(
        "ASH-BYE",
        "The first bye goes to the lowest number.",
        "order = random_order(seeds(pairing_purpose(table.through + 1, pool.name)), pool.players)",
        "order = sorted(pool.players)",
    ),
    Mutant(
        "ASH-BYE",
        "The bye goes to the most wins.",
        "by_wins = sorted(candidates, key=table.wins)",
        "by_wins = sorted(candidates, key=table.wins, reverse=True)",
    ),
    Mutant(
        "ASH-FORMAT",
        "The format is changed after round 1.",
        "if not begun or wanted is None or wanted == format_of(record):",
        "if not begun or wanted:",
    ),
    Mutant("ASH-DECK", "A deck has 29 cards and a Phoenixborn.", "cards = 30 ", "cards = 29 ", _DECKS),
    Mutant("ASH-DECK", "There are nine dice.", "dice = 10 ", "dice = 9 ", _DECKS),
    Mutant(
        "ASH-SLEEVE",
        "Sleeves are needed by everybody.",
        '    evidence = Evidence("ASH-SLEEVE")\n    if not sleeves.uniform:',
        '    evidence = Evidence("ASH-SLEEVE")\n    if not sleeves.opaque:',
    ),
    Mutant(
        "ASH-LIST",
        "A leader may bring a list up to date.",
        'ASHES = DeckFormat("ASH-LIST", "ASH-LIST", False, "ASH-LIST")',
        'ASHES = DeckFormat("ASH-LIST", "ASH-LIST", True, "ASH-LIST")',
    ),
    Mutant(
        "ASH-ROUNDS", "Eight players play four rounds.", '"5-8" = { rounds = 3 }', '"5-8" = { rounds = 4 }', _BOOK
    ),
    Mutant(
        "ASH-PAIR",
        "Every round is paired at random.",
        "groups.setdefault(scored[player], []).append(lot)",
        "groups.setdefault(0, []).append(lot)",
    ),
    Mutant(
        "ASH-NOREMATCH",
        "The last opponent alone is avoided.",
        "return Encounters(self.size, [column.opponents for column in self.columns])",
        "return Encounters(self.size, [column.opponents for column in self.columns[-1:]])",
    ),
    Mutant("ASH-BYEBP", "A bye has no blood points.", "bye = 25", "bye = 0", _BOOK),
    Mutant(
        "ASH-FF",
        "A First Five may have a card twice.",
        "if twice := [title for title, count in chosen.items() if count > 1]:",
        "if twice := [title for title, count in chosen.items() if count > 2]:",
    ),
    Mutant("ASH-CLOCK", "A round takes 60 minutes.", "swiss = 50\n", "swiss = 60\n", _BOOK),
    Mutant("ASH-CLOCK", "A final takes 60 minutes.", "elimination = 50\n", "elimination = 60\n", _BOOK),
    Mutant(
        "ASH-CLOCK",
        "A judge gives extra time without a cause.",
        "if given.reason or where is None or record.clock(where).seconds is None:",
        "if where is not None:",
    ),
    Mutant("ASH-SD", "One card is discarded.", "DISCARDS = 2", "DISCARDS = 1"),
    Mutant(
        "ASH-SD",
        "Sudden Death begins with the next turn.",
        "return first_player, (other if turn == first_player else None)",
        "return (other if turn == first_player else first_player), None",
    ),
    Mutant(
        "ASH-SLIP",
        "A slip without blood points counts.",
        'in {"win", "concession", "game-loss"} and points is None',
        'in {"concession", "game-loss"} and points is None',
    ),
    Mutant(
        "ASH-SLIP",
        "A round is paired while slips are out.",
        "if latest.outstanding:\n        raise not_finished(",
        "if len(latest.outstanding) > len(latest.tables):\n        raise not_finished(",
        "commands/swiss.py",
    ),
    Mutant("ASH-BP", "The winner scores 30 blood points.", "winner = 25", "winner = 30", _BOOK),
    Mutant(
        "ASH-PLACE",
        "A double loss is worth a win.",
        "double-loss = { each = 0,",
        "double-loss = { each = 1,",
        _BOOK,
    ),
    Mutant(
        "ASH-PLACE", "A bye is no win.", 'points = 1\nchoice = "weakest', 'points = 0\nchoice = "weakest', _BOOK
    ),
    Mutant(
        "ASH-TB1-H2H",
        "Two who are left of a larger tie are compared.",
        'reading = "head_to_head_residue", default = "once"',
        'reading = "head_to_head_residue", default = "reapplied"',
        _BOOK,
    ),
    Mutant(
        "ASH-TB2-OW",
        "The opponents' byes are no wins.",
        'got.count("win") + got.count("bye")',
        'got.count("win")',
    ),
    Mutant(
        "ASH-TB3-BP",
        "Blood points rank nobody.",
        '"opponents_wins", "blood_points", "random_draw"',
        '"opponents_wins", "random_draw"',
        _BOOK,
    ),
    Mutant(
        "ASH-TB4",
        "Who registered first ranks higher.",
        "                order = [player for player in tie.players if player in group]",
        "                order = sorted(player for player in tie.players if player in group)",
    ),
    Mutant(
        "ASH-CUT",
        "Sixteen players cut to the top 4.",
        '"9-16" = { rounds = 4 }',
        '"9-16" = { rounds = 4, cut = [4, 0] }',
        _BOOK,
    ),
    Mutant(
        "ASH-CUT",
        "The organizer waives the limit of the final before round 1 only.",
        "    if not limits_the_final(law):\n        changed",
        "    if limits_the_final(law):\n        changed",
    ),
    Mutant("ASH-CUT", "A cut needs 16 players.", "cut_from = 17", "cut_from = 16", _BOOK),
    Mutant(
        "ASH-CUT",
        "First meets second.",
        "(order[place], order[size - 1 - place]) if",
        "(order[2 * place], order[2 * place + 1]) if",
    ),
    Mutant(
        "ASH-SLOW",
        "Slow play costs the game at once.",
        'warned_first = { slow-play = "ASH-SLOW" }',
        "warned_first = {}",
        _BOOK,
    ),
    Mutant(
        "ASH-CUT",
        "A player who left before round 1 counts for the cut.",
        "counted = law.structures is not None and law.structures.registered",
        "counted = True",
    ),
    Mutant(
        "ASH-SLOW",
        "Any warning counts.",
        '(fact.player, fact.penalty, fact.offence) == (player, "warning", offence)',
        '(fact.player, fact.penalty) == (player, "warning")',
    ),
    Mutant("ASH-CHAINED", "River Skald is free.", '  "River Skald",\n', "", _DECKS),
    Mutant(
        "ASH-CHAINED",
        "The Chained List cannot be left out.",
        "if on_list and occasion.chained_list:",
        "if on_list:",
    ),
    Mutant(
        "ASH-ROUNDS",
        "An event that announced nothing ends after any round.",
        "if plan is None and record.cut is None:\n        text",
        "if plan is None and record.cut is not None:\n        text",
    ),
    Mutant(
        "ASH-ROUNDS",
        "An event ends early when only one player is left.",
        "if plan is None and record.cut is None:\n        text",
        "if plan is None and record.cut is None and len(record.active_players()) > 1:\n        text",
    ),
    Mutant(
        "ASH-ROUNDS",
        "Any number of players goes on where nothing was announced.",
        "[*(Departure(rule, text) for rule in _of_structure(record, played)), *_of_flights(record, sizes)]",
        "[*_of_flights(record, sizes)]",
    ),
    Mutant(
        "ASH-BP",
        "A concession and a game loss need no blood points.",
        'kind in {"win", "concession", "game-loss"}',
        'kind in {"win"}',
    ),
    Mutant(
        "ASH-SLOW",
        "A game loss without a warning is listed as any other.",
        "*(() if unwarned is None else (unwarned,))",
        "*(() if self.override or unwarned is None else (unwarned,))",
    ),
    Mutant(
        "ASH-SLOW",
        "A match loss needs no warning.",
        'COSTS_A_GAME = frozenset({"game-loss", "match-loss"})',
        'COSTS_A_GAME = frozenset({"game-loss"})',
    ),
    Mutant(
        "ASH-SLOW",
        "A retracted warning still counts.",
        'fact.offence) == (player, "warning", offence)\n        and not record.is_dead(position)',
        'fact.offence) == (player, "warning", offence)',
    ),
    Mutant(
        "ASH-PLACE", "A concession is no win.", "concession = { winner = 1,", "concession = { winner = 0,", _BOOK
    ),
    Mutant(
        "ASH-FORMAT",
        "Constructed stays the format, whatever was announced.",
        "return announced or default",
        "return default or announced",
    ),
    Mutant(
        "ASH-TB2-OW",
        "Blood points come before the opponents' wins.",
        '"head_to_head", "opponents_wins", "blood_points"',
        '"head_to_head", "blood_points", "opponents_wins"',
        _BOOK,
    ),
    Mutant(
        "ASH-TB2-OW",
        "Only the wins of beaten opponents count.",
        "return Column(numbers.sums_over_opponents(self.base(numbers).numerators))",
        'base = self.base(numbers).numerators\n        return Column([sum(base[o] for o, got in zip(others, results, strict=True) if o and got == "win") for others, results in zip(numbers.table.opponents, numbers.table.outcomes, strict=True)])',
    ),
    Mutant("ASH-TB3-BP", "A bye gives no blood points.", "bye = 25", "bye = 0", _BOOK),
    Mutant(
        "ASH-TB3-BP",
        "Only winners score blood points.",
        "winner if won else report.blood_points or 0",
        "winner if won else 0",
    ),
    Mutant(
        "ASH-BYE",
        "When everybody has had a bye, a second bye follows the rule.",
        "found += departing(of_drawn(record, paired), deviating=deviating)",
        "found += ()",
    ),
)
