"""The architecture: imports go one way, and pure modules stay pure. The tests read every module of both packages.

`ARROWS` lists the layers, lowest first, with the layers that each one may import. `formats` turn the bytes of a
file into steps or values, and may import neither commands nor the ledger.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = (ROOT / "src", ROOT / "projections")

# For each layer, the layers that its modules may import. All layers that are not named here belong to the service.
ARROWS: dict[str, set[str]] = {"events": set(), "projections": {"events"}}
ARROWS["proof"] = ARROWS["formats"] = {"events", "projections"}
ARROWS["notation"] = {*ARROWS["formats"], "formats"}
ARROWS["commands"] = {*ARROWS["notation"], "notation", "proof"}
ARROWS["ledger"] = {*ARROWS["commands"], "commands"}
ARROWS["evidence"] = {*ARROWS["ledger"], "ledger"}
ARROWS["service"] = {*ARROWS["evidence"], "evidence"}
ARROWS["faces"] = {*ARROWS["service"], "service"}
# Each face may import the faces before it, because the desk prints paper.
FACES = ("printing", "web", "cli", "__main__")

# The packages of the projections, lowest first. A module imports from its own package and from those before it.
ROOMS = (
    *("text_line", "message", "hint", "fractions", "rulebook", "record", "document", "conduct", "decks"),
    *("standings", "divisions", "stages", "pairing", "narration", "views"),
)

# Standard modules that reach no file, socket, clock or chance. `importlib` only reads the rulebooks and card tables
# in the package.
PURE = {
    "__future__",
    "abc",
    "array",
    "binascii",
    "bisect",
    "collections",
    "contextlib",
    "copy",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "heapq",
    "hmac",
    "importlib",
    "itertools",
    "math",
    "operator",
    "re",
    "string",
    "struct",
    "sys",
    "tomllib",
    "types",
    "typing",
    "unicodedata",
    "uuid",
}
# Libraries that only compute.
COMPUTING = {"msgspec", "pydantic", "rustworkx"}
# Names that could give a pure module access to files, clocks or chance.
IMPURE_NAMES = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}
IMPURE_ATTRIBUTES = {
    "today",
    "utcnow",
    "fromtimestamp",
    "uuid1",
    "uuid4",
    "import_module",
    "write_text",
    "write_bytes",
    "stdin",
    "stdout",
    "stderr",
    "argv",
    "environ",
    "getenv",
}
CLOCKS = {"datetime", "date", "time"}
# Modules that decide a place, a pairing's points or a percentage. Modules that decide a place use no floats.
RANKING = {"crosstable", "fractions", "rulebook", "standings", "tiebreaks"}


@dataclass(frozen=True)
class Module:
    """A module of the project and its syntax tree."""

    name: str
    tree: ast.Module

    @property
    def layer(self) -> str:
        return _layer(self.name)

    @cached_property
    def names(self) -> set[str]:
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}

    @cached_property
    def attributes(self) -> set[tuple[str, str]]:
        """Return every attribute that the module reads, with the plain name before the dot, or ""."""
        read = [node for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)]
        return {(node.value.id if isinstance(node.value, ast.Name) else "", node.attr) for node in read}

    @property
    def reads_a_clock(self) -> bool:
        return any(
            name in CLOCKS and attribute in {"now", "utcnow", "today", "time"}
            for name, attribute in self.attributes
        )

    @cached_property
    def imports(self) -> set[str]:
        """Return the full name of every module that a module imports, anywhere in its code."""
        return set(self._imports())

    def _imports(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name} imports relatively"
                yield node.module or ""
                # `from matchledger import ledger` imports a module under its short name.
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _layer(name: str) -> str:
    package, _, rest = name.partition(".")
    if package == "matchledger_projections":
        return "projections"
    part = rest.partition(".")[0]
    if part in FACES:
        return "faces"
    return part if part in ARROWS else "service"


def _modules() -> Iterator[Module]:
    for source in SOURCES:
        for file in sorted(source.rglob("*.py")):
            parts = file.relative_to(source).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            yield Module(name, ast.parse(file.read_text("utf-8"), file.name))


MODULES = list(_modules())
OURS = {module.name for module in MODULES}
PROJECTIONS = [module for module in MODULES if module.layer == "projections"]


def _named(modules: list[Module]) -> list[object]:
    return [pytest.param(module, id=module.name) for module in modules]


def test_the_architecture_check_reads_both_packages() -> None:
    assert {"matchledger.events", "matchledger.cli", "matchledger_projections.standings.standings"} <= OURS


@pytest.mark.parametrize("module", _named([module for module in MODULES if "." in module.name]))
def test_a_module_imports_only_from_layers_below(module: Module) -> None:
    imported = {name for name in module.imports if name in OURS and name != "matchledger"}
    against = {name for name in imported if _layer(name) not in ARROWS[module.layer] | {module.layer}}
    assert against == set(), f"{module.name} is in the layer {module.layer}"


@pytest.mark.parametrize("module", _named([module for module in MODULES if module.layer == "faces"]))
def test_a_face_imports_no_face_above_it(module: Module) -> None:
    above = FACES[FACES.index(module.name.split(".")[1]) + 1 :]
    assert not any(name.startswith(tuple(f"matchledger.{face}" for face in above)) for name in module.imports)


@pytest.mark.parametrize("module", _named([module for module in PROJECTIONS if "." in module.name]))
def test_a_projection_imports_only_its_own_package_and_earlier_ones(module: Module) -> None:
    before = ROOMS[: ROOMS.index(module.name.split(".")[1]) + 1]
    ours = {name for name in module.imports & OURS if name.startswith("matchledger_projections.")}
    assert {name for name in ours if name.split(".")[1] not in before} == set()


@pytest.mark.parametrize("module", _named(PROJECTIONS))
def test_a_projection_imports_neither_store_nor_clock_nor_randomness_nor_faces(module: Module) -> None:
    foreign = {name.partition(".")[0] for name in module.imports} - {"matchledger", "matchledger_projections"}
    assert foreign <= PURE | COMPUTING
    assert all(name in sys.stdlib_module_names for name in foreign - COMPUTING)


@pytest.mark.parametrize("module", _named(PROJECTIONS))
def test_a_projection_uses_no_name_with_side_effects(module: Module) -> None:
    assert module.names.isdisjoint(IMPURE_NAMES)
    assert {attribute for _, attribute in module.attributes}.isdisjoint(IMPURE_ATTRIBUTES)
    assert not module.reads_a_clock


@pytest.mark.parametrize(
    "module", _named([module for module in PROJECTIONS if module.name.rpartition(".")[2] in RANKING])
)
def test_no_float_decides_a_place(module: Module) -> None:
    constants = [node.value for node in ast.walk(module.tree) if isinstance(node, ast.Constant)]
    assert "float" not in module.names
    assert not any(isinstance(constant, float) for constant in constants)
    divides = any(isinstance(node, ast.Div) for node in ast.walk(module.tree))
    assert not divides or module.name.endswith(".rulebook"), "a file's path, and nothing else, is made with a slash"


def test_only_the_ledger_imports_the_event_store() -> None:
    knowing = {
        module.name
        for module in MODULES
        if any(name.partition(".")[0] in {"eventsourcing", "sqlite3", "psycopg"} for name in module.imports)
    }
    assert {_layer(name) for name in knowing} == {"ledger"}


def test_only_faces_use_the_terminal() -> None:
    knowing = {
        module.name
        for module in MODULES
        if any(name.partition(".")[0] in {"typer", "rich"} for name in module.imports)
    }
    assert {_layer(name) for name in knowing} == {"faces"}


def test_only_one_module_below_the_faces_reads_the_clock() -> None:
    """`commands.draft.now` stamps entries, so tests can freeze the clock."""
    reading = {module.name for module in MODULES if module.layer != "faces" and module.reads_a_clock}
    assert reading == {"matchledger.commands.draft"}


@pytest.mark.parametrize("module", _named(MODULES))
def test_every_module_has_a_docstring(module: Module) -> None:
    docstring = ast.get_docstring(module.tree)
    assert docstring, f"{module.name} has no docstring"
