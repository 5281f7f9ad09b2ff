"""Findings: input that once caused a fault is still refused or understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzzing.seeds import FINDINGS, every_seed, findings
from tests.fuzzing.targets import TARGETS, UNGUARDED

FILES = [file for target in TARGETS for file in findings(target)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_earlier_finding_stays_fixed(file: Path) -> None:
    TARGETS[file.parent.name](file.read_bytes())


def test_every_finding_belongs_to_a_target_and_is_small() -> None:
    assert {folder.name for folder in FINDINGS.iterdir()} <= TARGETS.keys()
    assert [file for file in FILES if file.stat().st_size > 4096] == []


def test_every_target_has_a_sample() -> None:
    assert {target for target, _ in every_seed()} == TARGETS.keys()


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_understands_its_first_sample(target: str) -> None:
    """If a target refused every input, the search would find nothing."""
    first = next(seed for name, seed in every_seed() if name == target)
    UNGUARDED[target](first)
