"""Every fault that a reader reported has a test with its id, or a line in docs/decisions.md.

A test names the reports that it guards: `@pytest.mark.finding("C-D11")`, or `pytestmark` for a whole module.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# How many faults each series reports: the command line, the audits of rulebooks, the attacks, the browser.
SERIES = {"C-D": 18, "L-W": 12, "L-M": 3, "S-W": 11, "S-M": 2, "A-": 12, "B-": 18}
REPORTED = {f"{series}{number}" for series, last in SERIES.items() for number in range(1, last + 1)}


def _marked() -> set[str]:
    """Return the ids in the `finding` marks of all test modules, on functions and on whole modules."""
    sources = (file.read_text("utf-8") for file in (ROOT / "tests").rglob("test_*.py"))
    return {
        ast.literal_eval(argument)
        for source in sources
        if "pytest.mark.finding(" in source
        for node in ast.parse(source).body
        for mark in [*getattr(node, "decorator_list", []), getattr(node, "value", None)]
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.finding"
        for argument in mark.args
    }


def test_every_reported_fault_has_a_test_or_a_decision() -> None:
    decided = set(re.findall(r"\b(?:[A-Z]-[DMW]?)\d+\b", (ROOT / "docs/decisions.md").read_text("utf-8")))
    marked = _marked()
    assert marked <= REPORTED, "no report has such an id"
    assert not REPORTED - marked - decided, "mark a test with the id, or give the decision"
