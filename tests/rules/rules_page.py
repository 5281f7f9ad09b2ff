"""The page of the rules: where each rule of the documents is applied, and which tests show it.

Sources cite the rules that they apply, `shown_by.toml` names the tests that show a rule, and pytest lists all
tests. If a rule lacks code or a test, its cell is empty and a test fails.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from tests.mutants.declared import MUTANTS

from matchledger_projections.rulebook.catalogue import Rule, rules

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
SOURCES = ("src/matchledger", "projections/matchledger_projections")
# These modules name every rule but apply none.
NAMING = {"catalogue"}


@dataclass(frozen=True)
class Evidence:
    """The evidence for the rules: the sources that cite them, and the node ids of all tests."""

    sources: dict[str, str]
    nodes: tuple[str, ...]
    shown_by: dict[str, list[str]]

    @cached_property
    def _named(self) -> list[tuple[str, str]]:
        """The node id of each test outside this folder, and the same id in capitals with dashes, as ids of
        vectors are written.
        """
        named = (node for node in self.nodes if not node.startswith("tests/rules/"))
        return [(node, node.upper().replace("_", "-")) for node in named]

    def applied_in(self, rule: str) -> list[str]:
        """Return the paths of the files that cite a rule."""
        cited = re.compile(rf"(?<![\w.-]){re.escape(rule)}(?![\w-]|\.\w)")
        return sorted(path for path, text in self.sources.items() if rule in text and cited.search(text))

    def of_vector(self, vector: str) -> list[str]:
        """Return the tests that carry the id of a vector, without their parameters."""
        carried = re.compile(rf"(?<![A-Z0-9]){re.escape(vector)}(?![A-Z0-9])")
        return _distinct(
            node.partition("[")[0] for node, name in self._named if vector in name and carried.search(name)
        )

    def tests_of(self, rule: str) -> Iterator[tuple[str, list[str]]]:
        """Yield each entry of `shown_by` for a rule with a list of its tests, which is empty if no test exists."""
        for shown in self.shown_by.get(rule, []):
            if "::" in shown:
                node = f"tests/{shown}"
                yield shown, [node] if any(known.partition("[")[0] == node for known in self.nodes) else []
            else:
                yield shown, self.of_vector(shown)


def gather(nodes: Iterable[str]) -> Evidence:
    """Return the evidence. `nodes` must have the ids of all tests, including slow tests."""
    files = [file for source in SOURCES for file in (ROOT / source).rglob("*") if file.suffix in {".py", ".toml"}]
    return Evidence(
        sources={
            file.relative_to(ROOT).as_posix(): file.read_text("utf-8")
            for file in files
            if file.parent.name not in NAMING
        },
        nodes=tuple(nodes),
        shown_by=tomllib.loads((HERE / "shown_by.toml").read_text("utf-8")),
    )


def vectors() -> list[str]:
    """Return the id of every acceptance vector."""
    return (HERE / "vectors.txt").read_text("utf-8").split()


def page(evidence: Evidence) -> str:
    every = list(rules().values())
    lines = [
        "# Rules",
        "",
        "Every rule of the five documents, by its id: the sentence restates, the document has the authority.",
        "A rule is **applied** (by the modules that cite it, as the tests show), **recorded** (in a field of",
        "the log that an auditor can read) or **outside** (what happens within a game, which no ledger sees).",
        "`python -m tests.mutants` breaks each applied rule as the last column says; its tests must fail then.",
        "`matchledger rules ID` says what an id stands for. Generated from the sources and the tests",
        "(`pytest --refresh-golden`).",
        "",
        f"{len(every)} rules: " + ", ".join(_count(every)) + ".",
    ]
    for document, of_it in groupby(every, key=lambda rule: rule.document):
        lines += ["", f"## {document}", "", *_HEAD]
        lines += [_row(rule, evidence) for rule in of_it]
    lines += ["", "## Acceptance vectors", "", "| Vector | Tests |", "|---|---|"]
    lines += [f"| {vector} | {'<br>'.join(map(_short, evidence.of_vector(vector)))} |" for vector in vectors()]
    return "\n".join(lines) + "\n"


_HEAD = ("| Rule | Says | State | Where | Shown by | Broken by |", "|---|---|---|---|---|---|")


def _count(every: Iterable[Rule]) -> Iterator[str]:
    states = [rule.state for rule in every]
    return (f"{states.count(state)} {state}" for state in ("applied", "recorded", "outside"))


def _row(rule: Rule, evidence: Evidence) -> str:
    state = {"applied": "applied", "recorded": f"recorded: `{rule.about}`", "outside": f"outside: {rule.about}"}
    where = "<br>".join(_module(path) for path in evidence.applied_in(rule.id))
    shown = "<br>".join(_short(shown) for shown, found in evidence.tests_of(rule.id) if found)
    broken = "<br>".join(mutant.says for mutant in MUTANTS if mutant.rule == rule.id)
    return f"| {rule.id} | {rule.says} | {state[rule.state]} | {where} | {shown} | {broken} |"


def _module(path: str) -> str:
    return path.removeprefix("src/").removeprefix("projections/").removeprefix("matchledger_projections/")


def _short(test: str) -> str:
    return test.removeprefix("tests/")


def _distinct(nodes: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(nodes))
