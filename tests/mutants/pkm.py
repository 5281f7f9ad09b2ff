"""Mutants of the Pokémon rules."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "PKM-3.3.3.2-FINALS",
        "The whole division sends its best on, whatever their flights.",
        "if not flights or size % len(flights):",
        "if flights or size % 2 < 2:",
        "stages/cut.py",
    ),
    Mutant(
        "PKM-3.3-CUT",
        "A cut can have any size.",
        "return cut in allowed if allowed else not cut & (cut - 1)",
        "return cut in allowed if allowed else True",
    ),
    Mutant(
        "PKM-3.1.3-ROUNDS",
        "Divisions that play apart all play as many rounds as the largest.",
        "return own if field.apart and len(set(own.values())) > 1 else {}",
        "return {}  # as many for all",
        "commands/structures.py",
    ),
    Mutant(
        "PKM-3.1.4-LATE",
        "A late player who is added to a posted round is not seated in it.",
        "seat_now = losses is None and count < paired",
        "seat_now = False and count < paired",
        "commands/roster.py",
    ),
    Mutant(
        "PKM-3.3.3.2-LATE",
        "Later late players go where fewer are.",
        'reading = "late_flight", default = "random"',
        'reading = "late_flight", default = "smallest"',
        "rulebooks/pokemon-2009.toml",
    ),
    Mutant(
        "PKM-4-REPAIR",
        "A repair may draw the whole round anew.",
        'reading = "redraw", default = "refused"',
        'reading = "redraw", default = "allowed"',
        "rulebooks/pokemon-2009.toml",
    ),
)
