"""The lock file has a hash for every installed dependency, in the installed version."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _pinned(text: str) -> dict[str, str]:
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE)
    return {re.sub(r"[._]", "-", name).lower(): version for name, version in found}


@pytest.mark.finding("A-12")
def test_every_dependency_has_a_hash_for_the_locked_version() -> None:
    text = (ROOT / "docs" / "hashes.txt").read_text("utf-8")
    hashed, locked = _pinned(text), _pinned((ROOT / "requirements.lock").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["postgresql"], *extras["web"], *extras["print"]]
    assert {re.split(r"[^A-Za-z0-9-]", name)[0].lower() for name in wanted} <= hashed.keys()
    assert {name: version for name, version in hashed.items() if locked.get(name, version) != version} == {}
    assert hashed.keys() - locked.keys() <= {"colorama", "tzdata"}  # only Windows needs these
    requirements = re.split(r"\n(?=[A-Za-z])", text)[1:]
    assert all("--hash=sha256:" in requirement for requirement in requirements)
