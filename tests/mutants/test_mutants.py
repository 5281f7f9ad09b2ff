"""A rule is applied if its cited tests fail when the rule is broken. `python -m tests.mutants` breaks all rules."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.mutants.declared import MUTANTS, cited
from tests.mutants.mutant import ROOT, Mutant

from matchledger_projections.rulebook.catalogue import rules

SHARE = 8  # one mutant in eight also goes through the other tests


def test_every_applied_rule_has_a_mutant() -> None:
    """If breaking a rule fails none of its tests, nothing proves that the program applies the rule."""
    applied = {rule.id for rule in rules().values() if rule.state == "applied"}
    assert applied == {mutant.rule for mutant in MUTANTS}


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.rule}: {mutant.says}")
def test_a_mutant_breaks_an_applied_rule_in_one_place(mutant: Mutant) -> None:
    assert rules()[mutant.rule].state == "applied"
    assert cited(mutant.rule), "shown_by.toml names no test"
    assert mutant.text() != mutant.source().read_text("utf-8")


def test_the_cited_tests_catch_the_mutants() -> None:
    command = [sys.executable, "-m", "tests.mutants", "--share", str(SHARE)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S603 - our own Python
    assert done.returncode == 0, done.stdout + done.stderr
