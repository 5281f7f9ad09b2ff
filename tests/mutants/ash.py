"""Mutants of the Ashes rules."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "ASH-BYE",
        "Only a bye of round 1 is random.",
        'reading = "first_bye", default = "random"',
        'reading = "first_bye", default = "weakest"',
        "rulebooks/ashes-2022.toml",
    ),
)
