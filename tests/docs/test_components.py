"""The list of components: every library of an installation in the locked version, with its licence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden import Golden

ROOT = Path(__file__).resolve().parents[2]
PAGE, BILL, LOCK = ROOT / "docs" / "components.md", ROOT / "docs" / "sbom.json", ROOT / "requirements.lock"
HEAD = """# Components

This page lists every library of an installation with `web`, `print` and `postgresql`.
The list comes from [sbom.json](sbom.json).

To make this page and `sbom.json` again, use a clean environment with the extras. Run
`cyclonedx-py environment --output-reproducible --of JSON`,
then `pytest --refresh-golden tests/docs`. The web pages also contain a part of the typeface Inter 4.1 (OFL-1.1).

| library | version | licence |
|---|---|---|
"""


def _licences(component: dict[str, Any]) -> Iterator[str]:
    for one in component["licenses"]:
        stated = one.get("license", {})
        yield one.get("expression") or stated.get("id") or stated["name"].rpartition(":: ")[2]


def test_the_list_of_components_matches_the_lock_file_with_licences(golden: Golden) -> None:
    components = json.loads(BILL.read_text("utf-8"))["components"]
    locked = {line for line in LOCK.read_text("utf-8").splitlines() if "==" in line}
    assert {f"{one['name']}=={one['version']}" for one in components} <= locked
    rows = [f"| {one['name']} | {one['version']} | {'; '.join(_licences(one))} |\n" for one in components]
    golden.holds(PAGE, HEAD + "".join(rows))
