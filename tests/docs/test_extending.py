"""The recipes of docs/extending.md on a copy of the sources: each changes few files, and works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.docs.test_docs import ROOT

RECIPES = (ROOT / "docs" / "extending.md").read_text("utf-8").split("\n## ")[1:]
FILES = {
    "A rulebook with a new tiebreaker": 3,
    "An event kind": 3,
    "An export format": 2,
    "A command for the terminal, the pages and the API": 2,
}
_STEP = re.compile(
    r"\b(?:in|at\s+the\s+end\s+of)\s+`(?P<file>[^`]+)`(?:,\s+(?P<where>above|below|instead\s+of)\s+`(?P<anchor>[^`]+)`)?:\n\n"
    r"```(?:python|text)\n(?P<code>.*?)```",
    re.DOTALL,
)
SHEET = ROOT / "fixtures" / "store-championship" / "event.sheet"


class Step(NamedTuple):
    """A piece of code and where to put it: after a line of the file, or at the end."""

    file: str
    where: str | None
    anchor: str
    code: str

    def apply(self, tree: Path) -> None:
        file = tree / self.file
        lines = file.read_text("utf-8").splitlines(keepends=True)
        if self.where is None:
            lines += ["\n\n", self.code]
        else:
            [at] = [number for number, line in enumerate(lines) if line.strip().startswith(self.anchor)]
            lines[at + (self.where == "below") : at + (self.where != "above")] = [self.code]
        file.write_text("".join(lines), "utf-8")


def steps(recipe: str) -> Iterator[Step]:
    for found in _STEP.finditer(recipe):
        yield Step(found["file"], found["where"], found["anchor"] or "", found["code"])


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources after all four recipes."""
    tree = tmp_path_factory.mktemp("tree")
    for folder in ("src", "projections"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for recipe in RECIPES:
        for step in steps(recipe):
            step.apply(tree)
    return tree


def said(tree: Path, room: Path, line: str) -> str:
    paths = os.pathsep.join(str(tree / folder) for folder in ("src", "projections"))
    environment = os.environ | {"PYTHONPATH": paths, "MATCHLEDGER_LEDGER": str(room / "event.ledger")}
    program = [sys.executable, "-m", "matchledger", *line.split()]
    done = subprocess.run(program, env=environment, cwd=room, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.partition("\n")[0])
def test_each_recipe_changes_few_files(recipe: str) -> None:
    name = recipe.partition("\n")[0]
    touched = {step.file for step in steps(recipe)}
    assert touched
    assert len(touched) <= FILES[name]
    assert len(list(steps(recipe))) == len(re.findall("```(?:python|text)", recipe))


def test_a_new_tiebreaker_ranks_and_is_explained(tree: Path, tmp_path: Path) -> None:
    [line] = re.findall(r"```bash\nmatchledger (.*)\n```", RECIPES[0])
    said(tree, tmp_path, line)
    said(tree, tmp_path, "open Friday --rulebook open.toml")
    for name in ("Ann", "Bo", "Cy", "Di"):
        said(tree, tmp_path, f"register {name}")
    said(tree, tmp_path, "pair --table Ann/Bo --table Cy/Di")
    said(tree, tmp_path, "report 1 a")
    said(tree, tmp_path, "report 2 b")
    assert "Won" in said(tree, tmp_path, "standings")
    assert "Won 1" in said(tree, tmp_path, "explain Ann")


def test_a_new_command_records_a_new_kind_of_event_and_undo_takes_it_back(tree: Path, tmp_path: Path) -> None:
    said(tree, tmp_path, "open Juniors --rulebook pokemon-2026")
    said(tree, tmp_path, "move-division Junior --room Library")
    assert "Junior plays in Library" in said(tree, tmp_path, "log")
    assert "--room" in said(tree, tmp_path, "move-division --help")
    said(tree, tmp_path, "undo --yes --reason misread")
    assert "none altered" in said(tree, tmp_path, "verify")


def test_a_new_export_format_is_written(tree: Path, tmp_path: Path) -> None:
    said(tree, tmp_path, f"import {SHEET}")
    said(tree, tmp_path, "export places.txt --format places")
    assert len((tmp_path / "places.txt").read_text("utf-8").splitlines()) == 24
    assert "places" in said(tree, tmp_path, "export --help")
