"""The API page matches the server's description: every route, parameter and model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden import Golden

from matchledger.web.app import create_app

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"
MARK = "pytest --refresh-golden tests/docs -->\n"


def _type(schema: dict[str, Any]) -> str:
    """Return the type of a value in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if alternatives := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(_type(one) for one in alternatives))
    if values := [schema["const"]] if "const" in schema else schema.get("enum"):
        return ", ".join(f'`"{value}"`' for value in values)
    return _plain_type(schema)


def _plain_type(schema: dict[str, Any]) -> str:
    name = str(schema.get("type", "anything"))
    if name == "array":
        inner = [_type(one) for one in schema.get("prefixItems", ())]
        return f"[{', '.join(inner)}]" if inner else f"list of {_type(schema['items'])}"
    values = next(iter(schema.get("patternProperties", {}).values()), schema.get("additionalProperties"))
    if name == "object" and isinstance(values, dict) and values:
        return f"object of {_type(values)}"
    return f"{name} ({schema['format']})" if "format" in schema else name


def _routes(described: dict[str, Any]) -> Iterator[str]:
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            yield f"### {method.upper()} {path}\n\n{route['description']}"
            if "security" in route:
                yield "It needs the key of a station."
            lines = [
                f"| `{one['name']}` | {one['in']} | {_type(one['schema'])} | {one.get('description', '')} |"
                for one in route.get("parameters", [])
                if one["in"] != "path"
            ]
            if lines:
                yield "\n".join(["| parameter | in | type | meaning |", "|---|---|---|---|", *lines])
            if "requestBody" in route:
                yield "It takes a [command](#commands)."
            yield f"It answers with: {_type(route['responses']['200']['content']['application/json']['schema'])}"


def _models(described: dict[str, Any], names: list[str], level: str) -> Iterator[str]:
    for name in names:
        model = described["components"]["schemas"][name]
        needed = model.get("required", [])
        lines = [
            f"| `{field}` | {_type(schema)} | {'' if field in needed else 'may be left out'} |"
            for field, schema in model.get("properties", {}).items()
        ]
        yield f"{level} {name}\n\n{' '.join(model.get('description', '').split())}"
        if lines:
            yield "\n".join(["| field | type | |", "|---|---|---|", *lines])


def _kinds(schema: dict[str, Any]) -> list[str]:
    mapping = schema["discriminator"]["mapping"]
    return sorted(one.rpartition("/")[2] for one in mapping.values())


def test_the_api_page_describes_every_route_and_model_of_the_server(golden: Golden) -> None:
    described = create_app("unopened.ledger").openapi()
    schemas = described["components"]["schemas"]
    sent = described["paths"]["/api/tournaments/{tournament}/commands"]["post"]["requestBody"]
    commands = _kinds(sent["content"]["application/json"]["schema"])
    facts = _kinds(schemas["Entry"]["properties"]["fact"])
    documents = [name for name in schemas if name not in {*commands, *facts}]
    assert len(commands) > 30
    assert len(facts) > 30
    assert {"StandingsPage", "Recorded", "Problem"} <= set(documents)
    parts = [
        *_routes(described),
        "## Documents",
        *_models(described, documents, "###"),
        "## Facts\n\nThe fact of an entry says by its `kind` what it is. What an entry leaves out has its default.",
        *_models(described, facts, "###"),
        "## Commands\n\nA command says by its `kind` what it is.",
        *_models(described, commands, "###"),
    ]
    head = PAGE.read_text("utf-8").partition(MARK)[0]
    golden.holds(PAGE, f"{head}{MARK}\n" + "\n\n".join(parts) + "\n")
