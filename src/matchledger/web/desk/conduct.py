"""The conduct page: penalties, rulings, incidents with cards, and the staff."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args
from uuid import UUID

from matchledger.commands.card_incidents import CardStep
from matchledger.commands.refusal import name_of
from matchledger.commands.round_clock import round_in_play
from matchledger.commands.staff import disorder
from matchledger.events import Entry, Office
from matchledger.events.conduct import Offence, Penalty
from matchledger.ledger import Ledger
from matchledger.web.desk.players import names_to_type
from matchledger.web.rendering import Values
from matchledger_projections.conduct.penalties import Given, incidents, missing, penalties, rulings
from matchledger_projections.conduct.staff import assignments, chief_marshals
from matchledger_projections.narration import tell
from matchledger_projections.views.desk import led_games


def _repeated(given: Sequence[Given]) -> dict[int, int]:
    """Return the entries of second and later penalties of a player, each with its number."""
    counts: Counter[int] = Counter()
    found = {}
    for each in given:
        counts[each.fact.player] += 1
        if counts[each.fact.player] > 1:
            found[each.position] = counts[each.fact.player]
    return found


def conduct_view(ledger: Ledger, tournament: UUID, player: int | None) -> Values:
    """Return the contents of the page, the latest records first.

    `chosen` is the selected player, `tables` has each player's table in the round in play, and `before` are the
    earlier penalties of the selected player. `earlier` counts the penalties of each name, and `again` numbers the
    second and later penalties of a player. `entry` returns the entry at a position, and `rules` are the
    rulebook's rules about conduct.
    """
    record = ledger.record(tournament)
    given, latest = penalties(record)[::-1], round_in_play(record)

    def entry(position: int) -> Entry:
        return ledger.entry(tournament, position)

    return {
        "record": record,
        "entry": entry,
        "tell": lambda fact: tell(record, fact),
        "penalties": given,
        "rulings": rulings(record)[::-1],
        "cards": incidents(record)[::-1],
        "missing": missing(record),
        "staff": [each for each in assignments(record) if each.duty != "left"],
        "games": list(led_games(record)),
        "disorder": [problem.said for problem in disorder(record)],
        "final_rulings": [leader.name for leader in chief_marshals(record)],
        "rules": record.rulebook.conduct,
        "judged": record.rulebook.clock.judgment,
        "chosen": record.players.get(player or 0),
        "tables": {}
        if latest is None
        else {name_of(record, one): table for table, players in latest.tables.items() for one in players},
        "earlier": Counter(name_of(record, each.fact.player) for each in given),
        "again": _repeated(given[::-1]),
        "before": [each for each in given if each.fact.player == player],
        "names": names_to_type(record),
        "kinds": get_args(Penalty),
        "offences": get_args(Offence),
        "card_steps": get_args(CardStep),
        "offices": get_args(Office),
    }
