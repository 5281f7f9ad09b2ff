"""Every declared mutant, and the tests cited for its rule."""

from __future__ import annotations

import tomllib
from functools import cache

from tests.mutants import ash, l5r, leg, pkm, swr
from tests.mutants.mutant import ROOT

MUTANTS = (*l5r.MUTANTS, *leg.MUTANTS, *swr.MUTANTS, *pkm.MUTANTS, *ash.MUTANTS)


@cache
def _shown_by() -> dict[str, list[str]]:
    return tomllib.loads((ROOT / "tests" / "rules" / "shown_by.toml").read_text("utf-8"))


def cited(rule: str) -> tuple[str, ...]:
    """Return what the page of the rules cites for a rule: names of tests, and ids of vectors."""
    return tuple(_shown_by().get(rule, ()))
