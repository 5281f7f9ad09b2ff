"""Mutants of the Street Warriors rules."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

_BOOK = "rulebooks/street-warriors-2004.toml"

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "SWR-SCORECARD",
        "A round with a PASS is not on the card.",
        'elif outcome == "bye":\n            yield ScoreCardLine(',
        'elif outcome == "none":\n            yield ScoreCardLine(',
        "views/score_card.py",
    ),
    Mutant(
        "SWR-SCORECARD",
        "Players write on their cards.",
        'report = { roles = ["organizer", "judge"], rule = "SWR-SCORECARD" }',
        'report = { roles = ["organizer", "judge", "player"], rule = "SWR-SCORECARD" }',
        _BOOK,
    ),
    Mutant(
        "SWR-TIME",
        "A game without a winner is lost by both.",
        'unfinished = "draw"',
        'unfinished = "double-loss"',
        _BOOK,
    ),
    Mutant("SWR-POINTS", "A PASS is worth nothing.", "points = 3\n", "points = 0\n", _BOOK),
    Mutant("SWR-POINTS", "A draw is worth nothing.", "draw = { each = 1,", "draw = { each = 0,", _BOOK),
    Mutant(
        "SWR-FORMATS",
        "Single elimination by itself is not allowed.",
        'style_rule = "SWR-FORMATS"',
        'styles = ["swiss", "swiss-with-cut"]\nstyle_rule = "SWR-FORMATS"',
        _BOOK,
    ),
    Mutant(
        "SWR-SWISS-ROUNDS",
        "Eight players play four rounds, as nine do.",
        '"8" = { rounds = 3 }\n"9-16" = { rounds = 4 }\n"17-32" = { rounds = 5 }',
        '"8" = { rounds = 4 }\n"9-16" = { rounds = 4 }\n"17-32" = { rounds = 5 }',
        _BOOK,
    ),
    Mutant(
        "SWR-SWISS-R1",
        "Round 1 is paired in order of registration.",
        "registered, lots(seed, registered), strict=True",
        "registered, (bytes(8) + player.to_bytes(4) for player in registered), strict=True",
    ),
    Mutant(
        "SWR-SWISS-R1",
        "The PASS of round 1 goes to the first to register.",
        "next(player for player in reversed(self.groups[self.bye_group]) if player in self.eligible)",
        "next(player for player in sorted(self.groups[self.bye_group]) if player in self.eligible)",
    ),
    Mutant(
        "SWR-SWISS-PILES",
        "A pile is paired in order of registration.",
        "    pile = slate.pile(group, guests, slate.natives(group))\n",
        "    pile = sorted(slate.pile(group, guests, slate.natives(group)))\n",
    ),
    Mutant(
        "SWR-SWISS-PAIRDOWN",
        "A card that came down is on top of the pile.",
        "pile.insert(int.from_bytes(word) % (len(pile) + 1), guest)",
        "pile.insert(0, guest)",
    ),
    Mutant(
        "SWR-SWISS-PAIRDOWN",
        "A card may skip a pile.",
        " + (level - self._levels[upper] - 1) * self._counts.one(first + 1)",
        "",
    ),
    Mutant(
        "SWR-SWISS-PASS",
        "The lowest number of the lowest pile has the PASS.",
        "next(player for player in reversed(self.groups[self.bye_group]) if player in self.eligible)",
        "next(player for player in sorted(self.groups[self.bye_group]) if player in self.eligible)",
    ),
    Mutant(
        "SWR-SWISS-PASS",
        "The lowest rank has the PASS.",
        'choice = "lowest-group"',
        'choice = "lowest-ranked"',
        _BOOK,
    ),
    Mutant(
        "SWR-SWISS-ONEPASS",
        "A player can have a second PASS.",
        "entitled = [player for player in order if not table.had_bye(player)]",
        "entitled = list(order)",
    ),
    Mutant(
        "SWR-SWISS-PASSUP",
        "The PASS goes up to the top pile.",
        "    home = max(\n",
        "    home = min(\n",
    ),
    Mutant(
        "SWR-SWISS-NOREMATCH",
        "The last opponent alone is avoided.",
        "return Encounters(self.size, [column.opponents for column in self.columns])",
        "return Encounters(self.size, [column.opponents for column in self.columns[-1:]])",
    ),
    Mutant(
        "SWR-SWISS-WINNER",
        "Players on equal points play for the place at once.",
        'tiebreaks = ["defeated_opponents_points", "undefeated_opponents_points", "first_loss_or_draw", "rock_paper_scissors"]',
        'tiebreaks = ["rock_paper_scissors"]',
        _BOOK,
    ),
    Mutant(
        "SWR-SE-BRACKET",
        "The bracket is filled in order of registration.",
        "order = random_order(seed, players)\n    if method",
        "order = list(players)\n    if method",
    ),
    Mutant(
        "SWR-SE-TIME",
        "After time a concession needs no end.",
        "play_stops = _is_judged(place, due.mark.unfinished) or _counts_decide(place)",
        "play_stops = _is_judged(place, due.mark.unfinished)",
    ),
    Mutant(
        "SWR-SE-TIME",
        "The larger discard pile wins.",
        "0 if written.discard[0] < written.discard[1] else 1",
        "0 if written.discard[0] > written.discard[1] else 1",
    ),
    Mutant(
        "SWR-SE-TIME",
        "Power points come before the matches won.",
        '(1, "matches", written.matches), (2, "power", written.power)',
        '(1, "power", written.power), (2, "matches", written.matches)',
    ),
    Mutant(
        "SWR-CUT",
        "A quarter of the players who came goes on.",
        '"17-32" = { rounds = 5, cut = 8 }',
        '"17-32" = { rounds = 5, cut = 4 }',
        _BOOK,
    ),
    Mutant(
        "SWR-CUT-SE",
        "The Swiss places seed the bracket.",
        'reading = "cut_bracket", default = "random"',
        'reading = "cut_bracket", default = "seeded"',
        _BOOK,
    ),
    Mutant(
        "SWR-TB",
        "A draw is no opponent of the second tiebreaker.",
        'outcomes = frozenset({"loss", "draw"})',
        'outcomes = frozenset({"loss"})',
    ),
    Mutant(
        "SWR-TB",
        "Any game not won counts as the first loss, and who lost none is last.",
        "never = numbers.table.through + 1\n",
        "never = 0\n",
    ),
    Mutant("SWR-RATING", "Nine participants are rated.", "participants = 8", "participants = 9", _BOOK),
    Mutant(
        "SWR-RATING", "The last of the seven days is too late.", "sent > found.deadline", "sent >= found.deadline"
    ),
    Mutant(
        "SWR-SWISS-ROUNDS",
        "The host may stop before the announced rounds without a rule against it.",
        "(structures.announce if structures is not None else None, given) if rule)",
        "(structures.announce if structures is not None else None,) if rule)",
    ),
    Mutant(
        "SWR-CUT",
        "Any number of players goes on where nothing was announced.",
        "[*(Departure(rule, text) for rule in _of_structure(record, played)), *_of_flights(record, sizes)]",
        "[*_of_flights(record, sizes)]",
    ),
    Mutant(
        "SWR-SWISS-WINNER",
        "An event ends with places that nobody settled.",
        "if not place.decided and _can_be_decided(record, place):",
        "if not place.decided and not _can_be_decided(record, place):",
    ),
    Mutant(
        "SWR-CUT",
        "An event ends before the final.",
        'if record.cut is not None and not record.rounds("elimination"):\n        yield Departure(',
        'if record.cut is None and not record.rounds("elimination"):\n        yield Departure(',
    ),
    Mutant(
        "SWR-CUT",
        "An event ends without the cut that was announced.",
        "cuts_of(plan).keys() - {made.division",
        "cuts_of(plan).keys() & {made.division",
    ),
    Mutant("SWR-POINTS", "A win is worth two points.", "win = { winner = 3", "win = { winner = 2", _BOOK),
    Mutant(
        "SWR-POINTS",
        "A loss is worth a point.",
        "win = { winner = 3, loser = 0",
        "win = { winner = 3, loser = 1",
        _BOOK,
    ),
    Mutant(
        "SWR-SWISS-WINNER",
        "The player with the most wins is the winner, whatever the points.",
        "groups = split_all(groups, Column(self.table.points).keys().__getitem__)",
        'groups = split_all(groups, Column([got.count("win") for got in self.table.outcomes]).keys().__getitem__)',
    ),
    Mutant(
        "SWR-SWISS-WINNER",
        "The tiebreakers rank before the points.",
        "groups = self._by_numbers([ranked] if ranked else [])",
        "groups = [ranked] if ranked else []",
    ),
    Mutant(
        "SWR-SWISS-WINNER",
        "The player who lost least is the winner.",
        "groups = split_all(groups, Column(self.table.points).keys().__getitem__)",
        'groups = split_all(groups, Column([-got.count("loss") for got in self.table.outcomes]).keys().__getitem__)',
    ),
    Mutant(
        "SWR-SWISS-WINNER",
        "Only a final makes a winner.",
        "closed = record.closing is not None and bool(record.finished_rounds)",
        "closed = False",
    ),
)
