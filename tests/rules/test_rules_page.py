"""Every rule of the documents is applied and shown by tests, or recorded, or outside for a reason. Every vector has
a test.
"""

from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest
from tests.budgets import EVERY_TEST
from tests.golden import Golden
from tests.rules.rules_page import ROOT, Evidence, gather, page, vectors

from matchledger.events import AnyFact
from matchledger_projections.rulebook.catalogue import Rule, rules

RULES = list(rules().values())
FIELDS = {
    f"{kind.model_fields['kind'].default}.{field}" for kind in get_args(AnyFact) for field in kind.model_fields
}


_COLLECT = """
import sys, pytest
from tests.budgets import with_vectors
class Collected:
    def pytest_collection_finish(self, session):
        sys.stderr.write("\\n".join(map(with_vectors, session.items)))
sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", "-m", ""], plugins=[Collected()]))
"""


@pytest.fixture(scope="module")
def evidence(request: pytest.FixtureRequest) -> Evidence:
    """Return every test that this run collected. If a run has only a few tests, it collects all tests first."""
    nodes = request.config.stash.get(EVERY_TEST, None)
    if nodes is None:
        collected = subprocess.run(  # noqa: S603 - our own Python on our own tests
            [sys.executable, "-c", _COLLECT], cwd=ROOT, check=True, capture_output=True, text=True
        )
        nodes = [line for line in collected.stderr.splitlines() if "::" in line]
    return gather(nodes)


def _in_state(state: str) -> list[object]:
    return [pytest.param(known, id=known.id) for known in RULES if known.state == state]


@pytest.mark.parametrize("known", _in_state("applied"))
def test_an_applied_rule_is_cited_in_code_and_shown_by_existing_tests(known: Rule, evidence: Evidence) -> None:
    assert evidence.applied_in(known.id), "no module cites it"
    shown = dict(evidence.tests_of(known.id))
    assert shown, "shown_by.toml names no test"
    assert [name for name, found in shown.items() if not found] == [], "there is no such test"


@pytest.mark.parametrize("known", _in_state("recorded"))
def test_a_recorded_rule_names_the_field_that_records_it(known: Rule) -> None:
    """Before the fix, three rules named a field that did not exist."""
    assert known.about in FIELDS


@pytest.mark.parametrize("known", _in_state("outside"))
def test_a_rule_outside_the_program_gives_the_reason(known: Rule) -> None:
    assert known.about


def test_tests_are_listed_only_for_existing_rules(evidence: Evidence) -> None:
    assert set(evidence.shown_by) <= set(rules())


@pytest.mark.parametrize("vector", vectors())
def test_every_vector_has_a_test(vector: str, evidence: Evidence) -> None:
    here = "tests/rules/"
    assert [node for node in evidence.of_vector(vector) if not node.startswith(here)]


def test_the_rules_page_is_generated_from_the_catalogue(evidence: Evidence, golden: Golden) -> None:
    golden.holds(ROOT / "docs" / "rules.md", page(evidence))
