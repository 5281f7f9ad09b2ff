"""The commands that say what a rule id stands for, and how a rulebook reads its document."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from matchledger.cli.files import read_text
from matchledger.cli.options import JsonOption
from matchledger.cli.session import only_shown
from matchledger.cli.tables import columns
from matchledger.documents.catalogue import policy_asked, rulebook_lines, rules_asked, rules_document
from matchledger_projections.rulebook.catalogue import PolicyFlag, Rule
from matchledger_projections.rulebook.pairing import UNWRITTEN
from matchledger_projections.rulebook.policies import Readings
from matchledger_projections.rulebook.rulebook import Rulebook, parse_rulebook, rulebook_text


@only_shown()
def rules(
    id_: Annotated[
        str | None,
        typer.Argument(metavar="[RULE]", help="The id of a rule, or a policy such as POL-ALL-REPAIR."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a rule id stands for, or list every rule of the documents."""
    if as_json:
        typer.echo(json.dumps(rules_document(id_), ensure_ascii=False))
        return
    if (flag := policy_asked(id_)) is not None:
        for line in _policy_lines(flag):
            typer.echo(line)
        return
    found = rules_asked(id_)
    for document, of_it in groupby(found, key=lambda rule: rule.document):
        typer.echo(document)
        for line in columns(["Rule", "Says", ""], [[rule.id, rule.says, _state(rule)] for rule in of_it]):
            typer.echo(line)


def _policy_lines(flag: PolicyFlag) -> Iterator[str]:
    yield f"{flag.id} ({', '.join(flag.rules)})"
    yield flag.says
    values = flag.values or dict.fromkeys(flag.defaults.values(), "")
    rows = [
        [value, meaning, ", ".join(law for law, default in flag.defaults.items() if default == value)]
        for value, meaning in values.items()
    ]
    yield from columns(["Value", "Means", "Default in"], rows)


def _state(rule: Rule) -> str:
    return {
        "applied": "applied",
        "recorded": f"recorded as {rule.about}",
        "outside": f"outside: {rule.about}",
    }[rule.state]


@only_shown()
def rulebook(
    name: Annotated[
        str | None, typer.Argument(metavar="[RULEBOOK]", help="The id of a rulebook, or a .toml file of one.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a rulebook scores, ranks and pairs, and which policies can be chosen; or list the rulebooks."""
    if name is None:
        known = rulebook_lines()
        if as_json:
            typer.echo(json.dumps(known))
            return
        for line in columns(["Rulebook", "Document", "Edition"], [list(law.values()) for law in known]):
            typer.echo(line)
        return
    law = parse_rulebook(_text_of(name))
    if as_json:
        typer.echo(law.model_dump_json())
        return
    for line in _lines(law):
        typer.echo(line)


def _text_of(name: str) -> str:
    if not name.endswith(".toml"):
        return rulebook_text(name)
    return read_text(Path(name))


def _lines(law: Rulebook) -> Iterator[str]:
    yield f"{law.title}, {law.edition}" + (f" ({law.scope})" if law.scope else "")
    yield ""
    results = [[name, _worth(law, name), kind.rule] for name, kind in law.results.items()]
    yield from columns(["Result", f"{law.unit}", "Rule"], [*results, ["bye", str(law.bye.points), law.bye.rule]])
    yield ""
    ties = [[name.replace("_", " "), law.tiebreak_rules.get(name, "")] for name in law.tiebreaks]
    yield from columns(["Ties, in order", "Rule"], ties)
    yield ""
    pairing = [
        [step.replace("_", " "), rule] for step, rule in law.pairing.model_dump().items() if rule != UNWRITTEN
    ]
    if pairing:
        yield from columns(["Pairing", "Rule"], pairing)
        yield ""
    policies = [
        [flag, policy.default, ", ".join(Readings.values_of(policy.reading)) or "a number", policy.rule]
        for flag, policy in law.policies.items()
    ]
    yield from columns(["Policy (open --policy FLAG=VALUE)", "As it stands", "Can be", "Rule"], policies)
    for flag, policy in law.policies.items():
        yield ""
        yield f"{flag}: {Readings.decides(policy.reading)}"
        for value in Readings.values_of(policy.reading):
            yield f"  {value}: {Readings.meaning_of(policy.reading, value)}"


def _worth(law: Rulebook, name: str) -> str:
    kind = law.results[name]
    if kind.as_written:
        return "as written"
    return f"{kind.each} each" if kind.each is not None else f"{kind.winner} / {kind.loser}"


COMMANDS: dict[str, Callable[..., None]] = {"rules": rules, "rulebook": rulebook}
